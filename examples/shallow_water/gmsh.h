//===- gmsh.h - Reader of triangles from Gmsh's text files ------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formats 2.2 and 4.1. Nodes and elements have tags there, which need not be
// consecutive; here they get indices from 0. Points and lines are passed over,
// as are sections other than $Nodes and $Elements.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_EXAMPLES_SHALLOW_WATER_GMSH_H
#define OP2_EXAMPLES_SHALLOW_WATER_GMSH_H

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace shallow_water {

struct Triangles {
  std::vector<double> x;   ///< [node][3]
  std::vector<int> corner; ///< [triangle][3] nodes
};

/// Reads one file; errors are exceptions whose text names the file, the line
/// and what was expected.
class GmshReader {
public:
  explicit GmshReader(const std::string &path) : path(path) {
    FILE *file = std::fopen(path.c_str(), "rb");
    std::vector<char> buffer(1 << 16);
    while (file) {
      const size_t got = std::fread(buffer.data(), 1, buffer.size(), file);
      if (got == 0)
        break;
      text.append(buffer.data(), got);
    }
    const int problem = !file || std::ferror(file) ? errno : 0;
    if (file)
      std::fclose(file);
    if (problem)
      throw std::runtime_error(
          path + ": cannot read the mesh: " + std::strerror(problem));
  }

  Triangles read() {
    expect("$MeshFormat");
    const std::string version = word("the format's version");
    if (version != "2.2" && version != "4.1")
      fail("format " + version + "; expected 2.2 or 4.1");
    if (integer("0 for a text file") != 0)
      fail("a binary file; expected text (Gmsh: Mesh.Binary = 0)");
    integer("the size of a number");
    expect("$EndMeshFormat");
    while (!atEnd()) {
      const std::string section = word("a section");
      if (section == "$Nodes")
        version == "2.2" ? readNodes2() : readNodes4();
      else if (section == "$Elements")
        version == "2.2" ? readElements2() : readElements4();
      else
        skipSection(section);
    }
    if (mesh.corner.empty())
      fail("the file has no triangles");
    return std::move(mesh);
  }

private:
  enum ElementType { Line = 1, Triangle = 2, Point = 15 };

  // Format 2.2: "tag x y z" per node, "tag type ntags tags nodes" per element.
  void readNodes2() {
    const long long count = integer("the number of nodes");
    for (long long n = 0; n < count; ++n) {
      const long long tag = integer("a node's tag");
      addNode(tag);
    }
    expect("$EndNodes");
  }

  void readElements2() {
    const long long count = integer("the number of elements");
    for (long long n = 0; n < count; ++n) {
      integer("an element's tag");
      const long long type = integer("an element's type");
      const long long tags = integer("an element's number of tags");
      for (long long k = 0; k < tags; ++k)
        integer("a tag of an element");
      addElement(type);
    }
    expect("$EndElements");
  }

  // Format 4.1: blocks of nodes and elements that belong to one entity.
  void readNodes4() {
    const long long blocks = integer("the number of blocks of nodes");
    for (int k = 0; k < 3; ++k)
      integer("numbers of nodes");
    for (long long block = 0; block < blocks; ++block) {
      const long long dimension = integer("a block's dimension");
      integer("a block's entity");
      const bool parametric = integer("whether a block is parametric") != 0;
      std::vector<long long> tags;
      for (long long n = integer("a block's number of nodes"); n > 0; --n)
        tags.push_back(integer("a node's tag"));
      for (const long long tag : tags) {
        addNode(tag);
        for (long long k = 0; parametric && k < dimension; ++k)
          real("a parameter of a node");
      }
    }
    expect("$EndNodes");
  }

  void readElements4() {
    const long long blocks = integer("the number of blocks of elements");
    for (int k = 0; k < 3; ++k)
      integer("numbers of elements");
    for (long long block = 0; block < blocks; ++block) {
      integer("a block's dimension");
      integer("a block's entity");
      const long long type = integer("a block's type of elements");
      for (long long n = integer("a block's number of elements"); n > 0; --n) {
        integer("an element's tag");
        addElement(type);
      }
    }
    expect("$EndElements");
  }

  void addNode(long long tag) {
    const int index = int(mesh.x.size() / 3);
    if (!indexOf.emplace(tag, index).second)
      fail("node " + std::to_string(tag) + " occurs twice");
    for (int d = 0; d < 3; ++d)
      mesh.x.push_back(real("a coordinate"));
  }

  /// Nodes of an element: kept if it is a triangle, counter-clockwise.
  void addElement(long long type) {
    if (type != Point && type != Line && type != Triangle)
      fail("element type " + std::to_string(type) +
           "; expected triangles (2), or lines and points, which are ignored");
    int node[3] = {};
    const int count = type == Point ? 1 : int(type) + 1;
    for (int k = 0; k < count; ++k) {
      const long long tag = integer("a node of an element");
      const auto found = indexOf.find(tag);
      if (found == indexOf.end())
        fail("node " + std::to_string(tag) + " of an element does not exist");
      node[k] = found->second;
    }
    if (type != Triangle)
      return;
    const double *a = &mesh.x[3 * size_t(node[0])];
    const double *b = &mesh.x[3 * size_t(node[1])];
    const double *c = &mesh.x[3 * size_t(node[2])];
    const double area =
        (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
    if (area == 0)
      fail("a triangle has no area");
    if (area < 0)
      std::swap(node[1], node[2]);
    mesh.corner.insert(mesh.corner.end(), node, node + 3);
  }

  void skipSection(const std::string &section) {
    if (section[0] != '$')
      fail("expected a section, found '" + section + "'");
    const std::string last = "$End" + section.substr(1);
    while (word(last.c_str()) != last)
      continue;
  }

  void expect(const char *what) {
    const std::string found = word(what);
    if (found != what)
      fail("expected " + std::string(what) + ", found '" + found + "'");
  }

  long long integer(const char *what) { return number<long long>(what); }
  double real(const char *what) {
    const double value = number<double>(what);
    if (!std::isfinite(value))
      fail("expected " + std::string(what) + ", which must be finite");
    return value;
  }

  template <class T> T number(const char *what) {
    const std::string found = word(what);
    T value{};
    const char *end = found.data() + found.size();
    const auto [stop, status] = std::from_chars(found.data(), end, value);
    if (status != std::errc() || stop != end)
      fail("expected " + std::string(what) + ", found '" + found + "'");
    return value;
  }

  /// The next word; `what` says in a message what it should have been.
  std::string word(const char *what) {
    if (atEnd())
      fail("the file ends where " + std::string(what) + " was expected");
    const size_t begin = position;
    while (position < text.size() && !isSpace(text[position]))
      ++position;
    return text.substr(begin, position - begin);
  }

  bool atEnd() {
    for (; position < text.size() && isSpace(text[position]); ++position)
      line += text[position] == '\n';
    return position == text.size();
  }
  static bool isSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

  [[noreturn]] void fail(const std::string &what) const {
    throw std::runtime_error(path + ":" + std::to_string(line) + ": " + what);
  }

  std::string path, text;
  size_t position = 0;
  long line = 1;
  std::unordered_map<long long, int> indexOf; // of a node's tag
  Triangles mesh;
};

} // namespace shallow_water

#endif // OP2_EXAMPLES_SHALLOW_WATER_GMSH_H

//===- GmshReader.cpp - Reads a file of Gmsh -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes and entities have tags, which need not be consecutive; they get indices
// from 0 here. In binary files the sections of nodes, elements and entities
// hold numbers of the machine, everything else is text.
//
//===----------------------------------------------------------------------===//

#include "Formats.h"
#include "Gmsh.h"
#include "Scanner.h"

#include <climits>
#include <cstdlib>
#include <unordered_map>

using namespace op2::mesh;
using namespace op2::mesh::gmsh;

Kind const *op2::mesh::gmsh::findKind(int64_t type) {
  for (Kind const &kind : kinds)
    if (kind.type == type)
      return &kind;
  return nullptr;
}

int32_t File::dimension() const {
  int32_t most = -1;
  for (Element const &element : elements)
    most = std::max(most, element.kind->dimension);
  return most;
}

bool File::isPlane() const {
  for (std::size_t n = 2; n < x.size(); n += 3)
    if (x[n] != 0)
      return false;
  return true;
}

namespace {
class Reader {
public:
  Reader(std::string const &path, std::string const &text) : in(path, text) {}

  File read() {
    readFormat();
    while (!in.isAtEnd()) {
      std::string section = in.nextWord("a section");
      if (section == "$PhysicalNames")
        readNames();
      else if (section == "$Entities" && isVersion4)
        readEntities();
      else if (section == "$Nodes")
        isVersion4 ? readNodes4() : readNodes2();
      else if (section == "$Elements")
        isVersion4 ? readElements4() : readElements2();
      else
        skipSection(section);
    }
    orient();
    return std::move(file);
  }

private:
  //===--------------------------------------------------------------------===//
  // Numbers
  //===--------------------------------------------------------------------===//

  int64_t integer(char const *what, int64_t row = -1, int64_t low = INT_MIN,
                  int64_t high = INT_MAX) {
    if (!isBinary)
      return in.nextInteger(low, high, what, row);
    return in.inRange(in.nextBinary<int32_t>(what, row), low, high, what, row);
  }
  /// Eight bytes in binary files of format 4.
  int64_t size(char const *what, int64_t row = -1, int64_t high = INT64_MAX) {
    if (!isBinary)
      return in.nextInteger(0, high, what, row);
    return in.inRange(in.nextBinary<int64_t>(what, row), 0, high, what, row);
  }
  /// A number of things to come that take at least `bytes` each: before memory
  /// is asked for.
  int64_t announced(int64_t count, char const *what, int64_t bytes) {
    if (count > in.remaining() / bytes + 1 || count > INT_MAX)
      in.fail(what, -1,
              "value " + std::to_string(count) + "; expected at most " +
                  std::to_string(in.remaining() / bytes + 1) +
                  " with what is left of the file (truncated?)");
    return count;
  }
  /// The same; bytes in text files and in binary ones.
  int64_t count(char const *what, int64_t textBytes, int64_t binaryBytes) {
    return announced(size(what), what, isBinary ? binaryBytes : textBytes);
  }
  double real(char const *what, int64_t row) {
    return isBinary ? in.finite(in.nextBinary<double>(what, row), what, row)
                    : in.nextReal(what, row);
  }

  //===--------------------------------------------------------------------===//
  // Sections that do not hold the mesh
  //===--------------------------------------------------------------------===//

  void readFormat() {
    in.expectWord("$MeshFormat");
    std::string version = in.nextWord("version of the format");
    if (version != "2.2" && version != "4.1")
      in.fail("version of the format", -1,
              "'" + version + "'; expected 2.2 or 4.1 (Gmsh: -format msh41)");
    isVersion4 = version == "4.1";
    hasBinary =
        in.nextInteger(0, 1, "kind of file, 0 for text or 1 for binary");
    in.nextInteger(8, 8, "bytes of a number");
    if (hasBinary) {
      in.restOfLine();
      beginBinary("the number 1");
      if (in.nextBinary<int32_t>("byte order") != 1)
        in.fail("byte order", -1,
                "not that of this machine; write the file as text");
      isBinary = false;
    }
    in.expectWord("$EndMeshFormat");
  }

  void readNames() {
    char const *what = "physical name";
    int64_t names = announced(in.nextInteger(0, INT_MAX, what), what, 4);
    for (int64_t n = 0; n < names; ++n) {
      auto dimension = int32_t(in.nextInteger(0, 3, what, n));
      auto number = int32_t(in.nextInteger(INT_MIN + 1, INT_MAX, what, n));
      std::string name = in.restOfLine();
      auto first = name.find('"'), last = name.rfind('"');
      if (first == last)
        in.fail(what, n, "expected a name in quotes");
      file.groups.push_back(
          {dimension, number, name.substr(first + 1, last - first - 1)});
    }
    in.expectWord("$EndPhysicalNames");
  }

  /// Which physical group the elements of an entity belong to.
  void readEntities() {
    beginBinary("entities");
    int64_t counts[4];
    for (int64_t &number : counts)
      number = count("number of entities", 4, 12);
    for (int dimension = 0; dimension < 4; ++dimension)
      for (int64_t n = 0; n < counts[dimension]; ++n)
        readEntity(dimension, n);
    end("$EndEntities");
  }

  void readEntity(int dimension, int64_t n) {
    char const *what = "entity";
    int64_t tag = integer(what, n);
    for (int k = 0; k < (dimension == 0 ? 3 : 6); ++k)
      real(what, n); // its box
    int64_t groups = count("number of physical groups of an entity", 2, 4);
    for (int64_t k = 0; k < groups; ++k) {
      // Negative: turned round.
      auto group = int32_t(std::abs(integer(what, n)) & INT_MAX);
      auto [kept, isNew] = groupOf[dimension].emplace(tag, group);
      if (!isNew && kept->second != group)
        file.warnings.push_back(
            "entity " + std::to_string(tag) + " of dimension " +
            std::to_string(dimension) + " is in physical groups " +
            std::to_string(kept->second) + " and " + std::to_string(group) +
            ", and an element in one: the second is left out");
    }
    if (dimension == 0)
      return;
    int64_t bounds = count("number of bounds of an entity", 2, 4);
    for (int64_t k = 0; k < bounds; ++k)
      integer(what, n);
  }

  void skipSection(std::string const &section) {
    if (section[0] != '$')
      in.fail("expected a section", -1,
              "found '" + section.substr(0, 24) + "'");
    if (section == "$PartitionedEntities")
      in.fail("section $PartitionedEntities", -1,
              "partitioned meshes are not supported; expected a whole one");
    in.skipBehind("$End" + section.substr(1));
  }

  void beginBinary(char const *what) {
    if (!hasBinary)
      return;
    if (in.nextBinary<char>(what) != '\n')
      in.fail(what, -1, "expected the end of the line before binary data");
    isBinary = true;
  }
  void end(char const *word) {
    isBinary = false;
    in.expectWord(word);
  }

  //===--------------------------------------------------------------------===//
  // Nodes
  //===--------------------------------------------------------------------===//

  void readNodes2() {
    char const *what = "number of nodes";
    int64_t number =
        announced(in.nextInteger(0, INT_MAX, what), what, hasBinary ? 28 : 8);
    beginBinary("nodes");
    for (int64_t n = 0; n < number; ++n) {
      addNode(integer("node", n), n);
      addPosition(n);
    }
    end("$EndNodes");
  }

  void readNodes4() {
    beginBinary("nodes");
    int64_t blocks = count("number of blocks of nodes", 8, 20);
    for (int k = 0; k < 3; ++k)
      size("numbers of nodes");
    int64_t row = 0;
    for (int64_t block = 0; block < blocks; ++block) {
      int64_t dimension = integer("block of nodes", block, 0, 3);
      integer("block of nodes", block);
      bool isParametric = integer("block of nodes", block, 0, 1);
      int64_t number = count("number of nodes in a block", 8, 32);
      for (int64_t n = 0; n < number; ++n)
        addNode(size("node", row + n), row + n);
      for (int64_t n = 0; n < number; ++n, ++row) {
        addPosition(row);
        for (int64_t k = 0; isParametric && k < dimension; ++k)
          real("parameter of node", row);
      }
    }
    end("$EndNodes");
  }

  void addNode(int64_t tag, int64_t row) {
    if (!indexOf.emplace(tag, int32_t(indexOf.size())).second)
      in.fail("node", row,
              "its tag " + std::to_string(tag) +
                  " is that of a node before; expected another");
  }
  void addPosition(int64_t row) {
    for (int d = 0; d < 3; ++d)
      file.x.push_back(real("node", row));
  }

  //===--------------------------------------------------------------------===//
  // Elements
  //===--------------------------------------------------------------------===//

  /// In text each element says what it is, in binary files a run of them.
  void readElements2() {
    char const *what = "number of elements";
    int64_t number = announced(in.nextInteger(0, INT_MAX, what), what, 8);
    beginBinary("elements");
    for (int64_t row = 0; row < number;) {
      if (!isBinary)
        integer("element", row);
      Kind const &kind = readKind(row);
      int64_t run = isBinary ? integer("elements of one type", row, 1) : 1;
      int64_t tags = integer("number of tags of element", row, 0);
      if (run > number - row)
        in.fail("elements of one type", -1,
                "value " + std::to_string(run) + "; expected at most " +
                    std::to_string(number - row));
      for (int64_t last = row + run; row < last; ++row) {
        if (isBinary)
          integer("element", row);
        int32_t group = 0;
        for (int64_t k = 0; k < tags; ++k) {
          int64_t tag = integer("tag of element", row);
          if (k == 0)
            group = int32_t(std::abs(tag) & INT_MAX);
        }
        addElement(kind, group, row);
      }
    }
    end("$EndElements");
  }

  void readElements4() {
    beginBinary("elements");
    int64_t blocks = count("number of blocks of elements", 8, 20);
    for (int k = 0; k < 3; ++k)
      size("numbers of elements");
    int64_t row = 0;
    for (int64_t block = 0; block < blocks; ++block) {
      int64_t dimension = integer("block of elements", block, 0, 3);
      int64_t entity = integer("block of elements", block);
      Kind const &kind = readKind(row);
      if (kind.dimension != dimension)
        in.fail("block of elements", block,
                std::string(kind.name) + " in an entity of dimension " +
                    std::to_string(dimension));
      auto found = groupOf[dimension].find(entity);
      int32_t group = found == groupOf[dimension].end() ? 0 : found->second;
      int64_t number = count("number of elements in a block",
                             2 * (kind.nodes + 1), 8 * (kind.nodes + 1));
      for (int64_t last = row + number; row < last; ++row) {
        size("element", row);
        addElement(kind, group, row);
      }
    }
    end("$EndElements");
  }

  Kind const &readKind(int64_t row) {
    int64_t type = integer("type of element", row);
    Kind const *kind = findKind(type);
    if (!kind)
      in.fail("type of element", row,
              "value " + std::to_string(type) +
                  "; expected points (15), lines (1), triangles (2), "
                  "quadrilaterals (3), tetrahedra (4) or hexahedra (5), of "
                  "first order");
    return *kind;
  }

  void addElement(Kind const &kind, int32_t group, int64_t row) {
    auto first = static_cast<int64_t>(file.nodes.size());
    places.push_back(in.place());
    for (int32_t k = 0; k < kind.nodes; ++k) {
      int64_t tag = isVersion4 ? size("element", row) : integer("element", row);
      auto found = indexOf.find(tag);
      if (found == indexOf.end())
        in.fail("element", row, "there is no node " + std::to_string(tag));
      file.nodes.push_back(found->second);
    }
    file.elements.push_back({&kind, group, first});
  }

  //===--------------------------------------------------------------------===//
  // Directions
  //===--------------------------------------------------------------------===//

  double const *at(int32_t node) const {
    return file.x.data() + 3 * std::size_t(node);
  }

  /// Twice the area in the plane, or six times the volume, as the corner at the
  /// first node has it; of a quadrilateral both halves.
  double measure(Kind const &kind, int32_t const *node) const {
    auto area = [&](int a, int b, int c) {
      double const *p = at(node[a]), *q = at(node[b]), *r = at(node[c]);
      return (q[0] - p[0]) * (r[1] - p[1]) - (r[0] - p[0]) * (q[1] - p[1]);
    };
    if (kind.dimension == 2)
      return area(0, 1, 2) + (kind.nodes == 4 ? area(0, 2, 3) : 0);
    double const *p = at(node[0]), *q = at(node[1]);
    double const *r = at(node[kind.nodes == 4 ? 2 : 3]);
    double const *s = at(node[kind.nodes == 4 ? 3 : 4]);
    double a[3], b[3], c[3];
    for (int d = 0; d < 3; ++d) {
      a[d] = q[d] - p[d];
      b[d] = r[d] - p[d];
      c[d] = s[d] - p[d];
    }
    return a[0] * (b[1] * c[2] - b[2] * c[1]) -
           a[1] * (b[0] * c[2] - b[2] * c[0]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
  }

  static void turn(Kind const &kind, int32_t *node) {
    if (kind.type == 5) { // bottom and top
      std::swap_ranges(node, node + 4, node + 4);
      return;
    }
    std::swap(node[1], node[kind.nodes - 1]);
  }

  /// A surface in space has no side that is up: it stays as it is.
  void orient() {
    int32_t dimension = file.dimension();
    if (dimension < 2 || (dimension == 2 && !file.isPlane()))
      return;
    for (std::size_t n = 0; n < file.elements.size(); ++n) {
      Element const &element = file.elements[n];
      if (element.kind->dimension != dimension)
        continue;
      int32_t *node = file.nodes.data() + element.first;
      double size = measure(*element.kind, node);
      if (size == 0)
        in.failAt(places[n], "element " + std::to_string(n) + " of the " +
                                 element.kind->name + " is flat");
      if (size < 0)
        turn(*element.kind, node);
    }
  }

  Scanner in;
  bool isVersion4 = false, hasBinary = false;
  bool isBinary = false; ///< in a section with binary data
  std::unordered_map<int64_t, int32_t> indexOf;    ///< of a node's tag
  std::unordered_map<int64_t, int32_t> groupOf[4]; ///< of an entity's tag
  std::vector<int64_t> places;                     ///< of elements, in the file
  File file;
};
} // namespace

File op2::mesh::gmsh::read(std::string const &path) {
  std::string text = readText(path);
  return Reader(path, text).read();
}

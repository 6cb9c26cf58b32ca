//===- grid.h - Reader of Airfoil's text meshes -----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The format of new_grid.dat: a line "nnode ncell nedge nbedge"; per node
// "x y"; per cell its 4 nodes; per edge its 2 nodes and 2 cells; per boundary
// edge its 2 nodes, its cell and its flag (1 wall, 2 far field). All indices
// count from 0. Any white space may stand where a blank or a line end does.
//
// The file is read whole and scanned once: a mesh of 720,000 cells (85 MB)
// takes a fraction of a second. Everything in it is checked, so that the solver
// can trust the indices.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_EXAMPLES_AIRFOIL_GRID_H
#define OP2_EXAMPLES_AIRFOIL_GRID_H

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

namespace airfoil {

/// A mesh as it stands in the file, as arrays of rows.
struct Grid {
  int nnode = 0, ncell = 0, nedge = 0, nbedge = 0;
  std::vector<double> x;   ///< [nnode][2]
  std::vector<int> cell;   ///< [ncell][4] nodes
  std::vector<int> edge;   ///< [nedge][2] nodes
  std::vector<int> ecell;  ///< [nedge][2] cells
  std::vector<int> bedge;  ///< [nbedge][2] nodes
  std::vector<int> becell; ///< [nbedge] cell
  std::vector<int> bound;  ///< [nbedge] flag
};

namespace detail {

/// Scans a text for numbers; the first failure is kept and all later calls
/// fail.
class NumberScanner {
public:
  NumberScanner(std::string name, const char *begin, const char *end)
      : name(std::move(name)), begin(begin), pos(begin), end(end) {}

  /// Reads the next integer in [low, high]; `section` and `entry` say what it
  /// belongs to, for the message.
  bool nextInt(int &value, int low, int high, const char *section, int entry) {
    if (!next(value, "an integer", section, entry))
      return false;
    if (value >= low && value <= high)
      return true;
    return fail(section, entry,
                "value " + std::to_string(value) + " is not in " +
                    std::to_string(low) + " ... " + std::to_string(high));
  }

  bool nextDouble(double &value, const char *section, int entry) {
    if (!next(value, "a number", section, entry))
      return false;
    if (std::isfinite(value))
      return true;
    return fail(section, entry, "the coordinate is not finite");
  }

  /// True if only white space is left.
  bool atEnd() {
    skipSpace();
    return pos == end;
  }

  /// Stores a message that names the file, the line and the entry.
  bool fail(const char *section, int entry, const std::string &what) {
    long line = 1;
    // The token that failed has been passed or is at `pos`: count up to its
    // first character.
    for (const char *p = begin; p < token; ++p)
      line += *p == '\n';
    message = name + ":" + std::to_string(line) + ": ";
    if (section) {
      message += section;
      if (entry >= 0)
        message += " " + std::to_string(entry);
      message += ": ";
    }
    message += what;
    return false;
  }

  const std::string &error() const { return message; }

private:
  static bool isSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

  void skipSpace() {
    while (pos != end && isSpace(*pos))
      ++pos;
    token = pos;
  }

  template <typename T>
  bool next(T &value, const char *kind, const char *section, int entry) {
    skipSpace();
    if (pos == end)
      return fail(section, entry,
                  std::string("the file ends where ") + kind +
                      " was expected (truncated?)");
    // from_chars takes no plus sign; other writers of such files print one.
    const char *first = pos + (*pos == '+' && pos + 1 != end);
    auto [stop, status] = std::from_chars(first, end, value);
    if (status == std::errc::result_out_of_range)
      return fail(section, entry, excerpt() + " is too large");
    if (status != std::errc() || (stop != end && !isSpace(*stop)))
      return fail(section, entry,
                  std::string("expected ") + kind + ", found " + excerpt());
    pos = stop;
    return true;
  }

  /// The token at `pos`, quoted, shortened and without control characters.
  std::string excerpt() const {
    std::string text = "'";
    for (const char *p = pos; p != end && !isSpace(*p); ++p) {
      if (p - pos == 24)
        return text + "...'";
      text += *p >= 32 && *p < 127 ? *p : '?';
    }
    return text + "'";
  }

  std::string name, message;
  const char *begin, *pos, *end;
  const char *token = begin;
};

/// Reads a whole file into `text`.
inline bool readFile(const std::string &path, std::unique_ptr<char[]> &text,
                     size_t &size, std::string &error) {
  auto fail = [&] {
    error = path + ": cannot read the mesh: " + std::strerror(errno);
    return false;
  };
  std::unique_ptr<FILE, int (*)(FILE *)> file(std::fopen(path.c_str(), "rb"),
                                              std::fclose);
  if (!file)
    return fail();
  // Doubling, not seeking: the mesh may come through a pipe.
  size_t capacity = size_t(1) << 24;
  text.reset(new char[capacity]);
  size = 0;
  while (size_t got =
             std::fread(text.get() + size, 1, capacity - size, file.get())) {
    size += got;
    if (size < capacity)
      continue;
    std::unique_ptr<char[]> larger(new char[2 * capacity]);
    std::memcpy(larger.get(), text.get(), size);
    text = std::move(larger);
    capacity *= 2;
  }
  return std::ferror(file.get()) ? fail() : true;
}

} // namespace detail

/// Reads the mesh at `path`. On failure returns false and sets `error` to one
/// line that names the file, the line and the entry that is wrong.
inline bool readGrid(const std::string &path, Grid &grid, std::string &error) {
  std::unique_ptr<char[]> text;
  size_t size = 0;
  if (!detail::readFile(path, text, size, error))
    return false;

  detail::NumberScanner in(path, text.get(), text.get() + size);
  auto fail = [&] {
    error = in.error();
    return false;
  };

  const char *header = "header 'nnode ncell nedge nbedge'";
  for (int *count : {&grid.nnode, &grid.ncell, &grid.nedge, &grid.nbedge})
    if (!in.nextInt(*count, 0, 500000000, header, -1))
      return fail();

  // Before memory is asked for: each number takes a digit and a separator.
  unsigned long long numbers = 4 + 2ull * grid.nnode + 4ull * grid.ncell +
                               4ull * grid.nedge + 4ull * grid.nbedge;
  if (size < 2 * numbers - 1) {
    in.fail(header, -1,
            "announces " + std::to_string(numbers) +
                " numbers, which cannot fit in the file's " +
                std::to_string(size) + " bytes (truncated?)");
    return fail();
  }

  grid.x.resize(size_t(2) * grid.nnode);
  grid.cell.resize(size_t(4) * grid.ncell);
  grid.edge.resize(size_t(2) * grid.nedge);
  grid.ecell.resize(size_t(2) * grid.nedge);
  grid.bedge.resize(size_t(2) * grid.nbedge);
  grid.becell.resize(grid.nbedge);
  grid.bound.resize(grid.nbedge);

  const int lastNode = grid.nnode - 1, lastCell = grid.ncell - 1;
  for (int n = 0; n < grid.nnode; ++n)
    for (int d = 0; d < 2; ++d)
      if (!in.nextDouble(grid.x[size_t(2) * n + d], "node", n))
        return fail();
  for (int n = 0; n < grid.ncell; ++n)
    for (int d = 0; d < 4; ++d)
      if (!in.nextInt(grid.cell[size_t(4) * n + d], 0, lastNode, "cell", n))
        return fail();
  for (int n = 0; n < grid.nedge; ++n) {
    size_t at = size_t(2) * n;
    if (!in.nextInt(grid.edge[at], 0, lastNode, "edge", n) ||
        !in.nextInt(grid.edge[at + 1], 0, lastNode, "edge", n) ||
        !in.nextInt(grid.ecell[at], 0, lastCell, "edge", n) ||
        !in.nextInt(grid.ecell[at + 1], 0, lastCell, "edge", n))
      return fail();
  }
  for (int n = 0; n < grid.nbedge; ++n) {
    size_t at = size_t(2) * n;
    if (!in.nextInt(grid.bedge[at], 0, lastNode, "boundary edge", n) ||
        !in.nextInt(grid.bedge[at + 1], 0, lastNode, "boundary edge", n) ||
        !in.nextInt(grid.becell[n], 0, lastCell, "boundary edge", n) ||
        !in.nextInt(grid.bound[n], 1, 2, "boundary edge", n))
      return fail();
  }
  if (!in.atEnd()) {
    in.fail(nullptr, -1, "unexpected text after the last boundary edge");
    return fail();
  }
  return true;
}

} // namespace airfoil

#endif // OP2_EXAMPLES_AIRFOIL_GRID_H

//===- Scanner.h - Numbers from a text -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For readers of text formats: numbers separated by white space, with messages
// that name the file and the line.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TOOLS_OP2_MESH_SCANNER_H
#define OP2_TOOLS_OP2_MESH_SCANNER_H

#include "Mesh.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace op2::mesh {

class Scanner {
public:
  /// `text` must outlive the scanner.
  Scanner(std::string path, std::string const &text)
      : path(std::move(path)), begin(text.data()), position(begin),
        end(begin + text.size()), token(begin) {}

  /// The next number, an integer in low ... high. `what` says in messages what
  /// it belongs to, `row` which of them (none if negative).
  int64_t nextInteger(int64_t low, int64_t high, char const *what,
                      int64_t row = -1) {
    auto value = next<int64_t>("an integer", what, row);
    if (value < low || value > high)
      fail(what, row,
           "value " + std::to_string(value) + "; expected " +
               std::to_string(low) + " ... " + std::to_string(high));
    return value;
  }
  double nextReal(char const *what, int64_t row = -1) {
    auto value = next<double>("a number", what, row);
    if (!std::isfinite(value))
      fail(what, row, "the number is not finite");
    return value;
  }
  /// Only white space may be left.
  void finish(char const *what) {
    skipSpace();
    if (position != end)
      fail(what, -1, "expected the end of the file, found " + excerpt());
  }
  /// An error at the latest number.
  [[noreturn]] void fail(char const *what, int64_t row,
                         std::string const &message) const {
    char const *at = token;
    // The end of the file is on its last line, not behind it.
    while (token == end && at != begin && isSpace(at[-1]))
      --at;
    auto line = 1 + std::count(begin, at, '\n');
    throw Error(path + ":" + std::to_string(line) + ": " + what +
                (row < 0 ? "" : " " + std::to_string(row)) + ": " + message);
  }

private:
  static bool isSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

  void skipSpace() {
    while (position != end && isSpace(*position))
      ++position;
    token = position;
  }

  template <class Number>
  Number next(char const *kind, char const *what, int64_t row) {
    skipSpace();
    if (position == end)
      fail(what, row,
           "expected " + std::string(kind) +
               ", found the end of the file (truncated?)");
    Number value = 0;
    // Some writers print a plus sign, which from_chars does not take.
    char const *first = position + (*position == '+' && position + 1 != end);
    auto [stop, status] = std::from_chars(first, end, value);
    if (status == std::errc::result_out_of_range)
      fail(what, row, excerpt() + " is too large");
    if (status != std::errc() || (stop != end && !isSpace(*stop)))
      fail(what, row, "expected " + std::string(kind) + ", found " + excerpt());
    position = stop;
    return value;
  }

  /// The token that comes next, without what a terminal would not show.
  std::string excerpt() const {
    std::string text = "'";
    for (char const *p = position; p != end && !isSpace(*p); ++p) {
      if (p - position == 24)
        return text + "...'";
      text += *p >= 32 && *p < 127 ? *p : '?';
    }
    return text + "'";
  }

  std::string path;
  char const *begin, *position, *end, *token;
};

} // namespace op2::mesh

#endif // OP2_TOOLS_OP2_MESH_SCANNER_H

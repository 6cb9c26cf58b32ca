//===- Scanner.h - Numbers from a text -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For readers of text formats: words and numbers separated by white space, with
// messages that name the file and the line; and of formats that have binary
// parts, where messages name the byte.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TOOLS_OP2_MESH_SCANNER_H
#define OP2_TOOLS_OP2_MESH_SCANNER_H

#include "Draw/Mesh.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>

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
    return inRange(next<int64_t>("an integer", what, row), low, high, what,
                   row);
  }
  double nextReal(char const *what, int64_t row = -1) {
    return finite(next<double>("a number", what, row), what, row);
  }
  /// The next word, whatever it is.
  std::string nextWord(char const *what) {
    skipSpace();
    if (position == end)
      fail(what, -1, "found the end of the file (truncated?)");
    while (position != end && !isSpace(*position))
      ++position;
    return std::string(token, position);
  }
  /// What is left of this line.
  std::string restOfLine() {
    token = position;
    position = std::find(position, end, '\n');
    return std::string(token, position);
  }
  /// The next word must be this one.
  void expectWord(std::string const &word) {
    skipSpace();
    std::string found = excerpt();
    if (position == end)
      fail(("expected " + word).c_str(), -1, "found the end of the file");
    if (nextWord("") != word)
      fail(("expected " + word).c_str(), -1, "found " + found);
  }
  /// Goes on behind the next occurrence of `word`.
  void skipBehind(std::string const &word) {
    token = position;
    position = std::search(position, end, word.begin(), word.end());
    if (position == end)
      fail(("expected " + word).c_str(), -1, "found the end of the file");
    position += word.size();
  }
  /// The next bytes as a number of this machine. From here on messages name
  /// bytes, because lines say nothing.
  template <class Number>
  Number nextBinary(char const *what, int64_t row = -1) {
    isBinary = true;
    token = position;
    if (std::size_t(end - position) < sizeof(Number))
      fail(what, row,
           "expected " + std::to_string(sizeof(Number)) +
               " bytes, found the end of the file (truncated?)");
    Number value;
    std::memcpy(&value, position, sizeof value);
    position += sizeof value;
    return value;
  }
  int64_t inRange(int64_t value, int64_t low, int64_t high, char const *what,
                  int64_t row = -1) const {
    if (value < low || value > high)
      fail(what, row,
           "value " + std::to_string(value) + "; expected " +
               std::to_string(low) + " ... " + std::to_string(high));
    return value;
  }
  double finite(double value, char const *what, int64_t row = -1) const {
    if (!std::isfinite(value))
      fail(what, row, "the number is not finite");
    return value;
  }
  bool isAtEnd() {
    skipSpace();
    return position == end;
  }
  /// Bytes that have not been read.
  int64_t remaining() const { return end - position; }
  /// Where the latest number stands, for failAt.
  int64_t place() const { return token - begin; }
  /// Only white space may be left.
  void finish(char const *what) {
    skipSpace();
    if (position != end)
      fail(what, -1, "expected the end of the file, found " + excerpt());
  }
  /// An error at the latest number.
  [[noreturn]] void fail(char const *what, int64_t row,
                         std::string const &message) const {
    failAt(place(),
           what + (row < 0 ? "" : " " + std::to_string(row)) + ": " + message);
  }
  /// An error at a place that was read before.
  [[noreturn]] void failAt(int64_t place, std::string const &message) const {
    char const *at = begin + place;
    if (isBinary)
      throw Error(path + ": byte " + std::to_string(place) + ": " + message);
    // The end of the file is on its last line, not behind it.
    while (token == end && at == end && at != begin && isSpace(at[-1]))
      --at;
    auto line = 1 + std::count(begin, at, '\n');
    throw Error(path + ":" + std::to_string(line) + ": " + message);
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
    // The same status says that a number is too close to 0.
    if (status == std::errc::result_out_of_range)
      fail(what, row,
           excerpt() + (std::fabs(std::strtod(first, nullptr)) < 1
                            ? " is too close to 0; expected 0"
                            : " is too large"));
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
  bool isBinary = false;
};

} // namespace op2::mesh

#endif // OP2_TOOLS_OP2_MESH_SCANNER_H

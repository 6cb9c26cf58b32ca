//===- Svg.h - Writing SVG -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_DRAW_SVG_H
#define OP2_LIB_RUNTIME_DRAW_SVG_H

#include <string>

namespace op2::mesh {

/// A drawing as text. Numbers are written with at most one decimal, so that
/// equal drawings are equal files.
class Svg {
public:
  /// In pixels; white. `title` is for those who cannot see it.
  Svg(double width, double height, std::string const &title);

  /// All that follows until the end has these attributes: `fill="none"`.
  void beginGroup(std::string const &attributes);
  void endGroup();
  /// `attributes` may be empty, as in the following.
  void path(std::string const &data, std::string const &attributes);
  void circle(double x, double y, double radius, std::string const &attributes);
  void rectangle(double x, double y, double width, double height,
                 std::string const &attributes);
  void text(double x, double y, std::string const &content,
            std::string const &attributes);
  std::string finish();

  /// "12.5"
  static std::string number(double value);
  /// "M" or "L" and a point.
  static std::string point(char command, double x, double y);

private:
  std::string content;
  int depth = 1;
  void line(std::string const &text);
};

} // namespace op2::mesh

#endif // OP2_LIB_RUNTIME_DRAW_SVG_H

//===- Geometry.h - Positions of elements in pictures -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_DRAW_GEOMETRY_H
#define OP2_LIB_RUNTIME_DRAW_GEOMETRY_H

#include "Mesh.h"

namespace op2::mesh {

struct Point {
  double x = 0, y = 0;
};

/// Maps the mesh's plane to pixels: `width` wide, from (left, top) down.
class Geometry {
public:
  /// An Error if nodes have no two coordinates each, or there are none.
  Geometry(Mesh const &mesh, double left, double top, double width);

  double height() const { return pixelHeight; }
  /// The typical length of an edge, pixels.
  double spacing() const { return pixelSpacing; }

  Point node(int64_t n) const;
  /// An edge's or boundary edge's ends, a cell's corners in their order, or a
  /// node; drawn towards their middle by `shrink`, 0 ... 1.
  std::vector<Point> corners(std::string const &set, int64_t n,
                             double shrink) const;
  Point middle(std::string const &set, int64_t n) const;

  /// SVG path data through the corners, closed if there are more than two.
  std::string outline(std::string const &set, int64_t n, double shrink) const;

private:
  void measure(double width);

  Mesh const &mesh;
  Dat const &coordinates;
  double left, top, scale = 1, pixelHeight = 0, pixelSpacing = 0;
  Point least, greatest;
};

} // namespace op2::mesh

#endif // OP2_LIB_RUNTIME_DRAW_GEOMETRY_H

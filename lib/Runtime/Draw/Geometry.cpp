//===- Geometry.cpp - Positions of elements in pictures -------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Geometry.h"
#include "Svg.h"

#include <algorithm>
#include <cmath>

using namespace op2::mesh;

Geometry::Geometry(Mesh const &mesh, double left, double top, double width)
    : mesh(mesh), coordinates(mesh.dat("p_x", "nodes", true, 0)), left(left),
      top(top) {
  if (mesh.isSolid())
    throw Error("a picture needs cells in a plane; those of this mesh are "
                "solid");
  if (coordinates.dim < 2 || coordinates.reals.empty())
    throw Error("a picture needs nodes with 2 coordinates each; the mesh has " +
                std::to_string(mesh.set("nodes").size) + " nodes with " +
                std::to_string(coordinates.dim));
  measure(width);
}

void Geometry::measure(double width) {
  auto const &x = coordinates.reals;
  least = greatest = {x[0], x[1]};
  // A third coordinate is looked at from above.
  auto dim = static_cast<std::size_t>(coordinates.dim);
  for (std::size_t n = 0; n < x.size(); n += dim) {
    least = {std::min(least.x, x[n]), std::min(least.y, x[n + 1])};
    greatest = {std::max(greatest.x, x[n]), std::max(greatest.y, x[n + 1])};
  }
  double extent = greatest.x - least.x, rise = greatest.y - least.y;
  // A tall mesh is not drawn wider than it fits into a square.
  scale = width / std::max({extent, rise, 1e-300});
  pixelHeight = rise * scale;
  left += 0.5 * (width - extent * scale);
  pixelSpacing = scale * std::sqrt(std::max(extent * rise, 0.0) /
                                   static_cast<double>(x.size() / dim));
}

Point Geometry::node(int64_t n) const {
  double const *x = coordinates.reals.data() + coordinates.dim * n;
  return {left + (x[0] - least.x) * scale, top + (greatest.y - x[1]) * scale};
}

std::vector<Point> Geometry::corners(std::string const &set, int64_t n,
                                     double shrink) const {
  if (set == "nodes")
    return {node(n)};
  Map const *map = mesh.findMap(set, "nodes");
  if (!map)
    throw Error("no map leads from set '" + set +
                "' to nodes: it cannot be drawn");
  int32_t count = set == "cells" ? cornersOf(*map, n) : map->arity;
  std::vector<Point> points;
  Point center;
  for (int32_t k = 0; k < count; ++k) {
    points.push_back(node(map->row(n)[k]));
    center.x += points.back().x / count;
    center.y += points.back().y / count;
  }
  for (Point &point : points)
    point = {point.x + shrink * (center.x - point.x),
             point.y + shrink * (center.y - point.y)};
  return points;
}

Point Geometry::middle(std::string const &set, int64_t n) const {
  return corners(set, n, 1.0).front();
}

std::string Geometry::outline(std::string const &set, int64_t n,
                              double shrink) const {
  std::string path;
  std::vector<Point> points = corners(set, n, shrink);
  for (Point const &point : points)
    path += Svg::point(path.empty() ? 'M' : 'L', point.x, point.y);
  return points.size() > 2 ? path + "Z" : path;
}

//===- picture.h - A field on a mesh as an SVG picture ----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cells are filled polygons; those of one colour are one path, which keeps the
// file small.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_EXAMPLES_COMMON_PICTURE_H
#define OP2_EXAMPLES_COMMON_PICTURE_H

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace examples {

/// Colours along straight lines between given ones, from light to dark.
class Palette {
public:
  struct Color {
    double red, green, blue; // 0 ... 255
  };
  explicit Palette(std::vector<Color> stops) : stops(std::move(stops)) {}

  /// "#rrggbb" for 0 <= at <= 1.
  std::string operator()(double at) const {
    const double scaled = std::clamp(at, 0.0, 1.0) * double(stops.size() - 1);
    const size_t low = std::min(size_t(scaled), stops.size() - 2);
    const double t = scaled - double(low);
    auto mix = [&](double a, double b) {
      return unsigned(std::lround(a + t * (b - a)));
    };
    const Color &a = stops[low], &b = stops[low + 1];
    char text[8];
    std::snprintf(text, sizeof text, "#%02x%02x%02x", mix(a.red, b.red) & 255,
                  mix(a.green, b.green) & 255, mix(a.blue, b.blue) & 255);
    return text;
  }

  static Palette warm() {
    return Palette({{255, 247, 188}, {254, 153, 41}, {153, 52, 4}});
  }
  static Palette water() {
    return Palette({{222, 235, 247}, {107, 174, 214}, {8, 48, 107}});
  }
  static Palette land() {
    return Palette({{229, 216, 176}, {171, 132, 82}, {96, 64, 32}});
  }

private:
  std::vector<Color> stops;
};

/// Cells as polygons, in pixels from the upper left corner.
class Picture {
public:
  /// The plane's rectangle [0, lengthX] x [0, lengthY] becomes `width` pixels
  /// wide. With an `outline`, cells are outlined in that colour.
  Picture(double lengthX, double lengthY, int width,
          std::string outline = std::string())
      : scale(width / lengthX), lengthY(lengthY), width(width),
        height(int(std::lround(scale * lengthY))), outline(std::move(outline)) {
  }

  /// Adds a cell; `corners` are `count` nodes with coordinates x[node][2].
  template <class Real>
  void addCell(const std::vector<Real> &x, const int *corners, int count,
               const std::string &color) {
    std::string &path = pathOf(color);
    long previous[2] = {0, 0};
    for (int k = 0; k < count; ++k) {
      const size_t node = size_t(corners[k]);
      const long at[2] = {
          std::lround(tenths * scale * double(x[2 * node])),
          std::lround(tenths * scale * (lengthY - double(x[2 * node + 1])))};
      // Corners but the first are relative to the one before.
      path += k == 0 ? "M" : k == 1 ? "l" : " ";
      path += std::to_string(at[0] - previous[0]) + " " +
              std::to_string(at[1] - previous[1]);
      std::copy(at, at + 2, previous);
    }
    path += "z";
  }

  /// False if the file cannot be written; errno says why.
  bool write(const std::string &file) const {
    FILE *out = std::fopen(file.c_str(), "w");
    if (!out)
      return false;
    std::fprintf(out,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
                 "height=\"%d\" viewBox=\"0 0 %d %d\" "
                 "stroke-width=\"%d\">\n",
                 width, height, tenths * width, tenths * height, tenths);
    // A line of the cell's own colour closes the seams between cells.
    for (const Path &path : paths)
      std::fprintf(out, "<path fill=\"%s\" stroke=\"%s\" d=\"%s\"/>\n",
                   path.color.c_str(),
                   (outline.empty() ? path.color : outline).c_str(),
                   path.data.c_str());
    std::fprintf(out, "</svg>\n");
    const bool bad = std::ferror(out);
    return std::fclose(out) == 0 && !bad;
  }

private:
  struct Path {
    std::string color, data;
  };
  std::string &pathOf(const std::string &color) {
    for (Path &path : paths)
      if (path.color == color)
        return path.data;
    paths.push_back({color, ""});
    return paths.back().data;
  }

  /// Coordinates in the file are tenths of pixels.
  static constexpr int tenths = 10;
  double scale, lengthY;
  int width, height;
  std::string outline;
  std::vector<Path> paths;
};

} // namespace examples

#endif // OP2_EXAMPLES_COMMON_PICTURE_H

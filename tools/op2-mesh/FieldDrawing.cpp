//===- FieldDrawing.cpp - Values on a mesh as a picture -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values fall into bands between the least and the greatest; the cells of a
// band are one path, which keeps the file small.
//
//===----------------------------------------------------------------------===//

#include "FieldDrawing.h"
#include "Draw/Geometry.h"
#include "Draw/Svg.h"
#include "Topology.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace op2::mesh;

static constexpr char kInk[] = "#222222", kNoNumber[] = "#ff00ff";
static constexpr double kMargin = 16, kTop = 56, kLegend = 64, kBarHeight = 14;
static constexpr int kBands = 24;

/// From dark blue over green to yellow: brightness grows all the way, so that
/// it can be read without colours (the stops are those of Viridis).
static std::string colorOf(int band) {
  static constexpr int stops[][3] = {{68, 1, 84},
                                     {59, 82, 139},
                                     {33, 145, 140},
                                     {94, 201, 98},
                                     {253, 231, 37}};
  constexpr int last = int(std::size(stops)) - 1;
  double at = double(band) / (kBands - 1) * last;
  int low = std::min(int(at), last - 1);
  char text[16];
  int color[3];
  for (int c = 0; c < 3; ++c)
    color[c] = int(std::lround(
        stops[low][c] + (at - low) * (stops[low + 1][c] - stops[low][c])));
  std::snprintf(text, sizeof text, "#%02x%02x%02x", color[0] & 255,
                color[1] & 255, color[2] & 255);
  return text;
}

static std::string textOf(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

namespace {
class FieldDrawing {
public:
  FieldDrawing(Mesh const &mesh, Dat const &dat, int64_t component,
               int64_t width)
      : mesh(mesh), dat(dat), component(component), width(double(width)),
        geometry(mesh, kMargin, kTop, double(width) - 2 * kMargin) {
    computeValues();
  }

  std::string make() {
    Svg svg(width, kTop + geometry.height() + kLegend, title());
    svg.text(kMargin, 24, title(), inkText(15, "font-weight=\"bold\""));
    svg.text(kMargin, 42, subtitle(), inkText(12));
    drawCells(svg);
    drawLegend(svg);
    return svg.finish();
  }

private:
  double valueAt(int64_t element) const {
    auto n = static_cast<std::size_t>(element * dat.dim + component);
    return dat.type == Dat::Type::Real ? dat.reals[n] : double(dat.integers[n]);
  }

  void computeValues() {
    Map const &pcell = mesh.map("pcell", "cells", "nodes", 0);
    for (int64_t cell = 0; cell < pcell.size(); ++cell) {
      double value = 0;
      if (dat.set == "cells") {
        value = valueAt(cell);
      } else {
        int32_t corners = cornersOf(pcell, cell);
        for (int32_t k = 0; k < corners; ++k)
          value += valueAt(pcell.row(cell)[k]) / corners;
      }
      values.push_back(value);
      if (!std::isfinite(value)) {
        ++notFinite;
        continue;
      }
      least = std::min(least, value);
      greatest = std::max(greatest, value);
    }
  }

  int bandOf(double value) const {
    if (greatest <= least)
      return 0;
    double at = (value - least) / (greatest - least);
    return std::clamp(int(at * kBands), 0, kBands - 1);
  }

  void drawCells(Svg &svg) const {
    std::vector<std::string> paths(kBands + 1);
    for (std::size_t n = 0; n < values.size(); ++n) {
      int band = std::isfinite(values[n]) ? bandOf(values[n]) : kBands;
      paths[std::size_t(band)] += geometry.outline("cells", int64_t(n), 0);
    }
    // A line of the cell's own colour closes the seams between cells.
    for (int band = 0; band <= kBands; ++band) {
      std::string color = band < kBands ? colorOf(band) : kNoNumber;
      svg.path(paths[std::size_t(band)], "fill=\"" + color + "\" stroke=\"" +
                                             color + "\" stroke-width=\"0.5\"");
    }
  }

  void drawLegend(Svg &svg) const {
    double top = kTop + geometry.height() + 16;
    double bar = std::min(width - 2 * kMargin, 360.0);
    // One value is one colour.
    int bands = greatest > least ? kBands : 1;
    for (int band = 0; band < bands; ++band)
      svg.rectangle(kMargin + bar * band / bands, top, bar / bands + 0.5,
                    kBarHeight, "fill=\"" + colorOf(band) + "\"");
    double below = top + kBarHeight + 14;
    if (values.empty() || greatest < least)
      return;
    svg.text(kMargin, below, textOf(least), inkText(12));
    if (bands == 1)
      return;
    svg.text(kMargin + bar / 2, below, textOf((least + greatest) / 2),
             inkText(12, "text-anchor=\"middle\""));
    svg.text(kMargin + bar, below, textOf(greatest),
             inkText(12, "text-anchor=\"end\""));
  }

  std::string title() const {
    return dat.name +
           (dat.dim > 1 ? ", component " + std::to_string(component) : "");
  }
  std::string subtitle() const {
    std::string text = std::to_string(values.size()) + " cells";
    if (dat.set == "nodes")
      text += ", each with the mean of its nodes";
    if (notFinite)
      text += "; " + std::to_string(notFinite) + " are no finite number (pink)";
    return text;
  }
  static std::string inkText(int size, std::string const &more = "") {
    return "font-size=\"" + std::to_string(size) + "\" fill=\"" + kInk + "\"" +
           (more.empty() ? "" : " " + more);
  }

  Mesh const &mesh;
  Dat const &dat;
  int64_t component;
  double width;
  Geometry geometry;
  std::vector<double> values; ///< [cells]
  double least = HUGE_VAL, greatest = -HUGE_VAL;
  int64_t notFinite = 0;
};
} // namespace

std::string op2::mesh::drawField(Mesh const &mesh, std::string const &name,
                                 int64_t component, int64_t width) {
  Dat const &dat = mesh.dat(name);
  if (dat.set != "cells" && dat.set != "nodes")
    throw Error("--field=" + name + ": is on set '" + dat.set +
                "'; expected a dat on cells or nodes");
  if (component >= dat.dim)
    throw Error("--component=" + std::to_string(component) + ": dat '" + name +
                "' has " + std::to_string(dat.dim) + "; expected 0 ... " +
                std::to_string(dat.dim - 1));
  return FieldDrawing(mesh, dat, component, width).make();
}

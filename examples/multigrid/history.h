//===- history.h - Residuals over cycles as an SVG picture ------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_EXAMPLES_MULTIGRID_HISTORY_H
#define OP2_EXAMPLES_MULTIGRID_HISTORY_H

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace multigrid {

struct Curve {
  std::string label;
  std::vector<double> residuals; ///< from 1 at cycle 0
};

/// A curve for each hierarchy; ten decades down, a tick for each. False if the
/// file cannot be written; errno says why.
inline bool drawHistory(const std::vector<Curve> &curves,
                        const std::string &file) {
  FILE *out = std::fopen(file.c_str(), "w");
  if (!out)
    return false;
  const char *colors[] = {"#1b9e77", "#d95f02", "#7570b3", "#e7298a",
                          "#66a61e", "#e6ab02", "#a6761d", "#666666"};
  size_t cycles = 1;
  for (const Curve &curve : curves)
    cycles = std::max(cycles, curve.residuals.size() - 1);
  const double left = 60, top = 15, perDecade = 24;
  const double perCycle = 380 / double(cycles);
  std::fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"560\" "
                    "height=\"300\" font-family=\"sans-serif\" "
                    "font-size=\"12\">\n<rect width=\"560\" height=\"300\" "
                    "fill=\"white\"/>\n");
  for (int decade = 0; decade <= 10; decade += 2)
    std::fprintf(out,
                 "<path stroke=\"#ccc\" d=\"M%g %gh380\"/>"
                 "<text x=\"8\" y=\"%g\">1e-%02d</text>\n",
                 left, top + decade * perDecade, top + decade * perDecade + 4,
                 decade);
  std::fprintf(out,
               "<text x=\"%g\" y=\"285\">0</text>"
               "<text x=\"200\" y=\"285\">V-cycles</text>"
               "<text x=\"%g\" y=\"285\">%zu</text>\n",
               left, left + double(cycles) * perCycle - 12, cycles);
  for (size_t c = 0; c < curves.size(); ++c) {
    const char *color = colors[c % 8];
    std::fprintf(out,
                 "<polyline fill=\"none\" stroke-width=\"2\" "
                 "stroke=\"%s\" points=\"",
                 color);
    for (size_t n = 0; n < curves[c].residuals.size(); ++n)
      std::fprintf(out, "%.1f,%.1f ", left + double(n) * perCycle,
                   top - perDecade * std::log10(curves[c].residuals[n]));
    std::fprintf(out, "\"/>\n<text x=\"455\" y=\"%zu\" fill=\"%s\">%s</text>\n",
                 30 + 18 * c, color, curves[c].label.c_str());
  }
  std::fprintf(out, "</svg>\n");
  const bool bad = std::ferror(out);
  return std::fclose(out) == 0 && !bad;
}

} // namespace multigrid

#endif // OP2_EXAMPLES_MULTIGRID_HISTORY_H

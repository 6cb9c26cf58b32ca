//===- residuals.h - Known residuals of Airfoil -----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the residual must be after a number of iterations on meshes that
// airfoil-mesh makes, in double precision. The large meshes with six decimals
// are the field's reference problem and their values come from its reference
// program; the others come from the programs by hand in benchmarks/, which
// reproduce those.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_EXAMPLES_AIRFOIL_RESIDUALS_H
#define OP2_EXAMPLES_AIRFOIL_RESIDUALS_H

#include "grid.h"

#include <cmath>
#include <vector>

namespace airfoil {

/// Accepted relative difference. Orders of summation differ by some 1e-12 in
/// double precision. In single precision rounding itself changes the result.
template <typename Real> constexpr double residualTolerance = 1e-7;
template <> inline constexpr double residualTolerance<float> = 1e-3;

/// Whether all coordinates have at most six decimals.
inline bool hasSixDecimals(const std::vector<double> &coordinates) {
  for (double c : coordinates)
    if (std::fabs(c * 1e6 - std::round(c * 1e6)) > 1e-6)
      return false;
  return true;
}

/// The residual after `iterations` on this mesh, or 0 if it is not known. A
/// mesh is recognised by its sizes and by whether it is exact.
inline double knownResidual(const Grid &grid, int iterations) {
  struct Known {
    int nnode, ncell, nedge, nbedge;
    bool exact;
    int iterations;
    double rms;
  };
  static const Known table[] = {
      // I=400 J=600
      {721801, 720000, 1438600, 2800, false, 50, 6.993284428337e-04},
      {721801, 720000, 1438600, 2800, false, 1000, 1.060114637578e-04},
      {721801, 720000, 1438600, 2800, true, 50, 6.993254886208e-04},
      // I=800 J=1200
      {2883601, 2880000, 5757200, 5600, false, 20, 8.26355416200e-04},
      {2883601, 2880000, 5757200, 5600, false, 200, 3.266591013612e-04},
      // I=20 J=30
      {1891, 1800, 3530, 140, false, 100, 2.074220547521e-04},
  };
  bool exact = !hasSixDecimals(grid.x);
  for (const Known &known : table)
    if (known.nnode == grid.nnode && known.ncell == grid.ncell &&
        known.nedge == grid.nedge && known.nbedge == grid.nbedge &&
        known.exact == exact && known.iterations == iterations)
      return known.rms;
  return 0.0;
}

} // namespace airfoil

#endif // OP2_EXAMPLES_AIRFOIL_RESIDUALS_H

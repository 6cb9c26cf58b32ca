//===- airfoil_ref.h - Shared parts of the hand-written Airfoils *- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Airfoil without OP2, as a programmer would write it who wants it fast: flat
// arrays on huge pages, restrict pointers, constants in registers. The numerics
// are those of examples/airfoil, written a second time, so that each checks the
// other. Here: options, data, the elements' arithmetic and the report.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_BENCHMARKS_AIRFOIL_REF_H
#define OP2_BENCHMARKS_AIRFOIL_REF_H

#include "../examples/airfoil/constants.h"
#include "../examples/airfoil/grid.h"
#include "../examples/airfoil/residuals.h"
#include "reference.h"

#include <cmath>
#include <cstring>
#include <type_traits>

namespace airfoil {

using reference::Array;
using reference::Clocks;

//===----------------------------------------------------------------------===//
// Options and data
//===----------------------------------------------------------------------===//

struct Options {
  std::string mesh = "new_grid.dat";
  int iterations = 50;
  int hugePages = 1;

  /// Adds them to what the program takes.
  void declare(examples::CommandLine &line) {
    line.text("mesh", mesh, "made by airfoil-mesh");
    line.number("iterations", iterations, 1, INT_MAX, "time steps");
    line.number("huge-pages", hugePages, 0, 1, "arrays on huge pages");
  }
};

/// The reference program's constants: single-precision literals, widened.
struct Constants {
  real gam = 1.4f;
  real gm1 = gam - 1.0f;
  real cfl = 0.9f;
  real eps = 0.05f;
  real qinf[4];

  Constants() {
    real mach = 0.4f, p = 1.0f, r = 1.0f;
    real u = std::sqrt(gam * p / r) * mach;
    real e = p / (r * gm1) + 0.5f * u * u;
    qinf[0] = r;
    qinf[1] = r * u;
    qinf[2] = 0.0f;
    qinf[3] = r * e;
  }
};

/// The state of a computation.
struct Airfoil {
  Airfoil(const Grid &grid, bool hugePages)
      : nnode(grid.nnode), ncell(grid.ncell), nedge(grid.nedge),
        nbedge(grid.nbedge), cell(grid.cell, hugePages),
        edge(grid.edge, hugePages), ecell(grid.ecell, hugePages),
        bedge(grid.bedge, hugePages), becell(grid.becell, hugePages),
        bound(grid.bound, hugePages), x(grid.x, hugePages),
        q(size_t(4) * ncell, hugePages), qold(size_t(4) * ncell, hugePages),
        adt(ncell, hugePages), res(size_t(4) * ncell, hugePages) {
    real *q = this->q, *qold = this->qold, *res = this->res;
    real *adt = this->adt;
#pragma omp parallel for schedule(static)
    for (int n = 0; n < ncell; ++n) {
      for (int d = 0; d < 4; ++d) {
        q[4 * size_t(n) + d] = constants.qinf[d];
        qold[4 * size_t(n) + d] = 0.0f;
        res[4 * size_t(n) + d] = 0.0f;
      }
      adt[n] = 0.0f;
    }
  }

  Constants constants;
  int nnode, ncell, nedge, nbedge;
  Array<int> cell, edge, ecell, bedge, becell, bound;
  Array<real> x, q, qold, adt, res;
};

inline Grid loadGrid(const char *program, const std::string &path) {
  Grid grid;
  std::string error;
  if (!readGrid(path, grid, error)) {
    std::fprintf(stderr, "%s: error: %s\n", program, error.c_str());
    std::exit(1);
  }
  return grid;
}

//===----------------------------------------------------------------------===//
// Arithmetic of one element
//===----------------------------------------------------------------------===//

inline real pressure(real gm1, const real *__restrict q, real ri) {
  return gm1 * (q[3] - 0.5f * ri * (q[1] * q[1] + q[2] * q[2]));
}

inline real cellAdt(const Constants &k, const real *__restrict a,
                    const real *__restrict b, const real *__restrict c,
                    const real *__restrict d, const real *__restrict q) {
  const real ri = 1.0f / q[0];
  const real u = ri * q[1], v = ri * q[2];
  const real sound = std::sqrt(k.gam * ri * pressure(k.gm1, q, ri));
  auto side = [&](const real *from, const real *to) {
    real dx = to[0] - from[0], dy = to[1] - from[1];
    return std::fabs(u * dy - v * dx) + sound * std::sqrt(dx * dx + dy * dy);
  };
  return (side(a, b) + side(b, c) + side(c, d) + side(d, a)) / k.cfl;
}

/// Flux through an edge with (dx, dy) between the states q1 and q2.
inline void edgeFlux(const Constants &k, real dx, real dy, real mu,
                     const real *__restrict q1, const real *__restrict q2,
                     real *__restrict f) {
  const real ri1 = 1.0f / q1[0], ri2 = 1.0f / q2[0];
  const real p1 = pressure(k.gm1, q1, ri1), p2 = pressure(k.gm1, q2, ri2);
  const real vol1 = ri1 * (q1[1] * dy - q1[2] * dx);
  const real vol2 = ri2 * (q2[1] * dy - q2[2] * dx);
  f[0] = 0.5f * (vol1 * q1[0] + vol2 * q2[0]) + mu * (q1[0] - q2[0]);
  f[1] = 0.5f * (vol1 * q1[1] + vol2 * q2[1] + (p1 + p2) * dy) +
         mu * (q1[1] - q2[1]);
  f[2] = 0.5f * (vol1 * q1[2] + vol2 * q2[2] - (p1 + p2) * dx) +
         mu * (q1[2] - q2[2]);
  f[3] =
      0.5f * (vol1 * (q1[3] + p1) + vol2 * (q2[3] + p2)) + mu * (q1[3] - q2[3]);
}

//===----------------------------------------------------------------------===//
// Ranges of elements
//===----------------------------------------------------------------------===//

inline void saveSoln(const real *__restrict q, real *__restrict qold, int begin,
                     int end) {
  std::memcpy(qold + size_t(4) * begin, q + size_t(4) * begin,
              sizeof(real) * 4 * size_t(end - begin));
}

inline void adtCalc(const Constants &constants, const int *__restrict cell,
                    const real *__restrict x, const real *__restrict q,
                    real *__restrict adt, int begin, int end) {
  const Constants k = constants;
  for (int n = begin; n < end; ++n) {
    const int *at = cell + size_t(4) * n;
    adt[n] = cellAdt(k, x + size_t(2) * at[0], x + size_t(2) * at[1],
                     x + size_t(2) * at[2], x + size_t(2) * at[3],
                     q + size_t(4) * n);
  }
}

inline void resCalc(const Constants &constants, const int *__restrict edge,
                    const int *__restrict ecell, const real *__restrict x,
                    const real *__restrict q, const real *__restrict adt,
                    real *__restrict res, int begin, int end) {
  const Constants k = constants;
  for (int n = begin; n < end; ++n) {
    const real *x1 = x + size_t(2) * edge[2 * size_t(n)];
    const real *x2 = x + size_t(2) * edge[2 * size_t(n) + 1];
    const size_t c1 = ecell[2 * size_t(n)], c2 = ecell[2 * size_t(n) + 1];
    real f[4];
    edgeFlux(k, x1[0] - x2[0], x1[1] - x2[1],
             0.5f * (adt[c1] + adt[c2]) * k.eps, q + 4 * c1, q + 4 * c2, f);
    for (int d = 0; d < 4; ++d)
      res[4 * c1 + d] += f[d];
    for (int d = 0; d < 4; ++d)
      res[4 * c2 + d] -= f[d];
  }
}

inline void bresCalc(const Constants &constants, const int *__restrict bedge,
                     const int *__restrict becell, const int *__restrict bound,
                     const real *__restrict x, const real *__restrict q,
                     const real *__restrict adt, real *__restrict res,
                     int begin, int end) {
  const Constants k = constants;
  for (int n = begin; n < end; ++n) {
    const real *x1 = x + size_t(2) * bedge[2 * size_t(n)];
    const real *x2 = x + size_t(2) * bedge[2 * size_t(n) + 1];
    const real dx = x1[0] - x2[0], dy = x1[1] - x2[1];
    const size_t c = becell[n];
    const real *q1 = q + 4 * c;
    if (bound[n] == 1) {
      real p = pressure(k.gm1, q1, 1.0f / q1[0]);
      res[4 * c + 1] += p * dy;
      res[4 * c + 2] -= p * dx;
      continue;
    }
    real f[4];
    edgeFlux(k, dx, dy, adt[c] * k.eps, q1, k.qinf, f);
    for (int d = 0; d < 4; ++d)
      res[4 * c + d] += f[d];
  }
}

/// Returns the range's sum of squared changes.
inline real update(const real *__restrict qold, real *__restrict q,
                   real *__restrict res, const real *__restrict adt, int begin,
                   int end) {
  // One sum per component: four short dependence chains instead of a long one.
  real sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (int n = begin; n < end; ++n) {
    const real factor = 1.0f / adt[n];
    for (int d = 0; d < 4; ++d) {
      const size_t at = 4 * size_t(n) + d;
      const real change = factor * res[at];
      q[at] = qold[at] - change;
      res[at] = 0.0f;
      sum[d] += change * change;
    }
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

//===----------------------------------------------------------------------===//
// Report
//===----------------------------------------------------------------------===//

/// Prints what ran and with which result; returns the exit status. `known` is
/// what the residual must be, or 0.
inline int report(const char *program, const Airfoil &state, double known,
                  const Options &options, int threads, double rms,
                  Clocks &clocks) {
  using reference::Result;
  Result result = {"rms", rms, Result::Unknown};
  // Written so that a NaN fails.
  if (known != 0.0)
    result.check = std::fabs(rms - known) <= residualTolerance<real> * known
                       ? Result::Passed
                       : Result::Failed;
  else if (!std::isfinite(rms))
    result.check = Result::Failed;
  return reference::report(program,
                           {{"cells", state.ncell},
                            {"nodes", state.nnode},
                            {"edges", state.nedge},
                            {"boundary_edges", state.nbedge},
                            {"iterations", options.iterations},
                            {"threads", threads},
                            {"huge_pages", options.hugePages},
                            {"bytes_per_number", long(sizeof(real))}},
                           result, clocks);
}

} // namespace airfoil

#endif // OP2_BENCHMARKS_AIRFOIL_REF_H

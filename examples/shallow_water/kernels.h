//===- kernels.h - The loops of the shallow-water example -------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// q is a cell's depth and momentum (h, hu, hv); res is what leaves the cell per
// time: of q, and in res[3] the sum of wave speed times length over its edges.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_EXAMPLES_SHALLOW_WATER_KERNELS_H
#define OP2_EXAMPLES_SHALLOW_WATER_KERNELS_H

#include "flux.h"

// Cells: area, and the bed as the mean of its corners.
inline void geometry(const float **x, const float **bed, float *area,
                     float *cell_bed) {
  *area = 0.5f * ((x[1][0] - x[0][0]) * (x[2][1] - x[0][1]) -
                  (x[2][0] - x[0][0]) * (x[1][1] - x[0][1]));
  *cell_bed = (bed[0][0] + bed[1][0] + bed[2][0]) * (1.0f / 3.0f);
}

// Cells: still water up to `level`, and up to level[1] where x < level[2].
inline void fill(const float **x, const float *bed, const float *level,
                 float *q) {
  const float center = (x[0][0] + x[1][0] + x[2][0]) * (1.0f / 3.0f);
  const float surface = center < level[2] ? level[1] : level[0];
  q[0] = fmaxf(surface - *bed, 0.0f);
  q[1] = q[2] = 0.0f;
}

// Edges: the flux from the first cell to the second. Both see the higher of the
// two beds (Audusse et al., 2004): still water then has equal depths on both
// sides, or none, and stays at rest over any bed.
inline void edge_flux(const float *x1, const float *x2, const float *q1,
                      const float *q2, const float *bed1, const float *bed2,
                      float *res1, float *res2) {
  const float dx = x2[0] - x1[0], dy = x2[1] - x1[1];
  const float length = sqrtf(dx * dx + dy * dy);
  const float nx = dy / length, ny = -dx / length;

  const float bed = fmaxf(*bed1, *bed2);
  const float u1 = velocity(q1[0], q1[1]), v1 = velocity(q1[0], q1[2]);
  const float u2 = velocity(q2[0], q2[1]), v2 = velocity(q2[0], q2[2]);
  const Side a = {fmaxf(q1[0] + *bed1 - bed, 0.0f), u1 * nx + v1 * ny,
                  v1 * nx - u1 * ny};
  const Side b = {fmaxf(q2[0] + *bed2 - bed, 0.0f), u2 * nx + v2 * ny,
                  v2 * nx - u2 * ny};
  const Flux f = hllFlux(a, b);

  // The second cell's own pressure instead of the first's.
  const float across2 =
      f.across - 0.5f * gravity * (b.depth + a.depth) * (b.depth - a.depth);
  res1[0] += length * f.mass;
  res1[1] += length * (f.across * nx - f.along * ny);
  res1[2] += length * (f.across * ny + f.along * nx);
  res1[3] += length * f.speed;
  res2[0] -= length * f.mass;
  res2[1] -= length * (across2 * nx - f.along * ny);
  res2[2] -= length * (across2 * ny + f.along * nx);
  res2[3] += length * f.speed;
}

// Boundary edges are walls: behind them the same water moves the other way.
inline void wall_flux(const float *x1, const float *x2, const float *q,
                      float *res) {
  const float dx = x2[0] - x1[0], dy = x2[1] - x1[1];
  const float length = sqrtf(dx * dx + dy * dy);
  const float nx = dy / length, ny = -dx / length;
  const float u = velocity(q[0], q[1]), v = velocity(q[0], q[2]);
  const Side inside = {q[0], u * nx + v * ny, 0.0f};
  const Side outside = {q[0], -inside.across, 0.0f};
  const Flux f = hllFlux(inside, outside);
  res[1] += length * f.across * nx;
  res[2] += length * f.across * ny;
  res[3] += length * f.speed;
}

// Cells: the largest time step for which no more water leaves than there is.
inline void time_limit(const float *area, const float *res, float *dt) {
  if (res[3] > 0.0f)
    *dt = fminf(*dt, *area / res[3]);
}

// Cells: the step.
inline void advance(const float *area, const float *dt, float *res, float *q,
                    float *lowest) {
  const float factor = *dt / *area;
  for (int k = 0; k < 3; ++k)
    q[k] -= factor * res[k];
  if (q[0] <= dryDepth)
    q[1] = q[2] = 0.0f;
  for (int k = 0; k < 4; ++k)
    res[k] = 0.0f;
  *lowest = fminf(*lowest, q[0]);
}

// Cells: volume and kinetic energy, in double; how many are wet, the largest
// speed, and how far the surface is from `level`.
inline void measure(const float *area, const float *bed, const float *q,
                    const float *level, double *sums, int *wet, float *speed,
                    float *deviation) {
  sums[0] += double(*area) * q[0];
  if (q[0] <= dryDepth)
    return;
  const float u = q[1] / q[0], v = q[2] / q[0];
  const float squared = u * u + v * v;
  sums[1] += 0.5 * double(*area) * q[0] * squared;
  *wet += 1;
  *speed = fmaxf(*speed, sqrtf(squared));
  *deviation = fmaxf(*deviation, fabsf(q[0] + *bed - *level));
}

#endif // OP2_EXAMPLES_SHALLOW_WATER_KERNELS_H

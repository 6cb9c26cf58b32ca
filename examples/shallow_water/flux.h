//===- flux.h - The flux between two states of the water --------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Harten, Lax and van Leer's flux with Einfeldt's choice of wave speeds.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_EXAMPLES_SHALLOW_WATER_FLUX_H
#define OP2_EXAMPLES_SHALLOW_WATER_FLUX_H

#include <math.h>

// Water that is shallower, in m, does not move.
constexpr float dryDepth = 1e-4f;

/// Water on one side of an edge: its depth, and its velocity across (towards
/// the second side) and along the edge.
struct Side {
  float depth, across, along;
};

/// What crosses the edge per length and time. The pressure of the first side is
/// left out: at rest nothing remains, without any rounding.
struct Flux {
  float mass, across, along;
  float speed; // of the fastest wave
};

inline float velocity(float depth, float momentum) {
  return depth > dryDepth ? momentum / depth : 0.0f;
}

inline Flux hllFlux(const Side &a, const Side &b) {
  if (a.depth <= 0.0f && b.depth <= 0.0f)
    return {0.0f, 0.0f, 0.0f, 0.0f};
  const float ca = sqrtf(gravity * a.depth), cb = sqrtf(gravity * b.depth);
  // Into dry land water runs at twice the speed of waves.
  float slow = fminf(a.across - ca, b.across - cb);
  float fast = fmaxf(a.across + ca, b.across + cb);
  if (a.depth <= 0.0f)
    slow = b.across - 2.0f * cb;
  if (b.depth <= 0.0f)
    fast = a.across + 2.0f * ca;
  slow = fminf(slow, 0.0f);
  fast = fmaxf(fast, 0.0f);

  const float massA = a.depth * a.across, massB = b.depth * b.across;
  const float pressure = // of b over a
      0.5f * gravity * (b.depth + a.depth) * (b.depth - a.depth);
  const float scale = 1.0f / (fast - slow), both = fast * slow;
  Flux f;
  f.mass = scale * (fast * massA - slow * massB + both * (b.depth - a.depth));
  f.across =
      scale * (fast * massA * a.across - slow * (massB * b.across + pressure) +
               both * (massB - massA));
  f.along = f.mass * (f.mass > 0.0f ? a.along : b.along);
  f.speed = fmaxf(fast, -slow);
  return f;
}

#endif // OP2_EXAMPLES_SHALLOW_WATER_FLUX_H

//===- shallow_water_omp_ref.cpp - The shallow waves by hand ----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// examples/shallow_water without OP2, in single precision as there. The flux
// between two states is the example's function. Edges are a range for each
// thread. Prints JSON lines; exits with 1 if the volume changes.
//
//===----------------------------------------------------------------------===//

#include <cmath>

// What flux.h reads.
static constexpr float gravity = 9.81f;

#include "../examples/shallow_water/flux.h"
#include "../examples/shallow_water/mesh.h"
#include "reference.h"
#include "sharing.h"

#include <limits>

using namespace reference;

namespace {

struct Direction {
  float length, x, y; ///< normal to the edge, towards its second cell
};

inline Direction findDirection(const float *x, const int *edge) {
  const float *x1 = x + 2 * size_t(edge[0]), *x2 = x + 2 * size_t(edge[1]);
  const float dx = x2[0] - x1[0], dy = x2[1] - x1[1];
  const float length = std::sqrt(dx * dx + dy * dy);
  return {length, dy / length, -dx / length};
}

inline Side findSide(const float *q, float depth, const Direction &n) {
  const float u = velocity(q[0], q[1]), v = velocity(q[0], q[2]);
  return {depth, u * n.x + v * n.y, v * n.x - u * n.y};
}

//===----------------------------------------------------------------------===//
// Ranges of elements
//===----------------------------------------------------------------------===//

void geometry(const int *__restrict cell, const float *__restrict x,
              const float *__restrict nodeBed, float *__restrict area,
              float *__restrict bed, int begin, int end) {
  for (int n = begin; n < end; ++n) {
    const int *at = cell + size_t(3) * n;
    const float *a = x + size_t(2) * at[0], *b = x + size_t(2) * at[1],
                *c = x + size_t(2) * at[2];
    area[n] =
        0.5f * ((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]));
    bed[n] = (nodeBed[at[0]] + nodeBed[at[1]] + nodeBed[at[2]]) * (1.0f / 3.0f);
  }
}

void fill(const int *__restrict cell, const float *__restrict x,
          const float *__restrict bed, const float *level, float *__restrict q,
          int begin, int end) {
  const float rest = level[0], raised = level[1], until = level[2];
  for (int n = begin; n < end; ++n) {
    const int *at = cell + size_t(3) * n;
    const float center =
        (x[size_t(2) * at[0]] + x[size_t(2) * at[1]] + x[size_t(2) * at[2]]) *
        (1.0f / 3.0f);
    float *own = q + size_t(3) * n;
    own[0] = std::max((center < until ? raised : rest) - bed[n], 0.0f);
    own[1] = own[2] = 0.0f;
  }
}

void edgeFlux(const int *__restrict edge, const int *__restrict ecell,
              const float *__restrict x, const float *__restrict q,
              const float *__restrict beds, float *__restrict res, int begin,
              int end) {
  for (int e = begin; e < end; ++e) {
    const Direction n = findDirection(x, edge + 2 * size_t(e));
    const size_t c1 = ecell[2 * size_t(e)], c2 = ecell[2 * size_t(e) + 1];
    const float *q1 = q + 3 * c1, *q2 = q + 3 * c2;
    const float bed = std::max(beds[c1], beds[c2]);
    const Side a = findSide(q1, std::max(q1[0] + beds[c1] - bed, 0.0f), n);
    const Side b = findSide(q2, std::max(q2[0] + beds[c2] - bed, 0.0f), n);
    const Flux f = hllFlux(a, b);
    const float across2 =
        f.across - 0.5f * gravity * (b.depth + a.depth) * (b.depth - a.depth);
    float *r1 = res + 4 * c1, *r2 = res + 4 * c2;
    r1[0] += n.length * f.mass;
    r1[1] += n.length * (f.across * n.x - f.along * n.y);
    r1[2] += n.length * (f.across * n.y + f.along * n.x);
    r1[3] += n.length * f.speed;
    r2[0] -= n.length * f.mass;
    r2[1] -= n.length * (across2 * n.x - f.along * n.y);
    r2[2] -= n.length * (across2 * n.y + f.along * n.x);
    r2[3] += n.length * f.speed;
  }
}

void wallFlux(const int *__restrict edge, const int *__restrict ecell,
              const float *__restrict x, const float *__restrict q,
              float *__restrict res, int begin, int end) {
  for (int e = begin; e < end; ++e) {
    const Direction n = findDirection(x, edge + 2 * size_t(e));
    const float *own = q + size_t(3) * ecell[e];
    Side inside = findSide(own, own[0], n);
    inside.along = 0.0f;
    const Flux f = hllFlux(inside, {own[0], -inside.across, 0.0f});
    float *r = res + size_t(4) * ecell[e];
    r[1] += n.length * f.across * n.x;
    r[2] += n.length * f.across * n.y;
    r[3] += n.length * f.speed;
  }
}

float timeLimit(const float *__restrict area, const float *__restrict res,
                int begin, int end) {
  float dt = std::numeric_limits<float>::max();
  for (int n = begin; n < end; ++n)
    if (res[size_t(4) * n + 3] > 0.0f)
      dt = std::min(dt, area[n] / res[size_t(4) * n + 3]);
  return dt;
}

float advance(const float *__restrict area, float dt, float *__restrict res,
              float *__restrict q, int begin, int end) {
  float lowest = std::numeric_limits<float>::max();
  for (int n = begin; n < end; ++n) {
    const float factor = dt / area[n];
    float *own = q + size_t(3) * n, *change = res + size_t(4) * n;
    for (int k = 0; k < 3; ++k)
      own[k] -= factor * change[k];
    if (own[0] <= dryDepth)
      own[1] = own[2] = 0.0f;
    for (int k = 0; k < 4; ++k)
      change[k] = 0.0f;
    lowest = std::min(lowest, own[0]);
  }
  return lowest;
}

struct State {
  double volume = 0, energy = 0;
  int wet = 0;
  float speed = 0, deviation = 0;
};

State measure(const float *__restrict area, const float *__restrict bed,
              const float *__restrict q, float level, int begin, int end) {
  State s;
  for (int n = begin; n < end; ++n) {
    const float *own = q + size_t(3) * n;
    s.volume += double(area[n]) * own[0];
    if (own[0] <= dryDepth)
      continue;
    const float u = own[1] / own[0], v = own[2] / own[0];
    const float squared = u * u + v * v;
    s.energy += 0.5 * double(area[n]) * own[0] * squared;
    s.wet += 1;
    s.speed = std::max(s.speed, std::sqrt(squared));
    s.deviation = std::max(s.deviation, std::fabs(own[0] + bed[n] - level));
  }
  return s;
}

//===----------------------------------------------------------------------===//
// The tank
//===----------------------------------------------------------------------===//

class Tank {
public:
  Tank(const shallow_water::Mesh &mesh, bool hugePages)
      : ncell(mesh.ncell), nedge(mesh.nedge), nbedge(mesh.nbedge),
        cell(mesh.cell, hugePages), edge(mesh.edge, hugePages),
        ecell(mesh.ecell, hugePages), bedge(mesh.bedge, hugePages),
        becell(mesh.becell, hugePages), x(mesh.x, hugePages),
        nodeBed(mesh.bed, hugePages), bed(ncell, 0.0f, hugePages),
        area(ncell, 0.0f, hugePages), q(size_t(3) * ncell, 0.0f, hugePages),
        res(size_t(4) * ncell, 0.0f, hugePages), edges(ecell, 2, nedge, ncell),
        bedges(becell, 1, nbedge, ncell) {}

  void setUp(const float *level) {
    share("geometry", ncell,
          [&](int a, int b) { geometry(cell, x, nodeBed, area, bed, a, b); });
    share("fill", ncell,
          [&](int a, int b) { fill(cell, x, bed, level, q, a, b); });
  }

  float step(float longest, float &lowest) {
    clocks.beginIteration();
    divide("edge_flux", edges,
           [&](int a, int b) { edgeFlux(edge, ecell, x, q, bed, res, a, b); });
    divide("wall_flux", bedges,
           [&](int a, int b) { wallFlux(bedge, becell, x, q, res, a, b); });
    const float limit = least(
        "time_limit", [&](int a, int b) { return timeLimit(area, res, a, b); });
    const float dt = std::min(0.9f * limit, longest);
    const float low = least("advance", [&](int a, int b) {
      return advance(area, dt, res, q, a, b);
    });
    lowest = std::min(lowest, low);
    clocks.endIteration();
    return dt;
  }

  State measureState(float level) {
    double volume = 0, energy = 0;
    int wet = 0;
    float speed = 0, deviation = 0;
    clocks.measure("measure", [&] {
#pragma omp parallel reduction(+ : volume, energy, wet)                        \
    reduction(max : speed, deviation)
      forShare(ncell, [&](int a, int b) {
        const State s = measure(area, bed, q, level, a, b);
        volume += s.volume;
        energy += s.energy;
        wet += s.wet;
        speed = std::max(speed, s.speed);
        deviation = std::max(deviation, s.deviation);
      });
    });
    return {volume, energy, wet, speed, deviation};
  }

  Clocks clocks;
  const int ncell, nedge, nbedge;

private:
  template <typename Body> void share(const char *loop, int count, Body body) {
    clocks.measure(loop, [&] {
#pragma omp parallel
      forShare(count, body);
    });
  }
  template <typename Body>
  void divide(const char *loop, const ThreadRanges &ranges, Body body) {
    clocks.measure(loop, [&] {
#pragma omp parallel
      ranges.forEach(body);
    });
  }
  template <typename Body> float least(const char *loop, Body body) {
    float result = std::numeric_limits<float>::max();
    clocks.measure(loop, [&] {
#pragma omp parallel reduction(min : result)
      forShare(ncell,
               [&](int a, int b) { result = std::min(result, body(a, b)); });
    });
    return result;
  }

  Array<int> cell, edge, ecell, bedge, becell;
  Array<float> x, nodeBed, bed, area, q, res;
  ThreadRanges edges, bedges;
};

} // namespace

int main(int argc, char **argv) {
  std::string file = "tank.msh";
  int steps = 50, hugePages = 1;
  examples::CommandLine line("shallow_water_omp_ref",
                             "Shallow waves by hand, OpenMP.");
  line.text("mesh", file, "made by shallow-water-mesh");
  line.number("steps", steps, 1, INT_MAX, "time steps");
  line.number("huge-pages", hugePages, 0, 1, "arrays on huge pages");
  line.parse(argc, argv);

  shallow_water::Mesh mesh;
  try {
    mesh = shallow_water::makeMesh(shallow_water::GmshReader(file).read());
  } catch (const std::exception &error) {
    line.fail(error.what());
  }
  Tank tank(mesh, hugePages);
  const float level[3] = {0.32f, 0.52f, 3.0f}, rest = 0.32f;
  tank.setUp(level);
  const State first = tank.measureState(rest);
  float lowest = std::numeric_limits<float>::max();
  // The example's steps end at full seconds, too.
  int second = 1;
  double time = 0;
  for (int step = 0; step < steps; ++step) {
    if (time >= second)
      time = second++;
    time += tank.step(float(second - time), lowest);
  }
  const State last = tank.measureState(rest);
  // Written so that a NaN fails.
  const bool good =
      std::fabs(last.volume / first.volume - 1) <= 1e-6 && lowest >= 0;
  return report("shallow_water_omp_ref",
                {{"cells", tank.ncell},
                 {"edges", tank.nedge},
                 {"boundary_edges", tank.nbedge},
                 {"steps", steps},
                 {"threads", omp_get_max_threads()},
                 {"huge_pages", hugePages}},
                {"energy", last.energy, good ? Result::Passed : Result::Failed},
                tank.clocks);
}

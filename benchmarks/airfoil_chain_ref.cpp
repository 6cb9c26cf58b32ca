//===- airfoil_chain_ref.cpp - Airfoil by hand, loops in chains -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The prototype of docs/design/sparse-tiling.md: a whole time step goes through
// the mesh in one sweep, step by step, so that data are still in the cache when
// the next loop wants them. One thread sweeps upwards, the other one downwards,
// not more; what is between them in the end is done by one. Or, with --step=0,
// the same code loop after loop, with a range for each thread and loops over
// cells fused, as op2c++ makes it. Double precision, groups of eight elements.
// Prints JSON lines; exits with 1 if the residual is not the known one.
//
//===----------------------------------------------------------------------===//

#include "airfoil_ref.h"
#include "sharing.h"

#include <numeric>
#include <optional>

using namespace airfoil;
using namespace reference;

namespace {

//===----------------------------------------------------------------------===//
// Groups of eight elements
//===----------------------------------------------------------------------===//

constexpr int lanes = 8;
typedef double Row2 __attribute__((vector_size(16), aligned(8)));
typedef double Row4 __attribute__((vector_size(32), aligned(8)));
typedef double Wide __attribute__((vector_size(64), aligned(8)));

Wide root(Wide a) { return __builtin_elementwise_sqrt(a); }
Wide magnitude(Wide a) { return __builtin_elementwise_abs(a); }

Wide join(const double *low, const double *high) {
  return __builtin_shufflevector(*reinterpret_cast<const Row4 *>(low),
                                 *reinterpret_cast<const Row4 *>(high), 0, 1, 2,
                                 3, 4, 5, 6, 7);
}

/// Component d of the eight rows of four at data + 4 * at[i].
struct Rows4 {
  template <typename At> Rows4(const double *data, At at) {
    auto row = [&](int lane) { return data + 4 * size_t(at(lane)); };
    Wide a = join(row(0), row(4)), b = join(row(1), row(5));
    Wide c = join(row(2), row(6)), d = join(row(3), row(7));
    Wide ab = __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14);
    Wide cd = __builtin_shufflevector(c, d, 0, 8, 2, 10, 4, 12, 6, 14);
    Wide ab1 = __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
    Wide cd1 = __builtin_shufflevector(c, d, 1, 9, 3, 11, 5, 13, 7, 15);
    v[0] = __builtin_shufflevector(ab, cd, 0, 1, 8, 9, 4, 5, 12, 13);
    v[2] = __builtin_shufflevector(ab, cd, 2, 3, 10, 11, 6, 7, 14, 15);
    v[1] = __builtin_shufflevector(ab1, cd1, 0, 1, 8, 9, 4, 5, 12, 13);
    v[3] = __builtin_shufflevector(ab1, cd1, 2, 3, 10, 11, 6, 7, 14, 15);
  }
  Wide operator[](int d) const { return v[d]; }

private:
  Wide v[4];
};

/// The same for rows of two.
struct Rows2 {
  template <typename At> Rows2(const double *data, At at) {
    auto pair = [&](int lane) {
      return __builtin_shufflevector(load(data, at(lane)),
                                     load(data, at(lane + 1)), 0, 1, 2, 3);
    };
    Wide low =
        __builtin_shufflevector(pair(0), pair(2), 0, 1, 2, 3, 4, 5, 6, 7);
    Wide high =
        __builtin_shufflevector(pair(4), pair(6), 0, 1, 2, 3, 4, 5, 6, 7);
    v[0] = __builtin_shufflevector(low, high, 0, 2, 4, 6, 8, 10, 12, 14);
    v[1] = __builtin_shufflevector(low, high, 1, 3, 5, 7, 9, 11, 13, 15);
  }
  Wide operator[](int d) const { return v[d]; }

private:
  static Row2 load(const double *data, int row) {
    return *reinterpret_cast<const Row2 *>(data + 2 * size_t(row));
  }
  Wide v[2];
};

/// Row `lane` of four components.
void toRows(const Wide *c, Row4 *rows) {
  Wide even = __builtin_shufflevector(c[0], c[1], 0, 8, 2, 10, 4, 12, 6, 14);
  Wide odd = __builtin_shufflevector(c[0], c[1], 1, 9, 3, 11, 5, 13, 7, 15);
  Wide even2 = __builtin_shufflevector(c[2], c[3], 0, 8, 2, 10, 4, 12, 6, 14);
  Wide odd2 = __builtin_shufflevector(c[2], c[3], 1, 9, 3, 11, 5, 13, 7, 15);
  auto put = [&](int lane, Wide both) {
    rows[lane] = __builtin_shufflevector(both, both, 0, 1, 2, 3);
    rows[lane + 4] = __builtin_shufflevector(both, both, 4, 5, 6, 7);
  };
  put(0, __builtin_shufflevector(even, even2, 0, 1, 8, 9, 4, 5, 12, 13));
  put(2, __builtin_shufflevector(even, even2, 2, 3, 10, 11, 6, 7, 14, 15));
  put(1, __builtin_shufflevector(odd, odd2, 0, 1, 8, 9, 4, 5, 12, 13));
  put(3, __builtin_shufflevector(odd, odd2, 2, 3, 10, 11, 6, 7, 14, 15));
}

Wide widePressure(const Constants &k, const Rows4 &q, Wide ri) {
  return k.gm1 * (q[3] - 0.5 * ri * (q[1] * q[1] + q[2] * q[2]));
}

//===----------------------------------------------------------------------===//
// Ranges of elements
//===----------------------------------------------------------------------===//

class Loops {
public:
  explicit Loops(Airfoil &s) : s(s), k(s.constants) {}

  void saveAndAdt(int begin, int end) {
    inStrips(begin, end, [&](int from, int to) {
      saveSoln(s.q, s.qold, from, to);
      adt(from, to);
    });
  }

  double updateAndAdt(int begin, int end) {
    double rms = 0.0;
    inStrips(begin, end, [&](int from, int to) {
      rms += justUpdate(from, to);
      adt(from, to);
    });
    return rms;
  }

  /// Row by row: a row is half a register.
  double justUpdate(int begin, int end) {
    Row4 sum = {};
    for (int n = begin; n < end; ++n) {
      auto &res = row(s.res, n);
      const Row4 change = res / s.adt[n];
      row(s.q, n) = row(s.qold, n) - change;
      res = Row4{};
      sum += change * change;
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }

  void edges(int begin, int end) {
    int n = begin;
    for (; n + lanes <= end; n += lanes)
      eightEdges(n);
    resCalc(k, s.edge, s.ecell, s.x, s.q, s.adt, s.res, n, end);
  }

  void boundaryEdges(int begin, int end) {
    bresCalc(k, s.bedge, s.becell, s.bound, s.x, s.q, s.adt, s.res, begin, end);
  }

private:
  static Row4 &row(double *data, int n) {
    return *reinterpret_cast<Row4 *>(data + 4 * size_t(n));
  }

  /// Strips that stay in the first-level cache.
  template <typename Body> void inStrips(int begin, int end, Body body) {
    constexpr int strip = 64;
    for (int from = begin; from < end; from += strip)
      body(from, std::min(from + strip, end));
  }

  void adt(int begin, int end) {
    int n = begin;
    for (; n + lanes <= end; n += lanes)
      eightAdts(n);
    adtCalc(k, s.cell, s.x, s.q, s.adt, n, end);
  }

  void eightAdts(int n) {
    const int *cell = s.cell + size_t(4) * n;
    auto corner = [&](int c) {
      return Rows2(s.x, [=](int lane) { return cell[4 * lane + c]; });
    };
    const Rows2 corners[4] = {corner(0), corner(1), corner(2), corner(3)};
    const Rows4 q(s.q, [=](int lane) { return n + lane; });
    const Wide ri = 1.0 / q[0], u = ri * q[1], v = ri * q[2];
    const Wide sound = root(k.gam * ri * widePressure(k, q, ri));
    Wide sum = {};
    for (int side = 0; side < 4; ++side) {
      const Rows2 &from = corners[side], &to = corners[(side + 1) % 4];
      Wide dx = to[0] - from[0], dy = to[1] - from[1];
      sum += magnitude(u * dy - v * dx) + sound * root(dx * dx + dy * dy);
    }
    *reinterpret_cast<Wide *>(s.adt + n) = sum / k.cfl;
  }

  void eightEdges(int n) {
    const int *edge = s.edge + size_t(2) * n, *ecell = s.ecell + size_t(2) * n;
    auto end = [](const int *map, int which) {
      return [=](int lane) { return map[2 * lane + which]; };
    };
    const Rows2 x1(s.x, end(edge, 0)), x2(s.x, end(edge, 1));
    const Rows4 q1(s.q, end(ecell, 0)), q2(s.q, end(ecell, 1));
    Wide mu;
    for (int lane = 0; lane < lanes; ++lane)
      mu[lane] = s.adt[ecell[2 * lane]] + s.adt[ecell[2 * lane + 1]];
    mu *= 0.5 * k.eps;
    const Wide dx = x1[0] - x2[0], dy = x1[1] - x2[1];
    const Wide ri1 = 1.0 / q1[0], ri2 = 1.0 / q2[0];
    const Wide p1 = widePressure(k, q1, ri1), p2 = widePressure(k, q2, ri2);
    const Wide vol1 = ri1 * (q1[1] * dy - q1[2] * dx);
    const Wide vol2 = ri2 * (q2[1] * dy - q2[2] * dx);
    const Wide flux[4] = {0.5 * (vol1 * q1[0] + vol2 * q2[0]) +
                              mu * (q1[0] - q2[0]),
                          0.5 * (vol1 * q1[1] + vol2 * q2[1] + (p1 + p2) * dy) +
                              mu * (q1[1] - q2[1]),
                          0.5 * (vol1 * q1[2] + vol2 * q2[2] - (p1 + p2) * dx) +
                              mu * (q1[2] - q2[2]),
                          0.5 * (vol1 * (q1[3] + p1) + vol2 * (q2[3] + p2)) +
                              mu * (q1[3] - q2[3])};
    Row4 rows[lanes];
    toRows(flux, rows);
    for (int lane = 0; lane < lanes; ++lane) {
      row(s.res, ecell[2 * lane]) += rows[lane];
      row(s.res, ecell[2 * lane + 1]) -= rows[lane];
    }
  }

  Airfoil &s;
  const Constants k;
};

//===----------------------------------------------------------------------===//
// The inspector
//===----------------------------------------------------------------------===//

/// How far a sweep has come: ends of the ranges that are done, in the direction
/// of the sweep.
struct Front {
  int cells[3];  ///< saved; updated once; updated twice
  int edges[2];  ///< in the first stage, in the second one
  int bedges[2]; ///< likewise
};

/// Says which elements may run once others have. Ranges only: edges stay in
/// their order, and cells wait until none of the edges ahead reaches them.
class Inspector {
public:
  Inspector(const int *ecell, int nedge, const int *becell, int nbedge,
            int ncell)
      : ncell(ncell), edges(ecell, 2, nedge), bedges(becell, 1, nbedge) {}

  Front first(bool isUp) const {
    const int c = isUp ? 0 : ncell, e = isUp ? 0 : edges.count,
              b = isUp ? 0 : bedges.count;
    return {{c, c, c}, {e, e}, {b, b}};
  }

  /// The front that follows if cells up to `reached` have been saved.
  Front advance(Front front, int reached, bool isUp) const {
    front.cells[0] = reached;
    for (int stage = 0; stage < 2; ++stage) {
      const int known = front.cells[stage];
      front.edges[stage] = edges.advance(front.edges[stage], known, isUp);
      front.bedges[stage] = bedges.advance(front.bedges[stage], known, isUp);
      const int limits[] = {known, edges.limit(front.edges[stage], isUp, ncell),
                            bedges.limit(front.bedges[stage], isUp, ncell)};
      front.cells[stage + 1] = isUp ? *std::min_element(limits, limits + 3)
                                    : *std::max_element(limits, limits + 3);
    }
    return front;
  }

private:
  /// The targets of a set's elements.
  struct Reach {
    Reach(const int *map, int dim, int count)
        : count(count), least(count), most(count), leastAhead(count),
          mostBehind(count) {
      for (int n = 0; n < count; ++n) {
        auto [low, high] = std::minmax_element(map + size_t(dim) * n,
                                               map + size_t(dim) * (n + 1));
        least[n] = *low;
        most[n] = *high;
      }
      std::partial_sum(most.begin(), most.end(), mostBehind.begin(),
                       [](int a, int b) { return std::max(a, b); });
      std::partial_sum(least.rbegin(), least.rend(), leastAhead.rbegin(),
                       [](int a, int b) { return std::min(a, b); });
    }

    /// The first element from `at` on that needs a target not yet `known`.
    int advance(int at, int known, bool isUp) const {
      if (isUp)
        while (at < count && most[at] < known)
          ++at;
      else
        while (at > 0 && least[at - 1] >= known)
          --at;
      return at;
    }

    /// The targets that no element ahead of `at` reaches end here.
    int limit(int at, bool isUp, int targets) const {
      if (isUp)
        return at < count ? leastAhead[at] : targets;
      return at > 0 ? mostBehind[at - 1] + 1 : 0;
    }

    int count;
    std::vector<int> least, most, leastAhead, mostBehind;
  };

  int ncell;
  Reach edges, bedges;
};

/// The fronts of both sweeps, and the step of each that runs up to it.
struct Schedule {
  std::vector<Front> up, down;

  Schedule(const Inspector &inspector, int ncell, int step) {
    for (bool isUp : {true, false}) {
      std::vector<Front> &fronts = isUp ? up : down;
      fronts.push_back(inspector.first(isUp));
      const int end = isUp ? ncell / 2 : ncell - ncell / 2;
      for (int done = 0; done < end;) {
        done = std::min(done + step, end);
        fronts.push_back(
            inspector.advance(fronts.back(), isUp ? done : ncell - done, isUp));
      }
    }
  }
};

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

/// Everything between two fronts; returns the second update's sum.
double runBetween(Loops &loops, const Front &a, const Front &b) {
  auto run = [](int from, int to, auto body) {
    if (from != to)
      body(std::min(from, to), std::max(from, to));
  };
  double rms = 0.0;
  run(a.cells[0], b.cells[0],
      [&](int begin, int end) { loops.saveAndAdt(begin, end); });
  for (int stage = 0; stage < 2; ++stage) {
    run(a.edges[stage], b.edges[stage],
        [&](int begin, int end) { loops.edges(begin, end); });
    run(a.bedges[stage], b.bedges[stage],
        [&](int begin, int end) { loops.boundaryEdges(begin, end); });
    run(a.cells[stage + 1], b.cells[stage + 1], [&](int begin, int end) {
      if (stage == 0)
        loops.updateAndAdt(begin, end);
      else
        rms += loops.justUpdate(begin, end);
    });
  }
  return rms;
}

double runChain(Loops &loops, const Schedule &schedule) {
  double rms = 0.0;
  const int threads = omp_get_max_threads();
#pragma omp parallel for schedule(static) reduction(+ : rms)                   \
    num_threads(std::min(threads, 2))
  for (int sweep = 0; sweep < 2; ++sweep) {
    const std::vector<Front> &fronts = sweep == 0 ? schedule.up : schedule.down;
    for (size_t step = 1; step < fronts.size(); ++step)
      rms += runBetween(loops, fronts[step - 1], fronts[step]);
  }
  return rms + runBetween(loops, schedule.up.back(), schedule.down.back());
}

/// Loop after loop.
template <typename Division>
double runLoops(Loops &loops, int ncell, const Division &edges,
                const Division &bedges) {
  double rms = 0.0;
#pragma omp parallel reduction(+ : rms)
  {
    forShare(ncell, [&](int begin, int end) { loops.saveAndAdt(begin, end); });
#pragma omp barrier
    for (int stage = 0; stage < 2; ++stage) {
      edges.forEach([&](int begin, int end) { loops.edges(begin, end); });
      bedges.forEach(
          [&](int begin, int end) { loops.boundaryEdges(begin, end); });
      forShare(ncell, [&](int begin, int end) {
        if (stage == 0)
          loops.updateAndAdt(begin, end);
        else
          rms += loops.justUpdate(begin, end);
      });
#pragma omp barrier
    }
  }
  return rms;
}

/// Boundary edges in the order of their cells: a sweep meets them on its way.
void sortBoundary(Grid &grid) {
  std::vector<int> order(size_t(grid.nbedge));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return std::make_pair(grid.becell[size_t(a)], a) <
           std::make_pair(grid.becell[size_t(b)], b);
  });
  const Grid old = grid;
  for (size_t n = 0; n < order.size(); ++n) {
    const auto from = size_t(order[n]);
    grid.becell[n] = old.becell[from];
    grid.bound[n] = old.bound[from];
    for (size_t end = 0; end < 2; ++end)
      grid.bedge[2 * n + end] = old.bedge[2 * from + end];
  }
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  int step = 1024;
  examples::CommandLine line("airfoil_chain_ref",
                             "Airfoil by hand, loops in chains.");
  options.declare(line);
  line.number("step", step, 0, INT_MAX, "cells; 0: loop after loop");
  line.parse(argc, argv);
  Grid grid = loadGrid(argv[0], options.mesh);
  const double known = knownResidual(grid, options.iterations);
  sortBoundary(grid);
  Airfoil s(grid, options.hugePages);
  Loops loops(s);
  Clocks clocks;
  double rms = 0.0;
  auto iterate = [&](auto body) {
    for (int iteration = 0; iteration < options.iterations; ++iteration) {
      clocks.beginIteration();
      rms = body();
      clocks.endIteration();
    }
  };
  if (step) {
    std::optional<Schedule> schedule;
    clocks.measure("inspector", [&] {
      const Inspector inspector(s.ecell, s.nedge, s.becell, s.nbedge, s.ncell);
      schedule.emplace(inspector, s.ncell, step);
    });
    iterate([&] { return runChain(loops, *schedule); });
  } else {
    const ThreadRanges edges(s.ecell, 2, s.nedge, s.ncell);
    const ThreadRanges bedges(s.becell, 1, s.nbedge, s.ncell);
    iterate([&] { return runLoops(loops, s.ncell, edges, bedges); });
  }
  return report("airfoil_chain_ref", s, known, options, omp_get_max_threads(),
                std::sqrt(rms / double(s.ncell)), clocks);
}

//===- airfoil_ref.h - Shared parts of the hand-written Airfoils *- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Airfoil without OP2, as a programmer would write it who wants it fast: flat
// arrays on huge pages, restrict pointers, constants in registers. The numerics
// are those of examples/airfoil, written a second time, so that each checks the
// other. Here: options, data, the elements' arithmetic, clocks and the report.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_BENCHMARKS_AIRFOIL_REF_H
#define OP2_BENCHMARKS_AIRFOIL_REF_H

#include "../examples/airfoil/grid.h"
#include "../examples/airfoil/residuals.h"

#include <algorithm>
#include <chrono>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <sys/mman.h>

namespace airfoil {

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

struct Options {
  std::string mesh = "new_grid.dat";
  int iterations = 50;
  int blockSize = 0; ///< 0: the program's default
  bool hugePages = true;
};

inline bool parsePositive(const char *text, int &value) {
  char *end = nullptr;
  errno = 0;
  long parsed = std::strtol(text, &end, 10);
  if (errno || end == text || *end || parsed < 1 || parsed > INT_MAX)
    return false;
  value = int(parsed);
  return true;
}

/// Exits with a message if the command line is wrong.
inline Options parseOptions(int argc, char **argv, bool blocks) {
  Options options;
  for (int n = 1; n < argc; ++n) {
    const char *arg = argv[n];
    auto value = [&](const char *name) -> const char * {
      size_t length = std::strlen(name);
      return std::strncmp(arg, name, length) ? nullptr : arg + length;
    };
    bool good = true;
    if (const char *text = value("--mesh="))
      options.mesh = text;
    else if (const char *text = value("--iterations="))
      good = parsePositive(text, options.iterations);
    else if (const char *text = value("--block-size="))
      good = blocks && parsePositive(text, options.blockSize);
    else if (!std::strcmp(arg, "--no-huge-pages"))
      options.hugePages = false;
    else
      good = false;
    if (good)
      continue;
    std::fprintf(stderr,
                 "%s: error: bad argument '%s'\n"
                 "usage: %s [--mesh=FILE] [--iterations=N]%s "
                 "[--no-huge-pages]\n",
                 argv[0], arg, argv[0], blocks ? " [--block-size=N]" : "");
    std::exit(2);
  }
  return options;
}

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

/// A fixed array that starts on a page, on huge pages if asked for; its
/// elements are first touched by the threads that will work on them.
template <typename T> class Array {
public:
  Array(size_t size, bool hugePages) : count(size) {
    const size_t page = size_t(1) << 21;
    size_t bytes =
        (std::max<size_t>(size, 1) * sizeof(T) + page - 1) & ~(page - 1);
    data = static_cast<T *>(std::aligned_alloc(page, bytes));
    if (!data) {
      std::fprintf(stderr, "error: out of memory (%zu bytes)\n", bytes);
      std::exit(1);
    }
    if (hugePages)
      madvise(data, bytes, MADV_HUGEPAGE); // advice: may be refused
  }
  template <typename Source>
  Array(const std::vector<Source> &source, bool hugePages)
      : Array(source.size(), hugePages) {
#pragma omp parallel for schedule(static)
    for (size_t n = 0; n < count; ++n)
      data[n] = source[n];
  }
  Array(const Array &) = delete;
  ~Array() { std::free(data); }

  operator T *() { return data; }
  size_t size() const { return count; }

private:
  size_t count;
  T *data;
};

/// The reference program's constants: single-precision literals, widened.
struct Constants {
  double gam = 1.4f;
  double gm1 = gam - 1.0f;
  double cfl = 0.9f;
  double eps = 0.05f;
  double qinf[4];

  Constants() {
    double mach = 0.4f, p = 1.0f, r = 1.0f;
    double u = std::sqrt(gam * p / r) * mach;
    double e = p / (r * gm1) + 0.5f * u * u;
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
    double *q = this->q, *qold = this->qold, *res = this->res;
    double *adt = this->adt;
#pragma omp parallel for schedule(static)
    for (int n = 0; n < ncell; ++n) {
      for (int d = 0; d < 4; ++d) {
        q[4 * size_t(n) + d] = constants.qinf[d];
        qold[4 * size_t(n) + d] = 0.0;
        res[4 * size_t(n) + d] = 0.0;
      }
      adt[n] = 0.0;
    }
  }

  Constants constants;
  int nnode, ncell, nedge, nbedge;
  Array<int> cell, edge, ecell, bedge, becell, bound;
  Array<double> x, q, qold, adt, res;
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

inline double pressure(double gm1, const double *__restrict q, double ri) {
  return gm1 * (q[3] - 0.5 * ri * (q[1] * q[1] + q[2] * q[2]));
}

inline double cellAdt(const Constants &k, const double *__restrict a,
                      const double *__restrict b, const double *__restrict c,
                      const double *__restrict d, const double *__restrict q) {
  const double ri = 1.0 / q[0];
  const double u = ri * q[1], v = ri * q[2];
  const double sound = std::sqrt(k.gam * ri * pressure(k.gm1, q, ri));
  auto side = [&](const double *from, const double *to) {
    double dx = to[0] - from[0], dy = to[1] - from[1];
    return std::fabs(u * dy - v * dx) + sound * std::sqrt(dx * dx + dy * dy);
  };
  return (side(a, b) + side(b, c) + side(c, d) + side(d, a)) / k.cfl;
}

/// Flux through an edge with (dx, dy) between the states q1 and q2.
inline void edgeFlux(const Constants &k, double dx, double dy, double mu,
                     const double *__restrict q1, const double *__restrict q2,
                     double *__restrict f) {
  const double ri1 = 1.0 / q1[0], ri2 = 1.0 / q2[0];
  const double p1 = pressure(k.gm1, q1, ri1), p2 = pressure(k.gm1, q2, ri2);
  const double vol1 = ri1 * (q1[1] * dy - q1[2] * dx);
  const double vol2 = ri2 * (q2[1] * dy - q2[2] * dx);
  f[0] = 0.5 * (vol1 * q1[0] + vol2 * q2[0]) + mu * (q1[0] - q2[0]);
  f[1] = 0.5 * (vol1 * q1[1] + vol2 * q2[1] + (p1 + p2) * dy) +
         mu * (q1[1] - q2[1]);
  f[2] = 0.5 * (vol1 * q1[2] + vol2 * q2[2] - (p1 + p2) * dx) +
         mu * (q1[2] - q2[2]);
  f[3] =
      0.5 * (vol1 * (q1[3] + p1) + vol2 * (q2[3] + p2)) + mu * (q1[3] - q2[3]);
}

//===----------------------------------------------------------------------===//
// Ranges of elements
//===----------------------------------------------------------------------===//

inline void saveSoln(const double *__restrict q, double *__restrict qold,
                     int begin, int end) {
  std::memcpy(qold + size_t(4) * begin, q + size_t(4) * begin,
              sizeof(double) * 4 * size_t(end - begin));
}

inline void adtCalc(const Constants &constants, const int *__restrict cell,
                    const double *__restrict x, const double *__restrict q,
                    double *__restrict adt, int begin, int end) {
  const Constants k = constants;
  for (int n = begin; n < end; ++n) {
    const int *at = cell + size_t(4) * n;
    adt[n] = cellAdt(k, x + size_t(2) * at[0], x + size_t(2) * at[1],
                     x + size_t(2) * at[2], x + size_t(2) * at[3],
                     q + size_t(4) * n);
  }
}

inline void resCalc(const Constants &constants, const int *__restrict edge,
                    const int *__restrict ecell, const double *__restrict x,
                    const double *__restrict q, const double *__restrict adt,
                    double *__restrict res, int begin, int end) {
  const Constants k = constants;
  for (int n = begin; n < end; ++n) {
    const double *x1 = x + size_t(2) * edge[2 * size_t(n)];
    const double *x2 = x + size_t(2) * edge[2 * size_t(n) + 1];
    const size_t c1 = ecell[2 * size_t(n)], c2 = ecell[2 * size_t(n) + 1];
    double f[4];
    edgeFlux(k, x1[0] - x2[0], x1[1] - x2[1], 0.5 * (adt[c1] + adt[c2]) * k.eps,
             q + 4 * c1, q + 4 * c2, f);
    for (int d = 0; d < 4; ++d)
      res[4 * c1 + d] += f[d];
    for (int d = 0; d < 4; ++d)
      res[4 * c2 + d] -= f[d];
  }
}

inline void bresCalc(const Constants &constants, const int *__restrict bedge,
                     const int *__restrict becell, const int *__restrict bound,
                     const double *__restrict x, const double *__restrict q,
                     const double *__restrict adt, double *__restrict res,
                     int begin, int end) {
  const Constants k = constants;
  for (int n = begin; n < end; ++n) {
    const double *x1 = x + size_t(2) * bedge[2 * size_t(n)];
    const double *x2 = x + size_t(2) * bedge[2 * size_t(n) + 1];
    const double dx = x1[0] - x2[0], dy = x1[1] - x2[1];
    const size_t c = becell[n];
    const double *q1 = q + 4 * c;
    if (bound[n] == 1) {
      double p = pressure(k.gm1, q1, 1.0 / q1[0]);
      res[4 * c + 1] += p * dy;
      res[4 * c + 2] -= p * dx;
      continue;
    }
    double f[4];
    edgeFlux(k, dx, dy, adt[c] * k.eps, q1, k.qinf, f);
    for (int d = 0; d < 4; ++d)
      res[4 * c + d] += f[d];
  }
}

/// Returns the range's sum of squared changes.
inline double update(const double *__restrict qold, double *__restrict q,
                     double *__restrict res, const double *__restrict adt,
                     int begin, int end) {
  // One sum per component: four short dependence chains instead of a long one.
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  for (int n = begin; n < end; ++n) {
    const double factor = 1.0 / adt[n];
    for (int d = 0; d < 4; ++d) {
      const size_t at = 4 * size_t(n) + d;
      const double change = factor * res[at];
      q[at] = qold[at] - change;
      res[at] = 0.0;
      sum[d] += change * change;
    }
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

//===----------------------------------------------------------------------===//
// Clocks and report
//===----------------------------------------------------------------------===//

enum Loop { SaveSoln, AdtCalc, ResCalc, BresCalc, Update, NumLoops };

/// Collects the time of every call.
class Clocks {
public:
  /// Runs `body` and books its time under `loop`.
  template <typename Body> void measure(Loop loop, Body body) {
    auto start = Clock::now();
    body();
    calls[loop].push_back(milliseconds(start));
  }
  void beginIteration() { iterationStart = Clock::now(); }
  void endIteration() { iterations.push_back(milliseconds(iterationStart)); }

  /// Prints one JSON object a line.
  void print() {
    static const char *const names[] = {"save_soln", "adt_calc", "res_calc",
                                        "bres_calc", "update"};
    for (int loop = 0; loop < NumLoops; ++loop)
      printRecord("loop", names[loop], calls[loop]);
    printRecord("iteration", "all", iterations);
  }

private:
  using Clock = std::chrono::steady_clock;

  static double milliseconds(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start)
        .count();
  }

  static void printRecord(const char *record, const char *name,
                          std::vector<double> &times) {
    if (times.empty())
      return;
    double sum = 0.0;
    for (double time : times)
      sum += time;
    std::sort(times.begin(), times.end());
    size_t half = times.size() / 2;
    double median =
        times.size() % 2 ? times[half] : 0.5 * (times[half - 1] + times[half]);
    std::printf("{\"record\": \"%s\", \"name\": \"%s\", \"calls\": %zu, "
                "\"min_ms\": %.6f, \"median_ms\": %.6f, \"mean_ms\": %.6f}\n",
                record, name, times.size(), times.front(), median,
                sum / double(times.size()));
  }

  std::vector<double> calls[NumLoops], iterations;
  Clock::time_point iterationStart;
};

/// Prints what ran and with which result; returns the exit status. `known` is
/// what the residual must be, or 0.
inline int report(const char *program, const Airfoil &state, double known,
                  const Options &options, int threads, double rms,
                  Clocks &clocks) {
  // Written so that a NaN fails.
  bool good = known == 0.0
                  ? std::isfinite(rms)
                  : std::fabs(rms - known) <= residualTolerance * known;
  std::printf("{\"record\": \"run\", \"program\": \"%s\", \"cells\": %d, "
              "\"nodes\": %d, \"edges\": %d, \"boundary_edges\": %d, "
              "\"iterations\": %d, \"threads\": %d, \"block_size\": %d, "
              "\"huge_pages\": %s, \"rms\": %.12e, \"check\": \"%s\"}\n",
              program, state.ncell, state.nnode, state.nedge, state.nbedge,
              options.iterations, threads, options.blockSize,
              options.hugePages ? "true" : "false", rms,
              !good          ? "failed"
              : known == 0.0 ? "unknown"
                             : "passed");
  clocks.print();
  return good && !std::ferror(stdout) && std::fflush(stdout) == 0 ? 0 : 1;
}

} // namespace airfoil

#endif // OP2_BENCHMARKS_AIRFOIL_REF_H

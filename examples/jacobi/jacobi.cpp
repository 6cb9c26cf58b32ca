//===- jacobi.cpp - Jacobi iteration on a sparse matrix ---------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The smallest OP2 program with an indirect increment. The unknowns u are the
// nodes of an N x N square grid with u = 0 around it; each off-diagonal entry
// of the matrix of Laplace's five-point formula, divided by the diagonal, is an
// edge from its column to its row. One damped Jacobi step is
//
//   u <- u + beta (r + A u - u).
//
// r is made such that the solution is s = 16 x (1-x) y (1-y). The start is s
// plus e, where e = sin(pi x) sin(pi y) is an eigenvector of A with eigenvalue
// cos(pi h), h = 1/(N+1). So after n steps, for any N and n,
//
//   u = s + g^n e,   g = 1 - beta (1 - cos(pi h)),
//
// and the program can check every value it computed.
//
//===----------------------------------------------------------------------===//

#include <cerrno>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "op_seq.h"

#include "kernels.h"

namespace {

struct Options {
  int size = 100;
  int iterations = 50;
};

[[noreturn]] void failUsage(const char *arg) {
  std::fprintf(stderr,
               "jacobi: error: bad argument '%s'\n"
               "usage: jacobi [--size=N] [--iterations=M] [OP_...], "
               "1 <= N <= 10000\n",
               arg);
  std::exit(2);
}

/// If `arg` is "<name><number in 1 ... high>", stores the number.
bool parseOption(const char *arg, const char *name, int high, int &value) {
  const size_t length = std::strlen(name);
  if (std::strncmp(arg, name, length))
    return false;
  char *end = nullptr;
  errno = 0;
  const long parsed = std::strtol(arg + length, &end, 10);
  if (errno || end == arg + length || *end || parsed < 1 || parsed > high)
    failUsage(arg);
  value = int(parsed);
  return true;
}

Options parseOptions(int argc, char **argv) {
  Options options;
  for (int n = 1; n < argc; ++n)
    if (!parseOption(argv[n], "--size=", 10000, options.size) &&
        !parseOption(argv[n], "--iterations=", INT_MAX, options.iterations) &&
        std::strncmp(argv[n], "OP_", 3)) // those are for op_init
      failUsage(argv[n]);
  return options;
}

/// The linear system and what is known of its solution.
struct System {
  int nnode = 0, nedge = 0;
  std::vector<int> edge;        ///< [nedge][2]: row, column
  std::vector<double> A, r;     ///< entries; right-hand side
  std::vector<double> solution; ///< s
  std::vector<double> error;    ///< e
  double eigenvalue = 0.0;      ///< of A, for e
};

System makeSystem(int size) {
  System system;
  system.nnode = size * size;
  const double pi = std::acos(-1.0), h = 1.0 / (size + 1);
  system.eigenvalue = std::cos(pi * h);
  // With x = (i+1) h in (0, 1).
  auto bump = [&](int i) { return 4.0 * (i + 1) * h * (1.0 - (i + 1) * h); };
  auto wave = [&](int i) { return std::sin(pi * (i + 1) * h); };
  for (int j = 0; j < size; ++j)
    for (int i = 0; i < size; ++i) {
      system.solution.push_back(bump(i) * bump(j));
      system.error.push_back(wave(i) * wave(j));
    }

  const int steps[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
  for (int j = 0; j < size; ++j)
    for (int i = 0; i < size; ++i) {
      const int row = j * size + i;
      double right = system.solution[row];
      for (const auto &step : steps) {
        const int ci = i + step[0], cj = j + step[1];
        if (ci < 0 || ci >= size || cj < 0 || cj >= size)
          continue; // the value there is 0
        system.edge.push_back(row);
        system.edge.push_back(cj * size + ci);
        system.A.push_back(0.25);
        right -= 0.25 * system.solution[cj * size + ci];
      }
      system.r.push_back(right);
    }
  system.nedge = int(system.A.size());
  return system;
}

/// Prints and judges one comparison, relative to `scale`.
bool agrees(const char *what, double value, double expected, double scale) {
  // Written so that a NaN does not agree.
  const bool good = std::fabs(value - expected) <= 1e-11 * scale;
  op_printf("%-16s %.15e, expected %.15e%s\n", what, value, expected,
            good ? "" : "  <-- differs");
  return good;
}

} // namespace

int main(int argc, char **argv) {
  const Options options = parseOptions(argc, argv);
  op_init(argc, argv, 2);

  System system = makeSystem(options.size);
  op_printf("%d unknowns, %d off-diagonal entries\n", system.nnode,
            system.nedge);
  std::vector<double> u(system.nnode), du(system.nnode, 0.0);
  for (int n = 0; n < system.nnode; ++n)
    u[n] = system.solution[n] + system.error[n];

  op_set nodes = op_decl_set(system.nnode, "nodes");
  op_set edges = op_decl_set(system.nedge, "edges");
  op_map ppedge = op_decl_map(edges, nodes, 2, system.edge.data(), "ppedge");
  op_dat p_A = op_decl_dat(edges, 1, "double", system.A.data(), "p_A");
  op_dat p_r = op_decl_dat(nodes, 1, "double", system.r.data(), "p_r");
  op_dat p_u = op_decl_dat(nodes, 1, "double", u.data(), "p_u");
  op_dat p_du = op_decl_dat(nodes, 1, "double", du.data(), "p_du");
  op_diagnostic_output();
  op_partition("PTSCOTCH", "KWAY", edges, ppedge, NULL);

  double beta = 0.75, change_sum = 0.0, change_max = 0.0;
  for (int iteration = 0; iteration < options.iterations; ++iteration) {
    op_par_loop(res, "res", edges,
                op_arg_dat(p_A, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_u, 1, ppedge, 1, "double", OP_READ),
                op_arg_dat(p_du, 0, ppedge, 1, "double", OP_INC),
                op_arg_gbl(&beta, 1, "double", OP_READ));

    change_sum = 0.0;
    change_max = 0.0;
    op_par_loop(update, "update", nodes,
                op_arg_dat(p_r, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_du, -1, OP_ID, 1, "double", OP_RW),
                op_arg_dat(p_u, -1, OP_ID, 1, "double", OP_INC),
                op_arg_gbl(&beta, 1, "double", OP_READ),
                op_arg_gbl(&change_sum, 1, "double", OP_INC),
                op_arg_gbl(&change_max, 1, "double", OP_MAX));
  }
  op_fetch_data(p_u, u.data());

  const double factor = 1.0 - beta * (1.0 - system.eigenvalue);
  const double before = std::pow(factor, options.iterations - 1);
  double worst = 0.0, largest = 0.0;
  for (int n = 0; n < system.nnode; ++n) {
    const double expected =
        system.solution[n] + before * factor * system.error[n];
    const double difference = std::fabs(u[n] - expected);
    if (difference > worst || std::isnan(difference)) // a NaN stays
      worst = difference;
    largest = std::fmax(largest, system.error[n]);
  }

  op_timing_output();
  // The last change was (g - 1) g^(n-1) e; the squares of e sum to (N+1)^2/4.
  const double last = (1.0 - factor) * before;
  const double side = options.size + 1.0;
  bool good = agrees("largest error", worst, 0.0, 1.0);
  good &= agrees("largest change", change_max, last * largest, 1.0);
  good &= agrees("norm of change", std::sqrt(change_sum), last * 0.5 * side,
                 0.5 * side);
  op_printf("Results check %s\n", good ? "PASSED" : "FAILED");
  op_exit();
  return good ? 0 : 1;
}

//===- jacobi_omp_ref.cpp - The Jacobi example by hand ----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// examples/jacobi without OP2. Direct loops are left to the compiler's
// vectorizer; edges are a range for each thread. Prints JSON lines; exits with
// 1 if an unknown is not what it must be.
//
//===----------------------------------------------------------------------===//

#include "../examples/jacobi/system.h"
#include "reference.h"
#include "sharing.h"

using namespace reference;

namespace {

void res(const int *__restrict edge, const double *__restrict A,
         const double *__restrict u, double *__restrict du, double beta,
         int begin, int end) {
  for (int n = begin; n < end; ++n)
    du[edge[2 * size_t(n)]] += beta * A[n] * u[edge[2 * size_t(n) + 1]];
}

struct Change {
  double sum, largest;
};

Change update(const double *__restrict r, double *__restrict du,
              double *__restrict u, double beta, int begin, int end) {
  double sum = 0, largest = 0;
  for (int n = begin; n < end; ++n) {
    const double change = du[n] + beta * (r[n] - u[n]);
    u[n] += change;
    du[n] = 0;
    sum += change * change;
    largest = std::max(largest, std::fabs(change));
  }
  return {sum, largest};
}

} // namespace

int main(int argc, char **argv) {
  int size = 100, iterations = 50, hugePages = 1;
  examples::CommandLine line("jacobi_omp_ref", "Jacobi by hand, OpenMP.");
  line.number("size", size, 1, 10000, "N x N unknowns");
  line.number("iterations", iterations, 1, INT_MAX, "steps");
  line.number("huge-pages", hugePages, 0, 1, "arrays on huge pages");
  line.parse(argc, argv);

  const jacobi::System system = jacobi::makeSystem(size);
  Array<int> edge(system.edge, hugePages);
  Array<double> A(system.A, hugePages), r(system.r, hugePages),
      u(system.makeStart(), hugePages), du(system.nnode, 0.0, hugePages);
  const ThreadRanges edges(edge, 2, system.nedge, system.nnode);
  const double beta = 0.75;

  Clocks clocks;
  double sum = 0, largest = 0;
  for (int iteration = 0; iteration < iterations; ++iteration) {
    clocks.beginIteration();
    clocks.measure("res", [&] {
#pragma omp parallel
      edges.forEach(
          [&](int begin, int end) { res(edge, A, u, du, beta, begin, end); });
    });
    clocks.measure("update", [&] {
      sum = largest = 0;
#pragma omp parallel reduction(+ : sum) reduction(max : largest)
      forShare(system.nnode, [&](int begin, int end) {
        const Change change = update(r, du, u, beta, begin, end);
        sum += change.sum;
        largest = std::max(largest, change.largest);
      });
    });
    clocks.endIteration();
  }

  const jacobi::Progress after = system.findProgress(u, beta, iterations);
  const double norm = std::sqrt(sum);
  // Written so that a NaN fails.
  const bool good = after.worst <= 1e-11 &&
                    std::fabs(largest - after.largestChange) <= 1e-11 &&
                    std::fabs(norm - after.changeNorm) <= 1e-11 * size;
  return report("jacobi_omp_ref",
                {{"nodes", system.nnode},
                 {"edges", system.nedge},
                 {"iterations", iterations},
                 {"threads", omp_get_max_threads()},
                 {"huge_pages", hugePages}},
                {"norm", norm, good ? Result::Passed : Result::Failed}, clocks);
}

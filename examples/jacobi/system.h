//===- system.h - The linear system of the Jacobi example -------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Its solution, and what u must be after any number of steps: see jacobi.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_EXAMPLES_JACOBI_SYSTEM_H
#define OP2_EXAMPLES_JACOBI_SYSTEM_H

#include <cmath>
#include <vector>

namespace jacobi {

/// What is known of n steps.
struct Progress {
  double worst;         ///< largest difference of u from what it must be
  double largestChange; ///< what the last step must have changed at most ...
  double changeNorm;    ///< ... and the norm of its changes
};

/// The linear system and what is known of its solution.
struct System {
  int nnode = 0, nedge = 0;
  std::vector<int> edge;        ///< [nedge][2]: row, column
  std::vector<double> A, r;     ///< entries; right-hand side
  std::vector<double> solution; ///< s
  std::vector<double> error;    ///< e
  double eigenvalue = 0.0;      ///< of A, for e

  std::vector<double> makeStart() const {
    std::vector<double> u(nnode);
    for (int n = 0; n < nnode; ++n)
      u[n] = solution[n] + error[n];
    return u;
  }

  Progress findProgress(const double *u, double beta, int steps) const {
    const double factor = 1.0 - beta * (1.0 - eigenvalue);
    const double before = std::pow(factor, steps - 1);
    double worst = 0.0, largest = 0.0;
    for (int n = 0; n < nnode; ++n) {
      const double expected = solution[n] + before * factor * error[n];
      const double difference = std::fabs(u[n] - expected);
      if (difference > worst || std::isnan(difference)) // a NaN stays
        worst = difference;
      largest = std::fmax(largest, error[n]);
    }
    // The last change was (g - 1) g^(n-1) e; the squares of e sum to (N+1)^2/4.
    const double last = (1.0 - factor) * before;
    const double side = std::sqrt(double(nnode)) + 1.0;
    return {worst, last * largest, last * 0.5 * side};
  }
};

inline System makeSystem(int size) {
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

} // namespace jacobi

#endif // OP2_EXAMPLES_JACOBI_SYSTEM_H

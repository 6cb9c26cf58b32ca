//===- operators_omp_ref.cpp - Operators of high order by hand --*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// test/Integration/highorder/operators.cpp without OP2: the same kernels in
// loops over a thread's elements, which Clang may vectorize. Usage:
// operators_omp_ref CELLS STEPS
//
//===----------------------------------------------------------------------===//

#include "../test/Integration/highorder/Inputs/operators.h"
#include "reference.h"
#include "sharing.h"

using namespace reference;

namespace {
template <int dim, int order> class Solver {
  using E = Element<dim, order>;
  static constexpr size_t n = E::n, all = E::sides * E::f;

public:
  explicit Solver(int size)
      : mesh(size), faces(mesh.sides.data(), 2, size, size), u(mesh.u, true),
        r(n * size, 0.0, true), flux(all * size, 0.0, true),
        mean(size_t(size), 0.0, true), metric(mesh.metric, true),
        normal(mesh.normal, true), limited(new bool[size]) {}

  void step() {
    double next = most;
#pragma omp parallel reduction(max : next)
    {
      forShare(mesh.size, [&](int begin, int end) { operators(begin, end); });
#pragma omp barrier
      faces.forEach([&](int begin, int end) { exchange(begin, end); });
#pragma omp single
      for (int b = 0; b < mesh.walls; ++b)
        E::walls(&mesh.kinds[b], u + n * mesh.wall[b],
                 flux + all * mesh.wall[b]);
      forShare(mesh.size,
               [&](int begin, int end) { next = collect(begin, end, next); });
#pragma omp barrier
      forShare(mesh.size, [&](int begin, int end) { finish(begin, end); });
    }
    most = next;
  }

  void print(const char *name, double seconds, int steps) {
    std::copy(u + 0, u + u.size(), mesh.u.begin());
    std::printf("%s %d: %.17g %lx\n  %.4f ms a step\n", name, order, most,
                mesh.hash(mesh.u), seconds / steps * 1e3);
  }

private:
  void operators(int begin, int end) {
    for (size_t c = begin; c < size_t(end); ++c) {
      E::mass(&mesh.kind, &jacobian, u + n * c, r + n * c);
      E::stiffness(&mesh.kind, metric + 2 * c, u + n * c, r + n * c);
    }
  }
  void exchange(int begin, int end) {
    for (size_t e = begin; e < size_t(end); ++e) {
      size_t left = mesh.sides[2 * e], right = mesh.sides[2 * e + 1];
      const double *values[] = {u + n * left, u + n * right};
      double *sums[] = {flux + all * left, flux + all * right};
      E::faces(&mesh.reverse[e], normal + e, values, sums);
    }
  }
  double collect(int begin, int end, double largest) {
    for (size_t c = begin; c < size_t(end); ++c) {
      E::lift(&mesh.kind, flux + all * c, r + n * c);
      E::average(u + n * c, mean + c, &largest);
    }
    return largest;
  }
  void finish(int begin, int end) {
    for (size_t c = begin; c < size_t(end); ++c) {
      const double *means[] = {mean + mesh.sides[2 * c],
                               mean + mesh.sides[2 * c + 1]};
      E::limit(means, mean + c, u + n * c, &limited[c]);
      if (dim == 3 && order == 4)
        E::project(&mesh.kind, u + n * c, r + n * c);
      E::advance(r + n * c, &limited[c], flux + all * c, u + n * c);
    }
  }

  Mesh<dim, order> mesh;
  ThreadRanges faces;
  Array<double> u, r, flux, mean, metric, normal;
  std::unique_ptr<bool[]> limited;
  double jacobian = 0.5, most = 0;
};

template <int dim, int order> void run(const char *name, int size, int steps) {
  Solver<dim, order> solver(size);
  double start = 0;
  for (int step = 0; step < steps; ++step) {
    if (step == 2)
      start = omp_get_wtime();
    solver.step();
  }
  solver.print(name, omp_get_wtime() - start, steps - 2);
}
} // namespace

int main(int argc, char **argv) {
  int size = argc > 1 ? std::atoi(argv[1]) : 0;
  int steps = argc > 2 ? std::atoi(argv[2]) : 0;
  if (size < 61 || steps < 3) {
    std::fprintf(stderr, "usage: operators_omp_ref CELLS STEPS (at least 61 "
                         "cells and 3 steps)\n");
    return 2;
  }
  fillTables();
  run<2, 1>("triangles", size, steps);
  run<2, 2>("triangles", size, steps);
  run<2, 3>("triangles", size, steps);
  run<2, 4>("triangles", size, steps);
  run<3, 1>("tetrahedra", size, steps);
  run<3, 2>("tetrahedra", size, steps);
  run<3, 3>("tetrahedra", size, steps);
  run<3, 4>("tetrahedra", size, steps);
}

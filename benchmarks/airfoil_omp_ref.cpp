//===- airfoil_omp_ref.cpp - Airfoil by hand, OpenMP ------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The yardstick for OP2_TARGET=openmp: loops over cells are divided evenly;
// loops over edges run block by block, where blocks that share a cell have
// different colours and only blocks of one colour run at a time. Or a range of
// edges for each thread, without colours. Prints JSON lines; exits with 1 if
// the residual is not the known one.
//
//===----------------------------------------------------------------------===//

#include "airfoil_ref.h"
#include "sharing.h"

using namespace airfoil;
using namespace reference;

namespace {

struct Times {
  Clocks clocks;
  double rms = 0.0;
};

/// `edges` and `bedges` divide the edges among threads.
template <typename Division>
Times run(Airfoil &s, int iterations, const Division &edges,
          const Division &bedges) {
  const Constants &k = s.constants;
  Times times;
  for (int iteration = 0; iteration < iterations; ++iteration) {
    times.clocks.beginIteration();
    times.clocks.measure("save_soln", [&] {
#pragma omp parallel
      forShare(s.ncell,
               [&](int begin, int end) { saveSoln(s.q, s.qold, begin, end); });
    });
    for (int stage = 0; stage < 2; ++stage) {
      times.clocks.measure("adt_calc", [&] {
#pragma omp parallel
        forShare(s.ncell, [&](int begin, int end) {
          adtCalc(k, s.cell, s.x, s.q, s.adt, begin, end);
        });
      });
      times.clocks.measure("res_calc", [&] {
#pragma omp parallel
        edges.forEach([&](int begin, int end) {
          resCalc(k, s.edge, s.ecell, s.x, s.q, s.adt, s.res, begin, end);
        });
      });
      times.clocks.measure("bres_calc", [&] {
#pragma omp parallel
        bedges.forEach([&](int begin, int end) {
          bresCalc(k, s.bedge, s.becell, s.bound, s.x, s.q, s.adt, s.res, begin,
                   end);
        });
      });
      times.clocks.measure("update", [&] {
        double rms = 0.0;
#pragma omp parallel reduction(+ : rms)
        forShare(s.ncell, [&](int begin, int end) {
          rms += update(s.qold, s.q, s.res, s.adt, begin, end);
        });
        times.rms = rms;
      });
    }
    times.clocks.endIteration();
  }
  return times;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  int blockSize = 4096; // fastest of 256 ... 4096
  examples::CommandLine line("airfoil_omp_ref", "Airfoil by hand, OpenMP.");
  options.declare(line);
  line.number("block-size", blockSize, 0, INT_MAX,
              "edges; 0: a range for each thread, no colours");
  line.parse(argc, argv);
  const Grid grid = loadGrid(argv[0], options.mesh);
  const double known = knownResidual(grid, options.iterations);
  Airfoil s(grid, options.hugePages);

  Times times =
      blockSize ? run(s, options.iterations,
                      BlockColoring(s.ecell, 2, s.nedge, s.ncell, blockSize),
                      BlockColoring(s.becell, 1, s.nbedge, s.ncell, blockSize))
                : run(s, options.iterations,
                      ThreadRanges(s.ecell, 2, s.nedge, s.ncell),
                      ThreadRanges(s.becell, 1, s.nbedge, s.ncell));
  return report("airfoil_omp_ref", s, known, options, omp_get_max_threads(),
                std::sqrt(times.rms / double(s.ncell)), times.clocks);
}

//===- airfoil_seq_ref.cpp - Airfoil by hand, sequential --------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The yardstick for OP2_TARGET=seq: plain loops over plain arrays. Prints JSON
// lines; exits with 1 if the residual is not the known one.
//
//===----------------------------------------------------------------------===//

#include "airfoil_ref.h"

using namespace airfoil;

int main(int argc, char **argv) {
  Options options;
  examples::CommandLine line("airfoil_seq_ref", "Airfoil by hand, sequential.");
  options.declare(line);
  line.parse(argc, argv);
  const Grid grid = loadGrid(argv[0], options.mesh);
  const double known = knownResidual(grid, options.iterations);
  Airfoil s(grid, options.hugePages);
  const Constants &k = s.constants;

  Clocks clocks;
  double rms = 0.0;
  for (int iteration = 0; iteration < options.iterations; ++iteration) {
    clocks.beginIteration();
    clocks.measure("save_soln", [&] { saveSoln(s.q, s.qold, 0, s.ncell); });
    for (int stage = 0; stage < 2; ++stage) {
      clocks.measure("adt_calc",
                     [&] { adtCalc(k, s.cell, s.x, s.q, s.adt, 0, s.ncell); });
      clocks.measure("res_calc", [&] {
        resCalc(k, s.edge, s.ecell, s.x, s.q, s.adt, s.res, 0, s.nedge);
      });
      clocks.measure("bres_calc", [&] {
        bresCalc(k, s.bedge, s.becell, s.bound, s.x, s.q, s.adt, s.res, 0,
                 s.nbedge);
      });
      clocks.measure("update", [&] {
        rms = update(s.qold, s.q, s.res, s.adt, 0, s.ncell);
      });
    }
    clocks.endIteration();
  }
  return report("airfoil_seq_ref", s, known, options, 1,
                std::sqrt(rms / double(s.ncell)), clocks);
}

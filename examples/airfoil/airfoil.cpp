//===- airfoil.cpp - Flow around an aerofoil with OP2 -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The field's reference problem: the Euler equations in two dimensions, finite
// volumes, two-stage explicit time steps towards the steady state. Reads a mesh
// that airfoil-mesh made. See README.md.
//
//===----------------------------------------------------------------------===//

#include "constants.h"
#include "grid.h"
#include "residuals.h"

#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

// Global constants that kernels read; declared to OP2 in declareConstants.
real gam, gm1, cfl, eps, qinf[4];

#include "op_seq.h"

#include "adt_calc.h"
#include "bres_calc.h"
#include "res_calc.h"
#include "save_soln.h"
#include "update.h"

namespace {

struct Options {
  std::string mesh = "new_grid.dat";
  std::string timings; // where to write a CSV table of times; "": nowhere
  std::string save;    // where to write the solution, binary; "": nowhere
  int iterations = 1000;
  int untimed = 1; // of them, before the clock starts: they build plans
};

[[noreturn]] void fail(const std::string &message) {
  std::fprintf(stderr, "airfoil: error: %s\n", message.c_str());
  std::exit(1);
}

[[noreturn]] void failUsage(const char *arg) {
  std::fprintf(stderr,
               "airfoil: error: bad argument '%s'\n"
               "usage: airfoil [--mesh=FILE] [--iterations=N] "
               "[--untimed=N] [--timings=FILE.csv] [--save=FILE] [OP_...]\n",
               arg);
  std::exit(2);
}

/// The text after `name` if `arg` starts with it, else null.
const char *optionValue(const char *arg, const char *name) {
  const size_t length = std::strlen(name);
  return std::strncmp(arg, name, length) ? nullptr : arg + length;
}

int parsePositive(const char *arg, const char *text) {
  char *end = nullptr;
  errno = 0;
  const long value = std::strtol(text, &end, 10);
  if (errno || end == text || *end || value < 1 || value > INT_MAX)
    failUsage(arg);
  return int(value);
}

Options parseOptions(int argc, char **argv) {
  Options options;
  for (int n = 1; n < argc; ++n) {
    if (const char *mesh = optionValue(argv[n], "--mesh="))
      options.mesh = mesh;
    else if (const char *count = optionValue(argv[n], "--iterations="))
      options.iterations = parsePositive(argv[n], count);
    else if (const char *count = optionValue(argv[n], "--untimed="))
      options.untimed = parsePositive(argv[n], count);
    else if (const char *timings = optionValue(argv[n], "--timings="))
      options.timings = timings;
    else if (const char *save = optionValue(argv[n], "--save="))
      options.save = save;
    else if (!optionValue(argv[n], "OP_")) // those are for op_init
      failUsage(argv[n]);
  }
  return options;
}

/// Sets the flow's constants. The field's residuals belong to values that were
/// rounded to single precision first: hence the suffixes.
void declareConstants() {
  gam = 1.4f;
  gm1 = gam - 1.0f;
  cfl = 0.9f;
  eps = 0.05f;

  const real mach = 0.4f;
  const real p = 1.0f;
  const real r = 1.0f;
  const real u = std::sqrt(gam * p / r) * mach;
  const real e = p / (r * gm1) + 0.5f * u * u;
  qinf[0] = r;
  qinf[1] = r * u;
  qinf[2] = 0.0f;
  qinf[3] = r * e;

  op_decl_const(1, REAL_NAME, &gam);
  op_decl_const(1, REAL_NAME, &gm1);
  op_decl_const(1, REAL_NAME, &cfl);
  op_decl_const(1, REAL_NAME, &eps);
  op_decl_const(4, REAL_NAME, qinf);
}

/// The sets, maps and dats of the computation.
struct Problem {
  op_set nodes, edges, bedges, cells;
  op_map pedge, pecell, pbedge, pbecell, pcell;
  op_dat p_bound, p_x, p_q, p_qold, p_adt, p_res;
};

/// Declares everything to OP2, which copies it: `grid` may go afterwards.
Problem declareProblem(airfoil::Grid &grid) {
  Problem s;
  s.nodes = op_decl_set(grid.nnode, "nodes");
  s.edges = op_decl_set(grid.nedge, "edges");
  s.bedges = op_decl_set(grid.nbedge, "bedges");
  s.cells = op_decl_set(grid.ncell, "cells");

  s.pedge = op_decl_map(s.edges, s.nodes, 2, grid.edge.data(), "pedge");
  s.pecell = op_decl_map(s.edges, s.cells, 2, grid.ecell.data(), "pecell");
  s.pbedge = op_decl_map(s.bedges, s.nodes, 2, grid.bedge.data(), "pbedge");
  s.pbecell = op_decl_map(s.bedges, s.cells, 1, grid.becell.data(), "pbecell");
  s.pcell = op_decl_map(s.cells, s.nodes, 4, grid.cell.data(), "pcell");

  std::vector<real> x(grid.x.begin(), grid.x.end());
  std::vector<real> q(size_t(4) * grid.ncell);
  for (size_t n = 0; n < q.size(); ++n)
    q[n] = qinf[n % 4];
  std::vector<real> zero(size_t(4) * grid.ncell, real(0));

  s.p_bound = op_decl_dat(s.bedges, 1, "int", grid.bound.data(), "p_bound");
  s.p_x = op_decl_dat(s.nodes, 2, REAL_NAME, x.data(), "p_x");
  s.p_q = op_decl_dat(s.cells, 4, REAL_NAME, q.data(), "p_q");
  s.p_qold = op_decl_dat(s.cells, 4, REAL_NAME, zero.data(), "p_qold");
  s.p_adt = op_decl_dat(s.cells, 1, REAL_NAME, zero.data(), "p_adt");
  s.p_res = op_decl_dat(s.cells, 4, REAL_NAME, zero.data(), "p_res");
  return s;
}

/// One time step; returns the sum of the squared changes of its second stage.
real timeStep(const Problem &s) {
  op_par_loop(save_soln, "save_soln", s.cells,
              op_arg_dat(s.p_q, -1, OP_ID, 4, REAL_NAME, OP_READ),
              op_arg_dat(s.p_qold, -1, OP_ID, 4, REAL_NAME, OP_WRITE));

  real rms = 0;
  for (int stage = 0; stage < 2; ++stage) {
    op_par_loop(adt_calc, "adt_calc", s.cells,
                op_arg_dat(s.p_x, 0, s.pcell, 2, REAL_NAME, OP_READ),
                op_arg_dat(s.p_x, 1, s.pcell, 2, REAL_NAME, OP_READ),
                op_arg_dat(s.p_x, 2, s.pcell, 2, REAL_NAME, OP_READ),
                op_arg_dat(s.p_x, 3, s.pcell, 2, REAL_NAME, OP_READ),
                op_arg_dat(s.p_q, -1, OP_ID, 4, REAL_NAME, OP_READ),
                op_arg_dat(s.p_adt, -1, OP_ID, 1, REAL_NAME, OP_WRITE));

    op_par_loop(res_calc, "res_calc", s.edges,
                op_arg_dat(s.p_x, 0, s.pedge, 2, REAL_NAME, OP_READ),
                op_arg_dat(s.p_x, 1, s.pedge, 2, REAL_NAME, OP_READ),
                op_arg_dat(s.p_q, 0, s.pecell, 4, REAL_NAME, OP_READ),
                op_arg_dat(s.p_q, 1, s.pecell, 4, REAL_NAME, OP_READ),
                op_arg_dat(s.p_adt, 0, s.pecell, 1, REAL_NAME, OP_READ),
                op_arg_dat(s.p_adt, 1, s.pecell, 1, REAL_NAME, OP_READ),
                op_arg_dat(s.p_res, 0, s.pecell, 4, REAL_NAME, OP_INC),
                op_arg_dat(s.p_res, 1, s.pecell, 4, REAL_NAME, OP_INC));

    op_par_loop(bres_calc, "bres_calc", s.bedges,
                op_arg_dat(s.p_x, 0, s.pbedge, 2, REAL_NAME, OP_READ),
                op_arg_dat(s.p_x, 1, s.pbedge, 2, REAL_NAME, OP_READ),
                op_arg_dat(s.p_q, 0, s.pbecell, 4, REAL_NAME, OP_READ),
                op_arg_dat(s.p_adt, 0, s.pbecell, 1, REAL_NAME, OP_READ),
                op_arg_dat(s.p_res, 0, s.pbecell, 4, REAL_NAME, OP_INC),
                op_arg_dat(s.p_bound, -1, OP_ID, 1, "int", OP_READ));

    rms = 0;
    op_par_loop(update, "update", s.cells,
                op_arg_dat(s.p_qold, -1, OP_ID, 4, REAL_NAME, OP_READ),
                op_arg_dat(s.p_q, -1, OP_ID, 4, REAL_NAME, OP_WRITE),
                op_arg_dat(s.p_res, -1, OP_ID, 4, REAL_NAME, OP_RW),
                op_arg_dat(s.p_adt, -1, OP_ID, 1, REAL_NAME, OP_READ),
                op_arg_gbl(&rms, 1, REAL_NAME, OP_INC));
  }
  return rms;
}

/// Compares with the known residual, if there is one (0: none). Returns false
/// if it differs by more than is accepted.
bool checkResidual(double rms, double known) {
  if (!std::isfinite(rms)) {
    op_printf("Results check FAILED: the residual is not finite\n");
    return false;
  }
  if (known == 0.0) {
    op_printf("No reference residual for this mesh and number of iterations\n");
    return true;
  }
  const double difference = std::fabs(rms - known) / known;
  const bool good = difference <= airfoil::residualTolerance<real>;
  op_printf("Residual %.12e, expected %.12e, relative difference %.1e\n", rms,
            known, difference);
  op_printf("Results check %s\n", good ? "PASSED" : "FAILED");
  return good;
}

double wallTime() {
  double cpu = 0.0, wall = 0.0;
  op_timers(&cpu, &wall);
  return wall;
}

} // namespace

int main(int argc, char **argv) {
  const Options options = parseOptions(argc, argv);
  op_init(argc, argv, 2);

  airfoil::Grid grid;
  std::string error;
  if (!airfoil::readGrid(options.mesh, grid, error))
    fail(error);
  if (grid.ncell == 0)
    fail(options.mesh + ": the mesh has no cells");
  op_printf("Mesh %s: %d nodes, %d cells, %d edges, %d boundary edges\n",
            options.mesh.c_str(), grid.nnode, grid.ncell, grid.nedge,
            grid.nbedge);
  const double known = airfoil::knownResidual(grid, options.iterations);
  const int ncell = grid.ncell;

  declareConstants();
  const Problem problem = declareProblem(grid);
  grid = airfoil::Grid();
  op_diagnostic_output();
  op_partition("PTSCOTCH", "KWAY", problem.edges, problem.pecell, problem.p_x);

  const double start = wallTime();
  double timed = start; // when the clock starts
  double rms = 0.0;
  for (int iteration = 1; iteration <= options.iterations; ++iteration) {
    rms = std::sqrt(double(timeStep(problem)) / ncell);
    if (iteration == options.untimed)
      timed = wallTime();
    if (iteration % 100 == 0 || iteration == options.iterations)
      op_printf(" %d  %.12e\n", iteration, rms);
  }
  const double end = wallTime();

  op_timing_output();
  if (!options.timings.empty())
    op_timings_to_csv(options.timings.c_str());
  op_printf("Total time: %.6f s\n", end - start);
  op_printf("First iterations: %.6f ms\n", 1e3 * (timed - start));
  if (options.iterations > options.untimed)
    op_printf("Time per iteration: %.6f ms\n",
              1e3 * (end - timed) / (options.iterations - options.untimed));
  const bool good = checkResidual(rms, known);
  if (!options.save.empty())
    op_print_dat_to_binfile(problem.p_q, options.save.c_str());
  op_exit();
  return good ? 0 : 1;
}

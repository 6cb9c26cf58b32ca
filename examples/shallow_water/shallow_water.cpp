//===- shallow_water.cpp - Waves in a tank with an island -------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shallow-water equations in single precision: finite volumes on triangles,
// explicit steps as long as stability allows, land that falls dry and is
// flooded again. Reads a mesh in Gmsh's format whose third coordinate is the
// bed. See README.md.
//
//===----------------------------------------------------------------------===//

#include "../common/command_line.h"
#include "../common/picture.h"
#include "mesh.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "op_seq.h"

// A constant that kernels read, in m/s^2.
float gravity = 9.81f;

#include "kernels.h"

namespace {

struct Options {
  std::string mesh = "tank.msh", scene = "wave";
  std::string save, picture, timings;
  int seconds = 6;
  int steps = INT_MAX; // at most
};

/// Still water's surface; its surface at x < level[2] before the wave.
const float waveLevel[3] = {0.32f, 0.52f, 3.0f};
const float restLevel[3] = {0.32f, 0.32f, 0.0f};

struct Problem {
  op_set nodes, edges, bedges, cells;
  op_map pcell, pedge, pecell, pbedge, pbecell;
  op_dat p_x, p_node_bed, p_bed, p_area, p_q, p_res;
};

Problem declareProblem(shallow_water::Mesh &mesh) {
  Problem s;
  s.nodes = op_decl_set(mesh.nnode, "nodes");
  s.edges = op_decl_set(mesh.nedge, "edges");
  s.bedges = op_decl_set(mesh.nbedge, "bedges");
  s.cells = op_decl_set(mesh.ncell, "cells");

  s.pcell = op_decl_map(s.cells, s.nodes, 3, mesh.cell.data(), "pcell");
  s.pedge = op_decl_map(s.edges, s.nodes, 2, mesh.edge.data(), "pedge");
  s.pecell = op_decl_map(s.edges, s.cells, 2, mesh.ecell.data(), "pecell");
  s.pbedge = op_decl_map(s.bedges, s.nodes, 2, mesh.bedge.data(), "pbedge");
  s.pbecell = op_decl_map(s.bedges, s.cells, 1, mesh.becell.data(), "pbecell");

  float *zeros = nullptr;
  s.p_x = op_decl_dat(s.nodes, 2, "float", mesh.x.data(), "p_x");
  s.p_node_bed =
      op_decl_dat(s.nodes, 1, "float", mesh.bed.data(), "p_node_bed");
  s.p_bed = op_decl_dat(s.cells, 1, "float", zeros, "p_bed");
  s.p_area = op_decl_dat(s.cells, 1, "float", zeros, "p_area");
  s.p_q = op_decl_dat(s.cells, 3, "float", zeros, "p_q");
  s.p_res = op_decl_dat(s.cells, 4, "float", zeros, "p_res");
  return s;
}

void setUp(const Problem &s, const float *level) {
  op_par_loop(geometry, "geometry", s.cells,
              op_arg_dat(s.p_x, -3, s.pcell, 2, "float", OP_READ),
              op_arg_dat(s.p_node_bed, -3, s.pcell, 1, "float", OP_READ),
              op_arg_dat(s.p_area, -1, OP_ID, 1, "float", OP_WRITE),
              op_arg_dat(s.p_bed, -1, OP_ID, 1, "float", OP_WRITE));
  op_par_loop(fill, "fill", s.cells,
              op_arg_dat(s.p_x, -3, s.pcell, 2, "float", OP_READ),
              op_arg_dat(s.p_bed, -1, OP_ID, 1, "float", OP_READ),
              op_arg_gbl(level, 3, "float", OP_READ),
              op_arg_dat(s.p_q, -1, OP_ID, 3, "float", OP_WRITE));
}

/// One step, of at most `longest` seconds. Returns its length; `lowest` becomes
/// the smallest depth if that is smaller.
float timeStep(const Problem &s, float longest, float &lowest) {
  op_par_loop(edge_flux, "edge_flux", s.edges,
              op_arg_dat(s.p_x, 0, s.pedge, 2, "float", OP_READ),
              op_arg_dat(s.p_x, 1, s.pedge, 2, "float", OP_READ),
              op_arg_dat(s.p_q, 0, s.pecell, 3, "float", OP_READ),
              op_arg_dat(s.p_q, 1, s.pecell, 3, "float", OP_READ),
              op_arg_dat(s.p_bed, 0, s.pecell, 1, "float", OP_READ),
              op_arg_dat(s.p_bed, 1, s.pecell, 1, "float", OP_READ),
              op_arg_dat(s.p_res, 0, s.pecell, 4, "float", OP_INC),
              op_arg_dat(s.p_res, 1, s.pecell, 4, "float", OP_INC));
  op_par_loop(wall_flux, "wall_flux", s.bedges,
              op_arg_dat(s.p_x, 0, s.pbedge, 2, "float", OP_READ),
              op_arg_dat(s.p_x, 1, s.pbedge, 2, "float", OP_READ),
              op_arg_dat(s.p_q, 0, s.pbecell, 3, "float", OP_READ),
              op_arg_dat(s.p_res, 0, s.pbecell, 4, "float", OP_INC));

  float dt = std::numeric_limits<float>::max();
  op_par_loop(time_limit, "time_limit", s.cells,
              op_arg_dat(s.p_area, -1, OP_ID, 1, "float", OP_READ),
              op_arg_dat(s.p_res, -1, OP_ID, 4, "float", OP_READ),
              op_arg_gbl(&dt, 1, "float", OP_MIN));
  const float courant = 0.9f;
  dt = std::min(courant * dt, longest);

  op_par_loop(advance, "advance", s.cells,
              op_arg_dat(s.p_area, -1, OP_ID, 1, "float", OP_READ),
              op_arg_gbl(&dt, 1, "float", OP_READ),
              op_arg_dat(s.p_res, -1, OP_ID, 4, "float", OP_RW),
              op_arg_dat(s.p_q, -1, OP_ID, 3, "float", OP_RW),
              op_arg_gbl(&lowest, 1, "float", OP_MIN));
  return dt;
}

/// What the tank holds at one time.
struct State {
  double sums[2] = {0, 0}; // volume in m^3, kinetic energy / density in m^5/s^2
  int wet = 0;             // cells
  float speed = 0;         // the largest, in m/s
  float deviation = 0;     // of the surface from the level of rest, in m
};

State measureState(const Problem &s) {
  State state;
  op_par_loop(measure, "measure", s.cells,
              op_arg_dat(s.p_area, -1, OP_ID, 1, "float", OP_READ),
              op_arg_dat(s.p_bed, -1, OP_ID, 1, "float", OP_READ),
              op_arg_dat(s.p_q, -1, OP_ID, 3, "float", OP_READ),
              op_arg_gbl(restLevel, 1, "float", OP_READ),
              op_arg_gbl(state.sums, 2, "double", OP_INC),
              op_arg_gbl(&state.wet, 1, "int", OP_INC),
              op_arg_gbl(&state.speed, 1, "float", OP_MAX),
              op_arg_gbl(&state.deviation, 1, "float", OP_MAX));
  return state;
}

void printState(double time, int steps, const State &state) {
  op_printf("%6.2f %7d  %.9e   %.6e %8d %12.5e  %12.5e\n", time, steps,
            state.sums[0], state.sums[1], state.wet, state.speed,
            state.deviation);
}

bool check(bool good, const char *what, double value, const char *expected) {
  op_printf("%-34s %12.5e, expected %s%s\n", what, value, expected,
            good ? "" : "  <-- differs");
  return good;
}

/// The kinetic energy when it was first computed; 0: not stored.
double storedEnergy(int cells, int seconds) {
  struct Stored {
    int cells, seconds;
    double energy;
  };
  static const Stored table[] = {{640, 2, 4.204247}, {5760, 6, 3.766943}};
  for (const Stored &stored : table)
    if (stored.cells == cells && stored.seconds == seconds)
      return stored.energy;
  return 0;
}

bool checkStates(const Options &options, int cells, bool isComplete,
                 const State &first, const State &last, float lowest) {
  const double volume = std::fabs(last.sums[0] / first.sums[0] - 1);
  bool good = check(volume <= 1e-6, "change of volume, relative", volume,
                    "at most 1e-6");
  good &= check(lowest >= 0, "smallest depth", lowest, "no negative depth");
  if (options.scene == "rest") {
    good &= check(last.speed <= 1e-5f, "largest speed", last.speed,
                  "at most 1e-5: rounding");
    good &= check(last.deviation <= 1e-6f, "deviation of the surface",
                  last.deviation, "at most 1e-6: rounding");
  } else if (const double stored =
                 isComplete ? storedEnergy(cells, options.seconds) : 0) {
    const double off = std::fabs(last.sums[1] / stored - 1);
    good &= check(off <= 1e-4, "kinetic energy, off the stored one", off,
                  "at most 1e-4");
  } else {
    op_printf("No energy is stored for this tank and time\n");
  }
  return good;
}

/// Land in brown, water in blue.
bool drawTank(const shallow_water::Mesh &mesh, const Problem &s,
              const std::string &file) {
  std::vector<float> q(size_t(3) * mesh.ncell), bed(mesh.ncell);
  op_fetch_data(s.p_q, q.data());
  op_fetch_data(s.p_bed, bed.data());
  float length[2] = {0, 0};
  for (size_t n = 0; n < mesh.x.size(); ++n)
    length[n % 2] = std::max(length[n % 2], mesh.x[n]);
  examples::Picture picture(length[0], length[1], 500);
  const auto water = examples::Palette::water(),
             land = examples::Palette::land();
  for (int c = 0; c < mesh.ncell; ++c) {
    const float depth = q[size_t(3) * c], surface = depth + bed[c];
    const bool wet = depth > dryDepth;
    const double at = wet ? 0.3 + (surface - restLevel[0]) / 0.2
                          : (bed[c] - restLevel[0]) / 0.3;
    const double step = std::round(at * 32) / 32;
    picture.addCell(mesh.x, &mesh.cell[size_t(3) * c], 3,
                    wet ? water(step) : land(step));
  }
  return picture.write(file);
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  examples::CommandLine line("shallow_water",
                             "Waves in a tank whose bed is a mesh of Gmsh's.");
  line.text("mesh", options.mesh, "Gmsh's format 2.2 or 4.1, as text");
  line.text("scene", options.scene, "wave, or rest: still water");
  line.number("seconds", options.seconds, 1, 3600, "time to simulate");
  line.number("steps", options.steps, 1, INT_MAX, "stop after so many");
  line.text("timings", options.timings, "write the loops' times, as CSV");
  line.text("save", options.save, "write depth and momentum, binary");
  line.text("picture", options.picture, "draw the tank at the end, as SVG");
  line.parse(argc, argv);
  if (options.scene != "wave" && options.scene != "rest")
    line.fail("bad argument '--scene=" + options.scene +
                  "': expected wave or rest",
              2);
  op_init(argc, argv, 2);

  shallow_water::Mesh mesh;
  try {
    mesh =
        shallow_water::makeMesh(shallow_water::GmshReader(options.mesh).read());
  } catch (const std::exception &error) {
    line.fail(error.what());
  }
  op_decl_const(1, "float", &gravity);
  const Problem problem = declareProblem(mesh);
  op_diagnostic_output();
  op_partition("PTSCOTCH", "KWAY", problem.edges, problem.pecell, NULL);

  setUp(problem, options.scene == "wave" ? waveLevel : restLevel);
  const State first = measureState(problem);
  State last = first;
  op_printf("  time   steps  volume            energy        wet cells  "
            "speed         deviation\n");
  printState(0, 0, first);
  float lowest = std::numeric_limits<float>::max();
  int steps = 0;
  double time = 0;
  for (int second = 1; second <= options.seconds && steps < options.steps;
       ++second) {
    for (time = second - 1; time < second && steps < options.steps; ++steps)
      time += timeStep(problem, float(second - time), lowest);
    last = measureState(problem);
    printState(time, steps, last);
  }

  op_timing_output();
  if (!options.timings.empty())
    op_timings_to_csv(options.timings.c_str());
  const bool good = checkStates(options, mesh.ncell, time >= options.seconds,
                                first, last, lowest);
  op_printf("Results check %s\n", good ? "PASSED" : "FAILED");
  if (!options.save.empty())
    op_print_dat_to_binfile(problem.p_q, options.save.c_str());
  if (!options.picture.empty() && !drawTank(mesh, problem, options.picture))
    line.fail("cannot write " + options.picture + ": " + std::strerror(errno));
  op_exit();
  return good ? 0 : 1;
}

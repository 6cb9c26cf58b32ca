//===- Commands.cpp - The commands of op2-mesh -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Draw/Drawing.h"
#include "FieldDrawing.h"
#include "Formats.h"
#include "MeshPlan.h"
#include "Statistics.h"
#include "Topology.h"
#ifdef OP2_MESH_HDF5
#include "Xdmf.h"
#endif

#include <algorithm>
#include <cinttypes>
#include <climits>
#include <cstdio>
#include <filesystem>
#include <map>

using namespace op2::mesh;

static Mesh readWithWarnings(std::string const &path,
                             std::string const &format) {
  Mesh mesh = readMesh(path, format);
  for (std::string const &warning : mesh.warnings)
    std::fprintf(stderr, "op2-mesh: warning: %s\n", warning.c_str());
  return mesh;
}

/// What is made is no mesh, and takes no mesh's place.
static void requireAnother(std::string const &output,
                           std::string const &input) {
  std::error_code error;
  if (std::filesystem::equivalent(output, input, error))
    throw Error(output + " is the mesh itself; expected another file for -o");
}

static Mesh readInput(CommandLine &line, std::string const &path) {
  return readWithWarnings(path, line.option("format", ""));
}

//===----------------------------------------------------------------------===//
// info
//===----------------------------------------------------------------------===//

static void printStatistics(Mesh const &mesh) {
  std::printf("%-10s %12s\n", "set", "elements");
  for (Set const &set : mesh.sets)
    std::printf("%-10s %12" PRId64 "\n", set.name.c_str(), set.size);
  std::printf("\n%-10s %-16s %5s  %21s %9s  %21s  %21s\n", "map", "from -> to",
              "arity", "valence min/mean/max", "unreached", "span mean/max",
              "step mean/max");
  for (Map const &map : mesh.maps) {
    MapStatistics s = statisticsOf(mesh, map);
    char valence[64], span[64], step[64];
    std::snprintf(valence, sizeof valence, "%" PRId64 " / %.2f / %" PRId64,
                  s.valence.least, s.valence.mean, s.valence.greatest);
    std::snprintf(span, sizeof span, "%.1f / %" PRId64, s.span.mean,
                  s.span.greatest);
    std::snprintf(step, sizeof step, "%.1f / %" PRId64, s.step.mean,
                  s.step.greatest);
    std::printf("%-10s %-16s %5d  %21s %9" PRId64 "  %21s  %21s\n",
                map.name.c_str(), (map.from + " -> " + map.to).c_str(),
                map.arity, valence, s.unreached, span, step);
  }
  std::printf("\nvalence: rows that lead to an element; unreached: elements "
              "without any;\nspan: greatest minus least target of a row (the "
              "bandwidth of the numbering);\nstep: from the first target of a "
              "row to that of the next.\n");
}

/// How many elements have each number in p_bound and p_region, and its name.
static void printNumbers(Mesh const &mesh) {
  for (char const *dat : {"p_bound", "p_region"}) {
    Dat const *numbers = mesh.findDat(dat);
    if (!numbers)
      continue;
    std::map<int64_t, int64_t> counts;
    for (int64_t number : numbers->integers)
      ++counts[number];
    std::printf("\n%-10s %12s  name\n", dat, numbers->set.c_str());
    for (auto [number, count] : counts)
      std::printf("%10" PRId64 " %12" PRId64 "  %s\n", number, count,
                  mesh.findName(dat, number).c_str());
  }
}

int op2::mesh::runInfo(CommandLine &line) {
  std::string path = line.argument("a mesh file");
  Mesh mesh = readInput(line, path);
  line.finish();
  printStatistics(mesh);
  printNumbers(mesh);
  std::vector<std::string> faults = findFaults(mesh);
  std::printf("\nchecks: %s\n", faults.empty() ? "nothing found" : "");
  for (std::string const &fault : faults)
    std::printf("  %s\n", fault.c_str());
  return faults.empty() ? 0 : 1;
}

//===----------------------------------------------------------------------===//
// draw
//===----------------------------------------------------------------------===//

static int drawFieldOf(CommandLine &line, std::string const &field,
                       std::string const &output) {
  int64_t component = line.number("component", 0, 0, INT_MAX);
  int64_t width = line.number("width", kDrawingWidth, 200, 20000);
  std::string path = line.argument("a mesh file");
  Mesh mesh = readInput(line, path);
  line.finish();
  requireAnother(output, path);
  writeText(output, drawField(mesh, field, component, width));
  return 0;
}

int op2::mesh::runDraw(CommandLine &line) {
  DrawingOptions options;
  std::string output = line.output(), field = line.option("field", "");
  if (!field.empty())
    return drawFieldOf(line, field, output);
  options.set = line.option("set", options.set);
  options.strategy =
      line.choice("strategy", options.strategy, "two-level|atomics|global");
  options.show =
      line.choice("show", options.show, "blocks|block-colors|element-colors");
  options.blockSize = line.number("block-size", options.blockSize, 1, INT_MAX);
  options.block = line.number("block", options.block, 0, INT_MAX);
  options.width = line.number("width", options.width, 200, 20000);
  std::string path = line.argument("a mesh file");
  Mesh mesh = readInput(line, path);
  line.finish();
  requireAnother(output, path);
  writeText(output, draw(mesh,
                         viewPlan(mesh, options.set, options.strategy,
                                  options.blockSize),
                         options));
  return 0;
}

//===----------------------------------------------------------------------===//
// Meshes from nothing and from others
//===----------------------------------------------------------------------===//

int op2::mesh::runGenerate(CommandLine &line) {
  std::string output = line.output(), format = line.option("format", "");
  std::string kind = line.argument("the kind of mesh, quads or triangles");
  if (kind != "quads" && kind != "triangles")
    throw UsageError("'" + kind + "': expected quads or triangles");
  int64_t nx = line.numericArgument("the number of squares in x", 1, 40000);
  int64_t ny = line.numericArgument("the number of squares in y", 1, 40000);
  line.finish();
  // Triangles have the most edges, three for each square.
  if (nx * ny > INT_MAX / 4)
    throw UsageError("more than " + std::to_string(INT_MAX / 4) + " squares");
  writeMesh(rectangle(nx, ny, kind == "triangles"), output, format);
  return 0;
}

/// Files of Gmsh have cells, whose sides are what is read as edges: one more
/// where a wall lies inside, one less where two sides with nodes of their own
/// lie together; and all others as boundary.
static void warnOfSides(Mesh const &mesh, std::string const &output,
                        std::string const &format) {
  bool hasSides =
      mesh.findSet("edges") || mesh.findSet("bedges") || mesh.isSolid();
  if (!storesOnlyCells(output, format) || !hasSides)
    return;
  Mesh cells;
  cells.sets = {mesh.set("nodes"), mesh.set("cells")};
  cells.maps = {mesh.map("pcell")};
  try {
    mesh.isSolid() ? addFaces(cells) : addEdges(cells);
  } catch (Error const &error) {
    // The file is there; who reads it is told as well.
    std::fprintf(stderr, "op2-mesh: warning: %s: %s\n", output.c_str(),
                 error.what());
    return;
  }
  for (Set const &found : cells.sets)
    if (Set const *set = mesh.findSet(found.name);
        set && set->size != found.size)
      std::fprintf(stderr,
                   "op2-mesh: warning: %s: the mesh has %" PRId64
                   " %s, its cells give %" PRId64
                   ", which is what the file will be read as: the format has "
                   "no others\n",
                   output.c_str(), set->size, set->name.c_str(), found.size);
}

static void writeWithWarnings(Mesh const &mesh, std::string const &output,
                              std::string const &format) {
  writeMesh(mesh, output, format);
  std::string lost = leftOut(mesh, output, format);
  if (!lost.empty())
    std::fprintf(stderr,
                 "op2-mesh: warning: %s: left out, as the format has no place "
                 "for it: %s\n",
                 output.c_str(), lost.c_str());
  warnOfSides(mesh, output, format);
}

int op2::mesh::runShuffle(CommandLine &line) {
  std::string output = line.output();
  int64_t seed = line.number("seed", 1, 0, INT64_MAX);
  std::vector<std::string> names = line.list("sets");
  std::string path = line.argument("a mesh file");
  Mesh mesh = readInput(line, path);
  line.finish();
  for (Dat const &dat : mesh.dats)
    if (dat.mayBeMap)
      throw Error(
          path + ": dataset " + dat.name +
          ": if it is a map, its numbers would have to change; expected "
          "the attributes 'from' and 'to', or 'set' if it is a dat");
  if (names.empty())
    for (Set const &set : mesh.sets)
      names.push_back(set.name);
  auto next = static_cast<uint64_t>(seed);
  for (std::string const &name : names)
    renumber(mesh, name, randomPermutation(mesh.set(name).size, next++));
  writeWithWarnings(mesh, output, "");
  return 0;
}

int op2::mesh::runConvert(CommandLine &line) {
  std::string output = line.output();
  std::string from = line.option("from", ""), to = line.option("to", "");
  std::string path = line.argument("a mesh file");
  line.finish();
  Mesh mesh = readWithWarnings(path, from);
  writeWithWarnings(mesh, output, to);
  return 0;
}

//===----------------------------------------------------------------------===//
// xdmf
//===----------------------------------------------------------------------===//

#ifdef OP2_MESH_HDF5
int op2::mesh::runXdmf(CommandLine &line) {
  XdmfOptions options;
  std::string output = line.output();
  options.cells = line.option("cells", options.cells);
  options.coordinates = line.option("coordinates", options.coordinates);
  options.cellType =
      line.choice("cell-type", options.cellType,
                  "auto|line|triangle|quadrilateral|tetrahedron|hexahedron");
  options.nodeDats = line.list("node-dats");
  options.cellDats = line.list("cell-dats");
  options.mesh = line.argument("an HDF5 file with a mesh");
  while (line.hasArgument())
    options.results.push_back(line.argument("an HDF5 file with dats"));
  line.finish();
  requireAnother(output, options.mesh);
  for (std::string const &result : options.results)
    requireAnother(output, result);
  writeText(output, makeXdmf(options, output));
  return 0;
}
#else
int op2::mesh::runXdmf(CommandLine &) {
  throw Error("this op2-mesh was built without HDF5");
}
#endif

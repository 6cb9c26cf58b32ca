//===- ProgramPlan.cpp - The plan of a running program's loop -------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mesh around the loop, under the names that pictures know: the set of the
// coordinates is "nodes", the loop's set "nodes", "edges" or "cells" by how
// many nodes an element has.
//
//===----------------------------------------------------------------------===//

#include "ProgramPlan.h"
#include "Core/Copies.h"
#include "Core/Error.h"
#include "Core/Job.h"
#include "Core/OutputFile.h"
#include "Core/Progress.h"
#include "Core/Registry.h"
#include "Core/Settings.h"
#include "Core/Types.h"
#include "Drawing.h"
#include "Execute/Loop.h"
#include "Queue/ChainRun.h"
#include "Ranks/RankCall.h"
#include "Ranks/Storage.h"

#include <filesystem>
#include <string>

using namespace op2::rt;
namespace mesh = op2::mesh;

static constexpr char kDrawPlan[] = "OP2_DRAW_PLAN";

namespace {
struct Request {
  std::string loop, coordinates, file;
};
} // namespace

/// Names of loops may have colons; those of files and dats may not.
static Request readRequest(std::string const &text) {
  std::size_t last = text.rfind(':');
  if (last == std::string::npos || last == 0 || last + 1 == text.size())
    fatal(Problem::Setting,
          "%s=%s: expected <loop>:<file> or <loop>:<dat of coordinates>:<file>",
          kDrawPlan, text.c_str());
  Request request = {text.substr(0, last), "", text.substr(last + 1)};
  std::size_t before = request.loop.rfind(':');
  if (before == std::string::npos || before == 0 ||
      request.loop[before - 1] == ':')
    return request;
  request.coordinates = request.loop.substr(before + 1);
  request.loop.resize(before);
  return request;
}

void op2::rt::checkDrawing() {
  if (char const *text = settingText(kDrawPlan))
    requireFolder(kDrawPlan, readRequest(text).file);
}

//===----------------------------------------------------------------------===//
// The mesh
//===----------------------------------------------------------------------===//

/// Elements with rows in maps: on ranks also those of others that a rank runs.
static int32_t elementsOf(op_set set) {
  return hasRanks() ? partOf(set).exec : set->size;
}

/// The map with the most slots from one set to the other.
static op_map findMap(op_set from, op_set to) {
  op_map found = nullptr;
  for (op_map map : registry().maps)
    if (map->from == from && map->to == to && map->dim > 1 && tableOf(map) &&
        (!found || map->dim > found->dim))
      found = map;
  return found;
}

static bool mayBeCoordinates(Dat const &dat, op_set drawn) {
  bool isReal = dat.elementType == OP2RT_F64 || dat.elementType == OP2RT_F32;
  return dat.dim == 2 && isReal &&
         (dat.set == drawn || findMap(drawn, dat.set));
}

static Dat &chooseCoordinates(Request const &request, op_set drawn) {
  Dat *found = nullptr;
  std::string names;
  int count = 0;
  for (Dat *dat : registry().dats) {
    bool fits = mayBeCoordinates(*dat, drawn);
    if (fits &&
        (request.coordinates.empty() || dat->ownName == request.coordinates))
      found = dat;
    count += fits;
    names += fits ? (names.empty() ? "" : ", ") + dat->ownName : "";
  }
  static constexpr char kExpected[] =
      "of 2 components of type double or float, the coordinates, on it or on a "
      "set that a map of two slots or more leads to; there";
  std::string set = std::string("set ") + drawn->name;
  if (count == 0)
    throw mesh::Error(set + ": expected a dat " + kExpected + " is none");
  bool isClear = found && (count == 1 || !request.coordinates.empty());
  if (!isClear)
    throw mesh::Error(set + ": expected one dat " + kExpected +
                      (count == 1 ? " is " : " are ") + names + ": name one, " +
                      request.loop + ":<dat>:" + request.file);
  return *found;
}

static std::vector<double> readCoordinates(Dat &dat) {
  makeHostCurrent(dat);
  if (hasRanks()) {
    if (dat.inArray)
      takeFromProgram(dat);
    std::vector<Exchange> exchanges;
    bringImports({{&dat, /*list=*/0}}, exchanges, kDrawPlan);
  }
  auto count = static_cast<std::size_t>(reachOf(dat.set)) * 2;
  auto const *reals = reinterpret_cast<double const *>(rowData(&dat));
  auto const *singles = reinterpret_cast<float const *>(rowData(&dat));
  return dat.elementType == OP2RT_F64
             ? std::vector<double>(reals, reals + count)
             : std::vector<double>(singles, singles + count);
}

static void addSet(mesh::Mesh &mesh, op_map map) {
  std::string name = map->dim == 2 ? "edges" : "cells";
  if (mesh.findSet(name))
    return;
  int const *table = tableOf(map);
  int32_t size = elementsOf(map->from);
  mesh.sets.push_back({name, size});
  mesh.maps.push_back(
      {name == "edges" ? "pedge" : "pcell", name, "nodes", map->dim,
       std::vector<int32_t>(table, table + int64_t(size) * map->dim)});
}

/// The nodes, the drawn set, and one more that shows where the mesh is.
static mesh::Mesh describe(op_set drawn, Dat &coordinates) {
  mesh::Mesh result;
  result.sets.push_back({"nodes", reachOf(coordinates.set)});
  result.dats.push_back({"p_x", "nodes", 2, readCoordinates(coordinates), {}});
  if (op_map map = findMap(drawn, coordinates.set); drawn != coordinates.set)
    addSet(result, map);
  for (op_map map : registry().maps)
    if (map->to == coordinates.set && map->dim > 2 && tableOf(map))
      addSet(result, map);
  if (result.findSet("cells"))
    return result;
  for (op_map map : registry().maps)
    if (map->to == coordinates.set && map->dim == 2 && tableOf(map))
      addSet(result, map);
  if (result.findSet("edges"))
    result.sets.push_back({"bedges", 0});
  return result;
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

/// A rank that owns nothing has no plan; all take the same call.
static bool hasPlan(LoopCall const &call) {
  return hasRanks() ? call.ranks != nullptr : call.plan != nullptr;
}

static LoopCall const *findCall(std::string const &loop,
                                LoopState const *&state) {
  LoopCall const *found = nullptr;
  for (LoopState *one : allLoopStates())
    for (auto const &call : one->calls)
      if (one->name == loop && hasPlan(*call) &&
          (!found || (!hasRanks() && call->set->size > found->set->size))) {
        found = call.get();
        state = one;
      }
  return found;
}

/// Sets whose elements the loop adds to through a map; the description may be
/// unloaded.
static std::string targetsOf(LoopCall const &call) {
  std::string names, known = ",";
  for (Set const *set : call.targets) {
    std::string name = set->name;
    if (known.find("," + name + ",") != std::string::npos)
      continue;
    known += name + ",";
    names += (names.empty() ? "" : ", ") + name;
  }
  return names;
}

/// What a rank does for its own rows, of `size` elements that it has.
static mesh::PlanView viewOfRank(LoopCall const &call, int64_t size) {
  enum Kind { Own, OwnAgain, Imported, Foreign };
  mesh::PlanView view;
  view.kinds = {"own", "own, run again at the end",
                "of other ranks, run at the end", "of other ranks"};
  view.numBlocks = static_cast<int64_t>(view.kinds.size());
  view.colorOf.resize(view.kinds.size());
  view.blockOf.assign(static_cast<std::size_t>(size), Foreign);
  int32_t own = ownOf(call.set);
  std::fill_n(view.blockOf.begin(), own, Own);
  if (Copies const *copies = call.ranks->copies)
    for (int32_t row : copies->of)
      view.blockOf[row] = row < own ? OwnAgain : Imported;
  return view;
}

static mesh::PlanView viewOfTiles(LoopInTiles const &loop, int64_t size) {
  mesh::PlanView view;
  view.partName = "tile";
  view.numBlocks = static_cast<int64_t>(loop.tiles.size());
  view.numColors = 1;
  view.colorOf.resize(loop.tiles.size());
  view.startParts(size);
  for (std::size_t tile = 0; tile < loop.tiles.size(); ++tile)
    for (ElementRange const &range : loop.tiles[tile])
      view.addToPart(static_cast<int32_t>(tile), range.begin, range.end);
  return view;
}

static mesh::PlanView viewOf(LoopCall const &call, std::string const &set,
                             int64_t size, std::string &title) {
  if (hasRanks()) {
    title += ", rank " + std::to_string(job.rank) + " of " +
             std::to_string(job.size);
    return viewOfRank(call, size);
  }
  LoopInTiles tiles = tilesOf(call);
  if (tiles.tiles.empty())
    return mesh::viewOf(*call.plan, set, size);
  title += ", in tiles of " + std::to_string(tiles.numThreads) + " thread" +
           (tiles.numThreads == 1 ? "" : "s");
  return viewOfTiles(tiles, size);
}

static std::string show(mesh::PlanView const &view) {
  if (view.isGlobal)
    return "element-colors";
  return view.numColors > 1 && !view.isOwned ? "block-colors" : "blocks";
}

/// Each rank has a file: plan.svg becomes plan.0.svg, plan.1.svg.
static std::string fileOf(Request const &request) {
  std::string file = settingPath(request.file);
  if (!hasRanks())
    return file;
  std::filesystem::path path = file;
  return path.replace_extension(std::to_string(job.rank) +
                                path.extension().string());
}

static void drawPlan(Request const &request, LoopState const &state,
                     LoopCall const &call) {
  Dat &coordinates = chooseCoordinates(request, call.set);
  mesh::Mesh around = describe(call.set, coordinates);
  mesh::DrawingOptions options;
  options.set = call.set == coordinates.set                    ? "nodes"
                : findMap(call.set, coordinates.set)->dim == 2 ? "edges"
                                                               : "cells";
  int64_t size = around.set(options.set).size;
  if (size == 0 && hasRanks())
    return;
  options.title = "loop " + state.name + " over " + call.set->ownName + ", " +
                  state.strategy;
  mesh::PlanView view = viewOf(call, options.set, size, options.title);
  view.increments = targetsOf(call);
  options.show = show(view);
  options.width = 1000;
  std::string text = mesh::draw(around, std::move(view), options);
  std::string name = fileOf(request);
  OutputFile file(std::string(kDrawPlan) + ": cannot write " + name,
                  name.c_str(), "w", /*onEachRank=*/true);
  std::fwrite(text.data(), 1, text.size(), file.get());
}

void op2::rt::drawPlanIfAsked() {
  char const *text = settingText(kDrawPlan);
  if (!text)
    return;
  Progress const progress("drawing a plan");
  Request request = readRequest(text);
  LoopState const *state = nullptr;
  if (LoopCall const *call = findCall(request.loop, state)) {
    // Nothing that the program has done is lost for a drawing.
    try {
      drawPlan(request, *state, *call);
    } catch (mesh::Error const &error) {
      if (isRoot())
        warning(Problem::Drawing, "%s: loop %s: %s", kDrawPlan,
                request.loop.c_str(), error.what());
    }
    return;
  }
  if (!isRoot())
    return;
  std::string names;
  for (LoopState *one : allLoopStates())
    for (auto const &call : one->calls)
      if (hasPlan(*call) && names.find(one->name) == std::string::npos)
        names += (names.empty() ? "" : ", ") + one->name;
  warning(Problem::Drawing, "%s: no loop %s has a plan; those that do are: %s",
          kDrawPlan, request.loop.c_str(),
          names.empty() ? "none" : names.c_str());
}

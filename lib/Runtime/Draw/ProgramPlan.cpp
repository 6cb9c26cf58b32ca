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
  char const *text = settingText(kDrawPlan);
  if (!text)
    return;
  readRequest(text);
  if (hasRanks())
    fatal(Problem::NotOnRanks, "%s: not there yet on several ranks", kDrawPlan);
}

//===----------------------------------------------------------------------===//
// The mesh
//===----------------------------------------------------------------------===//

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
  bool isClear = found && (count == 1 || !request.coordinates.empty());
  if (!isClear)
    fatal(Problem::Drawing,
          "%s: set %s: expected one dat of 2 components of type double or "
          "float, the coordinates, on it or on a set that a map of two slots "
          "or more leads to; there %s %s: name one, %s:<dat>:%s",
          kDrawPlan, drawn->name, count == 1 ? "is" : "are",
          count == 0 ? "none" : names.c_str(), request.loop.c_str(),
          request.file.c_str());
  return *found;
}

static std::vector<double> readCoordinates(Dat &dat) {
  makeHostCurrent(dat);
  auto count = static_cast<std::size_t>(dat.set->size) * 2;
  auto const *reals = reinterpret_cast<double const *>(dat.data);
  auto const *singles = reinterpret_cast<float const *>(dat.data);
  return dat.elementType == OP2RT_F64
             ? std::vector<double>(reals, reals + count)
             : std::vector<double>(singles, singles + count);
}

static void addSet(mesh::Mesh &mesh, op_map map) {
  std::string name = map->dim == 2 ? "edges" : "cells";
  if (mesh.findSet(name))
    return;
  int const *table = tableOf(map);
  mesh.sets.push_back({name, map->from->size});
  mesh.maps.push_back(
      {name == "edges" ? "pedge" : "pcell", name, "nodes", map->dim,
       std::vector<int32_t>(table,
                            table + int64_t(map->from->size) * map->dim)});
}

/// The nodes, the drawn set, and one more that shows where the mesh is.
static mesh::Mesh describe(op_set drawn, Dat &coordinates) {
  mesh::Mesh result;
  result.sets.push_back({"nodes", coordinates.set->size});
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

static LoopCall const *findCall(std::string const &loop,
                                LoopState const *&state) {
  LoopCall const *found = nullptr;
  for (LoopState *one : allLoopStates())
    for (auto const &call : one->calls)
      if (one->name == loop && call->plan &&
          (!found || call->set->size > found->set->size)) {
        found = call.get();
        state = one;
      }
  return found;
}

/// Sets whose elements the loop adds to through a map.
static std::string targetsOf(LoopCall const &call) {
  std::string names, known = ",";
  for (int m = 0; m < call.desc->nargs; ++m) {
    if (call.desc->args[m].access != OP2RT_INC || !call.args[m].map)
      continue;
    std::string name = call.args[m].map->to->name;
    if (known.find("," + name + ",") != std::string::npos)
      continue;
    known += name + ",";
    names += (names.empty() ? "" : ", ") + name;
  }
  return names;
}

static std::string show(mesh::PlanView const &view) {
  if (view.isGlobal)
    return "element-colors";
  return view.numColors > 1 && !view.isOwned ? "block-colors" : "blocks";
}

static void drawPlan(Request const &request, LoopState const &state,
                     LoopCall const &call) {
  Dat &coordinates = chooseCoordinates(request, call.set);
  mesh::Mesh around = describe(call.set, coordinates);
  mesh::DrawingOptions options;
  options.set = call.set == coordinates.set                    ? "nodes"
                : findMap(call.set, coordinates.set)->dim == 2 ? "edges"
                                                               : "cells";
  mesh::PlanView view = mesh::viewOf(*call.plan, options.set, ownOf(call.set));
  view.increments = targetsOf(call);
  options.title = "loop " + state.name + " over " + call.set->ownName + ", " +
                  state.strategy;
  options.show = show(view);
  options.width = 1000;
  std::string text;
  try {
    text = mesh::draw(around, std::move(view), options);
  } catch (mesh::Error const &error) {
    fatal(Problem::Drawing, "%s: loop %s: %s", kDrawPlan, state.name.c_str(),
          error.what());
  }
  OutputFile file(std::string(kDrawPlan) + ": cannot write " + request.file,
                  request.file.c_str(), "w");
  std::fwrite(text.data(), 1, text.size(), file.get());
}

void op2::rt::drawPlanIfAsked() {
  char const *text = settingText(kDrawPlan);
  if (!text)
    return;
  Progress const progress("drawing a plan");
  Request request = readRequest(text);
  LoopState const *state = nullptr;
  if (LoopCall const *call = findCall(request.loop, state))
    return drawPlan(request, *state, *call);
  std::string names;
  for (LoopState *one : allLoopStates())
    for (auto const &call : one->calls)
      if (call->plan && names.find(one->name) == std::string::npos)
        names += (names.empty() ? "" : ", ") + one->name;
  warning(Problem::Drawing, "%s: no loop %s has a plan; those that do are: %s",
          kDrawPlan, request.loop.c_str(),
          names.empty() ? "none" : names.c_str());
}

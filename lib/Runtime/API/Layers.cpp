//===- Layers.cpp - Layers on top of the elements of a set ------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop over layers is one over the columns that they are in: rows are whole
// columns, and a dat of the library's says which layers each column has.
//
//===----------------------------------------------------------------------===//

#include "Core/Error.h"
#include "Core/Job.h"
#include "Core/Registry.h"
#include "Core/Threads.h"
#include "Core/Types.h"
#include "Declare.h"
#include "Execute/Loop.h"
#include "OP2/API/op_lib_core.h"
#include "Ranks/Declared.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

using namespace op2::rt;

// Generated code reads both.
static_assert(offsetof(op_layers_core, set) == 0 &&
              offsetof(op_layers_core, ranges) == sizeof(void *));

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

/// "layers from 3 to ..., expected ...": as the program counts them.
static std::string describeRange(int first, int last) {
  std::string range = std::to_string(int64_t(first) + firstNumber) + " to";
  return firstNumber ? range + " " + std::to_string(last) +
                           "; expected 1 <= first <= last + 1"
                     : range + ", excluded, " + std::to_string(last) +
                           "; expected 0 <= first <= last";
}

static op_layers declareLayers(op_set columns, std::vector<int> const &ranges,
                               char const *name, char const *where) {
  std::string of = std::string(name) + " of " + columns->name;
  if (job.isDistributed)
    requireSameRanges(name, ranges);
  op_dat dat =
      declareOwnDat(columns, 2, OP2RT_I32, ranges.data(), of.c_str(), where);
  static_cast<Dat *>(dat)->isPart = true;
  Layers &layers = addLayers(columns, dat, name);
  for (std::size_t n = 0; n < ranges.size(); n += 2)
    if (ranges[n] < ranges[n + 1])
      layers.last = std::max(layers.last, ranges[n + 1]);
  return &layers;
}

extern "C" op_layers op_decl_layers(op_set columns, int first, int last,
                                    char const *name) {
  Call const call(__func__);
  requireRunning(__func__);
  name = name ? name : "";
  Set &set =
      requireSet(columns, (std::string("op_decl_layers ") + name).c_str());
  if (first < 0 || last < first)
    fatal(Problem::Layers, "op_decl_layers %s: layers from %s", name,
          describeRange(first, last).c_str());
  std::vector<int> ranges(static_cast<std::size_t>(set.declaredSize) * 2);
  for (std::size_t n = 0; n < ranges.size(); ++n)
    ranges[n] = n % 2 ? last : first;
  return declareLayers(columns, ranges, name, __func__);
}

extern "C" op_layers op_decl_layers_varying(op_set columns, int const *ranges,
                                            char const *name) {
  Call const call(__func__);
  requireRunning(__func__);
  name = name ? name : "";
  std::string place = std::string("op_decl_layers_varying ") + name;
  Set &set = requireSet(columns, place.c_str());
  if (!ranges && set.declaredSize > 0)
    fatal(Problem::Pointer,
          "%s: the pointer to the ranges of %d columns is NULL", place.c_str(),
          set.declaredSize);
  std::vector<int> own(ranges, ranges + std::ptrdiff_t(set.declaredSize) * 2);
  for (std::size_t n = 0; 2 * n < own.size(); ++n)
    if (own[2 * n] < 0 || own[2 * n + 1] < own[2 * n])
      fatal(
          Problem::Layers, "%s: column %lld has layers from %s", place.c_str(),
          static_cast<long long>(set.declaredBegin + int64_t(n) + firstNumber),
          describeRange(own[2 * n], own[2 * n + 1]).c_str());
  return declareLayers(columns, own, name, __func__);
}

extern "C" op_dat op_decl_dat_layers_char(op_set set, int levels, int dim,
                                          char const *type, int size,
                                          char *data, char const *name) {
  Call const call(__func__);
  requireRunning("op_decl_dat_layers");
  int values = 0;
  if (levels < 1 || dim < 1 || __builtin_mul_overflow(levels, dim, &values))
    fatal(Problem::Layers,
          "op_decl_dat_layers %s: %d levels of %d values; expected at "
          "least 1 of each, and fewer than 2^31 values",
          name ? name : "", levels, dim);
  return declareDat(set, values, type, size, data, name, "op_decl_dat_layers");
}

//===----------------------------------------------------------------------===//
// Arguments and loops
//===----------------------------------------------------------------------===//

extern "C" op_arg op_arg_dat_layers(op_dat dat, int idx, op_map map, int level,
                                    int levels, int dim, char const *type,
                                    op_access acc) {
  op_arg arg = op_arg_dat(dat, idx, map, dim, type, acc);
  if (level < 0 || levels < 1)
    fatal(Problem::Layers,
          "op_arg_dat_layers: %d levels from %d on; expected at least 1, "
          "from 0 or more on",
          levels, level);
  arg.level = level;
  arg.levels = levels;
  return arg;
}

extern "C" op_set_core *op2rt_layers_set(op_layers_core *layers,
                                         char const *loop) {
  Turn const turn(__func__);
  if (!findLayers(layers))
    requireLayers(layers, (std::string("loop ") + loop).c_str());
  return layers->set;
}

extern "C" void op2rt_require_levels(op_layers_core const *layers,
                                     op_dat_core const *dat, int32_t level,
                                     int32_t levels, int32_t dim, int32_t arg,
                                     char const *loop) {
  if (!findDat(dat))
    return;
  if (dim < 1 || dat->dim % dim != 0)
    fatal(Problem::Layers,
          "loop %s, argument %d: dat %s has rows of %d values, which are "
          "no levels of %d",
          loop, arg + firstNumber, dat->name, dat->dim, dim);
  int has = dat->dim / dim;
  if (layers->last == 0)
    return; // there are none
  int64_t reached = int64_t(layers->last) - 1 + level + levels;
  if (reached > has)
    fatal(Problem::Layers,
          "loop %s, argument %d: layers %s reach level %lld, but dat %s has "
          "levels %d..%d (rows of %d values, %d a level)",
          loop, arg + firstNumber, layers->name,
          static_cast<long long>(reached - 1 + firstNumber), dat->name,
          firstNumber, has - 1 + firstNumber, dat->dim, dim);
}

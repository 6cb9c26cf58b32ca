//===- SeqLayers.cpp - Loops over layers run by op_seq.h's template -------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the kernel takes for a layer of a column. What a column adds to a row is
// summed by itself, layer by layer (S4), as in the code that op2c++ makes of
// such a loop (lib/Frontend/ColumnKernel.cpp).
//
//===----------------------------------------------------------------------===//

#include "Core/Error.h"
#include "Core/Registry.h"
#include "Core/Types.h"
#include "Execute/Loop.h"
#include "Matrix.h"
#include "OP2/API/op_rt_support.h"

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

using namespace op2::rt;

namespace {
/// An argument that the kernel takes layer by layer: levels of the rows of one
/// slot or of several, or the rows of several slots side by side.
struct LayerArg {
  op_arg arg{};
  int type = 0;
  std::ptrdiff_t slots = 1;
  std::ptrdiff_t level = 0, levels = 1;
  std::ptrdiff_t levelBytes = 0; ///< of one level
  std::ptrdiff_t stride = 0;     ///< bytes from a layer's levels to the next's
  bool isUsed = false;
  bool takesTable = false; ///< T **
  bool isOwn = false;      ///< the kernel gets memory of its own
  std::vector<char *> rows, table;
  std::vector<char> own, before;
  std::vector<char> sums; ///< of a column, for whole rows

  std::ptrdiff_t slotBytes() const { return levels * levelBytes; }
  bool adds() const { return arg.acc == OP_INC; }
};
} // namespace

static auto &theLayers = *new std::vector<LayerArg>; // never destroyed

static std::string place(char const *name, int m) {
  return std::string("loop ") + name + ", argument " +
         std::to_string(m + firstNumber);
}

static void describe(char const *name, int m, op_arg &arg,
                     op_seq_parameter &parameter, LayerArg &layer) {
  layer.arg = arg;
  bool isVector = arg.argtype == OP_ARG_DAT && arg.idx <= -2;
  bool isTable = (parameter.flags & OP_SEQ_ROW) != 0;
  layer.isUsed = arg.opt && (arg.levels > 0 || (isVector && !isTable));
  if (tensorColumnsOf(arg) > 0 && arg.levels == 0)
    fatal(
        Problem::Layers,
        "%s: loops over layers take no op_arg_mat; expected a dat with levels "
        "on op_mat_entries, through op_mat_places",
        place(name, m).c_str());
  if (!layer.isUsed || !findDat(arg.dat) || parseType(arg.type) < 0)
    return;
  layer.type = parseType(arg.type);
  layer.slots = isVector ? -std::ptrdiff_t(arg.idx) : 1;
  layer.level = arg.level;
  layer.levels = arg.levels ? arg.levels : 1;
  layer.levelBytes = std::ptrdiff_t(arg.dim) * typeSize(layer.type);
  layer.stride = arg.levels ? layer.levelBytes : 0;
  layer.takesTable = isTable;
  layer.isOwn = (isVector && !isTable) || (arg.levels && arg.acc == OP_INC);
  int extent = parameter.extent;
  std::ptrdiff_t length = layer.levels * arg.dim;
  if (isVector && !isTable && extent != 0 && extent != length)
    fatal(Problem::Dim,
          "%s: the kernel takes rows of %d values, but they have %lld",
          place(name, m).c_str(), extent, static_cast<long long>(length));
  if (layer.adds() && isUserType(layer.type))
    fatal(Problem::ValueType,
          "%s: nobody knows how to add values of type \"%s\"",
          place(name, m).c_str(), arg.type);
  if (isVector)
    parameter.flags |= OP_SEQ_ROW;
  if (!isVector && extent != 0 && length % extent != 0)
    fatal(Problem::Dim,
          "%s: the kernel takes rows of %d values, but they have %lld",
          place(name, m).c_str(), extent, static_cast<long long>(length));
  // The loop over columns sees whole rows, of which this is a part.
  parameter.extent = 0;
  if (!parameter.type && parameter.size == length * typeSize(layer.type))
    parameter.size = 0;
}

extern "C" op_set op_seq_columns(char const *name, op_layers layers, int nargs,
                                 op_arg *args, op_seq_parameter *parameters) {
  name = name ? name : "(no name)";
  op_set set = op2rt_layers_set(layers, name);
  theLayers.clear();
  theLayers.resize(static_cast<std::size_t>(nargs));
  for (int m = 0; m < nargs; ++m) {
    op_arg &arg = args[m];
    if (arg.levels)
      op2rt_require_levels(layers, arg.dat, arg.level, arg.levels, arg.dim, m,
                           name);
    describe(name, m, arg, parameters[m], theLayers[m]);
    if (theLayers[m].isUsed) // has sums of its own
      parameters[m].flags |= OP_SEQ_IN_PLACE;
    // The loop over columns gets whole rows, of which it may leave a part.
    if (arg.levels && findDat(arg.dat))
      arg.dim = arg.dat->dim;
    if (theLayers[m].isUsed && arg.acc == OP_WRITE)
      arg.acc = OP_RW;
    arg.levels = 0;
  }
  args[nargs] = op_arg_dat(layers->ranges, -1, nullptr, 2, "int", OP_READ);
  return set;
}

extern "C" int op_seq_has_layers(int arg) {
  return static_cast<std::size_t>(arg) < theLayers.size() &&
         theLayers[arg].isUsed;
}

//===----------------------------------------------------------------------===//
// A layer
//===----------------------------------------------------------------------===//

/// What leaves every value as it is when it is added.
static void fillZero(LayerArg const &layer, std::vector<char> &values) {
  forType(layer.type, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    T const zero = std::is_floating_point_v<T> ? static_cast<T>(-0.0) : T();
    for (std::size_t at = 0; at < values.size(); at += sizeof(T))
      std::memcpy(&values[at], &zero, sizeof(T));
  });
}

static void beginColumn(LayerArg &layer, long long n) {
  char *data = rowData(layer.arg.dat);
  std::ptrdiff_t size = layer.arg.dat->size;
  layer.rows.assign(static_cast<std::size_t>(layer.slots), nullptr);
  layer.table = layer.rows;
  for (std::ptrdiff_t slot = 0; slot < layer.slots; ++slot) {
    std::ptrdiff_t row = n;
    if (layer.arg.map)
      row = tableOf(
          layer.arg.map)[n * layer.arg.map->dim +
                         (layer.arg.idx < 0 ? 0 : layer.arg.idx) + slot];
    layer.rows[slot] = data + row * size;
  }
  layer.own.assign(static_cast<std::size_t>(layer.slots * layer.slotBytes()),
                   0);
  if (!layer.adds())
    return;
  layer.sums.assign(static_cast<std::size_t>(layer.slots * size), 0);
  fillZero(layer, layer.sums);
}

/// Where the levels of a layer begin in a row, from there on.
static std::ptrdiff_t levelsOf(LayerArg const &layer, int number) {
  return (number + layer.level) * layer.stride;
}

extern "C" void *op_seq_begin_layer(int arg, long long n, int number,
                                    int isFirst) {
  LayerArg &layer = theLayers[arg];
  if (isFirst)
    beginColumn(layer, n);
  if (layer.adds() && layer.isOwn)
    fillZero(layer, layer.own);
  for (std::ptrdiff_t slot = 0; slot < layer.slots; ++slot) {
    char *from = layer.rows[slot] + levelsOf(layer, number);
    char *own = layer.own.data() + slot * layer.slotBytes();
    layer.table[slot] = layer.isOwn ? own : from;
    if (layer.isOwn && !layer.adds())
      std::memcpy(own, from, static_cast<std::size_t>(layer.slotBytes()));
  }
  layer.before = layer.own;
  if (layer.takesTable)
    return layer.table.data();
  return layer.table.front();
}

template <class T>
static void addTo(char *to, char const *from, std::ptrdiff_t bytes) {
  for (std::ptrdiff_t at = 0; at < bytes; at += std::ptrdiff_t(sizeof(T))) {
    T sum, term;
    std::memcpy(&sum, to + at, sizeof(T));
    std::memcpy(&term, from + at, sizeof(T));
    sum = addValues(sum, term);
    std::memcpy(to + at, &sum, sizeof(T));
  }
}

/// What a layer adds; behind the last one all goes to the rows.
template <class T>
static void addLayer(LayerArg &layer, int number, bool isLast) {
  std::ptrdiff_t size = layer.arg.dat->size;
  for (std::ptrdiff_t slot = 0; slot < layer.slots; ++slot)
    addTo<T>(layer.sums.data() + slot * size + levelsOf(layer, number),
             layer.own.data() + slot * layer.slotBytes(), layer.slotBytes());
  for (std::ptrdiff_t slot = 0; slot < layer.slots && isLast; ++slot)
    addTo<T>(layer.rows[slot], layer.sums.data() + slot * size, size);
}

/// What the kernel has changed goes back; of what it compares, the better.
template <class T> static void storeChanged(LayerArg &layer, int number) {
  for (std::ptrdiff_t slot = 0; slot < layer.slots; ++slot)
    for (std::ptrdiff_t at = 0; at < layer.slotBytes();
         at += std::ptrdiff_t(sizeof(T))) {
      std::ptrdiff_t place = slot * layer.slotBytes() + at;
      char *to = layer.rows[slot] + levelsOf(layer, number) + at;
      T now, old;
      std::memcpy(&now, &layer.own[place], sizeof(T));
      std::memcpy(&old, to, sizeof(T));
      if (std::memcmp(&layer.own[place], &layer.before[place], sizeof(T)) &&
          !(layer.arg.acc == OP_MIN && old < now) &&
          !(layer.arg.acc == OP_MAX && now < old))
        std::memcpy(to, &now, sizeof(T));
    }
}

extern "C" void op_seq_end_layer(int arg, int number, int isLast) {
  LayerArg &layer = theLayers[arg];
  if (!layer.isOwn || layer.arg.acc == OP_READ)
    return;
  if (isUserType(layer.type)) {
    storeChanged<char>(layer, number);
    return;
  }
  forType(layer.type, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if (layer.adds())
      addLayer<T>(layer, number, isLast != 0);
    else
      storeChanged<T>(layer, number);
  });
}

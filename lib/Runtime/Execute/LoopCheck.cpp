//===- LoopCheck.cpp - The rules for a loop's arguments ---------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every rule of the API that can only be checked with the handles at hand.
// Arguments are numbered as in the compiler's diagnostics.
//
//===----------------------------------------------------------------------===//

#include "Core/Error.h"
#include "Core/Job.h"
#include "Core/MapShape.h"
#include "Core/MapTable.h"
#include "Core/Types.h"
#include "Core/UserOrder.h"
#include "Loop.h"
#include "Renumber/Renumber.h"

#include <climits>
#include <cstdarg>
#include <cstdio>

using namespace op2::rt;

static std::string loopName(op2rt_loop_desc const &desc) {
  std::string name = std::string("loop ") + (desc.name ? desc.name : "?");
  if (desc.location && *desc.location)
    name += std::string(" (") + desc.location + ")";
  return name;
}

std::string op2::rt::argPlace(op2rt_loop_desc const &desc, int arg) {
  return loopName(desc) + ", argument " + std::to_string(arg + firstNumber);
}

void op2::rt::argError(op2rt_loop_desc const &desc, int arg, Problem problem,
                       char const *format, ...) {
  char text[1024];
  std::va_list values;
  va_start(values, format);
  std::vsnprintf(text, sizeof text, format, values);
  va_end(values);
  fatal(problem, "%s: %s", argPlace(desc, arg).c_str(), text);
}

namespace {
/// One argument at a time.
class ArgChecker {
public:
  ArgChecker(op2rt_loop_desc const &desc, op_set_core const *set,
             op2rt_arg const *args, int number)
      : desc(desc), set(set), number(number), arg(desc.args[number]),
        value(args[number]) {}

  void check() {
    if (!value.active) {
      if (!(arg.flags & OP2RT_ARG_OPTIONAL))
        fail(Problem::Call, "is switched off, but is not optional");
      return;
    }
    switch (arg.kind) {
    case OP2RT_ARG_GLOBAL:
      return checkGlobal();
    case OP2RT_ARG_INFO:
      checkGlobal();
      return checkInfo();
    case OP2RT_ARG_INDEX:
      checkMap();
      return checkIndex();
    case OP2RT_ARG_DAT:
      return checkDat();
    }
    fail(Problem::Call, "unknown kind of argument");
  }

private:
  template <class... V>
  [[noreturn]] void fail(Problem problem, char const *format, V... values) {
    // The format is always one of the literals below.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-security"
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    argError(desc, number, problem, format, values...);
#pragma GCC diagnostic pop
  }

  void checkGlobal() {
    if (!value.data)
      fail(Problem::Pointer, "the pointer to the global is NULL");
    if (value.map)
      fail(Problem::MapIndex, "a global has a map");
    int most = INT_MAX / MAX(typeSize(arg.type), 1);
    if (arg.dim < 1 || arg.dim > most)
      fail(Problem::Dim, "the global's dim is %d; expected 1..%d", arg.dim,
           most);
    if (arg.access < OP2RT_READ || arg.access > OP2RT_REDUCE)
      fail(Problem::Access, "%s on a global", accessName(arg.access));
  }

  void checkInfo() {
    int followed = arg.slot;
    if (followed < 0 || followed >= desc.nargs)
      fail(Problem::Info, "follows argument %d; expected %d..%d",
           followed + firstNumber, firstNumber, desc.nargs - 1 + firstNumber);
    op2rt_arg_desc const &other = desc.args[followed];
    bool isCompared = other.access == OP2RT_MIN || other.access == OP2RT_MAX;
    if (other.kind != OP2RT_ARG_GLOBAL || !isCompared)
      fail(Problem::Info,
           "follows argument %d, which is no OP_MIN or OP_MAX of a global",
           followed + firstNumber);
    // A wrong dim of the other is reported there.
    if (other.dim > 0 && arg.dim % other.dim != 0)
      fail(Problem::Info,
           "dim is %d; expected a multiple of %d, the dim of argument %d",
           arg.dim, other.dim, followed + firstNumber);
  }

  // Compiled loops give kernels the numbers that they count with: these must be
  // the application's.
  void checkIndex() {
    op_set of = value.map ? value.map->to : const_cast<op_set>(set);
    if (!isRenumbered(of) || desc.strategy == kHeaderStrategy)
      return;
    if (hasRanks())
      fail(Problem::RankProgram,
           "op_arg_idx: the loop counts by itself, which it cannot on several "
           "ranks: expected it to be compiled with op2c++ --op2-mpi");
    warning(Problem::Renumber,
            "%s: op_arg_idx brings set %s, which was "
            "renumbered, back to the application's order; loops over it "
            "may be slow",
            argPlace(desc, number).c_str(), of->name);
    restoreOrder(static_cast<Set &>(*of), loopName(desc));
  }

  /// The map and slots of an indirect argument, no map for a direct one.
  void checkMap() {
    if (arg.slot == OP2RT_DIRECT) {
      if (value.map)
        fail(Problem::MapIndex,
             "index -1 is direct access and takes OP_ID, but a map is given");
      return;
    }
    if (!value.map)
      fail(Problem::MapIndex,
           "index %d needs a map, but the map is NULL (OP_ID)",
           arg.slot + firstNumber);
    Map *map = findMap(value.map);
    if (!map)
      fail(Problem::Handle,
           "%p is not a living map (declared before op_exit, freed, or never "
           "declared)",
           static_cast<void *>(value.map));
    if (map->from != set)
      fail(Problem::SetMismatch,
           "map %s goes from set %s, but the loop runs over set %s; expected a "
           "map from %s, or a loop over %s",
           map->name, map->from->name, set->name, set->name, map->from->name);
    int64_t end = int64_t(arg.slot) + arg.count;
    if (arg.slot < 0 || arg.count < 1 || end > map->dim)
      fail(Problem::MapIndex,
           "slots %d..%lld of map %s; expected slots in %d..%d",
           arg.slot + firstNumber,
           static_cast<long long>(end - 1) + firstNumber, map->name,
           firstNumber, map->dim - 1 + firstNumber);
    if (!tableOf(map) && ownOf(set) > 0)
      fail(Problem::MapTable,
           "map %s was declared without a table and has not been filled",
           map->name);
    if (!map->accepted && map->map)
      acceptTable(*map, loopName(desc).c_str());
    if ((arg.flags & OP2RT_ARG_INJECTIVE) && !isInjective(*map))
      fail(Problem::MapTable,
           "map %s is said to be injective; expected one of dim 1 that leads "
           "no two elements to one row, on several ranks a subset's",
           map->name);
  }

  void checkDat() {
    if (!value.data)
      fail(Problem::Handle, "the dat is NULL");
    Dat *dat = findDat(static_cast<op_dat>(value.data));
    if (!dat)
      fail(Problem::Handle,
           "%p is not a living dat (declared before op_exit, freed, or never "
           "declared)",
           value.data);
    checkMap();
    if (!value.map && dat->set != set)
      fail(Problem::SetMismatch,
           "dat %s lives on set %s, but the loop runs over set %s and the "
           "access is direct; expected a dat on %s, or a map from %s to %s",
           dat->name, dat->set->name, set->name, set->name, set->name,
           dat->set->name);
    if (value.map && value.map->to != dat->set)
      fail(Problem::SetMismatch,
           "map %s goes to set %s, but dat %s lives on set %s; expected a map "
           "from %s to %s",
           value.map->name, value.map->to->name, dat->name, dat->set->name,
           set->name, dat->set->name);
    checkValues(*dat);
    if (arg.access < OP2RT_READ || arg.access > OP2RT_MAX)
      fail(Problem::Access,
           "%s on dat %s; expected OP_READ, OP_WRITE, OP_RW, OP_INC, OP_MIN or "
           "OP_MAX",
           accessName(arg.access), dat->name);
  }

  void checkValues(Dat const &dat) {
    // Compiled loops take a type of the application apart.
    if (isUserType(dat.elementType) && (arg.flags & OP2RT_ARG_AOS)) {
      int64_t bytes = int64_t(arg.dim) * typeSize(arg.type);
      if (bytes != dat.size)
        fail(Problem::KernelParameter,
             "the kernel takes elements of %lld bytes, but one of dat %s (dim "
             "%d of type %s) has %d",
             static_cast<long long>(bytes), dat.name, dat.dim,
             typeName(dat.elementType), dat.size);
      return;
    }
    if (arg.dim != OP2RT_DYNAMIC_DIM && arg.dim != dat.dim)
      fail(Problem::Dim, "dim is %d, but dat %s has dim %d", arg.dim, dat.name,
           dat.dim);
    if (arg.type != dat.elementType)
      fail(Problem::TypeString, "type is %s, but dat %s holds %s",
           typeName(arg.type), dat.name, typeName(dat.elementType));
    // op_decl_dat_char takes what no loop looks into.
    if (!isUserType(arg.type) && dat.size != dat.dim * typeSize(arg.type))
      fail(Problem::TypeString,
           "dat %s has components of %d bytes; %s needs %d", dat.name,
           dat.size / dat.dim, typeName(arg.type), typeSize(arg.type));
  }

  op2rt_loop_desc const &desc;
  op_set_core const *set;
  int number;
  op2rt_arg_desc const &arg;
  op2rt_arg const &value;
};
} // namespace

void op2::rt::checkLoop(op2rt_loop_desc const &desc, op_set_core *set,
                        op2rt_arg const *args) {
  if (!findSet(set))
    requireSet(set, loopName(desc).c_str());
  for (int m = 0; m < desc.nargs; ++m)
    ArgChecker(desc, set, args, m).check();
}

extern "C" void op2rt_require_dim(op_dat_core const *dat, int32_t active,
                                  int32_t dim, int32_t arg,
                                  char const *loop_name) {
  if (!active || !findDat(dat) || dat->dim == dim)
    return;
  fatal(Problem::Dim, "loop %s, argument %d: dim is %d, but dat %s has dim %d",
        loop_name, arg + firstNumber, dim, dat->name, dat->dim);
}

extern "C" void op2rt_require_extent(int32_t active, int32_t dim,
                                     int32_t extent, int32_t arg,
                                     char const *loop_name) {
  if (active && dim != extent)
    fatal(Problem::KernelParameter,
          "loop %s, argument %d: dim is %d, but the kernel takes %d "
          "values",
          loop_name, arg + firstNumber, dim, extent);
}

extern "C" void op2rt_require_contiguous(int32_t active, int32_t is_contiguous,
                                         char const *where) {
  if (active && !is_contiguous)
    fatal(Problem::FortranArray,
          "%s: its array is not contiguous: the loop would have a copy, which "
          "is gone before it runs; expected a contiguous array",
          where);
}

//===- SeqLoop.cpp - Loops run by the template in op_seq.h ------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes a description of a loop from its op_args, so that loops that were not
// compiled pass the same checks and appear in the same reports. Descriptions
// are found again by the loop's name and signature.
//
//===----------------------------------------------------------------------===//

#include "Core/Error.h"
#include "Core/Threads.h"
#include "Core/Types.h"
#include "Execute/Loop.h"
#include "Execute/Reduction.h"
#include "Matrix.h"
#include "OP2/API/op_rt_support.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <limits>
#include <list>
#include <unordered_map>

using namespace op2::rt;

namespace {
struct SeqLoop {
  std::string name;
  std::vector<op2rt_arg_desc> args;
  op2rt_loop_desc desc{};
};
} // namespace

namespace {
/// The loop in progress.
struct SeqExecution {
  op2rt_loop_desc *desc;
  op_set set;
  std::vector<op_arg> args;
  op_seq_run run;
  op_seq_kernel kernel;
  /// By argument: rows are packed, or private because the kernel adds to them;
  /// an element has a minimum to itself.
  std::vector<bool> isPrivate;
};
} // namespace

// Never destroyed, as what follows: a thread may find an error and end the
// program while another one is in a loop.
static auto &theExecution = *new SeqExecution;
static op2rt_loop *theSeqLoop = nullptr;
/// Its exact sums, and what functions of the program reduce, by argument; NULL
/// for all others.
static auto &theReductions = *new std::vector<op2rt_reduction *>;

static int parseArgType(op2rt_loop_desc const &loop, int m, op_arg const &arg) {
  int type = parseType(arg.type);
  if (type >= 0)
    return type;
  std::string const word = arg.type ? arg.type : "(NULL)";
  // Of a type whose name is no constant.
  if (std::size_t why = word.find(kOtherType); why != std::string::npos)
    argError(loop, m, Problem::TypeString, "type is \"%s\"%s",
             word.substr(0, why).c_str(), word.c_str() + why);
  argError(loop, m, Problem::TypeString, "type is \"%s\"; expected one of %s",
           word.c_str(), allTypeNames().c_str());
}

static void describeSlots(op2rt_loop_desc const &loop, int m, op_arg const &arg,
                          op2rt_arg_desc &desc) {
  desc.slot = arg.idx;
  desc.count = 1;
  if (arg.idx < -INT_MAX)
    argError(loop, m, Problem::MapIndex, "index is %d; expected at least %d",
             arg.idx, -INT_MAX);
  if (arg.idx <= -2) {
    desc.slot = 0;
    desc.count = -arg.idx;
    desc.flags |= OP2RT_ARG_VECTOR;
    if (!arg.map)
      argError(loop, m, Problem::MapIndex,
               "index %d stands for %d slots of a map, but the map is "
               "NULL (OP_ID)",
               arg.idx, -arg.idx);
  }
}

/// What is packed for the kernel; it takes rows of `extent` values, or 0: does
/// not say.
static void checkPacked(op2rt_loop_desc const &loop, int m, op_arg const &arg,
                        int extent, op2rt_arg_desc const &desc) {
  int64_t length = int64_t(arg.dim) * std::max(tensorColumnsOf(arg), 1);
  if (extent != 0 && extent != length)
    argError(loop, m, Problem::Dim,
             "the kernel takes rows of %d values, but they have %lld", extent,
             static_cast<long long>(length));
  if (isUserType(desc.type) && arg.acc == OP_INC)
    argError(loop, m, Problem::KernelParameter,
             "the kernel takes the rows of %d slots side by side "
             "(T *), and nobody knows how to add values of type "
             "\"%s\"; expected T **",
             desc.count, arg.type);
}

/// The kernel takes values of the argument's type, whole rows of them, or
/// structs that have one row.
static void checkValues(op2rt_loop_desc const &loop, int m, op_arg const &arg,
                        op_seq_parameter const &parameter, int type) {
  bool hasWord = parameter.type && !isUserType(type);
  int takes = hasWord ? parseType(parameter.type) : -1;
  bool isPacked = arg.idx <= -2 && !(parameter.flags & OP_SEQ_ROW);
  if (parameter.extent != 0 && !isPacked && arg.dim % parameter.extent != 0)
    argError(loop, m, Problem::Dim,
             "the kernel takes rows of %d values, but they have %d",
             parameter.extent, arg.dim);
  if (parameter.size == 0 || takes == type)
    return;
  // The loop will say that the dat has another one.
  Dat const *dat = arg.argtype == OP_ARG_DAT ? findDat(arg.dat) : nullptr;
  if (dat && dat->elementType != type)
    return;
  if (hasWord)
    argError(loop, m, Problem::KernelParameter,
             "the kernel takes values of %s%s, but its type is \"%s\"",
             takes < 0 ? "" : "type ", parameter.type, arg.type);
  int64_t size = typeSize(type);
  if (parameter.size != size && parameter.size != size * arg.dim)
    argError(loop, m, Problem::KernelParameter,
             "the kernel takes values of %d bytes, but those of type \"%s\" "
             "have %lld",
             parameter.size, arg.type, static_cast<long long>(size));
}

static void describe(op2rt_loop_desc const &loop, int m, op_arg const *list,
                     op_seq_parameter const &parameter, op2rt_arg_desc &desc) {
  op_arg const &arg = list[m];
  // The parameters of `run`: the set, then three for each argument.
  int32_t first = 1 + 3 * m;
  desc = {arg.argtype, arg.acc,   OP2RT_DIRECT, 1, arg.dim,    0, 0, -1, first,
          first + 1,   first + 2, /*merge=*/0,  0, /*arity=*/0};
  if (!arg.opt) {
    // Those of OP2's functions have one, also if they are off.
    if (!arg.type)
      argError(loop, m, Problem::Call,
               "was not made by op_arg_dat, op_arg_gbl, op_arg_idx ...");
    desc.flags = OP2RT_ARG_OPTIONAL;
    return;
  }
  desc.type = parseArgType(loop, m, arg);
  if (arg.levels)
    argError(loop, m, Problem::Layers,
             "it was made by op_arg_dat_layers, but the loop runs over a set; "
             "expected a loop over op_layers");
  if (arg.argtype == OP_ARG_DAT || arg.argtype == OP_ARG_IDX)
    describeSlots(loop, m, arg, desc);
  // The number that stands for a dim of run time is no dim.
  if (arg.argtype == OP_ARG_DAT && arg.dim < 1)
    argError(loop, m, Problem::Dim, "dim is %d; expected at least 1", arg.dim);
  if (arg.argtype == OP_ARG_INFO) {
    // OP2 keeps the number of the followed argument where accesses are.
    desc.slot = arg.acc;
    desc.access =
        arg.acc >= 0 && arg.acc < loop.nargs ? list[arg.acc].acc : OP2RT_MIN;
  }
  if (arg.argtype == OP_ARG_DAT)
    for (desc.group = 0; list[desc.group].dat != arg.dat ||
                         list[desc.group].argtype != OP_ARG_DAT;)
      ++desc.group;
  // What is const is not written, whatever the loop declares.
  if (arg.argtype == OP_ARG_DAT && arg.acc == OP_RW &&
      (parameter.flags & OP_SEQ_CONST))
    desc.access = OP_READ;
  bool isVector = (desc.flags & OP2RT_ARG_VECTOR) != 0;
  bool isTable = (parameter.flags & OP_SEQ_ROW) != 0;
  if (isTable && !isVector)
    argError(loop, m, Problem::KernelParameter,
             "the kernel's parameter is T **, but the argument is one "
             "element");
  if (isVector && !isTable)
    checkPacked(loop, m, arg, parameter.extent, desc);
  checkValues(loop, m, arg, parameter, desc.type);
}

/// What an element adds through a map is summed first, as in compiled code.
static bool isSummedFirst(op2rt_arg_desc const &desc, op_arg const &arg) {
  return arg.opt && desc.kind == OP2RT_ARG_DAT && arg.map &&
         desc.access == OP2RT_INC && !isUserType(desc.type);
}

/// What functions of the program reduce becomes one result for all elements.
static void beginReductions(op2rt_loop *loop, std::vector<op_arg> &args) {
  theReductions.assign(args.size(), nullptr);
  for (int32_t m = 0; m < loop->desc->nargs; ++m) {
    op2rt_arg_desc const &desc = loop->desc->args[m];
    bool isMerged = desc.access == OP2RT_REDUCE;
    if (!loop->args[m].active || !(isMerged || isExactSum(desc)))
      continue;
    theReductions[m] = op2rt_reduction_begin(loop, m, nullptr);
    if (isMerged)
      args[m].data =
          static_cast<char *>(op2rt_reduction_partial(theReductions[m], 0));
  }
}

static void endLoop(op2rt_loop *loop) {
  for (op2rt_reduction *reduction : theReductions)
    if (reduction)
      op2rt_reduction_end(reduction);
  op2rt_loop_end(loop);
}

/// Once, with these arguments.
static void runOnce(std::vector<op_arg> &args) {
  std::vector<op2rt_arg> values;
  for (op_arg const &arg : args)
    values.push_back(
        {arg.argtype == OP_ARG_DAT ? static_cast<void *>(arg.dat) : arg.data,
         arg.map, arg.opt, arg.merge, arg.identity});
  op2rt_loop *loop =
      op2rt_loop_begin(theExecution.desc, theExecution.set, values.data());
  op2rt_range range = op2rt_loop_range(loop);
  // Handles may have got other storage at the loop's beginning.
  for (op_arg &arg : args) {
    if (!arg.opt)
      continue;
    if (arg.argtype == OP_ARG_DAT)
      arg.data = rowData(arg.dat);
    if (arg.map)
      arg.map_data = tableOf(arg.map);
  }
  theSeqLoop = loop;
  beginReductions(loop, args);
  try {
    theExecution.run(theExecution.kernel, args.data(), range.begin, range.end);
  } catch (...) {
    endLoop(loop);
    throw;
  }
  endLoop(loop);
}

/// op2rt_loop_desc.run: with other globals.
static void runWith(void *const *values) {
  std::vector<op_arg> args = theExecution.args;
  for (std::size_t m = 0; m < args.size(); ++m)
    if (args[m].argtype == OP_ARG_GBL || args[m].argtype == OP_ARG_INFO)
      args[m].data =
          static_cast<char *>(values[theExecution.desc->args[m].data]);
  runOnce(args);
}

static SeqLoop &findLoop(char const *name,
                         std::vector<op2rt_arg_desc> const &args) {
  static auto *known = new std::unordered_map<std::string, std::list<SeqLoop>>;
  std::list<SeqLoop> &sameName = (*known)[name];
  std::size_t bytes = args.size() * sizeof(op2rt_arg_desc);
  for (SeqLoop &loop : sameName)
    if (loop.args.size() == args.size() &&
        (bytes == 0 || !std::memcmp(loop.args.data(), args.data(), bytes)))
      return loop;
  sameName.emplace_back();
  SeqLoop &loop = sameName.back();
  loop.name = name;
  loop.args = args;
  loop.desc.abi_version = OP2RT_ABI_VERSION;
  loop.desc.target = OP2RT_TARGET_SEQ;
  loop.desc.name = loop.name.c_str();
  loop.desc.location = "";
  loop.desc.strategy = kHeaderStrategy;
  loop.desc.nargs = static_cast<int32_t>(args.size());
  loop.desc.nparams = 1 + 3 * loop.desc.nargs;
  loop.desc.args = loop.args.data();
  loop.desc.run = runWith;
  return loop;
}

extern "C" void op_seq_par_loop(char const *name, op_set set, int nargs,
                                op_arg const *args,
                                op_seq_parameter const *parameters,
                                op_seq_run run, op_seq_kernel kernel) {
  name = name ? name : "(no name)";
  enterLoop(name);
  op2rt_loop_desc loop = {};
  loop.name = name;
  loop.nargs = nargs;
  std::vector<op2rt_arg_desc> descs(static_cast<std::size_t>(nargs));
  for (int m = 0; m < nargs; ++m)
    describe(loop, m, args, parameters[m], descs[m]);
  theExecution = {
      &findLoop(name, descs).desc, set, {args, args + nargs}, run, kernel, {}};
  for (int m = 0; m < nargs; ++m) {
    bool isPacked = (descs[m].flags & OP2RT_ARG_VECTOR) &&
                    !(parameters[m].flags & OP_SEQ_ROW);
    bool isInPlace = (parameters[m].flags & OP_SEQ_IN_PLACE) != 0;
    theExecution.isPrivate.push_back(
        isPacked || (!isInPlace && isSummedFirst(descs[m], args[m])) ||
        isExactExtremum(*theExecution.desc, m));
  }
  struct Leave {
    ~Leave() {
      theSeqLoop = nullptr;
      leave();
    }
  } const atTheEnd;
  std::vector<op_arg> values = theExecution.args;
  runOnce(values);
}

extern "C" int const *op_seq_user_numbers(int arg) {
  op_map map = theSeqLoop->args[arg].map;
  auto const *set = static_cast<Set const *>(map ? map->to : theSeqLoop->set);
  return set->toUser.empty() ? nullptr : set->toUser.data();
}

extern "C" int op_seq_exact_sum(int arg) {
  op2rt_arg_desc const &desc = theSeqLoop->desc->args[arg];
  return theReductions[arg] && isExactSum(desc) ? typeSize(desc.type) : 0;
}

//===----------------------------------------------------------------------===//
// Packed rows, minima
//===----------------------------------------------------------------------===//

/// A minimum or maximum of floats begins as the identity, of integers as what
/// is known; of what an element leaves there NaN counts as nothing, and -0.0 as
/// 0.0.
template <class T>
static void beginExtremum(op2rt_arg_desc const &desc, T const *known,
                          T *values) {
  T const most = std::numeric_limits<T>::infinity();
  if (std::is_floating_point_v<T>)
    std::fill_n(values, desc.dim, desc.access == OP2RT_MIN ? most : -most);
  else
    std::copy_n(known, desc.dim, values);
}

template <class T>
static void takeExtremum(op2rt_arg_desc const &desc, T *known, T const *given) {
  for (int32_t d = 0; d < desc.dim; ++d) {
    T const value = given[d] == T() ? T() : given[d];
    if (desc.access == OP2RT_MIN ? value < known[d] : known[d] < value)
      known[d] = value;
  }
}

/// Calls body(row, offset in the packed rows) for each slot of an element.
template <class Body> static void forSlots(int arg, long long n, Body body) {
  op2rt_arg_desc const &desc = theSeqLoop->desc->args[arg];
  op_arg const &values = theExecution.args[arg];
  char *data = rowData(values.dat);
  int const *table = tableOf(values.map) + n * values.map->dim + desc.slot;
  std::ptrdiff_t size = values.dat->size;
  for (std::ptrdiff_t slot = 0; slot < desc.count; ++slot)
    body(data + table[slot] * size, slot * size);
}

extern "C" long long op_seq_packed_bytes(int arg) {
  op_arg const &values = theExecution.args[arg];
  if (!theExecution.isPrivate[arg] || !values.opt)
    return 0;
  if (!values.dat)
    return values.size;
  return static_cast<long long>(theSeqLoop->desc->args[arg].count) *
         values.dat->size;
}

extern "C" int op_seq_adds_floats(int arg, int slots, int valueSize) {
  op2rt_arg_desc const &desc = theSeqLoop->desc->args[arg];
  bool isFloat = desc.type == OP2RT_F64 || desc.type == OP2RT_F32;
  return theExecution.isPrivate[arg] && isFloat &&
         isSummedFirst(desc, theExecution.args[arg]) && desc.count == slots &&
         typeSize(desc.type) == valueSize;
}

extern "C" void op_seq_pack(int arg, long long n, char *rows, char *original) {
  op2rt_arg_desc const &desc = theSeqLoop->desc->args[arg];
  if (desc.kind == OP2RT_ARG_GLOBAL) {
    forType(desc.type, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      beginExtremum(desc, static_cast<T const *>(theSeqLoop->args[arg].data),
                    reinterpret_cast<T *>(rows));
    });
    return;
  }
  auto size = static_cast<std::size_t>(theExecution.args[arg].dat->size);
  forSlots(arg, n, [&](char *row, std::ptrdiff_t offset) {
    if (desc.access != OP2RT_INC) {
      std::memcpy(rows + offset, row, size);
      std::memcpy(original + offset, row, size);
      return;
    }
    forType(desc.type, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      auto *values = reinterpret_cast<T *>(rows + offset);
      std::fill_n(values, size / sizeof(T),
                  std::is_floating_point_v<T> ? static_cast<T>(-0.0) : T());
    });
  });
}

extern "C" void op_seq_unpack(int arg, long long n, char const *rows,
                              char const *original) {
  op2rt_arg_desc const &desc = theSeqLoop->desc->args[arg];
  if (desc.access == OP2RT_READ)
    return;
  if (desc.kind == OP2RT_ARG_GLOBAL) {
    forType(desc.type, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      takeExtremum(desc, static_cast<T *>(theSeqLoop->args[arg].data),
                   reinterpret_cast<T const *>(rows));
    });
    return;
  }
  auto size = static_cast<std::size_t>(theExecution.args[arg].dat->size);
  if (isUserType(desc.type)) {
    forSlots(arg, n, [&](char *row, std::ptrdiff_t offset) {
      for (std::size_t i = 0; i < size; ++i)
        if (rows[offset + std::ptrdiff_t(i)] !=
            original[offset + std::ptrdiff_t(i)])
          row[i] = rows[offset + std::ptrdiff_t(i)];
    });
    return;
  }
  forType(desc.type, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    forSlots(arg, n, [&](char *row, std::ptrdiff_t offset) {
      auto *to = reinterpret_cast<T *>(row);
      auto const *from = reinterpret_cast<T const *>(rows + offset);
      auto const *before = reinterpret_cast<T const *>(original + offset);
      for (std::size_t i = 0; i < size / sizeof(T); ++i) {
        if (desc.access == OP2RT_INC)
          to[i] = addValues(to[i], from[i]);
        else if (std::memcmp(&from[i], &before[i], sizeof(T)) != 0 &&
                 !(desc.access == OP2RT_MIN && to[i] < from[i]) &&
                 !(desc.access == OP2RT_MAX && from[i] < to[i]))
          to[i] = from[i];
      }
    });
  });
}

extern "C" void op_seq_add(int arg, void const *terms, long long count) {
  op2rt_reduction_add_rows(theReductions[arg], terms, count);
}

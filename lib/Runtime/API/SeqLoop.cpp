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

#include "Core/Threads.h"
#include "Core/Types.h"
#include "Execute/Loop.h"
#include "OP2/API/op_rt_support.h"

#include <climits>
#include <cstring>
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

static op2rt_loop *theSeqLoop = nullptr;
static std::vector<op2rt_arg> theValues;

static int parseArgType(op2rt_loop_desc const &loop, int m, op_arg const &arg) {
  int type = parseType(arg.type);
  if (type < 0)
    argError(loop, m, "type is \"%s\"; expected one of %s",
             arg.type ? arg.type : "(NULL)", allTypeNames().c_str());
  return type;
}

static void describeSlots(op2rt_loop_desc const &loop, int m, op_arg const &arg,
                          op2rt_arg_desc &desc) {
  desc.slot = arg.idx;
  desc.count = 1;
  if (arg.idx < -INT_MAX)
    argError(loop, m, "index is %d; expected at least %d", arg.idx, -INT_MAX);
  if (arg.idx <= -2) {
    desc.slot = 0;
    desc.count = -arg.idx;
    desc.flags |= OP2RT_ARG_VECTOR;
    if (!arg.map)
      argError(loop, m,
               "index %d stands for %d slots of a map, but the map is "
               "NULL (OP_ID)",
               arg.idx, -arg.idx);
  }
}

static void describe(op2rt_loop_desc const &loop, int m, op_arg const *list,
                     unsigned char parameter, op2rt_arg_desc &desc) {
  op_arg const &arg = list[m];
  desc = {arg.argtype, arg.acc, OP2RT_DIRECT, 1, arg.dim, 0, 0, -1, 0, 0, 0};
  if (!arg.opt) {
    desc.flags = OP2RT_ARG_OPTIONAL;
    return;
  }
  desc.type = parseArgType(loop, m, arg);
  if (arg.argtype == OP_ARG_DAT || arg.argtype == OP_ARG_IDX)
    describeSlots(loop, m, arg, desc);
  // The number that stands for a dim of run time is no dim.
  if (arg.argtype == OP_ARG_DAT && arg.dim < 1)
    argError(loop, m, "dim is %d; expected at least 1", arg.dim);
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
      (parameter & OP_SEQ_CONST))
    desc.access = OP_READ;
  bool isVector = (desc.flags & OP2RT_ARG_VECTOR) != 0;
  bool row = (parameter & OP_SEQ_ROW) != 0;
  if (isVector != row)
    argError(loop, m, "the kernel's parameter is T %s, but the argument is %s",
             row ? "**" : "*",
             isVector ? "a row of a map (index <= -2)" : "one element");
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
  loop.desc.args = loop.args.data();
  return loop;
}

extern "C" long long op_seq_loop_begin(char const *name, op_set set, int nargs,
                                       op_arg const *args,
                                       unsigned char const *parameters) {
  name = name ? name : "(no name)";
  enterLoop(name);
  op2rt_loop_desc loop = {};
  loop.name = name;
  loop.nargs = nargs;
  std::vector<op2rt_arg_desc> descs(static_cast<std::size_t>(nargs));
  for (int m = 0; m < nargs; ++m)
    describe(loop, m, args, parameters[m], descs[m]);
  SeqLoop &found = findLoop(name, descs);
  theValues.resize(descs.size());
  for (int m = 0; m < nargs; ++m) {
    void *data = args[m].argtype == OP_ARG_DAT
                     ? static_cast<void *>(args[m].dat)
                     : args[m].data;
    theValues[m] = {data, args[m].map, args[m].opt};
  }
  theSeqLoop = op2rt_loop_begin(&found.desc, set, theValues.data());
  return op2rt_loop_size(theSeqLoop);
}

extern "C" int const *op_seq_user_numbers(int arg) {
  op_map map = theSeqLoop->args[arg].map;
  auto const *set = static_cast<Set const *>(map ? map->to : theSeqLoop->set);
  return set->toUser.empty() ? nullptr : set->toUser.data();
}

extern "C" void op_seq_loop_end(void) {
  op2rt_loop_end(theSeqLoop);
  theSeqLoop = nullptr;
  leave();
}

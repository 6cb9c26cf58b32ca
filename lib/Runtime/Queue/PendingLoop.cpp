//===- PendingLoop.cpp - Loops that run later -------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PendingLoop.h"

#include <algorithm>
#include <cstring>

using namespace op2::rt;

static bool isActive(op2rt_arg_desc const &arg, void *const *values) {
  return arg.flag == 0 || values[arg.flag];
}

std::vector<GlobalUse> op2::rt::globalsOf(op2rt_loop_desc const &desc,
                                          void *const *values) {
  std::vector<GlobalUse> globals;
  for (int m = 0; m < desc.nargs; ++m) {
    op2rt_arg_desc const &arg = desc.args[m];
    if (!isGlobal(arg) || !isActive(arg, values))
      continue;
    int64_t bytes = bytesOfGlobal(arg);
    bool isChanged = arg.access != OP2RT_READ;
    auto at = std::find_if(
        globals.begin(), globals.end(),
        [&](GlobalUse const &known) { return known.param == arg.data; });
    if (at == globals.end()) {
      globals.push_back({arg.data, bytes, isChanged});
      continue;
    }
    at->bytes = std::max(at->bytes, bytes);
    at->isChanged |= isChanged;
  }
  return globals;
}

void op2::rt::readArgs(op2rt_loop_desc const &desc, void *const *values,
                       std::vector<op2rt_arg> &args) {
  args.clear();
  for (int m = 0; m < desc.nargs; ++m) {
    op2rt_arg_desc const &arg = desc.args[m];
    void *map = arg.map == 0 ? nullptr : values[arg.map];
    args.push_back({arg.data == 0 ? nullptr : values[arg.data],
                    static_cast<op_map>(map), isActive(arg, values)});
  }
}

bool op2::rt::haveExpectedArities(op2rt_loop_desc const &desc,
                                  void *const *values) {
  for (int m = 0; m < desc.nargs; ++m) {
    op2rt_arg_desc const &arg = desc.args[m];
    if (arg.map != 0 && arg.arity != 0 && isActive(arg, values) &&
        static_cast<op_map>(values[arg.map])->dim != arg.arity)
      return false;
  }
  return true;
}

op2rt_fusion const *op2::rt::findFusion(op2rt_loop_desc const &first,
                                        op2rt_loop_desc const &second) {
  // What pointers lead to is copied to a device when their own loop begins.
  if (isDeviceTarget(second.target) && (first.npointers || second.npointers))
    return nullptr;
  op2rt_fusion const *fusion = first.fusions;
  while (fusion && fusion->second != &second)
    fusion = fusion->next;
  return fusion;
}

void PendingLoop::fill(std::shared_ptr<LoopCall> withCall, void *const *from) {
  constexpr int64_t kLine = sizeof(Line);
  call = std::move(withCall);
  values.assign(from, from + desc().nparams);
  globals.clear();
  std::vector<GlobalUse> uses = globalsOf(desc(), from);
  int64_t lines = 0;
  for (GlobalUse const &use : uses)
    lines += (use.bytes + kLine - 1) / kLine;
  storage.resize(static_cast<std::size_t>(lines));
  Line *next = storage.data();
  for (GlobalUse const &use : uses) {
    auto *data = static_cast<char *>(values[use.param]);
    // On devices results may arrive when the loop is no longer pending.
    bool isInPlace = use.isChanged && isDeviceTarget(desc().target);
    globals.push_back({data, use.bytes, isInPlace ? data : next->bytes,
                       use.isChanged, /*isDropped=*/false});
    if (isInPlace)
      continue;
    std::memcpy(next->bytes, data, static_cast<std::size_t>(use.bytes));
    values[use.param] = next->bytes;
    next += (use.bytes + kLine - 1) / kLine;
  }
}

void PendingLoop::storeResults() const {
  for (PendingGlobal const &global : globals)
    if (global.isChanged && !global.isDropped && !global.isInPlace())
      std::memcpy(global.data, global.copy,
                  static_cast<std::size_t>(global.bytes));
}

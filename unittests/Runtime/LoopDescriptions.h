//===- LoopDescriptions.h - Loops as generated code has them ----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_UNITTESTS_RUNTIME_LOOPDESCRIPTIONS_H
#define OP2_UNITTESTS_RUNTIME_LOOPDESCRIPTIONS_H

#include "OP2/Runtime/op2rt.h"

#include <vector>

namespace op2::test {

/// An argument with one slot.
inline op2rt_arg_desc describeArg(int kind, int access, int slot, int dim,
                                  int type = OP2RT_F64, int group = -1) {
  op2rt_arg_desc arg{};
  arg.kind = kind;
  arg.access = access;
  arg.slot = slot;
  arg.count = 1;
  arg.dim = dim;
  arg.type = type;
  arg.group = group;
  return arg;
}

/// `args` live on.
inline op2rt_loop_desc describeLoop(char const *name,
                                    std::vector<op2rt_arg_desc> const &args,
                                    int target = OP2RT_TARGET_OPENMP) {
  op2rt_loop_desc desc{};
  desc.abi_version = OP2RT_ABI_VERSION;
  desc.target = target;
  desc.name = name;
  desc.location = "test.cpp:1";
  desc.strategy = "test";
  desc.nargs = static_cast<int32_t>(args.size());
  desc.args = args.data();
  return desc;
}

} // namespace op2::test

#endif // OP2_UNITTESTS_RUNTIME_LOOPDESCRIPTIONS_H

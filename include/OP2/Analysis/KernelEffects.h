//===- KernelEffects.h - What kernels change and look at --------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_ANALYSIS_KERNELEFFECTS_H
#define OP2_ANALYSIS_KERNELEFFECTS_H

#include "OP2/Dialect/OP2Ops.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include <optional>
#include <set>
#include <string>
#include <tuple>

namespace mlir::op2 {

/// Of an external kernel: why nothing is known of it.
StringRef describeMissingBody(FunctionOpInterface kernel);

/// The memory that a memref is a part of.
Value getWholeMemory(Value memory);

/// Whether a call in a kernel does nothing that could be noticed from outside,
/// but for changes of the kernel's arguments: it throws nothing, reads and
/// writes only what its pointers lead to, and keeps none of them, by the
/// attributes of its function. `args` as for findSideEffect.
bool isConfined(LLVM::CallOp call, FunctionOpInterface kernel,
                ArrayRef<LoopArg> args);

/// The first operation of a kernel that could be noticed from outside, stores
/// to its arguments aside; null if there is none. `args` are those of the loop,
/// for a kernel on pointers: its parameter number n is for argument number n.
Operation *findSideEffect(FunctionOpInterface kernel, ArrayRef<LoopArg> args);

/// The first operation of a kernel on pointers that asks where an argument is,
/// of those that `isAsked` names: one that compares addresses, but with null,
/// or computes with them. For arguments that may come at other addresses.
Operation *findAddressUse(FunctionOpInterface kernel, ArrayRef<LoopArg> args,
                          function_ref<bool(const LoopArg &)> isAsked);

/// Whether a kernel can run later, with copies of globals: it changes what its
/// arguments are and nothing else, and does not ask where a global is.
bool mayRunLater(FunctionOpInterface kernel, ArrayRef<LoopArg> args);

/// Where a pointer lies that a kernel follows: in a variable of the program, so
/// many bytes from its beginning.
struct FollowedPointer {
  std::string symbol;
  int64_t offset;

  bool operator<(const FollowedPointer &other) const {
    return std::tie(symbol, offset) < std::tie(other.symbol, other.offset);
  }
};

/// Those that a kernel follows: what they lead to may be the storage of any
/// dat. Nothing if it has some from elsewhere. `args` as for findSideEffect.
using FollowedPointers = std::optional<std::set<FollowedPointer>>;
FollowedPointers findFollowedPointers(FunctionOpInterface kernel,
                                      ArrayRef<LoopArg> args);

} // namespace mlir::op2

#endif // OP2_ANALYSIS_KERNELEFFECTS_H

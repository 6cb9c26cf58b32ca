//===- BytesOfBools.h - Kernels that use bools as bytes ---------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_BYTESOFBOOLS_H
#define OP2_FRONTEND_BYTESOFBOOLS_H

#include "LoopDescription.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace llvm {
class Function;
} // namespace llvm

namespace op2::frontend {

/// An argument of bools that the kernel reads or writes as bytes, which may be
/// others than 0 and 1.
std::optional<unsigned> findBytesOfBools(const llvm::Function &kernel,
                                         llvm::ArrayRef<ArgDescription> args);

} // namespace op2::frontend

#endif // OP2_FRONTEND_BYTESOFBOOLS_H

//===- RaisePreparation.h - Kernels as raising wants them -------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_RAISEPREPARATION_H
#define OP2_FRONTEND_RAISEPREPARATION_H

namespace llvm {
class Module;
} // namespace llvm

namespace op2::frontend {

/// Of copies of functions that no other definition can replace.
inline constexpr char kExactAttr[] = "op2.exact";

/// Brings the kernels of a module into a form that can be raised: everything
/// inlined that may be, small loops unrolled, local variables in registers, and
/// neither vectors nor wide loads in place of elements, nor what UBSan checks
/// of pointers. For a device, what is called still stays with the kernels,
/// instead of being found where it is. What calls that stay do with memory is
/// found out as far as possible.
void prepareForRaising(llvm::Module &clone, bool isForDevice);

} // namespace op2::frontend

#endif // OP2_FRONTEND_RAISEPREPARATION_H

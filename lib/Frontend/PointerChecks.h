//===- PointerChecks.h - UBSan's checks of pointers -------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_POINTERCHECKS_H
#define OP2_FRONTEND_POINTERCHECKS_H

namespace llvm {
class Module;
} // namespace llvm

namespace op2::frontend {

/// Takes UBSan's checks of pointers out of kernels that are to be raised:
/// whether they are null, aligned, large enough, or overflow. A raised kernel
/// has rows instead of pointers, and the library has their addresses;
/// AddressSanitizer watches the accesses of the code that is made of it. All
/// other checks stay, and keep a kernel from being raised where they cannot be
/// proved: those of arithmetic, shifts, array bounds, values of bool.
void dropPointerChecks(llvm::Module &clone);

} // namespace op2::frontend

#endif // OP2_FRONTEND_POINTERCHECKS_H

//===- DeviceOutput.h - printf and assert on a GPU -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_DEVICEOUTPUT_H
#define OP2_FRONTEND_DEVICEOUTPUT_H

namespace llvm {
class Module;
} // namespace llvm

namespace op2::frontend {

/// Calls of printf, puts, putchar, assert, abort and std::terminate become
/// those that the CUDA driver has: `vprintf(format, arguments)`, where
/// `arguments` is a struct of the values, `__assertfail`, and a trap. Calls
/// with arguments that these do not take stay.
void mapOutput(llvm::Module &device);

} // namespace op2::frontend

#endif // OP2_FRONTEND_DEVICEOUTPUT_H

//===- TraceFile.h - OP2_TRACE ----------------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_API_TRACEFILE_H
#define OP2_LIB_RUNTIME_API_TRACEFILE_H

namespace op2::rt {

/// At op_init and op_exit, by all ranks; nothing unless OP2_TRACE is set. An
/// error if the file cannot be written.
void openTrace();
void closeTrace();

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_API_TRACEFILE_H

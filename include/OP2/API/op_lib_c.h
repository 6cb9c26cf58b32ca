//===- op_lib_c.h - OP2 for C programs --------------------------*- C -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C part of the interface under OP2's usual name.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_API_OP_LIB_C_H
#define OP2_API_OP_LIB_C_H

#include "op_lib_core.h"
#include "op_rt_support.h"

#endif /* OP2_API_OP_LIB_C_H */

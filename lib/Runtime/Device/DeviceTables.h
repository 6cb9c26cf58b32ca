//===- DeviceTables.h - Memory that op_decl_const has declared --*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels on a device read what a pointer variable of the program leads to if
// it is known how long that is: what op_decl_const was given. The device has a
// copy of it, which is compared with the program's at each loop.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_DEVICE_DEVICETABLES_H
#define OP2_LIB_RUNTIME_DEVICE_DEVICETABLES_H

#include "OP2/Runtime/op2rt.h"

#include <cstdint>

namespace op2::rt {

/// Takes the place of earlier ones that it overlaps.
void declareTable(void const *data, int64_t bytes);

/// Waits for results that lie in what a loop's pointers lead to.
void settleTables(op2rt_loop_desc const &desc);

/// The copies on devices are gone.
void forgetTableCopies();

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_DEVICE_DEVICETABLES_H

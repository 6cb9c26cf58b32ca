//===- OP2.td - Umbrella of the op2 dialect's definitions -*- tablegen -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_DIALECT_OP2_TD
#define OP2_DIALECT_OP2_TD

include "OP2/Dialect/OP2Dialect.td"
include "OP2/Dialect/OP2Enums.td"
include "OP2/Dialect/OP2Attributes.td"
include "OP2/Dialect/OP2Types.td"
include "OP2/Dialect/OP2Interfaces.td"
include "OP2/Dialect/OP2Ops.td"
include "OP2/Dialect/OP2PlanOps.td"
include "OP2/Dialect/OP2DeviceOps.td"

#endif // OP2_DIALECT_OP2_TD

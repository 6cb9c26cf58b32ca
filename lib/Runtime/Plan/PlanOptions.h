//===- PlanOptions.h - Options of plans -------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_PLAN_PLANOPTIONS_H
#define OP2_LIB_RUNTIME_PLAN_PLANOPTIONS_H

#include "Core/Options.h"

#include <cstdint>

namespace op2::rt {

/// Elements per block where neither the loop nor OP_PART_SIZE gives them:
/// large blocks for large sets, at least 128 blocks where that leaves 256
/// elements in each, multiples of 256. It depends on the size of the set only,
/// never on the machine, because results depend on it. Airfoil at 720,000 cells
/// gains 5 to 8 % from 8192 instead of 1024 (benchmarks/README.md).
int64_t defaultBlockSize(int64_t setSize);
/// The same where elements change rows far apart: few blocks have no row in
/// common then, and those of one colour must be enough for many threads. On a
/// mesh numbered at random a loop over edges needs about as many colours as a
/// block has elements; so sqrt(size / 128) elements leave 128 blocks of each.
/// Multiples of 16, from 32 to the size above.
int64_t scatteredBlockSize(int64_t setSize);

/// OP2_CHECK_PLAN=1, or OP_diags > 3; on ranks if one of them is told so when
/// they divide the mesh.
bool shouldCheckPlans();
/// OP2_OWNER=auto|always|never: which loops that could be divided by ownership
/// are. Auto: those whose maps make it cheap.
using Owning = Extent;
Owning requestedOwning();

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_PLAN_PLANOPTIONS_H

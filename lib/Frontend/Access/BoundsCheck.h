//===- BoundsCheck.h - Accesses of a kernel outside of its data -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_BOUNDSCHECK_H
#define OP2_FRONTEND_BOUNDSCHECK_H

#include "AccessAnalysis.h"
#include "ArgumentUses.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace op2::frontend {

/// Accesses at places that are known, and outside of a row. Of tables of rows
/// each has its own, and the table has one for each slot.
std::vector<AccessFinding>
findOutside(const ArgumentUses &uses, const ArgDescription &arg,
            llvm::function_ref<Addresses &()> getAddresses);

} // namespace op2::frontend

#endif // OP2_FRONTEND_BOUNDSCHECK_H

//===- SuitedLoops.h - Loops that a target can run --------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_FRONTEND_SUITEDLOOPS_H
#define OP2_LIB_FRONTEND_SUITEDLOOPS_H

#include "CallSite.h"
#include <vector>

namespace op2::frontend {

/// Those of `sites` whose arguments, and whose kernels' variables, code of the
/// target can deal with; the loops of the others get a problem for it.
std::vector<CallSite> keepSuited(llvm::ArrayRef<CallSite> sites, Target target);

} // namespace op2::frontend

#endif // OP2_LIB_FRONTEND_SUITEDLOOPS_H

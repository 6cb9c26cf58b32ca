//===- CheckAccesses.cpp - Compare kernels with what loops declare --------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Analysis/KernelAccesses.h"
#include "OP2/Analysis/SourceName.h"
#include "OP2/Dialect/OP2Ops.h"
#include "OP2/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::op2 {
#define GEN_PASS_DEF_OP2CHECKACCESSESPASS
#include "OP2/Transforms/Passes.h.inc"
} // namespace mlir::op2

using namespace mlir;
using namespace mlir::op2;

/// What the kernel does with `row` that the access does not allow. Values that
/// an element has to itself may be used, whatever is added to them.
static std::optional<AccessProblem> findProblem(const LoopArg &arg,
                                                BlockArgument row) {
  bool isShared = arg.isGlobal() || arg.isIndirect();
  // What is packed is the element's own, and begins as zeros.
  if (arg.getAccess() == Access::Inc && isShared && !arg.isPacked())
    return findIncrementProblem(row);
  bool isCompared =
      arg.getAccess() == Access::Min || arg.getAccess() == Access::Max;
  if (isCompared && isShared && !arg.isInfo())
    return findMinMaxProblem(row);
  if (arg.getAccess() == Access::Write)
    return findWriteProblem(row);
  return std::nullopt;
}

static StringRef getRule(Access access) {
  return access == Access::Inc     ? "[L18]"
         : access == Access::Write ? "[L19]"
                                   : "[L20]";
}

/// L18, L19, L20.
static LogicalResult checkLoop(ParLoopOp loop, func::FuncOp kernel) {
  LogicalResult result = success();
  unsigned parameter = 0;
  for (auto [number, arg] : llvm::enumerate(loop.getLoopArgs()))
    for (int64_t row = 0; row < arg.getNumOperands(); ++row) {
      std::optional<AccessProblem> problem =
          findProblem(arg, kernel.getArgument(parameter++));
      if (!problem)
        continue;
      auto diagnostic = problem->op->emitError(getRule(arg.getAccess()));
      diagnostic << " kernel '" << getSourceName(kernel.getName()) << "' "
                 << problem->what << " parameter " << parameter - 1
                 << ", which loop '" << loop.getLabel() << "' declares '"
                 << stringifyAccess(arg.getAccess()) << "'";
      diagnostic.attachNote(loop.getLoc())
          << "argument " << number << " of this loop; did you mean 'rw'?";
      result = failure();
    }
  return result;
}

namespace {
struct CheckAccessesPass
    : public op2::impl::OP2CheckAccessesPassBase<CheckAccessesPass> {
  void runOnOperation() override {
    SymbolTableCollection symbols;
    getOperation().walk([&](ParLoopOp loop) {
      auto kernel = symbols.lookupNearestSymbolFrom<func::FuncOp>(
          loop, loop.getKernelAttr());
      if (kernel && !kernel.isExternal() && failed(checkLoop(loop, kernel)))
        signalPassFailure();
    });
    markAllAnalysesPreserved();
  }
};
} // namespace

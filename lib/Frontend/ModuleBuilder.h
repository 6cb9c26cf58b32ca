//===- ModuleBuilder.h - The op2 module of a file -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_MODULEBUILDER_H
#define OP2_FRONTEND_MODULEBUILDER_H

#include "CallSite.h"
#include "OP2/Dialect/OP2Ops.h"
#include "mlir/IR/BuiltinOps.h"

namespace op2::frontend {

/// Adds to `module` a function with the loop of `site`:
///
///   func.func @<runSymbol>(%set: !op2.set, %q: !op2.dat<4xf64>, …)
///       attributes {llvm.bareptr, op2.delayable} {
///     op2.par_loop @kernel over %set args(…) {loop_name = …}
///     return
///   }
///
/// Its parameters are those of getRunParameters. The runtime may run the loop
/// later, and on ranks a second time.
void buildRunFunction(const CallSite &site, llvm::StringRef kernelSymbol,
                      mlir::ModuleOp module);

/// A second function of that kind, named `symbol`, for the loop split in parts,
/// to be called only where op2rt_is_separate returns true: it has the
/// attributes op2.fusible and op2.variant, and the arity of the maps.
void buildSplitFunction(const CallSite &site, llvm::StringRef symbol,
                        mlir::ModuleOp module);

/// The same for two loops one behind the other, to be fused. Their run
/// functions are there already and name the kernels; `merged` is made by
/// mergeLoops of both.
void buildFusedFunction(const CallSite &merged, const CallSite &first,
                        const CallSite &second, mlir::ModuleOp module);

} // namespace op2::frontend

#endif // OP2_FRONTEND_MODULEBUILDER_H

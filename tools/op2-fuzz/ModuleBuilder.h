//===- ModuleBuilder.h - The module of a random program ---------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TOOLS_FUZZ_MODULEBUILDER_H
#define OP2_TOOLS_FUZZ_MODULEBUILDER_H

#include "Program.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::op2::fuzz {

/// The module of a program, whose main shows the bits of all data in the end,
/// one number a call of printI64: it runs under op2-run, too. Null, after a
/// diagnostic, if a kernel could not be made.
OwningOpRef<ModuleOp> buildModule(MLIRContext &context, const Program &program);

/// Makes func.func kernels what an importer would leave: llvm.funcs on pointers
/// whose control flow is blocks.
LogicalResult importKernels(ModuleOp module, ArrayRef<std::string> names);

} // namespace mlir::op2::fuzz

#endif // OP2_TOOLS_FUZZ_MODULEBUILDER_H

//===- ParsedModule.h - A module for a test ---------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_UNITTESTS_PARSEDMODULE_H
#define OP2_UNITTESTS_PARSEDMODULE_H

#include "OP2/Dialect/OP2Ops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace mlir::op2 {

/// A module from its text, with the dialects that loops and kernels are in.
class ParsedModule {
public:
  explicit ParsedModule(StringRef text) {
    context.loadDialect<OP2Dialect, arith::ArithDialect, func::FuncDialect,
                        LLVM::LLVMDialect, math::MathDialect,
                        memref::MemRefDialect, scf::SCFDialect>();
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << "the test's module cannot be parsed";
  }

  func::FuncOp getFunction(StringRef name) {
    return module->lookupSymbol<func::FuncOp>(name);
  }
  /// The loops of a function, in order.
  SmallVector<ParLoopOp> getLoops(StringRef function) {
    return llvm::to_vector(getFunction(function).getOps<ParLoopOp>());
  }
  SmallVector<LoopArg> getArgs(StringRef function) {
    return getLoops(function).front().getLoopArgs();
  }

private:
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

} // namespace mlir::op2

#endif // OP2_UNITTESTS_PARSEDMODULE_H

//===- ImportKernels.cpp - Kernels as an importer leaves them -------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same kernels as llvm.funcs on pointers: what the pipelines make of them
// themselves, before any loop is there.
//
//===----------------------------------------------------------------------===//

#include "ModuleBuilder.h"
#include "OP2/Conversion/Passes.h"
#include "OP2/Dialect/OP2Ops.h"
#include "OP2/Transforms/Canonicalize.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::op2;
using namespace mlir::op2::fuzz;

/// Uses of a row take its address from the table: where the argument is not
/// there, there is no table.
static void loadWhereUsed(Value address, Value table, unsigned row) {
  for (OpOperand &use : llvm::make_early_inc_range(address.getUses())) {
    OpBuilder builder(use.getOwner());
    Location loc = use.getOwner()->getLoc();
    Value place =
        LLVM::GEPOp::create(builder, loc, address.getType(), address.getType(),
                            table, ArrayRef<LLVM::GEPArg>{int32_t(row)});
    use.set(LLVM::LoadOp::create(builder, loc, address.getType(), place));
  }
}

/// A vector argument of an imported kernel is a pointer to its rows' pointers.
static void takeRowTables(LLVM::LLVMFuncOp kernel, ParLoopOp loop) {
  SmallVector<LoopArg> args = loop.getLoopArgs();
  bool hasVectors =
      llvm::any_of(args, [](const LoopArg &arg) { return arg.takesTable(); });
  if (!hasVectors)
    return;
  Block &entry = kernel.getBody().front();
  auto pointer = LLVM::LLVMPointerType::get(kernel.getContext());
  Location loc = kernel.getLoc();
  unsigned at = 0;
  for (const LoopArg &arg : args) {
    auto count = unsigned(arg.getNumOperands());
    if (arg.takesTable()) {
      Value table = entry.insertArgument(at++, pointer, loc);
      for (unsigned row = 0; row < count; ++row) {
        loadWhereUsed(entry.getArgument(at), table, row);
        entry.eraseArgument(at);
      }
      continue;
    }
    at += count;
  }
  SmallVector<Type> params(entry.getArgumentTypes());
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(kernel.getContext()), params);
  kernel.setFunctionType(type);
  kernel.removeArgAttrsAttr();
}

LogicalResult fuzz::importKernels(ModuleOp module,
                                  ArrayRef<std::string> names) {
  if (names.empty())
    return success();
  OwningOpRef<ModuleOp> kernels = ModuleOp::create(module.getLoc());
  for (const std::string &name : names) {
    auto kernel = module.lookupSymbol<func::FuncOp>(name);
    kernel->setAttr("llvm.bareptr", UnitAttr::get(module.getContext()));
    kernel->moveBefore(kernels->getBody(), kernels->getBody()->end());
  }
  PassManager manager(module.getContext());
  // Not between the next two: in blocks that nothing reaches values may be
  // computed from themselves, which MLIR folds for ever.
  manager.addPass(createExactCanonicalizerPass());
  manager.addPass(createSCFToControlFlowPass());
  manager.addPass(createConvertOP2ToLLVMPass());
  // Descriptors of memrefs become pointers.
  manager.addPass(createExactCanonicalizerPass());
  manager.addPass(createCSEPass());
  if (failed(manager.run(*kernels)))
    return failure();
  llvm::StringMap<ParLoopOp> loops;
  module.walk([&](ParLoopOp loop) { loops[loop.getKernel()] = loop; });
  for (Operation &op : llvm::make_early_inc_range(*kernels->getBody())) {
    op.moveBefore(module.getBody(), module.getBody()->begin());
    auto kernel = dyn_cast<LLVM::LLVMFuncOp>(op);
    if (kernel && loops.contains(kernel.getName()))
      takeRowTables(kernel, loops[kernel.getName()]);
  }
  return success();
}

//===- Vectorize.cpp - Run kernels on several elements at once ------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LanesBuilder.h"
#include "OP2/Analysis/CostModel.h"
#include "OP2/Analysis/Vectorization.h"
#include "OP2/Dialect/OP2Ops.h"
#include "OP2/Transforms/Passes.h"
#include "WidenKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::op2 {
#define GEN_PASS_DEF_OP2VECTORIZEPASS
#include "OP2/Transforms/Passes.h.inc"
} // namespace mlir::op2

using namespace mlir;
using namespace mlir::op2;

namespace {
struct VectorizePass : public op2::impl::OP2VectorizePassBase<VectorizePass> {
  using OP2VectorizePassBase::OP2VectorizePassBase;

  void runOnOperation() override {
    machine = MachineAttr::of(getOperation());
    SmallVector<ForElementsOp> loops;
    getOperation().walk([&](ForElementsOp loop) { loops.push_back(loop); });
    if (machine.getVectorBits() > 0)
      for (ForElementsOp loop : loops)
        vectorize(loop);
    for (ForElementsOp loop : loops)
      if (failed(callWhole(loop)))
        return signalPassFailure();
    if (machine.getVectorBits() > 0)
      keepCalls(loops);
  }

private:
  void vectorize(ForElementsOp loop);
  LogicalResult callWhole(ForElementsOp loop);
  void keepCalls(ArrayRef<ForElementsOp> loops);
  func::FuncOp getWidened(func::FuncOp kernel, int64_t lanes,
                          ArrayRef<bool> isUniform);

  MachineAttr machine;
  /// Kernels widened so far; two loops may share one.
  DenseMap<std::pair<Operation *, int64_t>,
           std::pair<SmallVector<bool>, func::FuncOp>>
      widened;
};
} // namespace

func::FuncOp VectorizePass::getWidened(func::FuncOp kernel, int64_t lanes,
                                       ArrayRef<bool> isUniform) {
  auto &known = widened[{kernel.getOperation(), lanes}];
  if (!known.second || ArrayRef<bool>(known.first) != isUniform)
    known = {SmallVector<bool>(isUniform),
             widenKernel(kernel, lanes, isUniform)};
  return known.second;
}

/// A long kernel that is left with the remainders of vectors is called there:
/// LLVM would make three or four copies of it.
void VectorizePass::keepCalls(ArrayRef<ForElementsOp> loops) {
  constexpr int64_t kLong = 100; // operations
  llvm::SetVector<func::FuncOp> called;
  llvm::DenseSet<func::FuncOp> inlined;
  SymbolTableCollection symbols;
  for (ForElementsOp loop : loops)
    for (auto call : loop.getBody().getOps<func::CallOp>()) {
      auto kernel = symbols.lookupNearestSymbolFrom<func::FuncOp>(
          call, call.getCalleeAttr());
      if (!loop.hasLanes())
        inlined.insert(kernel);
      else if (kernel)
        called.insert(kernel);
    }
  for (func::FuncOp kernel : called) {
    int64_t count = 0;
    kernel.walk([&](Operation *) { ++count; });
    if (count > kLong && !inlined.contains(kernel))
      kernel->setAttr("passthrough",
                      Builder(&getContext()).getStrArrayAttr({"noinline"}));
  }
}

/// What an imported kernel takes in place of a memref: of a row that is known
/// to be one, as op2-plan makes it.
static Value getPointer(OpBuilder &builder, Value memref) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  if (isa_and_nonnull<RowOp, OwnedRowOp>(memref.getDefiningOp())) {
    Operation *row = builder.clone(*memref.getDefiningOp());
    row->getResult(0).setType(pointer);
    return row->getResult(0);
  }
  return PtrCastOp::create(builder, memref.getLoc(), pointer, memref,
                           ValueRange());
}

/// Elements that do not go in vectors run the whole kernel, if theirs lacks
/// some of its paths (kUsualAttr).
LogicalResult VectorizePass::callWhole(ForElementsOp loop) {
  auto plan = loop.getPlan().getDefiningOp<PlanOp>();
  auto begin = plan ? plan.getLoop().getDefiningOp<LoopBeginOp>() : nullptr;
  auto forms = begin ? begin->getAttrOfType<ArrayAttr>(kUsualAttr) : nullptr;
  if (!forms)
    return success();
  auto name = cast<FlatSymbolRefAttr>(forms[1]);
  auto whole =
      SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(loop, name);
  auto calls = loop.getBody().getOps<func::CallOp>();
  if (!whole || !llvm::hasSingleElement(calls))
    return begin.emitOpError("'") << kUsualAttr << "' names " << name
                                  << ", which is not the whole of its kernel";
  SmallVector<LoopArg> args = begin.getLoopArgs();
  StringAttr kernel = (*calls.begin()).getCalleeAttr().getAttr();
  auto pointer = LLVM::LLVMPointerType::get(&getContext());
  loop.walk([&](func::CallOp call) {
    if (call.getCalleeAttr().getAttr() != kernel)
      return;
    OpBuilder builder(call);
    SmallVector<Value> rows, operands;
    for (Value row : call.getOperands())
      rows.push_back(getPointer(builder, row));
    ArrayRef<Value> left = rows;
    for (const LoopArg &arg : args) {
      auto ofArg = left.take_front(arg.getNumOperands());
      left = left.drop_front(arg.getNumOperands());
      operands.push_back(
          arg.takesTable()
              ? RowTableOp::create(builder, call.getLoc(), pointer, ofArg)
                    .getResult()
              : ofArg.front());
    }
    LLVM::CallOp::create(builder, call.getLoc(), whole, operands)
        .setCConv(whole.getCConv());
    call.erase();
  });
  return success();
}

void VectorizePass::vectorize(ForElementsOp loop) {
  LanesBuilder builder(loop);
  if (!builder)
    return;
  auto remark = [&](const Twine &reason) -> InFlightDiagnostic {
    builder.getBegin()->setAttr(kNotVectorizedAttr,
                                StringAttr::get(&getContext(), reason));
    auto diagnostic = emitRemark(builder.getBegin().getLoc());
    diagnostic << "loop '" << builder.getBegin().getLabel()
               << "' is not vectorized: " << reason;
    return diagnostic;
  };
  if (std::optional<std::string> reason = builder.getObstacle()) {
    remark(*reason);
    return;
  }
  int64_t lanes = countLanes(builder.getArgs(), machine.getVectorBits());
  if (lanes < 2)
    return;
  // Numbers for gathers are in vectors.
  if (!machine.getGathers())
    lanes = chooseLanes(builder.getKernel(), builder.getArgs(), lanes);
  if (!machine.hasVectorMath() && losesByVectors(builder.getKernel(), lanes)) {
    loop.setOneByOne(true);
    loop.setPrefetch(waitsForRows(builder.getKernel()));
    remark("most of its time goes to functions of the C library, which would "
           "be called lane by lane (see --op2-veclib)");
    return;
  }
  SmallVector<bool> isUniform = findUniformOperands(builder.getArgs());
  if (std::optional<std::string> reason = findVectorLoss(
          builder.getKernel(), builder.getArgs(), isUniform, lanes)) {
    remark(*reason);
    return;
  }
  if (std::optional<Obstacle> obstacle =
          findKernelObstacle(builder.getKernel(), isUniform)) {
    remark(obstacle->reason).attachNote(obstacle->loc)
        << "this is where it happens";
    return;
  }
  func::FuncOp check = builder.getCheck();
  if (check)
    if (std::optional<Obstacle> obstacle =
            findKernelObstacle(check, isUniform)) {
      remark(obstacle->reason).attachNote(obstacle->loc)
          << "this is where it happens";
      return;
    }
  LanesBuilder::Widened forms;
  forms.kernel = getWidened(builder.getKernel(), lanes, isUniform);
  if (check)
    forms.check = getWidened(check, lanes, isUniform);
  builder.build(forms, lanes, machine.getGathers());
  ++numLoops;
}

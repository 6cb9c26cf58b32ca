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
    for (ForElementsOp loop : loops) {
      if (failed(verifyUsual(loop)))
        return signalPassFailure();
      if (machine.getVectorBits() > 0)
        vectorize(loop);
      callWhole(loop);
    }
    keepCalls(loops);
  }

private:
  void vectorize(ForElementsOp loop);
  LogicalResult verifyUsual(ForElementsOp loop);
  void callWhole(ForElementsOp loop);
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
  // Few elements need the whole kernel.
  llvm::SetVector<LLVM::LLVMFuncOp> calledWhole;
  llvm::DenseSet<LLVM::LLVMFuncOp> inlinedWhole;
  for (ForElementsOp loop : loops)
    for (auto call : loop.getBody().getOps<LLVM::CallOp>())
      if (auto kernel = symbols.lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
              call, call.getCalleeAttr())) {
        if (loop.hasLanes())
          calledWhole.insert(kernel);
        else
          inlinedWhole.insert(kernel);
      }
  for (LLVM::LLVMFuncOp kernel : calledWhole)
    if (!inlinedWhole.contains(kernel))
      kernel.setNoInline(true);
  for (func::FuncOp kernel : called) {
    int64_t count = 0;
    kernel.walk([&](Operation *) { ++count; });
    if (count > kLong && !inlined.contains(kernel))
      kernel->setAttr("passthrough",
                      Builder(&getContext()).getStrArrayAttr({"noinline"}));
  }
}

/// The beginning of a loop whose kernel lacks some paths; null of others.
static LoopBeginOp findUsual(ForElementsOp loop) {
  auto plan = loop.getPlan().getDefiningOp<PlanOp>();
  auto begin = plan ? plan.getLoop().getDefiningOp<LoopBeginOp>() : nullptr;
  return begin && begin->hasAttr(kUsualAttr) ? begin : nullptr;
}

/// Whether the functions that kUsualAttr names are what it says.
LogicalResult VectorizePass::verifyUsual(ForElementsOp loop) {
  LoopBeginOp begin = findUsual(loop);
  if (!begin)
    return success();
  auto names = begin->getAttrOfType<ArrayAttr>(kUsualAttr);
  auto check = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      loop, cast<FlatSymbolRefAttr>(names[0]));
  auto whole = SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
      loop, cast<FlatSymbolRefAttr>(names[1]));
  auto calls = loop.getBody().getOps<func::CallOp>();
  if (!llvm::hasSingleElement(calls))
    return begin.emitOpError("[T4] '")
           << kUsualAttr << "' is of loops with one raised kernel";
  auto type =
      FunctionType::get(&getContext(), (*calls.begin()).getOperandTypes(),
                        IntegerType::get(&getContext(), 1));
  if (!check || check.isExternal() || check.getFunctionType() != type)
    return begin.emitOpError("[T4] '")
           << kUsualAttr << "' names " << names[0] << ", expected a function "
           << type << " with a body";
  size_t count = begin.getLoopArgs().size();
  if (!whole || whole.getNumArguments() != count ||
      !llvm::all_of(whole.getArgumentTypes(),
                    llvm::IsaPred<LLVM::LLVMPointerType>))
    return begin.emitOpError("[T4] '")
           << kUsualAttr << "' names " << names[1]
           << ", expected an imported kernel that takes " << count
           << " pointers";
  return success();
}

/// What an imported kernel takes in place of a memref: of a row that is known
/// to be one, as op2-plan makes it.
static Value getPointer(OpBuilder &builder, Value memref) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  if (auto row = memref.getDefiningOp<RowOp>())
    return RowOp::create(builder, row.getLoc(), pointer, row.getData(),
                         row.getIndex());
  return PtrCastOp::create(builder, memref.getLoc(), pointer, memref,
                           ValueRange());
}

/// The call of an imported kernel in place of that of a raised one.
static void callImported(func::CallOp call, LLVM::LLVMFuncOp kernel,
                         ArrayRef<LoopArg> args) {
  OpBuilder builder(call);
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  SmallVector<Value> rows = llvm::map_to_vector(
      call.getOperands(), [&](Value row) { return getPointer(builder, row); });
  ArrayRef<Value> left = rows;
  SmallVector<Value> operands;
  for (const LoopArg &arg : args) {
    ArrayRef<Value> ofArg = left.take_front(arg.getNumOperands());
    left = left.drop_front(arg.getNumOperands());
    operands.push_back(
        arg.takesTable()
            ? RowTableOp::create(builder, call.getLoc(), pointer, ofArg)
                  .getResult()
            : ofArg.front());
  }
  LLVM::CallOp::create(builder, call.getLoc(), kernel, operands)
      .setCConv(kernel.getCConv());
  call.erase();
}

/// Elements that do not go in vectors run the whole kernel, if the loop's lacks
/// some of its paths (kUsualAttr).
void VectorizePass::callWhole(ForElementsOp loop) {
  LoopBeginOp begin = findUsual(loop);
  if (!begin)
    return;
  auto name =
      cast<FlatSymbolRefAttr>(begin->getAttrOfType<ArrayAttr>(kUsualAttr)[1]);
  auto whole =
      SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(loop, name);
  auto usual = *loop.getBody().getOps<func::CallOp>().begin();
  StringRef kernel = usual.getCallee();
  SmallVector<LoopArg> args = begin.getLoopArgs();
  loop.walk([&](func::CallOp call) {
    if (call.getCallee() == kernel)
      callImported(call, whole, args);
  });
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

//===- WidenKernel.cpp - Kernels on several elements at once --------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WidenKernel.h"
#include "DebugScopes.h"
#include "KernelWidener.h"
#include "OP2/Analysis/Vectorization.h"

using namespace mlir;
using namespace mlir::op2;

/// A divisor that never traps.
static TypedAttr getOne(Operation *division) {
  return IntegerAttr::get(division->getResult(0).getType(), 1);
}

/// A division of values that all lanes share.
void KernelWidener::cloneDivision(Operation *op, Value mask) {
  Operation *copy = builder.clone(*op, values);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(copy);
  Location loc = op->getLoc();
  Value one = arith::ConstantOp::create(builder, loc, getOne(op));
  copy->setOperand(
      1, select(loc, isOccupied(loc, mask), copy->getOperand(1), one));
}

void KernelWidener::widenElementwise(Operation *op, Value mask) {
  Location loc = op->getLoc();
  OperationState state(loc, op->getName());
  for (Value operand : op->getOperands())
    state.operands.push_back(getLanes(loc, operand));
  // What could trap is done for active lanes only.
  if (mask && isDivision(op))
    state.operands[1] =
        select(loc, mask, state.operands[1], createSplat(loc, getOne(op)));
  for (Type type : op->getResultTypes())
    state.types.push_back(getLaneType(type));
  state.attributes = llvm::to_vector(op->getDiscardableAttrs());
  state.propertiesAttr = op->getPropertiesAsAttribute();
  Operation *wide = builder.create(state);
  values.map(op->getResults(), wide->getResults());
}

void KernelWidener::callForLanes(LLVM::CallOp call) {
  Location loc = call.getLoc();
  SmallVector<Value> operands;
  for (Value operand : call->getOperands())
    operands.push_back(getLanes(loc, operand));
  Value results = createZeros(loc, call.getResult().getType());
  for (int64_t lane = 0; lane < width; ++lane) {
    SmallVector<Value> ofLane;
    for (Value operand : operands)
      ofLane.push_back(vector::ExtractOp::create(builder, loc, operand, lane));
    auto copy = cast<LLVM::CallOp>(builder.clone(*call));
    copy->setOperands(ofLane);
    // Of lanes that do not ask, operands may be poison.
    copy.removeArgAttrsAttr();
    results = vector::InsertOp::create(builder, loc, copy->getResult(0),
                                       results, lane);
  }
  values.map(call.getResult(), results);
}

void KernelWidener::widen(Operation *op, Value mask) {
  if (auto alloca = dyn_cast<memref::AllocaOp>(op))
    return widenAlloca(alloca);
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return widenLoad(load, mask);
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return widenStore(store, mask);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return widenIf(branch, mask);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return widenFor(loop, mask);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return widenWhile(loop, mask);
  if (op->hasTrait<OpTrait::ReturnLike>() || isa<scf::ConditionOp>(op))
    return; // The caller deals with the end of the block.

  if (isSignCast(op) && analysis.varies(op->getResult(0)))
    return values.map(op->getResult(0),
                      getLanes(op->getLoc(), op->getOperand(0)));
  if (op->getNumResults() == 1 && analysis.isChoice(op->getResult(0)))
    return widenChoice(op);
  if (!analysis.isUniform(op))
    return isLaneCall(op) ? callForLanes(cast<LLVM::CallOp>(op))
                          : widenElementwise(op, mask);
  if (isDivision(op))
    return cloneDivision(op, mask);
  builder.clone(*op, values);
}

void KernelWidener::widenBlock(Block &block, Value mask) {
  for (Operation &op : block)
    widen(&op, mask);
}

func::FuncOp KernelWidener::run() {
  Location loc = kernel.getLoc();
  SmallVector<Type> types;
  for (auto [type, uniform] :
       llvm::zip_equal(kernel.getArgumentTypes(), isUniform)) {
    auto memref = cast<MemRefType>(type);
    types.push_back(uniform ? memref : getLaneMemRef(memref));
  }
  ValueRange results = kernel.getBody().front().getTerminator()->getOperands();
  std::string name = (kernel.getName() + "_x" + llvm::Twine(width)).str();
  widened = func::FuncOp::create(
      builder, loc, name,
      builder.getFunctionType(types, getWideTypes(results)));
  widened.setPrivate();
  widened->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(builder.getContext(), LLVM::Linkage::Internal));
  widened->setAttr("llvm.bareptr", builder.getUnitAttr());
  // Lane buffers become registers only where the kernel is inlined.
  widened->setAttr("passthrough", builder.getStrArrayAttr({"alwaysinline"}));
  Block *entry = widened.addEntryBlock();
  values.map(kernel.getArguments(), entry->getArguments());
  builder.setInsertionPointToStart(entry);
  widenBlock(kernel.getBody().front(), Value());
  func::ReturnOp::create(builder, loc,
                         llvm::map_to_vector(results, [&](Value result) {
                           return getAs(loc, result, result);
                         }));
  createOwnSubprogram(widened);
  SymbolTable(kernel->getParentOfType<ModuleOp>()).insert(widened);
  return widened;
}

func::FuncOp op2::widenKernel(func::FuncOp kernel, int64_t width,
                              ArrayRef<bool> isUniform) {
  return KernelWidener(kernel, width, isUniform).run();
}

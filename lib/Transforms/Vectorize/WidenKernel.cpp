//===- WidenKernel.cpp - Kernels on several elements at once --------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DebugScopes.h"
#include "KernelWidener.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::op2;

/// A read that is the same for all lanes. Under a mask there may be no lane to
/// read for: then only what is always there, a global variable.
static bool isUniformRead(Operation *op, Value mask) {
  auto load = dyn_cast<LLVM::LoadOp>(op);
  if (!load || load.getVolatile_() ||
      load.getOrdering() != LLVM::AtomicOrdering::not_atomic)
    return false;
  Value address = load.getAddr();
  if (auto gep = address.getDefiningOp<LLVM::GEPOp>())
    if (gep.getDynamicIndices().empty())
      address = gep.getBase();
  return !mask || address.getDefiningOp<LLVM::AddressOfOp>();
}

static bool isDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
             arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op);
}

/// A divisor that never traps.
static TypedAttr getOne(Operation *division) {
  return IntegerAttr::get(division->getResult(0).getType(), 1);
}

/// A division of values that all lanes share.
void KernelWidener::cloneDivision(Operation *op, Value mask) {
  Operation *copy = builder.clone(*op, values);
  if (!mask)
    return;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(copy);
  Location loc = op->getLoc();
  Value one = arith::ConstantOp::create(builder, loc, getOne(op));
  Value divisor = arith::SelectOp::create(builder, loc, anyLane(loc, mask),
                                          copy->getOperand(1), one);
  copy->setOperand(1, divisor);
}

LogicalResult KernelWidener::widenElementwise(Operation *op, Value mask) {
  Location loc = op->getLoc();
  for (Type type :
       llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()))
    if (!isLaneElement(type))
      return fail(op, "'" + op->getName().getStringRef() +
                          "' on a type that has no lanes");
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
  return success();
}

LogicalResult KernelWidener::widen(Operation *op, Value mask) {
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
    return success(); // Whoever asked for the block deals with its end.

  bool isUniformOp =
      op->getNumRegions() == 0 && llvm::all_of(op->getOperands(), [&](Value v) {
        return get(v) && !varies(v) && !isLaneMemRef(v);
      });
  if (isUniformOp && isDivision(op)) {
    cloneDivision(op, mask);
    return success();
  }
  if (isUniformOp && (isUniformRead(op, mask) || isPure(op))) {
    builder.clone(*op, values);
    return success();
  }
  if (op->hasTrait<OpTrait::Elementwise>() &&
      (OpTrait::hasElementwiseMappableTraits(op) || isa<arith::SelectOp>(op)) &&
      isMemoryEffectFree(op))
    return widenElementwise(op, mask);
  return fail(op, "'" + op->getName().getStringRef() +
                      "' has no form for "
                      "several elements");
}

LogicalResult KernelWidener::widenBlock(Block &block, Value mask) {
  for (Operation &op : block)
    if (failed(widen(&op, mask)))
      return failure();
  return success();
}

func::FuncOp KernelWidener::run(std::optional<WidenProblem> &problem) {
  Location loc = kernel.getLoc();
  if (!kernel.getBody().hasOneBlock()) {
    problem = WidenProblem{"its control flow is not structured", loc};
    return {};
  }
  SmallVector<Type> types;
  for (auto [type, uniform] :
       llvm::zip_equal(kernel.getArgumentTypes(), isUniform)) {
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref || (!uniform && (!memref.hasStaticShape() ||
                                 !isLaneElement(memref.getElementType())))) {
      problem = WidenProblem{"a parameter has no lanes", loc};
      return {};
    }
    SmallVector<int64_t> shape(memref.getShape());
    if (!uniform)
      shape.push_back(width);
    types.push_back(uniform ? memref
                            : MemRefType::get(shape, memref.getElementType()));
  }
  std::string name = (kernel.getName() + "_x" + llvm::Twine(width)).str();
  widened = func::FuncOp::create(builder, loc, name,
                                 builder.getFunctionType(types, {}));
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
  if (failed(widenBlock(kernel.getBody().front(), Value()))) {
    problem = found;
    widened->erase();
    return {};
  }
  func::ReturnOp::create(builder, loc);
  createOwnSubprogram(widened);
  SymbolTable(kernel->getParentOfType<ModuleOp>()).insert(widened);
  return widened;
}

func::FuncOp op2::widenKernel(func::FuncOp kernel, int64_t width,
                              ArrayRef<bool> isUniform,
                              std::optional<WidenProblem> &problem) {
  return KernelWidener(kernel, width, isUniform).run(problem);
}

//===- WidenKernel.cpp - Kernels on several elements at once --------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value is uniform, and stays a scalar, if it depends on no lane; or it
// varies and becomes a vector. A mask says which lanes are active; none: all.
//
//===----------------------------------------------------------------------===//

#include "WidenKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::op2;

namespace {
class KernelWidener {
public:
  KernelWidener(func::FuncOp kernel, int64_t width, ArrayRef<bool> isUniform)
      : kernel(kernel), width(width), isUniform(isUniform),
        builder(kernel.getContext()) {}

  func::FuncOp run(std::optional<WidenProblem> &problem);

private:
  LogicalResult widenBlock(Block &block, Value mask);
  LogicalResult widen(Operation *op, Value mask);
  LogicalResult widenAlloca(memref::AllocaOp op);
  LogicalResult widenLoad(memref::LoadOp op, Value mask);
  LogicalResult widenStore(memref::StoreOp op, Value mask);
  LogicalResult widenIf(scf::IfOp op, Value mask);
  LogicalResult widenUniformIf(scf::IfOp op, Value mask);
  LogicalResult widenFor(scf::ForOp op, Value mask);
  LogicalResult widenUniformFor(scf::ForOp op, Value mask);
  LogicalResult widenWhile(scf::WhileOp op, Value mask);
  LogicalResult widenElementwise(Operation *op, Value mask);

  LogicalResult fail(Operation *op, const Twine &reason) {
    if (!found)
      found = WidenProblem{reason.str(), op->getLoc()};
    return failure();
  }

  // Values.
  Value get(Value value) const { return values.lookup(value); }
  bool varies(Value value) const {
    return isa<VectorType>(get(value).getType());
  }
  bool isLaneMemRef(Value memref) const { return lanes.contains(memref); }
  VectorType getLaneType(Type type) const {
    return VectorType::get({width}, type);
  }
  /// A scalar element type that vectors and arithmetic take.
  static bool isLaneElement(Type type) {
    return type.isIndex() || type.isSignlessInteger() || isa<FloatType>(type);
  }
  Value broadcast(Location loc, Value scalar) {
    if (isa<VectorType>(scalar.getType()))
      return scalar;
    return vector::BroadcastOp::create(builder, loc,
                                       getLaneType(scalar.getType()), scalar);
  }
  Value getLanes(Location loc, Value value) {
    return broadcast(loc, get(value));
  }
  Value createSplat(Location loc, TypedAttr value) {
    auto type = getLaneType(value.getType());
    return arith::ConstantOp::create(builder, loc,
                                     DenseElementsAttr::get(type, value));
  }
  Value createZeros(Location loc, Type type) {
    return createSplat(loc, builder.getZeroAttr(type));
  }
  Value createIndex(Location loc, int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value andMask(Location loc, Value mask, Value condition) {
    if (!mask)
      return condition;
    return arith::AndIOp::create(builder, loc, mask, condition);
  }
  Value anyLane(Location loc, Value mask) {
    return vector::ReductionOp::create(builder, loc, vector::CombiningKind::OR,
                                       mask);
  }
  Value select(Location loc, Value mask, Value yes, Value no) {
    if (!mask)
      return yes;
    return arith::SelectOp::create(builder, loc, mask, yes, no);
  }
  Value extract(Location loc, Value vector, int64_t lane) {
    return vector::ExtractOp::create(builder, loc, vector, lane);
  }
  /// Indices where inactive lanes have 0, which is always there.
  FailureOr<SmallVector<Value>>
  getSafeIndices(Operation *op, OperandRange indices, Value mask);
  /// The indices of one lane of a lane memref.
  SmallVector<Value> getLaneIndices(Location loc, ArrayRef<Value> indices,
                                    std::optional<int64_t> lane);

  func::FuncOp kernel;
  int64_t width;
  ArrayRef<bool> isUniform;
  OpBuilder builder;
  func::FuncOp widened;
  IRMapping values;
  llvm::DenseSet<Value> lanes; ///< memrefs of the kernel with a place per lane
  std::optional<WidenProblem> found;
};
} // namespace

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

LogicalResult KernelWidener::widenAlloca(memref::AllocaOp op) {
  MemRefType type = op.getType();
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
      !isLaneElement(type.getElementType()))
    return fail(op, "local memory of a type that has no lanes");
  SmallVector<int64_t> shape(type.getShape());
  shape.push_back(width);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&widened.getBody().front());
  values.map(op.getResult(), memref::AllocaOp::create(
                                 builder, op.getLoc(),
                                 MemRefType::get(shape, type.getElementType()),
                                 ValueRange(), op.getAlignmentAttr())
                                 .getResult());
  lanes.insert(op.getResult());
  return success();
}

FailureOr<SmallVector<Value>>
KernelWidener::getSafeIndices(Operation *op, OperandRange indices, Value mask) {
  SmallVector<Value> safe;
  Location loc = op->getLoc();
  for (Value index : indices) {
    Value value = get(index);
    if (mask && !matchPattern(index, m_Constant())) {
      if (isa<VectorType>(value.getType()))
        value =
            select(loc, mask, value, createZeros(loc, builder.getIndexType()));
      else
        value = arith::SelectOp::create(builder, loc, anyLane(loc, mask), value,
                                        createIndex(loc, 0));
    }
    safe.push_back(value);
  }
  return safe;
}

SmallVector<Value> KernelWidener::getLaneIndices(Location loc,
                                                 ArrayRef<Value> indices,
                                                 std::optional<int64_t> lane) {
  SmallVector<Value> result;
  for (Value index : indices)
    result.push_back(lane && isa<VectorType>(index.getType())
                         ? extract(loc, index, *lane)
                         : index);
  return result;
}

LogicalResult KernelWidener::widenLoad(memref::LoadOp op, Value mask) {
  Location loc = op.getLoc();
  if (!isLaneElement(op.getType()))
    return fail(op, "a load of a type that has no lanes");
  FailureOr<SmallVector<Value>> indices =
      getSafeIndices(op, op.getIndices(), mask);
  bool hasLaneIndices = llvm::any_of(
      *indices, [](Value index) { return isa<VectorType>(index.getType()); });
  bool hasLanes = isLaneMemRef(op.getMemRef());
  Value memref = get(op.getMemRef());
  if (!hasLaneIndices) {
    if (!hasLanes) {
      values.map(
          op.getResult(),
          memref::LoadOp::create(builder, loc, memref, *indices).getResult());
      return success();
    }
    indices->push_back(createIndex(loc, 0));
    values.map(op.getResult(),
               vector::LoadOp::create(builder, loc, getLaneType(op.getType()),
                                      memref, *indices)
                   .getResult());
    return success();
  }
  SmallVector<Value> elements;
  for (int64_t lane = 0; lane < width; ++lane) {
    SmallVector<Value> place = getLaneIndices(loc, *indices, lane);
    if (hasLanes)
      place.push_back(createIndex(loc, lane));
    elements.push_back(memref::LoadOp::create(builder, loc, memref, place));
  }
  values.map(op.getResult(),
             vector::FromElementsOp::create(builder, loc,
                                            getLaneType(op.getType()), elements)
                 .getResult());
  return success();
}

LogicalResult KernelWidener::widenStore(memref::StoreOp op, Value mask) {
  Location loc = op.getLoc();
  if (!isLaneMemRef(op.getMemRef()))
    return fail(op, "a store to memory that all elements share");
  FailureOr<SmallVector<Value>> indices =
      getSafeIndices(op, op.getIndices(), mask);
  Value memref = get(op.getMemRef());
  Value value = getLanes(loc, op.getValueToStore());
  bool hasLaneIndices = llvm::any_of(
      *indices, [](Value index) { return isa<VectorType>(index.getType()); });
  if (!hasLaneIndices) {
    indices->push_back(createIndex(loc, 0));
    if (mask)
      value = select(loc, mask, value,
                     vector::LoadOp::create(builder, loc,
                                            cast<VectorType>(value.getType()),
                                            memref, *indices));
    vector::StoreOp::create(builder, loc, value, memref, *indices);
    return success();
  }
  for (int64_t lane = 0; lane < width; ++lane) {
    SmallVector<Value> place = getLaneIndices(loc, *indices, lane);
    place.push_back(createIndex(loc, lane));
    Value scalar = extract(loc, value, lane);
    if (mask)
      scalar = arith::SelectOp::create(
          builder, loc, extract(loc, mask, lane), scalar,
          memref::LoadOp::create(builder, loc, memref, place));
    memref::StoreOp::create(builder, loc, scalar, memref, place);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

LogicalResult KernelWidener::widenUniformIf(scf::IfOp op, Value mask) {
  Location loc = op.getLoc();
  SmallVector<Type> types;
  for (Type type : op.getResultTypes()) {
    if (!isLaneElement(type))
      return fail(op, "a branch with a result of a type that has no lanes");
    types.push_back(getLaneType(type));
  }
  auto branch = scf::IfOp::create(builder, loc, types, get(op.getCondition()),
                                  !op.getElseRegion().empty());
  OpBuilder::InsertionGuard guard(builder);
  for (auto [from, to] : llvm::zip(op->getRegions(), branch->getRegions())) {
    if (from.empty())
      continue;
    if (to.front().mightHaveTerminator())
      to.front().getTerminator()->erase();
    builder.setInsertionPointToEnd(&to.front());
    if (failed(widenBlock(from.front(), mask)))
      return failure();
    SmallVector<Value> yielded;
    for (Value value : from.front().getTerminator()->getOperands())
      yielded.push_back(getLanes(loc, value));
    scf::YieldOp::create(builder, loc, yielded);
  }
  values.map(op.getResults(), branch.getResults());
  return success();
}

LogicalResult KernelWidener::widenIf(scf::IfOp op, Value mask) {
  if (!varies(op.getCondition()))
    return widenUniformIf(op, mask);
  Location loc = op.getLoc();
  Value condition = get(op.getCondition());
  if (failed(widenBlock(op.getThenRegion().front(),
                        andMask(loc, mask, condition))))
    return failure();
  if (op.getElseRegion().empty())
    return success();
  Value ones = createSplat(loc, builder.getBoolAttr(true));
  Value opposite = arith::XOrIOp::create(builder, loc, condition, ones);
  if (failed(
          widenBlock(op.getElseRegion().front(), andMask(loc, mask, opposite))))
    return failure();
  for (auto [result, yes, no] :
       llvm::zip(op.getResults(), op.thenYield().getOperands(),
                 op.elseYield().getOperands())) {
    if (!isLaneElement(result.getType()))
      return fail(op, "a branch with a result of a type that has no lanes");
    values.map(result,
               arith::SelectOp::create(builder, loc, condition,
                                       getLanes(loc, yes), getLanes(loc, no))
                   .getResult());
  }
  return success();
}

LogicalResult KernelWidener::widenUniformFor(scf::ForOp op, Value mask) {
  Location loc = op.getLoc();
  SmallVector<Value> inits;
  for (Value init : op.getInitArgs()) {
    if (!isLaneElement(init.getType()))
      return fail(op, "a loop that carries a type that has no lanes");
    inits.push_back(getLanes(loc, init));
  }
  auto loop =
      scf::ForOp::create(builder, loc, get(op.getLowerBound()),
                         get(op.getUpperBound()), get(op.getStep()), inits);
  OpBuilder::InsertionGuard guard(builder);
  if (loop.getBody()->mightHaveTerminator())
    loop.getBody()->getTerminator()->erase();
  builder.setInsertionPointToEnd(loop.getBody());
  values.map(op.getInductionVar(), loop.getInductionVar());
  values.map(op.getRegionIterArgs(), loop.getRegionIterArgs());
  if (failed(widenBlock(*op.getBody(), mask)))
    return failure();
  SmallVector<Value> yielded;
  for (Value value : op.getYieldedValues())
    yielded.push_back(getLanes(loc, value));
  scf::YieldOp::create(builder, loc, yielded);
  values.map(op.getResults(), loop.getResults());
  return success();
}

/// Lanes whose counter has passed their bound wait for the others.
LogicalResult KernelWidener::widenFor(scf::ForOp op, Value mask) {
  if (!varies(op.getLowerBound()) && !varies(op.getUpperBound()) &&
      !varies(op.getStep()))
    return widenUniformFor(op, mask);
  Location loc = op.getLoc();
  SmallVector<Value> inits = {getLanes(loc, op.getLowerBound())};
  for (Value init : op.getInitArgs()) {
    if (!isLaneElement(init.getType()))
      return fail(op, "a loop that carries a type that has no lanes");
    inits.push_back(getLanes(loc, init));
  }
  Value upper = getLanes(loc, op.getUpperBound());
  Value step = getLanes(loc, op.getStep());
  SmallVector<Type> types(ValueRange(inits).getTypes());
  auto predicate = op.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                       : arith::CmpIPredicate::slt;
  auto loop = scf::WhileOp::create(builder, loc, types, inits);
  SmallVector<Location> locations(types.size(), loc);
  auto createActive = [&](Value counter) -> Value {
    return andMask(
        loc, mask,
        arith::CmpIOp::create(builder, loc, predicate, counter, upper));
  };

  OpBuilder::InsertionGuard guard(builder);
  Block *before = builder.createBlock(&loop.getBefore(), {}, types, locations);
  scf::ConditionOp::create(builder, loc,
                           anyLane(loc, createActive(before->getArgument(0))),
                           before->getArguments());
  Block *after = builder.createBlock(&loop.getAfter(), {}, types, locations);
  Value counter = after->getArgument(0);
  Value active = createActive(counter);
  values.map(op.getInductionVar(), counter);
  for (auto [arg, lane] :
       llvm::zip(op.getRegionIterArgs(), after->getArguments().drop_front()))
    values.map(arg, lane);
  if (failed(widenBlock(*op.getBody(), active)))
    return failure();
  SmallVector<Value> yielded = {
      select(loc, active, arith::AddIOp::create(builder, loc, counter, step),
             counter)};
  for (auto [value, old] :
       llvm::zip(op.getYieldedValues(), after->getArguments().drop_front()))
    yielded.push_back(select(loc, active, getLanes(loc, value), old));
  scf::YieldOp::create(builder, loc, yielded);
  for (auto [result, lane] :
       llvm::zip(op.getResults(), loop.getResults().drop_front()))
    values.map(result, lane);
  return success();
}

/// The loop carries, besides what it did, the mask of the lanes that go on and
/// what the condition forwarded last for each lane.
LogicalResult KernelWidener::widenWhile(scf::WhileOp op, Value mask) {
  Location loc = op.getLoc();
  SmallVector<Value> inits;
  for (Type type :
       llvm::concat<const Type>(op.getOperandTypes(), op.getResultTypes()))
    if (!isLaneElement(type))
      return fail(op, "a loop that carries a type that has no lanes");
  for (Value init : op.getInits())
    inits.push_back(getLanes(loc, init));
  size_t numInits = inits.size();
  for (Type type : op.getResultTypes())
    inits.push_back(createZeros(loc, type));
  inits.push_back(mask ? mask : createSplat(loc, builder.getBoolAttr(true)));
  SmallVector<Type> initTypes(ValueRange(inits).getTypes());
  SmallVector<Type> resultTypes(ArrayRef(initTypes).drop_front(numInits));
  auto loop = scf::WhileOp::create(builder, loc, resultTypes, inits);

  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Location> locations(initTypes.size(), loc);
  Block *before =
      builder.createBlock(&loop.getBefore(), {}, initTypes, locations);
  Value active = before->getArguments().back();
  for (auto [arg, lane] :
       llvm::zip(op.getBeforeArguments(), before->getArguments()))
    values.map(arg, lane);
  if (failed(widenBlock(op.getBefore().front(), active)))
    return failure();
  scf::ConditionOp condition = op.getConditionOp();
  SmallVector<Value> forwarded;
  for (auto [value, old] :
       llvm::zip(condition.getArgs(),
                 before->getArguments().drop_front(numInits).drop_back()))
    forwarded.push_back(select(loc, active, getLanes(loc, value), old));
  Value goesOn = andMask(loc, active, getLanes(loc, condition.getCondition()));
  forwarded.push_back(goesOn);
  scf::ConditionOp::create(builder, loc, anyLane(loc, goesOn), forwarded);

  locations.resize(resultTypes.size(), loc);
  Block *after =
      builder.createBlock(&loop.getAfter(), {}, resultTypes, locations);
  for (auto [arg, lane] :
       llvm::zip(op.getAfterArguments(), after->getArguments()))
    values.map(arg, lane);
  if (failed(widenBlock(op.getAfter().front(), after->getArguments().back())))
    return failure();
  SmallVector<Value> yielded;
  for (Value value : op.getYieldOp().getOperands())
    yielded.push_back(getLanes(loc, value));
  llvm::append_range(yielded, after->getArguments());
  scf::YieldOp::create(builder, loc, yielded);
  for (auto [result, lane] : llvm::zip(op.getResults(), loop.getResults()))
    values.map(result, lane);
  return success();
}

//===----------------------------------------------------------------------===//
// Everything else
//===----------------------------------------------------------------------===//

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
  if (mask &&
      isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
          arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op)) {
    Type type = op->getResult(0).getType();
    state.operands[1] =
        select(loc, mask, state.operands[1],
               createSplat(loc, builder.getIntegerAttr(type, 1)));
  }
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
  if (isUniformOp && (isUniformRead(op, mask) || isPure(op) ||
                      (!mask && isMemoryEffectFree(op)))) {
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
  for (auto [from, to, uniform] :
       llvm::zip(kernel.getArguments(), entry->getArguments(), isUniform)) {
    values.map(from, to);
    if (!uniform)
      lanes.insert(from);
  }
  builder.setInsertionPointToStart(entry);
  if (failed(widenBlock(kernel.getBody().front(), Value()))) {
    problem = found;
    widened->erase();
    return {};
  }
  func::ReturnOp::create(builder, loc);
  SymbolTable(kernel->getParentOfType<ModuleOp>()).insert(widened);
  return widened;
}

func::FuncOp op2::widenKernel(func::FuncOp kernel, int64_t width,
                              ArrayRef<bool> isUniform,
                              std::optional<WidenProblem> &problem) {
  return KernelWidener(kernel, width, isUniform).run(problem);
}

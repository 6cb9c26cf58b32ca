//===- KernelRaiser.cpp - Kernels from LLVM to arith and memref -----------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRaiser.h"
#include "OP2/Analysis/KernelEffects.h"
#include "OP2/Analysis/SourceName.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mlir::op2;

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

FunctionType op2::getRaisedType(ArrayRef<LoopArg> args,
                                LLVM::LLVMFuncOp function) {
  SmallVector<Type> types, results;
  for (const LoopArg &arg : args)
    types.append(arg.getNumOperands(), arg.getOperandType());
  Type result = function.getFunctionType().getReturnType();
  if (!isa<LLVM::LLVMVoidType>(result))
    results.push_back(result);
  return FunctionType::get(function.getContext(), types, results);
}

std::optional<std::string> op2::checkRaisable(LLVM::LLVMFuncOp kernel,
                                              ArrayRef<LoopArg> args) {
  if (kernel.isExternal())
    return describeMissingBody(kernel).str();
  for (auto [number, arg] : llvm::enumerate(args)) {
    std::string name = "takes argument " + std::to_string(number);
    if (ShapedType::isDynamic(arg.getDim()))
      return name + ", whose dim is known at run time only";
    if (!isa<LLVM::LLVMPointerType>(kernel.getArgumentTypes()[number]))
      return name + ", which is not a pointer";
  }
  return std::nullopt;
}

KernelRaiser::KernelRaiser(LLVM::LLVMFuncOp kernel, ArrayRef<LoopArg> args,
                           func::FuncOp raised)
    : kernel(kernel), args(args), raised(raised), pointers(kernel, args),
      builder(kernel.getContext()) {}

LogicalResult KernelRaiser::fail(Operation *op, const Twine &reason) {
  if (!obstacle)
    obstacle = Obstacle{reason.str(), op->getLoc()};
  return failure();
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void KernelRaiser::mapParameters() {
  Block *entry = raised.addEntryBlock();
  scalars.map(&kernel.getBody().front(), entry);
  unsigned next = 0;
  for (auto [number, arg] : llvm::enumerate(args)) {
    Value parameter = kernel.getArgument(number);
    for (int64_t slot = 0; slot < arg.getNumOperands(); ++slot)
      rows[{parameter, slot}] = raised.getArgument(next++);
    places[parameter] = getStart(pointers.findBase(parameter));
  }
}

/// Pointers that depend on the way a block was reached become indices, if they
/// all point into one memref; addresses, if all point to memory of the program;
/// nothing if neither.
void KernelRaiser::createBlocks() {
  for (Block &block : llvm::drop_begin(kernel.getBody())) {
    Block *copy = builder.createBlock(&raised.getBody());
    scalars.map(&block, copy);
    for (BlockArgument arg : block.getArguments()) {
      if (!isa<LLVM::LLVMPointerType>(arg.getType())) {
        scalars.map(arg, copy->addArgument(arg.getType(), arg.getLoc()));
        continue;
      }
      PointerBase base = pointers.findBase(arg);
      if (base.isMemory())
        scalars.map(arg,
                    copy->addArgument(builder.getIndexType(), arg.getLoc()));
      else if (base.kind == PointerBase::Kind::Program)
        scalars.map(arg, copy->addArgument(arg.getType(), arg.getLoc()));
    }
  }
}

void KernelRaiser::enterBlock(Block &block) {
  builder.setInsertionPointToEnd(scalars.lookup(&block));
  if (block.isEntryBlock())
    return;
  for (BlockArgument arg : block.getArguments()) {
    if (!isa<LLVM::LLVMPointerType>(arg.getType()))
      continue;
    Place place = getStart(pointers.findBase(arg));
    if (place.base.isMemory())
      place.elements.push_back(scalars.lookup(arg));
    else
      place.address = scalars.lookupOrNull(arg);
    places[arg] = place;
  }
}

LogicalResult KernelRaiser::run() {
  mapParameters();
  createBlocks();
  // Values are defined before they are used in this order.
  llvm::ReversePostOrderTraversal<Region *> order(&kernel.getBody());
  llvm::SmallPtrSet<Block *, 8> reached;
  for (Block *block : order) {
    reached.insert(block);
    enterBlock(*block);
    for (Operation &op : *block)
      if (failed(raiseOp(&op)))
        return failure();
  }
  for (Block &block : kernel.getBody())
    if (!reached.contains(&block))
      scalars.lookup(&block)->erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

static bool isPointer(Type type) { return isa<LLVM::LLVMPointerType>(type); }

/// A hint to LLVM's optimiser.
static bool isHint(Operation *op) {
  return isa<LLVM::LifetimeStartOp, LLVM::LifetimeEndOp, LLVM::AssumeOp,
             LLVM::NoAliasScopeDeclOp, LLVM::DbgDeclareOp, LLVM::DbgValueOp,
             LLVM::DbgLabelOp, LLVM::InvariantStartOp, LLVM::InvariantEndOp>(
      op);
}

FailureOr<SmallVector<Value>> KernelRaiser::getScalars(Operation *op) {
  SmallVector<Value> values;
  for (Value operand : op->getOperands()) {
    Value value = scalars.lookupOrNull(operand);
    if (!value || isPointer(operand.getType()))
      return failure();
    values.push_back(value);
  }
  return values;
}

LogicalResult KernelRaiser::raiseOp(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>())
    return raiseTerminator(op);
  if (isHint(op))
    return success();
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return raiseLoad(load);
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return raiseStore(store);
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    return raiseCall(call);
  if (op->getNumResults() == 1 && isPointer(op->getResult(0).getType()))
    return raisePointer(op);
  return raiseOther(op);
}

/// The length of a copy, if it is a constant.
static std::optional<int64_t> getLength(Value length) {
  APInt value;
  if (!matchPattern(length, m_ConstantInt(&value)))
    return std::nullopt;
  return value.getSExtValue();
}

LogicalResult KernelRaiser::raiseOther(Operation *op) {
  if (auto copy = dyn_cast<LLVM::MemcpyOp>(op))
    if (std::optional<int64_t> length = getLength(copy.getLen()))
      return raiseCopy(op, copy.getDst(), copy.getSrc(), *length);
  if (auto copy = dyn_cast<LLVM::MemmoveOp>(op))
    if (std::optional<int64_t> length = getLength(copy.getLen()))
      return raiseCopy(op, copy.getDst(), copy.getSrc(), *length);
  if (auto fill = dyn_cast<LLVM::MemsetOp>(op))
    if (std::optional<int64_t> length = getLength(fill.getLen()))
      return raiseFill(op, fill.getDst(), fill.getVal(), *length);
  // The size of a container is a difference of its pointers.
  if (isa<LLVM::PtrToIntOp>(op))
    if (Value address = getPlace(op->getOperand(0)).address) {
      Operation *number = builder.clone(*op);
      number->setOperand(0, address);
      scalars.map(op->getResult(0), number->getResult(0));
      return success();
    }
  if (isa<LLVM::ICmpOp>(op) && isPointer(op->getOperand(0).getType()))
    return fail(op, "compares pointers");
  FailureOr<SmallVector<Value>> operands = getScalars(op);
  Value value;
  if (succeeded(operands))
    value = raiseScalar(builder, op, *operands);
  if (!value)
    return fail(op, "uses '" + op->getName().getStringRef() + "'" +
                        (op->getNumResults() == 1 &&
                                 !op->getResult(0).getType().isIntOrFloat()
                             ? " of a type that is not a number"
                             : ""));
  scalars.map(op->getResult(0), value);
  return success();
}

/// A call of a function whose body is elsewhere stays, if it does nothing that
/// others notice. Its pointers lead to rows, local variables, or the program's
/// memory.
LogicalResult KernelRaiser::keepCall(LLVM::CallOp op) {
  auto callee = op.getCallee()
                    ? SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
                          op, op.getCalleeAttr())
                    : LLVM::LLVMFuncOp();
  if (!callee || !callee.isExternal() ||
      llvm::any_of(op.getResultTypes(), isPointer))
    return failure();
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    if (!isPointer(operand.getType())) {
      operands.push_back(scalars.lookupOrNull(operand));
      continue;
    }
    FailureOr<Value> address = getAddress(op, getPlace(operand));
    if (failed(address))
      return failure();
    operands.push_back(*address);
  }
  if (!llvm::all_of(operands, [](Value value) { return bool(value); }))
    return failure();
  Operation *call = builder.clone(*op);
  call->setOperands(operands);
  if (!isConfined(cast<LLVM::CallOp>(call), raised, args)) {
    call->erase();
    return failure();
  }
  scalars.map(op->getResults(), call->getResults());
  return success();
}

LogicalResult KernelRaiser::raiseCall(LLVM::CallOp op) {
  FailureOr<SmallVector<Value>> operands = getScalars(op);
  if (succeeded(operands))
    if (Value value = raiseMathCall(builder, op, *operands)) {
      scalars.map(op.getResult(), value);
      return success();
    }
  if (succeeded(keepCall(op)))
    return success();
  if (auto name = op.getCallee(); name && *name == "__cxa_allocate_exception")
    return fail(op, "throws");
  if (auto name = op.getCallee())
    return fail(op, "calls '" + getSourceName(*name) + "'" +
                        getCallHint(*name).str());
  return fail(op, "calls a function through a pointer");
}

//===----------------------------------------------------------------------===//
// Terminators
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<Value>>
KernelRaiser::getBlockOperands(Operation *op, Block *block,
                               OperandRange values) {
  SmallVector<Value> operands;
  for (auto [value, arg] : llvm::zip(values, block->getArguments())) {
    if (!isPointer(arg.getType())) {
      operands.push_back(scalars.lookup(value));
      continue;
    }
    // Others are refused where they are used.
    if (!scalars.contains(arg))
      continue;
    Place place = getPlace(value);
    if (place.address) {
      operands.push_back(place.address);
      continue;
    }
    FailureOr<Value> index = getElementIndex(op, place);
    if (failed(index))
      return failure();
    if (!place.isAligned)
      return fail(op, "counts with a pointer that may not be aligned");
    operands.push_back(*index);
  }
  return operands;
}

LogicalResult KernelRaiser::raiseSwitch(LLVM::SwitchOp op) {
  FailureOr<SmallVector<Value>> defaults =
      getBlockOperands(op, op.getDefaultDestination(), op.getDefaultOperands());
  if (failed(defaults))
    return failure();
  SmallVector<SmallVector<Value>> operands;
  SmallVector<Block *> blocks;
  for (auto [number, block] : llvm::enumerate(op.getCaseDestinations())) {
    FailureOr<SmallVector<Value>> values =
        getBlockOperands(op, block, op.getCaseOperands(number));
    if (failed(values))
      return failure();
    operands.push_back(*values);
    blocks.push_back(scalars.lookup(block));
  }
  cf::SwitchOp::create(builder, op.getLoc(), scalars.lookup(op.getValue()),
                       scalars.lookup(op.getDefaultDestination()), *defaults,
                       op.getCaseValuesAttr(), blocks,
                       llvm::map_to_vector(operands, [](auto &list) {
                         return ValueRange(list);
                       }));
  return success();
}

LogicalResult KernelRaiser::raiseTerminator(Operation *op) {
  Location loc = op->getLoc();
  if (auto branch = dyn_cast<LLVM::BrOp>(op)) {
    auto operands =
        getBlockOperands(op, branch.getDest(), branch.getDestOperands());
    if (failed(operands))
      return failure();
    cf::BranchOp::create(builder, loc, scalars.lookup(branch.getDest()),
                         *operands);
    return success();
  }
  if (auto branch = dyn_cast<LLVM::CondBrOp>(op)) {
    auto onTrue = getBlockOperands(op, branch.getTrueDest(),
                                   branch.getTrueDestOperands());
    auto onFalse = getBlockOperands(op, branch.getFalseDest(),
                                    branch.getFalseDestOperands());
    if (failed(onTrue) || failed(onFalse))
      return failure();
    cf::CondBranchOp::create(builder, loc,
                             scalars.lookup(branch.getCondition()),
                             scalars.lookup(branch.getTrueDest()), *onTrue,
                             scalars.lookup(branch.getFalseDest()), *onFalse);
    return success();
  }
  if (auto branch = dyn_cast<LLVM::SwitchOp>(op))
    return raiseSwitch(branch);
  // What cannot be reached may as well return.
  if (isa<LLVM::ReturnOp, LLVM::UnreachableOp>(op)) {
    SmallVector<Value> results;
    for (auto [number, type] : llvm::enumerate(raised.getResultTypes())) {
      Value value = isa<LLVM::ReturnOp>(op)
                        ? scalars.lookupOrNull(op->getOperand(number))
                        : Value(arith::ConstantOp::create(
                              builder, loc, builder.getZeroAttr(type)));
      if (!value)
        return fail(op, "returns what is not a number");
      results.push_back(value);
    }
    func::ReturnOp::create(builder, loc, results);
    return success();
  }
  return fail(op, "uses '" + op->getName().getStringRef() + "'");
}

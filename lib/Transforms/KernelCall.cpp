//===- KernelCall.cpp - The body of a loop over elements ------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Transforms/KernelCall.h"
#include "OP2/Analysis/LoopArguments.h"
#include "OP2/Analysis/Ownership.h"
#include "OP2/Analysis/Vectorization.h"
#include "OP2/Transforms/PrivateMemory.h"
#include "PackedRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::op2;

/// Functions with this attribute pass memrefs as bare pointers (func to LLVM).
static constexpr llvm::StringLiteral kBarePointerAttr = "llvm.bareptr";

void op2::separateKernelValues(ModuleOp module) {
  SmallVector<func::ConstantOp> values;
  llvm::SmallDenseSet<Attribute> kernels;
  module.walk([&](Operation *op) {
    if (auto value = dyn_cast<func::ConstantOp>(op))
      values.push_back(value);
    else if (auto loop = dyn_cast<ParLoopOp>(op))
      kernels.insert(loop.getKernelAttr());
  });
  llvm::SmallDenseMap<Attribute, func::FuncOp> copies;
  for (func::ConstantOp value : values) {
    FlatSymbolRefAttr name = value.getValueAttr();
    auto function =
        SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(value, name);
    if (!kernels.contains(name) || !function || function.isExternal())
      continue;
    func::FuncOp &copy = copies[name];
    if (!copy) {
      copy = function.clone();
      copy.setPrivate();
      SymbolTable(function->getParentOp()).insert(copy);
    }
    value.setValueAttr(FlatSymbolRefAttr::get(copy));
  }
}

KernelCall::KernelCall(ParLoopOp loop, FunctionOpInterface kernel)
    : loop(loop), kernel(kernel), takesPointers(isa<LLVM::LLVMFuncOp>(kernel)),
      args(loop.getLoopArgs()) {
  if (!takesPointers)
    kernel->setAttr(kBarePointerAttr, UnitAttr::get(loop.getContext()));
}

void KernelCall::acquireStorage(OpBuilder &builder) {
  Location loc = loop.getLoc();
  for (const LoopArg &arg : args) {
    if (arg.isDat() && !storage.contains(arg.data)) {
      auto type = cast<DatType>(arg.data.getType());
      storage[arg.data] =
          DatDataOp::create(builder, loc, type.getStorageType(), arg.data);
    }
    if (arg.map && !storage.contains(arg.map)) {
      auto type = cast<MapType>(arg.map.getType());
      storage[arg.map] =
          MapTableOp::create(builder, loc, type.getTableType(), arg.map);
    }
  }
}

Value KernelCall::setTerms(OpBuilder &builder, unsigned number,
                           Value reduction) {
  auto type = cast<ReductionType>(reduction.getType());
  Value terms =
      TermsOp::create(builder, loop.getLoc(), type.getPartialType(), reduction);
  setGlobal(number, terms);
  return terms;
}

Value KernelCall::getSlot(OpBuilder &builder, int64_t number) {
  return arith::ConstantIndexOp::create(builder, loop.getLoc(), number);
}

Value KernelCall::loadMapEntry(OpBuilder &builder, Value map, Value element,
                               Value slot) {
  Location loc = loop.getLoc();
  Value entry = memref::LoadOp::create(builder, loc, storage.at(map),
                                       ValueRange{element, slot});
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    entry);
}

/// The number of the element that the argument's data belong to.
Value KernelCall::getTarget(OpBuilder &builder, const LoopArg &arg,
                            Value element, Value slot) {
  if (!arg.map)
    return element;
  if (!arg.flag)
    return loadMapEntry(builder, arg.map, element, slot);
  // An argument that is not there may come without a map.
  auto branch = scf::IfOp::create(builder, loop.getLoc(),
                                  builder.getIndexType(), arg.flag,
                                  /*withElseRegion=*/true);
  OpBuilder thenBuilder = branch.getThenBodyBuilder();
  scf::YieldOp::create(thenBuilder, loop.getLoc(),
                       loadMapEntry(thenBuilder, arg.map, element, slot));
  OpBuilder elseBuilder = branch.getElseBodyBuilder();
  Value zero = arith::ConstantIndexOp::create(elseBuilder, loop.getLoc(), 0);
  scf::YieldOp::create(elseBuilder, loop.getLoc(), zero);
  return branch.getResult(0);
}

Value KernelCall::getRow(OpBuilder &builder, unsigned number, Value index) {
  const LoopArg &arg = args[number];
  Location loc = loop.getLoc();
  Value data = storage.at(arg.data);
  // The kernel takes a packed row as it is copied.
  Type type = takesPointers && !arg.isPacked()
                  ? Type(LLVM::LLVMPointerType::get(loop.getContext()))
                  : Type(arg.getRowType());
  auto range = owned.find(number);
  if (range == owned.end())
    return RowOp::create(builder, loc, type, data, index);
  Value spare =
      createPrivateRow(builder, loc, arg.getRowType(), data,
                       !arg.isPacked() && !fitOnStack(args, op2::isOwned));
  auto [begin, end] = range->second;
  return OwnedRowOp::create(builder, loc, type, data, index, begin, end, spare);
}

Value KernelCall::isOwned(OpBuilder &builder, unsigned number, Value element) {
  Location loc = loop.getLoc();
  const LoopArg &arg = args[number];
  Value row = arg.map ? loadMapEntry(builder, arg.map, element,
                                     getSlot(builder, arg.attr.getSlot()))
                      : element;
  auto [begin, end] = owned.at(number);
  Value isAbove = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                        row, begin);
  Value isBelow =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, row, end);
  return arith::AndIOp::create(builder, loc, isAbove, isBelow);
}

Value KernelCall::getGlobal(OpBuilder &builder, unsigned number) {
  Value memref = globals.lookup(number);
  if (!memref)
    memref = args[number].data;
  if (!takesPointers)
    return memref;
  auto pointer = LLVM::LLVMPointerType::get(loop.getContext());
  return PtrCastOp::create(builder, loop.getLoc(), pointer, memref,
                           ValueRange());
}

bool KernelCall::isSet(unsigned number) const {
  return op2::isSet(args[number], dyn_cast<func::FuncOp>(*kernel),
                    getFirstOperand(args, number));
}

Value KernelCall::getPackedRow(OpBuilder &builder, unsigned number,
                               Value element, Value slot) {
  if (int64_t first = args[number].attr.getSlot())
    slot = arith::AddIOp::create(builder, loop.getLoc(), slot,
                                 getSlot(builder, first));
  return getRow(builder, number,
                loadMapEntry(builder, args[number].map, element, slot));
}

SmallVector<Value> KernelCall::getSources(OpBuilder &builder, unsigned number,
                                          Value element) {
  const LoopArg &arg = args[number];
  if (arg.isGlobal())
    return {getGlobal(builder, number)};
  int64_t first = arg.attr.getSlot();
  if (arg.isIndex())
    return {getTarget(builder, arg, element, getSlot(builder, first))};
  SmallVector<Value> rows;
  for (int64_t slot = first; slot < first + arg.attr.getCount(); ++slot)
    rows.push_back(
        getRow(builder, number,
               getTarget(builder, arg, element, getSlot(builder, slot))));
  return rows;
}

void KernelCall::appendOperands(OpBuilder &builder, unsigned number,
                                ArrayRef<Value> sources,
                                SmallVectorImpl<Value> &operands) {
  const LoopArg &arg = args[number];
  Location loc = loop.getLoc();
  auto pointer = LLVM::LLVMPointerType::get(loop.getContext());
  if (arg.isIndex()) {
    Value cell = createPrivate(builder, loc, arg.getRowType());
    Value number = arith::IndexCastOp::create(
        builder, loc, builder.getI32Type(), sources.front());
    memref::StoreOp::create(
        builder, loc, number, cell,
        ValueRange(arith::ConstantIndexOp::create(builder, loc, 0)));
    if (takesPointers)
      cell = PtrCastOp::create(builder, loc, pointer, cell, ValueRange());
    operands.push_back(cell);
  } else if (takesPointers && arg.takesTable()) {
    operands.push_back(RowTableOp::create(builder, loc, pointer, sources));
  } else {
    operands.append(sources.begin(), sources.end());
  }
}

Operation *KernelCall::emitCall(OpBuilder &builder, Value element) {
  // Maps are read before private memory is written: two arguments through one
  // slot then are one load.
  SmallVector<SmallVector<Value>> sources;
  for (unsigned number = 0, end = args.size(); number < end; ++number)
    sources.push_back(args[number].isPacked()
                          ? SmallVector<Value>()
                          : getSources(builder, number, element));
  llvm::MapVector<unsigned, PackedRows> packed;
  for (auto [number, arg] : llvm::enumerate(args))
    if (arg.isPacked())
      packed.insert(
          {number, PackedRows(builder, loop.getLoc(), arg, isSet(number))});
  auto getRowOf = [&](unsigned number) {
    return [this, number, element](OpBuilder &inLoop, Value slot) {
      return getPackedRow(inLoop, number, element, slot);
    };
  };
  for (auto &[number, rows] : packed) {
    rows.load(builder, getRowOf(number));
    Value memory = rows.getMemory();
    if (takesPointers)
      memory = PtrCastOp::create(builder, loop.getLoc(),
                                 LLVM::LLVMPointerType::get(loop.getContext()),
                                 memory, ValueRange());
    sources[number] = {memory};
  }
  SmallVector<Value> operands;
  for (unsigned number = 0, end = args.size(); number < end; ++number) {
    appendOperands(builder, number, sources[number], operands);
    // As in the application's header: an argument that is not there is NULL.
    if (takesPointers && args[number].flag) {
      Value null = LLVM::ZeroOp::create(builder, loop.getLoc(),
                                        operands.back().getType());
      operands.back() = LLVM::SelectOp::create(
          builder, loop.getLoc(), args[number].flag, operands.back(), null);
    }
  }
  Operation *call;
  if (takesPointers) {
    auto function = cast<LLVM::LLVMFuncOp>(*kernel);
    auto direct =
        LLVM::CallOp::create(builder, loop.getLoc(), function, operands);
    direct.setCConv(function.getCConv());
    call = direct;
  } else {
    call = func::CallOp::create(builder, loop.getLoc(),
                                cast<func::FuncOp>(*kernel), operands);
  }
  for (auto &[number, rows] : packed)
    rows.store(builder, getRowOf(number));
  return call;
}

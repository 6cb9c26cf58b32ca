//===- KernelWrites.cpp - Values that every call of a kernel writes -------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each value is followed to the parameters whose memory it may be: a union over
// all ways by which it got its value, so that a write to memory of one of
// several parameters is known to be no more than that.
//
//===----------------------------------------------------------------------===//

#include "OP2/Dialect/KernelWrites.h"
#include "OP2/Dialect/OP2Ops.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::op2;

namespace {
/// Whose memory a value may be.
struct Origin {
  llvm::SmallBitVector parameters;
  bool isOther = false; ///< or memory that is no parameter's

  /// Whether it certainly is that of one of the parameters.
  bool isKnown() const { return !isOther && parameters.any(); }
  bool merge(const Origin &other) {
    Origin old = *this;
    parameters |= other.parameters;
    isOther |= other.isOther;
    return isOther != old.isOther || parameters != old.parameters;
  }
};

/// What a function does to the memory of its parameters.
struct Summary {
  /// For each set of parameters the first write to one of them.
  llvm::MapVector<llvm::SmallBitVector, Operation *> writes;
  SmallVector<Origin> results;
};

/// The functions of a module that a kernel calls, each looked at once.
class FunctionSummaries {
public:
  explicit FunctionSummaries(SymbolTableCollection &symbols)
      : symbols(symbols) {}

  /// Null if the function is not analysed, or is being analysed: of
  /// one that calls itself what it does before counts.
  const Summary *get(FunctionOpInterface function);
  const Summary *getCalled(CallOpInterface call);

private:
  SymbolTableCollection &symbols;
  DenseMap<Operation *, std::unique_ptr<Summary>> known;
};

/// Follows the values of one function.
class OriginAnalysis {
public:
  OriginAnalysis(FunctionOpInterface function, FunctionSummaries &summaries)
      : function(function), summaries(summaries) {}

  Summary run();

private:
  static bool isMemory(Value value) {
    return isa<BaseMemRefType, LLVM::LLVMPointerType>(value.getType());
  }
  /// What has not been met yet may still turn out to be a parameter's; in the
  /// end it is not.
  Origin get(Value value) const {
    auto it = origins.find(value);
    if (it != origins.end())
      return it->second;
    return Origin{{}, isDone || !isMemory(value)};
  }
  void add(Value value, const Origin &origin) {
    if (isMemory(value))
      hasChanged |= origins[value].merge(origin);
  }
  void addOther(Value value) { add(value, Origin{{}, true}); }
  void visit(Operation *op);
  void visitRegions(Operation *op);
  void visitCall(CallOpInterface call);
  void visitBranch(BranchOpInterface branch);
  Origin mapToCaller(const llvm::SmallBitVector &parameters, bool isOther,
                     OperandRange operands) const;
  void collectWrites(Operation *op, Summary &summary) const;

  FunctionOpInterface function;
  FunctionSummaries &summaries;
  DenseMap<Value, Origin> origins;
  bool hasChanged = false, isCarried = false, isDone = false;
};
} // namespace

/// The memory that the result of `op` is part of; null if that is not known.
static Value getViewed(Operation *op) {
  if (auto view = dyn_cast<ViewLikeOpInterface>(op))
    return view.getViewSource();
  if (auto row = dyn_cast<RowOp>(op))
    return row.getData();
  if (auto cast = dyn_cast<PtrCastOp>(op))
    return cast.getSource();
  if (isa<CastOpInterface>(op) && op->getNumOperands() == 1 &&
      op->getNumResults() == 1)
    return op->getOperand(0);
  return {};
}

void OriginAnalysis::visit(Operation *op) {
  if (Value source = getViewed(op)) {
    for (Value result : op->getResults())
      add(result, get(source));
  } else if (auto choice = dyn_cast<SelectLikeOpInterface>(op)) {
    add(op->getResult(0), get(choice.getTrueValue()));
    add(op->getResult(0), get(choice.getFalseValue()));
  } else if (op->getNumRegions() > 0) {
    visitRegions(op);
  } else if (auto branch = dyn_cast<BranchOpInterface>(op)) {
    visitBranch(branch);
  } else if (auto call = dyn_cast<CallOpInterface>(op)) {
    visitCall(call);
  } else {
    for (Value result : op->getResults())
      addOther(result);
  }
}

/// Memory that goes in and out of regions, and around in loops.
void OriginAnalysis::visitRegions(Operation *op) {
  SmallVector<Value> inputs;
  llvm::copy_if(op->getResults(), std::back_inserter(inputs), isMemory);
  for (Region &region : op->getRegions())
    llvm::copy_if(region.getArguments(), std::back_inserter(inputs), isMemory);
  if (inputs.empty())
    return;
  RegionBranchInverseSuccessorMapping sources;
  if (auto branch = dyn_cast<RegionBranchOpInterface>(op))
    branch.getSuccessorInputOperandMapping(sources);
  isCarried = true;
  for (Value input : inputs) {
    auto it = sources.find(input);
    if (it == sources.end())
      addOther(input);
    else
      for (OpOperand *source : it->second)
        add(input, get(source->get()));
  }
}

void OriginAnalysis::visitBranch(BranchOpInterface branch) {
  isCarried = true;
  for (auto [number, block] : llvm::enumerate(branch->getSuccessors())) {
    SuccessorOperands operands = branch.getSuccessorOperands(number);
    for (auto [position, argument] : llvm::enumerate(block->getArguments()))
      if (operands.isOperandProduced(position))
        addOther(argument);
      else
        add(argument, get(operands[position]));
  }
}

/// The writes to a callee's parameters, in terms of the caller.
Origin OriginAnalysis::mapToCaller(const llvm::SmallBitVector &parameters,
                                   bool isOther, OperandRange operands) const {
  Origin result{{}, isOther};
  for (unsigned parameter : parameters.set_bits()) {
    if (parameter >= operands.size())
      return Origin{{}, true};
    result.merge(get(operands[parameter]));
  }
  return result;
}

void OriginAnalysis::visitCall(CallOpInterface call) {
  const Summary *summary = summaries.getCalled(call);
  for (auto [number, result] : llvm::enumerate(call->getResults())) {
    if (!summary || number >= summary->results.size()) {
      addOther(result);
      continue;
    }
    const Origin &origin = summary->results[number];
    add(result, mapToCaller(origin.parameters, origin.isOther,
                            OperandRange(call.getArgOperands())));
  }
}

/// What only has the effect to be kept in order is no write.
static bool isHint(Operation *op) {
  return isa<memref::PrefetchOp, LLVM::Prefetch>(op);
}

void OriginAnalysis::collectWrites(Operation *op, Summary &summary) const {
  auto addWrite = [&](const Origin &origin, Operation *write) {
    if (origin.isKnown())
      summary.writes.insert({origin.parameters, write});
  };
  if (auto call = dyn_cast<CallOpInterface>(op)) {
    if (const Summary *called = summaries.getCalled(call))
      for (auto &[parameters, write] : called->writes)
        addWrite(mapToCaller(parameters, /*isOther=*/false,
                             OperandRange(call.getArgOperands())),
                 write);
    return;
  }
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects || isHint(op))
    return;
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  for (const MemoryEffects::EffectInstance &effect : instances)
    if (isa<MemoryEffects::Write>(effect.getEffect()) && effect.getValue())
      addWrite(get(effect.getValue()), op);
}

Summary OriginAnalysis::run() {
  Region &body = function.getFunctionBody();
  unsigned numParameters = body.getNumArguments();
  for (BlockArgument parameter : body.getArguments()) {
    Origin origin{llvm::SmallBitVector(numParameters), false};
    origin.parameters.set(parameter.getArgNumber());
    add(parameter, origin);
  }
  do {
    hasChanged = false;
    body.walk<WalkOrder::PreOrder>([&](Operation *op) { visit(op); });
  } while (hasChanged && isCarried);
  isDone = true;

  Summary summary;
  summary.results.resize(function.getNumResults());
  body.walk<WalkOrder::PreOrder>([&](Operation *op) {
    collectWrites(op, summary);
    if (op->hasTrait<OpTrait::ReturnLike>() &&
        op->getParentOp() == function.getOperation())
      for (auto [result, value] : llvm::zip(summary.results, op->getOperands()))
        result.merge(get(value));
  });
  return summary;
}

const Summary *FunctionSummaries::get(FunctionOpInterface function) {
  auto [it, isNew] = known.try_emplace(function);
  if (!isNew)
    return it->second.get();
  if (function.isExternal() || function.getFunctionBody().empty())
    return nullptr;
  Summary summary = OriginAnalysis(function, *this).run();
  return (known[function] = std::make_unique<Summary>(std::move(summary)))
      .get();
}

const Summary *FunctionSummaries::getCalled(CallOpInterface call) {
  auto callee = dyn_cast_or_null<FunctionOpInterface>(
      call.resolveCallableInTable(&symbols));
  return callee ? get(callee) : nullptr;
}

std::optional<KernelWrite>
op2::findReadWritten(FunctionOpInterface kernel, ArrayRef<LoopArg> args,
                     SymbolTableCollection &symbols) {
  SmallVector<unsigned> argOf;
  llvm::SmallBitVector read;
  for (auto [number, arg] : llvm::enumerate(args)) {
    argOf.append(arg.getNumOperands(), number);
    // The place of an index is the element's own.
    read.resize(argOf.size(),
                arg.getAccess() == Access::Read && !arg.isIndex());
  }
  if (read.none() || read.size() != kernel.getNumArguments())
    return std::nullopt;
  FunctionSummaries summaries(symbols);
  const Summary *summary = summaries.get(kernel);
  if (!summary)
    return std::nullopt;
  for (auto &[parameters, write] : summary->writes) {
    // test(): whether there are some that are not read.
    if (parameters.test(read))
      continue;
    auto parameter = unsigned(parameters.find_first());
    return KernelWrite{write, parameter, argOf[parameter]};
  }
  return std::nullopt;
}

//===- LoopSlices.cpp - The parts of a loop -------------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopSlices.h"
#include "OP2/Analysis/KernelEffects.h"
#include "OP2/Analysis/LoopArguments.h"
#include "OP2/Analysis/SourceName.h"
#include "OP2/Transforms/Canonicalize.h"
#include "OP2/Transforms/KeepBlocks.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace mlir::op2;

LoopSlices::LoopSlices(ParLoopOp loop)
    : loop(loop), kernel(SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
                      loop, loop.getKernelAttr())),
      args(loop.getLoopArgs()) {
  auto function = loop->getParentOfType<func::FuncOp>();
  isPromised = function && function->hasAttr(kFusibleAttr);
  obstacle = findObstacle();
  if (!obstacle)
    obstacle = findUnits();
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

// X1: a kernel of which slices can be taken. X2: arguments of every execution.
std::optional<std::string> LoopSlices::findObstacle() {
  std::string name = "[X1] kernel '" + getSourceName(loop.getKernel()) + "'";
  if (!kernel || kernel.isExternal())
    return name + " is not raised";
  if (!kernel.getBody().hasOneBlock())
    return name + " has control flow that is not structured";
  if (Operation *effect = findSideEffect(kernel, args))
    return name + " has '" + effect->getName().getStringRef().str() +
           "', which may not run twice";
  bool passesMemory = kernel
                          .walk([](PtrCastOp cast) {
                            return isa<MemRefType>(cast.getSource().getType())
                                       ? WalkResult::interrupt()
                                       : WalkResult::advance();
                          })
                          .wasInterrupted();
  if (passesMemory)
    return name + " passes its memory to a function";
  for (auto [number, arg] : llvm::enumerate(args)) {
    if (arg.isInfo())
      return "[X2] " + describeArg(loop, number) + " is an info";
    if (std::optional<std::string> kind = findKindObstacle(arg))
      return "[X2] " + describeArg(loop, number) + " " + *kind;
  }
  return std::nullopt;
}

// X3: what one part changes, the other does not use. X4: what has different
// names is different data.
std::string LoopSlices::findTie(unsigned a, unsigned b,
                                ArrayRef<llvm::BitVector> used) const {
  if (used[b].test(a))
    return "[X3] " + describeArg(loop, a) +
           " goes into what is computed for argument " + std::to_string(b);
  for (unsigned other : used[b].set_bits()) {
    if (args[other].isIndex())
      continue;
    if (args[a].data == args[other].data)
      return "[X3] " + describeArg(loop, a) + " and argument " +
             std::to_string(other) + " are one datum";
    if (!areDifferent(args[a].data, args[other].data, isPromised))
      return "[X4] " + describeArg(loop, a) + " and argument " +
             std::to_string(other) + " may be the same data";
  }
  return "";
}

std::optional<std::string> LoopSlices::findUnits() {
  SmallVector<llvm::BitVector> used(args.size());
  llvm::EquivalenceClasses<unsigned> classes;
  for (auto [number, arg] : llvm::enumerate(args)) {
    if (!isChanged(arg))
      continue;
    llvm::BitVector alone(args.size());
    alone.set(number);
    used[number] = getPart(alone).used;
    classes.insert(number);
  }
  std::string lastTie = "[X3] it changes one datum only";
  for (unsigned a = 0; a < args.size(); ++a)
    for (unsigned b = 0; b < args.size(); ++b) {
      if (a == b || !isChanged(args[a]) || !isChanged(args[b]) ||
          classes.isEquivalent(a, b))
        continue;
      std::string tie = findTie(a, b, used);
      if (tie.empty())
        continue;
      classes.unionSets(a, b);
      lastTie = tie;
    }
  for (const auto *member : classes) {
    if (!member->isLeader())
      continue;
    llvm::BitVector unit(args.size());
    for (unsigned number : classes.members(*member))
      unit.set(number);
    units.push_back(std::move(unit));
  }
  if (units.size() < 2)
    return lastTie;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// The parameter that a memref is, or is a part of; -1 for memory of the
/// kernel's own.
static int64_t findParameter(Value memory, func::FuncOp kernel) {
  auto argument = dyn_cast<BlockArgument>(getWholeMemory(memory));
  return argument && argument.getOwner() == &kernel.getBody().front()
             ? int64_t(argument.getArgNumber())
             : -1;
}

/// Removes stores to the parameters in `unwanted`, and then what is unused.
static void slice(func::FuncOp kernel, const llvm::BitVector &unwanted) {
  SmallVector<memref::StoreOp> stores;
  kernel.walk([&](memref::StoreOp store) {
    int64_t parameter = findParameter(store.getMemRef(), kernel);
    if (parameter >= 0 && unwanted.test(parameter))
      stores.push_back(store);
  });
  for (memref::StoreOp store : stores)
    store.erase();
  // Without an end in sight the kernel is right, if larger than it need be.
  (void)applyPatternsGreedily(kernel, getCanonicalizations(kernel.getContext()),
                              keepBlocks());
}

LoopPart LoopSlices::getPart(const llvm::BitVector &outputs) {
  LoopPart part;
  part.outputs = outputs;
  part.kernel = kernel.clone();
  llvm::BitVector unwanted(kernel.getNumArguments());
  for (auto [number, arg] : llvm::enumerate(args)) {
    unsigned first = getFirstOperand(args, number);
    if (isChanged(arg) && !outputs.test(number))
      unwanted.set(first, first + arg.getNumOperands());
  }
  slice(*part.kernel, unwanted);
  part.used = outputs;
  llvm::BitVector unused(kernel.getNumArguments());
  for (auto [number, arg] : llvm::enumerate(args)) {
    unsigned first = getFirstOperand(args, number);
    for (int64_t row = 0; row < arg.getNumOperands(); ++row)
      if (!part.kernel->getArgument(first + row).use_empty())
        part.used.set(number);
    if (part.used.test(number))
      part.args.push_back(arg);
    else
      unused.set(first, first + arg.getNumOperands());
  }
  (void)part.kernel->eraseArguments(unused);
  return part;
}

//===- FusionLegality.cpp - Whether two loops may become one --------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Analysis/FusionLegality.h"
#include "OP2/Analysis/CostModel.h"
#include "OP2/Analysis/KernelAccesses.h"
#include "OP2/Analysis/KernelEffects.h"
#include "OP2/Analysis/LoopArguments.h"
#include "OP2/Analysis/Ownership.h"
#include "OP2/Analysis/SourceName.h"
#include "OP2/Analysis/Vectorization.h"

using namespace mlir;
using namespace mlir::op2;

FusionPair::FusionPair(ParLoopOp first, ParLoopOp second)
    : loops{first, second}, machine(MachineAttr::of(first)) {
  auto function = first->getParentOfType<func::FuncOp>();
  isPromised = function && function->hasAttr(kFusibleAttr);
  for (bool ofSecond : {false, true}) {
    loopArgs[ofSecond] = loops[ofSecond].getLoopArgs();
    kernels[ofSecond] = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        loops[ofSecond], loops[ofSecond].getKernelAttr());
  }
  for (bool ofSecond : {false, true})
    mergeArgs(ofSecond);
}

//===----------------------------------------------------------------------===//
// Arguments of the fused loop
//===----------------------------------------------------------------------===//

/// Whether two arguments give the kernel the same memory, or equal values.
static bool isSamePlace(const LoopArg &a, const LoopArg &b) {
  if (a.attr.getKind() != b.attr.getKind() || a.data != b.data ||
      a.map != b.map || a.flag != b.flag ||
      a.attr.getSlot() != b.attr.getSlot() ||
      a.attr.getCount() != b.attr.getCount() ||
      a.attr.getIsVector() != b.attr.getIsVector() ||
      a.isPacked() != b.isPacked())
    return false;
  // Others combine with what other elements do: each keeps its own.
  bool isOwnRow = a.isDat() && !a.isIndirect();
  return isOwnRow || (!isChanged(a) && !isChanged(b));
}

/// What the fused kernel does to data to which its first part does `earlier`
/// and its second part `later`; `isSet`: the first part stores all of it.
static Access mergeAccess(Access earlier, Access later, bool isSet) {
  if (earlier == later)
    return earlier;
  // A row that is not set keeps the values it had.
  return earlier == Access::Write && isSet ? Access::Write : Access::ReadWrite;
}

/// The same argument with another access and slot.
static LoopArgAttr replace(LoopArgAttr attr, Access access, int64_t slot) {
  return LoopArgAttr::get(attr.getContext(), attr.getKind(), access, slot,
                          attr.getCount(), attr.getIsVector(),
                          attr.getIsPacked(), attr.getIsInjective(),
                          attr.getIsOptional(), attr.getLayout());
}

void FusionPair::mergeArgs(bool ofSecond) {
  size_t numEarlier = ofSecond ? args.size() : 0;
  for (const LoopArg &arg : loopArgs[ofSecond]) {
    auto *same = llvm::find_if(
        args, [&](const LoopArg &other) { return isSamePlace(arg, other); });
    unsigned place = same - args.begin();
    places[ofSecond].push_back(place);
    if (same == args.end()) {
      args.push_back(arg);
      continue;
    }
    // Only one argument of a loop is checked: two with one row are rare.
    bool isSet = false;
    if (place < numEarlier && kernels[0] && kernels[0].getBody().hasOneBlock())
      for (auto [earlier, earlierPlace] : llvm::enumerate(places[0]))
        isSet |=
            earlierPlace == place &&
            isOverwritten(kernels[0], getFirstOperand(loopArgs[0], earlier));
    LoopArgAttr attr = same->attr;
    same->attr =
        replace(attr, mergeAccess(attr.getAccess(), arg.getAccess(), isSet),
                attr.getSlot());
  }
  // An info follows the same argument, which may have another number now.
  for (LoopArg &arg : llvm::drop_begin(args, numEarlier))
    if (arg.isInfo())
      arg.attr = replace(arg.attr, arg.getAccess(),
                         places[ofSecond][arg.attr.getSlot()]);
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

// F1: one set, one plan; kernels whose bodies can be joined.
std::optional<std::string> FusionPair::findKernelObstacle() const {
  ParLoopOp first = loops[0], second = loops[1];
  if (first.getSet() != second.getSet())
    return "[F1] they run over different sets";
  if (first.getBlockSizeAttr() != second.getBlockSizeAttr() ||
      first.getStrategyAttr() != second.getStrategyAttr())
    return "[F1] they ask for different plans";
  for (const LoopArg &arg : loopArgs[0])
    for (const LoopArg &other : loopArgs[1])
      if (arg.isDat() && other.isDat() && arg.data == other.data &&
          arg.attr.getLayout() != other.attr.getLayout())
        return "[F1] they ask for different layouts of a dat";
  for (bool ofSecond : {false, true}) {
    func::FuncOp kernel = kernels[ofSecond];
    ParLoopOp loop = loops[ofSecond];
    std::string name = "kernel '" + getSourceName(loop.getKernel());
    if (!kernel || kernel.isExternal())
      return "[F1] " + name + "' is not raised";
    if (loop->hasAttr(kUsualAttr))
      return "[F1] " + name + "' has paths that print or do not return";
    if (!kernel.getBody().hasOneBlock())
      return "[F1] the control flow of " + name + "' is not structured";
    // The runtime looks where the others lead.
    FollowedPointers pointers =
        findFollowedPointers(kernel, loopArgs[ofSecond]);
    if (!pointers || !(isPromised || pointers->empty()))
      return "[F1] " + name + "' reads through a pointer of the program";
  }
  return std::nullopt;
}

// F2: some arguments belong to their loop alone.
std::optional<std::string> FusionPair::findKindObstacle() const {
  for (bool ofSecond : {false, true})
    for (auto [number, arg] : llvm::enumerate(loopArgs[ofSecond]))
      if (std::optional<std::string> obstacle = op2::findKindObstacle(arg))
        return "[F2] " + describeArg(loops[ofSecond], number) + " " + *obstacle;
  return std::nullopt;
}

std::string FusionPair::describePair(unsigned i, unsigned j) const {
  return describeArg(loops[0], i) + " and " + describeArg(loops[1], j);
}

// F3: what one loop changes, the other reaches directly, if at all. F4: what
// has different names is different data.
std::optional<std::string> FusionPair::findDatObstacle() const {
  for (auto [i, a] : llvm::enumerate(loopArgs[0]))
    for (auto [j, b] : llvm::enumerate(loopArgs[1])) {
      if (a.isIndex() || b.isIndex() || (a.isGlobal() && b.isGlobal()) ||
          !(isChanged(a) || isChanged(b)))
        continue;
      std::string pair = describePair(i, j);
      if (a.data == b.data && (a.isIndirect() || b.isIndirect()))
        return "[F3] " + pair +
               " are one dat, which one of them changes and one reaches "
               "through a map";
      if (a.data != b.data && !areDifferent(a.data, b.data, isPromised))
        return "[F4] " + pair + " may be the same data";
    }
  return std::nullopt;
}

// F5: a reduced global has its value when the whole loop has run.
std::optional<std::string> FusionPair::findGlobalObstacle() const {
  for (auto [i, a] : llvm::enumerate(loopArgs[0]))
    for (auto [j, b] : llvm::enumerate(loopArgs[1]))
      if (a.isGlobal() && b.isGlobal() && (isChanged(a) || isChanged(b)) &&
          !areDifferent(a.data, b.data, isPromised))
        return "[F5] " + describePair(i, j) +
               " may be one global, which a loop reduces";
  return std::nullopt;
}

// F6: what elements change together changes in the order of the loops alone.
// Colours decide the order of blocks, by which minima are combined.
std::optional<std::string> FusionPair::findOrderObstacle() const {
  for (bool ofSecond : {false, true}) {
    if (!hasConflicts(loopArgs[ofSecond]))
      continue;
    ParLoopOp loop = loops[ofSecond], other = loops[!ofSecond];
    if (hasConflicts(loopArgs[!ofSecond]))
      return "[F6] both need colours, and together others";
    if (reducesInOrder(loopArgs[!ofSecond]))
      return ("[F6] '" + other.getLabel() +
              "' reduces something in the order of blocks, and '" +
              loop.getLabel() + "' needs colours")
          .str();
  }
  return findLaneDifference();
}

std::optional<std::string>
FusionPair::getOwnershipObstacle(func::FuncOp fused, Owners owners) const {
  for (bool ofSecond : {false, true}) {
    ParLoopOp loop = loops[ofSecond];
    if (!hasConflicts(loopArgs[ofSecond]) ||
        loop.getStrategy() == Strategy::TwoLevel)
      continue;
    if (findOwnershipObstacle(loopArgs[ofSecond], kernels[ofSecond], owners))
      continue;
    if (auto obstacle = findOwnershipObstacle(args, fused, owners))
      return ("[F6] '" + loop.getLabel() +
              "' can be divided by ownership, and both together cannot: " +
              *obstacle)
          .str();
  }
  return std::nullopt;
}

// F6, too: the sum of what one element adds to a row is taken first where a
// loop is vectorized; and no loop should lose that by fusion.
std::optional<std::string> FusionPair::findLaneDifference() const {
  int64_t lanes[2];
  for (bool ofSecond : {false, true})
    lanes[ofSecond] =
        getNumLanes(loopArgs[ofSecond], kernels[ofSecond], machine);
  for (bool ofSecond : {false, true})
    if (lanes[ofSecond] == 1 &&
        mayJoinLanes(kernels[ofSecond], loopArgs[ofSecond]) &&
        !op2::findKernelObstacle(kernels[ofSecond],
                                 findUniformOperands(loopArgs[ofSecond])))
      lanes[ofSecond] = lanes[!ofSecond];
  auto describe = [&](int64_t number) -> std::string {
    return number > 1
               ? "vectorized across " + std::to_string(number) + " elements"
               : "not vectorized";
  };
  if (lanes[0] != lanes[1])
    return "[F6] the first one is " + describe(lanes[0]) + ", the second one " +
           describe(lanes[1]);
  if (lanes[0] > 1 && (findLaneObstacle(args) ||
                       countLanes(args, machine.getVectorBits()) != lanes[0]))
    return "[F6] together they would not be vectorized";
  if (llvm::none_of(loopArgs, [](ArrayRef<LoopArg> list) {
        return reducesInOrder(list) || hasConflicts(list);
      }))
    return std::nullopt;
  // What both kernels compute or read is computed and read once when they are
  // fused, which may tip the scales.
  if (machine.getVectorBits() > 0 && !machine.hasVectorMath() &&
      countCycles(kernels[0]).calls + countCycles(kernels[1]).calls > 0)
    return "[F6] they combine elements in an order, and it depends on "
           "functions of the C "
           "library whether they are vectorized";
  int64_t branches[2];
  for (bool ofSecond : {false, true}) {
    SmallVector<bool> isUniform = findUniformOperands(loopArgs[ofSecond]);
    if (machine.getVectorBits() > 0 && hasGathers(kernels[ofSecond], isUniform))
      return "[F6] they combine elements in an order, and it depends on reads "
             "at indices "
             "that vary whether they are vectorized";
    branches[ofSecond] = countBranches(kernels[ofSecond], isUniform);
  }
  // Branches under one condition are joined, and become shorter or longer; of
  // two each at most two remain.
  int64_t mostLanes = countLanes(args, machine.getVectorBits());
  if (mostLanes > 1 && std::max(branches[0], branches[1]) > 2 &&
      areTooManyBranches(branches[0] + branches[1], mostLanes))
    return "[F6] they combine elements in an order, and it depends on their "
           "branches "
           "whether they are vectorized";
  if (!MachineAttr::find(loops[0]))
    return "[F6] they combine elements in an order, and the module does not "
           "say how they "
           "will be vectorized (op2.machine)";
  if (isPromised)
    return std::nullopt;
  // Vectors are used if a map has the arity that the loop's slots suggest.
  bool hasUnknownArity = llvm::any_of(loopArgs, [](ArrayRef<LoopArg> list) {
    return llvm::any_of(list, [](const LoopArg &arg) {
      return arg.map && !cast<MapType>(arg.map.getType()).hasStaticArity();
    });
  });
  if (lanes[0] > 1 && hasUnknownArity)
    return "[F6] they combine elements in an order, and the arity of a map is "
           "not known";
  return std::nullopt;
}

std::optional<std::string> FusionPair::getObstacle() const {
  for (auto find :
       {&FusionPair::findKernelObstacle, &FusionPair::findKindObstacle,
        &FusionPair::findDatObstacle, &FusionPair::findGlobalObstacle,
        &FusionPair::findOrderObstacle})
    if (std::optional<std::string> obstacle = (this->*find)())
      return obstacle;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// What it is worth
//===----------------------------------------------------------------------===//

int64_t FusionPair::getSavedBytes() const {
  return getTraffic(loopArgs[0]) + getTraffic(loopArgs[1]) - getTraffic(args);
}

int64_t FusionPair::getNumValues() const { return countValues(args); }

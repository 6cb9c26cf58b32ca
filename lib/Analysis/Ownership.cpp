//===- Ownership.cpp - Loops that owner-compute can run -------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An element may run in several threads if all that its kernel leaves behind
// are additions, and rows of its own that it writes: what a thread does not own
// goes to a private row, one of the threads counts the element in sums, and
// that the kernel ran has no other effect.
//
//===----------------------------------------------------------------------===//

#include "OP2/Analysis/Ownership.h"
#include "OP2/Analysis/KernelEffects.h"
#include "OP2/Analysis/LoopArguments.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::op2;

/// Whether another argument has the same dat, and does not add to it as well.
static bool isUsedOtherwise(const LoopArg &arg, ArrayRef<LoopArg> args) {
  return llvm::any_of(args, [&](const LoopArg &other) {
    return &other != &arg && other.isDat() && other.data == arg.data &&
           (other.getAccess() != arg.getAccess() ||
            arg.getAccess() != Access::Inc);
  });
}

/// Whether a kernel is known only to store to its operands for an argument.
static bool isOnlyStored(ArrayRef<LoopArg> args, unsigned number,
                         FunctionOpInterface kernel) {
  if (!isa<func::FuncOp>(kernel))
    return false;
  unsigned first = getFirstOperand(args, number);
  auto isStore = [](OpOperand &use) {
    auto store = dyn_cast<memref::StoreOp>(use.getOwner());
    return store && store.getMemRef() == use.get();
  };
  return llvm::all_of(
      kernel.getArguments().slice(first, args[number].getNumOperands()),
      [&](Value row) { return llvm::all_of(row.getUses(), isStore); });
}

const LoopArg *op2::findCounted(ArrayRef<LoopArg> args) {
  const LoopArg *found = llvm::find_if(
      args, [](const LoopArg &arg) { return isOwned(arg) && !arg.flag; });
  return found == args.end() ? nullptr : found;
}

/// Whether each element has one owner, so that it runs once: what the loop
/// changes through maps is reached through one slot.
static bool haveSoleOwner(ArrayRef<LoopArg> args) {
  const LoopArg *found = nullptr;
  for (const LoopArg &arg : args) {
    if (!isConflict(arg))
      continue;
    if (found || arg.flag || arg.attr.getCount() != 1)
      return false;
    found = &arg;
  }
  return found && llvm::none_of(args, [&](const LoopArg &arg) {
           return &arg != found && arg.data == found->data && isChanged(arg);
         });
}

static std::optional<std::string>
findGlobalObstacle(ArrayRef<LoopArg> args, unsigned number, Owners owners) {
  const LoopArg &arg = args[number];
  if (arg.getAccess() == Access::ReadWrite || arg.isMerged())
    return "is a global that the loop changes";
  if (owners == Owners::Blocks)
    return std::nullopt;
  // Each thread has a partial result, and their number must not matter.
  bool isSum = arg.getAccess() == Access::Inc;
  if (!isExactReduction(args, number) ||
      (isSum && arg.getDim() > LoopArg::kMostExactComponents))
    return "is a global whose result would depend on the number of threads";
  if (isSum && !findCounted(args) && !haveSoleOwner(args))
    return "is a sum, and no argument is always there whose owner could count "
           "the element";
  return std::nullopt;
}

bool op2::needsCopy(ArrayRef<LoopArg> args, unsigned number,
                    FunctionOpInterface kernel) {
  return args[number].getAccess() == Access::Inc ||
         !isOnlyStored(args, number, kernel);
}

/// Whether rows that elements write or add to directly may be copied.
static bool canBeCopied(ArrayRef<LoopArg> args, const LoopArg &arg) {
  constexpr int64_t kMostValues = 64;
  constexpr unsigned kLeastBits = 32;
  auto type = cast<DatType>(arg.data.getType());
  return type.hasStaticDim() && type.getDim() <= kMostValues &&
         type.getElementType().getIntOrFloatBitWidth() >= kLeastBits &&
         llvm::all_of(args, [&](const LoopArg &other) {
           return !other.isDat() || other.data != arg.data ||
                  (other.getAccess() == arg.getAccess() &&
                   !other.isIndirect() && !other.flag);
         });
}

/// Several blocks may write what an element writes, if no execution sees what
/// another one has done; copies come back in the one where the element counts.
static std::optional<std::string> findDatObstacle(ArrayRef<LoopArg> args,
                                                  unsigned number,
                                                  FunctionOpInterface kernel,
                                                  Owners owners) {
  const LoopArg &arg = args[number];
  if (owners == Owners::Threads && haveSoleOwner(args))
    return std::nullopt;
  bool isAlike = !isUsedOtherwise(arg, args);
  bool isOwn = arg.getAccess() == Access::Write ||
               (arg.getAccess() == Access::Inc && !arg.isIndirect());
  if (owners == Owners::Blocks && isOwn && !arg.isPacked() && isAlike) {
    if (!needsCopy(args, number, kernel) || canBeCopied(args, arg))
      return std::nullopt;
    if (arg.getAccess() == Access::Write)
      return "may be read again by the kernel that has written it";
  }
  if (arg.isIndirect() && arg.getAccess() != Access::Inc)
    return "has access '" + stringifyAccess(arg.getAccess()).str() +
           "' through a map";
  if (!arg.isIndirect() && (owners == Owners::Blocks || !isOwned(arg)))
    return "is changed directly";
  if (!isAlike)
    return "is changed, and another argument has its dat";
  return std::nullopt;
}

std::optional<std::string>
op2::findOwnershipObstacle(ArrayRef<LoopArg> args, FunctionOpInterface kernel,
                           Owners owners) {
  if (kernel.isExternal())
    return ("its kernel " + describeMissingBody(kernel)).str();
  for (auto [number, arg] : llvm::enumerate(args)) {
    if (arg.getAccess() == Access::Read)
      continue;
    std::optional<std::string> obstacle =
        arg.isDat() ? findDatObstacle(args, number, kernel, owners)
                    : findGlobalObstacle(args, number, owners);
    if (obstacle)
      return ("argument " + Twine(number) + " " + *obstacle).str();
  }
  // Blocks run the elements that reach their rows, and no others.
  auto isAlwaysAdded = [](const LoopArg &arg) {
    return isConflict(arg) && !arg.flag;
  };
  auto isOtherChange = [](const LoopArg &arg) {
    return isChanged(arg) && !isConflict(arg);
  };
  if (owners == Owners::Blocks && llvm::any_of(args, isOtherChange) &&
      llvm::none_of(args, isAlwaysAdded))
    return "all that it adds through maps is optional, so that an element may "
           "have no owner to do the rest";
  if (Operation *effect = findSideEffect(kernel, args))
    return ("its kernel has '" + effect->getName().getStringRef() +
            "', which may not run twice")
        .str();
  if (owners == Owners::Threads) {
    // Those that are added to are private wherever an element runs.
    auto isSpare = [](const LoopArg &arg) {
      return isOwned(arg) && arg.getAccess() == Access::Write;
    };
    if (Operation *use = findAddressUse(kernel, args, isSpare))
      return ("its kernel asks by '" + use->getName().getStringRef() +
              "' where a row is that it writes")
          .str();
  }
  return std::nullopt;
}

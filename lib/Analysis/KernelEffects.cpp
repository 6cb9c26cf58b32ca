//===- KernelEffects.cpp - What kernels change and look at ----------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A raised kernel changes memrefs, and memory behind pointers through calls
// only. One that was imported as it is stores to pointers, which are followed
// to where they come from: a row, or a variable of the kernel's. What is not
// known is noticed.
//
//===----------------------------------------------------------------------===//

#include "OP2/Analysis/KernelEffects.h"
#include "OP2/Analysis/ByteOffset.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::op2;

StringRef op2::describeMissingBody(FunctionOpInterface kernel) {
  auto reason = kernel->getAttrOfType<StringAttr>(kMissingBodyAttr);
  return reason ? reason.getValue() : "has no body here";
}

Value op2::getWholeMemory(Value memory) {
  while (auto view = memory.getDefiningOp<ViewLikeOpInterface>())
    memory = view.getViewSource();
  return memory;
}

namespace {
/// Knows what a kernel has for itself: its rows, its frame.
class OwnMemory {
public:
  OwnMemory(FunctionOpInterface kernel, ArrayRef<LoopArg> args)
      : kernel(kernel), entry(&kernel.getFunctionBody().front()), args(args) {}

  /// Whether an operation, its regions aside, could be noticed from outside.
  bool isNoticed(Operation *op) {
    return isa<LLVM::LLVMFuncOp>(kernel) ? isNoticedOfPointers(op)
                                         : isNoticedOfMemRefs(op);
  }

  bool isConfined(LLVM::CallOp call);

  /// Whether the pointers in some memory lead to the kernel's own: it is the
  /// table that comes for a vector argument, or one that the kernel has made.
  bool holdsOwnPointers(Value memory);

  /// Whether an operation asks for more of the address of an argument than what
  /// is there: compares it, or takes it for a number.
  bool asksForAddress(Operation *op,
                      function_ref<bool(const LoopArg &)> isAsked) const;

private:
  bool isNoticedOfMemRefs(Operation *op);
  bool isNoticedOfPointers(Operation *op);

  /// Where a pointer may come from; false if that is not known.
  bool findBases(Value pointer, SmallVectorImpl<Value> &bases) const;
  const LoopArg *getArg(Value parameter) const;

  bool isParameter(Value value) const {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner() == entry;
  }
  /// Whether a memref is the kernel's.
  bool isOwn(Value memory) const {
    memory = getWholeMemory(memory);
    return isParameter(memory) ||
           isa_and_nonnull<memref::AllocaOp>(memory.getDefiningOp());
  }

  bool pointsToOwn(Value pointer);
  bool onlyTakesOwnPointers(Value table);

  FunctionOpInterface kernel;
  Block *entry;
  ArrayRef<LoopArg> args;
  /// Tables of pointers that were looked at, or are: what is loaded from them
  /// is the kernel's own, unless one of them takes other pointers.
  llvm::SmallPtrSet<Value, 4> tables;
  bool takesOthers = false;
};
} // namespace

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

bool OwnMemory::findBases(Value pointer, SmallVectorImpl<Value> &bases) const {
  SmallVector<Value> open = {pointer};
  llvm::SmallPtrSet<Value, 8> known;
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (!known.insert(value).second)
      continue;
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || isParameter(value)) {
      Operation *op = value.getDefiningOp();
      if (isa_and_nonnull<LLVM::GEPOp, LLVM::AddrSpaceCastOp, LLVM::FreezeOp>(
              op))
        open.push_back(op->getOperand(0));
      else if (auto select = dyn_cast_or_null<LLVM::SelectOp>(op))
        open.append({select.getTrueValue(), select.getFalseValue()});
      else
        bases.push_back(value);
      continue;
    }
    Block *block = argument.getOwner();
    for (auto from = block->pred_begin(); from != block->pred_end(); ++from) {
      auto branch = dyn_cast<BranchOpInterface>((*from)->getTerminator());
      Value passed =
          branch ? branch.getSuccessorOperands(
                       from.getSuccessorIndex())[argument.getArgNumber()]
                 : Value();
      if (!passed)
        return false;
      open.push_back(passed);
    }
  }
  return true;
}

/// Whether a pointer leads to memory of the kernel's own. To store to null is
/// an error of the program.
bool OwnMemory::pointsToOwn(Value pointer) {
  SmallVector<Value> bases;
  return findBases(pointer, bases) && llvm::all_of(bases, [&](Value base) {
           if (auto cast = base.getDefiningOp<PtrCastOp>())
             return isOwn(cast.getSource());
           if (auto load = base.getDefiningOp<LLVM::LoadOp>())
             return holdsOwnPointers(load.getAddr());
           bool isNone =
               isa_and_nonnull<LLVM::AllocaOp, LLVM::ZeroOp, LLVM::UndefOp,
                               LLVM::PoisonOp>(base.getDefiningOp());
           return isNone || isParameter(base);
         });
}

/// The argument of the loop that a parameter of a kernel on pointers is for.
const LoopArg *OwnMemory::getArg(Value parameter) const {
  unsigned number = cast<BlockArgument>(parameter).getArgNumber();
  return number < args.size() ? &args[number] : nullptr;
}

bool OwnMemory::holdsOwnPointers(Value memory) {
  SmallVector<Value> bases;
  return findBases(memory, bases) && llvm::all_of(bases, [&](Value base) {
           const LoopArg *arg = isParameter(base) ? getArg(base) : nullptr;
           bool isTable = (arg && arg->takesTable()) ||
                          isa_and_nonnull<LLVM::AllocaOp>(base.getDefiningOp());
           return isTable && onlyTakesOwnPointers(base);
         });
}

bool OwnMemory::onlyTakesOwnPointers(Value table) {
  if (takesOthers || !tables.insert(table).second)
    return !takesOthers;
  auto isHarmless = [&](Operation *user, Value place) {
    auto store = dyn_cast<LLVM::StoreOp>(user);
    if (!store)
      return isa<LLVM::GEPOp, LLVM::LoadOp, LLVM::LifetimeStartOp,
                 LLVM::LifetimeEndOp>(user);
    // If its own address is kept, others may store to it.
    return store.getValue() != place &&
           isa<LLVM::LLVMPointerType>(store.getValue().getType()) &&
           pointsToOwn(store.getValue());
  };
  SmallVector<Value> places = {table};
  while (!places.empty()) {
    Value place = places.pop_back_val();
    for (Operation *user : place.getUsers()) {
      if (!isHarmless(user, place)) {
        takesOthers = true;
        return false;
      }
      if (isa<LLVM::GEPOp>(user))
        places.push_back(user->getResult(0));
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

bool OwnMemory::isConfined(LLVM::CallOp call) {
  using LLVM::ModRefInfo;
  LLVM::MemoryEffectsAttr effects = call.getMemoryEffectsAttr();
  auto function = call.getCallee()
                      ? SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
                            kernel, call.getCalleeAttr())
                      : LLVM::LLVMFuncOp();
  if (!effects || !function || !function.getNoUnwind() || function.isVarArg() ||
      effects.getOther() != ModRefInfo::NoModRef ||
      effects.getErrnoMem() != ModRefInfo::NoModRef ||
      effects.getTargetMem0() != ModRefInfo::NoModRef ||
      effects.getTargetMem1() != ModRefInfo::NoModRef)
    return false;
  bool writes = effects.getArgMem() == ModRefInfo::Mod ||
                effects.getArgMem() == ModRefInfo::ModRef;
  for (OpOperand &operand : call.getArgOperandsMutable()) {
    if (!isa<LLVM::LLVMPointerType>(operand.get().getType()))
      continue;
    auto has = [&](StringRef attr) {
      return bool(function.getArgAttr(operand.getOperandNumber(), attr));
    };
    bool isRead = !writes || has(LLVM::LLVMDialect::getReadonlyAttrName()) ||
                  has(LLVM::LLVMDialect::getReadnoneAttrName());
    if (!has(LLVM::LLVMDialect::getNoCaptureAttrName()) ||
        !(isRead || pointsToOwn(operand.get())))
      return false;
  }
  return true;
}

bool OwnMemory::isNoticedOfMemRefs(Operation *op) {
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
      op->hasTrait<OpTrait::IsTerminator>() || isa<memref::AllocaOp>(op))
    return false;
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    return !isConfined(call);
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return !isOwn(store.getMemRef());
  return !isMemoryEffectFree(op) && !hasSingleEffect<MemoryEffects::Read>(op);
}

bool OwnMemory::isNoticedOfPointers(Operation *op) {
  if (isMemoryEffectFree(op) || isa<LLVM::AllocaOp>(op))
    return false;
  // They tell LLVM something.
  if (isa<LLVM::AssumeOp, LLVM::LifetimeStartOp, LLVM::LifetimeEndOp,
          LLVM::NoAliasScopeDeclOp>(op))
    return false;
  if (isa<LLVM::BrOp, LLVM::CondBrOp, LLVM::SwitchOp, LLVM::ReturnOp,
          LLVM::UnreachableOp>(op))
    return false;
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    return !isConfined(call);
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return load.getVolatile_() ||
           load.getOrdering() != LLVM::AtomicOrdering::not_atomic;
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return store.getVolatile_() ||
           store.getOrdering() != LLVM::AtomicOrdering::not_atomic ||
           !pointsToOwn(store.getAddr());
  auto isNoticed = [&](auto change) {
    return change.getIsVolatile() || !pointsToOwn(change.getDst());
  };
  if (auto copy = dyn_cast<LLVM::MemcpyOp>(op))
    return isNoticed(copy);
  if (auto copy = dyn_cast<LLVM::MemcpyInlineOp>(op))
    return isNoticed(copy);
  if (auto copy = dyn_cast<LLVM::MemmoveOp>(op))
    return isNoticed(copy);
  if (auto set = dyn_cast<LLVM::MemsetOp>(op))
    return isNoticed(set);
  return true;
}

bool OwnMemory::asksForAddress(
    Operation *op, function_ref<bool(const LoopArg &)> isAsked) const {
  if (isa<LLVM::GEPOp, LLVM::SelectOp, LLVM::FreezeOp, LLVM::AddrSpaceCastOp,
          LLVM::LoadOp, LLVM::MemcpyOp, LLVM::MemcpyInlineOp, LLVM::MemmoveOp,
          LLVM::MemsetOp, LLVM::LifetimeStartOp, LLVM::LifetimeEndOp,
          LLVM::AssumeOp, LLVM::CallOp, LLVM::BrOp, LLVM::CondBrOp,
          LLVM::SwitchOp>(op))
    return false;
  SmallVector<Value> looked(op->getOperands());
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    looked = {store.getValue()};
  auto isNull = [](Value value) {
    return isa_and_nonnull<LLVM::ZeroOp>(value.getDefiningOp());
  };
  if (isa<LLVM::ICmpOp>(op) && llvm::any_of(looked, isNull))
    return false; // Whether it is there.
  return llvm::any_of(looked, [&](Value value) {
    if (!isa<LLVM::LLVMPointerType>(getElementTypeOrSelf(value.getType())))
      return false;
    SmallVector<Value> bases;
    return !findBases(value, bases) || llvm::any_of(bases, [&](Value base) {
      const LoopArg *arg = isParameter(base) ? getArg(base) : nullptr;
      return arg && isAsked(*arg);
    });
  });
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

bool op2::isConfined(LLVM::CallOp call, FunctionOpInterface kernel,
                     ArrayRef<LoopArg> args) {
  return OwnMemory(kernel, args).isConfined(call);
}

/// Of a pointer that is loaded; nothing if that is no certain place.
static std::optional<FollowedPointer> findPlace(LLVM::LoadOp load) {
  auto [base, offset] =
      getBaseAndOffset(load.getAddr(), DataLayout::closest(load));
  auto variable = base.getDefiningOp<LLVM::AddressOfOp>();
  if (!variable || !offset || !offset->terms.empty())
    return std::nullopt;
  return FollowedPointer{variable.getGlobalName().str(), offset->constant};
}

/// Whether pointers that an operation results in are new ones, and not of known
/// memory. A raised kernel has few of them.
static bool makesPointers(Operation *op, bool isRaised) {
  if (isRaised)
    return isa<LLVM::LoadOp, LLVM::IntToPtrOp, CallOpInterface>(op);
  return !isa<LLVM::GEPOp, LLVM::SelectOp, LLVM::AddrSpaceCastOp,
              LLVM::FreezeOp, LLVM::AllocaOp, LLVM::AddressOfOp, LLVM::ZeroOp,
              LLVM::UndefOp, LLVM::PoisonOp>(op);
}

static bool holdsPointer(Type type) {
  if (auto structure = dyn_cast<LLVM::LLVMStructType>(type))
    return structure.isOpaque() ||
           llvm::any_of(structure.getBody(), holdsPointer);
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return holdsPointer(array.getElementType());
  return isa<LLVM::LLVMPointerType>(getElementTypeOrSelf(type));
}

FollowedPointers op2::findFollowedPointers(FunctionOpInterface kernel,
                                           ArrayRef<LoopArg> args) {
  OwnMemory memory(kernel, args);
  bool isRaised = !isa<LLVM::LLVMFuncOp>(kernel);
  std::set<FollowedPointer> pointers;
  WalkResult result = kernel.getFunctionBody().walk([&](Operation *op) {
    if (!llvm::any_of(op->getResultTypes(), holdsPointer) ||
        !makesPointers(op, isRaised))
      return WalkResult::advance();
    auto load = dyn_cast<LLVM::LoadOp>(op);
    if (!load || !isa<LLVM::LLVMPointerType>(load.getType()))
      return WalkResult::interrupt();
    if (!isRaised && memory.holdsOwnPointers(load.getAddr()))
      return WalkResult::advance();
    std::optional<FollowedPointer> place = findPlace(load);
    if (!place)
      return WalkResult::interrupt();
    pointers.insert(*place);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return std::nullopt;
  return pointers;
}

/// The first operation of a kernel that is one.
static Operation *findFirst(FunctionOpInterface kernel,
                            function_ref<bool(Operation *)> isOne) {
  Operation *found = nullptr;
  kernel.getFunctionBody().walk([&](Operation *op) {
    if (!isOne(op))
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

Operation *op2::findSideEffect(FunctionOpInterface kernel,
                               ArrayRef<LoopArg> args) {
  OwnMemory memory(kernel, args);
  return findFirst(kernel, [&](Operation *op) { return memory.isNoticed(op); });
}

Operation *op2::findAddressUse(FunctionOpInterface kernel,
                               ArrayRef<LoopArg> args,
                               function_ref<bool(const LoopArg &)> isAsked) {
  if (!isa<LLVM::LLVMFuncOp>(kernel))
    return nullptr;
  OwnMemory memory(kernel, args);
  return findFirst(kernel, [&](Operation *op) {
    return memory.asksForAddress(op, isAsked);
  });
}

bool op2::mayRunLater(FunctionOpInterface kernel, ArrayRef<LoopArg> args) {
  auto isGlobal = [](const LoopArg &arg) { return arg.isGlobal(); };
  return !findSideEffect(kernel, args) &&
         !findAddressUse(kernel, args, isGlobal);
}

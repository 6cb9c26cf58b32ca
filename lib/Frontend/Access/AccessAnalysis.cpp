//===- AccessAnalysis.cpp - What a kernel does to its arguments -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessAnalysis.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace op2::frontend;
using llvm::Instruction;
using llvm::Value;

namespace {

/// Where a pointer into an argument's data points.
struct Place {
  const Value *base = nullptr;    ///< the row
  std::optional<int64_t> offset;  ///< in bytes; none: known at run time
  const Value *pointer = nullptr; ///< as it was computed

  /// Whether the place in the row is known: not if the base is one of several.
  bool isKnown() const {
    return offset && llvm::isa<llvm::Argument, llvm::LoadInst>(base);
  }

  bool operator==(const Place &other) const {
    if (pointer == other.pointer)
      return true;
    if (offset || other.offset)
      return base == other.base && offset == other.offset;
    // Two computations of one address that nobody has merged.
    const auto *left = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer);
    const auto *right = llvm::dyn_cast<llvm::GetElementPtrInst>(other.pointer);
    return left && right && left->isIdenticalTo(right);
  }
};

/// The accesses to one argument of a kernel.
class ArgumentUses {
public:
  ArgumentUses(const llvm::Argument &parameter, const ArgDescription &arg)
      : layout(parameter.getParent()->getParent()->getDataLayout()) {
    follow(&parameter, arg.isVector);
    // Uses come in no useful order; what is reported should be the first.
    llvm::DenseMap<const Instruction *, unsigned> order;
    for (const Instruction &inst : llvm::instructions(*parameter.getParent()))
      order.try_emplace(&inst, order.size());
    auto sort = [&](auto &list) {
      llvm::sort(list, [&](const Instruction *left, const Instruction *right) {
        return order.lookup(left) < order.lookup(right);
      });
    };
    sort(loads);
    sort(stores);
    sort(writes);
  }

  llvm::SmallVector<const llvm::LoadInst *> loads;
  llvm::SmallVector<const llvm::StoreInst *> stores;
  /// Everything that writes: the stores, and memcpy and the like.
  llvm::SmallVector<const Instruction *> writes;
  /// Calls and other instructions that might do anything with the data.
  llvm::SmallVector<const Instruction *> unknown;

  Place getPlace(const Value *pointer) const {
    llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
    Place place;
    place.pointer = pointer;
    place.base = pointer->stripAndAccumulateConstantOffsets(
        layout, offset, /*AllowNonInbounds=*/true);
    if (!llvm::isa<llvm::GetElementPtrInst>(place.base))
      place.offset = offset.getSExtValue();
    return place;
  }

private:
  /// Collects what is done with `pointer`; if `isTable`, it points to pointers.
  void follow(const Value *pointer, bool isTable) {
    if (!seen.insert(pointer).second)
      return;
    for (const llvm::Use &use : pointer->uses()) {
      const auto *user = llvm::cast<Instruction>(use.getUser());
      if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(user)) {
        if (isTable)
          follow(load, false);
        else
          loads.push_back(load);
      } else if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(user)) {
        if (store->getPointerOperand() != pointer) {
          unknown.push_back(store); // the address itself is kept somewhere
        } else if (!isTable) {
          stores.push_back(store);
          writes.push_back(store);
        }
      } else if (llvm::isa<llvm::GetElementPtrInst, llvm::BitCastInst,
                           llvm::AddrSpaceCastInst, llvm::PHINode,
                           llvm::SelectInst>(user)) {
        follow(user, isTable);
      } else if (const auto *memory =
                     llvm::dyn_cast<llvm::MemIntrinsic>(user)) {
        if (memory->getRawDest() == pointer)
          writes.push_back(memory);
        else
          unknown.push_back(memory);
      } else if (!llvm::isa<llvm::ICmpInst>(user) &&
                 !user->isDebugOrPseudoInst() &&
                 !user->isLifetimeStartOrEnd()) {
        unknown.push_back(user);
      }
    }
  }

  const llvm::DataLayout &layout;
  llvm::SmallPtrSet<const Value *, 16> seen;
};

//===----------------------------------------------------------------------===//
// OP_INC
//===----------------------------------------------------------------------===//

/// Finds what is not "load, add, store back" among the uses of an argument.
class IncrementCheck {
public:
  explicit IncrementCheck(const ArgumentUses &uses) : uses(uses) {}

  /// A use of the old value for something else.
  const Instruction *findRead() {
    for (const llvm::LoadInst *load : uses.loads)
      if (const Instruction *use = followSum(load))
        return use;
    return nullptr;
  }

  /// A store of something that is not the old value plus something: of zero
  /// or of something else. To be asked after findRead found nothing.
  const Instruction *findAssignment(bool ofZero) const {
    for (const llvm::StoreInst *store : uses.stores)
      if (!sums.contains(store) && isZero(store->getValueOperand()) == ofZero)
        return store;
    for (const Instruction *write : uses.writes)
      if (!llvm::isa<llvm::StoreInst>(write) && clears(write) == ofZero)
        return write;
    return nullptr;
  }

private:
  static bool isZero(const Value *value) {
    const auto *constant = llvm::dyn_cast<llvm::Constant>(value);
    return constant && constant->isNullValue();
  }
  static bool clears(const Instruction *write) {
    const auto *fill = llvm::dyn_cast<llvm::MemSetInst>(write);
    return fill && isZero(fill->getValue());
  }

  static bool isTermOfIntrinsic(const Value *value, const Instruction *user) {
    const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(user);
    if (!call)
      return false;
    switch (call->getIntrinsicID()) {
    case llvm::Intrinsic::fmuladd:
    case llvm::Intrinsic::fma:
      return call->getArgOperand(0) != value && call->getArgOperand(1) != value;
    // Sums as sanitizers watch them.
    case llvm::Intrinsic::sadd_with_overflow:
    case llvm::Intrinsic::uadd_with_overflow:
      return call->getArgOperand(0) != call->getArgOperand(1);
    case llvm::Intrinsic::ssub_with_overflow:
    case llvm::Intrinsic::usub_with_overflow:
      return call->getArgOperand(0) == value && call->getArgOperand(1) != value;
    default:
      return false;
    }
  }

  /// What sanitizers do with a value is not the kernel's doing.
  static bool isInstrumentation(const Instruction *user) {
    if (llvm::isa<llvm::ExtractValueInst>(user))
      return true; // whether a sum overflows
    const auto *call = llvm::dyn_cast<llvm::CallInst>(user);
    const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && callee->getName().starts_with("__ubsan_");
  }

  /// Whether `user` is a sum of which `value` is a term.
  static bool isTerm(const Value *value, const Instruction *user) {
    switch (user->getOpcode()) {
    case Instruction::FAdd:
    case Instruction::Add:
    case Instruction::Or:
      return user->getOperand(0) != user->getOperand(1);
    case Instruction::FSub:
    case Instruction::Sub:
      return user->getOperand(0) == value && user->getOperand(1) != value;
    case Instruction::FPExt:
    case Instruction::FPTrunc:
    case Instruction::ZExt:
    case Instruction::SExt:
    case Instruction::Trunc:
    case Instruction::PHI:
      return true;
    case Instruction::Select:
      return user->getOperand(0) != value;
    case Instruction::ExtractValue:
      return llvm::cast<llvm::ExtractValueInst>(user)->getIndices()[0] == 0;
    case Instruction::Call:
      return isTermOfIntrinsic(value, user);
    default:
      return false;
    }
  }

  const Instruction *followSum(const llvm::LoadInst *load) {
    Place place = uses.getPlace(load->getPointerOperand());
    llvm::SmallSetVector<const Value *, 8> terms;
    terms.insert(load);
    for (unsigned i = 0; i < terms.size(); ++i)
      for (const llvm::User *user : terms[i]->users()) {
        const auto *inst = llvm::cast<Instruction>(user);
        if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(inst);
            store && uses.getPlace(store->getPointerOperand()) == place)
          sums.insert(store);
        else if (isTerm(terms[i], inst))
          terms.insert(inst);
        else if (!inst->isDebugOrPseudoInst() && !isInstrumentation(inst))
          return inst;
      }
    return nullptr;
  }

  const ArgumentUses &uses;
  llvm::SmallPtrSet<const Instruction *, 8> sums;
};

//===----------------------------------------------------------------------===//
// OP_WRITE
//===----------------------------------------------------------------------===//

/// Which bytes of each row a kernel may have written where.
class WrittenBytes {
public:
  WrittenBytes(const llvm::Function &kernel, const ArgumentUses &uses)
      : kernel(kernel), uses(uses),
        layout(kernel.getParent()->getDataLayout()) {
    for (const llvm::LoadInst *load : uses.loads)
      accesses.insert(load);
    for (const Instruction *write : uses.writes)
      accesses.insert(write);
  }

  /// A load of what nothing that may come before it writes.
  const Instruction *findEarlyRead() {
    llvm::ReversePostOrderTraversal<const llvm::Function *> order(&kernel);
    for (bool hasChanged = true; hasChanged;) {
      hasChanged = false;
      early.clear();
      for (const llvm::BasicBlock *block : order)
        hasChanged |= visit(block);
    }
    return early.empty() ? nullptr : early.front();
  }

private:
  /// Bytes of a row; beyond the last: those whose place is known at run time.
  struct State {
    llvm::SmallVector<std::pair<const Value *, int64_t>> bytes;
    bool isAnything = false;

    bool contains(std::pair<const Value *, int64_t> byte) const {
      return isAnything || llvm::is_contained(bytes, byte);
    }
    bool insert(std::pair<const Value *, int64_t> byte) {
      if (contains(byte))
        return false;
      bytes.push_back(byte);
      return true;
    }
    bool merge(const State &other) {
      bool hasChanged = other.isAnything && !isAnything;
      isAnything |= other.isAnything;
      for (auto byte : other.bytes)
        hasChanged |= insert(byte);
      return hasChanged;
    }
  };

  bool visit(const llvm::BasicBlock *block) {
    State state;
    for (const llvm::BasicBlock *before : llvm::predecessors(block))
      state.merge(after[before]);
    for (const Instruction &inst : *block) {
      if (!accesses.contains(&inst))
        continue;
      if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&inst))
        checkLoad(load, state);
      else
        addWrite(inst, state);
    }
    return after[block].merge(state);
  }

  void checkLoad(const llvm::LoadInst *load, const State &state) {
    Place place = uses.getPlace(load->getPointerOperand());
    bool isWritten = place.isKnown()
                         ? state.contains({place.base, *place.offset})
                         : state.isAnything || !state.bytes.empty();
    if (!isWritten)
      early.push_back(load);
  }

  void addWrite(const Instruction &write, State &state) {
    const auto *store = llvm::dyn_cast<llvm::StoreInst>(&write);
    Place place = store ? uses.getPlace(store->getPointerOperand()) : Place();
    if (!place.isKnown()) {
      state.isAnything = true;
      return;
    }
    int64_t size = layout.getTypeStoreSize(store->getValueOperand()->getType());
    for (int64_t i = 0; i < size; ++i)
      state.insert({place.base, *place.offset + i});
  }

  const llvm::Function &kernel;
  const ArgumentUses &uses;
  const llvm::DataLayout &layout;
  llvm::SmallPtrSet<const Instruction *, 16> accesses;
  llvm::DenseMap<const llvm::BasicBlock *, State> after;
  llvm::SmallVector<const Instruction *> early; ///< in this round
};
} // namespace

std::vector<AccessProblem>
op2::frontend::findAccessProblems(const llvm::Function &kernel,
                                  llvm::ArrayRef<ArgDescription> args) {
  std::vector<AccessProblem> problems;
  if (kernel.isDeclaration() || kernel.arg_size() != args.size())
    return problems;
  for (auto [number, arg] : llvm::enumerate(args)) {
    using Kind = AccessProblem::Kind;
    auto add = [&, number = unsigned(number)](Kind kind,
                                              const Instruction *where) {
      if (where)
        problems.push_back({kind, number, where});
      return where != nullptr;
    };
    const llvm::Argument &parameter = *kernel.getArg(number);
    if (!parameter.getType()->isPointerTy() ||
        arg.kind == ArgDescription::Kind::Index)
      continue;
    ArgumentUses uses(parameter, arg);
    switch (arg.access) {
    case Access::Read:
      add(Kind::WritesRead, uses.writes.empty() ? nullptr : uses.writes[0]);
      break;
    case Access::Write:
      // What is handed on may be written there.
      if (uses.unknown.empty() && arg.kind == ArgDescription::Kind::Dat)
        add(Kind::ReadsUnwritten, WrittenBytes(kernel, uses).findEarlyRead());
      break;
    case Access::Inc: {
      // Truth values are or-ed, which takes many forms. A row that is reached
      // directly belongs to the element alone, whatever it does there.
      if (arg.type == ElementType::Bool ||
          (arg.kind == ArgDescription::Kind::Dat && !arg.isIndirect()))
        break;
      IncrementCheck check(uses);
      if (!add(Kind::ReadsIncrement, check.findRead()) &&
          !add(Kind::AssignsIncrement, check.findAssignment(false)))
        add(Kind::ClearsIncrement, check.findAssignment(true));
      break;
    }
    default:
      break;
    }
  }
  return problems;
}

/// Set under a guard, once.
static bool isGuarded(const llvm::GlobalVariable &variable) {
  llvm::StringRef name = variable.getName();
  if (name.starts_with("_ZGV"))
    return true;
  return name.consume_front("_Z") &&
         variable.getParent()->getNamedValue(("_ZGV" + name).str());
}

std::vector<SharedWrite>
op2::frontend::findSharedWrites(const llvm::Function &kernel) {
  std::vector<SharedWrite> writes;
  for (const Instruction &inst : llvm::instructions(kernel)) {
    const Value *place = nullptr;
    if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&inst))
      place = store->isAtomic() ? nullptr : store->getPointerOperand();
    else if (const auto *memory = llvm::dyn_cast<llvm::MemIntrinsic>(&inst))
      place = memory->getRawDest();
    const auto *variable =
        place ? llvm::dyn_cast<llvm::GlobalVariable>(
                    llvm::getUnderlyingObject(place, /*MaxLookup=*/0))
              : nullptr;
    // Names of counters that compilers add begin like this: not the program's.
    if (!variable || variable->isThreadLocal() || isGuarded(*variable) ||
        variable->getName().starts_with("__"))
      continue;
    if (llvm::none_of(writes, [&](const SharedWrite &write) {
          return write.variable == variable;
        }))
      writes.push_back({variable, &inst});
  }
  return writes;
}

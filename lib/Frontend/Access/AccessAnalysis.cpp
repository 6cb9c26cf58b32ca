//===- AccessAnalysis.cpp - Accesses of a kernel to its arguments ---------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessAnalysis.h"
#include "ArgumentUses.h"
#include "EveryPath.h"
#include "IncrementCheck.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace op2::frontend;
using llvm::Instruction;
using llvm::Value;

//===----------------------------------------------------------------------===//
// OP_WRITE
//===----------------------------------------------------------------------===//

namespace {
/// Which bytes of each row a kernel may have written where.
class WrittenBytes {
public:
  WrittenBytes(const llvm::Function &kernel,
               llvm::ArrayRef<ArgDescription> args, unsigned number,
               const ArgumentUses &uses)
      : kernel(kernel), args(args), number(number), uses(uses),
        layout(kernel.getParent()->getDataLayout()) {
    for (const llvm::LoadInst *load : uses.loads)
      accesses.insert(load);
    for (const Instruction *write : uses.writes)
      accesses.insert(write);
  }

  /// Loads of what nothing that may come before them writes; nor, in a loop,
  /// when it goes for the first time.
  std::vector<AccessFinding> findEarlyReads() {
    std::vector<AccessFinding> found = find(nullptr);
    auto &function = const_cast<llvm::Function &>(kernel); // which stays
    llvm::DominatorTree dominators(function);
    llvm::LoopInfo loops(dominators);
    auto getLoop = [&](const Instruction *inst) {
      return loops.getLoopFor(inst->getParent());
    };
    llvm::SmallSetVector<const llvm::Loop *, 4> around;
    for (const llvm::LoadInst *load : uses.loads)
      around.insert(getLoop(load));
    around.remove(nullptr);
    for (const llvm::Loop *loop : around)
      for (AccessFinding finding : find(loop)) {
        bool isKnown = llvm::any_of(found, [&](AccessFinding other) {
          return other.where == finding.where;
        });
        if (finding.isCertain && !isKnown && getLoop(finding.where) == loop)
          found.push_back(finding);
      }
    return found;
  }

private:
  /// Bytes of a row; beyond the last: those whose place is known at run time.
  struct State {
    llvm::SmallVector<std::pair<const Value *, int64_t>> bytes;
    bool isAnything = false;
    bool isElsewhere = false; ///< what may be the row under another name

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
      bool hasChanged = (other.isAnything && !isAnything) ||
                        (other.isElsewhere && !isElsewhere);
      isAnything |= other.isAnything;
      isElsewhere |= other.isElsewhere;
      for (auto byte : other.bytes)
        hasChanged |= insert(byte);
      return hasChanged;
    }
  };

  /// `once`: a loop that goes once only, as do those around it; or null.
  std::vector<AccessFinding> find(const llvm::Loop *once) {
    first = once;
    after.clear();
    llvm::ReversePostOrderTraversal<const llvm::Function *> order(&kernel);
    for (bool hasChanged = true; hasChanged;) {
      hasChanged = false;
      early.clear();
      for (const llvm::BasicBlock *block : order)
        hasChanged |= visit(block);
    }
    return early;
  }

  bool goesBack(const llvm::BasicBlock *from,
                const llvm::BasicBlock *to) const {
    for (const llvm::Loop *loop = first; loop; loop = loop->getParentLoop())
      if (loop->getHeader() == to && loop->contains(from))
        return true;
    return false;
  }

  bool visit(const llvm::BasicBlock *block) {
    State state;
    for (const llvm::BasicBlock *before : llvm::predecessors(block))
      if (!goesBack(before, block))
        state.merge(after[before]);
    for (const Instruction &inst : *block) {
      if (!accesses.contains(&inst)) {
        state.isElsewhere |= mayWriteRow(inst);
        continue;
      }
      if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&inst))
        checkLoad(load, state);
      else
        addWrite(inst, state);
    }
    return after[block].merge(state);
  }

  /// Whether a value only goes back to where it came from, with some bits
  /// replaced: a bit-field is stored so.
  static bool isKeptInPlace(const llvm::Instruction &value,
                            const Value &place) {
    return !value.use_empty() &&
           llvm::all_of(value.users(), [&](const llvm::User *user) {
             if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(user))
               return store->getPointerOperand() == &place &&
                      store->getValueOperand() == &value;
             const auto *bits = llvm::dyn_cast<llvm::BinaryOperator>(user);
             return bits &&
                    (bits->getOpcode() == Instruction::And ||
                     bits->getOpcode() == Instruction::Or) &&
                    isKeptInPlace(*bits, place);
           });
  }

  /// Of a load whose value only goes back: the bits that are replaced, each
  /// time.
  llvm::APInt getReplacedBits(const llvm::LoadInst &load) const {
    llvm::APInt replaced(load.getType()->getIntegerBitWidth(), 0);
    const llvm::APInt *kept = nullptr;
    using namespace llvm::PatternMatch;
    if (load.hasOneUse() &&
        match(load.user_back(), m_And(m_Specific(&load), m_APInt(kept))) &&
        isKeptInPlace(load, *load.getPointerOperand()) && runsAlways(load))
      replaced = ~*kept;
    return replaced;
  }

  /// Whether it is loaded for a bit-field's sake only, and all that lie there
  /// are written.
  bool isOfBitFields(const llvm::LoadInst &load) const {
    if (!load.getType()->isIntegerTy() ||
        !isKeptInPlace(load, *load.getPointerOperand()))
      return false;
    Place place = uses.getPlace(load.getPointerOperand());
    llvm::APInt replaced(load.getType()->getIntegerBitWidth(), 0);
    for (const Instruction &inst : llvm::instructions(kernel)) {
      const auto *other = llvm::dyn_cast<llvm::LoadInst>(&inst);
      if (!other || other->getType() != load.getType())
        continue;
      Place at = uses.getPlace(other->getPointerOperand());
      if (place.isKnown() && at.isKnown() && at.base == place.base &&
          *at.offset == *place.offset)
        replaced |= getReplacedBits(*other);
    }
    return replaced.isAllOnes();
  }

  void checkLoad(const llvm::LoadInst *load, const State &state) {
    if (isOfBitFields(*load))
      return;
    Place place = uses.getPlace(load->getPointerOperand());
    bool isWritten = place.isKnown()
                         ? state.contains({place.base, *place.offset})
                         : state.isAnything || !state.bytes.empty();
    if (isWritten)
      return;
    // Two rows of a vector argument may be one.
    bool isApart =
        !state.isElsewhere && llvm::all_of(state.bytes, [&](auto byte) {
          return byte.first == place.base;
        });
    // Some bits beside a bit-field may be nobody's.
    bool isSurelyRead =
        isUsed(*load) && !isKeptInPlace(*load, *load->getPointerOperand());
    early.push_back({load, isApart && isSurelyRead && runsAlways(*load) &&
                               uses.surelyReaches(load->getPointerOperand())});
  }

  /// Whether a write that is not to the argument may be to its rows: two
  /// arguments may have one dat.
  bool mayWriteRow(const Instruction &inst) const {
    if (!inst.mayWriteToMemory() || inst.isLifetimeStartOrEnd() ||
        inst.isDebugOrPseudoInst() || isInstrumentation(inst))
      return false;
    const Value *pointer = nullptr;
    if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&inst))
      pointer = store->getPointerOperand();
    else if (const auto *memory = llvm::dyn_cast<llvm::MemIntrinsic>(&inst))
      pointer = memory->getRawDest();
    else if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&inst))
      return !call->onlyAccessesInaccessibleMemory();
    if (!pointer)
      return true;
    const Value *object = llvm::getUnderlyingObject(pointer, /*MaxLookup=*/0);
    if (const auto *parameter = llvm::dyn_cast<llvm::Argument>(object)) {
      const ArgDescription &to = args[parameter->getArgNo()];
      const ArgDescription &row = args[number];
      return to.kind == row.kind && to.type == row.type &&
             (to.dim == row.dim || to.dim == kDynamicDim ||
              row.dim == kDynamicDim);
    }
    return !llvm::isa<llvm::AllocaInst>(object);
  }

  /// Whether more depends on a load than a choice that may be for something
  /// else: references are loaded early.
  static bool isUsed(const llvm::LoadInst &load) {
    return llvm::any_of(load.users(), [](const llvm::User *user) {
      return !llvm::isa<llvm::SelectInst, llvm::PHINode>(user);
    });
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
  llvm::ArrayRef<ArgDescription> args;
  unsigned number;
  const ArgumentUses &uses;
  const llvm::DataLayout &layout;
  llvm::SmallPtrSet<const Instruction *, 16> accesses;
  llvm::DenseMap<const llvm::BasicBlock *, State> after;
  std::vector<AccessFinding> early; ///< in this round
  const llvm::Loop *first = nullptr;
};
} // namespace

/// Writes to what is only read.
static std::vector<AccessFinding> findWrites(const ArgumentUses &uses) {
  std::vector<AccessFinding> findings;
  for (const Instruction *write : uses.writes) {
    const Value *pointer;
    bool isSome = true;
    if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(write)) {
      pointer = store->getPointerOperand();
    } else {
      const auto *memory = llvm::cast<llvm::MemIntrinsic>(write);
      pointer = memory->getRawDest();
      const auto *length =
          llvm::dyn_cast<llvm::ConstantInt>(memory->getLength());
      isSome = length && !length->isZero();
    }
    findings.push_back(
        {write, isSome && uses.surelyReaches(pointer) && runsAlways(*write)});
  }
  return findings;
}

/// Whether all stores are of one constant: that is how flags are raised.
static bool isFlag(const ArgumentUses &uses) {
  const Value *first = uses.stores.front()->getValueOperand();
  return llvm::isa<llvm::Constant>(first) &&
         llvm::all_of(uses.stores, [&](const llvm::StoreInst *store) {
           return store->getValueOperand() == first;
         });
}

/// Whether a predicate holds where the first operand is the greater one, or the
/// smaller one; nothing of others.
static std::optional<bool> isGreater(llvm::CmpInst::Predicate predicate) {
  switch (predicate) {
  case llvm::CmpInst::FCMP_OGT:
  case llvm::CmpInst::FCMP_OGE:
  case llvm::CmpInst::FCMP_UGT:
  case llvm::CmpInst::FCMP_UGE:
  case llvm::CmpInst::ICMP_SGT:
  case llvm::CmpInst::ICMP_SGE:
  case llvm::CmpInst::ICMP_UGT:
  case llvm::CmpInst::ICMP_UGE:
    return true;
  case llvm::CmpInst::FCMP_OLT:
  case llvm::CmpInst::FCMP_OLE:
  case llvm::CmpInst::FCMP_ULT:
  case llvm::CmpInst::FCMP_ULE:
  case llvm::CmpInst::ICMP_SLT:
  case llvm::CmpInst::ICMP_SLE:
  case llvm::CmpInst::ICMP_ULT:
  case llvm::CmpInst::ICMP_ULE:
    return false;
  default:
    return std::nullopt;
  }
}

namespace {
/// Stores to a minimum or maximum that make it something else.
class MinMaxCheck {
public:
  MinMaxCheck(const ArgumentUses &uses, Access access, Addresses &addresses)
      : uses(uses), access(access), addresses(addresses) {}

  /// Stores of what the old value has no part in, nor in any choice of the
  /// kernel.
  std::vector<AccessFinding> findUncompared() const {
    if (!isFollowed())
      return {};
    const llvm::Function &kernel = *uses.stores.front()->getFunction();
    for (const llvm::BasicBlock &block : kernel)
      for (const Value *operand : block.getTerminator()->operands())
        if (uses.mayBePartOf(operand))
          return {};
    std::vector<AccessFinding> findings;
    for (const llvm::StoreInst *store : uses.stores)
      if (!uses.mayBePartOf(store->getValueOperand()))
        findings.push_back(
            {store, uses.surelyReaches(store->getPointerOperand()) &&
                        runsAlways(*store)});
    return findings;
  }

  /// A store of a sum with the old value, or of the larger value to a minimum
  /// or the smaller one to a maximum. With several stores one may
  /// put right what another one does.
  std::vector<AccessFinding> findOther() const {
    if (!isFollowed() || uses.stores.size() != 1)
      return {};
    const llvm::StoreInst &store = *uses.stores.front();
    if (!isSum(store) && !isOtherWay(store))
      return {};
    return {{&store, uses.surelyReaches(store.getPointerOperand())}};
  }

private:
  bool isFollowed() const {
    return uses.unknown.empty() && !uses.stores.empty() &&
           uses.stores.size() == uses.writes.size() && !isFlag(uses);
  }

  bool isOld(const Value *value, const llvm::StoreInst &store) const {
    const auto *load = llvm::dyn_cast<llvm::LoadInst>(value);
    return load && addresses.compare(load->getPointerOperand(),
                                     store.getPointerOperand()) ==
                       Addresses::Relation::Same;
  }

  /// Whether something is added to the old value, or subtracted. Numbers that
  /// are 0 or 1 may be multiplied, and-ed and or-ed.
  bool isSum(const llvm::StoreInst &store) const {
    const auto *sum =
        llvm::dyn_cast<llvm::BinaryOperator>(store.getValueOperand());
    if (!sum || (sum->getOpcode() != Instruction::FAdd &&
                 sum->getOpcode() != Instruction::Add &&
                 sum->getOpcode() != Instruction::FSub &&
                 sum->getOpcode() != Instruction::Sub))
      return false;
    const Value *left = sum->getOperand(0), *right = sum->getOperand(1);
    return (isOld(left, store) && !uses.mayBePartOf(right)) ||
           (isOld(right, store) && !uses.mayBePartOf(left));
  }

  /// Whether the larger value is kept for a minimum, or the smaller one for a
  /// maximum.
  bool isOtherWay(const llvm::StoreInst &store) const {
    std::optional<bool> isLarger = keepsLarger(store);
    return isLarger && *isLarger == (access == Access::Min);
  }

  std::optional<bool> keepsLarger(const llvm::StoreInst &store) const {
    const Value *value = store.getValueOperand();
    if (const auto *select = llvm::dyn_cast<llvm::SelectInst>(value))
      return isChosenLarger(*select->getCondition(), *select->getTrueValue(),
                            *select->getFalseValue(), store);
    if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(value))
      if (const auto *place =
              llvm::dyn_cast<llvm::SelectInst>(load->getPointerOperand()))
        return isChosenLarger(*place->getCondition(), *place->getTrueValue(),
                              *place->getFalseValue(), store);
    const llvm::BasicBlock *block = store.getParent();
    const llvm::BasicBlock *before = block->getSinglePredecessor();
    const auto *branch =
        before ? llvm::dyn_cast<llvm::BranchInst>(before->getTerminator())
               : nullptr;
    if (!branch || !branch->isConditional())
      return std::nullopt;
    const auto *compare = llvm::dyn_cast<llvm::CmpInst>(branch->getCondition());
    if (!compare)
      return std::nullopt;
    std::optional<bool> isFirst = isGreater(compare->getPredicate());
    bool isNewFirst = isOld(compare->getOperand(1), store) &&
                      isSame(*compare->getOperand(0), *value);
    bool isNewSecond = isOld(compare->getOperand(0), store) &&
                       isSame(*compare->getOperand(1), *value);
    if (!isFirst || isNewFirst == isNewSecond)
      return std::nullopt;
    bool holds = branch->getSuccessor(0) == block;
    return (*isFirst == isNewFirst) == holds;
  }

  /// Of the choice between the old value and another one, or of their places.
  std::optional<bool> isChosenLarger(const Value &condition, const Value &first,
                                     const Value &second,
                                     const llvm::StoreInst &store) const {
    const auto *compare = llvm::dyn_cast<llvm::CmpInst>(&condition);
    std::optional<bool> isFirst =
        compare ? isGreater(compare->getPredicate()) : std::nullopt;
    if (!isFirst)
      return std::nullopt;
    const Value *left = compare->getOperand(0), *right = compare->getOperand(1);
    if (!isOld(left, store) && !isOld(right, store))
      return std::nullopt;
    if (isSame(*left, first) && isSame(*right, second))
      return *isFirst;
    if (isSame(*left, second) && isSame(*right, first))
      return !*isFirst;
    return std::nullopt;
  }

  /// Whether `compared` is `other`, or is loaded from where `other` is loaded
  /// from, or from there.
  bool isSame(const Value &compared, const Value &other) const {
    if (&compared == &other)
      return true;
    const auto *load = llvm::dyn_cast<llvm::LoadInst>(&compared);
    if (!load)
      return false;
    const auto *again = llvm::dyn_cast<llvm::LoadInst>(&other);
    const Value *place = again ? again->getPointerOperand() : &other;
    return place->getType()->isPointerTy() &&
           addresses.compare(load->getPointerOperand(), place) ==
               Addresses::Relation::Same;
  }

  const ArgumentUses &uses;
  Access access;
  Addresses &addresses;
};
} // namespace

namespace {
/// Accesses at places that are known, and outside of a row. Of tables of rows
/// each has its own, and the table has one for each slot.
class OutsideFinder {
public:
  OutsideFinder(const ArgumentUses &uses, const ArgDescription &arg,
                llvm::function_ref<Addresses &()> getAddresses)
      : uses(uses), getAddresses(getAddresses) {
    for (const llvm::LoadInst *load : uses.entries)
      check(load, load->getPointerOperand(), load->getType(),
            arg.count * load->getDataLayout().getPointerSize());
    if (arg.dim == kDynamicDim)
      return;
    int64_t bytes = arg.getBytes() * (arg.isPacked ? arg.count : 1);
    for (const llvm::LoadInst *load : uses.loads)
      check(load, load->getPointerOperand(), load->getType(), bytes);
    for (const llvm::StoreInst *store : uses.stores)
      check(store, store->getPointerOperand(),
            store->getValueOperand()->getType(), bytes);
    for (const Instruction *write : uses.writes)
      if (const auto *memory = llvm::dyn_cast<llvm::MemIntrinsic>(write))
        check(memory, memory->getRawDest(), *memory->getLength(), bytes);
    for (const Instruction *use : uses.unknown)
      if (const auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(use))
        check(copy, copy->getRawSource(), *copy->getLength(), bytes);
  }

  std::vector<AccessFinding> findings;

private:
  void check(const Instruction *inst, const Value *pointer, llvm::Type *type,
             int64_t bytes) {
    llvm::TypeSize size = inst->getDataLayout().getTypeStoreSize(type);
    if (!size.isScalable())
      check(inst, pointer, int64_t(size.getFixedValue()), bytes);
  }

  void check(const Instruction *inst, const Value *pointer, const Value &length,
             int64_t bytes) {
    const auto *size = llvm::dyn_cast<llvm::ConstantInt>(&length);
    if (size && !size->isZero() && size->getValue().isIntN(31))
      check(inst, pointer, int64_t(size->getZExtValue()), bytes);
  }

  void check(const Instruction *inst, const Value *pointer, int64_t size,
             int64_t bytes) {
    Place place = uses.getPlace(pointer);
    std::optional<Addresses::Range> range;
    if (place.isKnown())
      range = {*place.offset, *place.offset};
    else
      range = getAddresses().getRange(*inst, pointer);
    if (range && (range->first < 0 || range->last + size > bytes))
      findings.push_back(
          {inst, runsAlways(*inst) && uses.surelyReaches(pointer)});
  }

  const ArgumentUses &uses;
  llvm::function_ref<Addresses &()> getAddresses;
};
} // namespace

namespace {
/// The problems of one kernel with all of its arguments.
class ProblemFinder {
public:
  ProblemFinder(const llvm::Function &kernel,
                llvm::ArrayRef<ArgDescription> args)
      : kernel(kernel), args(args) {}

  std::vector<unsigned> findAdditions() {
    std::vector<unsigned> found;
    for (auto [number, arg] : llvm::enumerate(args))
      if (arg.kind == ArgDescription::Kind::Dat && arg.isIndirect() &&
          arg.access == Access::ReadWrite && !arg.isPacked && arg.levels == 0) {
        ArgumentUses uses(*kernel.getArg(number), arg);
        if (IncrementCheck(args, number, uses, getAddresses()).isAllAdditions())
          found.push_back(unsigned(number));
      }
    return found;
  }

  std::vector<AccessProblem> run() {
    for (auto [number, arg] : llvm::enumerate(args))
      if (kernel.getArg(number)->getType()->isPointerTy() &&
          arg.kind != ArgDescription::Kind::Index)
        check(unsigned(number));
    return std::move(problems);
  }

private:
  using Kind = AccessProblem::Kind;

  Addresses &getAddresses() {
    // LLVM's analyses look only, but take what they may change.
    if (!addresses)
      addresses.emplace(const_cast<llvm::Function &>(kernel));
    return *addresses;
  }

  bool add(Kind kind, unsigned number, llvm::ArrayRef<AccessFinding> findings) {
    if (findings.empty())
      return false;
    const auto *certain = llvm::find_if(
        findings, [](AccessFinding finding) { return finding.isCertain; });
    problems.push_back(
        {kind, number,
         certain == findings.end() ? findings.front() : *certain});
    return true;
  }

  void check(unsigned number) {
    const ArgDescription &arg = args[number];
    ArgumentUses uses(*kernel.getArg(number), arg);
    bool isDat = arg.kind == ArgDescription::Kind::Dat;
    add(Kind::LeavesRow, number, OutsideFinder(uses, arg, [&]() -> Addresses & {
                                   return getAddresses();
                                 }).findings);
    // A row that is reached directly belongs to the element alone, whatever it
    // does there.
    bool isShared = !isDat || arg.isIndirect();
    // Packed rows are a copy of the kernel's own.
    if (arg.access == Access::Read && !arg.isPacked)
      add(Kind::WritesRead, number, findWrites(uses));
    // What is handed on may be written there.
    if (arg.access == Access::Write && uses.unknown.empty())
      add(Kind::ReadsUnwritten, number,
          WrittenBytes(kernel, args, number, uses).findEarlyReads());
    // Truth values are or-ed, which takes many forms. Packed rows and levels
    // are the element's own and begin as zeros.
    bool isOwn = arg.isPacked || arg.levels > 0;
    if (arg.access == Access::Inc && arg.type != ElementType::Bool &&
        isShared && !isOwn)
      checkIncrements(number, uses);
    bool isCompared = arg.access == Access::Min || arg.access == Access::Max;
    if (isCompared && arg.kind != ArgDescription::Kind::Info && isShared)
      checkMinMax(number, uses);
  }

  void checkMinMax(unsigned number, const ArgumentUses &uses) {
    MinMaxCheck check(uses, args[number].access, getAddresses());
    if (!add(Kind::AssignsMinMax, number, check.findUncompared()))
      add(Kind::MissesMinMax, number, check.findOther());
  }

  void checkIncrements(unsigned number, const ArgumentUses &uses) {
    IncrementCheck check(args, number, uses, getAddresses());
    if (!add(Kind::ReadsIncrement, number, check.findReads()) &&
        !add(Kind::AssignsIncrement, number, check.findAssignments(false)))
      add(Kind::ClearsIncrement, number, check.findAssignments(true));
  }

  const llvm::Function &kernel;
  llvm::ArrayRef<ArgDescription> args;
  std::optional<Addresses> addresses;
  std::vector<AccessProblem> problems;
};
} // namespace

std::vector<AccessProblem>
op2::frontend::findAccessProblems(const llvm::Function &kernel,
                                  llvm::ArrayRef<ArgDescription> args) {
  if (kernel.isDeclaration() || kernel.arg_size() != args.size())
    return {};
  return ProblemFinder(kernel, args).run();
}

std::vector<unsigned>
op2::frontend::findAdditions(const llvm::Function &kernel,
                             llvm::ArrayRef<ArgDescription> args) {
  if (kernel.isDeclaration() || kernel.arg_size() != args.size())
    return {};
  return ProblemFinder(kernel, args).findAdditions();
}

std::vector<unsigned>
op2::frontend::findHiddenSums(const llvm::Function &kernel,
                              llvm::ArrayRef<ArgDescription> args) {
  std::vector<unsigned> found;
  if (kernel.isDeclaration() || kernel.arg_size() != args.size())
    return found;
  for (auto [number, arg] : llvm::enumerate(args))
    if (arg.isUserType && arg.access == Access::Inc &&
        llvm::any_of(ArgumentUses(*kernel.getArg(number), arg).unknown,
                     [](const llvm::Instruction *inst) {
                       return llvm::isa<llvm::CallBase>(inst);
                     }))
      found.push_back(unsigned(number));
  return found;
}

/// Set under a guard, once: by whichever element is the first.
static bool isGuarded(const llvm::GlobalVariable &variable) {
  llvm::StringRef name = variable.getName();
  return name.consume_front("_Z") &&
         variable.getParent()->getNamedValue(("_ZGV" + name).str());
}

static bool isShared(const llvm::GlobalVariable &variable) {
  // Names of counters that compilers add begin like this: not the program's.
  return !variable.isConstant() && !variable.isThreadLocal() &&
         !variable.getName().starts_with("__") &&
         !variable.getName().starts_with("_ZGV");
}

/// Whether `is` holds for one of the values that a value is computed from.
static bool comesFrom(const Value &value,
                      llvm::function_ref<bool(const Value &)> is) {
  llvm::SmallSetVector<const Value *, 8> values;
  values.insert(&value);
  for (unsigned i = 0; i < values.size(); ++i) {
    if (is(*values[i]))
      return true;
    if (const auto *inst = llvm::dyn_cast<Instruction>(values[i]))
      values.insert_range(inst->operand_values());
  }
  return false;
}

/// Whether what is stored comes from data that each element has of its own.
static bool isOfElement(const Instruction &write,
                        llvm::ArrayRef<ArgDescription> args) {
  const auto *store = llvm::dyn_cast<llvm::StoreInst>(&write);
  return store && comesFrom(*store->getValueOperand(), [&](const Value &value) {
           const auto *arg = llvm::dyn_cast<llvm::Argument>(&value);
           return arg &&
                  args[arg->getArgNo()].kind != ArgDescription::Kind::Global;
         });
}

/// Whether elements may choose different places: by what they get, or what a
/// function says, like the number of a thread.
static bool dependsOnElement(const Value &place) {
  return comesFrom(place, [](const Value &value) {
    return llvm::isa<llvm::Argument>(value) ||
           (llvm::isa<llvm::CallBase>(value) &&
            !llvm::isa<llvm::IntrinsicInst>(value));
  });
}

/// The variables that a place may lie in, or behind.
static void addVariables(const Value &place, const Instruction &where,
                         bool isBehindPointer,
                         std::vector<SharedWrite> &writes) {
  llvm::SmallVector<const Value *> objects;
  llvm::getUnderlyingObjects(&place, objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  for (const Value *object : objects) {
    // Those behind two pointers may be anybody's.
    if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(object);
        load && !isBehindPointer && !dependsOnElement(place))
      addVariables(*load->getPointerOperand(), where, true, writes);
    const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(object);
    if (variable && isShared(*variable) &&
        llvm::none_of(writes, [&](const SharedWrite &write) {
          return write.variable == variable;
        }))
      writes.push_back({variable, &where, isBehindPointer});
  }
}

std::vector<SharedWrite>
op2::frontend::findSharedWrites(const llvm::Function &kernel,
                                llvm::ArrayRef<ArgDescription> args) {
  std::vector<SharedWrite> writes;
  if (kernel.arg_size() != args.size())
    return writes;
  for (const Instruction &inst : llvm::instructions(kernel)) {
    const Value *place = nullptr;
    if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&inst))
      place = store->isAtomic() ? nullptr : store->getPointerOperand();
    else if (const auto *memory = llvm::dyn_cast<llvm::MemIntrinsic>(&inst))
      place = memory->getRawDest();
    if (place)
      addVariables(*place, inst, /*isBehindPointer=*/false, writes);
  }
  llvm::erase_if(writes, [&](const SharedWrite &write) {
    return isGuarded(*write.variable) && !isOfElement(*write.where, args);
  });
  return writes;
}

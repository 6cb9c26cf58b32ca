//===- AccessAnalysis.cpp - Accesses of a kernel to its arguments ---------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessAnalysis.h"
#include "ArgumentUses.h"
#include "BoundsCheck.h"
#include "EveryPath.h"
#include "IncrementCheck.h"
#include "MinMaxCheck.h"
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

  /// Whether it is a row of a table that is known at run time.
  static bool isAnyRow(const Value *base) {
    const auto *row = llvm::dyn_cast_or_null<llvm::LoadInst>(base);
    return row && !llvm::isa<llvm::Argument>(
                      row->getPointerOperand()->stripInBoundsConstantOffsets());
  }

  void addWrite(const Instruction &write, State &state) {
    const auto *store = llvm::dyn_cast<llvm::StoreInst>(&write);
    Place place = store ? uses.getPlace(store->getPointerOperand()) : Place();
    if (!place.isKnown() || isAnyRow(place.base)) {
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
    add(Kind::LeavesRow, number, findOutside(uses, arg, [&]() -> Addresses & {
          return getAddresses();
        }));
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

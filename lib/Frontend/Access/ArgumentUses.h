//===- ArgumentUses.h - Uses of an argument in a kernel ---------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_ARGUMENTUSES_H
#define OP2_FRONTEND_ARGUMENTUSES_H

#include "LoopDescription.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace op2::frontend {

/// Where a pointer into an argument's data points.
struct Place {
  const llvm::Value *base = nullptr; ///< the row
  std::optional<int64_t> offset;     ///< in bytes; none: known at run time

  /// Whether the place in the row is known: not if the base is one of several.
  bool isKnown() const {
    return offset && llvm::isa<llvm::Argument, llvm::LoadInst>(base);
  }
};

/// How addresses of a kernel relate.
class Addresses {
public:
  explicit Addresses(llvm::Function &kernel)
      : libraryImpl(kernel.getParent()->getTargetTriple()),
        library(libraryImpl), assumptions(kernel), dominators(kernel),
        loops(dominators),
        evolution(kernel, library, assumptions, dominators, loops) {}

  enum class Relation { Same, Different, Unknown };
  /// Of two places of one row; of different rows nothing is known: a map may
  /// lead to one element twice.
  Relation compare(const llvm::Value *left, const llvm::Value *right);

  /// Bytes between the row that a pointer is into and the least and the
  /// greatest address that it has at an access.
  struct Range {
    int64_t first, last;
  };
  /// Where loops of which the number of turns is known go through a row, an
  /// access in each of them; nothing if it is another way.
  std::optional<Range> getRange(const llvm::Instruction &access,
                                const llvm::Value *pointer);

private:
  /// How often a loop comes to a block; nothing if that is not known.
  std::optional<int64_t> countTurns(const llvm::Loop &loop,
                                    const llvm::BasicBlock &block);
  bool isSameBase(const llvm::SCEV *left, const llvm::SCEV *right);

  llvm::TargetLibraryInfoImpl libraryImpl;
  llvm::TargetLibraryInfo library;
  llvm::AssumptionCache assumptions;
  llvm::DominatorTree dominators;
  llvm::LoopInfo loops;
  llvm::ScalarEvolution evolution;
};

/// The accesses to one argument of a kernel, in the order of the code.
class ArgumentUses {
public:
  ArgumentUses(const llvm::Argument &parameter, const ArgDescription &arg);

  llvm::SmallVector<const llvm::LoadInst *> loads;
  llvm::SmallVector<const llvm::StoreInst *> stores;
  /// Of a table of rows: its entries.
  llvm::SmallVector<const llvm::LoadInst *> entries;
  /// Everything that writes: the stores, and memcpy and the like.
  llvm::SmallVector<const llvm::Instruction *> writes;
  /// Calls and other instructions that might do anything with the data.
  llvm::SmallVector<const llvm::Instruction *> unknown;

  Place getPlace(const llvm::Value *pointer) const;

  /// Whether a pointer may lead to the argument's data.
  bool mayReach(const llvm::Value *pointer) const {
    return seen.contains(pointer);
  }
  /// Whether it does, whichever way the kernel takes.
  bool surelyReaches(const llvm::Value *pointer) const {
    return seen.contains(pointer) && !mixed.contains(pointer);
  }

  /// Whether the argument's data has a part in a value, or may have: what lies
  /// in local memory, or comes out of a function, is not followed. Other
  /// arguments are other data: where they are not, two elements of the loop
  /// race.
  bool mayBePartOf(const llvm::Value *value) const;

private:
  void follow(const llvm::Value *pointer, bool isTable);
  void findMixed();

  const llvm::DataLayout &layout;
  llvm::SmallSetVector<const llvm::Value *, 16> seen;
  /// Of them, those that may as well lead elsewhere.
  llvm::SmallPtrSet<const llvm::Value *, 4> mixed;
  /// For each entry of a table that is known the first load of it.
  mutable llvm::DenseMap<std::pair<const llvm::Value *, int64_t>,
                         const llvm::Value *>
      rows;
};

/// What sanitizers put into the code, which is not the kernel's doing.
bool isInstrumentation(const llvm::Instruction &inst);

} // namespace op2::frontend

#endif // OP2_FRONTEND_ARGUMENTUSES_H

//===- IncrementCheck.h - Uses of OP_INC arguments in a kernel --*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_INCREMENTCHECK_H
#define OP2_FRONTEND_INCREMENTCHECK_H

#include "AccessAnalysis.h"
#include "ArgumentUses.h"

namespace op2::frontend {

/// Finds what is not "load, add, store back" among the uses of an argument.
class IncrementCheck {
public:
  IncrementCheck(llvm::ArrayRef<ArgDescription> args, unsigned number,
                 const ArgumentUses &uses, Addresses &addresses)
      : args(args), number(number), uses(uses), addresses(addresses) {}

  /// Uses of the old value for something else.
  std::vector<AccessFinding> findReads();

  /// Stores of something that is not the old value plus something: of zero or
  /// of something else. To be called after findReads found nothing.
  std::vector<AccessFinding> findAssignments(bool ofZero) const;

  /// Whether the kernel adds to the argument and does nothing else with it.
  bool isAllAdditions();

private:
  /// How a use of the old value fits in.
  enum class Use { Fits, Breaks, MayBreak, Hides };
  Use classify(const llvm::Value *term, const llvm::Instruction &user,
               const llvm::LoadInst &load);
  Use classifyStore(const llvm::StoreInst &store, const llvm::LoadInst &load);
  void followSum(const llvm::LoadInst &load,
                 std::vector<AccessFinding> &findings);

  llvm::ArrayRef<ArgDescription> args;
  unsigned number;
  const ArgumentUses &uses;
  Addresses &addresses;
  llvm::SmallPtrSet<const llvm::Instruction *, 8> sums;
  /// The first term that was met of each instruction that adds.
  llvm::DenseMap<const llvm::Instruction *, const llvm::Value *> addedTo;
  /// Whether the old value got into memory where it is not followed.
  bool isHidden = false;
};

} // namespace op2::frontend

#endif // OP2_FRONTEND_INCREMENTCHECK_H

//===- MinMaxCheck.h - Uses of OP_MIN and OP_MAX in a kernel ----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_MINMAXCHECK_H
#define OP2_FRONTEND_MINMAXCHECK_H

#include "AccessAnalysis.h"
#include "ArgumentUses.h"

namespace op2::frontend {

/// Finds stores to a minimum or maximum that make it something else.
class MinMaxCheck {
public:
  MinMaxCheck(const ArgumentUses &uses, Access access, Addresses &addresses)
      : uses(uses), access(access), addresses(addresses) {}

  /// Stores of what the old value has no part in, nor in any choice of the
  /// kernel.
  std::vector<AccessFinding> findUncompared() const;

  /// A store of a sum with the old value, or of the larger value to a minimum
  /// or the smaller one to a maximum. With several stores one may put right
  /// what another one does.
  std::vector<AccessFinding> findOther() const;

private:
  bool isFollowed() const;
  bool isOld(const llvm::Value *value, const llvm::StoreInst &store) const;
  bool isSum(const llvm::StoreInst &store) const;
  /// Whether the larger one of the old value and another is stored, or the
  /// smaller one: by a choice of values, or of whether to store.
  std::optional<bool> keepsLarger(const llvm::StoreInst &store) const;
  std::optional<bool> keepsLargerByBranch(const llvm::StoreInst &store) const;
  std::optional<bool> isChosenLarger(const llvm::Value &condition,
                                     const llvm::Value &first,
                                     const llvm::Value &second,
                                     const llvm::StoreInst &store) const;
  bool isSame(const llvm::Value &compared, const llvm::Value &other) const;

  const ArgumentUses &uses;
  Access access;
  Addresses &addresses;
};

} // namespace op2::frontend

#endif // OP2_FRONTEND_MINMAXCHECK_H

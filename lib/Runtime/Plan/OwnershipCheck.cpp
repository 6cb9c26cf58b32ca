//===- OwnershipCheck.cpp - Proof that a division is right ------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uses none of the code that divided: who owns what is computed again, from the
// definition.
//
//===----------------------------------------------------------------------===//

#include "Ownership.h"

using namespace op2::rt;

namespace {
class OwnershipChecker {
public:
  using Fault = std::function<void(std::string const &)>;

  OwnershipChecker(PlanInput const &input, Plan const &plan, Fault const &fault)
      : input(input), plan(plan), fault(fault) {
    for (ColumnSet const &set : input.conflicts)
      done.emplace_back(set.columns.size() *
                        static_cast<std::size_t>(plan.size));
  }

  void run() {
    if (!hasShape())
      return fault("plan: " + std::to_string(plan.nblocks) +
                   " parts, expected " + std::to_string(input.parts) +
                   ", or an array has the wrong length");
    checkCuts();
    for (int64_t part = 0; part < plan.nblocks; ++part)
      if (!checkPieces(part))
        return;
    for (std::size_t s = 0; s < done.size(); ++s)
      for (std::size_t i = 0; i < done[s].size(); ++i)
        if (done[s][i] != 1)
          fault("element " +
                std::to_string(i / input.conflicts[s].columns.size()) + ": " +
                std::to_string(done[s][i]) +
                " parts add to a target, expected 1");
  }

private:
  bool hasShape() const {
    auto parts = static_cast<std::size_t>(plan.nblocks);
    if (!(input.what & OP2RT_PLAN_OWNER) || plan.nblocks != input.parts ||
        plan.pieceBegin.size() != parts + 1 || plan.pieceBegin.front() != 0 ||
        plan.pieceBegin.back() != int64_t(plan.pieces.size()) ||
        plan.ncolors != 1 || plan.blkmap.size() != parts ||
        plan.colorBegin != std::vector<int64_t>{0, plan.nblocks})
      return false;
    for (std::size_t part = 0; part < parts; ++part)
      if (plan.blkmap[part] != int32_t(part) ||
          plan.pieceBegin[part] > plan.pieceBegin[part + 1])
        return false;
    return true;
  }

  bool checkPieces(int64_t part) {
    int64_t last = 0;
    for (int64_t i = plan.pieceBegin[part]; i < plan.pieceBegin[part + 1];
         ++i) {
      PlanPiece const &piece = plan.pieces[i];
      if (piece.begin < last || piece.end <= piece.begin ||
          piece.end > plan.size) {
        fault("part " + std::to_string(part) + ": has a piece from " +
              std::to_string(piece.begin) + " to " + std::to_string(piece.end) +
              " after " + std::to_string(last));
        return false;
      }
      last = piece.end;
      for (int64_t n = piece.begin; n < piece.end; ++n)
        checkElement(part, n, piece.is_guarded);
    }
    return true;
  }

  /// A part's range starts where it was told to, or at the greatest multiple of
  /// 16 that is not above size * part / parts.
  int64_t beginOf(int64_t part, int64_t size) const {
    for (OwnedCuts const &cuts : input.cuts)
      if (cuts.targetSize == size)
        return cuts.begins[part];
    auto exact = static_cast<__int128>(size) * part / plan.nblocks;
    return part == plan.nblocks ? size : static_cast<int64_t>(exact) / 16 * 16;
  }

  bool owns(int64_t part, int64_t size, int32_t target) const {
    return beginOf(part, size) <= target && target < beginOf(part + 1, size);
  }

  /// What compiled loops are told, by the sizes of sets.
  void checkCuts() const {
    for (ColumnSet const &set : input.conflicts)
      for (int64_t part = 0; part <= plan.nblocks; ++part)
        if (int64_t told = ownedBegin(plan, set.targetSize, part);
            told != beginOf(part, set.targetSize))
          return fault("part " + std::to_string(part) + ": begins at target " +
                       std::to_string(told) + " of " +
                       std::to_string(set.targetSize) + ", expected " +
                       std::to_string(beginOf(part, set.targetSize)));
  }

  void checkElement(int64_t part, int64_t n, bool isGuarded) {
    std::size_t owned = 0, reached = 0;
    for (std::size_t s = 0; s < done.size(); ++s) {
      ColumnSet const &set = input.conflicts[s];
      reached += set.columns.size();
      for (std::size_t c = 0; c < set.columns.size(); ++c)
        if (owns(part, set.targetSize, set.columns[c][n])) {
          ++done[s][n * set.columns.size() + c];
          ++owned;
        }
    }
    if (owned == 0 || (owned < reached && !isGuarded))
      fault("element " + std::to_string(n) + ": part " + std::to_string(part) +
            " runs it " + (isGuarded ? "guarded" : "as its own") +
            ", but owns " + std::to_string(owned) + " of " +
            std::to_string(reached) + " targets");
  }

  PlanInput const &input;
  Plan const &plan;
  Fault const &fault;
  /// [set][element][column]: times that the owner of the target adds to it.
  std::vector<std::vector<uint8_t>> done;
};
} // namespace

void op2::rt::checkOwnership(
    PlanInput const &input, Plan const &plan,
    std::function<void(std::string const &)> const &fault) {
  OwnershipChecker(input, plan, fault).run();
}

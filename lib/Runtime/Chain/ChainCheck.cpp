//===- ChainCheck.cpp - Proof that the steps of a chain are right --*- C++
//-*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainPlans.h"
#include "Plan/Ownership.h"

using namespace op2::rt;

namespace {
/// The latest loop that has touched a row at all, and changed it, and its
/// element, by its rank, that has done so.
struct RowOrder {
  int32_t touchedBy = -1, changedBy = -1;
  int64_t changedIn = -1;
};

/// Goes through all that the plans do, part after part: parts of one plan run
/// at the same time, but only one of them changes a row.
class PlansChecker {
public:
  explicit PlansChecker(ChainCalls const &calls, ChainPlans const &plans)
      : calls(calls), plans(plans), input(describeChain(calls, 1)) {
    for (int64_t rows : input.rows)
      dats.emplace_back(static_cast<std::size_t>(rows));
    for (auto const &call : calls) {
      op2rt_loop loop{call->desc,
                      call->set,
                      call->args.data(),
                      nullptr,
                      call->call.get(),
                      0,
                      0,
                      true};
      conflicts.push_back(planInput(loop, 1, OP2RT_PLAN_BLOCKS).conflicts);
      ranks.push_back(ranksOf(*call));
      int64_t columns = 0;
      for (ColumnSet const &set : conflicts.back())
        columns += static_cast<int64_t>(set.columns.size());
      done.emplace_back(static_cast<std::size_t>(std::max<int64_t>(columns, 1) *
                                                 call->set->size));
    }
  }

  std::vector<std::string> run() {
    for (StepPlan const &part : plans)
      checkPart(part);
    for (std::size_t n = 0; n < done.size(); ++n)
      for (std::size_t i = 0; i < done[n].size(); ++i)
        if (done[n][i] != 1) {
          auto columns = done[n].size() / std::size_t(calls[n]->set->size);
          fault(n, int64_t(i / columns),
                "is done " + std::to_string(done[n][i]) +
                    " times; expected once");
        }
    return std::move(faults);
  }

private:
  /// When the loop alone runs its elements; empty: in the order of their
  /// numbers.
  static std::vector<int64_t> ranksOf(SiteCall const &call) {
    if (!call.isColored())
      return {};
    std::vector<int64_t> ranks(static_cast<std::size_t>(call.set->size));
    int64_t rank = 0;
    for (int32_t b : call.plan->blkmap)
      for (int64_t i = 0; i < call.plan->nelems[b]; ++i)
        ranks[call.plan->offset[b] + i] = rank++;
    return ranks;
  }

  void fault(std::size_t loop, int64_t element, std::string const &what) {
    constexpr std::size_t kMaxFaults = 20;
    if (faults.size() < kMaxFaults)
      faults.push_back("loop " + std::string(calls[loop]->desc->name) +
                       ", element " + std::to_string(element) + ": " + what);
  }

  void checkPart(StepPlan const &part) {
    Plan const &plan = *part.plan;
    if (plan.trivial)
      return;
    for (int64_t b = 0; b < plan.nblocks; ++b) {
      if (!plan.isOwned()) {
        for (int64_t n = plan.blockBegin(b); n < plan.blockEnd(b); ++n)
          checkElement(part, b, n, /*isGuarded=*/false);
        continue;
      }
      for (int64_t p = plan.pieceBegin[b]; p < plan.pieceBegin[b + 1]; ++p)
        for (int64_t n = plan.pieces[p].begin; n < plan.pieces[p].end; ++n)
          checkElement(part, b, n, plan.pieces[p].isGuarded);
    }
  }

  static bool owns(Plan const &plan, int64_t block, int64_t size,
                   int64_t target) {
    return !plan.isOwned() || (ownedBegin(plan, size, block) <= target &&
                               target < ownedBegin(plan, size, block + 1));
  }

  void checkElement(StepPlan const &part, int64_t block, int64_t n,
                    bool isGuarded) {
    auto loop = static_cast<std::size_t>(part.loop);
    if (n < 0 || n >= calls[loop]->set->size)
      return fault(loop, n, "is not one of the loop's set");
    countAdditions(part, block, n, isGuarded);
    for (ChainAccess const &access : input.loops[loop].accesses) {
      int64_t target = access.column[n];
      if (access.isChange &&
          !owns(*part.plan, block, input.rows[access.dat], target))
        continue;
      checkOrder(part.loop, n, access, dats[access.dat][target]);
    }
  }

  /// Of what parts own; elements of other plans count as a whole.
  void countAdditions(StepPlan const &part, int64_t block, int64_t n,
                      bool isGuarded) {
    auto loop = static_cast<std::size_t>(part.loop);
    if (conflicts[loop].empty()) {
      ++done[loop][n];
      return;
    }
    std::size_t columns = done[loop].size() / calls[loop]->set->size;
    std::size_t at = columns * n;
    bool ownsAll = true;
    for (ColumnSet const &set : conflicts[loop])
      for (MapColumn const &column : set.columns) {
        bool isOwned = owns(*part.plan, block, set.targetSize, column[n]);
        done[loop][at++] += isOwned;
        ownsAll &= isOwned;
      }
    if (!ownsAll && !isGuarded)
      fault(loop, n, "adds to what its part does not own");
  }

  void checkOrder(int32_t loop, int64_t n, ChainAccess const &access,
                  RowOrder &row) {
    std::vector<int64_t> const &order = ranks[static_cast<std::size_t>(loop)];
    int64_t rank = order.empty() ? n : order[n];
    bool isLate = access.isChange
                      ? row.touchedBy > loop ||
                            (row.changedBy == loop && row.changedIn > rank)
                      : row.changedBy > loop;
    if (isLate)
      fault(static_cast<std::size_t>(loop), n,
            "comes too late for a row that " +
                std::string(
                    calls[std::max(row.touchedBy, row.changedBy)]->desc->name) +
                " has touched");
    row.touchedBy = std::max(row.touchedBy, loop);
    if (!access.isChange)
      return;
    row.changedBy = loop;
    row.changedIn = rank;
  }

  ChainCalls const &calls;
  ChainPlans const &plans;
  ChainInput input;
  std::vector<std::vector<RowOrder>> dats;
  std::vector<std::vector<ColumnSet>> conflicts; ///< by loop
  std::vector<std::vector<int64_t>> ranks;       ///< by loop
  std::vector<std::vector<uint8_t>> done;        ///< by loop: [element][column]
  std::vector<std::string> faults;
};
} // namespace

std::vector<std::string> op2::rt::checkPlans(ChainCalls const &calls,
                                             ChainPlans const &plans) {
  return PlansChecker(calls, plans).run();
}

void op2::rt::requireSoundPlans(ChainCalls const &calls,
                                ChainPlans const &plans) {
  std::string text;
  for (std::string const &fault : checkPlans(calls, plans))
    text += "\n  " + fault;
  if (!text.empty())
    op2rt_fatal("chain of loops %s: the steps are wrong, please report "
                "this:%s",
                namesOf(calls).c_str(), text.c_str());
}

//===- RankTimes.cpp - The table of times of all ranks ------ -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankTimes.h"
#include "Core/Job.h"
#include "Core/Pending.h"
#include "Exchange.h"
#include "Execute/Loop.h"

#include <algorithm>

using namespace op2::rt;

namespace {
/// Of a loop on one rank.
struct RankTime {
  double own; ///< seconds, for the elements that it owns
  RankFigures figures;
};
} // namespace

static double mean(double sum) { return sum / job.size; }

static RankTotals sumUp(Gathered &all, std::size_t loop) {
  RankTotals totals;
  totals.loop = allLoopStates()[loop];
  double own = 0, most = -1, border = 0, waiting = 0;
  for (int32_t rank = 0; rank < job.size; ++rank) {
    RankTime time;
    std::memcpy(&time, all.of(rank) + loop * sizeof time, sizeof time);
    own += time.own;
    border += time.figures.border;
    waiting += time.figures.waiting;
    totals.messages += time.figures.messages;
    totals.bytes += time.figures.bytes;
    if (time.own > most) {
      most = time.own;
      totals.slowest = rank;
    }
  }
  totals.own = mean(own);
  totals.most = most;
  totals.border = mean(border);
  totals.waiting = mean(waiting);
  return totals;
}

std::vector<RankTotals> op2::rt::collectRankTimes(char const *where) {
  std::vector<RankTotals> rows;
  if (!hasRanks())
    return rows;
  flush();
  Bytes times;
  for (LoopState const *loop : allLoopStates()) {
    // What the host does meanwhile is no part of a device's time.
    double others = loop->target == OP2RT_TARGET_CUDA
                        ? 0
                        : loop->ranks.border + loop->ranks.waiting;
    RankTime const time = {loop->seconds - loop->planSeconds - others,
                           loop->ranks};
    auto const *bytes = reinterpret_cast<char const *>(&time);
    times.insert(times.end(), bytes, bytes + sizeof time);
  }
  meet(where);
  Gathered all = gather(times, where);
  if (!isRoot())
    return rows;
  for (std::size_t loop = 0; loop < allLoopStates().size(); ++loop)
    if (allLoopStates()[loop]->count > 0)
      rows.push_back(sumUp(all, loop));
  return rows;
}

void op2::rt::printRankTimes(std::FILE *file) {
  std::vector<RankTotals> rows = collectRankTimes("op_timing_output");
  if (!file || !hasRanks())
    return;
  std::fprintf(file,
               "\n  %d ranks: seconds of a rank, and what all of them send\n"
               "  %10s %10s %6s %10s %10s %10s %10s  loop\n",
               job.size, "own, mean", "most", "of", "border", "waiting",
               "messages", "MB");
  for (RankTotals const &row : rows)
    std::fprintf(file, "  %10.6f %10.6f %6d %10.6f %10.6f %10lld %10.3f  %s\n",
                 row.own, row.most, row.slowest, row.border, row.waiting,
                 static_cast<long long>(row.messages), double(row.bytes) * 1e-6,
                 row.loop->name.c_str());
}

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

static void printLoop(std::FILE *file, Gathered &all, std::size_t loop) {
  RankTime sum = {};
  double most = -1;
  int32_t slowest = 0;
  for (int32_t rank = 0; rank < job.size; ++rank) {
    RankTime time;
    std::memcpy(&time, all.of(rank) + loop * sizeof time, sizeof time);
    sum.own += time.own;
    sum.figures.border += time.figures.border;
    sum.figures.waiting += time.figures.waiting;
    sum.figures.messages += time.figures.messages;
    sum.figures.bytes += time.figures.bytes;
    if (time.own > most) {
      most = time.own;
      slowest = rank;
    }
  }
  std::fprintf(
      file, "  %10.6f %10.6f %6d %10.6f %10.6f %10lld %10.3f  %s\n",
      mean(sum.own), most, slowest, mean(sum.figures.border),
      mean(sum.figures.waiting), static_cast<long long>(sum.figures.messages),
      double(sum.figures.bytes) * 1e-6, allLoopStates()[loop]->name.c_str());
}

void op2::rt::printRankTimes(std::FILE *file) {
  if (!hasRanks())
    return;
  flush();
  Bytes times;
  for (LoopState const *loop : allLoopStates()) {
    RankTime const time = {loop->seconds - loop->planSeconds -
                               loop->ranks.border - loop->ranks.waiting,
                           loop->ranks};
    auto const *bytes = reinterpret_cast<char const *>(&time);
    times.insert(times.end(), bytes, bytes + sizeof time);
  }
  meet("op_timing_output");
  Gathered all = gather(times, "op_timing_output");
  if (!file)
    return;
  std::fprintf(file,
               "\n  %d ranks: seconds of a rank, and what all of them send\n"
               "  %10s %10s %6s %10s %10s %10s %10s  loop\n",
               job.size, "own, mean", "most", "of", "border", "waiting",
               "messages", "MB");
  for (std::size_t loop = 0; loop < allLoopStates().size(); ++loop)
    if (allLoopStates()[loop]->count > 0)
      printLoop(file, all, loop);
}

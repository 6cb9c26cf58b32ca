//===- ChainBalance.cpp - Expected imbalance of tiles -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainTiles.h"

#include <algorithm>

using namespace op2::rt;

static double workOf(ChainInput const &input, ThreadTiles const &thread,
                     int32_t tile) {
  double work = 0;
  for (std::size_t n = 0; n < thread.loops.size(); ++n)
    for (ElementRange const &range : thread.loops[n].of(tile))
      work += double(range.end - range.begin) * input.loops[n].work;
  return work;
}

double op2::rt::imbalance(ChainInput const &input, ChainTiles const &tiles) {
  double all = 0, most = 0;
  for (ThreadTiles const &thread : tiles.threads)
    for (int32_t tile = 0; tile < tiles.numTiles; ++tile) {
      double work = workOf(input, thread, tile);
      all += work;
      most = std::max(most, work);
    }
  return all > 0 ? most * tiles.numTiles * double(tiles.threads.size()) / all
                 : 1;
}

double op2::rt::slowdown(ChainInput const &input, ChainTiles const &tiles) {
  std::size_t numThreads = tiles.threads.size();
  double all = 0, end = 0;
  // When each thread has done so many tiles.
  std::vector<std::vector<double>> done(numThreads, {0});
  for (std::size_t t = numThreads; t-- > 0;) {
    auto wait = tiles.threads[t].waits.begin();
    for (int32_t tile = 0; tile < tiles.numTiles; ++tile) {
      double time = done[t].back();
      for (; wait != tiles.threads[t].waits.end() && wait->tile == tile; ++wait)
        time = std::max(time, done[wait->other][wait->done]);
      double work = workOf(input, tiles.threads[t], tile);
      all += work;
      done[t].push_back(time + work);
    }
    end = std::max(end, done[t].back());
  }
  return all > 0 ? end * double(numThreads) / all : 1;
}

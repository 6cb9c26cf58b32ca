//===- airfoil_omp_ref.cpp - Airfoil by hand, OpenMP ------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The yardstick for OP2_TARGET=openmp: loops over cells are divided evenly;
// loops over edges run block by block, where blocks that share a cell have
// different colours and only blocks of one colour run at a time. Prints JSON
// lines; exits with 1 if the residual is not the known one.
//
//===----------------------------------------------------------------------===//

#include "airfoil_ref.h"

#include <cstdint>

#include <omp.h>

using namespace airfoil;

namespace {

/// Blocks of consecutive elements, in the order of their colours.
class BlockColoring {
public:
  /// Element n touches the `dim` targets at `map + dim * n`.
  BlockColoring(const int *map, int dim, int count, int targets, int blockSize)
      : count(count), blockSize(blockSize) {
    int numBlocks = int((int64_t(count) + blockSize - 1) / blockSize);
    std::vector<int> left(numBlocks);
    for (int n = 0; n < numBlocks; ++n)
      left[n] = n;
    colorBegin.push_back(0);
    // Each pass hands out up to 64 colours.
    while (!left.empty())
      left = colorPass(left, map, dim, targets);
  }

  int numColors() const { return int(colorBegin.size()) - 1; }

  /// Calls body(begin, end) for all blocks, in parallel within a colour. To be
  /// called by all threads of a team; ends with a barrier.
  template <typename Body> void forEach(Body body) const {
    for (int color = 0; color < numColors(); ++color) {
#pragma omp for schedule(static)
      for (int at = colorBegin[color]; at < colorBegin[color + 1]; ++at) {
        int begin = order[at] * blockSize;
        body(begin, begin + std::min(blockSize, count - begin));
      }
    }
  }

private:
  /// Gives each block the first colour that none of its targets has; returns
  /// the blocks for which all 64 are taken.
  std::vector<int> colorPass(const std::vector<int> &blocks, const int *map,
                             int dim, int targets) {
    std::vector<uint64_t> used(targets, 0);
    std::vector<std::vector<int>> ofColor(64);
    std::vector<int> left;
    for (int block : blocks) {
      size_t begin = size_t(block) * blockSize * dim;
      size_t end =
          std::min(begin + size_t(blockSize) * dim, size_t(count) * dim);
      uint64_t taken = 0;
      for (size_t at = begin; at < end; ++at)
        taken |= used[map[at]];
      if (taken == ~uint64_t(0)) {
        left.push_back(block);
        continue;
      }
      int color = __builtin_ctzll(~taken);
      ofColor[color].push_back(block);
      for (size_t at = begin; at < end; ++at)
        used[map[at]] |= uint64_t(1) << color;
    }
    for (const std::vector<int> &members : ofColor) {
      if (members.empty())
        continue;
      order.insert(order.end(), members.begin(), members.end());
      colorBegin.push_back(int(order.size()));
    }
    return left;
  }

  int count, blockSize;
  std::vector<int> order, colorBegin;
};

/// Calls body(begin, end) on this thread's even share of [0, count).
template <typename Body> void forShare(int count, Body body) {
  int64_t thread = omp_get_thread_num(), threads = omp_get_num_threads();
  body(int(count * thread / threads), int(count * (thread + 1) / threads));
}

} // namespace

int main(int argc, char **argv) {
  Options options = parseOptions(argc, argv, /*blocks=*/true);
  if (!options.blockSize)
    options.blockSize = 4096; // fastest of 256 ... 4096
  const Grid grid = loadGrid(argv[0], options.mesh);
  const double known = knownResidual(grid, options.iterations);
  Airfoil s(grid, options.hugePages);
  const Constants &k = s.constants;
  BlockColoring edges(s.ecell, 2, s.nedge, s.ncell, options.blockSize);
  BlockColoring bedges(s.becell, 1, s.nbedge, s.ncell, options.blockSize);

  Clocks clocks;
  double rms = 0.0;
  for (int iteration = 0; iteration < options.iterations; ++iteration) {
    clocks.beginIteration();
    clocks.measure(SaveSoln, [&] {
#pragma omp parallel
      forShare(s.ncell,
               [&](int begin, int end) { saveSoln(s.q, s.qold, begin, end); });
    });
    for (int stage = 0; stage < 2; ++stage) {
      clocks.measure(AdtCalc, [&] {
#pragma omp parallel
        forShare(s.ncell, [&](int begin, int end) {
          adtCalc(k, s.cell, s.x, s.q, s.adt, begin, end);
        });
      });
      clocks.measure(ResCalc, [&] {
#pragma omp parallel
        edges.forEach([&](int begin, int end) {
          resCalc(k, s.edge, s.ecell, s.x, s.q, s.adt, s.res, begin, end);
        });
      });
      clocks.measure(BresCalc, [&] {
#pragma omp parallel
        bedges.forEach([&](int begin, int end) {
          bresCalc(k, s.bedge, s.becell, s.bound, s.x, s.q, s.adt, s.res, begin,
                   end);
        });
      });
      clocks.measure(Update, [&] {
        rms = 0.0;
#pragma omp parallel reduction(+ : rms)
        forShare(s.ncell, [&](int begin, int end) {
          rms += update(s.qold, s.q, s.res, s.adt, begin, end);
        });
      });
    }
    clocks.endIteration();
  }
  return report("airfoil_omp_ref", s, known, options, omp_get_max_threads(),
                std::sqrt(rms / double(s.ncell)), clocks);
}

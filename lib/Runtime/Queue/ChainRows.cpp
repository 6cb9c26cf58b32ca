//===- ChainRows.cpp - Latest tiles of rows -------------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainRows.h"
#include "Core/Memory.h"

#include <algorithm>
#include <numeric>

using namespace op2::rt;

void StampSpan::join(StampSpan const &other) {
  least = std::min(least, other.least);
  most = std::max(most, other.most);
  haveAll &= other.haveAll;
}

DatRows::DatRows(int64_t numRows, Stamp *touched, Stamp *changed)
    : numRows(numRows), touched(touched), changed(changed),
      later(static_cast<std::size_t>((numRows + kBlock - 1) / kBlock)) {}

//===----------------------------------------------------------------------===//
// Visits
//===----------------------------------------------------------------------===//

void DatRows::changeAll(RowRange rows, Stamp stamp) {
  if (rows.begin >= rows.end)
    return;
  std::fill(touched + rows.begin, touched + rows.end, stamp);
  std::fill(changed + rows.begin, changed + rows.end, stamp);
  for (int64_t block = rows.begin / kBlock; block * kBlock < rows.end; ++block)
    if (later[block])
      for (int64_t row = std::max(block * kBlock, rows.begin);
           row < std::min((block + 1) * kBlock, rows.end); ++row)
        later[block][row % kBlock] = -1;
}

void DatRows::readAgain(int64_t row, Stamp stamp, Stamps stamps) {
  Stamp known = touched[row];
  int32_t knownBy = stamps.threadOf(known), by = stamps.threadOf(stamp);
  if (by == knownBy)
    touched[row] = std::max(known, stamp);
  else
    noteLater(row, stamps.tileOf(by < knownBy ? known : stamp));
  if (by < knownBy)
    touched[row] = stamp;
}

void DatRows::noteLater(int64_t row, int32_t tile) {
  auto &tiles = later[row / kBlock];
  if (!tiles) {
    tiles = std::make_unique<int32_t[]>(kBlock);
    std::fill_n(tiles.get(), kBlock, -1);
  }
  int32_t &known = tiles[row % kBlock];
  known = std::max(known, tile);
}

DatRows::Row DatRows::save(int64_t row) const {
  return {touched[row], changed[row], laterTile(Visit::Any, row)};
}

void DatRows::restore(int64_t row, Row const &saved) {
  change(row, kNoStamp);
  touched[row] = saved.touched;
  changed[row] = saved.changed;
  if (saved.later >= 0)
    noteLater(row, saved.later);
}

//===----------------------------------------------------------------------===//
// Many rows
//===----------------------------------------------------------------------===//

StampSpan DatRows::spanOfBlock(Visit visit, int64_t block) const {
  Stamp const *stamps = visit == Visit::Any ? touched : changed;
  Stamp least = kAfterAll, most = kNoStamp, leastOfAll = kAfterAll;
  int64_t end = std::min((block + 1) * kBlock, numRows);
  for (int64_t row = block * kBlock; row < end; ++row) {
    Stamp stamp = stamps[row];
    most = std::max(most, stamp);
    leastOfAll = std::min(leastOfAll, stamp);
    least = std::min(least, stamp == kNoStamp ? kAfterAll : stamp);
  }
  // A stamp does not tell what later threads have done.
  if (visit == Visit::Any && later[block])
    most = kAfterAll;
  return {least, most, leastOfAll != kNoStamp};
}

void DatRows::summarize(Visit visit) {
  std::vector<StampSpan> &found = spans[static_cast<int>(visit)];
  found.resize(later.size());
#pragma omp parallel for schedule(static)
  for (std::size_t block = 0; block < found.size(); ++block)
    found[block] = spanOfBlock(visit, static_cast<int64_t>(block));
}

StampSpan DatRows::spanOf(Visit visit, RowRange rows) const {
  // More of them mostly tell nothing.
  constexpr int64_t kMostBlocks = 64;
  int64_t first = rows.begin / kBlock, last = (rows.end - 1) / kBlock;
  if (last - first >= kMostBlocks)
    return kAnyStamp;
  StampSpan span;
  for (int64_t block = first; block <= last; ++block)
    span.join(spans[static_cast<int>(visit)][block]);
  return span;
}

RowRange DatRows::shareOf(int64_t part, int64_t parts) const {
  auto blocks = static_cast<int64_t>(later.size());
  return {std::min(blocks * part / parts * kBlock, numRows),
          std::min(blocks * (part + 1) / parts * kBlock, numRows)};
}

//===----------------------------------------------------------------------===//
// All dats
//===----------------------------------------------------------------------===//

ChainRows::ChainRows(std::vector<int64_t> const &sizes) {
  int64_t all = std::accumulate(sizes.begin(), sizes.end(), int64_t(0));
  int64_t bytes = 2 * all * int64_t(sizeof(Stamp));
  char *memory = tryAllocateUnset(bytes, 1);
  if (!memory)
    throw std::bad_alloc();
  fillWithZeros(memory, bytes);
  storage = reinterpret_cast<Stamp *>(memory);
  Stamp *next = storage;
  for (int64_t size : sizes) {
    dats.emplace_back(size, next, next + size);
    next += 2 * size;
  }
}

ChainRows::~ChainRows() { deallocate(storage); }

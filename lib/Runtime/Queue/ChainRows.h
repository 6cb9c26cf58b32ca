//===- ChainRows.h - Latest tiles of rows -----------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inspector goes through all maps of a chain, so a row has two numbers of
// 32 bits. The bounds of the numbers of a block of rows suffice mostly for
// all rows that some elements reach.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_QUEUE_CHAINROWS_H
#define OP2_LIB_RUNTIME_QUEUE_CHAINROWS_H

#include "Plan/Plan.h"

#include <limits>
#include <memory>

namespace op2::rt {

/// A tile of a thread as a number, ascending by threads, then by tiles.
using Stamp = int32_t;
inline constexpr Stamp kNoStamp = 0;
inline constexpr Stamp kAfterAll = std::numeric_limits<Stamp>::max();

struct Stamps {
  int32_t numTiles;

  Stamp of(int32_t thread, int32_t tile) const {
    return thread * numTiles + tile + 1;
  }
  int32_t threadOf(Stamp stamp) const { return (stamp - 1) / numTiles; }
  int32_t tileOf(Stamp stamp) const { return (stamp - 1) % numTiles; }
};

/// Bounds of the stamps of some rows.
struct StampSpan {
  Stamp least = kAfterAll; ///< of rows that have one
  Stamp most = kNoStamp;
  bool haveAll = true; ///< every row has one

  void join(StampSpan const &other);
};
/// No bounds.
inline constexpr StampSpan kAnyStamp = {kNoStamp, kAfterAll, false};

/// Rows [begin, end).
struct RowRange {
  int64_t begin, end;
};

/// What may have been done to a row.
enum class Visit { Any, Change };

/// What has been done to the rows of a dat. A change comes after all that was
/// done before it, so that the latter is needed no more.
class DatRows {
public:
  /// Rows that share bounds.
  static constexpr int64_t kBlock = 256;

  /// `touched`, `changed`: a number for each row, all 0.
  DatRows(int64_t numRows, Stamp *touched, Stamp *changed);

  int64_t size() const { return numRows; }

  /// The latest stamp of the first thread that has done so.
  Stamp latest(Visit visit, int64_t row) const {
    return visit == Visit::Any ? touched[row] : changed[row];
  }
  /// The latest tile in which a later thread has; -1: none has. Only one thread
  /// changes a row, unless it forgets the others.
  int32_t laterTile(Visit visit, int64_t row) const {
    auto const &tiles = later[row / kBlock];
    return visit == Visit::Any && tiles ? tiles[row % kBlock] : -1;
  }

  void change(int64_t row, Stamp stamp) {
    touched[row] = changed[row] = stamp;
    if (auto &tiles = later[row / kBlock])
      tiles[row % kBlock] = -1;
  }
  void changeAll(RowRange rows, Stamp stamp);
  /// `first`: the thread's first stamp.
  void read(int64_t row, Stamp stamp, Stamp first, Stamps stamps) {
    Stamp known = touched[row];
    if (known == kNoStamp || (known >= first && known <= stamp))
      touched[row] = stamp;
    else
      readAgain(row, stamp, stamps);
  }

  /// The state of a row, to be restored.
  struct Row {
    Stamp touched, changed;
    int32_t later;
  };
  Row save(int64_t row) const;
  void restore(int64_t row, Row const &saved);

  /// Computes what spanOf returns. Parallel inside.
  void summarize(Visit visit);
  /// As it was when summarize was called: of the blocks that have these rows.
  StampSpan spanOf(Visit visit, RowRange rows) const;

  /// Part `part` of `parts` that can be marked at the same time.
  RowRange shareOf(int64_t part, int64_t parts) const;

private:
  void readAgain(int64_t row, Stamp stamp, Stamps stamps);
  void noteLater(int64_t row, int32_t tile);
  StampSpan spanOfBlock(Visit visit, int64_t block) const;

  int64_t numRows;
  Stamp *touched, *changed;
  /// Of blocks with rows that several threads have touched.
  std::vector<std::unique_ptr<int32_t[]>> later;
  std::vector<StampSpan> spans[2]; ///< by Visit, of each block
};

/// The rows of all dats.
class ChainRows {
public:
  explicit ChainRows(std::vector<int64_t> const &sizes);
  ~ChainRows();
  ChainRows(ChainRows const &) = delete;
  ChainRows &operator=(ChainRows const &) = delete;

  DatRows &operator[](int32_t dat) { return dats[dat]; }

private:
  Stamp *storage;
  std::vector<DatRows> dats;
};

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_QUEUE_CHAINROWS_H

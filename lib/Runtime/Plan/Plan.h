//===- Plan.h - Execution plans ---------------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the elements of a loop are divided into blocks and colours. The data are
// those of OP2's classical op_plan (OP2 Developers Guide, section 3). A plan is
// a pure function of a PlanInput: it depends neither on addresses nor, but for
// the parts of OP2RT_PLAN_OWNER, on the number of threads.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_PLAN_PLAN_H
#define OP2_LIB_RUNTIME_PLAN_PLAN_H

#include "OP2/Runtime/op2rt.h"
#include "PlanOptions.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace op2::rt {

/// One column of a map's table, or, without a table, the identity.
struct MapColumn {
  int32_t const *table = nullptr; ///< [n][width]
  int64_t width = 1;
  int64_t slot = 0;

  int32_t operator[](int64_t n) const {
    return table ? table[n * width + slot] : static_cast<int32_t>(n);
  }
  bool operator==(MapColumn const &other) const {
    return table == other.table && width == other.width && slot == other.slot;
  }
};

/// Another set, of `size` elements: who owns a target owns those from
/// begin[target] to begin[target + 1].
struct OwnedWith {
  int64_t size;
  int64_t const *begin; ///< [targetSize + 1]
};

/// Columns that lead to the same set of `targetSize` elements.
struct ColumnSet {
  int64_t targetSize = 0;
  std::vector<MapColumn> columns;
  std::vector<OwnedWith> with = {};
};

/// visit(target) for all elements of a range.
template <class Visit>
void forEachTarget(MapColumn const &column, int64_t begin, int64_t end,
                   Visit visit) {
  if (!column.table) {
    for (int64_t n = begin; n < end; ++n)
      visit(static_cast<int32_t>(n));
    return;
  }
  int32_t const *entry = column.table + begin * column.width + column.slot;
  for (int64_t n = begin; n < end; ++n, entry += column.width)
    visit(*entry);
}

/// The same, column by column.
template <class Visit>
void forEachTarget(ColumnSet const &set, int64_t begin, int64_t end,
                   Visit visit) {
  for (MapColumn const &column : set.columns)
    forEachTarget(column, begin, end, visit);
}

/// An argument through which a loop adds to a dat.
struct SumArg {
  int32_t arg;     ///< number in the loop
  int32_t dataset; ///< number in PlanInput::sums
};

/// What each part owns of sets with `targetSize` elements: part p those from
/// begins[p] to begins[p + 1].
struct OwnedCuts {
  int64_t targetSize;
  std::vector<int64_t> begins;
};

/// The slots through which a loop adds to one dat: increment `numbers[c]` of an
/// element goes to the target that columns[c] leads to. Numbers ascend; those
/// of arguments that are off are missing.
struct SumSlots {
  int64_t targetSize = 0;
  std::vector<MapColumn> columns;
  std::vector<int32_t> numbers;
  int32_t perElement = 0; ///< increments, with those that are missing
};

/// Elements [begin, end).
struct ElementRange {
  int64_t begin, end;
};

/// Everything that a plan depends on.
struct PlanInput {
  int64_t size = 0;      ///< elements to iterate over
  int64_t first = 0;     ///< number in its set of the one that counts as 0
  int64_t blockSize = 1; ///< elements per block, >= 1
  uint32_t what = OP2RT_PLAN_BLOCKS;
  Owning owning = Owning::Auto;
  int32_t parts = 1; ///< with OP2RT_PLAN_OWNER: among how many, >= 1
  /// Where parts begin; without it each owns an equal share.
  std::vector<OwnedCuts> cuts;
  /// Two elements that reach the same target through one of these conflict.
  std::vector<ColumnSet> conflicts;
  /// Data that the loop changes as well, and through which no two elements
  /// reach the same target; for checkPlan.
  std::vector<ColumnSet> apart;
  /// With OP2RT_PLAN_OWNED_ROWS, by dat as the kernel knows them.
  std::vector<SumSlots> sums;
  std::vector<SumArg> sumArgs;
  /// Two of them are one dat: blocks have one element.
  bool isOneByOne = false;
  /// Something else looks at rows that elements change directly, or adds to
  /// them: blocks have one element, each once, and take turns in their order.
  bool isInOrder = false;

  /// For these elements of the set in place of the first ones. What conflicts
  /// has tables.
  void take(ElementRange elements);
};

/// The part of a target set that each block adds to, and what it adds.
struct OwnedSet {
  std::vector<int32_t> targets; ///< global numbers, ascending in a block
  std::vector<int64_t> offsets; ///< [nblocks], first entry of a block
  std::vector<int32_t> sizes;   ///< [nblocks]
  int32_t perElement = 0;       ///< as SumSlots::perElement
  /// To row r of block b are added sumEntries[sumOffs[b] + i] for i from
  /// sumBegin[offsets[b] + b + r] to the entry behind that, in this order.
  /// Entry number * blockSize + n is increment `number` of the block's
  /// element n.
  std::vector<int64_t> sumOffs;   ///< [nblocks]
  std::vector<uint16_t> sumBegin; ///< one more than rows for each block
  std::vector<uint16_t> sumEntries;
};

/// Elements [begin, end) of a part of a plan with OP2RT_PLAN_OWNER.
using PlanPiece = op2rt_piece;

struct Plan {
  int64_t first = 0; ///< PlanInput::first: numbers below count from there
  int64_t size = 0, blockSize = 1, nblocks = 0;
  uint32_t what = OP2RT_PLAN_BLOCKS;

  /// Nothing conflicts: one colour, blocks in order, and the arrays below stay
  /// empty.
  bool trivial = true;

  std::vector<int64_t> offset;     ///< [nblocks], first element of a block
  std::vector<int32_t> nelems;     ///< [nblocks]
  std::vector<int32_t> blkmap;     ///< [nblocks], blocks in colour order
  std::vector<int32_t> ncolblk;    ///< [ncolors], blocks of a colour
  std::vector<int64_t> colorBegin; ///< [ncolors + 1], sums of ncolblk
  int32_t ncolors = 0;
  int64_t mostBlocks = 0; ///< of one colour: as many threads have work

  std::vector<int32_t> thrcol;  ///< [size], colour of an element in its block
  std::vector<int32_t> nthrcol; ///< [nblocks], colours in a block

  /// [size] with OP2RT_PLAN_GLOBAL_COLORS: elements by colour, ascending within
  /// a colour. Blocks are ranges of it then, each within one colour. With
  /// OP2RT_PLAN_OWNED_ROWS the elements of one block after the other, in each
  /// ascending: those whose targets have several owners stand there several
  /// times.
  std::vector<int32_t> permutation;

  /// With OP2RT_PLAN_OWNER, where ownership is worth it: blocks are parts then,
  /// and part b has the pieces [pieceBegin[b], pieceBegin[b + 1]), ascending.
  /// Where it is not, both are empty and the plan is one of coloured blocks.
  std::vector<PlanPiece> pieces;
  std::vector<int64_t> pieceBegin; ///< [nblocks + 1]
  /// Of other sets each part owns an equal share.
  std::vector<OwnedCuts> cuts;

  std::vector<OwnedSet> ownedSets; ///< as PlanInput::sums
  std::vector<SumArg> sumArgs;

  double seconds = 0; ///< spent building it

  /// `blocks` blocks, or parts, in their order and of one colour.
  void setOneColor(int64_t blocks);

  bool isOwned() const { return !pieceBegin.empty(); }
  int64_t block(int64_t position) const {
    return trivial ? position : blkmap[position];
  }
  int64_t blockBegin(int64_t b) const {
    return trivial ? b * blockSize : offset[b];
  }
  int64_t blockEnd(int64_t b) const {
    if (!trivial)
      return offset[b] + nelems[b];
    return (b + 1) * blockSize < size ? (b + 1) * blockSize : size;
  }
};

/// An array of a plan on a device: OP2RT_DEVICE_*, and where it matters the
/// number in Plan::ownedSets, or the slot of a map.
struct PlanCopy {
  int device;
  int32_t which, dataset, column;
  int const *table; ///< of the map that is permuted
  void *data;
};

/// An array of a plan on a device.
struct ArrayAnswer {
  int target;
  int32_t which, arg, row;
  int const *table; ///< of the map that is permuted
  void const *data;
};

/// Never fails. Parallel inside.
Plan buildPlan(PlanInput const &input);

/// What the arrays of a plan take, bytes.
int64_t memoryOf(Plan const &plan);

/// What is wrong with a plan, at most about twenty findings; empty if it is
/// right. O(size of the maps).
std::vector<std::string> checkPlan(PlanInput const &input, Plan const &plan);

/// An error that lists what is wrong with the plan of `loop`, if anything is.
void requireSoundPlan(char const *loop, PlanInput const &input,
                      Plan const &plan);

/// What generated code looks at. Stays where it is.
class alignas(64) PlanView {
public:
  explicit PlanView(Plan const &plan);
  PlanView(PlanView const &) = delete;
  PlanView &operator=(PlanView const &) = delete;

protected:
  op2rt_plan_view view; ///< comes first

private:
  int64_t colors[2] = {0, 0}; ///< if there is but one: on the view's cache line
  // Of blocks that are no parts.
  std::vector<int64_t> firstPieces;
  std::vector<op2rt_piece> blocks;
};

} // namespace op2::rt

struct op2rt_plan : private op2::rt::PlanView, op2::rt::Plan {
  /// On devices; the plan itself never changes.
  mutable std::vector<op2::rt::PlanCopy> copies;
  /// In the order of the first requests. A loop makes the same ones in the same
  /// order each time: the next one is mostly the right one.
  mutable std::vector<op2::rt::ArrayAnswer> answers;
  mutable std::size_t nextAnswer = 0;
  explicit op2rt_plan(op2::rt::Plan &&plan)
      : PlanView(plan), Plan(std::move(plan)) {}
};

#endif // OP2_LIB_RUNTIME_PLAN_PLAN_H

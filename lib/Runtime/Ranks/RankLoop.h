//===- RankLoop.h - Loops on ranks -------------------------- -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop on ranks:
//
//   1. imported rows that it reads are brought from their owners, if they are
//      stale;
//   2. all own elements run, by the code, plan and threads of any loop. Through
//      maps they change own rows, and imported ones, where it has no effect;
//   3. own rows that elements of other ranks reach as well lack what those do:
//      they get back what they held before, and the copies at the border run,
//      in the order of the whole mesh. Other rows that copies change get back
//      what they held after 2.
//
// So each row has every change, in the order of the elements, whichever ranks
// there are. Reductions are those of 2, combined over ranks.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_RANKS_RANKLOOP_H
#define OP2_LIB_RUNTIME_RANKS_RANKLOOP_H

#include "Exchange.h"
#include "Execute/Loop.h"
#include "Plan/Plan.h"

namespace op2::rt {

/// Rows that are given back.
struct SavedRows {
  Dat *dat;
  std::vector<int32_t> rows;
  Bytes values;

  void save();
  void restore() const;
};

/// What the folder Ranks keeps with a call.
struct RankCall {
  std::vector<Dat *> read;         ///< whose imports it reads
  std::vector<Dat *> direct;       ///< whose copies it reads, if copies run
  std::vector<Dat *> changed;      ///< each once
  std::vector<int32_t> reductions; ///< arguments
  std::vector<int32_t> infos;      ///< that come along with them
  bool runsCopies = false;         ///< it changes rows through maps
  /// Not empty: copies run one by one, and these, the dats of the loop's own
  /// set, have their rows there. See runOneByOne.
  std::vector<Dat *> own;
  std::vector<Map *> around; ///< maps of the set to itself
  /// Before 2: all rows that copies change. After it: those that are not
  /// shared.
  std::vector<SavedRows> before, after;
  std::unique_ptr<op2rt_plan> copies; ///< their plan
  std::vector<Exchange> exchanges;
  // Of one execution.
  std::vector<Bytes> incoming; ///< globals, by number in `reductions`
};

/// Combines a global over ranks: each has its own result in `partial`, and
/// `global` holds what it was before.
void combineOverRanks(void *global, Bytes const &partial, int32_t access,
                      int32_t type, int32_t dim, char const *loop);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_RANKS_RANKLOOP_H

//===- TileReductions.h - Reductions of loops in tiles ----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_EXECUTE_TILEREDUCTIONS_H
#define OP2_LIB_RUNTIME_EXECUTE_TILEREDUCTIONS_H

#include "OP2/Runtime/op2rt.h"

#include <vector>

namespace op2::rt {

/// The reductions of a loop, whose blocks several threads run in several tiles.
class TileReductions {
public:
  /// The one of argument `arg`, with a partial for each of `numBlocks` blocks;
  /// begun if it is new.
  op2rt_reduction *find(op2rt_loop const &loop, int32_t arg, int64_t numBlocks);
  /// A thread has run its last block: frees its views.
  void drop(std::vector<op2rt_reduction *> const &views);
  /// When all blocks have run.
  void finish();
  /// In place of it: they count elsewhere.
  void forget();

private:
  std::vector<op2rt_reduction *> all;
};

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_EXECUTE_TILEREDUCTIONS_H

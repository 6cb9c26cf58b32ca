//===- Declared.h - What ranks declare --------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_RANKS_DECLARED_H
#define OP2_LIB_RUNTIME_RANKS_DECLARED_H

#include "Blocks.h"
#include "Communicator.h"
#include "Core/Registry.h"
#include "Meeting.h"

#include <map>

namespace op2::rt {

/// Moves rows from those who declared them to those who own them.
class Mover {
public:
  Mover() = default;
  /// parts[n]: who owns row n of the block that this rank declared.
  explicit Mover(std::vector<int32_t> const &parts) {
    for (std::size_t n = 0; n < parts.size(); ++n)
      rowsTo[parts[n]].push_back(static_cast<int32_t>(n));
  }
  /// Rows of `size` bytes of the block; the result: of what the rank owns,
  /// ascending in their numbers.
  Bytes move(Communicator &ranks, char const *rows, int64_t size) const;
  /// The same for some rows: numbers[n] is that of row n among them, or -1.
  Mover of(std::vector<int32_t> const &numbers) const;

private:
  std::map<int32_t, std::vector<int32_t>> rowsTo;
};

/// How a set was declared.
struct DeclaredSet {
  Blocks blocks;    ///< what each rank gives
  int64_t skip = 0; ///< rows before these in what this rank has declared
  Mover mover;      ///< once it is distributed
};

DeclaredSet &declared(op_set_core const *set);
void forgetDeclared();

/// Before the mesh is divided: an error, on all ranks, unless what they declare
/// makes one mesh. `requests`: how it is to be divided.
void requireFittingDeclarations(char const *where, Items const &requests);
/// Where each rank declares the whole mesh: an error unless all of them have
/// the same layers there, which are declared when it is divided.
void requireSameRanges(char const *layers, std::vector<int> const &ranges);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_RANKS_DECLARED_H

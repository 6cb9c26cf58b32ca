//===- Distribute.h - Parts of the mesh --------------------- -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_RANKS_DISTRIBUTE_H
#define OP2_LIB_RUNTIME_RANKS_DISTRIBUTE_H

#include "Declared.h"
#include "Parts.h"

namespace op2::rt {

/// Do ranks give values of a dat? A rank that declares no rows may give NULL
/// where others give values.
bool someGive(Set const &set, void const *values, char const *what);

/// What OP2_PARTITION or op_partition asks for.
PartRequest requestedParts(char const *where);

/// `dat` holds the rank of each element, of the block that this rank declared.
PartRequest partsFromDat(Dat const &dat, char const *where);

/// The rank's part of a set; `core` of its elements, from the first one on,
/// reach own ones only.
void takePart(Set &set, RankSet part, int32_t core);
/// The table of the rows that the rank has. whole: as the application knows it,
/// or NULL (Storage.h).
void takePart(Map &map, std::vector<int32_t> const &table, int const *whole);
/// Elements of a set, from the first one on, that reach own ones only.
int32_t coreOf(std::size_t set, PartMesh const &mesh, RankMesh const &found);
/// An error if a certificate finds one.
void requireSound(PartMesh const &mesh, RankMesh const &found);

/// Distributes as requested.
void distribute(char const *where, PartRequest const &request);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_RANKS_DISTRIBUTE_H

//===- Storage.h - Values where the application has them ----- -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `data` of a dat is on ranks that have their parts:
//
//   rows of the rank, as in OP2, where ranks declare blocks (OP2_RANKS=blocks);
//
//   pages that nobody may touch, a guard, where ranks declare the whole mesh:
//   programs for one process would take a part of the values, in another order,
//   for all. Who touches it gets an error that names the dat. It is where the
//   values were before, so that addresses that programs have kept lead there;
//
//   an array as the rank declared it: the application's (OP_NO_REALLOC), one
//   that dats share (overlays), or of any dat with OP2_RANKS=mirrored, and with
//   whole once it has been in a loop written by hand. The application may write
//   there, and look, between any two loops, without a word: so each loop takes
//   its rows from there, and all ranks get all that it has changed.
//
// In the latter two the rows are elsewhere, in Dat::part. `map` of a map is the
// rank's table in the first case, else a guard, or, with OP2_RANKS=mirrored and
// for a loop written by hand, a copy as the application declared it, which it
// may not change.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_RANKS_STORAGE_H
#define OP2_LIB_RUNTIME_RANKS_STORAGE_H

#include "Core/Registry.h"

namespace op2::rt {

/// Moves `data`, or the table, as declared, to pages, which can become a guard.
void keepInPages(Dat &dat);
void keepInPages(Map &map);
/// Gives a dat its rows, a map its table. whole: that of all elements, which
/// the program may look at; or NULL.
void setStorage(Dat &dat, char *rows);
void setStorage(Map &map, int *table, int const *whole);
/// `data` becomes an array as declared, `map` the whole table, where ranks
/// declare that. All ranks call it.
void keepInArray(Dat &dat);
void keepWholeTable(Map &map);

/// The rows of a dat from its array.
void takeFromProgram(Dat &dat);
/// The array from the rows of all ranks.
void giveToProgram(Dat &dat);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_RANKS_STORAGE_H

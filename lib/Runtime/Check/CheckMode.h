//===- CheckMode.h - Promises of loops, checked as they run -----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OP2_CHECK: the declared accesses of a loop's arguments are compared with
// what happens to the values, on the host's copies, on every target. For
// debugging: loops take several times as long, and each dat of a loop is
// copied.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_CHECK_CHECKMODE_H
#define OP2_LIB_RUNTIME_CHECK_CHECKMODE_H

#include "Execute/Loop.h"

namespace op2::rt {

/// A promise that was broken, by argument number `arg` (from 0): the end of the
/// program; with OP2_CHECK=warn a line on stderr, once a loop and argument.
void reportBroken(op2rt_loop const &loop, int arg, char const *format, ...)
    __attribute__((format(printf, 3, 4)));
/// The same for what is suspicious but gives the same results everywhere: never
/// the end of the program.
void reportSuspicious(op2rt_loop const &loop, int arg, char const *format, ...)
    __attribute__((format(printf, 3, 4)));

/// Whether the loop's argument is there and leads to the dat, or by another
/// handle to what it has.
bool isOnDat(op2rt_loop const &loop, int arg, Dat const &dat);

/// Whether elements are columns: each has a part of the rows that it reaches.
bool isOverLayers(op2rt_loop const &loop);

/// Reports two elements of the loop that reach one element through arguments of
/// which one writes; not of columns, which may have other levels of it.
void checkConflicts(op2rt_loop const &loop);
/// After the loop: reports an element that reads what another one has changed.
/// Not of columns either. `before`: all values of the dat before the loop.
void checkReadsOfChanges(op2rt_loop const &loop, Dat const &dat,
                         char const *before);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_CHECK_CHECKMODE_H

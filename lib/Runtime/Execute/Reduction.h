//===- Reduction.h - Reductions of globals ----------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_EXECUTE_REDUCTION_H
#define OP2_LIB_RUNTIME_EXECUTE_REDUCTION_H

#include "OP2/Runtime/op2rt.h"
#include "Partials.h"

namespace op2::rt {

class ExactSum;

/// Whether a global is a sum of floats, which is exact.
bool isExactSum(op2rt_arg_desc const &arg);
/// Whether argument `arg` is a global that the loop reduces, and the result
/// depends neither on the order of the elements nor on their division: no
/// rounding (rules S6, S19), no info to tell equal minima apart.
bool isExactReduction(op2rt_loop_desc const &loop, int arg);
/// Whether it is a minimum or maximum for which each element has memory of its
/// own (rule S19).
bool isExactExtremum(op2rt_loop_desc const &loop, int arg);
/// Adds the sums, one a component, of all ranks to the global, and rounds.
void addSums(void *global, int32_t type, int32_t dim, ExactSum *sums,
             char const *loop);

/// Whether nothing is reduced here: no process has an element, or the loop runs
/// for copies of elements, which count with their owners.
bool isMergeDropped(op2rt_loop const &loop);

/// An error unless argument `arg` is INC, MIN, MAX, WRITE, WORK or REDUCE on a
/// global, and has what a REDUCE needs.
void requireReduction(op2rt_loop const &loop, int32_t arg);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_EXECUTE_REDUCTION_H

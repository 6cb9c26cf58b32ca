//===- Reduction.h - Combining partial results ------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_EXECUTE_REDUCTION_H
#define OP2_LIB_RUNTIME_EXECUTE_REDUCTION_H

#include "OP2/Runtime/op2rt.h"

#include <vector>

namespace op2::rt {

class ExactSum;

/// Calls a function of the program, which takes pointers to its own type. It
/// must return: a loop ends as a whole, on all ranks.
void callMerge(op2rt_merge merge, void *into, void const *from,
               char const *loop);

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

/// Partial results of a global: `count` times `dim` values of `type`, `stride`
/// bytes from one to the next.
struct Partials {
  void *global;
  int32_t access, type, dim;
  int64_t count, stride;
  char *data;
};

/// Combines the partials in a binary tree over their numbers, which overwrites
/// them, and then into the global. Which values are combined in which order
/// depends on `count` only. WRITE: the last that was written goes there.
void combinePartials(Partials const &partials);
/// The same for MIN and MAX with what comes along: the infos have as many
/// partials, and dims that are multiples; where a value is replaced, so are its
/// infos.
void combineWithInfos(Partials const &partials,
                      std::vector<Partials const *> const &infos);

/// Combines partials, in the order of their elements, by the function of a
/// REDUCE in a binary tree, which overwrites them, then what ranks have, then
/// the global with that. There is at least one.
void mergePartials(Partials const &partials, op2rt_merge merge,
                   char const *loop);
/// Whether nothing is reduced here: no process has an element, or the loop runs
/// for copies of elements, which count with their owners.
bool isMergeDropped(op2rt_loop const &loop);

/// An error unless argument `arg` is INC, MIN, MAX, WRITE, WORK or REDUCE on a
/// global, and has what a REDUCE needs.
void requireReduction(op2rt_loop const &loop, int32_t arg);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_EXECUTE_REDUCTION_H

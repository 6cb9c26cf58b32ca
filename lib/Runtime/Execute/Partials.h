//===- Partials.h - Combining partial results -------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_EXECUTE_PARTIALS_H
#define OP2_LIB_RUNTIME_EXECUTE_PARTIALS_H

#include "OP2/Runtime/op2rt.h"

#include <omp.h>
#include <vector>

namespace op2::rt {

/// Calls a function of the program, which takes pointers to its own type. It
/// must return: a loop ends as a whole, on all ranks.
void callMerge(op2rt_merge merge, void *into, void const *from,
               char const *loop);

/// body(begin, end) for all of `count`, by several threads if there are many
/// values: a region of one thread takes longer than a few values.
template <class Body> void divide(int64_t count, int64_t values, Body body) {
  constexpr int64_t kMany = 1 << 18;
  if (values <= kMany)
    return body(int64_t(0), count);
#pragma omp parallel
  {
    int64_t thread = omp_get_thread_num(), threads = omp_get_num_threads();
    body(count * thread / threads, count * (thread + 1) / threads);
  }
}

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
} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_EXECUTE_PARTIALS_H

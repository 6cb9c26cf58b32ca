//===- Reduction.cpp - Reductions of globals --------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One partial result per block, combined in a binary tree over the blocks'
// positions in the plan. The order of the additions depends on the plan only,
// so a result is bitwise the same for any number of threads.
//
//===----------------------------------------------------------------------===//

#include "Reduction.h"
#include "Loop.h"
#include "Plan.h"
#include "Types.h"

#include <cstdlib>
#include <cstring>
#include <type_traits>

using namespace op2::rt;

// Two cache lines, which some processors fetch as a pair.
static constexpr int64_t kLine = 128;

struct op2rt_reduction {
  Partials partials;
  int64_t capacity; ///< bytes of `partials.data`, kept for the next loop
};

//===----------------------------------------------------------------------===//
// Combining
//===----------------------------------------------------------------------===//

/// OP_INC of a bool is a logical or: "did any element set it".
template <class T> static T add(T a, T b) {
  if constexpr (std::is_same_v<T, bool>)
    return a || b;
  else if constexpr (std::is_integral_v<T>)
    // As unsigned numbers: sums that wrap around are not an error here.
    return static_cast<T>(std::make_unsigned_t<T>(a) +
                          std::make_unsigned_t<T>(b));
  else
    return a + b;
}

template <class T>
static void combine(int32_t access, int32_t dim, T *to, T const *from) {
  for (int32_t d = 0; d < dim; ++d) {
    if (access == OP2RT_INC)
      to[d] = add(to[d], from[d]);
    else if (access == OP2RT_MIN)
      to[d] = from[d] < to[d] ? from[d] : to[d];
    else
      to[d] = to[d] < from[d] ? from[d] : to[d];
  }
}

template <class T> static void finish(Partials const &r) {
  auto at = [&](int64_t position) {
    return reinterpret_cast<T *>(r.data + position * r.stride);
  };
  for (int64_t step = 1; step < r.count; step *= 2)
    for (int64_t n = 0; n + step < r.count; n += 2 * step)
      combine(r.access, r.dim, at(n), at(n + step));
  if (r.count > 0)
    combine(r.access, r.dim, static_cast<T *>(r.global), at(0));
}

void op2::rt::combinePartials(Partials const &partials) {
  switch (partials.type) {
  case OP2RT_F64:
    return finish<double>(partials);
  case OP2RT_F32:
    return finish<float>(partials);
  case OP2RT_I32:
    return finish<int32_t>(partials);
  case OP2RT_U32:
    return finish<uint32_t>(partials);
  case OP2RT_I64:
    return finish<int64_t>(partials);
  case OP2RT_U64:
    return finish<uint64_t>(partials);
  case OP2RT_BOOL:
    return finish<bool>(partials);
  }
}

void op2::rt::requireReduction(op2rt_loop const &loop, int32_t arg) {
  op2rt_arg_desc const &desc = loop.desc->args[arg];
  bool isReduction = desc.access == OP2RT_INC || desc.access == OP2RT_MIN ||
                     desc.access == OP2RT_MAX;
  if (desc.kind != OP2RT_ARG_GLOBAL || !isReduction)
    argError(*loop.desc, arg, "%s is no reduction of a global",
             accessName(desc.access));
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

// Reductions that ended, with their storage.
static std::vector<op2rt_reduction *> &idle() {
  static auto *reductions = new std::vector<op2rt_reduction *>;
  return *reductions;
}

static op2rt_reduction *takeIdle() {
  if (idle().empty())
    return new op2rt_reduction{};
  op2rt_reduction *reduction = idle().back();
  idle().pop_back();
  return reduction;
}

static void reserve(op2rt_reduction &reduction, char const *loop) {
  Partials &p = reduction.partials;
  int64_t bytes = p.count * p.stride;
  if (bytes <= reduction.capacity)
    return;
  std::free(p.data);
  p.data = static_cast<char *>(
      std::aligned_alloc(kLine, static_cast<size_t>(bytes)));
  if (!p.data)
    op2rt_fatal("out of memory: the reduction of loop %s needs %lld bytes for "
                "%lld blocks",
                loop, static_cast<long long>(bytes),
                static_cast<long long>(p.count));
  reduction.capacity = bytes;
}

extern "C" op2rt_reduction *op2rt_reduction_begin(op2rt_loop *loop, int32_t arg,
                                                  op2rt_plan const *plan) {
  requireReduction(*loop, arg);
  op2rt_arg_desc const &desc = loop->desc->args[arg];
  op2rt_reduction *reduction = takeIdle();
  Partials &p = reduction->partials;
  p.global = loop->args[arg].active ? loop->args[arg].data : nullptr;
  p.access = desc.access;
  p.type = desc.type;
  p.dim = desc.dim;
  p.count = p.global ? plan->nblocks : 0;
  int64_t bytes = int64_t(desc.dim) * typeSize(desc.type);
  p.stride = (bytes + kLine - 1) / kLine * kLine;
  reserve(*reduction, loop->desc->name);
  for (int64_t n = 0; n < p.count; ++n) {
    char *partial = p.data + n * p.stride;
    if (desc.access == OP2RT_INC)
      std::memset(partial, 0, static_cast<size_t>(bytes));
    else
      std::memcpy(partial, p.global, static_cast<size_t>(bytes));
  }
  return reduction;
}

// NULL for an optional global that is switched off: the kernel must not look.
extern "C" void *op2rt_reduction_partial(op2rt_reduction *reduction,
                                         int64_t position) {
  Partials const &p = reduction->partials;
  return p.global ? p.data + position * p.stride : nullptr;
}

extern "C" void op2rt_reduction_end(op2rt_reduction *reduction) {
  combinePartials(reduction->partials);
  idle().push_back(reduction);
}

//===- Partials.cpp - Combining partial results -----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Partials.h"
#include "Core/Error.h"
#include "Core/Job.h"
#include "Core/Types.h"
#include "LoopHooks.h"

#include <cstring>
#include <exception>
#include <string>
#include <type_traits>

using namespace op2::rt;

template <class T>
static void combine(int32_t access, int32_t dim, T *to, T const *from) {
  divide(dim, dim, [&](int64_t begin, int64_t end) {
    for (int64_t d = begin; d < end; ++d) {
      if (access == OP2RT_INC)
        to[d] = addValues(to[d], from[d]);
      else if (access == OP2RT_MIN)
        to[d] = from[d] < to[d] ? from[d] : to[d];
      else
        to[d] = to[d] < from[d] ? from[d] : to[d];
    }
  });
}

/// WRITE: partials began with the global's values, so what differs from them
/// was written.
static void takeWritten(Partials const &r) {
  if (r.count == 0)
    return;
  auto width = static_cast<std::size_t>(typeSize(r.type));
  std::vector<char> before(width * static_cast<std::size_t>(r.dim));
  std::memcpy(before.data(), r.global, before.size());
  for (int64_t position = 0; position < r.count; ++position)
    for (std::size_t at = 0; at < before.size(); at += width) {
      char const *value = r.data + position * r.stride + at;
      if (std::memcmp(value, before.data() + at, width) != 0)
        std::memcpy(static_cast<char *>(r.global) + at, value, width);
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

#if defined(__clang__)
__attribute__((no_sanitize("function")))
#endif
void op2::rt::callMerge(op2rt_merge merge, void *into, void const *from,
                        char const *loop) {
  std::string what = "an exception";
  try {
    return merge(into, from);
  } catch (std::exception const &exception) {
    what = std::string("\"") + exception.what() + '"';
  } catch (...) {
  }
  fatal(
      Problem::Reduction,
      "loop %s: the function of op_arg_reduce throws %s; expected it to return",
      loop, what.c_str());
}

/// All ranks come to the same result.
void op2::rt::mergePartials(Partials const &p, op2rt_merge merge,
                            char const *loop) {
  auto at = [&](int64_t block) { return p.data + block * p.stride; };
  for (int64_t step = 1; step < p.count; step *= 2)
    for (int64_t n = 0; n + step < p.count; n += 2 * step)
      callMerge(merge, at(n), at(n + step), loop);
  if (hasRanks())
    loopHooks.mergeOnRanks(at(0), int64_t(p.dim) * typeSize(p.type), merge,
                           loop);
  callMerge(merge, p.global, at(0), loop);
}

/// Takes the infos of component `d` along from place `from` to place `to`;
/// places are partials, or -1, the global.
static void moveInfos(Partials const &values,
                      std::vector<Partials const *> const &infos, int32_t d,
                      int64_t to, int64_t from) {
  for (Partials const *info : infos) {
    int64_t width = info->dim / values.dim * typeSize(info->type);
    auto at = [&](int64_t place) {
      char *start = place < 0 ? static_cast<char *>(info->global)
                              : info->data + place * info->stride;
      return start + d * width;
    };
    std::memcpy(at(to), at(from), static_cast<size_t>(width));
  }
}

template <class T>
static void finishWithInfos(Partials const &r,
                            std::vector<Partials const *> const &infos) {
  auto at = [&](int64_t place) {
    return place < 0 ? static_cast<T *>(r.global)
                     : reinterpret_cast<T *>(r.data + place * r.stride);
  };
  auto take = [&](int64_t to, int64_t from) {
    for (int32_t d = 0; d < r.dim; ++d) {
      T a = at(to)[d], b = at(from)[d];
      if (r.access == OP2RT_MIN ? !(b < a) : !(a < b))
        continue;
      at(to)[d] = b;
      moveInfos(r, infos, d, to, from);
    }
  };
  for (int64_t step = 1; step < r.count; step *= 2)
    for (int64_t n = 0; n + step < r.count; n += 2 * step)
      take(n, n + step);
  if (r.count > 0)
    take(-1, 0);
}

void op2::rt::combinePartials(Partials const &partials) {
  if (partials.access == OP2RT_WRITE)
    return takeWritten(partials);
  forType(partials.type,
          [&](auto tag) { finish<typename decltype(tag)::Type>(partials); });
}

void op2::rt::combineWithInfos(Partials const &partials,
                               std::vector<Partials const *> const &infos) {
  forType(partials.type, [&](auto tag) {
    finishWithInfos<typename decltype(tag)::Type>(partials, infos);
  });
}

//===- RankReduction.cpp - Reductions over ranks --------------- -*- C++
//-*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankReduction.h"
#include "Core/Clock.h"
#include "Core/Job.h"
#include "Core/Trace.h"
#include "Core/Types.h"
#include "Execute/ExactSum.h"
#include "Execute/LoopHooks.h"
#include "Execute/Reduction.h"
#include "Ranks.h"

#include <algorithm>
#include <string_view>

using namespace op2::rt;

void op2::rt::combineOverRanks(void *global, Bytes const &partial,
                               int32_t access, int32_t type, int32_t dim,
                               char const *loop) {
  auto addTo = [&](auto const *values) {
    std::vector<ExactSum> sums(static_cast<std::size_t>(dim));
    for (int32_t d = 0; d < dim; ++d)
      sums[d].add(values[d]);
    addSums(global, type, dim, sums.data(), loop);
  };
  // Those of more components are not exact.
  bool isExact = access == OP2RT_INC && dim <= OP2RT_MOST_EXACT_COMPONENTS;
  if (isExact && type == OP2RT_F64)
    return addTo(reinterpret_cast<double const *>(partial.data()));
  if (isExact && type == OP2RT_F32)
    return addTo(reinterpret_cast<float const *>(partial.data()));
  Gathered found = gather(partial, loop);
  combinePartials({global, access, type, dim, job.size,
                   static_cast<int64_t>(found.stride), found.of(0)});
}

/// The messages of a sum over ranks have no sender, but their headers add up to
/// so many of one if they are the same.
static uint64_t hashOf(Header const &header) {
  std::string_view text(header.loop, strnlen(header.loop, sizeof header.loop));
  return std::hash<std::string_view>()(text) + header.number +
         (uint64_t(header.least) << 32);
}

namespace {
struct alignas(64) AlignedLine {
  char bytes[64];
};
} // namespace

static void sumEntries(std::vector<int64_t> &values) {
  communicator().sum(values.data(), static_cast<int64_t>(values.size()));
}

/// What a loop has waited for others since `start`, to combine a global.
static void bookWaiting(double start, char const *loop) {
  if (op2rt_loop const *running = currentLoop())
    running->state->ranks.waiting += now() - start;
  traceSince(start, "reduction", loop);
}

/// Ranks that run different loops must not have messages of different sizes,
/// either: the first component goes alone, the others together.
static void sumOnRanks(ExactSum *sums, int32_t count, char const *loop) {
  double start = now();
  auto hash = static_cast<int64_t>(hashOf(nextHeader(loop)));
  ExactSum::State &first = sums[0].entries();
  std::vector<int64_t> values(first.begin(), first.end());
  values.push_back(hash);
  sumEntries(values);
  if (uint64_t(values.back()) != uint64_t(hash) * uint64_t(job.size))
    gather({}, loop); // an error that says who runs what
  std::copy_n(values.begin(), first.size(), first.begin());
  values.clear();
  for (int32_t n = 1; n < count; ++n) {
    ExactSum::State const &state = sums[n].entries();
    values.insert(values.end(), state.begin(), state.end());
  }
  if (count > 1)
    sumEntries(values);
  for (int32_t n = 1; n < count; ++n) {
    ExactSum::State &state = sums[n].entries();
    std::copy_n(values.begin() + (n - 1) * int64_t(state.size()), state.size(),
                state.begin());
  }
  bookWaiting(start, loop);
}

static void mergeOnRanks(char *result, int64_t bytes, op2rt_merge merge,
                         char const *loop) {
  double start = now();
  Gathered found = gather(Bytes(result, result + bytes), loop);
  // Values of the program's types may have to be aligned.
  std::vector<AlignedLine> from(
      static_cast<std::size_t>(bytes) / sizeof(AlignedLine) + 1);
  std::memcpy(result, found.of(0), static_cast<std::size_t>(bytes));
  for (int32_t rank = 1; rank < job.size; ++rank) {
    std::memcpy(from.data(), found.of(rank), static_cast<std::size_t>(bytes));
    callMerge(merge, result, from.data(), loop);
  }
  bookWaiting(start, loop);
}

/// Of values of one type, by the first that differs.
static bool isLess(int32_t type, std::size_t bytes, char const *a,
                   char const *b) {
  bool answer = false;
  forType(type, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    for (std::size_t at = 0; at < bytes; at += sizeof(T)) {
      T x, y;
      std::memcpy(&x, a + at, sizeof x);
      std::memcpy(&y, b + at, sizeof y);
      if (x < y || y < x) {
        answer = x < y;
        return;
      }
    }
  });
  return answer;
}

void op2::rt::combineInfos(op2rt_loop const &loop, RankCall const &call,
                           std::size_t reduction, Bytes const &own) {
  int32_t leader = call.reductions[reduction];
  op2rt_arg_desc const &value = loop.desc->args[leader];
  std::vector<int32_t> args;
  for (int32_t m : call.infos)
    if (loop.desc->args[m].slot == leader)
      args.push_back(m);
  if (args.empty())
    return;
  // Each rank's own value comes with its infos.
  Bytes values = own;
  std::vector<std::size_t> begins;
  for (int32_t m : args) {
    begins.push_back(values.size());
    auto const *data = static_cast<char const *>(loop.args[m].data);
    values.insert(values.end(), data, data + bytesOfGlobal(loop.desc->args[m]));
  }
  Gathered results = gather(values, loop.desc->name);
  auto width = std::size_t(typeSize(value.type));
  auto const *best = static_cast<char const *>(loop.args[leader].data);
  for (std::size_t a = 0; a < args.size(); ++a) {
    op2rt_arg_desc const &info = loop.desc->args[args[a]];
    std::size_t bytes =
        std::size_t(bytesOfGlobal(info)) / std::size_t(value.dim);
    for (int32_t d = 0; d < value.dim; ++d) {
      // Nobody has found a better one.
      auto at = std::size_t(d);
      if (std::memcmp(best + at * width,
                      call.incoming[reduction].data() + at * width, width) == 0)
        continue;
      char const *least = nullptr;
      for (int32_t rank = 0; rank < job.size; ++rank) {
        char const *found = results.of(rank);
        char const *from = found + begins[a] + at * bytes;
        bool isBest =
            std::memcmp(found + at * width, best + at * width, width) == 0;
        if (isBest && (!least || isLess(info.type, bytes, from, least)))
          least = from;
      }
      if (least)
        std::memcpy(static_cast<char *>(loop.args[args[a]].data) + at * bytes,
                    least, bytes);
    }
  }
}

void op2::rt::beginReductions(op2rt_loop const &loop,
                              std::vector<Bytes> &incoming) {
  RankCall const &call = *loop.call->ranks;
  incoming.resize(call.reductions.size());
  for (std::size_t n = 0; n < call.reductions.size(); ++n) {
    int32_t m = call.reductions[n];
    op2rt_arg_desc const &arg = loop.desc->args[m];
    auto *values = static_cast<char *>(loop.args[m].data);
    incoming[n].assign(values, values + bytesOfGlobal(arg));
    if (arg.access == OP2RT_INC)
      std::memset(values, 0, incoming[n].size());
  }
}

void op2::rt::endReductions(op2rt_loop const &loop,
                            std::vector<Bytes> const &incoming) {
  RankCall const &call = *loop.call->ranks;
  for (std::size_t n = 0; n < call.reductions.size(); ++n) {
    int32_t m = call.reductions[n];
    op2rt_arg_desc const &arg = loop.desc->args[m];
    Bytes const partial(static_cast<char const *>(loop.args[m].data),
                        static_cast<char const *>(loop.args[m].data) +
                            bytesOfGlobal(arg));
    std::memcpy(loop.args[m].data, incoming[n].data(), incoming[n].size());
    combineOverRanks(loop.args[m].data, partial, arg.access, arg.type, arg.dim,
                     loop.desc->name);
    combineInfos(loop, call, n, partial);
  }
}

[[gnu::constructor]] static void enterHooks() {
  loopHooks.sumOnRanks = sumOnRanks;
  loopHooks.mergeOnRanks = mergeOnRanks;
}

//===- Reduction.cpp - Reductions of globals --------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of floats are exact until they are rounded at the end. What else the
// order of elements cannot change has a partial result for each thread, or none
// where there is one thread. All others have one for each block, combined in a
// binary tree over the blocks' positions in the plan, or, by a function of the
// program, over the blocks in the order of their elements. So a result is
// bitwise the same for any number of threads.
//
//===----------------------------------------------------------------------===//

#include "Reduction.h"
#include "Core/Error.h"
#include "Core/Job.h"
#include "Core/Types.h"
#include "ExactSum.h"
#include "Loop.h"
#include "LoopHooks.h"
#include "LoopPart.h"
#include "Plan/Plan.h"
#include "TileReductions.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <omp.h>
#include <string>
#include <type_traits>

using namespace op2::rt;

// Two cache lines, which some processors fetch as a pair.
static constexpr int64_t kLine = 128;

struct op2rt_reduction {
  Partials partials;
  std::vector<ExactSum> sums; ///< [threads][dim] of a sum of floats, or none
  char const *loop;
  int64_t capacity; ///< bytes of `partials.data`, kept for the next loop
  int32_t arg;      ///< number in its loop
  int32_t leader;   ///< the argument that an info follows; else `arg`
  int64_t first;    ///< the partial of position 0
  bool isByThread;  ///< a partial for each thread, not for each block
  bool isInPlace;   ///< no partial: the global itself
  bool isExact;     ///< a sum of floats
  bool hasEnded;
  op2rt_merge merge;      ///< of a REDUCE; else NULL
  bool isDropped;         ///< nothing was reduced, or what counts elsewhere
  op2rt_plan const *plan; ///< in whose order blocks come; NULL: as they are
};

//===----------------------------------------------------------------------===//
// Combining
//===----------------------------------------------------------------------===//

static bool isFloat(op2rt_arg_desc const &arg) {
  return arg.type == OP2RT_F64 || arg.type == OP2RT_F32;
}

bool op2::rt::isExactSum(op2rt_arg_desc const &arg) {
  return arg.kind == OP2RT_ARG_GLOBAL && arg.access == OP2RT_INC &&
         isFloat(arg) && arg.dim <= OP2RT_MOST_EXACT_COMPONENTS;
}

bool op2::rt::isExactReduction(op2rt_loop_desc const &loop, int arg) {
  op2rt_arg_desc const &desc = loop.args[arg];
  if (desc.kind != OP2RT_ARG_GLOBAL || isUserType(desc.type))
    return false;
  if (desc.access == OP2RT_INC)
    return !isFloat(desc) || isExactSum(desc);
  return (desc.access == OP2RT_MIN || desc.access == OP2RT_MAX) &&
         (!isFloat(desc) || desc.dim <= OP2RT_MOST_EXACT_COMPONENTS) &&
         std::none_of(loop.args, loop.args + loop.nargs,
                      [&](op2rt_arg_desc const &other) {
                        return other.kind == OP2RT_ARG_INFO &&
                               other.slot == arg;
                      });
}

bool op2::rt::isExactExtremum(op2rt_loop_desc const &loop, int arg) {
  op2rt_arg_desc const &desc = loop.args[arg];
  return desc.access != OP2RT_INC && desc.dim <= OP2RT_MOST_EXACT_COMPONENTS &&
         isExactReduction(loop, arg);
}

void op2::rt::addSums(void *global, int32_t type, int32_t dim, ExactSum *sums,
                      char const *loop) {
  if (hasRanks() && dim > 0)
    loopHooks.sumOnRanks(sums, dim, loop);
  auto round = [&](auto *values) {
    for (int32_t d = 0; d < dim; ++d) {
      sums[d].add(values[d]);
      values[d] = sums[d].round<std::remove_reference_t<decltype(*values)>>();
    }
  };
  if (type == OP2RT_F64)
    round(static_cast<double *>(global));
  else
    round(static_cast<float *>(global));
}

/// Of all threads, on those of the first one.
static void finishSum(op2rt_reduction &r) {
  Partials const &p = r.partials;
  if (!p.global)
    return;
  auto dim = static_cast<std::size_t>(p.dim);
  for (std::size_t n = dim; n < r.sums.size(); ++n)
    r.sums[n % dim].add(r.sums[n]);
  addSums(p.global, p.type, p.dim, r.sums.data(), r.loop);
}

bool op2::rt::isMergeDropped(op2rt_loop const &loop) {
  return loop.copies || (!hasRanks() && ownOf(loop.set) == 0);
}

static void finishMerge(op2rt_reduction const &r) {
  if (r.partials.global && !r.isDropped)
    mergePartials(r.partials, r.merge, r.loop);
}

void op2::rt::requireReduction(op2rt_loop const &loop, int32_t arg) {
  op2rt_arg_desc const &desc = loop.desc->args[arg];
  bool isReduction = desc.access == OP2RT_INC || desc.access == OP2RT_MIN ||
                     desc.access == OP2RT_MAX || desc.access == OP2RT_WORK ||
                     desc.access == OP2RT_WRITE || desc.access == OP2RT_REDUCE;
  bool isValue = isGlobal(desc);
  if (!isValue || !isReduction)
    argError(*loop.desc, arg, Problem::Access, "%s is no reduction of a global",
             accessName(desc.access));
  if (desc.access != OP2RT_REDUCE || !loop.args[arg].active)
    return;
  if (!loop.args[arg].merge)
    argError(*loop.desc, arg, Problem::Pointer,
             "the function that combines two results is NULL; expected "
             "op_arg_reduce with void merge(T *into, T const *from)");
  if (!loop.args[arg].identity)
    argError(*loop.desc, arg, Problem::Pointer,
             "the identity is NULL; expected %d of type %s", desc.dim,
             typeName(desc.type));
}

//===----------------------------------------------------------------------===//
// Beginning
//===----------------------------------------------------------------------===//

// Reductions that ended, with their storage.
static std::vector<op2rt_reduction *> &idle() {
  static auto *reductions = new std::vector<op2rt_reduction *>;
  return *reductions;
}

// Those of the loop in progress.
static std::vector<op2rt_reduction *> &running() {
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
    fatal(Problem::Memory,
          "out of memory: the reduction of loop %s needs %lld bytes for "
          "%lld blocks",
          loop, static_cast<long long>(bytes), static_cast<long long>(p.count));
  reduction.capacity = bytes;
}

/// A sum for each of `threads`.
static void beginSum(op2rt_reduction &reduction, op2rt_loop const &loop,
                     int32_t threads) {
  Partials &p = reduction.partials;
  // What copies of elements add counts with their owners.
  if (loop.copies)
    p.global = nullptr;
  p.count = 0;
  int32_t count = p.global ? threads * p.dim : 0;
  reduction.sums.assign(static_cast<std::size_t>(count), ExactSum());
}

/// What each partial begins with; NULL: zeros.
static void const *findInitial(op2rt_loop const &loop, int32_t arg) {
  switch (loop.desc->args[arg].access) {
  case OP2RT_INC:
    return nullptr;
  case OP2RT_REDUCE:
    return loop.args[arg].identity;
  default:
    return loop.args[arg].data;
  }
}

/// What a sum begins with: it leaves a -0.0 as it is.
static void clearSum(char *partial, int32_t type, int64_t count) {
  if (type == OP2RT_F64)
    std::fill_n(reinterpret_cast<double *>(partial), count, -0.0);
  else if (type == OP2RT_F32)
    std::fill_n(reinterpret_cast<float *>(partial), count, -0.0F);
  else
    std::memset(partial, 0, static_cast<size_t>(count * typeSize(type)));
}

/// As many as may take part in a loop that begins here.
static int64_t countThreads() {
  return std::max(omp_get_max_threads(), omp_get_thread_num() + 1);
}

/// Partials: as many as blocks, or as threads.
static op2rt_reduction *begin(op2rt_loop const &loop, int32_t arg,
                              int64_t count) {
  op2rt_arg_desc const &desc = loop.desc->args[arg];
  op2rt_reduction *reduction = takeIdle();
  reduction->isByThread = false;
  reduction->isInPlace = false;
  reduction->arg = arg;
  reduction->leader = desc.kind == OP2RT_ARG_INFO ? desc.slot : arg;
  reduction->hasEnded = false;
  reduction->merge = nullptr;
  reduction->plan = nullptr;
  reduction->first = 0;
  Partials &p = reduction->partials;
  p.global = loop.args[arg].active ? loop.args[arg].data : nullptr;
  p.access = desc.access;
  p.type = desc.type;
  p.dim = desc.dim;
  p.count = p.global ? count : 0;
  reduction->loop = loop.desc->name;
  reduction->sums.clear();
  reduction->isExact = isExactSum(desc);
  if (reduction->isExact) {
    beginSum(*reduction, loop, currentPart() ? 1 : int32_t(countThreads()));
    return reduction;
  }
  int64_t bytes = int64_t(desc.dim) * typeSize(desc.type);
  p.stride = (bytes + kLine - 1) / kLine * kLine;
  reserve(*reduction, loop.desc->name);
  void const *initial = findInitial(loop, arg);
  divide(p.count, p.count * p.dim, [&](int64_t first, int64_t last) {
    for (int64_t n = first; n < last; ++n) {
      char *partial = p.data + n * p.stride;
      if (initial)
        std::memcpy(partial, initial, static_cast<size_t>(bytes));
      else
        clearSum(partial, p.type, p.dim);
    }
  });
  return reduction;
}

/// Of a REDUCE: a partial for each block, and at least one.
static op2rt_reduction *beginMerge(op2rt_loop const &loop, int32_t arg,
                                   op2rt_plan const *plan) {
  op2rt_reduction *reduction =
      begin(loop, arg, std::max<int64_t>(1, plan ? plan->nblocks : 1));
  reduction->merge = loop.args[arg].merge;
  reduction->plan = plan;
  reduction->isDropped = isMergeDropped(loop);
  return reduction;
}

/// The one of argument `arg`, or NULL.
static op2rt_reduction *findOf(int32_t arg,
                               std::vector<op2rt_reduction *> const &all) {
  for (op2rt_reduction *known : all)
    if (known->arg == arg)
      return known;
  return nullptr;
}

/// Combines argument `leader` with the infos that follow it.
static void combineGroup(int32_t leader,
                         std::vector<op2rt_reduction *> const &all) {
  op2rt_reduction *first = findOf(leader, all);
  if (!first || first->partials.access == OP2RT_WORK)
    return;
  if (first->isInPlace)
    return;
  if (first->isExact)
    return finishSum(*first);
  if (first->merge)
    return finishMerge(*first);
  std::vector<Partials const *> infos;
  for (op2rt_reduction const *reduction : all)
    if (reduction->leader == leader && reduction->arg != leader)
      infos.push_back(&reduction->partials);
  if (infos.empty())
    combinePartials(first->partials);
  else
    combineWithInfos(first->partials, infos);
}

//===----------------------------------------------------------------------===//
// In tiles
//===----------------------------------------------------------------------===//

/// Threads share these and what is idle.
static std::mutex tileMutex;

op2rt_reduction *TileReductions::find(op2rt_loop const &loop, int32_t arg,
                                      int64_t numBlocks) {
  std::lock_guard<std::mutex> lock(tileMutex);
  if (op2rt_reduction *known = findOf(arg, all))
    return known;
  all.push_back(begin(loop, arg, numBlocks));
  return all.back();
}

void TileReductions::drop(std::vector<op2rt_reduction *> const &views) {
  std::lock_guard<std::mutex> lock(tileMutex);
  for (op2rt_reduction *view : views) {
    std::vector<ExactSum> &sums = findOf(view->arg, all)->sums;
    for (std::size_t n = 0; n < sums.size(); ++n)
      sums[n].add(view->sums[n]);
    delete view;
  }
}

void TileReductions::finish() {
  for (op2rt_reduction *reduction : all)
    if (reduction->arg == reduction->leader)
      combineGroup(reduction->leader, all);
  forget();
}

void TileReductions::forget() {
  idle().insert(idle().end(), all.begin(), all.end());
  all.clear();
}

/// The thread's own view of a reduction: its partials are those of all, and
/// exact sums are its own until the view is dropped.
static op2rt_reduction *beginInTile(LoopPart &part, op2rt_loop const &loop,
                                    int32_t arg) {
  op2rt_reduction *view = findOf(arg, part.views);
  if (!view) {
    view =
        new op2rt_reduction(*part.reductions->find(loop, arg, part.numBlocks));
    std::fill(view->sums.begin(), view->sums.end(), ExactSum());
    part.views.push_back(view);
  }
  view->first = part.firstBlock;
  return view;
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

/// Whether the only thread may reduce a global where it is, which pays if it is
/// large: no other argument of the loop has some of it.
static bool mayBeInPlace(op2rt_loop const &loop, int32_t arg) {
  constexpr int64_t kLeastBytes = 4096;
  auto bytesOf = [&](int m) { return bytesOfGlobal(loop.desc->args[m]); };
  if (bytesOf(arg) < kLeastBytes || loop.copies)
    return false;
  auto const *data = static_cast<char const *>(loop.args[arg].data);
  for (int m = 0; m < loop.desc->nargs; ++m)
    if (m != arg && isGlobal(loop.desc->args[m]) && loop.args[m].active &&
        overlap(data, bytesOf(arg),
                static_cast<char const *>(loop.args[m].data), bytesOf(m)))
      return false;
  return true;
}

/// Of which it does not matter whose elements come first.
static op2rt_reduction *beginByThread(op2rt_loop const &loop, int32_t arg) {
  int64_t threads = loop.inThreads ? countThreads() : 1;
  bool isInPlace = threads == 1 && loop.desc->args[arg].access != OP2RT_WORK &&
                   loop.args[arg].active && mayBeInPlace(loop, arg);
  op2rt_reduction *reduction = begin(loop, arg, isInPlace ? 0 : threads);
  reduction->isByThread = threads > 1;
  reduction->isInPlace = isInPlace;
  // All blocks have the only one.
  if (threads == 1)
    reduction->partials.stride = 0;
  return reduction;
}

extern "C" op2rt_reduction *op2rt_reduction_begin(op2rt_loop *loop, int32_t arg,
                                                  op2rt_plan const *plan) {
  requireReduction(*loop, arg);
  if (LoopPart *part = currentPart())
    return beginInTile(*part, *loop, arg);
  op2rt_arg_desc const &desc = loop->desc->args[arg];
  bool isByThread = desc.access == OP2RT_WORK ||
                    (isExactReduction(*loop->desc, arg) && !isExactSum(desc));
  running().push_back(desc.access == OP2RT_REDUCE ? beginMerge(*loop, arg, plan)
                      : isByThread
                          ? beginByThread(*loop, arg)
                          : begin(*loop, arg, plan ? plan->nblocks : 0));
  return running().back();
}

// NULL for an optional global that is switched off: the kernel must not look.
extern "C" void *op2rt_reduction_partial(op2rt_reduction *reduction,
                                         int64_t position) {
  Partials const &p = reduction->partials;
  if (reduction->isInPlace)
    return p.global;
  int64_t place = reduction->isByThread ? omp_get_thread_num()
                  : reduction->plan     ? reduction->plan->block(position)
                                        : reduction->first + position;
  return p.global ? p.data + place * p.stride : nullptr;
}

/// Those of the calling thread, one a component.
static ExactSum *sumsOfThread(op2rt_reduction *reduction) {
  // The views of threads that run tiles have sums of their own.
  int thread = currentPart() ? 0 : omp_get_thread_num();
  return &reduction->sums[static_cast<std::size_t>(thread *
                                                   reduction->partials.dim)];
}

static void addTerms(int32_t type, ExactSum &sum, void const *terms,
                     int64_t first, int64_t count) {
  if (type == OP2RT_F64)
    sum.add(static_cast<double const *>(terms) + first, count, 1);
  else
    sum.add(static_cast<float const *>(terms) + first, count, 1);
}

extern "C" void op2rt_reduction_add(op2rt_reduction *reduction,
                                    void const *terms, int64_t count,
                                    int64_t stride) {
  Partials const &p = reduction->partials;
  if (!p.global || count == 0)
    return;
  ExactSum *sums = sumsOfThread(reduction);
  for (int32_t d = 0; d < p.dim; ++d)
    addTerms(p.type, sums[d], terms, d * stride, count);
}

extern "C" void op2rt_reduction_add_rows(op2rt_reduction *reduction,
                                         void const *rows, int64_t count) {
  Partials const &p = reduction->partials;
  if (!p.global || count == 0)
    return;
  if (p.type == OP2RT_F64)
    ExactSum::addRows(sumsOfThread(reduction), p.dim,
                      static_cast<double const *>(rows), count);
  else
    ExactSum::addRows(sumsOfThread(reduction), p.dim,
                      static_cast<float const *>(rows), count);
}

extern "C" double const *op2rt_reduction_split(op2rt_reduction *reduction,
                                               int64_t component) {
  static ExactSum const unused; // an optional global that is off
  return reduction->partials.global
             ? sumsOfThread(reduction)[component].splits()
             : unused.splits();
}

extern "C" void op2rt_reduction_add_split(op2rt_reduction *reduction,
                                          void const *terms, int64_t count,
                                          int64_t stride, int64_t const *split,
                                          int64_t lanes) {
  Partials const &p = reduction->partials;
  if (!p.global || count == 0)
    return;
  ExactSum *sums = sumsOfThread(reduction);
  for (int32_t d = 0; d < p.dim; ++d)
    if (!sums[d].addSplit(split + d * ExactSum::kSplitRows * lanes, lanes,
                          count))
      addTerms(p.type, sums[d], terms, d * stride, count);
}

extern "C" void op2rt_reduction_end(op2rt_reduction *reduction) {
  if (currentPart())
    return;
  reduction->hasEnded = true;
  int32_t leader = reduction->leader;
  auto isWaiting = [&](op2rt_reduction const *other) {
    return other->leader == leader && !other->hasEnded;
  };
  auto &all = running();
  if (std::any_of(all.begin(), all.end(), isWaiting))
    return;
  combineGroup(leader, all);
  auto isDone = [&](op2rt_reduction *other) {
    if (other->leader != leader)
      return false;
    idle().push_back(other);
    return true;
  };
  all.erase(std::remove_if(all.begin(), all.end(), isDone), all.end());
}

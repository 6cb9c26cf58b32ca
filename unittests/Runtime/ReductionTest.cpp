//===- ReductionTest.cpp - Reductions of globals ----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Helpers.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <omp.h>
#include <type_traits>

using namespace op2::test;

namespace {

class ReductionTest : public ProgramTest {
protected:
  /// Runs `kernel(partial, n)` for all elements as generated code does.
  template <class T, class Kernel>
  static void reduce(T *global, int dim, int type, op_access access, int size,
                     Kernel kernel, int64_t blockSize = 16) {
    op_set set = op_decl_set(size, "set");
    Loop loop("reduce");
    loop.global(global, dim, type, access);
    op2rt_loop *running = loop.begin(set);
    op2rt_plan const *plan = op2rt_plan_get(running, blockSize, 0);
    op2rt_reduction *r = op2rt_reduction_begin(running, 0, plan);
    int64_t blocks = op2rt_view(plan)->num_blocks;
#pragma omp parallel for schedule(dynamic)
    for (int64_t b = 0; b < blocks; ++b) {
      // What an element adds to an exact sum has a place of its own.
      bool isExact = std::is_floating_point_v<T> && access == OP_INC;
      auto const term = std::make_unique<T[]>(std::size_t(dim));
      T *partial = isExact ? term.get()
                           : static_cast<T *>(op2rt_reduction_partial(r, b));
      for (int64_t n = op2rt_view(plan)->pieces[b].begin;
           n < op2rt_view(plan)->pieces[b].end; ++n) {
        std::fill_n(term.get(), dim, T(0));
        kernel(partial, static_cast<int>(n));
        if (isExact)
          op2rt_reduction_add(r, partial, 1, 1);
      }
    }
    op2rt_reduction_end(r);
    op2rt_loop_end(running);
  }

  template <class T> void expectAll(int type) {
    T sum = 5, least = 100, greatest = 1;
    reduce(&sum, 1, type, OP_INC, 161, [](T *s, int) { *s += T(1); });
    EXPECT_EQ(sum, T(166));
    reduce(&least, 1, type, OP_MIN, 161, [](T *m, int n) {
      T value = T((n * 37) % 161 + 3);
      if (value < *m)
        *m = value;
    });
    EXPECT_EQ(least, T(3));
    reduce(&greatest, 1, type, OP_MAX, 161, [](T *m, int n) {
      T value = T((n * 37) % 161 + 3);
      if (value > *m)
        *m = value;
    });
    EXPECT_EQ(greatest, T(163));
  }
};

TEST_F(ReductionTest, EveryType) {
  expectAll<double>(OP2RT_F64);
  expectAll<float>(OP2RT_F32);
  expectAll<int32_t>(OP2RT_I32);
  expectAll<uint32_t>(OP2RT_U32);
  expectAll<int64_t>(OP2RT_I64);
  expectAll<uint64_t>(OP2RT_U64);
}

TEST_F(ReductionTest, BoolIncIsOr) {
  bool any = false;
  reduce(&any, 1, OP2RT_BOOL, OP_INC, 100, [](bool *, int) {});
  EXPECT_FALSE(any);
  reduce(&any, 1, OP2RT_BOOL, OP_INC, 100,
         [](bool *a, int n) { *a = *a || n == 77; });
  EXPECT_TRUE(any);
}

TEST_F(ReductionTest, IncomingValueTakesPart) {
  double least = -7, greatest = 1e9;
  reduce(&least, 1, OP2RT_F64, OP_MIN, 50,
         [](double *m, int n) { *m = std::min(*m, double(n)); });
  reduce(&greatest, 1, OP2RT_F64, OP_MAX, 50,
         [](double *m, int n) { *m = std::max(*m, double(n)); });
  EXPECT_EQ(least, -7);
  EXPECT_EQ(greatest, 1e9);
}

TEST_F(ReductionTest, EmptySetLeavesTheGlobal) {
  double sum = 3.5;
  reduce(&sum, 1, OP2RT_F64, OP_INC, 0, [](double *, int) {});
  EXPECT_EQ(sum, 3.5);
}

TEST_F(ReductionTest, EachComponentOnItsOwn) {
  std::vector<double> sums(37, 1.0); // more than a cache line
  reduce(sums.data(), 37, OP2RT_F64, OP_INC, 1000, [](double *s, int n) {
    for (int d = 0; d < 37; ++d)
      s[d] += d * (n % 3);
  });
  for (int d = 0; d < 37; ++d)
    EXPECT_EQ(sums[d], 1.0 + d * 999);
}

TEST_F(ReductionTest, BitwiseTheSameForAnyNumberOfThreads) {
  auto run = [](int threads) {
    omp_set_num_threads(threads);
    double sum = 0.1;
    reduce(
        &sum, 1, OP2RT_F64, OP_INC, 100003,
        [](double *s, int n) { *s += 1.0 / (1.0 + n * 0.37) - 1e-3; }, 128);
    return sum;
  };
  int before = omp_get_max_threads();
  double one = run(1);
  for (int threads : {2, 3, 5, 8}) {
    double many = run(threads);
    EXPECT_EQ(std::memcmp(&one, &many, sizeof one), 0) << threads;
  }
  omp_set_num_threads(before);
}

// All terms are small beside the first one, and are nothing when they are added
// to it one by one.
TEST_F(ReductionTest, SumsOfFloatsAreExact) {
  double sum = 0x1p60;
  reduce(&sum, 1, OP2RT_F64, OP_INC, 1 << 12, [](double *s, int) { *s += 1; });
  EXPECT_EQ(sum, 0x1p60 + 0x1p12);
  float narrow = 0x1p30f;
  reduce(&narrow, 1, OP2RT_F32, OP_INC, 1 << 12,
         [](float *s, int) { *s += 1; });
  EXPECT_EQ(narrow, 0x1p30f + 0x1p12f);
}

// As the compiler has it: one partial result a block.
TEST_F(ReductionTest, SumsOfManyComponentsAreNotExact) {
  std::vector<double> sums(65, 1.0);
  op_set set = op_decl_set(100, "set");
  Loop loop("reduce");
  loop.global(sums.data(), 65, OP2RT_F64, OP_INC);
  op2rt_loop *running = loop.begin(set);
  op2rt_plan const *plan = op2rt_plan_get(running, 50, 0);
  op2rt_reduction *r = op2rt_reduction_begin(running, 0, plan);
  for (int64_t p = 0; p < 2; ++p)
    static_cast<double *>(op2rt_reduction_partial(r, p))[64] += 2;
  op2rt_reduction_end(r);
  op2rt_loop_end(running);
  EXPECT_EQ(sums[64], 5);
  EXPECT_EQ(sums[0], 1);
}

TEST_F(ReductionTest, PartialsOwnTheirCacheLines) {
  op_set set = op_decl_set(100, "set");
  int value = 0;
  Loop loop("reduce");
  loop.global(&value, 1, OP2RT_I32, OP_WRITE);
  op2rt_loop *running = loop.begin(set);
  op2rt_plan const *plan = op2rt_plan_get(running, 10, 0);
  op2rt_reduction *r = op2rt_reduction_begin(running, 0, plan);
  auto address = [&](int64_t p) {
    return reinterpret_cast<uintptr_t>(op2rt_reduction_partial(r, p));
  };
  EXPECT_EQ(address(0) % 64, 0u);
  EXPECT_GE(address(1) - address(0), 64u);
  op2rt_reduction_end(r);
  op2rt_loop_end(running);
}

TEST_F(ReductionTest, TwoAtOnce) {
  op_set set = op_decl_set(40, "set");
  double sum = 0;
  int greatest = -1;
  Loop loop("reduce");
  loop.global(&sum, 1, OP2RT_F64, OP_INC)
      .global(&greatest, 1, OP2RT_I32, OP_MAX);
  op2rt_loop *running = loop.begin(set);
  op2rt_plan const *plan = op2rt_plan_get(running, 10, 0);
  op2rt_reduction *r = op2rt_reduction_begin(running, 0, plan);
  op2rt_reduction *s = op2rt_reduction_begin(running, 1, plan);
  std::vector<double> const ones(4, 1);
  op2rt_reduction_add(r, ones.data(), 4, 4);
  for (int64_t p = 0; p < 4; ++p) {
    *static_cast<int *>(op2rt_reduction_partial(s, p)) = int(p);
  }
  op2rt_reduction_end(r);
  op2rt_reduction_end(s);
  op2rt_loop_end(running);
  EXPECT_EQ(sum, 4);
  EXPECT_EQ(greatest, 3);
}

TEST_F(ReductionTest, InactiveGlobalIsLeftAlone) {
  op_set set = op_decl_set(40, "set");
  Loop loop("reduce");
  loop.global(nullptr, 1, OP2RT_F64, OP_INC).optional(false);
  loop.global(nullptr, 1, OP2RT_I32, OP_INC).optional(false);
  op2rt_loop *running = loop.begin(set);
  op2rt_plan const *plan = op2rt_plan_get(running, 10, 0);
  op2rt_reduction *r = op2rt_reduction_begin(running, 0, plan);
  op2rt_reduction *s = op2rt_reduction_begin(running, 1, plan);
  double const term = 1;
  op2rt_reduction_add(r, &term, 1, 1);
  EXPECT_EQ(op2rt_reduction_partial(s, 2), nullptr);
  op2rt_reduction_end(r);
  op2rt_reduction_end(s);
  op2rt_loop_end(running);
}

TEST_F(ReductionTest, OnlyReductionsReduce) {
  op_set set = op_decl_set(4, "set");
  double value = 0;
  Loop loop("reduce");
  loop.global(&value, 1, OP2RT_F64, OP_READ);
  op2rt_loop *running = loop.begin(set);
  op2rt_plan const *plan = op2rt_plan_get(running, 10, 0);
  EXPECT_EXIT(op2rt_reduction_begin(running, 0, plan), diesWith1(),
              "loop reduce .*argument 0: OP_READ is no reduction of a global");
  op2rt_loop_end(running);
}

//===----------------------------------------------------------------------===//
// Infos and scratch memory
//===----------------------------------------------------------------------===//

/// Four blocks of a loop: two values and, two for each, their infos.
class InfoTest : public ReductionTest {
protected:
  /// The info is argument `info`, the value argument 1 - `info`.
  void run(op_access access, int info) {
    Loop loop("reduce");
    auto addInfo = [&] {
      loop.add(describeArg(OP2RT_ARG_INFO, access, 1 - info, 4, OP2RT_I32),
               {where, nullptr, 1});
    };
    if (info == 0)
      addInfo();
    loop.global(best, 2, OP2RT_F64, access);
    if (info == 1)
      addInfo();
    op2rt_loop *running = loop.begin(op_decl_set(40, "set"));
    op2rt_plan const *plan = op2rt_plan_get(running, 10, 0);
    op2rt_reduction *r[2] = {op2rt_reduction_begin(running, 0, plan),
                             op2rt_reduction_begin(running, 1, plan)};
    for (int p = 0; p < 4; ++p) {
      auto *value =
          static_cast<double *>(op2rt_reduction_partial(r[1 - info], p));
      auto *at = static_cast<int *>(op2rt_reduction_partial(r[info], p));
      EXPECT_EQ(at[0], -1); // starts with the caller's
      value[0] = blocks[p][0];
      value[1] = blocks[p][1];
      for (int c = 0; c < 4; ++c)
        at[c] = 10 * p + c;
    }
    op2rt_reduction_end(r[0]);
    op2rt_reduction_end(r[1]);
    op2rt_loop_end(running);
  }

  double best[2] = {2, 2};
  double blocks[4][2] = {{1, 5}, {7, 5}, {3, 6}, {7, 0}};
  int where[4] = {-1, -1, -1, -1};
};

TEST_F(InfoTest, ComeAlongComponentByComponent) {
  run(OP_MAX, 1);
  EXPECT_EQ(best[0], 7);
  EXPECT_EQ(best[1], 6);
  // Of equal values the first block's.
  EXPECT_EQ(where[0], 10);
  EXPECT_EQ(where[1], 11);
  EXPECT_EQ(where[2], 22);
  EXPECT_EQ(where[3], 23);
}

TEST_F(InfoTest, MayStandBeforeTheValue) {
  run(OP_MIN, 0);
  EXPECT_EQ(best[0], 1);
  EXPECT_EQ(best[1], 0);
  EXPECT_EQ(where[1], 1);
  EXPECT_EQ(where[3], 33);
}

TEST_F(InfoTest, TheCallersValueMayBeTheBest) {
  best[0] = 7;
  run(OP_MAX, 1);
  EXPECT_EQ(best[0], 7);
  EXPECT_EQ(where[0], -1);
  EXPECT_EQ(where[2], 22);
}

TEST_F(InfoTest, Errors) {
  op_set set = op_decl_set(4, "set");
  auto expect = [&](op2rt_arg_desc info, char const *message) {
    Loop loop("reduce");
    loop.global(best, 2, OP2RT_F64, OP_MAX)
        .global(best, 2, OP2RT_F64, OP_INC)
        .add(info, {where, nullptr, 1});
    EXPECT_EXIT(loop.begin(set), diesWith1(), message);
  };
  expect(describeArg(OP2RT_ARG_INFO, OP_MAX, 3, 2, OP2RT_I32),
         "argument 2: follows argument 3; expected 0..2");
  expect(describeArg(OP2RT_ARG_INFO, OP_MAX, 1, 2, OP2RT_I32),
         "argument 2: follows argument 1, which is no OP_MIN or OP_MAX");
  expect(describeArg(OP2RT_ARG_INFO, OP_MAX, 0, 3, OP2RT_I32),
         "argument 2: dim is 3; expected a multiple of 2, the dim of argument "
         "0");
}

//===----------------------------------------------------------------------===//
// By functions of the program
//===----------------------------------------------------------------------===//

/// The numbers of elements, one after the other.
struct Word {
  int length = 0;
  int letters[300] = {};
};
constexpr int kWord = sizeof(Word) / sizeof(int);

void append(void *into, void const *from) {
  auto &to = *static_cast<Word *>(into);
  auto const &more = *static_cast<Word const *>(from);
  for (int n = 0; n < more.length; ++n)
    to.letters[to.length++] = more.letters[n];
}

class MergeTest : public ReductionTest {
protected:
  /// A loop over edges that also adds to what elements share, if `isColored`.
  Word run(int size, int64_t blockSize, bool isColored, Word word = {}) {
    op_set edges = op_decl_set(size, "edges");
    op_set nodes = op_decl_set(size + 1, "nodes");
    std::vector<int> table = randomTable(size, 2, size + 1, 7);
    op_map map = op_decl_map(edges, nodes, 2, table.data(), "map");
    op_dat x = op_decl_dat(nodes, 1, "int", (int *)nullptr, "x");
    Word const none;
    Loop loop("merge");
    loop.global(&word, kWord, OP2RT_I32, OP_REDUCE);
    loop.value(0).merge = append;
    loop.value(0).identity = &none;
    if (isColored)
      loop.dat(x, 0, map, OP_INC).dat(x, 1, map, OP_INC);
    op2rt_loop *running = loop.begin(edges);
    op2rt_plan const *plan = op2rt_plan_get(running, blockSize, 0);
    op2rt_reduction *r = op2rt_reduction_begin(running, 0, plan);
    op2rt_plan_view const *view = op2rt_view(plan);
    colors = view->num_colors;
#pragma omp parallel for schedule(dynamic)
    for (int64_t b = 0; b < view->num_blocks; ++b) {
      auto *partial = static_cast<Word *>(op2rt_reduction_partial(r, b));
      EXPECT_EQ(partial->length, 0);
      for (int64_t n = view->pieces[b].begin; n < view->pieces[b].end; ++n)
        partial->letters[partial->length++] = static_cast<int>(n);
    }
    op2rt_reduction_end(r);
    op2rt_loop_end(running);
    return word;
  }
  static void expectNumbers(Word const &word, int first, int size) {
    ASSERT_EQ(word.length, first + size);
    for (int n = 0; n < size; ++n)
      EXPECT_EQ(word.letters[first + n], n);
  }
  int64_t colors = 0;
};

TEST_F(MergeTest, KeepsTheOrderOfElements) {
  for (int size : {1, 16, 17, 100, 250})
    expectNumbers(run(size, 16, /*isColored=*/false), 0, size);
}

TEST_F(MergeTest, KeepsItWhereBlocksHaveColors) {
  expectNumbers(run(250, 16, /*isColored=*/true), 0, 250);
  EXPECT_GT(colors, 1);
}

TEST_F(MergeTest, ComesBehindTheValueFromBefore) {
  Word word;
  word.length = 2;
  word.letters[1] = 7;
  word = run(40, 16, /*isColored=*/false, word);
  EXPECT_EQ(word.letters[1], 7);
  expectNumbers(word, 2, 40);
}

TEST_F(MergeTest, LeavesTheGlobalOfAnEmptySet) {
  Word word;
  word.length = 3;
  EXPECT_EQ(run(0, 16, /*isColored=*/false, word).length, 3);
}

TEST_F(MergeTest, HasOneResultWithoutAPlan) {
  op_set set = op_decl_set(4, "set");
  Word word;
  Word const none;
  Loop loop("merge");
  loop.global(&word, kWord, OP2RT_I32, OP_REDUCE);
  loop.value(0).merge = append;
  loop.value(0).identity = &none;
  op2rt_loop *running = loop.begin(set);
  op2rt_reduction *r = op2rt_reduction_begin(running, 0, nullptr);
  auto *partial = static_cast<Word *>(op2rt_reduction_partial(r, 0));
  for (int n = 0; n < 4; ++n)
    partial->letters[partial->length++] = n;
  op2rt_reduction_end(r);
  op2rt_loop_end(running);
  expectNumbers(word, 0, 4);
}

TEST_F(MergeTest, Errors) {
  op_set set = op_decl_set(4, "set");
  Word word;
  Loop loop("merge");
  loop.global(&word, kWord, OP2RT_I32, OP_REDUCE);
  auto begin = [&] { op2rt_reduction_begin(loop.begin(set), 0, nullptr); };
  EXPECT_EXIT(begin(), diesWith1(),
              "loop merge .*, argument 0: the function that combines two "
              "results is NULL; expected op_arg_reduce");
  loop.value(0).merge = append;
  EXPECT_EXIT(begin(), diesWith1(),
              "argument 0: the identity is NULL; expected 301 of type int");
}

TEST_F(ReductionTest, ScratchMemoryIsDropped) {
  int scratch = 5;
  // One block: others of the thread leave there what they leave.
  reduce(
      &scratch, 1, OP2RT_I32, OP_WORK, 40,
      [](int *value, int n) {
        if (n == 0)
          EXPECT_EQ(*value, 5);
        *value = n;
      },
      /*blockSize=*/64);
  EXPECT_EQ(scratch, 5);
}

// What does not depend on the order of blocks needs no partial for each.
TEST_F(ReductionTest, ThreadsHavePartials) {
  op_set set = op_decl_set(100, "set");
  std::vector<int> bins(5000, 1), small(3, 1);
  std::vector<double> rounded(5000, 1);
  Loop loop("reduce");
  loop.global(bins.data(), 5000, OP2RT_I32, OP_INC)
      .global(small.data(), 3, OP2RT_I32, OP_INC)
      .global(rounded.data(), 5000, OP2RT_F64, OP_INC);
  op2rt_loop *running = loop.begin(set);
  op2rt_plan const *plan = op2rt_plan_get(running, 50, 0);
  op2rt_reduction *all[3];
  for (int arg = 0; arg < 3; ++arg) {
    all[arg] = op2rt_reduction_begin(running, arg, plan);
    void *first = op2rt_reduction_partial(all[arg], 0);
    void *second = op2rt_reduction_partial(all[arg], 1);
    EXPECT_EQ(first == second, arg < 2);
  }
  // One thread takes a large one as it is.
  if (omp_get_max_threads() == 1)
    EXPECT_EQ(op2rt_reduction_partial(all[0], 1), bins.data());
  static_cast<int *>(op2rt_reduction_partial(all[0], 1))[4000] += 2;
  static_cast<int *>(op2rt_reduction_partial(all[1], 1))[2] += 2;
  for (int block : {0, 1})
    static_cast<double *>(op2rt_reduction_partial(all[2], block))[7] += 2;
  for (op2rt_reduction *reduction : all)
    op2rt_reduction_end(reduction);
  op2rt_loop_end(running);
  EXPECT_EQ(bins[4000], 3);
  EXPECT_EQ(bins[3999], 1);
  EXPECT_EQ(small[2], 3);
  EXPECT_EQ(rounded[7], 5);
}

// Blocks have more elements than values that are cleared and combined for them.
TEST_F(ReductionTest, BlocksOfLargeReductions) {
  op_set set = op_decl_set(100000, "set");
  std::vector<double> bins(5000);
  double few[64] = {};
  for (int dim : {64, 5000}) {
    Loop loop("reduce");
    loop.global(dim == 64 ? few : bins.data(), dim, OP2RT_F64, OP_INC);
    op2rt_loop *running = loop.begin(set);
    op2rt_plan const *plan = op2rt_plan_get(running, 0, 0);
    EXPECT_EQ(plan->nblocks <= 6, dim == 5000) << plan->nblocks;
    op2rt_loop_end(running);
  }
}

} // namespace

//===- LoopTest.cpp - Checks, aliasing and traffic of loops -----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execute/Loop.h"
#include "Helpers.h"

#include <cstring>

using namespace op2::test;

namespace {

class LoopTest : public ProgramTest {
protected:
  void SetUp() override {
    ProgramTest::SetUp();
    auto table = randomTable(30, 2, 20, 1);
    edges = op_decl_set(30, "edges");
    nodes = op_decl_set(20, "nodes");
    map = op_decl_map(edges, nodes, 2, table.data(), "edge_nodes");
    x = dat(nodes, 2, "x");
    y = dat(nodes, 2, "y");
    w = dat(edges, 1, "w");
  }
  static op_dat dat(op_set set, int dim, char const *name) {
    return op_decl_dat(set, dim, "double", static_cast<double *>(nullptr),
                       name);
  }
  bool aliasFree(Loop &loop) {
    op2rt_loop *running = loop.begin(edges);
    bool result = op2rt_loop_is_alias_free(running);
    op2rt_loop_end(running);
    return result;
  }
  void expectError(Loop &loop, char const *message) {
    EXPECT_EXIT(loop.begin(edges), diesWith1(), message);
  }

  op_set edges, nodes;
  op_map map;
  op_dat x, y, w;
};

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

TEST_F(LoopTest, DirectDatOfAnotherSet) {
  Loop loop("res");
  loop.dat(w, OP_READ).dat(x, OP_READ);
  expectError(loop, "op2 error: loop res .test.cpp:1., argument 1: dat x lives "
                    "on set nodes, but the loop runs over set edges");
}

TEST_F(LoopTest, MapFromAnotherSet) {
  int back[20] = {};
  op_map wrong = op_decl_map(nodes, edges, 1, back, "wrong");
  Loop loop("res");
  loop.dat(w, 0, wrong, OP_READ);
  expectError(loop, "argument 0: map wrong goes from set nodes, but the loop "
                    "runs over set edges");
}

TEST_F(LoopTest, MapToAnotherSet) {
  Loop loop("res");
  loop.dat(w, 0, map, OP_READ);
  expectError(loop, "map edge_nodes goes to set nodes, but dat w lives on set "
                    "edges");
}

TEST_F(LoopTest, SlotOutOfRange) {
  Loop loop("res"), row("row");
  loop.dat(x, 2, map, OP_READ);
  expectError(loop, "slots 2..2 of map edge_nodes; expected slots in 0..1");
  row.dat(x, 0, map, OP_READ, 3);
  expectError(row, "slots 0..2 of map edge_nodes");
}

TEST_F(LoopTest, DimAndType) {
  Loop dim("res"), type("res"), any("res");
  dim.dat(x, 0, map, OP_READ).arg(0).dim = 4;
  expectError(dim, "argument 0: dim is 4, but dat x has dim 2");
  type.dat(x, 0, map, OP_READ).arg(0).type = OP2RT_F32;
  expectError(type, "argument 0: type is float, but dat x holds double");
  any.dat(x, 0, map, OP_READ).arg(0).dim = OP2RT_DYNAMIC_DIM;
  op2rt_loop_end(any.begin(edges));
}

namespace {
struct Pair {
  double a, b;
};
int type_error(Pair const *, char const *type) {
  return std::strcmp(type, "pair");
}
} // namespace

TEST_F(LoopTest, PartsOfTheApplicationsTypes) {
  op_dat pairs = op_decl_dat(nodes, 2, "pair", (Pair *)nullptr, "pairs");
  Loop whole("res"), half("res"), numbers("res"), wide("res");
  whole.dat(pairs, 0, map, OP_READ).arg(0).dim = 4;
  whole.arg(0).type = OP2RT_F64;
  whole.arg(0).flags = OP2RT_ARG_AOS;
  op2rt_loop_end(whole.begin(edges));
  half.dat(pairs, 0, map, OP_READ).arg(0).dim = 2;
  half.arg(0).type = OP2RT_F64;
  half.arg(0).flags = OP2RT_ARG_AOS;
  expectError(half, "argument 0: the kernel takes elements of 16 bytes, but "
                    "one of dat pairs .dim 2 of type pair. has 32");
  numbers.dat(pairs, 0, map, OP_READ).arg(0).type = OP2RT_F64;
  expectError(numbers, "argument 0: type is double, but dat pairs holds pair");
  op_dat doubles = op_decl_dat_char(nodes, 1, "double", 16, nullptr, "doubles");
  wide.dat(doubles, 0, map, OP_READ);
  expectError(wide, "argument 0: dat doubles has components of 16 bytes; "
                    "double needs 8");
}

TEST_F(LoopTest, MissingHandles) {
  Loop noMap("res"), noDat("res"), noSet("res"), noGlobal("res"), off("res");
  noMap.dat(x, 0, nullptr, OP_READ);
  expectError(noMap, "index 0 needs a map, but the map is NULL");
  noDat.dat(w, OP_READ).value(0).data = nullptr;
  expectError(noDat, "argument 0: the dat is NULL");
  EXPECT_EXIT(noSet.begin(nullptr), diesWith1(),
              "loop res .*: the set is NULL");
  noGlobal.global(nullptr, 1, OP2RT_F64, OP_READ);
  expectError(noGlobal, "the pointer to the global is NULL");
  off.dat(w, OP_READ).value(0).active = 0;
  expectError(off, "is switched off, but is not optional");
}

TEST_F(LoopTest, WhatNoCompilerEmits) {
  double value = 0;
  Loop mapped("res"), unknown("res");
  mapped.global(&value, 1, OP2RT_F64, OP_READ).value(0).map = map;
  expectError(mapped, "argument 0: a global has a map");
  unknown.dat(w, OP_READ).arg(0).kind = 17;
  expectError(unknown, "argument 0: unknown kind of argument");
}

TEST_F(LoopTest, MapOnDirectArgument) {
  Loop loop("res");
  loop.dat(w, -1, map, OP_READ);
  expectError(loop, "index -1 is direct access and takes OP_ID");
}

TEST_F(LoopTest, WorkIsForGlobals) {
  Loop loop("res");
  loop.dat(w, OP_WORK);
  expectError(loop, "OP_WORK on dat w; expected OP_READ");
}

TEST_F(LoopTest, FreedDat) {
  op_dat temp = op_decl_dat_temp_char(edges, 1, "double", 8, "temp");
  Loop loop("res");
  loop.dat(temp, OP_READ);
  op2rt_loop_end(loop.begin(edges));
  op_free_dat_temp(temp);
  expectError(loop, "argument 0: .* is not a living dat");
}

TEST_F(LoopTest, MapWithoutTable) {
  op_map later = op_decl_map(edges, nodes, 1, nullptr, "later");
  Loop loop("res");
  loop.dat(x, 0, later, OP_READ);
  expectError(loop, "map later was declared without a table");
  std::vector<int> table(30, 20);
  later->user_managed = 1;
  later->map = table.data();
  expectError(loop, "later: element 0, slot 0 is 20; expected 0..19");
  table.assign(30, 19);
  op2rt_loop_end(loop.begin(edges));
}

TEST_F(LoopTest, InactiveArgumentsAreNotChecked) {
  Loop loop("res");
  loop.dat(x, OP_READ).optional(false);
  loop.value(0).data = nullptr;
  op2rt_loop_end(loop.begin(edges));
}

TEST_F(LoopTest, LoopInsideLoop) {
  Loop outer("outer"), inner("inner");
  op2rt_loop *running = outer.begin(edges);
  EXPECT_EXIT(inner.begin(edges), diesWith1(),
              "loop inner: started inside loop outer");
  EXPECT_EXIT(op_exit(), diesWith1(), "called inside loop outer");
  op2rt_loop_end(running);
}

TEST_F(LoopTest, OldInterface) {
  op2rt_loop_desc desc{};
  desc.abi_version = OP2RT_ABI_VERSION + 1;
  desc.name = "res";
  EXPECT_EXIT(op2rt_loop_begin(&desc, edges, nullptr), diesWith1(),
              "loop res was compiled for version");
}

// What is found out once is no time of the loop's work.
TEST_F(LoopTest, FirstChecksArePlanTime) {
  Loop loop("res");
  loop.dat(x, 0, map, OP_READ);
  op2rt_loop_end(loop.begin(edges));
  ASSERT_EQ(OP_kern_max, 1);
  op_kernel first = OP_kernels[0];
  EXPECT_GT(first.plan_time, 0);
  EXPECT_GE(first.time, first.plan_time);
  EXPECT_FLOAT_EQ(first.plan_time, OP_plan_time);
  op2rt_loop_end(loop.begin(edges));
  EXPECT_EQ(OP_kernels[0].plan_time, first.plan_time);
  EXPECT_GT(OP_kernels[0].time, first.time);
}

TEST_F(LoopTest, DifferentHandlesThroughOneCallSite) {
  Loop loop("res");
  loop.dat(x, 0, map, OP_READ);
  op2rt_loop_end(loop.begin(edges));
  loop.value(0).data = y;
  op2rt_loop_end(loop.begin(edges));
  loop.value(0).data = w; // checked again, though the call site ran before
  expectError(loop, "lives on set edges");
}

//===----------------------------------------------------------------------===//
// Aliasing
//===----------------------------------------------------------------------===//

TEST_F(LoopTest, DifferentDatsDoNotAlias) {
  Loop loop("res");
  loop.dat(x, 0, map, OP_READ).dat(y, 0, map, OP_INC).dat(w, OP_WRITE);
  EXPECT_TRUE(aliasFree(loop));
}

TEST_F(LoopTest, OneDatInTwoGroups) {
  Loop written("res"), read("res"), grouped("res");
  written.dat(x, 0, map, OP_READ).dat(x, 1, map, OP_INC);
  EXPECT_FALSE(aliasFree(written));
  read.dat(x, 0, map, OP_READ).dat(x, 1, map, OP_READ);
  EXPECT_TRUE(aliasFree(read));
  grouped.dat(x, 0, map, OP_INC).group(0).dat(x, 1, map, OP_INC).group(0);
  EXPECT_TRUE(aliasFree(grouped));
}

TEST_F(LoopTest, SharedStorage) {
  std::vector<double> values(60);
  OP_realloc = 0;
  op_dat a = op_decl_dat(nodes, 2, "double", values.data(), "a");
  op_dat b = op_decl_dat(nodes, 2, "double", values.data() + 20, "b");
  OP_realloc = 1;
  Loop written("res"), read("res");
  written.dat(a, 0, map, OP_READ).dat(b, 0, map, OP_INC);
  EXPECT_FALSE(aliasFree(written));
  read.dat(a, 0, map, OP_READ).dat(b, 0, map, OP_READ);
  EXPECT_TRUE(aliasFree(read));
  // Apart again.
  b->data = reinterpret_cast<char *>(values.data() + 40);
  b->data = y->data;
  EXPECT_TRUE(aliasFree(written));
}

TEST_F(LoopTest, GlobalInsideDat) {
  Loop loop("res");
  loop.dat(w, OP_WRITE).global(w->data + 16, 1, OP2RT_F64, OP_READ);
  EXPECT_FALSE(aliasFree(loop));
  double outside = 0;
  loop.value(1).data = &outside;
  EXPECT_TRUE(aliasFree(loop));
}

TEST_F(LoopTest, VariablesInsideDat) {
  static double outside[2];
  Loop inside("res"), apart("res"), read("res");
  inside.dat(w, OP_WRITE).reads({{w->data + 8, 8}});
  EXPECT_FALSE(aliasFree(inside));
  apart.dat(w, OP_WRITE).reads({{outside, sizeof outside}});
  EXPECT_TRUE(aliasFree(apart));
  read.dat(w, OP_READ).reads({{w->data + 8, 8}});
  EXPECT_TRUE(aliasFree(read));
}

// As getExtent of the frontend says of what another file has the size of.
TEST_F(LoopTest, VariablesOfUnknownSizeEndWithThePartOfTheProgram) {
  static double first, storage[60];
  constexpr int64_t kUnknown = int64_t(1) << 47;
  OP_realloc = 0;
  op_dat inProgram = op_decl_dat(edges, 1, "double", storage, "inProgram");
  OP_realloc = 1;
  void *least = std::min<void *>(&first, storage);
  Loop heap("res"), behind("res");
  heap.dat(w, OP_WRITE).reads({{least, kUnknown}});
  EXPECT_TRUE(aliasFree(heap));
  behind.dat(inProgram, OP_WRITE).reads({{least, kUnknown}});
  EXPECT_FALSE(aliasFree(behind));
}

TEST_F(LoopTest, UnknownPointers) {
  Loop written("res"), read("res");
  written.dat(w, OP_WRITE).reads({}, /*pointers=*/-1);
  EXPECT_FALSE(aliasFree(written));
  read.dat(w, OP_READ).reads({}, /*pointers=*/-1);
  EXPECT_TRUE(aliasFree(read));
}

TEST_F(LoopTest, InactiveDatDoesNotAlias) {
  Loop loop("res");
  loop.dat(x, 0, map, OP_READ).dat(x, 1, map, OP_INC).optional(false);
  EXPECT_TRUE(aliasFree(loop));
}

//===----------------------------------------------------------------------===//
// Traffic
//===----------------------------------------------------------------------===//

/// Airfoil's sets, maps and dats; C cells, N nodes, E edges.
class TrafficTest : public ProgramTest {
protected:
  static constexpr int C = 700, N = 751, E = 1450;

  void SetUp() override {
    ProgramTest::SetUp();
    cells = op_decl_set(C, "cells");
    nodes = op_decl_set(N, "nodes");
    edges = op_decl_set(E, "edges");
    pcell = map(cells, nodes, 4, "pcell");
    pedge = map(edges, nodes, 2, "pedge");
    pecell = map(edges, cells, 2, "pecell");
    x = dat(nodes, 2, "x");
    q = dat(cells, 4, "q");
    qold = dat(cells, 4, "qold");
    adt = dat(cells, 1, "adt");
    res = dat(cells, 4, "res");
  }
  static op_map map(op_set from, op_set to, int dim, char const *name) {
    auto table = randomTable(from->size, dim, to->size, 1);
    return op_decl_map(from, to, dim, table.data(), name);
  }
  static op_dat dat(op_set set, int dim, char const *name) {
    return op_decl_dat(set, dim, "double", static_cast<double *>(nullptr),
                       name);
  }
  static double bytes(Loop &loop, op_set set) {
    op2rt_loop *running = loop.begin(set);
    double result = running->call->bytes;
    op2rt_loop_end(running);
    return result;
  }

  op_set cells, nodes, edges;
  op_map pcell, pedge, pecell;
  op_dat x, q, qold, adt, res;
};

TEST_F(TrafficTest, SaveSoln) {
  Loop loop("save_soln");
  loop.dat(q, OP_READ).dat(qold, OP_WRITE);
  EXPECT_EQ(bytes(loop, cells), 64.0 * C);
}

TEST_F(TrafficTest, AdtCalc) {
  Loop loop("adt_calc");
  for (int slot = 0; slot < 4; ++slot)
    loop.dat(x, slot, pcell, OP_READ);
  loop.dat(q, OP_READ).dat(adt, OP_WRITE);
  EXPECT_EQ(bytes(loop, cells), 56.0 * C + 16.0 * N);
}

TEST_F(TrafficTest, ResCalc) {
  Loop loop("res_calc");
  loop.dat(x, 0, pedge, OP_READ).dat(x, 1, pedge, OP_READ);
  loop.dat(q, 0, pecell, OP_READ).dat(q, 1, pecell, OP_READ);
  loop.dat(adt, 0, pecell, OP_READ).dat(adt, 1, pecell, OP_READ);
  loop.dat(res, 0, pecell, OP_INC).dat(res, 1, pecell, OP_INC);
  EXPECT_EQ(bytes(loop, edges), 16.0 * E + 16.0 * N + 104.0 * C);
}

TEST_F(TrafficTest, Update) {
  double rms = 0;
  Loop loop("update");
  loop.dat(qold, OP_READ).dat(q, OP_WRITE).dat(res, OP_RW).dat(adt, OP_READ);
  loop.global(&rms, 1, OP2RT_F64, OP_INC);
  EXPECT_EQ(bytes(loop, cells), 136.0 * C);
}

TEST_F(TrafficTest, FewElementsTouchFewTargets) {
  op_set bedges = op_decl_set(10, "bedges");
  op_map pbedge = map(bedges, nodes, 2, "pbedge");
  Loop loop("bres_calc");
  loop.dat(x, 0, pbedge, OP_READ, 2);
  EXPECT_EQ(bytes(loop, bedges), 20 * 16.0 + 10 * 8.0);
}

TEST_F(TrafficTest, ReadAndWriteOfOneDatCountTogether) {
  Loop loop("both"), off("off");
  loop.dat(q, OP_READ).dat(q, OP_WRITE);
  EXPECT_EQ(bytes(loop, cells), 64.0 * C);
  off.dat(q, OP_READ).dat(res, OP_RW).optional(false);
  EXPECT_EQ(bytes(off, cells), 32.0 * C);
}

} // namespace

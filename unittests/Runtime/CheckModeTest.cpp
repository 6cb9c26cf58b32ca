//===- CheckModeTest.cpp - Promises of loops, checked -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check/CheckMode.h"
#include "FakeDeviceTest.h"
#include "op_seq.h"

#include <cmath>

using namespace op2::test;

namespace {

void assign(double const *from, double *to) { *to = *from; }
void assignBig(double const *from, double *to) {
  if (*from > 1)
    *to = *from;
}
void assignFirst(int *to) { to[0] = 7; }
template <class T> void nothing(T *) {}
void change(double *value) { *value += 1; }
void both(double *a, double *b) { *a = *b = 1; }
void bothAdd(double const *w, double *a, double *b) {
  *a += *w;
  *b += *w;
}
void assignAndAdd(double *a, double *b) {
  *a = 1;
  *b += 1;
}
void negate(double *y) { *y = -*y; }
void takeFirst(double *y, double *z) {
  *z += *y;
  *y = 1;
}
void move(double *y, double *z) {
  *z = *y;
  *y = 1;
}
void changeGlobal(double *x, double *global) { *x = global[1]++; }

/// Edges around a ring of six nodes; OP2_CHECK=1.
class CheckModeTest : public ProgramTest {
protected:
  void SetUp() override {
    setenv("OP2_CHECK", "1", 1);
    ProgramTest::SetUp();
    nodes = op_decl_set(6, "nodes");
    edges = op_decl_set(6, "edges");
    int table[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 0};
    double numbers[] = {0, 1, 2, 3, 4, 5};
    map = op_decl_map(edges, nodes, 2, table, "ends");
    w = op_decl_dat(edges, 1, "double", numbers, "w");
    x = op_decl_dat(nodes, 1, "double", numbers, "x");
    y = op_decl_dat(edges, 1, "double", (double *)nullptr, "y");
  }
  void TearDown() override {
    ProgramTest::TearDown();
    unsetenv("OP2_CHECK");
  }
  static op_arg direct(op_dat dat, op_access access) {
    return op_arg_dat(dat, -1, OP_ID, dat->dim, dat->type, access);
  }
  op_arg via(int slot, op_access access) {
    return op_arg_dat(x, slot, map, 1, "double", access);
  }
  void warnOnly() {
    setenv("OP2_CHECK", "warn", 1);
    op2::rt::forgetEnvironment();
  }
  static double first(op_dat dat) {
    double value = NAN;
    op_fetch_data_idx(dat, &value, 0, 0);
    return value;
  }

  op_set nodes, edges;
  op_map map;
  op_dat w, x, y;
};

TEST_F(CheckModeTest, KeptPromisesPass) {
  op_par_loop(assign, "assign", edges, direct(w, OP_READ), direct(y, OP_WRITE));
  op_par_loop(bothAdd, "both_add", edges, direct(y, OP_READ), via(0, OP_INC),
              via(1, OP_INC));
  op_par_loop(assign, "gather", edges, via(1, OP_READ), direct(y, OP_WRITE));
  op_par_loop(change, "once_each", edges, via(0, OP_RW));
  EXPECT_EQ(first(y), 1 + 0 + 1);
}

TEST_F(CheckModeTest, TwoElementsOverwriteOne) {
  EXPECT_EXIT(
      op_par_loop(both, "both", edges, via(0, OP_WRITE), via(1, OP_WRITE)),
      diesWith1(),
      "loop both, argument 1: OP_WRITE on dat x: elements 0 and 1 of "
      "set edges both reach element 1 of set nodes, .*; add with "
      "OP_INC");
  EXPECT_EXIT(op_par_loop(both, "both", edges, via(0, OP_RW), via(1, OP_RW)),
              diesWith1(), "argument 1: OP_RW on dat x: elements 0 and 1");
}

TEST_F(CheckModeTest, OneElementAddsToWhatAnotherOverwrites) {
  EXPECT_EXIT(op_par_loop(assignAndAdd, "mixed", edges, via(0, OP_WRITE),
                          via(1, OP_INC)),
              diesWith1(), "argument 1: OP_INC on dat x: elements 0 and 1");
}

TEST_F(CheckModeTest, ConflictsInsideOfARow) {
  Loop loop("row");
  loop.dat(x, 0, map, OP_WRITE, 2);
  EXPECT_EXIT(loop.begin(edges), diesWith1(),
              "loop row .test.cpp:1., argument 0: OP_WRITE on dat x: elements "
              "0 and 1");
}

TEST_F(CheckModeTest, OneElementReadsWhatAnotherChanges) {
  EXPECT_EXIT(
      op_par_loop(assign, "shift", edges, via(1, OP_READ), via(0, OP_WRITE)),
      diesWith1(),
      "loop shift, argument 0: OP_READ on dat x: element 0 of set "
      "edges reads element 1 of set nodes, which another element "
      "changes .*read a copy");
  EXPECT_EXIT(op_par_loop(bothAdd, "row", edges, via(0, OP_READ),
                          via(0, OP_INC), via(1, OP_INC)),
              diesWith1(), "loop row, argument 0: OP_READ on dat x: element 0");
  // Declared, but nothing changes.
  op_par_loop(
      +[](double const *, double *) {}, "idle", edges, via(1, OP_READ),
      via(0, OP_RW));
  // Its own.
  op_par_loop(
      +[](double const *a, double *b) { *b = *a + 1; }, "own", edges,
      via(0, OP_READ), via(0, OP_RW));
}

TEST_F(CheckModeTest, ArgumentsThatAreOffDoNotCount) {
  Loop loop("off");
  loop.dat(x, 0, map, OP_READ).dat(x, 1, map, OP_WRITE).optional(false);
  op2rt_loop_end(loop.begin(edges));
}

TEST_F(CheckModeTest, ComponentsThatWereNotWritten) {
  EXPECT_EXIT(op_par_loop(assignBig, "big", edges, direct(w, OP_READ),
                          direct(y, OP_WRITE)),
              diesWith1(),
              "loop big, argument 1: OP_WRITE on dat y: the kernel did not "
              "write element 0, component 0 \\(2 values in all\\).*declare "
              "OP_RW");
  op_dat pair = op_decl_dat(nodes, 2, "int", (int *)nullptr, "pair");
  EXPECT_EXIT(op_par_loop(assignFirst, "first", nodes, direct(pair, OP_WRITE)),
              diesWith1(),
              "on dat pair: .* element 0, component 1 \\(6 values");
}

TEST_F(CheckModeTest, EveryTypeHasAPoison) {
  op_dat dats[] = {
      op_decl_dat(nodes, 1, "double", (double *)nullptr, "of_double"),
      op_decl_dat(nodes, 1, "float", (float *)nullptr, "of_float"),
      op_decl_dat(nodes, 1, "uint", (uint *)nullptr, "of_uint"),
      op_decl_dat(nodes, 1, "ll", (ll *)nullptr, "of_ll"),
      op_decl_dat(nodes, 1, "ull", (ull *)nullptr, "of_ull"),
      op_decl_dat(nodes, 1, "bool", (bool *)nullptr, "of_bool")};
  for (op_dat dat : dats) {
    Loop loop("lazy");
    loop.dat(dat, OP_WRITE);
    EXPECT_EXIT(op2rt_loop_end(loop.begin(nodes)), diesWith1(),
                std::string("OP_WRITE on dat ") + dat->name);
  }
}

TEST_F(CheckModeTest, OnlyReachedElementsMustBeWritten) {
  int table[] = {4, 2};
  op_set few = op_decl_set(2, "few");
  op_map some = op_decl_map(few, nodes, 1, table, "some");
  op_par_loop(
      +[](double *to) { *to = -1; }, "some", few,
      op_arg_dat(x, 0, some, 1, "double", OP_WRITE));
  double values[6];
  op_fetch_data(x, values);
  EXPECT_EQ(std::vector<double>(values, values + 6),
            (std::vector<double>{0, 1, -1, 3, -1, 5}));
}

TEST_F(CheckModeTest, KernelsThatChangeWhatTheyRead) {
  EXPECT_EXIT(op_par_loop(change, "change", edges, direct(w, OP_READ)),
              diesWith1(),
              "loop change, argument 0: OP_READ on dat w: the kernel changed "
              "element 0, component 0, from 0 to 1; declare OP_RW");
  double global[2] = {1, 2};
  EXPECT_EXIT(op_par_loop(changeGlobal, "global", nodes, direct(x, OP_WRITE),
                          op_arg_gbl(global, 2, "double", OP_READ)),
              diesWith1(),
              "loop global, argument 1: OP_READ on a global: component 1 was "
              "changed");
}

TEST_F(CheckModeTest, WhatIsMadeOfOldValues) {
  EXPECT_EXIT(op_par_loop(negate, "negate", edges, direct(w, OP_WRITE)),
              diesWith1(),
              "OP_WRITE on dat w: the kernel computed element 0, component 0 "
              "from a value that was there before");
  EXPECT_EXIT(op_par_loop(takeFirst, "take", edges, direct(y, OP_WRITE),
                          direct(w, OP_RW)),
              diesWith1(),
              "loop take, argument 0: OP_WRITE on dat y: the kernel computed "
              "element 0, component 0 of dat w \\(6 values in all\\) from a "
              "value that was there before");
  // Of two the one that was read.
  EXPECT_EXIT(op_par_loop(move, "move", edges, direct(y, OP_WRITE),
                          direct(w, OP_WRITE)),
              diesWith1(),
              "argument 0: OP_WRITE on dat y: the kernel computed element 0, "
              "component 0 of dat w");
  warnOnly();
  op_par_loop(takeFirst, "take", edges, direct(y, OP_WRITE), direct(w, OP_RW));
  EXPECT_EQ(first(w), 0);
  EXPECT_EQ(first(y), 1);
}

TEST_F(CheckModeTest, TablesThatWereChangedBehindASubset) {
  int const numbers[] = {1, 3};
  op_subset some = op_decl_subset(edges, 2, numbers, "some");
  auto gather = [&] {
    op_par_loop(assign, "gather", some, via(1, OP_READ), direct(y, OP_WRITE));
  };
  gather();
  gather();
  map->map[3] = map->map[2];
  EXPECT_EXIT(gather(), diesWith1(),
              "loop gather, argument 0: the table of map ends was changed "
              "after a loop had used it; expected another map");
}

TEST_F(CheckModeTest, TablesThatWereChanged) {
  op_par_loop(assign, "gather", edges, via(1, OP_READ), direct(y, OP_WRITE));
  map->map[5] = 6;
  EXPECT_EXIT(op_par_loop(assign, "gather", edges, via(1, OP_READ),
                          direct(y, OP_WRITE)),
              diesWith1(),
              "loop gather, argument 0: map ends was changed: element 2, slot "
              "1 is 6; expected 0..5 \\(set nodes has 6 elements\\)");
  // Plans are those of the table that was there before.
  map->map[5] = map->map[4];
  EXPECT_EXIT(op_par_loop(assign, "gather", edges, via(1, OP_READ),
                          direct(y, OP_WRITE)),
              diesWith1(),
              "loop gather, argument 0: the table of map ends was changed "
              "after a loop had used it; expected another map");
  // Or replaced.
  std::vector<int> other(map->map, map->map + 12);
  int *own = std::exchange(map->map, other.data());
  EXPECT_EXIT(op_par_loop(assign, "gather", edges, via(1, OP_READ),
                          direct(y, OP_WRITE)),
              diesWith1(), "argument 0: the table of map ends was changed");
  map->map = own;
}

TEST_F(CheckModeTest, ReadsOfWhatNobodyWrote) {
  ::testing::internal::CaptureStderr();
  op_par_loop(change, "change", edges, direct(y, OP_INC));
  op_dat fresh = op_decl_dat_temp(edges, 1, "double", (double *)nullptr, "t");
  op_par_loop(assign, "copy", edges, direct(fresh, OP_READ),
              direct(y, OP_WRITE));
  op_par_loop(assign, "copy", edges, direct(fresh, OP_READ),
              direct(y, OP_WRITE));
  // The application's own values count.
  op_dat own = op_decl_dat_temp(edges, 1, "double", (double *)nullptr, "own");
  reinterpret_cast<double *>(own->data)[3] = 1;
  op_par_loop(assign, "own", edges, direct(own, OP_READ), direct(y, OP_WRITE));
  EXPECT_EQ(withoutRemedies(::testing::internal::GetCapturedStderr()),
            "op2 warning: loop copy, argument 0: OP_READ on dat t, which was "
            "declared without values and which no loop has written: the kernel "
            "reads zeros [op2-check]\n");
}

TEST_F(CheckModeTest, WarningsLeaveTheValues) {
  warnOnly();
  ::testing::internal::CaptureStderr();
  for (int n = 0; n < 2; ++n)
    op_par_loop(nothing<double>, "lazy", nodes, direct(x, OP_WRITE));
  op_par_loop(both, "both", edges, via(0, OP_WRITE), via(1, OP_WRITE));
  std::string text = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(text.find("op2 warning: loop lazy, argument 0"), 0u);
  EXPECT_EQ(text.find("loop lazy"), text.rfind("loop lazy"));
  EXPECT_NE(text.find("op2 warning: loop both, argument 1"), text.npos);
  EXPECT_EQ(first(x), 1);
}

TEST_F(CheckModeTest, ElementsHaveTheApplicationsNumbers) {
  op_renumber(map);
  EXPECT_EXIT(op_par_loop(assignBig, "big", edges, direct(w, OP_READ),
                          direct(y, OP_WRITE)),
              diesWith1(), "did not write element 0, component 0 \\(2 values");
}

TEST_F(CheckModeTest, SharedStorageIsNotPoisoned) {
  OP_realloc = 0;
  double mine[6] = {5, 6, 7, 8, 9, 10};
  op_dat a = op_decl_dat(edges, 1, "double", mine, "a");
  op_dat b = op_decl_dat(edges, 1, "double", mine, "b");
  op_par_loop(assign, "same", edges, direct(a, OP_READ), direct(b, OP_WRITE));
  EXPECT_EQ(mine[5], 10);
}

TEST_F(CheckModeTest, EmptySets) {
  op_set none = op_decl_set(0, "none");
  op_dat z = op_decl_dat(none, 3, "double", (double *)nullptr, "z");
  op_par_loop(nothing<double>, "none", none, direct(z, OP_WRITE));
  op_par_loop(nothing<double>, "none", none, direct(z, OP_READ));
}

TEST_F(CheckModeTest, OffUnlessAsked) {
  setenv("OP2_CHECK", "0", 1);
  op2::rt::forgetEnvironment();
  op_par_loop(nothing<double>, "lazy", nodes, direct(x, OP_WRITE));
  EXPECT_EQ(first(x), 0);
  setenv("OP2_CHECK", "yes", 1);
  op2::rt::forgetEnvironment();
  EXPECT_EXIT(op_par_loop(nothing<double>, "lazy", nodes, direct(x, OP_WRITE)),
              diesWith1(), "OP2_CHECK=yes: expected one of 0, 1, warn");
}

/// The same through copies on a device.
class CheckModeDeviceTest : public FakeDeviceTest {};

TEST_F(CheckModeDeviceTest, CopiesAreChecked) {
  Environment check("OP2_CHECK", "1");
  restart(0);
  add(2);
  Loop lazy("lazy");
  lazy.dat(x, OP_WRITE).target(OP2RT_TARGET_CUDA);
  auto run = [&] {
    op2rt_loop *loop = lazy.begin(set);
    op2rt_device_dat(loop, 0);
    op2rt_loop_end(loop);
  };
  EXPECT_EXIT(run(), diesWith1(), "loop lazy .*OP_WRITE on dat x");
}

} // namespace

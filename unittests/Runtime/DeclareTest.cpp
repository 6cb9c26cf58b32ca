//===- DeclareTest.cpp - Declarations and the life of a program -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeDeviceTest.h"
#include "Helpers.h"

#include <algorithm>
#include <climits>
#include <cstring>

using namespace op2::test;

namespace {

using DeclareTest = ProgramTest;

TEST_F(DeclareTest, CopiesDataAligned) {
  op_set set = op_decl_set(3, "set");
  std::vector<double> values{1, 2, 3, 4, 5, 6};
  op_dat dat = op_decl_dat(set, 2, "double", values.data(), "dat");
  values.assign(6, 0);
  EXPECT_EQ(reinterpret_cast<double *>(dat->data)[5], 6);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(dat->data) % 64, 0u);
  EXPECT_EQ(dat->size, 16);
  EXPECT_STREQ(dat->type, "double");
  EXPECT_EQ(OP_set_list[0], set);
  EXPECT_EQ(OP_set_index, 1);
}

TEST_F(DeclareTest, NoDataMeansZeros) {
  op_set set = op_decl_set(3000000, "set"); // large enough for huge pages
  op_dat dat =
      op_decl_dat(set, 1, "double", static_cast<double *>(nullptr), "dat");
  auto *values = reinterpret_cast<double *>(dat->data);
  for (int n = 0; n < 3000000; ++n)
    ASSERT_EQ(values[n], 0);
}

TEST_F(DeclareTest, TypeStrings) {
  op_set set = op_decl_set(2, "set");
  long long ll[2] = {1, 2};
  int64_t i64[2] = {1, 2};
  bool flags[2] = {true, false};
  unsigned u[2] = {};
  float f[2] = {};
  EXPECT_EQ(op_decl_dat(set, 1, "ll", ll, "a")->size, 8);
  EXPECT_EQ(op_decl_dat(set, 1, "ll", i64, "b")->size, 8);
  EXPECT_EQ(op_decl_dat(set, 1, "bool", flags, "c")->size, 1);
  EXPECT_EQ(op_decl_dat(set, 1, "uint", u, "d")->size, 4);
  EXPECT_EQ(op_decl_dat(set, 1, "float:soa", f, "e")->size, 4);
  EXPECT_EQ(op_decl_dat(set, 1, "real*4", f, "f")->size, 4);
  EXPECT_EQ(op_decl_dat(set, 1, "long", i64, "g")->size, 8);
  EXPECT_EQ(op_decl_dat(set, 1, "long long", ll, "h")->size, 8);
}

TEST_F(DeclareTest, WrongTypeStrings) {
  op_set set = op_decl_set(2, "set");
  float f[2] = {};
  struct Mine {
    int x;
  } mine[2] = {};
  EXPECT_EXIT(op_decl_dat(set, 1, "double", f, "q"), diesWith1(),
              "op_decl_dat q: type string is \"double\", but the pointer is to "
              "float");
  EXPECT_EXIT(op_decl_dat(set, 1, "quad", f, "q"), diesWith1(),
              "unknown type string \"quad\"; expected one of double, float");
  EXPECT_EXIT(op_decl_dat(set, 1, "double:sao", f, "q"), diesWith1(),
              "unknown type string");
  EXPECT_EXIT(op_decl_dat(set, 1, "int", mine, "q"), diesWith1(),
              "a type that OP2 does not know");
  EXPECT_EXIT(op_decl_const(1, "int", f), diesWith1(),
              "op_decl_const: type string is \"int\", but the pointer is to "
              "float");
}

namespace {
struct Pair {
  double a, b;
};
struct Other {
  float a[3];
};
int type_error(Pair const *, char const *type) {
  return std::strcmp(type, "pair") != 0 && std::strcmp(type, "pair:soa") != 0;
}
int type_error(Other const *, char const *type) {
  return std::strcmp(type, "other") != 0 && std::strcmp(type, "pair") != 0;
}
} // namespace

TEST_F(DeclareTest, TypesOfTheApplication) {
  op_set set = op_decl_set(2, "set");
  Pair pairs[4] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};
  op_dat dat = op_decl_dat(set, 2, "pair:soa", pairs, "p");
  EXPECT_EQ(dat->size, 32);
  EXPECT_EQ(dat->dim, 2);
  Pair found[4] = {};
  op_fetch_data(dat, found);
  EXPECT_EQ(found[3].b, 8);
  EXPECT_EQ(op_arg_dat(dat, -1, OP_ID, 2, "pair", OP_READ).size, 32);
  Other others[2] = {};
  op_decl_dat(set, 1, "other", others, "o");

  EXPECT_EXIT(op_decl_dat(set, 1, "double", pairs, "q"), diesWith1(),
              "type string is \"double\", but the pointer is to a type that "
              "OP2 does not know");
  EXPECT_EXIT(op_decl_dat(set, 1, "pair", others, "q"), diesWith1(),
              "op_decl_dat: type string \"pair\" is given for values of 12 "
              "bytes, but pair has 16");
  EXPECT_EXIT(op_fetch_data(dat, others), diesWith1(), "type string is \"pair");
  EXPECT_EXIT(op_arg_dat(dat, -1, OP_ID, 2, "other", OP_READ), diesWith1(),
              "op_arg_dat: type string is \"other\", but dat p holds pair");
  EXPECT_EXIT(op_arg_dat(dat, -1, OP_ID, 2, "double", OP_READ), diesWith1(),
              "op_arg_dat: type string is \"double\", but dat p holds pair");
  EXPECT_EXIT(op_print_dat_to_txtfile(dat, "p.txt"), diesWith1(),
              "op_print_dat_to_txtfile: dat p holds values of the "
              "application's type pair, which have no text; print what "
              "op_fetch_data gives");
  EXPECT_EXIT(op_dump_dat(dat), diesWith1(), "op_dump_dat: dat p holds");
}

TEST_F(DeclareTest, BadSizes) {
  EXPECT_EXIT(op_decl_set(-1, "cells"), diesWith1(),
              "op2 error: op_decl_set cells: size is -1; expected 0");
  op_set set = op_decl_set(2, "set");
  EXPECT_EXIT(op_decl_dat_char(set, 0, "double", 8, nullptr, "q"), diesWith1(),
              "op_decl_dat q: dim is 0; expected at least 1");
  EXPECT_EXIT(op_decl_map(set, set, -2, nullptr, "m"), diesWith1(),
              "op_decl_map m: dim is -2");
  EXPECT_EXIT(op_decl_dat_char(nullptr, 1, "double", 8, nullptr, "q"),
              diesWith1(), "op_decl_dat q: the set is NULL");
  EXPECT_EXIT(op_decl_map(set, nullptr, 1, nullptr, "m"), diesWith1(),
              "op_decl_map m, to: the set is NULL");
  EXPECT_EXIT(op_decl_map(nullptr, set, 1, nullptr, "m"), diesWith1(),
              "op_decl_map m, from: the set is NULL");
  EXPECT_EXIT(op_decl_dat_char(set, 1 << 29, "double", 8, nullptr, "q"),
              diesWith1(), "an element of at most");
  EXPECT_EXIT(op_decl_dat_char(set, 1, "double", 4, nullptr, "q"), diesWith1(),
              "a component has 4 bytes; double needs 8");
}

TEST_F(DeclareTest, SizesThatOverflow) {
  double value = 0;
  op_set set = op_decl_set(2, "set"), large = op_decl_set(2000000000, "large");
  EXPECT_EXIT(op_decl_set(INT_MAX, "cells"), diesWith1(),
              "op_decl_set cells: size is 2147483647; expected 0..2147483616");
  // Wider types are not cut: 5 would be left of that.
  EXPECT_EXIT(op_decl_set(4294967301L, "cells"), diesWith1(),
              "op_decl_set cells: size is 4294967301; expected 0..2147483616");
  EXPECT_EXIT(op_decl_set(3000000000U, "cells"), diesWith1(),
              "op_decl_set cells: size is 3000000000; expected 0..2147483616");
  EXPECT_EQ(op_decl_set(std::size_t(7), "seven")->size, 7);
  for (int dim : {0, -1, INT_MIN, INT_MAX, 1 << 29})
    EXPECT_EXIT(op_decl_const2("alpha", dim, "double", &value), diesWith1(),
                "op_decl_const alpha: dim is -?[0-9]+; expected 1..268435455");
  EXPECT_EXIT(op_decl_dat_temp_char(set, 1 << 30, "double", 8, "t"),
              diesWith1(),
              "op_decl_dat_temp t: 1073741824 components of 8 "
              "bytes; expected an element of at most");
  EXPECT_EXIT(op_decl_dat_char(set, 1, "double", -8, nullptr, "q"), diesWith1(),
              "a component has -8 bytes; double needs 8");
#ifndef OP2_TEST_SANITIZED
  long long rows[4] = {};
  EXPECT_EXIT(op_decl_map_long(large, set, INT_MAX, rows, "m"), diesWith1(),
              "out of memory: map m needs .* MiB .2000000000 elements of "
              "8589934588 bytes");
#endif
  (void)large;
}

// Nobody needs them, but programs pass them.
TEST_F(DeclareTest, NothingIsAskedFor) {
  op_timers(nullptr, nullptr);
  op_timers_core(nullptr, nullptr);
  double cpu = 7, et = 0;
  op_timers(&cpu, &et);
  EXPECT_GT(et, 0);
  EXPECT_EQ(cpu, 7);
  op_rank(nullptr);
  op_print(nullptr);
}

TEST_F(DeclareTest, MapValuesAreChecked) {
  op_set edges = op_decl_set(3, "edges"), nodes = op_decl_set(5, "nodes");
  op_set none = op_decl_set(0, "none");
  int high[] = {0, 1, 2, 5, 4, 0}, negative[] = {0, 1, 2, 3, -1, 0};
  EXPECT_EXIT(op_decl_map(edges, nodes, 2, high, "pedge"), diesWith1(),
              "op_decl_map pedge: element 1, slot 1 is 5; expected 0..4 .set "
              "nodes has 5 elements");
  EXPECT_EXIT(op_decl_map(edges, nodes, 2, negative, "pedge"), diesWith1(),
              "element 2, slot 0 is -1; expected 0..4");
  EXPECT_EXIT(op_decl_map(edges, none, 2, high, "pedge"), diesWith1(),
              "element 0, slot 0 is 0, but set none is empty");
}

TEST_F(DeclareTest, MapValuesAreCheckedInLargeMaps) {
  op_set edges = op_decl_set(1000000, "edges"), nodes = op_decl_set(5, "nodes");
  std::vector<int> table(1000000, 4);
  EXPECT_EQ(op_decl_map(edges, nodes, 1, table.data(), "good")->map[999999], 4);
  table[999999] = table[876543] = 5;
  EXPECT_EXIT(op_decl_map(edges, nodes, 1, table.data(), "bad"), diesWith1(),
              "element 876543, slot 0 is 5");
}

TEST_F(DeclareTest, MapsMayStartAtOne) {
  op_set edges = op_decl_set(2, "edges"), nodes = op_decl_set(2, "nodes");
  int table[] = {1, 2}, zero[] = {1, 0}, three[] = {1, 3};
  OP_maps_base_index = 1;
  EXPECT_EQ(op_decl_map(edges, nodes, 1, table, "m")->map[1], 1);
  EXPECT_EXIT(op_decl_map(edges, nodes, 1, zero, "m"), diesWith1(),
              "element 1, slot 0 is 0; expected 1..2");
  EXPECT_EXIT(op_decl_map(edges, nodes, 1, three, "m"), diesWith1(),
              "element 1, slot 0 is 3; expected 1..2");
}

// A sanitizer's allocator would report the request itself.
#ifndef OP2_TEST_SANITIZED
TEST_F(DeclareTest, OutOfMemorySaysHowMuch) {
  op_set set = op_decl_set(2000000000, "set");
  EXPECT_EXIT(op_decl_dat_char(set, 200000000, "double", 8, nullptr, "huge"),
              diesWith1(),
              "out of memory: dat huge needs .* MiB .2000000000 elements of "
              "1600000000 bytes");
}
#endif

// Those that exceed the caches are filled in another way, up to the last byte,
// which is none of a whole line.
TEST_F(DeclareTest, TemporaryDatsBeginAsZerosAgain) {
  for (int size : {1001, 700001}) {
    op_set many = op_decl_set(size, "many");
    for (int step = 0; step < 3; ++step) {
      op_dat temp =
          op_decl_dat_temp(many, 1, "double", (double *)nullptr, "temp");
      auto *values = reinterpret_cast<double *>(temp->data);
      EXPECT_EQ(std::count(values, values + size, 0.0), size) << step;
      std::fill(values, values + size, 1.5);
      op_free_dat_temp(temp);
    }
  }
}

TEST_F(DeclareTest, ElementSizeIsTheDats) {
  op_set set = op_decl_set(4, "set");
  op_dat odd = op_decl_dat_temp_char(set, 1, "int", sizeof(double), "odd");
  EXPECT_EQ(odd->size, 8);
}

TEST_F(DeclareTest, TemporaryDats) {
  op_set set = op_decl_set(4, "set");
  op_dat temp = op_decl_dat_temp(set, 1, "double", (double *)nullptr, "t");
  EXPECT_EXIT(op_decl_dat_temp(set, 1, "double", (double *)nullptr, "t"),
              diesWith1(), "op_decl_dat_temp t: there is already such a dat");
  EXPECT_EQ(op_free_dat_temp(temp), 1);
  EXPECT_EQ(op_free_dat_temp(temp), -1);
  EXPECT_EQ(op_free_dat_temp(nullptr), -1);
  EXPECT_NE(op_decl_dat_temp(set, 1, "double", (double *)nullptr, "t"),
            nullptr);
}

TEST_F(DeclareTest, TemporaryDatsComeBack) {
  op_set set = op_decl_set(3, "set");
  auto declare = [&](char const *name, int dim = 1) {
    return op_decl_dat_temp_char(set, dim, "double", 8, name);
  };
  op_dat t = declare("t"), u = declare("u");
  char *storage = t->data;
  reinterpret_cast<double *>(t->data)[1] = 7;
  op_free_dat_temp(u);
  op_free_dat_temp(t);
  // That of the name first, then any of the kind, as zeros.
  EXPECT_EQ(declare("t"), t);
  EXPECT_EQ(t->data, storage);
  EXPECT_EQ(reinterpret_cast<double *>(t->data)[1], 0);
  EXPECT_EQ(declare("v"), u);
  EXPECT_STREQ(u->name, "v");
  EXPECT_EQ(search_dat(set, 1, "double", 8, "v"), u);
  // Others are of another kind, or were declared with values.
  op_free_dat_temp(t);
  EXPECT_NE(declare("t", 2), t);
  op_free_dat_temp(u);
  EXPECT_EXIT(op_fetch_data_char(u, storage), diesWith1(), "not a living dat");
  double values[3] = {1, 2, 3};
  EXPECT_NE(op_decl_dat(set, 1, "double", values, "v"), u);
  EXPECT_NE(declare("u"), u);
}

TEST_F(DeclareTest, ManyTemporaryDats) {
  op_set set = op_decl_set(4, "set");
  for (int n = 0; n < 2000; ++n)
    op_free_dat_temp(op_decl_dat_temp_char(set, 1, "double", 8, "t"));
}

TEST_F(DeclareTest, NoReallocUsesTheCallersStorage) {
  op_set set = op_decl_set(2, "set");
  double values[] = {1, 2};
  OP_realloc = 0;
  op_dat dat = op_decl_dat(set, 1, "double", values, "dat");
  EXPECT_EQ(dat->data, reinterpret_cast<char *>(values));
}

// The program may exchange pointers: whose storage it is goes with them.
TEST_F(DeclareTest, ExchangedStorageOfTheProgram) {
  std::vector<double> mine{1, 2, 3};
  char const *words[] = {"program", "OP_NO_REALLOC", nullptr};
  auto declare = [&] {
    op_exit();
    op_init(2, const_cast<char **>(words), 0);
    op_set set = op_decl_set(3, "set");
    return op_decl_dat(set, 1, "double", mine.data(), "dat");
  };
  // At the end each block is freed, and the program's is not.
  op_dat dat = declare();
  op_dat other = op_decl_dat(dat->set, 1, "double", (double *)nullptr, "other");
  std::swap(dat->data, other->data);
  // A temporary dat does not get the array of one that is gone.
  dat = declare();
  op_dat gone =
      op_decl_dat_temp(dat->set, 1, "double", (double *)nullptr, "gone");
  std::swap(dat->data, gone->data);
  EXPECT_EQ(op_free_dat_temp(gone), 1);
  op_dat next =
      op_decl_dat_temp(dat->set, 1, "double", (double *)nullptr, "gone");
  EXPECT_NE(next->data, reinterpret_cast<char *>(mine.data()));
  EXPECT_EQ(mine, (std::vector<double>{1, 2, 3}));
  op_exit();
  char const *none[] = {"program", nullptr};
  op_init(1, const_cast<char **>(none), 0);
}

TEST_F(DeclareTest, NamesMayBeReplaced) {
  op_set set = op_decl_set(2, "set");
  op_dat dat = op_decl_dat_char(set, 1, "double", 8, nullptr, "dat");
  dat->name = "another";
}

TEST_F(DeclareTest, Queries) {
  op_set set = op_decl_set(7, "cells");
  EXPECT_EQ(op_get_size(set), 7);
  EXPECT_EQ(op_get_size_local_full(set), 7);
  EXPECT_EQ(op_get_global_set_offset(set), 0);
  EXPECT_EQ(op_size_of_set("cells"), 7);
  EXPECT_EQ(op_size_of_set("faces"), -1);
  EXPECT_EQ(op_is_root(), 1);
  op_partition("", "", NULL, NULL, NULL);
}

TEST_F(DeclareTest, DeclarationsOfMlirPrograms) {
  double values[] = {1, 2, 3, 4};
  int table[] = {1, 0};
  op_set_core *set = op2rt_decl_set(2, "set");
  op_map_core *map = op2rt_decl_map(set, set, 1, table, 2, "map");
  op_dat_core *dat = op2rt_decl_dat(set, 2, OP2RT_F64, values, 4, "dat");
  EXPECT_EQ(op2rt_map_data(map)[0], 1);
  EXPECT_EQ(op2rt_map_dim(map), 1);
  EXPECT_EQ(op2rt_map_size(map), 2);
  EXPECT_EQ(op2rt_dat_dim(dat), 2);
  EXPECT_EQ(op2rt_dat_size(dat), 2);
  double copy[4] = {};
  op2rt_fetch(dat, OP2RT_F64, copy, 4);
  EXPECT_EQ(copy[3], 4);
  EXPECT_EXIT(op2rt_fetch(dat, OP2RT_F64, copy, 3), diesWith1(),
              "3 values given; expected 4");
  EXPECT_EXIT(op2rt_fetch(dat, OP2RT_F32, copy, 4), diesWith1(),
              "the dat holds double, the buffer float");
  EXPECT_EXIT(op2rt_decl_map(nullptr, set, 1, table, 2, "map"), diesWith1(),
              "op2.decl_map, from: the set is NULL");
  EXPECT_EXIT(op2rt_decl_dat(set, 2, OP2RT_F64, values, 2, "dat"), diesWith1(),
              "2 values given; expected 4");
  EXPECT_EQ(op2rt_dat_data(nullptr), nullptr);
  EXPECT_EQ(op2rt_map_data(nullptr), nullptr);
  EXPECT_EQ(op2rt_dat_dim(nullptr), 0);
}

//===----------------------------------------------------------------------===//
// Beginning and end
//===----------------------------------------------------------------------===//

TEST(ProgramTest, BeforeInitAndAfterExit) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(op_decl_set(1, "s"), diesWith1(),
              "op_decl_set: called before op_init or after op_exit");
  EXPECT_EXIT(op_exit(), diesWith1(), "op_exit: called before op_init");
  op_init(0, nullptr, 0);
  EXPECT_EXIT(op_init(0, nullptr, 0), diesWith1(), "op_init: called twice");
  op_set old = op_decl_set(1, "s");
  op_exit();
  EXPECT_EXIT(op_decl_set(1, "s"), diesWith1(), "before op_init or after");
  op_init(0, nullptr, 0);
  EXPECT_EXIT(op_decl_dat_char(old, 1, "double", 8, nullptr, "d"), diesWith1(),
              "not a living set");
  op_exit();
}

TEST(ProgramTest, SeveralTimes) {
  for (int n = 0; n < 3; ++n) {
    op_init(0, nullptr, 0);
    op_set set = op_decl_set(10, "set");
    op_dat dat = op_decl_dat_char(set, 1, "double", 8, nullptr, "dat");
    Loop loop("loop");
    loop.dat(dat, OP_WRITE);
    EXPECT_EQ(op2rt_view(loop.plan(set, 5))->num_blocks, 2);
    op_exit();
    EXPECT_EQ(OP_set_index, 0);
  }
}

TEST(ProgramTest, OneLoopInSeveralPrograms) {
  // The call site's description lives on; what it remembers must not.
  op_set set = nullptr;
  std::vector<op2rt_arg_desc> args{
      describeArg(OP2RT_ARG_DAT, OP_WRITE, OP2RT_DIRECT, 1, OP2RT_F64, 0)};
  op2rt_loop_desc desc = describeLoop("loop", args, OP2RT_TARGET_SEQ);
  for (int n = 1; n < 4; ++n) {
    op_init(0, nullptr, 0);
    set = op_decl_set(10 * n, "set");
    op_dat dat = op_decl_dat_char(set, 1, "double", 8, nullptr, "dat");
    op2rt_arg value{dat, nullptr, 1};
    op2rt_loop *loop = op2rt_loop_begin(&desc, set, &value);
    EXPECT_EQ(op2rt_view(op2rt_plan_get(loop, 10, 0))->num_blocks, n);
    op2rt_loop_end(loop);
    op_exit();
  }
}

TEST(ProgramTest, ImplicitStart) {
  EXPECT_EQ(op2rt_decl_set(2, "set")->size, 2);
  op_exit();
}

TEST(ProgramTest, ImplicitStartOfOneProcess) {
  setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
  EXPECT_EXIT(op2rt_decl_set(2, "set"), diesWith1(),
              "op2.decl_set: this is one of 2 processes, each of which would "
              "run all of the program");
  unsetenv("OMPI_COMM_WORLD_SIZE");
}

TEST(ProgramTest, Arguments) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  auto start = [](std::vector<char const *> words) {
    words.insert(words.begin(), "program");
    op_init(static_cast<int>(words.size()), const_cast<char **>(words.data()),
            0);
  };
  start({"OP_PART_SIZE=77", "x=OP_BLOCK_SIZE=128", "OP_NO_REALLOC", "mesh.dat",
         "OP_MAPS_BASE_INDEX=1", "OP_CACHE_LINE_SIZE=64"});
  EXPECT_EQ(OP_part_size, 77);
  EXPECT_EQ(OP_block_size, 128);
  EXPECT_EQ(OP_realloc, 0);
  EXPECT_EQ(OP_maps_base_index, 1);
  EXPECT_EQ(OP_cache_line_size, 64);
  op_exit();
  start({});
  EXPECT_EQ(OP_part_size, 0);
  EXPECT_EQ(OP_realloc, 1);
  op_exit();
  for (char const *bad :
       {"OP_PART_SIZE=", "OP_PART_SIZE=12x", "OP_PART_SIZE=-1",
        "OP_PART_SIZE= 5", "OP_PART_SIZE=99999999999", "OP_BLOCK_SIZE=0",
        "OP_MAPS_BASE_INDEX=2"})
    EXPECT_EXIT(start({bad}), diesWith1(), "expected a whole number") << bad;
}

TEST(ProgramTest, Targets) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  uint32_t seq = 1u << OP2RT_TARGET_SEQ, omp = 1u << OP2RT_TARGET_OPENMP,
           cuda = 1u << OP2RT_TARGET_CUDA;
  // Whatever this machine has.
  setenv("OP2_CUDA_DRIVER", "/nowhere", 1);
  Environment notStrict("OP2_STRICT", "0");
  auto select = [](char const *target, uint32_t mask) {
    target ? setenv("OP2_TARGET", target, 1) : unsetenv("OP2_TARGET");
    op_init(0, nullptr, 0);
    int chosen = op2rt_select_target(mask, "res_calc");
    op_exit();
    return chosen;
  };
  EXPECT_EQ(select(nullptr, seq | omp | cuda), OP2RT_TARGET_OPENMP);
  EXPECT_EQ(select(nullptr, seq | cuda), OP2RT_TARGET_SEQ);
  EXPECT_EQ(select("seq", seq | omp), OP2RT_TARGET_SEQ);
  EXPECT_EXIT(select("gpu", omp), diesWith1(),
              "OP2_TARGET=gpu: expected one of seq, openmp, cuda, emulator");
  EXPECT_EXIT(select("cuda", seq | omp), diesWith1(),
              "loop res_calc: OP2_TARGET=cuda, but the loop was compiled for "
              "seq, openmp");
  unsetenv("OP2_TARGET");
  // What a program was compiled for, and does not get.
  auto strictly = [&](uint32_t mask) {
    setenv("OP2_STRICT", "1", 1);
    return select(nullptr, mask);
  };
  EXPECT_EXIT(strictly(omp | cuda), diesWith1(),
              "op2 error: loop res_calc: runs on openmp instead of cuda: the "
              "CUDA driver was not found .*; OP2_STRICT=1 makes that an error");
  EXPECT_EQ(strictly(seq | omp), OP2RT_TARGET_OPENMP);
  unsetenv("OP2_CUDA_DRIVER");
}

} // namespace

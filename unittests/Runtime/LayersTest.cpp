//===- LayersTest.cpp - Layers, and loops over them -----------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Helpers.h"
#include "op_seq.h"

#include <cstring>
#include <vector>

using namespace op2::test;

namespace {

class LayersTest : public ProgramTest {
protected:
  void SetUp() override {
    ProgramTest::SetUp();
    cells = op_decl_set(2, "cells");
    nodes = op_decl_set(3, "nodes");
    int const table[] = {0, 1, 1, 2};
    pcell = op_decl_map(cells, nodes, 2, table, "pcell");
  }
  static op_dat declare(op_set set, int levels, char const *name) {
    return op_decl_dat_layers(set, levels, 1, "double",
                              static_cast<double *>(nullptr), name);
  }
  static std::vector<double> fetch(op_dat dat) {
    std::vector<double> values(std::size_t(dat->set->size * dat->dim));
    op_fetch_data(dat, values.data());
    return values;
  }

  op_set cells, nodes;
  op_map pcell;
};

void ends(double (*r)[2], int const *number) {
  for (int i = 0; i < 2; ++i) {
    r[i][0] += 1;
    r[i][1] = 10 + *number;
  }
}

TEST_F(LayersTest, EachLayerOfEachColumn) {
  int const ranges[] = {0, 2, 1, 3};
  op_layers layers = op_decl_layers_varying(cells, ranges, "layers");
  EXPECT_EQ(layers->set, cells);
  EXPECT_EQ(layers->last, 3);
  EXPECT_STREQ(layers->name, "layers");
  op_dat r = declare(nodes, 4, "r");
  EXPECT_EQ(r->dim, 4);
  op_par_loop(ends, "ends", layers,
              op_arg_dat_layers(r, -2, pcell, 0, 2, 1, "double", OP_INC),
              op_arg_idx(-1, OP_ID));
  EXPECT_EQ(fetch(r),
            (std::vector<double>{1, 11, 10, 0, 1, 12, 22, 11, 0, 1, 12, 11}));
}

TEST_F(LayersTest, NoLayersReachNothing) {
  int const ranges[] = {9, 9, 0, 0};
  op_layers layers = op_decl_layers_varying(cells, ranges, "layers");
  op_dat r = declare(nodes, 1, "r");
  op_par_loop(ends, "ends", layers,
              op_arg_dat_layers(r, -2, pcell, 0, 2, 1, "double", OP_INC),
              op_arg_idx(-1, OP_ID));
  EXPECT_EQ(fetch(r), (std::vector<double>{0, 0, 0}));
  op_set none = op_decl_set(0, "none");
  EXPECT_EQ(op_decl_layers_varying(none, nullptr, "of none")->last, 0);
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST_F(LayersTest, BadRanges) {
  int const backwards[] = {0, 2, 3, 1}, below[] = {-1, 2, 0, 1};
  op_layers good = op_decl_layers(cells, 0, 2, "good");
  EXPECT_EXIT(op_free_dat_temp(good->ranges), diesWith1(),
              "op_free_dat_temp good of cells: a matrix or layers have it; "
              "expected a dat that the program has declared");
  EXPECT_EXIT(op_decl_layers(cells, 3, 2, "layers"), diesWith1(),
              "op2 error: op_decl_layers layers: layers from 3 to, excluded, "
              "2; expected 0 <= first <= last");
  EXPECT_EXIT(op_decl_layers(cells, -1, 2, "layers"), diesWith1(),
              "layers from -1 to, excluded, 2; expected");
  EXPECT_EXIT(op_decl_layers_varying(cells, backwards, "layers"), diesWith1(),
              "op2 error: op_decl_layers_varying layers: column 1 has layers "
              "from 3 to, excluded, 1; expected 0 <= first <= last");
  EXPECT_EXIT(op_decl_layers_varying(cells, below, "layers"), diesWith1(),
              "column 0 has layers from -1 to");
  EXPECT_EXIT(op_decl_layers_varying(cells, nullptr, "layers"), diesWith1(),
              "the pointer to the ranges of 2 columns is NULL");
  EXPECT_EXIT(op_decl_layers(nullptr, 0, 1, "layers"), diesWith1(),
              "op2 error: op_decl_layers layers: the set is NULL");
}

TEST_F(LayersTest, BadDats) {
  EXPECT_EXIT(declare(nodes, 0, "r"), diesWith1(),
              "op2 error: op_decl_dat_layers r: 0 levels of 1 values; expected "
              "at least 1 of each");
  EXPECT_EXIT(op_decl_dat_layers(nodes, 1 << 20, 1 << 20, "double",
                                 static_cast<double *>(nullptr), "r"),
              diesWith1(), "fewer than 2\\^31 values");
  EXPECT_EXIT(op_decl_dat_layers(nodes, 2, 1, "float",
                                 static_cast<double *>(nullptr), "r"),
              diesWith1(), "op2 error: op_decl_dat_layers");
}

void one(double *x) { *x = 1; }
void table(double **x) { x[0][0] = 1; }

struct Pair {
  double a, b;
};
int type_error(Pair const *, char const *type) {
  return std::strcmp(type, "pair");
}
void addPair(Pair *x) { x->a += 1; }

TEST_F(LayersTest, NoSumsOfTheProgramsTypes) {
  op_layers layers = op_decl_layers(cells, 0, 2, "layers");
  op_dat p = op_decl_dat_layers(cells, 2, 1, "pair",
                                static_cast<Pair *>(nullptr), "p");
  EXPECT_EXIT(
      op_par_loop(addPair, "add", layers,
                  op_arg_dat_layers(p, -1, OP_ID, 0, 1, 1, "pair", OP_INC)),
      diesWith1(),
      "op2 error: loop add, argument 0: nobody knows how to add values of type "
      "\"pair\"");
  op_par_loop(addPair, "change", layers,
              op_arg_dat_layers(p, -1, OP_ID, 0, 1, 1, "pair", OP_RW));
  Pair values[4];
  op_fetch_data(p, values);
  EXPECT_EQ(values[3].a, 1);
}

TEST_F(LayersTest, BadLevels) {
  op_layers layers = op_decl_layers(cells, 0, 4, "layers");
  op_dat r = declare(nodes, 4, "r");
  auto run = [&](auto kernel, int idx, int level, int levels, int dim) {
    op_par_loop(
        kernel, "run", layers,
        op_arg_dat_layers(r, idx, pcell, level, levels, dim, "double", OP_RW));
  };
  EXPECT_EXIT(
      run(one, 0, 0, 2, 1), diesWith1(),
      "op2 error: loop run, argument 0: layers layers reach level 4, "
      "but dat r has levels 0\\.\\.3 \\(rows of 4 values, 1 a level\\)");
  EXPECT_EXIT(run(one, 0, 1, 1, 1), diesWith1(), "reach level 4");
  EXPECT_EXIT(run(one, 0, 0, 1, 3), diesWith1(),
              "op2 error: loop run, argument 0: dat r has rows of 4 values, "
              "which are no levels of 3");
  EXPECT_EXIT(run(one, 0, -1, 1, 1), diesWith1(),
              "op2 error: op_arg_dat_layers: 1 levels from -1 on; expected at "
              "least 1");
  EXPECT_EXIT(run(one, 0, 0, 0, 1), diesWith1(), "0 levels from 0 on");
  EXPECT_EXIT(run(table, 0, 0, 1, 1), diesWith1(),
              "the kernel's parameter is T \\*\\*, but the argument is one "
              "element");
}

TEST_F(LayersTest, BadLoops) {
  op_layers layers = op_decl_layers(cells, 0, 3, "layers");
  op_dat r = declare(nodes, 4, "r"), q = declare(cells, 2, "q");
  EXPECT_EXIT(
      op_par_loop(one, "set", nodes,
                  op_arg_dat_layers(r, -1, OP_ID, 0, 1, 1, "double", OP_RW)),
      diesWith1(),
      "op2 error: loop set, argument 0: it was made by "
      "op_arg_dat_layers, but the loop runs over a set; expected a "
      "loop over op_layers");
  // A dat without levels has one.
  EXPECT_EXIT(
      op_par_loop(one, "flat", layers,
                  op_arg_dat_layers(q, -1, OP_ID, 0, 1, 2, "double", OP_RW)),
      diesWith1(),
      "layers layers reach level 2, but dat q has "
      "levels 0\\.\\.0 \\(rows of 2 values, 2 a level\\)");
  EXPECT_EXIT(
      op_par_loop(one, "null", static_cast<op_layers>(nullptr),
                  op_arg_dat_layers(r, 0, pcell, 0, 1, 1, "double", OP_RW)),
      diesWith1(), "op2 error: loop null: the op_layers is NULL");
  EXPECT_EXIT(op_par_loop(one, "dat", layers,
                          op_arg_dat_layers(nullptr, 0, pcell, 0, 1, 1,
                                            "double", OP_RW)),
              diesWith1(), "op2 error: loop dat, argument 0: the dat is NULL");
  EXPECT_EXIT(
      op_par_loop(one, "direct", layers,
                  op_arg_dat_layers(r, -1, OP_ID, 0, 1, 1, "double", OP_RW)),
      diesWith1(), "dat r lives on set nodes");
  EXPECT_EXIT(
      op_par_loop(ends, "rows", layers,
                  op_arg_dat_layers(r, -2, pcell, 0, 1, 1, "double", OP_INC),
                  op_arg_idx(-1, OP_ID)),
      diesWith1(),
      "op2 error: loop rows, argument 0: the kernel takes rows of 2 values, "
      "but they have 1");
}

TEST(LayersAfterExit, AreNotAlive) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  op_init(0, nullptr, 0);
  op_layers layers = op_decl_layers(op_decl_set(1, "cells"), 0, 1, "layers");
  op_exit();
  EXPECT_EXIT(op_par_loop(one, "late", layers,
                          op_arg_dat(nullptr, -1, OP_ID, 1, "double", OP_RW)),
              diesWith1(),
              "op2 error: loop late: .* is not a living op_layers");
}

} // namespace

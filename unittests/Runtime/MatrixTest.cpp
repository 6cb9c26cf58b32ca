//===- MatrixTest.cpp - Sparsities and matrices ---------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Helpers.h"
#include "Matrix/Sparsity.h"
#include "Solve/Solver.h"
#include "op_seq.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>

using namespace op2::rt;
using namespace op2::test;

namespace {

std::vector<int32_t> randomTable(int64_t size, int arity, int targets,
                                 unsigned seed) {
  std::mt19937 random(seed);
  std::vector<int32_t> values(std::size_t(size * arity));
  for (int32_t &value : values)
    value = int32_t(random() % unsigned(targets));
  return values;
}

/// Places lead back to rows, components and columns.
void expectPlaces(Pattern const &pattern, TablePair const &pair, Slots rows,
                  Slots cols, int rowdim, std::vector<int32_t> const &places) {
  int32_t const *place = places.data();
  for (int64_t e = 0; e < pair.rows.size; ++e)
    for (int i = 0; i < rows.count; ++i)
      for (int a = 0; a < rowdim; ++a)
        for (int j = 0; j < cols.count; ++j) {
          int32_t row = pair.rows.values[e * pair.rows.arity + rows.first + i];
          int64_t begin = pattern.rowBegin[std::size_t(row)];
          int64_t length = pattern.rowBegin[std::size_t(row) + 1] - begin;
          int64_t k = *place++ - begin * rowdim - a * length;
          ASSERT_TRUE(k >= 0 && k < length);
          EXPECT_EQ(pattern.columns[std::size_t(begin + k)],
                    pair.cols.values[e * pair.cols.arity + cols.first + j]);
        }
}

// Repeated nodes, rows without columns, rows longer than what is sorted by
// insertion; several pairs.
TEST(SparsityTest, AgreesWithSets) {
  for (int arity : {1, 3, 40}) {
    constexpr int64_t kElements = 60;
    constexpr int kRows = 37, kCols = 91;
    std::vector<int32_t> rows = randomTable(kElements, arity, kRows, 1);
    std::vector<int32_t> cols = randomTable(kElements, arity + 1, kCols, 2);
    std::vector<int32_t> more = randomTable(5, 2, kRows, 3);
    std::vector<int32_t> other = randomTable(5, 1, kCols, 4);
    std::vector<TablePair> pairs = {
        {{rows.data(), kElements, arity}, {cols.data(), kElements, arity + 1}},
        {{more.data(), 5, 2}, {other.data(), 5, 1}}};
    Pattern pattern = buildPattern(pairs, kRows, kCols);
    std::map<int32_t, std::set<int32_t>> expected;
    for (TablePair const &pair : pairs)
      for (int64_t e = 0; e < pair.rows.size; ++e)
        for (int i = 0; i < pair.rows.arity; ++i)
          for (int j = 0; j < pair.cols.arity; ++j)
            expected[pair.rows.values[e * pair.rows.arity + i]].insert(
                pair.cols.values[e * pair.cols.arity + j]);
    ASSERT_EQ(pattern.rowBegin.size(), std::size_t(kRows) + 1);
    for (int32_t row = 0; row < kRows; ++row)
      EXPECT_EQ(
          std::vector<int32_t>(pattern.columns.begin() + pattern.rowBegin[row],
                               pattern.columns.begin() +
                                   pattern.rowBegin[row + 1]),
          std::vector<int32_t>(expected[row].begin(), expected[row].end()));
    constexpr int kRowdim = 2;
    Slots rowSlots{arity - 1, 1}, colSlots{1, arity};
    std::vector<int32_t> places(std::size_t(kElements) * kRowdim *
                                std::size_t(arity));
    findPlaces(pattern, pairs[0], rowSlots, colSlots, kRowdim, places.data());
    expectPlaces(pattern, pairs[0], rowSlots, colSlots, kRowdim, places);
  }
}

// Arities that have code of their own, and one that has not.
TEST(SparsityTest, AllSlotsFromTheTransposedTable) {
  for (int arity : {3, 4, 5}) {
    constexpr int64_t kElements = 500;
    constexpr int kRows = 70;
    std::vector<int32_t> table = randomTable(kElements, arity, kRows, 5);
    TablePair pair{{table.data(), kElements, arity},
                   {table.data(), kElements, arity}};
    Pattern pattern = buildPattern({pair}, kRows, kRows);
    for (int rowdim : {1, 3}) {
      std::vector<int32_t> places(table.size() * std::size_t(rowdim * arity));
      findPlaces(pattern, pattern.transposed[0], pair, {0, arity}, {0, arity},
                 rowdim, places.data());
      expectPlaces(pattern, pair, {0, arity}, {0, arity}, rowdim, places);
    }
  }
}

// Slots are numbered by 32 bits; nobody reads so large a table here.
TEST(SparsityTest, TooManySlots) {
  Table table{nullptr, int64_t(1) << 31, 3};
  EXPECT_EXIT((void)buildPattern({{table, table}}, 4, 4), diesWith1(),
              "a sparsity of a map with 6442450944 slots; expected at most "
              "4294967295");
}

TEST(SparsityTest, EmptySets) {
  Pattern pattern = buildPattern({{{nullptr, 0, 3}, {nullptr, 0, 2}}}, 4, 0);
  EXPECT_EQ(pattern.rowBegin, std::vector<int64_t>(5, 0));
  findPlaces(pattern, {{nullptr, 0, 3}, {nullptr, 0, 2}}, {0, 3}, {0, 2}, 1,
             nullptr);
}

void tensor(double (*A)[2]) {
  A[0][0] = A[1][1] = 2;
  A[0][1] = A[1][0] = -1;
}
void firstRow(double *A) {
  A[0] = 10;
  A[1] = 1;
}
void threes(double (*A)[3]) { A[0][0] = 1; }
void threesOfDat(double (*x)[3]) { x[0][0] = 1; }

class MatrixTest : public ProgramTest {
protected:
  void SetUp() override {
    ProgramTest::SetUp();
    cells = op_decl_set(3, "cells");
    nodes = op_decl_set(4, "nodes");
    int const table[] = {0, 1, 1, 2, 2, 3};
    pcell = op_decl_map(cells, nodes, 2, table, "pcell");
    int const one[] = {3, 2, 1};
    last = op_decl_map(cells, nodes, 1, one, "last");
    sparsity = op_decl_sparsity(pcell, pcell, "lines");
    mat = op_decl_mat(sparsity, 1, 1, "double", "A");
  }
  static std::vector<double> csr(op_mat of, std::vector<long long> &begin,
                                 std::vector<int> &columns) {
    int rows;
    long long size;
    op_mat_get_size(of, &rows, nullptr, &size);
    begin.resize(std::size_t(rows) + 1);
    columns.resize(std::size_t(size));
    std::vector<double> values(columns.size());
    op_mat_get_csr(of, begin.data(), columns.data(), values.data());
    return values;
  }
  op_arg arg(int rowidx, op_map rows, int colidx, op_map cols, int rowdim = 1,
             char const *type = "double", op_access access = OP_INC) {
    return op_arg_mat(mat, rowidx, rows, colidx, cols, rowdim, 1, type, access);
  }

  op_set cells, nodes;
  op_map pcell, last;
  op_sparsity sparsity;
  op_mat mat;
};

TEST_F(MatrixTest, AssembledInTheApplicationsOrder) {
  for (int step = 0; step < 2; ++step)
    op_par_loop(tensor, "tensor", cells, arg(-2, pcell, -2, pcell));
  std::vector<long long> begin;
  std::vector<int> columns;
  EXPECT_EQ(csr(mat, begin, columns),
            (std::vector<double>{4, -2, -2, 8, -2, -2, 8, -2, -2, 4}));
  EXPECT_EQ(begin, (std::vector<long long>{0, 2, 5, 8, 10}));
  EXPECT_EQ(columns, (std::vector<int>{0, 1, 0, 1, 2, 1, 2, 3, 2, 3}));
  // Its sets may be renumbered afterwards.
  op_renumber(pcell);
  op_par_loop(tensor, "tensor", cells, arg(-2, pcell, -2, pcell));
  EXPECT_EQ(csr(mat, begin, columns)[3], 12);
  EXPECT_EQ(op_mat_rows(mat)->from, op_mat_entries(mat));
  // Also before a loop finds its places; so may the entries.
  op_par_loop(firstRow, "first", cells, arg(0, pcell, -2, pcell));
  EXPECT_EQ(csr(mat, begin, columns),
            (std::vector<double>{16, -2, -3, 22, -2, -3, 22, -2, -3, 6}));
  int const keys[] = {9, 3, 4, 0, 1, 2, 8, 5, 6, 7};
  op_set entries = op_mat_entries(mat);
  op_renumber_by(entries, op_decl_dat(entries, 1, "int", keys, "key"));
  op_par_loop(firstRow, "second", cells, arg(1, pcell, -2, pcell));
  EXPECT_EQ(csr(mat, begin, columns),
            (std::vector<double>{16, -2, 7, 23, -2, 7, 23, -2, 7, 7}));
  EXPECT_EQ(op_mat_cols(mat)->to, nodes);
}

// The rows of a tensor are as long as over the whole set.
TEST_F(MatrixTest, OverASubset) {
  int const one[] = {1};
  op_subset middle = op_decl_subset(cells, 1, one, "middle");
  op_par_loop(tensor, "tensor", middle, arg(-2, pcell, -2, pcell));
  std::vector<long long> begin;
  std::vector<int> columns;
  EXPECT_EQ(csr(mat, begin, columns),
            (std::vector<double>{0, 0, 0, 2, -1, -1, 2, 0, 0, 0}));
}

// Without elements a map needs no table.
TEST_F(MatrixTest, WithoutElements) {
  op_set none = op_decl_set(0, "none");
  op_map map = op_decl_map(none, nodes, 2, nullptr, "map");
  mat = op_decl_mat(op_decl_sparsity(map, map, "empty"), 1, 1, "double", "E");
  op_par_loop(tensor, "tensor", none, arg(-2, map, -2, map));
  long long size = -1;
  op_mat_get_size(mat, nullptr, nullptr, &size);
  EXPECT_EQ(size, 0);
}

TEST_F(MatrixTest, SeveralPairs) {
  op_map const rows[] = {pcell, last}, cols[] = {last, last};
  op_mat both = op_decl_mat(op_decl_sparsity(2, rows, cols, "both"), 1, 1,
                            "double", "both");
  long long size;
  op_mat_get_size(both, nullptr, nullptr, &size);
  // (0,3) (1,3) (1,2) (2,2) (2,1) (3,1), (3,3) (1,1)
  EXPECT_EQ(size, 8);
}

TEST_F(MatrixTest, WrongDeclarations) {
  op_map none = nullptr;
  EXPECT_EXIT(op_decl_sparsity(none, pcell, "s"), diesWith1(), "rows");
  op_set many = op_decl_set(1 << 30, "many");
  int const targets[] = {0, 1, 2};
  op_map far = op_decl_map(cells, many, 1, targets, "far");
  op_sparsity wide = op_decl_sparsity(pcell, far, "wide");
  EXPECT_EXIT(op_decl_mat(wide, 1, 2, "double", "A"), diesWith1(),
              "op_decl_mat A: 1073741824 elements of set many have 2 unknowns "
              "each; expected at most 2147483647 together");
  EXPECT_EXIT(
      op_decl_sparsity_union(0, &pcell, &pcell, "s"), diesWith1(),
      "op_decl_sparsity s: 0 pairs of maps given; expected at least one");
  op_map self =
      op_decl_map(nodes, nodes, 1, std::vector<int>{0, 1, 2, 3}.data(), "self");
  EXPECT_EXIT(op_decl_sparsity(pcell, self, "s"), diesWith1(),
              "map pcell leaves set cells, and map self leaves set nodes; "
              "expected one set");
  op_map in =
      op_decl_map(cells, cells, 1, std::vector<int>{0, 1, 2}.data(), "in");
  op_map const rows[] = {pcell, in}, cols[] = {pcell, pcell};
  EXPECT_EXIT(op_decl_sparsity(2, rows, cols, "s"), diesWith1(),
              "lead to sets cells and nodes; expected nodes and nodes, as "
              "those of the first pair");
  EXPECT_EXIT(op_decl_mat(nullptr, 1, 1, "double", "M"), diesWith1(),
              "op_decl_mat M: the sparsity is NULL");
  EXPECT_EXIT(op_decl_mat(sparsity, 0, 1, "double", "M"), diesWith1(),
              "blocks are 0 x 1; expected at least 1 x 1");
  EXPECT_EXIT(op_decl_mat(sparsity, 1, 1, "int", "M"), diesWith1(),
              "type is \"int\"; expected double or float");
}

void oneOfEach(double (*x)[1]) {
  for (int i = 0; i < 4; ++i)
    x[i][0] += i;
}
void readOne(double const *x, double *sum) { *sum += *x + 1; }

// Through places to other dats, and to one entry: no tensors.
TEST_F(MatrixTest, PlacesOfOtherDats) {
  op_map places = op_mat_places(mat, pcell, pcell);
  op_dat d = op_decl_dat(op_mat_entries(mat), 1, "double",
                         static_cast<double *>(nullptr), "d");
  op_par_loop(oneOfEach, "oneOfEach", cells,
              op_arg_dat(d, -4, places, 1, "double", OP_INC));
  std::vector<double> values(std::size_t(d->set->size));
  op_fetch_data(d, values.data());
  EXPECT_EQ(std::accumulate(values.begin(), values.end(), 0.0),
            6.0 * cells->size);
  op_dat t = op_decl_dat_layers(cells, 2, 1, "double",
                                static_cast<double *>(nullptr), "t");
  op_par_loop(readOne, "readOne", op_decl_layers(cells, 0, 2, "layers"),
              op_arg_dat(op_mat_values(mat), 1, places, 1, "double", OP_READ),
              op_arg_dat_layers(t, -1, OP_ID, 0, 1, 1, "double", OP_RW));
  std::vector<double> sums(std::size_t(cells->size) * 2);
  op_fetch_data(t, sums.data());
  EXPECT_EQ(sums, std::vector<double>(sums.size(), 1));
}

TEST_F(MatrixTest, WrongArguments) {
  EXPECT_EXIT(op_mat_values(nullptr), diesWith1(), "the matrix is NULL");
  op_mat foreign = reinterpret_cast<op_mat>(this);
  EXPECT_EXIT(op_mat_values(foreign), diesWith1(),
              "not alive: it was never declared, or before op_exit");
  EXPECT_EXIT(arg(-2, last, -2, last), diesWith1(),
              "maps last and last are no pair of sparsity lines");
  EXPECT_EXIT(arg(-3, pcell, -2, pcell), diesWith1(),
              "the row index is -3; expected a slot 0..1 of map pcell");
  EXPECT_EXIT(arg(-2, pcell, 2, pcell), diesWith1(),
              "the column index is 2; expected a slot");
  EXPECT_EXIT(arg(0, pcell, 1, pcell), diesWith1(),
              "mean one entry of an element; expected -2 or less for one");
  EXPECT_EXIT(arg(-2, pcell, -2, pcell, 2), diesWith1(),
              "blocks are 2 x 1, but those of the matrix are 1 x 1");
  EXPECT_EXIT(arg(-2, pcell, -2, pcell, 1, "double", OP_MIN), diesWith1(),
              "the access is OP_MIN; expected OP_READ, OP_WRITE, OP_RW or");
  EXPECT_EXIT(op_par_loop(threes, "threes", cells, arg(-2, pcell, -2, pcell)),
              diesWith1(),
              "the kernel takes rows of 3 values, but they have 2");
  op_dat x =
      op_decl_dat(nodes, 2, "double", static_cast<double *>(nullptr), "x");
  EXPECT_EXIT(op_par_loop(threesOfDat, "threes", cells,
                          op_arg_dat(x, -2, pcell, 2, "double", OP_RW)),
              diesWith1(),
              "the kernel takes rows of 3 values, but they have 2");
}

TEST_F(MatrixTest, WhatIsNotThere) {
  op_map later = op_decl_map(cells, nodes, 1, nullptr, "later");
  op_mat early =
      op_decl_mat(op_decl_sparsity(later, later, "s"), 1, 1, "double", "early");
  EXPECT_EXIT(op_mat_entries(early), diesWith1(),
              "matrix early: map later has no table yet");
  (void)op_mat_entries(mat);
  op_renumber(pcell);
  op_mat blocks = op_decl_mat(sparsity, 2, 5, "double", "blocks");
  EXPECT_EXIT((op_mat_zero<float, 1>(mat)), diesWith1(),
              "op_mat_zero A: blocks have 1 columns of type double; compiled "
              "for 1 of type float");
  EXPECT_EXIT(op_mat_zero(blocks), diesWith1(),
              "blocks are 2 x 5; expected at most 4 columns; write a loop over "
              "op_mat_entries");
  op_map in =
      op_decl_map(cells, cells, 1, std::vector<int>{0, 1, 2}.data(), "in");
  op_mat wide =
      op_decl_mat(op_decl_sparsity(in, pcell, "wide"), 1, 1, "double", "wide");
  EXPECT_EXIT(op_mat_zero_rows(wide, nullptr, 1.0), diesWith1(),
              "rows stand for 1 unknowns on set cells, columns for 1 on set "
              "nodes; expected a square matrix");
  EXPECT_EXIT(op_print_mat_to_mtxfile(mat, "/nowhere/a.mtx"), diesWith1(),
              "op_print_mat_to_mtxfile A: cannot write \"/nowhere/a.mtx\"");
}

TEST_F(MatrixTest, TooManyPlacesOfAnElement) {
  op_set none = op_decl_set(0, "none");
  op_map empty =
      op_decl_map(none, nodes, 3, static_cast<int *>(nullptr), "empty");
  op_mat large = op_decl_mat(op_decl_sparsity(empty, empty, "of none"),
                             500000000, 1, "double", "large");
  EXPECT_EXIT(op_mat_places(large, empty, empty), diesWith1(),
              "an element reaches 4500000000 entries of matrix large; expected "
              "at most 2147483647: take some slots at a time");
}

TEST_F(MatrixTest, EntriesKnowTheirRows) {
  op_mat blocks = op_decl_mat(sparsity, 2, 2, "double", "blocks");
  op_renumber(pcell);
  std::vector<int> values(std::size_t(op_mat_entries(blocks)->size));
  op_fetch_data(op_mat_components(blocks), values.data());
  EXPECT_EQ(values, (std::vector<int>{0, 0, 1, 1, 0, 0, 0, 1, 1, 1,
                                      0, 0, 0, 1, 1, 1, 0, 0, 1, 1}));
  op_fetch_data(op_mat_diagonals(blocks), values.data());
  EXPECT_EQ(values, (std::vector<int>{1, 0, 1, 0, 0, 1, 0, 0, 1, 0,
                                      0, 1, 0, 0, 1, 0, 0, 1, 0, 1}));
}

TEST_F(MatrixTest, NumbersAreItsOwnWithoutReallocation) {
  op_mat blocks = op_decl_mat(sparsity, 2, 2, "double", "blocks");
  OP_realloc = 0;
  op_dat components = op_mat_components(blocks);
  op_dat diagonals = op_mat_diagonals(blocks);
  OP_realloc = 1;
  EXPECT_EQ(components->user_managed, 0);
  EXPECT_EQ(diagonals->user_managed, 0);
  std::vector<int> values(std::size_t(components->set->size));
  op_fetch_data(components, values.data());
  EXPECT_EQ(values, (std::vector<int>{0, 0, 1, 1, 0, 0, 0, 1, 1, 1,
                                      0, 0, 0, 1, 1, 1, 0, 0, 1, 1}));
}

TEST_F(MatrixTest, RowsWithoutDiagonal) {
  op_mat aside =
      op_decl_mat(op_decl_sparsity(last, pcell, "aside"), 1, 1, "double", "M");
  std::vector<int> some(4, 1);
  op_dat flags = op_decl_dat(nodes, 1, "int", some.data(), "flags");
  EXPECT_EXIT(op_mat_zero_rows(aside, flags, 1.0), diesWith1(),
              "op_mat_zero_rows M: row 1 of sparsity aside has entries, but "
              "none on the diagonal; expected elements that meet themselves");
  // Zeros need none, nor a square.
  op_par_loop(
      +[](double *value) { *value = 3; }, "fill", op_mat_entries(aside),
      op_arg_dat(op_mat_values(aside), -1, OP_ID, 1, "double", OP_WRITE));
  std::vector<int> first(4);
  first[std::size_t(1)] = 1;
  op_mat_zero_rows(aside, op_decl_dat(nodes, 1, "int", first.data(), "first"),
                   0.0);
  long long size = 0;
  op_mat_get_size(aside, nullptr, nullptr, &size);
  std::vector<long long> begin(5);
  std::vector<double> values(static_cast<std::size_t>(size));
  op_mat_get_csr(aside, begin.data(), nullptr, values.data());
  for (long long at = 0; at < size; ++at)
    EXPECT_EQ(values[std::size_t(at)], begin[1] <= at && at < begin[2] ? 0 : 3);
  op_mat wide = op_decl_mat(
      op_decl_sparsity(
          op_decl_map(cells, cells, 1, std::vector<int>{0, 1, 2}.data(), "in"),
          pcell, "wide"),
      1, 1, "double", "wide");
  op_mat_zero_rows(wide, op_decl_dat(cells, 1, "int", some.data(), "all"), 0.0);
}

class SolveTest : public MatrixTest {
protected:
  void SetUp() override {
    MatrixTest::SetUp();
    double *none = nullptr;
    b = op_decl_dat(nodes, 1, "double", none, "b");
    x = op_decl_dat(nodes, 1, "double", none, "x");
  }
  op_dat b, x;
};

TEST_F(SolveTest, WrongOptions) {
  auto solve = [&](char const *options) { op_solve(mat, b, x, options); };
  EXPECT_EXIT(solve("-ksp_type gmres"), diesWith1(),
              "op_solve A: -ksp_type is \"gmres\"; expected one of cg, bcgs, "
              "preonly \\(others: op_petsc_solve\\)");
  EXPECT_EXIT(solve("-pc_type"), diesWith1(), "-pc_type is \"\"; expected one");
  EXPECT_EXIT(solve("-ksp_rtol 1e-5x"), diesWith1(),
              "-ksp_rtol is \"1e-5x\"; expected a number from 1e-300 to 1");
  EXPECT_EXIT(solve("-ksp_max_it 0"), diesWith1(), "expected a number from 1");
  EXPECT_EXIT(solve("-ksp_max_it 2.5"), diesWith1(),
              "-ksp_max_it is \"2.5\"; expected a whole number");
  EXPECT_EXIT(solve("-ksp_view"), diesWith1(),
              "unknown option \"-ksp_view\"; expected -ksp_type, -pc_type, "
              "-ksp_rtol or -ksp_max_it");
  EXPECT_EXIT(solve("-ksp_type cg -pc_type lu"), diesWith1(),
              "\"-ksp_type cg -pc_type lu\" does not go together; expected cg "
              "with none, jacobi or icc");
}

TEST_F(SolveTest, ProductsInPlace) {
  op_dat same = op_decl_dat_overlay(nodes, x);
  auto multiply = [&](op_dat from, op_dat to) {
    op_mat_mult<double, 1>(mat, from, to);
  };
  EXPECT_EXIT(multiply(x, x), diesWith1(),
              "op_mat_mult A: x and y are one: dats x and x; expected two");
  EXPECT_EXIT(multiply(x, same), diesWith1(), "A: x and y are one: dats x and");
  EXPECT_EXIT(multiply(x, nullptr), diesWith1(), "op_mat_mult A, y: the dat");
}

TEST_F(SolveTest, WrongArguments) {
  EXPECT_EXIT(requireCountable(int64_t(1) << 31, "op_solve A"), diesWith1(),
              "op_solve A: the matrix has 2147483648 values; libraries take at "
              "most 2147483647");
  EXPECT_EXIT(op_solve(mat, b, nullptr), diesWith1(), "op_solve A, x");
  EXPECT_EXIT(op_solve(mat, b, b), diesWith1(),
              "op_solve A: b and x are one: dats b and b; expected two");
  op_dat wide =
      op_decl_dat(nodes, 2, "double", static_cast<double *>(nullptr), "wide");
  EXPECT_EXIT(op_solve(mat, wide, x), diesWith1(),
              "op_solve A, b: dat wide has 2 values of type double on set "
              "nodes; expected 1 of type double on set nodes, as the matrix");
  op_mat oblong = op_decl_mat(sparsity, 1, 2, "double", "oblong");
  EXPECT_EXIT(
      op_solve(oblong, b, x), diesWith1(),
      "op_solve oblong: rows stand for 1 unknowns on set nodes, columns "
      "for 2 on set nodes; expected a square matrix");
}

} // namespace

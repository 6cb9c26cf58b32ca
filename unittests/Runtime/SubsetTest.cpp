//===- SubsetTest.cpp - Subsets, composed maps, shapes of maps ------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Core/MapShape.h"
#include "Helpers.h"
#include "Renumber/Orders.h"
#include "Renumber/Renumber.h"
#include "op_seq.h"

#include <climits>
#include <numeric>

using namespace op2::rt;
using namespace op2::test;

namespace {

class SubsetTest : public ProgramTest {
protected:
  void SetUp() override {
    ProgramTest::SetUp();
    cells = op_decl_set(6, "cells");
    nodes = op_decl_set(7, "nodes");
    int const table[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6};
    pcell = op_decl_map(cells, nodes, 2, table, "pcell");
  }
  static std::vector<int> tableOf(op_map map) {
    return {map->map, map->map + int64_t(map->from->size) * map->dim};
  }
  static op_dat zeros(op_set set, char const *name) {
    return op_decl_dat(set, 1, "double", static_cast<double *>(nullptr), name);
  }
  op_subset declare(std::vector<int> const &elements, char const *name) {
    return op_decl_subset(cells, static_cast<int>(elements.size()),
                          elements.data(), name);
  }

  op_set cells, nodes;
  op_map pcell;
};

TEST_F(SubsetTest, SortedAndEachOnce) {
  op_subset wall = declare({5, 1, 3, 1, 5}, "wall");
  EXPECT_EQ(wall->set->size, 3);
  EXPECT_STREQ(wall->set->name, "wall");
  EXPECT_EQ(wall->map->to, cells);
  EXPECT_EQ(tableOf(wall->map), (std::vector<int>{1, 3, 5}));
  EXPECT_EQ(declare({}, "none")->set->size, 0);
}

TEST_F(SubsetTest, WhereAFlagIsNotZero) {
  long long wide[] = {0, 1LL << 40, 0, -1, 0, 0};
  bool flags[] = {true, false, false, false, false, true};
  unsigned char bytes[] = {0, 0, 0, 0, 0, 0};
  op_dat a = op_decl_dat(cells, 1, "ll", wide, "a");
  op_dat b = op_decl_dat(cells, 1, "bool", flags, "b");
  op_dat c = op_decl_dat_char(cells, 1, "uchar", 1,
                              reinterpret_cast<char *>(bytes), "c");
  EXPECT_EQ(tableOf(op_decl_subset_where(cells, a, "wide")->map),
            (std::vector<int>{1, 3}));
  EXPECT_EQ(tableOf(op_decl_subset_where(cells, b, "ends")->map),
            (std::vector<int>{0, 5}));
  EXPECT_EQ(op_decl_subset_where(cells, c, "none")->set->size, 0);
}

void setTo(double *x, int const *n) { *x = *n; }
void flagOdd(int *flag, int const *n) { *flag = *n % 2; }

TEST_F(SubsetTest, WhereALoopHasSetAFlag) {
  op_dat flag =
      op_decl_dat(cells, 1, "int", static_cast<int *>(nullptr), "flag");
  op_par_loop(flagOdd, "flag", cells,
              op_arg_dat(flag, -1, OP_ID, 1, "int", OP_WRITE),
              op_arg_idx(-1, OP_ID));
  EXPECT_EQ(tableOf(op_decl_subset_where(cells, flag, "odd")->map),
            (std::vector<int>{1, 3, 5}));
}

TEST_F(SubsetTest, ApplicationsNumbersAfterRenumbering) {
  int far[] = {5, 0, 3, 6, 1, 4, 2, 5, 6, 1, 0, 3};
  op_map other = op_decl_map(cells, nodes, 2, far, "far");
  op_renumber(other);
  ASSERT_FALSE(static_cast<Set *>(cells)->toUser.empty());
  op_subset all = declare({0, 1, 2, 3, 4, 5}, "all");
  EXPECT_EQ(tableOf(all->map), identityOrder(6));
  double own[] = {0, 10, 20, 30, 40, 50}, again[6];
  op_dat values = op_decl_dat(all->set, 1, "double", own, "values");
  op_fetch_data(values, again);
  EXPECT_EQ(again[4], 40);
  EXPECT_EQ(reinterpret_cast<double *>(values->data)[0],
            10 * static_cast<Set *>(cells)->toUser[0]);
  op_subset wall = declare({4, 0}, "wall");
  op_dat x = zeros(cells, "x");
  op_par_loop(setTo, "set", wall,
              op_arg_dat(x, -1, OP_ID, 1, "double", OP_WRITE),
              op_arg_idx(-1, OP_ID));
  double found[6];
  op_fetch_data(x, found);
  EXPECT_EQ(std::vector<double>(found, found + 6),
            (std::vector<double>{0, 0, 0, 0, 4, 0}));
  op_map through = op_compose_map(other, wall->map);
  op_dat y = zeros(nodes, "y");
  op_par_loop(setTo, "set", wall,
              op_arg_dat(y, 0, other, 1, "double", OP_WRITE),
              op_arg_idx(-1, OP_ID));
  double targets[7];
  op_fetch_data(y, targets);
  EXPECT_EQ(targets[6], 4); // cell 4 reaches nodes 6, 1
  EXPECT_EQ(targets[5], 0); // cell 0 reaches nodes 5, 0
  EXPECT_EQ(through->dim, 2);
}

TEST_F(SubsetTest, NumbersFromOne) {
  OP_maps_base_index = 1;
  op_subset wall = declare({6, 1}, "wall");
  EXPECT_EQ(tableOf(wall->map), (std::vector<int>{0, 5}));
  EXPECT_EXIT(declare({2, 0}, "bad"), diesWith1(),
              "op2 error: op_decl_subset bad: element 1 is 0; expected 1..6 "
              "\\(set cells has 6 elements\\)");
  OP_maps_base_index = 0;
}

//===----------------------------------------------------------------------===//
// Freeing
//===----------------------------------------------------------------------===//

// Those declared later move up in the program's lists.
TEST_F(SubsetTest, FreeingLeavesNothing) {
  int setsBefore = OP_set_index, mapsBefore = OP_map_index;
  op_subset wall = declare({5, 1}, "wall");
  op_compose_map(pcell, wall->map);
  op_set later = op_decl_set(2, "later");
  int const ends[] = {0, 6};
  op_map end = op_decl_map(later, nodes, 1, ends, "end");
  op_free_subset(wall);
  EXPECT_EQ(OP_set_index, setsBefore + 1);
  EXPECT_EQ(OP_map_index, mapsBefore + 1);
  EXPECT_EQ(OP_set_list[later->index], later);
  EXPECT_EQ(OP_map_list[end->index], end);
  EXPECT_EQ(later->index, setsBefore);
  EXPECT_EXIT(op_free_subset(wall), diesWith1(),
              "op_free_subset: .* is not a living subset");
}

void addTo(double *x) { *x += 1; }

// Its records are used again after some time: plans and calls of before must
// not be taken for those of another subset.
TEST_F(SubsetTest, ManyOneAfterTheOther) {
  op_dat y = zeros(nodes, "y");
  double expected[7] = {};
  for (int step = 0; step < 600; ++step) {
    std::vector<int> elements = {step % 6, (step * 5 + 1) % 6};
    op_subset some = declare(elements, "some");
    op_par_loop(addTo, "add", some,
                op_arg_dat(y, 1, pcell, 1, "double", OP_INC));
    for (int n = 0; n < some->set->size; ++n)
      expected[some->map->map[n] + 1] += 1;
    op_free_subset(some);
  }
  double found[7];
  op_fetch_data(y, found);
  EXPECT_EQ(std::vector<double>(found, found + 7),
            std::vector<double>(expected, expected + 7));
}

TEST_F(SubsetTest, UsedElsewhere) {
  op_subset wall = declare({5, 1}, "wall");
  auto refuses = [&](char const *why) {
    EXPECT_EXIT(op_free_subset(wall), diesWith1(),
                std::string("op2 error: op_free_subset wall: ") + why +
                    "; expected a subset that nothing else refers to");
  };
  op_dat x = op_decl_dat_temp(wall->set, 1, "double",
                              static_cast<double *>(nullptr), "x");
  refuses("dat x lives there");
  op_free_dat_temp(x);
  int const first = 0;
  op_subset inner = op_decl_subset(wall->set, 1, &first, "inner");
  refuses("subset inner has elements of it");
  op_free_subset(inner);
  op_sparsity sparsity = op_decl_sparsity(
      op_compose_map(pcell, wall->map), op_compose_map(pcell, wall->map), "s");
  EXPECT_NE(sparsity, nullptr);
  refuses("sparsity s is of a map from there");
}

TEST_F(SubsetTest, UsedByMapsAndLayers) {
  op_subset wall = declare({5, 1}, "wall"), other = declare({2}, "other");
  op_decl_layers(other->set, 0, 2, "air");
  EXPECT_EXIT(op_free_subset(other), diesWith1(), "layers air stand there");
  int const ends[] = {0, 1, 0, 1, 0, 1};
  op_decl_map(cells, wall->set, 1, ends, "to");
  EXPECT_EXIT(op_free_subset(wall), diesWith1(), "map to goes to its elements");
  op_subset third = declare({3}, "third");
  op_decl_map(third->set, nodes, 1, ends, "from");
  EXPECT_EXIT(op_free_subset(third), diesWith1(),
              "map from goes from its elements");
}

//===----------------------------------------------------------------------===//
// Composed maps
//===----------------------------------------------------------------------===//

TEST_F(SubsetTest, Composition) {
  op_subset wall = declare({5, 1}, "wall");
  op_map composed = op_compose_map(pcell, wall->map);
  EXPECT_EQ(composed->from, wall->set);
  EXPECT_EQ(composed->to, nodes);
  EXPECT_EQ(tableOf(composed), (std::vector<int>{1, 2, 5, 6}));
  EXPECT_EQ(composed, op_compose_map(pcell, wall->map));
  EXPECT_STREQ(composed->name, "pcell after wall in cells");
}

TEST_F(SubsetTest, CompositionOfSeveralSlots) {
  op_set faces = op_decl_set(2, "faces");
  int const sides[] = {4, 0, 2, 3};
  op_map pface = op_decl_map(faces, cells, 2, sides, "pface");
  op_map composed = op_compose_map(pcell, pface);
  EXPECT_EQ(composed->dim, 4);
  EXPECT_EQ(tableOf(composed), (std::vector<int>{4, 5, 0, 1, 2, 3, 3, 4}));
}

TEST_F(SubsetTest, CompositionsFollowTheirSets) {
  op_subset wall = declare({5, 1, 2}, "wall");
  op_map composed = op_compose_map(pcell, wall->map);
  int far[] = {5, 0, 3, 6, 1, 4, 2, 5, 6, 1, 0, 3};
  op_renumber(op_decl_map(cells, nodes, 2, far, "far"));
  for (int e = 0; e < 3; ++e)
    for (int slot = 0; slot < 2; ++slot)
      EXPECT_EQ(composed->map[2 * e + slot],
                pcell->map[2 * wall->map->map[e] + slot]);
}

//===----------------------------------------------------------------------===//
// Maps that lead to no element twice
//===----------------------------------------------------------------------===//

bool injective(op_map map) { return isInjective(static_cast<Map &>(*map)); }

TEST_F(SubsetTest, Injective) {
  op_set edges = op_decl_set(3, "edges");
  int const apart[] = {4, 0, 2}, twice[] = {4, 0, 4};
  EXPECT_TRUE(injective(op_decl_map(edges, cells, 1, apart, "apart")));
  EXPECT_FALSE(injective(op_decl_map(edges, cells, 1, twice, "twice")));
  EXPECT_FALSE(injective(pcell));
  op_set one = op_decl_set(1, "one");
  int const zero[] = {0, 0, 0};
  EXPECT_FALSE(injective(op_decl_map(edges, one, 1, zero, "few")));
}

/// So many elements of each row.
static std::vector<int> rowsOf(std::vector<int> const &lengths) {
  std::vector<int> rows;
  for (std::size_t row = 0; row < lengths.size(); ++row)
    rows.insert(rows.end(), std::size_t(lengths[row]), int(row));
  return rows;
}

TEST_F(SubsetTest, RowEnds) {
  using Ends = std::vector<int32_t>;
  auto ends = [](op_map map) { return rowEndsOf(static_cast<Map &>(*map)); };
  auto declare = [&](std::vector<int> const &table, char const *name) {
    return op_decl_map(op_decl_set(int(table.size()), name), nodes, 1,
                       table.data(), name);
  };
  // Rows without elements, at both ends and between.
  EXPECT_EQ(ends(declare(rowsOf({0, 10, 0, 8, 12}), "gaps")),
            (Ends{0, 10, 10, 18, 30, 30, 30}));
  // Short rows of one length, but for one, and of several.
  op_set rows = op_decl_set(100, "rows");
  std::vector<int> lengths(100, 3);
  lengths[50] = 5;
  auto declareMany = [&](char const *name) {
    std::vector<int> table = rowsOf(lengths);
    return op_decl_map(op_decl_set(int(table.size()), name), rows, 1,
                       table.data(), name);
  };
  EXPECT_EQ(ends(declareMany("even")).size(), 100u);
  for (std::size_t n = 0; n < 100; n += 3)
    lengths[n] = 4;
  EXPECT_EQ(ends(declareMany("uneven")), Ends{});
  EXPECT_EQ(ends(declare(rowsOf({5, 2, 5, 3, 5, 4, 8}), "short")), Ends{});
  EXPECT_EQ(ends(declare({2, 2, 2, 2, 2, 2, 2, 2}, "one")),
            (Ends{0, 0, 8, 8, 8, 8, 8}));
  EXPECT_EQ(ends(declare({0, 0, 1, 1, 3, 3, 2, 2}, "back")), Ends{});
  EXPECT_EQ(ends(declare({0, 1, 2, 3, 3, 4, 4, 4}, "few")), Ends{});
  EXPECT_EQ(ends(declare({0, 0, 0, 0, 0, 0, 0, 6}, "far")), Ends{});
  EXPECT_EQ(ends(pcell), Ends{});
  EXPECT_EQ(ends(op_decl_map(op_decl_set(0, "none"), nodes, 1,
                             static_cast<int *>(nullptr), "empty")),
            Ends{});
  // Threads that run parts of a loop do not look.
  op_map later = declare({0, 0, 0, 0, 1, 1, 1, 1}, "later");
  Map &known = static_cast<Map &>(*later);
  EXPECT_EQ(knownRowEnds(known), Ends{});
  rowEndsOf(known);
  EXPECT_EQ(knownRowEnds(known), (Ends{4, 8, 8, 8, 8, 8, 8}));
}

TEST_F(SubsetTest, RowEndsOfOtherNumbers) {
  op_set many = op_decl_set(30, "many");
  std::vector<int> const table = rowsOf({0, 10, 0, 8, 12});
  auto &map =
      static_cast<Map &>(*op_decl_map(many, nodes, 1, table.data(), "up"));
  EXPECT_EQ(rowEndsOf(map).size(), 7u);
  std::vector<Order> orders(registry().sets.size());
  orders[nodes->index] = {6, 5, 4, 3, 2, 1, 0};
  applyOrders(orders);
  EXPECT_TRUE(knownRowEnds(map).empty());
  EXPECT_TRUE(rowEndsOf(map).empty()); // they descend
}

TEST_F(SubsetTest, NoColoursThroughAnInjectiveMap) {
  constexpr int kMany = 1000;
  op_set many = op_decl_set(kMany, "many"), part = op_decl_set(400, "part");
  std::vector<int> apart(400), meet(400);
  for (int n = 0; n < 400; ++n) {
    apart[n] = n * 7 % kMany;
    meet[n] = n / 2;
  }
  op_map to = op_decl_map(part, many, 1, apart.data(), "to");
  op_map near = op_decl_map(part, many, 1, meet.data(), "near");
  op_dat x = zeros(many, "x"), y = zeros(many, "y");
  // One map: no conflicts, for every kind of plan.
  Loop rw("rw");
  rw.dat(x, 0, to, OP_RW).dat(y, 0, to, OP_INC);
  for (uint32_t what : {OP2RT_PLAN_BLOCKS, OP2RT_PLAN_OWNER,
                        OP2RT_PLAN_ELEMENT_COLORS, OP2RT_PLAN_GLOBAL_COLORS})
    EXPECT_EQ(rw.plan(part, 16, what)->ncolors, 1) << what;
  // Two: elements may meet through both.
  Loop both("both");
  both.dat(x, 0, to, OP_INC).dat(x, 0, near, OP_INC);
  EXPECT_GT(both.plan(part, 15)->ncolors, 1);
  // With others all columns count: an owner must run all that it owns.
  Loop inc("inc");
  inc.dat(x, 0, to, OP_INC).dat(y, 0, near, OP_INC);
  EXPECT_GT(inc.plan(part, 15)->ncolors, 1);
}

TEST_F(SubsetTest, InjectiveAfterRenumbering) {
  int const back[] = {5, 4, 3, 2, 1, 0};
  op_map map = op_decl_map(cells, cells, 1, back, "back");
  EXPECT_TRUE(injective(map));
  int far[] = {5, 0, 3, 6, 1, 4, 2, 5, 6, 1, 0, 3};
  op_renumber(op_decl_map(cells, nodes, 2, far, "far"));
  EXPECT_TRUE(injective(map));
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST_F(SubsetTest, BadElements) {
  EXPECT_EXIT(declare({0, 3, 6, 1}, "wall"), diesWith1(),
              "op2 error: op_decl_subset wall: element 2 is 6; expected 0..5 "
              "\\(set cells has 6 elements\\)");
  EXPECT_EXIT(declare({-1}, "wall"), diesWith1(), "element 0 is -1; expected");
  EXPECT_EXIT(op_decl_subset(cells, -1, nullptr, "wall"), diesWith1(),
              "op2 error: op_decl_subset wall: size is -1; expected at least "
              "0");
  EXPECT_EXIT(op_decl_subset(cells, 2, nullptr, "wall"), diesWith1(),
              "op2 error: op_decl_subset wall: the pointer to its 2 elements "
              "is NULL");
  EXPECT_EXIT(op_decl_subset(nullptr, 0, nullptr, "wall"), diesWith1(),
              "op2 error: op_decl_subset wall: the set is NULL");
  int const zero = 0;
  op_set empty = op_decl_set(0, "empty");
  EXPECT_EXIT(op_decl_subset(empty, 1, &zero, "wall"), diesWith1(),
              "op2 error: op_decl_subset wall: element 0 is 0, but set empty "
              "is empty");
}

TEST_F(SubsetTest, BadFlags) {
  int pairs[12] = {}, ofNodes[7] = {};
  op_dat wide = op_decl_dat(cells, 2, "int", pairs, "wide");
  op_dat away = op_decl_dat(nodes, 1, "int", ofNodes, "away");
  EXPECT_EXIT(op_decl_subset_where(cells, wide, "wall"), diesWith1(),
              "op2 error: op_decl_subset_where wall: dat wide has dim 2; "
              "expected 1");
  EXPECT_EXIT(op_decl_subset_where(cells, away, "wall"), diesWith1(),
              "op2 error: op_decl_subset_where wall: dat away lives on set "
              "nodes; expected a dat on set cells");
  EXPECT_EXIT(op_decl_subset_where(cells, zeros(cells, "x"), "wall"),
              diesWith1(),
              "op2 error: op_decl_subset_where wall: dat x holds double; "
              "expected a type of integers or bool");
  EXPECT_EXIT(op_decl_subset_where(cells, nullptr, "wall"), diesWith1(),
              "op2 error: op_decl_subset_where wall: the dat is NULL");
}

TEST_F(SubsetTest, BadCompositions) {
  EXPECT_EXIT(op_compose_map(pcell, pcell), diesWith1(),
              "op2 error: op_compose_map: map pcell leads to set nodes, but "
              "map pcell goes from set cells; expected a map from set nodes");
  EXPECT_EXIT(op_compose_map(nullptr, pcell), diesWith1(),
              "op2 error: op_compose_map, after: the map is NULL");
  EXPECT_EXIT(op_compose_map(pcell, nullptr), diesWith1(),
              "op2 error: op_compose_map, first: the map is NULL");
  op_set none = op_decl_set(0, "none");
  op_map wide = op_decl_map(none, cells, 1 << 20, nullptr, "wide");
  op_map high = op_decl_map(cells, nodes, 1 << 12, nullptr, "high");
  EXPECT_EXIT(op_compose_map(high, wide), diesWith1(),
              "op2 error: op_compose_map: maps high and wide have 4096 and "
              "1048576 slots, together 4294967296; expected at most");
  op_map later = op_decl_map(nodes, cells, 1, nullptr, "later");
  EXPECT_EXIT(op_compose_map(later, pcell), diesWith1(),
              "op2 error: op_compose_map: map later was declared without a "
              "table and has not been filled");
}

TEST_F(SubsetTest, BadLoops) {
  op_subset wall = declare({1}, "wall");
  op_dat x = zeros(nodes, "x");
  EXPECT_EXIT(op_par_loop(setTo, "set", wall,
                          op_arg_dat(x, -1, OP_ID, 1, "double", OP_WRITE),
                          op_arg_idx(-1, OP_ID)),
              diesWith1(),
              "op2 error: loop set, argument 0: map wall in cells goes to set "
              "cells, but dat x lives on set nodes");
  op_map other = op_decl_map(nodes, nodes, 1, pcell->map, "other");
  EXPECT_EXIT(op_par_loop(setTo, "set", wall,
                          op_arg_dat(x, 0, other, 1, "double", OP_WRITE),
                          op_arg_idx(-1, OP_ID)),
              diesWith1(),
              "op2 error: loop set, argument 0: map other goes from set nodes, "
              "but the loop runs over set wall");
  EXPECT_EXIT(op_par_loop(setTo, "set", static_cast<op_subset>(nullptr),
                          op_arg_dat(x, 0, other, 1, "double", OP_WRITE),
                          op_arg_idx(-1, OP_ID)),
              diesWith1(), "op2 error: loop set: the subset is NULL");
}

TEST(SubsetAfterExit, IsNotAlive) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  op_init(0, nullptr, 0);
  op_set cells = op_decl_set(1, "cells");
  int const zero = 0;
  op_subset wall = op_decl_subset(cells, 1, &zero, "wall");
  op_exit();
  op_init(0, nullptr, 0);
  EXPECT_EXIT(op_par_loop(setTo, "set", wall,
                          op_arg_gbl(static_cast<double *>(nullptr), 1,
                                     "double", OP_READ),
                          op_arg_idx(-1, OP_ID)),
              diesWith1(),
              "op2 error: loop set: 0x[0-9a-f]* is not a living subset");
  op_exit();
}

//===----------------------------------------------------------------------===//
// Order by a key, prefix sums
//===----------------------------------------------------------------------===//

TEST_F(SubsetTest, RenumberByAKey) {
  int keys[] = {2, 0, 1, 0, -5, 2};
  op_dat key = op_decl_dat(cells, 1, "int", keys, "key");
  op_subset wall = declare({0, 3, 5}, "wall");
  op_map through = op_compose_map(pcell, wall->map);
  op_renumber_by(cells, key);
  auto const *stored = reinterpret_cast<int const *>(key->data);
  EXPECT_EQ(std::vector<int>(stored, stored + 6),
            (std::vector<int>{-5, 0, 0, 1, 2, 2}));
  EXPECT_EQ(static_cast<Set *>(cells)->toUser,
            (std::vector<int32_t>{4, 1, 3, 2, 0, 5}));
  int found[6];
  op_fetch_data(key, found);
  EXPECT_EQ(std::vector<int>(found, found + 6),
            std::vector<int>(keys, keys + 6));
  EXPECT_EQ(tableOf(wall->map), (std::vector<int>{4, 2, 5}));
  EXPECT_EQ(tableOf(through), (std::vector<int>{0, 1, 3, 4, 5, 6}));
  // Again by other values: equal ones keep the order that they have.
  int others[] = {1, 1, 1, 0, 1, 0};
  op_renumber_by(cells, op_decl_dat(cells, 1, "int", others, "others"));
  EXPECT_EQ(static_cast<Set *>(cells)->toUser,
            (std::vector<int32_t>{3, 5, 4, 1, 2, 0}));
  // Far apart, to both ends of their type.
  int far[] = {INT_MAX, 3, INT_MIN, 3, INT_MAX, -7};
  op_renumber_by(cells, op_decl_dat(cells, 1, "int", far, "far"));
  EXPECT_EQ(static_cast<Set *>(cells)->toUser,
            (std::vector<int32_t>{2, 5, 3, 1, 4, 0}));
}

TEST_F(SubsetTest, BadKeys) {
  int pairs[12] = {}, ofNodes[7] = {};
  op_dat wide = op_decl_dat(cells, 2, "int", pairs, "wide");
  op_dat away = op_decl_dat(nodes, 1, "int", ofNodes, "away");
  EXPECT_EXIT(op_renumber_by(cells, wide), diesWith1(),
              "op2 error: op_renumber_by: dat wide holds 2 values of type int; "
              "expected one of a type of integers for each element");
  EXPECT_EXIT(op_renumber_by(cells, zeros(cells, "x")), diesWith1(),
              "dat x holds 1 values of type double; expected one of a type");
  EXPECT_EXIT(op_renumber_by(cells, away), diesWith1(),
              "op2 error: op_renumber_by: dat away lives on set nodes; "
              "expected a dat on set cells");
}

TEST_F(SubsetTest, Scan) {
  int counts[] = {3, 0, -1, 4, 1, 5}, keys[] = {5, 4, 3, 2, 1, 0};
  op_dat in = op_decl_dat(cells, 1, "int", counts, "in");
  op_dat out = op_decl_dat(cells, 1, "int", static_cast<int *>(nullptr), "out");
  auto scanned = [&](char const *operation, op_dat from) {
    op_scan(from, out, operation);
    std::vector<int> values(6);
    op_fetch_data(out, values.data());
    return values;
  };
  for (int time = 0; time < 2; ++time) {
    EXPECT_EQ(scanned("sum", in), (std::vector<int>{3, 3, 2, 6, 7, 12}));
    EXPECT_EQ(scanned("min", in), (std::vector<int>{3, 0, -1, -1, -1, -1}));
    EXPECT_EQ(scanned("max", in), (std::vector<int>{3, 3, 3, 4, 4, 5}));
    EXPECT_EQ(scanned("sum", out), (std::vector<int>{3, 6, 9, 13, 17, 22}));
    // In the application's order, whatever the library's is.
    op_renumber_by(cells, op_decl_dat(cells, 1, "int", keys, "keys"));
  }
  double pairs[] = {1, 10, 2, 20, 3, 30, 4, 40, 5, 50, 6, 60};
  op_dat both = op_decl_dat(cells, 2, "double", pairs, "both");
  op_scan(both, both, "sum");
  double found[12];
  op_fetch_data(both, found);
  EXPECT_EQ(found[10], 21);
  EXPECT_EQ(found[11], 210);
}

TEST_F(SubsetTest, BadScans) {
  int counts[6] = {}, ofNodes[7] = {};
  bool flags[6] = {};
  op_dat in = op_decl_dat(cells, 1, "int", counts, "in");
  op_dat away = op_decl_dat(nodes, 1, "int", ofNodes, "away");
  op_dat flag = op_decl_dat(cells, 1, "bool", flags, "flag");
  EXPECT_EXIT(op_scan(nullptr, in, "sum"), diesWith1(),
              "op2 error: op_scan, in: the dat is NULL");
  EXPECT_EXIT(op_scan(in, nullptr, "sum"), diesWith1(),
              "op2 error: op_scan, out: the dat is NULL");
  EXPECT_EXIT(op_scan(in, away, "sum"), diesWith1(),
              "op2 error: op_scan: dat in lives on set cells, but dat away on "
              "set nodes; expected dats on one set");
  EXPECT_EXIT(op_scan(in, zeros(cells, "x"), "sum"), diesWith1(),
              "op2 error: op_scan: dat in holds 1 values of type int, dat x 1 "
              "of type double; expected the same");
  EXPECT_EXIT(
      op_scan(flag, flag, "sum"), diesWith1(),
      "op2 error: op_scan: dat flag holds values of type bool; expected "
      "numbers");
  EXPECT_EXIT(op_scan(in, in, "mean"), diesWith1(),
              "op2 error: op_scan: operation is \"mean\"; expected sum, min or "
              "max");
}

} // namespace

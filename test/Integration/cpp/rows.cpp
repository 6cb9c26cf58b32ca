// Elements that add to one row each, through maps that lead to rows in
// ascending order, with and without gaps, and through others: loops that go
// row after row leave the bits of the sequential ones, for whatever part of
// a row's elements a thread, a block or a tile has.
//
// Kernels with UBSan's checks are not raised.
// REQUIRES: no-undefined-sanitizer
//
// RUN: %op2cxx -O2 -std=c++17 -march=x86-64-v3 -Werror=op2-sequential --op2-target=seq,openmp --op2-report %s -o %t 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: env OP2_TARGET=seq %t > %t.seq
// RUN: env OMP_NUM_THREADS=1 OP2_CHECK_PLAN=1 %t | diff %t.seq -
// RUN: env OMP_NUM_THREADS=2 OP2_CHECK_PLAN=1 OP2_OWNER=always %t | diff %t.seq -
// RUN: env OMP_NUM_THREADS=7 OP2_CHECK_PLAN=1 OP2_OWNER=always OP2_CHAIN=never %t | diff %t.seq -
// RUN: env OMP_NUM_THREADS=3 OP2_CHECK_PLAN=1 OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=100 %t | diff %t.seq -
// RUN: env OMP_NUM_THREADS=1 OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=33 %t | diff %t.seq -
// RUN: env OMP_NUM_THREADS=2 OP2_CHECK=1 %t | diff %t.seq -
// RUN: env OMP_NUM_THREADS=1 OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=100 %t diags | FileCheck %s --check-prefix=TILES
// RUN: env OMP_NUM_THREADS=1 OP2_OWNER=never OP_PART_SIZE=37 %t > %t.blocks
// RUN: env OMP_NUM_THREADS=5 OP2_OWNER=never OP_PART_SIZE=37 OP2_CHECK_PLAN=1 %t | diff %t.blocks -
// RUN: env OP2_TARGET=seq OP2_RENUMBER=rcm %t > %t.renumbered
// RUN: env OMP_NUM_THREADS=3 OP2_RENUMBER=rcm OP2_OWNER=always %t | diff %t.renumbered -
// RUN: %op2cxx -O1 -std=c++17 --op2-vector-bits=0 --op2-target=seq,openmp %s -o %t.scalar
// RUN: env OP2_TARGET=seq %t.scalar > %t.out
// RUN: env OMP_NUM_THREADS=4 OP2_OWNER=always %t.scalar | diff %t.out -
//
// REPORT-DAG: loop 'add': row after row where the map leads to rows in ascending order; elsewhere vectorized across 4 elements
// REPORT-DAG: loop 'spread': vectorized across 4 elements
// TILES: op2: chain {{.*}}add, spread{{.*}}: {{[0-9]+}} tiles

#include "../ranks/Inputs/bits.h"

static void add(const double *a, const double *x, double *y) {
  *y += *a * *x;
}
static void addThree(const float *a, const int *number, float *y) {
  y[0] += *a;
  y[1] -= *a * (*number % 3);
  y[2] += 1.0f / 3;
}
// Some add nothing; the row's number decides what.
static void addSome(const double *a, const int *row, double *y) {
  if (*row % 2)
    *y += *a;
}
// Reads the row that it adds to by another dat.
static void addTimes(const double *w, double *y) { *y += *w / 3; }
static void spread(const double *y, double *x) { *x = *y / 7 + *x / 2; }

/// As many elements for row r as counts(r) says.
template <class Counts>
static std::vector<int> ascending(int rows, Counts counts) {
  std::vector<int> table;
  for (int row = 0; row < rows; ++row)
    table.insert(table.end(), counts(row), row);
  return table;
}

static void run(const char *name, int rows, const std::vector<int> &table) {
  int size = int(table.size());
  std::vector<int> cols(size);
  std::vector<double> a(size), x(rows), y(rows);
  std::vector<float> af(size), yf(3 * rows);
  for (int n = 0; n < size; ++n) {
    cols[n] = (table[n] + n % 5) % rows;
    a[n] = 1.0 / (n % 11 + 3);
    af[n] = float(a[n]);
  }
  for (int row = 0; row < rows; ++row)
    x[row] = 1.0 / (row % 17 + 1);
  op_set rowSet = op_decl_set(rows, "rows"), set = op_decl_set(size, name);
  op_map toRow = op_decl_map(set, rowSet, 1, table.data(), "toRow");
  op_map toCol = op_decl_map(set, rowSet, 1, cols.data(), "toCol");
  op_dat da = op_decl_dat(set, 1, "double", a.data(), "a");
  op_dat daf = op_decl_dat(set, 1, "float", af.data(), "af");
  op_dat dx = op_decl_dat(rowSet, 1, "double", x.data(), "x");
  op_dat dy = op_decl_dat(rowSet, 1, "double", y.data(), "y");
  op_dat dyf = op_decl_dat(rowSet, 3, "float", yf.data(), "yf");
  for (int step = 0; step < 12; ++step) {
    op_par_loop(add, "add", set, op_arg_dat(da, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(dx, 0, toCol, 1, "double", OP_READ),
                op_arg_dat(dy, 0, toRow, 1, "double", OP_INC));
    op_par_loop(spread, "spread", rowSet,
                op_arg_dat(dy, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(dx, -1, OP_ID, 1, "double", OP_RW));
  }
  print<double>(name, dx);
  op_par_loop(addTimes, "addTimes", set,
              op_arg_dat(dx, 0, toRow, 1, "double", OP_READ),
              op_arg_dat(dy, 0, toRow, 1, "double", OP_INC));
  print<double>(name, dy);
  op_par_loop(addThree, "addThree", set,
              op_arg_dat(daf, -1, OP_ID, 1, "float", OP_READ),
              op_arg_idx(-1, OP_ID), op_arg_dat(dyf, 0, toRow, 3, "float", OP_INC));
  print<float>(name, dyf);
  op_par_loop(addSome, "addSome", set,
              op_arg_dat(da, -1, OP_ID, 1, "double", OP_READ),
              op_arg_idx(0, toRow), op_arg_dat(dy, 0, toRow, 1, "double", OP_INC));
  print<double>(name, dy);
  // What is added to is what the loops before have read, and the other way round.
  op_par_loop(add, "add", set, op_arg_dat(da, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(dy, 0, toCol, 1, "double", OP_READ),
              op_arg_dat(dx, 0, toRow, 1, "double", OP_INC));
  print<double>(name, dx);
}

int main(int argc, char **argv) {
  op_init(argc, argv, argc > 1 ? 3 : 1);
  run("even", 300, ascending(300, [](int) { return 4; }));
  run("uneven", 500, ascending(500, [](int row) { return row * 7 % 9; }));
  // No elements at both ends; one row with many.
  run("long", 100, ascending(100, [](int row) {
        return row < 10 || row > 80 ? 0 : row == 40 ? 700 : row % 3;
      }));
  run("one", 50, std::vector<int>(600, 17));
  run("single", 1, std::vector<int>(9, 0));
  // Fewer than two for a row, and not in order.
  run("few", 400, ascending(400, [](int row) { return row % 3 == 0; }));
  std::vector<int> descending = ascending(200, [](int) { return 3; });
  descending.insert(descending.end(), {0, 0, 199});
  run("back", 200, descending);
  run("none", 20, {});
  op_exit();
}

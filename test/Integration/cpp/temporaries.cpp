// Temporary dats, made and freed between loops and inside of a function; overlays
// of a dat on a smaller set, as arguments of one loop; what applications read
// from the structs, the same on every target.
//
// RUN: %clangxx -O0 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev > %t.dev.out
// RUN: FileCheck %s < %t.dev.out
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-target=seq,openmp,emulator %s -o %t
// RUN: env OP2_TARGET=seq %t > %t.out && diff %t.dev.out %t.out
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 OP2_CHECK_PLAN=1 %t OP_PART_SIZE=3 > %t.out && diff %t.dev.out %t.out
// RUN: env OP2_TARGET=emulator OP2_CHECK_PLAN=1 %t > %t.out && diff %t.dev.out %t.out
//
// CHECK: temporary 0: 380
// CHECK-NEXT: temporary 1: 760
// CHECK-NEXT: temporary 2: 1520
// CHECK-NEXT: ends 30
// CHECK-NEXT: ends 30
// CHECK-NEXT: ends 30
// CHECK-NEXT: ends 30
// CHECK-NEXT: freed 1 again -1 dats 2
// CHECK-NEXT: overlay 1520 1160
// CHECK-NEXT: both 1 3 3 3 3 3 3 3 3 3 2 0
// CHECK-NEXT: fields nodes 20 20 0 0 | map 2 2 10 20 | x 1 8 double 152
// CHECK-NEXT: list x y
// CHECK-NEXT: by hand 20: 3042

#include "op_seq.h"

#include <cstdio>
#include <vector>

static void twice(const double *x, double *y) { *y = 2 * *x; }
static void copy(const double *x, double *y) { *y = *x; }
static void ends(double *a, double *b) {
  *a += 1;
  *b += 2;
}
static void clear(double *x) { *x = 0; }

static double total(op_dat dat) {
  std::vector<double> values(size_t(dat->set->size));
  op_fetch_data(dat, values.data());
  double sum = 0;
  for (double value : values)
    sum += value;
  return sum;
}

#define ARG(dat, acc) op_arg_dat(dat, -1, OP_ID, 1, "double", acc)

/// x *= 2, through a dat that lives only here.
static int doubleIt(op_set set, op_dat x) {
  op_dat temporary =
      op_decl_dat_temp(set, 1, "double", (double *)NULL, "temporary");
  op_par_loop(twice, "twice", set, ARG(x, OP_READ), ARG(temporary, OP_WRITE));
  op_par_loop(copy, "copy", set, ARG(temporary, OP_READ), ARG(x, OP_WRITE));
  return op_free_dat_temp(temporary);
}

/// Each one starts with zeros, wherever the last one left its values.
static double countEnds(op_set nodes, op_set part, op_map map) {
  op_dat counts =
      op_decl_dat_temp(nodes, 1, "double", (double *)NULL, "counts");
  op_par_loop(ends, "ends", part,
              op_arg_dat(counts, 0, map, 1, "double", OP_INC),
              op_arg_dat(counts, 1, map, 1, "double", OP_INC));
  double sum = total(counts);
  op_free_dat_temp(counts);
  return sum;
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  std::vector<double> values;
  for (int i = 0; i < 20; ++i)
    values.push_back(i);
  std::vector<int> pairs, same;
  for (int i = 0; i < 10; ++i) {
    pairs.push_back(i);
    pairs.push_back(i + 1);
    same.push_back(i);
  }
  op_set nodes = op_decl_set(20, "nodes"), part = op_decl_set(10, "part");
  op_map map = op_decl_map(part, nodes, 2, pairs.data(), "map"),
         inPart = op_decl_map(part, part, 1, same.data(), "inPart");
  op_dat x = op_decl_dat(nodes, 1, "double", values.data(), "x"),
         y = op_decl_dat(nodes, 1, "double", (double *)NULL, "y");

  int freed = 0;
  for (int i = 0; i < 3; ++i) {
    freed = doubleIt(nodes, x);
    std::printf("temporary %d: %g\n", i, total(x));
  }
  for (int i = 0; i < 4; ++i)
    std::printf("ends %g\n", countEnds(nodes, part, map));
  op_dat gone = op_decl_dat_temp(nodes, 1, "double", (double *)NULL, "gone");
  op_free_dat_temp(gone);
  int again = op_free_dat_temp(gone), dats = 0;
  op_dat_entry *entry;
  TAILQ_FOREACH(entry, &OP_dat_list, entries) ++dats;
  std::printf("freed %d again %d dats %d\n", freed, again, dats);

  // The first ten nodes' values as values of `part`.
  op_dat overlay = op_decl_dat_overlay(part, y);
  op_par_loop(copy, "all", nodes, ARG(x, OP_READ), ARG(y, OP_WRITE));
  double sum = total(y);
  op_par_loop(clear, "clear", part, ARG(overlay, OP_WRITE));
  std::printf("overlay %g %g\n", sum, total(y));
  op_par_loop(clear, "clear all", nodes, ARG(y, OP_WRITE));
  // Both in one loop: they are one dat.
  op_par_loop(ends, "ends", part,
              op_arg_dat(overlay, 0, inPart, 1, "double", OP_INC),
              op_arg_dat(y, 1, map, 1, "double", OP_INC));
  op_fetch_data(y, values.data());
  std::printf("both");
  for (int i = 0; i < 12; ++i)
    std::printf(" %g", values[size_t(i)]);
  std::printf("\n");
  op_free_dat_temp(overlay);

  std::printf("fields %s %d %d %d %d | %s %d %d %d %d | %s %d %d %s %g\n",
              nodes->name, nodes->size, nodes->core_size, nodes->exec_size,
              nodes->nonexec_size, map->name, map->dim, map->map[3],
              map->from->size, map->to->size, x->name, x->dim, x->size, x->type,
              reinterpret_cast<double *>(x->data)[19]);
  std::printf("list");
  TAILQ_FOREACH(entry, &OP_dat_list, entries)
  std::printf(" %s", entry->dat->name);
  std::printf("\n");

  // A loop by hand between loops of OP2.
  op_arg args[] = {ARG(x, OP_READ), ARG(y, OP_WRITE)};
  int count = op_mpi_halo_exchanges(nodes, 2, args);
  op_mpi_wait_all(2, args);
  for (int i = 0; i < count; ++i)
    reinterpret_cast<double *>(args[1].data)[i] =
        reinterpret_cast<double *>(args[0].data)[i] + (i == 7);
  op_mpi_set_dirtybit(2, args);
  op_par_loop(twice, "from hand", nodes, ARG(y, OP_READ), ARG(x, OP_WRITE));
  std::printf("by hand %d: %g\n", count, total(x));
  op_exit();
}

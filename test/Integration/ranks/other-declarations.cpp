// Ranks that declare sets, maps, dats, layers or matrices in another order, or
// others; that have them divided otherwise; that run a loop with others, or a
// loop that no message is sent for: one message that names rank and object, where
// each rank declares a block, and where each declares everything.
//
// REQUIRES: mpi, no-sanitizer
// RUN: %op2cxx %unoptimized -Wno-error=op2-sequential -O1 --op2-mpi \
// RUN:   --op2-target=openmp,seq %s -o %t
// RUN: %python %S/Inputs/errors.py "%mpirun" %t %s
// RUN: env OP2_RANKS=blocks %mpirun -n 2 %t fine 2 | FileCheck %s
// RUN: env OP2_RANKS=whole %mpirun -n 3 %t fine | FileCheck %s
// CHECK: a sum 210
#include "op_seq.h"

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

static void copy(const double *a, double *b) { *b = *a; }
static void bump(double *a) { *a += 1; }
static void sumUp(const double *a, double *s) { *s += *a; }

int main(int argc, char **argv) {
  std::string wanted = argc > 1 ? argv[1] : "";
  auto is = [&](char const *name) { return wanted == name; };
  op_init(argc, argv, 0);
  int rank = 0;
  op_rank(&rank);
  bool isOther = rank == 1 && !is("fine");
  // Blocks, if there is a number of them.
  constexpr int kSize = 20;
  int blocks = argc > 2 ? std::atoi(argv[2]) : 1;
  int size = kSize / blocks, first = blocks > 1 ? rank * size : 0;
  std::vector<int> next, before, ranges;
  std::vector<double> numbers, zeros(kSize);
  for (int n = first; n < first + size; ++n) {
    next.push_back((n + 3) % kSize);
    before.push_back((n + 11) % kSize);
    numbers.push_back(n);
    ranges.push_back(0);
    ranges.push_back(is("ranges") && isOther ? 1 : 2);
  }
  // CASE: alike 2 OP2_RANKS=blocks
  // ERROR: the first loop: rank 0 has map next from set any (number 1) to set any (number 0), dim 1, rank 1 map next from set any (number 1) to set any (number 1), dim 1;
  auto set = [&](char const *name) {
    return op_decl_set(size, is("alike") ? "any" : name);
  };

  // CASE: sets 2 OP2_RANKS=blocks
  // ERROR: ranks do different things: rank 0 runs op_decl_set nodes, its message number 2, and rank 1 op_decl_set edges, number 2; expected every rank to make the same declarations
  op_set nodes, edges;
  if (is("sets") && isOther)
    edges = set("edges"), nodes = set("nodes");
  else
    nodes = set("nodes"), edges = set("edges");
  // CASE: set 2 OP2_RANKS=blocks
  // ERROR: ranks do different things: rank 0 runs the first loop, its message number 4, and rank 1 op_decl_set more, number 4;
  if (is("set") && isOther)
    set("more");

  // CASE: maps 2 OP2_RANKS=blocks
  // ERROR: the first loop: rank 0 has map next from set edges to set nodes, dim 1, rank 1 map before from set edges to set nodes, dim 1; expected the same on every rank, in the same order
  op_map forth, back;
  auto mapTo = [&](std::vector<int> const &table, char const *name) {
    // CASE: target 2 OP2_RANKS=blocks
    // ERROR: the first loop: rank 0 has map next from set edges to set nodes, dim 1, rank 1 map next from set edges to set edges, dim 1;
    return op_decl_map(edges, (is("target") || is("alike")) && isOther ? edges : nodes, 1,
                       table.data(), name);
  };
  if (is("maps") && isOther)
    back = mapTo(before, "before"), forth = mapTo(next, "next");
  else
    forth = mapTo(next, "next"), back = mapTo(before, "before");

  // CASE: dats
  // ERROR: the first loop: rank 0 has dat a on set nodes, dim 1, type double, rank 1 dat b on set nodes, dim 1, type double; expected the same on every rank
  // CASE: dat-more 2 OP2_RANKS=blocks
  // ERROR: the first loop: rank 0 has dat c on set nodes, dim 1, type double, rank 1 dat more on set nodes, dim 1, type int;
  // CASE: dat-set
  // ERROR: the first loop: rank 0 has dat c on set nodes, dim 1, type double, rank 1 dat c on set edges, dim 1, type double;
  // CASE: dat-dim OP2_RANKS=mirrored
  // ERROR: the first loop: rank 0 has dat c on set nodes, dim 1, type double, rank 1 dat c on set nodes, dim 2, type double;
  // CASE: dat-bytes
  // ERROR: the first loop: rank 0 has dat c on set nodes, dim 1, type double, rank 1 dat c on set nodes, dim 1, type int of 8 bytes;
  auto datOf = [&](std::vector<double> &values, char const *name) {
    return op_decl_dat(nodes, 1, "double", values.data(), name);
  };
  op_dat a, b;
  if (is("dats") && isOther)
    b = datOf(zeros, "b"), a = datOf(numbers, "a");
  else
    a = datOf(numbers, "a"), b = datOf(zeros, "b");
  if (is("dat-more") && isOther)
    op_decl_dat(nodes, 1, "int", (int *)nullptr, "more");
  if (is("dat-bytes") && isOther)
    op_decl_dat_char(nodes, 1, "int", 8, nullptr, "c");
  else
    op_decl_dat(is("dat-set") && isOther ? edges : nodes,
                is("dat-dim") && isOther ? 2 : 1, "double", (double *)nullptr,
                "c");

  // CASE: layers 2 OP2_RANKS=blocks
  // ERROR: the first loop: rank 0 has no more layers, rank 1 layers wet on set nodes; || rank 0 has no more dats, rank 1 dat wet of nodes on set nodes
  if (!is("layers") || isOther)
    op_decl_layers_varying(nodes, ranges.data(), "wet");
  // CASE: ranges
  // ERROR: layers wet: rank 1 declares other ranges than rank 0; expected the same on each (OP2_RANKS=whole)
  // CASE: overlay
  // ERROR: the first loop: rank 0 has no more dats, rank 1 dat a on set nodes, dim 1, type double, an overlay on dat a (number 0);
  if (is("overlay") && isOther)
    op_decl_dat_overlay(nodes, a);

  // CASE: matrix 2 OP2_RANKS=blocks
  // ERROR: the first loop: rank 0 has matrix K, blocks of 1 x 1 of type double, maps next (0) with next (0), rank 1 matrix K, blocks of 2 x 2 of type double, maps next (0) with next (0);
  if (is("matrix"))
    op_decl_mat(op_decl_sparsity(forth, forth, "K"), isOther ? 2 : 1,
                isOther ? 2 : 1, "double", "K");

  // CASE: partition 2 OP2_RANKS=blocks
  // ERROR: op_partition: rank 0 has graph cut, led by set nodes, along map next, rank 1 blocks;
  if (is("partition"))
    op_partition(isOther ? "" : "PTSCOTCH", "", nullptr, forth, nullptr);
  // CASE: partition-map
  // ERROR: op_partition: rank 0 has graph cut, led by set nodes, along map next, rank 1 graph cut, led by set nodes, along map before;
  if (is("partition-map"))
    op_partition("PTSCOTCH", "", nullptr, isOther ? back : forth, nullptr);
  // CASE: partition-alone 2 OP2_RANKS=blocks
  // ERROR: ranks do different things: rank 0 runs the first loop, its message number 4, and rank 1 op_partition, number 4;
  if (is("partition-alone") && isOther)
    op_partition("PTSCOTCH", "", nullptr, forth, nullptr);

  op_par_loop(bump, "bump", nodes,
              op_arg_dat(a, -1, OP_ID, 1, "double", OP_RW));

  // CASE: late-dats 2 OP2_RANKS=blocks
  // ERROR: ranks do different things: rank 0 runs op_decl_dat c, its message number
  op_dat late;
  std::vector<double> two(2 * kSize);
  if (is("late-dats") && isOther)
    late = op_decl_dat(nodes, 1, "double", two.data(), "d");
  // CASE: late-dim 2 OP2_RANKS=blocks
  // ERROR: op_decl_dat c: rank 0 has dat c on set nodes (number 0), dim 1, type double, rank 1 dat c on set nodes (number 0), dim 2, type double;
  late = op_decl_dat(nodes, is("late-dim") && isOther ? 2 : 1, "double",
                     two.data(), "c");
  // CASE: late-overlay
  // ERROR: ranks do different things: rank 0 runs op_decl_dat_temp t, its message number 9, and rank 1 op_decl_dat_overlay a, number 9;
  if (is("late-overlay") && isOther)
    op_decl_dat_overlay(nodes, a);
  // CASE: late-ranges
  // ERROR: layers late: rank 1 declares other ranges than rank 0; expected the same on each (OP2_RANKS=whole)
  if (is("late-ranges"))
    op_decl_layers(nodes, 0, isOther ? 1 : 2, "late");
  // CASE: temporaries 2 OP2_RANKS=blocks
  // ERROR: op_decl_dat_temp t: rank 0 has dat t on set nodes (number 0), dim 1, type double, rank 1 dat t on set edges (number 1), dim 1, type double;
  op_dat t = op_decl_dat_temp(is("temporaries") && isOther ? edges : nodes, 1,
                              "double", (double *)nullptr, "t");
  // CASE: freed 2 OP2_RANKS=blocks
  // ERROR: ranks do different things: rank 0 runs op_decl_dat_temp u, its message number
  if (!is("freed") || isOther)
    op_free_dat_temp(t);
  t = op_decl_dat_temp(nodes, 1, "double", (double *)nullptr, "u");
  op_par_loop(copy, "copy", nodes, op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(t, -1, OP_ID, 1, "double", OP_WRITE));
  op_free_dat_temp(t);

  // CASE: loop-dat 2 OP2_RANKS=blocks
  // ERROR: loop gather: rank 0 has dat a (number 0) through slot 0 of map next (number 0), OP_READ, as argument 0, rank 1 dat b (number 1) through slot 0 of map next (number 0), OP_READ, as argument 0; expected the same on every rank
  // CASE: loop-map
  // ERROR: loop gather: rank 0 has dat a (number 0) through slot 0 of map next (number 0), OP_READ, as argument 0, rank 1 dat a (number 0) through slot 0 of map before (number 1), OP_READ, as argument 0;
  op_par_loop(copy, "gather", edges,
              op_arg_dat(is("loop-dat") && isOther ? b : a, 0,
                         is("loop-map") && isOther ? back : forth, 1, "double",
                         OP_READ),
              op_arg_dat(op_decl_dat(edges, 1, "double", two.data(), "e"), -1,
                         OP_ID, 1, "double", OP_WRITE));
  // CASE: loop-global OP2_STRICT=0
  // ERROR: loop sum: rank 0 has dat a (number 0), OP_READ, as argument 0, rank 1 nothing as argument 0;
  double sum = 0;
  if (is("loop-global"))
    op_par_loop(sumUp, "sum", nodes,
                op_opt_arg_dat(!isOther, a, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&sum, 1, "double", OP_INC));

  // All ranks know the loop with both pairs of dats; on one of them they are
  // once not exchanged. No message is sent for it, but for one that comes later.
  // CASE: swapped 2 OP2_RANKS=blocks OP2_CHAIN=never
  // ERROR: op_decl_dat f: ranks have run different loops before, or with different sets, maps or dats: as loop number 7 rank 0 copies, rank 1 copies on others; expected the same loops on every rank, in the same order
  // CASE: swapped-known OP2_CHAIN=never
  // ERROR: gather: ranks run it with different sets, maps or dats, or have run different loops before: rank
  // CASE: fetched
  // ERROR: ranks do different things: rank 0 runs a fetch of dat a (number 0), its message number
  for (int step = 0; step < 4; ++step) {
    op_par_loop(copy, "copies", nodes,
                op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(b, -1, OP_ID, 1, "double", OP_WRITE));
    if (wanted.compare(0, 7, "swapped") == 0 && !(isOther && step == 2))
      std::swap(a, b);
    if (is("swapped-known"))
      op_par_loop(copy, "gather", edges,
                  op_arg_dat(late, 0, forth, 1, "double", OP_READ),
                  op_arg_dat(late, 0, back, 1, "double", OP_WRITE));
  }
  // CASE: scanned 2 OP2_RANKS=blocks
  // ERROR: op_scan: rank 0 has dat b (number 1), rank 1 dat a (number 0);
  // CASE: scan-word
  // ERROR: op_scan: rank 0 has sum, rank 1 max;
  if (is("scanned"))
    op_scan(isOther ? a : b, late, "sum");
  if (is("scan-word"))
    op_scan(a, late, isOther ? "max" : "sum");
  op_par_loop(copy, "last", edges,
              op_arg_dat(late, 0, back, 1, "double", OP_READ),
              op_arg_dat(op_decl_dat(edges, 1, "double", two.data(), "f"), -1,
                         OP_ID, 1, "double", OP_WRITE));
  std::vector<double> values(kSize);
  op_fetch_data_idx(is("fetched") && isOther ? b : a, values.data(), 0,
                    kSize - 1);
  double total = 0;
  for (double value : values)
    total += value;
  op_printf("a sum %g\n", total);
  op_exit();
}

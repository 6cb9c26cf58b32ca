// What ranks cannot do, or disagree about: one message, and the whole job ends.
//
// REQUIRES: mpi, no-sanitizer
// RUN: %op2cxx %unoptimized -Wno-error=op2-sequential -O1 --op2-mpi \
// RUN:   --op2-target=openmp,seq %s -o %t
// RUN: %python %S/Inputs/errors.py "%mpirun" %t %s
// RUN: env OP2_RANKS=whole %mpirun -n 2 %t written-later
//
// The same objects, but not compiled for ranks.
// RUN: %op2cxx %unoptimized -Wno-error=op2-sequential -O1 --op2-no-delay \
// RUN:   --op2-target=openmp -c %s -o %t.o
// RUN: %op2cxx --op2-mpi %t.o -o %t.other
// RUN: %python %S/Inputs/errors.py "%mpirun" %t.other %s other
// RUN: %python %S/Inputs/errors.py "%mpirun" %t.other %s index
//
// Not linked for ranks; alone it runs.
// RUN: %op2cxx %t.o -o %t.alone
// RUN: %t.alone fine
// RUN: %python %S/Inputs/errors.py "%mpirun" %t.alone %s alone
#include "op_seq.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

static void add(const double *a, double *b) { *b += *a; }
static void copy(const double *a, double *b) { *b = *a; }
static void halve(double *a) { *a *= 0.5; }
static void number(const int *n, double *a) { *a = *n; }
static void longSum(const double *a, double *s) { *s += *a; }
static void shortSum(const double *a, int *s) { *s += *a > 0; }
// Of the program, where dats have their values.
static double store[20];
static double *table = store;
static void byName(const double *a, double *b) { *b = *a + store[1]; }
static void byPointer(const double *a, double *b) { *b = *a + table[1]; }
static void byGlobal(const double *a, double *b, const double *all) {
  *b = *a + all[1];
}
static void total(const double *a, int *s, int *t) {
  *s += *a;
  *t += *a;
}

struct Two {
  int count;
  double sum;
};
inline int type_error(const Two *, const char *type) {
  return std::string(type) != "Two";
}
static void addTwo(const double *a, Two *s) {
  s->count += 1;
  s->sum += *a;
}

int main(int argc, char **argv) {
  std::string wanted = argc > 1 ? argv[1] : "";
  auto is = [&](char const *name) { return wanted == name; };
  // CASE: absent OP2_RANKS_TIMEOUT=2
  // ERROR: op_init: this process has waited for 2 s for another one that has not called it; expected every process to come there within OP2_RANKS_TIMEOUT=2 s, or op_mpi_init with a communicator of those that do
  const char *ofJob = std::getenv("OMPI_COMM_WORLD_RANK");
  if (is("absent") && ofJob && *ofJob == '1') {
    auto begin = reinterpret_cast<int (*)(int *, char ***)>(
        dlsym(RTLD_DEFAULT, "MPI_Init"));
    for (begin(nullptr, nullptr);;)
      pause();
  }
  op_init(argc, argv, 0);
  int rank = 0;
  op_rank(&rank);
  // CASE: sizes-differ
  // ERROR: op_decl_set nodes: rank 0 declares 20 elements, rank 1 21; expected the whole set on each (OP2_RANKS=whole)
  int size = 20 + (is("sizes-differ") ? rank : 0);
  // CASE: too-large OP2_RANKS=blocks
  // ERROR: op_decl_set nodes: all ranks together declare 3000000000 elements; expected at most 2147483647
  op_set nodes = op_decl_set(is("too-large") ? 1500000000 : size, "nodes");
  // CASE: other-set
  // ERROR: ranks do different things: rank 0 runs op_decl_set edges, its message number 
  if (is("other-set") && rank == 1)
    op_decl_set(size, "extra");
  op_set edges = op_decl_set(size, "edges");
  std::vector<int> table, owners(size, is("wrong-rank") ? 9 : 0);
  for (int n = 0; n < size; ++n) {
    table.push_back(n);
    table.push_back((n + 1) % size);
  }
  // CASE: repeated OP2_RANKS=blocks
  // ERROR: all 2 ranks declare the same maps, which lead to the first block alone, as those of a program for one process do: for that OP2_RANKS=whole, with which ranks divide what each of them declares; expected a block of each set from each rank, and a map that leads to another one
  // CASE: other-table
  // ERROR: map map: rank 1 declares another table than rank 0; expected the same on each (OP2_RANKS=whole)
  if ((is("other-table") || is("by-hand-no-realloc")) && rank == 1)
    table[3] = 0;
  op_map map = op_decl_map(edges, nodes, 2, table.data(), "map");
  // CASE: more-maps
  // ERROR: the first loop: rank 0 has no more maps, rank 1 map more from set edges to set nodes, dim 1; expected the same on every rank, in the same order
  if (is("more-maps") && rank == 1)
    op_decl_map(edges, nodes, 1, table.data(), "more");
  // CASE: other-order
  // ERROR: set nodes: rank 1 has renumbered it otherwise than rank 0; expected the same order on each (OP2_RANKS=whole)
  if (is("other-order")) {
    std::vector<int> keys(size);
    keys[0] = rank;
    op_renumber_by(nodes, op_decl_dat(nodes, 1, "int", keys.data(), "keys"));
  }
  // CASE: other-subset
  // ERROR: map some in nodes: rank 1 declares another table than rank 0; expected the same on each (OP2_RANKS=whole)
  int const chosen[] = {rank, 3};
  if (is("other-subset"))
    op_decl_subset(nodes, 2, chosen, "some");
  std::vector<double> zeros(size, 1.0);
  op_dat a = op_decl_dat(nodes, 1, "double", zeros.data(), "a");
  std::vector<double> more = zeros, others = zeros;
  op_dat b = op_decl_dat(nodes, 1, "double",
                         is("one-array") ? zeros.data() : more.data(), "b");
  // CASE: no-values
  // ERROR: dat e: rank 1 gives NULL for its values, and rank 0 has some; expected the values of the whole set on each, or NULL on each
  // CASE: no-values OP2_RANKS=blocks
  // ERROR: dat e: rank 1 gives NULL for its values, and rank 0 has some; expected the values of its block on each, or NULL on each
  bool hasValues = !is("no-values") || rank == 0;
  op_dat e = op_decl_dat(edges, 1, "double",
                         hasValues ? others.data() : nullptr, "e");
  // Without values at first, but written by the program before the first loop.
  if (is("written-later") && rank == 1) {
    op_dat later = op_decl_dat(edges, 1, "double", (double *)nullptr, "later");
    std::copy(others.begin(), others.end(), (double *)later->data);
  } else if (is("written-later")) {
    op_decl_dat(edges, 1, "double", others.data(), "later");
  }
  op_dat parts = op_decl_dat(nodes, 1, "int", owners.data(), "parts");
  // CASE: no-dat
  // ERROR: op_partition EXTERNAL: the dat is NULL
  if (is("no-dat"))
    op_partition("EXTERNAL", "", nodes, OP_ID, NULL);
  // CASE: wrong-rank
  // ERROR: op_partition: dat parts says rank 9 for element 0; expected 0..1
  if (is("wrong-rank"))
    op_partition("EXTERNAL", "", nodes, OP_ID, parts);
  // CASE: wrong-type
  // ERROR: op_partition: dat a holds 1 values of type double; expected one int for each element, the rank that owns it
  if (is("wrong-type"))
    op_partition("EXTERNAL", "", nodes, OP_ID, a);
  // CASE: no-such-dat OP2_PARTITION=abc
  // ERROR: op_partition: OP2_PARTITION=abc: there is no dat of this name
  if (is("no-such-dat"))
    op_partition("PTSCOTCH", "KWAY", nodes, map, NULL);
  // CASE: late-array OP2_RENUMBER=rcm
  // ERROR: op_decl_dat late: set nodes was renumbered, and OP_NO_REALLOC makes the values stay where the application has them
  if (is("late-array")) {
    op_renumber(map);
    OP_realloc = 0;
    op_decl_dat(nodes, 1, "double", zeros.data(), "late");
  }
  // CASE: other
  // ERROR: loop add: ranks run elements at their borders again, for which it has no function: expected it to be compiled with op2c++ --op2-mpi, or by another compiler
  // CASE: index
  // ERROR: op_arg_idx: the loop counts by itself, which it cannot on several ranks: expected it to be compiled with op2c++ --op2-mpi
  if (is("index"))
    op_par_loop(number, "number", nodes, op_arg_idx(-1, OP_ID),
                op_arg_dat(a, -1, OP_ID, 1, "double", OP_WRITE));
  // CASE: one-array OP_NO_REALLOC
  // ERROR: loop add: it changes dat b, whose array overlaps that of dat a (OP_NO_REALLOC, overlays); expected dats with values of their own in one loop on several ranks
  // CASE: alone
  // ERROR: op_init: this is one of 2 processes, but the program is not linked for ranks: each would run all of it; compile it with op2c++ --op2-mpi, or start it once
  auto *kept = reinterpret_cast<double const *>(b->data);
  op_par_loop(add, "add", edges,
              op_arg_dat(a, 0, map, 1, "double", OP_READ),
              op_arg_dat(b, 1, map, 1, "double", OP_INC));
  // CASE: late-set
  // ERROR: op_decl_set more: ranks already have their parts of the mesh; expected every set and map to be declared before op_partition and the first loop
  if (is("late-set"))
    op_decl_set(3, "more");
  // CASE: late-map
  // ERROR: op_decl_map more: ranks already have their parts of the mesh
  if (is("late-map"))
    op_decl_map(edges, nodes, 2, table.data(), "more");
  // CASE: late-values
  // ERROR: dat late: rank 1 gives NULL for its rows, and others give values; expected values of all ranks, or of none
  if (is("late-values"))
    op_decl_dat(nodes, 1, "double", rank == 1 ? nullptr : zeros.data(), "late");
  // CASE: by-hand
  // ERROR: op_mpi_halo_exchanges_cuda: devices are not there yet on several ranks
  op_arg byHand = op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ);
  if (is("by-hand"))
    op_mpi_halo_exchanges_cuda(nodes, 1, &byHand);
  // CASE: by-hand-alone
  // ERROR: rank 0 runs op_mpi_halo_exchanges, its message number 8, and rank 1 a fetch of dat b (number 1), number 8; expected every rank to make the same declarations, and to run the same loops, in the same order
  if (is("by-hand-alone") && rank == 0)
    op_mpi_halo_exchanges(nodes, 1, &byHand);
  // CASE: by-hand-differs
  // ERROR: ranks run different loops: rank
  op_arg other = op_arg_dat(a, -1, OP_ID, 1, "double", OP_RW);
  if (is("by-hand-differs"))
    op_mpi_halo_exchanges(nodes, 1, rank == 0 ? &byHand : &other);
  if (is("by-hand-alone"))
    op_fetch_data(b, zeros.data());
  // CASE: looks
  // ERROR: dat b: the program looks at dat->data, which with OP2_RANKS=whole has no values once ranks have their parts; expected op_fetch_data, or OP2_RANKS=mirrored, with which each rank has all values there
  if (is("looks"))
    return reinterpret_cast<double *>(b->data)[size - 1] > 0;
  // CASE: kept
  // ERROR: dat b: the program looks at dat->data
  if (is("kept"))
    return *kept > 0;
  // CASE: looks-at-map
  // ERROR: map map: the program looks at map->map, which has no values once ranks have their parts; expected it to keep the table that it declared
  if (is("looks-at-map"))
    return map->map[2 * size - 1];
  // CASE: writes-to-map OP2_RANKS=mirrored
  // ERROR: map map: the program writes to map->map, but ranks have their parts of the table already; expected it to be filled before op_partition and the first loop
  if (is("writes-to-map"))
    map->map[map->map[0]] = 1;
  // CASE: writes
  // ERROR: dat a: the program looks at dat->data
  if (is("writes"))
    reinterpret_cast<double *>(a->data)[0] = 1;
  // CASE: moved
  // ERROR: dat a: dat->data is
  // CASE: moved-elsewhere
  // ERROR: expected it as it was, or exchanged with another dat on set nodes of 8 bytes an element: on several ranks the library's rows are elsewhere
  if (is("moved"))
    a->data = reinterpret_cast<char *>(zeros.data());
  if (is("moved-elsewhere"))
    std::swap(a->data, e->data);
  // CASE: segfault
  // ERROR: signal 11
  if (is("segfault"))
    *static_cast<volatile int *>(nullptr) = 1;
  // CASE: by-hand-no-realloc OP_NO_REALLOC OP2_RANKS=blocks
  // ERROR: op_mpi_halo_exchanges, argument 0: dat a lies in an array as it was declared (OP_NO_REALLOC, overlays), which has no imported rows; expected loops written for several ranks to have dats of their own
  if (is("by-hand-no-realloc"))
    op_mpi_halo_exchanges(nodes, 1, &byHand);
  // CASE: no-array OP_NO_REALLOC
  // ERROR: dat none: rank 1 gives NULL for its rows, and others give values; expected values of all ranks, or of none
  if (is("no-array"))
    op_decl_dat(nodes, 1, "double", rank == 1 ? nullptr : zeros.data(), "none");
  // CASE: read-by-name OP_NO_REALLOC
  // ERROR: loop byName: it changes dat stored, whose array the kernel reads by the name of a variable, too; on several ranks what a loop changes is not in the array (OP_NO_REALLOC, overlays, OP2_RANKS=mirrored) before it ends: expected it to be read as an argument of that dat
  op_dat stored = wanted.compare(0, 4, "read") == 0
                      ? op_decl_dat(nodes, 1, "double", store, "stored")
                      : a;
  if (is("read-by-name"))
    op_par_loop(byName, "byName", nodes,
                op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(stored, -1, OP_ID, 1, "double", OP_WRITE));
  // CASE: read-by-pointer OP_NO_REALLOC
  // ERROR: loop byPointer: it changes dat stored, whose array the kernel reads through a pointer of the program, too;
  if (is("read-by-pointer"))
    op_par_loop(byPointer, "byPointer", nodes,
                op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(stored, -1, OP_ID, 1, "double", OP_WRITE));
  // CASE: read-as-global OP_NO_REALLOC OP2_RANKS=mirrored
  // ERROR: loop byGlobal: it changes dat stored, whose array the kernel reads as a global, too;
  if (is("read-as-global"))
    op_par_loop(byGlobal, "byGlobal", nodes,
                op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(stored, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_gbl(store, 20, "double", OP_READ));
  // CASE: other-loop
  // ERROR: ranks do different things: rank 0 runs first, its message number
  if (is("other-loop") && rank == 0)
    op_par_loop(add, "first", edges,
                op_arg_dat(b, 0, map, 1, "double", OP_READ),
                op_arg_dat(a, 1, map, 1, "double", OP_INC));
  else if (is("other-loop"))
    op_par_loop(copy, "second", edges,
                op_arg_dat(b, 0, map, 1, "double", OP_READ),
                op_arg_dat(e, -1, OP_ID, 1, "double", OP_WRITE));
  // CASE: other-reduction
  // ERROR: messages do not fit together (MPI: || ranks do different things: rank
  double longer = 0;
  int shorter = 0;
  if (is("other-reduction") && rank == 0)
    op_par_loop(longSum, "long sum", nodes,
                op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&longer, 1, "double", OP_INC));
  for (int n = 0; is("other-reduction") && n < 2; ++n)
    op_par_loop(shortSum, "short sum", nodes,
                op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&shorter, 1, "int", OP_INC));
  // CASE: other-pending-loop OP2_CHAIN=always
  // ERROR: runs one, two, and of rank || runs one, three, and of rank
  for (int round = 0; is("other-pending-loop") && round < 4; ++round) {
    op_par_loop(copy, "one", nodes,
                op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(b, -1, OP_ID, 1, "double", OP_WRITE));
    if (round < 3 || rank == 0)
      op_par_loop(copy, "two", nodes,
                  op_arg_dat(b, -1, OP_ID, 1, "double", OP_READ),
                  op_arg_dat(a, -1, OP_ID, 1, "double", OP_WRITE));
    if (round < 3 || rank == 1)
      op_par_loop(copy, "three", nodes,
                  op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ),
                  op_arg_dat(b, -1, OP_ID, 1, "double", OP_WRITE));
  }
  // CASE: one-global
  // ERROR: argument 1: a global that another argument has as well is not there yet on several ranks
  int sum = 0;
  if (is("one-global"))
    op_par_loop(total, "total", nodes,
                op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&sum, 1, "int", OP_INC),
                op_arg_gbl(&sum, 1, "int", OP_INC));
  // CASE: global-rw OP2_STRICT=0
  // ERROR: argument 1: a global with OP_RW, of which each element sees what those before it have left, is not there yet on several ranks
  double last = 0;
  if (is("global-rw"))
    op_par_loop(longSum, "last", nodes,
                op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&last, 1, "double", OP_RW));
  // CASE: own-type OP2_STRICT=0
  // ERROR: argument 1: a sum or extremum of values of the application's type, other than by op_arg_reduce, is not there yet on several ranks
  Two two{};
  if (is("own-type"))
    op_par_loop(addTwo, "addTwo", nodes,
                op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&two, 1, "Two", OP_INC));
  // CASE: exits
  // ERROR: the program ends without op_exit, which the other ranks wait for
  if (is("exits"))
    std::exit(1);
  // CASE: leaves
  // ERROR: the program ends without op_exit, which the other ranks wait for
  if (is("leaves") && rank == 1)
    return 0;
  // CASE: killed
  // ERROR: signal 9
  if (is("killed") && rank == 1)
    std::raise(SIGKILL);
  // CASE: hangs OP2_RANKS_TIMEOUT=2
  // ERROR: op2 error (rank 0 of 2): this rank has waited in loop last for 2 s: rank 1 does not answer: it computes or hangs; expected every rank to come there within OP2_RANKS_TIMEOUT=2 s
  if (is("hangs") && rank == 1)
    for (;;)
      pause();
  // One sends rows, the others a sum: what they send does not meet (in chains they
  // would compare the loops first).
  // CASE: skips OP2_CHAIN=never
  // ERROR: op2 error (rank 0 of 2): no rank goes on: this one waits in loop reads, rank 1 waits in loop
  if (is("skips"))
    for (int n = 0; n < 400; ++n) {
      op_par_loop(halve, "halve", nodes,
                  op_arg_dat(b, -1, OP_ID, 1, "double", OP_RW));
      op_par_loop(longSum, "sum", nodes,
                  op_arg_dat(b, -1, OP_ID, 1, "double", OP_READ),
                  op_arg_gbl(&last, 1, "double", OP_INC));
      if (n == 300 && rank == 1)
        continue;
      op_par_loop(copy, "reads", edges,
                  op_arg_dat(b, 0, map, 1, "double", OP_READ),
                  op_arg_dat(e, -1, OP_ID, 1, "double", OP_WRITE));
    }
  // CASE: fewer-loops
  // ERROR: ranks do different things: rank 0 runs last, its message number 8, and rank 1 op_exit, number 8
  if (is("fewer-loops") && rank == 1) {
    op_exit();
    return 0;
  }
  op_par_loop(copy, "last", edges,
              op_arg_dat(b, 0, map, 1, "double", OP_READ),
              op_arg_dat(e, -1, OP_ID, 1, "double", OP_WRITE));
  op_fetch_data(e, zeros.data());
  op_exit();
  return 0;
}

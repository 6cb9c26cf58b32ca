// Memory that ends in the library ends the program, which would go on with half
// of what was to be done; where it is for tiles alone, loops run without.
//
// REQUIRES: no-sanitizer
// RUN: %op2cxx -O1 --op2-target=seq,openmp %s -o %t
// RUN: env OP2_RENUMBER=rcm not %t renumber 2>&1 | FileCheck %s --check-prefix=RENUMBER
// RUN: env OP2_RENUMBER=none OP2_TARGET=openmp not %t plan 2>&1 | FileCheck %s --check-prefix=PLAN
// RUN: env OP2_TARGET=openmp OP2_CHAIN=always OMP_NUM_THREADS=2 %t tiles | FileCheck %s --check-prefix=TILES
//
// RENUMBER-NOT: caught
// RENUMBER: op2 error: out of memory{{.*}} [op2-memory]
// PLAN-NOT: caught
// PLAN: op2 error: out of memory{{.*}} [op2-memory]
// TILES: op2: chain {{.*}}: loop after loop, there is not enough memory to find tiles
// TILES: sum 12276000000
#include "op_seq.h"

#include <cstdio>
#include <new>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>

static void scale(double *x) { *x *= 2; }
static void add(const double *x, double *a, double *b) {
  *a += *x;
  *b += *x;
}
static void total(const double *a, double *sum) { *sum += *a; }

static long usedBytes() {
  long pages = 0;
  std::FILE *file = std::fopen("/proc/self/statm", "r");
  if (!file || std::fscanf(file, "%ld", &pages) != 1)
    std::exit(2);
  std::fclose(file);
  return pages * 4096;
}
// From now on there is so much memory left.
static void limit(long bytes) {
  rlimit now = {};
  getrlimit(RLIMIT_AS, &now);
  now.rlim_cur = rlim_t(usedBytes() + bytes);
  setrlimit(RLIMIT_AS, &now);
}
template <class T> static T *allocate(int count) {
  return static_cast<T *>(mmap(nullptr, count * sizeof(T),
                               PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}

int main(int argc, char **argv) {
  std::string what = argc > 1 ? argv[1] : "";
  op_init(argc, argv, what == "tiles" ? 2 : 0);
  const int size = 3000000;
  int *table = allocate<int>(2 * size);
  double *ones = allocate<double>(size), *zeros = allocate<double>(size);
  bool isTiles = what == "tiles";
  for (int n = 0; n < size; ++n) {
    table[2 * n] = isTiles ? n : int(n * 7919ll % size);
    table[2 * n + 1] = isTiles ? (n + 1) % size : int((n + 13) * 7919ll % size);
    ones[n] = 1;
  }
  op_set edges = op_decl_set(size, "edges"), nodes = op_decl_set(size, "nodes");
  op_map map = op_decl_map(edges, nodes, 2, table, "map");
  op_dat x = op_decl_dat(edges, 1, "double", ones, "x");
  op_dat y = op_decl_dat(nodes, 1, "double", zeros, "y");
  auto runScale = [&] {
    op_par_loop(scale, "scale", edges,
                op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
  };
  auto runAdd = [&] {
    op_par_loop(add, "add", edges,
                op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(y, 0, map, 1, "double", OP_INC),
                op_arg_dat(y, 1, map, 1, "double", OP_INC));
  };
  double sum = 0;
  auto runTotal = [&] {
    op_par_loop(total, "total", nodes,
                op_arg_dat(y, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&sum, 1, "double", OP_INC));
  };
  // Plans, each of a loop by itself.
  for (int round = 0; isTiles && round < 4; ++round) {
    runScale();
    runTotal();
    op_printf("%.0f\n", sum);
    runAdd();
    runTotal();
    op_printf("%.0f\n", sum);
  }
  limit(isTiles ? 8 << 20 : 2 << 20);
  try {
    for (int round = 0; round < 6; ++round) {
      runScale();
      runAdd();
    }
    sum = 0;
    runTotal();
    op_printf("sum %.0f\n", sum);
  } catch (std::bad_alloc const &) {
    op_printf("caught\n");
  }
  op_exit();
}

// Kernels compiled with sanitizers are raised, and what is made of them is
// watched: AddressSanitizer sees rows behind the end of the program's array in
// vectors of elements; UBSan's checks of arithmetic stay, in kernels that are not
// raised then.
//
// REQUIRES: no-sanitizer
// RUN: %op2cxx -O2 -g -fsanitize=address --op2-report --op2-vector-bits=256 %s -o %t 2>&1 | FileCheck %s --check-prefixes=RAISED,WHOLE
// RUN: env ASAN_OPTIONS=detect_leaks=0 OMP_NUM_THREADS=2 %t right OP_NO_REALLOC | FileCheck %s --check-prefix=RIGHT
// RUN: env ASAN_OPTIONS=detect_leaks=0 OMP_NUM_THREADS=2 not %t short OP_NO_REALLOC 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: %op2cxx -O2 -g -fsanitize=address,undefined -fno-sanitize-recover=all --op2-report --op2-vector-bits=256 %s -o %t 2>&1 | FileCheck %s --check-prefixes=RAISED,CHECKED
// RUN: env ASAN_OPTIONS=detect_leaks=0 %t right OP_NO_REALLOC | FileCheck %s --check-prefix=RIGHT
// RUN: env ASAN_OPTIONS=detect_leaks=0 not %t short OP_NO_REALLOC 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: env ASAN_OPTIONS=detect_leaks=0 not %t large OP_NO_REALLOC 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: %op2cxx %unoptimized -O2 -fsanitize=undefined -fsanitize-trap=all --op2-report --op2-vector-bits=256 -c %s -o %t.o 2>&1 | FileCheck %s --check-prefixes=RAISED,CHECKED
// RUN: %op2cxx %unoptimized -O1 -fsanitize=undefined --op2-report --op2-vector-bits=256 -c %s -o %t.o 2>&1 | FileCheck %s --check-prefixes=RAISED,CHECKED
// RUN: %op2cxx %unoptimized -O1 -fsanitize=thread --op2-report --op2-vector-bits=256 -c %s -o %t.o 2>&1 | FileCheck %s --check-prefixes=RAISED,WHOLE
// RIGHT: 26 8
// SHORT: ERROR: AddressSanitizer: heap-buffer-overflow
// LARGE: runtime error: signed integer overflow
#include "op_seq.h"
#include <cstring>
#include <vector>

struct Point {
  double x, y;
};
static void scale(const Point *p, double *q) {
  for (int c = 0; c < 2; ++c)
    q[c] = 2 * (c == 0 ? p->x : p->y);
}
static void add(const double *q, double *sum) { *sum += q[0] + q[1]; }
static void count(const int *n, int *total) { *total += 2 * *n; }

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  bool isShort = argc > 1 && !std::strcmp(argv[1], "short");
  bool isLarge = argc > 1 && !std::strcmp(argv[1], "large");
  int const n = 1000;
  std::vector<double> p(isShort ? n : 2 * n, 3), q(2 * n), r(n, 2);
  std::vector<int> numbers(n, isLarge ? 2000000000 : 4), totals(n), table(n);
  for (int e = 0; e < n; ++e)
    table[e] = e;
  op_set set = op_decl_set(n, "set");
  op_map map = op_decl_map(set, set, 1, table.data(), "map");
  op_dat dp = op_decl_dat(set, 2, "double", p.data(), "p");
  op_dat dq = op_decl_dat(set, 2, "double", q.data(), "q");
  op_dat dr = op_decl_dat(set, 1, "double", r.data(), "r");
  op_dat dn = op_decl_dat(set, 1, "int", numbers.data(), "n");
  op_dat dt = op_decl_dat(set, 1, "int", totals.data(), "t");
  // RAISED-DAG: loop 'scale': vectorized across 4 elements
  op_par_loop(scale, "scale", set, op_arg_dat(dp, -1, OP_ID, 2, "double", OP_READ),
              op_arg_dat(dq, -1, OP_ID, 2, "double", OP_WRITE));
  // RAISED-DAG: loop 'add': row after row where the map leads to rows in ascending order; elsewhere vectorized across 4 elements
  op_par_loop(add, "add", set, op_arg_dat(dq, -1, OP_ID, 2, "double", OP_READ),
              op_arg_dat(dr, 0, map, 1, "double", OP_INC));
  op_par_loop(add, "add", set, op_arg_dat(dq, -1, OP_ID, 2, "double", OP_READ),
              op_arg_dat(dr, 0, map, 1, "double", OP_INC));
  // WHOLE-DAG: loop 'count': kernel raised
  // CHECKED-DAG: loop 'count': kernel not raised: it {{calls '__ubsan_handle_|uses 'llvm.intr.ubsantrap'}}
  op_par_loop(count, "count", set, op_arg_dat(dn, -1, OP_ID, 1, "int", OP_READ),
              op_arg_dat(dt, -1, OP_ID, 1, "int", OP_INC));
  op_printf("%g %d\n", r[n - 1], totals[n - 1]);
  op_exit();
}

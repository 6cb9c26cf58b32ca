// Ranks that go different ways between two loops run the same loops as one: two
// are fused only if nothing on any way between them could look at what the
// first one does.
//
// REQUIRES: mpi
// RUN: %op2cxx -O2 --op2-mpi --op2-target=openmp --op2-report %s -o %t 2> %t.report
// RUN: FileCheck %s --check-prefix=REPORT < %t.report
// RUN: env OP2_RANKS=whole %t > %t.alone
// RUN: env OP2_RANKS=whole %mpirun -n 2 %t | diff %t.alone -
// RUN: env OP2_RANKS=mirrored %mpirun -n 3 %t | diff %t.alone -
// RUN: env OP2_RANKS=whole %mpirun -n 2 %t diags | FileCheck %s
//
// REPORT-DAG: loop 'total' not fused with 'copy' {{.*}}: {{.*}} between them, perhaps on some ranks only
// REPORT-DAG: loop 'inner' not fused with 'outer' {{.*}}: {{.*}} between them, perhaps on some ranks only
// REPORT-DAG: loop 'copy' fused with 'add'
//
// Fused pairs that nothing comes between: as one, however often.
// CHECK: loop copy+add: ran 29 times

#include "op_seq.h"

#include <cstdio>
#include <cstring>
#include <vector>

static void copy(const double *a, double *b) { *b = *a + 1; }
static void add(const double *b, double *a) { *a += *b * 0.25; }
static void total(const double *b, double *s) { *s += *b; }
static void inner(const double *a, double *b) { *b = *a * 3; }
static void outer(const double *b, double *a) { *a -= *b * 0.125; }

static op_set s;
static op_dat a, b;

// The way back to the other loop leads out of the function.
[[gnu::noinline]] static void enclosed(int i) {
  op_par_loop(inner, "inner", s, op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(b, -1, OP_ID, 1, "double", OP_WRITE));
  if (op_is_root())
    printf("inner %d\n", i);
}

int main(int argc, char **argv) {
  op_init(argc, argv, argc > 1 && !std::strcmp(argv[1], "diags") ? 2 : 0);
  std::vector<double> v(100, 1), w(100, 0);
  s = op_decl_set(100, "s");
  a = op_decl_dat(s, 1, "double", v.data(), "a");
  b = op_decl_dat(s, 1, "double", w.data(), "b");
  for (int i = 0; i < 30; ++i) {
    double sum = 0;
    op_par_loop(total, "total", s,
                op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&sum, 1, "double", OP_INC));
    if (op_is_root())
      printf("%.17g\n", sum);
    op_par_loop(copy, "copy", s, op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(b, -1, OP_ID, 1, "double", OP_WRITE));
    op_par_loop(add, "add", s, op_arg_dat(b, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(a, -1, OP_ID, 1, "double", OP_INC));
    enclosed(i);
    op_par_loop(outer, "outer", s,
                op_arg_dat(b, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(a, -1, OP_ID, 1, "double", OP_INC));
  }
  op_exit();
}

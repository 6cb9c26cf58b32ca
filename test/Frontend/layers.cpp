// A loop over layers is one over their columns: rows are whole columns, the
// kernel has a loop around it, and a dat of the library's says which layers
// there are. What is wrong with its arguments is an error at its place.
//
// RUN: %op2cxx -O1 --op2-emit=op2 %s -DGOOD | FileCheck %s
// CHECK: llvm.func @{{.*}}heat{{.*}}.column.op2(%{{.*}}: !llvm.ptr{{.*}}, %{{.*}}: !llvm.ptr{{.*}}, %{{.*}}: !llvm.ptr{{.*}}, %{{.*}}: !llvm.ptr
// CHECK: op2.par_loop @{{.*}}heat{{.*}}.column.op2
// CHECK-NEXT: read %[[T:.*]] : !op2.dat<?xf64> via %[[M:.*]][0 to 3] : !op2.map<?>,
// CHECK-NEXT: inc %{{.*}} : !op2.dat<?xf64> via %[[M]][0 to 3] : !op2.map<?>,
// CHECK-NEXT: rw %{{.*}} : !op2.dat<?xf64>,
// CHECK-NEXT: read %{{.*}} : !op2.dat<2xi32>)
//
// RUN: %op2cxx -O3 -march=x86-64-v3 -c %s -DGOOD -o /dev/null --op2-report -Rpass=loop-vectorize 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: %op2cxx -O2 --op2-target=cuda --op2-emit=ptx %s -DGOOD -o - | FileCheck %s --check-prefix=PTX
// PTX: .entry op2_heat
// RUN: not %op2cxx -fsyntax-only %s -DBAD 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: %op2cxx -O1 -c %s -DRUNTIME -o /dev/null 2>&1 | FileCheck %s --check-prefix=RUNTIME
// RUN: not %clangxx -std=c++17 %op2api -fsyntax-only %s -DCOUNT 2>&1 | FileCheck %s --check-prefix=HEADER
// HEADER: op_par_loop: the kernel's number of parameters differs from the number of op_arg_... arguments
// RUN: not %clangxx -std=c++17 %op2api -fsyntax-only %s -DOTHER 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: op_par_loop: everything after the layers must be an op_arg, made by op_arg_dat_layers
// RUN: not %clangxx -std=c++17 %op2api -fsyntax-only %s -DLAMBDA 2>&1 | FileCheck %s --check-prefix=LAMBDA
// LAMBDA: the kernel must be a function with a pointer parameter for each op_arg
#include "op_seq.h"

// WIDE-DAG: [[#@LINE+1]]:1: remark: vectorized loop (vectorization width: 4, interleaved count: 1)
inline void heat(const double (*t)[2], double (*r)[2], double *w) {
  *w = 0;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 2; ++k) {
      *w += t[i][k];
      r[i][k] = t[i][k] * 2;
    }
}
inline void row(double *x) { *x += 1; }
inline void own(double *x) { x[0] = 2, x[1] = x[0] > 1; }
inline void tensor(double (*x)[3]) { x[0][0] += 1; }
struct Pair {
  double a, b;
};
inline void pairs(Pair *x) { x->a = 1; }

void run(op_layers prisms, op_set cells, op_map pcell, op_dat T, op_dat r, op_dat w, op_mat A, int n) {
#ifdef GOOD
  // WIDE-DAG: [[#@LINE+1]]:3: remark: loop 'heat': layers of a column together, in vectors where LLVM finds that it pays; threads divide them by block colours
  op_par_loop(heat, "heat", prisms,
              op_arg_dat_layers(T, -3, pcell, 0, 2, 1, "double", OP_READ),
              op_arg_dat_layers(r, -3, pcell, 0, 2, 1, "double", OP_INC),
              op_arg_dat_layers(w, -1, OP_ID, 0, 1, 1, "double", OP_WRITE));
  // Of any dat whose rows have the levels; what a kernel adds is its own.
  double *values = nullptr;
  op_dat any = op_decl_dat(cells, 22, "double", values, "any");
  op_par_loop(own, "own", prisms, op_arg_dat_layers(any, 0, pcell, 0, 2, 1, "double", OP_INC));
#endif
#ifdef BAD
  // BAD: [[#@LINE+1]]:{{.*}}error: op_arg_dat_layers is for loops over op_layers; this one runs over a set
  op_par_loop(row, "set", cells, op_arg_dat_layers(w, -1, OP_ID, 0, 1, 1, "double", OP_RW));
  // BAD: [[#@LINE+1]]:{{.*}}error: the number of levels is 0; expected at least 1
  op_par_loop(row, "none", prisms, op_arg_dat_layers(w, -1, OP_ID, 0, 0, 1, "double", OP_RW));
  // BAD: [[#@LINE+1]]:{{.*}}error: the first level of a layer is -1; expected at least 0
  op_par_loop(row, "below", prisms, op_arg_dat_layers(w, -1, OP_ID, -1, 1, 1, "double", OP_RW));
  // BAD: [[#@LINE+1]]:{{.*}}error: kernel parameter 'x' of type 'double (*)[3]' takes rows of 3 values, but the levels of a layer have 4
  op_par_loop(tensor, "rows", prisms, op_arg_dat_layers(T, -3, pcell, 0, 2, 2, "double", OP_INC));
  // BAD: [[#@LINE+1]]:{{.*}}error: type string 'float' does not match kernel parameter 'x' of type 'double *'
  op_par_loop(row, "type", prisms, op_arg_dat_layers(w, -1, OP_ID, 0, 1, 1, "float", OP_RW));
  // BAD: [[#@LINE+1]]:{{.*}}error: the dim must be at least 1
  op_par_loop(row, "dim", prisms, op_arg_dat_layers(w, -1, OP_ID, 0, 1, 0, "double", OP_RW));
  // BAD: [[#@LINE+1]]:{{.*}}error: index -1 with a map
  op_par_loop(row, "map", prisms, op_arg_dat_layers(w, -1, pcell, 0, 1, 1, "double", OP_RW));
  // BAD: [[#@LINE+1]]:{{.*}}error: OP_WORK is not an access mode of a dat
  op_par_loop(row, "work", prisms, op_arg_dat_layers(w, -1, OP_ID, 0, 1, 1, "double", OP_WORK));
  // BAD: [[#@LINE+1]]:{{.*}}error: a layer takes 3000 values of this argument; expected at most 1024
  op_par_loop(row, "many", prisms, op_arg_dat_layers(w, -3, pcell, 0, 1000, 1, "double", OP_READ));
  // BAD: [[#@LINE+1]]:{{.*}}error: a layer adds to 17 levels; expected at most 16
  op_par_loop(row, "adds", prisms, op_arg_dat_layers(w, -1, OP_ID, 0, 17, 1, "double", OP_INC));
  // BAD: [[#@LINE+1]]:{{.*}}error: loops over layers take no op_arg_mat; expected a dat with levels on op_mat_entries, through op_mat_places
  op_par_loop(tensor, "matrix", prisms, op_arg_mat(A, -3, pcell, -3, pcell, 1, 1, "double", OP_INC));
  // BAD: [[#@LINE+1]]:{{.*}}error: in a loop over layers the kernel cannot take the rows of an optional argument side by side
  op_par_loop(tensor, "optional", prisms, op_opt_arg_dat(n, T, -3, pcell, 3, "double", OP_INC));
  // BAD: [[#@LINE+1]]:{{.*}}error: the kernel takes 1 parameter, but this loop has 0 arguments
  op_par_loop(row, "count", prisms);
#endif
#ifdef RUNTIME
  // RUNTIME: [[#@LINE+1]]:{{.*}}warning: {{.*}}the levels of op_arg_dat_layers are not constants
  op_par_loop(row, "levels", prisms, op_arg_dat_layers(w, -1, OP_ID, 0, n, 1, "double", OP_RW));
  // RUNTIME: [[#@LINE+1]]:{{.*}}warning: {{.*}}levels of values of type 'pair'
  op_par_loop(pairs, "pairs", prisms, op_arg_dat_layers(w, -1, OP_ID, 0, 1, 1, "pair", OP_RW));
  // RUNTIME: [[#@LINE+1]]:{{.*}}warning: {{.*}}the dim of op_arg_dat_layers is not a constant
  op_par_loop(row, "dim", prisms, op_arg_dat_layers(w, -1, OP_ID, 0, 1, n, "double", OP_RW));
#endif
#ifdef COUNT
  op_par_loop(row, "count", prisms);
#endif
#ifdef OTHER
  op_par_loop(row, "other", prisms, w);
#endif
#ifdef LAMBDA
  op_par_loop([&](double *x) { *x = n; }, "lambda", prisms, op_arg_dat_layers(w, -1, OP_ID, 0, 1, 1, "double", OP_WRITE));
#endif
}

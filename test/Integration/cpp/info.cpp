// op_arg_info: what comes along with the least or greatest value. Several infos
// of one value, of several components, of values of several components; an info
// before the argument that it follows; an empty set; a value that nothing beats.
//
// RUN: %clangxx -O0 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev > %t.dev.out
// RUN: FileCheck %s < %t.dev.out
// RUN: %op2cxx %unoptimized -O1 -Werror=op2-sequential --op2-target=seq,openmp,emulator %s -o %t
// RUN: env OP2_TARGET=seq %t > %t.out && diff %t.dev.out %t.out
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=1 %t OP_PART_SIZE=7 > %t.out && diff %t.dev.out %t.out
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 %t OP_PART_SIZE=7 > %t.out && diff %t.dev.out %t.out
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 %t > %t.out && diff %t.dev.out %t.out
// RUN: %op2cxx -O3 -Werror=op2-sequential --op2-report --op2-vector-bits=512 %s -o %t 2> %t.report
// RUN: %if no-undefined-sanitizer %{ FileCheck %s --check-prefix=REPORT < %t.report %}
// RUN: env OMP_NUM_THREADS=3 %t > %t.out && diff %t.dev.out %t.out
// RUN: env OMP_NUM_THREADS=2 OP2_CHAIN=always OP2_TILE_SIZE=10 %t > %t.out && diff %t.dev.out %t.out
// RUN: %emulate %t.dev.out %s -- %op2cxx
//
// CHECK: farthest 996 at 500 (500, 2.5) sum 497004.5
// CHECK-NEXT: edge -2988 nodes 500 501 flag 1
// CHECK-NEXT: columns 996 995 994 at 500 499 498 names 5000 5001 4990 4991 4980 4981
// CHECK-NEXT: nothing better 5000 at -7
// CHECK-NEXT: empty 3 at 4
// CHECK-NEXT: step 0 largest {{[0-9.]+}} at
// CHECK: step 5 largest {{[0-9.]+}} at

// REPORT-DAG: loop 'farthest': vectorized across 8 elements
// REPORT-DAG: loop 'columns': not vectorized: argument 4 is of a type that has no lanes
// REPORT-DAG: loop 'smooth' fused with 'find largest'
// REPORT-DAG: loop 'find largest' may be delayed
#include "op_seq.h"

#include <cstdio>
#include <vector>

static const int n = 997;

static void farthest(const double *x, const int *where, int *at, double *most,
                     double *place, double *sum) {
  if (*x > *most) {
    *most = *x;
    *at = *where;
    place[0] = *where;
    place[1] = *where / 200.0;
  }
  *sum += *x + 0.5;
}
static void steepest(const double *a, const double *b, const int *i,
                     const int *j, long long *least, int *ends, bool *flag) {
  long long slope = (long long)(*b - *a) * (*a > 990 ? 3 : 1);
  if (slope < *least) {
    *least = slope;
    ends[0] = *i;
    ends[1] = *j;
    *flag = true;
  }
}
static void columns(const double *x, const int *where, double *most, int *at,
                    unsigned *names) {
  for (int c = 0; c < 3; ++c)
    if (*x > most[c] && *x + c <= 996) {
      most[c] = *x;
      at[c] = *where;
      names[2 * c] = unsigned(10 * *where);
      names[2 * c + 1] = unsigned(10 * *where + 1);
    }
}
static void find(const double *x, const int *where, float *most, int *at) {
  if (float(*x) > *most) {
    *most = float(*x);
    *at = *where;
  }
}

static void smooth(const double *z, double *w) { *w = *z * 0.5 + 1; }
static void largest(const double *w, const int *where, double *most, int *at) {
  if (*w > *most) {
    *most = *w;
    *at = *where;
  }
}
static void spread(double *a, double *b, const double *w) {
  *a += *w * 0.25;
  *b += *w * 0.125;
}

#define X op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ)

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  // Each value once; the greatest, 996, at 500.
  std::vector<double> values(n);
  std::vector<int> table;
  for (int i = 0; i < n; ++i) {
    values[size_t(i)] = i <= 500 ? 996 - (500 - i) : (i - 501) * 1.0;
    table.push_back(i);
    table.push_back((i + 1) % n);
  }
  op_set set = op_decl_set(n, "set"), none = op_decl_set(0, "none");
  op_map next = op_decl_map(set, set, 2, table.data(), "next");
  op_dat x = op_decl_dat(set, 1, "double", values.data(), "x");
  op_dat y = op_decl_dat(none, 1, "double", values.data(), "y");

  double most = -1e30, place[2] = {}, sum = 0;
  int at = 0;
  op_par_loop(farthest, "farthest", set, X, op_arg_idx(-1, OP_ID),
              op_arg_info(&at, 1, "int", 3),
              op_arg_gbl(&most, 1, "double", OP_MAX),
              op_arg_info(place, 2, "double", 3),
              op_arg_gbl(&sum, 1, "double", OP_INC));
  std::printf("farthest %g at %d (%g, %g) sum %.17g\n", most, at, place[0],
              place[1], sum);

  long long least = 0;
  int ends[2] = {};
  bool flag = false;
  op_par_loop(steepest, "steepest", set,
              op_arg_dat(x, 0, next, 1, "double", OP_READ),
              op_arg_dat(x, 1, next, 1, "double", OP_READ),
              op_arg_idx(0, next), op_arg_idx(1, next),
              op_arg_gbl(&least, 1, "ll", OP_MIN),
              op_arg_info(ends, 2, "int", 4),
              op_arg_info(&flag, 1, "bool", 4));
  std::printf("edge %lld nodes %d %d flag %d\n", least, ends[0], ends[1], flag);

  double best[3] = {-1, -1, -1};
  int ats[3] = {};
  unsigned names[6] = {};
  op_par_loop(columns, "columns", set, X, op_arg_idx(-1, OP_ID),
              op_arg_gbl(best, 3, "double", OP_MAX),
              op_arg_info(ats, 3, "int", 2),
              op_arg_info(names, 6, "uint", 2));
  std::printf("columns %g %g %g at %d %d %d names %u %u %u %u %u %u\n", best[0],
              best[1], best[2], ats[0], ats[1], ats[2], names[0], names[1],
              names[2], names[3], names[4], names[5]);

  float top = 5000;
  at = -7;
  op_par_loop(find, "find", set, X, op_arg_idx(-1, OP_ID),
              op_arg_gbl(&top, 1, "float", OP_MAX),
              op_arg_info(&at, 1, "int", 2));
  std::printf("nothing better %g at %d\n", double(top), at);

  top = 3;
  at = 4;
  op_par_loop(find, "find none", none,
              op_arg_dat(y, -1, OP_ID, 1, "double", OP_READ),
              op_arg_idx(-1, OP_ID), op_arg_gbl(&top, 1, "float", OP_MAX),
              op_arg_info(&at, 1, "int", 2));
  std::printf("empty %g at %d\n", double(top), at);

  // In a chain of loops, and as one with the loop before. Values that no sum
  // rounds, and no two alike.
  op_dat z = op_decl_dat(set, 1, "double", values.data(), "z");
  op_dat w = op_decl_dat(set, 1, "double", (double *)nullptr, "w");
  for (int step = 0; step < 6; ++step) {
    double high = 0;
    op_par_loop(smooth, "smooth", set,
                op_arg_dat(z, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(w, -1, OP_ID, 1, "double", OP_WRITE));
    op_par_loop(largest, "find largest", set,
                op_arg_dat(w, -1, OP_ID, 1, "double", OP_READ),
                op_arg_idx(-1, OP_ID), op_arg_gbl(&high, 1, "double", OP_MAX),
                op_arg_info(&at, 1, "int", 2));
    op_par_loop(spread, "spread", set,
                op_arg_dat(z, 0, next, 1, "double", OP_INC),
                op_arg_dat(z, 1, next, 1, "double", OP_INC),
                op_arg_dat(w, -1, OP_ID, 1, "double", OP_READ));
    std::printf("step %d largest %.17g at %d\n", step, high, at);
  }
  op_exit();
}

// A program of OP2 like any other: triangles of a plane, areas gathered at
// vertices, boundary lengths, extrema. Compiled for both targets and in the
// sequential development mode; the results agree to the last bit, because all
// numbers are small multiples of 1/4.
//
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-target=seq,openmp,emulator %s -o %t
// RUN: %clangxx -O2 -std=c++17 %op2api %s %op2lib -o %t.dev
// RUN: %t.dev > %t.expected
// RUN: FileCheck %s < %t.expected
// RUN: env OP2_TARGET=seq %t > %t.seq && diff %t.expected %t.seq
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=1 %t > %t.1 && diff %t.expected %t.1
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 %t OP_PART_SIZE=16 | grep -v '^op2: OP_PART' > %t.3 && diff %t.expected %t.3
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=2 OP2_CHECK_PLAN=1 %t OP_PART_SIZE=1 | grep -v '^op2: OP_PART' > %t.2 && diff %t.expected %t.2
// RUN: env OP2_TARGET=emulator OP2_CHECK_PLAN=1 %t > %t.out && diff %t.expected %t.out
// RUN: %emulate %t.expected %s -- %op2cxx
//
// CHECK: area 1764 smallest 0.5 largest 0.5 triangles 3528
// CHECK-NEXT: third corners: area 1764 first 43 last 1848

#include "op_seq.h"

#include <cstdio>
#include <vector>

double scale;

static inline double cross(const double *a, const double *b, const double *c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
}

static void area(const double *a, const double *b, const double *c,
                 double *area, double *va, double *vb, double *vc,
                 double *total, double *smallest, double *largest,
                 int *count) {
  *area = scale * cross(a, b, c);
  const double share = *area;
  *va += share;
  *vb += share;
  *vc += share;
  *total += *area;
  if (*area < *smallest)
    *smallest = *area;
  if (*area > *largest)
    *largest = *area;
  *count += 1;
}

static void gather(const double *share, const int *index, double *sum,
                   int *first, int *last) {
  *sum += *share;
  if (*index < *first)
    *first = *index;
  if (*index > *last)
    *last = *index;
}

int main(int argc, char **argv) {
  op_init(argc, argv, 1);
  const int n = 42;
  std::vector<double> x;
  std::vector<int> corners;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i)
      x.insert(x.end(), {double(i), double(j)});
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const int v = j * (n + 1) + i;
      corners.insert(corners.end(), {v, v + 1, v + n + 2});
      corners.insert(corners.end(), {v, v + n + 2, v + n + 1});
    }

  op_set vertices = op_decl_set((n + 1) * (n + 1), "vertices");
  op_set triangles = op_decl_set(2 * n * n, "triangles");
  op_map corner = op_decl_map(triangles, vertices, 3, corners.data(), "corner");
  op_dat p_x = op_decl_dat(vertices, 2, "double", x.data(), "p_x");
  op_dat p_area = op_decl_dat(triangles, 1, "double", (double *)NULL, "p_area");
  op_dat p_share =
      op_decl_dat(vertices, 1, "double", (double *)NULL, "p_share");
  scale = 0.5;
  op_decl_const(1, "double", &scale);
  op_partition("", "", NULL, NULL, NULL);

  double total = 0, smallest = 1e9, largest = -1e9, sum = 0;
  int count = 0, first = 1 << 30, last = -1;
  op_par_loop(area, "area", triangles,
              op_arg_dat(p_x, 0, corner, 2, "double", OP_READ),
              op_arg_dat(p_x, 1, corner, 2, "double", OP_READ),
              op_arg_dat(p_x, 2, corner, 2, "double", OP_READ),
              op_arg_dat(p_area, -1, OP_ID, 1, "double", OP_WRITE),
              op_arg_dat(p_share, 0, corner, 1, "double", OP_INC),
              op_arg_dat(p_share, 1, corner, 1, "double", OP_INC),
              op_arg_dat(p_share, 2, corner, 1, "double", OP_INC),
              op_arg_gbl(&total, 1, "double", OP_INC),
              op_arg_gbl(&smallest, 1, "double", OP_MIN),
              op_arg_gbl(&largest, 1, "double", OP_MAX),
              op_arg_gbl(&count, 1, "int", OP_INC));
  op_printf("area %g smallest %g largest %g triangles %d\n", total, smallest,
            largest, count);
  op_par_loop(gather, "gather", triangles,
              op_arg_dat(p_area, -1, OP_ID, 1, "double", OP_READ),
              op_arg_idx(2, corner), op_arg_gbl(&sum, 1, "double", OP_INC),
              op_arg_gbl(&first, 1, "int", OP_MIN),
              op_arg_gbl(&last, 1, "int", OP_MAX));
  op_printf("third corners: area %g first %d last %d\n", sum, first, last);

  std::vector<double> share((n + 1) * (n + 1));
  op_fetch_data(p_share, share.data());
  for (double value : share)
    op_printf("%.17g\n", value);
  op_exit();
}

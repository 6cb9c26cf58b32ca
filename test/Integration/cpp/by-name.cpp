// Kernels that read by its name what is also the storage of a dat
// (OP_NO_REALLOC): loops that change it neither wait beyond them, nor are fused
// with them, nor leave their results on a device.
// RUN: %clangxx -std=c++17 -O0 %s %op2api -o %t.seq %op2lib
// RUN: %t.seq OP_NO_REALLOC > %t.expected
// RUN: %lenient_op2cxx -O2 --op2-target=openmp,emulator %s -o %t
// RUN: env OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=7 OMP_NUM_THREADS=3 %t OP_NO_REALLOC | diff %t.expected -
// RUN: env OP2_CHAIN=never OMP_NUM_THREADS=3 %t OP_NO_REALLOC | diff %t.expected -
// RUN: env OMP_NUM_THREADS=2 %t OP_NO_REALLOC | diff %t.expected -
// RUN: env OP2_TARGET=emulator OP2_STRICT=0 %t OP_NO_REALLOC | diff %t.expected -
// RUN: %lenient_op2cxx -O2 --op2-no-raise --op2-target=openmp %s -o %t.plain
// RUN: env OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=7 OMP_NUM_THREADS=3 %t.plain OP_NO_REALLOC | diff %t.expected -
#include "op_seq.h"
#include <cstdio>

constexpr int kSize = 1000;
static double values[kSize], sums[kSize];
double *const table[] = {sums, values};
extern double elsewhere[];
extern double alsoValues[kSize] __attribute__((alias("storage")));
double storage[kSize];
static double total = 0;

inline void addOne(double *v) { *v += 1; }
inline void addNext(const int *n, const double *v, double *s) { *s += *v + values[(*n + 1) % kSize]; }
inline void addByTable(const int *n, double *s) { *s += table[1][(*n + 7) % kSize] * 3; }
inline void addAlias(const int *n, double *s) { *s += alsoValues[(*n + 3) % kSize]; }
inline void addElsewhere(const int *n, double *s) { *s += elsewhere[(*n + 5) % kSize]; }
// Devices cannot have this one: the host runs it, and reads what they have.
static double *kept;
inline void addKept(const int *n, double *s) { *s += kept[(*n + 11) % kSize]; }
inline void sumUp(const double *s, double *t) { *t += *s; }
inline void scale(double *s) { *s = *s / 2 + total; }
inline void half(double *v) { *v *= 0.5; }

double elsewhere[kSize];

static void print(char const *what, double *data) {
  double sum = 0, last = 0;
  for (int n = 0; n < kSize; ++n)
    sum += (last = data[n]) * (n % 17);
  std::printf("%s %.17g %.17g\n", what, sum, last);
}

int main(int argc, char **argv) {
  op_init(argc, argv, 1);
  for (int n = 0; n < kSize; ++n)
    values[n] = n % 13, sums[n] = n % 5, storage[n] = n % 7, elsewhere[n] = n % 3;
  op_set set = op_decl_set(kSize, "set");
  op_dat v = op_decl_dat(set, 1, "double", values, "v");
  op_dat s = op_decl_dat(set, 1, "double", sums, "s");
  op_dat a = op_decl_dat(set, 1, "double", storage, "a");
  op_dat e = op_decl_dat(set, 1, "double", elsewhere, "e");
  kept = reinterpret_cast<double *>(e->data);
  for (int round = 0; round < 12; ++round) {
    op_par_loop(addOne, "add one", set, op_arg_dat(v, -1, OP_ID, 1, "double", OP_RW));
    op_par_loop(addNext, "add next", set, op_arg_idx(-1, OP_ID), op_arg_dat(v, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(s, -1, OP_ID, 1, "double", OP_INC));
    op_par_loop(half, "half", set, op_arg_dat(v, -1, OP_ID, 1, "double", OP_RW));
    op_par_loop(addByTable, "add by table", set, op_arg_idx(-1, OP_ID), op_arg_dat(s, -1, OP_ID, 1, "double", OP_INC));
    op_par_loop(addOne, "add one to a", set, op_arg_dat(a, -1, OP_ID, 1, "double", OP_RW));
    op_par_loop(addAlias, "add alias", set, op_arg_idx(-1, OP_ID), op_arg_dat(s, -1, OP_ID, 1, "double", OP_INC));
    op_par_loop(addOne, "add one to e", set, op_arg_dat(e, -1, OP_ID, 1, "double", OP_RW));
    op_par_loop(addElsewhere, "add elsewhere", set, op_arg_idx(-1, OP_ID), op_arg_dat(s, -1, OP_ID, 1, "double", OP_INC));
    op_par_loop(addOne, "add again", set, op_arg_dat(e, -1, OP_ID, 1, "double", OP_RW));
    op_par_loop(addKept, "add kept", set, op_arg_idx(-1, OP_ID), op_arg_dat(s, -1, OP_ID, 1, "double", OP_INC));
    total = 0;
    op_par_loop(sumUp, "sum up", set, op_arg_dat(v, -1, OP_ID, 1, "double", OP_READ), op_arg_gbl(&total, 1, "double", OP_INC));
    op_par_loop(scale, "scale", set, op_arg_dat(s, -1, OP_ID, 1, "double", OP_RW));
  }
  for (op_dat dat : {v, s, a, e})
    op_fetch_data(dat, reinterpret_cast<double *>(dat->data));
  print("v", values);
  print("s", sums);
  print("a", storage);
  print("e", elsewhere);
  std::printf("%.17g\n", total);
  op_exit();
}

// The smaller or larger one of two zeros, of a NaN and a number, and powers of
// numbers that only some versions of a kernel know: what a processor does with
// its operands in one order or the other, LLVM would choose for each version.
//
// RUN: %op2cxx -O2 -march=x86-64-v3 -Werror=op2-sequential --op2-target=seq,openmp,emulator %s -o %t
// RUN: env OP2_TARGET=seq %t > %t.seq && FileCheck %s < %t.seq
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=1 %t | diff %t.seq -
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=2 %t | diff %t.seq -
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 %t OP_PART_SIZE=5 | diff %t.seq -
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=40 %t | diff %t.seq -
// RUN: env OP2_TARGET=emulator %t | diff %t.seq -
// RUN: %op2cxx -Oz -march=x86-64-v4 -Werror=op2-sequential --op2-target=openmp,emulator %s -o %t
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 %t OP_PART_SIZE=3 | diff %t.seq -
// RUN: env OP2_TARGET=emulator %t | diff %t.seq -
//
// CHECK: smaller {{[1-9][0-9]*}} of 10003 are -0, larger {{[1-9][0-9]*}}, floats {{[1-9][0-9]*}}, signs {{.*}}, power {{.*}}
// CHECK: sums: 65 are -0
#include "op_seq.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

static void choose(const double *d, const int *i, double *small, double *large,
                   float *single) {
  double other = *i > 5 ? 0.0 : -0.0;
  *small = std::fmin(*d, other);
  *large = *i % 3 == 1 ? std::fmax(other, *d) : std::fmax(*d, -other);
  *single = std::fmin(std::fmax(float(*d), float(other)), -float(*d));
}
static void count(const double *d, const int *i, double *left, double *right) {
  double least = std::fmin(*d, *i > 5 ? 0.0 : -0.0);
  *left += std::copysign(1.0, least);
  *right += 0.5 * std::copysign(1.0, std::fmax(least, *d));
}
// More than are summed exactly.
static void addMany(const int *i, double *sums) {
  for (int n = 0; n < 65; ++n)
    if (n % 2 && *i >= 0)
      sums[n] += -0.0;
}
static void power(const double *d, double *y) {
  double x = *d > 1e300 ? *d : 1.1234567;
  *y += __builtin_powi(x, 13) + double(__builtin_powif(float(x), 5));
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  constexpr int n = 10003;
  std::vector<double> ds(n), out(n), zero(n);
  std::vector<float> floats(n);
  std::vector<int> is(n), table(2 * n);
  for (int e = 0; e < n; ++e) {
    ds[e] = e % 7 == 0 ? std::nan("") : e % 2 ? 0.0 : -0.0;
    is[e] = e % 11;
    table[2 * e] = e;
    table[2 * e + 1] = (e + 1) % n;
  }
  op_set set = op_decl_set(n, "set"), rows = op_decl_set(n, "rows");
  op_map map = op_decl_map(set, rows, 2, table.data(), "map");
  op_dat d = op_decl_dat(set, 1, "double", ds.data(), "d");
  op_dat i = op_decl_dat(set, 1, "int", is.data(), "i");
  op_dat small = op_decl_dat(set, 1, "double", out.data(), "small");
  op_dat large = op_decl_dat(set, 1, "double", out.data(), "large");
  op_dat single = op_decl_dat(set, 1, "float", floats.data(), "single");
  op_dat sums = op_decl_dat(rows, 1, "double", zero.data(), "sums");
  op_dat powers = op_decl_dat(set, 1, "double", zero.data(), "powers");
  op_par_loop(choose, "choose", set, op_arg_dat(d, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(i, -1, OP_ID, 1, "int", OP_READ),
              op_arg_dat(small, -1, OP_ID, 1, "double", OP_WRITE),
              op_arg_dat(large, -1, OP_ID, 1, "double", OP_WRITE),
              op_arg_dat(single, -1, OP_ID, 1, "float", OP_WRITE));
  op_par_loop(count, "count", set, op_arg_dat(d, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(i, -1, OP_ID, 1, "int", OP_READ),
              op_arg_dat(sums, 0, map, 1, "double", OP_INC),
              op_arg_dat(sums, 1, map, 1, "double", OP_INC));
  op_par_loop(power, "power", set, op_arg_dat(d, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(powers, -1, OP_ID, 1, "double", OP_INC));
  auto countZeros = [&](auto &values) {
    int negative = 0;
    for (auto value : values)
      negative += value == 0 && std::signbit(value);
    return negative;
  };
  op_fetch_data(small, out.data());
  std::printf("smaller %d of %d are -0, ", countZeros(out), n);
  op_fetch_data(large, out.data());
  std::printf("larger %d, ", countZeros(out));
  op_fetch_data(single, floats.data());
  std::printf("floats %d, signs ", countZeros(floats));
  double sum = 0;
  op_fetch_data(sums, out.data());
  for (double value : out)
    sum = sum * 0.999 + value;
  std::printf("%.17g, power ", sum);
  op_fetch_data(powers, out.data());
  std::printf("%.17g\n", out[0]);
  std::vector<double> many(65, -0.0);
  op_par_loop(addMany, "add many", set, op_arg_dat(i, -1, OP_ID, 1, "int", OP_READ),
              op_arg_gbl(many.data(), 65, "double", OP_INC));
  std::printf("sums: %d are -0\n", countZeros(many));
  op_exit();
}

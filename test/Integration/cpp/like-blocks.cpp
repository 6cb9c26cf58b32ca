// Blocks of a kernel that differ in constants only stay apart: LLVM needs
// immediates of inline assembly and of intrinsics, counters of profiles, and types
// of exceptions as constants.
//
// RUN: %op2cxx -O2 -march=x86-64-v3 -Werror=op2-sequential --op2-target=seq,openmp %s -o %t
// RUN: env OP2_TARGET=seq %t > %t.seq
// RUN: FileCheck %s < %t.seq
// RUN: env OP2_TARGET=openmp %t | diff %t.seq -
// RUN: %optimizing_op2cxx -O2 -march=x86-64-v3 -fprofile-instr-generate --op2-target=seq,openmp %s -o %t.counts
// RUN: env LLVM_PROFILE_FILE=%t.profraw OP2_TARGET=seq %t.counts | diff %t.seq -
// RUN: env LLVM_PROFILE_FILE=%t.profraw OP2_TARGET=openmp %t.counts | diff %t.seq -
//
// CHECK: assembly: 22 11 33 0 0 0 11
// CHECK-NEXT: intrinsics: 1 2 1 1.5 1.5 1.5 2
// CHECK-NEXT: exceptions: 7 7 7 0 0 0 7
// CHECK-NEXT: jumps: 1 1.5 1.5 2 2.55078 1.5 1.5

#include "op_seq.h"

#include <cstdio>
#include <immintrin.h>

static void assembly(const int *key, double *y) {
  long r = 0;
  switch (*key) {
  case 1:
    __asm__("leaq %c1, %0" : "=r"(r) : "i"(11));
    break;
  case 2:
    __asm__("leaq %c1, %0" : "=r"(r) : "i"(22));
    break;
  case 3:
    __asm__("leaq %c1, %0" : "=r"(r) : "i"(33));
    break;
  }
  y[0] = static_cast<double>(r);
}

static void intrinsics(const int *key, double *y) {
  __m128d r = _mm_set_sd(1.5);
  switch (*key) {
  case 1:
    r = _mm_round_sd(r, r, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
    break;
  case 2:
    r = _mm_round_sd(r, r, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
    break;
  case 3:
    r = _mm_round_sd(r, r, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
    break;
  }
  y[0] = _mm_cvtsd_f64(r);
}

__attribute__((noinline)) static void fail(int n) {
  if (n == 1)
    throw 1;
  if (n == 2)
    throw 2.5;
  if (n == 3)
    throw 2.5F;
}
static void exceptions(const int *key, double *y) {
  double r = 0;
  switch (*key) {
  case 1:
    try {
      fail(1);
    } catch (int) {
      r = 7;
    }
    break;
  case 2:
    try {
      fail(2);
    } catch (double) {
      r = 7;
    }
    break;
  case 3:
    try {
      fail(3);
    } catch (float) {
      r = 7;
    }
    break;
  }
  y[0] = r;
}

static void jumps(const int *key, double *y) {
  y[0] = 1;
  int n = static_cast<unsigned>(*key) % 11;
  switch (n) {
  case 0:
    do {
      y[0] += 1;
      [[fallthrough]];
    case 7:
      y[0] *= 0.75;
    } while (--n > 3);
    break;
  case 10:
    y[0] = 1;
    break;
  case 9:
    y[0] *= 3;
    break;
  case 2:
    return;
  }
  y[0] += 0.5;
}

static const int size = 7;

static void print(const char *name, op_dat dat) {
  double values[size];
  op_fetch_data(dat, values);
  std::printf("%s:", name);
  for (double value : values)
    std::printf(" %g", value);
  std::printf("\n");
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  int few[] = {2, 1, 3, 0, 4, 5, 1}, more[] = {2, 1, 3, 0, 7, 4, 100};
  double zeros[size] = {};
  op_set set = op_decl_set(size, "set");
  op_dat key = op_decl_dat(set, 1, "int", few, "key");
  op_dat other = op_decl_dat(set, 1, "int", more, "other");
  op_dat y = op_decl_dat(set, 1, "double", zeros, "y");
  op_par_loop(assembly, "assembly", set,
              op_arg_dat(key, -1, OP_ID, 1, "int", OP_READ),
              op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
  print("assembly", y);
  op_par_loop(intrinsics, "intrinsics", set,
              op_arg_dat(key, -1, OP_ID, 1, "int", OP_READ),
              op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
  print("intrinsics", y);
  op_par_loop(exceptions, "exceptions", set,
              op_arg_dat(key, -1, OP_ID, 1, "int", OP_READ),
              op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
  print("exceptions", y);
  op_par_loop(jumps, "jumps", set,
              op_arg_dat(other, -1, OP_ID, 1, "int", OP_READ),
              op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
  print("jumps", y);
  op_exit();
}

// Sums of any bits: numbers of any size, near the ends of what there is, none
// at all, zeros of both signs, and ties. On a device they are rounded by code
// of their own, which must come to the bits of the host's, the global's value
// from before the loop included.
//
// RUN: %op2cxx %unoptimized -O1 -Werror=op2-sequential \
// RUN:   --op2-target=seq,openmp,emulator %s -o %t
// RUN: env OP2_TARGET=seq %t > %t.seq
// RUN: FileCheck %s < %t.seq
// RUN: env OP2_TARGET=openmp %t > %t.openmp && diff %t.seq %t.openmp
// RUN: env OP2_TARGET=emulator %t > %t.emulator && diff %t.seq %t.emulator

// Each kind is there, with results of all kinds.
// CHECK-DAG: {{^}}1 {{.*}} 7ff0000000000000
// CHECK-DAG: {{^}}1 {{.*}} ff800000
// CHECK-DAG: {{^}}2 {{.*}} 805fc998215a06f8
// CHECK-DAG: {{^}}4 {{.*}} 7ff8000000000000 7fc00000
// CHECK-DAG: {{^}}5 {{.*}} 0000000000000000 00000000
// CHECK-DAG: {{^}}6 {{.*}} 8000000000000000 80000000
// CHECK-DAG: {{^}}7 {{.*}} 4340000000000005

#include "op_seq.h"

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

static void sum(const double *a, const float *b, double *wide, float *narrow) {
  *wide += *a;
  *narrow += *b;
}

template <class T, class Bits> static T of(Bits bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// Any bits; exponents near the ends; halves of last bits, whose ties decide.
static std::uint64_t pick(std::mt19937_64 &next, int kind, int exponents,
                          int mantissa) {
  std::uint64_t bits = next();
  std::uint64_t sign = next() & 1, field = 0, last = (1ull << exponents) - 1;
  switch (kind) {
  case 0:
    field = bits >> 8 & last;
    break; // any
  case 1:
    field = last - 1 - next() % 4;
    break; // greatest
  case 2:
    field = next() % 3;
    break; // least
  case 3:
    field = last / 2 + next() % 40;
    break; // usual
  case 4:
    field = next() % 50 ? last / 2 + next() % 60 : last;
    break; // no numbers
  case 5:
    return sign << (exponents + mantissa); // zeros
  case 6:
    return std::uint64_t(1) << (exponents + mantissa); // minus zero
  default:                                             // ties
    field = last / 2 + (next() % 3 ? 0 : mantissa + 1);
    bits = next() % 4;
  }
  return sign << (exponents + mantissa) | field << mantissa |
         (bits & ((1ull << mantissa) - 1));
}

int main(int argc, char **argv) {
  op_init(argc, argv, 1);
  std::mt19937_64 next(7);
  for (int number = 0; number < 320; ++number) {
    int kind = number % 8, size = int(next() % 300);
    std::vector<double> a(size);
    std::vector<float> b(size);
    for (int n = 0; n < size; ++n) {
      a[n] = of<double>(pick(next, kind, 11, 52));
      b[n] = of<float>(std::uint32_t(pick(next, kind, 8, 23)));
    }
    double wide = of<double>(pick(next, kind, 11, 52));
    float narrow = of<float>(std::uint32_t(pick(next, kind, 8, 23)));
    op_set s = op_decl_set(size, "s");
    op_dat da = op_decl_dat(s, 1, "double", a.data(), "a");
    op_dat db = op_decl_dat(s, 1, "float", b.data(), "b");
    op_par_loop(sum, "sum", s, op_arg_dat(da, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(db, -1, OP_ID, 1, "float", OP_READ),
                op_arg_gbl(&wide, 1, "double", OP_INC),
                op_arg_gbl(&narrow, 1, "float", OP_INC));
    std::uint64_t w;
    std::uint32_t f;
    std::memcpy(&w, &wide, 8);
    std::memcpy(&f, &narrow, 4);
    op_printf("%d %d %016" PRIx64 " %08x\n", kind, size, w, f);
  }
  op_exit();
}

// Every value type, direct, through a map, and as reduced globals.
//
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-target=seq,openmp,emulator %s -o %t
// RUN: env OP2_TARGET=seq %t > %t.seq
// RUN: FileCheck %s < %t.seq
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 %t OP_PART_SIZE=4 | grep -v '^op2: OP_PART' > %t.omp && diff %t.seq %t.omp
// RUN: %clangxx -O0 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev > %t.dev.out && diff %t.seq %t.dev.out
// RUN: env OP2_TARGET=emulator OP2_CHECK_PLAN=1 %t > %t.out && diff %t.seq %t.out
// RUN: %emulate %t.seq %s -- %op2cxx
//
// CHECK: double sum 99 min 0 max 3 node 9
// CHECK-NEXT: float sum 99 min 0 max 3 node 9
// CHECK-NEXT: int sum 99 min 0 max 3 node 9
// CHECK-NEXT: uint sum 99 min 0 max 3 node 9
// CHECK-NEXT: ll sum 99 min 0 max 3 node 9
// CHECK-NEXT: ull sum 99 min 0 max 3 node 9
// CHECK-NEXT: char sum 99 min 0 max 3 node 9
// CHECK-NEXT: uchar sum 99 min 0 max 3 node 9
// CHECK-NEXT: short sum 99 min 0 max 3 node 9
// CHECK-NEXT: ushort sum 99 min 0 max 3 node 9
// CHECK-NEXT: uint max 4294967295
// CHECK-NEXT: uchar max 255, sum 82
// CHECK-NEXT: bool 34 of 67

#include "op_seq.h"

#include <vector>

typedef unsigned char uchar;

template <class T> void stir(const T *v, T *node, T *sum, T *min, T *max) {
  *node += *v;
  *sum += *v;
  *min = *v < *min ? *v : *min;
  *max = *v > *max ? *v : *max;
}

inline void isEven(const int *index, bool *flag) { *flag = *index % 2 == 0; }
inline void countSet(const bool *flag, int *count) { *count += *flag ? 1 : 0; }
inline void largestOfBytes(const unsigned char *v, unsigned char *max,
                           unsigned char *sum) {
  *max = *v > *max ? *v : *max;
  *sum += *v;
}
inline void largest(const uint *v, uint *max) {
  if (*v > *max)
    *max = *v;
}

template <class T> static const char *nameOf();
template <> const char *nameOf<double>() { return "double"; }
template <> const char *nameOf<float>() { return "float"; }
template <> const char *nameOf<int>() { return "int"; }
template <> const char *nameOf<uint>() { return "uint"; }
template <> const char *nameOf<ll>() { return "ll"; }
template <> const char *nameOf<ull>() { return "ull"; }
template <> const char *nameOf<char>() { return "char"; }
template <> const char *nameOf<unsigned char>() { return "uchar"; }
template <> const char *nameOf<short>() { return "short"; }
template <> const char *nameOf<unsigned short>() { return "ushort"; }

#define STIR(T, NAME)                                                          \
  {                                                                            \
    std::vector<T> values(67);                                                 \
    for (size_t i = 0; i < 67; ++i)                                            \
      values[i] = T(i % 4);                                                    \
    op_dat v = op_decl_dat(elements, 1, NAME, values.data(), "v");             \
    op_dat node = op_decl_dat(nodes, 1, NAME, (T *)NULL, "node");              \
    T sum = 0, min = 1, max = 1;                                               \
    op_par_loop(stir<T>, "stir", elements,                                     \
                op_arg_dat(v, -1, OP_ID, 1, NAME, OP_READ),                    \
                op_arg_dat(node, 0, map, 1, NAME, OP_INC),                     \
                op_arg_gbl(&sum, 1, NAME, OP_INC),                             \
                op_arg_gbl(&min, 1, NAME, OP_MIN),                             \
                op_arg_gbl(&max, 1, NAME, OP_MAX));                            \
    std::vector<T> out(11);                                                    \
    op_fetch_data(node, out.data());                                           \
    op_printf("%s sum %g min %g max %g node %g\n", nameOf<T>(), double(sum),   \
              double(min), double(max), double(out[10]));                      \
  }

int main(int argc, char **argv) {
  op_init(argc, argv, 1);
  std::vector<int> table(67);
  for (int i = 0; i < 67; ++i)
    table[i] = i % 11;
  op_set elements = op_decl_set(67, "elements");
  op_set nodes = op_decl_set(11, "nodes");
  op_map map = op_decl_map(elements, nodes, 1, table.data(), "map");
  STIR(double, "double")
  STIR(float, "float")
  STIR(int, "int")
  STIR(uint, "uint")
  STIR(ll, "ll")
  STIR(ull, "ull")
  STIR(char, "char")
  STIR(uchar, "uchar")
  STIR(short, "short")
  STIR(ushort, "ushort")

  // Unsigned values compare as such.
  std::vector<uint> big(67, 5u);
  big[3] = 4294967295u;
  op_dat b = op_decl_dat(elements, 1, "uint", big.data(), "b");
  uint max = 7;
  op_par_loop(largest, "largest", elements,
              op_arg_dat(b, -1, OP_ID, 1, "uint", OP_READ),
              op_arg_gbl(&max, 1, "uint", OP_MAX));
  op_printf("uint max %u\n", max);

  // Sums of bytes wrap around: 5 * 66 + 255 + 9 modulo 256.
  std::vector<unsigned char> bytes(67, 5);
  bytes[3] = 255;
  op_dat byte = op_decl_dat(elements, 1, "unsigned char", bytes.data(), "byte");
  unsigned char most = 7, sum = 9;
  op_par_loop(largestOfBytes, "largestOfBytes", elements,
              op_arg_dat(byte, -1, OP_ID, 1, "uchar", OP_READ),
              op_arg_gbl(&most, 1, "uchar", OP_MAX),
              op_arg_gbl(&sum, 1, "uint8", OP_INC));
  op_printf("uchar max %d, sum %d\n", most, sum);

  op_dat flag = op_decl_dat(elements, 1, "bool", (bool *)NULL, "flag");
  int count = 0;
  op_par_loop(isEven, "isEven", elements, op_arg_idx(-1, OP_ID),
              op_arg_dat(flag, -1, OP_ID, 1, "bool", OP_WRITE));
  op_par_loop(countSet, "countSet", elements,
              op_arg_dat(flag, -1, OP_ID, 1, "bool", OP_READ),
              op_arg_gbl(&count, 1, "int", OP_INC));
  op_printf("bool %d of %d\n", count, 67);
  op_exit();
}

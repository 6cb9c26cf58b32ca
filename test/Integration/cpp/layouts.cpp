// Direct data of many widths, in sets that are no whole number of blocks, and
// dats that loops want in different layouts. All numbers are small integers.
//
// RUN: %clangxx -O0 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev > %t.dev.out
// RUN: FileCheck %s < %t.dev.out
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-target=seq,emulator %s -o %t
// RUN: env OP2_TARGET=seq %t > %t.out && diff %t.dev.out %t.out
// RUN: env OP2_TARGET=emulator OP2_EMULATOR_SEED=5 %t > %t.out && diff %t.dev.out %t.out
// RUN: %emulate %t.dev.out %s -- %op2cxx
// RUN: %op2cxx -O0 -Werror=op2-sequential --op2-target=emulator %s -o %t
// RUN: env OP2_TARGET=emulator %t > %t.out && diff %t.dev.out %t.out
// RUN: env OP2_TARGET=emulator %t report | FileCheck %s --check-prefix=CONVERTED
//
// CHECK: double[17] of 331
// CHECK: mixed
// The program's own wish: its loops disagree.
// CONVERTED: op2: dat mixed was converted to another layout on the device {{[1-9][0-9]*}} times, {{.*}} the last time for loop

#include "op_seq.h"

#include <cstring>
#include <vector>

template <class T, int D>
void direct(const T *read, T *write, T *rw, T *inc, T *total) {
  for (int i = 0; i < D; ++i) {
    write[i] = T(read[i] + T(1));
    rw[i] = T(rw[i] + read[D - 1 - i]);
    inc[i] += T(i % 2);
    *total += write[i];
  }
}

template <class T>
static op_dat declare(op_set set, int dim, const char *type, const char *name,
                      int factor) {
  std::vector<T> values(size_t(set->size) * size_t(dim));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = T((int(i) * factor) % 7);
  return op_decl_dat(set, dim, type, values.data(), name);
}

template <class T> static void print(const char *what, op_dat dat) {
  std::vector<T> values(size_t(dat->set->size) * size_t(dat->dim));
  op_fetch_data(dat, values.data());
  double sum = 0, weighted = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    sum += double(values[i]);
    weighted += double(values[i]) * double(i % 29);
  }
  op_printf("%s[%d] of %d: %.17g %.17g\n", what, dat->dim, dat->set->size, sum,
            weighted);
}

template <class T> static constexpr const char *nameOf() {
  return sizeof(T) == sizeof(double) ? "double"
         : T(1) / T(2) != T(0)       ? "float"
                                     : "int";
}

template <class T, int D> static void testDirect(op_set set) {
  const char *type = nameOf<T>();
  op_dat read = declare<T>(set, D, type, "read", 3),
         write = declare<T>(set, D, type, "write", 5),
         rw = declare<T>(set, D, type, "rw", 2),
         inc = declare<T>(set, D, type, "inc", 4);
  T total = 0;
  op_par_loop(direct<T, D>, "direct", set,
              op_arg_dat(read, -1, OP_ID, D, nameOf<T>(), OP_READ),
              op_arg_dat(write, -1, OP_ID, D, nameOf<T>(), OP_WRITE),
              op_arg_dat(rw, -1, OP_ID, D, nameOf<T>(), OP_RW),
              op_arg_dat(inc, -1, OP_ID, D, nameOf<T>(), OP_INC),
              op_arg_gbl(&total, 1, nameOf<T>(), OP_INC));
  for (op_dat dat : {read, write, rw, inc})
    print<T>(type, dat);
  op_printf("total %.17g\n", double(total));
}

// Unsigned values have no atomic operations of their own.
void mark(const unsigned *source, unsigned *sums) { sums[1] += *source; }

void rotate(double *values) {
  double first = values[0];
  values[0] = values[1];
  values[1] = values[2];
  values[2] = first;
}

void gather(const double *a, const double *b, double *sum) {
  sum[0] += a[0] + b[2];
}

static void testMixed(op_set set, op_set targets, op_map map) {
  op_dat mixed = declare<double>(set, 3, "double", "mixed", 5);
  op_dat sums = declare<double>(targets, 2, "double", "sums", 0);
  for (int round = 0; round < 3; ++round) {
    op_par_loop(rotate, "rotate soa", set,
                op_arg_dat(mixed, -1, OP_ID, 3, "double:soa", OP_RW));
    op_par_loop(rotate, "rotate", set,
                op_arg_dat(mixed, -1, OP_ID, 3, "double", OP_RW));
    op_par_loop(gather, "gather", set,
                op_arg_dat(mixed, -1, OP_ID, 3, "double:soa", OP_READ),
                op_arg_dat(mixed, -1, OP_ID, 3, "double", OP_READ),
                op_arg_dat(sums, 0, map, 2, "double:soa", OP_INC));
    // The host in between.
    op_download_dat(mixed);
    double value;
    std::memcpy(&value, mixed->data, sizeof value);
    value += 1;
    std::memcpy(mixed->data, &value, sizeof value);
    op_upload_dat(mixed);
  }
  print<double>("mixed", mixed);
  print<double>("sums", sums);

  op_dat numbers = declare<unsigned>(set, 1, "uint", "numbers", 3);
  op_dat totals = declare<unsigned>(targets, 2, "uint:soa", "totals", 1);
  op_par_loop(mark, "mark", set,
              op_arg_dat(numbers, -1, OP_ID, 1, "uint", OP_READ),
              op_arg_dat(totals, 0, map, 2, "uint:soa", OP_INC));
  print<unsigned>("totals", totals);
}

int main(int argc, char **argv) {
  op_init(argc, argv, argc > 1 ? 2 : 0);
  op_set targets = op_decl_set(19, "targets");
  for (int size : {331, 5, 128, 0}) {
    op_set set = op_decl_set(size, "set");
    testDirect<double, 4>(set);
    testDirect<double, 3>(set);
    testDirect<double, 17>(set);
    testDirect<float, 5>(set);
    testDirect<int, 8>(set);
    if (size == 0)
      continue;
    std::vector<int> table;
    for (int i = 0; i < size; ++i)
      table.push_back((i * i) % 19);
    testMixed(set, targets, op_decl_map(set, targets, 1, table.data(), "map"));
  }
  op_exit();
}

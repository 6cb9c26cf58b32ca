// OP2_CHECK knows what a kernel has left by a pattern that nobody computes. Types of
// 8 and 16 bits have none: all values are legal, and stay. Those of 32 bits have one
// for each place, as any number may be one that a program likes.
//
// RUN: %clangxx -O1 -std=c++17 %op2api %s %op2lib -o %t.dev
// RUN: env OP2_CHECK=1 %t.dev | FileCheck %s
// RUN: env OP2_CHECK=warn %t.dev 2>&1 | FileCheck %s
// RUN: %op2cxx %unoptimized -O1 --op2-target=openmp %s -o %t
// RUN: env OP2_CHECK=1 %t | FileCheck %s
// RUN: not env OP2_CHECK=1 %t leave 2>&1 | FileCheck %s --check-prefix=LEFT
//
// CHECK: 0 of 65536 differ
// CHECK-NEXT: deadbeef deadbeef
// CHECK-NEXT: 65536 in their slots
// LEFT: OP_WRITE on dat bools: the kernel did not write element 165

#include "op_seq.h"

#include <cstdint>
#include <cstdio>
#include <vector>

static void all(const int *number, char *byte, unsigned char *ubyte,
                int16_t *word, uint16_t *uword) {
  *byte = static_cast<char>(*number);
  *ubyte = static_cast<unsigned char>(*number);
  *word = static_cast<int16_t>(*number);
  *uword = static_cast<uint16_t>(*number);
}

static void marked(unsigned *mark) { *mark = 0xDEADBEEF; }

// Rows of several slots, which may be packed.
static void slots(const int *number, bool *truth) {
  truth[0] = *number % 3 == 0;
  truth[1] = *number % 2 == 0;
}

static void some(const int *number, bool *truth) {
  if (*number != 165)
    *truth = *number % 2 != 0;
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  const int size = 65536;
  std::vector<int> number(size);
  for (int n = 0; n < size; ++n)
    number[n] = n;
  std::vector<char> byte(size);
  std::vector<unsigned char> ubyte(size);
  std::vector<int16_t> word(size);
  std::vector<uint16_t> uword(size);
  op_set set = op_decl_set(size, "set");
  op_dat n = op_decl_dat(set, 1, "int", number.data(), "n");
  op_dat a = op_decl_dat(set, 1, "char", byte.data(), "a");
  op_dat b = op_decl_dat(set, 1, "uchar", ubyte.data(), "b");
  op_dat c = op_decl_dat(set, 1, "short", word.data(), "c");
  op_dat d = op_decl_dat(set, 1, "ushort", uword.data(), "d");
  op_par_loop(all, "all", set, op_arg_dat(n, -1, OP_ID, 1, "int", OP_READ),
              op_arg_dat(a, -1, OP_ID, 1, "char", OP_WRITE),
              op_arg_dat(b, -1, OP_ID, 1, "uchar", OP_WRITE),
              op_arg_dat(c, -1, OP_ID, 1, "short", OP_WRITE),
              op_arg_dat(d, -1, OP_ID, 1, "ushort", OP_WRITE));
  op_fetch_data(a, byte.data());
  op_fetch_data(b, ubyte.data());
  op_fetch_data(c, word.data());
  op_fetch_data(d, uword.data());
  int differ = 0;
  for (int e = 0; e < size; ++e)
    differ += byte[e] != static_cast<char>(e) ||
              ubyte[e] != static_cast<unsigned char>(e) ||
              word[e] != static_cast<int16_t>(e) ||
              uword[e] != static_cast<uint16_t>(e);
  std::printf("%d of %d differ\n", differ, size);
  std::vector<unsigned> found(size);
  op_dat mark = op_decl_dat(set, 1, "uint", found.data(), "mark");
  op_par_loop(marked, "marked", set, op_arg_dat(mark, -1, OP_ID, 1, "uint", OP_WRITE));
  op_fetch_data(mark, found.data());
  std::printf("%x %x\n", found[0], found[size - 1]);
  std::vector<int> table(2 * size);
  for (int e = 0; e < size; ++e) {
    table[2 * e] = 2 * e + 1;
    table[2 * e + 1] = 2 * e;
  }
  op_set places = op_decl_set(2 * size, "places");
  op_map map = op_decl_map(set, places, 2, table.data(), "map");
  op_dat truths = op_decl_dat(places, 1, "bool", static_cast<bool *>(nullptr), "truths");
  op_par_loop(slots, "slots", set, op_arg_dat(n, -1, OP_ID, 1, "int", OP_READ),
              op_arg_dat(truths, -2, map, 1, "bool", OP_WRITE));
  std::vector<char> each(2 * size);
  op_fetch_data(truths, reinterpret_cast<bool *>(each.data()));
  int right = 0;
  for (int e = 0; e < size; ++e)
    right += each[2 * e] == (e % 2 == 0) && each[2 * e + 1] == (e % 3 == 0);
  std::printf("%d in their slots\n", right);
  if (argc > 1) {
    op_dat truth = op_decl_dat(set, 1, "bool", static_cast<bool *>(nullptr), "bools");
    op_par_loop(some, "some", set, op_arg_dat(n, -1, OP_ID, 1, "int", OP_READ),
                op_arg_dat(truth, -1, OP_ID, 1, "bool", OP_WRITE));
  }
  op_exit();
}

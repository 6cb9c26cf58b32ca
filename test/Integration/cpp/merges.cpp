// Reductions by functions of the program. Those that do not commute show that
// elements keep their order, whatever the threads and colours: products of
// matrices and words are the same on all targets. Means of floats have the same
// bits for any number of threads, and in any order of those of a device.
//
// RUN: %clangxx -std=c++17 -O1 %op2api -I%S/Inputs/moments %s -o %t.dev %op2lib
// RUN: %t.dev > %t.expected
// RUN: FileCheck %s < %t.expected
// RUN: env OP2_CHECK=1 %t.dev | diff %t.expected -
// RUN: %op2cxx -O2 -I%S/Inputs/moments -Werror=op2-sequential --op2-target=seq,openmp %s -o %t
// RUN: env OP2_TARGET=seq %t | diff %t.expected -
// RUN: env OMP_NUM_THREADS=1 %t bits > %t.1
// RUN: env OMP_NUM_THREADS=2 OP2_OWNER=always %t bits | diff %t.1 -
// RUN: env OMP_NUM_THREADS=3 OP2_CHAIN=always OP2_TILE_SIZE=64 %t bits | diff %t.1 -
// RUN: env OMP_NUM_THREADS=7 OP2_CHECK_PLAN=1 %t bits | diff %t.1 -
// RUN: env OMP_NUM_THREADS=3 OP2_CHECK=1 %t bits | diff %t.1 -
// RUN: env OMP_NUM_THREADS=3 %t | diff %t.expected -
// RUN: env OMP_NUM_THREADS=2 %t OP_PART_SIZE=32 | diff %t.expected -
// RUN: %op2cxx -O1 -I%S/Inputs/moments -Werror=op2-sequential --op2-no-raise --op2-target=openmp %s -o %t.calls
// RUN: env OMP_NUM_THREADS=3 %t.calls | diff %t.expected -
// RUN: %op2cxx -O1 -I%S/Inputs/moments -Werror=op2-sequential --op2-target=emulator %s -o %t.emulator
// RUN: env OP2_TARGET=emulator OP2_STRICT=1 %t.emulator | diff %t.expected -
// RUN: env OP2_TARGET=emulator %t.emulator bits > %t.bits
// RUN: env OP2_TARGET=emulator OP2_EMULATOR_SEED=7 %t.emulator bits | diff %t.bits -
//
// CHECK: product: [[#]] [[#]] [[#]] [[#]]
// CHECK-NEXT: through colours: [[#]] [[#]] [[#]] [[#]], touched 3000
// CHECK-NEXT: word: abcdefgh...efghijkl, 1000 letters
// CHECK-NEXT: box: 0 998 -499 500 2 999
// CHECK-NEXT: best: 999 at 27, 998 at 54, 997 at 81
// CHECK-NEXT: moments: 1000 of mean 499.5, variance 83333.25
// CHECK-NEXT: some: 334 of mean 535.392
// CHECK-NEXT: none: 5 7
// CHECK-NEXT: in turn: 1000 2000 3000
#define OP_USER_DATATYPES
#include "op_seq.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>
#include <vector>

constexpr int kCells = 1000, kEdges = 1500;

// Products of matrices, modulo 2^32.
using Matrix = unsigned[4];
static void timesMatrix(unsigned *a, const unsigned *b) {
  Matrix c = {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3],
              a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]};
  std::memcpy(a, c, sizeof c);
}
static const Matrix kUnit = {1, 0, 0, 1};
inline void multiply(const int *n, const double *x, unsigned *product) {
  Matrix const factor = {unsigned(*n), 1, unsigned(*x), unsigned(*n % 7) + 2};
  timesMatrix(product, factor);
}
// Where it is also added to rows that elements share.
inline void spread(const int *n, int *left, int *right, unsigned *product) {
  *left += 1;
  *right += 1;
  Matrix const factor = {1, unsigned(*n), 3, unsigned(*n) + 1};
  timesMatrix(product, factor);
}

// The first and the last letters of a word.
struct Ends {
  static constexpr int kLetters = 8;
  int first[kLetters], last[kLetters], count;
};
constexpr int kEnds = sizeof(Ends) / sizeof(int);
static void append(int *into, const int *from) {
  auto &a = *reinterpret_cast<Ends *>(into);
  const auto &b = *reinterpret_cast<const Ends *>(from);
  for (int n = 0; n < b.count && n < Ends::kLetters; ++n)
    if (a.count + n < Ends::kLetters)
      a.first[a.count + n] = b.first[n];
  for (int n = std::max(0, b.count - Ends::kLetters); n < b.count; ++n)
    a.last[(a.count + n) % Ends::kLetters] = b.last[n % Ends::kLetters];
  a.count += b.count;
}
inline void write(const int *n, int *word) {
  Ends letter = {};
  letter.first[0] = letter.last[0] = 'a' + *n % 26;
  letter.count = 1;
  append(word, reinterpret_cast<int *>(&letter));
}

static void join(double *a, const double *b) {
  for (int d = 0; d < 6; d += 2) {
    a[d] = std::min(a[d], b[d]);
    a[d + 1] = std::max(a[d + 1], b[d + 1]);
  }
}
inline void enclose(const double *x, double *box) {
  double point[3] = {*x - 1, 500 - *x, *x > 1 ? *x : 2};
  if (*x < 1)
    point[0] = 0;
  for (int d = 0; d < 3; ++d) {
    box[2 * d] = point[d] < box[2 * d] ? point[d] : box[2 * d];
    box[2 * d + 1] = point[d] > box[2 * d + 1] ? point[d] : box[2 * d + 1];
  }
}

// The three largest values, and where they are.
constexpr int kBest = 3;
inline void keepBest(long long *best, long long value) {
  for (int k = 0; k < kBest; ++k)
    if (value > best[k]) {
      long long worse = best[k];
      best[k] = value;
      value = worse;
    }
}
static void mergeBest(long long *into, const long long *from) {
  for (int k = 0; k < kBest; ++k)
    keepBest(into, from[k]);
}
inline void select(const int *n, const double *x, long long *best) {
  keepBest(best, (long long)(*x) * 10000 + *n);
}

static void combine(moments *into, const moments *from) {
  if (from->count == 0)
    return;
  double all = double(into->count + from->count);
  double step = from->mean - into->mean;
  into->squares += from->squares + step * step * double(into->count) *
                                       double(from->count) / all;
  into->mean += step * double(from->count) / all;
  into->count += from->count;
}
inline void observe(const double *x, moments *m) {
  m->count += 1;
  double step = *x - m->mean;
  m->mean += step / double(m->count);
  m->squares += step * (*x - m->mean);
}

inline void set(const int *n, double *x) { *x = *n * 37 % kCells; }
inline void count(int *n) { *n += 1; }
static void plus(int *a, const int *b) { *a += *b; }

/// A local variable that is looked at at once; what is between runs later.
static int countThrice(op_set cells, op_dat x) {
  static const int zero = 0;
  int seen = 0;
  for (int round = 0; round < 3; ++round) {
    op_par_loop(set, "set", cells, op_arg_idx(-1, OP_ID),
                op_arg_dat(x, -1, OP_ID, 1, "double", OP_WRITE));
    op_par_loop(count, "count", cells, op_arg_reduce(&seen, 1, "int", plus, &zero));
    std::printf("%s%d", round ? " " : "in turn: ", seen);
  }
  std::printf("\n");
  return seen;
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  bool bits = argc > 1 && !std::strcmp(argv[1], "bits");
  std::vector<int> ends(2 * kEdges);
  for (int e = 0; e < kEdges; ++e) {
    ends[2 * e] = e * 7 % kCells;
    ends[2 * e + 1] = (e * e + 1) % kCells;
  }
  op_set cells = op_decl_set(kCells, "cells"), edges = op_decl_set(kEdges, "edges");
  op_map pcell = op_decl_map(edges, cells, 2, ends.data(), "pcell");
  op_dat x = op_decl_dat(cells, 1, "double", (double *)nullptr, "x");
  op_dat touched = op_decl_dat(cells, 1, "int", (int *)nullptr, "touched");
  op_par_loop(set, "set", cells, op_arg_idx(-1, OP_ID),
              op_arg_dat(x, -1, OP_ID, 1, "double", OP_WRITE));

  Matrix product = {2, 1, 1, 1};
  op_par_loop(multiply, "multiply", cells, op_arg_idx(-1, OP_ID),
              op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
              op_arg_reduce(product, 4, "uint", timesMatrix, kUnit));
  std::printf("product: %u %u %u %u\n", product[0], product[1], product[2], product[3]);
  op_par_loop(spread, "spread", edges, op_arg_idx(-1, OP_ID),
              op_arg_dat(touched, 0, pcell, 1, "int", OP_INC),
              op_arg_dat(touched, 1, pcell, 1, "int", OP_INC),
              op_arg_reduce(product, 4, "uint", timesMatrix, kUnit));
  std::vector<int> counts(kCells);
  op_fetch_data(touched, counts.data());
  int sum = 0;
  for (int n : counts)
    sum += n;
  std::printf("through colours: %u %u %u %u, touched %d\n", product[0], product[1],
              product[2], product[3], sum);

  Ends word = {}, none = {};
  op_par_loop(write, "write", cells, op_arg_idx(-1, OP_ID),
              op_arg_reduce(reinterpret_cast<int *>(&word), kEnds, "int", append,
                            reinterpret_cast<int *>(&none)));
  std::printf("word: ");
  for (int letter : word.first)
    std::printf("%c", letter);
  std::printf("...");
  for (int n = 0; n < Ends::kLetters; ++n)
    std::printf("%c", word.last[(word.count + n) % Ends::kLetters]);
  std::printf(", %d letters\n", word.count);

  constexpr double kInf = std::numeric_limits<double>::infinity();
  double box[6] = {kInf, -kInf, kInf, -kInf, kInf, -kInf};
  double const empty[6] = {kInf, -kInf, kInf, -kInf, kInf, -kInf};
  op_par_loop(enclose, "enclose", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
              op_arg_reduce(box, 6, "double", join, empty));
  std::printf("box: %g %g %g %g %g %g\n", box[0], box[1], box[2], box[3], box[4], box[5]);

  long long best[kBest] = {}, worst[kBest] = {};
  op_par_loop(select, "select", cells, op_arg_idx(-1, OP_ID),
              op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
              op_arg_reduce(best, kBest, "ll", mergeBest, worst));
  std::printf("best: ");
  for (int k = 0; k < kBest; ++k)
    std::printf("%s%lld at %lld", k ? ", " : "", best[k] / 10000, best[k] % 10000);
  std::printf("\n");

  moments m = {}, zero = {};
  // A lambda will do.
  op_par_loop(observe, "observe", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
              op_arg_reduce(&m, 1, "moments",
                            [](moments *into, const moments *from) { combine(into, from); },
                            &zero));
  std::printf("moments: %lld of mean %g, variance %.12g\n", m.count, m.mean,
              m.squares / double(m.count));
  if (bits)
    std::printf("%a %a\n", m.mean, m.squares);

  std::vector<int> third;
  for (int n = 0; n < kCells; n += 3)
    third.push_back(n);
  op_subset some = op_decl_subset(cells, int(third.size()), third.data(), "some");
  moments ofSome = {};
  op_par_loop(observe, "observe some", some, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
              op_arg_reduce(&ofSome, 1, "moments", combine, &zero));
  std::printf("some: %lld of mean %g\n", ofSome.count, ofSome.mean);

  op_set nothing = op_decl_set(0, "nothing");
  op_dat y = op_decl_dat(nothing, 1, "double", (double *)nullptr, "y");
  moments kept = {5, 7, 0};
  op_par_loop(observe, "observe none", nothing, op_arg_dat(y, -1, OP_ID, 1, "double", OP_READ),
              op_arg_reduce(&kept, 1, "moments", combine, &zero));
  std::printf("none: %lld %g\n", kept.count, kept.mean);
  countThrice(cells, x);
  op_exit();
}

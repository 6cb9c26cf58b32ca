// Loops over subsets with every kind of argument: the same results as loops over
// the whole set whose kernel looks at a flag, on every target, for any number of
// threads, with sets renumbered before and after. Whole numbers, so that every
// order of sums gives the same; and thirds, whose order shows.
//
// RUN: %clangxx -O0 -std=c++17 -Wall -Wextra -Werror %op2api %s %op2lib -o %t.dev && %t.dev > %t.expected
// RUN: FileCheck %s < %t.expected
// RUN: env OP2_RENUMBER=rcm %t.dev > %t.out && diff %t.expected %t.out
// RUN: %t.dev before > %t.out && diff %t.expected %t.out
// RUN: %t.dev after > %t.out && diff %t.expected %t.out
// RUN: env OP2_CHECK=1 %t.dev > %t.out && diff %t.expected %t.out
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-target=seq,openmp,emulator %s -o %t
// RUN: env OP2_TARGET=seq %t > %t.out && diff %t.expected %t.out
// RUN: env OP2_TARGET=seq OP2_CHECK=1 %t after > %t.out && diff %t.expected %t.out
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=1 OP2_CHECK_PLAN=1 %t > %t.out && diff %t.expected %t.out
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=2 OP2_CHECK_PLAN=1 %t before > %t.out && diff %t.expected %t.out
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 OP2_CHECK_PLAN=1 %t after OP_PART_SIZE=3 > %t.out && diff %t.expected %t.out
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=7 OP2_CHECK_PLAN=1 OP2_OWNER=always %t > %t.out && diff %t.expected %t.out
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=7 OP2_CHECK_PLAN=1 OP2_OWNER=never %t > %t.out && diff %t.expected %t.out
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=2 OP2_RENUMBER=rcm OP2_CHECK_PLAN=1 %t > %t.out && diff %t.expected %t.out
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 OP2_CHAIN=always OP2_CHECK_PLAN=1 %t > %t.out && diff %t.expected %t.out
// RUN: env OP2_TARGET=emulator OP2_CHECK_PLAN=1 %t > %t.out && diff %t.expected %t.out
// RUN: env OP2_TARGET=emulator OP2_RENUMBER=rcm OP2_EMULATOR_SEED=5 OP2_CHECK_PLAN=1 %t > %t.out && diff %t.expected %t.out
// RUN: %op2cxx -O0 -Werror=op2-sequential --op2-strategy=atomics --op2-target=emulator %s -o %t.atomics && %t.atomics after > %t.out && diff %t.expected %t.out
// RUN: %op2cxx -O0 -Werror=op2-sequential --op2-strategy=global --op2-target=emulator %s -o %t.global && %t.global > %t.out && diff %t.expected %t.out
//
// Sums of thirds have the bits of the sequential loop.
// RUN: %t.dev thirds > %t.thirds
// RUN: env OP2_TARGET=seq %t thirds > %t.out && diff %t.thirds %t.out
// RUN: env OP2_TARGET=openmp OP2_OWNER=always OMP_NUM_THREADS=1 %t thirds > %t.out && diff %t.thirds %t.out
// RUN: env OP2_TARGET=openmp OP2_OWNER=always OMP_NUM_THREADS=2 %t thirds > %t.out && diff %t.thirds %t.out
// RUN: env OP2_TARGET=openmp OP2_OWNER=always OMP_NUM_THREADS=3 %t thirds > %t.out && diff %t.thirds %t.out
// RUN: env OP2_TARGET=openmp OP2_OWNER=always OMP_NUM_THREADS=7 %t thirds > %t.out && diff %t.thirds %t.out
//
// CHECK: same some
// CHECK-NEXT: same none
// CHECK-NEXT: same one
// CHECK-NEXT: same all
// CHECK-NEXT: same thirds of cells
// CHECK-NEXT: same of a subset
// CHECK-NEXT: same conflicts
// CHECK-NEXT: same two
// CHECK-NEXT: same by loop
// CHECK-NEXT: same nothing of nothing
// CHECK-NEXT: value

#include "op_seq.h"

#include <cstdio>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <vector>

static const int nx = 37, ny = 23, size = nx *ny, nodes = (nx + 1) * (ny + 1);
static bool differs = false;

/// Everything that loops change.
struct State {
  op_dat q, written, mixed, x, low, high, info;
  double sum = 1, least = 1e9, most = -1e9;
  int where = -1, count = 0;
};

// Over the whole set the flag decides; over a subset it is 1 everywhere.
static void all(const int *flag, const double *w, double *q, double *written,
                const double *const *corner, double *x, double **xs,
                const int *cell, const int *node, double *sum, double *least,
                double *most, int *where, const double *factor,
                const double *optional) {
  if (!*flag)
    return;
  double mean = 0;
  for (int i = 0; i < 4; ++i)
    mean += corner[i][0];
  *q = *q * 2 + *w + mean + (optional ? 0 : 1);
  *written = *factor * *w + *cell - *node;
  *x += *w;
  for (int i = 0; i < 4; ++i)
    xs[i][0] += i + *cell % 3;
  *sum += *w;
  double value = *w * 1000 + *cell;
  *least = value < *least ? value : *least;
  if (value > *most) {
    *most = value;
    *where = *cell;
  }
}
static void bounds(const int *flag, const double *w, double *low,
                   double *high) {
  if (!*flag)
    return;
  *low = *w < *low ? *w : *low;
  *high = *w > *high ? *w : *high;
}
static void third(const int *flag, const double *w, double *x, double *sum) {
  if (!*flag)
    return;
  *x += *w / 3;
  *sum += *w / 7;
}
// The cell itself and the next one, of one dat.
static void pass(const int *flag, double *own, double *next) {
  if (!*flag)
    return;
  *own += 1;
  *next += 10;
}
static void twice(const int *flag, double *own) {
  if (*flag)
    *own *= 2;
}
static void copyOf(const double *from, double *to) { *to = *from; }
static void count(const int *flag, int *n) { *n += *flag; }
static void raise(int *flag, const double *w) { *flag = int(*w) % 5 == 0; }
// These two may run as one.
static void halve(const double *w, double *a) { *a = *w / 2; }
static void addUp(const double *w, double *a, double *b, double *s) {
  *a += *w;
  *b = *w * 3;
  *s += *w;
}

static op_set cells, points;
static op_map corner, next;
static op_dat w, fromPoints, ones;

#define D(dat, type, acc) op_arg_dat(dat, -1, OP_ID, 1, type, acc)

/// The kernels over a set with flags, or over a subset with ones.
template <class Over>
static void run(Over over, op_dat flag, State &s, bool thirds) {
  // The kernel does not write where the flag is 0.
  constexpr op_access write =
      std::is_same<Over, op_subset>::value ? OP_WRITE : OP_RW;
  const double factor = 3;
  for (int step = 0; step < 2; ++step) {
    op_par_loop(all, "all", over, D(flag, "int", OP_READ),
                D(w, "double", OP_READ), D(s.q, "double", OP_RW),
                D(s.written, "double", write),
                op_arg_dat(fromPoints, -4, corner, 1, "double", OP_READ),
                op_arg_dat(s.x, 1, corner, 1, "double", OP_INC),
                op_arg_dat(s.x, -4, corner, 1, "double", OP_INC),
                op_arg_idx(-1, OP_ID), op_arg_idx(2, corner),
                op_arg_gbl(&s.sum, 1, "double", OP_INC),
                op_arg_gbl(&s.least, 1, "double", OP_MIN),
                op_arg_gbl(&s.most, 1, "double", OP_MAX),
                op_arg_info(&s.where, 1, "int", 11),
                op_arg_gbl(&factor, 1, "double", OP_READ),
                op_opt_arg_dat(step, w, -1, OP_ID, 1, "double", OP_READ));
    op_par_loop(bounds, "bounds", over, D(flag, "int", OP_READ),
                D(w, "double", OP_READ),
                op_arg_dat(s.low, 0, corner, 1, "double", OP_MIN),
                op_arg_dat(s.high, 3, corner, 1, "double", OP_MAX));
    op_par_loop(pass, "pass", over, D(flag, "int", OP_READ),
                D(s.mixed, "double", OP_INC),
                op_arg_dat(s.mixed, 0, next, 1, "double", OP_INC));
    op_par_loop(twice, "twice", over, D(flag, "int", OP_READ),
                D(s.mixed, "double", OP_RW));
    op_par_loop(count, "count", over, D(flag, "int", OP_READ),
                op_arg_gbl(&s.count, 1, "int", OP_INC));
  }
  if (thirds)
    op_par_loop(third, "third", over, D(flag, "int", OP_READ),
                D(w, "double", OP_READ),
                op_arg_dat(s.x, 0, corner, 1, "double", OP_INC),
                op_arg_gbl(&s.sum, 1, "double", OP_INC));
}

static State make(const char *name) {
  State s;
  auto decl = [&](op_set set, const char *what, double from) {
    std::vector<double> values(set->size, from);
    return op_decl_dat(set, 1, "double", values.data(),
                       (std::string(name) + what).c_str());
  };
  s.q = decl(cells, "q", 5);
  s.written = decl(cells, "written", 7);
  s.mixed = decl(cells, "mixed", 1);
  s.x = decl(points, "x", 2);
  s.low = decl(points, "low", 1e9);
  s.high = decl(points, "high", -1e9);
  return s;
}

static bool equal(op_dat a, op_dat b) {
  std::vector<double> first(a->set->size), second(b->set->size);
  op_fetch_data(a, first.data());
  op_fetch_data(b, second.data());
  return first.empty() || !std::memcmp(first.data(), second.data(),
                                       first.size() * sizeof(double));
}
static void say(bool same, const char *what) {
  std::printf("%s %s\n", same ? "same" : "DIFFERENT", what);
  differs |= !same;
}
static void compare(State const &a, State const &b, const char *what) {
  say(equal(a.q, b.q) && equal(a.written, b.written) &&
          equal(a.mixed, b.mixed) && equal(a.x, b.x) && equal(a.low, b.low) &&
          equal(a.high, b.high) && a.sum == b.sum && a.least == b.least &&
          a.most == b.most && a.where == b.where && a.count == b.count,
      what);
}
static void both(op_subset subset, std::vector<int> const &flags,
                 const char *what, bool thirds = false) {
  op_dat flag = op_decl_dat(cells, 1, "int", flags.data(),
                            (std::string("flag") + what).c_str());
  State whole = make("whole"), part = make("part");
  run(cells, flag, whole, thirds);
  run(subset, ones, part, thirds);
  compare(whole, part, what);
  std::vector<double> values(nodes);
  op_fetch_data(part.x, values.data());
  if (thirds)
    std::printf("sum %a\n", part.sum);
  if (thirds)
    for (int n = 0; n < nodes; n += 20)
      std::printf("value %d %a\n", n, values[n]);
}

int main(int argc, char **argv) {
  auto has = [&](const char *word) {
    return argc > 1 && std::strcmp(argv[1], word) == 0;
  };
  op_init(argc, argv, 0);
  std::vector<int> place(size), at(nodes), table(4 * size), nextOf(size);
  std::iota(place.begin(), place.end(), 0);
  std::iota(at.begin(), at.end(), 0);
  std::mt19937 random(1);
  for (int n = size - 1; n > 0; --n)
    std::swap(place[n], place[random() % (n + 1)]);
  for (int n = nodes - 1; n > 0; --n)
    std::swap(at[n], at[random() % (n + 1)]);
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      int *row = &table[4 * place[j * nx + i]], corner = j * (nx + 1) + i;
      row[0] = at[corner];
      row[1] = at[corner + 1];
      row[2] = at[corner + nx + 2];
      row[3] = at[corner + nx + 1];
      nextOf[place[j * nx + i]] = place[j * nx + (i + 1) % nx];
    }
  std::vector<double> weight(size), of(nodes);
  for (int n = 0; n < size; ++n)
    weight[n] = (n * 7) % 31 + 1;
  for (int n = 0; n < nodes; ++n)
    of[n] = (n * 5) % 17;
  std::vector<int> one(size, 1);

  cells = op_decl_set(size, "cells");
  points = op_decl_set(nodes, "points");
  corner = op_decl_map(cells, points, 4, table.data(), "corner");
  next = op_decl_map(cells, cells, 1, nextOf.data(), "next");
  w = op_decl_dat(cells, 1, "double", weight.data(), "w");
  fromPoints = op_decl_dat(points, 1, "double", of.data(), "of");
  ones = op_decl_dat(cells, 1, "int", one.data(), "ones");
  if (has("before"))
    op_renumber(corner);

  // In no order, and some twice.
  std::vector<int> flags(size), list;
  for (int n = 0; n < 400; ++n)
    list.push_back(int(random() % size));
  for (int element : list)
    flags[element] = 1;
  op_subset some = op_decl_subset(cells, int(list.size()), list.data(), "some");
  op_subset none = op_decl_subset(cells, 0, nullptr, "none");
  int last = size - 1;
  op_subset single = op_decl_subset(cells, 1, &last, "single");
  std::vector<int> everything(size);
  std::iota(everything.begin(), everything.end(), 0);
  op_subset full = op_decl_subset(cells, size, everything.data(), "full");
  std::vector<int> oneFlag(size);
  oneFlag[last] = 1;

  both(some, flags, "some");
  if (has("after"))
    op_renumber(corner);
  both(none, std::vector<int>(size), "none");
  both(single, oneFlag, "one");
  both(full, one, "all");

  // By a dat's flags.
  std::vector<int> thirds(size);
  for (int n = 0; n < size; n += 3)
    thirds[n] = 1;
  op_dat mark = op_decl_dat(cells, 1, "int", thirds.data(), "mark");
  op_subset every = op_decl_subset_where(cells, mark, "every");
  both(every, thirds, "thirds of cells", has("thirds"));

  // A subset of a subset; data of its own; the whole set's by its map.
  std::vector<int> chosen;
  for (int n = 1; n < some->set->size; n += 2)
    chosen.push_back(n);
  op_subset half =
      op_decl_subset(some->set, int(chosen.size()), chosen.data(), "half");
  op_dat kept = op_decl_dat(some->set, 1, "double", (double *)nullptr, "kept");
  op_par_loop(copyOf, "copy", half,
              op_arg_dat(w, 0, some->map, 1, "double", OP_READ),
              op_arg_dat(kept, -1, OP_ID, 1, "double", OP_WRITE));
  std::vector<double> values(some->set->size);
  op_fetch_data(kept, values.data());
  std::vector<int> sorted;
  for (int n = 0; n < size; ++n)
    if (flags[n])
      sorted.push_back(n);
  bool same = sorted.size() == values.size();
  for (std::size_t n = 0; same && n < values.size(); ++n)
    same = values[n] == (n % 2 ? weight[sorted[n]] : 0);
  say(same, "of a subset");

  // Conflicts of direct and indirect arguments, alone: rows 1 + 10 * reached.
  State s = make("conflicts");
  op_par_loop(pass, "pass", some, D(ones, "int", OP_READ),
              D(s.mixed, "double", OP_INC),
              op_arg_dat(s.mixed, 0, next, 1, "double", OP_INC));
  std::vector<double> expected(size, 1), found(size);
  for (int n : sorted) {
    expected[n] += 1;
    expected[nextOf[n]] += 10;
  }
  op_fetch_data(s.mixed, found.data());
  say(expected == found, "conflicts");

  // Two loops that could run as one, over the whole set and over a part of it.
  State t = make("two");
  op_par_loop(twice, "twice", cells, D(ones, "int", OP_READ),
              D(t.mixed, "double", OP_RW));
  op_par_loop(twice, "twice", some, D(ones, "int", OP_READ),
              D(t.mixed, "double", OP_RW));
  op_par_loop(twice, "twice", some, D(ones, "int", OP_READ),
              D(t.mixed, "double", OP_RW));
  op_fetch_data(t.mixed, found.data());
  same = true;
  for (int n = 0; n < size; ++n)
    same &= found[n] == (flags[n] ? 8 : 2);
  say(same, "two");

  // What a loop has flagged just before; two loops over it, one of which reads
  // what both read.
  op_dat raised = op_decl_dat(cells, 1, "int", (int *)nullptr, "raised");
  op_par_loop(raise, "raise", cells, D(raised, "int", OP_WRITE),
              D(w, "double", OP_READ));
  op_subset chosenByLoop = op_decl_subset_where(cells, raised, "by loop");
  State u = make("u");
  for (int step = 0; step < 3; ++step) {
    op_par_loop(halve, "halve", chosenByLoop, D(w, "double", OP_READ),
                D(u.q, "double", OP_WRITE));
    op_par_loop(addUp, "add up", chosenByLoop, D(w, "double", OP_READ),
                D(u.mixed, "double", OP_INC), D(u.written, "double", OP_WRITE),
                op_arg_gbl(&u.sum, 1, "double", OP_INC));
  }
  double wanted = 1;
  std::vector<double> q(size), mixed(size), written(size);
  op_fetch_data(u.q, q.data());
  op_fetch_data(u.mixed, mixed.data());
  op_fetch_data(u.written, written.data());
  same = true;
  for (int n = 0; n < size; ++n) {
    bool is = int(weight[n]) % 5 == 0;
    same &= q[n] == (is ? weight[n] / 2 : 5);
    same &= mixed[n] == (is ? 1 + 3 * weight[n] : 1);
    same &= written[n] == (is ? 3 * weight[n] : 7);
    wanted += is ? 3 * weight[n] : 0;
  }
  say(same && u.sum == wanted, "by loop");

  op_set empty = op_decl_set(0, "empty");
  op_dat nothing = op_decl_dat(empty, 1, "int", (int *)nullptr, "nothing");
  op_subset ofNothing = op_decl_subset_where(empty, nothing, "of nothing");
  int counted = 0;
  op_par_loop(count, "count", ofNothing, D(nothing, "int", OP_READ),
              op_arg_gbl(&counted, 1, "int", OP_INC));
  say(counted == 0 && ofNothing->set->size == 0, "nothing of nothing");
  op_fetch_data(s.mixed, found.data());
  std::printf("value %g\n", std::accumulate(found.begin(), found.end(), 0.0));
  op_exit();
  return differs;
}

// Parameters of lambdas and of the functions around them are different
// variables, whatever their types and numbers are; and what a constructor's
// initialisers hand on may change.
// RUN: %clangxx -std=c++17 %op2api %s -o %t.ref %op2lib && %t.ref > %t.expected && FileCheck %s < %t.expected
// RUN: %op2cxx -O2 -Werror=op2-sequential --op2-target=openmp,seq %s -o %t && %t | diff %t.expected -
// RUN: env OP2_TARGET=seq %t | diff %t.expected -
#include "op_seq.h"
#include <cstdio>
#include <vector>

inline void axpy(const double *a, double *b) { *b += 2 * *a; }
inline void three(const double *a, const double *b, double *c) { *c = *a + 10 * *b; }
inline void gather(const double *a, const double *b, double *c) { *c += *a - 3 * *b; }
inline void scaled(const double *x, const double *g, const double *h, double *y) { *y += *x * *g + *h; }
inline void weighted(const double *a, const double *m, double *c, const double *b) { *c = *a + 10 * *b + 0 * *m; }
inline void sums(const double *x, double *s, double *t) {
  *s += *x;
  *t += 2 * *x;
}

static op_set nodes, edges;
static op_map forth, back;
static op_dat dats[4];

static op_set getNodes() { return nodes; }
static op_dat getLast() { return dats[3]; }

static void print(const char *what) {
  std::printf("%s:", what);
  for (op_dat dat : dats) {
    std::vector<double> x(10);
    op_fetch_data(dat, x.data());
    double sum = 0;
    for (int i = 0; i < 10; ++i)
      sum += x[i] * (i + 1);
    std::printf(" %.17g", sum);
  }
  std::printf("\n");
}

static void fromOne(op_dat source, std::vector<op_dat> targets) {
  auto add = [source](op_dat target) {
    op_par_loop(axpy, "axpy", nodes, op_arg_dat(source, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(target, -1, OP_ID, 1, "double", OP_RW));
  };
  for (op_dat target : targets)
    add(target);
}
static void maps(op_map a) {
  auto go = [&](op_map b) {
    op_par_loop(gather, "maps", edges, op_arg_dat(dats[0], 0, a, 1, "double", OP_READ),
                op_arg_dat(dats[0], 0, b, 1, "double", OP_READ), op_arg_dat(dats[3], 1, a, 1, "double", OP_INC));
  };
  go(back);
}
static void withCalls(op_dat a) {
  auto go = [&](op_dat b) {
    op_par_loop(three, "calls", getNodes(), op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(b, -1, OP_ID, 1, "double", OP_READ), op_arg_dat(getLast(), -1, OP_ID, 1, "double", OP_WRITE));
  };
  go(dats[1]);
}
static void numbers(int i) {
  auto go = [&](int j) {
    op_par_loop(three, "numbers", nodes, op_arg_dat(dats[i], -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(dats[j], -1, OP_ID, 1, "double", OP_READ), op_arg_dat(dats[3], -1, OP_ID, 1, "double", OP_WRITE));
  };
  go(2);
}
static auto curried(op_dat a) {
  return [=](op_dat b) {
    return [=](op_dat c) {
      op_par_loop(three, "curried", nodes, op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ),
                  op_arg_dat(b, -1, OP_ID, 1, "double", OP_READ), op_arg_dat(c, -1, OP_ID, 1, "double", OP_WRITE));
    };
  };
}
static void globals(double scale) {
  auto go = [&](double shift) {
    op_par_loop(scaled, "globals", nodes, op_arg_dat(dats[0], -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&scale, 1, "double", OP_READ), op_arg_gbl(&shift, 1, "double", OP_READ),
                op_arg_dat(dats[2], -1, OP_ID, 1, "double", OP_RW));
  };
  go(0.5);
}
static void reductions(double s) {
  auto go = [&](double t) {
    op_par_loop(sums, "reductions", nodes, op_arg_dat(dats[0], -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&s, 1, "double", OP_INC), op_arg_gbl(&t, 1, "double", OP_INC));
    std::printf("sums: %g %g\n", s, t);
  };
  go(0);
}

struct Walker {
  op_dat *place;
  op_dat next() {
    *place = dats[1];
    return dats[2];
  }
  explicit Walker(op_dat first) : place(&first) {
    op_par_loop(weighted, "walker", nodes, op_arg_dat(first, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(next(), -1, OP_ID, 1, "double", OP_READ), op_arg_dat(dats[3], -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(first, -1, OP_ID, 1, "double", OP_READ));
  }
};
/// The set's expression changes a handle.
static op_set change(op_dat &dat) {
  dat = dats[1];
  return nodes;
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  nodes = op_decl_set(10, "nodes");
  edges = op_decl_set(10, "edges");
  std::vector<int> one, two;
  for (int i = 0; i < 10; ++i) {
    one.insert(one.end(), {i, (i + 1) % 10});
    two.insert(two.end(), {(i + 3) % 10, i * 3 % 10});
  }
  forth = op_decl_map(edges, nodes, 2, one.data(), "forth");
  back = op_decl_map(edges, nodes, 2, two.data(), "back");
  for (int d = 0; d < 4; ++d) {
    std::vector<double> x;
    for (int i = 0; i < 10; ++i)
      x.push_back((d + 1) * (i % 4));
    dats[d] = op_decl_dat(nodes, 1, "double", x.data(), "dat");
  }
  // CHECK: one: 74 296 370 296
  fromOne(dats[0], {dats[1], dats[2]});
  print("one");
  // CHECK: maps: 74 296 370 199
  maps(forth);
  print("maps");
  // CHECK: calls: 74 296 370 3034
  withCalls(dats[0]);
  print("calls");
  // CHECK: numbers: 74 296 370 3996
  numbers(1);
  print("numbers");
  // CHECK: curried: 74 296 370 3774
  curried(dats[0])(dats[2])(dats[3]);
  print("curried");
  globals(3);
  print("globals");
  // CHECK: sums: 13 26
  reductions(0);
  Walker walker(dats[0]);
  print("walker");
  op_dat changed = dats[0];
  op_par_loop(three, "change", change(changed), op_arg_dat(changed, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(changed, -1, OP_ID, 1, "double", OP_READ), op_arg_dat(dats[3], -1, OP_ID, 1, "double", OP_WRITE));
  print("change");
  op_exit();
}

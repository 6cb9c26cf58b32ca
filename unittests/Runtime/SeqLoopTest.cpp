//===- SeqLoopTest.cpp - Loops of the header's sequential mode --*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Everything an application can say to op_par_loop, run by the template in
// op_seq.h, and the errors it gets.

#include "Helpers.h"
#include "op_profile.h"
#include "op_seq.h"

#include <climits>

using namespace op2::test;

namespace {

void copy(double const *from, double *to) { *to = *from; }
void scale(double *value) { *value *= 2; }
void scatter(double const *w, double *a, double *b) {
  *a += *w;
  *b += *w;
}
void scatterRow(double const *w, double **row) {
  row[0][0] += *w;
  row[1][0] += *w;
}
void gatherRow(double const **row, double *sum) { *sum = *row[0] + *row[1]; }
void reduce(double const *x, double *sum, double *least, double *greatest) {
  *sum += *x;
  *least = MIN(*least, *x);
  *greatest = MAX(*greatest, *x);
}
void numbers(int const *self, int const *first, int *out) {
  out[0] = *self;
  out[1] = *first;
}
void ifThere(double const *x, double *y) { *y = x ? *x : -1; }
void ifRowThere(double **row, double *y) { *y = row ? 1 : 0; }
void minimum(double *target, double const *x) { *target = MIN(*target, *x); }
void argmin(double const *x, int const *number, double *least, int *where) {
  if (*x < *least) {
    *least = *x;
    *where = *number;
  }
}
void useScratch(double *scratch, double *out) {
  scratch[0] += 1;
  *out = scratch[1];
}
template <class T> void fill(T *x) { *x = T(7); }

class SeqLoopTest : public ProgramTest {
protected:
  void SetUp() override {
    ProgramTest::SetUp();
    declare();
  }
  void declare() {
    table.clear();
    values.clear();
    for (int n = 0; n < 10; ++n) {
      table.insert(table.end(), {n, (n + 1) % 10});
      values.push_back(n + 1);
    }
    edges = op_decl_set(10, "edges");
    nodes = op_decl_set(10, "nodes");
    map = op_decl_map(edges, nodes, 2, table.data(), "map");
    w = op_decl_dat(edges, 1, "double", values.data(), "w");
    e = op_decl_dat(edges, 1, "double", (double *)nullptr, "e");
    x = op_decl_dat(nodes, 1, "double", (double *)nullptr, "x");
    pair = op_decl_dat(edges, 2, "int", (int *)nullptr, "pair");
  }
  static std::vector<double> fetch(op_dat dat) {
    std::vector<double> result(
        static_cast<std::size_t>(dat->set->size * dat->dim));
    op_fetch_data(dat, result.data());
    return result;
  }
  static op_arg direct(op_dat dat, op_access access) {
    return op_arg_dat(dat, -1, OP_ID, 1, "double", access);
  }

  std::vector<int> table;
  std::vector<double> values;
  op_set edges, nodes;
  op_map map;
  op_dat w, e, x, pair;
};

TEST_F(SeqLoopTest, ReadWriteAndReadWrite) {
  op_par_loop(copy, "copy", edges, direct(w, OP_READ), direct(e, OP_WRITE));
  EXPECT_EQ(fetch(e), values);
  op_par_loop(scale, "scale", edges, direct(e, OP_RW));
  EXPECT_EQ(fetch(e)[9], 20);
}

TEST_F(SeqLoopTest, IndirectIncrement) {
  op_par_loop(scatter, "scatter", edges, direct(w, OP_READ),
              op_arg_dat(x, 0, map, 1, "double", OP_INC),
              op_arg_dat(x, 1, map, 1, "double", OP_INC));
  EXPECT_EQ(fetch(x),
            (std::vector<double>{11, 3, 5, 7, 9, 11, 13, 15, 17, 19}));
}

TEST_F(SeqLoopTest, VectorArguments) {
  op_par_loop(scatterRow, "scatter_row", edges, direct(w, OP_READ),
              op_arg_dat(x, -2, map, 1, "double", OP_INC));
  EXPECT_EQ(fetch(x),
            (std::vector<double>{11, 3, 5, 7, 9, 11, 13, 15, 17, 19}));
  op_par_loop(gatherRow, "gather_row", edges,
              op_arg_dat(x, -2, map, 1, "double", OP_READ),
              direct(e, OP_WRITE));
  EXPECT_EQ(fetch(e)[1], 8);
}

TEST_F(SeqLoopTest, IndirectMinimum) {
  std::vector<double> big(10, 100.0);
  op_dat m = op_decl_dat(nodes, 1, "double", big.data(), "m");
  op_par_loop(minimum, "minimum", edges,
              op_arg_dat(m, 1, map, 1, "double", OP_MIN), direct(w, OP_READ));
  EXPECT_EQ(fetch(m)[0], 10);
}

TEST_F(SeqLoopTest, GlobalReductions) {
  double sum = 1000, least = 0.5, greatest = 5;
  op_par_loop(reduce, "reduce", edges, direct(w, OP_READ),
              op_arg_gbl(&sum, 1, "double", OP_INC),
              op_arg_gbl(&least, 1, "double", OP_MIN),
              op_arg_gbl(&greatest, 1, "double", OP_MAX));
  EXPECT_EQ(sum, 1055);
  EXPECT_EQ(least, 0.5);
  EXPECT_EQ(greatest, 10);
}

TEST_F(SeqLoopTest, ReductionsByFunctions) {
  // The first and the last value, and whether none came between.
  double ends[3] = {0, 0, 0};
  double const none[3] = {0, 0, 0};
  auto merge = [](double *into, double const *from) {
    if (from[2] == 0)
      return;
    into[0] = into[2] == 0 ? from[0] : into[0];
    into[1] = from[1];
    into[2] += from[2];
  };
  auto *look = +[](double const *value, double *part) {
    part[0] = part[2] == 0 ? *value : part[0];
    part[1] = *value;
    part[2] += 1;
  };
  op_par_loop(look, "ends", edges, direct(w, OP_READ),
              op_arg_reduce(ends, 3, "double", merge, none));
  EXPECT_EQ(ends[0], 1);
  EXPECT_EQ(ends[1], 10);
  EXPECT_EQ(ends[2], 10);
  double more = 1;
  auto run = [&](op_arg arg) {
    op_par_loop(copy, "copy", edges, direct(w, OP_READ), arg);
  };
  EXPECT_EXIT(run(op_arg_reduce(&more, 1, "double", nullptr, none)),
              diesWith1(), "loop copy, argument 1: the function that combines");
  EXPECT_EXIT(run(op_arg_reduce(&more, 1, "double", merge, nullptr)),
              diesWith1(), "loop copy, argument 1: the identity is NULL");
  EXPECT_EXIT(run(op_arg_reduce(&more, 1, "float", merge, none)), diesWith1(),
              "type is .float., but the pointer is to double");
  EXPECT_EXIT(run(op_arg_reduce(&more, 0, "double", merge, none)), diesWith1(),
              "the global's dim is 0");
  EXPECT_EXIT(run(op_arg_reduce((double *)nullptr, 1, "double", merge, none)),
              diesWith1(), "argument 1: the pointer to the global is NULL");
  EXPECT_EXIT(run(op_arg_gbl((double *)nullptr, 1, "double", OP_INC)),
              diesWith1(), "argument 1: the pointer to the global is NULL");
  EXPECT_EXIT(run(op_arg{}), diesWith1(),
              "argument 1: was not made by op_arg_dat, op_arg_gbl");
  EXPECT_EXIT(run(op_arg_gbl(&more, 1, "double", OP_REDUCE)), diesWith1(),
              "expected op_arg_reduce");
  EXPECT_EXIT(run(direct(e, OP_REDUCE)), diesWith1(), "OP_REDUCE on dat e");
}

TEST_F(SeqLoopTest, Index) {
  op_par_loop(numbers, "numbers", edges, op_arg_idx(-1, OP_ID),
              op_arg_idx(1, map),
              op_arg_dat(pair, -1, OP_ID, 2, "int", OP_WRITE));
  int out[20];
  op_fetch_data(pair, out);
  for (int n = 0; n < 10; ++n) {
    EXPECT_EQ(out[2 * n], n);
    EXPECT_EQ(out[2 * n + 1], (n + 1) % 10);
  }
}

TEST_F(SeqLoopTest, OptionalArguments) {
  for (int on : {1, 0}) {
    op_par_loop(ifThere, "if_there", edges,
                op_opt_arg_dat(on, w, -1, OP_ID, 1, "double", OP_READ),
                direct(e, OP_WRITE));
    EXPECT_EQ(fetch(e)[3], on ? 4 : -1);
    op_par_loop(ifRowThere, "if_row_there", edges,
                op_opt_arg_dat(on, x, -2, map, 1, "double", OP_RW),
                direct(e, OP_WRITE));
    EXPECT_EQ(fetch(e)[3], on);
  }
  op_par_loop(ifThere, "if_there", edges,
              op_opt_arg_dat(0, nullptr, -1, OP_ID, 1, "double", OP_READ),
              direct(e, OP_WRITE));
  double global = 8;
  op_par_loop(ifThere, "if_there", edges,
              op_opt_arg_gbl(1, &global, 1, "double", OP_READ),
              direct(e, OP_WRITE));
  EXPECT_EQ(fetch(e)[0], 8);
  op_par_loop(ifThere, "if_there", edges,
              op_opt_arg_gbl(1, (double *)nullptr, 1, "double", OP_READ),
              direct(e, OP_WRITE));
  EXPECT_EQ(fetch(e)[0], -1);
}

TEST_F(SeqLoopTest, Payload) {
  double least = 1e9;
  int where = -1;
  op_par_loop(argmin, "argmin", edges, direct(w, OP_READ),
              op_arg_idx(-1, OP_ID), op_arg_gbl(&least, 1, "double", OP_MIN),
              op_arg_info(&where, 1, "int", 2));
  EXPECT_EQ(where, 0);
}

TEST_F(SeqLoopTest, ScratchIsDropped) {
  double scratch[2] = {1, 42};
  op_par_loop(useScratch, "use_scratch", edges,
              op_arg_gbl(scratch, 2, "double", OP_WORK), direct(e, OP_WRITE));
  EXPECT_EQ(scratch[0], 1);
  EXPECT_EQ(fetch(e)[9], 42);
}

TEST_F(SeqLoopTest, TemplatesAndLambdas) {
  op_par_loop(fill<double>, "fill", edges, direct(e, OP_WRITE));
  EXPECT_EQ(fetch(e)[9], 7);
  op_par_loop(+[](double *v) { *v = 9; }, "lambda", edges, direct(e, OP_WRITE));
  EXPECT_EQ(fetch(e)[9], 9);
  op_par_loop(+[]() {}, "nothing", edges);
}

void addOne(double *x) noexcept { *x += 1; }
template <class T> void addTwo(T *x) noexcept { *x += 2; }

TEST_F(SeqLoopTest, KernelsThatDoNotThrow) {
  op_par_loop(addOne, "function", edges, direct(e, OP_RW));
  op_par_loop(&addOne, "pointer", edges, direct(e, OP_RW));
  op_par_loop(addTwo<double>, "template", edges, direct(e, OP_RW));
  op_par_loop(
      +[](double *v) noexcept { *v += 4; }, "lambda", edges, direct(e, OP_RW));
  void (*kernel)(double *) noexcept = addOne;
  op_par_loop(kernel, "variable", edges, direct(e, OP_RW));
  EXPECT_EQ(fetch(e)[9], 9);
  op_par_loop(+[]() noexcept {}, "nothing", edges);
}

/// What op2c++'s files call before a loop that it has not compiled.
TEST_F(SeqLoopTest, FallbacksCanBeErrors) {
  auto fallBack = [](char const *strict, char const *target) {
    op_exit();
    strict ? setenv("OP2_STRICT", strict, 1) : unsetenv("OP2_STRICT");
    target ? setenv("OP2_TARGET", target, 1) : unsetenv("OP2_TARGET");
    op_init(0, nullptr, 0);
    op_seq_fallback("flux");
    op2rt_fallback("flux", "app.cpp:7", "runs on openmp instead of cuda",
                   "its kernel throws");
  };
  EXPECT_EXIT(fallBack("1", nullptr), diesWith1(),
              "op2 error: loop flux: runs sequentially, by the template in "
              "op_seq.h: op2c.. has compiled the file but not this loop; "
              "OP2_STRICT=1 makes that an error");
  auto replace = [] {
    op_exit();
    setenv("OP2_STRICT", "1", 1);
    op_init(0, nullptr, 0);
    op2rt_fallback("flux", "app.cpp:7", "runs on openmp instead of cuda",
                   "its kernel throws");
  };
  EXPECT_EXIT(replace(), diesWith1(),
              "op2 error: loop flux .app.cpp:7.: runs on openmp instead of "
              "cuda: its kernel throws; OP2_STRICT=1 makes that an error");
  // They run as they are asked to; and programs of other compilers do.
  char const *before = std::getenv("OP2_STRICT");
  std::string saved = before ? before : "0";
  fallBack("1", "seq");
  op_exit();
  setenv("OP2_STRICT", "1", 1);
  unsetenv("OP2_TARGET");
  op_init(0, nullptr, 0);
  SeqLoopTest::declare();
  op_par_loop(scale, "scale", edges, direct(e, OP_RW));
  fallBack("0", nullptr);
  fallBack(nullptr, nullptr);
  setenv("OP2_STRICT", saved.c_str(), 1);
}

TEST_F(SeqLoopTest, OneDatWithDifferentAccesses) {
  op_par_loop(copy, "copy", edges, direct(e, OP_READ), direct(e, OP_RW));
}

TEST_F(SeqLoopTest, MoreThanTwentyArguments) {
  int count = 0;
  auto *kernel =
      +[](int *n, double *a, double *b, double *c, double *d, double *e,
          double *f, double *g, double *h, double *i, double *j, double *k,
          double *l, double *m, double *o, double *p, double *q, double *r,
          double *s, double *t, double *u, double *v, double const *w) {
        for (double *x :
             {a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, t, u, v})
          *x += *w;
        *n += 1;
      };
  op_arg a = direct(e, OP_INC);
  op_par_loop(kernel, "many", edges, op_arg_gbl(&count, 1, "int", OP_INC), a, a,
              a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a,
              direct(w, OP_READ));
  EXPECT_EQ(count, 10);
  EXPECT_EQ(fetch(e)[1], 42);
}

TEST_F(SeqLoopTest, EveryElementType) {
  op_dat dats[] = {
      op_decl_dat(edges, 1, "float", (float *)nullptr, "f"),
      op_decl_dat(edges, 1, "int", (int *)nullptr, "i"),
      op_decl_dat(edges, 1, "uint", (unsigned *)nullptr, "u"),
      op_decl_dat(edges, 1, "ll", (long long *)nullptr, "l"),
      op_decl_dat(edges, 1, "ull", (unsigned long long *)nullptr, "v"),
      op_decl_dat(edges, 1, "bool", (bool *)nullptr, "b")};
  auto arg = [&](int n) {
    return op_arg_dat(dats[n], -1, OP_ID, 1, dats[n]->type, OP_WRITE);
  };
  op_par_loop(fill<float>, "fill", edges, arg(0));
  op_par_loop(fill<int>, "fill", edges, arg(1));
  op_par_loop(fill<unsigned>, "fill", edges, arg(2));
  op_par_loop(fill<long long>, "fill", edges, arg(3));
  op_par_loop(fill<unsigned long long>, "fill", edges, arg(4));
  op_par_loop(fill<bool>, "fill", edges, arg(5));
  long long l[10];
  bool b[10];
  op_fetch_data(dats[3], l);
  op_fetch_data(dats[5], b);
  EXPECT_EQ(l[9], 7);
  EXPECT_TRUE(b[9]);
}

TEST_F(SeqLoopTest, EmptySet) {
  op_set none = op_decl_set(0, "none");
  op_dat dat = op_decl_dat(none, 1, "double", (double *)nullptr, "dat");
  op_par_loop(scale, "scale", none, direct(dat, OP_RW));
}

TEST_F(SeqLoopTest, NumbersOutOfRange) {
  auto run = [&](op_arg arg) { op_par_loop(scale, "scale", edges, arg); };
  auto *row = +[](double **) {};
  auto runRow = [&](int index) {
    op_par_loop(row, "row", edges,
                op_arg_dat(x, index, map, 1, "double", OP_RW));
  };
  double value = 0;
  for (int dim : {0, -1, -2000000000, INT_MIN})
    EXPECT_EXIT(run(op_arg_dat(w, -1, OP_ID, dim, "double", OP_RW)),
                diesWith1(),
                "loop scale, argument 0: dim is -?[0-9]+; expected at least 1");
  EXPECT_EXIT(run(op_arg_dat(w, -1, OP_ID, INT_MAX, "double", OP_RW)),
              diesWith1(), "dim is 2147483647, but dat w has dim 1");
  EXPECT_EXIT(
      run(op_arg_dat(x, INT_MAX, map, 1, "double", OP_RW)), diesWith1(),
      "slots 2147483647..2147483647 of map map; expected slots in 0..1");
  EXPECT_EXIT(runRow(-2000000000), diesWith1(),
              "slots 0..1999999999 of map map; expected slots in 0..1");
  EXPECT_EXIT(runRow(INT_MIN), diesWith1(),
              "loop row, argument 0: index is -2147483648; expected at least "
              "-2147483647");
  for (int dim : {0, -1, INT_MIN, INT_MAX, 1 << 29})
    EXPECT_EXIT(run(op_arg_gbl(&value, dim, "double", OP_READ)), diesWith1(),
                "the global's dim is -?[0-9]+; expected 1..268435455");
  int where = 0;
  EXPECT_EXIT(op_par_loop(
                  +[](int *, double *) {}, "info", edges,
                  op_arg_info(&where, 1, "int", 1),
                  op_arg_gbl(&value, 0, "double", OP_MIN)),
              diesWith1(), "argument 1: the global's dim is 0");
  for (int ref : {-1, 2, INT_MIN, INT_MAX})
    EXPECT_EXIT(op_par_loop(
                    +[](int *, double *) {}, "info", edges,
                    op_arg_info(&where, 1, "int", ref),
                    op_arg_gbl(&value, 1, "double", OP_MIN)),
                diesWith1(), "follows argument -?[0-9]+; expected 0..1");
  auto *index = +[](int const *) {};
  EXPECT_EXIT(op_par_loop(index, "index", edges, op_arg_idx(INT_MAX, map)),
              diesWith1(), "slots 2147483647..2147483647 of map map");
  for (int access : {-1, 8, INT_MAX})
    EXPECT_EXIT(run(op_arg_gbl(&value, 1, "double", access)), diesWith1(),
                "argument 0: .* on a global");
}

TEST_F(SeqLoopTest, Errors) {
  auto run = [&](op_arg arg) { op_par_loop(scale, "scale", edges, arg); };
  auto *row = +[](double **) {};
  EXPECT_EXIT(run(op_arg_dat(w, -1, OP_ID, 3, "double", OP_RW)), diesWith1(),
              "op2 error: loop scale, argument 0: dim is 3, but dat w has dim "
              "1");
  EXPECT_EXIT(run(op_arg_dat(w, -1, OP_ID, 1, "float", OP_RW)), diesWith1(),
              "argument 0: type is float, but dat w holds double");
  EXPECT_EXIT(run(op_arg_dat(w, -1, OP_ID, 1, "quad", OP_RW)), diesWith1(),
              "argument 0: type is \"quad\"; expected one of double");
  EXPECT_EXIT(run(op_arg_dat(x, 2, map, 1, "double", OP_RW)), diesWith1(),
              "slots 2..2 of map map; expected slots in 0..1");
  EXPECT_EXIT(run(op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW)), diesWith1(),
              "dat x lives on set nodes, but the loop runs over set edges");
  EXPECT_EXIT(
      op_par_loop(row, "row", edges, op_arg_dat(x, 0, map, 1, "double", OP_RW)),
      diesWith1(), "parameter is T \\*\\*, but the argument is one");
  EXPECT_EXIT(op_par_loop(row, "row", edges,
                          op_arg_dat(x, -3, map, 1, "double", OP_RW)),
              diesWith1(), "slots 0..2 of map map");
  EXPECT_EXIT(run(op_arg_dat(x, -2, OP_ID, 1, "double", OP_RW)), diesWith1(),
              "index -2 stands for 2 slots of a map");
  EXPECT_EXIT(run(op_arg_dat(x, 0, OP_ID, 1, "double", OP_RW)), diesWith1(),
              "index 0 needs a map");
  float f = 0;
  EXPECT_EXIT(run(op_arg_gbl(&f, 1, "double", OP_INC)), diesWith1(),
              "type is .double., but the pointer is to float");
  EXPECT_EXIT(run(op_arg_dat(nullptr, -1, OP_ID, 1, "double", OP_RW)),
              diesWith1(), "the dat is NULL");
}

TEST_F(SeqLoopTest, LoopAfterExit) {
  op_exit();
  EXPECT_EXIT(op_par_loop(scale, "scale", edges, direct(e, OP_RW)), diesWith1(),
              "loop scale: .* is not a living set");
  op_init(0, nullptr, 0);
}

} // namespace

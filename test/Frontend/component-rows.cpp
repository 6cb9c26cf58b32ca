// Rows of several components that are computed alike are not transposed for
// vectors of elements: LLVM takes several components of one row. Not where
// components meet, each has an expression of its own, rows are short, or of a
// length for which divisions would be one more than vectors of elements take;
// nor beside a loop of which elements run in vectors.
//
// RUN: %op2cxx -O2 -march=x86-64-v3 -c %s -o /dev/null --op2-report 2>&1 | FileCheck %s
// RUN: %op2cxx -O2 -march=x86-64-v3 -S %s -o - | FileCheck %s --check-prefix=ASM
#include "op_seq.h"

#include <cmath>

inline void axpy(const double *a, const double *x, double *y) {
  for (int i = 0; i < 10; ++i)
    y[i] += *a * x[i];
}
inline void turn(const double *x, double *y) {
  for (int i = 0; i < 10; ++i)
    y[i] = x[9 - i];
}
inline void sum(const double *x, double *s) {
  *s = 0;
  for (int i = 0; i < 10; ++i)
    *s += x[i];
}
inline void powers(const double *x, double *y) {
  y[0] = *x;
  for (int i = 1; i < 10; ++i)
    y[i] = y[i - 1] * *x;
}
inline void halves(const double *x, double *y) {
  for (int i = 0; i < 10; ++i)
    y[i] = i < 5 ? x[i] * x[i] : std::sqrt(x[i]);
}
inline void brief(const double *x, double *y) {
  for (int i = 0; i < 3; ++i)
    y[i] += x[i];
}
inline void save(const double *x, double *y) {
  for (int i = 0; i < 4; ++i)
    y[i] = x[i];
}
inline void speed(const double *x, double *s) {
  *s = std::sqrt(x[1] * x[1] + x[2] * x[2]) / x[0];
}

inline void flux(const double *k, const double *left, const double *right, double *l, double *r) {
  for (int i = 0; i < 4; ++i) {
    double f = k[0] * k[0] * (left[i] - right[i]);
    l[i] -= f;
    r[i] += f;
  }
}
inline void length(const double *x, double *y) {
  for (int i = 0; i < 9; ++i)
    y[i] = std::sqrt(x[i] * x[i] + y[i]) / (1 + y[i]);
}
inline void divide(const double *x, const double *y, double *z) {
  for (int i = 0; i < 5; ++i)
    z[i] = std::sqrt(x[i]) / y[i];
}
inline void weight(const double *w, const double *x, double *z) {
  for (int i = 0; i < 4; ++i)
    z[i] = x[i] * (std::sqrt(*w) / (1 + *w));
}
inline void meet(const double *x, double *y) {
  for (int i = 0; i < 4; ++i)
    y[i] += x[i] * x[3 - i];
}

// ASM-LABEL: axpy_chunk:
// ASM: vfmadd{{.*}}pd {{.*}}%ymm
// ASM-NOT: vunpck
// ASM: .size axpy_chunk
void run(op_set set, op_map map, op_dat a, op_dat x, op_dat y, op_dat s, op_dat p, op_dat q,
         op_dat five, op_dat nine,
         op_dat fives, op_dat nines, op_dat three, op_dat threes) {
  // CHECK-DAG: loop 'axpy': not vectorized: components of its rows are computed alike, several at a time
  op_par_loop(axpy, "axpy", set, op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(x, -1, OP_ID, 10, "double", OP_READ),
              op_arg_dat(y, -1, OP_ID, 10, "double", OP_RW));
  // CHECK-DAG: loop 'turn': vectorized across 4 elements
  op_par_loop(turn, "turn", set, op_arg_dat(x, -1, OP_ID, 10, "double", OP_READ),
              op_arg_dat(y, -1, OP_ID, 10, "double", OP_WRITE));
  // CHECK-DAG: loop 'sum': vectorized across 4 elements
  op_par_loop(sum, "sum", set, op_arg_dat(x, -1, OP_ID, 10, "double", OP_READ),
              op_arg_dat(s, -1, OP_ID, 1, "double", OP_WRITE));
  // CHECK-DAG: loop 'powers': vectorized across 4 elements
  op_par_loop(powers, "powers", set, op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(y, -1, OP_ID, 10, "double", OP_WRITE));
  // CHECK-DAG: loop 'halves': vectorized across 4 elements
  op_par_loop(halves, "halves", set, op_arg_dat(x, -1, OP_ID, 10, "double", OP_READ),
              op_arg_dat(y, -1, OP_ID, 10, "double", OP_WRITE));
  // CHECK-DAG: loop 'brief': vectorized across 4 elements
  op_par_loop(brief, "brief", set, op_arg_dat(three, -1, OP_ID, 3, "double", OP_READ),
              op_arg_dat(threes, -1, OP_ID, 3, "double", OP_RW));
  // CHECK-DAG: loop 'save': not vectorized: components of its rows are computed alike
  // CHECK-DAG: loop 'speed': vectorized across 4 elements
  // CHECK-DAG: loop 'save' fused with 'speed'
  op_par_loop(save, "save", set, op_arg_dat(p, -1, OP_ID, 4, "double", OP_READ),
              op_arg_dat(q, -1, OP_ID, 4, "double", OP_WRITE));
  op_par_loop(speed, "speed", set, op_arg_dat(p, -1, OP_ID, 4, "double", OP_READ),
              op_arg_dat(s, -1, OP_ID, 1, "double", OP_WRITE));
  // CHECK-DAG: loop 'from': not vectorized: components of its rows are computed alike
  op_par_loop(axpy, "from", set, op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(x, 0, map, 10, "double", OP_READ),
              op_arg_dat(y, -1, OP_ID, 10, "double", OP_RW));
  // CHECK-DAG: loop 'flux': not vectorized: components of its rows are computed alike
  op_par_loop(flux, "flux", set, op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(p, 0, map, 4, "double", OP_READ),
              op_arg_dat(p, 1, map, 4, "double", OP_READ),
              op_arg_dat(q, 0, map, 4, "double", OP_INC),
              op_arg_dat(q, 1, map, 4, "double", OP_INC));
  // CHECK-DAG: loop 'length': vectorized across 4 elements
  op_par_loop(length, "length", set, op_arg_dat(nine, 0, map, 9, "double", OP_READ),
              op_arg_dat(nines, -1, OP_ID, 9, "double", OP_RW));
  // CHECK-DAG: loop 'divide': vectorized across 4 elements
  op_par_loop(divide, "divide", set, op_arg_dat(five, 0, map, 5, "double", OP_READ),
              op_arg_dat(five, 1, map, 5, "double", OP_READ),
              op_arg_dat(fives, -1, OP_ID, 5, "double", OP_WRITE));
  // CHECK-DAG: loop 'weight': vectorized across 4 elements
  op_par_loop(weight, "weight", set, op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(p, 0, map, 4, "double", OP_READ),
              op_arg_dat(q, -1, OP_ID, 4, "double", OP_WRITE));
  // CHECK-DAG: loop 'meet': vectorized across 4 elements
  op_par_loop(meet, "meet", set, op_arg_dat(p, 0, map, 4, "double", OP_READ),
              op_arg_dat(q, 1, map, 4, "double", OP_INC));
}

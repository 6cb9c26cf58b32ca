// The headers, and what their macros put into a program, are clean under warnings
// that projects make errors, with clang and with gcc.
//
// DEFINE: %{warnings} = -Wall -Wextra -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Wpedantic -Wdouble-promotion -Werror
// RUN: %clangxx -std=c++17 -fsyntax-only %{warnings} %op2api %s
// RUN: g++ -std=c++17 -fsyntax-only %{warnings} %op2api %s

#include "op_hdf5.h"
#include "op_profile.h"
#include "op_seq.h"

static void add(const double *from, double *to, double *sum) {
  to[0] += from[0];
  *sum += from[0];
}
static void pack(double *rows, double (*both)[2], const int *number) {
  rows[0] = both[0][1] = *number;
}
static void mass(double &entry, double const (*x)[2], int i, int j) {
  entry = x[i][0] * x[j][1];
}
static void column(const double *x, float *least) {
  if (static_cast<float>(*x) < *least)
    *least = static_cast<float>(*x);
}

void run(op_set cells, op_map corner, op_dat x, op_dat y, op_mat a,
         op_layers layers);
void run(op_set cells, op_map corner, op_dat x, op_dat y, op_mat a,
         op_layers layers) {
  double sum = 0;
  float least = 0;
  op_par_loop(add, "add", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(y, 0, corner, 1, "double", OP_INC),
              op_arg_gbl(&sum, 1, "double", OP_INC));
  op_par_loop(pack, "pack", cells,
              op_arg_dat(x, -3, corner, 1, "double", OP_WRITE),
              op_arg_dat(y, -3, corner, 2, "double", OP_INC),
              op_arg_idx(-1, OP_ID));
  op_par_loop(op_iteration_space<mass, 3, 3>, "mass", cells,
              op_arg_mat(a, -3, corner, -3, corner, 1, 1, "double", OP_INC),
              op_arg_dat(x, -3, corner, 2, "double", OP_READ));
  op_par_loop(column, "column", layers,
              op_arg_dat_layers(x, -1, OP_ID, 0, 1, 1, "double", OP_READ),
              op_arg_gbl(&least, 1, "float", OP_MIN));
}

// What is wrong with a loop is an error at the user's source, with a note and,
// where there is one, a fix.
// RUN: not %op2cxx -ferror-limit=0 -fsyntax-only %s 2>&1 | FileCheck %s
#include "op_seq.h"

void triples(double (*x)[3]) { x[0][0] = 1; }
void one(double *x);
void both(double const *x, double *y);
void single(float *x);
void rows(double **x);
void flag(bool *x);
void number(double const *n);
struct Vector {
  double x, y, z;
};
void structs(Vector *x);
void info(double *most, int *where);

void run(op_set set, op_map map, op_dat d) {
  // CHECK: [[#@LINE+1]]:{{.*}}error: the kernel takes 2 parameters, but this loop has 1 argument
  op_par_loop(both, "count", set, op_arg_dat(d, -1, OP_ID, 1, "double", OP_READ));
  // CHECK: note: kernel 'both' declared here

  // CHECK: [[#@LINE+1]]:{{.*}}error: OP_WORK is not an access mode of a dat
  op_par_loop(one, "access", set, op_arg_dat(d, -1, OP_ID, 1, "double", OP_WORK));

  // CHECK: [[#@LINE+1]]:{{.*}}error: a map index needs a map, not OP_ID
  op_par_loop(one, "no map", set, op_arg_dat(d, 0, OP_ID, 1, "double", OP_WRITE));

  // CHECK: [[#@LINE+1]]:{{.*}}error: index -1 with a map; write a map index from 0 up, or OP_ID
  op_par_loop(one, "map", set, op_arg_dat(d, -1, map, 1, "double", OP_WRITE));

  // CHECK: [[#@LINE+1]]:{{.*}}error: type string 'double' does not match kernel parameter 'x' of type 'float *'
  op_par_loop(single, "type", set, op_arg_dat(d, -1, OP_ID, 1, "double", OP_WRITE));
  // CHECK: "float"
  // CHECK: note: kernel parameter declared here

  // CHECK: [[#@LINE+1]]:{{.*}}error: kernel parameter 'x' of type 'double (*)[3]' takes rows of 3 values, but the dim is 2
  op_par_loop(triples, "packed", set, op_arg_dat(d, -2, map, 2, "double", OP_RW));
  // CHECK: note: kernel parameter declared here

  // CHECK: [[#@LINE+1]]:{{.*}}error: kernel parameter 'x' of type 'double (*)[3]' takes rows of 3 values, but the dim is 2
  op_par_loop(triples, "row", set, op_arg_dat(d, -1, OP_ID, 2, "double", OP_RW));
  // CHECK: note: kernel parameter declared here
  // CHECK: [[#@LINE+1]]:{{.*}}error: kernel parameter 'x' of type 'double (*)[3]' takes rows of 3 values, but the dim is 4
  op_par_loop(triples, "rows", set, op_arg_dat(d, 0, map, 4, "double", OP_RW));
  // CHECK: note: kernel parameter declared here
  // CHECK-NOT: error:
  op_par_loop(triples, "two rows", set, op_arg_dat(d, -1, OP_ID, 6, "double", OP_RW));

  int dim = d->dim;
  // CHECK: [[#@LINE+1]]:{{.*}}error: kernel parameter 'x' of type 'double *' takes the rows of 2 map slots side by side, so their dim must be a constant; take them as 'T **'
  op_par_loop(one, "packed dim", set, op_arg_dat(d, -2, map, dim, "double", OP_RW));

  // CHECK: [[#@LINE+1]]:{{.*}}error: the rows of 4096 map slots have 98304 bytes; a kernel takes at most 65536 side by side; take them as 'T **'
  op_par_loop(triples, "packed size", set, op_arg_dat(d, -4096, map, 3, "double", OP_INC));

  // CHECK: [[#@LINE+1]]:{{.*}}error: kernel parameter 'x' of type 'double **' takes several map slots together
  op_par_loop(rows, "no vector", set, op_arg_dat(d, 0, map, 1, "double", OP_RW));

  // CHECK: [[#@LINE+1]]:{{.*}}error: the dim must be at least 1
  op_par_loop(one, "dim", set, op_arg_dat(d, -1, OP_ID, 0, "double", OP_WRITE));

  // CHECK: [[#@LINE+1]]:{{.*}}error: type string 'double' does not match kernel parameter 'x' of type 'Vector *'
  op_par_loop(structs, "struct", set, op_arg_dat(d, -1, OP_ID, 2, "double", OP_WRITE));
  // CHECK-NOT: error:
  op_par_loop(structs, "struct", set, op_arg_dat(d, -1, OP_ID, 3, "double", OP_WRITE));

  float narrow = 0;
  // CHECK: [[#@LINE+1]]:{{.*}}error: type string 'double' does not match the pointer, which is to 'float'
  op_par_loop(one, "pointer", set, op_arg_gbl(&narrow, 1, "double", OP_INC));

  bool any = false;
  // CHECK: [[#@LINE+1]]:{{.*}}error: OP_INC needs a number, not 'bool'
  op_par_loop(flag, "bool", set, op_arg_gbl(&any, 1, "bool", OP_INC));

  // CHECK: [[#@LINE+1]]:{{.*}}error: op_arg_idx gives the kernel a 'const int *', but parameter 'n' has type 'const double *'
  op_par_loop(number, "index", set, op_arg_idx(-1, OP_ID));

  double most = 0;
  int where[3] = {};
  // CHECK: [[#@LINE+1]]:{{.*}}error: op_arg_info follows argument 0, which is no op_arg_gbl with OP_MIN or OP_MAX; arguments are counted from 0
  op_par_loop(info, "info of sum", set, op_arg_gbl(&most, 1, "double", OP_INC), op_arg_info(where, 1, "int", 0));

  // CHECK: [[#@LINE+1]]:{{.*}}error: op_arg_info follows argument 2, which does not exist
  op_par_loop(info, "info of none", set, op_arg_gbl(&most, 1, "double", OP_MAX), op_arg_info(where, 1, "int", 2));

  // CHECK: [[#@LINE+1]]:{{.*}}error: the dim of op_arg_info must be a multiple of 2, the dim of the argument it follows
  op_par_loop(info, "info dim", set, op_arg_gbl(&most, 2, "double", OP_MIN), op_arg_info(where, 3, "int", 0));

  // CHECK: [[#@LINE+1]]:{{.*}}error: type string 'float' does not match kernel parameter 'where' of type 'int *'
  op_par_loop(info, "info type", set, op_arg_gbl(&most, 1, "double", OP_MAX), op_arg_info(where, 1, "float", 0));

  // CHECK: [[#@LINE+1]]:{{.*}}error: op_arg_idx takes index -1 or a map index from 0 up
  op_par_loop(number, "index vector", set, op_arg_idx(-2, map));
}

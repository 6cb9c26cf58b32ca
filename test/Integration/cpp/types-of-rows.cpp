// What the host reads between loops that wait, through pointers of all sorts:
// the types of C++ say nothing where kernels store other ones than declared.
//
// RUN: %clangxx -std=c++20 -O1 %s %op2api -o %t.seq %op2lib
// RUN: %t.seq > %t.expected
// RUN: %op2cxx -std=c++20 -O2 -Werror=op2-sequential %s -o %t
// RUN: env OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=7 OMP_NUM_THREADS=3 %t | diff %t.expected -
// RUN: env OMP_NUM_THREADS=2 %t | diff %t.expected -
// RUN: %op2cxx %unoptimized -std=c++20 -O2 -fno-strict-aliasing -Werror=op2-sequential %s -o %t.any
// RUN: env OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=7 OMP_NUM_THREADS=3 %t.any | diff %t.expected -
#include "op_seq.h"
#include <cstdio>
#include <cstring>
#include <new>

constexpr int kSize = 500;

struct Tagged {
  double v;
  long id;
};
union Word {
  double v;
  long id;
};
typedef long anyLong __attribute__((may_alias));

static void stepTagged(Tagged *t) { t->v += 1; t->id += 2; }
static void stepUnion(Word *w) { w->id += 3; }
static void stepCopied(double *q) {
  long id;
  std::memcpy(&id, q, sizeof id);
  id += 5;
  std::memcpy(q, &id, sizeof id);
}
static void stepNew(double *q) {
  long id;
  std::memcpy(&id, q, sizeof id);
  new (q) long(id + 7);
}
static void stepAlias(double *q) { *reinterpret_cast<anyLong *>(q) += 11; }
// The row's address lies in a local variable, whose address a function gets.
struct Holder {
  double *row;
};
__attribute__((noinline)) static void stepHeld(Holder *h) {
  h->row = reinterpret_cast<double *>(new (h->row) long(*reinterpret_cast<anyLong *>(h->row) + 13));
}
static void stepHolder(double *q) {
  Holder holder{q};
  stepHeld(&holder);
}
static void look(const double *q, double *r) { *r += *q; }

int main(int argc, char **argv) {
  op_init(argc, argv, 1);
  op_set set = op_decl_set(kSize, "set");
  op_dat t = op_decl_dat(set, 2, "double", static_cast<double *>(nullptr), "t");
  op_dat w = op_decl_dat(set, 1, "double", static_cast<double *>(nullptr), "w");
  op_dat c = op_decl_dat(set, 1, "double", static_cast<double *>(nullptr), "c");
  op_dat r = op_decl_dat(set, 1, "double", static_cast<double *>(nullptr), "r");
  op_dat x = op_decl_dat(set, 1, "double", static_cast<double *>(nullptr), "x");
  Tagged *tagged = reinterpret_cast<Tagged *>(t->data);
  long *words = reinterpret_cast<long *>(w->data), *copied = reinterpret_cast<long *>(c->data);
  long *ids = &tagged[3].id;
  long sum = 0;
  for (int round = 0; round < 10; ++round) {
    op_par_loop(stepTagged, "tagged", set, op_arg_dat(t, -1, OP_ID, 2, "double", OP_RW));
    op_par_loop(look, "look", set, op_arg_dat(r, -1, OP_ID, 1, "double", OP_READ), op_arg_dat(x, -1, OP_ID, 1, "double", OP_INC));
    sum += *ids;
    op_par_loop(stepUnion, "union", set, op_arg_dat(w, -1, OP_ID, 1, "double", OP_RW));
    op_par_loop(look, "look 2", set, op_arg_dat(r, -1, OP_ID, 1, "double", OP_READ), op_arg_dat(x, -1, OP_ID, 1, "double", OP_INC));
    sum += 3 * words[kSize - 1];
    op_par_loop(stepCopied, "copied", set, op_arg_dat(c, -1, OP_ID, 1, "double", OP_RW));
    op_par_loop(look, "look 3", set, op_arg_dat(r, -1, OP_ID, 1, "double", OP_READ), op_arg_dat(x, -1, OP_ID, 1, "double", OP_INC));
    sum += 5 * copied[round];
    op_par_loop(stepNew, "new", set, op_arg_dat(c, -1, OP_ID, 1, "double", OP_RW));
    op_par_loop(look, "look 4", set, op_arg_dat(r, -1, OP_ID, 1, "double", OP_READ), op_arg_dat(x, -1, OP_ID, 1, "double", OP_INC));
    sum += 7 * copied[round];
    op_par_loop(stepAlias, "alias", set, op_arg_dat(c, -1, OP_ID, 1, "double", OP_RW));
    op_par_loop(look, "look 5", set, op_arg_dat(r, -1, OP_ID, 1, "double", OP_READ), op_arg_dat(x, -1, OP_ID, 1, "double", OP_INC));
    sum += 11 * copied[round];
    op_par_loop(stepHolder, "holder", set, op_arg_dat(c, -1, OP_ID, 1, "double", OP_RW));
    op_par_loop(look, "look 6", set, op_arg_dat(r, -1, OP_ID, 1, "double", OP_READ), op_arg_dat(x, -1, OP_ID, 1, "double", OP_INC));
    sum += 13 * copied[round];
    std::printf("%ld\n", sum);
  }
  std::printf("%ld %g\n", sum, tagged[kSize - 1].v);
  op_exit();
}

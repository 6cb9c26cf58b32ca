// Types of the application in loops: which ones are taken apart and how, what
// stays sequential, and what is an error.
// RUN: %op2cxx -c %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %op2cxx -c %s -o - --op2-emit=op2 2>/dev/null | FileCheck %s --check-prefix=OP2
// RUN: not %op2cxx -c %s -o %t.o -DERRORS 2>&1 | FileCheck %s --check-prefix=ERROR --implicit-check-not=error:
// RUN: not %op2cxx -c %s -o %t.o -DDATS 2>&1 | FileCheck %s --check-prefix=DAT --implicit-check-not=error:
#include <cmath>
#include <cstring>

struct pair {
  float a[2];
};
struct mixed {
  float x;
  int n;
};
struct bytes {
  char c[3];
};
union shared {
  double d;
  double e;
};
struct angle {
  double turns;
};
inline angle &operator+=(angle &a, const angle &b) { a.turns = std::fmod(a.turns + b.turns, 1); return a; }
inline int type_error(const angle *, const char *type) { return std::strcmp(type, "angle"); }
struct Owning {
  ~Owning() {}
  int n;
};
inline int type_error(const pair *, const char *type) { return std::strcmp(type, "pair"); }
inline int type_error(const mixed *, const char *type) { return std::strcmp(type, "mixed"); }
inline int type_error(const bytes *, const char *type) { return std::strcmp(type, "bytes"); }
inline int type_error(const shared *, const char *type) { return std::strcmp(type, "shared"); }
inline int type_error(const Owning *, const char *type) { return std::strcmp(type, "owning"); }
namespace lib {
struct point {
  double x, y;
};
int type_error(const point *, const char *type);
} // namespace lib
// What OP2 has no word for, or another one.
inline int type_error(const long double *, const char *type) { return std::strcmp(type, "quad"); }

#include "op_seq.h"

static void change(pair *p, mixed *m, bytes *b, shared *s, lib::point *x, long double *q) {
  p->a[0] = 1; m->n = 2; b->c[0] = 3; s->d = 4; x->x = 5; *q = 6;
}
static void add(pair *p) { p->a[0] += 1; }
static void addMixed(mixed *m) { m->n += 1; }
static void turn(angle *a) { *a += angle{0.75}; }
static void most(pair *p) { if (p->a[0] < 1) p->a[0] = 1; }
static void own(Owning *p) { p->n = 1; }
struct Plain { int n; };
static void plain(Plain *p) { p->n = 1; }

void run(op_set set, op_dat p, op_dat m, op_dat b, op_dat s, op_dat x, op_dat q, op_map map,
         int dim, pair *g) {
  // OP2: op2.par_loop
  // OP2-NEXT: rw aos %{{.*}} : !op2.dat<4xf32>
  // OP2-NEXT: rw aos %{{.*}} : !op2.dat<2xi32>
  // OP2-NEXT: rw aos %{{.*}} : !op2.dat<3xi8>
  // OP2-NEXT: rw aos %{{.*}} : !op2.dat<1xi64>
  // OP2-NEXT: rw aos %{{.*}} : !op2.dat<2xf64>
  // OP2-NEXT: rw aos %{{.*}} : !op2.dat<2xi64>
  op_par_loop(change, "change", set, op_arg_dat(p, -1, OP_ID, 2, "pair", OP_RW),
              op_arg_dat(m, -1, OP_ID, 1, "mixed", OP_RW), op_arg_dat(b, -1, OP_ID, 1, "bytes", OP_RW),
              op_arg_dat(s, -1, OP_ID, 1, "shared", OP_RW), op_arg_dat(x, -1, OP_ID, 1, "point", OP_RW),
              op_arg_dat(q, -1, OP_ID, 1, "quad", OP_RW));
  // OP2: inc aos {{.*}}!op2.dat<2xf32>
  op_par_loop(add, "add", set, op_arg_dat(p, 0, map, 1, "pair", OP_INC));

  // CHECK: [[#@LINE+1]]:{{.*}} loop 'add mixed' is not compiled and runs sequentially: OP_INC adds values of type 'mixed', which are not numbers of one type, without gaps
  op_par_loop(addMixed, "add mixed", set, op_arg_dat(m, 0, map, 1, "mixed", OP_INC));
  // CHECK: [[#@LINE+1]]:{{.*}} loop 'turn' {{.*}}: OP_INC adds values of type 'angle', which has a += of its own
  op_par_loop(turn, "turn", set, op_arg_dat(m, 0, map, 1, "angle", OP_INC));
  // CHECK: [[#@LINE+1]]:{{.*}} loop 'most' {{.*}}: values of type 'pair' are compared
  op_par_loop(most, "most", set, op_arg_gbl(g, 1, "pair", OP_MAX));
  // CHECK: [[#@LINE+1]]:{{.*}} loop 'info' {{.*}}: op_arg_info gives values of type 'pair'
  op_par_loop(most, "info", set, op_arg_info(g, 1, "pair", 0));
  // CHECK: [[#@LINE+1]]:{{.*}} loop 'dim' {{.*}}: the dim of a dat of type 'pair' is not a constant
  op_par_loop(add, "dim", set, op_arg_dat(p, -1, OP_ID, dim, "pair", OP_RW));
  // CHECK: [[#@LINE+1]]:{{.*}} loop 'own' {{.*}}: unknown type string 'owning'
  op_par_loop(own, "own", set, op_arg_dat(p, -1, OP_ID, 1, "owning", OP_RW));
  // CHECK: [[#@LINE+1]]:{{.*}} loop 'plain' {{.*}}: unknown type string 'plain'
  op_par_loop(plain, "plain", set, op_arg_dat(p, -1, OP_ID, 1, "plain", OP_RW));

#ifdef ERRORS
  // ERROR: [[#@LINE+1]]:{{.*}} error: type_error for 'pair' does not take type string 'mixed'
  op_par_loop(add, "other", set, op_arg_dat(p, -1, OP_ID, 1, "mixed", OP_RW));
  // ERROR: [[#@LINE+1]]:{{.*}} error: type string 'float' does not match kernel parameter 'm' of type 'mixed *'
  op_par_loop(addMixed, "numbers", set, op_arg_dat(p, -1, OP_ID, 1, "float", OP_RW));
#endif
#ifdef DATS
  op_dat declared = op_decl_dat(set, 2, "pair", g, "declared");
  // DAT: [[#@LINE+1]]:{{.*}} error: dim 1 does not match the declaration of 'declared', which has dim 2
  op_par_loop(add, "dims", set, op_arg_dat(declared, -1, OP_ID, 1, "pair", OP_RW));
  op_dat numbers = op_decl_dat(set, 2, "float", (float *)0, "numbers");
  // DAT: [[#@LINE+1]]:{{.*}} error: type string 'pair' does not match the declaration of 'numbers', which has 'float'
  op_par_loop(add, "types", set, op_arg_dat(numbers, -1, OP_ID, 2, "pair", OP_RW));
#endif
}

// Dats of the application's types: structs of numbers of one type, which are
// vectors of those, structs of several types, and complex numbers; each read,
// written and changed directly and through maps.
//
// RUN: %clangxx -O0 -std=c++17 %op2api -I%S/Inputs/user-types %s %op2lib -o %t.dev && %t.dev > %t.expected
// RUN: FileCheck %s < %t.expected
// RUN: %op2cxx -O2 -I%S/Inputs/user-types -Werror=op2-sequential --op2-target=seq,openmp %s -o %t
// RUN: env OP2_TARGET=seq %t | diff %t.expected -
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 OP2_TILE_SIZE=9 OP2_CHAIN=always %t | diff %t.expected -
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=2 OP2_CHECK=1 %t | diff %t.expected -
//
// Products of complex numbers call a library where they are NaN, unless told
// not to; devices have no such library.
// RUN: %op2cxx -O0 -I%S/Inputs/user-types -fcomplex-arithmetic=basic -Werror=op2-sequential --op2-target=emulator %s -o %t.aos
// RUN: env OP2_TARGET=emulator OP2_CHECK_PLAN=1 %t.aos | diff %t.expected -
// RUN: %op2cxx -O0 -I%S/Inputs/user-types -fcomplex-arithmetic=basic -Werror=op2-sequential --op2-layout=soa --op2-target=emulator %s -o %t.soa
// RUN: env OP2_TARGET=emulator %t.soa | diff %t.expected -
//
// CHECK: vec3: 1 -16.8685302734375 12.43115234375
// CHECK-NEXT: complex:
// CHECK-NEXT: tag: 0 abad 0
// CHECK: cell: 0 1 0 1 1 -1
// CHECK: total: 120
#define OP_USER_DATATYPES
#include "op_seq.h"

#include <vector>

constexpr int kNodes = 120, kEdges = 400;

inline void place(const int *n, vec3 *x, cell *c, tag *t, complex_t *z) {
  *x = {1, 0.5 * *n, 3};
  *c = cell{0.25 * *n, {1, 2, float(*n)}, short(*n % 7), *n % 5 == 0, *n - 60};
  *t = {short(*n), {'a', 'b', char('a' + *n % 26), 'd', 0}};
  z[0] = complex_t(*n, 1);
  z[1] = complex_t(0.5, -*n);
}
inline void gather(const vec3 *a, const vec3 *b, vec3 *sum, complex_t *z0,
                   complex_t *z1, const complex_t *twist) {
  sum->x += a->x - b->x;
  sum->y = a->y * 0.5 + b->z;
  sum->z = b->y - 3;
  z0[0] += *twist * complex_t(a->y, b->y);
  z1[1] += complex_t(a->x, 1) * *twist;
}
inline void push(const vec3 *force, vec3 *near, vec3 *far) {
  near->add(0.25 * *force);
  far->add(-0.125 * *force);
}
inline void visit(const cell *a, const cell *b, cell *mine, const tag *t) {
  *mine = a->area < b->area ? *a : *b;
  mine->level = short(a->level + b->level);
  mine->weight[1] = a->weight[2] + b->weight[0];
  mine->ghost = a->ghost || b->ghost || t->name[2] == 'c';
  mine->owner = a->owner - b->owner;
}
inline void rename(tag *t, const cell *c) {
  if (c->ghost)
    t->name[4] = 'g';
  t->kind = short(t->kind + c->level);
}
inline void both(vec3 **x, double *lengths) {
  *lengths = x[0]->x * x[1]->x + x[0]->y * x[1]->y + x[0]->z * x[1]->z;
}
inline void total(const vec3 *x, const cell *shift, vec3 *sum) {
  sum->add(*x);
  sum->z += shift->area * shift->level;
}

int main(int argc, char **argv) {
  op_init(argc, argv, 1);
  op_set nodes = op_decl_set(kNodes, "nodes");
  op_set edges = op_decl_set(kEdges, "edges");
  std::vector<int> table;
  for (int e = 0; e < kEdges; ++e) {
    table.push_back(e * 7 % kNodes);
    table.push_back((e * 13 + 1) % kNodes);
  }
  op_map ends = op_decl_map(edges, nodes, 2, table.data(), "ends");
  std::vector<int> following;
  for (int n = 0; n < kNodes; ++n)
    following.push_back((n + 1) % kNodes);
  op_map next = op_decl_map(nodes, nodes, 1, following.data(), "next");
  std::vector<vec3> start(kNodes, vec3{0, 0, 1});
  op_dat x = op_decl_dat(nodes, 1, "vec3:soa", start.data(), "x");
  std::vector<vec3> none(kEdges);
  op_dat f = op_decl_dat(edges, 1, "vec3", none.data(), "f");
  op_dat c = op_decl_dat(nodes, 1, "cell", (cell *)nullptr, "c");
  op_dat ce = op_decl_dat(edges, 1, "cell", (cell *)nullptr, "ce");
  op_dat t = op_decl_dat(nodes, 1, "tag", (tag *)nullptr, "t");
  op_dat z = op_decl_dat(nodes, 2, "complex", (complex_t *)nullptr, "z");
  op_dat length = op_decl_dat(edges, 1, "double", (double *)nullptr, "length");

  op_par_loop(place, "place", nodes, op_arg_idx(-1, OP_ID),
              op_arg_dat(x, -1, OP_ID, 1, "vec3:soa", OP_WRITE),
              op_arg_dat(c, -1, OP_ID, 1, "cell", OP_WRITE),
              op_arg_dat(t, -1, OP_ID, 1, "tag", OP_WRITE),
              op_arg_dat(z, -1, OP_ID, 2, "complex", OP_WRITE));
  complex_t twist(0.5, 0.25);
  for (int step = 0; step < 3; ++step) {
    op_par_loop(gather, "gather", edges,
                op_arg_dat(x, 0, ends, 1, "vec3", OP_READ),
                op_arg_dat(x, 1, ends, 1, "vec3", OP_READ),
                op_arg_dat(f, -1, OP_ID, 1, "vec3", OP_RW),
                op_arg_dat(z, 0, ends, 2, "complex", OP_INC),
                op_arg_dat(z, 1, ends, 2, "complex", OP_INC),
                op_arg_gbl(&twist, 1, "complex", OP_READ));
    op_par_loop(push, "push", edges, op_arg_dat(f, -1, OP_ID, 1, "vec3", OP_READ),
                op_arg_dat(x, 0, ends, 1, "vec3", OP_INC),
                op_arg_dat(x, 1, ends, 1, "vec3", OP_INC));
    op_par_loop(visit, "visit", edges, op_arg_dat(c, 0, ends, 1, "cell", OP_READ),
                op_arg_dat(c, 1, ends, 1, "cell", OP_READ),
                op_arg_dat(ce, -1, OP_ID, 1, "cell", OP_WRITE),
                op_arg_dat(t, 0, ends, 1, "tag", OP_READ));
    op_par_loop(rename, "rename", nodes, op_arg_dat(t, 0, next, 1, "tag", OP_RW),
                op_arg_dat(c, -1, OP_ID, 1, "cell", OP_READ));
  }
  op_par_loop(both, "both", edges, op_arg_dat(x, -2, ends, 1, "vec3", OP_READ),
              op_arg_dat(length, -1, OP_ID, 1, "double", OP_WRITE));
  vec3 sum{0, 0, 0};
  cell shift{0.5, {}, 3, false, 0};
  op_par_loop(total, "total", nodes, op_arg_dat(x, -1, OP_ID, 1, "vec3", OP_READ),
              op_arg_gbl(&shift, 1, "cell", OP_READ),
              op_arg_gbl(&sum, 1, "vec3", OP_INC));

  std::vector<vec3> xs(kNodes);
  std::vector<cell> cs(kEdges);
  std::vector<tag> ts(kNodes);
  std::vector<complex_t> zs(2 * kNodes);
  std::vector<double> ls(kEdges);
  op_fetch_data(x, xs.data());
  op_fetch_data(ce, cs.data());
  op_fetch_data(t, ts.data());
  op_fetch_data(z, zs.data());
  op_fetch_data(length, ls.data());
  for (int n = 0; n < kNodes; n += 11) {
    op_printf("vec3: %.17g %.17g %.17g\n", xs[n].x, xs[n].y, xs[n].z);
    op_printf("complex: %.17g %.17g\n", zs[2 * n].real(), zs[2 * n + 1].imag());
    op_printf("tag: %d %.4s %d\n", ts[n].kind, ts[n].name, ts[n].name[4]);
  }
  for (int e = 0; e < kEdges; e += 37)
    op_printf("cell: %g %g %g %d %d %d %.17g\n", cs[e].area, cs[e].weight[1],
              cs[e].weight[2], cs[e].level, cs[e].ghost, cs[e].owner, ls[e]);
  op_printf("total: %.17g %.17g %.17g\n", sum.x, sum.y, sum.z);
  op_exit();
}

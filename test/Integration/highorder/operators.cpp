// What kernels of discontinuous Galerkin and flux reconstruction codes contain,
// for orders 1 to 4 on triangles and tetrahedra: matrices behind pointers, chosen
// by the order; nodes of faces by tables; both sides of a face as vector
// arguments; limiters with flags; a switch on a boundary's kind; BLAS. Every
// kernel is raised, nine of ten are vectorized, the bits are the header's.
//
// RUN: %clangxx -O1 -std=c++17 -c %S/../Inputs/blas.cpp -o %t.blas.o
// RUN: %clangxx -O0 -std=c++17 %op2api -I%S/../Inputs %s %t.blas.o %op2lib -o %t.dev && %t.dev > %t.expected
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-report --op2-target=openmp,seq --op2-vector-bits=256 -I%S/../Inputs %s %t.blas.o -o %t 2> %t.report
// RUN: %if no-undefined-sanitizer %{ FileCheck %s < %t.report && not grep 'not raised' %t.report %}
// RUN: %if no-undefined-sanitizer %{ %python %S/Inputs/share.py %t.report 0.9 %}
// RUN: env OMP_NUM_THREADS=2 %t > %t.out && diff %t.expected %t.out
// RUN: env OMP_NUM_THREADS=3 OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=16 %t > %t.out && diff %t.expected %t.out
// RUN: env OP2_TARGET=seq %t > %t.out && diff %t.expected %t.out
//
// CHECK-DAG: loop 'mass': vectorized
// CHECK-DAG: loop 'lift': vectorized
// CHECK-DAG: loop 'faces': vectorized
// CHECK-DAG: loop 'limit': vectorized
// CHECK-DAG: loop 'walls': vectorized
// CHECK-DAG: loop 'project': not vectorized: it passes memory of the element to a function

#include "Inputs/operators.h"
#include "op_seq.h"

#include <cstdio>
#include <cstdlib>

#define DIRECT(dat, dim, type, access)                                         \
  op_arg_dat(dat, -1, OP_ID, dim, type, access)

template <int dim, int order>
static void run(const char *name, int size, int steps) {
  using E = Element<dim, order>;
  constexpr int n = E::n, all = E::sides * E::f;
  Mesh<dim, order> mesh(size);
  int kind = mesh.kind;
  op_set cells = op_decl_set(size, "cells"), edges = op_decl_set(size, "faces"),
         bounds = op_decl_set(mesh.walls, "walls");
  op_map both = op_decl_map(edges, cells, 2, mesh.sides.data(), "both"),
         next = op_decl_map(cells, cells, 2, mesh.sides.data(), "next"),
         one = op_decl_map(bounds, cells, 1, mesh.wall.data(), "one");
  double *none = nullptr;
  op_dat q = op_decl_dat(cells, n, "double", mesh.u.data(), "u"),
         r = op_decl_dat(cells, n, "double", none, "r"),
         flux = op_decl_dat(cells, all, "double", none, "flux"),
         mean = op_decl_dat(cells, 1, "double", none, "mean"),
         geometry = op_decl_dat(cells, 2, "double", mesh.metric.data(), "metric"),
         width = op_decl_dat(edges, 1, "double", mesh.normal.data(), "normal"),
         turned = op_decl_dat(edges, 1, "bool", mesh.reverse.get(), "reverse"),
         limited = op_decl_dat(cells, 1, "bool", (bool *)nullptr, "limited"),
         type = op_decl_dat(bounds, 1, "int", mesh.kinds.data(), "kind");
  double most = 0, jacobian = 0.5;
  double cpu, start, end;
  op_timers(&cpu, &start);
  for (int step = 0; step < steps; ++step) {
    if (step == 2)
      op_timers(&cpu, &start); // plans are made

    op_par_loop(E::mass, "mass", cells, op_arg_gbl(&kind, 1, "int", OP_READ),
                op_arg_gbl(&jacobian, 1, "double", OP_READ),
                DIRECT(q, n, "double", OP_READ),
                DIRECT(r, n, "double", OP_WRITE));
    op_par_loop(E::stiffness, "stiffness", cells,
                op_arg_gbl(&kind, 1, "int", OP_READ),
                DIRECT(geometry, 2, "double", OP_READ),
                DIRECT(q, n, "double", OP_READ), DIRECT(r, n, "double", OP_RW));
    op_par_loop(E::faces, "faces", edges, DIRECT(turned, 1, "bool", OP_READ),
                DIRECT(width, 1, "double", OP_READ),
                op_arg_dat(q, -2, both, n, "double", OP_READ),
                op_arg_dat(flux, -2, both, all, "double", OP_INC));
    op_par_loop(E::walls, "walls", bounds, DIRECT(type, 1, "int", OP_READ),
                op_arg_dat(q, 0, one, n, "double", OP_READ),
                op_arg_dat(flux, 0, one, all, "double", OP_INC));
    op_par_loop(E::lift, "lift", cells, op_arg_gbl(&kind, 1, "int", OP_READ),
                DIRECT(flux, all, "double", OP_READ),
                DIRECT(r, n, "double", OP_RW));
    op_par_loop(E::average, "average", cells, DIRECT(q, n, "double", OP_READ),
                DIRECT(mean, 1, "double", OP_WRITE),
                op_arg_gbl(&most, 1, "double", OP_MAX));
    op_par_loop(E::limit, "limit", cells,
                op_arg_dat(mean, -2, next, 1, "double", OP_READ),
                DIRECT(mean, 1, "double", OP_READ),
                DIRECT(q, n, "double", OP_RW),
                DIRECT(limited, 1, "bool", OP_WRITE));
    if (dim == 3 && order == 4)
      op_par_loop(E::project, "project", cells,
                  op_arg_gbl(&kind, 1, "int", OP_READ),
                  DIRECT(q, n, "double", OP_READ),
                  DIRECT(r, n, "double", OP_RW));
    op_par_loop(E::advance, "advance", cells, DIRECT(r, n, "double", OP_READ),
                DIRECT(limited, 1, "bool", OP_READ),
                DIRECT(flux, all, "double", OP_RW),
                DIRECT(q, n, "double", OP_RW));
  }
  op_fetch_data(q, mesh.u.data());
  op_timers(&cpu, &end);
  std::printf("%s %d: %.17g %lx\n", name, order, most, mesh.hash(mesh.u));
  if (steps > 2)
    std::printf("  %.4f ms a step\n", (end - start) / (steps - 2) * 1e3);
}

/// size, steps: of a benchmark.
int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  int size = argc > 1 ? std::atoi(argv[1]) : 61;
  int steps = argc > 2 ? std::atoi(argv[2]) : 2;
  fillTables();
  run<2, 1>("triangles", size, steps);
  run<2, 2>("triangles", size, steps);
  run<2, 3>("triangles", size, steps);
  run<2, 4>("triangles", size, steps);
  run<3, 1>("tetrahedra", size, steps);
  run<3, 2>("tetrahedra", size, steps);
  run<3, 3>("tetrahedra", size, steps);
  run<3, 4>("tetrahedra", size, steps);
  op_exit();
}

// What kernels of discontinuous Galerkin and flux reconstruction codes contain,
// for orders 1 to 4 on triangles and tetrahedra: matrices behind pointers, chosen
// by the order; nodes of faces by tables; both sides of a face as vector
// arguments; limiters with flags; a switch on a boundary's kind; BLAS. Every
// kernel is raised, nine of ten are vectorized, the bits are the header's.
//
// RUN: %clangxx -O1 -std=c++17 -c %S/../Inputs/blas.cpp -o %t.blas.o
// RUN: %clangxx -O1 -std=c++17 %op2api -I%S/../Inputs %s %t.blas.o %op2lib -o %t.dev && %t.dev > %t.expected
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-report --op2-target=openmp,seq --op2-vector-bits=256 -I%S/../Inputs %s %t.blas.o -o %t 2> %t.report
// RUN: %if no-undefined-sanitizer %{ FileCheck %s --implicit-check-not='not raised' < %t.report %}
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

#include "blas.h"
#include "op_seq.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

/// Nodes of an element, and of one of its faces.
constexpr int nodesOf(int dim, int order) {
  return dim == 2 ? (order + 1) * (order + 2) / 2
                  : (order + 1) * (order + 2) * (order + 3) / 6;
}
constexpr int faceNodesOf(int dim, int order) {
  return dim == 2 ? order + 1 : (order + 1) * (order + 2) / 2;
}
constexpr int kMost = 35; // nodes of a tetrahedron of order 4

// As large codes have them: allocated once, for all orders.
double *massTable, *derivativeTable, *liftTable;
int *faceNodeTable;
constexpr int kMatrix = kMost * kMost;

static int kindOf(int dim, int order) { return (dim - 2) * 4 + order; }

template <int dim, int order> struct Element {
  static constexpr int n = nodesOf(dim, order), f = faceNodesOf(dim, order);
  static constexpr int sides = dim + 1;

  static void mass(const int *kind, const double *jacobian, const double *u,
                   double *r) {
    const double *m = &massTable[(*kind - 1) * kMatrix];
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      for (int j = 0; j < n; ++j)
        sum += m[i * n + j] * u[j];
      r[i] = *jacobian * sum;
    }
  }
  static void stiffness(const int *kind, const double *metric, const double *u,
                        double *r) {
    const double *d = &derivativeTable[(*kind - 1) * kMatrix];
    for (int i = 0; i < n; ++i) {
      double along = 0, across = 0;
      for (int j = 0; j < n; ++j) {
        along += d[i * n + j] * u[j];
        across += d[j * n + i] * u[j];
      }
      r[i] -= metric[0] * along + metric[1] * across;
    }
  }
  /// From the fluxes at the nodes of the faces to those of the element.
  static void lift(const int *kind, const double *flux, double *r) {
    const double *l = &liftTable[(*kind - 1) * kMatrix];
    const int *mask = &faceNodeTable[(*kind - 1) * 64];
    double collected[n] = {};
    for (int s = 0; s < sides; ++s)
      for (int i = 0; i < f; ++i)
        collected[mask[s * f + i]] += flux[s * f + i];
    for (int i = 0; i < n; ++i)
      r[i] += l[i] * collected[i];
  }
  /// Jump and mean over a face; the second side may run backwards.
  static void faces(const bool *reverse, const double *normal,
                    const double *const *u, double **flux) {
    for (int i = 0; i < f; ++i) {
      double left = u[0][i], right = *reverse ? u[1][f - 1 - i] : u[1][i];
      double value = 0.5 * normal[0] * (left + right) -
                     0.25 * std::fabs(normal[0]) * (right - left);
      flux[0][i] += value;
      flux[1][*reverse ? f - 1 - i : i] -= value;
    }
  }
  static void walls(const int *kind, const double *u, double *flux) {
    for (int i = 0; i < f; ++i)
      switch (*kind) {
      case 0:
        flux[i] += u[i];
        break;
      case 1:
        flux[i] -= 0.5 * u[i];
        break;
      default:
        flux[i] += 2;
      }
  }
  static void limit(const double *const *means, const double *mean, double *u,
                    bool *limited) {
    double low = *mean, high = *mean;
    for (int s = 0; s < 2; ++s) {
      low = std::min(low, means[s][0]);
      high = std::max(high, means[s][0]);
    }
    *limited = false;
    for (int i = 0; i < n; ++i)
      *limited |= u[i] < low || u[i] > high;
    if (*limited)
      for (int i = 0; i < n; ++i)
        u[i] = std::max(low, std::min(high, u[i]));
  }
  static void average(const double *u, double *mean, double *most) {
    double sum = 0;
    for (int i = 0; i < n; ++i) {
      sum += u[i];
      *most = std::max(*most, std::fabs(u[i]));
    }
    *mean = sum * 0.125;
  }
  static void advance(const double *r, const bool *limited, double *flux,
                      double *u) {
    // Short numbers: sums are exact in any order.
    for (int i = 0; i < n; ++i)
      u[i] = std::floor((u[i] + (*limited ? 0.25 : 0.5) * r[i]) * 64) *
             0.015625 * 0.25;
    for (int i = 0; i < sides * f; ++i)
      flux[i] = 0;
  }
  static void project(const int *kind, const double *u, double *r) {
    cblas_dgemv(CblasColMajor, CblasNoTrans, n, n, 0.25,
                &massTable[(*kind - 1) * kMatrix], n, u, 1, 1.0, r, 1);
  }
};

static void fillTables() {
  massTable = new double[8 * kMatrix];
  derivativeTable = new double[8 * kMatrix];
  liftTable = new double[8 * kMatrix];
  faceNodeTable = new int[8 * 64];
  for (int i = 0; i < 8 * kMatrix; ++i) {
    massTable[i] = (i * 7 % 13 - 6) * 0.125;
    derivativeTable[i] = (i * 5 % 11 - 5) * 0.25;
    liftTable[i] = (i % 9 - 4) * 0.125;
  }
}

#define DIRECT(dat, dim, type, access)                                         \
  op_arg_dat(dat, -1, OP_ID, dim, type, access)

template <int dim, int order> static void run(const char *name) {
  using E = Element<dim, order>;
  constexpr int n = E::n, f = E::f, all = E::sides * E::f;
  const int size = 61;
  int kind = kindOf(dim, order);
  for (int i = 0; i < all; ++i)
    faceNodeTable[(kind - 1) * 64 + i % 64] = i * 3 % n;
  std::vector<int> sides(2 * size), wall(9);
  std::vector<double> u(size * n), metric(2 * size), normal(size);
  bool reverse[61];
  for (int c = 0; c < size; ++c) {
    sides[2 * c] = c;
    sides[2 * c + 1] = (c * 5 + 1) % size;
    metric[2 * c] = c % 3 * 0.25, metric[2 * c + 1] = c % 5 * 0.125;
    normal[c] = c % 7 * 0.25 - 0.75;
    reverse[c] = c % 4 == 1;
    for (int i = 0; i < n; ++i)
      u[c * n + i] = (c * 3 + i * i) % 16 * 0.125;
  }
  int kinds[9];
  for (int b = 0; b < 9; ++b)
    wall[b] = b * 6, kinds[b] = b % 3;
  op_set cells = op_decl_set(size, "cells"), edges = op_decl_set(size, "faces"),
         bounds = op_decl_set(9, "walls");
  op_map both = op_decl_map(edges, cells, 2, sides.data(), "both"),
         next = op_decl_map(cells, cells, 2, sides.data(), "next"),
         one = op_decl_map(bounds, cells, 1, wall.data(), "one");
  double *none = nullptr;
  op_dat q = op_decl_dat(cells, n, "double", u.data(), "u"),
         r = op_decl_dat(cells, n, "double", none, "r"),
         flux = op_decl_dat(cells, all, "double", none, "flux"),
         mean = op_decl_dat(cells, 1, "double", none, "mean"),
         geometry = op_decl_dat(cells, 2, "double", metric.data(), "metric"),
         width = op_decl_dat(edges, 1, "double", normal.data(), "normal"),
         turned = op_decl_dat(edges, 1, "bool", reverse, "reverse"),
         limited = op_decl_dat(cells, 1, "bool", (bool *)nullptr, "limited"),
         type = op_decl_dat(bounds, 1, "int", kinds, "kind");
  double most = 0, jacobian = 0.5;
  for (int step = 0; step < 2; ++step) {
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
  op_fetch_data(q, u.data());
  unsigned long hash = 14695981039346656037ul;
  for (double value : u)
    hash = (hash ^ static_cast<unsigned long>(long(value * 256))) *
           1099511628211ul;
  std::printf("%s %d: %.17g %lx\n", name, order, most, hash);
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  fillTables();
  run<2, 1>("triangles");
  run<2, 2>("triangles");
  run<2, 3>("triangles");
  run<2, 4>("triangles");
  run<3, 1>("tetrahedra");
  run<3, 2>("tetrahedra");
  run<3, 3>("tetrahedra");
  run<3, 4>("tetrahedra");
  op_exit();
}

// Loops over layers, on every target, with every access: columns of 1 to 17
// layers and of different ones, against the flat form, whose elements are the
// layers; what kernels take by layers and by columns; cells with one corner
// twice; the order of sums in a column.
//
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-target=seq,openmp,emulator %s -o %t
// RUN: env OP2_TARGET=seq %t > %t.seq
// RUN: FileCheck %s < %t.seq
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=1 %t > %t.one && diff %t.seq %t.one
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 OP2_CHECK_PLAN=1 %t > %t.omp && diff %t.seq %t.omp
// RUN: env OP2_TARGET=openmp OP2_RENUMBER=rcm OP2_CHECK=warn %t > %t.rcm && diff %t.seq %t.rcm
// RUN: %op2cxx -O3 -march=x86-64-v3 -Werror=op2-sequential %s -o %t.wide
// RUN: env OMP_NUM_THREADS=2 %t.wide > %t.out && diff %t.seq %t.out
// RUN: %op2cxx -O0 -g -Werror=op2-sequential %s -o %t.debug && %t.debug > %t.out && diff %t.seq %t.out
// RUN: %clangxx -O0 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev > %t.dev.out && diff %t.seq %t.dev.out
// RUN: env OP2_TARGET=emulator OP2_CHECK_PLAN=1 %t > %t.out && diff %t.seq %t.out
// RUN: %emulate --every-way %t.seq %s -O1 -- %op2cxx
//
// CHECK: depth 0: 0 differ, sum 0, 1 calls, most -1
// CHECK-NEXT: depth 1: 0 differ
// CHECK-NEXT: depth 7: 0 differ
// CHECK-NEXT: depth 8: 0 differ
// CHECK-NEXT: depth 9: 0 differ
// CHECK-NEXT: depth 17: 0 differ
// CHECK-NEXT: depth varying: 0 differ
// CHECK-NEXT: twice 1: 0 differ
// CHECK-NEXT: order
// CHECK: accesses: 0 differ
// CHECK-NEXT: numbers: 0 differ

#include "op_seq.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

using Values = std::vector<double>;
using Numbers = std::vector<int>;

// What the flat form adds, too: integers.
inline void heat(const double (*t)[2], double (*r)[2]) {
  double all = 0;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 2; ++k)
      all += t[i][k];
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 2; ++k)
      r[i][k] = all - 6 * t[i][k];
}
inline void flatHeat(const double *t, double *r) {
  heat((const double(*)[2])t, (double(*)[2])r);
}
// Of columns: a sum and a maximum of the program, one of each column, one of
// each corner; the column's number, its area.
inline void column(const double *t, const int *number, const double *area,
                   double *own, double *corners, double *sum, double *most,
                   long long *calls) {
  own[0] += t[0] * *area;
  own[1] += *number;
  for (int i = 0; i < 3; ++i)
    corners[i] = t[2];
  *sum += t[1];
  *most = std::max(*most, t[1]);
  ++*calls;
}
// Three levels of two values, of all corners and of one.
inline void wide(const double *const *t, double **r, double *one) {
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 6; ++k)
      r[i][k] += t[i][k] + k;
  for (int k = 0; k < 6; ++k)
    one[k] -= k * t[0][k];
}
inline void uneven(const double *t, double *r, double (*twice)[3]) {
  for (int k = 0; k < 3; ++k) {
    r[k] += t[0] * 0.1 * (k + 1);
    for (int i = 0; i < 2; ++i)
      twice[i][k] = t[0] * 0.3 * (i + 1) / (k + 1);
  }
}
inline void accesses(const int *in, int *written, int *changed, int *least,
                     int *most, int (*packed)[1], int (*smallest)[2],
                     float *narrow) {
  *written = *in + 1;
  *changed = *changed * 2 + *in;
  *least = *in < *least ? *in : *least;
  *most = *in > *most ? *in : *most;
  for (int i = 0; i < 3; ++i) {
    packed[i][0] |= 1 << (*in % 20);
    for (int k = 0; k < 2; ++k)
      if (*in < smallest[i][k])
        smallest[i][k] = *in;
  }
  narrow[0] += 1;
  narrow[1] += 2;
}

struct Mesh {
  op_set cells, nodes;
  op_map corner;
  Numbers table;
  int numNodes;
};

static Values fetch(op_dat dat) {
  Values values(std::size_t(dat->set->size) * std::size_t(dat->dim));
  op_fetch_data(dat, values.data());
  return values;
}
static Numbers fetchInts(op_dat dat) {
  Numbers values(std::size_t(dat->set->size) * std::size_t(dat->dim));
  op_fetch_data(dat, values.data());
  return values;
}
static std::size_t countDifferent(Values const &a, Values const &b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    count += a[i] != b[i];
  return count;
}

/// `begin` and `end` by cell; against loops over the layers of all cells.
static void compare(Mesh const &mesh, std::string const &name,
                    Numbers const &ranges, bool isUniform) {
  int most = *std::max_element(ranges.begin(), ranges.end());
  int levels = most + 2;
  Values t, zeros(std::size_t(mesh.numNodes * levels)), area;
  for (int i = 0; i < mesh.numNodes * levels; ++i)
    t.push_back(i * 37 % 101);
  Numbers flatTable;
  int layers = 0;
  Values own(std::size_t(mesh.cells->size) * 2), corners(zeros.size() / levels);
  double expectedSum = 5, expectedMost = -1;
  for (int c = 0; c < mesh.cells->size; ++c) {
    area.push_back(c % 3);
    for (int l = ranges[2 * c]; l < ranges[2 * c + 1]; ++l, ++layers) {
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 2; ++k)
          flatTable.push_back(mesh.table[3 * c + i] * levels + l + k);
      double const *seen = &t[mesh.table[3 * c + 1] * levels + l];
      if (l + 2 >= levels)
        std::abort();
      own[2 * c] += seen[0] * area[c];
      own[2 * c + 1] += c;
      for (int i = 0; i < 3; ++i)
        corners[mesh.table[3 * c + i]] += seen[2];
      expectedSum += seen[1];
      expectedMost = std::max(expectedMost, seen[1]);
    }
  }
  op_set prisms = op_decl_set(layers, ("prisms " + name).c_str());
  op_set points = op_decl_set(mesh.numNodes * levels, "points");
  op_map flat = op_decl_map(prisms, points, 6, flatTable.data(), "flat");
  op_dat flatT = op_decl_dat(points, 1, "double", t.data(), "flatT");
  op_dat flatR = op_decl_dat(points, 1, "double", zeros.data(), "flatR");
  op_layers columns =
      isUniform ? op_decl_layers(mesh.cells, ranges[0], ranges[1], "columns")
                : op_decl_layers_varying(mesh.cells, ranges.data(), "columns");
  auto declare = [&](Values &values, char const *what) {
    return op_decl_dat_layers(mesh.nodes, levels, 1, "double", values.data(),
                              what);
  };
  op_dat T = declare(t, "T"), R = declare(zeros, "R");
  for (int step = 0; step < 2; ++step) {
    op_par_loop(flatHeat, "flat", prisms,
                op_arg_dat(flatT, -6, flat, 1, "double", OP_READ),
                op_arg_dat(flatR, -6, flat, 1, "double", OP_INC));
    op_par_loop(
        heat, "heat", columns,
        op_arg_dat_layers(T, -3, mesh.corner, 0, 2, 1, "double", OP_READ),
        op_arg_dat_layers(R, -3, mesh.corner, 0, 2, 1, "double", OP_INC));
  }
  std::size_t different = countDifferent(fetch(R), fetch(flatR));

  auto zero = [](op_set set, int dim, char const *what) {
    return op_decl_dat(set, dim, "double", (double *)nullptr, what);
  };
  op_dat ownDat = zero(mesh.cells, 2, "own"),
         cornerDat = zero(mesh.nodes, 1, "corners"),
         areaDat = op_decl_dat(mesh.cells, 1, "double", area.data(), "area");
  double sum = 5, largest = -1;
  long long calls = 1;
  op_par_loop(
      column, "column", columns,
      op_arg_dat_layers(T, 1, mesh.corner, 0, 3, 1, "double", OP_READ),
      op_arg_idx(-1, OP_ID), op_arg_dat(areaDat, -1, OP_ID, 1, "double", OP_READ),
      op_arg_dat(ownDat, -1, OP_ID, 2, "double", OP_INC),
      op_arg_dat(cornerDat, -3, mesh.corner, 1, "double", OP_INC),
      op_arg_gbl(&sum, 1, "double", OP_INC),
      op_arg_gbl(&largest, 1, "double", OP_MAX),
      op_arg_gbl(&calls, 1, "ll", OP_INC));
  different += countDifferent(fetch(ownDat), own);
  different += countDifferent(fetch(cornerDat), corners);
  different += sum != expectedSum;
  different += largest != expectedMost;
  different += calls != layers + 1;

  // Rows of levels of two values.
  Values t2, r2(std::size_t(mesh.numNodes * levels * 2)), one = r2;
  for (std::size_t i = 0; i < r2.size(); ++i)
    t2.push_back(double(i * 41 % 97));
  op_dat T2 = op_decl_dat_layers(mesh.nodes, levels, 2, "double", t2.data(), "T2");
  op_dat R2 = op_decl_dat_layers(mesh.nodes, levels, 2, "double", r2.data(), "R2");
  op_dat O2 = op_decl_dat_layers(mesh.nodes, levels, 2, "double", r2.data(), "O2");
  op_par_loop(
      wide, "wide", columns,
      op_arg_dat_layers(T2, -3, mesh.corner, 0, 3, 2, "double", OP_READ),
      op_arg_dat_layers(R2, -3, mesh.corner, 0, 3, 2, "double", OP_INC),
      op_arg_dat_layers(O2, 2, mesh.corner, 0, 3, 2, "double", OP_INC));
  for (int c = 0; c < mesh.cells->size; ++c)
    for (int l = ranges[2 * c]; l < ranges[2 * c + 1]; ++l)
      for (int k = 0; k < 6; ++k) {
        for (int i = 0; i < 3; ++i) {
          int place = (mesh.table[3 * c + i] * levels + l) * 2 + k;
          r2[place] += t2[place] + k;
        }
        one[(mesh.table[3 * c + 2] * levels + l) * 2 + k] -=
            k * t2[(mesh.table[3 * c] * levels + l) * 2 + k];
      }
  different += countDifferent(fetch(R2), r2);
  different += countDifferent(fetch(O2), one);
  std::printf("%s: %zu differ, sum %g, %lld calls, most %g\n", name.c_str(),
              different, sum - 5, calls, largest);
}

/// Sums that are rounded: layers come in their order, whatever their number.
static void order(Mesh const &mesh) {
  Numbers ranges, twins;
  Values t;
  const int levels = 22;
  for (int c = 0; c < mesh.cells->size; ++c) {
    ranges.insert(ranges.end(), {c % 3, c % 3 + c % 18});
    twins.insert(twins.end(), {c, c});
    for (int l = 0; l < levels; ++l)
      t.push_back(1.0 / (1 + (c + l * l) % 13));
  }
  op_map twin = op_decl_map(mesh.cells, mesh.cells, 2, twins.data(), "twin");
  op_layers columns =
      op_decl_layers_varying(mesh.cells, ranges.data(), "columns");
  Values zeros(t.size());
  auto declare = [&](Values &values, char const *what) {
    return op_decl_dat_layers(mesh.cells, levels, 1, "double", values.data(),
                              what);
  };
  op_dat T = declare(t, "T"), R = declare(zeros, "R"), S = declare(zeros, "S");
  for (int step = 0; step < 3; ++step)
    op_par_loop(uneven, "uneven", columns,
                op_arg_dat_layers(T, -1, OP_ID, 1, 1, 1, "double", OP_READ),
                op_arg_dat_layers(R, -1, OP_ID, 0, 3, 1, "double", OP_INC),
                op_arg_dat_layers(S, -2, twin, 1, 3, 1, "double", OP_INC));
  for (op_dat dat : {R, S}) {
    uint64_t hash = 0;
    for (double value : fetch(dat)) {
      uint64_t bits;
      std::memcpy(&bits, &value, sizeof bits);
      hash = (hash ^ bits) * 1099511628211u;
    }
    std::printf("order %016llx\n", static_cast<unsigned long long>(hash));
  }
}

static void everyAccess(Mesh const &mesh) {
  const int levels = 12, n = mesh.cells->size;
  Numbers ranges, in, start;
  std::vector<float> narrow(std::size_t(n * levels));
  for (int c = 0; c < n; ++c) {
    ranges.insert(ranges.end(), {c % 2, c % 11});
    if (ranges[2 * c + 1] < ranges[2 * c])
      ranges[2 * c + 1] = ranges[2 * c];
    for (int l = 0; l < levels; ++l) {
      in.push_back((c * 7 + l * 3) % 50);
      start.push_back(20);
    }
  }
  Numbers written = start, changed = start, least = start, most = start;
  Numbers packed(std::size_t(mesh.numNodes * levels), 64), smallest = packed;
  op_layers columns =
      op_decl_layers_varying(mesh.cells, ranges.data(), "columns");
  auto declare = [&](op_set set, Numbers &values, char const *what) {
    return op_decl_dat_layers(set, levels, 1, "int", values.data(), what);
  };
  op_dat I = declare(mesh.cells, in, "in"), W = declare(mesh.cells, start, "w"),
         C = declare(mesh.cells, start, "c"), L = declare(mesh.cells, start, "l"),
         M = declare(mesh.cells, start, "m"), P = declare(mesh.nodes, packed, "p"),
         S = declare(mesh.nodes, packed, "s");
  op_dat N = op_decl_dat_layers(mesh.cells, levels, 1, "float", narrow.data(), "n");
  for (int step = 0; step < 2; ++step)
    op_par_loop(
        accesses, "accesses", columns,
        op_arg_dat_layers(I, -1, OP_ID, 1, 1, 1, "int", OP_READ),
        op_arg_dat_layers(W, -1, OP_ID, 0, 1, 1, "int", OP_WRITE),
        op_arg_dat_layers(C, -1, OP_ID, 1, 1, 1, "int", OP_RW),
        op_arg_dat_layers(L, -1, OP_ID, 0, 1, 1, "int", OP_MIN),
        op_arg_dat_layers(M, -1, OP_ID, 0, 1, 1, "int", OP_MAX),
        op_arg_dat_layers(P, -3, mesh.corner, 1, 1, 1, "int", OP_RW),
        op_arg_dat_layers(S, -3, mesh.corner, 0, 2, 1, "int", OP_MIN),
        op_arg_dat_layers(N, -1, OP_ID, 0, 2, 1, "float", OP_INC));
  std::size_t different = 0, numbers = 0;
  for (int step = 0; step < 2; ++step)
    for (int c = 0; c < n; ++c)
      for (int l = ranges[2 * c]; l < ranges[2 * c + 1]; ++l) {
        int at = c * levels + l, value = in[at + 1];
        written[at] = value + 1;
        changed[at + 1] = changed[at + 1] * 2 + value;
        least[at] = std::min(least[at], value);
        most[at] = std::max(most[at], value);
        narrow[at] += 1;
        narrow[at + 1] += 2;
        for (int i = 0; i < 3; ++i) {
          int node = mesh.table[3 * c + i] * levels + l;
          packed[node + 1] |= 1 << (value % 20);
          for (int k = 0; k < 2; ++k)
            smallest[node + k] = std::min(smallest[node + k], value);
        }
      }
  for (auto [dat, expected] : {std::pair{W, &written}, {C, &changed},
                               {L, &least}, {M, &most}, {P, &packed},
                               {S, &smallest}})
    different += fetchInts(dat) != *expected;
  std::vector<float> floats(narrow.size());
  op_fetch_data(N, floats.data());
  numbers += floats != narrow;
  std::printf("accesses: %zu differ\nnumbers: %zu differ\n", different, numbers);
}

static Mesh makeMesh(int n, bool repeats) {
  Mesh mesh;
  mesh.numNodes = n;
  for (int c = 0; c < 2 * n; ++c)
    for (int i = 0; i < 3; ++i)
      mesh.table.push_back((c * 5 / 3 + (repeats && c % 4 == 0 ? i % 2 : i * 17)) %
                           n);
  mesh.cells = op_decl_set(2 * n, "cells");
  mesh.nodes = op_decl_set(n, "nodes");
  mesh.corner =
      op_decl_map(mesh.cells, mesh.nodes, 3, mesh.table.data(), "corner");
  return mesh;
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  Mesh mesh = makeMesh(150, false);
  for (int depth : {0, 1, 7, 8, 9, 17}) {
    Numbers ranges;
    for (int c = 0; c < mesh.cells->size; ++c)
      ranges.insert(ranges.end(), {0, depth});
    // Three levels: one more.
    compare(mesh, "depth " + std::to_string(depth), ranges, true);
  }
  Numbers varying;
  for (int c = 0; c < mesh.cells->size; ++c)
    varying.insert(varying.end(), {c % 5, c % 5 + c * 7 % 19});
  compare(mesh, "depth varying", varying, false);
  Mesh repeating = makeMesh(40, true);
  varying.resize(repeating.cells->size * 2);
  compare(repeating, "twice 1", varying, false);
  order(mesh);
  everyAccess(mesh);
  op_exit();
}

// Loops in libraries that a program opens and closes again, one where another one
// was, with kernels and variables of the same names: the same results as in
// sequence.
//
// RUN: %clangxx -O1 -std=c++17 -Wall -Wextra -Werror %op2api %s %op2lib -ldl -o %t.dev
// RUN: %clangxx -O1 -std=c++17 -fPIC -shared -DLIBRARY=1 %op2api %s %op2lib -o %t.dev.1.so
// RUN: %clangxx -O1 -std=c++17 -fPIC -shared -DLIBRARY=2 %op2api %s %op2lib -o %t.dev.2.so
// RUN: %t.dev %t.dev.1.so %t.dev.2.so > %t.expected && FileCheck %s < %t.expected
// RUN: %op2cxx -O2 -Werror=op2-sequential --op2-target=seq,openmp,emulator %s -ldl -o %t
// RUN: %op2cxx -O2 -Werror=op2-sequential --op2-target=seq,openmp,emulator -fPIC -shared -DLIBRARY=1 %s -o %t.1.so
// RUN: %op2cxx -O2 -Werror=op2-sequential --op2-target=seq,openmp,emulator -fPIC -shared -DLIBRARY=2 %s -o %t.2.so
// RUN: env OP2_TARGET=seq %t %t.1.so %t.2.so | diff %t.expected -
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=2 OP2_CHAIN=always OP2_TILE_SIZE=50 %t %t.1.so %t.2.so | diff %t.expected -
// RUN: env OP2_TARGET=emulator %t %t.1.so %t.2.so | diff %t.expected -
//
// CHECK: first 2 second 3
// CHECK: sum {{[1-9]}}

#include "op_seq.h"

struct Mesh {
  op_set edges, nodes;
  op_map ends;
  op_dat weight, value;
};

#ifdef LIBRARY
static double factor = LIBRARY;
static void spread(const double *w, double *a, double *b) {
  *a += factor * *w;
  *b -= *w;
}
static void damp(double *v, double *sum) {
  *v *= 0.5;
  *sum += *v * *v;
}
#if LIBRARY == 1
#define NAME "first"
#else
#define NAME "second"
#endif
extern "C" double step(const Mesh &mesh, int *known) {
  double sum = 0;
  op_par_loop(spread, NAME, mesh.edges,
              op_arg_dat(mesh.weight, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(mesh.value, 0, mesh.ends, 1, "double", OP_INC),
              op_arg_dat(mesh.value, 1, mesh.ends, 1, "double", OP_INC));
  op_par_loop(damp, NAME " damped", mesh.nodes,
              op_arg_dat(mesh.value, -1, OP_ID, 1, "double", OP_RW),
              op_arg_gbl(&sum, 1, "double", OP_INC));
  factor += 0.25;
  *known = int(factor * 4) - LIBRARY * 4;
  return sum;
}
#else
#include <cstdio>
#include <dlfcn.h>
#include <vector>

int main(int, char **argv) {
  op_init(1, argv, 0);
  const int size = 4000;
  std::vector<int> table;
  std::vector<double> weights;
  for (int e = 0; e < size; ++e) {
    table.insert(table.end(), {e, (e + 3) % size});
    weights.push_back(e % 64);
  }
  Mesh mesh;
  mesh.edges = op_decl_set(size, "edges");
  mesh.nodes = op_decl_set(size, "nodes");
  mesh.ends = op_decl_map(mesh.edges, mesh.nodes, 2, table.data(), "ends");
  mesh.weight = op_decl_dat(mesh.edges, 1, "double", weights.data(), "weight");
  mesh.value = op_decl_dat(mesh.nodes, 1, "double", (double *)nullptr, "value");
  double sum = 0;
  int known[2] = {};
  for (int round = 0; round < 6; ++round) {
    void *library = dlopen(argv[1 + round % 2], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      std::fprintf(stderr, "%s\n", dlerror());
      return 1;
    }
    auto step = reinterpret_cast<double (*)(const Mesh &, int *)>(
        dlsym(library, "step"));
    for (int n = 0; n < 2 + round % 2; ++n)
      sum += step(mesh, &known[round % 2]);
    dlclose(library);
  }
  std::vector<double> values(size);
  op_fetch_data(mesh.value, values.data());
  double all = 0;
  for (int n = 0; n < size; ++n)
    all += values[n] * (n % 5);
  std::printf("first %d second %d\nsum %.17g values %.17g\n", known[0], known[1],
              sum, all);
  op_exit();
}
#endif

// One call site, many meshes: handles come from arrays, struct members,
// function parameters and calls, as multigrid codes have them.
//
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-target=seq,openmp,emulator %s -o %t
// RUN: env OP2_TARGET=seq %t > %t.seq
// RUN: FileCheck %s < %t.seq
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 %t OP_PART_SIZE=8 | grep -v '^op2: OP_PART' > %t.omp && diff %t.seq %t.omp
// RUN: %clangxx -O0 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev > %t.dev.out && diff %t.seq %t.dev.out
// RUN: env OP2_TARGET=emulator OP2_CHECK_PLAN=1 %t > %t.out && diff %t.seq %t.out
// RUN: %emulate %t.seq %s -- %op2cxx
//
// CHECK: level 0: 256 nodes, sum 510
// CHECK-NEXT: level 1: 128 nodes, sum 254
// CHECK-NEXT: level 2: 64 nodes, sum 126
// CHECK-NEXT: level 3: 0 nodes, sum 0

#include "op_seq.h"

#include <vector>

#define WEIGHT_TYPE "double"
constexpr int kDim = 1;

struct Mesh {
  op_set edges, nodes;
  op_map ends;
  op_dat value[2];
  op_dat current() const { return value[0]; }
};

inline void spread(const double *from, double *a, double *b) {
  *a += *from;
  *b += *from;
}

template <class T> void fill(T *value, const T *with) { *value = *with; }

inline void add(const double *value, double *sum) { *sum += *value; }

static void fillWith(op_set set, op_dat dat, double value) {
  op_par_loop(fill<double>, "fill", set,
              op_arg_dat(dat, -1, OP_ID, kDim, WEIGHT_TYPE, OP_WRITE),
              op_arg_gbl(&value, 1, "double", OP_READ));
}

class Solver {
public:
  explicit Solver(Mesh *mesh) : mesh(mesh) {}
  double step() {
    fillWith(mesh->edges, mesh->value[1], 1);
    fillWith(mesh->nodes, mesh->current(), 0);
    op_par_loop(spread, "spread", mesh->edges,
                op_arg_dat(mesh->value[1], -1, OP_ID, kDim, "double", OP_READ),
                op_arg_dat(mesh->current(), 0, mesh->ends, kDim, "double",
                           OP_INC),
                op_arg_dat(mesh->value[0], 1, mesh->ends, kDim, "double",
                           OP_INC));
    double sum = 0;
    op_par_loop(add, "add", mesh->nodes,
                op_arg_dat(mesh->value[0], -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&sum, 1, "double", OP_INC));
    return sum;
  }

private:
  Mesh *mesh;
};

int main(int argc, char **argv) {
  op_init(argc, argv, 1);
  Mesh meshes[4];
  for (int level = 0; level < 4; ++level) {
    const int nodes = level == 3 ? 0 : 256 >> level;
    std::vector<int> ends;
    for (int n = 0; n + 1 < nodes; ++n)
      ends.insert(ends.end(), {n, n + 1});
    Mesh &mesh = meshes[level];
    mesh.nodes = op_decl_set(nodes, "nodes");
    mesh.edges = op_decl_set(int(ends.size() / 2), "edges");
    mesh.ends = op_decl_map(mesh.edges, mesh.nodes, 2, ends.data(), "ends");
    mesh.value[0] =
        op_decl_dat(mesh.nodes, 1, "double", (double *)NULL, "node value");
    mesh.value[1] =
        op_decl_dat(mesh.edges, 1, "double", (double *)NULL, "edge value");
  }
  for (int level = 0; level < 4; ++level)
    op_printf("level %d: %d nodes, sum %g\n", level, meshes[level].nodes->size,
              Solver(&meshes[level]).step());
  op_exit();
}

// OP2_TRACE: a file for viewers of Chrome's trace format.
//
// RUN: %op2cxx %unoptimized -O1 --op2-target=openmp,seq %s -o %t
// RUN: env OP2_TRACE=%t.json OP2_TARGET=seq %t
// RUN: %python %S/../Inputs/read_trace.py %t.json | FileCheck %s
// RUN: env OP2_TRACE=%t.json OP2_TARGET=openmp OMP_NUM_THREADS=2 OP2_CHAIN=always \
// RUN:   OP2_TILE_SIZE=200 OP2_RENUMBER=rcm %t
// RUN: %python %S/../Inputs/read_trace.py %t.json | FileCheck %s --check-prefix=TILES
//
// CHECK: 1 ranks, 1 threads
// CHECK-NEXT: loop: cool: 6
// CHECK-NEXT: loop: flow: 6
// CHECK-NEXT: loop: say "twice": 1
// CHECK-NEXT: region: steps: 2
// CHECK-NOT: :
//
// TILES: 1 ranks, 2 threads
// TILES-NEXT: chain in tiles: {{.*}}flow
// TILES: flush: pending loops: {{[1-9]}}
// TILES-NEXT: inspection: {{.*}}flow
// TILES: loop: say "twice": 1
// TILES: plan: flow: 1
// TILES: renumbering: {{.*}}: 1
// TILES: tile: cool: {{[0-9]+}}
// TILES-NEXT: tile: flow: {{[0-9]+}}
//
// RUN: not env OP2_TRACE=%t.json/trace.json %t 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: op2 error: OP2_TRACE: cannot write {{.*}}.json/trace.json: Not a directory
// RUN: not env OP2_TRACE=/dev/full %t 2>&1 | FileCheck %s --check-prefix=FULL
// FULL: op2 error: OP2_TRACE: cannot write /dev/full: No space left on device

#include "op_profile.h"
#include "op_seq.h"

#include <vector>

static void flow(const double *a, const double *b, double *c, double *d) {
  *c += *b - *a;
  *d += *a - *b;
}
static void cool(double *change, double *heat) {
  *heat += 0.25 * *change;
  *change = 0;
}
static void twice(double *heat) { *heat *= 2; }

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  constexpr int size = 2000;
  std::vector<int> ends;
  for (int n = 0; n < size; ++n)
    ends.insert(ends.end(), {n, (n + 1) % size});
  std::vector<double> values(size, 1.0), zeros(size);
  values[7] = 20;
  op_set nodes = op_decl_set(size, "nodes"), edges = op_decl_set(size, "edges");
  op_map map = op_decl_map(edges, nodes, 2, ends.data(), "ends");
  op_dat heat = op_decl_dat(nodes, 1, "double", values.data(), "heat");
  op_dat change = op_decl_dat(nodes, 1, "double", zeros.data(), "change");
  op_profile_start("program");
  for (int part = 0; part < 2; ++part) {
    op_profile_enter("steps");
    for (int step = 0; step < 3; ++step) {
      op_par_loop(flow, "flow", edges,
                  op_arg_dat(heat, 0, map, 1, "double", OP_READ),
                  op_arg_dat(heat, 1, map, 1, "double", OP_READ),
                  op_arg_dat(change, 0, map, 1, "double", OP_INC),
                  op_arg_dat(change, 1, map, 1, "double", OP_INC));
      op_par_loop(cool, "cool", nodes,
                  op_arg_dat(change, -1, OP_ID, 1, "double", OP_RW),
                  op_arg_dat(heat, -1, OP_ID, 1, "double", OP_RW));
    }
    op_profile_exit();
  }
  op_fetch_data(heat, values.data());
  op_par_loop(twice, "say \"twice\"", nodes,
              op_arg_dat(heat, -1, OP_ID, 1, "double", OP_RW));
  op_exit();
  return 0;
}

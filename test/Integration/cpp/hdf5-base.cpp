// Maps in files that the library or op2-mesh has written tell what they count
// from, so that a program whose maps count from 1 reads them as they were;
// others count as those of the program do.
//
// REQUIRES: hdf5, no-sanitizer
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: %clangxx -O0 -std=c++17 %op2api %s %op2hdf5lib %op2lib -o app
// RUN: ./app write OP_MAPS_BASE_INDEX=1 | FileCheck %s
// RUN: ./app read OP_MAPS_BASE_INDEX=1 | FileCheck %s
// RUN: ./app read | FileCheck %s
// RUN: h5dump -a m/base mesh.h5 | FileCheck %s --check-prefix=BASE
// RUN: op2-mesh convert mesh.h5 -o other.h5 && mv other.h5 mesh.h5
// RUN: ./app read OP_MAPS_BASE_INDEX=1 | FileCheck %s
//
// CHECK: 1 2 2 3
// BASE: (0): 0
#include "op_hdf5.h"
#include "op_seq.h"

#include <cstdio>
#include <string>

static void look(int *to, const int *index) { *to = *index; }

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  bool writes = std::string(argv[1]) == "write";
  int table[] = {2, 3, 3, 4}, found[4] = {}; // never the first
  char const *file = "mesh.h5";
  op_set edges = writes ? op_decl_set(4, "edges") : op_decl_set_hdf5(file, "edges");
  op_set nodes = writes ? op_decl_set(5, "nodes") : op_decl_set_hdf5(file, "nodes");
  op_map map = writes ? op_decl_map(edges, nodes, 1, table, "m")
                      : op_decl_map_hdf5(edges, nodes, 1, file, "m");
  op_dat to = op_decl_dat(edges, 1, "int", found, "found");
  op_par_loop(look, "look", edges, op_arg_dat(to, -1, OP_ID, 1, "int", OP_WRITE),
              op_arg_idx(0, map));
  op_fetch_data(to, found);
  std::printf("%d %d %d %d\n", found[0], found[1], found[2], found[3]);
  if (writes)
    op_dump_to_hdf5(file);
  op_exit();
}

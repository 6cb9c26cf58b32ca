// A renumbered program writes files in its own order: sets, maps and dats.
//
// REQUIRES: hdf5
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: %clangxx -O0 -std=c++17 %op2api %s %op2hdf5lib %op2lib -o app
// RUN: ./app plain && ./app moved
// RUN: h5diff plain.h5 moved.h5
// RUN: h5diff plain-x.h5 moved-x.h5

#include "op_hdf5.h"
#include "op_seq.h"

#include <cstring>
#include <string>

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  int ends[] = {4, 0, 0, 3, 3, 1, 1, 5, 5, 2};
  double values[] = {10, 11, 20, 21, 30, 31, 40, 41, 50, 51, 60, 61};
  op_set nodes = op_decl_set(6, "nodes"), edges = op_decl_set(5, "edges");
  op_map map = op_decl_map(edges, nodes, 2, ends, "ends");
  op_dat x = op_decl_dat(nodes, 2, "double", values, "x");
  // Filled later: in the application's numbers, whoever looks first.
  op_map late = op_decl_map(edges, nodes, 2, (int *)nullptr, "late");
  int before = map->map[0];
  std::string name = argv[1];
  if (name == "moved")
    op_renumber(map);
  if (name == "moved" && map->map[0] == before)
    return 1;
  late->map = static_cast<int *>(op_malloc(sizeof ends));
  std::memcpy(late->map, ends, sizeof ends);
  op_dump_to_hdf5((name + ".h5").c_str());
  op_fetch_data_hdf5_file(x, (name + "-x.h5").c_str());
  op_fetch_data_hdf5_file(x, (name + "-x.h5").c_str());
  op_exit();
  return 0;
}

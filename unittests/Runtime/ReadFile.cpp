//===- ReadFile.cpp - Reads what programs of OP2 read -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   OP2ReadFile FILE
//
// For test/Tools/Inputs/garble.py. *.tune: choices of OP2_TUNE; *.list: names
// of OP_WHITELIST; *.h5: the mesh that op2-mesh writes.
//
//===----------------------------------------------------------------------===//

#include "op_seq.h"
#if OP2_HAS_HDF5
#include "op_hdf5.h"
#endif

#include <cstdio>
#include <cstdlib>
#include <string>

#if OP2_HAS_HDF5
static void readMesh(char const *file) {
  op_set nodes = op_decl_set_hdf5(file, "nodes");
  op_set edges = op_decl_set_hdf5(file, "edges");
  op_set cells = op_decl_set_hdf5_infer_size(file, "cells", "pcell");
  op_decl_map_hdf5(edges, nodes, 2, file, "pedge");
  op_decl_map_hdf5(cells, nodes, 4, file, "pcell");
  if (op_dat x = op_decl_dat_hdf5(nodes, 2, "double", file, "p_x"))
    op_fetch_data_hdf5_file(x, (std::string(file) + ".out").c_str());
}
#else
static void readMesh(char const *) {}
#endif

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FILE\n", argv[0]);
    return 2;
  }
  std::string file = argv[1];
  std::string suffix = file.substr(file.rfind('.') + 1);
  if (suffix == "tune")
    setenv("OP2_TUNE", file.c_str(), 1);
  if (suffix == "list")
    setenv("OP_WHITELIST", file.c_str(), 1);
  op_init(0, nullptr, 0);
  if (suffix == "h5")
    readMesh(file.c_str());
  op_exit();
}

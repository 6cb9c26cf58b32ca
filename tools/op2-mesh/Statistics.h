//===- Statistics.h - Statistics of a mesh ----------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TOOLS_OP2_MESH_STATISTICS_H
#define OP2_TOOLS_OP2_MESH_STATISTICS_H

#include "Draw/Mesh.h"

namespace op2::mesh {

/// Least, mean and greatest of some counts.
struct Range {
  int64_t least = 0, greatest = 0;
  double mean = 0;
};

struct MapStatistics {
  /// How many rows lead to each element of the target set.
  Range valence;
  int64_t unreached = 0; ///< elements of the target set
  /// Greatest minus least target of a row: the bandwidth of the numbering.
  Range span;
  /// Distance of a row's first target from that of the row before: how far
  /// memory accesses of neighbouring elements lie apart.
  Range step;
};

MapStatistics statisticsOf(Mesh const &mesh, Map const &map);

/// Faults that OP2 would not notice: elements that occur twice, rows that lead
/// twice to one element, edges whose nodes are not a side of their cells. One
/// line each, with the first element concerned.
std::vector<std::string> findFaults(Mesh const &mesh);

} // namespace op2::mesh

#endif // OP2_TOOLS_OP2_MESH_STATISTICS_H

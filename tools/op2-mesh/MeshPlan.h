//===- MeshPlan.h - The plan of a loop over a mesh -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TOOLS_OP2_MESH_MESHPLAN_H
#define OP2_TOOLS_OP2_MESH_MESHPLAN_H

#include "Draw/PlanView.h"

namespace op2::mesh {

/// The plan of a loop over `set` that reads all that the maps of the set lead
/// to and adds to its cells (or, if no map leads there, to its nodes), as a
/// device has it with `strategy`: two-level, atomics or global. 0 < blockSize.
PlanView viewPlan(Mesh const &mesh, std::string const &set,
                  std::string const &strategy, int64_t blockSize);

} // namespace op2::mesh

#endif // OP2_TOOLS_OP2_MESH_MESHPLAN_H

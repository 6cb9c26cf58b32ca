//===- FieldDrawing.h - Values on a mesh as a picture -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TOOLS_OP2_MESH_FIELDDRAWING_H
#define OP2_TOOLS_OP2_MESH_FIELDDRAWING_H

#include "Draw/Mesh.h"

namespace op2::mesh {

/// A component of a dat on cells or nodes, as colours of cells with a legend,
/// as SVG. A cell has the mean of its nodes' values. Errors name the dat.
std::string drawField(Mesh const &mesh, std::string const &dat,
                      int64_t component, int64_t width);

} // namespace op2::mesh

#endif // OP2_TOOLS_OP2_MESH_FIELDDRAWING_H

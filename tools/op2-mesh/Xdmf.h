//===- Xdmf.h - XDMF descriptions of HDF5 files -----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TOOLS_OP2_MESH_XDMF_H
#define OP2_TOOLS_OP2_MESH_XDMF_H

#include <string>
#include <vector>

namespace op2::mesh {

struct XdmfOptions {
  std::string mesh;                 ///< the HDF5 file with the mesh
  std::vector<std::string> results; ///< each one a step; none: from the mesh
  std::string cells = "pcell", coordinates = "p_x";
  std::string cellType = "auto"; ///< triangle, quadrilateral, ...
  /// Which dats; both empty: all that fit.
  std::vector<std::string> nodeDats, cellDats;
};

/// The text of a file in XDMF 3 that refers to the datasets in the HDF5 files,
/// by paths relative to the folder of `output`. Nothing is copied. Errors name
/// file, dataset and shape.
std::string makeXdmf(XdmfOptions const &options, std::string const &output);

} // namespace op2::mesh

#endif // OP2_TOOLS_OP2_MESH_XDMF_H

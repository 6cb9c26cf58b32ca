//===- Formats.h - Files that hold meshes -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A format is a row of the table in Formats.cpp: a name, endings of files, a
// reader and a writer.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TOOLS_OP2_MESH_FORMATS_H
#define OP2_TOOLS_OP2_MESH_FORMATS_H

#include "Draw/Mesh.h"

namespace op2::mesh {

/// The format by name, or, if `format` is empty, by the file's ending. Errors
/// name the file, the line where there are lines, and what was expected.
Mesh readMesh(std::string const &path, std::string const &format = "");
/// The file is whole or, after an error, as it was.
void writeMesh(Mesh const &mesh, std::string const &path,
               std::string const &format = "");
/// Does writeMesh leave out edges, which readMesh then finds from the cells?
bool storesOnlyCells(std::string const &path, std::string const &format);
/// "dat q, constant gam": what writeMesh leaves out as it has no place for it.
std::string leftOut(Mesh const &mesh, std::string const &path,
                    std::string const &format);
/// "grid (.dat)", for messages and help.
std::string knownFormats();

/// A file's content, and back. Errors name the file.
std::string readText(std::string const &path);
void writeText(std::string const &path, std::string const &text);

/// An Error if there is a number that readers of text refuse.
void requireFinite(Dat const &dat);

/// OP2's text format, new_grid.dat (GridFormat.cpp).
Mesh readGrid(std::string const &path);
void writeGrid(Mesh const &mesh, std::string const &path);

/// OP2's HDF5 files (Hdf5Format.cpp), if the tool is built with HDF5.
Mesh readHdf5(std::string const &path);
void writeHdf5(Mesh const &mesh, std::string const &path);

/// Gmsh's formats 2.2 and 4.1 (Gmsh*.cpp); written as text.
Mesh readGmsh(std::string const &path);
void writeGmsh4(Mesh const &mesh, std::string const &path);
void writeGmsh2(Mesh const &mesh, std::string const &path);

} // namespace op2::mesh

#endif // OP2_TOOLS_OP2_MESH_FORMATS_H

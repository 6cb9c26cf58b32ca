//===- Hdf5File.h - The datasets of an HDF5 file -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What OP2 writes: a set is one integer; a map or a dat is a table with
// attributes "size", "dim", "type"; a constant has "dim" and "type" only.
// op2-mesh adds "from" and "to" to maps and "set" to dats; files of others are
// understood by names (Mesh.h) and by sizes.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TOOLS_OP2_MESH_HDF5FILE_H
#define OP2_TOOLS_OP2_MESH_HDF5FILE_H

#include "Draw/Mesh.h"
#include "IO/HDF5/Handle.h"

namespace op2::mesh {

class Hdf5File {
public:
  struct Dataset {
    std::string name; ///< with the groups that it is in: "results/q"
    std::vector<int64_t> shape;
    bool isReal = false, isInteger = false, isSigned = false;
    int32_t bytes = 0; ///< of a value

    /// Tables have a row for each element.
    int64_t rows() const { return shape.empty() ? 1 : shape[0]; }
    int64_t columns() const { return shape.size() == 2 ? shape[1] : 1; }
    std::string shapeText() const; ///< "[6][2]"
  };

  /// Opens a file to read; an Error that names it.
  static Hdf5File open(std::string const &path);
  /// Makes a file `name` anew, which messages call `path`.
  static Hdf5File create(std::string const &path, std::string const &name);

  std::string const &path() const { return filePath; }
  std::vector<Dataset> const &datasets() const { return list; }
  /// NULL if there is none.
  Dataset const *find(std::string const &name) const;
  /// An Error that lists what the file has.
  Dataset const &require(std::string const &name) const;

  bool isSet(Dataset const &dataset) const;
  /// A table of numbers that is no constant: a map or a dat.
  bool isTable(Dataset const &dataset) const;
  bool isConstant(Dataset const &dataset) const;

  std::vector<double> readReals(Dataset const &dataset) const;
  /// An Error if a value does not fit.
  std::vector<int32_t> readIntegers(Dataset const &dataset) const;
  std::vector<int64_t> readLongs(Dataset const &dataset) const;
  /// Empty if there is no such attribute.
  std::string readText(Dataset const &dataset, std::string const &name) const;
  /// What the values of a map count from: 0, also if it does not say, or 1.
  int32_t readBase(Dataset const &dataset) const;
  std::vector<std::string> attributesOf(Dataset const &dataset) const;

  /// Makes the groups that the name leads through.
  void write(std::string const &name, std::vector<int64_t> const &shape,
             hid_t type, void const *values);
  void writeAttribute(std::string const &dataset, std::string const &name,
                      int32_t value);
  void writeAttribute(std::string const &dataset, std::string const &name,
                      std::string const &text);
  /// Brings what was written to the disk, which may be full, and closes it.
  void finish();

private:
  using Handle = rt::hdf5::Handle;
  Hdf5File(std::string path, Handle file);
  [[noreturn]] void fail(std::string const &what) const;
  Handle openDataset(std::string const &name) const;
  void addDataset(std::string const &name);

  std::string filePath;
  Handle file;
  std::vector<Dataset> list;
};

/// The sets that a map of this name leads from and to, by Mesh.h; {"", ""} if
/// it is none of those.
std::pair<std::string, std::string> setsOfMap(std::string const &name);

} // namespace op2::mesh

#endif // OP2_TOOLS_OP2_MESH_HDF5FILE_H

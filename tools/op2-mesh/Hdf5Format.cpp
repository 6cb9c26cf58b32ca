//===- Hdf5Format.cpp - Meshes in OP2's HDF5 files -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Formats.h"
#include "Hdf5File.h"
#include "NewFile.h"

#include <charconv>
#include <climits>

using namespace op2::mesh;

std::pair<std::string, std::string>
op2::mesh::setsOfMap(std::string const &name) {
  static constexpr char const *known[][3] = {
      {"pedge", "edges", "nodes"},    {"pecell", "edges", "cells"},
      {"pbedge", "bedges", "nodes"},  {"pbecell", "bedges", "cells"},
      {"pcell", "cells", "nodes"},    {"pface", "faces", "nodes"},
      {"pfcell", "faces", "cells"},   {"pbface", "bfaces", "nodes"},
      {"pbfcell", "bfaces", "cells"},
  };
  for (auto const &[map, from, to] : known)
    if (name == map)
      return {from, to};
  return {"", ""};
}

// An attribute "name 7" is what number 7 in the dat is called.
static constexpr char kNamePrefix[] = "name ";

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
class MeshReader {
public:
  explicit MeshReader(Hdf5File const &file) : file(file) {}

  Mesh read() {
    for (Hdf5File::Dataset const &dataset : file.datasets())
      if (file.isSet(dataset))
        readSet(dataset);
    if (mesh.sets.empty())
      throw Error(file.path() + ": no sets in the file; expected datasets of "
                                "one integer each, as OP2 writes them");
    for (Hdf5File::Dataset const &dataset : file.datasets())
      if (file.isTable(dataset))
        readTable(dataset);
      else if (file.isConstant(dataset))
        mesh.constants.push_back(
            readValues(dataset, "", static_cast<int32_t>(dataset.rows())));
      else if (!file.isSet(dataset))
        leaveOut(dataset, "it is no set, map, dat or constant");
    return std::move(mesh);
  }

private:
  [[noreturn]] void fail(Hdf5File::Dataset const &dataset,
                         std::string const &what) {
    throw Error(file.path() + ": dataset " + dataset.name + ": " + what);
  }

  void readSet(Hdf5File::Dataset const &dataset) {
    int32_t size = file.readIntegers(dataset).front();
    if (size < 0)
      fail(dataset, "the set's size is " + std::to_string(size) +
                        "; expected 0 or more");
    mesh.sets.push_back({dataset.name, size});
  }

  void readTable(Hdf5File::Dataset const &dataset) {
    if (dataset.columns() > INT_MAX)
      fail(dataset, "its shape is " + dataset.shapeText());
    auto columns = static_cast<int32_t>(dataset.columns());
    auto [from, to] = setsOfMap(dataset.name);
    std::string saidFrom = file.readText(dataset, "from");
    if (!saidFrom.empty()) {
      from = saidFrom;
      to = file.readText(dataset, "to");
    }
    if (!from.empty()) {
      checkRows(dataset, from);
      std::vector<int32_t> table = file.readIntegers(dataset);
      if (file.readBase(dataset) == 1)
        for (int32_t &target : table)
          target -= target > INT_MIN; // stays wrong
      mesh.maps.push_back({dataset.name, from, to, columns, std::move(table)});
      return;
    }
    std::string set = setOfDat(dataset);
    if (set.empty())
      return;
    checkRows(dataset, set);
    mesh.dats.push_back(readValues(dataset, set, columns));
    readNames(dataset);
    if (dataset.isReal || dataset.bytes != 4 || dataset.name == "p_bound" ||
        dataset.name == "p_region" || !file.readText(dataset, "set").empty())
      return;
    mesh.dats.back().mayBeMap = true;
    mesh.warnings.push_back(
        file.path() + ": dataset " + dataset.name + " is taken as a dat on " +
        set +
        ": it has no attribute 'set', as dats have, nor 'from' and 'to', "
        "as maps have");
  }

  Dat readValues(Hdf5File::Dataset const &dataset, std::string const &set,
                 int32_t dim) {
    Dat dat{dataset.name, set, dim, {}, {}};
    if (dataset.isReal) {
      dat.reals = file.readReals(dataset);
      return dat;
    }
    bool isInt = dataset.bytes < 4 || (dataset.bytes == 4 && dataset.isSigned);
    dat.type = isInt ? Dat::Type::Int : Dat::Type::Long;
    dat.integers = file.readLongs(dataset);
    return dat;
  }

  void leaveOut(Hdf5File::Dataset const &dataset, std::string const &why) {
    mesh.warnings.push_back(file.path() + ": dataset " + dataset.name +
                            " is left out: " + why);
  }

  void checkRows(Hdf5File::Dataset const &dataset, std::string const &set) {
    if (!mesh.findSet(set))
      fail(dataset, "lies on set '" + set + "', which the file does not have");
    int64_t size = mesh.set(set).size;
    if (dataset.rows() != size)
      fail(dataset, "its shape is " + dataset.shapeText() + "; expected [" +
                        std::to_string(size) + "][...] (set " + set + ")");
  }

  /// By its attribute, its name, or its size.
  std::string setOfDat(Hdf5File::Dataset const &dataset) {
    std::string said = file.readText(dataset, "set");
    if (!said.empty())
      return said;
    std::string usual = dataset.name == "p_x"       ? "nodes"
                        : dataset.name != "p_bound" ? ""
                        : mesh.isSolid()            ? "bfaces"
                                                    : "bedges";
    if (mesh.findSet(usual))
      return usual;
    std::string found, others;
    for (Set const &set : mesh.sets)
      if (set.size == dataset.rows()) {
        if (found.empty())
          found = set.name;
        else
          others += " and " + set.name;
      }
    if (!found.empty() && others.empty())
      return found;
    leaveOut(dataset, (found.empty() ? "no set has "
                                     : "sets " + found + others + " have ") +
                          std::to_string(dataset.rows()) + " elements");
    return "";
  }

  void readNames(Hdf5File::Dataset const &dataset) {
    constexpr std::size_t kPrefix = sizeof kNamePrefix - 1;
    for (std::string const &name : file.attributesOf(dataset)) {
      if (name.compare(0, kPrefix, kNamePrefix) != 0)
        continue;
      int32_t number = 0;
      char const *end = name.data() + name.size();
      auto [stop, status] = std::from_chars(name.data() + kPrefix, end, number);
      if (status == std::errc() && stop == end)
        mesh.names.push_back(
            {dataset.name, number, file.readText(dataset, name)});
      else
        mesh.warnings.push_back(file.path() + ": dataset " + dataset.name +
                                ": attribute '" + name +
                                "' is left out: expected a number of 32 bits");
    }
  }

  Hdf5File const &file;
  Mesh mesh;
};
} // namespace

Mesh op2::mesh::readHdf5(std::string const &path) {
  Hdf5File file = Hdf5File::open(path);
  return MeshReader(file).read();
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// With the attributes that dats and constants have.
static void writeValues(Dat const &dat, std::vector<int64_t> const &shape,
                        Hdf5File &file) {
  if (dat.type == Dat::Type::Real)
    file.write(dat.name, shape, H5T_NATIVE_DOUBLE, dat.reals.data());
  else if (dat.type == Dat::Type::Long)
    file.write(dat.name, shape, H5T_NATIVE_INT64, dat.integers.data());
  else
    file.write(
        dat.name, shape, H5T_NATIVE_INT32,
        std::vector<int32_t>(dat.integers.begin(), dat.integers.end()).data());
  file.writeAttribute(dat.name, "dim", dat.dim);
  file.writeAttribute(dat.name, "type",
                      dat.type == Dat::Type::Real   ? "double"
                      : dat.type == Dat::Type::Long ? "long long"
                                                    : "int");
}

static void writeMesh(Mesh const &mesh, Hdf5File &file) {
  for (Set const &set : mesh.sets) {
    auto size = static_cast<int32_t>(set.size);
    file.write(set.name, {1}, H5T_NATIVE_INT32, &size);
  }
  for (Map const &map : mesh.maps) {
    file.write(map.name, {map.size(), map.arity}, H5T_NATIVE_INT32,
               map.table.data());
    file.writeAttribute(map.name, "size", static_cast<int32_t>(map.size()));
    file.writeAttribute(map.name, "dim", map.arity);
    file.writeAttribute(map.name, "type", "int");
    file.writeAttribute(map.name, "base", 0);
    file.writeAttribute(map.name, "from", map.from);
    file.writeAttribute(map.name, "to", map.to);
  }
  for (Dat const &dat : mesh.dats) {
    writeValues(dat, {mesh.set(dat.set).size, dat.dim}, file);
    file.writeAttribute(dat.name, "size",
                        dat.dim * (dat.type == Dat::Type::Int ? 4 : 8));
    file.writeAttribute(dat.name, "set", dat.set);
    for (Name const &name : mesh.names)
      if (name.dat == dat.name)
        file.writeAttribute(dat.name, kNamePrefix + std::to_string(name.number),
                            name.name);
  }
  for (Dat const &constant : mesh.constants)
    writeValues(constant, {constant.dim}, file);
}

void op2::mesh::writeHdf5(Mesh const &mesh, std::string const &path) {
  NewFile output(path);
  Hdf5File file = Hdf5File::create(path, output.name());
  ::writeMesh(mesh, file);
  file.finish();
  output.finish();
}

//===- Xdmf.cpp - XDMF descriptions of HDF5 files ---------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// XDMF: https://www.xdmf.org/index.php/XDMF_Model_and_Format. A dat of one
// component is a Scalar, of three a Vector. A Matrix is what both of ParaView's
// readers take any other number of components from; of HyperSlabs, which could
// cut them out, only the older one understands those that lie in HDF5 files.
//
//===----------------------------------------------------------------------===//

#include "Xdmf.h"
#include "Draw/Xml.h"
#include "Hdf5File.h"

#include <algorithm>
#include <filesystem>

using namespace op2::mesh;

namespace {
using Dataset = Hdf5File::Dataset;

struct CellType {
  char const *name, *topology;
  int64_t nodes;
};

class XdmfWriter {
public:
  XdmfWriter(XdmfOptions const &options, std::string const &output)
      : options(options), folder(std::filesystem::path(output).parent_path()),
        mesh(Hdf5File::open(options.mesh)), cells(mesh.require(options.cells)),
        nodes(mesh.require(options.coordinates)), cellType(findCellType()) {
    checkMesh();
    for (std::string const &path : options.results)
      results.push_back(Hdf5File::open(path));
  }

  std::string write() {
    line("<?xml version=\"1.0\"?>");
    open("Xdmf Version=\"3.0\"");
    open("Domain");
    if (results.size() > 1)
      open("Grid Name=\"steps\" GridType=\"Collection\" "
           "CollectionType=\"Temporal\"");
    if (results.empty())
      writeGrid(mesh, -1);
    for (std::size_t n = 0; n < results.size(); ++n)
      writeGrid(results[n], results.size() > 1 ? int64_t(n) : -1);
    if (results.size() > 1)
      close("Grid");
    close("Domain");
    close("Xdmf");
    return std::move(text);
  }

private:
  [[noreturn]] static void fail(Hdf5File const &file, Dataset const &dataset,
                                std::string const &what) {
    throw Error(file.path() + ": dataset " + dataset.name + ": " + what);
  }

  //===--------------------------------------------------------------------===//
  // The mesh
  //===--------------------------------------------------------------------===//

  CellType findCellType() const {
    static constexpr CellType types[] = {{"triangle", "Triangle", 3},
                                         {"quadrilateral", "Quadrilateral", 4},
                                         {"tetrahedron", "Tetrahedron", 4},
                                         {"hexahedron", "Hexahedron", 8},
                                         {"line", "Polyline", 2}};
    bool isSolid = mesh.find("pbface") || mesh.find("bfaces");
    for (CellType const &type : types) {
      bool isTheOne =
          options.cellType == "auto"
              ? type.nodes == cells.columns() &&
                    (type.nodes != 4 || isSolid == (type.topology[0] == 'T'))
              : options.cellType == type.name;
      if (!isTheOne)
        continue;
      if (type.nodes != cells.columns())
        fail(mesh, cells,
             "its shape is " + cells.shapeText() + "; expected [...][" +
                 std::to_string(type.nodes) + "] for --cell-type=" + type.name);
      return type;
    }
    fail(mesh, cells,
         "its shape is " + cells.shapeText() +
             "; expected 2, 3, 4 or 8 nodes in a row");
  }

  void checkMesh() const {
    if (!cells.isInteger || cells.shape.size() != 2)
      fail(mesh, cells,
           "expected a map: a table of integers; its shape is " +
               cells.shapeText());
    if (mesh.readBase(cells) != 0)
      fail(mesh, cells,
           "its values count from 1, as attribute base says, and XDMF's from "
           "0; op2-mesh convert writes a file for it");
    if (!nodes.isReal || nodes.columns() < 2 || nodes.columns() > 3)
      fail(mesh, nodes,
           "expected coordinates: a table of real numbers with 2 or 3 in a "
           "row; its shape is " +
               nodes.shapeText());
  }

  void writeGrid(Hdf5File const &values, int64_t step) {
    open("Grid Name=\"mesh\" GridType=\"Uniform\"");
    if (step >= 0)
      line("<Time Value=\"" + std::to_string(step) + "\"/>");
    open("Topology TopologyType=\"" + std::string(cellType.topology) +
         "\" NumberOfElements=\"" + std::to_string(cells.rows()) + "\"" +
         (cellType.nodes == 2 ? " NodesPerElement=\"2\"" : ""));
    writeData(mesh, cells);
    close("Topology");
    open("Geometry GeometryType=\"" +
         std::string(nodes.columns() == 2 ? "XY" : "XYZ") + "\"");
    writeData(mesh, nodes);
    close("Geometry");
    writeDats(values);
    close("Grid");
  }

  //===--------------------------------------------------------------------===//
  // Dats
  //===--------------------------------------------------------------------===//

  void writeDats(Hdf5File const &values) {
    if (options.nodeDats.empty() && options.cellDats.empty()) {
      for (Dataset const &dataset : values.datasets())
        if (isDat(values, dataset))
          writeFitting(values, dataset);
      return;
    }
    for (std::string const &name : options.nodeDats)
      writeNamed(values, name, "Node", nodes.rows(), options.coordinates);
    for (std::string const &name : options.cellDats)
      writeNamed(values, name, "Cell", cells.rows(), options.cells);
  }

  bool isDat(Hdf5File const &values, Dataset const &dataset) const {
    return values.isTable(dataset) && setsOfMap(dataset.name).first.empty() &&
           values.readText(dataset, "from").empty() &&
           dataset.name != options.cells && dataset.name != options.coordinates;
  }

  /// On the set that the dat names, or that has as many elements.
  void writeFitting(Hdf5File const &values, Dataset const &dataset) {
    std::string set = values.readText(dataset, "set");
    bool isOnNodes =
        set.empty() ? dataset.rows() == nodes.rows() : set == "nodes";
    bool isOnCells =
        set.empty() ? dataset.rows() == cells.rows() : set == "cells";
    if (isOnNodes && isOnCells)
      fail(values, dataset,
           "nodes and cells have " + std::to_string(dataset.rows()) +
               " elements; expected --node-dats=NAME,... or "
               "--cell-dats=NAME,... to say where it is");
    if (isOnNodes || isOnCells)
      writeNamed(values, dataset.name, isOnNodes ? "Node" : "Cell",
                 isOnNodes ? nodes.rows() : cells.rows(),
                 isOnNodes ? options.coordinates : options.cells);
  }

  void writeNamed(Hdf5File const &values, std::string const &name,
                  std::string const &center, int64_t rows,
                  std::string const &like) {
    Dataset const &dataset = values.require(name);
    if (!values.isTable(dataset) || dataset.rows() != rows)
      fail(values, dataset,
           "its shape is " + dataset.shapeText() + "; expected numbers, [" +
               std::to_string(rows) + "][...] as in " + like);
    int64_t columns = dataset.columns();
    open("Attribute Name=\"" + escapeXml(name) + "\" AttributeType=\"" +
         (columns == 1   ? "Scalar"
          : columns == 3 ? "Vector"
                         : "Matrix") +
         "\" Center=\"" + center + "\"");
    writeData(values, dataset);
    close("Attribute");
  }

  //===--------------------------------------------------------------------===//
  // Lines
  //===--------------------------------------------------------------------===//

  void writeData(Hdf5File const &file, Dataset const &dataset) {
    std::string shape;
    for (int64_t extent : dataset.shape)
      shape += (shape.empty() ? "" : " ") + std::to_string(extent);
    std::string type = dataset.isReal                            ? "Float"
                       : dataset.bytes == 1 && dataset.isSigned  ? "Char"
                       : dataset.bytes == 1 && !dataset.isSigned ? "UChar"
                       : dataset.isSigned                        ? "Int"
                                                                 : "UInt";
    open("DataItem Dimensions=\"" + shape + "\" NumberType=\"" + type +
         "\" Precision=\"" + std::to_string(dataset.bytes) +
         "\" Format=\"HDF\"");
    line(escapeXml(relative(file.path()) + ":/" + dataset.name));
    close("DataItem");
  }

  std::string relative(std::string const &path) const {
    std::error_code ignored;
    auto from = folder.empty() ? std::filesystem::path(".") : folder;
    auto result = std::filesystem::relative(path, from, ignored);
    return result.empty() ? path : result.string();
  }

  void line(std::string const &content) {
    text.append(2 * depth, ' ');
    text += content + "\n";
  }
  void open(std::string const &tag) {
    line("<" + tag + ">");
    ++depth;
  }
  void close(std::string const &tag) {
    --depth;
    line("</" + tag + ">");
  }

  XdmfOptions const &options;
  std::filesystem::path folder;
  Hdf5File mesh;
  Dataset const &cells, &nodes;
  CellType cellType;
  std::vector<Hdf5File> results;
  std::string text;
  std::size_t depth = 0;
};
} // namespace

std::string op2::mesh::makeXdmf(XdmfOptions const &options,
                                std::string const &output) {
  return XdmfWriter(options, output).write();
}

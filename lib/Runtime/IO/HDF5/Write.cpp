//===- Write.cpp - Values to HDF5 files -------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// op_write_const_hdf5, op_fetch_data_hdf5_*, op_dump_to_hdf5.
//
//===----------------------------------------------------------------------===//

#include "Core/Job.h"
#include "Core/MapTable.h"
#include "Core/Registry.h"
#include "Core/Threads.h"
#include "Core/Types.h"
#include "Dataset.h"
#include "ElementTypes.h"
#include "RankRows.h"
#include "op_hdf5.h"
#include "op_rt_support.h"

using namespace op2::rt;
using namespace op2::rt::hdf5;

/// Before a file is opened to be written: ranks read it one by one, and one may
/// be late.
static void awaitReaders() { op_mpi_barrier(); }

/// Only the root writes; the others go on when the file is closed.
template <class Write> static void asRoot(Write write) {
  awaitReaders();
  if (isRoot())
    write();
  op_mpi_barrier();
}

/// A dataset that is there: it must be what would be made.
static Handle openSame(Place const &place, Handle const &file, int type,
                       std::vector<hsize_t> const &shape) {
  Handle dataset = openDataset(place, file);
  auto found = shapeOf(place, dataset);
  if (found != shape)
    place.fail("is there with shape %s; expected %s", describe(found).c_str(),
               describe(shape).c_str());
  Handle stored(H5Dget_type(dataset), H5Tclose);
  if (H5Tequal(stored, nativeType(type)) <= 0)
    place.fail("is there and holds %s; expected %s",
               describeType(stored).c_str(), typeName(type));
  return dataset;
}

/// What is refused is so before the file is opened to be written: one of HDF5's
/// newest format that a program then leaves open is unusable.
static Handle openFor(Place const &place, int type,
                      std::vector<hsize_t> const &shape) {
  int64_t bytes = typeSize(type);
  for (hsize_t extent : shape)
    bytes *= static_cast<int64_t>(extent);
  if (isThere(place)) {
    Handle file = openToRead(place);
    if (!hasDataset(file, place.dataset))
      requireGroups(place, file);
    else if (H5Dget_offset(openSame(place, file, type, shape)) != HADDR_UNDEF)
      bytes = 0; // its values have a place
    H5Eclear2(H5E_DEFAULT);
  }
  return openToWrite(place, bytes);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// What OP2 calls the type in the attribute of a constant.
static std::string attributeType(int type) {
  return type == OP2RT_I64 ? "long long" : typeName(type);
}

static void writeConst(Place const &place, Handle const &file, int type,
                       int dim, void const *data) {
  std::vector<hsize_t> shape{static_cast<hsize_t>(dim)};
  if (hasDataset(file, place.dataset))
    return writeValues(place, openDataset(place, file), type, {}, data);
  Handle dataset = createDataset(place, file, nativeType(type), shape);
  writeValues(place, dataset, type, {}, data);
  std::string word = attributeType(type);
  writeAttribute(place, dataset, "dim", dim);
  writeAttribute(place, dataset, "type", word, word.size());
}

extern "C" void op_write_const_hdf5(char const *name, int dim, char const *type,
                                    char *data, char const *file) {
  Call const call(__func__);
  Place place("op_write_const_hdf5", file, name);
  int elementType = requireType(place, type);
  if (!data)
    place.fail("the data pointer is NULL");
  if (dim < 1)
    place.fail("dim is %d; expected at least 1", dim);
  asRoot([&] {
    Handle opened = openFor(place, elementType, {static_cast<hsize_t>(dim)});
    writeConst(place, opened, elementType, dim, data);
    finish(place, std::move(opened));
  });
}

//===----------------------------------------------------------------------===//
// Dats
//===----------------------------------------------------------------------===//

/// The type of the values; an error for "int" dats that hold something else.
static int requireValues(Place const &place, Dat const &dat) {
  int type = requireType(place, dat.type);
  int size = typeSize(type);
  if (dat.size != size * dat.dim)
    place.fail("the dat's type is %s, but its components have %d bytes; "
               "expected %d",
               dat.type, dat.size / dat.dim, size);
  return type;
}

static std::vector<hsize_t> shapeOf(op_set set, int dim) {
  return {static_cast<hsize_t>(static_cast<Set const &>(*set).globalSize),
          static_cast<hsize_t>(dim)};
}

static Handle createFor(Place const &place, Handle const &file,
                        Dat const &dat) {
  Handle dataset =
      createDataset(place, file, nativeType(requireValues(place, dat)),
                    shapeOf(dat.set, dat.dim));
  writeAttribute(place, dataset, "size", dat.size);
  writeAttribute(place, dataset, "dim", dat.dim);
  writeAttribute(place, dataset, "type", dat.ownType, dat.ownType.size());
  return dataset;
}

static DatasetRows rowsOf(Place const &place, Dat const &dat, Handle dataset) {
  return {place.dataset,
          std::move(dataset),
          requireValues(place, dat),
          static_cast<Set const &>(*dat.set).globalSize,
          dat.size,
          [&dat](Visitors visitors, VisitRows const &visit) {
            visitValues(dat, visitors, visit);
          }};
}

static void writeDat(char const *call, op_dat handle, char const *file,
                     char const *path) {
  Dat &dat = requireDat(handle, call);
  op_download_dat(handle);
  Place place(call, file, path);
  if (place.dataset.empty())
    place.fail("the dataset has no name");
  int type = requireValues(place, dat);
  awaitReaders();
  Handle opened, dataset;
  if (isRoot()) {
    opened = openFor(place, type, shapeOf(dat.set, dat.dim));
    dataset = hasDataset(opened, place.dataset) ? openDataset(place, opened)
                                                : createFor(place, opened, dat);
  }
  std::vector<DatasetRows> rows;
  rows.push_back(rowsOf(place, dat, std::move(dataset)));
  writeAndFinish(place, std::move(opened), std::move(rows));
}

extern "C" void op_fetch_data_hdf5_file(op_dat dat, char const *file) {
  Call const call(__func__);
  requireDat(dat, "op_fetch_data_hdf5_file");
  writeDat("op_fetch_data_hdf5_file", dat, file, dat->name);
}

extern "C" void op_fetch_data_hdf5_file_path(op_dat dat, char const *file,
                                             char const *path) {
  Call const call(__func__);
  writeDat("op_fetch_data_hdf5_file_path", dat, file, path);
}

extern "C" void op_fetch_data_hdf5(op_dat dat, char const *file,
                                   char const *path) {
  Call const call(__func__);
  writeDat("op_fetch_data_hdf5", dat, file, path);
}

//===----------------------------------------------------------------------===//
// Everything
//===----------------------------------------------------------------------===//

static constexpr char const *kDump = "op_dump_to_hdf5";

/// An error if the name is taken: a set may have the name of a dat.
static void requireNew(Place const &place, Handle const &file) {
  if (place.dataset.empty())
    place.fail("a set, map or dat without a name cannot be written");
  if (hasDataset(file, place.dataset))
    place.fail("two of the program's sets, maps and dats have this name");
}

static void dumpSet(char const *name, Handle const &file, op_set set) {
  Place place(kDump, name, set->name);
  requireNew(place, file);
  Handle dataset = createDataset(place, file, H5T_NATIVE_INT, {1});
  auto size = static_cast<int>(static_cast<Set &>(*set).globalSize);
  writeValues(place, dataset, OP2RT_I32, {}, &size);
}

static Handle makeTable(Place const &place, Handle const &file, op_map map) {
  requireNew(place, file);
  Handle dataset =
      createDataset(place, file, H5T_NATIVE_INT, shapeOf(map->from, map->dim));
  writeAttribute(place, dataset, "size",
                 static_cast<int>(static_cast<Set &>(*map->from).globalSize));
  writeAttribute(place, dataset, "dim", map->dim);
  constexpr std::size_t kTypeWidth = 10; // as OP2 writes it
  writeAttribute(place, dataset, "type", "int", kTypeWidth);
  writeAttribute(place, dataset, kBase, 0);
  // As op2-mesh writes them, and looks for maps by them.
  for (auto [end, set] : {std::pair{"from", map->from}, {"to", map->to}}) {
    std::string const name = set->name;
    writeAttribute(place, dataset, end, name, name.size() + 1);
  }
  return dataset;
}

static DatasetRows dumpMap(char const *name, Handle const &file, op_map map) {
  Place place(kDump, name, map->name);
  if (!map->map && map->from->size > 0)
    place.fail("the map has no table");
  requireTable(static_cast<Map &>(*map), kDump);
  return {place.dataset,
          isRoot() ? makeTable(place, file, map) : Handle(),
          OP2RT_I32,
          static_cast<Set const &>(*map->from).globalSize,
          map->dim * int64_t(sizeof(int)),
          [map](Visitors visitors, VisitRows const &visit) {
            visitTable(static_cast<Map const &>(*map), visitors, visit);
          }};
}

static DatasetRows dumpDat(char const *name, Handle const &file, Dat &dat) {
  op_download_dat(&dat);
  Place place(kDump, name, dat.name);
  Handle dataset;
  if (isRoot()) {
    requireNew(place, file);
    dataset = createFor(place, file, dat);
  }
  return rowsOf(place, dat, std::move(dataset));
}

extern "C" void op_dump_to_hdf5(char const *file) {
  Call const call(__func__);
  requireRunning(kDump);
  Place whole(kDump, file, "");
  awaitReaders();
  Handle opened;
  if (isRoot())
    opened = createFile(whole);
  for (op_set set : registry().sets)
    if (isRoot())
      dumpSet(file, opened, set);
  std::vector<DatasetRows> rows;
  for (op_map map : registry().maps)
    if (!static_cast<Map *>(map)->isAhead)
      rows.push_back(dumpMap(file, opened, map));
  for (Dat *dat : registry().dats)
    if (!dat->base) // overlays have the values of others
      rows.push_back(dumpDat(file, opened, *dat));
  writeAndFinish(whole, std::move(opened), std::move(rows));
}

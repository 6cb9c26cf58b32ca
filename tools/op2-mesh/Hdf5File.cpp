//===- Hdf5File.cpp - The datasets of an HDF5 file -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Hdf5File.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cmath>
#include <cstring>
#include <unistd.h>

using namespace op2::mesh;
using op2::rt::hdf5::Handle;

std::string Hdf5File::Dataset::shapeText() const {
  std::string text;
  for (int64_t extent : shape)
    text += "[" + std::to_string(extent) + "]";
  return text.empty() ? "[]" : text;
}

void Hdf5File::fail(std::string const &what) const {
  throw Error(filePath + ": " + what);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static herr_t addName(hid_t, char const *name, H5O_info_t const *info,
                      void *names) {
  if (info->type == H5O_TYPE_DATASET)
    static_cast<std::vector<std::string> *>(names)->emplace_back(name);
  return 0;
}

Hdf5File::Hdf5File(std::string path, Handle handle)
    : filePath(std::move(path)), file(std::move(handle)) {}

Hdf5File Hdf5File::open(std::string const &path) {
  // Messages are ours.
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  if (access(path.c_str(), R_OK) != 0)
    throw Error(path + ": cannot read: " + std::strerror(errno));
  if (H5Fis_hdf5(path.c_str()) <= 0)
    throw Error(path + ": is no HDF5 file");
  Hdf5File result(
      path,
      Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose));
  if (!result.file)
    result.fail("cannot open it (truncated?)");
  std::vector<std::string> names;
  if (H5Ovisit(result.file, H5_INDEX_NAME, H5_ITER_INC, addName, &names) < 0)
    result.fail("cannot list its datasets (truncated?)");
  for (std::string const &name : names)
    result.addDataset(name);
  return result;
}

Hdf5File Hdf5File::create(std::string const &path, std::string const &name) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  Hdf5File result(path, Handle(H5Fcreate(name.c_str(), H5F_ACC_TRUNC,
                                         H5P_DEFAULT, H5P_DEFAULT),
                               H5Fclose));
  if (!result.file)
    result.fail("cannot write");
  return result;
}

//===----------------------------------------------------------------------===//
// What is there
//===----------------------------------------------------------------------===//

Handle Hdf5File::openDataset(std::string const &name) const {
  Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset)
    fail("dataset " + name + ": cannot open it");
  return dataset;
}

void Hdf5File::addDataset(std::string const &name) {
  Handle opened = openDataset(name);
  Handle type(H5Dget_type(opened), H5Tclose),
      space(H5Dget_space(opened), H5Sclose);
  int rank = space ? H5Sget_simple_extent_ndims(space) : -1;
  if (!type || rank < 0)
    fail("dataset " + name + ": cannot find out what it is");
  std::vector<hsize_t> extents(static_cast<std::size_t>(rank));
  H5Sget_simple_extent_dims(space, extents.data(), nullptr);
  Dataset dataset;
  dataset.name = name;
  dataset.shape.assign(extents.begin(), extents.end());
  bool hasValues = H5Sget_simple_extent_type(space) != H5S_NULL;
  dataset.isReal = hasValues && H5Tget_class(type) == H5T_FLOAT;
  dataset.isInteger = hasValues && H5Tget_class(type) == H5T_INTEGER;
  dataset.isSigned = dataset.isInteger && H5Tget_sign(type) == H5T_SGN_2;
  // HDF5 converts numbers of any width, up to gigabytes each.
  constexpr std::size_t kWidest = 16;
  std::size_t bytes = H5Tget_size(type);
  if ((dataset.isReal || dataset.isInteger) && (bytes < 1 || bytes > kWidest))
    fail("dataset " + name + ": its numbers have " + std::to_string(bytes) +
         " bytes each; expected 1 ... " + std::to_string(kWidest));
  dataset.bytes = static_cast<int32_t>(std::min(bytes, kWidest));
  list.push_back(std::move(dataset));
}

Hdf5File::Dataset const *Hdf5File::find(std::string const &name) const {
  for (Dataset const &dataset : list)
    if (dataset.name == name)
      return &dataset;
  return nullptr;
}

Hdf5File::Dataset const &Hdf5File::require(std::string const &name) const {
  if (Dataset const *dataset = find(name))
    return *dataset;
  std::string known;
  for (Dataset const &dataset : list)
    known += (known.empty() ? "" : ", ") + dataset.name;
  fail("no dataset '" + name + "'; the file has " +
       (known.empty() ? "none" : known));
}

bool Hdf5File::isSet(Dataset const &dataset) const {
  return dataset.isInteger && dataset.rows() * dataset.columns() == 1 &&
         dataset.shape.size() <= 1 && readText(dataset, "type").empty();
}

bool Hdf5File::isTable(Dataset const &dataset) const {
  if ((!dataset.isReal && !dataset.isInteger) || dataset.shape.empty() ||
      dataset.shape.size() > 2 || dataset.columns() == 0 || isSet(dataset))
    return false;
  return !isConstant(dataset);
}

bool Hdf5File::isConstant(Dataset const &dataset) const {
  return (dataset.isReal || dataset.isInteger) && dataset.shape.size() == 1 &&
         dataset.rows() <= INT_MAX && !readText(dataset, "type").empty() &&
         H5Aexists_by_name(file, dataset.name.c_str(), "size", H5P_DEFAULT) <=
             0;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

template <class Value>
static std::vector<Value> readAs(Handle const &opened,
                                 Hdf5File::Dataset const &dataset, hid_t type,
                                 std::string const &path) {
  // A damaged shape may ask for all memory. In chunks there may be less.
  Handle layout(H5Dget_create_plist(opened), H5Pclose);
  hsize_t count = hsize_t(dataset.rows()) * hsize_t(dataset.columns());
  hsize_t stored = H5Dget_storage_size(opened);
  if (H5Pget_layout(layout) != H5D_CHUNKED && stored != 0 &&
      stored / hsize_t(dataset.bytes) < count)
    throw Error(path + ": dataset " + dataset.name + ": its shape is " +
                dataset.shapeText() + ", but " + std::to_string(stored) +
                " bytes are stored (truncated?)");
  std::vector<Value> values(count);
  if (H5Dread(opened, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    throw Error(path + ": dataset " + dataset.name +
                ": cannot read it (truncated?)");
  return values;
}

std::vector<double> Hdf5File::readReals(Dataset const &dataset) const {
  if (dataset.bytes <= int32_t(sizeof(double)))
    return readAs<double>(openDataset(dataset.name), dataset, H5T_NATIVE_DOUBLE,
                          filePath);
  std::vector<double> values;
  for (long double value : readAs<long double>(
           openDataset(dataset.name), dataset, H5T_NATIVE_LDOUBLE, filePath)) {
    values.push_back(static_cast<double>(value));
    if (std::isinf(values.back()) && !std::isinf(value))
      fail("dataset " + dataset.name +
           ": has a number that does not fit into a double");
  }
  return values;
}

std::vector<int64_t> Hdf5File::readLongs(Dataset const &dataset) const {
  if (!dataset.isInteger)
    fail("dataset " + dataset.name + ": expected integers");
  auto values = readAs<int64_t>(openDataset(dataset.name), dataset,
                                H5T_NATIVE_INT64, filePath);
  // HDF5 makes what does not fit the greatest or the least that does.
  bool mayClip = dataset.bytes > 8 || (dataset.bytes > 7 && !dataset.isSigned);
  for (int64_t value : values)
    if (mayClip && (value == INT64_MAX || value == INT64_MIN))
      fail("dataset " + dataset.name +
           ": has an integer that does not fit into 64 bits with a sign");
  return values;
}

std::vector<int32_t> Hdf5File::readIntegers(Dataset const &dataset) const {
  auto wide = readLongs(dataset);
  std::vector<int32_t> values;
  values.reserve(wide.size());
  for (int64_t value : wide) {
    if (value < INT_MIN || value > INT_MAX)
      fail("dataset " + dataset.name + ": value " + std::to_string(value) +
           "; expected " + std::to_string(INT_MIN) + " ... " +
           std::to_string(INT_MAX));
    values.push_back(static_cast<int32_t>(value));
  }
  return values;
}

std::string Hdf5File::readText(Dataset const &dataset,
                               std::string const &name) const {
  char const *object = dataset.name.c_str();
  if (H5Aexists_by_name(file, object, name.c_str(), H5P_DEFAULT) <= 0)
    return "";
  Handle attribute(
      H5Aopen_by_name(file, object, name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose);
  Handle type(H5Aget_type(attribute), H5Tclose);
  if (!type || H5Tget_class(type) != H5T_STRING ||
      H5Tis_variable_str(type) != 0 || H5Aget_storage_size(attribute) == 0)
    return "";
  std::string text(H5Aget_storage_size(attribute), '\0');
  if (H5Aread(attribute, type, text.data()) < 0)
    return "";
  return text.c_str(); // up to the first zero
}

int32_t Hdf5File::readBase(Dataset const &dataset) const {
  char const *object = dataset.name.c_str(), *name = "base";
  if (H5Aexists_by_name(file, object, name, H5P_DEFAULT) <= 0)
    return 0;
  Handle attribute(
      H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  Handle type(H5Aget_type(attribute), H5Tclose),
      space(H5Aget_space(attribute), H5Sclose);
  int32_t base = -1;
  if (H5Tget_class(type) != H5T_INTEGER ||
      H5Sget_simple_extent_npoints(space) != 1 ||
      H5Aread(attribute, H5T_NATIVE_INT32, &base) < 0 || base < 0 || base > 1)
    fail("dataset " + dataset.name +
         ": attribute base is something else than 0 or 1");
  return base;
}

static herr_t addAttribute(hid_t, char const *name, H5A_info_t const *,
                           void *names) {
  static_cast<std::vector<std::string> *>(names)->emplace_back(name);
  return 0;
}

std::vector<std::string> Hdf5File::attributesOf(Dataset const &dataset) const {
  std::vector<std::string> names;
  H5Aiterate2(openDataset(dataset.name), H5_INDEX_NAME, H5_ITER_INC, nullptr,
              addAttribute, &names);
  return names;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

void Hdf5File::write(std::string const &name, std::vector<int64_t> const &shape,
                     hid_t type, void const *values) {
  std::vector<hsize_t> extents(shape.begin(), shape.end());
  Handle space(H5Screate_simple(int(extents.size()), extents.data(), nullptr),
               H5Sclose),
      groups(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(groups, 1);
  Handle dataset(H5Dcreate2(file, name.c_str(), type, space, groups,
                            H5P_DEFAULT, H5P_DEFAULT),
                 H5Dclose);
  if (!dataset ||
      H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
    fail("dataset " + name + ": cannot write it");
}

static bool writeTo(Handle const &dataset, std::string const &name,
                    Handle const &space, hid_t type, void const *value) {
  Handle attribute(
      H5Acreate2(dataset, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose);
  return attribute && H5Awrite(attribute, type, value) >= 0;
}

void Hdf5File::writeAttribute(std::string const &dataset,
                              std::string const &name, int32_t value) {
  hsize_t one = 1;
  Handle space(H5Screate_simple(1, &one, nullptr), H5Sclose);
  if (!writeTo(openDataset(dataset), name, space, H5T_NATIVE_INT32, &value))
    fail("dataset " + dataset + ": cannot write attribute " + name);
}

void Hdf5File::writeAttribute(std::string const &dataset,
                              std::string const &name,
                              std::string const &text) {
  Handle space(H5Screate(H5S_SCALAR), H5Sclose),
      type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, text.size() + 1);
  if (!writeTo(openDataset(dataset), name, space, type, text.c_str()))
    fail("dataset " + dataset + ": cannot write attribute " + name);
}

void Hdf5File::finish() {
  if (H5Fflush(file, H5F_SCOPE_GLOBAL) < 0 || Handle::hasLost ||
      file.reset() < 0)
    fail("cannot finish the file");
}

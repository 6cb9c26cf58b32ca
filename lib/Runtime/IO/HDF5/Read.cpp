//===- Read.cpp - Declarations from HDF5 files ------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// op_decl_*_hdf5 and op_get_const_hdf5. Programs ask for maps and dats that a
// file need not have, and look for NULL.
//
//===----------------------------------------------------------------------===//

#include "Core/Job.h"
#include "Core/Registry.h"
#include "Core/Settings.h"
#include "Core/Threads.h"
#include "Core/Types.h"
#include "Dataset.h"
#include "ElementTypes.h"
#include "op_hdf5.h"

#include <climits>
#include <memory>

using namespace op2::rt;
using namespace op2::rt::hdf5;

namespace {
struct Free {
  void operator()(void *data) const { op_free(data); }
};
template <class T> using Buffer = std::unique_ptr<T, Free>;
} // namespace

template <class T>
static Buffer<T> allocate(Place const &place, int64_t count, int64_t size) {
  auto bytes = static_cast<std::size_t>(count * size);
  Buffer<T> buffer(static_cast<T *>(op_malloc(bytes)));
  if (!buffer)
    place.fail("not enough memory for its %lld bytes",
               static_cast<long long>(bytes));
  return buffer;
}

static int requireSize(Place const &place, long long size) {
  if (size < 0 || size > kMostElements)
    place.fail("the set's size is %lld; expected 0..%d", size, kMostElements);
  return static_cast<int>(size);
}

/// Each rank reads its block, unless it declares everything.
static op_set declareShare(int64_t size, char const *name) {
  if (!job.declaresWhole) {
    size = size * (job.rank + 1) / job.size - size * job.rank / job.size;
    job.mayMeanWhole = !settingText("OP2_RANKS");
  }
  return op_decl_set(static_cast<int>(size), name);
}

static Rows rowsOfRank(op_set set) {
  auto const &of = static_cast<Set const &>(*set);
  return {false, of.declaredBegin, of.declaredSize};
}

extern "C" op_set op_decl_set_hdf5(char const *file, char const *name) {
  Call const call(__func__);
  requireRunning("op_decl_set_hdf5");
  int size = 0;
  {
    Place place("op_decl_set_hdf5", file, name);
    Handle opened = openToRead(place), dataset = openDataset(place, opened);
    auto shape = shapeOf(place, dataset);
    hsize_t count = 1;
    for (hsize_t extent : shape)
      count *= extent;
    if (count != 1)
      place.fail("its shape is %s; expected one integer, the set's size "
                 "(op_decl_set_hdf5_infer_size takes the size of a dataset)",
                 describe(shape).c_str());
    long long value = 0;
    readValues(place, dataset, OP2RT_I64, Rows(), 1, &value);
    size = requireSize(place, value);
  }
  return declareShare(size, name);
}

extern "C" op_set op_decl_set_hdf5_infer_size(char const *file,
                                              char const *name,
                                              char const *set_dataset_name) {
  Call const call(__func__);
  requireRunning("op_decl_set_hdf5_infer_size");
  int size = 0;
  {
    Place place("op_decl_set_hdf5_infer_size", file, set_dataset_name);
    Handle opened = openToRead(place), dataset = findDataset(place, opened);
    if (!dataset)
      return nullptr;
    auto shape = shapeOf(place, dataset);
    if (shape.empty())
      place.fail("is a single value; expected a dataset with a row for each "
                 "element of the set");
    size = requireSize(place, static_cast<long long>(shape.front()));
  }
  return declareShare(size, name);
}

/// An error unless the dataset has `dim` values for each element of the set.
static int64_t requireShape(Place const &place, Handle const &dataset,
                            op_set set, int dim) {
  if (dim <= 0)
    place.fail("dim is %d; expected at least 1", dim);
  auto shape = shapeOf(place, dataset);
  bool isColumn = shape.size() == 1 && dim == 1;
  bool isTable = shape.size() == 2 && shape[1] == static_cast<hsize_t>(dim);
  auto const &of = static_cast<Set const &>(*set);
  auto size = static_cast<int>(of.globalSize);
  if ((!isColumn && !isTable) || shape[0] != static_cast<hsize_t>(size))
    place.fail("its shape is %s; expected [%d][%d] (set %s has %d elements, "
               "dim %d)",
               describe(shape).c_str(), size, dim, set->name, size, dim);
  return int64_t(of.declaredSize) * dim;
}

extern "C" op_map op_decl_map_hdf5(op_set from, op_set to, int dim,
                                   char const *file, char const *name) {
  Call const call(__func__);
  requireRunning("op_decl_map_hdf5");
  requireSet(from, "op_decl_map_hdf5, from");
  requireSet(to, "op_decl_map_hdf5, to");
  Place place("op_decl_map_hdf5", file, name);
  Handle opened = openToRead(place), dataset = findDataset(place, opened);
  if (!dataset)
    return nullptr;
  int64_t count = requireShape(place, dataset, from, dim);
  Buffer<int> values = allocate<int>(place, count, sizeof(int));
  readValues(place, dataset, OP2RT_I32, rowsOfRank(from), count, values.get());
  int base = readAttribute(place, dataset, kBase, OP_maps_base_index);
  if (base != 0 && base != 1)
    place.fail("attribute %s is %d; expected 0 or 1", kBase, base);
  // Values that are too large stay so: they do not turn around.
  if (int shift = OP_maps_base_index - base)
    for (int64_t n = 0; n < count; ++n)
      if (values.get()[n] != (shift > 0 ? INT_MAX : INT_MIN))
        values.get()[n] += shift;
  return op_decl_map(from, to, dim, values.get(), name);
}

extern "C" op_dat op_decl_dat_hdf5(op_set set, int dim, char const *type,
                                   char const *file, char const *name) {
  Call const call(__func__);
  requireRunning("op_decl_dat_hdf5");
  requireSet(set, "op_decl_dat_hdf5");
  Place place("op_decl_dat_hdf5", file, name);
  int elementType = requireType(place, type);
  int size = typeSize(elementType);
  Handle opened = openToRead(place), dataset = findDataset(place, opened);
  if (!dataset)
    return nullptr;
  int64_t count = requireShape(place, dataset, set, dim);
  Buffer<char> values = allocate<char>(place, count, size);
  readValues(place, dataset, elementType, rowsOfRank(set), count, values.get());
  // The buffer does not outlive this call, even with OP_NO_REALLOC.
  int saved = OP_realloc;
  OP_realloc = 1;
  op_dat dat = op_decl_dat_char(set, dim, type, size, values.get(), name);
  OP_realloc = saved;
  static_cast<Dat *>(dat)->entry.orig_ptr = nullptr;
  return dat;
}

extern "C" void op_get_const_hdf5(char const *name, int dim, char const *type,
                                  char *data, char const *file) {
  Call const call(__func__);
  Place place("op_get_const_hdf5", file, name);
  int elementType = requireType(place, type);
  if (!data)
    place.fail("the data pointer is NULL");
  Handle opened = openToRead(place), dataset = openDataset(place, opened);
  auto shape = shapeOf(place, dataset);
  hsize_t count = 1;
  for (hsize_t extent : shape)
    count *= extent;
  if (dim < 1 || count != static_cast<hsize_t>(dim))
    place.fail("its shape is %s; expected [%d]", describe(shape).c_str(), dim);
  readValues(place, dataset, elementType, Rows(), dim, data);
}

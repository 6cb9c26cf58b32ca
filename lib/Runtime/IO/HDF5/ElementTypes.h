//===- ElementTypes.h - OP2's element types in HDF5 -------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_IO_HDF5_ELEMENTTYPES_H
#define OP2_LIB_RUNTIME_IO_HDF5_ELEMENTTYPES_H

#include "Dataset.h"

namespace op2::rt::hdf5 {

/// OP2RT_F64 ... of a type string; an error for a string that is none.
int requireType(Place const &place, char const *type);

/// The type in memory and in new datasets.
hid_t nativeType(int type);

/// Rows of a dataset: all of them, or a rank's block.
struct Rows {
  bool isAll = true;
  int64_t begin = 0, count = 0;
};

/// Reads all `count` values of these rows as OP2RT_F64 ...; an error if the
/// file's type cannot be taken as that, or a value does not fit.
void readValues(Place const &place, Handle const &dataset, int type, Rows rows,
                int64_t count, void *values);

/// Writes all values of these rows.
void writeValues(Place const &place, Handle const &dataset, int type, Rows rows,
                 void const *values);

/// "double", "64-bit integer", "a string" ...
std::string describeType(hid_t type);

} // namespace op2::rt::hdf5

#endif // OP2_LIB_RUNTIME_IO_HDF5_ELEMENTTYPES_H

//===- RankRows.h - Rows that ranks write side by side ----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The root makes datasets, with places in the file, by HDF5. Then each rank
// writes a share of the rows to these places; the root all of them, piece by
// piece, where other ranks do not see its file, or rows have no place of their
// own (chunks, filters). The file is the same.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_IO_HDF5_RANKROWS_H
#define OP2_LIB_RUNTIME_IO_HDF5_RANKROWS_H

#include "Core/UserOrder.h"
#include "Dataset.h"

namespace op2::rt::hdf5 {

/// What is written to a dataset.
struct DatasetRows {
  std::string dataset;
  Handle handle; ///< the root's
  int type;      ///< OP2RT_F64 ..., of the values
  int64_t count, rowBytes;
  /// Calls visit for the rows, as visitValues() does.
  std::function<void(Visitors visitors, VisitRows const &visit)> visit;
};

/// Writes them to the root's file, and finishes it, which is at `place`. All
/// ranks call it.
void writeAndFinish(Place const &place, Handle file,
                    std::vector<DatasetRows> datasets);

} // namespace op2::rt::hdf5

#endif // OP2_LIB_RUNTIME_IO_HDF5_RANKROWS_H

//===- MapColumns.h - Columns of maps that ranks have -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_RANKS_MAPCOLUMNS_H
#define OP2_LIB_RUNTIME_RANKS_MAPCOLUMNS_H

#include "Core/Registry.h"

namespace op2::rt {

/// A map with these columns of one that ranks have divided, and with it the
/// compositions that the other one has (Core/Composition.h). Called by all
/// ranks. tensorColumns: Map::tensorColumns.
Map &takeColumns(Map const &all, std::vector<int> const &columns,
                 int tensorColumns);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_RANKS_MAPCOLUMNS_H

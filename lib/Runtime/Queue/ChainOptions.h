//===- ChainOptions.h - Options of loop chains ------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_QUEUE_CHAINOPTIONS_H
#define OP2_LIB_RUNTIME_QUEUE_CHAINOPTIONS_H

#include "Core/Options.h"

#include <cstdint>

namespace op2::rt {

/// OP2_CHAIN=auto|always|never: which chains of loops go through the mesh in
/// one sweep. Auto: those where that is faster.
using Chaining = Extent;
Chaining requestedChaining();
/// OP2_TILE_SIZE=N: elements of the first large loop of a chain in each tile;
/// 0 if it is not set.
int64_t requestedTileSize();

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_QUEUE_CHAINOPTIONS_H

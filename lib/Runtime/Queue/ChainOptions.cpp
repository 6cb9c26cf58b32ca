//===- ChainOptions.cpp - Options of loop chains ----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainOptions.h"
#include "Core/Settings.h"

using namespace op2::rt;

static WordSetting chain("OP2_CHAIN");

Chaining op2::rt::requestedChaining() { return asExtent(chain.get()); }

int64_t op2::rt::requestedTileSize() {
  static PerRun<std::optional<int64_t>> size;
  std::optional<int64_t> &known = *size;
  if (!known)
    known = static_cast<int64_t>(settingNumber("OP2_TILE_SIZE", 0));
  return *known;
}

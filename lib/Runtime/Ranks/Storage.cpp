//===- Storage.cpp - Values where the application has them --- -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Storage.h"
#include "Core/Copies.h"
#include "Core/Job.h"
#include "Distribute.h"
#include "Ranks.h"

#include <cstring>

using namespace op2::rt;

void op2::rt::takeFromProgram(Dat &dat) {
  auto const &set = static_cast<Set &>(*dat.set);
  if (!job.declaresWhole) {
    Bytes moved = declared(&set).mover.move(communicator(), dat.data, dat.size);
    if (!moved.empty())
      std::memcpy(dat.part, moved.data(), moved.size());
    return programChanged(dat);
  }
  // It has all rows: no messages.
  int64_t size = dat.size;
  for (int64_t row = 0; row < set.rows; ++row)
    std::memcpy(dat.part + row * size, dat.data + set.toUser[row] * size,
                std::size_t(size));
  dat.dirtybit = 0;
  dat.areCopiesStale = false;
}

void op2::rt::giveToProgram(Dat const &dat) {
  auto const &set = static_cast<Set &>(*dat.set);
  hooks.collectRows(set, dat.part, /*areDeclared=*/false, dat.size,
                    set.declaredBegin, set.declaredBegin + set.declaredSize,
                    dat.data);
}

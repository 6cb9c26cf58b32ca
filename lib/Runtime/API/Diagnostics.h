//===- Diagnostics.h - Reports about the program ----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_API_DIAGNOSTICS_H
#define OP2_LIB_RUNTIME_API_DIAGNOSTICS_H

#include <cstdint>
#include <string>

namespace op2::rt {

/// On stdout: which loops were compiled and how, and which ran through the
/// header's sequential template.
void reportLoops();

/// "; 12 on one thread; 8 in chains", or nothing for 0: executions of a loop
/// that did not use the other threads, and in the tiles of a chain.
std::string describeCounts(int64_t alone, int64_t chained);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_API_DIAGNOSTICS_H

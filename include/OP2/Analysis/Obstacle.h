//===- Obstacle.h - Reasons against a transformation ------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_ANALYSIS_OBSTACLE_H
#define OP2_ANALYSIS_OBSTACLE_H

#include "mlir/IR/Location.h"
#include <string>

namespace mlir::op2 {

/// Why something cannot be done to a kernel: "calls 'printf'".
struct Obstacle {
  std::string reason;
  Location loc;
};

} // namespace mlir::op2

#endif // OP2_ANALYSIS_OBSTACLE_H

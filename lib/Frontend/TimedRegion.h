//===- TimedRegion.h - Where compile time goes ------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_TIMEDREGION_H
#define OP2_FRONTEND_TIMEDREGION_H

#include "llvm/Pass.h"
#include "llvm/Support/Timer.h"

namespace op2::frontend {

/// Counts the time of a scope for Clang's -ftime-report.
class TimedRegion {
public:
  TimedRegion(llvm::StringRef name, llvm::StringRef description)
      : timer(name, description, "op2", "Compiling OP2 loops",
              llvm::TimePassesIsEnabled) {}

private:
  llvm::NamedRegionTimer timer;
};

} // namespace op2::frontend

#endif // OP2_FRONTEND_TIMEDREGION_H

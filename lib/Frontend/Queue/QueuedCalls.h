//===- QueuedCalls.h - Calls of loops that may be delayed -------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_QUEUEDCALLS_H
#define OP2_FRONTEND_QUEUEDCALLS_H

#include "CallSite.h"
#include "Report/LoopReport.h"
#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class Constant;
class Module;
} // namespace llvm

namespace op2::frontend {

/// A loop of a module.
struct QueuedLoop {
  CallSite site;
  /// Why it cannot be pending on openmp; empty if it can.
  std::string obstacle;
  bool onOpenMP = true;         ///< is among the targets
  bool followsPointers = false; ///< of the program, on openmp
  /// Devices on which it can be pending, since there is code for it and others
  /// as one.
  std::vector<Target> devices;
  /// On devices its launches, or the values of globals that it changes, may
  /// come after its call.
  bool mayBeLate = false;
  /// May be pending where another file goes on. Not on ranks if it is in a
  /// pair: where only some of them look in between, they would run different
  /// loops.
  bool mayCross = true;

  bool mayBePending() const { return obstacle.empty() || !devices.empty(); }
};

/// Lets the runtime delay calls of `queued`, which are all loops of a module
/// with their stubs, and the results of loops on devices. On every path,
/// pending loops are run and late results waited for before whatever might
/// notice.
void delayLoops(llvm::Module &module, llvm::ArrayRef<QueuedLoop> queued,
                const FileLoops &loops, LoopReport &report);

} // namespace op2::frontend

#endif // OP2_FRONTEND_QUEUEDCALLS_H

//===- Ownership.h - Loops that owner-compute can run -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_ANALYSIS_OWNERSHIP_H
#define OP2_ANALYSIS_OWNERSHIP_H

#include "OP2/Dialect/OP2Ops.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include <optional>
#include <string>

namespace mlir::op2 {

/// Who owns rows. An element at a border runs with each owner of its rows.
enum class Owners {
  Threads, ///< those that are not owned are private memory
  Blocks   ///< of a device: what is added goes to private memory, owned or not
};

/// What forbids that elements run several times, since rows have owners, and of
/// blocks that private rows would leave other bits; nothing if they may.
/// "argument 3 is changed directly", to go after "because".
std::optional<std::string>
findOwnershipObstacle(ArrayRef<LoopArg> args, FunctionOpInterface kernel,
                      Owners owners = Owners::Threads);

/// Whether the kernel must have a copy of the row that argument `number` writes
/// or adds to directly, where blocks own rows: several of these may run the
/// element, and it adds to the row, or may read again what it has written.
bool needsCopy(ArrayRef<LoopArg> args, unsigned number,
               FunctionOpInterface kernel);

/// Whether a thread has private rows for an argument's, where another one owns
/// them; of loops without an obstacle.
inline bool isOwned(const LoopArg &arg) {
  return arg.isDat() &&
         (arg.getAccess() == Access::Inc ||
          (arg.getAccess() == Access::Write && !arg.isIndirect()));
}

/// The argument whose owner, of the first of its rows, counts an element in
/// sums; null if there is no such argument that is always there.
const LoopArg *findCounted(ArrayRef<LoopArg> args);

} // namespace mlir::op2

#endif // OP2_ANALYSIS_OWNERSHIP_H

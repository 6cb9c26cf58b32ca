//===- Hooks.h - Functions of higher rooms ----------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rooms include only those below them (rooms.txt). Where something must happen
// above, the room there gives its function when the library is loaded.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_CORE_HOOKS_H
#define OP2_LIB_RUNTIME_CORE_HOOKS_H

namespace op2::rt {

struct Dat;
struct Map;

struct Hooks {
  // Device. Called only when there are copies.
  void (*download)(Dat &storage);    ///< the newer values, to the host
  void (*releaseCopy)(Dat &storage); ///< gives back its memory on the device
  void (*releaseTables)(Map &map);   ///< the same
  // Queue.
  void (*runPending)(); ///< called only when loops are pending
  // Execute.
  void (*forgetHandles)(); ///< and plans: elements get other numbers
};

extern Hooks hooks;

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_CORE_HOOKS_H

//===- PerRun.h - State from op_init to the next ----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// op_init begins a run: settings are read again, and what belonged to the run
// before is forgotten when it is used next.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_CORE_PERRUN_H
#define OP2_LIB_RUNTIME_CORE_PERRUN_H

#include <cstdint>

namespace op2::rt {

/// The number of the run.
extern uint64_t currentRun;

/// A value that is as at the start of the program in every run.
template <class T> class PerRun {
public:
  T &operator*() {
    if (run != currentRun) {
      value = T();
      run = currentRun;
    }
    return value;
  }
  T *operator->() { return &**this; }

private:
  T value{};
  uint64_t run = 0;
};

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_CORE_PERRUN_H

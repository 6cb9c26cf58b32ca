//===- Fault.h - Faults that are somebody else's ----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_CORE_FAULT_H
#define OP2_LIB_RUNTIME_CORE_FAULT_H

#include <csignal>

namespace op2::rt {

/// From a handler of SIGSEGV, to the one that was there before: the instruction
/// faults again under that. A signal that was sent has no instruction.
inline void leaveFaultTo(struct sigaction const &before,
                         siginfo_t const &info) {
  sigaction(SIGSEGV, &before, nullptr);
  if (info.si_code <= 0)
    std::raise(SIGSEGV);
}

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_CORE_FAULT_H

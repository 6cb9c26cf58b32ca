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
inline void leaveFaultTo(struct sigaction const &before, siginfo_t *info,
                         void *context) {
  bool isSent = info->si_code <= 0;
  if (isSent && (before.sa_flags & SA_SIGINFO))
    return before.sa_sigaction(SIGSEGV, info, context);
  if (isSent && before.sa_handler != SIG_DFL) {
    if (before.sa_handler != SIG_IGN)
      before.sa_handler(SIGSEGV);
    return;
  }
  sigaction(SIGSEGV, &before, nullptr);
  if (isSent)
    std::raise(SIGSEGV);
}

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_CORE_FAULT_H

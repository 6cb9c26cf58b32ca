//===- EmulatorFibre.h - Stacks and context switches ------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_EMULATOR_EMULATORFIBRE_H
#define OP2_LIB_RUNTIME_EMULATOR_EMULATORFIBRE_H

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define OP2_EMULATOR_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define OP2_EMULATOR_ASAN 1
#endif
#endif

// The own switch is for x86-64. AddressSanitizer is notified of switches; at
// each swapcontext it would map the shadow of a whole stack anew.
#ifndef __x86_64__
#define OP2_EMULATOR_UCONTEXT 1
#endif

#ifdef OP2_EMULATOR_UCONTEXT
#include <ucontext.h>
#endif

namespace op2::rt {

/// A flow of control with its own stack, or, default constructed, the one that
/// is running. Lives as long as the program: its stack is never given back.
class Fibre {
public:
  Fibre() = default;
  Fibre(Fibre const &) = delete;

  /// Bytes of a fibre's stack, and of the forbidden memory below it. Untouched
  /// pages take no memory. A function's variables lie in one piece, whose lower
  /// end may be used first: what is forbidden is as large as a row can be.
  static constexpr std::size_t kStackBytes = std::size_t(8) << 20;
  static constexpr std::size_t kGuardBytes = std::size_t(2) << 30;

  /// Gives the fibre a stack; the first switch to it calls `entry`, which must
  /// never return. `number` is used to spread the stacks over the cache.
  void create(void (*entry)(), int number);
  bool exists() const { return stack != nullptr; }
  /// Whether an address is on its stack.
  bool contains(void const *address) const {
    auto const *at = static_cast<char const *>(address);
    return stack && at >= stack && at < stack + kStackBytes;
  }
  /// Goes on in `to`; returns when something switches to this fibre, which
  /// must be the one that is running.
  void switchTo(Fibre &to);
  /// Must be called first by `entry`.
  static void enter();
  /// For the fibre of the running thread, before it switches to others.
  void adopt();

private:
  char *stack = nullptr; ///< lowest usable address
#ifdef OP2_EMULATOR_UCONTEXT
  ucontext_t context;
#else
  void *stackPointer = nullptr;
#endif
#ifdef OP2_EMULATOR_ASAN
  void const *bottom = nullptr;
  std::size_t bytes = 0;
  void *fakeStack = nullptr;
#endif
};

/// Is `address` in the forbidden memory below some fibre's stack?
bool isStackGuard(void const *address);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_EMULATOR_EMULATORFIBRE_H

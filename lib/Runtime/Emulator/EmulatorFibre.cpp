//===- EmulatorFibre.cpp - Stacks and context switches ----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulatorFibre.h"
#include "Core/Error.h"
#include "OP2/Runtime/op2rt.h"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

#ifdef OP2_EMULATOR_ASAN
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>
#endif

using namespace op2::rt;

//===----------------------------------------------------------------------===//
// Stacks
//===----------------------------------------------------------------------===//

// Never destroyed: a fault can come as late as the end of the program.
static std::vector<char *> &guards() {
  static auto *all = new std::vector<char *>;
  return *all;
}

bool op2::rt::isStackGuard(void const *address) {
  auto at = reinterpret_cast<std::uintptr_t>(address);
  for (char *guard : guards()) {
    auto begin = reinterpret_cast<std::uintptr_t>(guard);
    if (at >= begin && at < begin + Fibre::kGuardBytes)
      return true;
  }
  return false;
}

static char *allocateStack() {
  // Not by mmap, after which TypeSanitizer clears eight times as many bytes.
  auto *memory = reinterpret_cast<void *>(
      syscall(SYS_mmap, nullptr, Fibre::kGuardBytes + Fibre::kStackBytes,
              PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1L, 0L));
  char *stack = static_cast<char *>(memory) + Fibre::kGuardBytes;
  if (memory == MAP_FAILED ||
      mprotect(stack, Fibre::kStackBytes, PROT_READ | PROT_WRITE) != 0)
    fatal(Problem::Memory,
          "emulator: no memory for the stack of a thread: %s; each takes %zu "
          "MiB of addresses, most of which nobody touches: is there a limit of "
          "these (ulimit -v)?",
          std::strerror(errno),
          (Fibre::kGuardBytes + Fibre::kStackBytes) >> 20);
#ifdef MADV_NOHUGEPAGE
  // A huge page for each of many threads would be most of the memory.
  madvise(stack, Fibre::kStackBytes, MADV_NOHUGEPAGE);
#endif
  guards().push_back(static_cast<char *>(memory));
  return stack;
}

/// Stacks that all begin at the same offset in a page, or in pages whose
/// numbers have low bits in common, would share a few sets of the first-level
/// cache and of the TLB; so each begins somewhere else.
static std::size_t stackOffset(int number) {
  return std::size_t(number % 32) * 128 + std::size_t(number % 128) * 4096;
}

//===----------------------------------------------------------------------===//
// Switching
//===----------------------------------------------------------------------===//

#ifdef OP2_EMULATOR_UCONTEXT

static void prepare(ucontext_t &context, char *stack, std::size_t bytes,
                    void (*entry)()) {
  getcontext(&context);
  context.uc_stack.ss_sp = stack;
  context.uc_stack.ss_size = bytes;
  context.uc_link = nullptr;
  makecontext(&context, entry, 0);
}

#else

// Saves what the System V ABI lets a callee expect, except the control words of
// the floating-point units, which kernels do not change. The return through
// `ret` is predicted: the fibre that left by the same call pushed the same
// address.
extern "C" void op2emu_switch_stack(void **save, void *load)
    __attribute__((visibility("hidden")));
asm(R"(
  .text
  .globl op2emu_switch_stack
  .hidden op2emu_switch_stack
  .type op2emu_switch_stack, @function
  .p2align 4
op2emu_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .size op2emu_switch_stack, .-op2emu_switch_stack
)");

/// What the first switch pops: six registers, the entry, and a return address
/// of zero, where unwinders stop.
static void *prepare(char *top, void (*entry)()) {
  auto **slot = reinterpret_cast<void **>(top);
  *--slot = nullptr;
  *--slot = reinterpret_cast<void *>(entry);
  for (int saved = 0; saved < 6; ++saved)
    *--slot = nullptr;
  return slot;
}

#endif

void Fibre::create(void (*entry)(), int number) {
  stack = allocateStack();
  std::size_t usable = kStackBytes - stackOffset(number);
#ifdef OP2_EMULATOR_UCONTEXT
  prepare(context, stack, usable, entry);
#else
  stackPointer = prepare(stack + usable, entry);
#endif
#ifdef OP2_EMULATOR_ASAN
  bottom = stack;
  bytes = usable;
#endif
}

void Fibre::switchTo(Fibre &to) {
#ifdef OP2_EMULATOR_ASAN
  __sanitizer_start_switch_fiber(&fakeStack, to.bottom, to.bytes);
#endif
#ifdef OP2_EMULATOR_UCONTEXT
  swapcontext(&context, &to.context);
#else
  op2emu_switch_stack(&stackPointer, to.stackPointer);
#endif
#ifdef OP2_EMULATOR_ASAN
  __sanitizer_finish_switch_fiber(fakeStack, nullptr, nullptr);
#endif
}

void Fibre::enter() {
#ifdef OP2_EMULATOR_ASAN
  __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
}

void Fibre::adopt() {
#ifdef OP2_EMULATOR_ASAN
  pthread_attr_t attributes;
  void *address = nullptr;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &address, &bytes);
  pthread_attr_destroy(&attributes);
  bottom = address;
#endif
}

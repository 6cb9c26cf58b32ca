//===- FakeCudaDriver.h - A CUDA driver without a device --------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libcuda-fake.so stands in for libcuda.so.1 (OP2_CUDA_DRIVER): device memory
// is host memory, and the stream is a list of things to do, done when somebody
// waits (for an event: up to that), so that a missing wait shows. Kernels are
// host functions that a test registers; those that nobody has registered do
// nothing.
//
// Images are what FakeImage reads: what the compiler makes, or a test's text.
// Kernels and variables that an image does not have are not found; the values
// of a kernel's parameters are read as PTX has them. Registered kernels have
// parameters of 8 bytes each. The device's clock goes on only when they say so.
//
// Environment: OP2_FAKE_CUDA_DEVICES (1) and OP2_FAKE_CUDA_MEMORY (bytes,
// 2^40), read by cuInit; OP2_FAKE_CUDA_FAIL="SYMBOL=CODE[@N]", read at each
// call: call number N (default 1) of that function, and later ones, return
// CODE. OP2_FAKE_CUDA_LOG names a file that gets a line for each image,
// variable, copy, launch, graph and wait, and for the device that is chosen.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_UNITTESTS_RUNTIME_FAKECUDADRIVER_H
#define OP2_UNITTESTS_RUNTIME_FAKECUDADRIVER_H

#include <cstdint>

namespace op2::test {

constexpr int kFakeMostParams = 8;

struct FakeLaunch {
  int64_t blocks, threads, sharedBytes;
  void *params[kFakeMostParams]; ///< values, not their addresses
};

extern "C" {
/// Forgets calls and kernels.
void fakeCudaReset(void);
/// Calls of a driver function since the reset.
int fakeCudaCalls(char const *symbol);
void fakeCudaKernel(char const *name, int params,
                    void (*kernel)(FakeLaunch const &));
/// The device takes so long, for a registered kernel that calls it.
void fakeCudaSpend(double milliseconds);
/// What the program still holds: memory, contexts, modules, streams, events.
int fakeCudaLeaks(void);
/// Of the memory that begins there, 0 if none does.
int64_t fakeCudaBytes(void const *data);
/// The variable that the program has looked up last.
void *fakeCudaVariable(void);
/// Dynamic shared memory that a kernel was last allowed, bytes.
int fakeCudaAllowedShared(void);
}

} // namespace op2::test

#endif // OP2_UNITTESTS_RUNTIME_FAKECUDADRIVER_H

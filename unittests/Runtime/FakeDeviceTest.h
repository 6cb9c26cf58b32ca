//===- FakeDeviceTest.h - Programs on the fake CUDA driver ------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_UNITTESTS_RUNTIME_FAKEDEVICETEST_H
#define OP2_UNITTESTS_RUNTIME_FAKEDEVICETEST_H

#include "FakeCudaDriver.h"
#include "Helpers.h"
#include "OP2/Runtime/op2rt_device.h"

#include <cstdlib>
#include <numeric>

namespace op2::test {

/// Sets an environment variable for a while.
class Environment {
public:
  Environment(char const *name, std::string const &value) : name(name) {
    if (char const *old = std::getenv(name))
      before = old;
    setenv(name, value.c_str(), 1);
  }
  ~Environment() {
    if (before.empty())
      unsetenv(name);
    else
      setenv(name, before.c_str(), 1);
  }
  Environment(Environment const &) = delete;
  Environment &operator=(Environment const &) = delete;

private:
  char const *name;
  std::string before;
};

/// A set of ten elements with a dat x = 0, 1, ..., and an image with kernels:
/// `add(double *x, double const *amount, int64_t n)` and `sums(double const *x,
/// double *partials, int64_t n)`, one partial a block, and `finish(double const
/// *partials, int64_t count, int64_t dim, double *result)`.
class FakeDeviceTest : public ProgramTest {
protected:
  void SetUp() override {
    fakeCudaReset();
    fakeCudaKernel("add", 3, [](FakeLaunch const &launch) {
      for (int64_t i = 0; i < int64_t(launch.params[2]); ++i)
        static_cast<double *>(launch.params[0])[i] +=
            *static_cast<double *>(launch.params[1]);
    });
    fakeCudaKernel("sums", 3, [](FakeLaunch const &launch) {
      auto *sums = static_cast<double *>(launch.params[1]);
      auto n = int64_t(launch.params[2]);
      for (int64_t b = 0; b < launch.blocks; ++b)
        sums[b] = 0;
      for (int64_t i = 0; i < n; ++i)
        sums[i * launch.blocks / n] +=
            static_cast<double *>(launch.params[0])[i];
    });
    fakeCudaKernel("finish", 4, [](FakeLaunch const &launch) {
      auto dim = int64_t(launch.params[2]);
      for (int64_t i = 0; i < int64_t(launch.params[1]) * dim; ++i)
        static_cast<double *>(launch.params[3])[i % dim] +=
            static_cast<double *>(launch.params[0])[i];
    });
    start(0);
  }
  void TearDown() override {
    if (isRunning)
      finish();
    EXPECT_EQ(fakeCudaLeaks(), 0);
  }

  void start(int diags) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    op_init(0, nullptr, diags);
    isRunning = true;
    std::vector<double> values(10);
    std::iota(values.begin(), values.end(), 0);
    set = op_decl_set(10, "cells");
    x = op_decl_dat(set, 1, "double", values.data(), "x");
  }
  void finish() {
    op_exit();
    isRunning = false;
  }
  void restart(int diags) {
    finish();
    start(diags);
  }

  /// x += amount.
  void add(double amount, int32_t threads = 128, int64_t shared = 0) {
    addLoop.value(1).data = &amount;
    addLoop.value(0).data = x;
    op2rt_loop *loop = addLoop.begin(set);
    void *values = op2rt_device_dat(loop, 0);
    void const *global = op2rt_device_global(loop, 1);
    int64_t n = op2rt_loop_range(loop).end;
    void *params[] = {&values, &global, &n};
    op2rt_device_launch(loop, &addKernel, 1, threads, shared, params);
    op2rt_loop_end(loop);
  }
  /// A sum of x over five blocks to argument `arg` of a loop in progress whose
  /// argument 0 is x.
  void launchSum(op2rt_loop *loop, int32_t arg) {
    void *values = op2rt_device_dat(loop, 0);
    int64_t n = op2rt_loop_range(loop).end, blocks = 5, dim = 1;
    op2rt_device_reduction *r = op2rt_device_reduction_begin(loop, arg, blocks);
    void *partials = op2rt_device_reduction_data(r);
    void const *result = op2rt_device_global(loop, arg);
    void *params[] = {&values, &partials, &n};
    op2rt_device_launch(loop, &sumKernel, blocks, 32, 0, params);
    void *finishParams[] = {&partials, &blocks, &dim, &result};
    op2rt_device_launch(loop, &finishKernel, 1, 512, 0, finishParams);
    op2rt_device_reduction_end(r);
  }
  /// A loop in progress that has touched nothing yet.
  op2rt_loop *startAdd() {
    addLoop.value(0).data = x;
    return addLoop.begin(set);
  }
  /// The first value, by a loop on the CPU.
  double first() {
    double value = 0;
    Loop loop("first");
    loop.dat(x, OP_READ);
    op2rt_loop *running = loop.begin(set);
    value = *static_cast<double *>(op2rt_dat_data(x));
    op2rt_loop_end(running);
    return value;
  }
  static int uploads() { return fakeCudaCalls("cuMemcpyHtoDAsync_v2"); }
  static int downloads() { return fakeCudaCalls("cuMemcpyDtoHAsync_v2"); }

  bool isRunning = false;
  op_set set = nullptr;
  op_dat x = nullptr;
  std::string text =
      "kernel add;kernel sums 1024;kernel finish;variable gam 16";
  // Without the zero at the end, as PTX comes from the compiler.
  op2rt_device_image image = {OP2RT_ABI_VERSION, 0, text.data(), text.size(),
                              nullptr};
  static constexpr int32_t kParamBytes[] = {8, 8, 8, 8};
  op2rt_device_kernel addKernel = {&image, "add", kParamBytes, 3, nullptr};
  op2rt_device_kernel sumKernel = {&image, "sums", kParamBytes, 3, nullptr};
  op2rt_device_kernel finishKernel = {&image, "finish", kParamBytes, 4,
                                      nullptr};
  Loop addLoop = makeAddLoop();

private:
  static Loop makeAddLoop() {
    static double none = 0;
    Loop loop("add");
    loop.add(describeArg(OP2RT_ARG_DAT, OP_RW, OP2RT_DIRECT, 1, OP2RT_F64, 0),
             {nullptr, nullptr, 1});
    loop.global(&none, 1, OP2RT_F64, OP_READ).target(OP2RT_TARGET_CUDA);
    return loop;
  }
  Environment driver{"OP2_CUDA_DRIVER", OP2_FAKE_CUDA_DRIVER};
};

} // namespace op2::test

#endif // OP2_UNITTESTS_RUNTIME_FAKEDEVICETEST_H

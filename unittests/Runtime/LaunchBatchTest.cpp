//===- LaunchBatchTest.cpp - Launches that are given together ---*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeDeviceTest.h"

using namespace op2::test;

namespace {

class LaunchBatchTest : public FakeDeviceTest {
protected:
  /// As the compiler calls a loop behind which others come.
  void addLater(double amount) {
    op2rt_may_enqueue = 1;
    add(amount);
    op2rt_may_enqueue = 0;
  }
  /// Times of a loop are read at first, by events.
  void warmUp() {
    for (int n = 0; n < kTimed; ++n)
      add(1);
    added = kTimed;
  }
  /// One sequence of launches.
  void addThrice() {
    for (int n = 0; n < 3; ++n)
      addLater(1);
    op2rt_flush(nullptr);
    added += 3;
  }
  static int launches() { return fakeCudaCalls("cuLaunchKernel"); }
  static int graphs() { return fakeCudaCalls("cuGraphLaunch"); }

  static constexpr int kTimed = 4;
  double added = 0;
};

TEST_F(LaunchBatchTest, WaitForThoseBehindThem) {
  warmUp();
  addLater(1);
  addLater(1);
  EXPECT_EQ(launches(), kTimed);
  EXPECT_EQ(op2rt_pending, 1);
  op2rt_flush(nullptr);
  EXPECT_EQ(launches(), kTimed + 2);
  EXPECT_EQ(op2rt_pending, 0);
  EXPECT_EQ(first(), kTimed + 2);
}

// Their events wait with them.
TEST_F(LaunchBatchTest, SoDoThoseThatAreTimed) {
  addLater(1);
  addLater(1);
  EXPECT_EQ(launches() + fakeCudaCalls("cuEventRecord"), 0);
  ::testing::internal::CaptureStdout();
  op_timing_output();
  ::testing::internal::GetCapturedStdout();
  EXPECT_EQ(launches(), 2);
  EXPECT_EQ(fakeCudaCalls("cuEventRecord"), 4);
  EXPECT_EQ(first(), 2);
}

// Behind this loop the program may look: with code of its own, for example.
TEST_F(LaunchBatchTest, NoneWaitBehindALoopThatMayNotBeDelayed) {
  warmUp();
  addLater(1);
  add(1);
  EXPECT_EQ(launches(), kTimed + 2);
  EXPECT_EQ(op2rt_pending, 0);
}

TEST_F(LaunchBatchTest, WhatMustComeBehindThem) {
  warmUp();
  double expected = added;
  auto delayed = [&] {
    addLater(1);
    ++expected;
    EXPECT_EQ(op2rt_pending, 1);
  };
  delayed();
  EXPECT_EQ(first(), expected);
  EXPECT_EQ(op2rt_pending, 0);

  // A global of another value, which is uploaded.
  delayed();
  addLater(2);
  expected += 2;
  delayed();
  EXPECT_EQ(first(), expected);

  // A copy that the program asks for.
  delayed();
  double values[10];
  op_fetch_data(x, values);
  EXPECT_EQ(values[0], expected);

  // The program's end.
  delayed();
  int before = launches();
  finish();
  EXPECT_EQ(launches(), before + 1);
  EXPECT_EQ(op2rt_pending, 0);
}

TEST_F(LaunchBatchTest, NotMoreThanAFew) {
  warmUp();
  for (int n = 0; n < 100; ++n)
    addLater(1);
  EXPECT_GE(launches(), 60);
  EXPECT_EQ(first(), kTimed + 100);
}

TEST_F(LaunchBatchTest, RepeatedSequencesAreAGraph) {
  warmUp();
  for (int round = 0; round < 100; ++round)
    addThrice();
  EXPECT_EQ(first(), added);
  // Executions that are timed stand for themselves.
  EXPECT_GT(graphs(), 50);
  EXPECT_LT(graphs(), 100);
  EXPECT_LE(fakeCudaCalls("cuGraphInstantiateWithFlags"), 3);
  EXPECT_EQ(fakeCudaCalls("cuGraphDestroy"),
            fakeCudaCalls("cuGraphInstantiateWithFlags"));
}

TEST_F(LaunchBatchTest, OtherArgumentsAreAnotherSequence) {
  warmUp();
  for (int round = 0; round < 40; ++round)
    addThrice();
  int before = graphs();
  // Where the amount lies is an argument.
  double amount = 5;
  for (int n = 0; n < 17; ++n) {
    amount += n;
    addLater(1);
    addLater(amount);
    added += 1 + amount;
    op2rt_flush(nullptr);
  }
  EXPECT_EQ(graphs(), before);
  EXPECT_EQ(first(), added);
}

// All sequences are new: those that are known are not kept for ever.
TEST_F(LaunchBatchTest, ManySequences) {
  warmUp();
  for (int threads = 1; threads <= 400; ++threads) {
    op2rt_may_enqueue = 1;
    add(1, threads);
    add(1, threads);
    op2rt_may_enqueue = 0;
    op2rt_flush(nullptr);
  }
  EXPECT_EQ(graphs(), 0);
  EXPECT_EQ(first(), added + 800);
}

TEST_F(LaunchBatchTest, GraphsEndWithTheProgram) {
  for (int program = 0; program < 2; ++program) {
    warmUp();
    for (int round = 0; round < 40; ++round)
      addThrice();
    EXPECT_EQ(first(), added);
    finish();
    EXPECT_EQ(fakeCudaLeaks(), 0);
    start(0);
  }
  EXPECT_GT(graphs(), 20);
}

TEST_F(LaunchBatchTest, EveryLaunchIsWaitedForInDiagnosis) {
  restart(4);
  warmUp();
  addLater(1);
  EXPECT_EQ(launches(), kTimed + 1);
  EXPECT_EQ(fakeCudaCalls("cuStreamSynchronize"), kTimed + 1);
}

TEST_F(LaunchBatchTest, Failures) {
  for (std::pair<char const *, char const *> const &failure :
       {std::pair{"cuStreamBeginCapture_v2=2", "beginning a graph failed on"},
        std::pair{"cuStreamEndCapture=2", "ending a graph failed"},
        std::pair{"cuGraphInstantiateWithFlags=2",
                  "making a graph of 3 kernels failed"},
        std::pair{"cuGraphDestroy=1", "destroying a graph failed"},
        std::pair{"cuGraphExecDestroy=1", "destroying a graph failed"},
        std::pair{"cuGraphLaunch=700@2",
                  "launching 3 kernels as a graph failed .*earlier kernel"},
        std::pair{"cuLaunchKernel=1@5",
                  "launching kernel add on 1 blocks of 128 threads with 0 "
                  "bytes of dynamic shared memory failed"}}) {
    Environment fail("OP2_FAKE_CUDA_FAIL", failure.first);
    EXPECT_EXIT(
        {
          warmUp();
          for (int round = 0; round < 40; ++round)
            addThrice();
          finish();
        },
        diesWith1(), failure.second);
  }
}

} // namespace

//===- ThreadsTest.cpp - One thread at a time -------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that take turns get the results of one; threads that come together
// get an error.
//
//===----------------------------------------------------------------------===//

#include "Helpers.h"
#include "op_profile.h"
#include "op_seq.h"

#include <atomic>
#include <thread>

using namespace op2::test;

namespace {

void addOne(double *x) { *x += 1; }

/// The first element of a loop waits, in the kernel, until another thread has
/// come to its own call: both are certain to meet.
std::atomic<int> arrived{0};
void waitForOther(double *x) {
  *x += 1;
  ++arrived;
  while (arrived < 2)
    std::this_thread::yield();
}

class ThreadsTest : public ProgramTest {
protected:
  void SetUp() override {
    ProgramTest::SetUp();
    set = op_decl_set(4, "set");
    x = op_decl_dat(set, 1, "double", static_cast<double *>(nullptr), "x");
    arrived = 0;
  }
  op_arg arg() const { return op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW); }
  double first() const {
    double values[4];
    op_fetch_data(x, values);
    return values[0];
  }
  /// `other` runs on a second thread while a loop is in progress on this one.
  template <class Other> void meet(Other other) {
    op_arg argument = arg();
    std::thread second([&] {
      while (arrived == 0)
        std::this_thread::yield();
      other();
      ++arrived;
    });
    op_par_loop(waitForOther, "first", set, argument);
    second.join();
  }

  op_set set;
  op_dat x;
};

TEST_F(ThreadsTest, ThreadsMayTakeTurns) {
  Loop loop("compiled");
  loop.dat(x, OP_RW);
  for (int n = 0; n < 100; ++n) {
    std::thread([&] {
      op_par_loop(addOne, "one", set, arg());
      loop.plan(set);
    }).join();
    op_par_loop(addOne, "one", set, arg());
    loop.plan(set);
  }
  EXPECT_EQ(first(), 200);
  std::thread([] {
    op_exit();
    op_init(0, nullptr, 0);
  }).join();
}

/// Each of two threads has a loop in progress.
TEST_F(ThreadsTest, LoopsThatMeet) {
  Loop loop("second");
  loop.dat(x, OP_RW);
  char const *message =
      "op2 error: loop second: started while another thread is in loop first; "
      "expected one thread at a time, and no calls of OP2 in kernels";
  EXPECT_EXIT(meet([&] { loop.plan(set); }), diesWith1(), message);
  EXPECT_EXIT(meet([&] {
                op_seq_parameter const none = {};
                op_seq_par_loop("second", set, 0, nullptr, &none, nullptr,
                                nullptr);
              }),
              diesWith1(), message);
}

/// Everything that changes or reads the state of the library.
TEST_F(ThreadsTest, CallsThatMeetALoop) {
  double value[4] = {};
  auto dies = [&](char const *name, auto call) {
    EXPECT_EXIT(meet(call), diesWith1(),
                "op2 error: " + std::string(name) +
                    ": called while another thread is in loop first");
  };
  dies("op_decl_set", [] { op_decl_set(1, "s"); });
  dies("op_decl_map", [&] { op_decl_map(set, set, 1, nullptr, "m"); });
  dies("op_decl_dat", [&] { op_decl_dat(set, 1, "double", value, "d"); });
  dies("op_decl_dat_temp",
       [&] { op_decl_dat_temp(set, 1, "double", value, "d"); });
  dies("op_free_dat_temp", [&] { op_free_dat_temp(x); });
  dies("op_decl_const", [&] { op_decl_const(1, "double", value); });
  dies("op_opt_arg_dat", [&] { arg(); });
  dies("op_arg_gbl_typed", [&] { op_arg_gbl(value, 1, "double", OP_READ); });
  dies("op_arg_idx", [] { op_arg_idx(-1, OP_ID); });
  dies("op_get_size", [&] { op_get_size(set); });
  dies("op_fetch_data", [&] { op_fetch_data(x, value); });
  dies("op_fetch_data_idx", [&] { op_fetch_data_idx(x, value, 0, 0); });
  dies("op_get_data_ptr", [&] { op_get_data_ptr(x); });
  dies("op_dump_dat", [&] { op_dump_dat(x); });
  dies("op_partition", [] { op_partition("", "", nullptr, nullptr, nullptr); });
  dies("op_upload_all", [] { op_upload_all(); });
  dies("op_timing_output", [] { op_timing_output(); });
  dies("op_diagnostic_output", [] { op_diagnostic_output(); });
  dies("op_profile_start", [] { op_profile_start("main"); });
  dies("op2rt_decl_set", [] { op2rt_decl_set(1, "s"); });
  dies("op_exit", [] { op_exit(); });
}

/// What has no part in it.
TEST_F(ThreadsTest, OtherCallsMayMeetALoop) {
  meet([] {
    double seconds = 0;
    op_timers(nullptr, &seconds);
    op_printf("%s", "");
    op_free(op_malloc(8));
    op_is_root();
    op_profile_enter("not started");
    op_profile_exit();
  });
  EXPECT_EQ(first(), 1);
}

TEST_F(ThreadsTest, CallsInKernels) {
  static op_set theSet;
  theSet = set;
  static op_dat theDat;
  theDat = x;
  auto run = [&](void (*kernel)(double *)) {
    op_par_loop(kernel, "outer", set, arg());
  };
  EXPECT_EXIT(run([](double *) { op_decl_set(1, "s"); }), diesWith1(),
              "op2 error: op_decl_set: called inside loop outer");
  EXPECT_EXIT(run([](double *) { op_get_size(theSet); }), diesWith1(),
              "op_get_size: called inside loop outer");
  EXPECT_EXIT(run([](double *) {
                op_par_loop(addOne, "inner", theSet,
                            op_arg_dat(theDat, -1, OP_ID, 1, "double", OP_RW));
              }),
              diesWith1(), "loop inner: started inside loop outer");
  // A loop's own threads, as OpenMP makes them.
  auto inThreads = [&] {
    Loop loop("outer");
    loop.dat(x, OP_RW);
    op2rt_loop *running = loop.begin(set);
#pragma omp parallel for num_threads(2) schedule(static, 1)
    for (int n = 0; n < 2; ++n)
      if (n == 1)
        op_decl_set(1, "s");
    op2rt_loop_end(running);
  };
  EXPECT_EXIT(inThreads(), diesWith1(),
              "op_decl_set: called while another thread is in loop outer");
}

/// A kernel that throws ends its loop.
TEST_F(ThreadsTest, ExceptionsEndLoops) {
  auto *kernel = +[](double *) { throw 1; };
  EXPECT_THROW(op_par_loop(kernel, "throws", set, arg()), int);
  op_par_loop(addOne, "one", set, arg());
  std::thread([&] { op_par_loop(addOne, "one", set, arg()); }).join();
  EXPECT_EQ(first(), 2);
}

/// Without anything that brings them together: nothing crashes, and whoever
/// meets another one says so.
TEST_F(ThreadsTest, ManyThreads) {
  EXPECT_EXIT(
      {
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t)
          threads.emplace_back([&] {
            while (true)
              op_par_loop(addOne, "loop", set, arg());
          });
        for (std::thread &thread : threads)
          thread.join();
      },
      diesWith1(), "op2 error: .* while another thread is in ");
}

} // namespace

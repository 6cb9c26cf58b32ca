//===- MPITest.cpp - Ranks by MPI -------------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One process of its own; test/Integration/ranks has several.
//
//===----------------------------------------------------------------------===//

#include "Helpers.h"
#include "Ranks/Ranks.h"
#include "op_lib_mpi.h"

using namespace op2::rt;
using namespace op2::test;

// What MPI does not free is its own affair.
extern "C" char const *__asan_default_options() { return "detect_leaks=0"; }

namespace {
class MPITest : public ProgramTest {};

TEST_F(MPITest, OneProcessIsARank) {
  EXPECT_EQ(communicator().rank(), 0);
  EXPECT_EQ(communicator().size(), 1);
  int rank = -1;
  MPI_Comm_rank(OP_MPI_WORLD, &rank);
  EXPECT_EQ(rank, 0);
  EXPECT_EQ(op_is_root(), 1);
}

TEST_F(MPITest, MessagesToItself) {
  std::vector<Message> messages;
  messages.push_back({0, {'a', 'b', 'c'}});
  std::vector<Message> received = communicator().exchange(std::move(messages));
  ASSERT_EQ(received.size(), 1u);
  EXPECT_EQ(received[0].bytes, (Bytes{'a', 'b', 'c'}));
  EXPECT_TRUE(communicator().exchange({}).empty());
  // Words, and what is left over.
  char from[] = "nineteen characters", to[sizeof from] = {};
  communicator().swap({{0, from, sizeof from}}, {{0, to, sizeof to}});
  EXPECT_STREQ(to, from);
}

TEST_F(MPITest, MessagesHaveALimit) {
  char byte = 0;
  EXPECT_EXIT(communicator().swap({{0, &byte, int64_t(1) << 35}}, {}),
              diesWith1(),
              "a message between two ranks has 34359738368 bytes; expected at "
              "most 16 GiB: use more ranks");
}

} // namespace

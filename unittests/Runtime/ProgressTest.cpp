//===- ProgressTest.cpp - Long work, told on a terminal -------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Core/Progress.h"
#include "Core/Error.h"
#include "Helpers.h"

#include <chrono>
#include <fcntl.h>
#include <functional>
#include <poll.h>
#include <thread>
#include <unistd.h>

using namespace op2::rt;

namespace {

void wait(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

/// What the work writes to stderr, which is the other side of `reader`.
std::string written(int reader, int writer, std::function<void()> const &work) {
  std::fflush(stderr);
  int saved = dup(2);
  dup2(writer, 2);
  work();
  dup2(saved, 2);
  std::string text;
  pollfd ready = {reader, POLLIN, 0};
  char buffer[4096];
  // A terminal's bytes need not have arrived when they are written.
  while (poll(&ready, 1, /*milliseconds=*/100) > 0) {
    ssize_t length = read(reader, buffer, sizeof buffer);
    if (length <= 0)
      break;
    text.append(buffer, std::size_t(length));
  }
  for (int file : {saved, writer, reader})
    close(file);
  return text;
}

std::string onTerminal(std::function<void()> const &work) {
  int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0)
    return "no terminal";
  return written(terminal, open(ptsname(terminal), O_RDWR | O_NOCTTY), work);
}

std::string inPipe(std::function<void()> const &work) {
  int ends[2];
  return pipe(ends) == 0 ? written(ends[0], ends[1], work) : "no pipe";
}

class ProgressTest : public ::testing::Test {
protected:
  void SetUp() override { op_init(0, nullptr, 1); }
  void TearDown() override { op_exit(); }

  static void workLong() {
    Progress outer("outer work");
    Progress inner("inner work", 4);
    inner.advance(3);
    wait(1.4);
    inner.end();
    wait(0.4);
  }
};

TEST_F(ProgressTest, LongWorkOnATerminal) {
  std::string text = onTerminal(workLong);
  EXPECT_EQ(text.rfind("\rop2: inner work: 75 %, ", 0), 0u) << text;
  EXPECT_NE(text.find("\rop2: outer work: "), text.npos) << text;
  // The last thing is an empty line.
  std::string last = "\r" + std::string(20, ' ') + "\r";
  ASSERT_GE(text.size(), last.size());
  EXPECT_EQ(text.substr(text.size() - last.size()), last);
}

TEST_F(ProgressTest, ShortWorkSaysNothing) {
  EXPECT_EQ(onTerminal([] {
              Progress progress("work");
              wait(0.3);
            }),
            "");
}

TEST_F(ProgressTest, NothingInAPipe) { EXPECT_EQ(inPipe(workLong), ""); }

TEST_F(ProgressTest, NothingWhereTheProgramIsQuiet) {
  OP_diags = 0;
  EXPECT_EQ(onTerminal(workLong), "");
}

TEST_F(ProgressTest, MessagesRemoveTheLine) {
  std::string text = onTerminal([] {
    Progress progress("work");
    wait(1.4);
    warning(op2::Problem::Trace, "first");
    wait(0.5);
  });
  std::size_t message = text.find("op2 warning: first [op2-trace]");
  ASSERT_NE(message, text.npos) << text;
  EXPECT_EQ(text.substr(message - 2, 2), " \r");
  EXPECT_EQ(text.find("op2: work", message), text.npos);
}

// Of a name as long as a file's path may be, a line is shown, with its numbers.
TEST_F(ProgressTest, LongNamesLeaveRoomForNumbers) {
  std::string text = onTerminal([] {
    Progress progress(std::string(300, 'n'));
    wait(1.3);
  });
  std::string line = text.substr(1, text.find('\r', 1) - 1);
  EXPECT_LE(line.size(), 79u);
  EXPECT_NE(line.find("n: 1 s"), line.npos) << line;
}

} // namespace

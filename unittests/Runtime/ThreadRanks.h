//===- ThreadRanks.h - Ranks that are threads -------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_UNITTESTS_RUNTIME_THREADRANKS_H
#define OP2_UNITTESTS_RUNTIME_THREADRANKS_H

#include "Ranks/Communicator.h"

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

namespace op2::test {

/// What the threads share.
struct Exchangeboard {
  explicit Exchangeboard(int32_t ranks) : boxes(ranks), values(ranks) {}
  std::mutex mutex;
  std::condition_variable changed;
  int32_t waiting = 0;
  uint64_t round = 0;
  std::vector<std::vector<rt::Message>> boxes; ///< by receiver
  std::vector<rt::Bytes> values;               ///< by rank
  int64_t bytes = 0;                           ///< sent by all
};

class ThreadRank final : public rt::Communicator {
public:
  ThreadRank(Exchangeboard &board, int32_t number)
      : board(board), number(number) {}
  int32_t rank() const override { return number; }
  int32_t size() const override {
    return static_cast<int32_t>(board.boxes.size());
  }
  int32_t rankOnMachine() const override { return number; }
  std::vector<rt::Message> exchange(std::vector<rt::Message> all) override {
    {
      std::lock_guard<std::mutex> lock(board.mutex);
      for (rt::Message &message : all) {
        board.bytes += int64_t(message.bytes.size());
        board.boxes[message.rank].push_back({number, std::move(message.bytes)});
      }
    }
    barrier();
    std::vector<rt::Message> own = std::move(board.boxes[number]);
    board.boxes[number].clear();
    std::sort(own.begin(), own.end(),
              [](rt::Message const &a, rt::Message const &b) {
                return a.rank < b.rank;
              });
    barrier();
    return own;
  }
  std::unique_ptr<rt::Transfer>
  start(std::vector<rt::Peer> const &sends,
        std::vector<rt::Peer> const &receives) override {
    return std::make_unique<ThreadTransfer>(*this, sends, receives);
  }
  rt::Bytes gather(void const *data, int64_t bytes) override {
    auto const *first = static_cast<char const *>(data);
    board.values[number].assign(first, first + bytes);
    barrier();
    rt::Bytes all;
    for (rt::Bytes const &value : board.values)
      all.insert(all.end(), value.begin(), value.end());
    barrier();
    return all;
  }
  void sum(int64_t *values, int64_t count) override {
    std::vector<int64_t> own(values, values + count);
    rt::Bytes all = gather(own.data(), count * int64_t(sizeof(int64_t)));
    std::fill_n(values, count, 0);
    for (int32_t rank = 0; rank < size(); ++rank)
      for (int64_t n = 0; n < count; ++n) {
        uint64_t value;
        std::memcpy(&value,
                    all.data() + (rank * count + n) * int64_t(sizeof value),
                    sizeof value);
        values[n] = int64_t(uint64_t(values[n]) + value);
      }
  }
  void barrier() override {
    std::unique_lock<std::mutex> lock(board.mutex);
    uint64_t round = board.round;
    if (++board.waiting == size()) {
      board.waiting = 0;
      ++board.round;
      board.changed.notify_all();
      return;
    }
    board.changed.wait(lock, [&] { return board.round != round; });
  }
  void abort(int status) override { std::_Exit(status); }

private:
  /// All at once, at the end.
  class ThreadTransfer final : public rt::Transfer {
  public:
    ThreadTransfer(ThreadRank &rank, std::vector<rt::Peer> const &sends,
                   std::vector<rt::Peer> const &receives)
        : rank(rank), sends(sends), receives(receives) {}
    void poll() override {}
    void finish() override {
      std::vector<rt::Message> messages;
      for (rt::Peer const &peer : sends)
        messages.push_back({peer.rank, {peer.data, peer.data + peer.bytes}});
      std::vector<rt::Message> received = rank.exchange(std::move(messages));
      for (std::size_t n = 0; n < receives.size(); ++n)
        std::memcpy(receives[n].data, received[n].bytes.data(),
                    received[n].bytes.size());
    }

  private:
    ThreadRank &rank;
    std::vector<rt::Peer> sends, receives;
  };

  Exchangeboard &board;
  int32_t number;
};

/// run(communicator) on each of `ranks` threads; the result: bytes sent.
template <class Run> int64_t runRanks(int32_t ranks, Run run) {
  Exchangeboard board(ranks);
  std::vector<std::thread> threads;
  for (int32_t rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&board, &run, rank] {
      ThreadRank communicator(board, rank);
      run(communicator);
    });
  for (std::thread &thread : threads)
    thread.join();
  return board.bytes;
}

} // namespace op2::test

#endif // OP2_UNITTESTS_RUNTIME_THREADRANKS_H

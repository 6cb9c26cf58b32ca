//===- Communicator.h - Messages between ranks --------------- -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the library needs of MPI. libop2 knows this interface only; libop2_mpi
// implements it, and unit tests do by threads.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_RANKS_COMMUNICATOR_H
#define OP2_LIB_RUNTIME_RANKS_COMMUNICATOR_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace op2::rt {

using Bytes = std::vector<char>;

struct Message {
  int32_t rank; ///< to, or from
  Bytes bytes;
};

/// A place in memory for what goes to a rank, or comes from it.
struct Peer {
  int32_t rank;
  char *data;
  int64_t bytes;
};

/// Messages on their way.
class Transfer {
public:
  virtual ~Transfer() = default;
  /// Lets them go on, and does not wait.
  virtual void poll() = 0;
  /// Waits for all of them.
  virtual void finish() = 0;
};

/// A graph in compressed rows: the neighbours of this rank's vertices, of which
/// each rank has a block, by their numbers in the whole graph.
struct BlockGraph {
  std::vector<int64_t> begins; ///< [vertices + 1]
  std::vector<int64_t> neighbors;
  std::vector<int64_t> weights; ///< as many
};

/// All functions are called by all ranks, in the same order.
class Communicator {
public:
  virtual ~Communicator() = default;
  virtual int32_t rank() const = 0;
  virtual int32_t size() const = 0;
  /// Number among those on the same machine.
  virtual int32_t rankOnMachine() const = 0;

  /// Sends messages, at most one to a rank and none that is empty. The result:
  /// those for this rank, ascending by rank. Nobody knows before who sends to
  /// whom.
  virtual std::vector<Message> exchange(std::vector<Message> messages) = 0;
  /// The same where both sides know. Places are the transfer's until it has
  /// finished; no other function is called before.
  virtual std::unique_ptr<Transfer>
  start(std::vector<Peer> const &sends, std::vector<Peer> const &receives) = 0;
  void swap(std::vector<Peer> const &sends, std::vector<Peer> const &receives) {
    start(sends, receives)->finish();
  }
  /// `bytes` bytes of each rank, by rank.
  virtual Bytes gather(void const *data, int64_t bytes) = 0;
  /// Each value becomes the sum of those of all ranks, modulo 2^64.
  virtual void sum(int64_t *values, int64_t count) = 0;
  virtual void barrier() = 0;
  /// Ends all ranks.
  [[noreturn]] virtual void abort(int status) = 0;
  /// parts[v]: which of size() parts each own vertex is in, cut so that parts
  /// are even and few edges lead from one to another. False, and nothing else,
  /// if there is no library for that.
  virtual bool cut(BlockGraph const &, std::vector<int32_t> &) { return false; }
};

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_RANKS_COMMUNICATOR_H

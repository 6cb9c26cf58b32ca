//===- MPICommunicator.cpp - Ranks by MPI --------------- -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI is begun by the program, or by op_init. It is ended when the process is,
// so that a program may call op_init again; a rank that ends in between ends
// them all.
//
//===----------------------------------------------------------------------===//

#include "Core/Clock.h"
#include "Core/Error.h"
#include "Core/Job.h"
#include "Core/Settings.h"
#include "Core/Threads.h"
#include "GraphCut.h"
#include "OP2/Runtime/op2rt.h"
#include "Ranks/Ranks.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mpi.h>
#include <utility>
#include <vector>

using namespace op2::rt;

// Messages are counted in words, so that an int counts 16 GiB.
using Word = int64_t;

static std::string describe(int status) {
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(status, text, &length);
  return {text, static_cast<std::size_t>(length)};
}

static void require(int status, char const *what) {
  if (status != MPI_SUCCESS)
    fatal(Problem::MPI, "MPI, %s: %s", what, describe(status).c_str());
}

// Collective operations that wait for nobody have their errors with
// MPI_COMM_WORLD, whatever communicator is theirs.
static bool isTesting = false;

static void onError(MPI_Comm *, int *status, ...) {
  if (!isTesting)
    require(*status, "in a call of the program's own");
}

/// Bytes rounded up to words, as MPI counts them.
static int wordsOf(int64_t bytes) {
  int64_t words = (bytes + int64_t(sizeof(Word)) - 1) / int64_t(sizeof(Word));
  if (words > INT_MAX)
    fatal(Problem::Limit,
          "a message between two ranks has %lld bytes; expected at most "
          "16 GiB: use more ranks",
          static_cast<long long>(bytes));
  return static_cast<int>(words);
}

/// Of what each rank gives to a collective operation.
static int countOf(int64_t count) {
  if (count > INT_MAX)
    fatal(Problem::Limit,
          "each rank has %lld bytes for all others; expected at most 2 GiB",
          static_cast<long long>(count));
  return static_cast<int>(count);
}

namespace {
// Exchanges have two tags in turn: who is through with one may have begun the
// next, but not the one after that.
constexpr int kExchangeTag = 1, kSwapTag = 3, kCallTag = 4, kAnswerTag = 5;

// Who waits answers a roll call within so many seconds.
constexpr double kGrace = 2;

/// A roll call, and what a rank answers to it.
struct Whereabouts {
  uint64_t roll;   ///< its number
  uint64_t number; ///< of waits
  int64_t bytes;   ///< that it waits for, or has sent
  char doing[56];
};
using Answers = std::map<int32_t, Whereabouts>; ///< by rank

class MPICommunicator final : public Communicator {
public:
  MPICommunicator(MPI_Comm parent, double timeout) : timeout(timeout) {
    duplicate(parent);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm, &ownRank);
    MPI_Comm_size(comm, &ranks);
    MPI_Comm machine = MPI_COMM_NULL;
    require(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, ownRank,
                                MPI_INFO_NULL, &machine),
            "MPI_Comm_split_type");
    MPI_Comm_rank(machine, &onMachine);
    MPI_Comm_free(&machine);
  }
  int32_t rank() const override { return ownRank; }
  int32_t size() const override { return ranks; }
  int32_t rankOnMachine() const override { return onMachine; }

  void setTimeout(double seconds) { timeout = seconds; }

  /// Ranks come to op_init at different times, or not at all.
  void duplicate(MPI_Comm parent) {
    MPI_Request request = MPI_REQUEST_NULL;
    require(MPI_Comm_idup(parent, &comm, &request), "MPI_Comm_idup");
    double start = now();
    for (int isOver = 0; !isOver;) {
      require(MPI_Test(&request, &isOver, MPI_STATUS_IGNORE), "MPI_Test");
      double waited = now() - start;
      if (isOver || waited <= timeout)
        continue;
      job.abort = [](int status) {
        MPI_Abort(MPI_COMM_WORLD, status);
        std::_Exit(status);
      };
      fatal(Problem::RanksDisagree,
            "op_init: this process has waited for %.0f s for another one that "
            "has not called it; expected every process to come there within "
            "OP2_RANKS_TIMEOUT=%.0f s, or op_mpi_init with a communicator of "
            "those that do",
            waited, timeout);
    }
  }

  /// Non-blocking consensus (Hoefler, Siebert, Lumsdaine: Scalable
  /// communication protocols for dynamic sparse data exchange, 2010): who has
  /// all its synchronous sends matched enters a barrier; when that is over,
  /// nothing is on its way.
  std::vector<Message> exchange(std::vector<Message> messages) override {
    std::vector<Message> received;
    std::vector<MPI_Request> sends;
    int tag = kExchangeTag + int(numExchanges++ % 2);
    int64_t allBytes = 0;
    for (Message &message : messages) {
      if (message.rank == ownRank) {
        received.push_back(std::move(message));
        continue;
      }
      pad(message.bytes);
      allBytes += int64_t(message.bytes.size());
      sends.emplace_back();
      require(MPI_Issend(message.bytes.data(),
                         wordsOf(int64_t(message.bytes.size())), MPI_INT64_T,
                         message.rank, tag, comm, &sends.back()),
              "MPI_Issend");
    }
    MPI_Request barrier = MPI_REQUEST_NULL;
    bool isInBarrier = false;
    Wait wait(*this, allBytes);
    for (int isOver = 0; !isOver; wait.poll()) {
      takeMessage(tag, received);
      if (isInBarrier) {
        require(MPI_Test(&barrier, &isOver, MPI_STATUS_IGNORE), "MPI_Test");
        continue;
      }
      if (areOver(sends)) {
        require(MPI_Ibarrier(comm, &barrier), "MPI_Ibarrier");
        isInBarrier = true;
      }
    }
    std::sort(
        received.begin(), received.end(),
        [](Message const &a, Message const &b) { return a.rank < b.rank; });
    return received;
  }

  std::unique_ptr<Transfer> start(std::vector<Peer> const &sends,
                                  std::vector<Peer> const &receives) override {
    auto transfer = std::make_unique<MPITransfer>(*this);
    for (Peer const &peer : receives)
      transfer->add(peer, /*isSend=*/false);
    for (Peer const &peer : sends)
      transfer->add(peer, /*isSend=*/true);
    return transfer;
  }

  Bytes gather(void const *data, int64_t bytes) override {
    int count = countOf(bytes);
    Bytes all(std::size_t(bytes) * std::size_t(ranks));
    std::vector<MPI_Request> request(1);
    require(MPI_Iallgather(data, count, MPI_BYTE, all.data(), count, MPI_BYTE,
                           comm, request.data()),
            "MPI_Iallgather");
    finish(request, int64_t(all.size()));
    return all;
  }
  void sum(int64_t *values, int64_t count) override {
    std::vector<MPI_Request> request(1);
    require(MPI_Iallreduce(MPI_IN_PLACE, values, countOf(count), MPI_INT64_T,
                           MPI_SUM, comm, request.data()),
            "MPI_Iallreduce");
    finish(request, count * int64_t(sizeof *values));
  }
  void barrier() override {
    std::vector<MPI_Request> request(1);
    require(MPI_Ibarrier(comm, request.data()), "MPI_Ibarrier");
    finish(request, 0);
  }
  void abort(int status) override {
    MPI_Abort(comm, status);
    std::_Exit(status);
  }
  bool cut(BlockGraph const &graph, std::vector<int32_t> &parts) override {
    return cutGraph(comm, graph, ranks, parts);
  }

private:
  /// For other ranks: poll() between two looks. After some time it answers
  /// those who ask where everybody is; the root asks, now and then, whether all
  /// wait; and in the end who waits asks, and ends all.
  class Wait {
  public:
    Wait(MPICommunicator &ranks, int64_t bytes) : ranks(ranks) {
      ++ranks.numWaits;
      ranks.bytesToWaitFor = bytes;
    }
    void poll() {
      constexpr int kQuick = 64;
      constexpr double kPatience = 0.5; // seconds
      if (++polls < kQuick)
        return;
      if (polls == kQuick)
        start = now();
      double waited = now() - start;
      if (waited > kPatience) {
        ranks.answerRollCall();
        if (ranks.ownRank == 0)
          lookForDeadlock(waited);
      }
      if (waited > ranks.timeout)
        ranks.endForMissing(waited);
    }

  private:
    /// If all ranks wait, and have waited for the same at the roll call before,
    /// some seconds ago, nobody goes on any more, unless messages are so large
    /// that they are still on their way.
    void lookForDeadlock(double waited) {
      constexpr double kFirst = 4;          // seconds
      constexpr double kBytesASecond = 2e7; // of a slow network
      if (waited < kFirst)
        return;
      if (!roll || waited > 2 * askedAt) {
        before = std::exchange(answers, {});
        askedAt = waited;
        roll = ranks.callRoll();
      }
      if (waited > askedAt + kGrace)
        return;
      ranks.takeAnswers(roll, answers);
      if (int(answers.size()) < ranks.ranks - 1)
        return;
      int64_t bytes = ranks.bytesToWaitFor;
      for (auto const &[rank, there] : answers) {
        auto last = before.find(rank);
        if (last == before.end() || last->second.number != there.number)
          return;
        bytes = std::max(bytes, there.bytes);
      }
      if (waited - kFirst > double(bytes) / kBytesASecond)
        ranks.endForDeadlock(answers);
    }

    MPICommunicator &ranks;
    int64_t polls = 0;
    double start = 0, askedAt = 0;
    uint64_t roll = 0;
    Answers answers, before;
  };

  /// Lets them go on, and does not wait.
  bool areOver(std::vector<MPI_Request> &requests) {
    int answer = 0;
    isTesting = true;
    int status = MPI_Testall(static_cast<int>(requests.size()), requests.data(),
                             &answer, MPI_STATUSES_IGNORE);
    isTesting = false;
    if (status != MPI_SUCCESS)
      endForError(describe(status));
    return answer != 0;
  }

  void finish(std::vector<MPI_Request> &requests, int64_t bytes) {
    Wait wait(*this, bytes);
    for (; !areOver(requests); wait.poll())
      ;
  }

  class MPITransfer final : public Transfer {
  public:
    explicit MPITransfer(MPICommunicator &ranks) : ranks(ranks) {}

    void add(Peer const &peer, bool isSend) {
      wordsOf(peer.bytes);
      bytes += peer.bytes;
      int64_t words = peer.bytes / int64_t(sizeof(Word)),
              rest = peer.bytes % int64_t(sizeof(Word));
      begin({peer.rank, peer.data, words}, MPI_INT64_T, isSend);
      if (rest != 0)
        begin({peer.rank, peer.data + (peer.bytes - rest), rest}, MPI_BYTE,
              isSend);
    }
    void poll() override { ranks.areOver(requests); }
    void finish() override { ranks.finish(requests, bytes); }

  private:
    /// `bytes` of what to transfer is the number of these.
    void begin(Peer const &what, MPI_Datatype type, bool isSend) {
      requests.emplace_back();
      auto count = static_cast<int>(what.bytes);
      require(isSend ? MPI_Isend(what.data, count, type, what.rank, kSwapTag,
                                 ranks.comm, &requests.back())
                     : MPI_Irecv(what.data, count, type, what.rank, kSwapTag,
                                 ranks.comm, &requests.back()),
              isSend ? "MPI_Isend" : "MPI_Irecv");
    }

    MPICommunicator &ranks;
    std::vector<MPI_Request> requests;
    int64_t bytes = 0;
  };

  Whereabouts whereabouts(uint64_t roll) const {
    Whereabouts here = {roll, numWaits, bytesToWaitFor, {}};
    std::snprintf(here.doing, sizeof here.doing, "%s", whatIsDone().c_str());
    return here;
  }

  /// take(rank, what it sends) for messages with this tag that are there.
  template <class Take> void takeAll(int tag, Take take) {
    for (;;) {
      int isThere = 0;
      MPI_Status status;
      require(MPI_Iprobe(MPI_ANY_SOURCE, tag, comm, &isThere, &status),
              "MPI_Iprobe");
      if (!isThere)
        return;
      Whereabouts there = {};
      require(MPI_Recv(&there, sizeof there, MPI_BYTE, status.MPI_SOURCE, tag,
                       comm, MPI_STATUS_IGNORE),
              "MPI_Recv");
      take(status.MPI_SOURCE, there);
    }
  }

  /// Does not wait.
  void tell(int32_t rank, int tag) {
    MPI_Request request;
    told.push_back(here);
    require(MPI_Isend(&told.back(), sizeof here, MPI_BYTE, rank, tag, comm,
                      &request),
            "MPI_Isend");
    MPI_Request_free(&request);
  }

  /// Those who have called before the last look at what is waited for: who
  /// waits still, has had the time to see what there was.
  void answerRollCall() {
    for (auto [rank, roll] : std::exchange(callers, {})) {
      here = whereabouts(roll);
      tell(rank, kAnswerTag);
    }
    takeAll(kCallTag, [&](int32_t rank, Whereabouts const &call) {
      callers.emplace_back(rank, call.roll);
    });
  }

  /// Asks all where they are. Who waits, answers.
  uint64_t callRoll() {
    here = whereabouts(++numRolls);
    for (int32_t rank = 0; rank < ranks; ++rank)
      if (rank != ownRank)
        tell(rank, kCallTag);
    return numRolls;
  }
  void takeAnswers(uint64_t roll, Answers &answers) {
    takeAll(kAnswerTag, [&](int32_t rank, Whereabouts const &there) {
      if (there.roll == roll)
        answers[rank] = there;
    });
  }

  /// Of those that answer soon.
  Answers findAll() {
    uint64_t roll = callRoll();
    Answers answers;
    double asked = now();
    while (now() - asked < kGrace && int(answers.size()) < ranks - 1) {
      answerRollCall();
      takeAnswers(roll, answers);
    }
    return answers;
  }

  /// Somebody does not come.
  void endForMissing [[noreturn]] (double waited) {
    std::string others = describeOthers(findAll());
    fatal(Problem::RanksDisagree,
          "this rank has waited in %s for %.0f s: %s; expected every "
          "rank to come there within OP2_RANKS_TIMEOUT=%.0f s",
          here.doing, waited, others.c_str(), timeout);
  }

  /// They wait for each other.
  void endForDeadlock [[noreturn]] (Answers const &answers) {
    here = whereabouts(0);
    std::string others = describeOthers(answers);
    fatal(Problem::RanksDisagree,
          "no rank goes on: this one waits in %s, %s; expected every rank to "
          "run the same loops, and calls of OP2, in the same order",
          here.doing, others.c_str());
  }

  /// Messages have other sizes than they should.
  void endForError [[noreturn]] (std::string const &error) {
    std::string others = describeOthers(findAll());
    fatal(Problem::RanksDisagree,
          "messages do not fit together (MPI: %s): this rank waits in %s; %s; "
          "expected every rank to run the same loops in the same order",
          error.c_str(), here.doing, others.c_str());
  }

  /// Those that are not where this one is.
  std::string describeOthers(Answers const &answers) const {
    constexpr int kMost = 8;
    std::string text;
    int count = 0;
    for (int32_t rank = 0; rank < ranks; ++rank) {
      auto at = answers.find(rank);
      bool isHere = at != answers.end() && at->second.number == here.number &&
                    !std::strcmp(at->second.doing, here.doing);
      if (rank == ownRank || isHere || ++count > kMost)
        continue;
      text +=
          (text.empty() ? "rank " : ", rank ") + std::to_string(rank) +
          (at == answers.end() ? " does not answer: it computes or hangs"
                               : std::string(" waits in ") + at->second.doing);
    }
    if (count > kMost)
      text += " and " + std::to_string(count - kMost) + " more";
    return count ? text : "all ranks are there";
  }

  /// To whole words, of which the last one is the size before.
  static void pad(Bytes &bytes) {
    auto size = static_cast<Word>(bytes.size());
    bytes.resize((std::size_t(wordsOf(size)) + 1) * sizeof(Word));
    std::memcpy(bytes.data() + bytes.size() - sizeof size, &size, sizeof size);
  }
  static void unpad(Bytes &bytes) {
    Word size;
    std::memcpy(&size, bytes.data() + bytes.size() - sizeof size, sizeof size);
    bytes.resize(std::size_t(size));
  }

  /// What is there, if anything is.
  void takeMessage(int tag, std::vector<Message> &received) {
    int isThere = 0, words = 0;
    MPI_Status status;
    MPI_Message message;
    require(MPI_Improbe(MPI_ANY_SOURCE, tag, comm, &isThere, &message, &status),
            "MPI_Improbe");
    if (!isThere)
      return;
    MPI_Get_count(&status, MPI_INT64_T, &words);
    Bytes bytes(std::size_t(words) * sizeof(Word));
    require(MPI_Mrecv(bytes.data(), words, MPI_INT64_T, &message,
                      MPI_STATUS_IGNORE),
            "MPI_Mrecv");
    unpad(bytes);
    received.push_back({status.MPI_SOURCE, std::move(bytes)});
  }

  MPI_Comm comm = MPI_COMM_NULL;
  int ownRank = 0, ranks = 1, onMachine = 0;
  uint64_t numExchanges = 0, numWaits = 0, numRolls = 0;
  int64_t bytesToWaitFor = 0;                        ///< of the latest wait
  double timeout;                                    ///< seconds
  std::vector<std::pair<int32_t, uint64_t>> callers; ///< and their roll calls
  Whereabouts here = {};                             ///< as last found
  std::deque<Whereabouts> told; ///< messages that are on their way
};
} // namespace

static bool isRunning = false;

/// Programs that begin MPI themselves may leave its end to OP2.
static void atEnd() {
  int isOver = 0;
  MPI_Finalized(&isOver);
  if (isOver)
    return;
  if (isRunning)
    fatal(Problem::RanksDisagree,
          "the program ends without op_exit, which the other ranks wait "
          "for");
  MPI_Finalize();
}

extern "C" {
MPI_Comm OP_MPI_WORLD = MPI_COMM_NULL, OP_MPI_GLOBAL = MPI_COMM_NULL;
}

/// To make one is collective: it lives on for the next run, and for atEnd. It
/// is the communicator's attribute, as another one may get the handle of one
/// that the program has freed.
static MPICommunicator *communicatorOf(MPI_Comm comm, double timeout) {
  int isInter = 0;
  if (comm == MPI_COMM_NULL)
    fatal(Problem::Call, "op_mpi_init: the communicator is MPI_COMM_NULL");
  MPI_Comm_test_inter(comm, &isInter);
  if (isInter)
    fatal(Problem::Call, "op_mpi_init: the communicator is one between two "
                         "groups; expected one of the processes that run the "
                         "program");
  static int const key = [] {
    int created = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN,
                           &created, nullptr);
    return created;
  }();
  void *known = nullptr;
  int isKnown = 0;
  MPI_Comm_get_attr(comm, key, &known, &isKnown);
  if (isKnown) {
    static_cast<MPICommunicator *>(known)->setTimeout(timeout);
    return static_cast<MPICommunicator *>(known);
  }
  static auto *all = new std::vector<std::unique_ptr<MPICommunicator>>;
  all->push_back(std::make_unique<MPICommunicator>(comm, timeout));
  MPI_Comm_set_attr(comm, key, all->back().get());
  return all->back().get();
}

static Communicator *begin(int const *global, int const *local) {
  int isBegun = 0, threads = 0;
  MPI_Initialized(&isBegun);
  // PT-Scotch has threads of its own, which call MPI.
  if (!isBegun) {
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &threads);
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(onError, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Errhandler_free(&handler);
  }
  static bool const isEntered = std::atexit(atEnd) == 0;
  (void)isEntered;
  OP_MPI_GLOBAL = global ? MPI_Comm_f2c(*global) : MPI_COMM_WORLD;
  OP_MPI_WORLD = local ? MPI_Comm_f2c(*local) : MPI_COMM_WORLD;
  constexpr uint64_t kTimeout = 300; // seconds
  MPICommunicator *communicator = communicatorOf(
      OP_MPI_WORLD, double(settingNumber("OP2_RANKS_TIMEOUT", kTimeout)));
  isRunning = communicator->size() > 1;
  return communicator;
}

static void end() { isRunning = false; }

[[gnu::constructor]] static void enter() { useRankLibrary({begin, end}); }

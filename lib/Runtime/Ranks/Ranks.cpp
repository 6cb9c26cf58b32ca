//===- Ranks.cpp - The ranks of this program ---------------- -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ranks.h"
#include "Core/Error.h"
#include "Core/Job.h"
#include "Core/Settings.h"
#include "Exchange.h"
#include "Meeting.h"
#include "OP2/Runtime/op2rt.h"

#include <cstdlib>

using namespace op2::rt;

static RankLibrary theLibrary;
static Communicator *theRanks = nullptr;

void op2::rt::useRankLibrary(RankLibrary const &library) {
  theLibrary = library;
}

Communicator &op2::rt::communicator() { return *theRanks; }

int op2::rt::startedProcesses() {
  for (char const *name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (char const *text = std::getenv(name))
      return std::atoi(text);
  return 1;
}

static void abortJob(int status) { theRanks->abort(status); }

/// Ranks that are told different things would wait for each other.
static void requireSameSettings(int declares) {
  struct Told {
    int32_t declares, traces;
  } own = {declares, settingText("OP2_TRACE") != nullptr};
  std::vector<Told> const all = gatherValues(communicator(), own);
  for (int32_t rank = 1; rank < job.size; ++rank)
    for (auto [name, isOther] :
         {std::pair("OP2_RANKS", all[rank].declares != all[0].declares),
          std::pair("OP2_TRACE", all[rank].traces != all[0].traces)})
      if (isOther)
        fatal(Problem::RanksDisagree,
              "op_init: %s is not the same on rank 0 and rank %d; expected one "
              "environment for all",
              name, rank);
}

void op2::rt::beginRanks(int const *global, int const *local) {
  if (!theLibrary.begin) {
    if (int count = startedProcesses(); count > 1)
      fatal(Problem::RankProgram,
            "op_init: this is one of %d processes, but the program is "
            "not linked for ranks: each would run all of it; compile it "
            "with op2c++ --op2-mpi, or start it once",
            count);
    return;
  }
  theRanks = theLibrary.begin(global, local);
  job = {};
  loopLog = {};
  job.rank = theRanks->rank();
  job.size = theRanks->size();
  job.rankOnMachine = theRanks->rankOnMachine();
  job.keepsOrder = true;
  int declares = settingWord("OP2_RANKS"); // blocks, whole, mirrored
  job.declaresWhole = job.size == 1 || declares > 0;
  job.keepsMirrors = job.size > 1 && declares > 1;
  if (hasRanks())
    job.abort = abortJob;
  setPending(kRanks, hasRanks());
  if (hasRanks())
    requireSameSettings(declares);
}

void op2::rt::endRanks() {
  if (hasRanks())
    meet("op_exit");
  if (theLibrary.end)
    theLibrary.end();
  setPending(kRanks, false);
  // What the program prints from now on, the root prints.
  int32_t rank = job.rank;
  job = {};
  job.rank = rank;
}

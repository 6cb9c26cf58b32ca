//===- ReportFile.cpp - OP2_REPORT ----------------------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReportFile.h"
#include "Core/Error.h"
#include "Core/Job.h"
#include "Core/Options.h"
#include "Core/OutputFile.h"
#include "Core/Pending.h"
#include "Core/Settings.h"
#include "Core/Types.h"
#include "Device/DeviceTiming.h"
#include "Diagnostics.h"
#include "Execute/StepRecord.h"
#include "Limits.h"
#include "OP2/Report/Page.h"
#include "Ranks/RankTimes.h"

#include <algorithm>
#include <cstring>
#include <omp.h>
#include <sstream>
#include <sys/stat.h>

using namespace op2::rt;

static char const *folder() { return settingText("OP2_REPORT"); }

void op2::rt::openReport() {
  if (!folder())
    return;
  struct stat found = {};
  std::string page = std::string(folder()) + "/index.html";
  if (isRoot() && stat(page.c_str(), &found) != 0)
    fatal(Problem::Setting,
          "OP2_REPORT=%s: there is no index.html in this folder; compile "
          "the program with --op2-report=html:%s first",
          folder(), folder());
  takeStep();
  setPending(kReporting);
}

static void writeMachine(std::ostream &out, MachineRate const &machine) {
  out << ",\n\"machine\":{\"bytesPerSecond\":" << machine.bytesPerSecond
      << ",\"operationsPerSecond\":" << measureArithmetic() << "}";
}

static void writeLoop(std::ostream &out, LoopState const &loop,
                      MachineRate const &machine) {
  out << "{\"name\":" << quoteForJson(loop.name)
      << ",\"location\":" << quoteForJson(loop.location)
      << ",\"target\":" << quoteForJson(targetName(loop.target)) << ",\"how\":"
      << quoteForJson(loop.strategy +
                      describeCounts(loop.countAlone, loop.countChained))
      << ",\"count\":" << loop.count << ",\"seconds\":" << loop.seconds
      << ",\"planSeconds\":" << loop.planSeconds << ",\"bytes\":" << loop.bytes;
  if (loop.latest)
    out << ",\"elementsOnce\":" << loop.latest->set->own
        << ",\"bytesOnce\":" << loop.latest->bytes;
  if (loop.target == OP2RT_TARGET_OPENMP)
    out << ",\"limit\":"
        << quoteForJson(
               findLimit({loop.count, loop.seconds - loop.planSeconds,
                          loop.planSeconds, loop.bytes, distanceOf(loop)},
                         machine));
  out << "}";
}

static void writeStep(std::ostream &out) {
  Step step = takeStep();
  out << ",\n\"stepRepeats\":" << (step.repeats ? "true" : "false")
      << ",\n\"step\":[";
  char const *comma = "\n";
  for (StepLoop const &loop : step.loops) {
    out << comma << "{\"name\":" << quoteForJson(loop.name)
        << ",\"location\":" << quoteForJson(loop.location) << ",\"args\":[";
    comma = "";
    for (StepLoop::Arg const &arg : loop.args) {
      out << comma << "{\"dat\":" << quoteForJson(arg.dat)
          << ",\"serial\":" << arg.serial
          << ",\"access\":" << quoteForJson(accessName(arg.access)) << "}";
      comma = ",";
    }
    out << "]}";
    comma = ",\n";
  }
  out << "]";
}

static void writeRanks(std::ostream &out, std::vector<RankTotals> const &rows) {
  out << ",\n\"rankLoops\":[";
  char const *comma = "\n";
  for (RankTotals const &row : rows) {
    out << comma << "{\"name\":" << quoteForJson(row.loop->name)
        << ",\"own\":" << row.own << ",\"most\":" << row.most
        << ",\"slowest\":" << row.slowest << ",\"border\":" << row.border
        << ",\"waiting\":" << row.waiting << ",\"messages\":" << row.messages
        << ",\"bytes\":" << row.bytes << "}";
    comma = ",\n";
  }
  out << "]";
}

void op2::rt::closeReport() {
  if (!isPending(kReporting))
    return;
  flush();
  settleDeviceTimes();
  setPending(kReporting, false);
  std::vector<RankTotals> ranks = collectRankTimes("OP2_REPORT");
  if (!isRoot())
    return;
  MachineRate machine = measureMachine();
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out.precision(9);
  out << "{\"kind\":\"run\",\"threads\":" << omp_get_max_threads()
      << ",\"ranks\":" << job.size;
  writeMachine(out, machine);
  out << ",\n\"loops\":[";
  char const *comma = "\n";
  for (LoopState const *loop : allLoopStates())
    if (loop->count > 0) {
      out << comma;
      writeLoop(out, *loop, machine);
      comma = ",\n";
    }
  out << "]";
  writeStep(out);
  writeRanks(out, ranks);
  out << "}\n";
  std::string problem = op2::report::addRun(settingPath(folder()), out.str());
  if (!problem.empty())
    fatal(Problem::File, "OP2_REPORT: %s", problem.c_str());
}

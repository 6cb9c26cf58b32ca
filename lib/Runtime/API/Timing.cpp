//===- Timing.cpp - The table of times --------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// op_timing_output and op_timings_to_csv.
//
//===----------------------------------------------------------------------===//

#include "Core/Error.h"
#include "Core/Job.h"
#include "Core/Options.h"
#include "Core/OutputFile.h"
#include "Core/Pending.h"
#include "Core/PlainNumbers.h"
#include "Core/Settings.h"
#include "Core/Threads.h"
#include "Device/DeviceTiming.h"
#include "Diagnostics.h"
#include "Emulator/MemoryModel.h"
#include "Execute/Loop.h"
#include "Limits.h"
#include "Ranks/RankTimes.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <omp.h>

using namespace op2::rt;

extern "C" void op_timing_realloc(int kernel) {
  Call const call(__func__);
  provideKernel(kernel, /*timers=*/0, __func__);
}
extern "C" void op_timing_realloc_manytime(int kernel, int num_timers) {
  Call const call(__func__);
  provideKernel(kernel, num_timers, __func__);
}

namespace {
struct Row {
  LoopState const *loop; ///< gives name, target and strategy
  int64_t count = 0, countAlone = 0, countChained = 0;
  double seconds = 0, planSeconds = 0, bytes = 0;
  double waiting = 0; ///< for other ranks
};
} // namespace

/// Call sites that run one kernel in one way make one row.
static std::vector<Row> collectRows() {
  flush();
  settleDeviceTimes();
  std::vector<Row> rows;
  for (LoopState const *loop : allLoopStates()) {
    if (loop->count == 0)
      continue;
    auto at = std::find_if(rows.begin(), rows.end(), [&](Row const &row) {
      return row.loop->name == loop->name && row.loop->target == loop->target &&
             std::strcmp(row.loop->strategy, loop->strategy) == 0;
    });
    if (at == rows.end())
      at = rows.insert(at, Row{loop});
    at->count += loop->count;
    at->countAlone += loop->countAlone;
    at->countChained += loop->countChained;
    at->seconds += loop->seconds;
    at->planSeconds += loop->planSeconds;
    at->bytes += loop->bytes;
    at->waiting += loop->ranks.waiting;
  }
  std::sort(rows.begin(), rows.end(),
            [](Row const &a, Row const &b) { return a.seconds > b.seconds; });
  return rows;
}

static void printTable(std::FILE *file) {
  std::fprintf(file, "\n  %8s %12s %12s %12s %10s  %-8s %s\n", "count",
               "time s", "plan time s", "useful GB", "GB/s", "target",
               "loop (how)");
  double plans = 0;
  for (Row const &row : collectRows()) {
    double busy = row.seconds - row.planSeconds;
    std::fprintf(file, "  %8lld %12.6f %12.6f %12.4f %10.3f  %-8s %s (%s)%s\n",
                 static_cast<long long>(row.count), row.seconds,
                 row.planSeconds, row.bytes * 1e-9,
                 busy > 0 ? row.bytes * 1e-9 / busy : 0.0,
                 targetName(row.loop->target), row.loop->name.c_str(),
                 row.loop->strategy,
                 describeCounts(row.countAlone, row.countChained).c_str());
    plans += row.planSeconds;
  }
  std::fprintf(file, "Total plan time: %8.4f\n", plans);
}

//===----------------------------------------------------------------------===//
// OP2_TIMING=limits
//===----------------------------------------------------------------------===//

static bool asksForLimits() { return settingWord("OP2_TIMING") == 0; }

static void printLimits(std::FILE *file) {
  if (!asksForLimits())
    return;
  MachineRate machine = measureMachine();
  std::fprintf(file,
               "Machine: %.2f GB/s, %.1f us to start threads (%d of them)\n"
               "  %10s  loop: what holds it back\n",
               machine.bytesPerSecond * 1e-9, machine.startSeconds * 1e6,
               omp_get_max_threads(), "share");
  for (Row const &row : collectRows()) {
    if (row.loop->target != OP2RT_TARGET_OPENMP)
      continue;
    LoopFigures figures{row.count, row.seconds - row.planSeconds,
                        row.planSeconds, row.bytes, distanceOf(*row.loop)};
    double rate = figures.bytes / std::max(figures.busySeconds, 1e-9);
    std::fprintf(file, "  %8.1f %%  %s (%s): %s\n",
                 100 * rate / machine.bytesPerSecond, row.loop->name.c_str(),
                 row.loop->strategy, findLimit(figures, machine).c_str());
  }
}

/// The root has the file; all ranks give their times.
static void printTo(std::FILE *file) {
  PlainNumbers const plain;
  if (file) {
    printTable(file);
    printLimits(file);
    printMemoryModel(file);
  }
  printRankTimes(file);
}

extern "C" void op_timing_output(void) {
  Call const call(__func__);
  printTo(isRoot() ? stdout : nullptr);
  requirePrinted(__func__);
}

extern "C" void op_timing_output_2_file(char const *file_name) {
  Call const call(__func__);
  OutputFile const file = openOutput("op_timing_output_2_file", file_name, "w");
  printTo(file.get());
}

/// As RFC 4180 has it, where a name could be taken for more than one field.
static std::string quoteForCsv(std::string const &text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos)
    return text;
  std::string quoted = "\"";
  for (char c : text)
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

extern "C" void op_timings_to_csv(char const *file_name) {
  Call const call(__func__);
  if (!isRoot())
    return;
  OutputFile const file = openOutput("op_timings_to_csv", file_name, "w");
  PlainNumbers const plain;
  std::fputs("rank,thread,nranks,nthreads,count,total time,plan time,mpi time,"
             "GB used,GB total,kernel name\n",
             file.get());
  for (Row const &row : collectRows())
    std::fprintf(file.get(), "0,0,%d,%d,%lld,%f,%f,%f,%f,%f,%s\n", job.size,
                 omp_get_max_threads(), static_cast<long long>(row.count),
                 row.seconds, row.planSeconds, row.waiting, row.bytes * 1e-9,
                 row.bytes * 1e-9, quoteForCsv(row.loop->name).c_str());
}

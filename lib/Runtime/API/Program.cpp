//===- Program.cpp - Beginning and end of a program -------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// op_init, op_exit, and the small services around them.
//
//===----------------------------------------------------------------------===//

#include "Core/Error.h"
#include "Core/Hooks.h"
#include "Core/Job.h"
#include "Core/Options.h"
#include "Core/OutputFile.h"
#include "Core/Pending.h"
#include "Core/Registry.h"
#include "Core/Settings.h"
#include "Core/Threads.h"
#include "Device/Device.h"
#include "Device/DeviceLayout.h"
#include "Device/Fallback.h"
#include "Diagnostics.h"
#include "Draw/ProgramPlan.h"
#include "Execute/Loop.h"
#include "Execute/LoopPlan.h"
#include "Matrix.h"
#include "Ranks/Declared.h"
#include "Ranks/Ranks.h"
#include "ReportFile.h"
#include "TraceFile.h"
#include "Tune/Tuner.h"

#include <cerrno>
#include <chrono>
#include <climits>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <string>

using namespace op2::rt;

/// Positive numbers, one for each level of nested threads.
static bool areNumbersOfThreads(char const *text) {
  for (;;) {
    char *end = nullptr;
    errno = 0;
    long number = std::strtol(text, &end, 10);
    if (end == text || errno || number < 1 || number > INT_MAX)
      return false;
    end += std::strspn(end, " \t");
    if (!*end)
      return true;
    if (*end != ',')
      return false;
    text = end + 1;
  }
}

/// Of scripts that say OMP_NUM_THREADS=$THREADS and do not set that, or compute
/// it: LLVM's OpenMP library aborts when it is first called (22.1).
static void dropBadThreads() {
  char const *threads = std::getenv("OMP_NUM_THREADS");
  if (!threads || areNumbersOfThreads(threads))
    return;
  std::string is = *threads ? "\"" + std::string(threads) + "\"" : "empty";
  warning(Problem::Setting,
          "OMP_NUM_THREADS is %s, so as if it were not set; expected a number "
          "of threads",
          is.c_str());
  unsetenv("OMP_NUM_THREADS");
}

static void begin(int argc, char **argv, int diags, int soa, int const *global,
                  int const *local) {
  Call const call("op_init");
  if (registry().state == State::Running)
    fatal(Problem::Init, "op_init: called twice without op_exit between");
  if (diags < 0)
    fatal(Problem::Call, "op_init: diags is %d; expected at least 0", diags);
  fillStandardStreams();
  dropBadThreads();
  registry().state = State::Running;
  firstNumber = 0;
  resetSettings(diags, soa);
  forgetEnvironment();
  beginRanks(global, local);
  checkEnvironment();
  readArguments(argc, argv);
  readWhitelist();
  readChoices();
  openTrace();
  openReport();
  checkDrawing();
  if (char const *file = settingText("OP_PROFILE_JSON_OUTPUT"))
    requireFolder("OP_PROFILE_JSON_OUTPUT", file);
}

extern "C" void op_init(int argc, char **argv, int diags) {
  begin(argc, argv, diags, 0, nullptr, nullptr);
}

extern "C" void op_init_soa(int argc, char **argv, int diags, int soa) {
  begin(argc, argv, diags, soa, nullptr, nullptr);
}

extern "C" void op_mpi_init(int argc, char **argv, int diags, int global,
                            int local) {
  begin(argc, argv, diags, 0, &global, &local);
}

extern "C" void op_mpi_init_soa(int argc, char **argv, int diags, int global,
                                int local, int soa) {
  begin(argc, argv, diags, soa, &global, &local);
}

extern "C" void op_exit(void) {
  Call const call(__func__);
  requireRunning("op_exit");
  flushWithResults();
  if (OP_diags > 1) {
    reportLoops();
    reportDeviceMemory();
    reportConversions();
  }
  if (hasRanks())
    hooks.settleRows(); // whose storage is freed how
  drawPlanIfAsked();
  writeChoices();
  closeTrace();
  closeReport();
  closeDevices();
  forgetPlans();
  OP_plan_time = 0;
  forgetLoopCalls();
  forgetDeclared();
  forgetMatrices();
  freeEverything();
  registry().state = State::Idle;
  endRanks();
}

extern "C" int op_is_root(void) { return isRoot(); }

extern "C" void op_rank(int *rank) {
  if (rank)
    *rank = job.rank;
}

extern "C" void op_printf(char const *format, ...) {
  if (!isRoot())
    return;
  std::va_list values;
  va_start(values, format);
  std::vprintf(format, values);
  va_end(values);
}

extern "C" void op_print(char const *line) {
  if (isRoot())
    std::printf("%s\n", line ? line : "");
}

// Loops that are pending stay so: op2c++ has decided that they may.
extern "C" void op_timers_core(double *, double *et) {
  if (!et)
    return;
  using namespace std::chrono;
  *et = duration<double>(steady_clock::now().time_since_epoch()).count();
}

extern "C" void op_timers(double *cpu, double *et) { op_timers_core(cpu, et); }

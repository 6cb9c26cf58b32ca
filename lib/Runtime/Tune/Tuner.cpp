//===- Tuner.cpp - Tuned choices, and those of earlier runs -----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tuner.h"
#include "Core/Error.h"
#include "Core/OutputFile.h"
#include "Core/PerRun.h"
#include "Core/Settings.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <omp.h>
#include <strings.h>

using namespace op2::rt;

namespace {
struct Tuner {
  bool isRead = false;
  Tuning tuning = Tuning::Auto;
  std::string file, machine;
  std::vector<TuneRecord> records;
  bool hasNews = false;
};
} // namespace

static Tuner &tuner() {
  static auto *object = new PerRun<Tuner>;
  return **object;
}

Tuning op2::rt::requestedTuning() {
  Tuner &t = tuner();
  if (t.isRead)
    return t.tuning;
  t.isRead = true;
  char const *text = settingText("OP2_TUNE");
  std::string word = text ? text : "auto";
  t.tuning = word == "off"    ? Tuning::Off
             : word == "auto" ? Tuning::Auto
                              : Tuning::On;
  if (t.tuning == Tuning::On && word != "on") {
    // A file of such a name is nobody's.
    for (char const *mistake :
         {"0", "1", "on", "off", "auto", "true", "false", "yes", "no"})
      if (!strcasecmp(word.c_str(), mistake))
        fatal(Problem::Setting,
              "OP2_TUNE=%s: expected off, auto, on, or the name of a file (as "
              "./%s)",
              word.c_str(), word.c_str());
    t.file = word;
  }
  return t.tuning;
}

static std::string processorName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    std::size_t colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos)
      return line.substr(colon + 2);
  }
  return "unknown processor";
}

void op2::rt::readChoices() {
  requestedTuning();
  if (!keepsChoices())
    return;
  requireFolder("OP2_TUNE", tuner().file);
  tuner().machine = processorName();
  tuner().records = readTuneFile(tuner().file);
}

void op2::rt::writeChoices() {
  Tuner &t = tuner();
  if (!t.hasNews)
    return;
  std::sort(
      t.records.begin(), t.records.end(),
      [](TuneRecord const &a, TuneRecord const &b) { return a.key < b.key; });
  std::string problem = writeTuneFile(settingPath(t.file), t.records);
  // Nothing but the choices is lost.
  if (!problem.empty())
    warning(Problem::TuneFile, "OP2_TUNE: %s", problem.c_str());
}

bool op2::rt::keepsChoices() { return !tuner().file.empty(); }

TuneRecord const *op2::rt::findChoice(TuneKey &key) {
  key.machine = tuner().machine;
  key.threads = omp_get_max_threads();
  for (TuneRecord const &record : tuner().records)
    if (record.key == key)
      return &record;
  return nullptr;
}

void op2::rt::noteChoice(TuneRecord record) {
  Tuner &t = tuner();
  t.hasNews = true;
  for (TuneRecord &known : t.records)
    if (known.key == record.key) {
      known = std::move(record);
      return;
    }
  t.records.push_back(std::move(record));
}

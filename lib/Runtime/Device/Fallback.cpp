//===- Fallback.cpp - Loops kept off the device -----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// op_disable_device_execution, OP_WHITELIST and OP_FALLBACK_MODE: which loops
// may run on a device, and what happens when one may not.
//
//===----------------------------------------------------------------------===//

#include "Fallback.h"
#include "Core/Error.h"
#include "Core/Options.h"
#include "Core/PerRun.h"
#include "Core/Settings.h"
#include "Core/Threads.h"
#include "OP2/API/op_lib_core.h"
#include "OP2/Runtime/op2rt.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <vector>

using namespace op2::rt;

namespace {
enum class Mode { Silent, Warn, Error };

struct Fallback {
  bool isDisabled = false;
  std::optional<Mode> mode;
  bool hasReadList = false;
  bool hasList = false;
  std::vector<std::regex> allowed;
  std::map<std::string, bool> isAllowed; ///< by loop, once read
  std::set<std::string> warned;          ///< loops, once each
};
} // namespace

static Fallback &fallback() {
  static auto *theFallback = new PerRun<Fallback>;
  return **theFallback;
}

static void readList(Fallback &state) {
  state.hasReadList = true;
  char const *file = settingText("OP_WHITELIST");
  if (!file)
    return;
  std::ifstream lines(file);
  // Of a folder only the first read says so.
  if (!lines || (lines.peek(), lines.bad()))
    fatal(Problem::File, "OP_WHITELIST=%s: cannot read the file: %s", file,
          std::strerror(errno));
  state.hasList = true;
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.empty())
      continue;
    try {
      state.allowed.emplace_back(line);
    } catch (std::regex_error const &) {
      fatal(Problem::Setting,
            "OP_WHITELIST=%s, line %d: \"%s\" is not a regular expression",
            file, number, line.c_str());
    }
  }
}

void op2::rt::readWhitelist() {
  if (settingText("OP_WHITELIST"))
    readList(fallback());
}

static Mode readMode() {
  static constexpr Mode kModes[] = {Mode::Silent, Mode::Warn, Mode::Error,
                                    Mode::Warn};
  int word = settingWord("OP_FALLBACK_MODE");
  if (word >= 0)
    return kModes[word];
  return isStrict() ? Mode::Error : Mode::Warn;
}

extern "C" void op_disable_device_execution(bool disable) {
  Call const call(__func__);
  fallback().isDisabled = disable;
}

extern "C" bool op_check_whitelist(char const *name) {
  Turn const turn(__func__);
  Fallback &state = fallback();
  if (!state.hasReadList)
    readList(state);
  if (!state.hasList)
    return true;
  std::string loop = name ? name : "";
  auto known = state.isAllowed.find(loop);
  if (known == state.isAllowed.end()) {
    bool matches = std::any_of(
        state.allowed.begin(), state.allowed.end(),
        [&](std::regex const &item) { return std::regex_match(loop, item); });
    known = state.isAllowed.emplace(loop, matches).first;
  }
  return known->second;
}

static void reportFallback(std::string const &loop, std::string const &why) {
  Fallback &state = fallback();
  if (!state.mode)
    state.mode = readMode();
  if (*state.mode == Mode::Error)
    fatal(Problem::Fallback,
          "loop %s: may not run on the device: %s; %s makes that an error",
          loop.c_str(), why.c_str(),
          settingWord("OP_FALLBACK_MODE") >= 0 ? "OP_FALLBACK_MODE=error"
                                               : "OP2_STRICT=1");
  if (*state.mode == Mode::Warn && state.warned.insert(loop).second)
    warning(Problem::Fallback, "loop %s runs on the host: %s", loop.c_str(),
            why.c_str());
}

extern "C" void op_check_fallback_mode(char const *name) {
  Turn const turn(__func__);
  reportFallback(name ? name : "", kKeptOff);
}

bool op2::rt::mayUseDevice(char const *loop) {
  return !fallback().isDisabled && op_check_whitelist(loop);
}

void op2::rt::refuseDevice(uint32_t host, char const *loop,
                           std::string const &why) {
  if (host == 0)
    fatal(Problem::Target,
          "loop %s: may not run on the device: %s; it was compiled for nothing "
          "else; add openmp or seq to --op2-target",
          loop, why.c_str());
  reportFallback(loop, why);
}

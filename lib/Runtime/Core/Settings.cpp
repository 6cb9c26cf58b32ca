//===- Settings.cpp - Variables and arguments of a run --------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table, and the checks of names and values.
//
//===----------------------------------------------------------------------===//

#include "Settings.h"
#include "Error.h"
#include "OP2/API/op_lib_core.h"
#include "OP2/Runtime/op2rt.h"
#include "PlainNumbers.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <sstream>
#include <unistd.h>

using namespace op2::rt;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static Setting words(char const *name, char const *all) {
  return {name,   Setting::Variable, Setting::Words, all, 0, 0, nullptr, 0,
          nullptr};
}
static Setting number(char const *name, uint64_t least, uint64_t most) {
  return {
      name,   Setting::Variable, Setting::Number, "", least, most, nullptr, 0,
      nullptr};
}
static Setting argument(char const *name, int *target, uint64_t least,
                        uint64_t most = INT_MAX) {
  return {
      name,   Setting::Argument, Setting::Number, "", least, most, target, 0,
      nullptr};
}
static Setting argument(char const *name, char const *all,
                        char const *variable) {
  return {name, Setting::Argument, Setting::Words, all, 0, 0, nullptr,
          0,    variable};
}
static Setting positive(char const *name, Setting::Place place) {
  return {name, place, Setting::Positive, "", 0, 0, nullptr, 0, name};
}
static Setting flag(char const *name, int *target, int value) {
  return {name,   Setting::Argument, Setting::Flag, "", 0, 0, target, value,
          nullptr};
}

static constexpr char const *kOrders = "rcm hilbert hilbert:<dat> none";
static constexpr char const *kTunings = "off auto on <file>";
static constexpr char const *kBalance = "OP_HYBRID_BALANCE";

std::vector<Setting> const &op2::rt::allSettings() {
  static auto *all = new std::vector<Setting>{
      words("OP2_TARGET", "seq openmp cuda emulator"),
      words("OP2_STRICT", "0 1"),
      words("OP2_OWNER", "auto always never"),
      words("OP2_CHAIN", "auto always never"),
      number("OP2_TILE_SIZE", 1, INT_MAX),
      words("OP2_TUNE", kTunings),
      words("OP2_TIMING", "limits"),
      words("OP2_TRACE", "<file>"),
      words("OP2_REPORT", "<folder>"),
      words("OP2_DRAW_PLAN", "<loop>:<file>"),
      words("OP2_CHECK_PLAN", "0 1"),
      words("OP2_CHECK", "0 1 warn"),
      words("OP2_RENUMBER", kOrders),
      words("OP2_RANKS", "blocks whole mirrored"),
      number("OP2_RANKS_TIMEOUT", 1, INT_MAX),
      words("OP2_PARTITION", "ptscotch blocks random random:<seed> <dat>"),
      words("OP2_CUDA_DRIVER", "<file>"),
      number("OP2_EMULATOR_SEED", 0, UINT64_MAX),
      words("OP2_EMULATOR_MODEL", "a100 h100 h200"),
      words("OP_AUTO_SOA", "0 1"),
      positive(kBalance, Setting::Variable),
      words("OP_WHITELIST", "<file>"),
      words("OP_FALLBACK_MODE", "silent warn error warning"),
      number("OP_PROFILE_LEVEL", 0, 3),
      words("OP_PROFILE_JSON_OUTPUT", "<file>"),
      argument("OP_PART_SIZE", &OP_part_size, 0),
      argument("OP_BLOCK_SIZE", &OP_block_size, 1, 1024),
      argument("OP_CACHE_LINE_SIZE", &OP_cache_line_size, 1),
      argument("OP_MAPS_BASE_INDEX", &OP_maps_base_index, 0, 1),
      argument("OP_TEST_FREQ", &OP_mpi_test_frequency, 1),
      argument("OP_CUDA_REDUCTIONS_MIB", &OP_cuda_reductions_mib, 1),
      positive(kBalance, Setting::Argument),
      argument("OP_RENUMBER", kOrders, "OP2_RENUMBER"),
      argument("OP_TUNE", kTunings, "OP2_TUNE"),
      flag("OP_NO_REALLOC", &OP_realloc, 0),
      flag("OP_AUTO_SOA", &OP_auto_soa, 1),
      flag("OP_PARTIAL_EXCHANGE", &OP_partial_exchange, 1),
      flag("-gpudirect", &OP_gpu_direct, 1),
  };
  return *all;
}

static Setting const *findSetting(Setting::Place place,
                                  std::string const &name) {
  for (Setting const &setting : allSettings())
    if (setting.place == place && name == setting.name)
      return &setting;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static std::vector<std::string> wordsOf(Setting const &setting) {
  std::istringstream text(setting.words);
  std::vector<std::string> all;
  for (std::string word; text >> word;)
    all.push_back(word);
  return all;
}

/// The library's functions alone would take "", "12abc", "  3" and "-1".
static bool parse(char const *text, uint64_t &value) {
  char *end = nullptr;
  errno = 0;
  value = std::strtoull(text, &end, 10);
  return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
}

/// Which of the words the text is, from 0; -1 if none.
static int findWord(Setting const &setting, std::string const &text) {
  std::vector<std::string> all = wordsOf(setting);
  for (std::size_t n = 0; n < all.size(); ++n) {
    std::size_t hole = all[n].find('<');
    if (text.compare(0, hole, all[n], 0, hole) != 0)
      continue;
    if (hole == std::string::npos)
      return static_cast<int>(n);
    // "random:" is no dat's name either.
    uint64_t number = 0;
    bool isFull = text.size() > hole && (all[n].compare(hole, 6, "<seed>") ||
                                         parse(&text[hole], number));
    return isFull ? static_cast<int>(n) : -1;
  }
  return -1;
}

static bool parse(char const *text, double &value) {
  value = readPlainNumber(text);
  return std::isfinite(value);
}

bool op2::rt::accepts(Setting const &setting, char const *text) {
  uint64_t whole = 0;
  double real = 0;
  switch (setting.form) {
  case Setting::Words:
    return findWord(setting, text) >= 0;
  case Setting::Number:
    return parse(text, whole) && whole >= setting.least &&
           whole <= setting.most;
  case Setting::Positive:
    return parse(text, real) && real > 0;
  case Setting::Flag:
    return *text == '\0';
  }
  return false;
}

std::string op2::rt::expectedOf(Setting const &setting) {
  switch (setting.form) {
  case Setting::Number:
    return "a whole number in " + std::to_string(setting.least) + ".." +
           std::to_string(setting.most);
  case Setting::Positive:
    return "a number above 0";
  case Setting::Flag:
    return "no value";
  case Setting::Words:
    break;
  }
  std::string list;
  std::vector<std::string> all = wordsOf(setting);
  for (std::string const &word : all)
    list += (list.empty() ? "" : ", ") + word;
  return (all.size() > 1 ? "one of " : "") + list;
}

static void require(Setting const &setting, char const *text) {
  if (!accepts(setting, text))
    fatal(Problem::Setting, "%s=%s: expected %s", setting.name, text,
          expectedOf(setting).c_str());
}

/// Values of the program's arguments, by the variable they stand for.
static std::map<std::string, std::string> &arguments() {
  static auto *all = new PerRun<std::map<std::string, std::string>>;
  return **all;
}

char const *op2::rt::settingText(char const *name) {
  if (auto given = arguments().find(name); given != arguments().end())
    return given->second.c_str();
  char const *text = std::getenv(name);
  if (!text || !*text)
    return nullptr;
  require(*findSetting(Setting::Variable, name), text);
  return text;
}

int op2::rt::settingWord(char const *name) {
  char const *text = settingText(name);
  return text ? findWord(*findSetting(Setting::Variable, name), text) : -1;
}

uint64_t op2::rt::settingNumber(char const *name, uint64_t unset) {
  uint64_t value = unset;
  if (char const *text = settingText(name))
    parse(text, value);
  return value;
}

//===----------------------------------------------------------------------===//
// Names that are no settings
//===----------------------------------------------------------------------===//

/// How many letters must be put in, left out or replaced (Levenshtein).
static std::size_t distance(std::string const &a, std::string const &b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t n = 0; n < row.size(); ++n)
    row[n] = n;
  for (std::size_t m = 1; m <= a.size(); ++m) {
    std::size_t diagonal = row[0];
    row[0] = m;
    for (std::size_t n = 1; n <= b.size(); ++n) {
      std::size_t changed = diagonal + (a[m - 1] != b[n - 1]);
      diagonal = row[n];
      row[n] = std::min({row[n] + 1, row[n - 1] + 1, changed});
    }
  }
  return row[b.size()];
}

/// Others have names that begin likewise (OP2's own build has OP2_INSTALL_PATH,
/// applications have arguments): of those that are like none of ours, variables
/// are said to who wants to know.
static void judgeName(std::string const &name, Setting::Place place) {
  bool isVariable = place == Setting::Variable;
  char const *kind = isVariable ? "an environment variable" : "an argument";
  if (findSetting(place, name))
    return;
  Setting::Place other = isVariable ? Setting::Argument : Setting::Variable;
  if (findSetting(other, name))
    return warning(Problem::SettingName, "%s has no effect as %s: it is %s",
                   name.c_str(), kind,
                   isVariable ? "an argument of the program"
                              : "an environment variable");
  Setting const *nearest = nullptr;
  std::size_t least = std::min<std::size_t>(3, name.size() / 3);
  for (Setting::Place in : {place, other})
    for (Setting const &setting : allSettings())
      if (std::size_t found = distance(name, setting.name);
          setting.place == in && found < least) {
        least = found;
        nearest = &setting;
      }
  if (nearest)
    warning(Problem::SettingName,
            "%s has no effect: there is no such setting; %s is one%s",
            name.c_str(), nearest->name,
            nearest->place == place ? ""
            : isVariable            ? ", an argument of the program"
                                    : ", an environment variable");
  else if (isVariable && OP_diags > 1)
    op_printf("op2: %s has no effect: there is no such setting\n",
              name.c_str());
}

static bool isOurs(std::string const &text) {
  return text.compare(0, 4, "OP2_") == 0 || text.compare(0, 3, "OP_") == 0;
}

/// Empty if it has been removed.
static std::filesystem::path currentFolder() {
  std::error_code error;
  return std::filesystem::current_path(error);
}

static std::filesystem::path &firstFolder() {
  static auto *folder = new PerRun<std::filesystem::path>;
  return **folder;
}

std::string op2::rt::settingPath(std::string const &name) {
  return firstFolder() == currentFolder() ? name
                                          : (firstFolder() / name).string();
}

void op2::rt::checkEnvironment() {
  firstFolder() = currentFolder();
  for (Setting const &setting : allSettings())
    if (setting.place == Setting::Variable)
      settingText(setting.name);
  for (char **entry = environ; entry && *entry; ++entry) {
    std::string text = *entry;
    if (isOurs(text))
      judgeName(text.substr(0, text.find('=')), Setting::Variable);
  }
}

//===----------------------------------------------------------------------===//
// Arguments of the program
//===----------------------------------------------------------------------===//

static void apply(Setting const &setting, char const *text) {
  require(setting, text);
  uint64_t whole = 0;
  if (setting.form == Setting::Flag) {
    *setting.target = setting.flagValue;
  } else if (setting.target) {
    parse(text, whole);
    *setting.target = static_cast<int>(whole);
  } else {
    arguments()[setting.variable] = text;
  }
  if (OP_diags > 0)
    op_printf("op2: %s%s%s\n", setting.name, *text ? "=" : "", text);
}

static void readArgument(char const *argument) {
  // OP2 accepts its options anywhere inside an argument, flags with anything
  // behind them.
  bool isKnown = false;
  for (Setting const &setting : allSettings()) {
    char const *at = setting.place == Setting::Argument
                         ? std::strstr(argument, setting.name)
                         : nullptr;
    if (!at)
      continue;
    char const *end = at + std::strlen(setting.name);
    bool isFlag = setting.form == Setting::Flag;
    if (at == argument && *end == '\0' && !isFlag)
      fatal(Problem::Setting, "%s: expected %s=, followed by %s", setting.name,
            setting.name, expectedOf(setting).c_str());
    if (!isFlag && *end != '=')
      continue;
    isKnown = true;
    apply(setting, isFlag ? "" : end + 1);
  }
  std::string text = argument;
  if (!isKnown && isOurs(text))
    judgeName(text.substr(0, text.find('=')), Setting::Argument);
}

void op2::rt::readArguments(int argc, char **argv) {
  for (int n = 1; n < argc && argv && argv[n]; ++n)
    readArgument(argv[n]);
  if (settingWord("OP_AUTO_SOA") == 1)
    OP_auto_soa = 1;
  if (char const *text = settingText(kBalance))
    parse(text, OP_hybrid_balance);
}

//===- CommandLine.cpp - Options of op2-mesh -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include <algorithm>
#include <charconv>

using namespace op2::mesh;

CommandLine::CommandLine(std::vector<std::string> list) {
  for (std::size_t n = 0; n < list.size(); ++n) {
    if (list[n] != "-o") {
      words.push_back(list[n]);
      continue;
    }
    if (++n == list.size())
      throw UsageError("-o: expected a file");
    words.push_back("--output=" + list[n]);
  }
}

std::string CommandLine::option(std::string const &name,
                                std::string const &otherwise) {
  std::string prefix = "--" + name + "=";
  for (std::size_t n = 0; n < words.size(); ++n)
    if (words[n].compare(0, prefix.size(), prefix) == 0) {
      std::string value = words[n].substr(prefix.size());
      words.erase(words.begin() + int64_t(n));
      return value;
    }
  return otherwise;
}

std::string CommandLine::choice(std::string const &name,
                                std::string const &otherwise,
                                std::string const &choices) {
  std::string value = option(name, otherwise);
  if (value.find('|') != value.npos ||
      ("|" + choices + "|").find("|" + value + "|") == value.npos)
    throw UsageError("--" + name + "=" + value + ": expected " + choices);
  return value;
}

static int64_t parse(std::string const &what, std::string const &text,
                     int64_t low, int64_t high) {
  int64_t value = 0;
  char const *end = text.data() + text.size();
  auto [stop, status] = std::from_chars(text.data(), end, value);
  if (status != std::errc() || stop != end || value < low || value > high)
    throw UsageError(what + ": expected a number from " + std::to_string(low) +
                     " to " + std::to_string(high) + ", not '" + text + "'");
  return value;
}

int64_t CommandLine::number(std::string const &name, int64_t otherwise,
                            int64_t low, int64_t high) {
  std::string text = option(name, "");
  return text.empty() ? otherwise : parse("--" + name, text, low, high);
}

std::vector<std::string> CommandLine::list(std::string const &name) {
  std::string text = option(name, "");
  std::vector<std::string> values;
  for (std::size_t begin = 0; !text.empty() && begin <= text.size();) {
    std::size_t end = std::min(text.find(',', begin), text.size());
    values.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return values;
}

bool CommandLine::hasArgument() const {
  for (std::string const &word : words)
    if (word.compare(0, 1, "-") != 0)
      return true;
  return false;
}

std::string CommandLine::argument(std::string const &what) {
  for (std::size_t n = 0; n < words.size(); ++n)
    if (words[n].compare(0, 1, "-") != 0) {
      std::string word = words[n];
      words.erase(words.begin() + int64_t(n));
      return word;
    }
  throw UsageError("expected " + what);
}

int64_t CommandLine::numericArgument(std::string const &what, int64_t low,
                                     int64_t high) {
  return parse(what, argument(what), low, high);
}

std::string CommandLine::output() {
  std::string path = option("output", "");
  if (path.empty())
    throw UsageError("expected -o FILE");
  return path;
}

void CommandLine::finish() const {
  if (!words.empty())
    throw UsageError("'" + words.front() + "' is not expected here");
}

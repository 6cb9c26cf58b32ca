//===- TuneFile.cpp - Choices kept between runs -----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TuneFile.h"
#include "Core/Error.h"
#include "OP2/Runtime/op2rt.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>

using namespace op2::rt;

static constexpr char kFirstLine[] = "op2-tuning 1";

static auto partsOf(LoopKey const &key) {
  return std::tie(key.name, key.location, key.setSize, key.maps);
}
bool LoopKey::operator==(LoopKey const &other) const {
  return partsOf(*this) == partsOf(other);
}
bool LoopKey::operator<(LoopKey const &other) const {
  return partsOf(*this) < partsOf(other);
}

static auto partsOf(TuneKey const &key) {
  return std::tie(key.machine, key.threads, key.kind, key.loops);
}
bool TuneKey::operator==(TuneKey const &other) const {
  return partsOf(*this) == partsOf(other);
}
bool TuneKey::operator<(TuneKey const &other) const {
  return partsOf(*this) < partsOf(other);
}

// Words of the file, by Tuned.
static constexpr char const *kKinds[] = {"loop", "pair", "chain"};

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
/// Reads one line, word by word.
class LineReader {
public:
  LineReader(std::string const &path, int number, std::string const &line)
      : path(path), number(number), line(line) {}

  [[noreturn]] void fail(std::string const &expected) {
    skipBlanks();
    fatal(Problem::TuneFile, "OP2_TUNE: %s, line %d: expected %s, found \"%s\"",
          path.c_str(), number, expected.c_str(), line.c_str() + at);
  }
  bool isAtEnd() {
    skipBlanks();
    return at == line.size();
  }
  std::string word(char const *what) {
    skipBlanks();
    std::size_t end = std::min(line.find(' ', at), line.size());
    if (end == at)
      fail(what);
    std::string found = line.substr(at, end - at);
    at = end;
    return found;
  }
  void keyword(char const *text) {
    std::size_t start = at;
    if (word(text) != text) {
      at = start;
      fail(text);
    }
  }
  /// Which of some words comes next: its number.
  template <std::size_t count>
  std::size_t choose(char const *const (&words)[count]) {
    std::size_t start = at;
    std::string all = words[0];
    for (std::size_t n = 1; n < count; ++n)
      all += std::string(" or ") + words[n];
    std::string found = word(all.c_str());
    std::size_t number = std::find(words, words + count, found) - words;
    if (number == count) {
      at = start;
      fail(all);
    }
    return number;
  }
  /// Is it the first one of two?
  bool isFirst(char const *yes, char const *no) {
    char const *const words[] = {yes, no};
    return choose(words) == 0;
  }
  int64_t count(int64_t least, int64_t step = 1) {
    std::size_t start = at;
    std::string expected =
        "a whole number from " + std::to_string(least) + " on" +
        (step > 1 ? ", a multiple of " + std::to_string(step) : "");
    std::string text = word(expected.c_str());
    // No set has more elements than an int counts.
    bool isNumber = text.size() <= 10 &&
                    text.find_first_not_of("0123456789") == std::string::npos;
    int64_t value = isNumber ? std::stoll(text) : -1;
    if (value < least || value > INT32_MAX || value % step != 0) {
      at = start;
      fail(expected);
    }
    return value;
  }
  std::string quoted(char const *what) {
    skipBlanks();
    std::size_t start = at;
    std::string text;
    if (at < line.size() && line[at] == '"')
      for (++at; at < line.size(); ++at) {
        if (line[at] == '"') {
          ++at;
          return text;
        }
        bool isEscaped = line[at] == '\\' && at + 1 < line.size();
        if (isEscaped)
          ++at;
        text += isEscaped && line[at] == 'n' ? '\n' : line[at];
      }
    at = start;
    fail(std::string(what) + " in quotes");
  }

private:
  void skipBlanks() {
    while (at < line.size() && line[at] == ' ')
      ++at;
  }

  std::string const &path;
  int number;
  std::string const &line;
  std::size_t at = 0;
};
} // namespace

static LoopKey readLoop(LineReader &reader) {
  LoopKey loop;
  loop.name = reader.quoted("the loop's name");
  loop.location = reader.quoted("the loop's place in the source");
  reader.keyword("set");
  loop.setSize = reader.count(0);
  reader.keyword("maps");
  loop.maps = reader.word("the loop's maps");
  return loop;
}

static void readChoice(LineReader &reader, TuneRecord &record) {
  switch (record.key.kind) {
  case Tuned::Loop:
    reader.keyword("threads");
    record.choice.inThreads = reader.isFirst("all", "one");
    reader.keyword("block");
    record.choice.blockSize = reader.count(0, kBlockStep);
    return;
  case Tuned::Pair:
    reader.keyword("run");
    record.fused = reader.isFirst("fused", "apart");
    return;
  case Tuned::Chain: // of two loops at least
    reader.keyword("then");
    do
      record.key.loops.push_back(readLoop(reader));
    while (reader.isFirst("then", "run"));
    record.inTiles = reader.isFirst("tiles", "loops");
    return;
  }
}

/// `machine` has nothing but the machine.
static TuneRecord readRecord(LineReader &reader, TuneKey const &machine) {
  TuneRecord record;
  record.key = machine;
  record.key.kind = static_cast<Tuned>(reader.choose(kKinds));
  record.key.first() = readLoop(reader);
  readChoice(reader, record);
  return record;
}

std::vector<TuneRecord> op2::rt::readTuneFile(std::string const &path) {
  struct stat found{};
  errno = 0;
  if (stat(path.c_str(), &found) != 0 && errno == ENOENT)
    return {};
  // A device or a pipe may never end.
  if (errno == 0 && !S_ISREG(found.st_mode))
    fatal(Problem::Setting,
          "OP2_TUNE=%s: expected off, auto, on or the name of a regular "
          "file",
          path.c_str());
  std::ifstream file;
  std::string line;
  errno = 0;
  file.open(path);
  if (!file || (!std::getline(file, line) && errno != 0))
    fatal(Problem::File, "OP2_TUNE: cannot read %s: %s", path.c_str(),
          std::strerror(errno));
  if (line != kFirstLine)
    LineReader(path, 1, line).fail(std::string("\"") + kFirstLine + "\"");
  std::vector<TuneRecord> records;
  TuneKey key;
  for (int number = 2; std::getline(file, line); ++number) {
    LineReader reader(path, number, line);
    if (reader.isAtEnd())
      continue;
    if (line.rfind("machine ", 0) == 0) {
      reader.keyword("machine");
      key.machine = reader.quoted("the processor");
      reader.keyword("threads");
      key.threads = static_cast<int>(reader.count(1));
    } else if (key.machine.empty()) {
      reader.fail("machine");
    } else {
      records.push_back(readRecord(reader, key));
    }
    if (!reader.isAtEnd())
      reader.fail("the end of the line");
  }
  return records;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static std::string quote(std::string const &text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\' || c == '\n')
      quoted += '\\';
    quoted += c == '\n' ? 'n' : c;
  }
  return quoted + '"';
}

static std::string format(LoopKey const &loop) {
  return quote(loop.name) + " " + quote(loop.location) + " set " +
         std::to_string(loop.setSize) + " maps " + loop.maps;
}

static std::string formatChoice(TuneRecord const &record) {
  switch (record.key.kind) {
  case Tuned::Loop:
    break;
  case Tuned::Pair:
    return std::string(" run ") + (record.fused ? "fused" : "apart");
  case Tuned::Chain:
    return std::string(" run ") + (record.inTiles ? "tiles" : "loops");
  }
  return std::string(" threads ") + (record.choice.inThreads ? "all" : "one") +
         " block " + std::to_string(record.choice.blockSize);
}

static std::string format(TuneRecord const &record) {
  std::string text = kKinds[static_cast<int>(record.key.kind)], before = " ";
  for (LoopKey const &loop : record.key.loops) {
    text += before + format(loop);
    before = " then ";
  }
  return text + formatChoice(record);
}

static std::string format(std::vector<TuneRecord> const &records) {
  std::string text = std::string(kFirstLine) + "\n";
  TuneKey const *before = nullptr;
  for (TuneRecord const &record : records) {
    TuneKey const &key = record.key;
    if (!before || before->machine != key.machine ||
        before->threads != key.threads)
      text += "machine " + quote(key.machine) + " threads " +
              std::to_string(key.threads) + "\n";
    before = &key;
    text += format(record) + "\n";
  }
  return text;
}

std::string op2::rt::writeTuneFile(std::string const &path,
                                   std::vector<TuneRecord> const &records) {
  std::string temporary = path + "." + std::to_string(getpid());
  std::ofstream file(temporary);
  file << format(records);
  file.close();
  if (file && std::rename(temporary.c_str(), path.c_str()) == 0)
    return "";
  std::string why = std::strerror(errno);
  std::remove(temporary.c_str());
  return "cannot write " + path + ": " + why;
}

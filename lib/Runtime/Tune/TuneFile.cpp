//===- TuneFile.cpp - Choices kept between runs -----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TuneFile.h"
#include "OP2/Runtime/op2rt.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <unistd.h>

using namespace op2::rt;

static constexpr char kFirstLine[] = "op2-tuning 1";

bool TuneKey::operator==(TuneKey const &other) const {
  return machine == other.machine && threads == other.threads &&
         isPair == other.isPair && name == other.name &&
         location == other.location && setSize == other.setSize &&
         maps == other.maps;
}

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
    op2rt_fatal("OP2_TUNE: %s, line %d: expected %s, found \"%s\"",
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
  /// Which of two words comes next.
  bool choose(char const *yes, char const *no) {
    std::size_t start = at;
    std::string both = std::string(yes) + " or " + no;
    std::string found = word(both.c_str());
    if (found != yes && found != no) {
      at = start;
      fail(both);
    }
    return found == yes;
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
        if (line[at] == '\\' && at + 1 < line.size())
          ++at;
        text += line[at];
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

/// `key` has the machine already.
static TuneRecord readRecord(LineReader &reader, TuneKey key) {
  TuneRecord record;
  key.isPair = reader.choose("pair", "loop");
  key.name = reader.quoted("the loop's name");
  key.location = reader.quoted("the loop's place in the source");
  reader.keyword("set");
  key.setSize = reader.count(0);
  reader.keyword("maps");
  key.maps = reader.word("the loop's maps");
  if (key.isPair) {
    reader.keyword("run");
    record.fused = reader.choose("fused", "apart");
  } else {
    reader.keyword("threads");
    record.choice.inThreads = reader.choose("all", "one");
    reader.keyword("block");
    record.choice.blockSize = reader.count(0, kBlockStep);
  }
  record.key = std::move(key);
  return record;
}

std::vector<TuneRecord> op2::rt::readTuneFile(std::string const &path) {
  if (access(path.c_str(), F_OK) != 0 && errno == ENOENT)
    return {};
  std::ifstream file;
  std::string line;
  errno = 0;
  file.open(path);
  if (!file || (!std::getline(file, line) && errno != 0))
    op2rt_fatal("OP2_TUNE: cannot read %s: %s", path.c_str(),
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
    if (c == '"' || c == '\\')
      quoted += '\\';
    quoted += c == '\n' ? ' ' : c;
  }
  return quoted + '"';
}

static std::string format(TuneRecord const &record) {
  TuneKey const &key = record.key;
  std::string text = (key.isPair ? "pair " : "loop ") + quote(key.name) + " " +
                     quote(key.location) + " set " +
                     std::to_string(key.setSize) + " maps " + key.maps;
  if (key.isPair)
    return text + " run " + (record.fused ? "fused" : "apart");
  return text + " threads " + (record.choice.inThreads ? "all" : "one") +
         " block " + std::to_string(record.choice.blockSize);
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

//===- ResponseFiles.cpp - Arguments in files -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ResponseFiles.h"
#include "Arguments.h"
#include <cctype>
#include <fstream>
#include <sstream>
#include <sys/mman.h>
#include <unistd.h>

using namespace op2c;

static bool readText(const std::string &path, std::string &text) {
  std::ifstream file(path, std::ios::binary);
  file.peek(); // fails in folders, which can be opened
  if (file.bad() || !file.is_open())
    return false;
  std::ostringstream content;
  content << file.rdbuf();
  text = content.str();
  return true;
}

static std::vector<std::string> divide(const std::string &text) {
  std::vector<std::string> words;
  std::string word;
  bool isInWord = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    bool isBlank = !quote && std::isspace(static_cast<unsigned char>(c));
    if (isBlank && isInWord)
      words.push_back(word);
    if (isBlank) {
      word.clear();
      isInWord = false;
      continue;
    }
    isInWord = true;
    if (quote ? c == quote : c == '"' || c == '\'')
      quote = quote ? 0 : c;
    else if (c == '\\' && quote != '\'' && i + 1 < text.size())
      word += text[++i];
    else
      word += c;
  }
  if (isInWord)
    words.push_back(word);
  return words;
}

static void expand(const std::vector<std::string> &args, int depth,
                   std::vector<std::string> &result) {
  constexpr int kMostDepth = 16; // of files that name each other
  for (const std::string &arg : args) {
    std::string text;
    if (arg.size() < 2 || arg[0] != '@' || !readText(arg.substr(1), text)) {
      result.push_back(arg);
      continue;
    }
    if (depth == kMostDepth)
      fail("response files contain each other: " + arg);
    expand(divide(text), depth + 1, result);
  }
}

std::vector<std::string>
op2c::expandResponseFiles(const std::vector<std::string> &args) {
  std::vector<std::string> result;
  expand(args, 0, result);
  return result;
}

std::string
op2c::makeResponseFile(std::vector<std::string>::const_iterator begin,
                       std::vector<std::string>::const_iterator end) {
  std::string text;
  for (; begin != end; ++begin) {
    text += '"';
    for (char c : *begin) {
      if (c == '"' || c == '\\')
        text += '\\';
      text += c;
    }
    text += "\"\n";
  }
  int file = memfd_create("arguments", 0);
  if (file < 0)
    return "";
  for (size_t written = 0; written < text.size();) {
    ssize_t count = write(file, text.data() + written, text.size() - written);
    if (count <= 0)
      return "";
    written += static_cast<size_t>(count);
  }
  return "@/proc/self/fd/" + std::to_string(file);
}

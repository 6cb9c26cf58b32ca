//===- Explain.cpp - What messages mean -------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Explain.h"
#include "OP2/Problems.h"
#include <sstream>

using namespace op2c;
using op2::ProblemInfo;

/// A paragraph, with lines of at most 100 characters.
static std::string wrap(const std::string &paragraph) {
  std::string text, line;
  std::istringstream words(paragraph);
  for (std::string word; words >> word;) {
    if (!line.empty() && line.size() + 1 + word.size() > 100) {
      text += line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return text + line + "\n";
}

static std::string describe(const ProblemInfo &info) {
  std::string id = info.name;
  std::string text = "## " + id + "\n\n" + wrap(info.title + std::string(".")) +
                     "\n" + wrap(info.explanation) + "\n" +
                     wrap(std::string("What to do: ") + info.remedy);
  if (info.isWarning)
    text += "\n" + wrap("A warning of the compiler: `-Wno-" + id +
                        "` hides it, `-Werror=" + id + "` makes it an error.");
  return text;
}

std::string op2c::explainProblem(const std::string &id) {
  std::string text =
      "# Errors and warnings\n"
      "\n"
      "<!-- Made by ninja op2-docs of include/OP2/Problems.def. -->\n"
      "\n"
      "Messages of the library (`op2 error: ...`, `op2 warning: ...`) and of "
      "the compiler\n"
      "end with the id of what is wrong, in brackets. `op2c++ "
      "--op2-explain=ID` prints its section.\n";
  if (!id.empty())
    text.clear();
  for (const ProblemInfo &info : op2::kProblems)
    if (id.empty())
      text += "\n" + describe(info);
    else if (id == info.name)
      text = describe(info);
  return text;
}

//===- Options.cpp - The table of the driver's options -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "Arguments.h"
#include "OP2/Problems.h"
#include <algorithm>
#include <cctype>
#include <sstream>

using namespace op2c;

static const std::string kPrefix = "--op2-";

// ",op2-access,op2-...": all ids of messages.
static const char kIds[] = ""
#define OP2_ERROR(ID, NAME, TITLE, EXPLANATION, REMEDY) ",op2-" NAME
#include "OP2/Problems.def"
    ;

// Name, value, words, help; range; whether the plugin gets it, and whether the
// value can be left out.
static const Option kOptions[] = {
    {"target", "<list>", "openmp,cuda,seq,emulator",
     "where loops can run: openmp (default), cuda (NVIDIA GPUs), seq, emulator "
     "(GPU code run on the CPU, thread by thread: slow, for tests); the "
     "program selects one by OP2_TARGET, or takes a GPU if there is one"},
    {"strategy", "<s>", "auto,owner,two-level,atomics,global",
     "how loops avoid races: auto (default: owner where a loop can be divided "
     "so, else two-level), owner (threads, or blocks of a device, own what "
     "they add to), two-level (colours of blocks, and of elements on a "
     "device); for devices also atomics, global (colours of the whole set)",
     nullptr, true},
    {"layout", "<l>", "aos,soa",
     "how dats lie on a device: aos (default: array of structs), soa (struct "
     "of arrays, as for a dat with type string \"double:soa\")",
     nullptr, true},
    {"count-accesses", nullptr, nullptr,
     "emulator: kernels tell what memory they access: races are errors, or, "
     "with OP2_EMULATOR_MODEL, traffic is shown; much slower",
     nullptr, true},
    {"no-raise", nullptr, nullptr, "leave kernels as the compiler made them",
     nullptr, true},
    {"no-fuse", nullptr, nullptr,
     "do not make one loop of two that follow each other", nullptr, true},
    {"no-delay", nullptr, nullptr,
     "run each loop where it is called: neither as one with the next one, nor "
     "several in one sweep, nor with results that a device sends later",
     nullptr, true},
    {"split", "always", "always",
     "on openmp, make two loops of one whose results fall into parts, where "
     "that promises to pay; always: wherever it is right",
     nullptr, true, true},
    {"block-size", "<n>", nullptr,
     "elements per block of a plan, 1 to 65536 (default: the runtime's, "
     "OP_PART_SIZE; 128 on a device)",
     &mlir::op2::kGivenBlockSizes, true},
    {"vector-bits", "<n>", "512,256,128,0",
     "size of the vectors that run several elements at once on openmp: 512, "
     "256, 128; 0: one after another (default: what -march has, 0 without "
     "AVX2)",
     &mlir::op2::kVectorBits, true},
    {"veclib", "<l>", "libmvec,none",
     "libmvec: glibc's exp, sin, ... of several numbers at once, with other "
     "last digits; none (default, unless -fveclib=libmvec is given)",
     nullptr, true},
    {"gpu-chip", "<list>", nullptr,
     "chips to compile GPU code for (default: sm_80,sm_90)", nullptr, true},
    {"gpu-format", "<f>", "ptx,cubin,fatbin",
     "what GPU code is embedded as: fatbin (machine code for each chip and PTX "
     "for newer ones; the default where CUDA's ptxas is found), cubin (one "
     "chip), ptx (compiled by the driver when the program runs)",
     nullptr, true},
    {"cuda-path", "<d>", nullptr, "where CUDA is installed", nullptr, true},
    {"emit", "<stage>", "op2,loops,plan,omp,gpu,ptx,llvm",
     "print a stage of the compilation instead: op2, loops, plan, omp, gpu, "
     "ptx or llvm (to the file of -o, if given)"},
    {"save-temps", nullptr, nullptr,
     "keep all stages in files next to the output"},
    {"mpi", nullptr, nullptr,
     "a program that mpirun may start as several processes, which share the "
     "mesh"},
    {"report", "html:<folder>", nullptr,
     "a remark for every compiled loop; html:<folder>: a page about the loops "
     "of the program instead, index.html of the folder, to which each file "
     "that is compiled and each run with OP2_REPORT=<folder> adds",
     nullptr, false, true},
    {"print-command", nullptr, nullptr,
     "print the compiler's command line instead of running it"},
    {"launch", nullptr, nullptr,
     "the next argument that is not ours is the name of a compiler, which "
     "this one replaces (for use as a CMake launcher)"},
    {"explain", "<id>", kIds + 1,
     "explain the messages with this id, \"[op2-...]\"; without one, all",
     nullptr, false, true},
    {"complete", "<text>", nullptr,
     "print the options that begin so, for shells"},
    {"version", nullptr, nullptr,
     "print the version; --version: the compiler's, too"},
    {"help", nullptr, nullptr,
     "print this; --help: the compiler's options, too"},
};

static bool startsWith(const std::string &text, const std::string &prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

static std::vector<std::string> splitWords(const std::string &list) {
  std::vector<std::string> words;
  size_t begin = 0, end;
  do {
    end = std::min(list.find(',', begin), list.size());
    words.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  } while (end < list.size());
  return words;
}

static bool takesList(const Option &option) {
  return option.value && std::string(option.value) == "<list>";
}

static void checkValue(const Option &option, const std::string &value) {
  std::string name = kPrefix + option.name;
  if (option.range) {
    bool isNumber = !value.empty() && value.size() <= 9 &&
                    value.find_first_not_of("0123456789") == std::string::npos;
    if (!isNumber || !option.range->contains(std::stol(value)))
      fail(name + " takes " + option.range->describe() + ", not '" + value +
           "'");
    return;
  }
  if (!option.words)
    return;
  std::vector<std::string> known = splitWords(option.words);
  std::string list = known.front();
  for (size_t i = 1; i < known.size(); ++i)
    list += ", " + known[i];
  std::vector<std::string> given =
      takesList(option) ? splitWords(value) : std::vector<std::string>{value};
  for (const std::string &word : given)
    if (std::find(known.begin(), known.end(), word) == known.end())
      fail("unknown value '" + word + "' in " + name + "; known are " + list);
}

/// The id in what messages have in brackets: "[-Werror,-Wop2-read]".
static std::string withoutBrackets(const std::string &text) {
  size_t begin = text.rfind("op2-");
  return begin == std::string::npos
             ? text
             : text.substr(begin, text.find(']', begin) - begin);
}

const Option *op2c::findOption(const std::string &arg, std::string &value) {
  if (!startsWith(arg, kPrefix))
    return nullptr;
  size_t equals = arg.find('=');
  bool hasValue = equals != std::string::npos;
  std::string name = arg.substr(
      kPrefix.size(), hasValue ? equals - kPrefix.size() : std::string::npos);
  for (const Option &option : kOptions) {
    bool fits = hasValue ? option.value != nullptr
                         : !option.value || option.isValueOptional;
    if (name != option.name || !fits)
      continue;
    value = hasValue ? arg.substr(equals + 1) : "";
    if (name == "explain")
      value = withoutBrackets(value);
    if (hasValue)
      checkValue(option, value);
    return &option;
  }
  return nullptr;
}

/// A line "  name   help", and where that is long, lines below it.
static void addEntry(std::string &text, std::string line,
                     const std::string &help) {
  constexpr size_t column = 23, width = 79;
  if (line.size() + 2 > column) {
    text += line + "\n";
    line.clear();
  }
  line.resize(column, ' ');
  bool isFirst = true;
  std::istringstream words(help);
  for (std::string word; words >> word; isFirst = false) {
    if (!isFirst && line.size() + 1 + word.size() > width) {
      text += line + "\n";
      line.assign(column, ' ');
      isFirst = true;
    }
    line += (isFirst ? "" : " ") + word;
  }
  text += line + "\n";
}

std::string op2c::describeOptions() {
  std::string text;
  for (const Option &option : kOptions) {
    std::string line = "  " + kPrefix + option.name;
    if (option.value)
      line += (option.isValueOptional ? "[=" : "=") +
              std::string(option.value) + (option.isValueOptional ? "]" : "");
    addEntry(text, line, option.help);
  }
  text +=
      "\nWarnings, as clang has them, by -W[no-][error=]op2-<name>; -Wno-op2 "
      "and\n-Werror=op2 are about all of them. Where every call of the kernel "
      "does so,\n-inc, -min-max, -read and -write are errors:\n";
  for (const op2::ProblemInfo &info : op2::kProblems)
    if (info.isWarning) {
      std::string title = info.title;
      title[0] = char(std::tolower(title[0]));
      addEntry(text, "  -W" + std::string(info.name), title);
    }
  return text;
}

std::vector<std::string> op2c::completeOption(const std::string &typed) {
  std::vector<std::string> all;
  for (const Option &option : kOptions) {
    std::string name = kPrefix + option.name;
    if (!option.value || option.isValueOptional)
      all.push_back(name);
    if (!option.value)
      continue;
    name += "=";
    if (!startsWith(typed, name)) {
      all.push_back(name);
      continue;
    }
    if (!option.words)
      continue;
    size_t comma = takesList(option) ? typed.rfind(',') : std::string::npos;
    if (comma != std::string::npos)
      name = typed.substr(0, comma + 1);
    for (const std::string &word : splitWords(option.words))
      all.push_back(name + word);
  }
  for (const char *form : {"-W", "-Wno-", "-Werror=", "-Wno-error="})
    for (const op2::ProblemInfo &info : op2::kProblems)
      if (info.isWarning)
        all.push_back(std::string(form) + info.name);
  all.erase(std::remove_if(all.begin(), all.end(),
                           [&](const std::string &one) {
                             return !startsWith(one, typed);
                           }),
            all.end());
  return all;
}

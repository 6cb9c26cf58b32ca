//===- Arguments.cpp - The driver's own options -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Config.h"
#include "Explain.h"
#include "Language.h"
#include "Options.h"
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

using namespace op2c;

void op2c::fail(const std::string &message) {
  std::fprintf(stderr, "%s: error: %s\n", kLanguage.driver, message.c_str());
  std::exit(1);
}

void op2c::printHelp() {
  std::printf("Usage: %s [options] file...\n"
              "\n"
              "%s"
              "%s"
              "\n"
              "%s",
              kLanguage.driver, kLanguage.about, describeOptions().c_str(),
              kLanguage.notes);
}

/// Is the next argument the value of an option of Clang's, and no input?
static bool takesValue(const std::string &arg) {
  static const std::set<std::string> options = {OP2_OPTIONS_WITH_VALUE};
  static const std::string beginnings[] = {OP2_OPTIONS_WITH_TWO_VALUES};
  if (options.count(arg))
    return true;
  for (const std::string &beginning : beginnings)
    if (arg.compare(0, beginning.size(), beginning) == 0)
      return true;
  // Most can be written with two dashes, too.
  return arg.compare(0, 2, "--") == 0 && options.count(arg.substr(1));
}

static std::string getEnding(const std::string &input) {
  size_t dot = input.rfind('.');
  return dot == std::string::npos ? "" : input.substr(dot);
}

/// "-Wno-error=op2-inc" and its like; the plugin knows the names.
static bool parseWarning(const std::string &arg, Arguments &result) {
  for (const char *form : {"-W", "-Wno-", "-Werror=", "-Wno-error="})
    if (arg == std::string(form) + "op2" ||
        arg.rfind(std::string(form) + "op2-", 0) == 0) {
      result.loopOptions.push_back(arg.substr(1));
      return true;
    }
  return false;
}

static void printExplanation(const std::string &id) {
  std::fputs(explainProblem(id).c_str(), stdout);
  std::exit(0);
}

static void printCompletions(const std::string &typed) {
  for (const std::string &option : completeOption(typed))
    std::puts(option.c_str());
  std::exit(0);
}

static std::string parseReportFolder(const std::string &value) {
  const std::string format = "html:";
  if (value.compare(0, format.size(), format) != 0 ||
      value.size() == format.size())
    fail("--op2-report takes html: and the name of a folder, not '" + value +
         "'");
  return value.substr(format.size());
}

/// Those that are about op2c++ itself.
static void setDriverOption(const std::string &name, const std::string &value,
                            Arguments &result) {
  static const std::map<std::string, bool Arguments::*> flags = {
      {"save-temps", &Arguments::saveTemps},
      {"report", &Arguments::report},
      {"mpi", &Arguments::usesMPI},
      {"launch", &Arguments::dropsCompiler},
      {"print-command", &Arguments::printCommand},
      {"version", &Arguments::printVersion},
      {"help", &Arguments::printHelp}};
  if (name == "target")
    result.targets = value;
  else if (name == "report" && !value.empty())
    result.reportFolder = parseReportFolder(value);
  else if (name == "emit")
    result.emit = value;
  else if (name == "explain")
    printExplanation(value);
  else if (name == "complete")
    printCompletions(value);
  else
    result.*flags.at(name) = true;
}

static bool parseOwnOption(const std::string &arg, Arguments &result) {
  if (parseWarning(arg, result))
    return true;
  std::string value;
  if (const Option *option = findOption(arg, value)) {
    if (option->isPluginOption)
      result.loopOptions.push_back(arg.substr(std::string("--op2-").size()));
    else
      setDriverOption(option->name, value, result);
    return true;
  }
  // Clang would take -op2-... as the name of its output.
  if (findOption("-" + arg, value))
    fail("unknown option '" + arg + "'; did you mean '-" + arg + "'?");
  if (arg.compare(0, 6, "--op2-") == 0)
    fail("unknown option '" + arg + "'; see " + kLanguage.driver +
         " --op2-help");
  return false;
}

Arguments Arguments::parse(const std::vector<std::string> &args) {
  static const std::set<std::string> noLink = {"-c",
                                               "--compile",
                                               "-S",
                                               "--assemble",
                                               "-E",
                                               "--preprocess",
                                               "-fsyntax-only",
                                               "-M",
                                               "--dependencies",
                                               "-MM",
                                               "--user-dependencies",
                                               "--precompile",
                                               "--analyze",
                                               "-emit-ast",
                                               "-r"};
  static const std::set<std::string> isStatic = {"-static", "--static",
                                                 "-static-pie"};
  Arguments result;
  bool forcedLanguage = false;
  auto setLanguage = [&](const std::string &language) {
    forcedLanguage = language != "none";
    if (language.find("-header") != std::string::npos)
      result.links = false;
  };
  auto addInput = [&](const std::string &input) {
    result.inputs.push_back(input);
    result.compiles |= forcedLanguage || isSource(getEnding(input));
    if (!forcedLanguage && isHeader(getEnding(input)))
      result.links = false;
  };
  for (size_t i = 0; i < args.size(); ++i) {
    const std::string &arg = args[i];
    // What follows are files; libraries still come behind them.
    if (arg == "--") {
      for (++i; i < args.size(); ++i) {
        bool looksLikeOption = args[i].size() > 1 && args[i][0] == '-';
        result.compilerArgs.push_back((looksLikeOption ? "./" : "") + args[i]);
        addInput(result.compilerArgs.back());
      }
      break;
    }
    if (parseOwnOption(arg, result))
      continue;
    if (result.dropsCompiler) {
      result.dropsCompiler = false;
      continue;
    }
    if ((arg == "-o" || arg == "--output") && i + 1 < args.size()) {
      result.output = args[++i];
      continue;
    }
    const std::string output = "--output=";
    if (arg.compare(0, output.size(), output) == 0) {
      result.output = arg.substr(output.size());
      continue;
    }
    if (arg.size() > 2 && arg.compare(0, 2, "-o") == 0 &&
        arg.compare(0, 5, "-objc") != 0) {
      result.output = arg.substr(2);
      continue;
    }
    result.compilerArgs.push_back(arg);
    if (arg == "--version")
      result.printVersion = result.asksCompiler = true;
    if (arg == "--help")
      result.printHelp = result.asksCompiler = true;
    if (noLink.count(arg))
      result.links = false;
    if (isStatic.count(arg))
      result.staticOption = arg;
    if (takesValue(arg) && i + 1 < args.size()) {
      result.compilerArgs.push_back(args[++i]);
      if (arg == "-x" || arg == "--language")
        setLanguage(args[i]);
      continue;
    }
    if (arg == "-" || arg[0] != '-')
      addInput(arg);
    for (const std::string language : {"-x", "--language="})
      if (arg.compare(0, language.size(), language) == 0)
        setLanguage(arg.substr(language.size()));
  }
  return result;
}

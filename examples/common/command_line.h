//===- command_line.h - Options of the example programs ---------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options are --name=value. OP_... arguments are left to op_init.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_EXAMPLES_COMMON_COMMAND_LINE_H
#define OP2_EXAMPLES_COMMON_COMMAND_LINE_H

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace examples {

class CommandLine {
public:
  CommandLine(const char *program, const char *summary)
      : program(program), summary(summary) {}

  /// --name=N with low <= N <= high.
  void number(const char *name, int &value, int low, int high,
              const char *help) {
    options.push_back({name, help, &value, nullptr, low, high});
  }
  /// --name=TEXT, not empty.
  void text(const char *name, std::string &value, const char *help) {
    options.push_back({name, help, nullptr, &value, 0, 0});
  }

  /// Stores what the arguments say. Ends the program with exit status 0 after
  /// --help and with 2 after a message if an argument is wrong.
  void parse(int argc, char **argv) const {
    for (int n = 1; n < argc; ++n) {
      if (!std::strcmp(argv[n], "--help"))
        printHelp();
      if (std::strncmp(argv[n], "OP_", 3))
        parseOption(argv[n]);
    }
  }

  /// Ends the program: exit status 1 for data, 2 for arguments that are wrong.
  [[noreturn]] void fail(const std::string &message, int status = 1) const {
    std::fprintf(stderr, "%s: error: %s\n", program, message.c_str());
    std::exit(status);
  }

private:
  struct Option {
    std::string name;
    const char *help;
    int *number;
    std::string *text;
    int low, high;

    std::string usage() const {
      return "--" + name + (number ? "=N" : "=TEXT");
    }
  };

  void parseOption(const char *arg) const {
    for (const Option &option : options) {
      const std::string start = "--" + option.name + "=";
      if (std::strncmp(arg, start.c_str(), start.size()))
        continue;
      const char *value = arg + start.size();
      if (option.text && *value)
        *option.text = value;
      else if (option.text || !parseNumber(value, option))
        failArgument(arg, "expected " + expectation(option));
      return;
    }
    failArgument(arg, "--help lists the options");
  }

  static bool parseNumber(const char *value, const Option &option) {
    char *end = nullptr;
    errno = 0;
    const long parsed = std::strtol(value, &end, 10);
    if (errno || end == value || *end || parsed < option.low ||
        parsed > option.high)
      return false;
    *option.number = int(parsed);
    return true;
  }

  static std::string expectation(const Option &option) {
    if (option.text)
      return option.usage();
    return option.usage() + " with " + std::to_string(option.low) +
           " <= N <= " + std::to_string(option.high);
  }

  [[noreturn]] void failArgument(const char *arg,
                                 const std::string &what) const {
    fail("bad argument '" + std::string(arg) + "': " + what, 2);
  }

  [[noreturn]] void printHelp() const {
    std::printf("usage: %s [option]... [OP_...]\n%s\n\n", program, summary);
    for (const Option &option : options) {
      const std::string otherwise =
          option.number ? std::to_string(*option.number) : *option.text;
      std::printf("  %-16s %s%s%s%s\n", option.usage().c_str(), option.help,
                  otherwise.empty() ? "" : " (", otherwise.c_str(),
                  otherwise.empty() ? "" : ")");
    }
    std::printf("  %-16s for OP2, e.g. OP_PART_SIZE=256\n", "OP_...");
    std::exit(0);
  }

  const char *program, *summary;
  std::vector<Option> options;
};

} // namespace examples

#endif // OP2_EXAMPLES_COMMON_COMMAND_LINE_H

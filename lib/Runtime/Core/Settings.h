//===- Settings.h - Environment variables and program arguments -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One table of all environment variables and program arguments. op_init checks
// every one that is there, whether or not the run will need it; who needs one
// reads here. Documented in docs/guide.md, "Settings".
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_CORE_SETTINGS_H
#define OP2_LIB_RUNTIME_CORE_SETTINGS_H

#include "PerRun.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace op2::rt {

struct Setting {
  enum Place { Variable, Argument };
  enum Form {
    Words,    ///< one of `words`
    Number,   ///< a whole number in least..most
    Positive, ///< a finite number above 0
    Flag      ///< of arguments: it is there, and has no value
  };
  char const *name;
  Place place;
  Form form;
  /// With blanks between. What is in angle brackets at the end of a word stands
  /// for any text that is not empty: "off hilbert:<dat> <file>".
  char const *words;
  uint64_t least, most;
  /// What an argument gives a value to, or the environment variable that it
  /// stands for.
  int *target;
  int flagValue;
  char const *variable;
};

std::vector<Setting> const &allSettings();
/// May the setting have this value?
bool accepts(Setting const &setting, char const *text);
/// "a whole number in 1..1024", for messages.
std::string expectedOf(Setting const &setting);

/// The value of an environment variable that is in the table, or of the
/// argument that stands for it; NULL if neither is set, or it is empty. An
/// error if it may not have that value.
char const *settingText(char const *name);
/// Which of its words it is, from 0; -1 if it is not set.
int settingWord(char const *name);
/// The number, or `unset`.
uint64_t settingNumber(char const *name, uint64_t unset);

/// The same as settingWord, read once a run.
class WordSetting {
public:
  constexpr explicit WordSetting(char const *name) : name(name) {}
  int get() {
    std::optional<int> &known = *word;
    if (!known)
      known = settingWord(name);
    return *known;
  }

private:
  char const *name;
  PerRun<std::optional<int>> word;
};

/// A name of a file or folder, from where op_init was called: the program may
/// be elsewhere by now.
std::string settingPath(std::string const &name);

/// An error if any variable that is set has a value that it may not have.
/// Prints, once a program, which names are probably misspelt.
void checkEnvironment();
/// Gives values to what the program's arguments name.
void readArguments(int argc, char **argv);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_CORE_SETTINGS_H

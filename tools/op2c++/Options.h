//===- Options.h - The table of the driver's options -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What there is: the command line is read by it, --op2-help shows it (and the
// manual page that), and shells complete by it.
//
//===----------------------------------------------------------------------===//

#ifndef OP2CXX_OPTIONS_H
#define OP2CXX_OPTIONS_H

#include "OP2/Dialect/Ranges.h"
#include <string>
#include <vector>

namespace op2c {

/// --op2-<name>, or --op2-<name>=<value>.
struct Option {
  const char *name;
  const char *value; ///< what the help calls it; null: none
  const char *words; ///< that it can be, with ',' between; null: any
  const char *help;
  /// Of it, if the value is a number.
  const mlir::op2::NumberRange *range = nullptr;
  bool isPluginOption = false; ///< goes to the plugin as it stands
  bool isValueOptional = false;
};

/// Of the argument "--op2-name" or "--op2-name=value", with the value. Null if
/// there is none. Ends the program with a message if the value is wrong.
const Option *findOption(const std::string &arg, std::string &value);

/// The part of it that is ours, for --op2-help.
std::string describeOptions();

/// Options that begin with what was typed, with the values that they can have.
std::vector<std::string> completeOption(const std::string &typed);

} // namespace op2c

#endif // OP2CXX_OPTIONS_H

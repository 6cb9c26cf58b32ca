//===- Tuner.h - Tuned choices, and those of earlier runs -------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_TUNE_TUNER_H
#define OP2_LIB_RUNTIME_TUNE_TUNER_H

#include "TuneFile.h"

namespace op2::rt {

enum class Tuning { Off, Auto, On };

/// OP2_TUNE. The first call reads the environment.
Tuning requestedTuning();
/// At op_init, after the arguments: reads the file, if there is one.
void readChoices();
/// At op_exit: writes the file if something was settled, and forgets all.
void writeChoices();

/// Are choices kept? Else there is no need for keys.
bool keepsChoices();
/// Completes the key by the machine and finds its record; NULL if there is
/// none. Good until the next noteChoice.
TuneRecord const *findChoice(TuneKey &key);
/// Keeps a choice, in place of an older one.
void noteChoice(TuneRecord record);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_TUNE_TUNER_H

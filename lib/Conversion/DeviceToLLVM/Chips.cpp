//===- Chips.cpp - Chips that device code is compiled for -----------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Conversion/Chips.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::op2;

/// Those that LLVM 22 has, from the first with atomic additions of doubles on.
/// The letter names variants whose code runs on no other chip.
static constexpr llvm::StringLiteral kChips[] = {
    "sm_60",  "sm_61",  "sm_62",   "sm_70",  "sm_72",   "sm_75",  "sm_80",
    "sm_86",  "sm_87",  "sm_89",   "sm_90",  "sm_90a",  "sm_100", "sm_100a",
    "sm_101", "sm_103", "sm_103a", "sm_120", "sm_120a", "sm_121"};

std::optional<unsigned> op2::getChipNumber(StringRef chip) {
  if (!llvm::is_contained(kChips, chip))
    return std::nullopt;
  unsigned number = 0;
  StringRef digits = chip.drop_front(3);
  digits.consumeInteger(10, number);
  return number;
}

std::string op2::getKnownChips() { return llvm::join(ArrayRef(kChips), ", "); }

/// Those with atomic additions of doubles.
static constexpr llvm::StringLiteral kAMDChips[] = {"gfx90a", "gfx942"};

bool op2::isAMDChip(StringRef chip) {
  return llvm::is_contained(kAMDChips, chip);
}

std::string op2::getAMDChips() { return llvm::join(ArrayRef(kAMDChips), ", "); }

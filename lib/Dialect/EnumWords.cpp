//===- EnumWords.cpp - Enumerations on command lines ----------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Dialect/EnumWords.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;
using llvm::StringRef;

StringRef op2::getWord(Target target) { return stringifyEnum(target); }
StringRef op2::getWord(Layout layout) { return stringifyEnum(layout); }
StringRef op2::getWord(DeviceFormat format) { return stringifyEnum(format); }
StringRef op2::getWord(Stage stage) { return stringifyEnum(stage); }
StringRef op2::getWord(Strategy strategy) {
  return strategy == Strategy::TwoLevel ? "two-level" : stringifyEnum(strategy);
}

StringRef op2::getMeaning(Target target) {
  switch (target) {
  case Target::Seq:
    return "one element after another";
  case Target::OpenMP:
    return "blocks on OpenMP threads";
  case Target::CUDA:
    return "a CUDA device";
  case Target::Emulator:
    return "device code on the CPU";
  }
  llvm_unreachable("a target without a description");
}

StringRef op2::getMeaning(Strategy strategy) {
  switch (strategy) {
  case Strategy::Auto:
    return "owner; two-level where a device's elements add to many rows";
  case Strategy::Owner:
    return "threads, or blocks of a device, own what they add to";
  case Strategy::TwoLevel:
    return "block colours, and element colours within a block";
  case Strategy::Atomics:
    return "no colours, atomic additions (devices)";
  case Strategy::Global:
    return "colours of all elements of the set (devices)";
  }
  llvm_unreachable("a strategy without a description");
}

StringRef op2::getMeaning(Layout layout) {
  switch (layout) {
  case Layout::Any:
    return "what the loop's device prefers";
  case Layout::AoS:
    return "array of structs";
  case Layout::SoA:
    return "struct of arrays";
  }
  llvm_unreachable("a layout without a description");
}

StringRef op2::getMeaning(DeviceFormat format) {
  switch (format) {
  case DeviceFormat::PTX:
    return "PTX; does without CUDA";
  case DeviceFormat::Cubin:
    return "machine code for one chip";
  case DeviceFormat::Fatbin:
    return "machine code for all chips, and PTX";
  }
  llvm_unreachable("a format without a description");
}

StringRef op2::getMeaning(Stage stage) {
  switch (stage) {
  case Stage::Planned:
    return "no loop is without its plan";
  case Stage::Executed:
    return "no loop over a plan is left";
  }
  llvm_unreachable("a stage without a description");
}

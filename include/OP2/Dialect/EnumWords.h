//===- EnumWords.h - Enumerations on command lines --------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options of passes, pipelines and op2c++ take the words of the dialect's
// enumerations, with '-' for '_': `two_level` is `two-level` there.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_DIALECT_ENUMWORDS_H
#define OP2_DIALECT_ENUMWORDS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LogicalResult.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>

#include "OP2/Dialect/OP2Enums.h.inc"

namespace mlir::op2 {

// What options accept, the default first.
inline constexpr Target kTargets[] = {Target::OpenMP, Target::CUDA, Target::Seq,
                                      Target::Emulator};
inline constexpr Target kPlannedTargets[] = {Target::OpenMP, Target::CUDA,
                                             Target::Emulator};
inline constexpr Strategy kStrategies[] = {Strategy::Auto, Strategy::Owner,
                                           Strategy::TwoLevel,
                                           Strategy::Atomics, Strategy::Global};
inline constexpr Layout kLayouts[] = {Layout::AoS, Layout::SoA};
inline constexpr DeviceFormat kDeviceFormats[] = {
    DeviceFormat::PTX, DeviceFormat::Cubin, DeviceFormat::Fatbin};

inline constexpr Stage kStages[] = {Stage::Planned, Stage::Executed};

inline bool isDevice(Target target) {
  return target == Target::CUDA || target == Target::Emulator;
}

/// The word of a value; it lives forever.
llvm::StringRef getWord(Target target);
llvm::StringRef getWord(Strategy strategy);
llvm::StringRef getWord(Layout layout);
llvm::StringRef getWord(DeviceFormat format);
llvm::StringRef getWord(Stage stage);

/// What it means, in a few words, for --help.
llvm::StringRef getMeaning(Target target);
llvm::StringRef getMeaning(Strategy strategy);
llvm::StringRef getMeaning(Layout layout);
llvm::StringRef getMeaning(DeviceFormat format);
llvm::StringRef getMeaning(Stage stage);

/// The one of `values` with this word, if there is one.
template <typename Enum>
std::optional<Enum> parseWord(llvm::StringRef word,
                              llvm::ArrayRef<Enum> values) {
  const Enum *found =
      llvm::find_if(values, [&](Enum value) { return getWord(value) == word; });
  return found == values.end() ? std::nullopt : std::optional<Enum>(*found);
}

/// Their words: "aos or soa", "auto, owner or global".
template <typename Enum> std::string listWords(llvm::ArrayRef<Enum> values) {
  std::string list;
  for (const Enum &value : values) {
    bool isLast = &value == &values.back();
    list += (list.empty() ? "" : isLast ? " or " : ", ") + getWord(value).str();
  }
  return list;
}

/// A modifier of an option (llvm::cl) whose type is the enumeration: it takes
/// the words of `values`.
template <typename Enum> struct OneOf {
  template <size_t size>
  explicit OneOf(const Enum (&values)[size]) : values(values) {}

  template <typename Option> void apply(Option &option) const {
    for (Enum value : values)
      option.getParser().addLiteralOption(getWord(value), value,
                                          getMeaning(value));
  }

  llvm::ArrayRef<Enum> values;
};

} // namespace mlir::op2

#endif // OP2_DIALECT_ENUMWORDS_H

//===- LoopDescription.cpp - Descriptions of the loops of a file ----------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopDescription.h"
#include "Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include <limits>

llvm::StringRef op2::frontend::getAccessName(Access access) {
  static constexpr llvm::StringRef names[] = {"OP_READ", "OP_WRITE", "OP_RW",
                                              "OP_INC",  "OP_MIN",   "OP_MAX",
                                              "OP_WORK", "OP_REDUCE"};
  return names[static_cast<int>(access)];
}

std::string op2::frontend::LoopDescription::describePlace() const {
  return llvm::sys::path::filename(file).str() + ":" + std::to_string(line);
}

void op2::frontend::LoopDescription::fallBack(const std::string &reason,
                                              clang::DiagnosticsEngine &diags,
                                              const WarningOptions &warnings,
                                              clang::SourceLocation place) {
  if (fallsBack())
    return;
  fallbackReason = reason;
  reportFallback(diags, place.isValid() ? place : location, name, reason,
                 warnings);
}

bool op2::frontend::LoopDescription::changesGlobals() const {
  return llvm::any_of(args, [](const ArgDescription &arg) {
    return arg.isGlobal() && arg.access != Access::Read &&
           arg.access != Access::Work;
  });
}

void op2::frontend::ArgDescription::setLevels(int64_t first, int64_t count) {
  firstLevel = first;
  levels = count;
  levelDim = dim;
  dim = int64_t(
      std::min(llvm::SaturatingMultiply(uint64_t(dim),
                                        uint64_t(std::max<int64_t>(count, 1))),
               uint64_t(std::numeric_limits<int32_t>::max())));
}

void op2::frontend::LoopDescription::runOverSubset() {
  isOverSubset = true;
  auto isDirect = [](const ArgDescription &arg) {
    return !arg.isGlobal() && !arg.isIndirect();
  };
  unsigned first = args.size();
  for (unsigned i = 0; i < args.size(); ++i) {
    ArgDescription &arg = args[i];
    if (!isDirect(arg))
      continue;
    arg.slot = 0;
    arg.isThroughSubset = true;
    arg.mapKey = setKey;
    // Those of optional arguments are never taken for others'.
    if (arg.isOptional)
      continue;
    first = std::min(first, i);
    arg.sameMapAs = arg.provenMapAs = first;
  }
}

void op2::frontend::LoopDescription::runOverColumns() {
  for (ArgDescription &arg : args) {
    // Of a row only some values are written.
    if ((arg.levels || arg.isPacked) && arg.access == Access::Write)
      arg.access = Access::ReadWrite;
    if (arg.levels)
      arg.dim = kDynamicDim;
    // The kernel of a column takes rows, and packs those of each layer.
    arg.isPacked = false;
  }
  ArgDescription range;
  range.holdsLayers = true;
  range.type = ElementType::I32;
  range.dim = 2;
  range.sameDataAs = range.provenDataAs = unsigned(args.size());
  range.sameMapAs = range.provenMapAs = unsigned(args.size());
  range.dataKey = ~setKey; // of no expression in the source
  args.push_back(range);
}

void op2::frontend::readNumbersFromDats(std::vector<ArgDescription> &args) {
  for (unsigned i = 0; i < args.size(); ++i) {
    ArgDescription &arg = args[i];
    if (arg.kind != ArgDescription::Kind::Index)
      continue;
    arg.kind = ArgDescription::Kind::Dat;
    arg.holdsNumbers = true;
    arg.access = Access::Read;
    // Of no expression in the source.
    arg.dataKey = ~(arg.isIndirect() ? arg.mapKey + 1 : 0);
    arg.sameDataAs = i;
    for (unsigned other = 0; other < i; ++other)
      if (args[other].holdsNumbers &&
          args[other].isIndirect() == arg.isIndirect() &&
          (!arg.isIndirect() || args[other].sameMapAs == arg.sameMapAs)) {
        arg.sameDataAs = other;
        break;
      }
    arg.provenDataAs = arg.sameDataAs;
  }
}

//===- Variant.h - A way to compile and run a program -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TOOLS_FUZZ_VARIANT_H
#define OP2_TOOLS_FUZZ_VARIANT_H

#include "OP2/Dialect/OP2Dialect.h"
#include "Random.h"

#include <string>
#include <vector>

namespace mlir {
class OpPassManager;
}

namespace mlir::op2::fuzz {

/// What results must not depend on.
struct Variant {
  Target target = Target::Seq;
  int64_t blockSize = 0;
  int64_t vectorBits = 512;
  bool gathers = false;
  Strategy strategy = Strategy::Auto;
  Layout layout = Layout::AoS;
  bool raises = false, fuses = false, splits = false;
  int64_t splitExtra = 25;
  unsigned optLevel = 0;
  bool verifies = false; ///< the module behind each pass
  int threads = 1;
  std::string owner = "auto", renumber = "none";
  bool checksPlan = false;
  uint64_t emulatorSeed = 1;
  bool countsAccesses = false; ///< the emulator finds races
  /// Rows get their additions in the order of the elements, if the loops can be
  /// divided by ownership: rounded sums are the oracle's, too.
  bool keepsOrder = false;
  /// Another value in the first kernel that has a constant to change, by which
  /// the fuzzer is tested itself.
  bool isPlanted = false;

  /// The pipeline's options, separated by spaces.
  std::string describePipeline() const;
  /// The passes before the pipeline, as options of op2-opt.
  std::string describePasses() const;
  /// The command that runs what these passes have left; no GPU can run it.
  std::string describeRun() const;
  /// Environment of the run.
  std::vector<std::pair<std::string, std::string>> environment() const;
};

/// A way for a target that random numbers choose.
Variant pickVariant(Random &random, Target target);

/// The whole pipeline.
void buildPipeline(OpPassManager &manager, const Variant &variant);

/// The same with one thing less unusual, one after the other: for the reducer.
std::vector<Variant> simplerVariants(const Variant &variant);

} // namespace mlir::op2::fuzz

#endif // OP2_TOOLS_FUZZ_VARIANT_H

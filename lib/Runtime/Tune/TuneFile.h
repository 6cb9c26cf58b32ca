//===- TuneFile.h - Choices kept between runs -------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_TUNE_TUNEFILE_H
#define OP2_LIB_RUNTIME_TUNE_TUNEFILE_H

#include <cstdint>
#include <string>
#include <vector>

namespace op2::rt {

/// How a loop is executed. The default is the runtime's own choice.
struct Choice {
  bool inThreads = true;
  int64_t blockSize = 0; ///< elements, a multiple of kBlockStep; 0: as always

  bool operator==(Choice const &other) const {
    return inThreads == other.inThreads && blockSize == other.blockSize;
  }
};
/// Groups of elements never are larger, so they begin at the same elements with
/// all block sizes.
inline constexpr int64_t kBlockStep = 256;

/// A loop, by what its speed depends on.
struct LoopKey {
  std::string name, location; ///< as in the program
  int64_t setSize = 0;
  std::string maps; ///< describeMaps

  bool operator==(LoopKey const &other) const;
  bool operator<(LoopKey const &other) const;
};

/// What there are choices for: a loop; two that can run as one; several that
/// can go through the mesh in one sweep.
enum class Tuned { Loop, Pair, Chain };

/// What a choice was made for.
struct TuneKey {
  std::string machine; ///< the processor
  int threads = 1;
  Tuned kind = Tuned::Loop;
  /// All loops of a chain, in their order; else one, which has the names of
  /// both loops of a pair.
  std::vector<LoopKey> loops{LoopKey()};

  LoopKey &first() { return loops.front(); }
  bool operator==(TuneKey const &other) const;
  bool operator<(TuneKey const &other) const;
};

struct TuneRecord {
  TuneKey key;
  Choice choice;       ///< of a loop
  bool fused = true;   ///< of a pair
  bool inTiles = true; ///< of a chain; else loop after loop
};

/// The records of a file (docs/design/tuning.md); none if there is no such
/// file. What is no record, or a file that cannot be read, ends the program
/// with an error that names the file and the line.
std::vector<TuneRecord> readTuneFile(std::string const &path);

/// Replaces the file in one step. Returns what went wrong, or "".
std::string writeTuneFile(std::string const &path,
                          std::vector<TuneRecord> const &records);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_TUNE_TUNEFILE_H

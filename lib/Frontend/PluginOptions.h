//===- PluginOptions.h - Arguments of the plugin -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What op2c++ passes to the plugin as `-plugin-arg-op2 <option>`.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_PLUGINOPTIONS_H
#define OP2_FRONTEND_PLUGINOPTIONS_H

#include "OP2/Dialect/EnumWords.h"
#include "Warnings.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace clang {
class DiagnosticsEngine;
} // namespace clang

namespace op2::frontend {

/// Where a compiled loop can run; the values are those of OP2RT_TARGET_*, the
/// words those of options and symbols.
using mlir::op2::isDevice;
using mlir::op2::Target;

/// The targets whose loops run on a device.
inline constexpr Target kDevices[] = {Target::CUDA, Target::Emulator};

/// Stages of the compilation that can be shown.
enum class Stage { None, OP2, Loops, Plan, OpenMP, GPU, PTX, LLVM };

/// How loops are planned; what --op2-to-emulator and its like take.
struct PlanOptions {
  mlir::op2::Strategy strategy = mlir::op2::Strategy::Auto;
  bool countAccesses = false;
  /// Of dats that ask for none.
  mlir::op2::Layout layout = mlir::op2::Layout::AoS;
  int64_t blockSize = 0; ///< 0 leaves it to the compiler and the runtime
  /// Size of the vectors that kernels are widened to for openmp: 0 for none, -1
  /// for what the processor has that the program is compiled for.
  int64_t vectorBits = -1;
  /// Whether libmvec is called; if not given, by -fveclib.
  std::optional<bool> vectorMath;
};

/// What GPU code is compiled to.
struct GPUOptions {
  std::vector<std::string> chips; ///< sm_80 and sm_90 unless given
  /// What device code is embedded as; if not given, a fatbin where CUDA's
  /// tools are found, else PTX, which the driver compiles when the program
  /// runs.
  std::optional<mlir::op2::DeviceFormat> format;
  std::string cudaPath; ///< empty: the usual places
};

/// Which loops are split: those that the model of docs/design/splitting.md
/// chooses, or all that may be.
enum class SplitLevel { Never, Model, Always };

struct PluginOptions {
  std::vector<Target> targets; ///< openmp unless given
  Stage emit = Stage::None;
  std::string emitFile = "-"; ///< where `emit` is printed
  bool emitLocations = false; ///< stages tell where they come from (-g)
  PlanOptions plan;
  GPUOptions gpu;
  std::string saveTemps;    ///< prefix of the stages' files; empty for none
  bool report = false;      ///< a remark for each compiled loop
  std::string reportFolder; ///< of the page about loops; empty for none
  /// Floating-point exceptions are observed: kernels compute nothing that they
  /// do not need. For flang, which has no such option; Clang marks functions.
  bool trapsMath = false;
  bool raise = true;  ///< kernels for openmp become func.func
  bool fuse = true;   ///< loops with raised kernels become one
  bool delay = true;  ///< the runtime may run them later
  bool ranks = false; ///< it may run them twice, on several processes
  SplitLevel split = SplitLevel::Never; ///< loops with raised kernels
  WarningOptions warnings;

  /// There is nothing to tell of loops whose stages are printed instead.
  bool writesPage() const {
    return !reportFolder.empty() && emit == Stage::None;
  }

  /// Reads `args`; reports what it does not know and returns false then.
  bool parse(const std::vector<std::string> &args,
             clang::DiagnosticsEngine &diags);
};

} // namespace op2::frontend

#endif // OP2_FRONTEND_PLUGINOPTIONS_H

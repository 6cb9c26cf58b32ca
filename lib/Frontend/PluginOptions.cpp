//===- PluginOptions.cpp - Arguments of the plugin -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PluginOptions.h"
#include "Diagnostics.h"
#include "OP2/Conversion/Chips.h"
#include "OP2/Conversion/CudaToolkit.h"
#include "OP2/Dialect/Ranges.h"
#include "clang/Basic/Diagnostic.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <optional>

using namespace op2::frontend;
using llvm::StringRef;

namespace {
/// The value of an option that is an enumeration.
template <typename Enum, size_t size>
bool parseEnum(StringRef what, StringRef word, const Enum (&values)[size],
               Enum &value, clang::DiagnosticsEngine &diags) {
  auto known = mlir::op2::parseWord<Enum>(word, values);
  if (known) {
    value = *known;
    return true;
  }
  error(diags, {}, Problem::Option, "unknown op2 %0 '%1'; expected %2")
      << what << word << mlir::op2::listWords<Enum>(values);
  return false;
}

bool parseTargets(StringRef list, std::vector<Target> &targets,
                  clang::DiagnosticsEngine &diags) {
  for (StringRef name : llvm::split(list, ',')) {
    Target target;
    if (!parseEnum("target", name, mlir::op2::kTargets, target, diags))
      return false;
    if (!llvm::is_contained(targets, target))
      targets.push_back(target);
  }
  return true;
}

bool parseStage(StringRef name, Stage &stage, clang::DiagnosticsEngine &diags) {
  stage = llvm::StringSwitch<Stage>(name)
              .Case("op2", Stage::OP2)
              .Case("loops", Stage::Loops)
              .Case("plan", Stage::Plan)
              .Case("omp", Stage::OpenMP)
              .Case("gpu", Stage::GPU)
              .Case("ptx", Stage::PTX)
              .Case("llvm", Stage::LLVM)
              .Default(Stage::None);
  if (stage != Stage::None)
    return true;
  error(diags, {}, Problem::Option,
        "unknown op2 stage '%0'; expected op2, "
        "loops, plan, omp, gpu, ptx or llvm")
      << name;
  return false;
}

bool parseNumber(StringRef key, StringRef value,
                 const mlir::op2::NumberRange &range, int64_t &number,
                 clang::DiagnosticsEngine &diags) {
  if (!value.getAsInteger(10, number) && range.contains(number))
    return true;
  error(diags, {}, Problem::Option, "op2 plugin argument '%0=%1': expected %2")
      << key << value << range.describe();
  return false;
}

bool parsePlanOption(StringRef key, StringRef value, PlanOptions &plan,
                     bool &known, clang::DiagnosticsEngine &diags) {
  known = true;
  if (key == "layout")
    return parseEnum(key, value, mlir::op2::kLayouts, plan.layout, diags);
  if (key == "count-accesses")
    plan.countAccesses = true;
  else if (key == "strategy")
    return parseEnum(key, value, mlir::op2::kStrategies, plan.strategy, diags);
  else if (key == "block-size")
    return parseNumber(key, value, mlir::op2::kGivenBlockSizes, plan.blockSize,
                       diags);
  else if (key == "vector-bits")
    return parseNumber(key, value, mlir::op2::kVectorBits, plan.vectorBits,
                       diags);
  else if (key == "veclib" && (value == "libmvec" || value == "none"))
    plan.vectorMath = value == "libmvec";
  else
    known = false;
  return true;
}

bool parseChips(StringRef list, std::vector<std::string> &chips,
                clang::DiagnosticsEngine &diags) {
  for (StringRef chip : llvm::split(list, ',')) {
    if (!mlir::op2::getChipNumber(chip)) {
      error(diags, {}, Problem::Gpu,
            "unknown chip '%0' in --op2-gpu-chip; known are %1")
          << chip << mlir::op2::getKnownChips();
      return false;
    }
    if (!llvm::is_contained(chips, chip))
      chips.push_back(chip.str());
  }
  return true;
}

/// Requested machine code can be made.
bool checkMachineCode(const GPUOptions &gpu, clang::DiagnosticsEngine &diags) {
  using clang::DiagnosticsEngine;
  using mlir::op2::DeviceFormat;
  if (gpu.format == DeviceFormat::Cubin && gpu.chips.size() != 1) {
    error(
        diags, {}, Problem::Gpu,
        "a cubin holds the code of one chip, but there are %0; choose one with "
        "--op2-gpu-chip, or --op2-gpu-format=fatbin")
        << static_cast<unsigned>(gpu.chips.size());
    return false;
  }
  bool needsMachineCode = gpu.format == DeviceFormat::Cubin ||
                          gpu.format == DeviceFormat::Fatbin ||
                          (!gpu.format && !gpu.cudaPath.empty());
  if (!needsMachineCode)
    return true;
  mlir::op2::CudaToolkit toolkit(gpu.cudaPath);
  const char *missing = toolkit.findProgram("ptxas").empty() ? "ptxas"
                        : gpu.format != DeviceFormat::Cubin &&
                                toolkit.findProgram("fatbinary").empty()
                            ? "fatbinary"
                            : nullptr;
  if (!missing)
    return true;
  error(diags, {}, Problem::Gpu,
        "CUDA's %0 not found, which makes machine code for GPUs; looked in "
        "%1; --op2-gpu-format=ptx does without it")
      << missing << toolkit.describePlaces();
  return false;
}
} // namespace

bool PluginOptions::parse(const std::vector<std::string> &args,
                          clang::DiagnosticsEngine &diags) {
  for (StringRef arg : args) {
    auto [key, value] = arg.split('=');
    bool known = true, isPlanOption = false;
    if (!parsePlanOption(key, value, plan, isPlanOption, diags))
      return false;
    if (isPlanOption || warnings.parse(arg))
      continue;
    if (key == "target")
      known = parseTargets(value, targets, diags);
    else if (key == "emit")
      known = parseStage(value, emit, diags);
    else if (key == "gpu-chip")
      known = parseChips(value, gpu.chips, diags);
    else if (key == "gpu-format")
      known = parseEnum("format of GPU code", value, mlir::op2::kDeviceFormats,
                        gpu.format.emplace(), diags);
    else if (key == "cuda-path")
      gpu.cudaPath = value.str();
    else if (key == "emit-file")
      emitFile = value.str();
    else if (key == "save-temps")
      saveTemps = value.str();
    else if (key == "report" && value.consume_front("html:"))
      reportFolder = value.str();
    else if (key == "report")
      report = true;
    else if (key == "trapping-math")
      trapsMath = true;
    else if (key == "no-raise")
      raise = false;
    else if (key == "no-fuse")
      fuse = false;
    else if (key == "no-delay")
      delay = false;
    else if (key == "ranks")
      ranks = true;
    else if (key == "split")
      split = value == "always" ? SplitLevel::Always : SplitLevel::Model;
    else {
      error(diags, {}, Problem::Option,
            "unknown %select{op2 plugin argument '|warning option '-}0%1'")
          << arg.starts_with("W") << arg;
      return false;
    }
    if (!known)
      return false;
  }
  if (targets.empty())
    targets.push_back(Target::OpenMP);
  // Ampere and Hopper; PTX goes with them for what is newer.
  if (gpu.chips.empty())
    gpu.chips = {"sm_80", "sm_90"};
  return !llvm::is_contained(targets, Target::CUDA) ||
         checkMachineCode(gpu, diags);
}

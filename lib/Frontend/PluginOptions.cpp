//===- PluginOptions.cpp - Arguments of the plugin -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PluginOptions.h"
#include "clang/Basic/Diagnostic.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <optional>

using namespace op2::frontend;
using llvm::StringRef;

const char *op2::frontend::getTargetName(Target target) {
  switch (target) {
  case Target::Seq:
    return "seq";
  case Target::OpenMP:
    return "openmp";
  case Target::Emulator:
    return "emulator";
  }
  return "";
}

namespace {
bool parseTargets(StringRef list, std::vector<Target> &targets,
                  clang::DiagnosticsEngine &diags) {
  for (StringRef name : llvm::split(list, ',')) {
    auto target = llvm::StringSwitch<std::optional<Target>>(name)
                      .Case("seq", Target::Seq)
                      .Case("openmp", Target::OpenMP)
                      .Case("emulator", Target::Emulator)
                      .Default(std::nullopt);
    if (!target) {
      diags.Report(diags.getCustomDiagID(
          clang::DiagnosticsEngine::Error,
          "unknown op2 target '%0'; expected openmp, seq or emulator"))
          << name;
      return false;
    }
    if (!llvm::is_contained(targets, *target))
      targets.push_back(*target);
  }
  return true;
}

bool parseStage(StringRef name, Stage &stage, clang::DiagnosticsEngine &diags) {
  stage = llvm::StringSwitch<Stage>(name)
              .Case("op2", Stage::OP2)
              .Case("plan", Stage::Plan)
              .Case("omp", Stage::OpenMP)
              .Case("gpu", Stage::GPU)
              .Case("llvm", Stage::LLVM)
              .Default(Stage::None);
  if (stage != Stage::None)
    return true;
  diags.Report(diags.getCustomDiagID(
      clang::DiagnosticsEngine::Error,
      "unknown op2 stage '%0'; expected op2, plan, omp, gpu or llvm"))
      << name;
  return false;
}

bool parsePlanOption(StringRef key, StringRef value, PlanOptions &plan,
                     bool &known, clang::DiagnosticsEngine &diags) {
  known = true;
  if (key == "no-stage")
    plan.stage = false;
  else if (key == "whole-kernel")
    plan.wholeKernel = true;
  else if (key == "strategy")
    plan.strategy = value.str();
  else if (key == "block-size")
    known = !value.getAsInteger(10, plan.blockSize);
  else
    known = false;
  bool isStrategy = plan.strategy == "two-level" ||
                    plan.strategy == "atomics" || plan.strategy == "global";
  if (isStrategy)
    return true;
  diags.Report(diags.getCustomDiagID(
      clang::DiagnosticsEngine::Error,
      "unknown op2 strategy '%0'; expected two-level, atomics or global"))
      << plan.strategy;
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
    if (isPlanOption)
      continue;
    if (key == "target")
      known = parseTargets(value, targets, diags);
    else if (key == "emit")
      known = parseStage(value, emit, diags);
    else if (key == "emit-file")
      emitFile = value.str();
    else if (key == "save-temps")
      saveTemps = value.str();
    else if (key == "strict")
      strict = true;
    else if (key == "report")
      report = true;
    else if (key == "no-raise")
      raise = false;
    else {
      diags.Report(diags.getCustomDiagID(clang::DiagnosticsEngine::Error,
                                         "unknown op2 plugin argument '%0'"))
          << arg;
      return false;
    }
    if (!known)
      return false;
  }
  if (targets.empty())
    targets.push_back(Target::OpenMP);
  return true;
}

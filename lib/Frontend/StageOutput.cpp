//===- StageOutput.cpp - Writing the stages of the compilation -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageOutput.h"
#include "Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace op2::frontend;

bool op2::frontend::wantsStages(const PluginOptions &options) {
  return options.emit != Stage::None || !options.saveTemps.empty();
}

static bool writeFile(llvm::StringRef path, llvm::StringRef text,
                      clang::DiagnosticsEngine &diags) {
  std::error_code problem;
  llvm::raw_fd_ostream stream(path, problem);
  if (!problem) {
    stream << text;
    stream.close();
    problem = stream.error();
    stream.clear_error();
  }
  if (!problem)
    return true;
  error(diags, {}, Problem::File, "cannot write '%0': %1")
      << path << problem.message();
  return false;
}

static std::string selectText(llvm::ArrayRef<StageTexts> texts, Stage stage) {
  std::string all;
  for (const StageTexts &text : texts) {
    if (stage == Stage::PTX)
      for (const auto &[chip, ptx] : text.ptx)
        all += ptx;
    else if (auto at = text.texts.find(stage); at != text.texts.end())
      addText(all, stage, at->second);
  }
  return all;
}

static constexpr std::pair<Stage, const char *> kEndings[] = {
    {Stage::OP2, ".op2.mlir"},   {Stage::Loops, ".loops.mlir"},
    {Stage::Plan, ".plan.mlir"}, {Stage::OpenMP, ".omp.mlir"},
    {Stage::GPU, ".gpu.mlir"},   {Stage::LLVM, ".op2.ll"}};

bool op2::frontend::writeStages(llvm::ArrayRef<StageTexts> texts,
                                const PluginOptions &options,
                                clang::DiagnosticsEngine &diags) {
  if (texts.empty() || !wantsStages(options))
    return true;
  if (options.emit != Stage::None &&
      !writeFile(options.emitFile, selectText(texts, options.emit), diags))
    return false;
  if (options.saveTemps.empty())
    return true;
  bool ok = true;
  for (auto [target, text] : llvm::zip(options.targets, texts)) {
    std::string prefix = options.saveTemps;
    if (texts.size() > 1)
      prefix += "." + getWord(target).str();
    for (auto [stage, ending] : kEndings)
      if (auto at = text.texts.find(stage); at != text.texts.end())
        ok &= writeFile(prefix + ending, at->second, diags);
    for (const auto &[chip, ptx] : text.ptx)
      ok &= writeFile(prefix + "." + chip + ".ptx", ptx, diags);
    if (!text.image.empty())
      ok &= writeFile(prefix + ".fatbin", text.image, diags);
  }
  return ok;
}

//===- StageOutput.cpp - Writing the stages of the compilation -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageOutput.h"
#include "Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace op2::frontend;

bool op2::frontend::wantsStages(const PluginOptions &options) {
  return options.emit != Stage::None || !options.saveTemps.empty();
}

static void writeFile(llvm::StringRef path, llvm::StringRef text,
                      clang::DiagnosticsEngine &diags) {
  std::error_code problem;
  llvm::raw_fd_ostream stream(path, problem);
  if (!problem) {
    stream << text;
    stream.close();
    problem = stream.error();
    stream.clear_error();
    if (problem && llvm::sys::fs::is_regular_file(path))
      llvm::sys::fs::remove(path); // half of it
  }
  if (problem)
    error(diags, {}, Problem::File, "cannot write '%0': %1")
        << path << problem.message();
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

void op2::frontend::writeStages(llvm::ArrayRef<StageTexts> texts,
                                const PluginOptions &options,
                                clang::DiagnosticsEngine &diags) {
  if (texts.empty() || !wantsStages(options))
    return;
  if (options.emit != Stage::None)
    writeFile(options.emitFile, selectText(texts, options.emit), diags);
  if (options.saveTemps.empty())
    return;
  for (auto [target, text] : llvm::zip(options.targets, texts)) {
    std::string prefix = options.saveTemps;
    if (texts.size() > 1)
      prefix += "." + getWord(target).str();
    for (auto [stage, ending] : kEndings)
      if (auto at = text.texts.find(stage); at != text.texts.end())
        writeFile(prefix + ending, at->second, diags);
    for (const auto &[chip, ptx] : text.ptx)
      writeFile(prefix + "." + chip + ".ptx", ptx, diags);
    if (!text.image.empty())
      writeFile(prefix + ".fatbin", text.image, diags);
  }
}

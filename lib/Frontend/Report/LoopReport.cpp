//===- LoopReport.cpp - What is said of loops -----------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopReport.h"
#include "Diagnostics.h"
#include "OP2/Report/Page.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace op2::frontend;
namespace json = llvm::json;

/// What is not UTF-8 gets the replacement character.
static std::string clean(llvm::StringRef text) {
  return json::isUTF8(text) ? text.str() : json::fixUTF8(text);
}

static llvm::StringRef getWord(Topic topic) {
  switch (topic) {
  case Topic::Targets:
    return "targets";
  case Topic::Device:
    return "device";
  case Topic::Elements:
    return "elements";
  case Topic::Kernel:
    return "kernel";
  case Topic::Fusion:
    return "fusion";
  case Topic::Split:
    return "splitting";
  case Topic::Delay:
    return "delay";
  }
}

void LoopReport::say(const LoopDescription &loop, Topic topic,
                     const std::string &text) {
  if (options.report)
    remark(diags, loop.location, "%0") << "loop '" + loop.name + "'" + text;
  if (hasPage())
    entries[&loop].remarks.push_back(
        json::Object{{"topic", getWord(topic)},
                     {"text", clean(llvm::StringRef(text).ltrim(": "))}});
}

void LoopReport::sayFlushes(const LoopDescription &loop,
                            std::vector<FlushPlace> places) {
  if (!hasPage())
    return;
  std::set<std::string> said;
  for (const FlushPlace &flush : places)
    if (said.insert(flush.what).second)
      entries[&loop].flushes.push_back(json::Object{
          {"place", describePlace(flush.place)}, {"text", clean(flush.what)}});
}

void LoopReport::sayOperations(const std::string &runSymbol, int64_t count) {
  operations[runSymbol] = count;
}

unsigned LoopReport::getFileNumber(const std::string &path) {
  llvm::SmallString<256> real;
  std::string name =
      llvm::sys::fs::real_path(path, real) ? path : real.str().str();
  auto at = llvm::find(files, name);
  if (at == files.end())
    at = files.insert(files.end(), name);
  return unsigned(at - files.begin());
}

json::Value LoopReport::describePlace(const SourceLine &place) {
  // "-": functions that the compiler adds by itself.
  if (place.line == 0 || place.file == "-")
    return nullptr;
  return json::Array{getFileNumber(place.file), place.line};
}

/// Of each line of text the place [file, line] it comes from.
json::Object LoopReport::describeFunctions(
    const std::string &title,
    const std::vector<const ListedFunction *> &functions) {
  json::Array all;
  for (const ListedFunction *function : functions) {
    if (function->text.empty())
      continue;
    json::Array places;
    for (const SourceLine &place : function->places)
      places.push_back(describePlace(place));
    all.push_back(
        json::Object{{"name", clean(function->symbol)},
                     {"text", clean(llvm::join(function->text, "\n"))},
                     {"places", std::move(places)}});
  }
  return json::Object{{"title", title}, {"functions", std::move(all)}};
}

void LoopReport::saySymbol(const LoopDescription &loop,
                           const std::string &runSymbol) {
  if (hasPage())
    entries[&loop].runSymbol = runSymbol;
}

void LoopReport::addFused(const LoopDescription &loop,
                          const std::string &runSymbol) {
  if (!hasPage())
    return;
  // The caller's does not live as long as the report.
  fused.push_back(std::make_unique<LoopDescription>(loop));
  saySymbol(*fused.back(), runSymbol);
  entries[fused.back().get()].remarks.push_back(json::Object{
      {"topic", getWord(Topic::Fusion)},
      {"text", "two loops as one, where the program comes from one to the "
               "other"}});
}

void LoopReport::addListings(
    Target target, std::vector<std::pair<std::string, Listing>> listings) {
  for (auto &[title, functions] : listings)
    stages.push_back({title, target, std::move(functions)});
}

void LoopReport::addMissed(const std::string &name, const std::string &reason) {
  if (!hasPage())
    return;
  json::Object remark{{"topic", "fallback"}, {"text", clean(reason)}};
  missed.push_back(json::Object{{"name", clean(name)},
                                {"location", ""},
                                {"remarks", json::Array{std::move(remark)}},
                                {"flushes", json::Array()},
                                {"code", json::Array()}});
}

/// Of a loop that is compiled for several targets, each stage has the target
/// in its title.
json::Array LoopReport::describeCode(const std::string &runSymbol,
                                     const Assembly &assembly) {
  json::Array all;
  for (const Stage &stage : stages) {
    std::vector<const ListedFunction *> functions =
        selectFunctions(stage.functions, runSymbol);
    std::string title = stage.title;
    if (stage.target != stages.front().target)
      title += " (" + mlir::op2::getWord(stage.target).str() + ")";
    if (!functions.empty())
      all.push_back(describeFunctions(title, functions));
  }
  // First the chunks that elements run in; a general form is for data that may
  // overlap.
  std::vector<const ListedFunction *> functions, rest;
  for (const auto &[symbol, function] : assembly.functions) {
    llvm::StringRef name = function.symbol;
    bool isHot = name.contains("_chunk") && !name.ends_with("_general");
    if (symbol == runSymbol)
      (isHot ? functions : rest).push_back(&function);
  }
  llvm::append_range(functions, rest);
  if (!functions.empty())
    all.push_back(describeFunctions("assembly", functions));
  return all;
}

json::Object LoopReport::describeLoop(const LoopDescription &loop,
                                      const Assembly &assembly) {
  Entry &entry = entries[&loop];
  auto addProblem = [&](const std::string &text) {
    entry.remarks.push_back(
        json::Object{{"topic", "fallback"}, {"text", clean(text)}});
  };
  if (loop.fallsBack())
    addProblem("not compiled, runs sequentially: " + loop.getFallbackReason());
  else
    for (const auto &[target, problem] : loop.targetProblems)
      addProblem("not compiled for " + mlir::op2::getWord(target).str() + ": " +
                 problem.reason);
  json::Object result{{"name", clean(loop.name)},
                      {"place", describePlace({loop.file, loop.line})},
                      // As the run's file has it.
                      {"location", clean(loop.describePlace())},
                      {"remarks", std::move(entry.remarks)},
                      {"flushes", std::move(entry.flushes)},
                      {"code", describeCode(entry.runSymbol, assembly)}};
  if (auto count = operations.find(entry.runSymbol); count != operations.end())
    result["operations"] = count->second;
  return result;
}

/// The text of a file that code comes from; without text if it is not there,
/// as what #line names, or is the system's.
json::Array LoopReport::describeFiles() const {
  json::Array all;
  for (const std::string &path : files) {
    json::Object file{{"path", clean(path)}};
    bool isSystem = llvm::StringRef(path).starts_with("/usr/");
    if (auto text = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
        text && !isSystem)
      file["text"] = clean((*text)->getBuffer());
    all.push_back(std::move(file));
  }
  return all;
}

/// Files of one name in several folders are different ones.
static std::string makeFileName(llvm::StringRef unit) {
  llvm::SmallString<256> path(unit);
  llvm::sys::fs::make_absolute(path);
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  uint32_t hash = 2166136261u; // FNV-1a
  for (unsigned char letter : path)
    hash = (hash ^ letter) * 16777619u;
  return llvm::sys::path::filename(unit).str() + "-" +
         llvm::utohexstr(hash, /*LowerCase=*/true, /*Width=*/8) +
         op2::report::kDataEnding;
}

void LoopReport::writePage(const std::string &unit, const FileLoops &loops,
                           const Assembly &assembly) {
  json::Array all;
  for (const auto &loop : loops.loops) {
    const Entry &entry = entries[loop.get()];
    if (!entry.remarks.empty() || loop->fallsBack() ||
        !loop->targetProblems.empty())
      all.push_back(describeLoop(*loop, assembly));
  }
  for (const auto &loop : fused)
    all.push_back(describeLoop(*loop, assembly));
  for (json::Value &loop : missed)
    all.push_back(std::move(loop));
  json::Object data{{"kind", "unit"},
                    {"unit", clean(unit)},
                    {"loops", std::move(all)},
                    {"files", describeFiles()}};
  if (!assembly.problem.empty())
    data["noAssembly"] = clean(assembly.problem);
  std::string text;
  llvm::raw_string_ostream(text) << json::Value(std::move(data)) << '\n';
  std::string problem =
      op2::report::addUnit(options.reportFolder, makeFileName(unit), text);
  if (!problem.empty())
    error(diags, {}, Problem::File, "--op2-report=html: %0") << problem;
}

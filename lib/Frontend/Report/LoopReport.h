//===- LoopReport.h - What is said of loops ---------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_REPORT_LOOPREPORT_H
#define OP2_FRONTEND_REPORT_LOOPREPORT_H

#include "Listing.h"
#include "LoopDescription.h"
#include "llvm/Support/JSON.h"
#include <map>

namespace clang {
class DiagnosticsEngine;
} // namespace clang

namespace op2::frontend {

/// What a remark is about.
enum class Topic { Targets, Device, Elements, Kernel, Fusion, Split, Delay };

/// A statement of the program before which pending loops run.
struct FlushPlace {
  SourceLine place;
  std::string what; ///< "'printf' is called"
};

/// What became of the loops of a file, as they are found out: remarks at once
/// (--op2-report), and a file for the page (--op2-report=html:FOLDER).
class LoopReport {
public:
  LoopReport(const PluginOptions &options, clang::DiagnosticsEngine &diags)
      : options(options), diags(diags) {}

  bool isWanted() const { return options.report || hasPage(); }
  bool hasPage() const { return options.writesPage(); }

  /// "loop 'name'", followed by `text`.
  void say(const LoopDescription &loop, Topic topic, const std::string &text);
  void sayFlushes(const LoopDescription &loop, std::vector<FlushPlace> places);
  /// Floating-point operations of an element of the loop with this symbol.
  void sayOperations(const std::string &runSymbol, int64_t count);
  /// The loop's code is what this symbol leads to.
  void saySymbol(const LoopDescription &loop, const std::string &runSymbol);
  /// Two loops as one.
  void addFused(const LoopDescription &loop, const std::string &runSymbol);
  /// All functions for a target, stage by stage.
  void addListings(Target target,
                   std::vector<std::pair<std::string, Listing>> stages);
  /// A loop of the header that nobody has compiled.
  void addMissed(const std::string &name, const std::string &reason);

  /// Writes the file of the page. `unit`: the source file; `assembly`: of the
  /// optimised module. Reports and goes on where that fails.
  void writePage(const std::string &unit, const FileLoops &loops,
                 const Assembly &assembly);

private:
  struct Entry {
    llvm::json::Array remarks, flushes;
    std::string runSymbol;
  };

  llvm::json::Object describeLoop(const LoopDescription &loop,
                                  const Assembly &assembly);
  llvm::json::Array describeCode(const std::string &runSymbol,
                                 const Assembly &assembly);
  llvm::json::Object
  describeFunctions(const std::string &title,
                    const std::vector<const ListedFunction *> &functions);
  llvm::json::Value describePlace(const SourceLine &place);
  unsigned getFileNumber(const std::string &path);
  llvm::json::Array describeFiles() const;

  PluginOptions options;
  clang::DiagnosticsEngine &diags;
  std::map<const LoopDescription *, Entry> entries;
  std::vector<std::unique_ptr<LoopDescription>> fused;
  std::map<std::string, int64_t> operations;
  struct Stage {
    std::string title;
    Target target;
    Listing functions;
  };
  std::vector<Stage> stages;
  llvm::json::Array missed;
  std::vector<std::string> files; ///< by number
};

} // namespace op2::frontend

#endif // OP2_FRONTEND_REPORT_LOOPREPORT_H

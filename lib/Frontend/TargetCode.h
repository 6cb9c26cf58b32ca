//===- TargetCode.h - From the op2 module to LLVM IR -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_TARGETCODE_H
#define OP2_FRONTEND_TARGETCODE_H

#include "OP2/Analysis/KernelEffects.h"
#include "OP2/Conversion/Passes.h"
#include "PluginOptions.h"
#include "Report/Listing.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/Module.h"
#include <map>
#include <optional>

namespace op2::frontend {

/// The text of each requested stage.
struct StageTexts {
  bool wanted = false;
  std::map<Stage, std::string> texts;     ///< but PTX
  std::map<std::string, std::string> ptx; ///< by chip
  std::string image;      ///< what device code is embedded as, if it is no PTX
  bool areListed = false; ///< for the page about loops
  std::vector<std::pair<std::string, Listing>> listings; ///< by stage

  /// Adds those of loops that were compiled by themselves.
  void append(StageTexts other);
};

/// Adds the text of another module, which op2-opt --split-input-file reads as
/// one of its own.
void addText(std::string &all, Stage stage, llvm::StringRef text);

/// The device kernels of each generated function, by its symbol.
using DeviceKernels = std::map<std::string, std::vector<std::string>>;

using mlir::op2::FollowedPointers;

/// How the elements of a loop run on openmp.
struct LoopExecution {
  int64_t width = 1;         ///< elements at once
  bool goesByRows = false;   ///< where the map that it adds through does
  std::string obstacle;      ///< why not more of them; may be empty
  bool hasConflicts = false; ///< two elements may change the same data
  bool isOwned = false;      ///< compiled for threads that own what they change
  std::string ownershipObstacle; ///< why not, "because ..."; may be empty
  /// Why its kernel is not raised; empty if it is, nothing if that was not
  /// tried.
  std::optional<std::string> raiseObstacle;
  /// Vectors run it without its paths that print or do not return.
  bool hasUsualForm = false;
  /// Nobody could notice that its kernel runs but by its arguments.
  bool isConfined = true;
  /// Those that its kernel follows; nothing if not all are known.
  FollowedPointers pointers{std::in_place};
  /// Floating-point operations of an element, if its kernel is raised.
  std::optional<int64_t> operations;
};

/// What became of a function that was to be another form of loops.
struct VariantOutcome {
  bool exists = false;
  std::string outcome; ///< what is gained, or why it does not exist
  int64_t savedBytes = 0;
};
/// By the symbol of the function in the op2 module.
using VariantOutcomes = std::map<std::string, VariantOutcome>;

/// What `compileForTarget` makes.
struct CompiledTarget {
  std::unique_ptr<llvm::Module> module; ///< null if something failed
  StageTexts texts;
  DeviceKernels kernels; ///< of a GPU
  // By the symbol of the function in the op2 module.
  std::map<std::string, LoopExecution> executions; ///< on openmp
  /// Why blocks of a device do not own what they add to, if that is wanted.
  std::map<std::string, std::string> ownershipObstacles;
  VariantOutcomes variants;
};

/// Registers the dialects and translations that kernels and loops need.
void registerDialects(mlir::DialectRegistry &registry);

/// What device code is embedded as.
mlir::op2::DeviceFormat chooseFormat(const PluginOptions &options);

/// The same for people: "machine code for sm_90 and PTX for newer chips".
std::string describeFormat(const PluginOptions &options);

/// Runs the pipeline of `target` on `module`, which it changes, and translates
/// the result. If something fails, the MLIR diagnostics say what.
CompiledTarget compileForTarget(mlir::ModuleOp module, Target target,
                                const PluginOptions &options,
                                llvm::LLVMContext &context);

} // namespace op2::frontend

#endif // OP2_FRONTEND_TARGETCODE_H

//===- AccessCheck.cpp - Kernels against declared accesses ----------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessCheck.h"
#include "AccessAnalysis.h"
#include "Diagnostics.h"
#include "OP2/Analysis/SourceName.h"
#include "SharedWrites.h"
#include "SourcePlace.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instruction.h"

using namespace op2::frontend;

namespace {
/// The text about a problem.
struct Wording {
  Problem warning;
  bool isError; ///< by default, if it is certain
  /// %0: the kernel, %1: its parameter, %2: whether it certainly does that
  const char *text;
  const char *remedy; ///< at the access
  const char *access; ///< to put there; null if that would not do
};
} // namespace

static Wording getWording(AccessProblem::Kind kind) {
  switch (kind) {
  case AccessProblem::Kind::WritesRead:
    return {Problem::Read, true,
            "kernel '%0' %select{possibly |}2writes to parameter '%1', which "
            "this loop declares OP_READ",
            "access declared here; did you mean OP_RW or OP_INC?", "OP_RW"};
  case AccessProblem::Kind::ReadsUnwritten:
    return {Problem::Write, true,
            "kernel '%0' %select{possibly |}2reads parameter '%1', which this "
            "loop declares OP_WRITE, before it has written there",
            "access declared here: there is no value to read on some targets; "
            "did you mean OP_RW?",
            "OP_RW"};
  case AccessProblem::Kind::ReadsIncrement:
    return {Problem::Inc, true,
            "kernel '%0' %select{possibly |}2uses the value of parameter '%1', "
            "which this loop declares OP_INC, otherwise than to add to it",
            "access declared here: only the sequential target has the value; "
            "sum up in a local variable, or declare OP_RW",
            nullptr};
  case AccessProblem::Kind::AssignsIncrement:
    return {Problem::Inc, true,
            "kernel '%0' %select{possibly |}2assigns to parameter '%1', which "
            "this loop declares OP_INC, instead of adding to it",
            "access declared here; did you mean OP_WRITE or OP_RW?", nullptr};
  case AccessProblem::Kind::ClearsIncrement:
    // Applications have it where the value is zero already.
    return {Problem::Inc, false,
            "kernel '%0' %select{possibly |}2sets parameter '%1', which this "
            "loop declares OP_INC, to zero instead of adding to it",
            "access declared here: some targets lose the value, others keep "
            "it; did you mean OP_WRITE?",
            nullptr};
  case AccessProblem::Kind::AssignsMinMax:
    return {Problem::MinMax, true,
            "kernel '%0' %select{possibly |}2assigns to parameter '%1', which "
            "this loop declares OP_MIN or OP_MAX, without comparing with what "
            "is there",
            "access declared here: the result depends on which elements a "
            "thread runs last; keep the smaller (larger) of both values",
            nullptr};
  case AccessProblem::Kind::MissesMinMax:
    return {Problem::MinMax, true,
            "kernel '%0' %select{possibly |}2keeps in parameter '%1' something "
            "else than the smaller value (OP_MIN) or the larger one (OP_MAX), "
            "as this loop declares",
            "access declared here: targets that run elements at the same time "
            "keep the smaller (larger) of their values; did you mean OP_INC, "
            "or the other one of OP_MIN and OP_MAX?",
            nullptr};
  case AccessProblem::Kind::LeavesRow:
    return {Problem::Bounds, true,
            "kernel '%0' %select{possibly |}2reads or writes outside of the "
            "values that parameter '%1' leads to%3",
            "argument declared here; its dim says how many values an element "
            "has, its index how many slots",
            nullptr};
  }
  llvm_unreachable("unknown problem");
}

/// At the instruction, or at the loop if its place is not known; then the
/// calls that lead there. False if that is off.
static bool reportAt(const Wording &wording, const LoopDescription &loop,
                     const std::string &what, const AccessFinding &finding,
                     const WarningOptions &warnings,
                     clang::DiagnosticsEngine &diags) {
  clang::SourceManager &sources = diags.getSourceManager();
  const llvm::DILocation *place = finding.where->getDebugLoc();
  clang::SourceLocation location = getPlace(place, sources);
  auto diagnostic =
      warn(diags, location.isValid() ? location : loop.location, warnings,
           wording.warning, wording.text, wording.isError && finding.isCertain);
  if (!diagnostic)
    return false;
  *diagnostic << loop.kernelName << what << finding.isCertain << finding.detail;
  diagnostic.reset(); // reported now
  while (place && (place = place->getInlinedAt()))
    if (auto call = getPlace(place, sources); call.isValid())
      note(diags, call, "called from here");
  return true;
}

/// Elements run at the same time on every target but seq.
static void checkSharedWrites(const LoopDescription &loop,
                              const llvm::Function &kernel,
                              const CFunctionParameters &writtenByC,
                              const PluginOptions &options,
                              clang::DiagnosticsEngine &diags) {
  bool isParallel = llvm::any_of(
      options.targets, [](Target target) { return target != Target::Seq; });
  if (!isParallel)
    return;
  Wording toVariable = {Problem::Shared, false,
                        "kernel '%0' writes the variable '%1', which all "
                        "elements share, and they run at the same time",
                        "", nullptr};
  Wording behindPointer = toVariable;
  behindPointer.text = "kernel '%0' writes the memory that the variable '%1' "
                       "leads to, which all elements share, and they run at "
                       "the same time";
  Wording toFunction = toVariable;
  toFunction.text = "kernel '%0' passes the variable '%1', which all elements "
                    "share, and they run at the same time, to '%3', whose code "
                    "is not here and may write it";
  Wording pointerToFunction = toFunction;
  pointerToFunction.text =
      "kernel '%0' passes the memory that the variable '%1' leads to, which "
      "all elements share, and they run at the same time, to '%3', whose code "
      "is not here and may write it";
  Wording state = toVariable;
  state.text = "kernel '%0' calls '%1', whose state all elements share, and "
               "they run at the same time";
  for (const SharedWrite &write :
       findSharedWrites(kernel, loop.args, writtenByC)) {
    AccessFinding finding{write.where, /*isCertain=*/true};
    if (!write.variable) {
      std::string name = mlir::op2::getSourceName(write.passedTo->getName());
      if (reportAt(state, loop, name, finding, options.warnings, diags))
        note(diags, loop.location,
             "in this loop; give each element a state of its own, in a dat");
      continue;
    }
    Wording const &wording =
        write.isBehindPointer
            ? (write.passedTo ? pointerToFunction : behindPointer)
            : (write.passedTo ? toFunction : toVariable);
    std::string name = mlir::op2::getSourceName(write.variable->getName());
    if (write.passedTo)
      finding.detail = mlir::op2::getSourceName(write.passedTo->getName());
    if (reportAt(wording, loop, name, finding, options.warnings, diags))
      note(diags, loop.location, "in this loop; %0")
          << (write.passedTo
                  ? "declare the function's parameter const if it only reads "
                    "it, or pass the variable to the loop by op_arg_gbl"
                  : "pass the variable to it by op_arg_gbl with OP_INC, OP_MIN "
                    "or OP_MAX");
  }
}

void op2::frontend::checkAccesses(const LoopDescription &loop,
                                  const llvm::Function &kernel,
                                  const CFunctionParameters &writtenByC,
                                  const PluginOptions &options,
                                  clang::DiagnosticsEngine &diags) {
  checkSharedWrites(loop, kernel, writtenByC, options, diags);
  for (const AccessProblem &problem : findAccessProblems(kernel, loop.args)) {
    Wording wording = getWording(problem.kind);
    const AccessFinding &finding = problem.finding;
    const ArgDescription &arg = loop.args[problem.arg];
    // By default an error must be certain.
    if (!reportAt(wording, loop, arg.parameter, finding, options.warnings,
                  diags))
      continue;
    // flang tells no places of arguments.
    bool isPlaced = arg.accessRange.isValid();
    auto declared = note(
        diags, isPlaced ? arg.accessRange.getBegin() : loop.location, "%0");
    declared << wording.remedy;
    if (wording.access && isPlaced)
      declared << clang::FixItHint::CreateReplacement(arg.accessRange,
                                                      wording.access);
  }
}

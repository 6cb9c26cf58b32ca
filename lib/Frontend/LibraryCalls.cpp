//===- LibraryCalls.cpp - What known functions do with memory -------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: "C Interface to the BLAS", annex B of the BLAS Technical Forum's
// standard (2001).
//
//===----------------------------------------------------------------------===//

#include "LibraryCalls.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Module.h"
#include <vector>

using namespace op2::frontend;

namespace {
struct Routine {
  unsigned numParameters;
  std::vector<unsigned> written; ///< parameters whose arrays it changes
};
} // namespace

/// Without "cblas_" and the letter of the type.
static const llvm::StringMap<Routine> &getRoutines() {
  static const llvm::StringMap<Routine> routines = {
      {"dot", {5, {}}},      {"nrm2", {3, {}}},    {"asum", {3, {}}},
      {"scal", {4, {2}}},    {"axpy", {6, {4}}},   {"copy", {5, {3}}},
      {"swap", {5, {1, 3}}}, {"gemv", {12, {10}}}, {"symv", {11, {9}}},
      {"trmv", {9, {7}}},    {"trsv", {9, {7}}},   {"ger", {10, {8}}},
      {"gemm", {14, {12}}},  {"symm", {13, {11}}}, {"trmm", {12, {10}}},
      {"trsm", {12, {10}}}};
  return routines;
}

static const Routine *findRoutine(llvm::StringRef name) {
  if (!name.consume_front("cblas_") || name.empty() ||
      (name.front() != 's' && name.front() != 'd'))
    return nullptr;
  auto found = getRoutines().find(name.drop_front());
  return found == getRoutines().end() ? nullptr : &found->second;
}

static const Routine *findRoutine(const llvm::Function &function) {
  const Routine *routine =
      function.isDeclaration() ? findRoutine(function.getName()) : nullptr;
  return routine && function.arg_size() == routine->numParameters ? routine
                                                                  : nullptr;
}

bool op2::frontend::isBLAS(const llvm::Function &function) {
  return findRoutine(function) != nullptr;
}

void op2::frontend::describeBLAS(llvm::Module &module) {
  for (llvm::Function &function : module) {
    const Routine *routine = findRoutine(function);
    if (!routine)
      continue;
    function.setMemoryEffects(llvm::MemoryEffects::inaccessibleOrArgMemOnly());
    function.setDoesNotThrow();
    function.setWillReturn();
    for (llvm::Argument &parameter : function.args()) {
      if (!parameter.getType()->isPointerTy())
        continue;
      parameter.addAttr(llvm::Attribute::getWithCaptureInfo(
          module.getContext(), llvm::CaptureInfo::none()));
      if (!llvm::is_contained(routine->written, parameter.getArgNo()))
        parameter.addAttr(llvm::Attribute::ReadOnly);
    }
  }
}

HostService op2::frontend::getHostService(const llvm::Function &function) {
  if (!function.isDeclaration())
    return HostService::None;
  return llvm::StringSwitch<HostService>(function.getName())
      .Cases({"op_timers", "op_timers_core"}, HostService::Clock)
      .Cases({"op_printf", "op_print", "op_is_root", "op_profile_enter",
              "op_profile_next", "op_profile_exit"},
             HostService::Print)
      .Cases({"op_get_size", "op_mat_entries", "op_mat_values", "op_mat_rows",
              "op_mat_cols", "op_mat_places", "op_mat_components",
              "op_mat_diagonals", "op_require_blocks", "op_require_operands"},
             HostService::Query)
      .Default(HostService::None);
}

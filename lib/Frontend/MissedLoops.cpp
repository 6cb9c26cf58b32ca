//===- MissedLoops.cpp - Loops that nobody has redirected -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MissedLoops.h"
#include "Diagnostics.h"
#include "ModuleAnnotations.h"
#include "SourcePlace.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace op2::frontend;

/// The name that a call of op_par_loop gives its loop.
static std::string getLoopName(const llvm::Instruction &inst) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&inst);
  llvm::StringRef name;
  if (call && call->arg_size() > 1)
    name = getConstantText(*call->getArgOperand(1));
  return name.empty() ? "(unnamed)" : name.str();
}

/// The instructions that name a function, also in constants.
static void collectUsers(llvm::Value &value,
                         llvm::SetVector<llvm::Instruction *> &users) {
  for (llvm::User *user : value.users()) {
    if (auto *inst = llvm::dyn_cast<llvm::Instruction>(user))
      users.insert(inst);
    else if (llvm::isa<llvm::ConstantExpr>(user))
      collectUsers(*user, users);
  }
}

void op2::frontend::reportMissedLoops(llvm::Module &module,
                                      const PluginOptions &options,
                                      LoopReport &report,
                                      clang::DiagnosticsEngine &diags) {
  static constexpr char kReason[] =
      "its call was not seen when this file was parsed: it stands in a system "
      "header (-isystem), in a module that was compiled without code, or in a "
      "default member initializer of a class template";
  llvm::SetVector<llvm::Instruction *> users;
  for (llvm::Function *function : findTemplates(module))
    collectUsers(*function, users);
  for (const llvm::Instruction *user : users) {
    reportFallback(
        diags, getPlace(user->getDebugLoc().get(), diags.getSourceManager()),
        getLoopName(*user), kReason, options.warnings);
    report.addMissed(getLoopName(*user), kReason);
  }
}

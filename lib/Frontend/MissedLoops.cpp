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
static std::string getLoopName(const llvm::User &user) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&user);
  llvm::StringRef name;
  if (call && call->arg_size() > 1)
    name = getConstantText(*call->getArgOperand(1));
  return name.empty() ? "(unnamed)" : name.str();
}

/// The instructions and variables that name a function, also in constants; but
/// annotations do, too, and other lists of LLVM's, and records of profiles.
static void collectUsers(llvm::Value &value,
                         llvm::SetVector<llvm::User *> &users) {
  for (llvm::User *user : value.users()) {
    const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(user);
    bool isList = variable && (variable->getName().starts_with("llvm.") ||
                               variable->getName().starts_with("__prof"));
    if (llvm::isa<llvm::Instruction>(user) || (variable && !isList))
      users.insert(user);
    else if (llvm::isa<llvm::Constant>(user) && !variable)
      collectUsers(*user, users);
  }
}

void op2::frontend::reportMissedLoops(llvm::Module &module,
                                      bool isWrittenModule,
                                      const PluginOptions &options,
                                      LoopReport &report,
                                      clang::DiagnosticsEngine &diags) {
  const char *reason =
      isWrittenModule
          ? "it stands in a module that is compiled and written in one step "
            "(-fmodule-output); compile it in two (--precompile, then -c)"
          : "its call was not seen when this file was parsed; does the program "
            "take the address of op_par_loop?";
  llvm::SetVector<llvm::User *> users;
  for (llvm::Function *function : findTemplates(module))
    collectUsers(*function, users);
  for (const llvm::User *user : users) {
    const auto *inst = llvm::dyn_cast<llvm::Instruction>(user);
    reportFallback(
        diags,
        inst ? getPlace(inst->getDebugLoc().get(), diags.getSourceManager())
             : clang::SourceLocation(),
        getLoopName(*user), reason, options.warnings);
    report.addMissed(getLoopName(*user), reason);
  }
}

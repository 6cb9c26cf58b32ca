//===- CallSite.h - A loop in the module being compiled -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_CALLSITE_H
#define OP2_FRONTEND_CALLSITE_H

#include "LoopDescription.h"
#include "PluginOptions.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace op2::frontend {

/// A loop with the functions of the user's module that it is made of.
struct CallSite {
  LoopDescription *loop = nullptr;
  llvm::Function *stub = nullptr;     ///< declared; to be defined
  llvm::Function *kernel = nullptr;   ///< defined by the user
  llvm::Function *original = nullptr; ///< the sequential loop
  llvm::Function *caller = nullptr;   ///< one function that calls the stub
  /// Prefix of the names of what is generated for the loop.
  std::string runSymbol;
  /// The form for calls whose handles only look alike (ApartForms).
  bool isApart = false;

  std::string getRunSymbol(Target target) const {
    return runSymbol + "__" + getWord(target).str();
  }
  /// Of the loop's description (op2rt_loop_desc).
  std::string getDescriptionSymbol(Target target) const;
};

/// A parameter of a generated function: a handle or flag of one argument. The
/// loop's set comes before all of them.
struct RunParameter {
  enum class Kind { Flag, Data, Map, Merge, Identity };
  Kind kind;
  unsigned arg;
};

/// The parameters in order; handles that are the same by construction come
/// once.
std::vector<RunParameter> getRunParameters(const LoopDescription &loop);

/// The loops whose stubs `module` calls; takes the anchors of all loops away.
/// `fallBack` is called for those whose kernel is missing.
std::vector<CallSite> findCallSites(
    llvm::Module &module, const FileLoops &loops,
    llvm::function_ref<void(LoopDescription &, const std::string &)> fallBack);

} // namespace op2::frontend

#endif // OP2_FRONTEND_CALLSITE_H

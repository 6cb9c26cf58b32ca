//===- KernelImport.h - Kernels as MLIR -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_KERNELIMPORT_H
#define OP2_FRONTEND_KERNELIMPORT_H

#include "ExposedSymbols.h"
#include "LoopDescription.h"
#include "mlir/IR/BuiltinOps.h"
#include <map>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace op2::frontend {

/// Of kernels that the host calls as they are.
inline constexpr char kCalledAttr[] = "op2.called";

/// What kernels are imported for.
struct KernelForm {
  bool isForDevice = false; ///< with everything that they call and read
  bool isToBeRaised = false;
};

/// Brings kernels from the module that Clang made into an MLIR module.
class KernelImporter {
public:
  KernelImporter(llvm::Module &source, ExposedSymbols &exposed, KernelForm form)
      : source(source), exposed(exposed), form(form) {}

  /// Adds an `llvm.func` for each kernel to `target`: a copy with everything
  /// inlined that can be, or, where there is nothing to be gained (-O0) or the
  /// kernel cannot be imported, a declaration of the kernel itself. For a
  /// device it is a copy always, with the constants that it uses.
  void import(llvm::ArrayRef<llvm::Function *> kernels, mlir::ModuleOp target);

  /// Copies of the kernels, everything inlined that can be, and of what they
  /// call still; getSymbol returns their names.
  std::unique_ptr<llvm::Module>
  cloneKernels(llvm::ArrayRef<llvm::Function *> kernels);

  /// The symbol in `target` of a kernel.
  llvm::StringRef getSymbol(llvm::Function *kernel) const {
    return symbols.at(kernel);
  }

  /// Why a kernel was not imported for a GPU; null if it was.
  const TargetProblem *getProblem(llvm::Function *kernel) const {
    auto it = problems.find(kernel);
    return it == problems.end() ? nullptr : &it->second;
  }

private:
  void importForHost(llvm::ArrayRef<llvm::Function *> kernels,
                     mlir::ModuleOp target);
  void importForGPU(llvm::ArrayRef<llvm::Function *> kernels,
                    mlir::ModuleOp target);
  /// Takes kernels that cannot run on a GPU out of their module.
  void dropUnfit(llvm::Module &clone, llvm::ArrayRef<llvm::Function *> kernels);
  bool importCopies(llvm::ArrayRef<llvm::Function *> kernels,
                    mlir::ModuleOp target);
  /// `why`: what is said of a kernel whose body is not in `target`.
  void declare(llvm::Function *kernel, const char *why, mlir::ModuleOp target);

  llvm::Module &source;
  ExposedSymbols &exposed;
  KernelForm form;
  std::map<llvm::Function *, std::string> symbols;
  std::map<llvm::Function *, TargetProblem> problems;
};

/// Whether a program is compiled with -g: others have places for messages only.
bool hasDebugInfo(const llvm::Module &module);

/// A module with the data layout and triple of `source`.
mlir::OwningOpRef<mlir::ModuleOp> createModuleLike(llvm::Module &source,
                                                   mlir::MLIRContext *context);

} // namespace op2::frontend

#endif // OP2_FRONTEND_KERNELIMPORT_H

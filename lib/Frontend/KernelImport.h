//===- KernelImport.h - Kernels as MLIR -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_KERNELIMPORT_H
#define OP2_FRONTEND_KERNELIMPORT_H

#include "ExposedSymbols.h"
#include "mlir/IR/BuiltinOps.h"
#include <map>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace op2::frontend {

/// Brings kernels from the module that Clang made into an MLIR module.
class KernelImporter {
public:
  /// `forRaising`: copies are simplified as far as raising them needs it.
  KernelImporter(llvm::Module &source, ExposedSymbols &exposed, bool forRaising)
      : source(source), exposed(exposed), forRaising(forRaising) {}

  /// Adds an `llvm.func` for each kernel to `target`: a copy with everything
  /// inlined that can be, or, where there is nothing to be gained (-O0) or the
  /// kernel cannot be imported, a declaration of the kernel itself.
  void import(llvm::ArrayRef<llvm::Function *> kernels, mlir::ModuleOp target);

  /// The symbol in `target` of a kernel.
  llvm::StringRef getSymbol(llvm::Function *kernel) const {
    return symbols.at(kernel);
  }

private:
  bool importCopies(llvm::ArrayRef<llvm::Function *> kernels,
                    mlir::ModuleOp target);
  void declare(llvm::Function *kernel, mlir::ModuleOp target);
  std::unique_ptr<llvm::Module>
  cloneKernels(llvm::ArrayRef<llvm::Function *> kernels);

  llvm::Module &source;
  ExposedSymbols &exposed;
  bool forRaising;
  std::map<llvm::Function *, std::string> symbols;
};

/// A module with the data layout and triple of `source`.
mlir::OwningOpRef<mlir::ModuleOp> createModuleLike(llvm::Module &source,
                                                   mlir::MLIRContext *context);

} // namespace op2::frontend

#endif // OP2_FRONTEND_KERNELIMPORT_H

//===- GeneratedCode.h - Generated code in a module of Clang ----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_GENERATEDCODE_H
#define OP2_FRONTEND_GENERATEDCODE_H

#include "CallSite.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Module.h"

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace op2::frontend {

/// Links `generated`, code for `sites` on `target`, into `module`. Its
/// functions become local and get the attributes (processor, sanitizers ...)
/// of the user's functions. False if linking failed.
bool linkGenerated(llvm::Module &module,
                   std::unique_ptr<llvm::Module> generated,
                   llvm::ArrayRef<CallSite> sites, Target target);

/// Whether the processor that a function is compiled for has a feature, by
/// LLVM's name for it ("avx2").
bool hasFeature(const llvm::Function &function, llvm::StringRef feature);

/// Makes the stub local and gives it what a function of the user's would have:
/// attributes, and debug information at the loop's line.
void finishFunction(llvm::Function &function, const CallSite &site);

/// Has LLVM leave out what takes long and is of no use: the search for vectors
/// in straight code of functions that few elements need, and for functions that
/// only call others most passes and the choice of instructions and registers.
void skipUselessPasses(llvm::PassBuilder &builder);

/// Removes kernels of `sites` that only the calls of stubs named, to which they
/// mean nothing: LLVM would optimise them until it finds out.
void dropUnusedKernels(llvm::Module &module, llvm::ArrayRef<CallSite> sites);

/// Removes the sequential templates that no call needs any more.
void dropUnusedTemplates(llvm::Module &module);

} // namespace op2::frontend

#endif // OP2_FRONTEND_GENERATEDCODE_H

//===- PendingPaths.h - Paths on which a loop is pending --------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_PENDINGPATHS_H
#define OP2_FRONTEND_PENDINGPATHS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Instructions.h"
#include <string>
#include <vector>

namespace op2::frontend {

/// Whether the paths through a function are what they seem: not where it may be
/// left and entered again unseen.
bool pathsAreKnown(const llvm::Function &function);

/// Visits what may be executed after an instruction, each block once from its
/// beginning, until `visit` answers false for a path.
void walkPaths(llvm::Instruction &start,
               llvm::function_ref<bool(llvm::Instruction &)> visit);

/// The same from where a function begins.
void walkPaths(llvm::Function &function,
               llvm::function_ref<bool(llvm::Instruction &)> visit);

/// "'look'"
std::string describeFunction(const llvm::Function &function);

/// " (app.cpp:12)", or "" if the location is unknown.
std::string describePlace(const llvm::Instruction &inst);

/// What an instruction that is not harmless does, for people: "'printf' is
/// called (app.cpp:12)".
std::string describeStop(const llvm::Instruction &inst);

/// What `describe` says of all of them, each text once.
std::string describeStops(
    llvm::ArrayRef<llvm::Instruction *> stops,
    llvm::function_ref<std::string(const llvm::Instruction &)> describe =
        describeStop);

} // namespace op2::frontend

#endif // OP2_FRONTEND_PENDINGPATHS_H

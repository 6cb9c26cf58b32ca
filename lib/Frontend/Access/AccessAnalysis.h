//===- AccessAnalysis.h - Accesses of a kernel to its arguments -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On the kernel's LLVM IR after inlining, so that helpers and local pointers
// are seen through. What is found is certain, if every call of the kernel does
// it, or possible: it depends on the way the kernel takes, or on what is not
// known here, such as whether two pointers are the same.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_ACCESSANALYSIS_H
#define OP2_FRONTEND_ACCESSANALYSIS_H

#include "LoopDescription.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace llvm {
class Function;
class GlobalVariable;
class Instruction;
} // namespace llvm

namespace op2::frontend {

/// Where a kernel breaks a promise, or may do so.
struct AccessFinding {
  const llvm::Instruction *where;
  bool isCertain;
  std::string detail = {}; ///< behind the sentence
};

/// A promise that a kernel breaks.
struct AccessProblem {
  enum class Kind {
    WritesRead,       ///< OP_READ: it is written
    ReadsUnwritten,   ///< OP_WRITE: it is read before the kernel writes it
    ReadsIncrement,   ///< OP_INC: its value is used otherwise than to add to it
    AssignsIncrement, ///< OP_INC: it is set, not added to
    ClearsIncrement,  ///< OP_INC: it is set to zero, not added to
    AssignsMinMax,    ///< OP_MIN, OP_MAX: it is set without being compared
    MissesMinMax,     ///< OP_MIN, OP_MAX: another value than that is kept
    LeavesRow,        ///< what lies outside of a row is read or written
  };
  Kind kind;
  unsigned arg;
  AccessFinding finding;
};

/// The first problem of each kind with each argument, of those that are certain
/// if there are some. Parameter i of `kernel`
/// is the pointer of argument i, or the table of pointers of a vector argument.
std::vector<AccessProblem>
findAccessProblems(const llvm::Function &kernel,
                   llvm::ArrayRef<ArgDescription> args);

/// Arguments that are OP_RW through maps though the kernel only adds to them.
std::vector<unsigned> findAdditions(const llvm::Function &kernel,
                                    llvm::ArrayRef<ArgDescription> args);

/// Arguments with OP_INC of types of the application that the kernel hands to a
/// function out of sight, which may add in another way than member by member.
std::vector<unsigned> findHiddenSums(const llvm::Function &kernel,
                                     llvm::ArrayRef<ArgDescription> args);

} // namespace op2::frontend

#endif // OP2_FRONTEND_ACCESSANALYSIS_H

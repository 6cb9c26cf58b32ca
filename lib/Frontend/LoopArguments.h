//===- LoopArguments.h - op_args that only loops see -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_LOOPARGUMENTS_H
#define OP2_FRONTEND_LOOPARGUMENTS_H

#include "LoopDescription.h"
#include <set>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace op2::frontend {

/// Makes the op_args of calls of `stubs` where they are needed, instead of by
/// op_arg_dat and its siblings, which look the handles up for programs that
/// look into an op_arg: the fields that a stub reads are what the program
/// passes on, and the runtime checks handles when the loop begins. `stubs` are
/// those that never call the sequential template.
void makeArgumentsInPlace(llvm::Module &module, const FileLoops &loops,
                          const std::set<const llvm::Function *> &stubs);

} // namespace op2::frontend

#endif // OP2_FRONTEND_LOOPARGUMENTS_H

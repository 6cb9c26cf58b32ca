//===- QueueOffer.h - Loops that the runtime may delay ----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_QUEUEOFFER_H
#define OP2_FRONTEND_QUEUEOFFER_H

#include "CallSite.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/IRBuilder.h"
#include <optional>

namespace op2::frontend {

/// Why a loop cannot run in tiles, as far as its arguments say; empty if it
/// can.
std::string findArgumentObstacle(const LoopDescription &loop);

/// Stores the values of the parameters of a loop's function where `builder` is:
/// what op2rt_loop_desc.run takes. Returns the address.
llvm::Value *storeValues(llvm::IRBuilderBase &builder,
                         llvm::ArrayRef<llvm::Value *> arguments);

/// Tells the runtime what the kernel of a loop reads by name.
void describeVariables(const CallSite &site);

using Addresses = std::vector<llvm::Constant *>;

/// Tells the runtime where pointers lie that the kernel follows on a target;
/// nothing: that is not known.
void describePointers(const CallSite &site, Target target,
                      const std::optional<Addresses> &pointers);

/// Tells the runtime that the loops on devices are of one call site, so that
/// their results may be late.
void describeSite(const CallSite &site);

/// Makes the stub of a loop that is never pending itself pass the permission to
/// be late (op2rt_may_enqueue) on to devices only, and take it back.
void permitOnDevices(const CallSite &site);

/// Makes the stub of `site` offer the loop to the runtime before it runs it on
/// a target.
void offerToQueue(const CallSite &site, Target target);

} // namespace op2::frontend

#endif // OP2_FRONTEND_QUEUEOFFER_H

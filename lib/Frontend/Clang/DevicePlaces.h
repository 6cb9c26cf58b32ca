//===- DevicePlaces.h - Locations of code that a GPU cannot run -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a kernel can run on a GPU is known when it has been optimised; the
// syntax tree is gone then. What might be to blame is written down before.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_DEVICEPLACES_H
#define OP2_FRONTEND_DEVICEPLACES_H

#include "ParsedLoop.h"

namespace op2::frontend {

/// Fills `places` of the loop's description with the first of each construct
/// in the kernel and in the functions that it calls. What stands in a system
/// header is found at the call that leads there.
void findPlaces(ParsedLoop &loop, clang::ASTContext &context);

} // namespace op2::frontend

#endif // OP2_FRONTEND_DEVICEPLACES_H

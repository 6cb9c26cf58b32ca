//===- ChosenPlaces.h - Increments at places that are computed --*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TRANSFORMS_RAISE_CHOSENPLACES_H
#define OP2_TRANSFORMS_RAISE_CHOSENPLACES_H

#include "mlir/IR/Value.h"

namespace mlir::op2 {

/// Has a raised kernel change a short row of private memory at all places,
/// where an index is computed, to what they have but at one of them: the row is
/// in registers then, on devices, too. In memory, what was stored at one place
/// is not there yet when the row is loaded whole.
void choosePlaces(Value row);

} // namespace mlir::op2

#endif // OP2_TRANSFORMS_RAISE_CHOSENPLACES_H

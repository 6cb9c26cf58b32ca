//===- Chips.h - Chips that device code is compiled for ------- -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_CONVERSION_CHIPS_H
#define OP2_CONVERSION_CHIPS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace mlir::op2 {

/// The number of NVIDIA's chip, 90 for "sm_90" and "sm_90a"; nothing if LLVM or
/// double precision atomics do not know it.
std::optional<unsigned> getChipNumber(StringRef chip);

/// Whether code can be made for the chip of AMD's, as "gfx90a".
bool isAMDChip(StringRef chip);

/// The chips' names, for messages: NVIDIA's, or AMD's.
std::string getKnownChips();
std::string getAMDChips();

} // namespace mlir::op2

#endif // OP2_CONVERSION_CHIPS_H

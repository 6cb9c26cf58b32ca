//===- DeviceLayout.h - Structs of arrays -----------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On the host a dat is an array of structs: the components of an element lie
// side by side. As a struct of arrays component c of element e stands at
// c * stride + e, where the stride is that of the dat's set.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_DEVICE_DEVICELAYOUT_H
#define OP2_LIB_RUNTIME_DEVICE_DEVICELAYOUT_H

#include "Core/Registry.h"

namespace op2::rt {

/// The size of the dat as a struct of arrays, with what the stride leaves free.
std::size_t bytesAsSoA(Dat const &dat);

/// From `values` in the host's layout to `arrays` of bytesAsSoA, which starts
/// as zeros, and back.
void toSoA(Dat const &dat, char const *values, char *arrays);
void fromSoA(Dat const &dat, char const *arrays, char *values);

/// How often copies were converted to another layout, on stdout; nothing if
/// that never happened.
void reportConversions();

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_DEVICE_DEVICELAYOUT_H

//===- Fallback.h - Loops kept off the device -------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_DEVICE_FALLBACK_H
#define OP2_LIB_RUNTIME_DEVICE_FALLBACK_H

#include <cstdint>

namespace op2::rt {

/// False if the program keeps this loop off devices.
bool mayUseDevice(char const *loop);
/// To be called then: reports it by OP_FALLBACK_MODE; an error if the loop
/// was compiled for nothing else, `host` being its other targets.
void refuseDevice(uint32_t host, char const *loop);

/// At op_init: the file that OP_WHITELIST names, if it is set.
void readWhitelist();

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_DEVICE_FALLBACK_H

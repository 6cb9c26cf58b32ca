//===- Fallback.h - Loops kept off the device -------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_DEVICE_FALLBACK_H
#define OP2_LIB_RUNTIME_DEVICE_FALLBACK_H

#include <cstdint>
#include <string>

namespace op2::rt {

/// Why mayUseDevice is false.
inline constexpr char kKeptOff[] =
    "the program keeps it off (OP_WHITELIST or op_disable_device_execution)";

/// False if the program keeps this loop off devices.
bool mayUseDevice(char const *loop);
/// To be called where a loop may not run on a device, which `why` says: reports
/// it by OP_FALLBACK_MODE; an error if the loop was compiled for nothing else,
/// `host` being its other targets.
void refuseDevice(uint32_t host, char const *loop, std::string const &why);

/// The target of such a loop: one of those of the host in `mask`.
int32_t selectHostTarget(uint32_t mask, char const *loop,
                         std::string const &why);

/// At op_init: the file that OP_WHITELIST names, if it is set.
void readWhitelist();

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_DEVICE_FALLBACK_H

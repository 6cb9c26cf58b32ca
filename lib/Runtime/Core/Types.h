//===- Types.h - Element types and accesses by name -------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_CORE_TYPES_H
#define OP2_LIB_RUNTIME_CORE_TYPES_H

#include <string>

namespace op2::rt {

/// OP2RT_F64 ... for a type string, a number behind those for a type of the
/// application, -1 for an unknown one. ":soa" is dropped; Fortran's spellings
/// are understood.
int parseType(char const *type);
/// The type string's word, "double" ...; "?" for an unknown number.
char const *typeName(int type);
/// Bytes of one component.
int typeSize(int type);
/// "double, float, ..." for messages.
std::string allTypeNames();
/// A type of the application: values that are copied, and never looked into.
bool isUserType(int type);

/// "OP_READ" ... of an access.
char const *accessName(int access);
/// Does the loop look at the incoming value, does it change it?
bool accessReads(int access);
bool accessWrites(int access);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_CORE_TYPES_H

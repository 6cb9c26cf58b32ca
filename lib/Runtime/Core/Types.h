//===- Types.h - Element types and accesses by name -------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_CORE_TYPES_H
#define OP2_LIB_RUNTIME_CORE_TYPES_H

#include "OP2/Runtime/op2rt.h"

#include <string>
#include <type_traits>

namespace op2::rt {

/// OP2RT_F64 ... for a type string, a number behind those for a type of the
/// application, -1 for an unknown one. ":soa" is dropped; Fortran's spellings
/// are understood.
int parseType(char const *type);
/// The type string's word, "double" ...; "?" for an unknown number.
char const *typeName(int type);
/// A type string that the library composes or is given for a moment: equal ones
/// are one, and live as long as the program.
char const *keepTypeString(std::string const &type);
/// In a type string that is kept because the pointer beside it is of another
/// type: between the type and what is wrong.
inline constexpr char kOtherType[] = ", but ";
/// Bytes of one component.
int typeSize(int type);
/// "double, float, ..." for messages.
std::string allTypeNames();
/// A type of the application: values that are copied, and never looked into.
bool isUserType(int type);

/// Signed or not; bool is none.
bool isIntegerType(int type);

/// "OP_READ" ... of an access.
char const *accessName(int access);
/// Does the loop look at the incoming value, does it change it?
bool accessReads(int access);
bool accessWrites(int access);

/// OP_INC of a bool is a logical or: "did any element set it".
template <class T> T addValues(T a, T b) {
  if constexpr (std::is_same_v<T, bool>)
    return a || b;
  else if constexpr (std::is_integral_v<T>)
    // As unsigned numbers: sums that wrap around are not an error here.
    return static_cast<T>(std::make_unsigned_t<T>(a) +
                          std::make_unsigned_t<T>(b));
  else
    return a + b;
}

template <class T> struct TypeTag {
  using Type = T;
};

/// call(TypeTag<T>()) for the type OP2RT_... of numbers.
template <class Function> void forType(int32_t type, Function call) {
  switch (type) {
  case OP2RT_F64:
    return call(TypeTag<double>());
  case OP2RT_F32:
    return call(TypeTag<float>());
  case OP2RT_I32:
    return call(TypeTag<int32_t>());
  case OP2RT_U32:
    return call(TypeTag<uint32_t>());
  case OP2RT_I64:
    return call(TypeTag<int64_t>());
  case OP2RT_U64:
    return call(TypeTag<uint64_t>());
  case OP2RT_BOOL:
    return call(TypeTag<bool>());
  case OP2RT_I8:
    return call(TypeTag<int8_t>());
  case OP2RT_U8:
    return call(TypeTag<uint8_t>());
  case OP2RT_I16:
    return call(TypeTag<int16_t>());
  case OP2RT_U16:
    return call(TypeTag<uint16_t>());
  }
}

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_CORE_TYPES_H

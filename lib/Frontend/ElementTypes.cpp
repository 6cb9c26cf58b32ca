//===- ElementTypes.cpp - Sizes and names of element types ----------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopDescription.h"
#include "llvm/ADT/StringSwitch.h"

using namespace op2::frontend;

int64_t op2::frontend::getByteSize(ElementType type) {
  switch (type) {
  case ElementType::F64:
  case ElementType::I64:
  case ElementType::U64:
    return 8;
  case ElementType::F32:
  case ElementType::I32:
  case ElementType::U32:
    return 4;
  case ElementType::I16:
  case ElementType::U16:
    return 2;
  case ElementType::Bool:
  case ElementType::I8:
  case ElementType::U8:
    return 1;
  }
  llvm_unreachable("unknown element type");
}

std::optional<ElementType>
op2::frontend::parseTypeString(llvm::StringRef text) {
  text.consume_back(":soa");
  return llvm::StringSwitch<std::optional<ElementType>>(text)
      .Cases({"double", "r8", "real*8", "real(8)", "double precision"},
             ElementType::F64)
      .Cases({"float", "r4", "real*4", "real(4)", "real"}, ElementType::F32)
      .Cases({"int", "i4", "integer*4", "integer(4)", "integer", "int(4)"},
             ElementType::I32)
      .Case("uint", ElementType::U32)
      .Cases({"ll", "long long", "long", "i8", "integer*8", "integer(8)"},
             ElementType::I64)
      .Case("ull", ElementType::U64)
      .Case("bool", ElementType::Bool)
      .Cases({"char", "int8", "signed char"}, ElementType::I8)
      .Cases({"uchar", "uint8", "unsigned char"}, ElementType::U8)
      .Cases({"short", "int16"}, ElementType::I16)
      .Cases({"ushort", "uint16", "unsigned short"}, ElementType::U16)
      .Default(std::nullopt);
}

llvm::StringRef op2::frontend::getTypeString(ElementType type) {
  switch (type) {
  case ElementType::F64:
    return "double";
  case ElementType::F32:
    return "float";
  case ElementType::I32:
    return "int";
  case ElementType::U32:
    return "uint";
  case ElementType::I64:
    return "ll";
  case ElementType::U64:
    return "ull";
  case ElementType::Bool:
    return "bool";
  case ElementType::I8:
    return "char";
  case ElementType::U8:
    return "uchar";
  case ElementType::I16:
    return "short";
  case ElementType::U16:
    return "ushort";
  }
  llvm_unreachable("unknown element type");
}

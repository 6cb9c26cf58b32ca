//===- Types.cpp - Element types and accesses by name -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables of type strings and accesses.
//
//===----------------------------------------------------------------------===//

#include "Types.h"
#include "OP2/API/op_rt_support.h"
#include "OP2/Runtime/op2rt.h"

#include <cstring>
#include <string_view>

using namespace op2::rt;

namespace {
struct TypeEntry {
  std::string_view name;
  int type;
};
} // namespace

// The first seven stand in the order of the enumeration.
static constexpr TypeEntry kTypes[] = {
    {"double", OP2RT_F64},     {"float", OP2RT_F32},
    {"int", OP2RT_I32},        {"uint", OP2RT_U32},
    {"ll", OP2RT_I64},         {"ull", OP2RT_U64},
    {"bool", OP2RT_BOOL},      {"r8", OP2RT_F64},
    {"real*8", OP2RT_F64},     {"real(8)", OP2RT_F64},
    {"r4", OP2RT_F32},         {"real*4", OP2RT_F32},
    {"real(4)", OP2RT_F32},    {"i4", OP2RT_I32},
    {"integer*4", OP2RT_I32},  {"integer(4)", OP2RT_I32},
    {"i8", OP2RT_I64},         {"integer*8", OP2RT_I64},
    {"integer(8)", OP2RT_I64}, {"long long", OP2RT_I64},
    {"long", OP2RT_I64},       {"double precision", OP2RT_F64},
    {"real", OP2RT_F32},       {"integer", OP2RT_I32},
    {"int(4)", OP2RT_I32},
};
static constexpr int kNumTypes = 7;

int op2::rt::parseType(char const *type) {
  if (!type)
    return -1;
  std::string_view word(type);
  if (std::size_t colon = word.find(':'); colon != word.npos) {
    if (word.substr(colon) != ":soa")
      return -1;
    word = word.substr(0, colon);
  }
  for (TypeEntry const &entry : kTypes)
    if (entry.name == word)
      return entry.type;
  return -1;
}

char const *op2::rt::typeName(int type) {
  return type >= 0 && type < kNumTypes ? kTypes[type].name.data() : "?";
}

int op2::rt::typeSize(int type) {
  switch (type) {
  case OP2RT_F64:
  case OP2RT_I64:
  case OP2RT_U64:
    return 8;
  case OP2RT_F32:
  case OP2RT_I32:
  case OP2RT_U32:
    return 4;
  case OP2RT_BOOL:
    return 1;
  }
  return 0;
}

std::string op2::rt::allTypeNames() {
  std::string names;
  for (int t = 0; t < kNumTypes; ++t)
    names += (t ? ", " : "") + std::string(kTypes[t].name);
  return names;
}

char const *op2::rt::accessName(int access) {
  static constexpr char const *names[] = {
      "OP_READ", "OP_WRITE", "OP_RW", "OP_INC", "OP_MIN", "OP_MAX", "OP_WORK"};
  return access >= 0 && access < 7 ? names[access] : "an unknown access";
}

bool op2::rt::accessReads(int access) { return access != OP2RT_WRITE; }
bool op2::rt::accessWrites(int access) { return access != OP2RT_READ; }

extern "C" int op_type_matches(char const *type, char const *c_type) {
  int given = parseType(type);
  return given >= 0 && given == parseType(c_type);
}

extern "C" void op_require_type(char const *where, char const *name,
                                char const *type, char const *c_type) {
  if (op_type_matches(type, c_type))
    return;
  char const *space = name && *name ? " " : "";
  if (parseType(type) < 0)
    op2rt_fatal("%s%s%s: unknown type string \"%s\"; expected one of %s", where,
                space, name ? name : "", type ? type : "(NULL)",
                allTypeNames().c_str());
  op2rt_fatal("%s%s%s: type string is \"%s\", but the pointer is to %s", where,
              space, name ? name : "", type, c_type);
}

//===- Types.cpp - Element types and accesses by name -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables of type strings and accesses.
//
//===----------------------------------------------------------------------===//

#include "Types.h"
#include "Error.h"
#include "OP2/API/op_rt_support.h"
#include "OP2/Runtime/op2rt.h"
#include "Threads.h"

#include <deque>
#include <set>
#include <string>
#include <string_view>

using namespace op2::rt;

namespace {
struct TypeEntry {
  std::string_view name;
  int type;
};
} // namespace

// The first ones stand in the order of the enumeration.
static constexpr TypeEntry kTypes[] = {
    {"double", OP2RT_F64},
    {"float", OP2RT_F32},
    {"int", OP2RT_I32},
    {"uint", OP2RT_U32},
    {"ll", OP2RT_I64},
    {"ull", OP2RT_U64},
    {"bool", OP2RT_BOOL},
    {"char", OP2RT_I8},
    {"uchar", OP2RT_U8},
    {"short", OP2RT_I16},
    {"ushort", OP2RT_U16},
    {"r8", OP2RT_F64},
    {"real*8", OP2RT_F64},
    {"real(8)", OP2RT_F64},
    {"r4", OP2RT_F32},
    {"real*4", OP2RT_F32},
    {"real(4)", OP2RT_F32},
    {"i4", OP2RT_I32},
    {"integer*4", OP2RT_I32},
    {"integer(4)", OP2RT_I32},
    {"i8", OP2RT_I64},
    {"integer*8", OP2RT_I64},
    {"integer(8)", OP2RT_I64},
    {"long long", OP2RT_I64},
    {"long", OP2RT_I64},
    {"double precision", OP2RT_F64},
    {"real", OP2RT_F32},
    {"integer", OP2RT_I32},
    {"int(4)", OP2RT_I32},
    {"int8", OP2RT_I8},
    {"uint8", OP2RT_U8},
    {"int16", OP2RT_I16},
    {"uint16", OP2RT_U16},
    {"signed char", OP2RT_I8},
    {"unsigned char", OP2RT_U8},
    {"unsigned short", OP2RT_U16},
    // Fortran's has 4 bytes: 0 or, of the compilers that we know, 1.
    {"logical", OP2RT_I32},
    {"logical(4)", OP2RT_I32},
    {"logical*4", OP2RT_I32},
};
static constexpr int kNumTypes = 11;

namespace {
/// A struct, say, for which the application has a type_error.
struct UserType {
  std::string name;
  int size;
};
} // namespace

/// Their numbers follow those of OP2's own; they stay until the program ends.
static std::deque<UserType> &userTypes() {
  static auto *types = new std::deque<UserType>;
  return *types;
}

static UserType const &userType(int type) {
  return userTypes()[static_cast<std::size_t>(type - kNumTypes)];
}

bool op2::rt::isUserType(int type) { return type >= kNumTypes; }

bool op2::rt::isIntegerType(int type) {
  return type >= 0 && type < kNumTypes && type != OP2RT_F64 &&
         type != OP2RT_F32 && type != OP2RT_BOOL;
}

static std::string_view withoutLayout(std::string_view type) {
  constexpr std::string_view kLayout = ":soa";
  bool has = type.size() >= kLayout.size() &&
             type.substr(type.size() - kLayout.size()) == kLayout;
  return has ? type.substr(0, type.size() - kLayout.size()) : type;
}

int op2::rt::parseType(char const *type) {
  if (!type)
    return -1;
  std::string_view word = withoutLayout(type);
  for (TypeEntry const &entry : kTypes)
    if (entry.name == word)
      return entry.type;
  int number = kNumTypes;
  for (UserType const &known : userTypes()) {
    if (known.name == word)
      return number;
    ++number;
  }
  return -1;
}

char const *op2::rt::typeName(int type) {
  if (isUserType(type))
    return userType(type).name.c_str();
  return type >= 0 && type < kNumTypes ? kTypes[type].name.data() : "?";
}

char const *op2::rt::keepTypeString(std::string const &type) {
  static auto *kept = new std::set<std::string>;
  return kept->insert(type).first->c_str();
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
  case OP2RT_I16:
  case OP2RT_U16:
    return 2;
  case OP2RT_BOOL:
  case OP2RT_I8:
  case OP2RT_U8:
    return 1;
  }
  return isUserType(type) ? userType(type).size : 0;
}

std::string op2::rt::allTypeNames() {
  std::string names;
  for (int t = 0; t < kNumTypes; ++t)
    names += (t ? ", " : "") + std::string(kTypes[t].name);
  return names;
}

char const *op2::rt::accessName(int access) {
  static constexpr char const *names[] = {"OP_READ", "OP_WRITE", "OP_RW",
                                          "OP_INC",  "OP_MIN",   "OP_MAX",
                                          "OP_WORK", "OP_REDUCE"};
  return access >= 0 && access < 8 ? names[access] : "an unknown access";
}

bool op2::rt::accessReads(int access) { return access != OP2RT_WRITE; }
bool op2::rt::accessWrites(int access) { return access != OP2RT_READ; }

extern "C" int op_type_matches(char const *type, char const *c_type) {
  int given = parseType(type);
  return given >= 0 && given == parseType(c_type);
}

/// Makes a type of the application known, which one type string names.
static void declareUserType(char const *where, char const *type, int size) {
  requireTurn(where);
  int known = parseType(type);
  if (known < 0) {
    userTypes().push_back({std::string(withoutLayout(type)), size});
    return;
  }
  if (typeSize(known) != size)
    fatal(Problem::TypeString,
          "%s: type string \"%s\" is given for values of %d bytes, but "
          "%s has %d",
          where, type, size, typeName(known), typeSize(known));
}

extern "C" void op_require_type(char const *where, char const *name,
                                char const *type, char const *c_type,
                                int size) {
  if (!c_type)
    return declareUserType(where, type, size);
  char const *space = name && *name ? " " : "";
  if (parseType(type) < 0)
    fatal(Problem::TypeString,
          "%s%s%s: unknown type string \"%s\"; expected one of %s, or a "
          "type for which op_user_datatypes.h defines type_error",
          where, space, name ? name : "", type ? type : "(NULL)",
          allTypeNames().c_str());
  fatal(Problem::TypeString,
        "%s%s%s: type string is \"%s\", but the pointer is to %s", where, space,
        name ? name : "", type, c_type);
}

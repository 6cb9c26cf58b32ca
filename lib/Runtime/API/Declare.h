//===- Declare.h - Declarations of sets, maps, dats and consts --*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_API_DECLARE_H
#define OP2_LIB_RUNTIME_API_DECLARE_H

#include "Core/Registry.h"
#include "OP2/API/op_lib_core.h"

#include <cstdint>

namespace op2::rt {

/// An error that begins with `where` unless `count` values are what a table or
/// dat of `dim` values an element on `set` holds.
void requireCount(char const *where, char const *name, op_set set, int dim,
                  int64_t count);

/// Sets, maps and dats for whoever has begun a call; messages begin with
/// `where`.
op_set declareSet(int64_t size, char const *name, char const *where);
/// A set whose caller divides it, if ranks have their parts of the mesh.
Set &addSet(int64_t size, char const *name, char const *where);
/// given: the application's array, if that is not `values`.
op_map declareMap(op_set from, op_set to, int dim, int const *values,
                  char const *name, char const *where,
                  void const *given = nullptr);
op_dat declareDat(op_set set, int dim, char const *type, int size,
                  void const *data, char const *name, char const *where,
                  bool isTemporary = false);
/// The same for values that only the caller has.
op_dat declareOwnDat(op_set set, int dim, int type, void const *data,
                     char const *name, char const *where);
/// An error if ranks have their parts of the mesh.
void requireUndivided(char const *where, char const *name);

/// A program in MLIR declares something: its beginning, if it is the first. An
/// error if there are several processes of which nobody knows.
void beginImplicitly(char const *where);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_API_DECLARE_H

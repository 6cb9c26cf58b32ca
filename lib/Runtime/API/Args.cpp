//===- Args.cpp - Arguments of the header's loops ---------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// op_arg_dat and its siblings only fill in the struct. What is wrong with an
// argument is found when the loop starts and its name is known.
//
//===----------------------------------------------------------------------===//

#include "Core/Error.h"
#include "Core/Registry.h"
#include "Core/Threads.h"
#include "Core/Types.h"
#include "OP2/API/op_rt_support.h"
#include "OP2/Runtime/op2rt.h"

using namespace op2::rt;

static op_arg emptyArg(op_arg_type kind) {
  op_arg arg = {};
  arg.index = -1;
  arg.idx = -1;
  arg.argtype = kind;
  arg.opt = 1;
  return arg;
}

/// Compiled loops look at the sizes of such values only.
static void requireSameUserType(op_dat_core const &dat, char const *type) {
  int held = static_cast<Dat const &>(dat).elementType;
  int given = parseType(type);
  if (held != given && (isUserType(held) || isUserType(given)))
    fatal(Problem::TypeString,
          "op_arg_dat: type string is \"%s\", but dat %s holds %s",
          type ? type : "(NULL)", dat.name, typeName(held));
}

extern "C" op_arg op_opt_arg_dat(int opt, op_dat dat, int idx, op_map map,
                                 int dim, char const *type, op_access acc) {
  requireTurn(__func__);
  op_arg arg = emptyArg(OP_ARG_DAT);
  arg.dat = dat;
  arg.map = map;
  arg.dim = dim;
  arg.idx = idx;
  arg.type = type;
  arg.acc = acc;
  arg.opt = opt != 0;
  arg.size = -1;
  // A dead handle is reported by the loop; here it must not be looked into.
  if (opt && findDat(dat)) {
    requireSameUserType(*dat, type);
    arg.index = dat->index;
    arg.size = dat->size;
    arg.data = dat->data;
    arg.data_d = dat->data_d;
  }
  if (opt && findMap(map)) {
    arg.map_data = map->map;
    arg.map_data_d = map->map_d;
  }
  return arg;
}

extern "C" op_arg op_arg_dat(op_dat dat, int idx, op_map map, int dim,
                             char const *type, op_access acc) {
  return op_opt_arg_dat(1, dat, idx, map, dim, type, acc);
}

extern "C" op_arg op_arg_idx(int idx, op_map map) {
  requireTurn(__func__);
  op_arg arg = emptyArg(OP_ARG_IDX);
  arg.map = map;
  arg.dim = 1;
  arg.idx = idx;
  arg.size = sizeof(int);
  arg.type = "int";
  arg.acc = OP_READ;
  if (findMap(map))
    arg.map_data = map->map;
  return arg;
}

extern "C" op_arg op_opt_arg_gbl_char(int opt, char *data, int dim,
                                      char const *type, int size,
                                      op_access acc) {
  op_arg arg = emptyArg(OP_ARG_GBL);
  arg.dim = dim;
  // Too large for a size: as for a dim below 1, the loop reports it.
  if (__builtin_mul_overflow(dim, size, &arg.size))
    arg.size = -1;
  arg.data = data;
  arg.type = type;
  arg.acc = acc;
  // A global that is not there is an optional one that is off.
  arg.opt = opt != 0 && data != nullptr;
  return arg;
}

extern "C" op_arg op_arg_gbl_char(char *data, int dim, char const *type,
                                  int size, op_access acc) {
  op_arg arg = op_opt_arg_gbl_char(1, data, dim, type, size, acc);
  // The loop reports it if there are no data.
  arg.opt = 1;
  return arg;
}

extern "C" op_arg op_arg_info_char(char *data, int dim, char const *type,
                                   int size, int ref) {
  op_arg arg = op_opt_arg_gbl_char(1, data, dim, type, size, ref);
  arg.argtype = OP_ARG_INFO;
  return arg;
}

static char const *checkedType(char const *where, char const *type,
                               char const *c_type, int size) {
  if (!c_type)
    op_require_type(where, "", type, nullptr, size);
  if (!c_type || parseType(type) < 0)
    return type;
  return keepTypeString(std::string(type) + kOtherType + "the pointer is to " +
                        c_type);
}

extern "C" op_arg op_arg_gbl_typed(int opt, char *data, int dim,
                                   char const *type, int size,
                                   char const *c_type, op_access acc) {
  requireTurn(__func__);
  return op_opt_arg_gbl_char(
      opt, data, dim, checkedType(__func__, type, c_type, size), size, acc);
}

extern "C" op_arg op_arg_info_typed(char *data, int dim, char const *type,
                                    int size, char const *c_type, int ref) {
  requireTurn(__func__);
  return op_arg_info_char(data, dim, checkedType(__func__, type, c_type, size),
                          size, ref);
}

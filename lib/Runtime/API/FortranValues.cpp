//===- FortranValues.cpp - Values and queries of Fortran programs ---------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Core/Error.h"
#include "Core/Registry.h"
#include "Core/Threads.h"
#include "Core/Types.h"
#include "Execute/Loop.h"
#include "OP2/API/op_rt_support.h"
#include "OP2/Runtime/op2f.h"

#include <map>
#include <memory>

using namespace op2::rt;

/// An error unless `count` values of `kind` are enough; negative: not known.
static void requireArray(Dat const &dat, char const *kind, int64_t count,
                         int64_t rows, char const *where) {
  if (dat.elementType != parseType(kind))
    fatal(Problem::TypeString,
          "%s %s: the dat holds %s, but the array is of type %s", where,
          dat.name, typeName(dat.elementType), kind);
  requireOwnValues(dat, where);
  if (count >= 0 && count < rows * dat.dim)
    fatal(Problem::Size,
          "%s %s: the array has %lld values; expected at least %lld (%lld "
          "elements, dim %d)",
          where, dat.name, static_cast<long long>(count),
          static_cast<long long>(rows * dat.dim), static_cast<long long>(rows),
          dat.dim);
}

extern "C" void op2f_fetch_data(op_dat handle, char const *kind, void *data,
                                int64_t count) {
  Call const call("op_fetch_data");
  Dat const &dat = requireDat(handle, "op_fetch_data");
  requireArray(dat, kind, count, static_cast<Set *>(dat.set)->declaredSize,
               "op_fetch_data");
  op_fetch_data_char(handle, static_cast<char *>(data));
}

extern "C" void op2f_fetch_data_idx(op_dat handle, char const *kind, void *data,
                                    int64_t count, int low, int high) {
  Call const call("op_fetch_data_idx");
  Dat const &dat = requireDat(handle, "op_fetch_data_idx");
  requireArray(dat, kind, count, int64_t(high) - low + 1, "op_fetch_data_idx");
  op_fetch_data_idx_char(handle, static_cast<char *>(data), low, high);
}

extern "C" int op2f_set_size_of_dat(op_dat dat) {
  Call const call("get_associated_set_size");
  return requireDat(dat, "get_associated_set_size").set->size;
}

extern "C" int op2f_map_dim(op_arg const *arg) {
  Map const *map = findMap(arg->map);
  return map ? map->dim : 0;
}

static void forDats(int nargs, op_arg const *args, void (*action)(op_dat)) {
  for (int m = 0; m < nargs; ++m)
    if (args[m].argtype == OP_ARG_DAT && args[m].opt)
      action(args[m].dat);
}

extern "C" void op2f_get_all(int nargs, op_arg const *args) {
  forDats(nargs, args, op_download_dat);
}
extern "C" void op2f_put_all(int nargs, op_arg const *args) {
  forDats(nargs, args, op_upload_dat);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

namespace {
/// A dat that no list has.
struct DatCopy {
  op_set_core set;
  op_dat_core dat;
  std::vector<char> values;
};
} // namespace

static std::map<op_dat, std::unique_ptr<DatCopy>> &copies() {
  static auto *all = new std::map<op_dat, std::unique_ptr<DatCopy>>;
  return *all;
}

extern "C" op_dat op2f_mpi_get_data(op_dat handle) {
  Call const call("op_mpi_get_data");
  Dat const &dat = requireDat(handle, "op_mpi_get_data");
  auto copy = std::make_unique<DatCopy>();
  int32_t rows = static_cast<Set const &>(*dat.set).declaredSize;
  copy->set = *dat.set;
  copy->set.size = copy->set.core_size = rows;
  copy->dat = dat;
  copy->dat.set = &copy->set;
  copy->dat.data_d = copy->dat.buffer_d = copy->dat.buffer_d_r = nullptr;
  copy->values.resize(static_cast<std::size_t>(rows) *
                      static_cast<std::size_t>(dat.size));
  copy->dat.data = copy->values.data();
  op_fetch_data_char(handle, copy->dat.data);
  op_dat result = &copy->dat;
  copies()[result] = std::move(copy);
  return result;
}

extern "C" void op2f_mpi_free_data(op_dat dat) {
  Call const call("op_mpi_free_data");
  if (!copies().erase(dat))
    fatal(Problem::Handle,
          "op_mpi_free_data: %p is not a dat that op_mpi_get_data has "
          "made, or was freed before",
          static_cast<void *>(dat));
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

extern "C" void op2f_dump_arg(op_arg const *arg) {
  Dat const *dat = findDat(arg->dat);
  Map const *map = findMap(arg->map);
  std::printf("index = %d\n", arg->index);
  if (dat)
    std::printf("dat name = %s, type = %s\n", dat->name, dat->type);
  if (map)
    std::printf("map name = %s, dim = %d\n", map->name, map->dim);
  std::printf("dim and size = %d, %d\ntype = %s\naccess = %s\nargtype = %d\n"
              "sent = %d\n",
              arg->dim, arg->size, arg->type ? arg->type : "(NULL)",
              accessName(arg->acc), arg->argtype, arg->sent);
}

extern "C" void op2f_set_kernel_time(char const *name, double seconds,
                                     float bytes, int count) {
  Call const call("setKernelTime");
  static auto *known = new std::map<std::string, LoopState *>;
  LoopState *&state = (*known)[name];
  if (!state) {
    state = &newLoopState(name);
    state->strategy = "by the program";
  }
  state->count += count;
  state->seconds += seconds;
  state->bytes += bytes;
}

//===----------------------------------------------------------------------===//
// Done otherwise
//===----------------------------------------------------------------------===//

extern "C" void op2f_change_maps(char const *name) {
  fatal(Problem::NotThere,
        "%s: the library's tables count from 0 and stay so; expected "
        "op_init_base with the least value of the program's own tables",
        name);
}

extern "C" int64_t op2f_get_g_index(op_set) {
  fatal(Problem::NotThere,
        "op_get_g_index: not there; op_dat_write_index and op_arg_idx "
        "give elements their numbers");
}

extern "C" void op2f_mpi_probe_halo_index(op_set, int, int *, int *) {
  fatal(Problem::NotThere,
        "op_mpi_probe_halo_index: not there; the lists of imported "
        "elements are the library's");
}

//===- HandLoop.cpp - Loops that applications write by hand -----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls around a loop that is no op_par_loop: BLAS on dat->data, a CUDA
// kernel of the application. With one process they only see to it that values
// are current where the loop looks. Where ranks declare the whole mesh, the
// program is one for one process: each of them runs over the whole set, on
// arrays with all values. Where they declare blocks, each runs over its part.
//
//===----------------------------------------------------------------------===//

#include "Core/Error.h"
#include "Core/Job.h"
#include "Core/Threads.h"
#include "Core/Types.h"
#include "Device/DeviceCuda.h"
#include "Device/DeviceData.h"
#include "OP2/API/op_rt_support.h"
#include "Ranks/Exchange.h"
#include "Ranks/RankReduction.h"
#include "Ranks/Ranks.h"
#include "Ranks/Storage.h"
#include "Renumber/Renumber.h"

using namespace op2::rt;

namespace {
enum Side { kHost = 1, kDevice = 2 };
} // namespace

static Side sideOf(int device, char const *where) {
  if (device != kHost && device != kDevice)
    fatal(Problem::Call, "%s: device is %d; expected 1 (host) or 2 (device)",
          where, device);
  return static_cast<Side>(device);
}

/// The dat of an argument that takes part; NULL for all others.
static Dat *datOf(op_arg const &arg, int number, char const *where) {
  if (arg.argtype != OP_ARG_DAT || !arg.opt)
    return nullptr;
  Dat *dat = findDat(arg.dat);
  if (!dat)
    fatal(Problem::Handle, "%s, argument %d: %p is not a living dat", where,
          number, static_cast<void *>(arg.dat));
  return dat;
}

static void requireArgs(int nargs, op_arg const *args, char const *where) {
  if (nargs < 0 || (nargs > 0 && !args))
    fatal(Problem::Pointer,
          "%s: %d arguments at %p; expected 0 or more, and not at NULL", where,
          nargs, static_cast<void const *>(args));
}

/// The loop as all ranks know it.
static LoopName nameOf(op_set set, int nargs, op_arg const *args,
                       char const *where) {
  uint32_t hash =
      addToHash(kFirstHash, uint32_t(static_cast<Set *>(set)->number));
  for (int m = 0; m < nargs; ++m) {
    Dat *dat = datOf(args[m], m, where);
    Map *map = dat ? findMap(args[m].map) : nullptr;
    for (int value : {dat ? dat->number + 1 : 0, map ? map->number + 1 : 0,
                      dat ? args[m].acc : 0})
      hash = addToHash(hash, uint32_t(value));
  }
  return {where, hash};
}

/// The values of all ranks, and whole tables. Ranks that do not all come here
/// would take what others say of something else for these.
static void showWholeMesh(op_set set, int nargs, op_arg const *args,
                          char const *where) {
  agreeOnPending({nameOf(set, nargs, args, where)});
  for (int m = 0; m < nargs; ++m) {
    Dat *dat = datOf(args[m], m, where);
    if (!dat)
      continue;
    keepInArray(*dat);
    if (Map *map = findMap(args[m].map))
      keepWholeTable(*map);
  }
}

/// Brings what the loop reads of other ranks. How many imported elements it
/// runs as well: all, if it changes something through maps.
static int beginOnPart(op_set set, int nargs, op_arg const *args,
                       char const *where) {
  bool isIndirect = false;
  std::vector<Need> read;
  for (int m = 0; m < nargs; ++m) {
    Dat *dat = datOf(args[m], m, where);
    if (!dat)
      continue;
    if (dat->inArray)
      fatal(Problem::Overlay,
            "%s, argument %d: dat %s lies in an array as it was declared "
            "(OP_NO_REALLOC, overlays), which has no imported rows; expected "
            "loops written for several ranks to have dats of their own",
            where, m, dat->name);
    isIndirect |= args[m].map && accessWrites(args[m].acc);
    if (args[m].acc == OP_READ || args[m].acc == OP_RW)
      read.push_back({dat, /*list=*/0});
  }
  std::vector<Exchange> exchanges;
  bringImports(read, exchanges, where);
  return isIndirect ? set->exec_size : 0;
}

/// The result: beginOnPart.
static int beginOnRanks(op_set set, int nargs, op_arg const *args, Side side,
                        char const *where) {
  if (side == kDevice)
    fatal(Problem::NotOnRanks, "%s: devices are not there yet on several ranks",
          where);
  distribute(where);
  if (!job.declaresWhole)
    return beginOnPart(set, nargs, args, where);
  showWholeMesh(set, nargs, args, where);
  return 0;
}

namespace {
/// Where an argument has its values and its table.
struct Place {
  char *data;
  int *table;
};
} // namespace

static std::vector<Place> placesOf(int nargs, op_arg const *args,
                                   char const *where) {
  std::vector<Place> places;
  for (int m = 0; m < nargs; ++m) {
    Dat *dat = datOf(args[m], m, where);
    Map *map = dat ? findMap(args[m].map) : nullptr;
    places.push_back({dat ? dat->data : nullptr, map ? map->map : nullptr});
  }
  return places;
}

/// Loops as OP2's translator writes them go on with the arguments that they
/// were given, not with those that are told here where everything is.
static void requireInPlace(std::vector<Place> const &before, op_arg const *args,
                           char const *where) {
  std::vector<Place> const now = placesOf(int(before.size()), args, where);
  for (std::size_t m = 0; m < before.size(); ++m) {
    bool hasMoved =
        now[m].data != before[m].data && args[m].data == before[m].data;
    bool hasOther =
        now[m].table != before[m].table && args[m].map_data == before[m].table;
    if (hasMoved || hasOther)
      fatal(
          Problem::Order,
          "%s, argument %d: %s %s is elsewhere once the mesh has been divided "
          "or renumbered, which this first loop asks for, and op_arg_dat has "
          "told where it was before; expected op_partition before the loop",
          where, int(m), hasMoved ? "dat" : "map",
          hasMoved ? args[m].dat->name : args[m].map->name);
  }
}

static int exchange(op_set set, int nargs, op_arg *args, Side side,
                    char const *where) {
  requireSet(set, where);
  requireArgs(nargs, args, where);
  settleStorage();
  std::vector<Place> const places = placesOf(nargs, args, where);
  renumberIfRequested();
  int imported = hasRanks() ? beginOnRanks(set, nargs, args, side, where) : 0;
  requireInPlace(places, args, where);
  for (int m = 0; m < nargs; ++m) {
    Dat *dat = datOf(args[m], m, where);
    if (dat && side == kHost) {
      makeHostCurrent(*dat);
      args[m].data = dat->data;
      if (Map *map = findMap(args[m].map))
        args[m].map_data = map->map;
    } else if (dat) {
      args[m].data_d = makeDeviceCurrent(*dat);
      if (Map *map = findMap(args[m].map))
        args[m].map_data_d = tableOnDevice(*map);
    }
  }
  return set->size + imported;
}

static void noteWrites(int nargs, op_arg const *args, Side side,
                       char const *where) {
  Call const call(where);
  requireArgs(nargs, args, where);
  for (int m = 0; m < nargs; ++m) {
    Dat *dat = datOf(args[m], m, where);
    if (!dat || !accessWrites(args[m].acc))
      continue;
    programChanged(*dat);
    dat->hasValues = true;
    if (side == kHost)
      hostChanged(*dat);
    else
      deviceChanged(*dat);
  }
}

extern "C" int op_mpi_halo_exchanges(op_set set, int nargs, op_arg *args) {
  Call const call(__func__);
  return exchange(set, nargs, args, kHost, "op_mpi_halo_exchanges");
}
extern "C" int op_mpi_halo_exchanges_cuda(op_set set, int nargs, op_arg *args) {
  Call const call(__func__);
  return exchange(set, nargs, args, kDevice, "op_mpi_halo_exchanges_cuda");
}
extern "C" int op_mpi_halo_exchanges_grouped(op_set set, int nargs,
                                             op_arg *args, int device) {
  Call const call(__func__);
  char const *where = "op_mpi_halo_exchanges_grouped";
  return exchange(set, nargs, args, sideOf(device, where), where);
}
extern "C" void op_mpi_set_dirtybit(int nargs, op_arg *args) {
  noteWrites(nargs, args, kHost, "op_mpi_set_dirtybit");
}
extern "C" void op_mpi_set_dirtybit_cuda(int nargs, op_arg *args) {
  noteWrites(nargs, args, kDevice, "op_mpi_set_dirtybit_cuda");
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Each rank has its result in `data`; arg->data gets that of all. Who has run
/// over the whole mesh has that already.
static void reduce(op_arg *arg, void *data, int32_t type, char const *where) {
  Call const call(where);
  bool isReduced = arg && arg->opt && arg->argtype == OP_ARG_GBL &&
                   (arg->acc == OP_INC || arg->acc == OP_MIN ||
                    arg->acc == OP_MAX || arg->acc == OP_WRITE);
  if (!hasRanks() || job.declaresWhole || !isReduced ||
      OP_disable_mpi_reductions)
    return;
  auto bytes = static_cast<std::size_t>(arg->dim) *
               static_cast<std::size_t>(typeSize(type));
  Bytes const own(static_cast<char *>(data), static_cast<char *>(data) + bytes);
  if (arg->acc == OP_INC)
    std::memset(arg->data, 0, bytes);
  else
    std::memcpy(arg->data, own.data(), bytes);
  combineOverRanks(arg->data, own, arg->acc, type, arg->dim, where);
}

extern "C" void op_mpi_reduce_float(op_arg *arg, float *data) {
  reduce(arg, data, OP2RT_F32, __func__);
}
extern "C" void op_mpi_reduce_double(op_arg *arg, double *data) {
  reduce(arg, data, OP2RT_F64, __func__);
}
extern "C" void op_mpi_reduce_int(op_arg *arg, int *data) {
  reduce(arg, data, OP2RT_I32, __func__);
}
extern "C" void op_mpi_reduce_bool(op_arg *arg, bool *data) {
  reduce(arg, data, OP2RT_BOOL, __func__);
}
extern "C" void op_mpi_reduce_combined(op_arg *args, int nargs) {
  requireArgs(nargs, args, __func__);
  for (int m = 0; m < nargs; ++m)
    if (args[m].argtype == OP_ARG_GBL)
      reduce(&args[m], args[m].data, parseType(args[m].type), __func__);
}
extern "C" void op_mpi_barrier(void) {
  Call const call(__func__);
  if (hasRanks())
    communicator().barrier();
}

//===----------------------------------------------------------------------===//
// Nothing to do: exchanges wait
//===----------------------------------------------------------------------===//

extern "C" void op_mpi_wait_all(int, op_arg *) {}
extern "C" void op_mpi_wait_all_cuda(int, op_arg *) {}
extern "C" void op_mpi_wait_all_grouped(int, op_arg *, int) {}
extern "C" void op_mpi_test_all(int, op_arg *) {}
extern "C" void op_mpi_test_all_grouped(int, op_arg *) {}
extern "C" void op_mpi_reset_halos(int, op_arg *) {}
extern "C" void *op_mpi_perf_time(char const *, double) { return nullptr; }
extern "C" void op_disable_mpi_reductions(bool disable) {
  Call const call(__func__);
  OP_disable_mpi_reductions = disable;
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

extern "C" void deviceSync(void) {
  Call const call(__func__);
  if (usedDevice(1))
    cudaDevice().wait("deviceSync");
}
extern "C" int getHybridGPU(void) { return OP_hybrid_gpu; }
extern "C" int getSetSizeFromOpArg(op_arg *arg) {
  Call const call(__func__);
  if (!arg || !arg->opt || arg->argtype != OP_ARG_DAT)
    return 0;
  return op_get_size_local_full(
      requireDat(arg->dat, "getSetSizeFromOpArg").set);
}
extern "C" bool op_type_equivalence(char const *a, char const *b) {
  return parseType(a) >= 0 && parseType(a) == parseType(b);
}

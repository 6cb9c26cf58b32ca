//===- Output.cpp - Values for the application and for files ----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// op_fetch_data, op_print_dat_to_*, and the size queries.
//
//===----------------------------------------------------------------------===//

#include "Core/Copies.h"
#include "Core/Error.h"
#include "Core/Job.h"
#include "Core/MapTable.h"
#include "Core/OutputFile.h"
#include "Core/PlainNumbers.h"
#include "Core/Registry.h"
#include "Core/Threads.h"
#include "Core/Types.h"
#include "Core/UserOrder.h"
#include "OP2/API/op_rt_support.h"
#include "OP2/Runtime/op2f.h"

#include <cerrno>
#include <cstring>

using namespace op2::rt;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

extern "C" idx_g_t op_get_size(op_set set) {
  Call const call(__func__);
  return requireSet(set, "op_get_size").globalSize;
}
extern "C" idx_g_t op_get_global_set_offset(op_set set) {
  Call const call(__func__);
  return requireSet(set, "op_get_global_set_offset").declaredBegin;
}
extern "C" idx_l_t op_get_size_local(op_set set) {
  Call const call(__func__);
  return requireSet(set, "op_get_size_local").size;
}
extern "C" idx_l_t op_get_size_local_core(op_set set) {
  Call const call(__func__);
  return requireSet(set, "op_get_size_local_core").core_size;
}
extern "C" idx_l_t op_get_size_local_exec(op_set set) {
  Call const call(__func__);
  requireSet(set, "op_get_size_local_exec");
  return set->size + set->exec_size;
}
extern "C" idx_l_t op_get_size_local_full(op_set set) {
  Call const call(__func__);
  requireSet(set, "op_get_size_local_full");
  return set->size + set->exec_size + set->nonexec_size;
}
extern "C" int op_size_of_set(char const *name) {
  Call const call(__func__);
  for (op_set set : registry().sets)
    if (name && static_cast<Set *>(set)->ownName == name)
      return set->size;
  return -1;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

extern "C" void op_require_values(char const *where, op_dat dat,
                                  char const *c_type, int size) {
  Call const call(where);
  Dat const &from = requireDat(dat, where);
  op_require_type(where, from.name, from.type, c_type, size);
  requireOwnValues(from, where);
}

/// Once.
static void warnOfBlock(Dat const &dat, Set const &set) {
  if (!job.mayMeanWhole || !isRoot())
    return;
  job.mayMeanWhole = false;
  warning(Problem::RanksDeclare,
          "op_fetch_data %s: gives each rank the block that it has read, rank "
          "0 %d of %lld elements of set %s; a program for one process needs "
          "OP2_RANKS=whole (OP2_RANKS=blocks: no such warning)",
          dat.name, set.declaredSize, static_cast<long long>(set.globalSize),
          set.name);
}

extern "C" void op_fetch_data_char(op_dat dat, char *data) {
  Call const call(__func__);
  Dat &from = requireDat(dat, "op_fetch_data");
  Set const &set = static_cast<Set &>(*dat->set);
  if (!data && set.declaredSize > 0)
    fatal(Problem::Pointer, "op_fetch_data %s: the buffer is NULL", dat->name);
  warnOfBlock(from, set);
  makeHostCurrent(from);
  copyToUser(from, set.declaredBegin, set.declaredBegin + set.declaredSize,
             data);
}

extern "C" void op_fetch_data_idx_char(op_dat dat, char *data, int low,
                                       int high) {
  Call const call(__func__);
  Dat &from = requireDat(dat, "op_fetch_data_idx");
  int64_t size = static_cast<Set &>(*dat->set).globalSize;
  if (low < 0 || high >= size || low > high)
    fatal(Problem::Size,
          "op_fetch_data_idx %s: elements %lld..%lld; expected a range in "
          "%d..%lld",
          dat->name, shown(low), shown(high), firstNumber, shown(size - 1));
  if (!data)
    fatal(Problem::Pointer, "op_fetch_data_idx %s: the buffer is NULL",
          dat->name);
  makeHostCurrent(from);
  copyToUser(from, low, int64_t(high) + 1, data);
}

// The caller may write there, so the device's copy is out of date from now on.
extern "C" unsigned long op_get_data_ptr(op_dat dat) {
  Call const call(__func__);
  Dat &from = requireDat(dat, "op_get_data_ptr");
  makeHostCurrent(from);
  hostChanged(from);
  programChanged(from);
  return reinterpret_cast<unsigned long>(from.data);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static void printValue(std::FILE *file, int type, void const *value) {
  switch (type) {
  case OP2RT_F64:
    std::fprintf(file, " %+2.15lE", *static_cast<double const *>(value));
    return;
  case OP2RT_F32:
    std::fprintf(file, " %+f", double(*static_cast<float const *>(value)));
    return;
  case OP2RT_I32:
    std::fprintf(file, " %+d", *static_cast<int const *>(value));
    return;
  case OP2RT_U32:
    std::fprintf(file, " %u", *static_cast<unsigned const *>(value));
    return;
  case OP2RT_I64:
    std::fprintf(file, " %+lld", *static_cast<long long const *>(value));
    return;
  case OP2RT_U64:
    std::fprintf(file, " %llu",
                 *static_cast<unsigned long long const *>(value));
    return;
  case OP2RT_BOOL:
    std::fprintf(file, " %+d", *static_cast<bool const *>(value) ? 1 : 0);
    return;
  case OP2RT_I8:
    std::fprintf(file, " %+d", *static_cast<int8_t const *>(value));
    return;
  case OP2RT_U8:
    std::fprintf(file, " %u", *static_cast<uint8_t const *>(value));
    return;
  case OP2RT_I16:
    std::fprintf(file, " %+d", *static_cast<int16_t const *>(value));
    return;
  case OP2RT_U16:
    std::fprintf(file, " %u", *static_cast<uint16_t const *>(value));
    return;
  }
}

static void requireNumbers(char const *where, Dat const &dat) {
  if (isUserType(dat.elementType))
    fatal(Problem::ValueType,
          "%s: dat %s holds values of the application's type %s, which "
          "have no text; print what op_fetch_data gives",
          where, dat.name, typeName(dat.elementType));
  requireOwnValues(dat, where);
}

static int globalSizeOf(Dat const &dat) {
  return static_cast<int>(static_cast<Set &>(*dat.set).globalSize);
}

/// On ranks all of them call it; the root has the file.
static void printElements(std::FILE *file, Dat const &dat) {
  PlainNumbers const plain;
  int bytes = dat.size / dat.dim;
  visitValues(dat, Visitors::Root,
              [&](int64_t begin, int64_t end, char const *row) {
                for (int64_t e = begin; e < end; ++e, row += dat.size) {
                  for (int d = 0; d < dat.dim; ++d)
                    printValue(file, dat.elementType, row + d * bytes);
                  std::fputc('\n', file);
                }
              });
}

extern "C" void op_print_dat_to_txtfile(op_dat dat, char const *file_name) {
  Call const call(__func__);
  Dat &from = requireDat(dat, "op_print_dat_to_txtfile");
  requireNumbers(__func__, from);
  makeHostCurrent(from);
  OutputFile const file = openOutput("op_print_dat_to_txtfile", file_name, "w");
  if (isRoot())
    std::fprintf(file.get(), "%d %d\n", globalSizeOf(from), dat->dim);
  printElements(file.get(), from);
}

extern "C" void op_print_dat_to_binfile(op_dat dat, char const *file_name) {
  Call const call(__func__);
  Dat &from = requireDat(dat, "op_print_dat_to_binfile");
  makeHostCurrent(from);
  OutputFile const file =
      openOutput("op_print_dat_to_binfile", file_name, "wb");
  int32_t header[2] = {globalSizeOf(from), dat->dim};
  if (isRoot())
    std::fwrite(header, sizeof(int32_t), 2, file.get());
  visitValues(from, Visitors::Root,
              [&](int64_t begin, int64_t end, char const *rows) {
                std::fwrite(rows, static_cast<size_t>(dat->size),
                            static_cast<size_t>(end - begin), file.get());
              });
}

extern "C" void op2f_dump_dat(op_dat dat, char const *file_name) {
  Call const call("dumpOpDat");
  Dat &from = requireDat(dat, "dumpOpDat");
  requireNumbers("dumpOpDat", from);
  makeHostCurrent(from);
  OutputFile const file = openOutput("dumpOpDat", file_name, "w");
  PlainNumbers const plain;
  int bytes = from.size / from.dim;
  visitValues(from, Visitors::Root,
              [&](int64_t begin, int64_t end, char const *row) {
                for (int64_t e = begin; e < end; ++e, row += from.size)
                  for (int d = 0; d < from.dim; ++d) {
                    std::fprintf(file.get(), "%lld, %d ->",
                                 static_cast<long long>(e), d);
                    printValue(file.get(), from.elementType, row + d * bytes);
                    std::fputc('\n', file.get());
                  }
              });
}

extern "C" void op2f_dump_map(op_map map, char const *file_name) {
  Call const call("dumpOpMap");
  Map &from = requireMap(map, "dumpOpMap");
  requireTable(from, "dumpOpMap");
  OutputFile const file = openOutput("dumpOpMap", file_name, "w");
  visitTable(
      from, Visitors::Root, [&](int64_t begin, int64_t end, char const *rows) {
        auto const *row = reinterpret_cast<int const *>(rows);
        for (int64_t e = begin; e < end; ++e, row += from.dim) {
          std::fprintf(file.get(), "%lld -->", static_cast<long long>(e));
          for (int slot = 0; slot < from.dim; ++slot)
            std::fprintf(file.get(), " %d", row[slot]);
          std::fputc('\n', file.get());
        }
      });
}

extern "C" void op_dump_dat(op_dat dat) {
  Call const call(__func__);
  Dat &from = requireDat(dat, "op_dump_dat");
  requireNumbers(__func__, from);
  makeHostCurrent(from);
  if (isRoot())
    std::printf("dat %s: %d elements of %d %s\n", dat->name, globalSizeOf(from),
                dat->dim, dat->type);
  printElements(stdout, from);
  requirePrinted(__func__);
}

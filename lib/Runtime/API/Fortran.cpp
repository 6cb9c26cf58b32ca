//===- Fortran.cpp - The beginning of Fortran programs, and arguments -----===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the Fortran modules need beside the C functions, because Fortran has its
// own command line, buffers, type strings and constants.
//
//===----------------------------------------------------------------------===//

#include "Core/Error.h"
#include "Core/Job.h"
#include "Core/Registry.h"
#include "Core/Threads.h"
#include "Core/Types.h"
#include "Execute/Loop.h"
#include "OP2/API/op_rt_support.h"
#include "OP2/Runtime/op2f.h"

#include <cctype>
#include <climits>
#include <cstring>
#include <strings.h>
#include <vector>

using namespace op2::rt;

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

/// The command line so far.
static std::vector<std::string> &commandLine() {
  static auto *words = new std::vector<std::string>;
  return *words;
}

extern "C" void op2f_add_argument(char const *word) {
  commandLine().emplace_back(word);
}

extern "C" void op2f_init(int diags, int base, int soa,
                          int const *communicators) {
  if (base != 0 && base != 1)
    fatal(Problem::Call,
          "op_init_base: base_idx is %d; expected 0 or 1, the least "
          "value in tables of maps",
          base);
  std::vector<char *> argv;
  for (std::string &word : commandLine())
    argv.push_back(word.data());
  argv.push_back(nullptr);
  auto argc = static_cast<int>(commandLine().size());
  if (communicators)
    op_mpi_init_soa(argc, argv.data(), diags, communicators[0],
                    communicators[1], soa);
  else
    op_init_soa(argc, argv.data(), diags, soa);
  // Counts more than what the command line says.
  OP_maps_base_index = base;
  firstNumber = 1;
  commandLine().clear();
}

extern "C" void op2f_flush(void) { std::fflush(stdout); }

extern "C" int op2f_mpi_size(void) { return job.size; }

extern "C" int op2f_is_partitioned(void) { return OP_is_partitioned; }

extern "C" void op2f_malloc(int64_t *address, int const *bytes) {
  if (*bytes < 0)
    fatal(Problem::Size, "op_memalloc: %d bytes; expected 0 or more", *bytes);
  *address =
      reinterpret_cast<int64_t>(op_malloc(static_cast<std::size_t>(*bytes)));
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Capital letters are small ones in Fortran.
static int parse(char const *type) {
  std::string word = type;
  for (char &letter : word)
    letter =
        static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return parseType(word.c_str());
}

/// C's word for Fortran's, without ":soa"; what is not known stays as it is.
static char const *wordOf(char const *type) {
  int parsed = parse(type);
  return parsed < 0 ? keepTypeString(type) : typeName(parsed);
}

/// The same for a variable of `kind`: what is wrong with it is said when the
/// loop begins.
static char const *wordFor(char const *type, char const *kind) {
  if (parse(type) >= 0 && parse(type) != parse(kind))
    return keepTypeString(std::string(type) + " (but the variable is of type " +
                          kind + ")");
  return wordOf(type);
}

/// The type of a dat, with its layout; an error unless its values are of
/// `kind`.
static std::string requireKind(char const *where, char const *name,
                               char const *type, char const *kind) {
  int parsed = parse(type);
  if (parsed < 0)
    fatal(Problem::TypeString,
          "%s %s: unknown type string \"%s\"; expected \"real(8)\", "
          "\"real(4)\", \"integer(4)\", \"integer(8)\" or \"logical\"",
          where, name, type);
  if (kind && parsed != parse(kind))
    fatal(Problem::TypeString,
          "%s %s: type string is \"%s\", but the array is of type %s", where,
          name, type, kind);
  char const *layout = strcasestr(type, ":soa");
  return std::string(typeName(parsed)) + (layout ? ":soa" : "");
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

static void requireContiguous(char const *where, char const *name,
                              void const *data, int64_t count) {
  if (data && count == OP2F_NOT_CONTIGUOUS)
    fatal(Problem::FortranArray,
          "%s %s: the values of the array do not lie side by side; expected a "
          "contiguous array",
          where, name);
}

/// An error unless the array has rows of `dim` values for the whole set. What
/// else is wrong is said later.
static void requireRows(char const *where, char const *name, op_set set,
                        int64_t dim, void const *data, int64_t count) {
  requireContiguous(where, name, data, count);
  Set const *of = findSet(set);
  if (!of || !data || count < 0 || dim < 1)
    return;
  int64_t expected = int64_t(of->declaredSize) * dim;
  if (count < expected)
    fatal(Problem::Size,
          "%s %s: the array has %lld values; expected at least %lld (%d "
          "elements of set %s, dim %lld)",
          where, name, static_cast<long long>(count),
          static_cast<long long>(expected), of->declaredSize, of->name,
          static_cast<long long>(dim));
}

extern "C" void op2f_require_table(char const *name, op_set from, int dim,
                                   void const *table, int64_t count) {
  Call const call("op_decl_map");
  requireRows("op_decl_map", name, from, dim, table, count);
}

extern "C" void op2f_warn_of_rows(char const *where, char const *name, int dim,
                                  int64_t extent) {
  warning(Problem::FortranArray,
          "%s %s: the array's first dimension has %lld values; expected the %d "
          "of an element to lie side by side, in the first dimensions",
          where, name, static_cast<long long>(extent), dim);
}

extern "C" void op2f_require_elements(char const *name, int size,
                                      int64_t count) {
  Call const call("op_decl_subset");
  if (count >= 0 && count < size)
    fatal(Problem::Size,
          "op_decl_subset %s: the array has %lld values; expected at least %d",
          name, static_cast<long long>(count), size);
}

extern "C" op_dat op2f_decl_dat(op_set set, int dim, char const *type,
                                char const *kind, void *data, int64_t count,
                                char const *name) {
  Call const call(__func__);
  std::string word = requireKind("op_decl_dat", name, type, kind);
  requireRows("op_decl_dat", name, set, dim, data, count);
  return op_decl_dat_char(set, dim, word.c_str(), typeSize(parse(type)),
                          static_cast<char *>(data), name);
}

extern "C" op_dat op2f_decl_dat_layers(op_set set, int levels, int dim,
                                       char const *type, char const *kind,
                                       void *data, int64_t count,
                                       char const *name) {
  Call const call(__func__);
  std::string word = requireKind("op_decl_dat_layers", name, type, kind);
  if (levels > 0 && dim > 0)
    requireRows("op_decl_dat_layers", name, set, int64_t(levels) * dim, data,
                count);
  return op_decl_dat_layers_char(set, levels, dim, word.c_str(),
                                 typeSize(parse(type)),
                                 static_cast<char *>(data), name);
}

extern "C" op_layers op2f_decl_layers_varying(op_set columns, int const *ranges,
                                              char const *name) {
  Call const call(__func__);
  Set const *of = findSet(columns);
  std::vector<int> counted(
      ranges, ranges + (of ? 2 * std::ptrdiff_t(of->declaredSize) : 0));
  for (std::size_t first = 0; first < counted.size(); first += 2)
    counted[first] = counted[first] > INT_MIN ? counted[first] - 1 : INT_MIN;
  return op_decl_layers_varying(columns, counted.data(), name);
}

extern "C" op_dat op2f_decl_dat_temp(op_set set, int dim, char const *type,
                                     char const *name) {
  Call const call(__func__);
  std::string word = requireKind("op_decl_dat_temp", name, type, nullptr);
  return op_decl_dat_temp_char(set, dim, word.c_str(), typeSize(parse(type)),
                               name);
}

extern "C" void op2f_decl_const(int dim, char const *kind, void *data,
                                int64_t count, char const *name) {
  Call const call(__func__);
  if (!std::strcmp(kind, "character"))
    return;
  requireContiguous("op_decl_const", name, data, count);
  if (count >= 0 && count < dim)
    fatal(Problem::Size,
          "op_decl_const %s: dim is %d, but the variable has %lld values", name,
          dim, static_cast<long long>(count));
  op_decl_const_char(dim, wordOf(kind), typeSize(parse(kind)),
                     static_cast<char *>(data), name);
}

extern "C" op_mat op2f_decl_mat(op_sparsity sparsity, int rowdim, int coldim,
                                char const *type, char const *name) {
  int parsed = parse(type);
  if (parsed != OP2RT_F64 && parsed != OP2RT_F32)
    fatal(Problem::TypeString,
          "op_decl_mat %s: type string is \"%s\"; expected \"real(8)\" "
          "or \"real(4)\"",
          name, type);
  return op_decl_mat(sparsity, rowdim, coldim, typeName(parsed), name);
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

extern "C" op_arg op2f_opt_arg_dat(int opt, op_dat dat, int slot, op_map map,
                                   int dim, char const *type, op_access acc) {
  return op_opt_arg_dat(opt, dat, slot, map, dim, wordOf(type), acc);
}

extern "C" op_arg op2f_arg_dat(op_dat dat, int slot, op_map map, int dim,
                               char const *type, op_access acc) {
  return op2f_opt_arg_dat(1, dat, slot, map, dim, type, acc);
}

extern "C" op_arg op2f_arg_dat_layers(op_dat dat, int slot, op_map map,
                                      int level, int levels, int dim,
                                      char const *type, op_access acc) {
  return op_arg_dat_layers(dat, slot, map, level, levels, dim, wordOf(type),
                           acc);
}

extern "C" op_arg op2f_arg_mat(op_mat mat, int rowidx, op_map rows, int colidx,
                               op_map cols, int rowdim, int coldim,
                               char const *type, op_access acc) {
  return op_arg_mat(mat, rowidx, rows, colidx, cols, rowdim, coldim,
                    wordOf(type), acc);
}

extern "C" op_arg op2f_arg_dat_ptr(int opt, void const *data, int slot,
                                   void const *map, int dim, char const *type,
                                   char const *kind, op_access acc) {
  if (!opt)
    return op2f_opt_arg_dat(0, nullptr, slot, nullptr, dim, type, acc);
  op_map through = map ? op2f_find_map(map, "op_arg_dat") : nullptr;
  return op_opt_arg_dat(1, op2f_find_dat(data, "op_arg_dat"), slot, through,
                        dim, wordFor(type, kind), acc);
}

/// What OP_INC means for a logical is not what it means for an integer.
static char const *wordOfGlobal(char const *type, char const *kind,
                                op_access acc) {
  bool isReduced = acc == OP_INC || acc == OP_MIN || acc == OP_MAX;
  if (isReduced && !strncasecmp(type, "logical", 7))
    return keepTypeString(std::string(type) +
                          " (which OP_INC, OP_MIN and OP_MAX do not take; "
                          "reduce an integer)");
  return wordFor(type, kind);
}

extern "C" op_arg op2f_arg_gbl_kind(int opt, void *data, int dim,
                                    char const *type, char const *kind,
                                    op_access acc) {
  requireTurn("op_arg_gbl");
  return op_opt_arg_gbl_char(opt, static_cast<char *>(data), dim,
                             wordOfGlobal(type, kind, acc),
                             typeSize(parse(kind)), acc);
}

extern "C" op_arg op2f_opt_arg_gbl(int opt, void *data, int dim,
                                   char const *type, op_access acc) {
  return op2f_arg_gbl_kind(opt, data, dim, type, type, acc);
}

extern "C" op_arg op2f_arg_gbl(void *data, int dim, char const *type,
                               op_access acc) {
  return op2f_opt_arg_gbl(1, data, dim, type, acc);
}

extern "C" op_arg op2f_arg_info_kind(void *data, int dim, char const *type,
                                     char const *kind, int follows) {
  requireTurn("op_arg_info");
  return op_arg_info_char(static_cast<char *>(data), dim, wordFor(type, kind),
                          typeSize(parse(kind)), follows);
}

extern "C" op_arg op2f_arg_info(void *data, int dim, char const *type,
                                int follows) {
  return op2f_arg_info_kind(data, dim, type, type, follows);
}

//===- Matrix.cpp - Sparse matrices -----------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A matrix is made of a set, a dat and maps when it is used first: a program
// may have its mesh renumbered before. From then on these are as any others,
// also if their sets are renumbered; values are given out by way of the maps.
//
//===----------------------------------------------------------------------===//

#include "Matrix.h"
#include "Core/Copies.h"
#include "Core/Job.h"
#include "Core/MapTable.h"
#include "Core/Memory.h"
#include "Core/Registry.h"
#include "Core/Threads.h"
#include "Core/Types.h"
#include "Core/UserOrder.h"
#include "Declare.h"
#include "Matrix/BlockSparsity.h"
#include "Ranks/Distribute.h"
#include "Ranks/Ranks.h"
#include "Renumber/Renumber.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <numeric>

using namespace op2::rt;

// Never given back: handles that are used too late are recognised.
static std::deque<op_sparsity_core> &sparsities() {
  static auto *all = new std::deque<op_sparsity_core>;
  return *all;
}
static std::deque<op_mat_core> &matrices() {
  static auto *all = new std::deque<op_mat_core>;
  return *all;
}

template <class Core>
static Core &require(Core *handle, char const *kind, char const *where) {
  if (handle && registry().alive.count(handle))
    return *handle;
  op2rt_fatal("%s: the %s is %s", where, kind,
              handle ? "not alive: it was never declared, or before op_exit"
                     : "NULL");
}

void op2::rt::forgetMatrices() {
  for (op_mat_core &mat : matrices()) {
    mat.pattern = {};
    mat.scalarRows = {};
    mat.kept = {};
  }
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

extern "C" op_sparsity op_decl_sparsity_union(int count, op_map const *rows,
                                              op_map const *cols,
                                              char const *name) {
  Call const call(__func__);
  requireRunning("op_decl_sparsity");
  name = name ? name : "";
  std::string where = std::string("op_decl_sparsity ") + name;
  if (count < 1 || !rows || !cols)
    op2rt_fatal("%s: %d pairs of maps given; expected at least one",
                where.c_str(), count);
  op_sparsity_core sparsity{name, {}, nullptr, nullptr};
  for (int n = 0; n < count; ++n) {
    Map &row = requireMap(rows[n], (where + ", rows").c_str());
    Map &col = requireMap(cols[n], (where + ", columns").c_str());
    if (row.from != col.from)
      op2rt_fatal("%s: map %s leaves set %s, and map %s leaves set %s; "
                  "expected one set",
                  where.c_str(), row.name, row.from->name, col.name,
                  col.from->name);
    if (n > 0 && (row.to != sparsity.rows || col.to != sparsity.cols))
      op2rt_fatal("%s: maps %s and %s lead to sets %s and %s; expected %s and "
                  "%s, as those of the first pair",
                  where.c_str(), row.name, col.name, row.to->name, col.to->name,
                  sparsity.rows->name, sparsity.cols->name);
    sparsity.rows = row.to;
    sparsity.cols = col.to;
    sparsity.pairs.push_back({&row, &col});
  }
  op_sparsity handle = &sparsities().emplace_back(std::move(sparsity));
  registry().alive.insert(handle);
  return handle;
}

extern "C" op_sparsity op_decl_sparsity(op_map rows, op_map cols,
                                        char const *name) {
  return op_decl_sparsity_union(1, &rows, &cols, name);
}

extern "C" op_mat op_decl_mat(op_sparsity of, int rowdim, int coldim,
                              char const *type, char const *name) {
  Call const call(__func__);
  requireRunning(__func__);
  name = name ? name : "";
  std::string where = std::string("op_decl_mat ") + name;
  op_sparsity_core &sparsity = require(of, "sparsity", where.c_str());
  requireUndivided(__func__, name);
  if (rowdim < 1 || coldim < 1)
    op2rt_fatal("%s: blocks are %d x %d; expected at least 1 x 1",
                where.c_str(), rowdim, coldim);
  int kind = parseType(type);
  if (kind != OP2RT_F64 && kind != OP2RT_F32)
    op2rt_fatal("%s: type is \"%s\"; expected double or float", where.c_str(),
                type ? type : "(NULL)");
  op_mat_core mat;
  mat.name = name;
  mat.type = typeName(kind);
  mat.sparsity = &sparsity;
  mat.rowdim = rowdim;
  mat.coldim = coldim;
  op_mat handle = &matrices().emplace_back(std::move(mat));
  registry().alive.insert(handle);
  return handle;
}

//===----------------------------------------------------------------------===//
// What a matrix consists of
//===----------------------------------------------------------------------===//

static Table tableOfMap(op_map core, char const *where) {
  auto &map = static_cast<Map &>(*core);
  if (map.from->size == 0)
    return {nullptr, 0, map.dim};
  if (!map.map)
    op2rt_fatal("%s: map %s has no table yet", where, map.name);
  if (!map.accepted)
    acceptTable(map, where);
  return {map.map, map.from->size, map.dim};
}

/// The map of arity 1 from entries to `values`, which have the numbers of the
/// pattern: `user` has the application's.
static op_map declareTargets(op_mat_core const &mat, op_set to,
                             std::vector<int32_t> const &user,
                             std::vector<int> values, char const *what) {
  for (int &value : values)
    value =
        (user.empty() ? value : user[std::size_t(value)]) + OP_maps_base_index;
  return declareMap(mat.entries, to, 1, values.data(),
                    (what + (" of " + mat.name)).c_str(), "op_decl_mat");
}

/// Each rank has the columns of the rows that it declares.
static bool hasBlocks() { return hasRanks() && !job.declaresWhole; }

static Pattern findPattern(op_sparsity_core const &sparsity,
                           std::vector<TablePair> const &pairs) {
  if (hasBlocks())
    return buildBlockPattern(communicator(), declared(sparsity.rows).blocks,
                             pairs);
  return buildPattern(pairs, sparsity.rows->size, sparsity.cols->size);
}

static void build(op_mat_core &mat) {
  // As the first loop does, whose arguments are made before it begins.
  renumberIfRequested();
  std::string where = "matrix " + mat.name;
  op_sparsity_core const &sparsity = *mat.sparsity;
  std::vector<TablePair> pairs;
  for (MapPair const &pair : sparsity.pairs)
    pairs.push_back({tableOfMap(pair.rows, where.c_str()),
                     tableOfMap(pair.cols, where.c_str())});
  mat.pattern = findPattern(sparsity, pairs);
  auto numEntries = int64_t(mat.pattern.columns.size()) * mat.rowdim;
  mat.entries =
      declareSet(numEntries, ("entries of " + mat.name).c_str(), where.c_str());
  mat.values = op_decl_dat_char(mat.entries, mat.coldim, mat.type.c_str(),
                                typeSize(parseType(mat.type.c_str())), nullptr,
                                mat.name.c_str());
  mat.entryBegin = mat.pattern.rowBegin;
  for (int64_t &begin : mat.entryBegin)
    begin *= mat.rowdim;
  mat.rowUser = static_cast<Set *>(sparsity.rows)->toUser;
  mat.colUser = static_cast<Set *>(sparsity.cols)->toUser;
  mat.rowOrder = static_cast<Set *>(sparsity.rows)->order;
  mat.colOrder = static_cast<Set *>(sparsity.cols)->order;
  mat.entryOrder = static_cast<Set *>(mat.entries)->order;
}

op_mat_core &op2::rt::built(op_mat handle, char const *where) {
  op_mat_core &mat = require(handle, "matrix", where);
  if (!mat.entries)
    build(mat);
  return mat;
}

bool op2::rt::isInPlace(op_mat_core const &mat) {
  return mat.rowOrder == static_cast<Set *>(mat.sparsity->rows)->order &&
         mat.colOrder == static_cast<Set *>(mat.sparsity->cols)->order &&
         mat.entryOrder == static_cast<Set *>(mat.entries)->order;
}

/// visit(row, component, columns begin, end) in the order of the entries.
template <class Visit>
static void visitEntryRows(op_mat_core const &mat, Visit visit) {
  Pattern const &pattern = mat.pattern;
  auto first = int(static_cast<Set *>(mat.sparsity->rows)->declaredBegin);
  for (std::size_t row = 0; row + 1 < pattern.rowBegin.size(); ++row)
    for (int a = 0; a < mat.rowdim; ++a)
      visit(first + int(row), a,
            pattern.columns.begin() + pattern.rowBegin[row],
            pattern.columns.begin() + pattern.rowBegin[row + 1]);
}

static void declareRowsAndCols(op_mat_core &mat) {
  if (mat.rows)
    return;
  std::vector<int> rows, cols;
  visitEntryRows(mat, [&](int row, int, auto begin, auto end) {
    rows.insert(rows.end(), std::size_t(end - begin), row);
    cols.insert(cols.end(), begin, end);
  });
  mat.rows = declareTargets(mat, mat.sparsity->rows, mat.rowUser,
                            std::move(rows), "rows");
  mat.cols = declareTargets(mat, mat.sparsity->cols, mat.colUser,
                            std::move(cols), "columns");
  // Whole rows are on one rank.
  static_cast<Set *>(mat.entries)->follows = static_cast<Map *>(mat.rows);
}

static op_dat declareNumbers(op_mat_core const &mat,
                             std::vector<int> const &values, char const *what) {
  return declareCopy(mat.entries, 1, "int", sizeof(int), values.data(),
                     (what + (" of " + mat.name)).c_str(), "op_decl_mat");
}

static void declareComponents(op_mat_core &mat) {
  std::vector<int> values;
  visitEntryRows(mat, [&](int, int component, auto begin, auto end) {
    values.insert(values.end(), std::size_t(end - begin), component);
  });
  mat.components = declareNumbers(mat, values, "components");
}

static void declareDiagonals(op_mat_core &mat) {
  std::vector<int> values;
  bool isSquare = mat.sparsity->rows == mat.sparsity->cols;
  visitEntryRows(mat, [&](int row, int, auto begin, auto end) {
    for (auto column = begin; column != end; ++column)
      values.push_back(isSquare && *column == row);
  });
  mat.diagonals = declareNumbers(mat, values, "diagonals");
}

static op_map declarePlaces(op_mat_core &mat, MapPair const &pair, Slots rows,
                            Slots cols, char const *where) {
  int64_t arity = int64_t(rows.count) * mat.rowdim * cols.count;
  Map &map = newMap(("places in " + mat.name).c_str());
  map.from = pair.rows->from;
  map.to = mat.entries;
  map.dim = int(arity);
  map.map = reinterpret_cast<int *>(allocateZeroed(
      map.from->size, arity * int64_t(sizeof(int)), "map " + map.ownName));
  TablePair const tables{tableOfMap(pair.rows, where),
                         tableOfMap(pair.cols, where)};
  if (hasBlocks())
    findBlockPlaces(communicator(), declared(mat.sparsity->rows).blocks,
                    mat.pattern, declared(mat.entries).blocks.begin(job.rank),
                    tables, rows, cols, mat.rowdim, map.map);
  else
    findPlaces(mat.pattern, tables, rows, cols, mat.rowdim, map.map);
  map.accepted = true; // in the library's numbers
  map.tensorColumns = cols.count;
  map.entryRows = std::make_shared<EntryRows>(
      EntryRows{static_cast<Map *>(pair.rows), rows.first, rows.count,
                mat.entryBegin, mat.rowOrder, mat.entryOrder});
  publish(map);
  return &map;
}

static Slots slotsOf(int index) {
  return index < 0 ? Slots{0, int(-int64_t(index))} : Slots{index, 1};
}

/// An error unless slots with this index are there.
static void requireIndex(op_map map, int index, char const *what,
                         char const *where) {
  bool isThere = index >= 0 ? index < map->dim : -int64_t(index) <= map->dim;
  if (!isThere || index == INT_MIN)
    op2rt_fatal("%s: the %s index is %d; expected a slot 0..%d of map %s, or "
                "-n for its first n slots",
                where, what, index, map->dim - 1, map->name);
}

static op_map findPlacesMap(op_mat_core &mat, MapPair const &pair, int rowidx,
                            int colidx) {
  Slots rows = slotsOf(rowidx), cols = slotsOf(colidx);
  for (PlacesMap const &known : mat.places)
    if (known.pair.rows == pair.rows && known.pair.cols == pair.cols &&
        known.rows == rows && known.cols == cols)
      return known.map;
  std::string where = "op_arg_mat of " + mat.name;
  op_sparsity_core const &sparsity = *mat.sparsity;
  bool isPair = std::any_of(
      sparsity.pairs.begin(), sparsity.pairs.end(), [&](MapPair const &known) {
        return known.rows == pair.rows && known.cols == pair.cols;
      });
  if (!isPair)
    op2rt_fatal("%s: maps %s and %s are no pair of sparsity %s", where.c_str(),
                requireMap(pair.rows, where.c_str()).name,
                requireMap(pair.cols, where.c_str()).name,
                sparsity.name.c_str());
  requireIndex(pair.rows, rowidx, "row", where.c_str());
  requireIndex(pair.cols, colidx, "column", where.c_str());
  if (job.isDistributed)
    op2rt_fatal("%s: ranks already have their parts of the mesh, and there was "
                "no op_arg_mat through maps %s and %s with these indices "
                "before; expected one before op_partition and the first loop",
                where.c_str(), pair.rows->name, pair.cols->name);
  if (!isInPlace(mat))
    op2rt_fatal("%s: its sets were renumbered after the matrix was used first, "
                "and no loop had assembled it through maps %s and %s with "
                "these indices; renumber before",
                where.c_str(), pair.rows->name, pair.cols->name);
  op_map map = declarePlaces(mat, pair, rows, cols, where.c_str());
  mat.places.push_back({pair, rows, cols, map});
  return map;
}

/// What loops may ask for, all slots of the maps: afterwards ranks do not know
/// the whole mesh.
static void declareMatrices() {
  for (op_mat_core &mat : matrices()) {
    if (!registry().alive.count(&mat))
      continue;
    built(&mat, "op_decl_mat");
    declareRowsAndCols(mat);
    if (!mat.components)
      declareComponents(mat);
    if (!mat.diagonals)
      declareDiagonals(mat);
    for (MapPair const &pair : mat.sparsity->pairs)
      findPlacesMap(mat, pair, -pair.rows->dim, -pair.cols->dim);
  }
}

[[gnu::constructor]] static void enterHooks() {
  hooks.declareMatrices = declareMatrices;
}

//===----------------------------------------------------------------------===//
// Access
//===----------------------------------------------------------------------===//

extern "C" op_arg op_arg_mat(op_mat handle, int rowidx, op_map rows, int colidx,
                             op_map cols, int rowdim, int coldim,
                             char const *type, op_access acc) {
  Turn const turn(__func__);
  op_mat_core &mat = built(handle, __func__);
  if (rowdim != mat.rowdim || coldim != mat.coldim)
    op2rt_fatal("op_arg_mat of %s: blocks are %d x %d, but those of the matrix "
                "are %d x %d",
                mat.name.c_str(), rowdim, coldim, mat.rowdim, mat.coldim);
  if (acc != OP_READ && acc != OP_WRITE && acc != OP_RW && acc != OP_INC)
    op2rt_fatal("op_arg_mat of %s: the access is %s; expected OP_READ, "
                "OP_WRITE, OP_RW or OP_INC",
                mat.name.c_str(), accessName(acc));
  op_map places = findPlacesMap(mat, {rows, cols}, rowidx, colidx);
  if (places->dim == 1)
    op2rt_fatal("op_arg_mat of %s: row index %d and column index %d mean one "
                "entry of an element; expected -2 or less for one of them",
                mat.name.c_str(), rowidx, colidx);
  return op_arg_dat(mat.values, -places->dim, places, coldim, type, acc);
}

extern "C" op_set op_mat_entries(op_mat mat) {
  Call const call(__func__);
  return built(mat, __func__).entries;
}

extern "C" op_dat op_mat_values(op_mat mat) {
  Call const call(__func__);
  return built(mat, __func__).values;
}

extern "C" op_map op_mat_rows(op_mat handle) {
  Call const call(__func__);
  op_mat_core &mat = built(handle, __func__);
  declareRowsAndCols(mat);
  return mat.rows;
}

extern "C" op_map op_mat_cols(op_mat handle) {
  Call const call(__func__);
  op_mat_core &mat = built(handle, __func__);
  declareRowsAndCols(mat);
  return mat.cols;
}

extern "C" op_dat op_mat_components(op_mat handle) {
  Call const call(__func__);
  op_mat_core &mat = built(handle, __func__);
  if (!mat.components)
    declareComponents(mat);
  return mat.components;
}

extern "C" op_dat op_mat_diagonals(op_mat handle) {
  Call const call(__func__);
  op_mat_core &mat = built(handle, __func__);
  if (!mat.diagonals)
    declareDiagonals(mat);
  return mat.diagonals;
}

void op2::rt::requireSquare(op_mat_core const &mat, char const *where) {
  op_sparsity_core const &sparsity = *mat.sparsity;
  if (sparsity.rows != sparsity.cols || mat.rowdim != mat.coldim)
    op2rt_fatal("%s %s: rows stand for %d unknowns on set %s, columns for %d "
                "on set %s; expected a square matrix",
                where, mat.name.c_str(), mat.rowdim, sparsity.rows->name,
                mat.coldim, sparsity.cols->name);
}

extern "C" int op_require_blocks(char const *where, op_mat handle, int square,
                                 char const *type, int coldim, int *rowdim) {
  constexpr int kMost = 4;
  Turn const turn(where);
  op_mat_core &mat = require(handle, "matrix", where);
  if (mat.coldim > kMost)
    op2rt_fatal("%s %s: blocks are %d x %d; expected at most %d columns; write "
                "a loop over op_mat_entries",
                where, mat.name.c_str(), mat.rowdim, mat.coldim, kMost);
  if ((type && mat.type != type) || (coldim && mat.coldim != coldim))
    op2rt_fatal("%s %s: blocks have %d columns of type %s; compiled for %d of "
                "type %s",
                where, mat.name.c_str(), mat.coldim, mat.type.c_str(),
                coldim ? coldim : mat.coldim, type ? type : mat.type.c_str());
  if (square)
    requireSquare(mat, where);
  if (rowdim)
    *rowdim = mat.rowdim;
  return mat.coldim;
}

extern "C" void op_require_operands(char const *where, op_mat handle, op_dat x,
                                    op_dat y) {
  Turn const turn(where);
  std::string const &name = require(handle, "matrix", where).name;
  std::string place = std::string(where) + " " + name;
  Dat &from = requireDat(x, (place + ", x").c_str());
  Dat &to = requireDat(y, (place + ", y").c_str());
  if (&storageOf(from) == &storageOf(to))
    op2rt_fatal("%s: x and y are one: dats %s and %s; expected two",
                place.c_str(), from.name, to.name);
}

//===----------------------------------------------------------------------===//
// Output
//===----------------------------------------------------------------------===//

namespace {
/// A matrix in the application's order, row by row.
class UserRows {
public:
  explicit UserRows(op_mat_core const &mat) : mat(mat) {
    rowOf.resize(mat.entryBegin.size() - 1);
    std::iota(rowOf.begin(), rowOf.end(), 0);
    for (std::size_t row = 0; row < mat.rowUser.size(); ++row)
      rowOf[std::size_t(mat.rowUser[row])] = int32_t(row);
  }

  int64_t size() const { return int64_t(rowOf.size()); }

  /// visit(a scalar row, blocks (column, entry) in order): one for each of the
  /// components of row element `row`.
  template <class Visit> void visitRow(int64_t row, Visit visit) {
    auto own = std::size_t(rowOf[std::size_t(row)]);
    int64_t begin = mat.pattern.rowBegin[own];
    int64_t length = mat.pattern.rowBegin[own + 1] - begin;
    for (int a = 0; a < mat.rowdim; ++a) {
      blocks.clear();
      for (int64_t k = 0; k < length; ++k) {
        int32_t column = mat.pattern.columns[std::size_t(begin + k)];
        if (!mat.colUser.empty())
          column = mat.colUser[std::size_t(column)];
        blocks.push_back(
            {column, begin * mat.rowdim + int64_t(a) * length + k});
      }
      std::sort(blocks.begin(), blocks.end());
      visit(row * mat.rowdim + a, blocks);
    }
  }

private:
  op_mat_core const &mat;
  std::vector<int32_t> rowOf; ///< by the application's number
  std::vector<std::pair<int32_t, int64_t>> blocks;
};
} // namespace

/// All values, entry after entry as they were numbered first.
static std::vector<char> fetchValues(op_mat_core const &mat) {
  auto const &set = static_cast<Set &>(*mat.values->set);
  std::vector<char> values(std::size_t(set.declaredSize) *
                           std::size_t(mat.values->size));
  op_fetch_data_char(mat.values, values.data());
  return values;
}

extern "C" void op_mat_get_size(op_mat handle, int *rows, int *cols,
                                long long *values) {
  Call const call(__func__);
  op_mat_core &mat = built(handle, __func__);
  if (rows)
    *rows = (int(mat.pattern.rowBegin.size()) - 1) * mat.rowdim;
  if (cols)
    *cols =
        int(static_cast<Set *>(mat.sparsity->cols)->globalSize) * mat.coldim;
  if (values)
    *values = static_cast<long long>(mat.pattern.columns.size()) * mat.rowdim *
              mat.coldim;
}

extern "C" void op_mat_get_csr(op_mat handle, long long *rowptr, int *colidx,
                               void *values) {
  Call const call(__func__);
  requireRunning(__func__);
  op_mat_core &mat = built(handle, __func__);
  std::vector<char> from = fetchValues(mat);
  auto size = std::size_t(mat.values->size);
  auto *to = static_cast<char *>(values);
  long long next = 0;
  UserRows rows(mat);
  for (int64_t row = 0; row < rows.size(); ++row)
    rows.visitRow(row, [&](int64_t scalarRow, auto const &blocks) {
      if (rowptr)
        rowptr[scalarRow] = next;
      for (auto [column, entry] : blocks) {
        for (int b = 0; b < mat.coldim; ++b)
          if (colidx)
            colidx[next + b] = column * mat.coldim + b;
        if (to)
          std::memcpy(to + std::size_t(next) * (size / mat.coldim),
                      from.data() + std::size_t(entry) * size, size);
        next += mat.coldim;
      }
    });
  if (rowptr)
    rowptr[rows.size() * mat.rowdim] = next;
}

extern "C" void op_print_mat_to_mtxfile(op_mat handle, char const *file_name) {
  Call const call(__func__);
  requireRunning(__func__);
  op_mat_core &mat = built(handle, __func__);
  if (hasBlocks())
    op2rt_fatal("op_print_mat_to_mtxfile %s: not there yet on ranks that "
                "declare blocks; op_mat_get_csr gives each its rows",
                mat.name.c_str());
  std::vector<char> values = fetchValues(mat);
  if (!isRoot())
    return;
  bool isDouble = parseType(mat.type.c_str()) == OP2RT_F64;
  FILE *file = file_name ? std::fopen(file_name, "w") : nullptr;
  if (!file)
    op2rt_fatal("op_print_mat_to_mtxfile %s: cannot write %s: %s",
                mat.name.c_str(), file_name ? file_name : "(NULL)",
                file_name ? std::strerror(errno) : "no name");
  std::fprintf(file, "%%%%MatrixMarket matrix coordinate real general\n");
  std::fprintf(file, "%lld %lld %lld\n",
               static_cast<long long>(mat.sparsity->rows->size) * mat.rowdim,
               static_cast<long long>(mat.sparsity->cols->size) * mat.coldim,
               static_cast<long long>(mat.entries->size) * mat.coldim);
  UserRows rows(mat);
  for (int64_t row = 0; row < rows.size(); ++row)
    rows.visitRow(row, [&](int64_t scalarRow, auto const &blocks) {
      for (auto [column, entry] : blocks)
        for (int b = 0; b < mat.coldim; ++b) {
          int64_t n = entry * mat.coldim + b;
          double value =
              isDouble ? reinterpret_cast<double const *>(values.data())[n]
                       : reinterpret_cast<float const *>(values.data())[n];
          std::fprintf(
              file, "%lld %lld %.17g\n", static_cast<long long>(scalarRow + 1),
              static_cast<long long>(column) * mat.coldim + b + 1, value);
        }
    });
  bool isWritten = !std::ferror(file);
  if (std::fclose(file) != 0 || !isWritten)
    op2rt_fatal("op_print_mat_to_mtxfile %s: cannot write %s: %s",
                mat.name.c_str(), file_name, std::strerror(errno));
}

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
#include "Core/Error.h"
#include "Core/Job.h"
#include "Core/MapTable.h"
#include "Core/Memory.h"
#include "Core/Registry.h"
#include "Core/Threads.h"
#include "Core/Types.h"
#include "Core/UserOrder.h"
#include "Declare.h"
#include "Execute/Loop.h"
#include "Matrix/BlockSparsity.h"
#include "Ranks/Distribute.h"
#include "Ranks/Exchange.h"
#include "Ranks/MapColumns.h"
#include "Ranks/Ranks.h"
#include "Renumber/Renumber.h"

#include <algorithm>
#include <climits>

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
  fatal(Problem::Handle, "%s: the %s is %s", where, kind,
        handle ? "not alive: it was never declared, or before op_exit"
               : "NULL");
}

void op2::rt::forgetMatrices() {
  for (op_sparsity_core &sparsity : sparsities())
    sparsity = op_sparsity_core();
  for (op_mat_core &mat : matrices())
    mat = op_mat_core();
}

op_sparsity_core const *op2::rt::findSparsityFrom(op_set_core const *set) {
  for (op_sparsity_core const &sparsity : sparsities())
    for (MapPair const &pair : sparsity.pairs)
      if (pair.rows->from == set)
        return &sparsity;
  return nullptr;
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
    fatal(Problem::Size, "%s: %d pairs of maps given; expected at least one",
          where.c_str(), count);
  op_sparsity_core sparsity{name, {}, nullptr, nullptr};
  for (int n = 0; n < count; ++n) {
    Map &row = requireMap(rows[n], (where + ", rows").c_str());
    Map &col = requireMap(cols[n], (where + ", columns").c_str());
    if (row.from != col.from)
      fatal(Problem::SetMismatch,
            "%s: map %s leaves set %s, and map %s leaves set %s; "
            "expected one set",
            where.c_str(), row.name, row.from->name, col.name, col.from->name);
    if (n > 0 && (row.to != sparsity.rows || col.to != sparsity.cols))
      fatal(Problem::SetMismatch,
            "%s: maps %s and %s lead to sets %s and %s; expected %s and "
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
    fatal(Problem::Matrix, "%s: blocks are %d x %d; expected at least 1 x 1",
          where.c_str(), rowdim, coldim);
  for (auto [set, dim] :
       {std::pair(sparsity.rows, rowdim), std::pair(sparsity.cols, coldim)})
    if (static_cast<Set &>(*set).globalSize * dim > INT_MAX)
      fatal(Problem::Limit,
            "%s: %lld elements of set %s have %d unknowns each; expected at "
            "most %d together",
            where.c_str(),
            static_cast<long long>(static_cast<Set &>(*set).globalSize),
            set->name, dim, INT_MAX);
  int kind = parseType(type);
  if (kind != OP2RT_F64 && kind != OP2RT_F32)
    fatal(Problem::TypeString, "%s: type is \"%s\"; expected double or float",
          where.c_str(), type ? type : "(NULL)");
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
    fatal(Problem::MapTable, "%s: map %s has no table yet", where, map.name);
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

static Pattern findPattern(op_sparsity_core const &sparsity,
                           std::vector<TablePair> const &pairs) {
  if (hasBlocks())
    return buildBlockPattern(communicator(), declared(sparsity.rows).blocks,
                             pairs);
  return buildPattern(pairs, sparsity.rows->size, sparsity.cols->size);
}

static void build(op_mat_core &mat) try {
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
  static_cast<Dat *>(mat.values)->hasValues = true; // zeros are meant
  static_cast<Dat *>(mat.values)->isPart = true;
  if (mat.rowdim > 1) {
    mat.entryBegin = mat.pattern.rowBegin;
    for (int64_t &begin : mat.entryBegin)
      begin *= mat.rowdim;
  }
  mat.rowUser = static_cast<Set *>(sparsity.rows)->toUser;
  mat.colUser = static_cast<Set *>(sparsity.cols)->toUser;
  mat.rowOrder = static_cast<Set *>(sparsity.rows)->order;
  mat.colOrder = static_cast<Set *>(sparsity.cols)->order;
  mat.entryOrder = static_cast<Set *>(mat.entries)->order;
} catch (std::bad_alloc const &) {
  endWithoutMemory(("matrix " + mat.name).c_str());
}

/// With its rows transposed, if that is its first use.
static op_mat_core &requireBuilt(op_mat handle, char const *where) {
  op_mat_core &mat = require(handle, "matrix", where);
  if (!mat.entries)
    build(mat);
  return mat;
}

op_mat_core &op2::rt::built(op_mat handle, char const *where) {
  op_mat_core &mat = requireBuilt(handle, where);
  mat.pattern.transposed.clear();
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
  op_dat dat =
      declareOwnDat(mat.entries, 1, OP2RT_I32, values.data(),
                    (what + (" of " + mat.name)).c_str(), "op_decl_mat");
  static_cast<Dat *>(dat)->isPart = true;
  return dat;
}

static void declareComponents(op_mat_core &mat) {
  if (mat.components)
    return;
  std::vector<int> values;
  visitEntryRows(mat, [&](int, int component, auto begin, auto end) {
    values.insert(values.end(), std::size_t(end - begin), component);
  });
  mat.components = declareNumbers(mat, values, "components");
}

static void declareDiagonals(op_mat_core &mat) {
  if (mat.diagonals)
    return;
  std::vector<int> values;
  bool isSquare = mat.sparsity->rows == mat.sparsity->cols;
  visitEntryRows(mat, [&](int row, int, auto begin, auto end) {
    for (auto column = begin; column != end; ++column)
      values.push_back(isSquare && *column == row);
  });
  mat.diagonals = declareNumbers(mat, values, "diagonals");
}

static std::vector<int64_t> const &entryBegin(op_mat_core const &mat) {
  return mat.rowdim > 1 ? mat.entryBegin : mat.pattern.rowBegin;
}

/// The row map of a pair, transposed, if that is still there.
static Transposed const *transposedOf(op_mat_core const &mat,
                                      MapPair const &pair) {
  std::vector<MapPair> const &pairs = mat.sparsity->pairs;
  for (std::size_t p = 0; p < mat.pattern.transposed.size(); ++p)
    if (pairs[p].rows == pair.rows)
      return &mat.pattern.transposed[p];
  return nullptr;
}

/// A table to `set` with the numbers that its elements had when the matrix was
/// built; `user`: the application's of these.
static std::vector<int32_t> numbersOfPattern(Table const &table, op_set set,
                                             std::vector<int32_t> const &user) {
  std::vector<int32_t> ofUser(std::size_t(set->size));
  for (int32_t n = 0; n < set->size; ++n)
    ofUser[std::size_t(user.empty() ? n : user[std::size_t(n)])] = n;
  std::vector<int32_t> result(std::size_t(table.size * table.arity));
  for (std::size_t n = 0; n < result.size(); ++n)
    result[n] = ofUser[std::size_t(userNumber(set, table.values[n]))];
  return result;
}

static std::string nameOfSlots(op_map map, Slots slots) {
  std::string name = map->name;
  name += "[" + std::to_string(slots.first);
  if (slots.count > 1)
    name += ".." + std::to_string(slots.first + slots.count - 1);
  return name + "]";
}

static op_map declarePlaces(op_mat_core &mat, MapPair const &pair, Slots rows,
                            Slots cols, char const *where) {
  int64_t arity = int64_t(rows.count) * mat.rowdim * cols.count;
  if (arity > INT_MAX)
    fatal(Problem::Limit,
          "%s: an element reaches %lld entries of matrix %s; expected at most "
          "%d: take some slots at a time",
          where, static_cast<long long>(arity), mat.name.c_str(), INT_MAX);
  Map &map =
      newMap(("places in " + mat.name + " of " + nameOfSlots(pair.rows, rows) +
              " and " + nameOfSlots(pair.cols, cols))
                 .c_str());
  map.from = pair.rows->from;
  map.to = mat.entries;
  map.dim = int(arity);
  map.map = reinterpret_cast<int *>(allocateUnset(
      map.from->size, arity * int64_t(sizeof(int)), "map " + map.ownName));
  TablePair tables{tableOfMap(pair.rows, where), tableOfMap(pair.cols, where)};
  Transposed const *transposed = transposedOf(mat, pair);
  std::vector<int32_t> rowNumbers, colNumbers;
  if (!isInPlace(mat)) {
    op_sparsity_core const &sparsity = *mat.sparsity;
    rowNumbers = numbersOfPattern(tables.rows, sparsity.rows, mat.rowUser);
    colNumbers = numbersOfPattern(tables.cols, sparsity.cols, mat.colUser);
    tables.rows.values = rowNumbers.data();
    tables.cols.values = colNumbers.data();
    transposed = nullptr;
  }
  if (hasBlocks())
    findBlockPlaces(communicator(), declared(mat.sparsity->rows).blocks,
                    mat.pattern, declared(mat.entries).blocks.begin(job.rank),
                    tables, rows, cols, mat.rowdim, map.map);
  else if (transposed)
    findPlaces(mat.pattern, *transposed, tables, rows, cols, mat.rowdim,
               map.map);
  else
    findPlaces(mat.pattern, tables, rows, cols, mat.rowdim, map.map);
  // The application's numbers of entries are those of the pattern.
  if (isRenumbered(mat.entries))
    for (int64_t n = 0; n < map.from->size * arity; ++n)
      map.map[n] =
          static_cast<Set &>(*mat.entries).toInternal[std::size_t(map.map[n])];
  map.accepted = true; // in the library's numbers
  map.tensorColumns = cols.count;
  map.entryRows = std::make_shared<EntryRows>(
      EntryRows{static_cast<Map *>(pair.rows), rows.first, rows.count,
                entryBegin(mat), mat.rowOrder, mat.entryOrder});
  publish(map);
  return &map;
}

/// declarePlaces where ranks have their parts of the mesh, each for its rows.
static op_map takePlaces(op_mat_core const &mat, PlacesMap const &all,
                         Slots rows, Slots cols) {
  std::vector<int> columns;
  for (int n = 0; n < rows.count * mat.rowdim; ++n)
    for (int col = 0; col < cols.count; ++col)
      columns.push_back((rows.first * mat.rowdim + n) * all.cols.count +
                        cols.first + col);
  return &takeColumns(static_cast<Map const &>(*all.map), columns, cols.count);
}

static Slots slotsOf(int index) {
  return index < 0 ? Slots{0, int(-int64_t(index))} : Slots{index, 1};
}

/// As the program has it. Fortran's 0 comes as INT_MIN.
static int shownIndex(int index) {
  if (firstNumber == 1 && index == INT_MIN)
    return 0;
  return index < 0 ? index : index + firstNumber;
}

/// An error unless slots with this index are there.
static void requireIndex(op_map map, int index, char const *what,
                         char const *where) {
  bool isThere = index >= 0 ? index < map->dim : -int64_t(index) <= map->dim;
  if (!isThere || index == INT_MIN)
    fatal(Problem::MapIndex,
          "%s: the %s index is %d; expected a slot %d..%d of map %s, or "
          "-n for its first n slots",
          where, what, shownIndex(index), firstNumber,
          map->dim - 1 + firstNumber, map->name);
}

static PlacesMap const *findPlaces(op_mat_core const &mat, MapPair const &pair,
                                   Slots rows, Slots cols) {
  for (PlacesMap const &known : mat.places)
    if (known.pair.rows == pair.rows && known.pair.cols == pair.cols &&
        known.rows == rows && known.cols == cols)
      return &known;
  return nullptr;
}

static op_map findPlacesMap(op_mat_core &mat, MapPair const &pair, int rowidx,
                            int colidx, char const *function = "op_arg_mat") {
  Slots rows = slotsOf(rowidx), cols = slotsOf(colidx);
  if (PlacesMap const *known = findPlaces(mat, pair, rows, cols))
    return known->map;
  std::string where = std::string(function) + " of " + mat.name;
  op_sparsity_core const &sparsity = *mat.sparsity;
  bool isPair = std::any_of(
      sparsity.pairs.begin(), sparsity.pairs.end(), [&](MapPair const &known) {
        return known.rows == pair.rows && known.cols == pair.cols;
      });
  if (!isPair)
    fatal(Problem::Matrix, "%s: maps %s and %s are no pair of sparsity %s",
          where.c_str(), requireMap(pair.rows, where.c_str()).name,
          requireMap(pair.cols, where.c_str()).name, sparsity.name.c_str());
  requireIndex(pair.rows, rowidx, "row", where.c_str());
  requireIndex(pair.cols, colidx, "column", where.c_str());
  op_map map = job.isDistributed
                   ? takePlaces(mat,
                                *findPlaces(mat, pair, {0, pair.rows->dim},
                                            {0, pair.cols->dim}),
                                rows, cols)
                   : declarePlaces(mat, pair, rows, cols, where.c_str());
  mat.places.push_back({pair, rows, cols, map});
  return map;
}

/// What loops may ask for, all slots of the maps: afterwards ranks do not know
/// the whole mesh, and take places from these (takePlaces).
static void declareMatrices() {
  for (op_mat_core &mat : matrices()) {
    if (!registry().alive.count(&mat))
      continue;
    built(&mat, "op_decl_mat");
    declareRowsAndCols(mat);
    declareComponents(mat);
    declareDiagonals(mat);
    for (MapPair const &pair : mat.sparsity->pairs)
      findPlacesMap(mat, pair, -pair.rows->dim, -pair.cols->dim);
  }
}

static std::vector<std::string> describeMatrices() {
  std::vector<std::string> texts;
  for (op_mat_core const &mat : matrices()) {
    if (!registry().alive.count(&mat))
      continue;
    std::string text =
        "matrix " + mat.name + ", blocks of " + std::to_string(mat.rowdim) +
        " x " + std::to_string(mat.coldim) + " of type " + mat.type + ", maps";
    for (MapPair const &pair : mat.sparsity->pairs)
      text += std::string(" ") + pair.rows->name + " (" +
              std::to_string(pair.rows->index) + ") with " + pair.cols->name +
              " (" + std::to_string(pair.cols->index) + ")";
    texts.push_back(std::move(text));
  }
  return texts;
}

[[gnu::constructor]] static void enterHooks() {
  hooks.declareMatrices = declareMatrices;
  hooks.describeMatrices = describeMatrices;
}

//===----------------------------------------------------------------------===//
// Access
//===----------------------------------------------------------------------===//

int op2::rt::tensorColumnsOf(op_arg const &arg) {
  Map const *map = findMap(arg.map);
  Dat const *dat = findDat(arg.dat);
  bool isTensor = map && dat && dat->isPart && arg.idx == -map->dim;
  return isTensor ? map->tensorColumns : 0;
}

extern "C" op_arg op_arg_mat(op_mat handle, int rowidx, op_map rows, int colidx,
                             op_map cols, int rowdim, int coldim,
                             char const *type, op_access acc) {
  Turn const turn(__func__);
  op_mat_core &mat = requireBuilt(handle, __func__);
  if (rowdim != mat.rowdim || coldim != mat.coldim)
    fatal(Problem::Matrix,
          "op_arg_mat of %s: blocks are %d x %d, but those of the matrix "
          "are %d x %d",
          mat.name.c_str(), rowdim, coldim, mat.rowdim, mat.coldim);
  if (acc != OP_READ && acc != OP_WRITE && acc != OP_RW && acc != OP_INC)
    fatal(Problem::Access,
          "op_arg_mat of %s: the access is %s; expected OP_READ, "
          "OP_WRITE, OP_RW or OP_INC",
          mat.name.c_str(), accessName(acc));
  op_map places = findPlacesMap(mat, {rows, cols}, rowidx, colidx);
  mat.pattern.transposed.clear();
  if (places->dim == 1)
    fatal(Problem::MapIndex,
          "op_arg_mat of %s: row index %d and column index %d mean one "
          "entry of an element; expected -2 or less for one of them, or a map "
          "that has its slot twice",
          mat.name.c_str(), shownIndex(rowidx), shownIndex(colidx));
  return op_arg_dat(mat.values, -places->dim, places, coldim, type, acc);
}

extern "C" op_map op_mat_places(op_mat handle, op_map rows, op_map cols) {
  Turn const turn(__func__);
  op_mat_core &mat = requireBuilt(handle, __func__);
  std::string const where = __func__ + (" of " + mat.name);
  int rowidx = -requireMap(rows, where.c_str()).dim;
  int colidx = -requireMap(cols, where.c_str()).dim;
  op_map places = findPlacesMap(mat, {rows, cols}, rowidx, colidx, __func__);
  mat.pattern.transposed.clear();
  return places;
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
  declareComponents(mat);
  return mat.components;
}

extern "C" op_dat op_mat_diagonals(op_mat handle) {
  Call const call(__func__);
  op_mat_core &mat = built(handle, __func__);
  declareDiagonals(mat);
  return mat.diagonals;
}

Pattern const &op2::rt::wholePattern(op_mat_core &mat, char const *where) {
  if (!hasBlocks())
    return mat.pattern;
  meet((std::string(where) + " " + mat.name).c_str());
  if (mat.whole.rowBegin.empty())
    mat.whole = gatherPattern(communicator(), mat.pattern);
  return mat.whole;
}

void op2::rt::requireSquare(op_mat_core const &mat, char const *where) {
  op_sparsity_core const &sparsity = *mat.sparsity;
  if (sparsity.rows != sparsity.cols || mat.rowdim != mat.coldim)
    fatal(Problem::Matrix,
          "%s %s: rows stand for %d unknowns on set %s, columns for %d "
          "on set %s; expected a square matrix",
          where, mat.name.c_str(), mat.rowdim, sparsity.rows->name, mat.coldim,
          sparsity.cols->name);
}

/// An error if a row has entries, but none on the diagonal: it cannot become
/// that of the unit matrix.
static void requireDiagonal(op_mat_core &mat, char const *where) {
  if (mat.hasDiagonal)
    return;
  visitEntryRows(mat, [&](int row, int, auto begin, auto end) {
    if (begin != end && !std::binary_search(begin, end, row))
      fatal(Problem::Matrix,
            "%s %s: row %d of sparsity %s has entries, but none on the "
            "diagonal; expected elements that meet themselves",
            where, mat.name.c_str(),
            mat.rowUser.empty() ? row : mat.rowUser[std::size_t(row)],
            mat.sparsity->name.c_str());
  });
  mat.hasDiagonal = true;
}

extern "C" op_mat_blocks op_require_blocks(char const *where, op_mat handle,
                                           int square, char const *type,
                                           int coldim) {
  constexpr int kMost = 4;
  Turn const turn(where);
  op_mat_core &mat = require(handle, "matrix", where);
  if (mat.coldim > kMost)
    fatal(Problem::Matrix,
          "%s %s: blocks are %d x %d; expected at most %d columns; write "
          "a loop over op_mat_entries",
          where, mat.name.c_str(), mat.rowdim, mat.coldim, kMost);
  if ((type && mat.type != type) || (coldim && mat.coldim != coldim))
    fatal(Problem::Matrix,
          "%s %s: blocks have %d columns of type %s; compiled for %d of "
          "type %s",
          where, mat.name.c_str(), mat.coldim, mat.type.c_str(),
          coldim ? coldim : mat.coldim, type ? type : mat.type.c_str());
  if (square) {
    requireSquare(mat, where);
    requireDiagonal(built(&mat, where), where);
  }
  return {mat.rowdim, mat.coldim, mat.type == "double"};
}

extern "C" void op_require_operands(char const *where, op_mat handle, op_dat x,
                                    op_dat y) {
  Turn const turn(where);
  std::string const &name = require(handle, "matrix", where).name;
  // No string for each product.
  auto find = [&](op_dat dat, char const *what) -> Dat & {
    if (Dat *known = findDat(dat))
      return *known;
    return requireDat(dat, (std::string(where) + " " + name + what).c_str());
  };
  Dat &from = find(x, ", x"), &to = find(y, ", y");
  if (&storageOf(from) == &storageOf(to))
    fatal(Problem::Matrix,
          "%s %s: x and y are one: dats %s and %s; expected two", where,
          name.c_str(), from.name, to.name);
}

//===- Registry.h - The program's sets, maps and dats -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records behind the public handles, and the lists that hold them. The memory
// of a record is never given back, so that a handle that is used too late can
// be recognised: its serial number is 0, or that of a newer object.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_CORE_REGISTRY_H
#define OP2_LIB_RUNTIME_CORE_REGISTRY_H

#include "OP2/API/op_lib_core.h"
#include "OP2/Runtime/op2rt.h"

#include <climits>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace op2::rt {

/// What a rank knows of a set: the folder Ranks.
struct RankSet;
struct Dat;
struct Map;

/// The most elements of a set: rounded up to 32 they are an int, too.
constexpr int kMostElements = INT_MAX / 32 * 32;

struct Set : op_set_core {
  uint64_t serial = 0; ///< 0: not alive
  /// In the order of declaration: the same on all ranks once the mesh is
  /// distributed, also after others were freed. -1: it is in no list.
  int32_t number = -1;
  std::string ownName;
  /// The application's number of each element and the reverse; empty unless the
  /// set was renumbered (Renumber/UserOrder.h).
  std::vector<int32_t> toUser, toInternal;
  uint64_t order = 0;  ///< how often its elements got other numbers
  std::string keptFor; ///< a loop that needs the application's order, or ""
  // Where several processes share the mesh (Core/Job.h). One has all of it.
  /// Elements that loops run here. It is `size`, unless each rank declares the
  /// whole mesh: programs for one process count with the `size` they declared.
  int32_t own = 0;
  int64_t globalSize = 0; ///< elements of all ranks
  /// Number among all elements of the first one that this rank declared, and
  /// how many it declared.
  int64_t declaredBegin = 0;
  int32_t declaredSize = 0;
  /// Rows that maps lead to: own elements and imported ones.
  int32_t reach = 0;
  /// Rows of dats: these, and copies of elements at the border of the part.
  int32_t rows = 0;
  /// An element goes to the rank that has what this map leads to; NULL: where
  /// most is of what it reaches.
  Map const *follows = nullptr;
  RankSet *part = nullptr; ///< once the mesh is distributed
  Dat *numbers = nullptr;  ///< userNumber of each row, once a loop reads them
};

inline int32_t ownOf(op_set_core const *set) {
  return static_cast<Set const *>(set)->own;
}
inline int32_t rowsOf(op_set_core const *set) {
  return static_cast<Set const *>(set)->rows;
}
inline int32_t reachOf(op_set_core const *set) {
  return static_cast<Set const *>(set)->reach;
}

struct EntryRows;

/// Of a map whose elements lead to rows in ascending order: ends[r] is the
/// first element that leads behind row r. Else `ends` is empty.
struct RowEnds {
  std::vector<int32_t> ends;
  // Which table that is said of.
  int const *table = nullptr;
  int32_t size = 0;
  uint64_t orders[2] = {0, 0};
};

struct Map : op_map_core {
  uint64_t serial = 0;
  int32_t number = -1; ///< as that of a set
  std::string ownName;
  bool accepted = false; ///< `map` was checked and has the library's numbers
  bool isAhead = false;  ///< made for ranks before the program asked for it
  /// On ranks that keep the rows of their part elsewhere than in `map`, which
  /// nobody may touch then: where (Ranks/Storage.h).
  int *part = nullptr;
  /// On such ranks: `map` lies in pages of its own.
  bool inPages = false;
  /// On such ranks: `map` is the whole table, which the program may look at.
  bool isShown = false;
  /// Transposed, by Device::number; NULL until used there.
  int32_t *copies[2] = {nullptr, nullptr};
  /// By what Fortran programs find it: the array that they declared it with, or
  /// what the library gave them for that.
  std::vector<void const *> keys;
  /// Copies of the table for Fortran programs.
  std::vector<std::vector<int32_t>> tablesFromOne;
  /// The maps that go through this one and then through another, that one
  /// first (Core/Composition.h).
  std::vector<std::pair<Map const *, Map *>> compositions;
  /// Whether no two elements lead to one; found when it is first asked for.
  enum { Unknown, No, Yes } injective = Unknown;
  RowEnds rowEnds; ///< of the table that it was last asked of
  std::shared_ptr<EntryRows const> entryRows;
  /// OP2_CHECK: of the table that the latest loop used, and how many orders its
  /// sets had had.
  uint64_t usedHash = 0, usedOrders[2] = {0, 0};
  bool isUsed = false;
  /// One that ranks have divided, of which this one has some columns; or NULL.
  Map const *columnsOf = nullptr;
  /// To entries: those in a row of an element's tensor; else 0.
  int tensorColumns = 0;
};

/// Of a map to the entries of a matrix: the map that leads to their rows.
struct EntryRows {
  Map *map;
  int first, count; ///< slots of it
  /// The entries of row r are those from begin[r] to begin[r + 1], as long as
  /// both sets have had so many orders (Set::order).
  std::vector<int64_t> const &begin;
  uint64_t rowOrder, entryOrder;
};

struct Subset : op_subset_core {};

struct Layers : op_layers_core {
  std::string ownName;
};

struct Dat : op_dat_core {
  uint64_t serial = 0;
  int32_t number = -1; ///< as that of a set
  std::string ownName, ownType;
  int elementType = 0; ///< OP2RT_F64 ...
  int64_t bytes = 0;   ///< of `data`
  /// Given by the application or written by a loop; kept by OP2_CHECK.
  bool hasValues = false;
  /// Of a matrix or of layers, which need it.
  bool isPart = false;
  /// The `data` that data_d was copied from.
  char const *copiedStorage = nullptr;
  Dat *base = nullptr;        ///< an overlay: the dat whose storage it shares
  op_dat_entry entry{};       ///< in OP_dat_list
  int copyDevice = 1;         ///< Device::number of where data_d is
  bool copyIsSoA = false;     ///< the layout of data_d
  int64_t conversions = 0;    ///< of a good copy to the other layout
  std::string convertedFor;   ///< the loop that needed the latest one
  uint64_t retiredSerial = 0; ///< `serial`, and again if the dat is revived
  /// On ranks that keep their rows elsewhere than in `data`: where
  /// (Ranks/Storage.h).
  char *part = nullptr;
  /// On ranks: `data` are pages of their own.
  bool inPages = false;
  /// On ranks: `data` has what the rank declared, and loops take their rows
  /// from there.
  bool inArray = false;
  /// `data` as the library has set it, unless the dat is an overlay; on ranks,
  /// also as it has found it. Programs may exchange those of two dats.
  char *given = nullptr;
  /// On ranks: the lists of imported rows (HaloList, by number) that are as
  /// with their owners, unless `dirtybit` says that none is.
  uint64_t freshImports = ~uint64_t(0);
  /// On ranks: the copies of elements at the border (Copies, by number) that
  /// are as the elements.
  uint64_t freshCopies = ~uint64_t(0);
  /// On ranks: how often its values may have changed.
  uint64_t changes = 0;
};

/// The dat that owns the storage and has the state of its copies. On ranks with
/// their parts each has its own.
inline Dat &storageOf(Dat &dat) {
  return dat.base && !dat.part ? *dat.base : dat;
}
inline Dat const &storageOf(Dat const &dat) {
  return storageOf(const_cast<Dat &>(dat));
}
inline op_dat storageOf(op_dat dat) {
  return &storageOf(static_cast<Dat &>(*dat));
}

/// The table that loops use: rows of all elements that the rank has.
inline int *tableOf(op_map_core const *map) {
  int *part = static_cast<Map const *>(map)->part;
  return part ? part : map->map;
}
/// Bytes of the table as the rank declared it.
inline int64_t declaredBytes(Map const &map) {
  return int64_t(static_cast<Set const *>(map.from)->declaredSize) * map.dim *
         int64_t(sizeof(int));
}
/// The rows that loops use, rowBytes() bytes.
inline char *rowData(op_dat_core const *dat) {
  char *part = static_cast<Dat const *>(dat)->part;
  return part ? part : dat->data;
}
inline int64_t rowBytes(op_dat_core const *dat) {
  return int64_t(rowsOf(dat->set)) * dat->size;
}
/// Were values given when it was declared, or by a loop, or has the program
/// written some there itself?
bool hasAnyValue(Dat const &dat);

/// Between op_exit and op_init nothing may be declared, except by op2rt_decl_*,
/// which start the program themselves.
enum class State { Idle, Implicit, Running };

struct Registry {
  State state = State::Idle;
  uint64_t lastSerial = 0;
  /// Of sets, maps and dats that are declared next.
  int32_t nextSet = 0, nextMap = 0, nextDat = 0;

  // Everything that lives, in the order of declaration.
  std::vector<op_set> sets;
  std::vector<op_map> maps;
  std::vector<Dat *> dats;
  std::vector<Subset *> subsets;
  std::vector<Layers *> layers;
  std::unordered_set<void const *> alive;
  /// Arrays of the program that are storage of dats (OP_NO_REALLOC). The dats'
  /// pointers may have been exchanged since.
  std::unordered_set<void const *> programArrays;

  std::deque<Set> setPool;
  std::deque<Map> mapPool;
  std::deque<Subset> subsetPool;
  std::deque<Layers> layersPool;
  std::deque<Dat> datPool;
  /// Records of freed objects, the first to be used again first.
  std::deque<Dat *> freeDats;
  std::deque<Set *> freeSets;
  std::deque<Map *> freeMaps;
  std::deque<Subset *> freeSubsets;
  /// Temporary dats that were freed, with their storage.
  std::deque<Dat *> retiredDats;
};

Registry &registry();

/// The record of a living handle; NULL for every other pointer, which is not
/// dereferenced.
Set *findSet(op_set_core const *set);
Map *findMap(op_map_core const *map);
Dat *findDat(op_dat_core const *dat);
Subset *findSubset(op_subset_core const *subset);
Layers *findLayers(op_layers_core const *layers);

/// The same, with an error that names `where`.
Set &requireSet(op_set_core const *set, char const *where);
Map &requireMap(op_map_core const *map, char const *where);
Dat &requireDat(op_dat_core const *dat, char const *where);
/// An error if components are larger than the dat's type: only the application
/// knows what they are.
void requireOwnValues(Dat const &dat, char const *where);
/// Loops that are pending stay so.
Subset &requireSubset(op_subset_core const *subset, char const *where);
Layers &requireLayers(op_layers_core const *layers, char const *where);

/// An error if op_init has not run.
void requireRunning(char const *where);
void startImplicitly();

/// Takes a dat out of the lists. If its storage is the library's, it is kept
/// for reviveDat, until something else is declared.
void retireDat(Dat &dat);
/// A retired dat that was declared like this, preferably with this name, as if
/// it were new, of zeros, but with its handle, serial number and storage: what
/// was prepared for loops on it still fits. NULL if there is none.
Dat *reviveDat(op_set set, int dim, char const *type, int size,
               char const *name);
void freeRetiredDats();
/// The dat with the application's numbers of a set's rows; it is in no list.
Dat &numbersOf(Set &set);
/// They have changed.
void dropNumbers(Set &set);
/// For settleStorage (Copies.h). isUpload: Hooks::settleCopies.
void followExchanges(bool isUpload = false);
/// Frees all objects; the lists are empty afterwards.
void freeEverything();

/// New records with a serial number, a name, and nothing else filled in.
Set &newSet(char const *name);
Map &newMap(char const *name);
Dat &newDat(char const *name);
/// Numbers sets, maps and dats as they stand in the lists, from 0 on: objects
/// that were freed before do not count.
void numberAnew();
/// Registers a filled record.
void publish(Set &set);
void publish(Map &map);
void publish(Dat &dat);
/// A new one, registered.
Subset &addSubset(op_set set, op_map map);
/// Frees it, its set, and `maps`, all that go from there. Nothing else may
/// refer to them.
void removeSubset(Subset &subset, std::vector<Map *> const &maps);
Layers &addLayers(op_set set, op_dat ranges, char const *name);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_CORE_REGISTRY_H

//===- Registry.cpp - The program's sets, maps and dats ---------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lists of living objects and the life of their records.
//
//===----------------------------------------------------------------------===//

#include "Registry.h"
#include "Copies.h"
#include "Error.h"
#include "FastPath.h"
#include "Memory.h"
#include "Pending.h"
#include "Types.h"
#include "UserOrder.h"

#include <algorithm>

using namespace op2::rt;

extern "C" {
int OP_set_index = 0, OP_set_max = 0;
int OP_map_index = 0, OP_map_max = 0;
int OP_dat_index = 0;
op_set *OP_set_list = nullptr;
op_map *OP_map_list = nullptr;
Double_linked_list OP_dat_list = TAILQ_HEAD_INITIALIZER(OP_dat_list);
}

// Never destroyed: destructors of the application's static objects may still
// use handles.
Registry &op2::rt::registry() {
  static Registry *theRegistry = new Registry;
  return *theRegistry;
}

// A freed object's record is not used again before this many others were freed.
static constexpr std::size_t kQuarantine = 256;

template <class Record, class Core> static Record *find(Core const *handle) {
  if (!handle || !registry().alive.count(handle))
    return nullptr;
  return static_cast<Record *>(const_cast<Core *>(handle));
}

Set *op2::rt::findSet(op_set_core const *set) { return find<Set>(set); }
Map *op2::rt::findMap(op_map_core const *map) { return find<Map>(map); }
Dat *op2::rt::findDat(op_dat_core const *dat) { return find<Dat>(dat); }
Subset *op2::rt::findSubset(op_subset_core const *subset) {
  return find<Subset>(subset);
}
Layers *op2::rt::findLayers(op_layers_core const *layers) {
  return find<Layers>(layers);
}

static void reject
    [[noreturn]] (void const *handle, char const *kind, char const *where) {
  if (!handle)
    fatal(Problem::Handle, "%s: the %s is NULL", where, kind);
  fatal(Problem::Handle,
        "%s: %p is not a living %s (declared before op_exit, freed, or "
        "never declared)",
        where, handle, kind);
}

// Who asks for an object by its handle may look at it, or change it.

Set &op2::rt::requireSet(op_set_core const *set, char const *where) {
  flush();
  if (Set *found = findSet(set))
    return *found;
  reject(set, "set", where);
}
Map &op2::rt::requireMap(op_map_core const *map, char const *where) {
  flush();
  if (Map *found = findMap(map))
    return *found;
  reject(map, "map", where);
}
Dat &op2::rt::requireDat(op_dat_core const *dat, char const *where) {
  flush();
  settleStorage();
  if (Dat *found = findDat(dat))
    return *found;
  reject(dat, "dat", where);
}
void op2::rt::requireOwnValues(Dat const &dat, char const *where) {
  int size = typeSize(dat.elementType);
  if (dat.size != dat.dim * size)
    fatal(Problem::ValueType,
          "%s: dat %s is of type %s, but its components have %d bytes; "
          "expected %d",
          where, dat.name, dat.type, dat.size / dat.dim, size);
}
Subset &op2::rt::requireSubset(op_subset_core const *subset,
                               char const *where) {
  if (Subset *found = findSubset(subset))
    return *found;
  reject(subset, "subset", where);
}
Layers &op2::rt::requireLayers(op_layers_core const *layers,
                               char const *where) {
  if (Layers *found = findLayers(layers))
    return *found;
  reject(layers, "op_layers", where);
}

void op2::rt::requireRunning(char const *where) {
  flush();
  if (registry().state == State::Idle)
    fatal(Problem::Init,
          "%s: called before op_init or after op_exit; expected "
          "op_init(argc, argv, 1) as the first call",
          where);
}

void op2::rt::startImplicitly() {
  flush();
  if (registry().state == State::Idle)
    registry().state = State::Implicit;
}

template <class Record> static Record &name(Record &record, char const *text) {
  record.serial = ++registry().lastSerial;
  record.ownName = text ? text : "";
  record.name = record.ownName.c_str();
  return record;
}

template <class Record>
static Record &takeRecord(std::deque<Record> &pool,
                          std::deque<Record *> &freed) {
  if (freed.size() <= kQuarantine)
    return pool.emplace_back();
  Record &record = *freed.front();
  freed.pop_front();
  record = Record();
  return record;
}

Set &op2::rt::newSet(char const *text) {
  return name(takeRecord(registry().setPool, registry().freeSets), text);
}

Map &op2::rt::newMap(char const *text) {
  return name(takeRecord(registry().mapPool, registry().freeMaps), text);
}

Dat &op2::rt::newDat(char const *text) {
  return name(takeRecord(registry().datPool, registry().freeDats), text);
}

/// For the program, after a change of `all`.
template <class Core>
static void list(std::vector<Core *> &all, int &count, int &most,
                 Core **&first) {
  count = static_cast<int>(all.size());
  most = static_cast<int>(all.capacity());
  first = all.data();
}
static void listSets() {
  list(registry().sets, OP_set_index, OP_set_max, OP_set_list);
}
static void listMaps() {
  list(registry().maps, OP_map_index, OP_map_max, OP_map_list);
}

void op2::rt::numberAnew() {
  Registry &all = registry();
  all.nextSet = all.nextMap = all.nextDat = 0;
  for (op_set set : all.sets)
    static_cast<Set *>(set)->number = all.nextSet++;
  for (op_map map : all.maps)
    static_cast<Map *>(map)->number = all.nextMap++;
  for (Dat *dat : all.dats)
    dat->number = all.nextDat++;
}

void op2::rt::publish(Set &set) {
  set.number = registry().nextSet++;
  set.globalSize = set.declaredSize = set.own = set.reach = set.rows = set.size;
  set.index = static_cast<int>(registry().sets.size());
  registry().sets.push_back(&set);
  registry().alive.insert(static_cast<op_set>(&set));
  listSets();
}

void op2::rt::publish(Map &map) {
  map.number = registry().nextMap++;
  map.index = static_cast<int>(registry().maps.size());
  registry().maps.push_back(&map);
  registry().alive.insert(static_cast<op_map>(&map));
  listMaps();
}

void op2::rt::publish(Dat &dat) {
  dat.number = registry().nextDat++;
  dat.index = OP_dat_index++;
  dat.entry.dat = &dat;
  if (dat.base)
    setPending(kOverlays);
  else
    dat.given = dat.data;
  TAILQ_INSERT_TAIL(&OP_dat_list, &dat.entry, entries);
  registry().dats.push_back(&dat);
  registry().alive.insert(static_cast<op_dat>(&dat));
}

Subset &op2::rt::addSubset(op_set set, op_map map) {
  Registry &all = registry();
  Subset &subset = takeRecord(all.subsetPool, all.freeSubsets);
  subset.set = set;
  subset.map = map;
  all.subsets.push_back(&subset);
  all.alive.insert(static_cast<op_subset>(&subset));
  return subset;
}

Layers &op2::rt::addLayers(op_set set, op_dat ranges, char const *name) {
  Registry &all = registry();
  Layers &layers = all.layersPool.emplace_back();
  layers.set = set;
  layers.ranges = ranges;
  layers.last = 0;
  layers.ownName = name ? name : "";
  layers.name = layers.ownName.c_str();
  all.layers.push_back(&layers);
  all.alive.insert(static_cast<op_layers>(&layers));
  return layers;
}

/// Out of the lists and off the device.
static void withdraw(Dat &dat) {
  TAILQ_REMOVE(&OP_dat_list, &dat.entry, entries);
  freeDeviceCopy(dat);
  ++fastPath.freed;
  registry().alive.erase(static_cast<op_dat>(&dat));
}

bool op2::rt::hasAnyValue(Dat const &dat) {
  return dat.hasValues ||
         std::any_of(rowData(&dat), rowData(&dat) + rowBytes(&dat),
                     [](char byte) { return byte != 0; });
}

/// Whether its storage is the library's, and no other dat's: pointers may have
/// been exchanged, or worse.
static bool ownsStorage(Dat const &dat) {
  auto hasIt = [&](Dat const *other) {
    return other != &dat && !other->base && other->data == dat.data;
  };
  return !dat.base && !registry().programArrays.count(dat.data) &&
         std::none_of(registry().dats.begin(), registry().dats.end(), hasIt);
}

static void release(Dat &dat) {
  if (dat.inPages)
    releasePages(dat.data, dat.bytes);
  else if (ownsStorage(dat))
    deallocate(dat.data);
  deallocate(dat.part);
  dat.data = dat.part = nullptr;
  dat.serial = 0;
  registry().freeDats.push_back(&dat);
}

void op2::rt::retireDat(Dat &dat) {
  auto &dats = registry().dats;
  // Temporary dats are freed in the order opposite to their declaration.
  auto at = std::find(dats.rbegin(), dats.rend(), &dat);
  dats.erase(std::next(at).base());
  withdraw(dat);
  if (dat.user_managed || !ownsStorage(dat))
    return release(dat);
  dat.retiredSerial = dat.serial;
  dat.serial = 0; // for whoever still has the handle
  registry().retiredDats.push_back(&dat);
}

void op2::rt::freeRetiredDats() {
  for (Dat *dat : registry().retiredDats)
    release(*dat);
  registry().retiredDats.clear();
}

Dat *op2::rt::reviveDat(op_set set, int dim, char const *type, int size,
                        char const *name) {
  auto &retired = registry().retiredDats;
  auto isAlike = [&](Dat const *dat) {
    return dat->set == set && dat->dim == dim && dat->size == size &&
           dat->ownType == type;
  };
  auto at = std::find_if(retired.begin(), retired.end(), [&](Dat const *dat) {
    return isAlike(dat) && dat->ownName == name;
  });
  if (at == retired.end())
    at = std::find_if(retired.begin(), retired.end(), isAlike);
  if (at == retired.end())
    return nullptr;
  Dat &dat = **at;
  retired.erase(at);
  Dat old = std::move(dat);
  dat = Dat();
  dat.set = old.set;
  dat.dim = old.dim;
  dat.size = old.size;
  dat.elementType = old.elementType;
  dat.data = old.data;
  dat.part = old.part;
  dat.given = old.given;
  dat.inArray = old.inArray;
  dat.inPages = old.inPages;
  dat.bytes = old.bytes;
  dat.serial = old.retiredSerial;
  dat.changes = old.changes + 1;
  dat.ownName = name;
  dat.name = dat.ownName.c_str();
  dat.ownType = std::move(old.ownType);
  dat.type = dat.ownType.c_str();
  fillWithZeros(rowData(&dat), rowBytes(&dat));
  if (dat.inArray)
    fillWithZeros(dat.data, dat.bytes);
  publish(dat);
  return &dat;
}

/// An overlay is on whose storage it has.
static void findBase(Dat &overlay) {
  if (overlay.data == overlay.base->data)
    return;
  auto &dats = registry().dats;
  auto at = std::find_if(dats.begin(), dats.end(), [&](Dat const *dat) {
    return !dat->base && dat->data == overlay.data &&
           dat->set == overlay.base->set && dat->size == overlay.size;
  });
  if (at == dats.end())
    fatal(Problem::Overlay,
          "overlay %s on set %s: no dat has its storage any more; expected "
          "the data pointer of dat %s as it was, or exchanged with another "
          "dat on set %s of %d bytes an element",
          overlay.name, overlay.set->name, overlay.base->name,
          overlay.base->set->name, overlay.size);
  overlay.base = *at;
  overlay.data_d = overlay.base->data_d;
  overlay.user_managed = overlay.base->user_managed;
  hooks.forgetHandles(nullptr); // they have the base
}

void op2::rt::followExchanges(bool isUpload) {
  if (isPending(kRanks))
    hooks.settleRows();
  if (isPending(kOverlays))
    for (Dat *dat : registry().dats)
      if (dat->base)
        findBase(*dat);
  if (isPending(kCopies))
    hooks.settleCopies(isUpload);
}

Dat &op2::rt::numbersOf(Set &set) {
  if (set.numbers)
    return *set.numbers;
  Dat &dat = newDat("op_arg_idx");
  dat.set = &set;
  dat.dim = 1;
  dat.size = sizeof(int);
  dat.elementType = OP2RT_I32;
  dat.ownType = "int";
  dat.type = dat.ownType.c_str();
  dat.bytes = int64_t(set.rows) * dat.size;
  dat.data =
      allocateZeroed(set.rows, dat.size, "numbers of set " + set.ownName);
  for (int32_t row = 0; row < set.rows; ++row)
    reinterpret_cast<int *>(dat.data)[row] = userNumber(&set, row);
  dat.hasValues = true;
  registry().alive.insert(static_cast<op_dat>(&dat));
  return *(set.numbers = &dat);
}

void op2::rt::dropNumbers(Set &set) {
  if (!set.numbers)
    return;
  freeDeviceCopy(*set.numbers);
  ++fastPath.freed;
  registry().alive.erase(static_cast<op_dat>(set.numbers));
  release(*set.numbers);
  set.numbers = nullptr;
}

static void release(Map &map) {
  if (map.inPages)
    releasePages(reinterpret_cast<char *>(map.map), declaredBytes(map));
  else if (!map.user_managed)
    deallocate(map.map);
  deallocate(map.part);
  map.map = map.part = nullptr;
  map.inPages = false;
  map.serial = 0;
  releaseMemory(map.compositions);
  releaseMemory(map.entryRows);
  releaseMemory(map.keys);
  releaseMemory(map.tablesFromOne);
}

static void release(Set &set) {
  dropNumbers(set);
  set.serial = 0;
  releaseMemory(set.toUser);
  releaseMemory(set.toInternal);
  set.keptFor.clear();
}

template <class Core> static void erase(std::vector<Core *> &all, Core *core) {
  for (auto at = all.erase(all.begin() + core->index); at != all.end(); ++at)
    --(*at)->index;
  registry().alive.erase(core);
}

void op2::rt::removeSubset(Subset &subset, std::vector<Map *> const &maps) {
  Registry &all = registry();
  freeRetiredDats();
  ++fastPath.freed;
  for (Map *map : maps) {
    freeDeviceCopies(*map);
    erase(all.maps, static_cast<op_map>(map));
    release(*map);
    all.freeMaps.push_back(map);
  }
  Set &set = static_cast<Set &>(*subset.set);
  erase(all.sets, subset.set);
  release(set);
  all.freeSets.push_back(&set);
  all.subsets.erase(std::find(all.subsets.begin(), all.subsets.end(), &subset));
  all.alive.erase(static_cast<op_subset>(&subset));
  all.freeSubsets.push_back(&subset);
  listSets();
  listMaps();
}

/// Records stay, for whoever still has their handles.
void op2::rt::freeEverything() {
  Registry &all = registry();
  ++fastPath.freed;
  for (Dat *dat : all.dats) {
    withdraw(*dat);
    release(*dat);
  }
  freeRetiredDats();
  for (op_map map : all.maps)
    release(static_cast<Map &>(*map));
  for (op_set set : all.sets)
    release(static_cast<Set &>(*set));
  all.sets.clear();
  all.maps.clear();
  all.dats.clear();
  all.subsets.clear();
  all.layers.clear();
  all.alive.clear();
  all.programArrays.clear();
  all.nextSet = all.nextMap = all.nextDat = 0;
  setPending(kOverlays, false);
  OP_set_index = OP_map_index = OP_dat_index = 0;
  OP_set_list = nullptr;
  OP_map_list = nullptr;
  OP_set_max = OP_map_max = 0;
}

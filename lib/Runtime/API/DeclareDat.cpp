//===- DeclareDat.cpp - Declarations of dats --------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// op_decl_dat and its siblings: dats with values, of zeros, temporary ones, and
// overlays on other dats' storage.
//
//===----------------------------------------------------------------------===//

#include "Core/Copies.h"
#include "Core/Error.h"
#include "Core/Job.h"
#include "Core/Memory.h"
#include "Core/Pending.h"
#include "Core/Registry.h"
#include "Core/Threads.h"
#include "Core/Types.h"
#include "Core/UserOrder.h"
#include "Declare.h"
#include "Ranks/Distribute.h"
#include "Ranks/Storage.h"
#include "Renumber/Renumber.h"

#include <climits>
#include <cstring>

using namespace op2::rt;

static Dat &makeDat(op_set set, int dim, char const *type, int size,
                    char const *name, char const *where) {
  std::string place = std::string(where) + " " + (name ? name : "");
  requireSet(set, place.c_str());
  if (dim <= 0)
    fatal(Problem::Dim, "%s: dim is %d; expected at least 1", place.c_str(),
          dim);
  int elementType = parseType(type);
  if (elementType < 0)
    fatal(Problem::TypeString,
          "%s: unknown type string \"%s\"; expected one of %s", place.c_str(),
          type ? type : "(NULL)", allTypeNames().c_str());
  if (size < typeSize(elementType))
    fatal(Problem::TypeString, "%s: a component has %d bytes; %s needs %d",
          place.c_str(), size, type, typeSize(elementType));
  if (int64_t(size) * dim > INT_MAX)
    fatal(Problem::Size,
          "%s: %d components of %d bytes; expected an element of at most "
          "%d bytes",
          place.c_str(), dim, size, INT_MAX);
  Dat &dat = newDat(name);
  dat.set = set;
  dat.dim = dim;
  // Not dim times the type's size: programs declare "int" dats that hold
  // doubles and never let OP2 look inside.
  dat.size = size * dim;
  dat.elementType = elementType;
  dat.ownType = type;
  dat.type = dat.ownType.c_str();
  dat.bytes = int64_t(rowsOf(set)) * dat.size;
  return dat;
}

/// Are the values in the application's array for good? All ranks say the same,
/// also those that declare no rows.
static bool staysInProgram(Dat const &dat, void const *data) {
  if (OP_realloc)
    return false;
  return hasRanks() ? someGive(static_cast<Set &>(*dat.set), data,
                               ("dat " + dat.ownName).c_str())
                    : data != nullptr;
}

op_dat op2::rt::declareDat(op_set set, int dim, char const *type, int size,
                           void const *data, char const *name,
                           char const *where, bool isTemporary) {
  Dat &dat = makeDat(set, dim, type, size, name, where);
  if (job.isDistributed)
    meetOver(dat, where);
  freeRetiredDats();
  auto &of = static_cast<Set &>(*set);
  std::string what = "dat " + dat.ownName;
  if (data && !OP_realloc && isRenumbered(set) && !job.isDistributed)
    fatal(Problem::Order,
          "%s %s: set %s was renumbered, and OP_NO_REALLOC makes the "
          "values stay where the application has them; declare the dat "
          "before, or run with %snone",
          where, dat.name, set->name, kRenumberVariable);
  if (!isTemporary && staysInProgram(dat, data)) {
    dat.data = static_cast<char *>(const_cast<void *>(data));
    dat.user_managed = 1;
    registry().programArrays.insert(data);
    dat.inArray = hasRanks();
    dat.bytes = int64_t(of.declaredSize) * dat.size;
    if (job.isDistributed)
      dat.part = allocateFromUser(of, data, dat.size, what);
  } else if (data || (job.isDistributed && !isTemporary)) {
    dat.data = allocateFromUser(of, data, dat.size, what);
    programChanged(dat);
  } else {
    dat.data = allocateZeroed(rowsOf(set), dat.size, what);
  }
  if (job.isDistributed && !dat.user_managed)
    setStorage(dat, dat.data);
  else if (hasRanks() && job.declaresWhole && !dat.user_managed)
    keepInPages(dat);
  dat.hasValues = data != nullptr || of.declaredSize == 0;
  dat.entry.orig_ptr = const_cast<void *>(data);
  publish(dat);
  return &dat;
}

// The caller's buffer is not promised to outlive the call.
op_dat op2::rt::declareOwnDat(op_set set, int dim, int type, void const *data,
                              char const *name, char const *where) {
  int saved = OP_realloc;
  OP_realloc = 1;
  op_dat dat =
      declareDat(set, dim, typeName(type), typeSize(type), data, name, where);
  OP_realloc = saved;
  static_cast<Dat *>(dat)->entry.orig_ptr = nullptr;
  return dat;
}

extern "C" op_dat op_decl_dat_char(op_set set, int dim, char const *type,
                                   int size, char *data, char const *name) {
  Call const call(__func__);
  requireRunning("op_decl_dat");
  return declareDat(set, dim, type, size, data, name, "op_decl_dat");
}

extern "C" op_dat search_dat(op_set set, int dim, char const *type, int size,
                             char const *name) {
  Call const call(__func__);
  for (Dat *dat : registry().dats)
    if (dat->set == set && dat->dim == dim && dat->size == size &&
        dat->ownType == (type ? type : "") && name && dat->ownName == name)
      return dat;
  return nullptr;
}

extern "C" op_dat op_decl_dat_temp_char(op_set set, int dim, char const *type,
                                        int size, char const *name) {
  Call const call(__func__);
  requireRunning("op_decl_dat_temp");
  int bytes = 0;
  bool isSize = !__builtin_mul_overflow(dim, size, &bytes);
  if (isSize && search_dat(set, dim, type, bytes, name))
    fatal(Problem::Temporary,
          "op_decl_dat_temp %s: there is already such a dat on set %s "
          "(dim %d, type %s); free it with op_free_dat_temp first",
          name, set->name, dim, type);
  // Loops of the last time step had one like it.
  if (isSize && findSet(set) && type && name)
    if (Dat *dat = reviveDat(set, dim, type, bytes, name)) {
      if (job.isDistributed)
        meetOver(*dat, "op_decl_dat_temp");
      return dat;
    }
  return declareDat(set, dim, type, size, nullptr, name, "op_decl_dat_temp",
                    /*isTemporary=*/true);
}

extern "C" int op_free_dat_temp(op_dat dat) {
  Call const call(__func__);
  flush();
  settleStorage();
  Dat *found = findDat(dat);
  if (!found)
    return -1;
  if (found->isPart)
    fatal(
        Problem::Temporary,
        "op_free_dat_temp %s: a matrix or layers have it; expected a dat that "
        "the program has declared",
        found->name);
  for (Dat const *other : registry().dats)
    if (other->base == found)
      fatal(Problem::Overlay,
            "op_free_dat_temp %s: an overlay on set %s still uses its "
            "storage; free that first",
            found->name, other->set->name);
  if (job.isDistributed)
    meetOver(*found, "op_free_dat_temp");
  retireDat(*found);
  return 1;
}

extern "C" int op_free_dat_temp_char(op_dat dat) {
  return op_free_dat_temp(dat);
}

extern "C" op_dat_core *op2rt_decl_dat(op_set_core *set, int32_t dim,
                                       int32_t type, void const *data,
                                       int64_t count, char const *name) {
  Call const call(__func__);
  beginImplicitly("op2.decl_dat");
  requireSet(set, "op2.decl_dat");
  if (data)
    requireCount("op2.decl_dat", name, set, dim, count);
  return declareOwnDat(set, dim, type, data, name, "op2.decl_dat");
}

extern "C" void op2rt_fetch(op_dat_core *dat, int32_t type, void *data,
                            int64_t count) {
  Call const call(__func__);
  Dat &from = requireDat(dat, "op2.fetch");
  if (from.elementType != type)
    fatal(Problem::TypeString, "op2.fetch %s: the dat holds %s, the buffer %s",
          dat->name, typeName(from.elementType), typeName(type));
  requireCount("op2.fetch", dat->name, dat->set, dat->dim, count);
  Set const &set = static_cast<Set &>(*dat->set);
  makeHostCurrent(from);
  copyToUser(from, set.declaredBegin, set.declaredBegin + set.declaredSize,
             static_cast<char *>(data));
}

//===----------------------------------------------------------------------===//
// Overlays
//===----------------------------------------------------------------------===//

extern "C" op_dat op_decl_dat_overlay(op_set set, op_dat dat) {
  Call const call(__func__);
  requireRunning("op_decl_dat_overlay");
  Dat &below = requireDat(dat, "op_decl_dat_overlay");
  std::string place = std::string("op_decl_dat_overlay ") + dat->name;
  requireSet(set, place.c_str());
  if (!job.declaresWhole && set != dat->set)
    fatal(Problem::RanksDeclare,
          "%s: sets %s and %s can share storage only where each rank declares "
          "the whole mesh; expected OP2_RANKS=whole, or an overlay on "
          "set %s",
          place.c_str(), set->name, dat->set->name, dat->set->name);
  if (set->size > dat->set->size)
    fatal(Problem::Overlay,
          "%s: set %s has %d elements, but the dat's set %s only %d",
          place.c_str(), set->name, set->size, dat->set->name, dat->set->size);
  if (set != dat->set && !job.isDistributed &&
      (isRenumbered(set) || isRenumbered(dat->set)))
    fatal(Problem::Overlay,
          "%s: sets %s and %s were renumbered and cannot share storage; "
          "declare the overlay before, or run with %snone",
          place.c_str(), dat->set->name, set->name, kRenumberVariable);
  Dat &base = below.base ? *below.base : below;
  if (job.isDistributed)
    meetOver(base, "op_decl_dat_overlay");
  if (hasRanks())
    keepInArray(base);
  Dat &overlay = newDat(dat->name);
  overlay.set = set;
  overlay.dim = dat->dim;
  overlay.size = dat->size;
  overlay.elementType = below.elementType;
  overlay.ownType = below.ownType;
  overlay.type = overlay.ownType.c_str();
  overlay.data = dat->data;
  overlay.data_d = dat->data_d;
  overlay.user_managed = dat->user_managed;
  overlay.bytes = int64_t(static_cast<Set &>(*set).declaredSize) * dat->size;
  overlay.base = &base;
  overlay.inArray = hasRanks();
  if (job.isDistributed)
    overlay.part =
        allocateZeroed(rowsOf(set), dat->size, "dat " + overlay.ownName);
  publish(overlay);
  return &overlay;
}

extern "C" op_dat op_decl_dat_overlay_ptr(op_set set, char *data) {
  Call const call(__func__);
  // The latest: arrays of those before may have been freed.
  auto const &dats = registry().dats;
  for (auto at = dats.rbegin(); data && at != dats.rend(); ++at)
    if (Dat *dat = *at;
        !dat->base && (dat->entry.orig_ptr == data || dat->data == data))
      return op_decl_dat_overlay(set, dat);
  fatal(Problem::Handle,
        "op_decl_dat_overlay_ptr: no dat was declared with the values at "
        "%p",
        static_cast<void *>(data));
}

extern "C" int compare_sets(op_set set1, op_set set2) {
  Call const call(__func__);
  return findSet(set1) && set1 == set2;
}

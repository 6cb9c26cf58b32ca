//===- CheckValues.cpp - Values before and after a loop -------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values are compared by their bits: NaNs are equal to themselves, and -0 is
// not 0.
//
//===----------------------------------------------------------------------===//

#include "CheckValues.h"
#include "CheckMode.h"
#include "Core/Copies.h"
#include "Core/Types.h"
#include "Core/UserOrder.h"

#include <algorithm>
#include <cstring>

using namespace op2::rt;

//===----------------------------------------------------------------------===//
// Poison
//===----------------------------------------------------------------------===//

/// Bytes that fill one component: a signalling NaN with the argument's number,
/// a number that nobody counts to, a bool that is neither 0 nor 1. Any number
/// of 32 bits is one that programs compute, so it is another one at each place.
static std::string poisonOf(int type, int arg, int64_t place) {
  uint64_t number = (uint64_t(place) ^ 0xDEADBEEF) * 0xD6E8FEB86659FD93;
  if (type == OP2RT_F64)
    number = 0x7FF4DEADBEEFDE00 + uint8_t(arg);
  else if (type == OP2RT_F32)
    number = 0x7FA0DE00 + uint8_t(arg);
  else if (type == OP2RT_BOOL)
    number = 0xA5;
  else if (typeSize(type) == 4)
    number >>= 32;
  std::string pattern(typeSize(type), '\0');
  std::memcpy(pattern.data(), &number, pattern.size());
  return pattern;
}

/// Poison that was moved, or what arithmetic makes of it: a quiet NaN with the
/// same bits, but for the sign.
static bool isComputedOf(int type, char const *value,
                         std::string const &poison) {
  auto has = [&](auto bits, int quietBit) {
    using Bits = decltype(bits);
    Bits const sign = Bits(1) << (8 * sizeof bits - 1), quiet = Bits(1)
                                                                << quietBit;
    Bits now;
    std::memcpy(&now, value, sizeof now);
    std::memcpy(&bits, poison.data(), sizeof bits);
    return ((now | quiet) & ~sign) == (bits | quiet);
  };
  return type == OP2RT_F64   ? has(uint64_t(), 51)
         : type == OP2RT_F32 ? has(uint32_t(), 22)
                             : false;
}

/// Programs compute every value that few bits can have, except of a bool. Of an
/// application's type nobody knows which bytes belong to a member that was
/// left.
static bool canBePoisoned(int type) {
  switch (type) {
  case OP2RT_F64:
  case OP2RT_F32:
  case OP2RT_I32:
  case OP2RT_U32:
  case OP2RT_I64:
  case OP2RT_U64:
  case OP2RT_BOOL:
    return true;
  default:
    return false;
  }
}

static std::string valueText(int type, char const *value) {
  auto as = [&](auto number) {
    std::memcpy(&number, value, sizeof number);
    return number;
  };
  char text[64];
  switch (type) {
  case OP2RT_F64:
    std::snprintf(text, sizeof text, "%.17g", as(double()));
    return text;
  case OP2RT_F32:
    std::snprintf(text, sizeof text, "%.9g", double(as(float())));
    return text;
  case OP2RT_I32:
    return std::to_string(as(int32_t()));
  case OP2RT_U32:
    return std::to_string(as(uint32_t()));
  case OP2RT_I64:
    return std::to_string(as(int64_t()));
  case OP2RT_U64:
    return std::to_string(as(uint64_t()));
  case OP2RT_I16:
    return std::to_string(as(int16_t()));
  case OP2RT_U16:
    return std::to_string(as(uint16_t()));
  case OP2RT_I8:
    return std::to_string(int(as(int8_t())));
  case OP2RT_BOOL:
  case OP2RT_U8:
    return std::to_string(int(as(uint8_t())));
  }
  return "another value";
}

//===----------------------------------------------------------------------===//
// Before the loop
//===----------------------------------------------------------------------===//

ValueCheck::ValueCheck(op2rt_loop const &loop) : loop(loop) {
  watchDats();
  watchGlobals();
  for (Watched &watched : dats) {
    char const *rows = rowData(watched.dat);
    watched.before.assign(rows, rows + rowBytes(watched.dat));
    if (watched.onlyWritten && canBePoisoned(watched.dat->elementType) &&
        !sharesStorage(watched) && !hasPackedBools(watched))
      cover(watched);
  }
  // After all copies were made: storage may be shared.
  for (Watched &watched : dats)
    poison(watched);
}

bool op2::rt::isOverLayers(op2rt_loop const &loop) {
  return std::any_of(
      loop.args, loop.args + loop.desc->nargs, [](op2rt_arg const &arg) {
        return std::any_of(
            registry().layers.begin(), registry().layers.end(),
            [&](Layers const *layers) { return layers->ranges == arg.data; });
      });
}

void ValueCheck::watchDats() {
  // Of columns a kernel writes a part of each row, so that is OP_RW.
  bool const mayBeWritten = isOverLayers(loop);
  for (int m = 0; m < loop.desc->nargs; ++m) {
    if (loop.desc->args[m].kind != OP2RT_ARG_DAT || !loop.args[m].active)
      continue;
    Dat *dat =
        &storageOf(*static_cast<Dat *>(static_cast<op_dat>(loop.args[m].data)));
    auto at = std::find_if(dats.begin(), dats.end(),
                           [&](Watched const &w) { return w.dat == dat; });
    if (at == dats.end())
      at = dats.insert(dats.end(), {dat, m, true, true, {}, {}});
    int access = loop.desc->args[m].access;
    at->onlyRead &= access == OP2RT_READ;
    at->onlyWritten &= access == OP2RT_WRITE;
    if (access == OP2RT_READ || (access == OP2RT_RW && !mayBeWritten))
      checkHasValues(*at, m);
  }
}

// Dats without values are zeros on every target: suspicious only. Sums are
// often added to them.
void ValueCheck::checkHasValues(Watched const &watched, int arg) {
  Dat &dat = *watched.dat;
  dat.hasValues = hasAnyValue(dat);
  if (!dat.hasValues && rowBytes(&dat) > 0)
    reportSuspicious(loop, arg,
                     "%s on dat %s, which was declared without values and "
                     "which no loop has written: the kernel reads zeros",
                     accessName(loop.desc->args[arg].access), dat.name);
}

/// Another dat of the loop lies there, too: OP_NO_REALLOC.
bool ValueCheck::sharesStorage(Watched const &watched) const {
  return std::any_of(dats.begin(), dats.end(), [&](Watched const &other) {
    return other.dat != watched.dat &&
           overlap(rowData(watched.dat), rowBytes(watched.dat),
                   rowData(other.dat), rowBytes(other.dat));
  });
}

/// Rows that may be packed are put back where they were changed, and a bool of
/// other bits counts as one that is true.
bool ValueCheck::hasPackedBools(Watched const &watched) const {
  if (watched.dat->elementType != OP2RT_BOOL)
    return false;
  for (int m = watched.arg; m < loop.desc->nargs; ++m)
    if (loop.desc->args[m].count > 1 && isOnDat(loop, m, *watched.dat))
      return true;
  return false;
}

/// Finds the elements that the loop promises to write.
void ValueCheck::cover(Watched &watched) {
  watched.covered.resize(static_cast<std::size_t>(reachOf(watched.dat->set)));
  for (int m = watched.arg; m < loop.desc->nargs; ++m) {
    op2rt_arg_desc const &arg = loop.desc->args[m];
    if (!isOnDat(loop, m, *watched.dat))
      continue;
    op_map map = loop.args[m].map;
    for (int64_t e = 0; e < ownOf(loop.set); ++e)
      for (int slot = 0; slot < arg.count; ++slot)
        watched
            .covered[map ? tableOf(map)[e * map->dim + arg.slot + slot] : e] =
            true;
  }
}

void ValueCheck::poison(Watched &watched) {
  if (watched.covered.empty())
    return;
  Dat &dat = *watched.dat;
  int bytes = dat.size / dat.dim;
  for (int64_t e = 0; e < ownOf(dat.set); ++e)
    for (int64_t c = 0; watched.covered[e] && c < dat.dim; ++c) {
      int64_t at = e * dat.size + c * bytes;
      std::string const pattern = poisonOf(dat.elementType, watched.arg, at);
      std::memcpy(rowData(&dat) + at, pattern.data(), pattern.size());
    }
  hostChanged(dat);
}

void ValueCheck::watchGlobals() {
  for (int m = 0; m < loop.desc->nargs; ++m) {
    op2rt_arg_desc const &arg = loop.desc->args[m];
    if (arg.kind != OP2RT_ARG_GLOBAL || arg.access != OP2RT_READ ||
        !loop.args[m].active)
      continue;
    auto const *from = static_cast<char const *>(loop.args[m].data);
    values.push_back({m, {from, from + arg.dim * typeSize(arg.type)}});
  }
}

//===----------------------------------------------------------------------===//
// After the loop
//===----------------------------------------------------------------------===//

void ValueCheck::finish() {
  for (Watched &watched : dats) {
    if (watched.onlyRead && !sharesStorage(watched))
      checkRead(watched);
    if (!watched.covered.empty()) {
      checkUses(watched);
      checkWritten(watched);
    }
    if (!watched.onlyRead && !watched.onlyWritten)
      checkReadsOfChanges(loop, *watched.dat, watched.before.data());
    if (!watched.onlyRead)
      watched.dat->hasValues = true;
  }
  for (WatchedValue const &value : values)
    checkValue(value);
}

void ValueCheck::checkRead(Watched const &watched) {
  Dat &dat = *watched.dat;
  char const *before = watched.before.data();
  char *rows = rowData(&dat);
  auto bytes = static_cast<std::size_t>(rowBytes(&dat));
  if (bytes == 0 || std::memcmp(before, rows, bytes) == 0)
    return;
  int64_t at = std::mismatch(before, before + bytes, rows).first - before;
  int64_t width = dat.size / dat.dim, component = at % dat.size / width;
  int64_t value = at / width * width;
  std::string was = valueText(dat.elementType, before + value);
  std::string is = valueText(dat.elementType, rows + value);
  std::memcpy(rows, before, bytes);
  hostChanged(dat);
  reportBroken(loop, watched.arg,
               "OP_READ on dat %s: the kernel changed element %lld, component "
               "%lld, from %s to %s; declare OP_RW, OP_WRITE or OP_INC",
               dat.name, shown(userNumber(dat.set, at / dat.size)),
               shown(component), was.c_str(), is.c_str());
}

ValueCheck::Uses ValueCheck::putBackUses(Watched const &from, Watched &to) {
  Uses found;
  int type = from.dat->elementType, bytes = from.dat->size / from.dat->dim;
  Dat &dat = *to.dat;
  if ((type != OP2RT_F64 && type != OP2RT_F32) || to.onlyRead ||
      &dat == from.dat || dat.elementType != type)
    return found;
  std::string const pattern = poisonOf(type, from.arg, 0);
  for (int64_t at = 0; at < int64_t(ownOf(dat.set)) * dat.size; at += bytes)
    if (isComputedOf(type, rowData(&dat) + at, pattern)) {
      std::memcpy(rowData(&dat) + at, to.before.data() + at, pattern.size());
      found.first = found.count++ ? found.first : at;
    }
  if (found.count > 0)
    hostChanged(dat);
  return found;
}

/// Values of other dats that come from what was there before.
void ValueCheck::checkUses(Watched const &from) {
  int bytes = from.dat->size / from.dat->dim;
  for (Watched &to : dats) {
    Dat &dat = *to.dat;
    auto const [first, count] = putBackUses(from, to);
    if (count == 0)
      continue;
    reportBroken(loop, from.arg,
                 "OP_WRITE on dat %s: the kernel computed element %lld, "
                 "component %lld of dat %s (%lld values in all) from a value "
                 "that was there before, which OP_WRITE promises not to read; "
                 "declare OP_RW",
                 from.dat->name, shown(userNumber(dat.set, first / dat.size)),
                 shown(first % dat.size / bytes), dat.name, shown(count));
  }
}

ValueCheck::PutBack ValueCheck::putBack(Watched &watched) {
  Dat &dat = *watched.dat;
  int bytes = dat.size / dat.dim;
  PutBack found;
  bool isChanged = false;
  for (int64_t e = 0; e < ownOf(dat.set); ++e)
    for (int64_t c = 0; watched.covered[e] && c < dat.dim; ++c) {
      int64_t at = e * dat.size + c * bytes;
      char *value = rowData(&dat) + at;
      std::string const pattern = poisonOf(dat.elementType, watched.arg, at);
      bool isLeft = std::memcmp(value, pattern.data(), pattern.size()) == 0;
      if (!isLeft && !isComputedOf(dat.elementType, value, pattern))
        continue;
      std::memcpy(value, watched.before.data() + at, pattern.size());
      isChanged = true;
      int32_t element = userNumber(dat.set, e);
      if (isLeft && (found.count++ == 0 || element < found.left.element))
        found.left = {element, c};
      if (!isLeft && found.read.element < 0)
        found.read = {element, c};
    }
  if (isChanged)
    hostChanged(dat);
  return found;
}

void ValueCheck::restore() {
  for (Watched &watched : dats) {
    if (watched.covered.empty())
      continue;
    for (Watched &to : dats)
      putBackUses(watched, to);
    putBack(watched);
  }
}

void ValueCheck::checkWritten(Watched &watched) {
  PutBack const found = putBack(watched);
  if (found.read.element >= 0)
    reportBroken(loop, watched.arg,
                 "OP_WRITE on dat %s: the kernel computed element %lld, "
                 "component %lld from a value that was there before, which "
                 "OP_WRITE promises not to read; declare OP_RW",
                 watched.dat->name, shown(found.read.element),
                 shown(found.read.component));
  if (found.count == 0)
    return;
  reportBroken(loop, watched.arg,
               "OP_WRITE on dat %s: the kernel did not write element %lld, "
               "component %lld (%lld values in all), and OP_WRITE promises "
               "all components of every element; declare OP_RW",
               watched.dat->name, shown(found.left.element),
               shown(found.left.component),
               static_cast<long long>(found.count));
}

void ValueCheck::checkValue(WatchedValue const &value) {
  void *data = loop.args[value.arg].data;
  auto const *now = static_cast<char const *>(data);
  if (std::equal(value.before.begin(), value.before.end(), now))
    return;
  // Given once more, as the result of a reduction.
  for (int m = 0; m < loop.desc->nargs; ++m)
    if (loop.args[m].active && loop.args[m].data == data &&
        loop.desc->args[m].access != OP2RT_READ)
      return;
  auto at = std::mismatch(value.before.begin(), value.before.end(), now).first -
            value.before.begin();
  reportBroken(
      loop, value.arg,
      "OP_READ on a global: component %lld was changed while the loop "
      "ran; declare OP_INC, OP_MIN or OP_MAX",
      static_cast<long long>(at / typeSize(loop.desc->args[value.arg].type)));
}

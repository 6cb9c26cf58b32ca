//===- Traffic.cpp - Useful bytes of a loop ---------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The traffic model of the reports. It counts what any implementation must
// move if each value came from memory once per loop: a dat accessed directly
// n * size bytes; through maps min(elements of its set, n * slots used) * size;
// once if it is read or written, twice if both (READ and WRITE arguments of one
// dat are taken together); maps 4 bytes per element and slot used.
//
//===----------------------------------------------------------------------===//

#include "Core/Types.h"
#include "Loop.h"

#include <algorithm>

using namespace op2::rt;

namespace {
/// The distinct map slots through which one dat is touched.
struct Touched {
  bool direct = false;
  std::vector<std::pair<op_map, int>> slots;

  void add(op_map map, int slot) {
    if (std::find(slots.begin(), slots.end(), std::make_pair(map, slot)) ==
        slots.end())
      slots.emplace_back(map, slot);
  }
  double elements(double loopSize, double setSize) const {
    double indirect = std::min(setSize, loopSize * double(slots.size()));
    return direct ? std::max(loopSize, indirect) : indirect;
  }
};

struct DatTraffic {
  op_dat dat;
  Touched read, written;
};
} // namespace

static void touch(Touched &touched, op2rt_arg_desc const &arg, op_map map) {
  if (!map)
    touched.direct = true;
  else
    for (int s = 0; s < arg.count; ++s)
      touched.add(map, arg.slot + s);
}

double op2::rt::usefulBytes(op2rt_loop_desc const &desc, op_set_core const *set,
                            op2rt_arg const *args) {
  std::vector<DatTraffic> dats;
  Touched maps;
  for (int m = 0; m < desc.nargs; ++m) {
    op2rt_arg_desc const &arg = desc.args[m];
    if (!args[m].active)
      continue;
    if (args[m].map)
      touch(maps, arg, args[m].map);
    if (arg.kind != OP2RT_ARG_DAT)
      continue;
    auto *dat = static_cast<op_dat>(args[m].data);
    auto at = std::find_if(dats.begin(), dats.end(),
                           [&](DatTraffic const &d) { return d.dat == dat; });
    if (at == dats.end())
      at = dats.insert(at, DatTraffic{dat, {}, {}});
    if (accessReads(arg.access))
      touch(at->read, arg, args[m].map);
    if (accessWrites(arg.access))
      touch(at->written, arg, args[m].map);
  }
  double n = ownOf(set);
  double bytes = 4.0 * n * double(maps.slots.size());
  for (DatTraffic const &d : dats)
    bytes += d.dat->size * (d.read.elements(n, ownOf(d.dat->set)) +
                            d.written.elements(n, ownOf(d.dat->set)));
  return bytes;
}

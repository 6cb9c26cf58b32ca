//===- Diagnostics.cpp - Reports about the program --------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables of declarations, and the list of loops and how they were compiled.
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "Core/Options.h"
#include "Core/Registry.h"
#include "Core/Threads.h"
#include "Device/Device.h"
#include "Device/DeviceLayout.h"
#include "Execute/Loop.h"

using namespace op2::rt;

namespace {
/// A compiled call site, copied: the image may be unloaded before the report.
struct CompiledLoop {
  std::string name, location;
  std::string how; ///< "openmp (block colours), cuda (direct)"
};
} // namespace

// Filled by constructors, possibly before this file's own have run.
static std::vector<CompiledLoop> &compiledLoops() {
  static auto *loops = new std::vector<CompiledLoop>;
  return *loops;
}

extern "C" void op2rt_register_loop(op2rt_loop_desc const *desc) {
  auto text = [](char const *s) { return std::string(s ? s : ""); };
  std::string target = std::string(targetName(desc->target)) + " (";
  CompiledLoop added = {text(desc->name), text(desc->location),
                        target + text(desc->strategy) + ")"};
  // One line for the call site, whatever it is compiled for.
  for (CompiledLoop &known : compiledLoops())
    if (known.name == added.name && known.location == added.location &&
        !added.location.empty() &&
        known.how.find(target) == std::string::npos) {
      known.how += ", " + added.how;
      return;
    }
  compiledLoops().push_back(added);
}

static std::string placeOf(std::string const &location) {
  return location.empty() ? "" : ", at " + location;
}

void op2::rt::reportLoops() {
  for (CompiledLoop const &loop : compiledLoops())
    op_printf("op2: loop %s: compiled for %s%s\n", loop.name.c_str(),
              loop.how.c_str(), placeOf(loop.location).c_str());
  for (LoopState const *loop : allLoopStates())
    if (loop->count > 0)
      op_printf("op2: loop %s: ran %lld times on %s (%s)%s%s\n",
                loop->name.c_str(), static_cast<long long>(loop->count),
                targetName(loop->target), loop->strategy,
                placeOf(loop->location).c_str(),
                describeCounts(loop->countAlone, loop->countChained).c_str());
}

std::string op2::rt::describeCounts(int64_t alone, int64_t chained) {
  std::string text;
  if (alone)
    text += "; " + std::to_string(alone) + " on one thread";
  if (chained)
    text += "; " + std::to_string(chained) + " in chains";
  return text;
}

extern "C" void op_diagnostic_output(void) {
  Call const call(__func__);
  if (OP_diags < 2)
    return;
  Registry &all = registry();
  op_printf("\n  %-24s %12s\n", "set", "size");
  for (op_set set : all.sets)
    op_printf("  %-24s %12d\n", set->name, set->size);
  op_printf("\n  %-24s %8s  %-20s %-20s\n", "map", "dim", "from", "to");
  for (op_map map : all.maps)
    op_printf("  %-24s %8d  %-20s %-20s\n", map->name, map->dim,
              map->from->name, map->to->name);
  op_printf("\n  %-24s %8s  %-8s %-20s %12s\n", "dat", "dim", "type", "set",
            "MiB");
  for (Dat const *dat : all.dats)
    op_printf("  %-24s %8d  %-8s %-20s %12.2f\n", dat->name, dat->dim,
              dat->type, dat->set->name, double(dat->bytes) / (1 << 20));
  op_printf("\n");
  reportDeviceMemory();
  reportConversions();
}

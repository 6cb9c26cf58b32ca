//===- Partition.cpp - op_partition -----------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Core/Job.h"
#include "Core/Settings.h"
#include "Core/Threads.h"
#include "Ranks/Distribute.h"
#include "Renumber/Renumber.h"

using namespace op2::rt;

/// What the arguments ask for; OP2_PARTITION, if it is set, counts more.
static PartRequest requestOf(std::string const &library, Set const *set,
                             Map const *map, op_dat dat) {
  constexpr char const *kWhere = "op_partition";
  if (settingText("OP2_PARTITION"))
    return requestedParts(kWhere);
  if (library == "EXTERNAL")
    return partsFromDat(requireDat(dat, "op_partition EXTERNAL"), kWhere);
  PartRequest request;
  if (library == "RANDOM") {
    request.method = PartRequest::Random;
    request.seed = 1;
    return request;
  }
  // As in OP2, what is declared stays where it is under other names.
  if (library != "PTSCOTCH" && library != "PARMETIS" && library != "KAHIP" &&
      library != "INERTIAL") {
    request.method = PartRequest::Blocks;
    return request;
  }
  if (map) {
    request.map = map->index;
    request.set = map->to->index;
  } else if (set) {
    request.set = set->index;
  }
  return request;
}

extern "C" void op_partition(char const *lib_name, char const *, op_set set,
                             op_map map, op_dat coords) {
  Call const call(__func__);
  requireRunning(__func__);
  // One process needs none of them; the program may run on several next.
  Set const *const leader = set ? &requireSet(set, __func__) : nullptr;
  Map const *const edges = map ? &requireMap(map, __func__) : nullptr;
  Dat const *const places = coords ? &requireDat(coords, __func__) : nullptr;
  OP_is_partitioned = 1;
  if (job.isDistributed)
    return;
  renumberAtPartition(edges, places);
  if (hasRanks())
    distribute(__func__,
               requestOf(lib_name ? lib_name : "", leader, edges, coords));
}

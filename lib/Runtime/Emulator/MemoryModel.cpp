//===- MemoryModel.cpp - What a GPU's memory would have to move -----------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryModel.h"
#include "Core/Settings.h"
#include "OP2/Runtime/op2emu.h"

#include <algorithm>
#include <memory>

using namespace op2::rt;

// Multiprocessors, sizes, rates of memory and clocks are from the vendor's data
// sheets (boost clock). Rates of the L2 are what copies within it reached in
// published measurements, on A100 and H100 (Jia et al. for the method). A
// launch behind another one takes 2 us by NVIDIA's own measurements. Of the
// H200 the rate of the memory is that of a copy, and that of the L2 what loops
// reached by its counters (benchmarks/details/gpu-measured.md).
MemoryMachine const *op2::rt::findMemoryMachine(std::string const &name) {
  constexpr int64_t kKB = 1024, kMB = 1024 * 1024;
  static constexpr MemoryMachine kMachines[] = {
      {"a100", 108, 192 * kKB, 40 * kMB, 2.04e12, 4.5e12, 1.41e9, 2e-6},
      {"h100", 132, 256 * kKB, 50 * kMB, 3.35e12, 5.6e12, 1.98e9, 2e-6},
      {"h200", 132, 256 * kKB, 60 * kMB, 4.24e12, 5.0e12, 1.98e9, 2e-6}};
  for (MemoryMachine const &machine : kMachines)
    if (name == machine.name)
      return &machine;
  return nullptr;
}

MemoryModel::MemoryModel(MemoryMachine const &machine)
    : machine(machine), l2(machine.l2Bytes) {}

MemoryModel *MemoryModel::get() {
  static auto *model = [] {
    char const *name = settingText("OP2_EMULATOR_MODEL");
    return name ? new MemoryModel(*findMemoryMachine(name)) : nullptr;
  }();
  return model;
}

//===----------------------------------------------------------------------===//
// Launches and blocks
//===----------------------------------------------------------------------===//

void MemoryModel::beginLaunch(std::string const &name, int64_t numBlocks,
                              int32_t numThreads, int64_t sharedBytes) {
  auto at = std::find_if(counts.begin(), counts.end(), [&](auto const &known) {
    return known.first == name;
  });
  if (at == counts.end())
    at = counts.insert(at, {name, {}});
  current = &at->second;
  ++current->launches;
  current->blocks += numBlocks;
  // As many blocks as there is room for share what is left of the memory of a
  // multiprocessor; caches of one kernel are of no use to the next one.
  constexpr int64_t kThreads = 2048, kBlocks = 32;
  int64_t resident = std::min(kBlocks, kThreads / std::max(numThreads, 1));
  if (sharedBytes > 0)
    resident = std::min(resident, machine.nearBytes / sharedBytes);
  int64_t left =
      machine.nearBytes - sharedBytes * std::max<int64_t>(resident, 1);
  l1.assign(static_cast<std::size_t>(machine.multiprocessors),
            SectorCache(std::max<int64_t>(left, 16 * 1024)));
  accesses.resize(static_cast<std::size_t>(numThreads));
  turns.resize(static_cast<std::size_t>(numThreads));
  latest.resize(static_cast<std::size_t>(numThreads));
}

void MemoryModel::beginBlock(int64_t number) {
  multiprocessor =
      static_cast<std::size_t>(number % int64_t(machine.multiprocessors));
}

/// Nothing else may have happened to the piece in between.
bool MemoryModel::joins(int32_t thread, Space space, int64_t offset,
                        int64_t bytes, int32_t kind) {
  auto number = static_cast<std::size_t>(thread);
  int64_t piece = offset / kWidest * 2 + (space == Space::Shared);
  std::size_t next = accesses[number].size();
  auto [at, isNew] = latest[number].try_emplace(piece, next);
  if (isNew)
    return false;
  Access &before = accesses[number][at->second];
  bool isNeighbour =
      before.offset + before.bytes == offset || offset + bytes == before.offset;
  if (before.kind != kind || kind == OP2EMU_ATOMIC || !isNeighbour ||
      before.bytes + bytes > kWidest) {
    at->second = next;
    return false;
  }
  before.offset = std::min(before.offset, offset);
  before.bytes = static_cast<int32_t>(before.bytes + bytes);
  return true;
}

void MemoryModel::note(int32_t thread, Space space, int64_t offset,
                       int64_t bytes, int32_t kind, int32_t place) {
  auto number = static_cast<std::size_t>(thread);
  if (joins(thread, space, offset, bytes, kind))
    return;
  accesses[number].push_back({offset, place, turns[number][place]++,
                              static_cast<int32_t>(bytes),
                              static_cast<uint8_t>(kind), space});
}

void MemoryModel::atBarrier() {
  flush();
  ++current->barriers;
}

/// Threads of a warp go on together.
void MemoryModel::flush() {
  constexpr std::size_t kWarp = OP2EMU_WARP_SIZE;
  for (std::size_t first = 0; first < accesses.size(); first += kWarp)
    flushWarp(first, std::min(kWarp, accesses.size() - first));
  for (std::size_t n = 0; n < accesses.size(); ++n) {
    accesses[n].clear();
    turns[n].clear();
    latest[n].clear();
  }
}

/// Accesses are one request where their threads are at one place for the same
/// number of times; requests come in the order in which the threads, from the
/// first one on, get to them.
void MemoryModel::flushWarp(std::size_t firstThread, std::size_t numThreads) {
  requests.clear();
  requestAt.clear();
  for (std::size_t n = firstThread; n < firstThread + numThreads; ++n)
    for (Access const &access : accesses[n]) {
      int64_t key = int64_t(access.place) << 32 | access.turn;
      auto [at, isNew] = requestAt.try_emplace(key, requests.size());
      if (isNew)
        requests.emplace_back();
      Request &request = requests[at->second];
      request.lanes[request.numLanes++] = &access;
    }
  for (Request const &request : requests)
    access(request);
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

/// Pointers of a kernel may lead to shared memory for some threads only.
void MemoryModel::access(Request const &request) {
  Request parts[2];
  for (int32_t n = 0; n < request.numLanes; ++n) {
    Access const *lane = request.lanes[n];
    Request &part = parts[lane->space == Space::Shared ? 1 : 0];
    part.lanes[part.numLanes++] = lane;
  }
  if (parts[0].numLanes > 0)
    accessGlobal(parts[0]);
  if (parts[1].numLanes > 0)
    accessShared(parts[1]);
}

/// The most threads of a request at one address.
int64_t MemoryModel::countMeetings(Request const &request) {
  int64_t most = 0;
  for (int32_t n = 0; n < request.numLanes; ++n)
    most = std::max<int64_t>(
        most, std::count_if(request.lanes, request.lanes + request.numLanes,
                            [&](Access const *other) {
                              return other->offset == request.lanes[n]->offset;
                            }));
  return most;
}

void MemoryModel::accessGlobal(Request const &request) {
  std::vector<int64_t> sectors;
  for (int32_t n = 0; n < request.numLanes; ++n) {
    Access const &lane = *request.lanes[n];
    int64_t first = lane.offset / SectorCache::kSectorBytes;
    int64_t last = (lane.offset + lane.bytes - 1) / SectorCache::kSectorBytes;
    for (int64_t sector = first; sector <= last; ++sector)
      sectors.push_back(sector);
    current->bytes += lane.bytes;
  }
  std::sort(sectors.begin(), sectors.end());
  sectors.erase(std::unique(sectors.begin(), sectors.end()), sectors.end());
  ++current->requests;
  current->sectors += int64_t(sectors.size());
  bool isLoad = request.lanes[0]->kind == OP2EMU_LOAD;
  bool isAtomic = request.lanes[0]->kind == OP2EMU_ATOMIC;
  if (isAtomic) {
    ++current->atomics;
    current->atomicTurns += countMeetings(request);
  }
  SectorCache &near = l1[multiprocessor];
  int64_t none = 0;
  for (int64_t sector : sectors) {
    // Stores go on to the L2, and so do atomic operations, past the L1.
    bool isNear = !isAtomic && near.access(sector, /*writes=*/false, none);
    if (isLoad && isNear)
      continue;
    (isLoad ? current->l2Read : current->l2Written) += 1;
    bool isThere =
        l2.access(sector, /*writes=*/!isLoad, current->memoryWritten);
    // What is stored does not have to be fetched, unless it is combined.
    if (!isThere && (isLoad || isAtomic))
      ++current->memoryRead;
  }
}

/// 32 banks of 4 bytes; wider values take as many turns as they have words, for
/// which fewer threads go together.
void MemoryModel::accessShared(Request const &request) {
  constexpr int64_t kBanks = 32, kWord = 4;
  ++current->sharedRequests;
  int64_t words = std::max<int64_t>(request.lanes[0]->bytes / kWord, 1);
  auto together = static_cast<int32_t>(std::max<int64_t>(kBanks / words, 1));
  for (int32_t first = 0; first < request.numLanes; first += together) {
    std::vector<int64_t> all; // words that are asked for
    for (int32_t n = first; n < std::min(first + together, request.numLanes);
         ++n) {
      Access const &lane = *request.lanes[n];
      for (int64_t word = lane.offset / kWord;
           word <= (lane.offset + lane.bytes - 1) / kWord; ++word)
        all.push_back(word);
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    int64_t ofBank[kBanks] = {};
    for (int64_t word : all)
      ++ofBank[word % kBanks];
    current->sharedTurns += *std::max_element(ofBank, ofBank + kBanks);
  }
}

//===----------------------------------------------------------------------===//
// What is made of the counts
//===----------------------------------------------------------------------===//

MemoryBound op2::rt::boundOf(MemoryCounts const &counts,
                             MemoryMachine const &machine) {
  auto bytes = [](int64_t sectors) {
    return double(sectors) * double(SectorCache::kSectorBytes);
  };
  // A multiprocessor serves its shared memory, or its L1, once a clock.
  double turns = machine.multiprocessors * machine.clock;
  MemoryBound bounds[] = {
      {bytes(counts.memoryRead + counts.memoryWritten) / machine.memoryRate,
       "memory"},
      {bytes(counts.l2Read + counts.l2Written) / machine.l2Rate, "L2"},
      {bytes(counts.sectors) / (turns * double(SectorCache::kSectorBytes *
                                               SectorCache::kLineSectors)),
       "L1"},
      {double(counts.sharedTurns) / turns, "shared memory"},
      {double(counts.launches) * machine.launchSeconds, "launches"}};
  return *std::max_element(
      std::begin(bounds), std::end(bounds),
      [](auto const &a, auto const &b) { return a.seconds < b.seconds; });
}

void op2::rt::printMemoryModel(std::FILE *file) {
  MemoryModel *model = MemoryModel::get();
  if (!model)
    return;
  bool isTold =
      std::any_of(model->loops().begin(), model->loops().end(),
                  [](auto const &loop) { return loop.second.requests > 0; });
  if (!isTold) {
    std::fprintf(file, "\nOP2_EMULATOR_MODEL: no kernel told what it accesses; "
                       "compile with --op2-count-accesses, and run with "
                       "OP2_TARGET=emulator\n");
    return;
  }
  auto megabytes = [](int64_t sectors) {
    return double(sectors * SectorCache::kSectorBytes) * 1e-6;
  };
  std::fprintf(file,
               "\nModel of %s, MB: of global memory that threads ask for, of "
               "its sectors, to and from L2, memory\n"
               "  %8s %10s %10s %10s %10s %10s %9s %12s  %s\n",
               model->getMachine().name, "launches", "asked", "sectors", "L2",
               "read", "written", "conflicts", "at least us", "kernel: by");
  double total = 0;
  for (auto const &[name, counts] : model->loops()) {
    MemoryBound bound = boundOf(counts, model->getMachine());
    std::fprintf(
        file,
        "  %8lld %10.3f %10.3f %10.3f %10.3f %10.3f %9lld %12.2f  "
        "%s: %s\n",
        static_cast<long long>(counts.launches), double(counts.bytes) * 1e-6,
        megabytes(counts.sectors), megabytes(counts.l2Read + counts.l2Written),
        megabytes(counts.memoryRead), megabytes(counts.memoryWritten),
        static_cast<long long>(counts.atomicTurns - counts.atomics +
                               counts.sharedTurns - counts.sharedRequests),
        bound.seconds * 1e6, name.c_str(), bound.what);
    total += bound.seconds;
  }
  std::fprintf(file, "Predicted, at least: %.6f s; %.3f MB are still in L2\n",
               total, megabytes(model->countUnwritten()));
}

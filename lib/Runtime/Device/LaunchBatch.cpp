//===- LaunchBatch.cpp - Launches that are given together -----------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchBatch.h"
#include "Core/Threads.h"
#include "DeviceCuda.h"

#include <cstring>
#include <utility>

using namespace op2::rt;

// More would be waited for too long.
static constexpr int64_t kMostWaiting = 64;
// A graph takes the host some 100 us, so a sequence must come that often first.
static constexpr int64_t kRepeats = 3;
// Of a program whose arguments change all sequences are new.
static constexpr std::size_t kMostKnown = 256;

static constexpr std::size_t kWords = sizeof(Launch) / sizeof(uint64_t);
static_assert(sizeof(Launch) == kWords * sizeof(uint64_t));

void LaunchBatch::give(Launch const &launch, void **args) {
  if (!launch.function)
    return device.check(device.api().eventRecord(*static_cast<CUevent *>(*args),
                                                 device.theStream),
                        "recording an event");
  device.check(
      device.api().launchKernel(launch.function,
                                static_cast<unsigned>(launch.blocks), 1, 1,
                                static_cast<unsigned>(launch.threads), 1, 1,
                                static_cast<unsigned>(launch.sharedBytes),
                                device.theStream, args, nullptr),
      "launching kernel %s on %lld blocks of %lld threads with %lld bytes of "
      "dynamic shared memory",
      launch.name, static_cast<long long>(launch.blocks),
      static_cast<long long>(launch.threads),
      static_cast<long long>(launch.sharedBytes));
}

/// What the values of a parameter take.
static std::size_t wordsOf(Launch const &launch, int64_t param) {
  return (static_cast<std::size_t>(launch.paramBytes[param]) + 7) / 8;
}

void LaunchBatch::add(Launch const &launch, void **args) {
  std::size_t place = waiting.size(), words = kWords;
  for (int64_t n = 0; n < launch.numParams; ++n)
    words += wordsOf(launch, n);
  waiting.resize(place + words);
  std::memcpy(&waiting[place], &launch, sizeof launch);
  place += kWords;
  for (int64_t n = 0; n < launch.numParams; ++n) {
    std::memcpy(&waiting[place], args[n],
                static_cast<std::size_t>(launch.paramBytes[n]));
    place += wordsOf(launch, n);
  }
  if (++numWaiting == kMostWaiting)
    submit();
}

void LaunchBatch::addEvent(CUevent event) {
  void *args[] = {&event};
  hasEvents = true;
  static constexpr int32_t kBytes = sizeof event;
  add({nullptr, "", &kBytes, 1, 0, 0, 0}, args);
}

void LaunchBatch::delay() {
  if (numWaiting == 0 || isDelayed)
    return;
  isDelayed = true;
  addPending();
}

void LaunchBatch::submit() {
  if (numWaiting == 0)
    return;
  // A launch by itself is no faster as a graph.
  bool isPlain = !std::exchange(hasEvents, false);
  CUgraphExec graph = isPlain && numWaiting > 1 ? findGraph() : nullptr;
  if (graph)
    device.check(device.api().graphLaunch(graph, device.theStream),
                 "launching %lld kernels as a graph",
                 static_cast<long long>(numWaiting));
  else
    giveAll();
  waiting.clear();
  numWaiting = 0;
  if (std::exchange(isDelayed, false))
    --op2rt_pending;
}

void LaunchBatch::giveAll() {
  std::vector<void *> args;
  for (std::size_t place = 0; place < waiting.size();) {
    Launch launch;
    std::memcpy(&launch, &waiting[place], sizeof launch);
    place += kWords;
    args.clear();
    for (int64_t n = 0; n < launch.numParams; ++n) {
      args.push_back(&waiting[place]);
      place += wordsOf(launch, n);
    }
    give(launch, args.data());
  }
}

/// NULL for launches that have not come often enough.
CUgraphExec LaunchBatch::findGraph() {
  if (known.size() >= kMostKnown && known.find(waiting) == known.end())
    close();
  Known &sequence = known[waiting];
  if (!sequence.graph && ++sequence.count >= kRepeats)
    sequence.graph = makeGraph();
  return sequence.graph;
}

CUgraphExec LaunchBatch::makeGraph() {
  CudaDriver const &api = device.api();
  CUgraph graph = nullptr;
  CUgraphExec made = nullptr;
  device.check(api.streamBeginCapture(device.theStream,
                                      CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
               "beginning a graph");
  giveAll();
  device.check(api.streamEndCapture(device.theStream, &graph),
               "ending a graph");
  device.check(api.graphInstantiate(&made, graph, 0),
               "making a graph of %lld kernels",
               static_cast<long long>(numWaiting));
  device.check(api.graphDestroy(graph), "destroying a graph");
  return made;
}

void LaunchBatch::close() {
  for (auto const &entry : known)
    if (entry.second.graph)
      device.check(device.api().graphExecDestroy(entry.second.graph),
                   "destroying a graph");
  known.clear();
}

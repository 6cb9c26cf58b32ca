//===- DeviceReduction.cpp - Reductions on devices --------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks leave their results in an array on the device, where generated code
// combines them with the global's value. What a function of the program
// combines comes to the host.
//
//===----------------------------------------------------------------------===//

#include "DeviceReduction.h"
#include "Core/Error.h"
#include "Core/Job.h"
#include "Core/Memory.h"
#include "Core/Types.h"
#include "DeviceGlobals.h"
#include "Execute/ExactSum.h"
#include "Execute/LoopHooks.h"
#include "Execute/Reduction.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

using namespace op2::rt;

struct op2rt_device_reduction {
  Device *device;
  bool isExactSum;          ///< zeros, between loops
  void *partials = nullptr; ///< on the device
  int64_t capacity = 0;     ///< bytes there, kept for the next loop
  // Of the loop in progress.
  int32_t arg = 0;
  int64_t count = 0; ///< of results; 0 for an argument that is off
};

// Reductions that ended, with their storage.
static std::vector<op2rt_device_reduction *> &idle() {
  static auto *reductions = new std::vector<op2rt_device_reduction *>;
  return *reductions;
}

static op2rt_device_reduction *takeIdle(Device &device, bool isExactSum,
                                        int64_t bytes) {
  // The smallest that is large enough, so that large ones stay for large loops.
  std::size_t best = idle().size();
  for (std::size_t n = 0; n < idle().size(); ++n)
    if (idle()[n]->device == &device && idle()[n]->isExactSum == isExactSum &&
        idle()[n]->capacity >= bytes &&
        (best == idle().size() || idle()[n]->capacity < idle()[best]->capacity))
      best = n;
  if (best == idle().size())
    return new op2rt_device_reduction{&device, isExactSum};
  op2rt_device_reduction *found = idle()[best];
  idle().erase(idle().begin() + static_cast<std::ptrdiff_t>(best));
  return found;
}

void op2::rt::forgetDeviceReductions() {
  for (op2rt_device_reduction *reduction : idle())
    delete reduction;
  idle().clear();
}

extern "C" op2rt_device_reduction *
op2rt_device_reduction_begin(op2rt_loop *loop, int32_t arg, int64_t count) try {
  requireReduction(*loop, arg);
  if (count < 0)
    argError(*loop->desc, arg, Problem::Call, "a reduction over %lld blocks",
             static_cast<long long>(count));
  op2rt_arg_desc const &desc = loop->desc->args[arg];
  Device &device = deviceOf(*loop);
  int64_t stride = int64_t(desc.dim) * typeSize(desc.type);
  void *global = loop->args[arg].active ? loop->args[arg].data : nullptr;
  if (!global)
    count = 0;
  bool isSum = isExactSum(desc);
  int64_t bytes = count * stride;
  if (isSum && count > 0)
    bytes = OP2RT_DEVICE_SUM_COPIES * int64_t(desc.dim) *
            OP2RT_EXACT_SUM_WORDS * int64_t(sizeof(int64_t));
  op2rt_device_reduction *r = takeIdle(device, isSum, bytes);
  r->arg = arg;
  r->count = count;
  // What no block changes need not travel.
  if (count > 0 && desc.access != OP2RT_REDUCE)
    takeGlobal(device, global, stride);
  if (!r->partials) {
    // Loops of similar size share it.
    r->capacity = (bytes + 4095) / 4096 * 4096;
    r->partials = device.allocate(r->capacity, "reductions");
    std::vector<char> const zeros(
        static_cast<std::size_t>(isSum ? r->capacity : 0));
    if (!zeros.empty())
      device.upload(r->partials, zeros.data(), r->capacity);
  }
  return r;
} catch (std::bad_alloc const &) {
  endWithoutMemory("device data");
}

// NULL for an optional global that is switched off: the kernel must not look.
extern "C" void *
op2rt_device_reduction_data(op2rt_device_reduction *reduction) {
  return reduction->count > 0 ? reduction->partials : nullptr;
}

/// The sums of the copies on the device, one a component.
static std::vector<ExactSum> downloadSums(op2rt_device_reduction const &r,
                                          std::size_t dim) {
  std::vector<ExactSum::State> words(OP2RT_DEVICE_SUM_COPIES * dim);
  r.device->download(words.data(), r.partials,
                     static_cast<int64_t>(words.size() * sizeof words[0]));
  std::vector<ExactSum> sums(dim);
  for (std::size_t n = 0; n < words.size(); ++n) {
    ExactSum::State &sum = sums[n % dim].entries();
    for (std::size_t w = 0; w < sum.size(); ++w)
      sum[w] += words[n][w];
  }
  return sums;
}

static void uploadSums(op2rt_device_reduction const &r,
                       std::vector<ExactSum> &sums) {
  std::vector<ExactSum::State> words(OP2RT_DEVICE_SUM_COPIES * sums.size());
  for (std::size_t d = 0; d < sums.size(); ++d)
    words[d] = sums[d].entries();
  r.device->upload(r.partials, words.data(),
                   static_cast<int64_t>(words.size() * sizeof words[0]));
}

// What copies of elements reduce counts with their owners. A rank without
// elements adds those of others on the host, where its global is.
extern "C" void
op2rt_device_reduction_share(op2rt_device_reduction *reduction) {
  op2rt_device_reduction const &r = *reduction;
  op2rt_loop const &loop = *currentLoop();
  if (!hasRanks() || loop.copies || !loop.args[r.arg].active)
    return;
  op2rt_arg_desc const &desc = loop.desc->args[r.arg];
  std::vector<ExactSum> sums(static_cast<std::size_t>(desc.dim));
  if (r.count == 0)
    return addSums(loop.args[r.arg].data, desc.type, desc.dim, sums.data(),
                   loop.desc->name);
  sums = downloadSums(r, sums.size());
  loopHooks.sumOnRanks(sums.data(), desc.dim, loop.desc->name);
  uploadSums(r, sums);
}

/// Combines the results by the function of the program, on the host.
static void finishMerge(op2rt_device_reduction const &r) {
  op2rt_loop const &loop = *currentLoop();
  op2rt_arg_desc const &desc = loop.desc->args[r.arg];
  op2rt_arg const &arg = loop.args[r.arg];
  if (!arg.active || isMergeDropped(loop))
    return;
  constexpr int64_t kLine = 64; // as types of the program may be aligned
  int64_t stride = bytesOfGlobal(desc);
  int64_t count = std::max<int64_t>(1, r.count);
  auto bytes =
      static_cast<std::size_t>((count * stride + kLine - 1) / kLine * kLine);
  std::unique_ptr<char, decltype(&std::free)> results(
      static_cast<char *>(std::aligned_alloc(kLine, bytes)), std::free);
  if (!results)
    fatal(Problem::Memory,
          "out of memory: the reduction of loop %s needs %zu bytes for %lld "
          "results of a device",
          loop.desc->name, bytes, static_cast<long long>(count));
  if (r.count > 0)
    r.device->download(results.get(), r.partials, count * stride);
  else // other ranks have some
    std::memcpy(results.get(), arg.identity, static_cast<std::size_t>(stride));
  // The function may look at what other loops have reduced.
  loopHooks.deliverResults(nullptr);
  // Another argument may reduce the same global on the device.
  void *reduced = findTaken(*r.device, arg.data, stride);
  if (reduced)
    r.device->download(arg.data, reduced, stride);
  mergePartials({arg.data, OP2RT_REDUCE, desc.type, desc.dim, count, stride,
                 results.get()},
                arg.merge, loop.desc->name);
  if (reduced)
    r.device->upload(reduced, arg.data, stride);
}

extern "C" void
op2rt_device_reduction_end(op2rt_device_reduction *reduction) try {
  if (currentLoop()->desc->args[reduction->arg].access == OP2RT_REDUCE)
    finishMerge(*reduction);
  idle().push_back(reduction);
} catch (std::bad_alloc const &) {
  endWithoutMemory("device data");
}

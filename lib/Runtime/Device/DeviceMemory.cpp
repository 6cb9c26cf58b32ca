//===- DeviceMemory.cpp - Memory of devices ---------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accounting: what lies on a device, for reports and for the message when
// there is no room for more.
//
//===----------------------------------------------------------------------===//

#include "Core/Error.h"
#include "Device.h"
#include "Execute/Loop.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <tuple>
#include <vector>

using namespace op2::rt;

std::string op2::rt::inLoop() {
  char const *name = currentLoopName();
  return name ? std::string("loop ") + name + ": " : "";
}

std::string op2::rt::describeBytes(int64_t bytes) {
  std::string text = std::to_string(bytes) + " bytes";
  constexpr double kMebi = 1 << 20;
  auto size = static_cast<double>(bytes);
  char rounded[40];
  if (size >= 1024 * kMebi)
    std::snprintf(rounded, sizeof rounded, " (%.1f GiB)", size / kMebi / 1024);
  else if (size >= kMebi)
    std::snprintf(rounded, sizeof rounded, " (%.1f MiB)", size / kMebi);
  else
    return text;
  return text + rounded;
}

void *Device::allocate(int64_t bytes, std::string const &what) {
  void *data = obtain(std::max<int64_t>(bytes, 1));
  if (!data) {
    std::string room = capacity(), contents = inventory("\n  ", 20);
    fatal(Problem::DeviceMemory,
          "%sout of device memory: %s needs %s on %s%s; %s are in use%s%s",
          inLoop().c_str(), what.c_str(), describeBytes(bytes).c_str(),
          name().c_str(), room.empty() ? "" : (" (" + room + ")").c_str(),
          describeBytes(allocated).c_str(), contents.empty() ? "" : ":",
          contents.c_str());
  }
  allocations[data] = {bytes, what};
  allocated += bytes;
  return data;
}

void Device::release(void *data) {
  auto at = allocations.find(data);
  if (at == allocations.end())
    return;
  allocated -= at->second.bytes;
  allocations.erase(at);
  giveBack(data);
}

void *Device::scratch(int64_t bytes) {
  if (!ofLaunches || allocations.at(ofLaunches).bytes < bytes) {
    release(ofLaunches);
    ofLaunches = nullptr;
    ofLaunches = allocate(bytes, "increments of blocks");
  }
  return ofLaunches;
}

void Device::releaseAll() {
  ofLaunches = nullptr;
  for (auto const &entry : allocations)
    giveBack(entry.first);
  allocations.clear();
  allocated = 0;
}

std::string Device::inventory(char const *indent, std::size_t most) const {
  std::map<std::string, int64_t> sums;
  for (auto const &entry : allocations)
    sums[entry.second.what] += entry.second.bytes;
  std::vector<std::pair<std::string, int64_t>> rows(sums.begin(), sums.end());
  std::sort(rows.begin(), rows.end(), [](auto const &a, auto const &b) {
    return std::tie(b.second, a.first) < std::tie(a.second, b.first);
  });
  std::string text;
  int64_t rest = 0;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    if (n < most)
      text += indent + rows[n].first + ": " + describeBytes(rows[n].second);
    else
      rest += rows[n].second;
  }
  if (rest)
    text += indent + ("others: " + describeBytes(rest));
  return text;
}

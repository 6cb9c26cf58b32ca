//===- Profile.cpp - A tree of timed regions --------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// op_profile.h. Calls outside of op_profile_start ... op_profile_end, and exits
// without an entry, are ignored.
//
//===----------------------------------------------------------------------===//

#include "Core/Error.h"
#include "Core/FastPath.h"
#include "Core/Job.h"
#include "Core/OutputFile.h"
#include "Core/Pending.h"
#include "Core/PlainNumbers.h"
#include "Core/Regions.h"
#include "Core/Settings.h"
#include "Core/Threads.h"
#include "OP2/API/op_profile.h"
#include "OP2/Runtime/op2rt.h"

#include <cstdio>
#include <string>

using op2::rt::currentRegion;
using op2::rt::Region;

static Region *root = nullptr;
static int level = 1;

/// The profiler may watch loops.
static void noteRegion() {
  op2::rt::setPending(op2::rt::kProfiling, currentRegion() && level > 1);
}

extern "C" void op_profile_start(char const *name) {
  op2::rt::Call const call(__func__);
  op2::rt::flush();
  level = static_cast<int>(op2::rt::settingNumber("OP_PROFILE_LEVEL", 1));
  while (currentRegion())
    op2::rt::leaveRegion();
  root = level > 0 ? &op2::rt::startRegions(name ? name : "") : nullptr;
  noteRegion();
}

/// Loops that the profiler watches are seen where they were called. Of others
/// the time is moved there.
static void beforeRegion() {
  if (level > 1)
    op2::rt::flush();
}

extern "C" void op_profile_enter(char const *name) {
  if (!currentRegion())
    return;
  op2::rt::Call const call(__func__);
  beforeRegion();
  op2::rt::enterRegion(name ? name : "");
}

extern "C" void op_profile_enter_kernel(char const *name, char const *target,
                                        char const *variant) {
  if (!currentRegion())
    return;
  op2::rt::Call const call(__func__);
  std::string text = name ? name : "";
  if (level > 2 && target && *target)
    text += std::string(" [") + target +
            (variant && *variant ? std::string(" ") + variant : "") + "]";
  op2::rt::enterRegion(text);
}

extern "C" void op_profile_exit(void) {
  if (!currentRegion() || currentRegion() == root)
    return;
  op2::rt::Call const call(__func__);
  beforeRegion();
  op2::rt::leaveRegion();
}

extern "C" void op_profile_next(char const *name) {
  op_profile_exit();
  op_profile_enter(name);
}

extern "C" void op_profile_end(void) {
  if (!currentRegion())
    return;
  op2::rt::Call const call(__func__);
  op2::rt::flush();
  while (currentRegion())
    op2::rt::leaveRegion();
  noteRegion();
}

static void printTree(Region const &region, int depth) {
  std::printf("  %8lld %12.6f %12.6f %12.6f  %*s%s\n", region.visits,
              region.total, region.shortest(), region.longest(), 2 * depth, "",
              region.name.c_str());
  for (auto const &c : region.children)
    printTree(*c, depth + 1);
}

extern "C" void op_profile_output(void) {
  if (!root || !op2::rt::isRoot())
    return;
  op2::rt::Call const call(__func__);
  op2::rt::PlainNumbers const plain;
  std::printf("\n  %8s %12s %12s %12s  %s\n", "count", "total s", "min s",
              "max s", "region");
  printTree(*root, 0);
  if (char const *file = op2::rt::settingText("OP_PROFILE_JSON_OUTPUT"))
    op_profile_output_json(op2::rt::settingPath(file).c_str());
}

static void writeTree(std::FILE *file, Region const &region) {
  std::fprintf(file,
               "{\"name\":%s,\"n\":%lld,\"total\":%.9f,\"min\":%.9f,"
               "\"max\":%.9f",
               op2::rt::quoteForJson(region.name).c_str(), region.visits,
               region.total, region.shortest(), region.longest());
  std::fputs(",\"children\":[", file);
  for (std::size_t c = 0; c < region.children.size(); ++c) {
    if (c)
      std::fputc(',', file);
    writeTree(file, *region.children[c]);
  }
  std::fputs("]}", file);
}

extern "C" void op_profile_output_json(char const *file_name) {
  if (!root || !op2::rt::isRoot())
    return;
  op2::rt::Call const call(__func__);
  op2::rt::OutputFile const file =
      op2::rt::openOutput("op_profile_output_json", file_name, "w");
  op2::rt::PlainNumbers const plain;
  writeTree(file.get(), *root);
  std::fputc('\n', file.get());
}

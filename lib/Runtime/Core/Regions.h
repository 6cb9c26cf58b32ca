//===- Regions.h - A tree of timed regions ----------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_CORE_REGIONS_H
#define OP2_LIB_RUNTIME_CORE_REGIONS_H

#include <memory>
#include <string>
#include <vector>

namespace op2::rt {

/// What op_profile.h calls a region. Seconds are those of all visits that have
/// ended, with the regions within.
struct Region {
  std::string name;
  Region *parent = nullptr;
  long long visits = 0;
  double total = 0;
  double least = 0, greatest = 0; ///< of all visits but the latest
  double latest = 0;              ///< seconds of that visit
  double entered = 0;             ///< time at which the present visit began
  std::vector<std::unique_ptr<Region>> children;

  double shortest() const;
  double longest() const;
};

/// Where the program is; null outside of op_profile_start ... op_profile_end.
Region *currentRegion();

/// Starts with an empty tree.
Region &startRegions(std::string const &name);
void enterRegion(std::string const &name);
/// The current region, whose parent is current then.
void leaveRegion();

/// Seconds that have just passed belong to a region that called for the work
/// earlier, and not to the current one.
void moveTime(double seconds, Region *to);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_CORE_REGIONS_H

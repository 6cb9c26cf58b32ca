//===- Regions.cpp - A tree of timed regions --------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Regions.h"
#include "Clock.h"
#include "Trace.h"

#include <algorithm>

using namespace op2::rt;

static std::unique_ptr<Region> root;
static Region *current = nullptr;

double Region::shortest() const {
  return visits > 1 ? std::min(least, latest) : latest;
}
double Region::longest() const {
  return visits > 1 ? std::max(greatest, latest) : latest;
}

Region *op2::rt::currentRegion() { return current; }

static void enter(Region &region) {
  region.entered = now();
  current = &region;
}

Region &op2::rt::startRegions(std::string const &name) {
  root = std::make_unique<Region>();
  root->name = name;
  enter(*root);
  return *root;
}

void op2::rt::enterRegion(std::string const &name) {
  for (auto &known : current->children)
    if (known->name == name)
      return enter(*known);
  current->children.push_back(std::make_unique<Region>());
  Region &region = *current->children.back();
  region.name = name;
  region.parent = current;
  enter(region);
}

void op2::rt::leaveRegion() {
  Region &region = *current;
  region.least = region.shortest();
  region.greatest = region.longest();
  region.latest = now() - region.entered;
  traceSince(region.entered, "region", region.name.c_str());
  region.total += region.latest;
  ++region.visits;
  current = region.parent;
}

static bool contains(Region const *outer, Region const *inner) {
  while (inner && inner != outer)
    inner = inner->parent;
  return inner;
}

void op2::rt::moveTime(double seconds, Region *to) {
  if (!to || !current)
    return;
  // Regions with both of them in it count the time already.
  for (Region *region = to; !contains(region, current);
       region = region->parent) {
    region->total += seconds;
    region->latest += seconds;
  }
  for (Region *region = current; !contains(region, to); region = region->parent)
    region->entered += seconds;
}

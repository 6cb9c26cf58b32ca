//===- ApartForms.cpp - Forms for handles that only look alike --*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ApartForms.h"
#include "llvm/ADT/STLExtras.h"

using namespace op2::frontend;

/// The arguments that are taken to be the same as others without a proof: "1 as
/// 0, 3 as 2"; empty if there are none.
static std::string listAlike(const LoopDescription &loop) {
  std::string list;
  for (auto [number, arg] : llvm::enumerate(loop.args)) {
    if (arg.sameDataAs == arg.provenDataAs && arg.sameMapAs == arg.provenMapAs)
      continue;
    unsigned other =
        arg.sameDataAs != arg.provenDataAs ? arg.sameDataAs : arg.sameMapAs;
    list += (list.empty() ? "" : ", ") + std::to_string(number) + " as " +
            std::to_string(other);
  }
  return list;
}

void ApartForms::addTo(std::vector<CallSite> &sites) {
  std::vector<CallSite> added;
  for (const CallSite &site : sites) {
    std::string alike = listAlike(*site.loop);
    if (alike.empty())
      continue;
    report.say(*site.loop, Topic::Elements,
               ": arguments that look alike (" + alike +
                   ") are taken to be one dat or map, which each call checks");
    loops.push_back(*site.loop);
    for (ArgDescription &arg : loops.back().args)
      arg.takeProven();
    CallSite &form = added.emplace_back(site);
    form.loop = &loops.back();
    form.isApart = true;
    form.runSymbol += ".apart";
    forms[site.loop] = form;
  }
  llvm::append_range(sites, added);
}

const CallSite *ApartForms::find(const CallSite &site) const {
  auto it = forms.find(site.loop);
  return it == forms.end() ? nullptr : &it->second;
}

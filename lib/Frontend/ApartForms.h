//===- ApartForms.h - Forms for handles that only look alike ----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code of a loop takes arguments whose expressions look alike, such as
// `mesh.nodes()` and `mesh.nodes()`, to be one dat or map. Calls that find
// other handles run a second form, which takes nothing for granted.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_APARTFORMS_H
#define OP2_FRONTEND_APARTFORMS_H

#include "CallSite.h"
#include "Report/LoopReport.h"
#include <deque>
#include <map>

namespace op2::frontend {

/// The second forms of the loops of a module.
class ApartForms {
public:
  explicit ApartForms(LoopReport &report) : report(report) {}

  /// Adds those that the loops at `sites` need.
  void addTo(std::vector<CallSite> &sites);

  /// The second form of a loop; null if there is none.
  const CallSite *find(const CallSite &site) const;

private:
  LoopReport &report;
  std::deque<LoopDescription> loops;
  std::map<const LoopDescription *, CallSite> forms;
};

} // namespace op2::frontend

#endif // OP2_FRONTEND_APARTFORMS_H

//===- ChainSite.h - Loops that may wait ------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_QUEUE_CHAINSITE_H
#define OP2_LIB_RUNTIME_QUEUE_CHAINSITE_H

#include "Execute/Loop.h"

#include <memory>
#include <vector>

namespace op2::rt {

/// What a site was called with, by parameter: handles with their serial
/// numbers, flags. Of globals nothing.
struct SiteValue {
  void const *value = nullptr;
  uint64_t serial = 0; ///< 0: not a living object
};

/// A site with certain handles, and the loop that it runs then.
struct SiteCall {
  std::vector<SiteValue> values;
  std::vector<bool> isUsed; ///< by parameter: is this global not switched off?
  op2rt_loop_desc *desc = nullptr;
  Set *set = nullptr;
  std::vector<op2rt_arg> args; ///< globals have no meaning here
  std::shared_ptr<LoopCall> call;
  op2rt_plan const *plan = nullptr;
  bool mayWait = false;
  /// So often in a row it has waited for nothing: the chain ran loop after
  /// loop, and always will.
  mutable int inVain = 0;

  bool reduces() const;
  /// Do its elements run in the order of a plan's colours?
  bool isColored() const;
};

/// What is remembered of a site; lives as long as the program.
struct SiteState {
  op2rt_site const *site = nullptr;
  bool mayWait = false;                         ///< as far as parameters tell
  std::vector<std::shared_ptr<SiteCall>> calls; ///< the latest first
};

SiteState &stateOf(op2rt_site &site);

/// NULL if the site has not been called with these handles before.
std::shared_ptr<SiteCall> findCall(SiteState &state, void *const *values);

/// The loop that begins next is the site's, with these values.
void beginLearning(SiteState &state, void *const *values);
void stopLearning();

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_QUEUE_CHAINSITE_H

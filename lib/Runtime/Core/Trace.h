//===- Trace.h - What took time, one by one ---------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OP2_TRACE=FILE: every loop, tile, plan and wait of a run, in the JSON format
// of Chrome's trace viewer, which Perfetto reads as well (Trace Event Format,
// "complete events"). Where it is off, one bit of the pending work says so.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_CORE_TRACE_H
#define OP2_LIB_RUNTIME_CORE_TRACE_H

#include "Clock.h"

#include <string>

namespace op2::rt {

/// Records from now on, with nothing from before; times count from now.
void startTrace();
/// The events of this process, each with a comma before it but the first, as
/// those of process `rank`. Ends the trace.
std::string endTrace(int rank);

/// Of any thread: seconds of now(). `category`: a literal.
void recordSpan(char const *category, char const *name, double start,
                double end);

/// From now() back to `start`, if there is a trace.
inline void traceSince(double start, char const *category, char const *name) {
  if (isPending(kTracing))
    recordSpan(category, name, start, now());
}

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_CORE_TRACE_H

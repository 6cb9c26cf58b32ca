//===- FusedStub.h - Two loops by one call ----------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_FUSEDSTUB_H
#define OP2_FRONTEND_FUSEDSTUB_H

#include "LoopPairs.h"
#include "llvm/ADT/ArrayRef.h"

namespace op2::frontend {

/// Two loops with code for both as one.
struct Fusion {
  LoopPair pair;
  LoopDescription loop;  ///< both, by mergeLoops
  std::string runSymbol; ///< of the code for openmp, without its ending
  int64_t savedBytes = 0;
  llvm::Function *stub = nullptr; ///< null: none is needed

  CallSite getSite() {
    return {&loop,
            stub,
            pair.first.kernel,
            /*original=*/nullptr,
            pair.second.caller,
            runSymbol,
            unsigned(pair.first.loop->args.size())};
  }
};

/// Makes the stub of `fusion`, a function with the parameters of the first
/// loop's stub and those of the second one's. It runs the fused code if both
/// loops run on openmp and what fusing took for granted holds; else it calls
/// one stub after the other. `usesVectorMath`: functions may have other last
/// digits in groups of elements.
void createFusedStub(Fusion &fusion, const std::vector<Target> &targets,
                     const OpArgLayout &layout, bool usesVectorMath);

} // namespace op2::frontend

#endif // OP2_FRONTEND_FUSEDSTUB_H

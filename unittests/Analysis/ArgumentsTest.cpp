//===- ArgumentsTest.cpp - Conflicts, ownership, costs --------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Analysis/CostModel.h"
#include "OP2/Analysis/LoopArguments.h"
#include "OP2/Analysis/Ownership.h"
#include "ParsedModule.h"

using namespace mlir;
using namespace mlir::op2;

namespace {
constexpr char kLoops[] = R"(
  func.func private @flux(%x: memref<2xf64>, %y: memref<2xf64>,
                          %r: memref<4xf64>, %s: memref<4xf64>) {
    %c0 = arith.constant 0 : index
    %0 = memref.load %x[%c0] : memref<2xf64>
    %1 = memref.load %y[%c0] : memref<2xf64>
    %2 = arith.divf %0, %1 : f64
    %3 = math.sqrt %2 : f64
    %4 = math.exp %3 : f64
    %5 = memref.load %r[%c0] : memref<4xf64>
    %6 = arith.addf %5, %4 : f64
    memref.store %6, %r[%c0] : memref<4xf64>
    return
  }
  func.func private @says(%x: memref<2xf64>, %y: memref<2xf64>,
                          %r: memref<4xf64>, %s: memref<4xf64>) {
    func.call @print() : () -> ()
    return
  }
  func.func private @print()
  func.func @edges(%e: !op2.set, %x: !op2.dat<2xf64>, %r: !op2.dat<4xf64>,
                   %m: !op2.map<2>) {
    op2.par_loop @flux over %e args(
        read %x : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
        read %x : !op2.dat<2xf64> via %m[1] : !op2.map<2>,
        inc %r : !op2.dat<4xf64> via %m[0] : !op2.map<2>,
        inc %r : !op2.dat<4xf64> via %m[1] : !op2.map<2>)
    return
  }
  func.func @cells(%c: !op2.set, %x: !op2.dat<2xf64>, %r: !op2.dat<4xf64>) {
    op2.par_loop @flux over %c args(
        read %x : !op2.dat<2xf64>,
        read %x : !op2.dat<2xf64>,
        write %r : !op2.dat<4xf64>,
        rw %r : !op2.dat<4xf64>)
    return
  }
)";

TEST(LoopArguments, Conflicts) {
  ParsedModule module(kLoops);
  EXPECT_TRUE(hasConflicts(module.getArgs("edges")));
  EXPECT_FALSE(hasConflicts(module.getArgs("cells")));
  EXPECT_FALSE(isConflict(module.getArgs("edges")[0]));
  EXPECT_TRUE(isConflict(module.getArgs("edges")[2]));
}

TEST(LoopArguments, PrivateIncrements) {
  ParsedModule module(kLoops);
  // Two rows of four doubles.
  EXPECT_EQ(countPrivateBytes(module.getArgs("edges"), isConflict), 64);
  EXPECT_TRUE(fitPrivateIncrements(module.getArgs("edges")));
  EXPECT_EQ(countPrivateBytes(module.getArgs("cells"), isConflict), 0);
}

TEST(LoopArguments, HandlesOfOtherMemory) {
  ParsedModule module(kLoops);
  SmallVector<LoopArg> args = module.getArgs("edges");
  // Parameters of a function may be one dat, unless somebody promises.
  EXPECT_FALSE(areDifferent(args[0].data, args[2].data, false));
  EXPECT_TRUE(areDifferent(args[0].data, args[2].data, true));
  EXPECT_FALSE(areDifferent(args[0].data, args[1].data, true));
}

TEST(Ownership, Obstacles) {
  ParsedModule module(kLoops);
  func::FuncOp flux = module.getFunction("flux");
  EXPECT_EQ(findOwnershipObstacle(module.getArgs("edges"), flux), std::nullopt);
  EXPECT_EQ(findOwnershipObstacle(module.getArgs("cells"), flux),
            "argument 2 is changed, and another argument has its dat");
  // What may be noticed must not be done twice.
  EXPECT_EQ(findOwnershipObstacle(module.getArgs("edges"),
                                  module.getFunction("says")),
            "its kernel has 'func.call', which may not run twice");
  EXPECT_EQ(findOwnershipObstacle(module.getArgs("edges"),
                                  module.getFunction("print")),
            "its kernel has no body here");
}

TEST(CostModel, Traffic) {
  ParsedModule module(kLoops);
  // Rows behind a map come from the cache; its two entries do not.
  EXPECT_EQ(getTraffic(module.getArgs("edges")), 8);
  EXPECT_EQ(countValues(module.getArgs("edges")), 2 + 2 + 4 + 4);
}

TEST(CostModel, Cycles) {
  ParsedModule module(kLoops);
  KernelCycles cycles = countCycles(module.getFunction("flux"));
  // A division (4), a square root (6), an addition (1/2).
  EXPECT_EQ(cycles.arithmetic, 10);
  EXPECT_EQ(cycles.calls, 20);
  EXPECT_TRUE(losesByVectors(module.getFunction("flux"), 4));
  EXPECT_TRUE(waitsForRows(module.getFunction("flux")));
}
} // namespace

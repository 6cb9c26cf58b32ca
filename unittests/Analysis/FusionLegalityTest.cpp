//===- FusionLegalityTest.cpp - May two loops be one? ---------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules one by one are test/Transforms/fuse*.mlir's.
//
//===----------------------------------------------------------------------===//

#include "OP2/Analysis/FusionLegality.h"
#include "ParsedModule.h"

using namespace mlir;
using namespace mlir::op2;

namespace {
constexpr char kPairs[] = R"(
  func.func private @set(%a: memref<4xf64>, %b: memref<4xf64>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %v = memref.load %a[%c0] : memref<4xf64>
    memref.store %v, %b[%c0] : memref<4xf64>
    memref.store %v, %b[%c1] : memref<4xf64>
    memref.store %v, %b[%c2] : memref<4xf64>
    memref.store %v, %b[%c3] : memref<4xf64>
    return
  }
  func.func @fusible(%c: !op2.set, %q: !op2.dat<4xf64>, %r: !op2.dat<4xf64>)
      attributes {op2.fusible} {
    op2.par_loop @set over %c args(
        read %q : !op2.dat<4xf64>, write %r : !op2.dat<4xf64>)
    op2.par_loop @set over %c args(
        read %r : !op2.dat<4xf64>, rw %q : !op2.dat<4xf64>)
    return
  }
  func.func @gathers(%c: !op2.set, %q: !op2.dat<4xf64>, %r: !op2.dat<4xf64>,
                     %m: !op2.map<1>) attributes {op2.fusible} {
    op2.par_loop @set over %c args(
        read %q : !op2.dat<4xf64>, write %r : !op2.dat<4xf64>)
    op2.par_loop @set over %c args(
        read %r : !op2.dat<4xf64> via %m[0] : !op2.map<1>,
        rw %q : !op2.dat<4xf64>)
    return
  }
)";

FusionPair getPair(ParsedModule &module, StringRef function) {
  SmallVector<ParLoopOp> loops = module.getLoops(function);
  return FusionPair(loops[0], loops[1]);
}

TEST(FusionLegality, MergedArguments) {
  ParsedModule module(kPairs);
  FusionPair pair = getPair(module, "fusible");
  EXPECT_EQ(pair.getObstacle(), std::nullopt);
  ASSERT_EQ(pair.getArgs().size(), 2u);
  EXPECT_EQ(pair.getArgs()[0].getAccess(), Access::ReadWrite);
  // All of it is set before it is read.
  EXPECT_EQ(pair.getArgs()[1].getAccess(), Access::Write);
  EXPECT_EQ(pair.getPlaces(true)[0], 1u);
  EXPECT_EQ(pair.getPlaces(true)[1], 0u);
  EXPECT_EQ(pair.getNumValues(), 8);
  // Read and written, written, read, read and written: now without the reads
  // of what the first loop has just had.
  EXPECT_EQ(pair.getSavedBytes(), 64);
}

TEST(FusionLegality, RowsOfOthers) {
  ParsedModule module(kPairs);
  std::optional<std::string> obstacle =
      getPair(module, "gathers").getObstacle();
  ASSERT_TRUE(obstacle);
  EXPECT_EQ(obstacle->substr(0, 4), "[F3]");
}
} // namespace

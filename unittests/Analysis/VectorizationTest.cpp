//===- VectorizationTest.cpp - May elements run at once? ------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Analysis/Vectorization.h"
#include "OP2/Analysis/CostModel.h"
#include "OP2/Analysis/Uniformity.h"
#include "ParsedModule.h"

using namespace mlir;
using namespace mlir::op2;

namespace {
/// The kernels take a row and a global that all elements share.
constexpr char kKernels[] = R"(
  func.func private @fine(%q: memref<2xf64>, %g: memref<1xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = memref.load %g[%c0] : memref<1xi32>
    %v = memref.load %q[%c0] : memref<2xf64>
    %twice = arith.addf %v, %v : f64
    %half = arith.divsi %n, %n : i32
    memref.store %twice, %q[%c1] : memref<2xf64>
    return
  }
  func.func private @shares(%q: memref<2xf64>, %g: memref<1xi32>) {
    %c0 = arith.constant 0 : index
    %n = memref.load %g[%c0] : memref<1xi32>
    memref.store %n, %g[%c0] : memref<1xi32>
    return
  }
  func.func private @calls(%q: memref<2xf64>, %g: memref<1xi32>) {
    func.call @print() : () -> ()
    return
  }
  func.func private @print()
  // A read by address is for all lanes, or for none.
  func.func private @reads(%q: memref<2xf64>, %g: memref<1xi32>) {
    %c0 = arith.constant 0 : index
    %zero = llvm.mlir.constant(0 : i64) : i64
    %p = llvm.inttoptr %zero : i64 to !llvm.ptr
    %v = memref.load %q[%c0] : memref<2xf64>
    %is = arith.cmpf olt, %v, %v : f64
    scf.if %is {
      %w = llvm.load %p : !llvm.ptr -> f64
      memref.store %w, %q[%c0] : memref<2xf64>
    }
    return
  }
  func.func private @long(%q: memref<?xf64>, %g: memref<1xi32>) {
    return
  }
  func.func private @jumps(%q: memref<2xf64>, %g: memref<1xi32>) {
    llvm.br ^next
  ^next:
    return
  }
  func.func @loop(%c: !op2.set, %q: !op2.dat<2xf64>, %g: memref<1xi32>) {
    op2.par_loop @fine over %c args(
        rw %q : !op2.dat<2xf64>, read global %g : memref<1xi32>)
    return
  }
  func.func @optional(%c: !op2.set, %q: !op2.dat<2xf64>, %g: memref<1xi32>,
                      %is: i1) {
    op2.par_loop @fine over %c args(
        if %is rw %q : !op2.dat<2xf64>, read global %g : memref<1xi32>)
    return
  }
)";

constexpr bool kIsUniform[] = {false, true};

std::string getReason(ParsedModule &module, StringRef kernel) {
  std::optional<Obstacle> obstacle =
      findKernelObstacle(module.getFunction(kernel), kIsUniform);
  return obstacle ? obstacle->reason : "";
}

TEST(Vectorization, Kernels) {
  ParsedModule module(kKernels);
  EXPECT_EQ(getReason(module, "fine"), "");
  EXPECT_EQ(getReason(module, "shares"),
            "a store to memory that all elements share");
  EXPECT_EQ(getReason(module, "calls"),
            "the call of 'print' has no form for several elements");
  EXPECT_EQ(getReason(module, "reads"),
            "'llvm.load' has no form for several elements");
  EXPECT_EQ(getReason(module, "long"), "a parameter has no lanes");
  EXPECT_EQ(getReason(module, "jumps"), "its control flow is not structured");
}

TEST(Vectorization, Arguments) {
  ParsedModule module(kKernels);
  EXPECT_EQ(findLaneObstacle(module.getArgs("loop")), std::nullopt);
  EXPECT_EQ(findLaneObstacle(module.getArgs("optional")),
            "argument 0 is optional");
  EXPECT_EQ(findUniformOperands(module.getArgs("loop")),
            SmallVector<bool>({false, true}));
}

TEST(Vectorization, Factor) {
  ParsedModule module(kKernels);
  func::FuncOp kernel = module.getFunction("fine");
  auto getMachine = [&](int64_t bits) {
    return MachineAttr::get(kernel.getContext(), bits, false, 0, {});
  };
  SmallVector<LoopArg> args = module.getArgs("loop");
  EXPECT_EQ(getNumLanes(args, kernel, getMachine(512)), 8);
  EXPECT_EQ(getNumLanes(args, kernel, getMachine(256)), 4);
  EXPECT_EQ(getNumLanes(args, kernel, getMachine(0)), 1);
  EXPECT_EQ(getNumLanes(args, module.getFunction("calls"), getMachine(512)), 1);
  EXPECT_EQ(getNumLanes(module.getArgs("optional"), kernel, getMachine(512)),
            1);
}

/// A kernel that reads twice at an index of the element, and adds `sums` times.
std::string getGatherKernel(int sums) {
  std::string text = R"(
    func.func private @gathers(%q: memref<9xf64>, %g: memref<1xi32>) {
      %c0 = arith.constant 0 : index
      %v = memref.load %q[%c0] : memref<9xf64>
      %i = arith.fptosi %v : f64 to i64
      %n = arith.index_cast %i : i64 to index
      %s0 = memref.load %q[%n] : memref<9xf64>
      %w = memref.load %g[%n] : memref<1xi32>
  )";
  for (int i = 0; i < sums; ++i)
    text += "%s" + std::to_string(i + 1) + " = arith.addf %s" +
            std::to_string(i) + ", %v : f64\n";
  return text + "return\n}\n";
}

TEST(CostModel, Gathers) {
  ParsedModule plain(kKernels);
  EXPECT_FALSE(hasGathers(plain.getFunction("fine"), kIsUniform));
  EXPECT_FALSE(losesByLanes(plain.getFunction("fine"), kIsUniform, 4));
  // Half a cycle each, two of them for the index; two gathers of 1.5.
  for (bool pays : {false, true}) {
    ParsedModule module(getGatherKernel(pays ? 6 : 5));
    func::FuncOp kernel = module.getFunction("gathers");
    EXPECT_TRUE(hasGathers(kernel, kIsUniform));
    EXPECT_EQ(losesByLanes(kernel, kIsUniform, 4), !pays);
  }
}

/// A row of `dim` values that is stored to where another argument says, of a
/// value that takes `sums` additions.
std::string getScatterKernel(int dim, int sums, bool divides) {
  std::string row = "memref<" + std::to_string(dim) + "xf64>";
  std::string text =
      "func.func private @scatters(%q: memref<2xf64>, %r: " + row +
      ", %g: memref<1xi32>) {" + R"(
      %c0 = arith.constant 0 : index
      %three = arith.constant 3 : i32
      %s0 = memref.load %q[%c0] : memref<2xf64>
      %i = memref.load %g[%c0] : memref<1xi32>
  )";
  text += divides ? "%j = arith.remui %three, %i : i32\n"
                  : "%j = arith.andi %i, %three : i32\n";
  text += "%n = arith.index_cast %j : i32 to index\n";
  for (int i = 0; i < sums; ++i)
    text += "%s" + std::to_string(i + 1) + " = arith.addf %s" +
            std::to_string(i) + ", %s0 : f64\n";
  return text + "memref.store %s" + std::to_string(sums) + ", %r[%n] : " + row +
         "\nreturn\n}\n";
}

TEST(CostModel, Scatters) {
  // Half a cycle each and for the index; 1.5 a store and 12 a row, three more
  // where lanes divide. Of a short row all lanes together 1.5 a value.
  struct Case {
    int dim, sums;
    bool divides;
  };
  for (Case at : {Case{16, 34, false}, Case{16, 42, true}, Case{8, 6, false}})
    for (bool pays : {false, true}) {
      ParsedModule module(
          getScatterKernel(at.dim, at.sums - (pays ? 0 : 1), at.divides));
      EXPECT_EQ(losesByLanes(module.getFunction("scatters"),
                             {false, false, false}, 4),
                !pays);
    }
}

/// A table that may not be there, read by those elements that want it.
std::string getTableKernel(char const *index) {
  return std::string(R"(
    llvm.mlir.global external @table() : !llvm.ptr
    func.func private @reads(%q: memref<2xf64>, %g: memref<1xi32>) {
      %c0 = arith.constant 0 : index
      %zero = arith.constant 0.0 : f64
      %address = llvm.mlir.addressof @table : !llvm.ptr
      %pointer = llvm.load %address : !llvm.ptr -> !llvm.ptr
      %table = op2.ptr_cast %pointer : !llvm.ptr -> memref<?xf64>
      %v = memref.load %q[%c0] : memref<2xf64>
      %i = arith.fptosi %v : f64 to i64
      %own = arith.index_cast %i : i64 to index
      %wants = arith.cmpf ogt, %v, %zero : f64
      scf.if %wants {
        %w = memref.load %table[)") +
         index + R"(] : memref<?xf64>
        memref.store %w, %q[%c0] : memref<2xf64>
      }
      return
    })";
}

TEST(CostModel, WhatAllElementsShareIsNoGather) {
  ParsedModule shared(getTableKernel("%c0")), own(getTableKernel("%own"));
  EXPECT_FALSE(hasGathers(shared.getFunction("reads"), kIsUniform));
  EXPECT_TRUE(hasGathers(own.getFunction("reads"), kIsUniform));
}

/// A kernel with that many branches, of which an element takes one.
std::string getBranchKernel(int branches) {
  std::string text = R"(
    func.func private @branches(%q: memref<9xf64>, %g: memref<1xi32>) {
      %c0 = arith.constant 0 : index
      %v = memref.load %q[%c0] : memref<9xf64>
      %is = arith.cmpf olt, %v, %v : f64
  )";
  std::string body;
  for (int i = 0; i < 5; ++i)
    body += "%s" + std::to_string(i) + " = math.sqrt %v : f64\n";
  for (int i = 1; i < branches; ++i)
    text += "scf.if %is {\n" + body + "} else {\n";
  text += body;
  for (int i = 1; i < branches; ++i)
    text += "}\n";
  return text + "return\n}\n";
}

TEST(CostModel, Branches) {
  auto loses = [](int branches, int64_t lanes) {
    ParsedModule module(getBranchKernel(branches));
    return losesByBranches(module.getFunction("branches"), kIsUniform, lanes);
  };
  EXPECT_FALSE(loses(1, 2));
  EXPECT_FALSE(loses(2, 2));
  EXPECT_TRUE(loses(3, 2));
  EXPECT_FALSE(loses(3, 4));
  EXPECT_TRUE(loses(4, 4));
  EXPECT_FALSE(loses(6, 8));
  EXPECT_TRUE(loses(7, 8));
}

TEST(Uniformity, Values) {
  ParsedModule module(kKernels);
  func::FuncOp kernel = module.getFunction("fine");
  UniformityAnalysis uniformity(kernel, kIsUniform);
  EXPECT_TRUE(uniformity.hasLanes(kernel.getArgument(0)));
  EXPECT_FALSE(uniformity.hasLanes(kernel.getArgument(1)));
  kernel.walk([&](Operation *op) {
    if (isa<arith::AddFOp>(op))
      EXPECT_TRUE(uniformity.varies(op->getResult(0)));
    if (isa<arith::DivSIOp>(op)) {
      EXPECT_FALSE(uniformity.varies(op->getResult(0)));
      EXPECT_TRUE(uniformity.isUniform(op));
    }
  });
}
} // namespace

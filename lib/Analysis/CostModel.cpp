//===- CostModel.cpp - Bytes, values and operations of a loop -------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Analysis/CostModel.h"
#include "OP2/Analysis/LoopArguments.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::op2;

/// An unknown dim counts as 1.
static int64_t getDim(const LoopArg &arg) {
  return ShapedType::isDynamic(arg.getDim()) ? 1 : arg.getDim();
}

static int64_t getBytesPerRow(const LoopArg &arg) {
  int64_t bits = arg.getElementType().getIntOrFloatBitWidth();
  return getDim(arg) * ((bits + 7) / 8);
}

/// Bytes that an argument moves for an element. A row that is changed counts
/// twice: caches load a line before they change it.
static int64_t getTraffic(const LoopArg &arg) {
  if (arg.isGlobal() || (arg.isIndex() && !arg.map))
    return 0;
  if (arg.map)
    return arg.attr.getCount() * int64_t(sizeof(int32_t));
  return getBytesPerRow(arg) * (isChanged(arg) ? 2 : 1);
}

int64_t op2::getTraffic(ArrayRef<LoopArg> args) {
  int64_t bytes = 0;
  // A slot of a map is read once.
  llvm::SmallDenseSet<std::tuple<Value, int64_t, int64_t>> slots;
  for (const LoopArg &arg : args)
    if (!arg.map ||
        slots.insert({arg.map, arg.attr.getSlot(), arg.attr.getCount()}).second)
      bytes += ::getTraffic(arg);
  return bytes;
}

int64_t op2::countValues(ArrayRef<LoopArg> args) {
  int64_t values = 0;
  for (const LoopArg &arg : args)
    if (!arg.isGlobal() || arg.getAccess() != Access::Read)
      values += getDim(arg) * arg.attr.getCount();
  return values;
}

/// How often the loops around an operation run it, as far as that is known.
static int64_t countTrips(Operation *op) {
  int64_t trips = 1;
  for (auto loop = op->getParentOfType<LoopLikeOpInterface>(); loop;
       loop = loop->getParentOfType<LoopLikeOpInterface>())
    if (std::optional<APInt> count = loop.getStaticTripCount())
      trips *= count->getSExtValue();
  return trips;
}

/// Whether an operation of the math dialect is an instruction, or a few.
static bool isInstruction(Operation *op) {
  return isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp,
             math::CtPopOp, math::CountLeadingZerosOp,
             math::CountTrailingZerosOp, math::FloorOp, math::FmaOp,
             math::IsNaNOp, math::IsInfOp, math::IsFiniteOp, math::RoundEvenOp,
             math::RoundOp, math::TruncOp>(op);
}

KernelCycles op2::countCycles(func::FuncOp kernel) {
  int64_t halves = 0;
  KernelCycles cycles;
  kernel.walk([&](Operation *op) {
    int64_t trips = countTrips(op);
    if (isa<arith::DivFOp, arith::RemFOp>(op))
      halves += 8 * trips;
    else if (isa<math::SqrtOp>(op))
      halves += 12 * trips;
    else if (isInstruction(op) || (isa<arith::ArithDialect>(op->getDialect()) &&
                                   !isa<arith::ConstantOp>(op)))
      halves += trips;
    else if (isa<math::MathDialect>(op->getDialect()))
      cycles.calls += 20 * trips;
  });
  cycles.arithmetic = halves / 2;
  return cycles;
}

bool op2::losesByVectors(func::FuncOp kernel, int64_t lanes) {
  KernelCycles cycles = countCycles(kernel);
  // What vectors save of the arithmetic, against what they add to the calls.
  return cycles.arithmetic * (lanes - 1) * 5 < cycles.calls * lanes * 4;
}

bool op2::waitsForRows(func::FuncOp kernel) {
  KernelCycles cycles = countCycles(kernel);
  return cycles.arithmetic + cycles.calls < kCyclesToMemory;
}

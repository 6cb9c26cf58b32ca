//===- KernelStatements.cpp - Statements of random kernels ----------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No statement has undefined results: divisors are not zero, shifts are below
// the width, indices lie in their arrays, loops end.
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::op2;
using namespace mlir::op2::fuzz;

KernelBuilder::Numbers KernelBuilder::emit(ArrayRef<Statement> statements,
                                           Numbers numbers) {
  for (const Statement &statement : statements)
    numbers = emitOne(statement, numbers);
  return numbers;
}

KernelBuilder::Numbers KernelBuilder::emitOne(const Statement &statement,
                                              Numbers numbers) {
  switch (statement.kind) {
  case Statement::Assign: {
    Value a = numbers[statement.target], c = operandOf(statement, numbers);
    numbers[statement.target] = isa<FloatType>(a.getType())
                                    ? assignFloat(statement, a, c)
                                    : assignInteger(statement, a, c);
    return numbers;
  }
  case Statement::If:
    return emitIf(statement, numbers);
  case Statement::For:
    return emitFor(statement, numbers);
  case Statement::While:
    return emitWhile(statement, numbers);
  case Statement::Switch:
    return emitSwitch(statement, numbers);
  case Statement::Array:
    return emitArray(statement, numbers);
  case Statement::Fetch:
    return emitFetch(statement, numbers);
  }
  llvm_unreachable("unknown statement");
}

//===----------------------------------------------------------------------===//
// Assignments
//===----------------------------------------------------------------------===//

/// A constant, or another number in the target's type.
Value KernelBuilder::operandOf(const Statement &statement,
                               const Numbers &numbers) {
  Type type = numbers[statement.target].getType();
  if (statement.operand >= 0)
    return convert(numbers[statement.operand], type,
                   /*isUnsigned=*/statement.constant % 2 == 0);
  if (isa<FloatType>(type))
    return number(type, double(statement.constant) / 8);
  return integer(type, statement.constant);
}

Value KernelBuilder::assignInteger(const Statement &statement, Value a,
                                   Value c) {
  Type type = a.getType();
  int64_t bits = type.getIntOrFloatBitWidth();
  auto distance = [&] {
    return arith::AndIOp::create(b, c, integer(type, bits - 1));
  };
  auto positive = [&] {
    Value low = arith::AndIOp::create(b, c, integer(type, 15));
    return arith::AddIOp::create(b, low, integer(type, 1));
  };
  switch (statement.operation % 19) {
  case 0:
    return arith::AddIOp::create(b, a, c);
  case 1:
    return arith::SubIOp::create(b, a, c);
  case 2:
    return arith::MulIOp::create(b, a, c);
  case 3:
    return arith::AndIOp::create(b, a, c);
  case 4:
    return arith::OrIOp::create(b, a, c);
  case 5:
    return arith::XOrIOp::create(b, a, c);
  case 6:
    return arith::ShLIOp::create(b, a, distance());
  case 7:
    return arith::ShRSIOp::create(b, a, distance());
  case 8:
    return arith::ShRUIOp::create(b, a, distance());
  case 9:
    return arith::DivSIOp::create(b, a, positive());
  case 10:
    return arith::RemSIOp::create(b, a, positive());
  case 11:
    return arith::DivUIOp::create(b, a,
                                  arith::OrIOp::create(b, c, integer(type, 1)));
  case 12:
    return arith::RemUIOp::create(b, a,
                                  arith::OrIOp::create(b, c, integer(type, 1)));
  case 13:
    return arith::MinSIOp::create(b, a, c);
  case 14:
    return arith::MaxSIOp::create(b, a, c);
  case 15:
    return arith::MinUIOp::create(b, a, c);
  case 16:
    return arith::MaxUIOp::create(b, a, c);
  case 17:
    return arith::SelectOp::create(
        b, compare(int(statement.constant & 15), a, c), c,
        arith::AddIOp::create(b, a, integer(type, 3)));
  default:
    return math::AbsIOp::create(b, a);
  }
}

/// Functions of the C library.
Value KernelBuilder::callMath(int which, Value a, Value c) {
  switch (which % 6) {
  case 0:
    return math::ExpOp::create(b, c);
  case 1:
    return math::SinOp::create(b, a);
  case 2:
    return math::LogOp::create(b, math::AbsFOp::create(b, a));
  case 3:
    return math::TanhOp::create(b, a);
  case 4:
    return math::PowFOp::create(b, math::AbsFOp::create(b, a), c);
  default:
    return math::Atan2Op::create(b, a, c);
  }
}

Value KernelBuilder::assignFloat(const Statement &statement, Value a, Value c) {
  auto noSign = [&](Value value) {
    return arith::AddFOp::create(b, value, number(value.getType(), 0.0));
  };
  switch (statement.operation % 19) {
  case 0:
    return tame(arith::AddFOp::create(b, a, c));
  case 1:
    return tame(arith::SubFOp::create(b, a, c));
  case 2:
  case 3:
    return tame(arith::MulFOp::create(b, a, c));
  case 4:
  case 5:
    return tame(arith::DivFOp::create(b, a, c));
  case 6:
    return arith::MinimumFOp::create(b, a, c);
  case 7:
    return arith::MaximumFOp::create(b, a, c);
  case 8:
    return arith::MinNumFOp::create(b, noSign(a), noSign(c));
  case 9:
    return arith::MaxNumFOp::create(b, noSign(a), noSign(c));
  case 10:
    return math::SqrtOp::create(b, math::AbsFOp::create(b, a));
  case 11:
    return math::FloorOp::create(b, a);
  case 12:
    return math::CeilOp::create(b, a);
  case 13:
    return arith::NegFOp::create(b, a);
  case 14:
    return tame(math::FmaOp::create(b, a, c, a));
  case 15:
    return arith::SelectOp::create(
        b, compare(int(statement.constant & 15), a, c), c, a);
  case 16:
    return math::TruncOp::create(b, a);
  case 17:
    return math::CopySignOp::create(b, a, c);
  default:
    return statement.constant % 4 == 0
               ? tame(callMath(statement.operand + 1, a, c))
               : math::AbsFOp::create(b, a);
  }
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

Value KernelBuilder::conditionOf(const Statement &statement,
                                 const Numbers &numbers) {
  Value a = numbers[statement.target];
  return compare(statement.operation, a, operandOf(statement, numbers));
}

static SmallVector<Type> typesOf(ArrayRef<Value> values) {
  return llvm::map_to_vector(values, [](Value v) { return v.getType(); });
}

KernelBuilder::Numbers KernelBuilder::emitIf(const Statement &statement,
                                             Numbers numbers) {
  auto branch =
      scf::IfOp::create(b, typesOf(numbers), conditionOf(statement, numbers),
                        /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(b, ValueRange(emit(statement.bodies[0], numbers)));
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, ValueRange(emit(statement.bodies[1], numbers)));
  llvm::copy(branch.getResults(), numbers.begin());
  return numbers;
}

/// A number of rounds that is known, or not.
KernelBuilder::Numbers KernelBuilder::emitFor(const Statement &statement,
                                              Numbers numbers) {
  Value rounds = index(statement.constant & 7);
  if (statement.operand >= 0) {
    Type type = b.getI32Type();
    Value number = convert(numbers[statement.operand], type);
    number = arith::AndIOp::create(b, number, integer(type, 7));
    rounds = arith::IndexCastOp::create(b, b.getIndexType(), number);
  }
  auto rounder =
      scf::ForOp::create(b, index(0), rounds, index(1), ValueRange(numbers));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(rounder.getBody());
  Numbers inside;
  llvm::copy(rounder.getRegionIterArgs(), inside.begin());
  if (statement.operation % 2 == 0) {
    Value round = arith::IndexCastOp::create(b, b.getI64Type(),
                                             rounder.getInductionVar());
    inside[0] = arith::AddIOp::create(b, inside[0], round);
  }
  inside = emit(statement.bodies[0], inside);
  scf::YieldOp::create(b, ValueRange(inside));
  llvm::copy(rounder.getResults(), numbers.begin());
  return numbers;
}

/// As long as the condition holds, and at most so many rounds.
KernelBuilder::Numbers KernelBuilder::emitWhile(const Statement &statement,
                                                Numbers numbers) {
  SmallVector<Value> state(numbers.begin(), numbers.end());
  state.push_back(integer(b.getI32Type(), 0));
  auto rounder = scf::WhileOp::create(b, typesOf(state), state);
  SmallVector<Location> places(state.size(), b.getLoc());
  OpBuilder::InsertionGuard guard(b);
  auto begin = [&](Region &region) {
    Block *block = b.createBlock(&region, {}, typesOf(state), places);
    Numbers inside;
    llvm::copy(block->getArguments().take_front(kNumNumbers), inside.begin());
    return std::pair(inside, Value(block->getArgument(kNumNumbers)));
  };
  auto [before, count] = begin(rounder.getBefore());
  Value goesOn = arith::CmpIOp::create(
      b, arith::CmpIPredicate::slt, count,
      integer(b.getI32Type(), 1 + (statement.constant & 15)));
  goesOn = arith::AndIOp::create(b, goesOn, conditionOf(statement, before));
  scf::ConditionOp::create(b, goesOn,
                           rounder.getBefore().front().getArguments());
  auto [inside, round] = begin(rounder.getAfter());
  inside = emit(statement.bodies[0], inside);
  SmallVector<Value> next(inside.begin(), inside.end());
  next.push_back(arith::AddIOp::create(b, round, integer(b.getI32Type(), 1)));
  scf::YieldOp::create(b, next);
  llvm::copy(rounder.getResults().take_front(kNumNumbers), numbers.begin());
  return numbers;
}

KernelBuilder::Numbers KernelBuilder::emitSwitch(const Statement &statement,
                                                 Numbers numbers) {
  Type type = b.getI32Type();
  Value choice = convert(numbers[statement.target], type);
  choice = arith::AndIOp::create(b, choice, integer(type, 3));
  choice = arith::IndexCastOp::create(b, b.getIndexType(), choice);
  int64_t count = int64_t(statement.bodies.size()) - 1;
  SmallVector<int64_t> cases;
  for (int64_t n = 0; n < count; ++n)
    cases.push_back(n);
  auto choose = scf::IndexSwitchOp::create(b, typesOf(numbers), choice, cases,
                                           unsigned(count));
  OpBuilder::InsertionGuard guard(b);
  for (int64_t n = 0; n <= count; ++n) {
    Region &region = n < count ? choose.getCaseRegions()[size_t(n)]
                               : choose.getDefaultRegion();
    b.createBlock(&region);
    scf::YieldOp::create(
        b, ValueRange(emit(statement.bodies[size_t(n)], numbers)));
  }
  llvm::copy(choose.getResults(), numbers.begin());
  return numbers;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// A local array: filled, changed at one computed place, read at another.
KernelBuilder::Numbers KernelBuilder::emitArray(const Statement &statement,
                                                Numbers numbers) {
  Value &number = numbers[statement.target];
  Type type = number.getType();
  int64_t size = 2 << (statement.operation % 3);
  Value array;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(entry);
    array = memref::AllocaOp::create(b, MemRefType::get({size}, type));
  }
  auto place = [&](int which) -> Value {
    Value at = convert(numbers[which], b.getI32Type());
    at = arith::AndIOp::create(b, at, integer(b.getI32Type(), size - 1));
    return arith::IndexCastOp::create(b, b.getIndexType(), at);
  };
  for (int64_t n = 0; n < size; ++n) {
    Value value = isa<FloatType>(type)
                      ? this->number(type, double(n * statement.constant) / 4)
                      : integer(type, n * statement.constant);
    if (n % 2 == 0)
      value = convert(numbers[(n / 2) % kNumNumbers], type);
    memref::StoreOp::create(b, value, array, index(n));
  }
  memref::StoreOp::create(b, number, array,
                          place(std::max(statement.operand, 0)));
  Value found = memref::LoadOp::create(b, array, place(0));
  number = isa<FloatType>(type)
               ? tame(arith::AddFOp::create(b, found, number))
               : Value(arith::AddIOp::create(b, found, number));
  return numbers;
}

/// Reads a component that the numbers choose of an argument.
KernelBuilder::Numbers KernelBuilder::emitFetch(const Statement &statement,
                                                Numbers numbers) {
  SmallVector<size_t> candidates;
  for (size_t n = 0; n < loop.args.size(); ++n)
    if (loop.args[n].access == Access::Read && !loop.args[n].isOptional)
      candidates.push_back(n);
  if (candidates.empty())
    return numbers;
  size_t chosen = candidates[size_t(statement.operation) % candidates.size()];
  const Param &param = params[chosen];
  Value at = convert(numbers[std::max(statement.operand, 0)], b.getI32Type());
  at = arith::RemUIOp::create(b, at, integer(b.getI32Type(), param.dim));
  at = arith::IndexCastOp::create(b, b.getIndexType(), at);
  Value row = param.rows[size_t(statement.constant & 3) % param.rows.size()];
  ArgPart use = loop.args[chosen];
  use.number = statement.target;
  return fold(use, load(row, at), numbers);
}

//===- KernelBuilder.cpp - Arguments of random kernels --------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel reads, and what it writes, by the accesses of its arguments.
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

Type fuzz::getType(MLIRContext *context, ValueType type) {
  Builder builder(context);
  switch (type) {
  case ValueType::F64:
    return builder.getF64Type();
  case ValueType::F32:
    return builder.getF32Type();
  case ValueType::I32:
    return builder.getI32Type();
  case ValueType::UI32:
    return builder.getIntegerType(32, /*isSigned=*/false);
  case ValueType::I64:
    return builder.getI64Type();
  case ValueType::UI64:
    return builder.getIntegerType(64, /*isSigned=*/false);
  case ValueType::I1:
    return builder.getI1Type();
  case ValueType::I8:
    return builder.getI8Type();
  case ValueType::UI8:
    return builder.getIntegerType(8, /*isSigned=*/false);
  case ValueType::I16:
    return builder.getI16Type();
  case ValueType::UI16:
    return builder.getIntegerType(16, /*isSigned=*/false);
  }
  llvm_unreachable("unknown type");
}

bool fuzz::hasOptionalArgs(const LoopPart &loop) {
  return llvm::any_of(loop.args,
                      [](const ArgPart &arg) { return arg.isOptional; });
}

KernelBuilder::KernelBuilder(const Program &program, const LoopPart &loop,
                             ModuleOp module)
    : program(program), loop(loop), module(module),
      b(module.getLoc(), module.getContext()) {}

SmallVector<Type> KernelBuilder::declareParams() {
  SmallVector<Type> types;
  for (const ArgPart &arg : loop.args) {
    Param param{{}, 1, ValueType::I32, true};
    if (arg.kind == ArgKind::Dat) {
      const DatPart &dat = program.dats[arg.object];
      param = {{}, dat.dim, dat.type, dat.isExact};
    } else if (arg.kind != ArgKind::Index) {
      const GlobalPart &global = program.globals[arg.object];
      param = {{}, global.dim, global.type, true};
    }
    param.rowDim = param.dim;
    if (arg.isPacked)
      param.dim *= arg.count;
    params.push_back(param);
    types.append(
        size_t(arg.isPacked ? 1 : arg.count),
        MemRefType::get({param.dim}, getType(b.getContext(), param.type)));
  }
  if (hasOptionalArgs(loop))
    types.push_back(
        MemRefType::get({int64_t(loop.args.size())}, b.getI32Type()));
  return types;
}

func::FuncOp KernelBuilder::build(StringRef name) {
  b.setInsertionPointToEnd(module.getBody());
  SmallVector<Type> types = declareParams();
  auto kernel = func::FuncOp::create(b, name, b.getFunctionType(types, {}));
  kernel.setPrivate();
  entry = kernel.addEntryBlock();
  b.setInsertionPointToStart(entry);
  size_t next = 0;
  for (auto [param, arg] : llvm::zip(params, loop.args))
    for (int64_t row = 0; row < (arg.isPacked ? 1 : arg.count); ++row)
      param.rows.push_back(entry->getArgument(unsigned(next++)));
  if (hasOptionalArgs(loop))
    flags = entry->getArgument(unsigned(next));
  Numbers numbers = {integer(typeOf(0), 1), integer(typeOf(1), 2),
                     number(typeOf(2), 0.5), number(typeOf(3), 1.5)};
  for (size_t n = 0; n < loop.args.size(); ++n)
    numbers = readArg(n, numbers);
  numbers = emit(loop.body, numbers);
  for (size_t n = 0; n < loop.args.size(); ++n)
    writeArg(n, numbers);
  func::ReturnOp::create(b);
  return kernel;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Type KernelBuilder::typeOf(int number) {
  Type types[kNumNumbers] = {b.getI64Type(), b.getI32Type(), b.getF64Type(),
                             b.getF32Type()};
  return types[number];
}

Value KernelBuilder::integer(Type type, int64_t value) {
  return arith::ConstantOp::create(
      b, IntegerAttr::get(type, APInt(type.getIntOrFloatBitWidth(),
                                      uint64_t(value), /*isSigned=*/true,
                                      /*implicitTrunc=*/true)));
}

Value KernelBuilder::number(Type type, double value) {
  return arith::ConstantOp::create(b, FloatAttr::get(type, value));
}

Value KernelBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

/// What is not of moderate size becomes 3.25: infinities would soon be all that
/// is left, and NaNs have bits that nobody promises.
Value KernelBuilder::tame(Value value) {
  Type type = value.getType();
  Value size = math::AbsFOp::create(b, value);
  Value isSmall = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, size,
                                        number(type, 1e6));
  return arith::SelectOp::create(b, isSmall, value, number(type, 3.25));
}

Value KernelBuilder::convert(Value value, Type to, bool isUnsigned) {
  Type from = value.getType();
  if (from == to)
    return value;
  bool fromFloat = isa<FloatType>(from), toFloat = isa<FloatType>(to);
  unsigned fromBits = from.getIntOrFloatBitWidth();
  unsigned toBits = to.getIntOrFloatBitWidth();
  if (fromFloat && toFloat)
    return fromBits < toBits ? Value(arith::ExtFOp::create(b, to, value))
                             : Value(arith::TruncFOp::create(b, to, value));
  if (fromFloat && toBits < 32)
    return convert(convert(value, b.getI32Type()), to);
  if (fromFloat)
    return arith::FPToSIOp::create(b, to, tame(value));
  if (toFloat)
    return isUnsigned || fromBits == 1
               ? Value(arith::UIToFPOp::create(b, to, value))
               : Value(arith::SIToFPOp::create(b, to, value));
  if (fromBits > toBits)
    return arith::TruncIOp::create(b, to, value);
  return isUnsigned || fromBits == 1
             ? Value(arith::ExtUIOp::create(b, to, value))
             : Value(arith::ExtSIOp::create(b, to, value));
}

/// Arithmetic is on signless integers.
Value KernelBuilder::toSignless(Value value) {
  Type type = value.getType();
  if (!type.isUnsignedInteger())
    return value;
  Type to = b.getIntegerType(type.getIntOrFloatBitWidth());
  return UnrealizedConversionCastOp::create(b, to, value).getResult(0);
}

Value KernelBuilder::toMemoryType(Value value, ValueType type) {
  Type to = fuzz::getType(b.getContext(), type);
  if (!to.isUnsignedInteger())
    return convert(value, to);
  value = convert(value, b.getIntegerType(to.getIntOrFloatBitWidth()));
  return UnrealizedConversionCastOp::create(b, to, value).getResult(0);
}

Value KernelBuilder::compare(int operation, Value a, Value c) {
  if (isa<FloatType>(a.getType()))
    return arith::CmpFOp::create(b, arith::CmpFPredicate(1 + operation % 14), a,
                                 c);
  return arith::CmpIOp::create(b, arith::CmpIPredicate(operation % 10), a, c);
}

/// An integer below `limit` in size; for floats a quarter of it.
Value KernelBuilder::smallMultiple(Value value, int64_t limit, ValueType type) {
  Value small = arith::RemSIOp::create(b, convert(value, b.getI32Type()),
                                       integer(b.getI32Type(), limit));
  Type to = fuzz::getType(b.getContext(), type);
  return arith::MulFOp::create(b, arith::SIToFPOp::create(b, to, small),
                               number(to, 0.25));
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// The body for each component of each row: unrolled, or by loops.
void KernelBuilder::forComponents(const ArgPart &arg, const Param &param,
                                  Rows body) {
  for (Value row : param.rows) {
    if (!arg.inLoop) {
      for (int64_t c = 0; c < param.dim; ++c)
        body(row, index(c));
      continue;
    }
    auto components =
        scf::ForOp::create(b, index(0), index(param.dim), index(1));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(components.getBody());
    body(row, components.getInductionVar());
  }
}

Value KernelBuilder::load(Value row, Value component) {
  return toSignless(memref::LoadOp::create(b, row, component));
}

/// The body, if the argument is there.
void KernelBuilder::whereActive(size_t number, Numbers &numbers,
                                function_ref<Numbers(Numbers)> body) {
  if (!loop.args[number].isOptional) {
    numbers = body(numbers);
    return;
  }
  Value flag = memref::LoadOp::create(b, flags, index(int64_t(number)));
  Value isThere = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, flag,
                                        integer(flag.getType(), 0));
  auto types =
      llvm::map_to_vector(numbers, [](Value v) { return v.getType(); });
  auto branch = scf::IfOp::create(b, types, isThere, /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(b, ValueRange(body(numbers)));
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, ValueRange(numbers));
  }
  llvm::copy(branch.getResults(), numbers.begin());
}

/// Takes one value of an argument into one of the numbers.
KernelBuilder::Numbers KernelBuilder::fold(const ArgPart &arg, Value element,
                                           Numbers numbers) {
  Value &into = numbers[arg.number];
  Type type = into.getType();
  Value value = convert(element, type, /*isUnsigned=*/arg.form % 2 == 0);
  if (isa<FloatType>(type)) {
    Value scaled = arith::MulFOp::create(
        b, into, number(type, arg.form % 3 == 0 ? 0.75 : -0.5));
    into = tame(arith::AddFOp::create(b, scaled, value));
    return numbers;
  }
  Value scaled =
      arith::MulIOp::create(b, into, integer(type, arg.constant | 1));
  into = arg.form % 3 == 0 ? Value(arith::XOrIOp::create(b, scaled, value))
                           : Value(arith::AddIOp::create(b, scaled, value));
  return numbers;
}

static bool isReadFirst(const ArgPart &arg) {
  return arg.access == Access::Read ||
         (arg.access == Access::ReadWrite && arg.kind == ArgKind::Dat &&
          arg.map < 0);
}

KernelBuilder::Numbers KernelBuilder::readArg(size_t number, Numbers numbers) {
  const ArgPart &arg = loop.args[number];
  const Param &param = params[number];
  if (!isReadFirst(arg) || arg.infoOf >= 0)
    return numbers;
  whereActive(number, numbers, [&](Numbers inside) {
    for (Value row : param.rows) {
      if (!arg.inLoop) {
        for (int64_t c = 0; c < param.dim; ++c)
          inside = fold(arg, load(row, index(c)), inside);
        continue;
      }
      auto components = scf::ForOp::create(b, index(0), index(param.dim),
                                           index(1), ValueRange(inside));
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(components.getBody());
      llvm::copy(components.getRegionIterArgs(), inside.begin());
      Value element = load(row, components.getInductionVar());
      scf::YieldOp::create(b, ValueRange(fold(arg, element, inside)));
      llvm::copy(components.getResults(), inside.begin());
    }
    return inside;
  });
  return numbers;
}

/// What the numbers make of a component: any value for data that are never
/// summed.
Value KernelBuilder::contribution(const ArgPart &arg, const Param &param,
                                  const Numbers &numbers, Value component) {
  Value base = numbers[arg.number];
  Type type = base.getType();
  Value place = arith::IndexCastOp::create(b, b.getI32Type(), component);
  Value shift =
      arith::MulIOp::create(b, place, integer(b.getI32Type(), arg.constant));
  shift = convert(shift, type);
  base = isa<FloatType>(type) ? Value(arith::AddFOp::create(b, base, shift))
                              : Value(arith::AddIOp::create(b, base, shift));
  if (isFloat(param.type) && param.isExact)
    return smallMultiple(base, 512, param.type);
  Value value =
      isFloat(param.type)
          ? tame(convert(base, fuzz::getType(b.getContext(), param.type)))
          : base;
  // A zero without sign: which of two zeros is less is nobody's promise.
  if (isFloat(param.type))
    value = arith::AddFOp::create(b, value, number(value.getType(), 0.0));
  return value;
}

/// What is added: any integer, as sums of these wrap; small floats.
Value KernelBuilder::increment(const ArgPart &arg, const Param &param,
                               const Numbers &numbers, Value component) {
  Value value = contribution(arg, param, numbers, component);
  if (!isFloat(param.type) || program.isRounded)
    return value;
  Value scaled = arith::MulFOp::create(b, value, number(value.getType(), 4));
  return smallMultiple(scaled, 4, param.type);
}

Value KernelBuilder::better(const ArgPart &arg, const Param &param, Value a,
                            Value c) {
  bool isMin = arg.access == Access::Min;
  if (isFloat(param.type)) {
    if (arg.form % 2 == 0)
      return isMin ? Value(arith::MinimumFOp::create(b, a, c))
                   : Value(arith::MaximumFOp::create(b, a, c));
    return isMin ? Value(arith::MinNumFOp::create(b, a, c))
                 : Value(arith::MaxNumFOp::create(b, a, c));
  }
  if (isUnsigned(param.type))
    return isMin ? Value(arith::MinUIOp::create(b, a, c))
                 : Value(arith::MaxUIOp::create(b, a, c));
  return isMin ? Value(arith::MinSIOp::create(b, a, c))
               : Value(arith::MaxSIOp::create(b, a, c));
}

bool KernelBuilder::hasInfo(size_t number) const {
  return llvm::any_of(
      loop.args, [&](const ArgPart &arg) { return arg.infoOf == int(number); });
}

/// Stores what the value that won determines: equal ones of two elements agree.
void KernelBuilder::storeInfo(size_t number, Value component, Value value) {
  for (size_t n = 0; n < loop.args.size(); ++n) {
    if (loop.args[n].infoOf != int(number))
      continue;
    const Param &info = params[n];
    int64_t share = info.dim / params[number].dim;
    for (int64_t part = 0; part < share; ++part) {
      Value place = arith::AddIOp::create(
          b, arith::MulIOp::create(b, component, index(share)), index(part));
      Value number = convert(value, b.getI32Type());
      number =
          arith::AddIOp::create(b, number, integer(b.getI32Type(), part + 1));
      Value stored = isFloat(info.type) ? smallMultiple(number, 1000, info.type)
                                        : toMemoryType(number, info.type);
      memref::StoreOp::create(b, stored, info.rows[0], place);
    }
  }
}

void KernelBuilder::replaceIfBetter(size_t number, Value row, Value component,
                                    Value value) {
  const ArgPart &arg = loop.args[number];
  const Param &param = params[number];
  Value old = load(row, component);
  bool isMin = arg.access == Access::Min;
  Value isBetter;
  if (isFloat(param.type))
    isBetter = arith::CmpFOp::create(
        b, isMin ? arith::CmpFPredicate::OLT : arith::CmpFPredicate::OGT, value,
        old);
  else if (isUnsigned(param.type))
    isBetter = arith::CmpIOp::create(
        b, isMin ? arith::CmpIPredicate::ult : arith::CmpIPredicate::ugt, value,
        old);
  else
    isBetter = arith::CmpIOp::create(
        b, isMin ? arith::CmpIPredicate::slt : arith::CmpIPredicate::sgt, value,
        old);
  auto branch = scf::IfOp::create(b, isBetter, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  memref::StoreOp::create(b, toMemoryType(value, param.type), row, component);
  storeInfo(number, component, value);
}

static Value sum(ImplicitLocOpBuilder &b, int form, Value a, Value c) {
  if (isa<FloatType>(a.getType()))
    return form % 4 == 1 ? Value(arith::SubFOp::create(b, a, c))
                         : Value(arith::AddFOp::create(b, a, c));
  return form % 4 == 1 ? Value(arith::SubIOp::create(b, a, c))
                       : Value(arith::AddIOp::create(b, a, c));
}

/// One component of what a loop changes.
void KernelBuilder::changeElement(size_t number, const Numbers &numbers,
                                  Value row, Value component) {
  const ArgPart &arg = loop.args[number];
  const Param &param = params[number];
  auto store = [&](Value value) {
    memref::StoreOp::create(b, toMemoryType(value, param.type), row, component);
  };
  Type type = row.getType();
  Type element = cast<MemRefType>(type).getElementType();
  if (element.isUnsignedInteger())
    element = b.getIntegerType(element.getIntOrFloatBitWidth());
  bool isShared = arg.kind != ArgKind::Dat || arg.map >= 0;
  if (arg.access == Access::Write && isShared) {
    // Whichever slot it is.
    Value inRow = arith::RemUIOp::create(b, component, index(param.rowDim));
    Value place = arith::IndexCastOp::create(b, b.getI32Type(), inRow);
    Value value = arith::AddIOp::create(b, place, integer(b.getI32Type(), 2));
    store(isFloat(param.type) ? smallMultiple(value, 1000, param.type) : value);
    return;
  }
  if (arg.access == Access::Write)
    return store(contribution(arg, param, numbers, component));
  if (arg.access == Access::Min || arg.access == Access::Max) {
    Value value =
        convert(contribution(arg, param, numbers, component), element);
    if (arg.form % 3 == 0 || hasInfo(number))
      return replaceIfBetter(number, row, component, value);
    return store(better(arg, param, load(row, component), value));
  }
  if (arg.access == Access::ReadWrite && !isShared) {
    Value value =
        convert(contribution(arg, param, numbers, component), element);
    Value mixed = sum(b, arg.form, load(row, component), value);
    if (isFloat(param.type))
      mixed = param.isExact
                  ? smallMultiple(arith::MulFOp::create(
                                      b, mixed, this->number(element, 4)),
                                  512, param.type)
                  : tame(mixed);
    return store(mixed);
  }
  Value value = convert(increment(arg, param, numbers, component), element);
  // All that change a dat through maps do the same to it.
  bool isXor = arg.access == Access::ReadWrite && arg.object % 2 == 0 &&
               !isFloat(param.type);
  Value old = load(row, component);
  store(isXor ? Value(arith::XOrIOp::create(b, old, value))
              : sum(b, arg.form, old, value));
  if (arg.form % 4 == 2 && !isXor)
    store(sum(b, 0, load(row, component), value));
}

void KernelBuilder::writeArg(size_t number, const Numbers &numbers) {
  const ArgPart &arg = loop.args[number];
  if (arg.access == Access::Read || arg.kind == ArgKind::Info)
    return;
  const Param &param = params[number];
  Numbers unused = numbers;
  whereActive(number, unused, [&](Numbers inside) {
    auto change = [&](Value row, Value component) {
      changeElement(number, numbers, row, component);
    };
    // Who promises to write does so always.
    if (!arg.isConditional ||
        (arg.access == Access::Write && arg.kind == ArgKind::Dat)) {
      forComponents(arg, param, change);
      return inside;
    }
    Value value = numbers[arg.number];
    Value limit =
        convert(integer(b.getI32Type(), arg.constant), value.getType());
    auto branch = scf::IfOp::create(b, compare(arg.form, value, limit),
                                    /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    forComponents(arg, param, change);
    return inside;
  });
}

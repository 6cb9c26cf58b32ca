//===- ModuleBuilder.cpp - The module of a random program -----------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations, loops with their handles, and what shows the results.
//
//===----------------------------------------------------------------------===//

#include "ModuleBuilder.h"
#include "KernelBuilder.h"
#include "OP2/Dialect/OP2Ops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::op2;
using namespace mlir::op2::fuzz;

namespace {
/// Where a loop gets its handles from.
struct Handles {
  function_ref<Value(int)> set, map, global;
  /// The second: the number of the argument.
  function_ref<Value(int, int)> dat;
  Value flags;
};

class ModuleBuilder {
public:
  ModuleBuilder(MLIRContext &context, const Program &program)
      : program(program), b(UnknownLoc::get(&context), &context),
        module(ModuleOp::create(b.getLoc())) {}

  OwningOpRef<ModuleOp> build();

private:
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Value constants(StringRef name, DenseElementsAttr values, bool isConstant);
  DenseElementsAttr initialValues(int64_t rows, int64_t dim, ValueType type,
                                  int factor, bool isExact);
  void declareObjects();
  Value declareMap(const MapPart &map, StringRef name);
  Value declareDat(const DatPart &dat, StringRef name);
  void emitSteps(ArrayRef<Step> steps);
  void emitLoop(int number);
  void callLoop(int number);
  ParLoopOp createLoop(int number, const Handles &handles);
  Value flagsOf(int number);
  void showDat(int number);
  void show(Value values, ValueType type);
  func::FuncOp getShow(ValueType type);
  func::FuncOp declareFunction(StringRef name, ArrayRef<Type> types);

  const Program &program;
  ImplicitLocOpBuilder b;
  OwningOpRef<ModuleOp> module;
  SmallVector<Value> sets, maps, dats, globals;
};
} // namespace

static std::string numbered(StringRef letter, int64_t number) {
  return (letter + Twine(number)).str();
}

/// A global of the module with these values.
Value ModuleBuilder::constants(StringRef name, DenseElementsAttr values,
                               bool isConstant) {
  auto shape = cast<RankedTensorType>(values.getType());
  auto type = MemRefType::get(shape.getShape(), shape.getElementType());
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module->getBody());
    memref::GlobalOp::create(b, name, b.getStringAttr("private"), type, values,
                             isConstant, /*alignment=*/IntegerAttr());
  }
  return memref::GetGlobalOp::create(b, type, name);
}

template <class T>
static DenseElementsAttr fromNumbers(RankedTensorType type,
                                     function_ref<T(int64_t)> value) {
  std::vector<T> values;
  for (int64_t n = 0; n < type.getNumElements(); ++n)
    values.push_back(value(n));
  auto *bytes = reinterpret_cast<const char *>(values.data());
  return DenseElementsAttr::getFromRawBuffer(
      type, ArrayRef(bytes, values.size() * sizeof(T)));
}

DenseElementsAttr ModuleBuilder::initialValues(int64_t rows, int64_t dim,
                                               ValueType type, int factor,
                                               bool isExact) {
  auto shape =
      RankedTensorType::get({rows, dim}, fuzz::getType(b.getContext(), type));
  if (dim == 0)
    shape = RankedTensorType::get({rows}, shape.getElementType());
  auto small = [&](int64_t n) { return (n * factor + factor / 2) % 11; };
  auto real = [&](int64_t n) {
    return isExact ? double(small(n)) : double(small(n)) / 7 + 0.3;
  };
  switch (type) {
  case ValueType::F64:
    return fromNumbers<double>(shape, real);
  case ValueType::F32:
    return fromNumbers<float>(shape, [&](int64_t n) { return float(real(n)); });
  case ValueType::I32:
  case ValueType::UI32:
    return fromNumbers<uint32_t>(shape, [&](int64_t n) {
      return uint32_t(small(n)) * (factor % 2 ? 1u : 0x10000001u);
    });
  case ValueType::I64:
  case ValueType::UI64:
    return fromNumbers<uint64_t>(shape, [&](int64_t n) {
      return uint64_t(small(n)) * (factor % 2 ? 1u : 0x1000000000000001u);
    });
  case ValueType::I8:
  case ValueType::UI8:
    return fromNumbers<uint8_t>(shape, [&](int64_t n) {
      return uint8_t(small(n) * (factor % 2 ? 1 : 0x11));
    });
  case ValueType::I16:
  case ValueType::UI16:
    return fromNumbers<uint16_t>(shape, [&](int64_t n) {
      return uint16_t(small(n) * (factor % 2 ? 1 : 0x1001));
    });
  case ValueType::I1: {
    SmallVector<bool> values;
    for (int64_t n = 0; n < shape.getNumElements(); ++n)
      values.push_back(small(n) % 2 != 0);
    return DenseElementsAttr::get(shape, values);
  }
  }
  llvm_unreachable("unknown type");
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

Value ModuleBuilder::declareMap(const MapPart &map, StringRef name) {
  int64_t rows = program.sets[map.from].size;
  Value table;
  if (rows == 0) {
    table = memref::AllocOp::create(
        b, MemRefType::get({0, map.arity}, b.getI32Type()));
  } else {
    auto shape = RankedTensorType::get({rows, map.arity}, b.getI32Type());
    table = constants(
        "table_" + name.str(),
        fromNumbers<int32_t>(shape, [&](int64_t n) { return map.values[n]; }),
        /*isConstant=*/true);
  }
  return DeclMapOp::create(b, MapType::get(b.getContext(), map.arity),
                           sets[map.from], sets[map.to], table, name);
}

Value ModuleBuilder::declareDat(const DatPart &dat, StringRef name) {
  int64_t rows = program.sets[dat.set].size;
  Value values;
  if (rows > 0 && dat.factor > 0)
    values = constants(
        "values_" + name.str(),
        initialValues(rows, dat.dim, dat.type, dat.factor, dat.isExact),
        /*isConstant=*/true);
  auto type = DatType::get(b.getContext(), dat.dim,
                           fuzz::getType(b.getContext(), dat.type));
  return DeclDatOp::create(b, type, sets[dat.set], values, name);
}

void ModuleBuilder::declareObjects() {
  for (auto [n, set] : llvm::enumerate(program.sets))
    sets.push_back(DeclSetOp::create(b, b.getType<SetType>(), index(set.size),
                                     numbered("s", n)));
  for (auto [n, map] : llvm::enumerate(program.maps))
    maps.push_back(declareMap(map, numbered("m", n)));
  for (auto [n, dat] : llvm::enumerate(program.dats))
    dats.push_back(declareDat(dat, numbered("d", n)));
  for (auto [n, global] : llvm::enumerate(program.globals))
    globals.push_back(constants(
        numbered("g", n),
        initialValues(global.dim, 0, global.type, global.factor, true),
        /*isConstant=*/false));
}

func::FuncOp ModuleBuilder::declareFunction(StringRef name,
                                            ArrayRef<Type> types) {
  if (auto known = module->lookupSymbol<func::FuncOp>(name))
    return known;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(module->getBody());
  auto function = func::FuncOp::create(b, name, b.getFunctionType(types, {}));
  function.setPrivate();
  return function;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// The bits of a value as an i64.
static Value toBits(ImplicitLocOpBuilder &b, Value value) {
  Type type = value.getType();
  unsigned bits = type.getIntOrFloatBitWidth();
  Type same = b.getIntegerType(bits);
  if (isa<FloatType>(type))
    value = arith::BitcastOp::create(b, same, value);
  else if (type.isUnsignedInteger())
    value = UnrealizedConversionCastOp::create(b, same, value).getResult(0);
  return bits == 64 ? value
                    : Value(arith::ExtUIOp::create(b, b.getI64Type(), value));
}

/// A function that shows the values of a memref.
func::FuncOp ModuleBuilder::getShow(ValueType type) {
  Type element = fuzz::getType(b.getContext(), type);
  std::string name;
  llvm::raw_string_ostream(name) << "show_" << element;
  if (auto known = module->lookupSymbol<func::FuncOp>(name))
    return known;
  auto print = declareFunction("printI64", b.getI64Type());
  auto newline = declareFunction("printNewline", {});
  auto values = MemRefType::get({ShapedType::kDynamic}, element);
  auto function = declareFunction(name, values);
  OpBuilder::InsertionGuard guard(b);
  Block *entry = function.addEntryBlock();
  b.setInsertionPointToStart(entry);
  Value size = memref::DimOp::create(b, entry->getArgument(0), 0);
  auto loop = scf::ForOp::create(b, index(0), size, index(1));
  func::ReturnOp::create(b);
  b.setInsertionPointToStart(loop.getBody());
  Value value =
      memref::LoadOp::create(b, entry->getArgument(0), loop.getInductionVar());
  func::CallOp::create(b, print, toBits(b, value));
  func::CallOp::create(b, newline, ValueRange());
  return function;
}

void ModuleBuilder::show(Value values, ValueType type) {
  auto target = MemRefType::get({ShapedType::kDynamic},
                                fuzz::getType(b.getContext(), type));
  Value cast = memref::CastOp::create(b, target, values);
  func::CallOp::create(b, getShow(type), cast);
}

void ModuleBuilder::showDat(int number) {
  const DatPart &dat = program.dats[number];
  int64_t count = program.sets[dat.set].size * dat.dim;
  auto type = MemRefType::get({count}, fuzz::getType(b.getContext(), dat.type));
  Value target = memref::AllocOp::create(b, type);
  FetchOp::create(b, dats[number], target);
  show(target, dat.type);
  memref::DeallocOp::create(b, target);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

ParLoopOp ModuleBuilder::createLoop(int number, const Handles &handles) {
  const LoopPart &loop = program.loops[number];
  MLIRContext *context = b.getContext();
  SmallVector<LoopArg> args;
  for (auto [n, arg] : llvm::enumerate(loop.args)) {
    int64_t slot = arg.infoOf >= 0 ? arg.infoOf
                   : arg.map >= 0  ? arg.slot
                                   : LoopArgAttr::kDirect;
    LoopArg made{LoopArgAttr::get(context, arg.kind, arg.access, slot,
                                  arg.count, arg.isVector, arg.isPacked,
                                  /*isInjective=*/false, arg.isOptional,
                                  arg.layout),
                 {},
                 {},
                 {}};
    if (arg.kind == ArgKind::Dat)
      made.data = handles.dat(arg.object, int(n));
    else if (arg.kind != ArgKind::Index)
      made.data = handles.global(arg.object);
    if (arg.map >= 0)
      made.map = handles.map(arg.map);
    if (arg.isOptional) {
      Value flag = memref::LoadOp::create(b, handles.flags, index(int64_t(n)));
      made.flag = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, flag,
                                        arith::ConstantIntOp::create(b, 0, 32));
    }
    args.push_back(made);
  }
  if (handles.flags)
    args.push_back({LoopArgAttr::get(context, ArgKind::Global, Access::Read,
                                     LoopArgAttr::kDirect, /*count=*/1,
                                     /*isVector=*/false, /*isPacked=*/false,
                                     /*isInjective=*/false,
                                     /*isOptional=*/false, Layout::Any),
                    handles.flags,
                    {},
                    {}});
  std::string name = numbered("k", number);
  auto op = ParLoopOp::create(b, name, handles.set(loop.set), args, name);
  if (loop.blockSize >= 0)
    op.setBlockSize(uint64_t(loop.blockSize));
  if (loop.strategy >= 0)
    op.setStrategy(Strategy(loop.strategy));
  return op;
}

/// The table that says which arguments are there; null if all are.
Value ModuleBuilder::flagsOf(int number) {
  const LoopPart &loop = program.loops[number];
  if (!hasOptionalArgs(loop))
    return {};
  std::string name = numbered("flags_k", number);
  auto shape =
      RankedTensorType::get({int64_t(loop.args.size())}, b.getI32Type());
  auto type = MemRefType::get(shape.getShape(), b.getI32Type());
  if (module->lookupSymbol(name))
    return memref::GetGlobalOp::create(b, type, name);
  return constants(
      name,
      fromNumbers<int32_t>(
          shape,
          [&](int64_t n) { return int32_t(loop.args[size_t(n)].isActive); }),
      /*isConstant=*/false);
}

void ModuleBuilder::emitLoop(int number) {
  Value flags = flagsOf(number);
  createLoop(number,
             {[&](int n) { return sets[n]; }, [&](int n) { return maps[n]; },
              [&](int n) { return globals[n]; },
              [&](int n, int) { return dats[n]; }, flags});
}

/// The loop in a function of its own, which gets handles, and perhaps one
/// handle twice.
void ModuleBuilder::callLoop(int number) {
  const LoopPart &loop = program.loops[number];
  std::string name = numbered("call_k", number);
  SmallVector<Value> operands;
  SmallVector<std::pair<const void *, int>> keys;
  auto operand = [&](Value value, const void *kind, int n) {
    auto found = llvm::find(keys, std::pair(kind, n));
    auto at = size_t(found - keys.begin());
    if (found == keys.end()) {
      keys.push_back({kind, n});
      operands.push_back(value);
    }
    return unsigned(at);
  };
  auto datOf = [&](int n, int arg) {
    bool isHidden = loop.args[size_t(arg)].hidesHandle;
    return isHidden ? operand(dats[n], &loop, arg) : operand(dats[n], &dats, n);
  };
  operand(sets[loop.set], &sets, loop.set);
  for (auto [n, arg] : llvm::enumerate(loop.args)) {
    if (arg.kind == ArgKind::Dat)
      datOf(arg.object, int(n));
    else if (arg.kind != ArgKind::Index)
      operand(globals[arg.object], &globals, arg.object);
    if (arg.map >= 0)
      operand(maps[arg.map], &maps, arg.map);
  }
  Value flags = flagsOf(number);
  if (flags)
    operand(flags, &flags, 0);
  bool isKnown = module->lookupSymbol(name) != nullptr;
  auto types =
      llvm::map_to_vector(operands, [](Value v) { return v.getType(); });
  auto function = declareFunction(name, types);
  func::CallOp::create(b, function, operands);
  if (isKnown)
    return;
  OpBuilder::InsertionGuard guard(b);
  Block *entry = function.addEntryBlock();
  b.setInsertionPointToStart(entry);
  auto param = [&](unsigned at) { return entry->getArgument(at); };
  createLoop(number,
             {[&](int n) { return param(operand(sets[n], &sets, n)); },
              [&](int n) { return param(operand(maps[n], &maps, n)); },
              [&](int n) { return param(operand(globals[n], &globals, n)); },
              [&](int n, int arg) { return param(datOf(n, arg)); },
              flags ? Value(param(operand(flags, &flags, 0))) : Value()});
  func::ReturnOp::create(b);
}

void ModuleBuilder::emitSteps(ArrayRef<Step> steps) {
  for (const Step &step : steps) {
    switch (step.kind) {
    case Step::Loop:
      if (program.loops[step.object].inFunction)
        callLoop(step.object);
      else
        emitLoop(step.object);
      break;
    case Step::Show:
      showDat(step.object);
      break;
    case Step::Repeat: {
      auto loop = scf::ForOp::create(b, index(0), index(step.count), index(1));
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      emitSteps(step.body);
      break;
    }
    }
  }
}

static void collectLoops(ArrayRef<Step> steps, std::vector<bool> &used) {
  for (const Step &step : steps) {
    if (step.kind == Step::Loop)
      used[step.object] = true;
    collectLoops(step.body, used);
  }
}

OwningOpRef<ModuleOp> ModuleBuilder::build() {
  std::vector<bool> used(program.loops.size());
  collectLoops(program.steps, used);
  std::vector<std::string> imported;
  for (auto [n, loop] : llvm::enumerate(program.loops)) {
    if (!used[n])
      continue;
    std::string name = numbered("k", n);
    KernelBuilder(program, loop, *module).build(name);
    if (loop.form == KernelForm::Imported)
      imported.push_back(name);
  }
  b.setInsertionPointToEnd(module->getBody());
  auto main = func::FuncOp::create(b, "main", b.getFunctionType({}, {}));
  b.setInsertionPointToStart(main.addEntryBlock());
  declareObjects();
  emitSteps(program.steps);
  for (size_t n = 0; n < dats.size(); ++n)
    showDat(int(n));
  for (auto [global, part] : llvm::zip(globals, program.globals))
    show(global, part.type);
  func::ReturnOp::create(b);
  if (failed(importKernels(*module, imported)))
    return nullptr;
  return std::move(module);
}

OwningOpRef<ModuleOp> fuzz::buildModule(MLIRContext &context,
                                        const Program &program) {
  return ModuleBuilder(context, program).build();
}

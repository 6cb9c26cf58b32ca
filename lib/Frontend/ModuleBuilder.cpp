//===- ModuleBuilder.cpp - The op2 module of a file -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModuleBuilder.h"
#include "ColumnKernel.h"
#include "OP2/Dialect/OP2Ops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace op2::frontend;

static mlir::Type getElementType(ElementType type, mlir::Builder &builder) {
  switch (type) {
  case ElementType::F64:
    return builder.getF64Type();
  case ElementType::F32:
    return builder.getF32Type();
  case ElementType::I32:
    return builder.getI32Type();
  case ElementType::U32:
    return builder.getIntegerType(32, /*isSigned=*/false);
  case ElementType::I64:
    return builder.getI64Type();
  case ElementType::U64:
    return builder.getIntegerType(64, /*isSigned=*/false);
  case ElementType::Bool:
    return builder.getI1Type();
  case ElementType::I8:
    return builder.getI8Type();
  case ElementType::U8:
    return builder.getIntegerType(8, /*isSigned=*/false);
  case ElementType::I16:
    return builder.getI16Type();
  case ElementType::U16:
    return builder.getIntegerType(16, /*isSigned=*/false);
  }
  llvm_unreachable("unknown element type");
}

namespace {
struct MapSlots {
  int64_t used;   ///< how many the loop needs
  int64_t likely; ///< how many the map is likely to have
};
} // namespace

/// Of an argument's map. Chunk functions for vectors of elements are made for
/// the likely arity; the runtime ensures it (op2rt_is_separate).
static MapSlots countSlots(const LoopDescription &loop, unsigned arg) {
  // Beyond a line of memory for each element vectors wait for memory:
  // processors foresee the steps of single elements.
  constexpr int64_t kMost = 16;
  int64_t used = 0, likely = 0;
  for (const ArgDescription &other : loop.args)
    if (other.isIndirect() && other.sameMapAs == loop.args[arg].sameMapAs) {
      used = std::max(used, other.slot + other.count);
      likely = std::max(likely, other.likelyArity);
    }
  return {used, likely <= kMost ? std::max(likely, used) : used};
}

static mlir::Type getDataType(const ArgDescription &arg,
                              mlir::Builder &builder) {
  mlir::Type element = getElementType(arg.type, builder);
  if (arg.kind == ArgDescription::Kind::Global ||
      arg.kind == ArgDescription::Kind::Info)
    return mlir::MemRefType::get({arg.dim}, element);
  int64_t dim = arg.dim == kDynamicDim ? mlir::ShapedType::kDynamic : arg.dim;
  return mlir::op2::DatType::get(builder.getContext(), dim, element);
}

/// A dat has one layout in a loop: that of the argument that has one.
static mlir::op2::Layout getLayout(const LoopDescription &loop,
                                   const ArgDescription &arg) {
  // The runtime moves whole components only.
  if (arg.isUserType && arg.kind == ArgDescription::Kind::Dat)
    return mlir::op2::Layout::AoS;
  bool isSoA = llvm::any_of(loop.args, [&](const ArgDescription &other) {
    return other.kind == ArgDescription::Kind::Dat && other.isSoA &&
           other.sameDataAs == arg.sameDataAs;
  });
  // The owner of each of a dat's rows must be known when the loop is compiled.
  return isSoA && arg.kind == ArgDescription::Kind::Dat &&
                 arg.dim != kDynamicDim
             ? mlir::op2::Layout::SoA
             : mlir::op2::Layout::Any;
}

static mlir::op2::LoopArgAttr getArgAttr(const LoopDescription &loop,
                                         const ArgDescription &arg,
                                         mlir::MLIRContext *context) {
  mlir::op2::ArgKind kind = mlir::op2::ArgKind::Dat;
  if (arg.kind == ArgDescription::Kind::Global)
    kind = mlir::op2::ArgKind::Global;
  else if (arg.kind == ArgDescription::Kind::Index)
    kind = mlir::op2::ArgKind::Index;
  else if (arg.kind == ArgDescription::Kind::Info)
    kind = mlir::op2::ArgKind::Info;
  bool isInfo = arg.kind == ArgDescription::Kind::Info;
  return mlir::op2::LoopArgAttr::get(
      context, kind, static_cast<mlir::op2::Access>(arg.access),
      isInfo ? arg.follows : arg.slot, arg.count, arg.isVector, arg.isPacked,
      arg.isThroughSubset, arg.isOptional, getLayout(loop, arg));
}

static mlir::SmallVector<mlir::Type>
getParameterTypes(const LoopDescription &loop,
                  llvm::ArrayRef<RunParameter> parameters, bool isPromised,
                  mlir::Builder &builder) {
  mlir::MLIRContext *context = builder.getContext();
  mlir::SmallVector<mlir::Type> types{mlir::op2::SetType::get(context)};
  for (const RunParameter &parameter : parameters)
    switch (parameter.kind) {
    case RunParameter::Kind::Flag:
      types.push_back(builder.getI1Type());
      break;
    case RunParameter::Kind::Merge:
      types.push_back(mlir::LLVM::LLVMPointerType::get(context));
      break;
    case RunParameter::Kind::Data:
    case RunParameter::Kind::Identity:
      types.push_back(getDataType(loop.args[parameter.arg], builder));
      break;
    case RunParameter::Kind::Map:
      // How many slots a map has is known at run time only.
      types.push_back(mlir::op2::MapType::get(
          context, isPromised ? countSlots(loop, parameter.arg).likely
                              : mlir::ShapedType::kDynamic));
      break;
    }
  return types;
}

static mlir::Location getLocation(const LoopDescription &loop,
                                  mlir::MLIRContext *context) {
  return mlir::FileLineColLoc::get(context, loop.file.empty() ? "-" : loop.file,
                                   loop.line, loop.column);
}

/// Notes the likely arities of maps of which the loop does not use all slots.
static void noteArities(const LoopDescription &loop,
                        llvm::ArrayRef<RunParameter> parameters,
                        mlir::func::FuncOp function) {
  mlir::Builder builder(function.getContext());
  for (auto [number, parameter] : llvm::enumerate(parameters)) {
    if (parameter.kind != RunParameter::Kind::Map)
      continue;
    MapSlots slots = countSlots(loop, parameter.arg);
    if (slots.likely > slots.used)
      function.setArgAttr(number + 1, mlir::op2::kLikelyArityAttr,
                          builder.getI64IntegerAttr(slots.likely));
  }
}

/// Adds an empty function with the parameters of `loop`, and leaves `builder`
/// in it; `isPromised`: it is called where a promise check says so only.
/// Returns the loop's arguments.
static mlir::SmallVector<mlir::op2::LoopArg>
createRunFunction(const LoopDescription &loop, llvm::StringRef symbol,
                  bool isPromised, mlir::ImplicitLocOpBuilder &builder,
                  mlir::func::FuncOp &function) {
  std::vector<RunParameter> parameters = getRunParameters(loop);
  function = mlir::func::FuncOp::create(
      builder, symbol,
      builder.getFunctionType(
          getParameterTypes(loop, parameters, isPromised, builder), {}));
  if (isPromised)
    function->setAttr(mlir::op2::kFusibleAttr, builder.getUnitAttr());
  else
    noteArities(loop, parameters, function);
  function->setAttr("llvm.bareptr", builder.getUnitAttr());
  builder.setInsertionPointToStart(function.addEntryBlock());

  mlir::SmallVector<mlir::op2::LoopArg> args;
  for (const ArgDescription &arg : loop.args)
    args.push_back({getArgAttr(loop, arg, builder.getContext()), {}, {}, {}});
  for (auto [number, parameter] : llvm::enumerate(parameters)) {
    mlir::Value value = function.getArgument(number + 1);
    if (parameter.kind == RunParameter::Kind::Flag)
      args[parameter.arg].flag = value;
    else if (parameter.kind == RunParameter::Kind::Data)
      args[parameter.arg].data = value;
    else if (parameter.kind == RunParameter::Kind::Merge)
      args[parameter.arg].merge = value;
    else if (parameter.kind == RunParameter::Kind::Identity)
      args[parameter.arg].identity = value;
    else
      args[parameter.arg].map = value;
  }
  for (auto [number, arg] : llvm::enumerate(loop.args)) {
    if (arg.kind != ArgDescription::Kind::Index)
      args[number].data = args[arg.sameDataAs].data;
    if (arg.isIndirect())
      args[number].map = args[arg.sameMapAs].map;
  }
  return args;
}

/// Arguments whose sums the kernel of a column adds itself.
static mlir::SmallVector<int64_t> findInPlace(const LoopDescription &loop) {
  mlir::SmallVector<int64_t> numbers;
  for (unsigned number = 0; number < loop.args.size(); ++number)
    if (addsInPlace(loop, number))
      numbers.push_back(number);
  return numbers;
}

void op2::frontend::buildRunFunction(const CallSite &site,
                                     llvm::StringRef kernelSymbol,
                                     mlir::ModuleOp module) {
  const LoopDescription &loop = *site.loop;
  auto builder = mlir::ImplicitLocOpBuilder::atBlockEnd(
      getLocation(loop, module.getContext()), module.getBody());
  mlir::func::FuncOp function;
  mlir::SmallVector<mlir::op2::LoopArg> args = createRunFunction(
      loop, site.runSymbol, /*isPromised=*/false, builder, function);
  function->setAttr(mlir::op2::kDelayableAttr, builder.getUnitAttr());
  auto op = mlir::op2::ParLoopOp::create(
      builder, kernelSymbol, function.getArgument(0), args, loop.name);
  if (loop.isOverLayers)
    op->setAttr(mlir::op2::kInPlaceAttr,
                builder.getDenseI64ArrayAttr(findInPlace(loop)));
  mlir::func::ReturnOp::create(builder);
}

/// The loop in the function that buildRunFunction made.
static mlir::op2::ParLoopOp findLoop(const CallSite &site,
                                     mlir::ModuleOp module) {
  auto alone = module.lookupSymbol<mlir::func::FuncOp>(site.runSymbol);
  return *alone.getOps<mlir::op2::ParLoopOp>().begin();
}

/// Marks the function as one form of its loops.
static void setVariant(mlir::func::FuncOp function,
                       mlir::op2::VariantKind variant) {
  function->setAttr(
      mlir::op2::kVariantAttr,
      mlir::op2::VariantKindAttr::get(function.getContext(), variant));
}

void op2::frontend::buildSplitFunction(const CallSite &site,
                                       llvm::StringRef symbol,
                                       mlir::ModuleOp module) {
  auto builder = mlir::ImplicitLocOpBuilder::atBlockEnd(
      getLocation(*site.loop, module.getContext()), module.getBody());
  mlir::func::FuncOp function;
  mlir::SmallVector<mlir::op2::LoopArg> args = createRunFunction(
      *site.loop, symbol, /*isPromised=*/true, builder, function);
  setVariant(function, mlir::op2::VariantKind::Split);
  mlir::op2::ParLoopOp::create(builder, findLoop(site, module).getKernel(),
                               function.getArgument(0), args, site.loop->name);
  mlir::func::ReturnOp::create(builder);
}

void op2::frontend::buildFusedFunction(const CallSite &merged,
                                       const CallSite &first,
                                       const CallSite &second,
                                       mlir::ModuleOp module) {
  auto builder = mlir::ImplicitLocOpBuilder::atBlockEnd(
      getLocation(*merged.loop, module.getContext()), module.getBody());
  mlir::func::FuncOp function;
  mlir::SmallVector<mlir::op2::LoopArg> args = createRunFunction(
      *merged.loop, merged.runSymbol, /*isPromised=*/true, builder, function);
  setVariant(function, mlir::op2::VariantKind::Fused);
  function->setAttr(mlir::op2::kDelayableAttr, builder.getUnitAttr());
  llvm::ArrayRef<mlir::op2::LoopArg> rest = args;
  for (const CallSite *site : {&first, &second}) {
    mlir::op2::ParLoopOp loop = findLoop(*site, module);
    builder.setLoc(getLocation(*site->loop, module.getContext()));
    mlir::op2::ParLoopOp::create(
        builder, loop.getKernel(), function.getArgument(0),
        rest.take_front(site->loop->args.size()), site->loop->name);
    rest = rest.drop_front(site->loop->args.size());
  }
  mlir::func::ReturnOp::create(builder);
}

//===- LoopDescription.cpp - Constant descriptions of loops ---------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits op2rt_loop_desc and op2rt_arg_desc of include/OP2/Runtime/op2rt.h. The
// runtime's header is the source of the layout; the static_asserts here fail
// to compile when it changes.
//
//===----------------------------------------------------------------------===//

#include "OP2/Conversion/Passes.h"
#include "OP2/Runtime/op2rt.h"
#include "OP2/Transforms/MapEntries.h"
#include "OP2ToLLVM.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::op2;

/// What runs the loop of a function that may be delayed. Names of loops, which
/// functions end with, are the program's.
static std::string getRunSymbol(StringRef function) {
  return ("__op2_run_of." + function).str();
}

/// Fields of op2rt_arg_desc, all i32.
static constexpr unsigned kArgFields = 14;
static_assert(sizeof(op2rt_arg_desc) == kArgFields * sizeof(int32_t));
static_assert(offsetof(op2rt_arg_desc, group) == 7 * sizeof(int32_t) &&
              offsetof(op2rt_arg_desc, arity) == 13 * sizeof(int32_t));
static_assert(offsetof(op2rt_loop_desc, nargs) == 32 &&
              offsetof(op2rt_loop_desc, nparams) == 36 &&
              offsetof(op2rt_loop_desc, args) == 40 &&
              offsetof(op2rt_loop_desc, state) == 48 &&
              offsetof(op2rt_loop_desc, run) == 56 &&
              offsetof(op2rt_loop_desc, variables) == 64 &&
              offsetof(op2rt_loop_desc, nvariables) == 72 &&
              offsetof(op2rt_loop_desc, pointers) == 80 &&
              offsetof(op2rt_loop_desc, npointers) == 88 &&
              offsetof(op2rt_loop_desc, fusions) == 96 &&
              offsetof(op2rt_loop_desc, site) == 104);

static_assert(int(Access::Read) == OP2RT_READ &&
              int(Access::Reduce) == OP2RT_REDUCE);
static_assert(int(ArgKind::Global) == OP2RT_ARG_GLOBAL &&
              int(ArgKind::Dat) == OP2RT_ARG_DAT &&
              int(ArgKind::Index) == OP2RT_ARG_INDEX &&
              int(ArgKind::Info) == OP2RT_ARG_INFO);
static_assert(int(Target::Seq) == OP2RT_TARGET_SEQ &&
              int(Target::OpenMP) == OP2RT_TARGET_OPENMP);

int32_t op2::getRuntimeType(Type type) {
  if (type.isF64())
    return OP2RT_F64;
  if (type.isF32())
    return OP2RT_F32;
  bool isUnsigned = type.isUnsignedInteger();
  switch (type.getIntOrFloatBitWidth()) {
  case 1:
    return OP2RT_BOOL;
  case 8:
    return isUnsigned ? OP2RT_U8 : OP2RT_I8;
  case 16:
    return isUnsigned ? OP2RT_U16 : OP2RT_I16;
  case 32:
    return isUnsigned ? OP2RT_U32 : OP2RT_I32;
  default:
    return isUnsigned ? OP2RT_U64 : OP2RT_I64;
  }
}

/// "file:line" of a call site, or "".
static std::string describeLocation(Location loc) {
  FileLineColLoc found;
  loc->walk([&](Location part) {
    found = dyn_cast<FileLineColLoc>(part);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!found)
    return "";
  return (llvm::sys::path::filename(found.getFilename()) + ":" +
          Twine(found.getLine()))
      .str();
}

/// The values of op2rt_arg_desc for all arguments, one after another.
static SmallVector<int32_t> encodeArgs(LoopBeginOp loop,
                                       const DelayableLoop *delayable) {
  SmallVector<int32_t> fields;
  SmallVector<Value> dats; // group number -> dat
  for (auto [number, arg] : llvm::enumerate(loop.getLoopArgs())) {
    int32_t group = -1;
    if (arg.isDat()) {
      auto *it = llvm::find(dats, arg.data);
      group = it - dats.begin();
      if (it == dats.end())
        dats.push_back(arg.data);
    }
    int32_t flags = (arg.attr.getIsVector() ? OP2RT_ARG_VECTOR : 0) |
                    (arg.attr.getIsInjective() ? OP2RT_ARG_INJECTIVE : 0) |
                    (arg.attr.getIsOptional() ? OP2RT_ARG_OPTIONAL : 0) |
                    (arg.attr.getLayout() == Layout::SoA ? OP2RT_ARG_SOA : 0) |
                    (arg.attr.getLayout() == Layout::AoS ? OP2RT_ARG_AOS : 0);
    int64_t dim = arg.getDim();
    fields.append(
        {int32_t(arg.attr.getKind()), int32_t(arg.getAccess()),
         int32_t(arg.attr.getSlot()), int32_t(arg.attr.getCount()),
         ShapedType::isDynamic(dim) ? OP2RT_DYNAMIC_DIM : int32_t(dim),
         getRuntimeType(arg.getElementType()), flags, group});
    std::array<int32_t, 6> params = {};
    if (delayable)
      params = delayable->params[number];
    fields.append(params.begin(), params.end());
  }
  return fields;
}

void op2::insertGlobal(SymbolTable &symbols, LLVM::GlobalOp global) {
  Block &body = *cast<ModuleOp>(symbols.getOp()).getBody();
  // Behind the runtime's functions, which calls of them look up by going
  // through the module.
  symbols.insert(global, llvm::find_if(body, [](Operation &op) {
                   auto function = dyn_cast<LLVM::LLVMFuncOp>(op);
                   return !function || !function.isExternal();
                 }));
}

static LLVM::GlobalOp createGlobal(SymbolTable &symbols, Location loc,
                                   StringRef name, Type type, bool isConstant,
                                   Attribute value) {
  // Detached first: the symbol table renames what it inserts.
  OpBuilder builder(type.getContext());
  auto global = LLVM::GlobalOp::create(builder, loc, type, isConstant,
                                       LLVM::Linkage::Internal, name, value,
                                       /*alignment=*/8);
  insertGlobal(symbols, global);
  return global;
}

Value op2::createString(OpBuilder &builder, Location loc, SymbolTable &symbols,
                        StringRef text) {
  std::string bytes = text.str();
  bytes.push_back('\0');
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
  LLVM::GlobalOp global =
      createGlobal(symbols, loc, "__op2_str", type, /*isConstant=*/true,
                   builder.getStringAttr(bytes));
  return LLVM::AddressOfOp::create(builder, loc, global);
}

/// op2rt_loop_desc as an LLVM struct.
static LLVM::LLVMStructType getDescriptionType(MLIRContext *context) {
  Type i32 = IntegerType::get(context, 32);
  Type i64 = IntegerType::get(context, 64);
  Type pointer = LLVM::LLVMPointerType::get(context);
  return LLVM::LLVMStructType::getLiteral(
      context, {i32, i32, pointer, pointer, pointer, i32, i32, pointer, pointer,
                pointer, pointer, i64, pointer, i64, pointer, pointer});
}

LLVM::GlobalOp op2::createLoopDescription(LoopBeginOp loop,
                                          const DelayableLoops &delayableLoops,
                                          SymbolTable &symbols) {
  auto at = delayableLoops.find(loop);
  const DelayableLoop *delayable =
      at == delayableLoops.end() ? nullptr : &at->second;
  Location loc = loop.getLoc();
  OpBuilder builder(loop.getContext());
  Type i32 = builder.getI32Type();

  SmallVector<int32_t> fields = encodeArgs(loop, delayable);
  LLVM::GlobalOp args;
  if (!fields.empty()) {
    auto tensor = RankedTensorType::get(int64_t(fields.size()), i32);
    args = createGlobal(symbols, loc, "__op2_args",
                        LLVM::LLVMArrayType::get(i32, fields.size()),
                        /*isConstant=*/true,
                        DenseElementsAttr::get<int32_t>(tensor, fields));
  }

  auto type = getDescriptionType(builder.getContext());
  std::string name = kLoopDescriptionPrefix.str();
  if (delayable)
    name += "." + delayable->name.str();
  LLVM::GlobalOp description = createGlobal(symbols, loc, name, type,
                                            /*isConstant=*/false, Attribute());
  builder.createBlock(&description.getInitializerRegion());
  auto constant = [&](int32_t value) -> Value {
    return LLVM::ConstantOp::create(builder, loc, i32, value);
  };
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value null = LLVM::ZeroOp::create(builder, loc, pointer);
  Value zero = LLVM::ConstantOp::create(builder, loc, builder.getI64Type(), 0);
  Value run = null;
  if (delayable)
    run = LLVM::AddressOfOp::create(builder, loc, pointer,
                                    getRunSymbol(delayable->name));
  SmallVector<Value> values = {
      constant(OP2RT_ABI_VERSION),
      constant(int32_t(loop.getTarget())),
      createString(builder, loc, symbols, loop.getLabel()),
      createString(builder, loc, symbols, describeLocation(loc)),
      createString(builder, loc, symbols, loop.getStrategy()),
      constant(int32_t(loop.getArgs().size())),
      constant(delayable ? delayable->numParams : 0),
      args ? LLVM::AddressOfOp::create(builder, loc, args).getResult() : null,
      null,
      run,
      null,
      zero,
      null,
      zero,
      null,
      null};
  Value aggregate = LLVM::UndefOp::create(builder, loc, type);
  for (auto [position, value] : llvm::enumerate(values))
    aggregate = LLVM::InsertValueOp::create(builder, loc, aggregate, value,
                                            int64_t(position));
  LLVM::ReturnOp::create(builder, loc, aggregate);
  return description;
}

//===----------------------------------------------------------------------===//
// Loops that may be delayed
//===----------------------------------------------------------------------===//

/// The number of the parameter; -1 if the value is none.
static int32_t getParameter(Value value) {
  if (!value)
    return 0;
  auto argument = dyn_cast<BlockArgument>(value);
  bool isParameter = argument && argument.getOwner()->isEntryBlock() &&
                     isa<func::FuncOp>(argument.getOwner()->getParentOp());
  return isParameter ? int32_t(argument.getArgNumber()) : -1;
}

static LogicalResult describe(func::FuncOp function, LoopBeginOp loop,
                              DelayableLoop &described) {
  described.name = function.getNameAttr();
  described.numParams = int32_t(function.getNumArguments());
  bool takesParameters = getParameter(loop.getSet()) == 0;
  SmallVector<LoopArg> args = loop.getLoopArgs();
  for (const LoopArg &arg : args) {
    described.params.push_back(
        {getParameter(arg.data), getParameter(arg.map), getParameter(arg.flag),
         getParameter(arg.merge), getParameter(arg.identity),
         arg.map ? int32_t(getLikelyArity(args, arg.map)) : 0});
    takesParameters &= !llvm::is_contained(described.params.back(), -1);
  }
  if (takesParameters)
    return success();
  return loop.emitOpError("in a function with '")
         << kDelayableAttr << "' must take its set and its arguments from the "
         << "function's parameters";
}

FailureOr<DelayableLoops> op2::findDelayableLoops(ModuleOp module) {
  DelayableLoops loops;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function->hasAttr(kDelayableAttr) || function.isExternal())
      continue;
    SmallVector<LoopBeginOp> found;
    function.walk([&](LoopBeginOp loop) { found.push_back(loop); });
    if (found.size() != 1)
      return function.emitOpError("with '")
             << kDelayableAttr << "' must run one loop, got " << found.size();
    if (failed(describe(function, found.front(), loops[found.front()])))
      return failure();
  }
  return loops;
}

/// Reads the parameters of the loop's function from an array of pointers.
static void createRunFunction(LLVM::LLVMFuncOp function) {
  auto builder =
      OpBuilder::atBlockEnd(function->getParentOfType<ModuleOp>().getBody());
  MLIRContext *context = builder.getContext();
  Location loc = function.getLoc();
  auto pointer = LLVM::LLVMPointerType::get(context);
  auto run = LLVM::LLVMFuncOp::create(
      builder, loc, getRunSymbol(function.getName()),
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), {pointer}),
      LLVM::Linkage::Internal);
  builder.setInsertionPointToStart(run.addEntryBlock(builder));
  Value null = LLVM::ZeroOp::create(builder, loc, pointer);
  SmallVector<Value> values;
  for (auto [number, type] : llvm::enumerate(function.getArgumentTypes())) {
    Value place =
        LLVM::GEPOp::create(builder, loc, pointer, pointer, run.getArgument(0),
                            LLVM::GEPArg(int32_t(number)));
    Value value = LLVM::LoadOp::create(builder, loc, pointer, place);
    if (!isa<LLVM::LLVMPointerType>(type))
      value = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, value,
                                   null);
    values.push_back(value);
  }
  LLVM::CallOp::create(builder, loc, function, values);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
}

void op2::createRunFunctions(ModuleOp module, const DelayableLoops &loops) {
  // In the order of the module.
  for (auto function : llvm::to_vector(module.getOps<LLVM::LLVMFuncOp>()))
    if (llvm::any_of(loops, [&](const auto &loop) {
          return loop.second.name == function.getNameAttr();
        }))
      createRunFunction(function);
}

void op2::createLoopRegistration(ModuleOp module) {
  SmallVector<LLVM::GlobalOp> descriptions;
  for (auto global : module.getOps<LLVM::GlobalOp>())
    if (global.getName().starts_with(kLoopDescriptionPrefix))
      descriptions.push_back(global);
  if (descriptions.empty())
    return;
  OpBuilder builder(module.getContext());
  builder.setInsertionPointToEnd(module.getBody());
  Location loc = module.getLoc();
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(module.getContext()), {});
  auto constructor = LLVM::LLVMFuncOp::create(
      builder, loc, "__op2_register_loops", type, LLVM::Linkage::Internal);
  LLVM::GlobalCtorsOp::create(
      builder, loc, builder.getArrayAttr(FlatSymbolRefAttr::get(constructor)),
      builder.getI32ArrayAttr({65535}),
      builder.getArrayAttr(LLVM::ZeroAttr::get(module.getContext())));
  builder.setInsertionPointToStart(constructor.addEntryBlock(builder));
  for (LLVM::GlobalOp description : descriptions) {
    Value address = LLVM::AddressOfOp::create(builder, loc, description);
    callRuntime(builder, loc, "op2rt_register_loop", {}, {address});
  }
  LLVM::ReturnOp::create(builder, loc, ValueRange());
}

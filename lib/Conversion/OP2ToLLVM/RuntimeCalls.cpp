//===- RuntimeCalls.cpp - Ops that are calls of the runtime ---------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallLowering.h"
#include "OP2/Conversion/Passes.h"
#include "OP2/Runtime/op2rt.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::op2;

/// Functions without effects: a call whose result is unused goes away.
static bool onlyLooks(StringRef name) {
  static const llvm::StringSet<> names = {
      "op2rt_dat_dim",    "op2rt_dat_size",      "op2rt_loop_is_alias_free",
      "op2rt_loop_range", "op2rt_loop_row_ends", "op2rt_map_data",
      "op2rt_map_dim",    "op2rt_map_size",      "op2rt_plan_owned_begin"};
  return names.contains(name);
}

static void describeRuntimeFunction(LLVM::LLVMFuncOp function) {
  OpBuilder builder(function.getContext());
  // Small loops find the caches cold: a call goes without the linker's stub.
  function.setPassthroughAttr(builder.getStrArrayAttr({"nonlazybind"}));
  if (!onlyLooks(function.getName()))
    return;
  function.setNoUnwind(true);
  function.setWillReturn(true);
  auto none = LLVM::ModRefInfo::NoModRef, read = LLVM::ModRefInfo::Ref;
  function.setMemoryEffectsAttr(LLVM::MemoryEffectsAttr::get(
      builder.getContext(), {/*other=*/read, /*argMem=*/read,
                             /*inaccessibleMem=*/read, /*errnoMem=*/none,
                             /*targetMem0=*/none, /*targetMem1=*/none}));
}

Value op2::callRuntime(OpBuilder &builder, Location loc, StringRef name,
                       Type resultType, ValueRange operands) {
  Operation *module = builder.getInsertionBlock()->getParentOp();
  if (!isa<ModuleOp>(module))
    module = module->getParentOfType<ModuleOp>();
  Type declared =
      resultType ? resultType : LLVM::LLVMVoidType::get(builder.getContext());
  FailureOr<LLVM::LLVMFuncOp> function = LLVM::lookupOrCreateFn(
      builder, module, name, SmallVector<Type>(operands.getTypes()), declared);
  // Where the program declares it with another type, which is an error, a call
  // with these types keeps the module from being valid.
  if (succeeded(function))
    describeRuntimeFunction(*function);
  auto call = LLVM::CallOp::create(
      builder, loc, resultType ? TypeRange(resultType) : TypeRange(),
      FlatSymbolRefAttr::get(builder.getContext(), name), operands);
  return resultType ? call.getResult() : Value();
}

/// `value + 1`, of type i64.
static Value getNext(OpBuilder &builder, Location loc, Value value) {
  Value one = LLVM::ConstantOp::create(builder, loc, builder.getI64Type(), 1);
  return LLVM::AddOp::create(builder, loc, value, one);
}

//===----------------------------------------------------------------------===//
// What plans hold
//===----------------------------------------------------------------------===//

Value op2::loadPlanField(OpBuilder &builder, Location loc, Value plan,
                         PlanField field) {
  static_assert(offsetof(op2rt_plan_view, pieces) == 4 * sizeof(int64_t));
  Type i64 = builder.getI64Type(), ptr = plan.getType();
  auto type = LLVM::LLVMStructType::getLiteral(builder.getContext(),
                                               {i64, i64, ptr, ptr, ptr});
  auto number = static_cast<int32_t>(field);
  Value place = LLVM::GEPOp::create(builder, loc, ptr, type, plan,
                                    ArrayRef<LLVM::GEPArg>{0, number});
  return LLVM::LoadOp::create(builder, loc, type.getBody()[number], place);
}

/// Entries `index` and `index + 1` of an array of 64-bit numbers.
static std::pair<Value, Value> loadPair(OpBuilder &builder, Location loc,
                                        Value array, Value index) {
  Type i64 = builder.getI64Type();
  auto load = [&](Value at) -> Value {
    Value place =
        LLVM::GEPOp::create(builder, loc, array.getType(), i64, array, at);
    return LLVM::LoadOp::create(builder, loc, i64, place);
  };
  Value first = load(index);
  return {first, load(getNext(builder, loc, index))};
}

/// The fields of piece `number` of the plan.
static SmallVector<Value> loadPiece(OpBuilder &builder, Location loc,
                                    Value plan, Value number) {
  static_assert(sizeof(op2rt_piece) == 3 * sizeof(int64_t));
  Type i64 = builder.getI64Type();
  auto type =
      LLVM::LLVMStructType::getLiteral(builder.getContext(), {i64, i64, i64});
  Value pieces = loadPlanField(builder, loc, plan, PlanField::Pieces);
  SmallVector<Value> fields;
  for (int32_t field = 0; field < 3; ++field) {
    Value place =
        LLVM::GEPOp::create(builder, loc, pieces.getType(), type, pieces,
                            ArrayRef<LLVM::GEPArg>{number, field});
    fields.push_back(LLVM::LoadOp::create(builder, loc, i64, place));
  }
  return fields;
}

Value op2::createFrameSlot(OpBuilder &builder, Operation *op, Type type) {
  OpBuilder::InsertionGuard guard(builder);
  // In a parallel region each thread has its own.
  Operation *scope =
      op->getParentWithTrait<OpTrait::AutomaticAllocationScope>();
  builder.setInsertionPointToStart(&scope->getRegion(0).front());
  Value one =
      LLVM::ConstantOp::create(builder, op->getLoc(), builder.getI64Type(), 1);
  return LLVM::AllocaOp::create(
      builder, op->getLoc(), LLVM::LLVMPointerType::get(builder.getContext()),
      type, one);
}

Value op2::getAddress(OpBuilder &builder, Location loc,
                      const LLVMTypeConverter &converter, Value descriptor,
                      MemRefType type) {
  return MemRefDescriptor(descriptor).bufferPtr(builder, loc, converter, type);
}

namespace {

struct LoopBeginLowering : public ConvertOpToLLVMPattern<LoopBeginOp> {
  LoopBeginLowering(const LLVMTypeConverter &converter,
                    const DelayableLoops &delayable, SymbolTable &symbols)
      : ConvertOpToLLVMPattern(converter), delayable(delayable),
        symbols(symbols) {}

  LogicalResult
  matchAndRewrite(LoopBeginOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    LLVM::GlobalOp description = createLoopDescription(op, delayable, symbols);
    Value args = storeArguments(op, adaptor, rewriter);
    Value address = LLVM::AddressOfOp::create(rewriter, loc, description);
    rewriter.replaceOp(op, callRuntime(rewriter, loc, "op2rt_loop_begin",
                                       getPtrType(),
                                       {address, adaptor.getSet(), args}));
    return success();
  }

private:
  /// op2rt_arg as an LLVM struct.
  LLVM::LLVMStructType getArgType() const {
    static_assert(offsetof(op2rt_arg, active) == 16 &&
                  offsetof(op2rt_arg, identity) == 32);
    Type i32 = IntegerType::get(&getTypeConverter()->getContext(), 32);
    return LLVM::LLVMStructType::getLiteral(
        &getTypeConverter()->getContext(),
        {getPtrType(), getPtrType(), i32, getPtrType(), getPtrType()});
  }

  void storeField(OpBuilder &builder, Location loc, Value array, Type arrayType,
                  int32_t number, int32_t field, Value value) const {
    Value place =
        LLVM::GEPOp::create(builder, loc, getPtrType(), arrayType, array,
                            ArrayRef<LLVM::GEPArg>{0, number, field});
    LLVM::StoreOp::create(builder, loc, value, place);
  }

  /// The op2rt_arg array of this execution, in the function's frame.
  Value storeArguments(LoopBeginOp op, OpAdaptor adaptor,
                       OpBuilder &builder) const {
    Location loc = op.getLoc();
    SmallVector<LoopArg> args = op.getLoopArgs();
    Value null = LLVM::ZeroOp::create(builder, loc, getPtrType());
    if (args.empty())
      return null;
    auto arrayType = LLVM::LLVMArrayType::get(getArgType(), args.size());
    Value array = createFrameSlot(builder, op, arrayType);
    Type i32 = builder.getI32Type();
    auto next = adaptor.getValues().begin();
    for (auto [number, arg] : llvm::enumerate(args)) {
      Value active = LLVM::ConstantOp::create(builder, loc, i32, 1);
      if (arg.flag)
        active = LLVM::ZExtOp::create(builder, loc, i32, *next++);
      auto takeMemref = [&](Value memref) {
        return getAddress(builder, loc, *getTypeConverter(), *next++,
                          cast<MemRefType>(memref.getType()));
      };
      if (arg.isMerged()) {
        storeField(builder, loc, array, arrayType, number, 3, *next++);
        storeField(builder, loc, array, arrayType, number, 4,
                   takeMemref(arg.identity));
      }
      Value data = null;
      if (arg.isDat())
        data = *next++;
      else if (arg.isGlobal())
        data = takeMemref(arg.data);
      Value map = arg.map ? *next++ : null;
      storeField(builder, loc, array, arrayType, number, 0, data);
      storeField(builder, loc, array, arrayType, number, 1, map);
      storeField(builder, loc, array, arrayType, number, 2, active);
    }
    return array;
  }

  const DelayableLoops &delayable;
  SymbolTable &symbols; // of the module
};

struct PlanLowering : public ConvertOpToLLVMPattern<PlanOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(PlanOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value blockSize = LLVM::ConstantOp::create(
        rewriter, loc, rewriter.getI64Type(), op.getBlockSize());
    Value what = LLVM::ConstantOp::create(rewriter, loc, rewriter.getI32Type(),
                                          getContents(op));
    rewriter.replaceOp(op, callRuntime(rewriter, loc, "op2rt_plan_get",
                                       getPtrType(),
                                       {adaptor.getLoop(), blockSize, what}));
    return success();
  }

private:
  /// What the plan must hold, in the runtime's words.
  static int32_t getContents(PlanOp op) {
    switch (op.getColoring()) {
    case Coloring::Blocks:
      return OP2RT_PLAN_BLOCKS;
    case Coloring::TwoLevel:
      return OP2RT_PLAN_ELEMENT_COLORS;
    case Coloring::None:
      return OP2RT_PLAN_UNCOLORED;
    case Coloring::Elements:
      return OP2RT_PLAN_GLOBAL_COLORS;
    case Coloring::Owner:
      return OP2RT_PLAN_OWNER;
    case Coloring::OwnedRows:
      return OP2RT_PLAN_OWNED_ROWS;
    }
    llvm_unreachable("unknown colouring");
  }
};

struct ColorRangeLowering : public ConvertOpToLLVMPattern<ColorRangeOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(ColorRangeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value colors =
        loadPlanField(rewriter, loc, adaptor.getPlan(), PlanField::ColorBegin);
    auto [begin, end] = loadPair(rewriter, loc, colors, adaptor.getColor());
    rewriter.replaceOp(op, {begin, end});
    return success();
  }
};

/// A function that returns an op2rt_range.
template <class OpT>
struct RangeCallLowering : public ConvertOpToLLVMPattern<OpT> {
  RangeCallLowering(const LLVMTypeConverter &converter, StringRef name)
      : ConvertOpToLLVMPattern<OpT>(converter), name(name) {}

  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    static_assert(sizeof(op2rt_range) == 2 * sizeof(int64_t));
    Location loc = op.getLoc();
    Type i64 = rewriter.getI64Type();
    auto rangeType =
        LLVM::LLVMStructType::getLiteral(rewriter.getContext(), {i64, i64});
    Value range =
        callRuntime(rewriter, loc, name, rangeType, adaptor.getOperands());
    Value begin = LLVM::ExtractValueOp::create(rewriter, loc, range, 0);
    Value end = LLVM::ExtractValueOp::create(rewriter, loc, range, 1);
    rewriter.replaceOp(op, {begin, end});
    return success();
  }

private:
  StringRef name;
};

struct BlockRangeLowering : public ConvertOpToLLVMPattern<BlockRangeOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(BlockRangeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    // One piece for each block.
    SmallVector<Value> piece =
        loadPiece(rewriter, op.getLoc(), adaptor.getPlan(), adaptor.getBlock());
    rewriter.replaceOp(op, ValueRange(piece).take_front(2));
    return success();
  }
};

struct PieceLowering : public ConvertOpToLLVMPattern<PieceOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(PieceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value begins =
        loadPlanField(rewriter, loc, adaptor.getPlan(), PlanField::PieceBegin);
    Value first = loadPair(rewriter, loc, begins, adaptor.getBlock()).first;
    Value number =
        LLVM::AddOp::create(rewriter, loc, first, adaptor.getPiece());
    SmallVector<Value> piece =
        loadPiece(rewriter, loc, adaptor.getPlan(), number);
    Value zero = LLVM::ConstantOp::create(rewriter, loc, piece[2].getType(), 0);
    piece[2] = LLVM::ICmpOp::create(rewriter, loc, LLVM::ICmpPredicate::ne,
                                    piece[2], zero);
    rewriter.replaceOp(op, piece);
    return success();
  }
};

struct NumPiecesLowering : public ConvertOpToLLVMPattern<NumPiecesOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(NumPiecesOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value begins =
        loadPlanField(rewriter, loc, adaptor.getPlan(), PlanField::PieceBegin);
    auto [begin, end] = loadPair(rewriter, loc, begins, adaptor.getBlock());
    rewriter.replaceOpWithNewOp<LLVM::SubOp>(op, end, begin);
    return success();
  }
};

struct OwnedRangeLowering : public ConvertOpToLLVMPattern<OwnedRangeOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(OwnedRangeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type i64 = rewriter.getI64Type();
    auto ask = [&](Value block) {
      return callRuntime(rewriter, loc, "op2rt_plan_owned_begin", i64,
                         {adaptor.getPlan(), adaptor.getDat(), block});
    };
    Value begin = ask(adaptor.getBlock());
    Value end = ask(getNext(rewriter, loc, adaptor.getBlock()));
    rewriter.replaceOp(op, {begin, end});
    return success();
  }
};

/// What the runtime answers with 0 or 1.
template <typename OpTy>
struct QuestionLowering : public ConvertOpToLLVMPattern<OpTy> {
  QuestionLowering(const LLVMTypeConverter &converter, StringRef name)
      : ConvertOpToLLVMPattern<OpTy>(converter), name(name) {}

  LogicalResult
  matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type i32 = rewriter.getI32Type();
    Value answer =
        callRuntime(rewriter, op.getLoc(), name, i32, adaptor.getOperands());
    Value zero = LLVM::ConstantOp::create(rewriter, op.getLoc(), i32, 0);
    rewriter.replaceOpWithNewOp<LLVM::ICmpOp>(op, LLVM::ICmpPredicate::ne,
                                              answer, zero);
    return success();
  }

private:
  StringRef name;
};

static_assert(LoopArg::kMostExactComponents == OP2RT_MOST_EXACT_COMPONENTS);

struct ReductionBeginLowering
    : public ConvertOpToLLVMPattern<ReductionBeginOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(ReductionBeginOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value arg = LLVM::ConstantOp::create(rewriter, loc, rewriter.getI32Type(),
                                         op.getArg());
    Value plan = adaptor.getPlan();
    if (!plan)
      plan = LLVM::ZeroOp::create(rewriter, loc, getPtrType());
    rewriter.replaceOp(op, callRuntime(rewriter, loc, "op2rt_reduction_begin",
                                       getPtrType(),
                                       {adaptor.getLoop(), arg, plan}));
    return success();
  }
};

struct ReductionAddLowering : public ConvertOpToLLVMPattern<ReductionAddOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(ReductionAddOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value terms = getAddress(rewriter, op.getLoc(), *getTypeConverter(),
                             adaptor.getTerms(),
                             cast<MemRefType>(op.getTerms().getType()));
    auto constant = [&](int64_t value) -> Value {
      return LLVM::ConstantOp::create(rewriter, op.getLoc(),
                                      rewriter.getI64Type(), value);
    };
    int64_t stride = cast<MemRefType>(op.getTerms().getType()).getDimSize(1);
    SmallVector<Value> operands = {adaptor.getReduction(), terms,
                                   adaptor.getCount()};
    if (!op.getRows())
      operands.push_back(constant(stride));
    if (op.getSplit()) {
      auto type = cast<MemRefType>(op.getSplit().getType());
      operands.push_back(getAddress(rewriter, op.getLoc(), *getTypeConverter(),
                                    adaptor.getSplit(), type));
      operands.push_back(constant(type.getDimSize(2)));
    }
    callRuntime(rewriter, op.getLoc(),
                op.getRows()    ? "op2rt_reduction_add_rows"
                : op.getSplit() ? "op2rt_reduction_add_split"
                                : "op2rt_reduction_add",
                {}, operands);
    rewriter.eraseOp(op);
    return success();
  }
};

struct EnqueueLowering : public ConvertOpToLLVMPattern<EnqueueOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(EnqueueOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto arrayType =
        LLVM::LLVMArrayType::get(getPtrType(), op.getValues().size());
    Value array = createFrameSlot(rewriter, op, arrayType);
    for (auto [number, value, converted] :
         llvm::enumerate(op.getValues(), adaptor.getValues())) {
      Value place =
          LLVM::GEPOp::create(rewriter, loc, getPtrType(), arrayType, array,
                              ArrayRef<LLVM::GEPArg>{0, int32_t(number)});
      LLVM::StoreOp::create(rewriter, loc,
                            asPointer(rewriter, loc, value, converted), place);
    }
    Value description = LLVM::AddressOfOp::create(
        rewriter, loc, getPtrType(),
        (kLoopDescriptionPrefix + "." + op.getCallee()).str());
    callRuntime(rewriter, loc, "op2rt_execute", {}, {description, array});
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// What op2rt_loop_desc.run takes for it.
  Value asPointer(OpBuilder &builder, Location loc, Value value,
                  Value converted) const {
    if (auto type = dyn_cast<MemRefType>(value.getType()))
      return getAddress(builder, loc, *getTypeConverter(), converted, type);
    if (!value.getType().isInteger(1))
      return converted;
    Value number =
        LLVM::ZExtOp::create(builder, loc, builder.getI64Type(), converted);
    return LLVM::IntToPtrOp::create(builder, loc, getPtrType(), number);
  }
};

struct FlushLowering : public ConvertOpToLLVMPattern<FlushOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(FlushOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value all = LLVM::ZeroOp::create(rewriter, op.getLoc(), getPtrType());
    callRuntime(rewriter, op.getLoc(), "op2rt_flush", {}, {all});
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void op2::populateRuntimeCallPatterns(const LLVMTypeConverter &converter,
                                      RewritePatternSet &patterns,
                                      const DelayableLoops &delayable,
                                      SymbolTable &symbols) {
  patterns.add<LoopBeginLowering>(converter, delayable, symbols);
  patterns
      .add<PlanLowering, ColorRangeLowering, BlockRangeLowering, PieceLowering,
           NumPiecesLowering, OwnedRangeLowering, ReductionBeginLowering,
           ReductionAddLowering, EnqueueLowering, FlushLowering>(converter);
  patterns.add<QuestionLowering<IsAliasFreeOp>>(converter,
                                                "op2rt_loop_is_alias_free");
  patterns.add<QuestionLowering<UsesThreadsOp>>(converter,
                                                "op2rt_plan_uses_threads");
  patterns.add<PlainCallLowering<LoopEndOp>>(converter, "op2rt_loop_end");
  patterns.add<RangeCallLowering<LoopRangeOp>>(converter, "op2rt_loop_range");
  patterns.add<RangeCallLowering<ThreadRangeOp>>(converter,
                                                 "op2rt_plan_thread_range");
  patterns.add<PlanFieldLowering<NumColorsOp>>(converter, PlanField::NumColors);
  patterns.add<PlainCallLowering<ReductionEndOp>>(converter,
                                                  "op2rt_reduction_end");
}

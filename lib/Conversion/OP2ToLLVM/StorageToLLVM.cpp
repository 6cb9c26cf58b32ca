//===- StorageToLLVM.cpp - Rows, tables, casts, private cells -------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memrefs made here start at their first value, with offset 0: kernels and
// chunk functions take them as bare pointers.
//
//===----------------------------------------------------------------------===//

#include "OP2/Runtime/op2rt.h"
#include "OP2ToLLVM.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"

using namespace mlir;
using namespace mlir::op2;

/// A descriptor for data at `pointer`; `sizes` are the dynamic sizes in order,
/// then the dynamic strides. Strides that the type does not tell are those of
/// the identity layout.
static Value createDescriptor(OpBuilder &builder, Location loc,
                              const LLVMTypeConverter &converter,
                              MemRefType type, Value pointer,
                              ArrayRef<Value> sizes) {
  auto layout = dyn_cast<StridedLayoutAttr>(type.getLayout());
  if (type.hasStaticShape() && !layout)
    return MemRefDescriptor::fromStaticShape(builder, loc, converter, type,
                                             pointer);
  Type index = converter.getIndexType();
  auto constant = [&](int64_t value) -> Value {
    return LLVM::ConstantOp::create(builder, loc, index, value);
  };
  auto descriptor =
      MemRefDescriptor::poison(builder, loc, converter.convertType(type));
  descriptor.setAllocatedPtr(builder, loc, pointer);
  descriptor.setAlignedPtr(builder, loc, pointer);
  descriptor.setOffset(builder, loc, constant(0));
  Value stride = constant(1);
  size_t next = size_t(type.getNumDynamicDims()), nextStride = sizes.size();
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    Value size =
        type.isDynamicDim(dim) ? sizes[--next] : constant(type.getDimSize(dim));
    descriptor.setSize(builder, loc, dim, size);
    if (layout)
      stride = ShapedType::isDynamic(layout.getStrides()[dim])
                   ? sizes[--nextStride]
                   : constant(layout.getStrides()[dim]);
    descriptor.setStride(builder, loc, dim, stride);
    if (dim > 0 && !layout)
      stride = LLVM::MulOp::create(builder, loc, stride, size);
  }
  return descriptor;
}

/// `pointer` in the address space of `type`, a pointer or a memref.
static Value castToSpaceOf(OpBuilder &builder, Location loc,
                           const LLVMTypeConverter &converter, Value pointer,
                           Type type) {
  Type wanted = converter.convertType(type);
  if (isa<MemRefType>(type))
    wanted = cast<LLVM::LLVMStructType>(wanted).getBody()[1];
  if (pointer.getType() == wanted)
    return pointer;
  return LLVM::AddrSpaceCastOp::create(builder, loc, wanted, pointer);
}

namespace {

/// The runtime's functions that tell about a dat or a map.
struct TableFunctions {
  StringRef data, size, width;
};

/// The whole storage of a dat, or the table of a map.
template <typename OpTy>
struct TableLowering : public ConvertOpToLLVMPattern<OpTy> {
  TableLowering(const LLVMTypeConverter &converter, TableFunctions functions)
      : ConvertOpToLLVMPattern<OpTy>(converter), functions(functions) {}

  LogicalResult
  matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = cast<MemRefType>(op->getResult(0).getType());
    ValueRange handle = adaptor.getOperands();
    Type i64 = rewriter.getI64Type();
    Value pointer =
        callRuntime(rewriter, loc, functions.data, this->getPtrType(), handle);
    SmallVector<Value> sizes = {
        callRuntime(rewriter, loc, functions.size, i64, handle)};
    if (type.isDynamicDim(1))
      sizes.push_back(callRuntime(rewriter, loc, functions.width, i64, handle));
    rewriter.replaceOp(op, createDescriptor(rewriter, loc,
                                            *this->getTypeConverter(), type,
                                            pointer, sizes));
    return success();
  }

private:
  TableFunctions functions;
};

/// A function that returns the address of what the op's memref is.
template <class OpT>
struct AddressCallLowering : public ConvertOpToLLVMPattern<OpT> {
  AddressCallLowering(const LLVMTypeConverter &converter, StringRef name)
      : ConvertOpToLLVMPattern<OpT>(converter), name(name) {}

  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value pointer = callRuntime(rewriter, loc, name, this->getPtrType(),
                                adaptor.getOperands());
    auto type = cast<MemRefType>(op->getResult(0).getType());
    rewriter.replaceOp(op, createDescriptor(rewriter, loc,
                                            *this->getTypeConverter(), type,
                                            pointer, {}));
    return success();
  }

private:
  StringRef name;
};

/// Where a row of `data` starts whose number is `index`; two rows are `width`
/// values apart.
static Value getRowAddress(OpBuilder &builder, Location loc,
                           const LLVMTypeConverter &converter,
                           MemRefDescriptor data, MemRefType type, Value index,
                           Value width) {
  Value base = data.bufferPtr(builder, loc, converter, type);
  Value offset = LLVM::MulOp::create(builder, loc, index, width,
                                     LLVM::IntegerOverflowFlags::nsw);
  return LLVM::GEPOp::create(builder, loc, base.getType(),
                             converter.convertType(type.getElementType()), base,
                             ValueRange{offset});
}

/// Values from a row to the next one.
static Value getRowWidth(OpBuilder &builder, Location loc,
                         const LLVMTypeConverter &converter,
                         MemRefDescriptor data, MemRefType type) {
  if (type.isDynamicDim(1))
    return data.size(builder, loc, 1);
  return LLVM::ConstantOp::create(builder, loc, converter.getIndexType(),
                                  isStructOfArrays(type) ? 1
                                                         : type.getDimSize(1));
}

struct RowLowering : public ConvertOpToLLVMPattern<RowOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(RowOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = cast<MemRefType>(op.getData().getType());
    MemRefDescriptor data(adaptor.getData());
    Value width = getRowWidth(rewriter, loc, *getTypeConverter(), data, type);
    Value pointer = getRowAddress(rewriter, loc, *getTypeConverter(), data,
                                  type, adaptor.getIndex(), width);
    if (isa<LLVM::LLVMPointerType>(op.getRow().getType())) {
      rewriter.replaceOp(op, pointer);
      return success();
    }
    SmallVector<Value> sizes;
    if (type.isDynamicDim(1))
      sizes.push_back(width);
    if (isStructOfArrays(type))
      sizes.push_back(data.stride(rewriter, loc, 1));
    rewriter.replaceOp(op,
                       createDescriptor(rewriter, loc, *getTypeConverter(),
                                        cast<MemRefType>(op.getRow().getType()),
                                        pointer, sizes));
    return success();
  }
};

struct OwnedRowLowering : public ConvertOpToLLVMPattern<OwnedRowOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(OwnedRowOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    const LLVMTypeConverter &converter = *getTypeConverter();
    auto type = cast<MemRefType>(op.getData().getType());
    MemRefDescriptor data(adaptor.getData());
    Value width = getRowWidth(rewriter, loc, converter, data, type);
    Value pointer = getRowAddress(rewriter, loc, converter, data, type,
                                  adaptor.getIndex(), width);
    Value spare = MemRefDescriptor(adaptor.getSpare())
                      .bufferPtr(rewriter, loc, converter,
                                 cast<MemRefType>(op.getSpare().getType()));
    Value isAbove =
        LLVM::ICmpOp::create(rewriter, loc, LLVM::ICmpPredicate::sge,
                             adaptor.getIndex(), adaptor.getBegin());
    Value isBelow =
        LLVM::ICmpOp::create(rewriter, loc, LLVM::ICmpPredicate::slt,
                             adaptor.getIndex(), adaptor.getEnd());
    Value isOwned = LLVM::AndOp::create(rewriter, loc, isAbove, isBelow);
    pointer = LLVM::SelectOp::create(rewriter, loc, isOwned, pointer, spare);
    auto row = dyn_cast<MemRefType>(op.getRow().getType());
    if (!row) {
      rewriter.replaceOp(op, pointer);
      return success();
    }
    SmallVector<Value> sizes;
    if (type.isDynamicDim(1))
      sizes.push_back(width);
    rewriter.replaceOp(
        op, createDescriptor(rewriter, loc, converter, row, pointer, sizes));
    return success();
  }
};

struct PtrCastLowering : public ConvertOpToLLVMPattern<PtrCastOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(PtrCastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    if (auto source = dyn_cast<MemRefType>(op.getSource().getType())) {
      Value pointer =
          MemRefDescriptor(adaptor.getSource())
              .bufferPtr(rewriter, loc, *getTypeConverter(), source);
      rewriter.replaceOp(op, castToSpaceOf(rewriter, loc, *getTypeConverter(),
                                           pointer, op.getResult().getType()));
      return success();
    }
    auto type = cast<MemRefType>(op.getResult().getType());
    Value pointer = castToSpaceOf(rewriter, loc, *getTypeConverter(),
                                  adaptor.getSource(), type);
    SmallVector<Value> sizes(adaptor.getSizes());
    if (type.getRank() > 0 && type.isDynamicDim(0))
      sizes.insert(sizes.begin(),
                   LLVM::PoisonOp::create(rewriter, loc, getIndexType()));
    rewriter.replaceOp(op, createDescriptor(rewriter, loc, *getTypeConverter(),
                                            type, pointer, sizes));
    return success();
  }
};

struct RowEndsLowering : public ConvertOpToLLVMPattern<RowEndsOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(RowEndsOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    static_assert(offsetof(op2rt_row_ends, count) == sizeof(void *));
    Location loc = op.getLoc();
    Type i64 = rewriter.getI64Type();
    auto type = LLVM::LLVMStructType::getLiteral(rewriter.getContext(),
                                                 {getPtrType(), i64});
    Value number = LLVM::ConstantOp::create(
        rewriter, loc, rewriter.getI32Type(), int64_t(op.getArg()));
    Value answer = callRuntime(rewriter, loc, "op2rt_loop_row_ends", type,
                               {adaptor.getLoop(), number});
    Value ends = LLVM::ExtractValueOp::create(rewriter, loc, answer, 0);
    Value count = LLVM::ExtractValueOp::create(rewriter, loc, answer, 1);
    rewriter.replaceOp(op,
                       createDescriptor(rewriter, loc, *getTypeConverter(),
                                        op.getEnds().getType(), ends, {count}));
    return success();
  }
};

struct RowTableLowering : public ConvertOpToLLVMPattern<RowTableOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(RowTableOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type =
        LLVM::LLVMArrayType::get(getPtrType(), adaptor.getRows().size());
    Value table = createFrameSlot(rewriter, op, type);
    for (auto [number, row] : llvm::enumerate(adaptor.getRows())) {
      Value place =
          LLVM::GEPOp::create(rewriter, loc, getPtrType(), type, table,
                              ArrayRef<LLVM::GEPArg>{0, int32_t(number)});
      LLVM::StoreOp::create(rewriter, loc, row, place);
    }
    rewriter.replaceOp(op, table);
    return success();
  }
};

/// One array, where upstream's lowering makes as many values as it has: SROA
/// takes only the former apart.
struct AllocaLowering : public ConvertOpToLLVMPattern<memref::AllocaOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(memref::AllocaOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    MemRefType memref = op.getType();
    if (!memref.hasStaticShape() || !memref.getLayout().isIdentity() ||
        memref.getMemorySpace())
      return rewriter.notifyMatchFailure(op, "not an array on the stack");
    Location loc = op.getLoc();
    Type element = getTypeConverter()->convertType(memref.getElementType());
    Value one =
        LLVM::ConstantOp::create(rewriter, loc, rewriter.getI64Type(), 1);
    Value array = LLVM::AllocaOp::create(
        rewriter, loc, getPtrType(),
        LLVM::LLVMArrayType::get(element, memref.getNumElements()), one,
        op.getAlignment().value_or(0));
    rewriter.replaceOp(op, createDescriptor(rewriter, loc, *getTypeConverter(),
                                            memref, array, {}));
    return success();
  }
};

/// Between integers that differ in signedness only, which LLVM does not have.
struct SignCastLowering
    : public ConvertOpToLLVMPattern<UnrealizedConversionCastOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(UnrealizedConversionCastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (op.getInputs().size() != 1 || op.getOutputs().size() != 1 ||
        !isa<IntegerType>(op.getInputs()[0].getType()) ||
        !isa<IntegerType>(op.getOutputs()[0].getType()))
      return rewriter.notifyMatchFailure(op, "not between two integers");
    Type type = getTypeConverter()->convertType(op.getOutputs()[0].getType());
    if (adaptor.getInputs()[0].getType() != type)
      return rewriter.notifyMatchFailure(op, "widths differ");
    rewriter.replaceOp(op, adaptor.getInputs());
    return success();
  }
};

} // namespace

void op2::requireSignCastsLowered(ConversionTarget &target) {
  target.addDynamicallyLegalOp<UnrealizedConversionCastOp>(
      [](UnrealizedConversionCastOp op) {
        return !llvm::all_of(op->getOperandTypes(),
                             llvm::IsaPred<IntegerType>) ||
               !llvm::all_of(op->getResultTypes(), llvm::IsaPred<IntegerType>);
      });
}

void op2::populateStorageToLLVMPatterns(const LLVMTypeConverter &converter,
                                        RewritePatternSet &patterns) {
  patterns.add<RowLowering, OwnedRowLowering, PtrCastLowering, RowTableLowering,
               RowEndsLowering, SignCastLowering>(converter);
  patterns.add<AddressCallLowering<ReductionPartialOp>>(
      converter, "op2rt_reduction_partial");
  patterns.add<AddressCallLowering<ReductionSplitOp>>(converter,
                                                      "op2rt_reduction_split");
  patterns.add<AllocaLowering>(converter, /*benefit=*/2);
  patterns.add<TableLowering<DatDataOp>>(
      converter,
      TableFunctions{"op2rt_dat_data", "op2rt_dat_size", "op2rt_dat_dim"});
  patterns.add<TableLowering<MapTableOp>>(
      converter,
      TableFunctions{"op2rt_map_data", "op2rt_map_size", "op2rt_map_dim"});
}

//===- Launches.cpp - Device images and launches of their kernels ---------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits op2rt_device_image for each gpu.binary and op2rt_device_kernel for each
// kernel of include/OP2/Runtime/op2rt_device.h, whose layout the static_asserts
// here hold on to, and the calls that use them.
//
//===----------------------------------------------------------------------===//

#include "CallLowering.h"
#include "OP2/Runtime/op2rt_device.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace mlir::op2;

static_assert(offsetof(op2rt_device_image, data) == 8 &&
              offsetof(op2rt_device_image, size) == 16 &&
              offsetof(op2rt_device_image, state) == 24 &&
              sizeof(op2rt_device_image) == 32);
static_assert(offsetof(op2rt_device_kernel, image) == 0 &&
              offsetof(op2rt_device_kernel, name) == 8 &&
              offsetof(op2rt_device_kernel, param_bytes) == 16 &&
              offsetof(op2rt_device_kernel, num_params) == 24 &&
              offsetof(op2rt_device_kernel, state) == 32 &&
              sizeof(op2rt_device_kernel) == 40);

static std::string getImageName(StringAttr binary) {
  return ("__op2_image_" + binary.getValue()).str();
}

/// A variable with `fields`, values made by `build` in its initialiser.
static LLVM::GlobalOp
createStruct(SymbolTable &symbols, Location loc, StringRef name,
             ArrayRef<Type> types,
             function_ref<SmallVector<Value>(OpBuilder &)> build) {
  OpBuilder builder(loc.getContext());
  auto type = LLVM::LLVMStructType::getLiteral(loc.getContext(), types);
  auto global = LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/false,
                                       LLVM::Linkage::Internal, name,
                                       Attribute(), /*alignment=*/8);
  insertGlobal(symbols, global);
  builder.createBlock(&global.getInitializerRegion());
  Value aggregate = LLVM::UndefOp::create(builder, loc, type);
  for (auto [position, value] : llvm::enumerate(build(builder)))
    aggregate = LLVM::InsertValueOp::create(builder, loc, aggregate, value,
                                            int64_t(position));
  LLVM::ReturnOp::create(builder, loc, aggregate);
  return global;
}

//===----------------------------------------------------------------------===//
// Images
//===----------------------------------------------------------------------===//

/// The bytes of an object. Text ends with a zero, which the driver wants.
static LLVM::GlobalOp createImageData(SymbolTable &symbols,
                                      gpu::BinaryOp binary,
                                      gpu::ObjectAttr object) {
  OpBuilder builder(binary.getContext());
  std::string bytes = object.getObject().getValue().str();
  if (object.getFormat() == gpu::CompilationTarget::Assembly)
    bytes.push_back('\0');
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
  auto data = LLVM::GlobalOp::create(
      builder, binary.getLoc(), type, /*isConstant=*/true,
      LLVM::Linkage::Internal, getImageName(binary.getNameAttr()) + "_data",
      builder.getStringAttr(bytes), /*alignment=*/16);
  // Where CUDA's tools look for device code.
  if (object.getFormat() == gpu::CompilationTarget::Fatbin)
    data.setSection(".nv_fatbin");
  insertGlobal(symbols, data);
  return data;
}

LogicalResult op2::createDeviceImages(ModuleOp module, SymbolTable &symbols) {
  for (auto binary :
       llvm::make_early_inc_range(module.getOps<gpu::BinaryOp>())) {
    if (binary.getObjects().size() != 1)
      return binary.emitOpError("expected one object, from "
                                "--op2-pack-device-code");
    LLVM::GlobalOp data = createImageData(
        symbols, binary, cast<gpu::ObjectAttr>(binary.getObjects()[0]));
    uint64_t size = cast<LLVM::LLVMArrayType>(data.getType()).getNumElements();
    Type i32 = IntegerType::get(module.getContext(), 32);
    Type i64 = IntegerType::get(module.getContext(), 64);
    Type pointer = LLVM::LLVMPointerType::get(module.getContext());
    Location loc = binary.getLoc();
    createStruct(
        symbols, loc, getImageName(binary.getNameAttr()),
        {i32, i32, pointer, i64, pointer}, [&](OpBuilder &builder) {
          return SmallVector<Value>{
              LLVM::ConstantOp::create(builder, loc, i32, OP2RT_ABI_VERSION),
              LLVM::ConstantOp::create(builder, loc, i32, 0),
              LLVM::AddressOfOp::create(builder, loc, data),
              LLVM::ConstantOp::create(builder, loc, i64, int64_t(size)),
              LLVM::ZeroOp::create(builder, loc, pointer)};
        });
    symbols.erase(binary);
  }
  module->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
  return success();
}

/// The sizes of a kernel's parameters, in bytes: i32.
static LLVM::GlobalOp createParamBytes(SymbolTable &symbols, LaunchOp launch,
                                       TypeRange types, StringRef name) {
  OpBuilder builder(launch.getContext());
  DataLayout layout(cast<ModuleOp>(symbols.getOp()));
  SmallVector<int32_t> bytes;
  for (Type type : types)
    bytes.push_back(int32_t(layout.getTypeSize(type).getFixedValue()));
  auto global = LLVM::GlobalOp::create(
      builder, launch.getLoc(),
      LLVM::LLVMArrayType::get(builder.getI32Type(), bytes.size()),
      /*isConstant=*/true, LLVM::Linkage::Internal, name,
      builder.getI32TensorAttr(bytes));
  insertGlobal(symbols, global);
  return global;
}

/// The descriptor of a kernel with parameters of these types, made when it is
/// first needed.
static LLVM::GlobalOp getKernel(SymbolTable &symbols, LaunchOp launch,
                                TypeRange params, LLVM::GlobalOp image) {
  StringRef kernel = launch.getKernel().getLeafReference();
  std::string name =
      ("__op2_kernel_" + launch.getKernel().getRootReference().getValue() +
       "_" + kernel)
          .str();
  if (auto known = symbols.lookup<LLVM::GlobalOp>(name))
    return known;
  Location loc = launch.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(loc.getContext());
  Type i64 = IntegerType::get(loc.getContext(), 64);
  LLVM::GlobalOp paramBytes =
      createParamBytes(symbols, launch, params, name + "_params");
  return createStruct(
      symbols, loc, name, {pointer, pointer, pointer, i64, pointer},
      [&](OpBuilder &builder) {
        return SmallVector<Value>{
            LLVM::AddressOfOp::create(builder, loc, image),
            createString(builder, loc, symbols, kernel),
            LLVM::AddressOfOp::create(builder, loc, paramBytes),
            LLVM::ConstantOp::create(builder, loc, i64, int64_t(params.size())),
            LLVM::ZeroOp::create(builder, loc, pointer)};
      });
}

static FailureOr<LLVM::GlobalOp> findImage(SymbolTable &symbols, Operation *op,
                                           SymbolRefAttr symbol) {
  auto image =
      symbols.lookup<LLVM::GlobalOp>(getImageName(symbol.getRootReference()));
  if (image)
    return image;
  return op->emitOpError("the code of ")
         << symbol << " has not been compiled: no gpu.binary of that name";
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

namespace {

struct LaunchLowering : public LoweringWithGlobals<LaunchOp> {
  using LoweringWithGlobals::LoweringWithGlobals;

  LogicalResult
  matchAndRewrite(LaunchOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    FailureOr<LLVM::GlobalOp> image = findImage(symbols, op, op.getKernel());
    if (failed(image))
      return failure();
    Location loc = op.getLoc();
    Value kernel = LLVM::AddressOfOp::create(
        rewriter, loc,
        getKernel(symbols, op, adaptor.getArgs().getTypes(), *image));
    Value threads = LLVM::TruncOp::create(rewriter, loc, rewriter.getI32Type(),
                                          adaptor.getThreads());
    callRuntime(rewriter, loc, "op2rt_device_launch", {},
                {adaptor.getLoop(), kernel, adaptor.getBlocks(), threads,
                 adaptor.getSharedBytes(),
                 storeArguments(op, adaptor.getArgs(), rewriter)});
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// The addresses of the arguments' values, in the function's frame.
  Value storeArguments(LaunchOp op, ValueRange values,
                       OpBuilder &builder) const {
    Location loc = op.getLoc();
    auto valuesType = LLVM::LLVMStructType::getLiteral(
        builder.getContext(), SmallVector<Type>(values.getTypes()));
    auto tableType = LLVM::LLVMArrayType::get(getPtrType(), values.size());
    Value frame = createFrameSlot(builder, op, valuesType);
    Value table = createFrameSlot(builder, op, tableType);
    for (auto [number, value] : llvm::enumerate(values)) {
      LLVM::GEPArg path[] = {0, int32_t(number)};
      Value place = LLVM::GEPOp::create(builder, loc, getPtrType(), valuesType,
                                        frame, path);
      LLVM::StoreOp::create(builder, loc, value, place);
      Value entry = LLVM::GEPOp::create(builder, loc, getPtrType(), tableType,
                                        table, path);
      LLVM::StoreOp::create(builder, loc, place, entry);
    }
    return table;
  }
};

struct DeviceConstantLowering : public LoweringWithGlobals<DeviceConstantOp> {
  using LoweringWithGlobals::LoweringWithGlobals;

  LogicalResult
  matchAndRewrite(DeviceConstantOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    FailureOr<LLVM::GlobalOp> image = findImage(symbols, op, op.getConstant());
    if (failed(image))
      return failure();
    Location loc = op.getLoc();
    StringRef name = op.getConstant().getLeafReference();
    SmallVector<Value> values = {
        LLVM::AddressOfOp::create(rewriter, loc, *image),
        createString(rewriter, op, name),
        LLVM::AddressOfOp::create(rewriter, loc, getPtrType(), name)};
    if (!op.getTable())
      values.push_back(LLVM::ConstantOp::create(
          rewriter, loc, rewriter.getI64Type(), op.getBytes()));
    callRuntime(rewriter, loc,
                op.getTable() ? "op2rt_device_table" : "op2rt_device_constant",
                {}, values);
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void op2::populateLaunchPatterns(const LLVMTypeConverter &converter,
                                 RewritePatternSet &patterns,
                                 SymbolTable &symbols) {
  patterns.add<LaunchLowering, DeviceConstantLowering>(converter, symbols);
}

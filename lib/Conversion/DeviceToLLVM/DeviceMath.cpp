//===- DeviceMath.cpp - The C library's mathematics on a GPU --------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceMath.h"
#include "OP2/Conversion/DeviceFunctions.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::op2;

/// Functions of math.h for which libdevice has __nv_<name> and __nv_<name>f,
/// with the same parameters.
static bool isInLibdevice(StringRef name) {
  static const llvm::StringSet<> names = {
      "acos",  "acosh",  "asin",      "asinh",     "atan",    "atan2",
      "atanh", "cbrt",   "cos",       "cosh",      "cospi",   "erf",
      "erfc",  "erfcx",  "exp",       "exp10",     "exp2",    "expm1",
      "fdim",  "fmod",   "frexp",     "hypot",     "ilogb",   "j0",
      "j1",    "jn",     "ldexp",     "lgamma",    "llrint",  "llround",
      "log",   "log10",  "log1p",     "log2",      "logb",    "modf",
      "pow",   "powi",   "remainder", "remquo",    "rsqrt",   "round",
      "sin",   "sincos", "sinh",      "sinpi",     "tan",     "tanh",
      "y0",    "y1",     "yn",        "nextafter", "normcdf", "scalbn",
      "tgamma"};
  return names.contains(name);
}

/// Functions of math.h that are instructions: the intrinsic's op, or "".
static StringRef getIntrinsic(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Case("sqrt", LLVM::SqrtOp::getOperationName())
      .Case("fabs", LLVM::FAbsOp::getOperationName())
      .Case("fma", LLVM::FMAOp::getOperationName())
      .Case("fmin", LLVM::MinNumOp::getOperationName())
      .Case("fmax", LLVM::MaxNumOp::getOperationName())
      .Case("floor", LLVM::FFloorOp::getOperationName())
      .Case("ceil", LLVM::FCeilOp::getOperationName())
      .Case("trunc", LLVM::FTruncOp::getOperationName())
      .Case("rint", LLVM::RintOp::getOperationName())
      .Case("nearbyint", LLVM::NearbyintOp::getOperationName())
      .Case("roundeven", LLVM::RoundEvenOp::getOperationName())
      .Case("copysign", LLVM::CopySignOp::getOperationName())
      .Default("");
}

/// "pow" for pow and powf, by the type of the values.
static StringRef getBaseName(StringRef name, bool isSingle) {
  if (isSingle && name.size() > 1)
    name.consume_back("f");
  // long has 64 bits on the host.
  return llvm::StringSwitch<StringRef>(name)
      .Case("lrint", "llrint")
      .Case("lround", "llround")
      .Default(name);
}

bool op2::hasDeviceMath(StringRef name) {
  for (bool isSingle : {false, true}) {
    StringRef base = getBaseName(name, isSingle);
    if (isInLibdevice(base) || !getIntrinsic(base).empty())
      return true;
  }
  return false;
}

bool op2::isDriverFunction(StringRef name) {
  return name == "vprintf" || name == "__assertfail";
}

static bool isSinglePrecision(Operation *op) {
  auto isFloat = [](Type type) { return type.isF32(); };
  return llvm::any_of(op->getOperandTypes(), isFloat) ||
         llvm::any_of(op->getResultTypes(), isFloat);
}

/// Of the function with the name and, for single precision, "f".
static void replaceByCall(Operation *op, const Twine &base) {
  OpBuilder builder(op);
  std::string name = (base + (isSinglePrecision(op) ? "f" : "")).str();
  auto device = op->getParentOfType<gpu::GPUModuleOp>();
  auto function = device.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!function) {
    Type result = op->getNumResults()
                      ? op->getResult(0).getType()
                      : LLVM::LLVMVoidType::get(op->getContext());
    builder.setInsertionPointToEnd(device.getBody());
    function = LLVM::LLVMFuncOp::create(
        builder, op->getLoc(), name,
        LLVM::LLVMFunctionType::get(result,
                                    SmallVector<Type>(op->getOperandTypes())));
    builder.setInsertionPoint(op);
  }
  auto call =
      LLVM::CallOp::create(builder, op->getLoc(), function, op->getOperands());
  op->replaceAllUsesWith(call->getResults());
  op->erase();
}

static void mapCall(LLVM::CallOp call, gpu::GPUModuleOp device, bool isAMD) {
  if (!call.getCallee())
    return;
  auto callee = device.lookupSymbol<LLVM::LLVMFuncOp>(*call.getCallee());
  if (!callee || !callee.isExternal())
    return;
  StringRef base = getBaseName(callee.getName(), isSinglePrecision(call));
  StringRef intrinsic = getIntrinsic(base);
  if (!intrinsic.empty() && call->getNumResults() == 1) {
    OpBuilder builder(call);
    Operation *op = builder.create(
        call.getLoc(), builder.getStringAttr(intrinsic), call.getOperands(),
        call->getResultTypes(),
        builder.getNamedAttr("fastmathFlags", call.getFastmathFlagsAttr()));
    call.getResult().replaceAllUsesWith(op->getResult(0));
    call.erase();
  } else if (isInLibdevice(base) && !isAMD) {
    replaceByCall(call, "__nv_" + base);
  }
}

/// Intrinsics are named like the functions they stand for, in libdevice or, for
/// AMD's GPUs, the C library.
static void mapIntrinsic(Operation *op, bool isAMD) {
  StringRef name = op->getName().getStringRef();
  bool isScalar = op->getNumResults() == 1 &&
                  isa<Float32Type, Float64Type>(op->getResult(0).getType());
  if (isScalar && name.consume_front("llvm.intr.") && isInLibdevice(name))
    replaceByCall(op, (isAMD ? "" : "__nv_") + name);
}

void op2::mapDeviceMath(gpu::GPUModuleOp device, bool isAMD) {
  SmallVector<Operation *> ops;
  device.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops) {
    if (auto call = dyn_cast<LLVM::CallOp>(op))
      mapCall(call, device, isAMD);
    else
      mapIntrinsic(op, isAMD);
  }
}

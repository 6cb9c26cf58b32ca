//===- OP2Ops.cpp - Upper level: declarations and parallel loops ----------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Dialect/OP2Ops.h"
#include "OP2/Dialect/KernelWrites.h"
#include "OP2LoopArgs.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::op2;

#define GET_OP_CLASSES
#include "OP2/Dialect/OP2Ops.cpp.inc"

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

/// Values of a mesh object: a contiguous memref of `elementType`; if it has a
/// row dimension, that is `rowSize` long.
static LogicalResult verifyValues(Operation *op, StringRef rule, Type type,
                                  Type elementType, int64_t rowSize) {
  auto memref = cast<MemRefType>(type);
  if (memref.getElementType() != elementType)
    return op->emitOpError() << rule << " expected values of type "
                             << elementType << ", got " << memref;
  if (!memref.getLayout().isIdentity())
    return op->emitOpError()
           << rule << " expected a contiguous memref, got " << memref;
  if (memref.getRank() == 0 || memref.getRank() > 2)
    return op->emitOpError()
           << rule << " expected a memref of rank 1 or 2, got " << memref;
  if (memref.getRank() == 2 && !memref.isDynamicDim(1) &&
      !ShapedType::isDynamic(rowSize) && memref.getDimSize(1) != rowSize)
    return op->emitOpError() << rule << " expected rows of " << rowSize
                             << " values, got " << memref;
  return success();
}

// D1: the values of a map are i32, arity a row; the arity is static.
LogicalResult DeclMapOp::verify() {
  auto type = cast<MapType>(getMap().getType());
  if (!type.hasStaticArity())
    return emitOpError("[D1] the arity of a declared map must be static, got ")
           << type;
  return verifyValues(*this, "[D1]", getValues().getType(),
                      IntegerType::get(getContext(), 32), type.getArity());
}

// D2: the values of a dat have its type, dim a row; dim is static.
LogicalResult DeclDatOp::verify() {
  auto type = cast<DatType>(getDat().getType());
  if (!type.hasStaticDim())
    return emitOpError("[D2] the dim of a declared dat must be static, got ")
           << type;
  if (!getValues())
    return success();
  return verifyValues(*this, "[D2]", getValues().getType(),
                      type.getElementType(), type.getDim());
}

// D3: a constant is a memref.global of the module, of static shape.
LogicalResult DeclConstOp::verify() {
  auto type = dyn_cast<MemRefType>(getType());
  if (!type || !type.hasStaticShape())
    return emitOpError("[D3] expected a memref of static shape, got ")
           << getType();
  return success();
}

LogicalResult DeclConstOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto global =
      symbols.lookupNearestSymbolFrom<memref::GlobalOp>(*this, getGlobalAttr());
  if (!global)
    return emitOpError("[D3] '") << getGlobal() << "' is not a memref.global";
  if (global.getType() != getType()) {
    InFlightDiagnostic diag = emitOpError("[D3] expected ")
                              << global.getType() << ", got " << getType();
    diag.attachNote(global.getLoc()) << "declared here";
    return diag;
  }
  return success();
}

// D4: values are fetched to memory of their type.
LogicalResult FetchOp::verify() {
  auto type = cast<DatType>(getDat().getType());
  return verifyValues(*this, "[D4]", getTarget().getType(),
                      type.getElementType(), type.getDim());
}

//===----------------------------------------------------------------------===//
// EnqueueOp
//===----------------------------------------------------------------------===//

// Q1: the function's loop may run later, and its parameters are these.
LogicalResult EnqueueOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto function = dyn_cast_or_null<FunctionOpInterface>(
      symbols.lookupNearestSymbolFrom(*this, getCalleeAttr()));
  if (!function || !function->hasAttr(kDelayableAttr))
    return emitOpError("[Q1] '")
           << getCallee() << "' is no function with '" << kDelayableAttr << "'";
  auto fail = [&](const Twine &what) {
    InFlightDiagnostic diag = emitOpError("[Q1] ") << what;
    diag.attachNote(function.getLoc()) << "declared here";
    return diag;
  };
  if (TypeRange(function.getArgumentTypes()) != TypeRange(getValues()))
    return fail("operands do not have the types of the parameters of '" +
                getCallee() + "'");
  if (function.getNumResults() != 0)
    return fail("'" + getCallee() +
                "' returns something; expected nothing, "
                "since nobody waits for it");
  // The runtime calls it with the addresses of globals.
  if (!function->hasAttr("llvm.bareptr") &&
      llvm::any_of(getValues(), [](Value value) {
        return isa<MemRefType>(value.getType());
      }))
    return fail("'" + getCallee() +
                "' takes memrefs; expected the attribute "
                "llvm.bareptr, since it gets their addresses");
  return success();
}

//===----------------------------------------------------------------------===//
// ParLoopOp
//===----------------------------------------------------------------------===//

void ParLoopOp::build(OpBuilder &builder, OperationState &state,
                      StringRef kernel, Value set, ArrayRef<LoopArg> args,
                      StringRef loopName) {
  SmallVector<Attribute> attrs;
  for (const LoopArg &arg : args)
    attrs.push_back(arg.attr);
  StringAttr name;
  if (!loopName.empty() && loopName != kernel)
    name = builder.getStringAttr(loopName);
  build(builder, state, kernel, set, encodeLoopValues(args),
        builder.getArrayAttr(attrs), name, /*block_size=*/IntegerAttr(),
        /*strategy=*/StrategyAttr());
}

/// The types of a func.func kernel's parameters.
static SmallVector<Type> getParameterTypes(ArrayRef<LoopArg> args) {
  SmallVector<Type> types;
  for (const LoopArg &arg : args)
    types.append(arg.getNumOperands(), arg.getOperandType());
  return types;
}

/// The types of an llvm.func kernel's parameters: a pointer per argument.
static SmallVector<Type> getPointerTypes(ArrayRef<LoopArg> args,
                                         MLIRContext *context) {
  return SmallVector<Type>(args.size(), LLVM::LLVMPointerType::get(context));
}

// L8 to L11, L16: the kernel exists, takes what the loop passes, returns
// nothing, and does not write what it is to read.
LogicalResult ParLoopOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (isa_and_nonnull<ModuleOp>((*this)->getParentOp()))
    return emitOpError("stands outside of functions; expected it in the body "
                       "of one");
  Operation *kernel = symbols.lookupNearestSymbolFrom(*this, getKernelAttr());
  auto function = dyn_cast_or_null<FunctionOpInterface>(kernel);
  if (!function)
    return emitOpError("[L8] kernel '") << getKernel() << "' is not a function";

  SmallVector<LoopArg> args = getLoopArgs();
  bool isImported = isa<LLVM::LLVMFuncOp>(kernel);
  SmallVector<Type> expected = isImported ? getPointerTypes(args, getContext())
                                          : getParameterTypes(args);
  auto fail = [&](const Twine &message) {
    InFlightDiagnostic diag = emitOpError(message);
    diag.attachNote(kernel->getLoc()) << "kernel declared here";
    return diag;
  };
  if (function.getNumArguments() != expected.size())
    return fail("[L9] kernel '" + getKernel() + "' takes " +
                Twine(function.getNumArguments()) +
                " parameters, the loop passes " + Twine(expected.size()));
  for (auto [number, types] : llvm::enumerate(
           llvm::zip_equal(function.getArgumentTypes(), expected))) {
    auto [actual, wanted] = types;
    if (actual != wanted)
      return fail("[L9] parameter " + Twine(number) + " of kernel '" +
                  getKernel() + "' has type ")
             << actual << ", the loop passes " << wanted;
  }
  for (Type result : function.getResultTypes())
    if (!isa<LLVM::LLVMVoidType>(result))
      return fail("[L10] kernel '" + getKernel() + "' must not return a value");
  if (isImported)
    return success();
  if (auto convention = kernel->getAttrOfType<LLVM::CConvAttr>("CConv");
      convention && convention.getCallingConv() != LLVM::CConv::C)
    return fail(
        "[L9] kernel '" + getKernel() + "' has the calling convention " +
        stringifyCConv(convention.getCallingConv()) + "; expected that of C");
  for (auto [number, arg] : llvm::enumerate(args))
    if (ShapedType::isDynamic(arg.getDim()))
      return fail("[L11] argument " + Twine(number) +
                  ": a dat of run-time dim needs an llvm.func kernel");
  // L16: what is read is not written.
  std::optional<KernelWrite> write = findReadWritten(function, args, symbols);
  if (!write)
    return success();
  InFlightDiagnostic diag = emitOpError("[L16] kernel '")
                            << getKernel() << "' writes to parameter "
                            << write->parameter << ", for which argument "
                            << write->arg
                            << " has access 'read'; expected 'write', 'rw' or "
                               "'inc'";
  diag.attachNote(write->op->getLoc()) << "written here";
  return diag;
}

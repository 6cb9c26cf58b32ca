//===- OP2ToLLVM.cpp - Convert lowered loops to the LLVM dialect ----------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One conversion with one type converter: packaged passes in a row each bring
// their own converter, and facts like noalias vanish between them.
//
//===----------------------------------------------------------------------===//

#include "OP2ToLLVM.h"
#include "../LoopAnnotations.h"
#include "OP2/Conversion/Passes.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/OpenMPToLLVM/ConvertOpenMPToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::op2 {
#define GEN_PASS_DEF_CONVERTOP2TOLLVMPASS
#include "OP2/Conversion/Passes.h.inc"
} // namespace mlir::op2

using namespace mlir;
using namespace mlir::op2;

/// Handles are pointers to the runtime's objects.
static void addHandleConversions(LLVMTypeConverter &converter) {
  converter.addConversion([](Type type) -> std::optional<Type> {
    if (isa<SetType, MapType, DatType, LoopType, PlanType, ReductionType>(type))
      return LLVM::LLVMPointerType::get(type.getContext());
    return std::nullopt;
  });
}

/// Operations that LLVM has no intrinsics for, and what the C library calls
/// them for doubles.
static const llvm::StringMap<StringRef> &getLibraryCalls() {
  static const llvm::StringMap<StringRef> calls = {
      {math::AcoshOp::getOperationName(), "acosh"},
      {math::AsinhOp::getOperationName(), "asinh"},
      {math::AtanhOp::getOperationName(), "atanh"},
      {math::CbrtOp::getOperationName(), "cbrt"},
      {math::ErfOp::getOperationName(), "erf"},
      {math::ErfcOp::getOperationName(), "erfc"},
      {math::ExpM1Op::getOperationName(), "expm1"},
      {math::Log1pOp::getOperationName(), "log1p"}};
  return calls;
}

/// MathToLLVM would compute log1p and expm1 by log and exp, and lose their
/// digits.
static void populateLibraryCallPatterns(RewritePatternSet &patterns) {
  RewritePatternSet all(patterns.getContext());
  populateMathToLibmConversionPatterns(all, /*benefit=*/2);
  for (std::unique_ptr<RewritePattern> &pattern : all.getNativePatterns())
    if (pattern->getRootKind() &&
        getLibraryCalls().contains(pattern->getRootKind()->getStringRef()))
      patterns.add(std::move(pattern));
}

/// The patterns say of the functions that they read no memory, and no more.
static void annotateLibraryCalls(ModuleOp module) {
  for (const auto &call : getLibraryCalls())
    for (StringRef suffix : {"", "f"})
      if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(
              (call.getValue() + suffix).str());
          function && function.isExternal()) {
        function.setNoUnwind(true);
        function.setWillReturn(true);
      }
}

static void populatePatterns(LLVMTypeConverter &converter,
                             RewritePatternSet &patterns,
                             SymbolTableCollection *symbols,
                             SymbolTable &ofModule,
                             const DelayableLoops &delayable) {
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  populateMinMaxPatterns(patterns);
  index::populateIndexToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  cf::populateAssertToLLVMConversionPattern(converter, patterns);
  ub::populateUBToLLVMConversionPatterns(converter, patterns);
  populateMathToLLVMConversionPatterns(converter, patterns);
  populateLibraryCallPatterns(patterns);
  populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns, symbols);
  populateFuncToLLVMConversionPatterns(converter, patterns, symbols);
  populateOpenMPToLLVMConversionPatterns(converter, patterns);
  populateVectorToLLVMConversionPatterns(converter, patterns);
  populateRuntimeCallPatterns(converter, patterns, delayable, ofModule);
  populateDeclarationPatterns(converter, patterns, ofModule);
  populateDeviceCallPatterns(converter, patterns);
  populateLaunchPatterns(converter, patterns, ofModule);
  populateStorageToLLVMPatterns(converter, patterns);
}

/// What has been noted for passes and frontends means nothing to LLVM, but for
/// what --op2-count-accesses asks for.
static void dropNotes(Operation *op) {
  for (NamedAttribute attr : llvm::to_vector(op->getDiscardableAttrs()))
    if (isa_and_nonnull<OP2Dialect>(attr.getNameDialect()) &&
        attr.getName() != kEmulatedAttr)
      op->removeDiscardableAttr(attr.getName());
  if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op))
    for (unsigned number = 0; number < function.getNumArguments(); ++number)
      function.removeArgAttr(number, kLikelyArityAttr);
}

/// MLIR's memrefs have no indices below zero; behind a pointer of the program
/// there may be something at such a place.
static void allowNegativeIndices(LLVM::GEPOp op) {
  if (!op.getDynamicIndices().empty())
    op.setNoWrapFlags(op.getNoWrapFlags() & ~LLVM::GEPNoWrapFlags::nuw);
}

/// A program's function would take the place of the runtime's.
static LogicalResult checkNames(ModuleOp module) {
  for (auto function : module.getOps<FunctionOpInterface>())
    if (function.getName().starts_with("op2rt_") && !function.isExternal())
      return function.emitOpError("has a name of the runtime's functions; "
                                  "expected one without 'op2rt_'");
  return success();
}

namespace {
struct ConvertOP2ToLLVMPass
    : public op2::impl::ConvertOP2ToLLVMPassBase<ConvertOP2ToLLVMPass> {
  using ConvertOP2ToLLVMPassBase::ConvertOP2ToLLVMPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTableCollection symbols;
    SymbolTable &ofModule = symbols.getSymbolTable(module);
    if (failed(checkNames(module)) ||
        failed(createDeviceImages(module, ofModule)))
      return signalPassFailure();
    LLVMTypeConverter converter(&getContext());
    addHandleConversions(converter);
    RewritePatternSet patterns(&getContext());
    FailureOr<DelayableLoops> delayable = findDelayableLoops(module);
    if (failed(delayable))
      return signalPassFailure();
    populatePatterns(converter, patterns, &symbols, ofModule, *delayable);
    LLVMConversionTarget target(getContext());
    target.addLegalOp<ModuleOp>();
    requireSignCastsLowered(target);
    configureOpenMPToLLVMConversionLegality(target, converter);
    // Full: an op that survives is an error that names it.
    if (failed(applyFullConversion(module, target, std::move(patterns))))
      return signalPassFailure();
    createRunFunctions(module, *delayable);
    annotateLibraryCalls(module);
    annotateBranches(module);
    module.walk(dropNotes);
    module.walk(allowNegativeIndices);
    if (registerLoops)
      createLoopRegistration(module);
  }
};
} // namespace

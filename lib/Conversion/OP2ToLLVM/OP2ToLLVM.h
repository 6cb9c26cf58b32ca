//===- OP2ToLLVM.h - Parts of the conversion to LLVM ------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_CONVERSION_OP2TOLLVM_OP2TOLLVM_H
#define OP2_LIB_CONVERSION_OP2TOLLVM_OP2TOLLVM_H

#include "OP2/Dialect/OP2Ops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include <array>

namespace mlir {
class ConversionTarget;
class LLVMTypeConverter;
class RewritePatternSet;
} // namespace mlir

namespace mlir::op2 {

/// How the loop of a function that may be delayed is run from outside.
struct DelayableLoop {
  StringAttr name; ///< of the function
  int32_t numParams;
  /// The last fields of op2rt_arg_desc for each argument: the numbers of the
  /// parameters that are its data, map, flag, function and identity, 0 for what
  /// it has not; and the arity that its map is likely to have.
  SmallVector<std::array<int32_t, 6>> params;
};
using DelayableLoops = llvm::DenseMap<Operation *, DelayableLoop>;

/// Those of a module; an error if a function that may be delayed runs anything
/// but one loop with its parameters.
FailureOr<DelayableLoops> findDelayableLoops(ModuleOp module);

/// Emits the op2rt_loop_desc of a loop as a global of the module.
LLVM::GlobalOp createLoopDescription(LoopBeginOp loop,
                                     const DelayableLoops &delayable,
                                     SymbolTable &symbols);

/// Emits the functions that descriptions name to run the loops later, when the
/// functions of the loops have been converted.
void createRunFunctions(ModuleOp module, const DelayableLoops &loops);

/// Emits a constructor that calls op2rt_register_loop for each description.
void createLoopRegistration(ModuleOp module);

/// Emits an op2rt_device_image for each gpu.binary, in its place.
LogicalResult createDeviceImages(ModuleOp module, SymbolTable &symbols);

/// The runtime's code for a type of values (OP2RT_F64 ...).
int32_t getRuntimeType(Type type);

/// Calls the runtime's function `name`, declaring it if need be. Returns the
/// result, or null for a void function.
Value callRuntime(OpBuilder &builder, Location loc, StringRef name,
                  Type resultType, ValueRange operands);

/// The fields of op2rt_plan_view, in their order.
enum class PlanField { NumColors, NumBlocks, ColorBegin, PieceBegin, Pieces };

/// A field of a plan, i64 or a pointer.
Value loadPlanField(OpBuilder &builder, Location loc, Value plan,
                    PlanField field);

/// A private place for one value of `type` in the frame of the enclosing
/// function, allocated once per call of the function.
Value createFrameSlot(OpBuilder &builder, Operation *op, Type type);

/// The address of the first value of a memref that is contiguous.
Value getAddress(OpBuilder &builder, Location loc,
                 const LLVMTypeConverter &converter, Value descriptor,
                 MemRefType type);

/// Puts it before the program's functions in the module whose table that is;
/// what has its name gives it another one.
void insertGlobal(SymbolTable &symbols, LLVM::GlobalOp global);

/// The address of a constant string.
Value createString(OpBuilder &builder, Location loc, SymbolTable &symbols,
                   StringRef text);

/// What loops ask the runtime. `symbols` are the module's.
void populateRuntimeCallPatterns(const LLVMTypeConverter &converter,
                                 RewritePatternSet &patterns,
                                 const DelayableLoops &delayable,
                                 SymbolTable &symbols);
/// Declarations, and values for the program.
void populateDeclarationPatterns(const LLVMTypeConverter &converter,
                                 RewritePatternSet &patterns,
                                 SymbolTable &symbols);
/// Ops that prepare launches on a device.
void populateDeviceCallPatterns(const LLVMTypeConverter &converter,
                                RewritePatternSet &patterns);
/// arith.minnumf and arith.maxnumf, of two zeros the first one.
void populateMinMaxPatterns(RewritePatternSet &patterns);
/// Launches through the runtime.
void populateLaunchPatterns(const LLVMTypeConverter &converter,
                            RewritePatternSet &patterns, SymbolTable &symbols);
/// Ops on storage: rows, tables, casts, private cells.
void populateStorageToLLVMPatterns(const LLVMTypeConverter &converter,
                                   RewritePatternSet &patterns);
/// Casts between integers that differ in their sign are ours and must go; all
/// other unrealized casts are the conversion's own.
void requireSignCastsLowered(ConversionTarget &target);

} // namespace mlir::op2

#endif // OP2_LIB_CONVERSION_OP2TOLLVM_OP2TOLLVM_H

//===- GPUToEmulator.h - Parts of the conversion to the emulator *- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_CONVERSION_GPUTOEMULATOR_GPUTOEMULATOR_H
#define OP2_LIB_CONVERSION_GPUTOEMULATOR_GPUTOEMULATOR_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::op2 {

/// A kernel to be launched by the emulator.
struct EmulatedKernel {
  func::FuncOp body;        ///< one thread, with the kernel's own parameters
  func::FuncOp entry;       ///< one thread, with a table of their addresses
  std::string loopName;     ///< for messages
  int64_t staticShared = 0; ///< bytes
  bool isIndependent;       ///< neither barriers nor shuffles
};

/// Where the static shared memory of a gpu.module lies, in bytes from the
/// start of a block's.
struct SharedLayout {
  /// Globals in the workgroup space; dynamic shared memory has no offset.
  llvm::StringMap<std::optional<int64_t>> globals;
  /// The workgroup attributions of each function, in order.
  DenseMap<Operation *, SmallVector<int64_t>> attributions;
  /// What each kernel needs in all.
  DenseMap<Operation *, int64_t> kernelBytes;
};

/// Must run before address spaces are removed.
FailureOr<SharedLayout> layOutSharedMemory(gpu::GPUModuleOp device);

/// Removes the address spaces of all types in the module.
void removeAddressSpaces(ModuleOp module);

/// Replaces the gpu ops of the functions in `device`, and its uses of shared
/// globals, by accesses to the runtime's state of thread and block.
LogicalResult replaceDeviceOps(gpu::GPUModuleOp device, ModuleOp host,
                               const SharedLayout &layout);

/// Makes the func.func for a thread of `kernel`, and the entry that calls it;
/// erases the kernel.
FailureOr<EmulatedKernel> convertKernel(gpu::GPUFuncOp kernel, ModuleOp host,
                                        SymbolTable &hostSymbols);

/// Replaces a launch of `kernel` by a call of the runtime.
LogicalResult convertLaunch(gpu::LaunchFuncOp launch, ModuleOp host,
                            const EmulatedKernel &kernel);

/// The runtime's function `name`, declared if need be.
func::FuncOp declareRuntime(ModuleOp host, StringRef name, FunctionType type);

/// A function or global that other files of a program need not see.
void makeInternal(Operation *symbol);

} // namespace mlir::op2

#endif // OP2_LIB_CONVERSION_GPUTOEMULATOR_GPUTOEMULATOR_H

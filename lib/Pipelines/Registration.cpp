//===- Registration.cpp - Registration of dialects, passes and pipelines --===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a file of its own: the headers of the dialects are heavy.
//
//===----------------------------------------------------------------------===//

#include "OP2/Conversion/Passes.h"
#include "OP2/Dialect/OP2Dialect.h"
#include "OP2/Pipelines/Pipelines.h"
#include "OP2/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVM/NVVM/Target.h"
#include "mlir/Target/LLVM/ROCDL/Target.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/ROCDL/ROCDLToLLVMIRTranslation.h"

using namespace mlir;
using namespace mlir::op2;

void op2::registerOP2Passes() {
  registerOP2TransformsPasses();
  registerOP2ConversionPasses();
  PassPipelineRegistration<PipelineOptions>(
      "op2-to-seq", "Lower op2 to the LLVM dialect, one element after another",
      buildOP2ToSeqPipeline);
  PassPipelineRegistration<PipelineOptions>(
      "op2-to-openmp",
      "Lower op2 to the LLVM dialect with OpenMP, blocks in parallel",
      buildOP2ToOpenMPPipeline);
  PassPipelineRegistration<PipelineOptions>(
      "op2-to-emulator",
      "Lower op2 to device code and run that on the CPU by an emulator",
      buildOP2ToEmulatorPipeline);
  PassPipelineRegistration<PipelineOptions>(
      "op2-to-gpu",
      "Lower op2 to code for NVIDIA's GPUs, or AMD's, and host code that "
      "launches it",
      buildOP2ToGPUPipeline);
}

void op2::registerOP2Dialects(DialectRegistry &registry) {
  registry.insert<OP2Dialect, affine::AffineDialect, arith::ArithDialect,
                  cf::ControlFlowDialect, DLTIDialect, func::FuncDialect,
                  gpu::GPUDialect, index::IndexDialect, LLVM::LLVMDialect,
                  math::MathDialect, memref::MemRefDialect, NVVM::NVVMDialect,
                  omp::OpenMPDialect, ROCDL::ROCDLDialect, scf::SCFDialect,
                  ub::UBDialect, vector::VectorDialect>();
  func::registerInlinerExtension(registry);
  // gpu-module-to-binary translates device code to LLVM IR by itself.
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
  registerROCDLDialectTranslation(registry);
  NVVM::registerNVVMTargetInterfaceExternalModels(registry);
  ROCDL::registerROCDLTargetInterfaceExternalModels(registry);
}

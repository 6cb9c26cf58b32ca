//===- Pipelines.cpp - Whole ways from op2 to LLVM ------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Pipelines/Pipelines.h"
#include "OP2/Conversion/Passes.h"
#include "OP2/Transforms/Passes.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::op2;

void op2::buildOP2PlanStage(OpPassManager &manager,
                            const PipelineOptions &options) {
  OP2PlanPassOptions planOptions;
  planOptions.blockSize = options.blockSize;
  planOptions.strategy = options.strategy;
  manager.addPass(createOP2PlanPass(planOptions));
  // Two arguments through one slot of one map load it twice; chunk functions
  // would otherwise take over the duplicates.
  manager.addPass(createCSEPass());
  if (options.vectorBits == 0)
    return;
  OP2VectorizePassOptions vectorOptions;
  vectorOptions.vectorBits = options.vectorBits;
  vectorOptions.vectorMath = options.vectorMathBits > 0;
  vectorOptions.gathers = options.gathers;
  manager.addPass(createOP2VectorizePass(vectorOptions));
  manager.addPass(createCSEPass());
  if (options.vectorMathBits == 0)
    return;
  OP2VectorMathPassOptions mathOptions;
  mathOptions.vectorBits = int64_t(options.vectorMathBits);
  manager.addPass(createOP2VectorMathPass(mathOptions));
}

void op2::buildOP2OpenMPStage(OpPassManager &manager) {
  manager.addPass(createConvertOP2ToOpenMPPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

void op2::buildOP2LLVMStage(OpPassManager &manager,
                            const PipelineOptions &options) {
  // Subviews and the like in user code become arithmetic first: the
  // conversion of memref to LLVM expects descriptors only.
  manager.addPass(memref::createExpandStridedMetadataPass());
  manager.addPass(createLowerAffinePass());
  manager.addPass(createSCFToControlFlowPass());
  ConvertOP2ToLLVMPassOptions llvmOptions;
  llvmOptions.registerLoops = options.registerLoops;
  manager.addPass(createConvertOP2ToLLVMPass(llvmOptions));
}

void op2::buildOP2ToSeqPipeline(OpPassManager &manager,
                                const PipelineOptions &options) {
  manager.addPass(createConvertOP2ToSCFPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  buildOP2LLVMStage(manager, options);
}

void op2::buildOP2ToOpenMPPipeline(OpPassManager &manager,
                                   const PipelineOptions &options) {
  buildOP2PlanStage(manager, options);
  buildOP2OpenMPStage(manager);
  buildOP2LLVMStage(manager, options);
}

void op2::buildOP2DeviceStage(OpPassManager &manager,
                              const PipelineOptions &options, Target target) {
  // Plans carry the loops' arguments with their layouts.
  OP2ChooseLayoutPassOptions layoutOptions;
  layoutOptions.layout = options.layout;
  manager.addPass(createOP2ChooseLayoutPass(layoutOptions));
  OP2PlanPassOptions planOptions;
  planOptions.blockSize = options.blockSize;
  planOptions.target = target;
  planOptions.strategy = options.strategy;
  manager.addPass(createOP2PlanPass(planOptions));
  manager.addPass(createCSEPass());
  // Staging goes before the increments: these then go to the staged rows.
  OP2StagePassOptions stageOptions;
  stageOptions.direct = options.stageDirect;
  if (options.stage)
    manager.addPass(createOP2StagePass(stageOptions));
  OP2ColorIncrementsPassOptions colorOptions;
  colorOptions.wholeKernel = options.wholeKernel;
  manager.addPass(createOP2ColorIncrementsPass(colorOptions));
  // Only now it is known what is left for the kernel to be given copies of.
  manager.addPass(createOP2ApplyLayoutPass());
  manager.addPass(createConvertOP2ToGPUPass());
  // What was cloned for the sake of coloured increments is mostly dead.
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

void op2::buildOP2ToEmulatorPipeline(OpPassManager &manager,
                                     const PipelineOptions &options) {
  buildOP2DeviceStage(manager, options, Target::Emulator);
  manager.addPass(createConvertGPUToEmulatorPass());
  buildOP2LLVMStage(manager, options);
}

void op2::buildOP2DeviceCodeStage(OpPassManager &manager,
                                  const PipelineOptions &options) {
  OpPassManager &device = manager.nest<gpu::GPUModuleOp>();
  device.addPass(memref::createExpandStridedMetadataPass());
  device.addPass(createLowerAffinePass());
  device.addPass(createSCFToControlFlowPass());
  device.addPass(arith::createArithExpandOpsPass());
  ConvertOP2DeviceToNVVMPassOptions nvvmOptions;
  nvvmOptions.chips = llvm::to_vector(options.chips);
  device.addPass(createConvertOP2DeviceToNVVMPass(nvvmOptions));
  device.addPass(createOP2RetargetDeviceCodePass());
  // Needs the functions' final form, and the launches that use them.
  manager.addPass(createOP2DeviceConstantsPass());
  // PTX in any case: what follows from it is ours to report.
  GpuModuleToBinaryPassOptions binaryOptions;
  binaryOptions.compilationTarget = "isa";
  binaryOptions.toolkitPath = findCudaRoot(options.cudaPath);
  manager.addPass(createGpuModuleToBinaryPass(binaryOptions));
  OP2PackDeviceCodePassOptions packOptions;
  packOptions.format = options.format;
  packOptions.cudaPath = options.cudaPath;
  manager.addPass(createOP2PackDeviceCodePass(packOptions));
}

void op2::buildOP2ToGPUPipeline(OpPassManager &manager,
                                const PipelineOptions &options) {
  buildOP2DeviceStage(manager, options, Target::CUDA);
  manager.addPass(createOP2BindLaunchesPass());
  buildOP2DeviceCodeStage(manager, options);
  buildOP2LLVMStage(manager, options);
}

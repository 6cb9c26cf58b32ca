//===- Pipelines.cpp - Pipelines from op2 to LLVM -------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Pipelines/Pipelines.h"
#include "OP2/Conversion/Passes.h"
#include "OP2/Transforms/Canonicalize.h"
#include "OP2/Transforms/Passes.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::op2;

/// The end of a part of a pipeline.
static void verifyStage(OpPassManager &manager, Stage stage) {
  OP2VerifyStagePassOptions options;
  options.stage = stage;
  manager.addPass(createOP2VerifyStagePass(options));
}

static void attachMachine(OpPassManager &manager,
                          const PipelineOptions &options) {
  OP2AttachMachinePassOptions machineOptions;
  machineOptions.cpu = options.cpu;
  machineOptions.vectorBits = options.vectorBits;
  machineOptions.gathers = options.gathers;
  machineOptions.vectorMath = options.vectorMath;
  machineOptions.chips = llvm::to_vector(options.chips);
  manager.addPass(createOP2AttachMachinePass(machineOptions));
}

/// From loops to loops: kernels raised, loops fused and split. Functions that
/// are there for a form that does not exist go.
static void buildLoopStage(OpPassManager &manager,
                           const PipelineOptions &options, Target target) {
  attachMachine(manager, options);
  if (options.raise)
    manager.addPass(createOP2RaiseKernelsPass());
  if (options.check)
    manager.addPass(createOP2CheckAccessesPass());
  OP2FusePassOptions fuseOptions;
  fuseOptions.target = target;
  if (options.fuse)
    manager.addPass(createOP2FusePass(fuseOptions));
  OP2SplitPassOptions splitOptions;
  splitOptions.onlyVariants = !options.split;
  splitOptions.maxValues = options.splitMaxValues;
  splitOptions.maxExtra = options.splitMaxExtra;
  splitOptions.strategy = options.strategy;
  manager.addPass(createOP2SplitPass(splitOptions));
  manager.addPass(createSymbolDCEPass());
}

/// For OpenMP: from loops to the plan level.
static void buildPlanStage(OpPassManager &manager,
                           const PipelineOptions &options) {
  OP2PlanPassOptions planOptions;
  planOptions.blockSize = options.blockSize;
  planOptions.strategy = options.strategy;
  manager.addPass(createOP2PlanPass(planOptions));
  // Two arguments through one slot of one map load it twice; chunk functions
  // would otherwise take over the duplicates.
  manager.addPass(createCSEPass());
  manager.addPass(createOP2VectorizePass());
  manager.addPass(createCSEPass());
  manager.addPass(createOP2VectorMathPass());
  verifyStage(manager, Stage::Planned);
}

/// From the plan level to OpenMP with chunk functions.
static void buildOpenMPStage(OpPassManager &manager) {
  manager.addPass(createConvertOP2ToOpenMPPass());
  manager.addPass(createExactCanonicalizerPass());
  manager.addPass(createCSEPass());
  verifyStage(manager, Stage::Executed);
}

/// The last part of every pipeline.
static void buildLLVMStage(OpPassManager &manager,
                           const PipelineOptions &options) {
  // Subviews and the like in user code become arithmetic first: the
  // conversion of memref to LLVM expects descriptors only.
  manager.addPass(createOP2ExpandStridesPass());
  manager.addPass(createLowerAffinePass());
  manager.addPass(createSCFToControlFlowPass());
  ConvertOP2ToLLVMPassOptions llvmOptions;
  llvmOptions.registerLoops = options.registerLoops;
  manager.addPass(createConvertOP2ToLLVMPass(llvmOptions));
}

/// Functions of loops, for the runtime to call later or again.
static void delayLoops(OpPassManager &manager, const PipelineOptions &options,
                       bool later) {
  OP2DelayLoopsPassOptions delayOptions;
  delayOptions.later = later;
  delayOptions.again = options.ranks;
  if (later || options.ranks)
    manager.addPass(createOP2DelayLoopsPass(delayOptions));
}

void op2::buildOP2ToSeqPipeline(OpPassManager &manager,
                                const PipelineOptions &options) {
  if (options.check)
    manager.addPass(createOP2CheckAccessesPass());
  delayLoops(manager, options, /*later=*/false);
  manager.addPass(createConvertOP2ToSCFPass());
  manager.addPass(createExactCanonicalizerPass());
  manager.addPass(createCSEPass());
  verifyStage(manager, Stage::Executed);
  buildLLVMStage(manager, options);
}

void op2::buildOP2ToOpenMPPipeline(OpPassManager &manager,
                                   const PipelineOptions &options) {
  buildLoopStage(manager, options, Target::OpenMP);
  delayLoops(manager, options, /*later=*/options.delay);
  buildPlanStage(manager, options);
  buildOpenMPStage(manager);
  buildLLVMStage(manager, options);
}

/// For devices: plan, increments, private rows, kernels in a gpu.module and
/// their launches.
static void buildDeviceStage(OpPassManager &manager,
                             const PipelineOptions &options, Target target) {
  delayLoops(manager, options, /*later=*/false);
  // Plans carry the loops' arguments with their layouts.
  OP2ChooseLayoutPassOptions layoutOptions;
  layoutOptions.layout = options.layout;
  manager.addPass(createOP2ChooseLayoutPass(layoutOptions));
  OP2PlanPassOptions planOptions;
  planOptions.blockSize = options.blockSize;
  planOptions.target = target;
  planOptions.strategy = chooseDeviceStrategy(options.strategy, options.ranks);
  manager.addPass(createOP2PlanPass(planOptions));
  verifyStage(manager, Stage::Planned);
  manager.addPass(createCSEPass());
  manager.addPass(createOP2ColorIncrementsPass());
  // Only now is it known what else the kernel gets copies of.
  manager.addPass(createOP2ApplyLayoutPass());
  manager.addPass(createConvertOP2ToGPUPass());
  // What was cloned for the sake of coloured increments is mostly dead.
  manager.addPass(createExactCanonicalizerPass());
  manager.addPass(createCSEPass());
  verifyStage(manager, Stage::Executed);
}

void op2::buildOP2ToEmulatorPipeline(OpPassManager &manager,
                                     const PipelineOptions &options) {
  buildLoopStage(manager, options, Target::Emulator);
  buildDeviceStage(manager, options, Target::Emulator);
  manager.addPass(createConvertGPUToEmulatorPass());
  buildLLVMStage(manager, options);
  if (options.countAccesses)
    manager.addPass(createOP2CountAccessesPass());
}

/// Makes a gpu.binary of the device code.
static void buildDeviceCodeStage(OpPassManager &manager,
                                 const PipelineOptions &options) {
  OpPassManager &device = manager.nest<gpu::GPUModuleOp>();
  device.addPass(createOP2ExpandStridesPass());
  device.addPass(createLowerAffinePass());
  device.addPass(createSCFToControlFlowPass());
  device.addPass(arith::createArithExpandOpsPass());
  device.addPass(createConvertOP2DeviceToLLVMPass());
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
  buildLoopStage(manager, options, Target::CUDA);
  buildDeviceStage(manager, options, Target::CUDA);
  manager.addPass(createOP2BindLaunchesPass());
  buildDeviceCodeStage(manager, options);
  buildLLVMStage(manager, options);
  // What only device code used: kernels made for a GPU are no host code.
  manager.addPass(createSymbolDCEPass());
}

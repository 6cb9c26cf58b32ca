//===- Pipelines.h - Pipelines from op2 to LLVM -----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_PIPELINES_PIPELINES_H
#define OP2_PIPELINES_PIPELINES_H

#include "OP2/Conversion/Passes.h"
#include "OP2/Dialect/OP2Dialect.h"
#include "OP2/Transforms/NumericOption.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir {
class DialectRegistry;
class OpPassManager;
} // namespace mlir

namespace mlir::op2 {

/// How loops on devices avoid races if nobody asks for more: on ranks each row
/// gets its additions in the order of the whole mesh.
inline Strategy chooseDeviceStrategy(Strategy asked, bool hasRanks) {
  return asked == Strategy::Auto && hasRanks ? Strategy::Owner : asked;
}

struct PipelineOptions : public PassPipelineOptions<PipelineOptions> {
  Option<NumberIn<kBlockSizes>> blockSize{
      *this, "block-size",
      llvm::cl::desc(
          "Elements per block of a plan; 0 leaves it to the runtime"),
      llvm::cl::init(0)};
  Option<bool> registerLoops{
      *this, "register-loops",
      llvm::cl::desc("Tell the runtime of every loop in the module"),
      llvm::cl::init(false)};

  // The machine: what --op2-attach-machine is given.
  Option<std::string> cpu{
      *this, "cpu",
      llvm::cl::desc(
          "The processor of the host, as -march= calls it, or native; "
          "what the module says if not given, or else native")};
  Option<NumberIn<kMachineVectorBits>> vectorBits{
      *this, "vector-bits",
      llvm::cl::desc("Size of the vector registers to use; 0: none, -1: those "
                     "that the processor has"),
      llvm::cl::init(-1)};
  Option<bool> gathers{
      *this, "gathers",
      llvm::cl::desc("Gathers are fast, whatever the processor"),
      llvm::cl::init(false)};
  Option<bool> vectorMath{
      *this, "vector-math",
      llvm::cl::desc("Call libmvec for functions like exp of several numbers"),
      llvm::cl::init(false)};
  ListOption<std::string> chips{
      *this, "chips",
      llvm::cl::desc("GPUs to compile for, or one of AMD's; the default is "
                     "sm_90")};

  // Loops, before they are planned.
  Option<bool> raise{*this, "raise", llvm::cl::desc("Raise imported kernels"),
                     llvm::cl::init(true)};
  Option<bool> check{
      *this, "check",
      llvm::cl::desc("Compare kernels with what loops declare of them"),
      llvm::cl::init(true)};
  Option<bool> fuse{*this, "fuse",
                    llvm::cl::desc("Make neighbouring loops one"),
                    llvm::cl::init(true)};
  Option<bool> delay{*this, "delay",
                     llvm::cl::desc("Let the runtime run loops later (OpenMP)"),
                     llvm::cl::init(true)};
  Option<bool> ranks{
      *this, "ranks",
      llvm::cl::desc("Several processes may run the program: the runtime can "
                     "run a loop again for elements at borders"),
      llvm::cl::init(false)};
  Option<bool> split{
      *this, "split",
      llvm::cl::desc("Split loops; otherwise only those of functions that are "
                     "there for that"),
      llvm::cl::init(false)};
  Option<NumberIn<kValueCounts>> splitMaxValues{
      *this, "split-max-values",
      llvm::cl::desc("Values of an element from which on a loop is split"),
      llvm::cl::init(64)};
  Option<NumberIn<kPercents>> splitMaxExtra{
      *this, "split-max-extra",
      llvm::cl::desc("Bytes that splitting may add, in percent"),
      llvm::cl::init(25)};

  Option<Strategy> strategy{*this, "strategy",
                            llvm::cl::desc("How loops avoid races"),
                            OneOf(kStrategies), llvm::cl::init(Strategy::Auto)};

  // For devices.
  Option<Layout> layout{*this, "layout",
                        llvm::cl::desc("How dats lie on a device"),
                        OneOf(kLayouts), llvm::cl::init(Layout::AoS)};

  Option<bool> countAccesses{
      *this, "count-accesses",
      llvm::cl::desc("Let emulated kernels tell what they access, for the "
                     "check for races and OP2_EMULATOR_MODEL"),
      llvm::cl::init(false)};

  // For CUDA.
  Option<DeviceFormat> format{
      *this, "format", llvm::cl::desc("What device code is embedded as"),
      OneOf(kDeviceFormats), llvm::cl::init(DeviceFormat::PTX)};
  Option<std::string> cudaPath{
      *this, "cuda-path",
      llvm::cl::desc("Where CUDA is installed, if not in a usual place"),
      llvm::cl::init("")};
};

/// --op2-to-seq: every loop one element after another, as it is written: what
/// the others are compared with. The module is in the LLVM dialect afterwards.
void buildOP2ToSeqPipeline(OpPassManager &manager,
                           const PipelineOptions &options);

/// --op2-to-openmp: blocks of a plan on OpenMP threads. The module is in the
/// LLVM dialect with omp ops afterwards.
void buildOP2ToOpenMPPipeline(OpPassManager &manager,
                              const PipelineOptions &options);

/// --op2-to-emulator: the device code of a loop run on the CPU, thread by
/// thread, by the runtime's emulator. The module is in the LLVM dialect
/// afterwards.
void buildOP2ToEmulatorPipeline(OpPassManager &manager,
                                const PipelineOptions &options);

/// --op2-to-gpu: the device code of a loop compiled for NVIDIA GPUs and
/// embedded in the host code, which launches it through the runtime. The module
/// is in the LLVM dialect afterwards.
void buildOP2ToGPUPipeline(OpPassManager &manager,
                           const PipelineOptions &options);

/// Registers the passes of this project and its pipelines.
void registerOP2Passes();

/// Registers every dialect that a program of the op2 dialect may use.
void registerOP2Dialects(DialectRegistry &registry);

} // namespace mlir::op2

#endif // OP2_PIPELINES_PIPELINES_H

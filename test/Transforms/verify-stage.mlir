// RUN: op2-opt %s --split-input-file --op2-verify-stage --verify-diagnostics
// RUN: not op2-opt %s --op2-verify-stage=stage=executed 2>&1 | FileCheck %s
// RUN: not op2-opt %s --op2-plan=target=cuda --op2-verify-stage=stage=executed 2>&1 | FileCheck %s --check-prefix=PLAN
// RUN: op2-opt %s --op2-plan --op2-verify-stage | FileCheck %s --check-prefix=PLANNED
// RUN: op2-opt %s --op2-plan --convert-op2-to-openmp --op2-verify-stage=stage=executed | FileCheck %s --check-prefix=DONE
// RUN: not op2-opt %s --op2-verify-stage=stage=later 2>&1 | FileCheck %s --check-prefix=WORD
//
// A part of a pipeline that leaves something is told so, with the op's place; a
// loop that is planned for one target is not run on another.
// RUN: not op2-opt %s --op2-plan=target=cuda --convert-op2-to-openmp 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not op2-opt %s --op2-plan=target=emulator --op2-to-openmp 2>&1 | FileCheck %s --check-prefix=EMULATOR
// RUN: not op2-opt %s --op2-plan --op2-to-gpu 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: not op2-opt %s --op2-plan --op2-to-seq 2>&1 | FileCheck %s --check-prefix=SEQ

func.func private @scale(memref<2xf64>)

// CHECK: [[@LINE+8]]:3: error: 'op2.par_loop' op is left where all loops should be executed
// PLAN: [[@LINE+7]]:3: error: 'op2.for_colors' op is left where all loops should be executed
// TARGET: [[@LINE+6]]:3: error: 'op2.loop_begin' op expected a loop planned for openmp, got one for cuda
// EMULATOR: [[@LINE+5]]:3: error: 'op2.loop_begin' op expected a loop planned for openmp, got one for emulator
// DEVICE: [[@LINE+4]]:3: error: 'op2.loop_begin' op expected a loop planned for a device, got one for openmp
// SEQ: [[@LINE+3]]:3: error: 'op2.for_colors' op is left where all loops should be executed
func.func @step(%cells: !op2.set, %q: !op2.dat<2xf64>) {
  // expected-error @+1 {{is left where all loops should be planned}}
  op2.par_loop @scale over %cells args(rw %q : !op2.dat<2xf64>)
  return
}
// PLANNED: op2.for_elements
// DONE: omp.parallel
// WORD: Cannot find option named 'later'

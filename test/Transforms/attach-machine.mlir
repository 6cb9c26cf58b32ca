// RUN: op2-opt %s -split-input-file --op2-attach-machine=cpu=sapphirerapids | FileCheck %s --check-prefix=CPU
// RUN: op2-opt %s -split-input-file --op2-attach-machine='chips=sm_80,sm_90 vector-bits=256' | FileCheck %s --check-prefix=OPTIONS
// RUN: op2-opt %s -split-input-file --op2-attach-machine='cpu=x86-64 vector-math gathers' | FileCheck %s --check-prefix=MATH
// RUN: not op2-opt %s -split-input-file --op2-attach-machine=cpu=8086 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: unknown processor '8086'; expected native or one of {{.*}}x86-64-v4

// Nothing is said: what the processor has.
// CPU: module attributes {op2.machine = #op2.machine<vector_bits = 512, gathers = true>}
// OPTIONS: #op2.machine<vector_bits = 256{{.*}}, chips = ["sm_80", "sm_90"]>
// MATH: #op2.machine<gathers = true, vector_math_bits = 128>
module {}

// -----

// What is said stays, unless an option or a processor says something else.
// CPU: #op2.machine<vector_bits = 512, gathers = true, chips = ["sm_70"]>
// OPTIONS: #op2.machine<vector_bits = 256, vector_math_bits = 256, chips = ["sm_80", "sm_90"]>
// MATH: #op2.machine<gathers = true, vector_math_bits = 128, chips = ["sm_70"]>
module attributes {op2.machine = #op2.machine<vector_bits = 128, vector_math_bits = 256, chips = ["sm_70"]>} {}

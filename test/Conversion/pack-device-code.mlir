// Newer chips run the code of older ones, so that is what the image holds.
//
// RUN: op2-opt %s --op2-pack-device-code --split-input-file --verify-diagnostics | FileCheck %s
// RUN: not op2-opt %s --op2-pack-device-code='format=cubin cuda-path=%t-nowhere' --split-input-file 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MISSING
// RUN: not op2-opt %s --op2-pack-device-code='format=fatbin cuda-path=%t-nowhere' --split-input-file 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MISSING

// CHECK: gpu.binary @two [#gpu.object<#nvvm.target<chip = "sm_80">, assembly = "old">]
// MISSING: error: {{a cubin holds the code of one chip, but there are 2|ptxas not found}}
gpu.binary @two [#gpu.object<#nvvm.target<chip = "sm_100">, assembly = "new">,
                 #gpu.object<#nvvm.target<chip = "sm_80">, assembly = "old">]

// -----

// MISSING: error: ptxas not found, which is needed for machine code; looked in {{.*}}-nowhere. The format isa (PTX) does without it
gpu.binary @one [#gpu.object<#nvvm.target<chip = "sm_90">, assembly = "code">]

// -----

// MISSING: error: expected PTX objects only
// expected-error@+1 {{expected PTX objects only}}
gpu.binary @packed [#gpu.object<#nvvm.target<chip = "sm_90">, bin = "code">]

// -----

// MISSING: error: libdevice not found
// expected-error@+1 {{libdevice not found: kernels need '__nv_exp' of nvvm/libdevice/libdevice.10.bc}}
gpu.binary @k [#gpu.object<#nvvm.target<chip = "sm_90">, assembly = ".extern .func (.param .b64 r) __nv_exp (.param .b64 x);">]

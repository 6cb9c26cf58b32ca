// RUN: op2-opt %s --verify-diagnostics --split-input-file \
// RUN:   --pass-pipeline='builtin.module(op2-attach-machine{chips=sm_90,sm_33},gpu.module(convert-op2-device-to-llvm))'

// expected-error@+1 {{unknown chip 'sm_33'; known are sm_60, }}
gpu.module @op2_device {
}

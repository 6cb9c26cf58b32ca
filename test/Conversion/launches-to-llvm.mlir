// RUN: op2-opt %s --convert-op2-to-llvm --split-input-file --verify-diagnostics | FileCheck %s

module attributes {gpu.container_module} {
  llvm.mlir.global external @gam() : f64
  gpu.binary @op2_device [#gpu.object<#nvvm.target<chip = "sm_90">, assembly = "code">]

  // The layouts of op2rt_device.h; text ends with a zero.
  // CHECK-DAG: llvm.mlir.global internal @__op2_kernel_op2_device_main() {{.*}} : !llvm.struct<(ptr, ptr, ptr, i64, ptr)>
  // CHECK-DAG: llvm.mlir.global internal constant @__op2_kernel_op2_device_main_params(dense<[8, 8, 4]> : tensor<3xi32>)
  // CHECK-DAG: llvm.mlir.global internal @__op2_image_op2_device() {{.*}} : !llvm.struct<(i32, i32, ptr, i64, ptr)>
  // CHECK-DAG: llvm.mlir.global internal constant @__op2_image_op2_device_data("code\00") {{.*}}alignment = 16

  // CHECK-LABEL: llvm.func @step
  func.func @step(%s: !op2.set, %d: !llvm.ptr, %n: index, %threads: index,
                  %w: f32) {
    %loop = op2.loop_begin "k" over %s args() {strategy = "s", target = #op2.target<cuda>}
    // CHECK: %[[GAM:.*]] = llvm.mlir.addressof @gam
    // CHECK: llvm.call @op2rt_device_constant(%{{.*}}, %{{.*}}, %[[GAM]], %{{.*}}) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64) -> ()
    op2.device_constant @op2_device::@gam bytes 8
    // CHECK: %[[KERNEL:.*]] = llvm.mlir.addressof @__op2_kernel_op2_device_main
    // CHECK: llvm.store %{{.*}} : i64, !llvm.ptr
    // CHECK: llvm.call @op2rt_device_launch(%{{.*}}, %[[KERNEL]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr, i64, i32, i64, !llvm.ptr) -> ()
    op2.launch %loop @op2_device::@main blocks %n threads %threads shared %n args(%n, %d, %w : index, !llvm.ptr, f32)
    op2.loop_end %loop
    return
  }
}

// -----

// CHECK: llvm.mlir.global internal constant @__op2_image_code_data("\7FELF") {{.*}}section = ".nv_fatbin"
gpu.binary @code [#gpu.object<#nvvm.target<chip = "sm_90">, "\7FELF">]

// -----

// expected-error@+1 {{expected one object, from --op2-pack-device-code}}
gpu.binary @two [#gpu.object<#nvvm.target<chip = "sm_80">, "a">, #gpu.object<#nvvm.target<chip = "sm_90">, "b">]

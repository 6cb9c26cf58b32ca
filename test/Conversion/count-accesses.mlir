// Emulated kernels tell the runtime what they access; the thread's own frame, and
// what stands for registers, are left out, and so is the host's code.
//
// RUN: op2-opt %s --op2-count-accesses | FileCheck %s

// CHECK: llvm.func @op2emu_access(!llvm.ptr, i64, i32, i32)
llvm.func @op2emu_self() -> !llvm.ptr

// CHECK-LABEL: llvm.func @kernel
// CHECK-SAME: %[[X:[^ ]*]]: !llvm.ptr, %[[Y:[^ ]*]]: !llvm.ptr
llvm.func @kernel(%x: !llvm.ptr, %y: !llvm.ptr) attributes {op2.emulated} {
  %one = llvm.mlir.constant(1 : i64) : i64
  // CHECK: %[[OWN:.*]] = llvm.alloca
  %own = llvm.alloca %one x f64 : (i64) -> !llvm.ptr
  %self = llvm.call @op2emu_self() : () -> !llvm.ptr
  %lane = llvm.getelementptr %self[8] : (!llvm.ptr) -> !llvm.ptr, i8
  // CHECK-NOT: op2emu_access
  %n = llvm.load %lane : !llvm.ptr -> i64
  // CHECK: %[[AT:.*]] = llvm.getelementptr %[[X]]
  %at = llvm.getelementptr %x[%n] : (!llvm.ptr, i64) -> !llvm.ptr, f64
  // CHECK: %[[BYTES:.*]] = llvm.mlir.constant(8 : i64)
  // CHECK: %[[LOAD:.*]] = llvm.mlir.constant(0 : i32)
  // CHECK: %[[FIRST:.*]] = llvm.mlir.constant(0 : i32)
  // CHECK: llvm.call @op2emu_access(%[[AT]], %[[BYTES]], %[[LOAD]], %[[FIRST]])
  // CHECK-NEXT: llvm.load %[[AT]]
  %v = llvm.load %at : !llvm.ptr -> f64
  // CHECK-NOT: op2emu_access
  // CHECK: llvm.store %{{.*}}, %[[OWN]]
  llvm.store %v, %own : f64, !llvm.ptr
  // CHECK: %[[STORE:.*]] = llvm.mlir.constant(1 : i32)
  // CHECK: %[[SECOND:.*]] = llvm.mlir.constant(1 : i32)
  // CHECK: llvm.call @op2emu_access(%[[Y]], %{{.*}}, %[[STORE]], %[[SECOND]])
  // CHECK-NEXT: llvm.store
  llvm.store %v, %y : f64, !llvm.ptr
  // CHECK: %[[ATOMIC:.*]] = llvm.mlir.constant(2 : i32)
  // CHECK: llvm.call @op2emu_access(%[[Y]], %{{.*}}, %[[ATOMIC]], %{{.*}})
  // CHECK-NEXT: llvm.atomicrmw
  %old = llvm.atomicrmw fadd %y, %v monotonic : !llvm.ptr, f64
  llvm.return
}

// Copies load and store; lengths of 32 bits are widened.
// CHECK-LABEL: llvm.func @copy
// CHECK-SAME: %[[X:[^ ]*]]: !llvm.ptr, %[[Y:[^ ]*]]: !llvm.ptr, %[[N:[^ ]*]]: i64, %[[SHORT:[^ ]*]]: i32
llvm.func @copy(%x: !llvm.ptr, %y: !llvm.ptr, %n: i64, %short: i32, %byte: i8) attributes {op2.emulated} {
  // CHECK: %[[LOAD:.*]] = llvm.mlir.constant(0 : i32)
  // CHECK: llvm.call @op2emu_access(%[[X]], %[[N]], %[[LOAD]], %{{.*}})
  // CHECK: %[[STORE:.*]] = llvm.mlir.constant(1 : i32)
  // CHECK: llvm.call @op2emu_access(%[[Y]], %[[N]], %[[STORE]], %{{.*}})
  // CHECK-NEXT: llvm.intr.memcpy
  "llvm.intr.memcpy"(%y, %x, %n) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  // CHECK: %[[FOUR:.*]] = llvm.mlir.constant(4 : i32)
  // CHECK: %[[WIDE:.*]] = llvm.zext %[[FOUR]] : i32 to i64
  // CHECK: llvm.call @op2emu_access(%[[X]], %[[WIDE]],
  // CHECK: llvm.call @op2emu_access(%[[Y]],
  // CHECK-NEXT: llvm.intr.memcpy.inline
  "llvm.intr.memcpy.inline"(%y, %x) <{isVolatile = false, len = 4 : i32}> : (!llvm.ptr, !llvm.ptr) -> ()
  // CHECK: %[[LONG:.*]] = llvm.zext %[[SHORT]] : i32 to i64
  // CHECK: llvm.call @op2emu_access(%[[X]], %[[LONG]],
  // CHECK: llvm.call @op2emu_access(%[[Y]],
  // CHECK-NEXT: llvm.intr.memmove
  "llvm.intr.memmove"(%y, %x, %short) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i32) -> ()
  // CHECK: llvm.call @op2emu_access(%[[Y]], %[[N]],
  // CHECK-NEXT: llvm.intr.memset
  "llvm.intr.memset"(%y, %byte, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  llvm.return
}

// CHECK-LABEL: llvm.func @host
llvm.func @host(%x: !llvm.ptr) {
  // CHECK-NOT: op2emu_access
  %v = llvm.load %x : !llvm.ptr -> f64
  llvm.store %v, %x : f64, !llvm.ptr
  llvm.return
}

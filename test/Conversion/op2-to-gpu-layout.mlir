// RUN: op2-opt %s --op2-choose-layout=layout=soa --op2-plan="target=emulator" --cse --op2-color-increments --op2-apply-layout --convert-op2-to-gpu --split-input-file | FileCheck %s
// RUN: op2-opt %s --op2-plan="target=cuda" --cse --op2-color-increments --op2-apply-layout --convert-op2-to-gpu --split-input-file | FileCheck %s --check-prefix=AOS

// A dat is asked for in the layout of the kernel that runs: where two handles
// may be one dat, all are arrays of structs.

func.func private @flux(memref<4xf64>, memref<4xf64>)

// CHECK-LABEL: func.func @indirect
// CHECK: %[[FREE:.*]] = op2.is_alias_free
// CHECK: scf.if %[[FREE]] {
// CHECK: op2.device_storage soa %{{.*}} arg 0
// CHECK: gpu.launch_func @op2_device::@op2_flux
// CHECK: } else {
// CHECK-NOT: soa
// CHECK: gpu.launch_func @op2_device::@op2_flux_aliased
// CHECK-LABEL: gpu.func @op2_flux(
// CHECK-SAME: index, %{{[^ ]*}}: !llvm.ptr {llvm.noalias}, %[[STRIDE:[^ ]*]]: index
// CHECK-DAG: op2.ptr_cast %{{.*}} sizes(%[[STRIDE]]) : !llvm.ptr -> memref<?x4xf64, strided<[1, ?]>>
// A thread copies the components of a row, neighbouring threads neighbouring rows.
// CHECK-NOT: workgroup
// CHECK: memref.load %{{.*}} : memref<4xf64, strided<[?]>>
// CHECK: func.call @flux
// CHECK-LABEL: gpu.func @op2_flux_aliased(
// CHECK-NOT: strided
// CHECK: func.func private @flux
func.func @indirect(%edges: !op2.set, %m: !op2.map<2>, %q: !op2.dat<4xf64>, %r: !op2.dat<4xf64>) {
  op2.par_loop @flux over %edges args(
      read %q : !op2.dat<4xf64> via %m[0] : !op2.map<2>,
      inc %r : !op2.dat<4xf64> via %m[1] : !op2.map<2>)
  return
}

// -----

// What elements change is loaded first and stored last; what they only read
// stays where it is. Where the dats may be one, so does all of it: copies would
// not see each other's changes.

func.func private @k(memref<4xf64>, memref<3xf64>)

// AOS-LABEL: gpu.func @op2_k(
// AOS: %[[COPY:.*]] = memref.alloca() {alignment = 8 : i64} : memref<3xf64>
// AOS: scf.if
// AOS: %[[Q:.*]] = op2.row %{{.*}} : memref<?x4xf64> -> memref<4xf64>
// AOS: %[[R:.*]] = op2.row %{{.*}} : memref<?x3xf64> -> memref<3xf64>
// AOS-COUNT-3: memref.load %[[R]][
// AOS: func.call @k(%[[Q]], %[[COPY]])
// AOS-COUNT-3: memref.store %{{.*}}, %[[R]][
// AOS-LABEL: gpu.func @op2_k_aliased(
// AOS-NOT: memref.alloca
// AOS: %[[Q:.*]] = op2.row %{{.*}} : memref<?x4xf64> -> memref<4xf64>
// AOS: %[[R:.*]] = op2.row %{{.*}} : memref<?x3xf64> -> memref<3xf64>
// AOS-NEXT: func.call @k(%[[Q]], %[[R]])
// AOS-NEXT: }
func.func @direct(%cells: !op2.set, %q: !op2.dat<4xf64>, %r: !op2.dat<3xf64>) {
  op2.par_loop @k over %cells args(read %q : !op2.dat<4xf64>, rw %r : !op2.dat<3xf64>)
  return
}

// -----

// What the kernel overwrites as a whole is not loaded.

func.func private @copy(%from: memref<2xf64>, %to: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.load %from[%c0] : memref<2xf64>
  memref.store %v, %to[%c0] : memref<2xf64>
  memref.store %v, %to[%c1] : memref<2xf64>
  return
}

// AOS-LABEL: gpu.func @op2_copy(
// AOS: %[[COPY:.*]] = memref.alloca() {alignment = 16 : i64} : memref<2xf64>
// AOS: %[[FROM:.*]] = op2.row
// AOS: %[[TO:.*]] = op2.row
// AOS-NEXT: func.call @copy(%[[FROM]], %[[COPY]])
// AOS-COUNT-2: memref.store %{{.*}}, %[[TO]][
// AOS-LABEL: gpu.func @op2_copy_aliased(
// AOS: func.call @copy(%{{.*}}, %[[TO:.*]])
func.func @overwrite(%cells: !op2.set, %q: !op2.dat<2xf64>, %r: !op2.dat<2xf64>) {
  op2.par_loop @copy over %cells args(read %q : !op2.dat<2xf64>, write %r : !op2.dat<2xf64>)
  return
}

// -----

// Bytes may be a type of the program, with the alignment that its size allows.

func.func private @bytes(memref<48xi8>, memref<3xi8>, memref<4xf64>)

// CHECK-LABEL: gpu.func @op2_bytes(
// CHECK-DAG: memref.alloca() {alignment = 16 : i64} : memref<48xi8>
// CHECK-DAG: memref.alloca() {alignment = 1 : i64} : memref<3xi8>
// CHECK-DAG: memref.alloca() {alignment = 32 : i64} : memref<4xf64>
func.func @of_bytes(%cells: !op2.set, %b: !op2.dat<48xi8>, %c: memref<3xi8>, %x: !op2.dat<4xf64>) {
  op2.par_loop @bytes over %cells args(
      read %b : !op2.dat<48xi8>, work global %c : memref<3xi8>, read %x : !op2.dat<4xf64>)
  return
}

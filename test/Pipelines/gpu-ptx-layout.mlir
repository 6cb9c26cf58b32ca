// The PTX of dats in both layouts. None of this needs CUDA.
//
// RUN: op2-opt %s --op2-to-gpu='layout=soa strategy=atomics' | %python %S/Inputs/ptx.py | FileCheck %s --check-prefix=SOA
// RUN: op2-opt %s --op2-to-gpu | %python %S/Inputs/ptx.py | FileCheck %s --check-prefix=AOS

// The components of a row are read one by one, through the read-only cache, and
// live in registers.
// SOA-NOT: .local
// SOA: .visible .entry op2_flux(
// SOA: ld.global.nc.b64
// SOA-NOT: ld.global.nc.v2
// SOA: {{atom|red}}.global.add.f64
// SOA: .visible .entry op2_flux_aliased(
// SOA: .visible .entry op2_scale(
// SOA: ld.global.b64
// SOA-NOT: v2
// SOA: st.global.b64
// SOA-NOT: .local

// Rows that change are loaded first and stored last, in pieces of 16 bytes, also
// where the kernel stores some of their values before it loads others.
// AOS-NOT: .local
// AOS: .extern .shared .align 16 .b8 op2_shmem[];
// AOS: .visible .entry op2_scale(
// AOS-NOT: st.
// AOS: ld.global.v2.b64
// AOS-NOT: st.
// AOS: ld.global.v2.b64
// AOS-NOT: ld.
// AOS-COUNT-2: st.global.v2.b64
// AOS-NOT: .local

func.func private @flux(%q0: memref<4xf64>, %q1: memref<4xf64>, %r0: memref<4xf64>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %a = memref.load %q0[%c0] : memref<4xf64>
  %b = memref.load %q1[%c0] : memref<4xf64>
  %c = memref.load %q1[%c3] : memref<4xf64>
  %d = arith.subf %a, %b : f64
  %e = arith.mulf %d, %c : f64
  %x = memref.load %r0[%c0] : memref<4xf64>
  %x1 = arith.addf %x, %e : f64
  memref.store %x1, %r0[%c0] : memref<4xf64>
  return
}

func.func private @scale(%q: memref<4xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %a = memref.load %q[%c0] : memref<4xf64>
  %b = memref.load %q[%c1] : memref<4xf64>
  %c = arith.mulf %a, %b : f64
  memref.store %c, %q[%c0] : memref<4xf64>
  memref.store %a, %q[%c1] : memref<4xf64>
  %d = memref.load %q[%c2] : memref<4xf64>
  %e = memref.load %q[%c3] : memref<4xf64>
  %f = arith.mulf %d, %e : f64
  memref.store %f, %q[%c2] : memref<4xf64>
  memref.store %d, %q[%c3] : memref<4xf64>
  return
}

func.func @step(%edges: !op2.set, %cells: !op2.set, %m: !op2.map<2>, %q: !op2.dat<4xf64>,
                %r: !op2.dat<4xf64>) {
  op2.par_loop @flux over %edges args(
      read %q : !op2.dat<4xf64> via %m[0] : !op2.map<2>,
      read %q : !op2.dat<4xf64> via %m[1] : !op2.map<2>,
      inc %r : !op2.dat<4xf64> via %m[0] : !op2.map<2>)
  op2.par_loop @scale over %cells args(rw %r : !op2.dat<4xf64>)
  return
}

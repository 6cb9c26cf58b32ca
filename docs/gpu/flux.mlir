// The loop of docs/gpu.md: each edge moves something between its two cells, as
// Airfoil's res_calc does.
//
//   op2-opt docs/gpu/flux.mlir --op2-to-gpu

func.func private @flux(%q0: memref<2xf64>, %q1: memref<2xf64>,
                        %r0: memref<2xf64>, %r1: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %q0[%c0] : memref<2xf64>
  %b = memref.load %q1[%c0] : memref<2xf64>
  %f = arith.subf %a, %b : f64
  %s0 = memref.load %r0[%c0] : memref<2xf64>
  %t0 = arith.subf %s0, %f : f64
  memref.store %t0, %r0[%c0] : memref<2xf64>
  %s1 = memref.load %r1[%c0] : memref<2xf64>
  %t1 = arith.addf %s1, %f : f64
  memref.store %t1, %r1[%c0] : memref<2xf64>
  return
}

func.func @step(%edges: !op2.set, %pecell: !op2.map<2>, %q: !op2.dat<2xf64>,
                %res: !op2.dat<2xf64>) {
  op2.par_loop @flux over %edges args(
      read %q   : !op2.dat<2xf64> via %pecell[0] : !op2.map<2>,
      read %q   : !op2.dat<2xf64> via %pecell[1] : !op2.map<2>,
      inc  %res : !op2.dat<2xf64> via %pecell[0] : !op2.map<2>,
      inc  %res : !op2.dat<2xf64> via %pecell[1] : !op2.map<2>)
  return
}

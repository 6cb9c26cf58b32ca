// Loops that stay two, by the number of the rule that says why.
//
// RUN: op2-opt %s --op2-attach-machine=cpu=x86-64-v4 --op2-fuse -split-input-file -verify-diagnostics | FileCheck %s
//
// CHECK-NOT: loop_name

func.func private @k(%a: memref<1xf64>) {
  return
}
func.func @f1_sets(%s: !op2.set, %t: !op2.set, %q: !op2.dat<1xf64>) attributes {op2.fusible} {
  // expected-remark @+1 {{loop 'k' is not fused with 'k': [F1] they run over different sets}}
  op2.par_loop @k over %s args(read %q : !op2.dat<1xf64>)
  op2.par_loop @k over %t args(read %q : !op2.dat<1xf64>)
  return
}

// -----

func.func private @k(%a: memref<1xf64>) {
  return
}
func.func @f1_plans(%s: !op2.set, %q: !op2.dat<1xf64>) attributes {op2.fusible} {
  // expected-remark @+1 {{[F1] they ask for different plans}}
  op2.par_loop @k over %s args(read %q : !op2.dat<1xf64>) {block_size = 64}
  op2.par_loop @k over %s args(read %q : !op2.dat<1xf64>)
  return
}

// -----

func.func private @k(%a: memref<1xf64>) {
  return
}
func.func private @check(%a: memref<1xf64>) -> i1 {
  %true = arith.constant true
  return %true : i1
}
llvm.func @whole(!llvm.ptr)
func.func @f1_paths(%s: !op2.set, %q: !op2.dat<1xf64>) attributes {op2.fusible} {
  // expected-remark @+1 {{[F1] kernel 'k' has paths that print or do not return}}
  op2.par_loop @k over %s args(read %q : !op2.dat<1xf64>) {op2.usual = [@check, @whole]}
  op2.par_loop @k over %s args(read %q : !op2.dat<1xf64>)
  return
}

// -----

func.func private @k(%a: memref<2xf64>) {
  return
}
func.func @f1_layouts(%s: !op2.set, %q: !op2.dat<2xf64>) attributes {op2.fusible} {
  // expected-remark @+1 {{[F1] they ask for different layouts of a dat}}
  op2.par_loop @k over %s args(read soa %q : !op2.dat<2xf64>)
  op2.par_loop @k over %s args(read aos %q : !op2.dat<2xf64>)
  return
}

// -----

func.func private @k(%a: memref<1xf64>) {
  return
}
llvm.func @imported(%a: !llvm.ptr) {
  llvm.return
}
func.func private @elsewhere(%a: memref<1xf64>)
func.func private @jumps(%a: memref<1xf64>) {
  cf.br ^next
^next:
  return
}
func.func @f1_kernels(%s: !op2.set, %q: !op2.dat<1xf64>) attributes {op2.fusible} {
  // expected-remark @+1 {{[F1] kernel 'imported' is not raised}}
  op2.par_loop @k over %s args(read %q : !op2.dat<1xf64>)
  // expected-remark @+1 {{[F1] kernel 'imported' is not raised}}
  op2.par_loop @imported over %s args(read %q : !op2.dat<1xf64>)
  // expected-remark @+1 {{[F1] kernel 'elsewhere' is not raised}}
  op2.par_loop @elsewhere over %s args(read %q : !op2.dat<1xf64>)
  op2.par_loop @jumps over %s args(read %q : !op2.dat<1xf64>)
  return
}
func.func @f1_structure(%s: !op2.set, %q: !op2.dat<1xf64>) attributes {op2.fusible} {
  // expected-remark @+1 {{[F1] the control flow of kernel 'jumps' is not structured}}
  op2.par_loop @jumps over %s args(read %q : !op2.dat<1xf64>)
  op2.par_loop @k over %s args(read %q : !op2.dat<1xf64>)
  return
}

// -----

// What the pointer leads to may be the storage of a dat that the other changes.

llvm.mlir.global external @pointer() : !llvm.ptr
func.func private @k(%a: memref<1xf64>) {
  return
}
func.func private @reads(%a: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %address = llvm.mlir.addressof @pointer : !llvm.ptr
  %pointer = llvm.load %address : !llvm.ptr -> !llvm.ptr
  %value = llvm.load %pointer : !llvm.ptr -> f64
  memref.store %value, %a[%c0] : memref<1xf64>
  return
}
func.func private @reads_two(%a: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %address = llvm.mlir.addressof @pointer : !llvm.ptr
  %first = llvm.load %address : !llvm.ptr -> !llvm.ptr
  %second = llvm.load %first : !llvm.ptr -> !llvm.ptr
  %value = llvm.load %second : !llvm.ptr -> f64
  memref.store %value, %a[%c0] : memref<1xf64>
  return
}
func.func @f1_pointers(%s: !op2.set, %q: !op2.dat<1xf64>, %r: !op2.dat<1xf64>) {
  // expected-remark @+1 {{[F1] kernel 'reads' reads through a pointer of the program}}
  op2.par_loop @k over %s args(rw %q : !op2.dat<1xf64>)
  op2.par_loop @reads over %s args(write %r : !op2.dat<1xf64>)
  return
}
func.func @f1_promised(%s: !op2.set, %q: !op2.dat<1xf64>, %r: !op2.dat<1xf64>) attributes {op2.fusible} {
  // Where it leads to is part of the promise ...
  // expected-remark @+1 {{it would save no memory traffic}}
  op2.par_loop @k over %s args(rw %q : !op2.dat<1xf64>)
  // ... if the pointer lies in a variable.
  // expected-remark @+1 {{[F1] kernel 'reads_two' reads through a pointer of the program}}
  op2.par_loop @reads over %s args(write %r : !op2.dat<1xf64>)
  op2.par_loop @reads_two over %s args(write %q : !op2.dat<1xf64>)
  return
}

// -----

// No neighbours: something looks, or may change something, between them.

func.func private @k(%a: memref<1xf64>) {
  return
}
func.func private @look()
func.func @f1_between(%s: !op2.set, %q: !op2.dat<1xf64>, %b: memref<?xf64>, %g: memref<1xf64>)
    attributes {op2.fusible} {
  %c0 = arith.constant 0 : index
  op2.par_loop @k over %s args(rw %q : !op2.dat<1xf64>)
  func.call @look() : () -> ()
  op2.par_loop @k over %s args(rw %q : !op2.dat<1xf64>)
  op2.fetch %q to %b : !op2.dat<1xf64>, memref<?xf64>
  op2.par_loop @k over %s args(rw %q : !op2.dat<1xf64>)
  %v = memref.load %g[%c0] : memref<1xf64>
  op2.par_loop @k over %s args(rw %q : !op2.dat<1xf64>)
  return
}

// -----

func.func private @k(%a: memref<1xf64>) {
  return
}
func.func @f2_kinds(%s: !op2.set, %q: !op2.dat<1xf64>, %f: i1, %g: memref<1xf64>)
    attributes {op2.fusible} {
  // expected-remark @+1 {{[F2] argument 0 of 'k' is optional}}
  op2.par_loop @k over %s args(if %f read %q : !op2.dat<1xf64>)
  // expected-remark @+1 {{[F2] argument 0 of 'k' is scratch memory}}
  op2.par_loop @k over %s args(read %q : !op2.dat<1xf64>)
  // expected-remark @+1 {{[F2] argument 0 of 'k' is scratch memory}}
  op2.par_loop @k over %s args(work global %g : memref<1xf64>)
  // expected-remark @+1 {{[F2] argument 0 of 'k' is a global that is written}}
  op2.par_loop @k over %s args(read %q : !op2.dat<1xf64>)
  // expected-remark @+1 {{[F2] argument 0 of 'k' is a global that is written}}
  op2.par_loop @k over %s args(rw global %g : memref<1xf64>)
  op2.par_loop @k over %s args(read %q : !op2.dat<1xf64>)
  return
}

// -----

// An element would see what its neighbours have become, or not yet become.

func.func private @k(%a: memref<1xf64>) {
  return
}
func.func @f3_read_after_write(%s: !op2.set, %q: !op2.dat<1xf64>, %m: !op2.map<1>)
    attributes {op2.fusible} {
  // expected-remark @+1 {{[F3] argument 0 of 'k' and argument 0 of 'k' are one dat, which one of them changes and one reaches through a map}}
  op2.par_loop @k over %s args(write %q : !op2.dat<1xf64>)
  op2.par_loop @k over %s args(read %q : !op2.dat<1xf64> via %m[0] : !op2.map<1>)
  return
}
func.func @f3_write_after_read(%s: !op2.set, %q: !op2.dat<1xf64>, %m: !op2.map<1>)
    attributes {op2.fusible} {
  // expected-remark @+1 {{[F3]}}
  op2.par_loop @k over %s args(read %q : !op2.dat<1xf64> via %m[0] : !op2.map<1>)
  op2.par_loop @k over %s args(write %q : !op2.dat<1xf64>)
  return
}
func.func @f3_increments(%s: !op2.set, %q: !op2.dat<1xf64>, %m: !op2.map<1>)
    attributes {op2.fusible} {
  // expected-remark @+1 {{[F3]}}
  op2.par_loop @k over %s args(inc %q : !op2.dat<1xf64> via %m[0] : !op2.map<1>)
  op2.par_loop @k over %s args(read %q : !op2.dat<1xf64>)
  return
}

// -----

func.func private @k(%a: memref<1xf64>) {
  return
}
func.func @f4_handles(%s: !op2.set, %q: !op2.dat<1xf64>, %r: !op2.dat<1xf64>) {
  // expected-remark @+1 {{[F4] argument 0 of 'k' and argument 0 of 'k' may be the same data}}
  op2.par_loop @k over %s args(write %q : !op2.dat<1xf64>)
  op2.par_loop @k over %s args(read %r : !op2.dat<1xf64>)
  return
}
func.func @f4_global(%s: !op2.set, %q: !op2.dat<1xf64>, %g: memref<1xf64>) {
  // expected-remark @+1 {{[F4]}}
  op2.par_loop @k over %s args(inc global %g : memref<1xf64>)
  op2.par_loop @k over %s args(read %q : !op2.dat<1xf64>)
  return
}

// -----

func.func private @k(%a: memref<1xf64>) {
  return
}
func.func @f5_read(%s: !op2.set, %g: memref<1xf64>) attributes {op2.fusible} {
  // expected-remark @+1 {{[F5] argument 0 of 'k' and argument 0 of 'k' may be one global, which a loop reduces}}
  op2.par_loop @k over %s args(inc global %g : memref<1xf64>)
  op2.par_loop @k over %s args(read global %g : memref<1xf64>)
  return
}
func.func @f5_both(%s: !op2.set, %g: memref<1xf64>) attributes {op2.fusible} {
  // expected-remark @+1 {{[F5]}}
  op2.par_loop @k over %s args(inc global %g : memref<1xf64>)
  op2.par_loop @k over %s args(inc global %g : memref<1xf64>)
  return
}
func.func @f5_unknown(%s: !op2.set, %g: memref<1xf64>, %h: memref<1xf64>) {
  // expected-remark @+1 {{[F5]}}
  op2.par_loop @k over %s args(inc global %g : memref<1xf64>)
  op2.par_loop @k over %s args(read global %h : memref<1xf64>)
  return
}

// -----

func.func private @k(%a: memref<1xf64>) {
  return
}
func.func private @g(%a: memref<1xf64>, %b: memref<1xf64>) {
  return
}
func.func @f6_colors(%s: !op2.set, %q: !op2.dat<1xf64>, %r: !op2.dat<1xf64>, %m: !op2.map<1>)
    attributes {op2.fusible} {
  // expected-remark @+1 {{[F6] both need colours, and together others}}
  op2.par_loop @k over %s args(inc %q : !op2.dat<1xf64> via %m[0] : !op2.map<1>)
  op2.par_loop @k over %s args(inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<1>)
  return
}
func.func @f6_ownership(%s: !op2.set, %q: !op2.dat<1xf64>, %r: !op2.dat<1xf64>, %m: !op2.map<2>)
    attributes {op2.fusible} {
  // expected-remark @+1 {{[F6] 'g' can be divided by ownership, and both together cannot}}
  op2.par_loop @g over %s args(inc %q : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
                               inc %q : !op2.dat<1xf64> via %m[1] : !op2.map<2>)
  op2.par_loop @k over %s args(rw %r : !op2.dat<1xf64>)
  return
}
func.func private @many(%a: memref<65xf64>) {
  return
}
func.func @f6_reduction(%s: !op2.set, %q: !op2.dat<1xf64>, %g: memref<65xf64>, %m: !op2.map<1>)
    attributes {op2.fusible} {
  // expected-remark @+1 {{[F6] 'many' reduces something in the order of blocks, and 'k' needs colours}}
  op2.par_loop @many over %s args(max global %g : memref<65xf64>)
  op2.par_loop @k over %s args(inc %q : !op2.dat<1xf64> via %m[0] : !op2.map<1>)
  return
}

// -----

func.func private @doubles(%a: memref<1xf64>) {
  return
}
func.func private @floats(%a: memref<1xf32>) {
  return
}
llvm.func @number() -> f64 attributes {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, no_unwind}
func.func private @calls(%a: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %n = llvm.call @number() : () -> f64
  memref.store %n, %a[%c0] : memref<1xf64>
  return
}
func.func @f6_groups(%s: !op2.set, %q: !op2.dat<1xf64>, %r: !op2.dat<1xf32>) attributes {op2.fusible} {
  // expected-remark @+1 {{[F6] the first one is vectorized across 8 elements, the second one vectorized across 16 elements}}
  op2.par_loop @doubles over %s args(rw %q : !op2.dat<1xf64>)
  op2.par_loop @floats over %s args(rw %r : !op2.dat<1xf32>)
  return
}
func.func @f6_scalar(%s: !op2.set, %q: !op2.dat<1xf64>, %r: !op2.dat<1xf64>) attributes {op2.fusible} {
  // expected-remark @+1 {{[F6] the first one is vectorized across 8 elements, the second one not vectorized}}
  op2.par_loop @doubles over %s args(rw %q : !op2.dat<1xf64>)
  op2.par_loop @calls over %s args(rw %r : !op2.dat<1xf64>)
  return
}

// -----

// Whether a loop is vectorized depends on the arities that maps turn out to
// have.

func.func private @two(%a: memref<1xf64>, %b: memref<65xf64>) {
  return
}
func.func private @k(%a: memref<1xf64>) {
  return
}
func.func @f6_arity(%n: index, %m: !op2.map<?>) {
  %t = op2.decl_set "t" size %n
  %q = op2.decl_dat "q" on %t : !op2.dat<1xf64>
  %most = memref.alloc() : memref<65xf64>
  // expected-remark @+1 {{[F6] they combine elements in an order, and the arity of a map is not known}}
  op2.par_loop @two over %t args(read %q : !op2.dat<1xf64>, max global %most : memref<65xf64>)
  op2.par_loop @k over %t args(read %q : !op2.dat<1xf64> via %m[0] : !op2.map<?>)
  return
}

// -----

// Not worth it.

func.func private @k(%a: memref<1xf64>) {
  return
}
func.func @nothing_shared(%s: !op2.set, %q: !op2.dat<1xf64>, %r: !op2.dat<1xf64>) attributes {op2.fusible} {
  // expected-remark @+1 {{loop 'k' is not fused with 'k': it would save no memory traffic}}
  op2.par_loop @k over %s args(rw %q : !op2.dat<1xf64>)
  op2.par_loop @k over %s args(rw %r : !op2.dat<1xf64>)
  return
}
func.func private @large(%a: memref<40xf64>, %b: memref<40xf64>) {
  return
}
func.func @too_many_values(%s: !op2.set, %q: !op2.dat<40xf64>, %r: !op2.dat<40xf64>) attributes {op2.fusible} {
  // expected-remark @+1 {{the kernel would hold 80 values of an element; expected 64 at most}}
  op2.par_loop @large over %s args(read %q : !op2.dat<40xf64>, rw %r : !op2.dat<40xf64>)
  op2.par_loop @large over %s args(read %q : !op2.dat<40xf64>, rw %r : !op2.dat<40xf64>)
  return
}

// -----

// Functions of the C library decide whether a kernel is vectorized, and so in
// which order elements are compared; without that it does not matter.

func.func private @calls(%a: memref<1xf64>, %b: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %a[%c0] : memref<1xf64>
  %e = math.exp %v : f64
  memref.store %e, %b[%c0] : memref<1xf64>
  return
}
func.func private @greatest(%a: memref<1xf64>, %g: memref<65xf64>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %a[%c0] : memref<1xf64>
  %e = math.exp %v : f64
  %old = memref.load %g[%c0] : memref<65xf64>
  %new = arith.maximumf %old, %e : f64
  memref.store %new, %g[%c0] : memref<65xf64>
  return
}
func.func @f6_calls(%s: !op2.set, %q: !op2.dat<1xf64>, %r: !op2.dat<1xf64>, %g: memref<65xf64>)
    attributes {op2.fusible} {
  // expected-remark @+1 {{[F6] they combine elements in an order, and it depends on functions of the C library whether they are vectorized}}
  op2.par_loop @calls over %s args(read %q : !op2.dat<1xf64>, write %r : !op2.dat<1xf64>)
  op2.par_loop @greatest over %s args(read %q : !op2.dat<1xf64>, max global %g : memref<65xf64>)
  return
}

// -----

// So do reads at indices that vary.

func.func private @looks(%a: memref<2xf64>, %b: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %a[%c0] : memref<2xf64>
  %i = arith.fptosi %v : f64 to i64
  %n = arith.index_cast %i : i64 to index
  %e = memref.load %a[%n] : memref<2xf64>
  memref.store %e, %b[%c0] : memref<1xf64>
  return
}
func.func private @greatest(%a: memref<2xf64>, %g: memref<65xf64>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %a[%c0] : memref<2xf64>
  %i = arith.fptosi %v : f64 to i64
  %n = arith.index_cast %i : i64 to index
  %e = memref.load %a[%n] : memref<2xf64>
  %old = memref.load %g[%c0] : memref<65xf64>
  %new = arith.maximumf %old, %e : f64
  memref.store %new, %g[%c0] : memref<65xf64>
  return
}
func.func @f6_gathers(%s: !op2.set, %q: !op2.dat<2xf64>, %r: !op2.dat<1xf64>, %g: memref<65xf64>)
    attributes {op2.fusible} {
  // expected-remark @+1 {{[F6] they combine elements in an order, and it depends on reads at indices that vary whether they are vectorized}}
  op2.par_loop @looks over %s args(read %q : !op2.dat<2xf64>, write %r : !op2.dat<1xf64>)
  op2.par_loop @greatest over %s args(read %q : !op2.dat<2xf64>, max global %g : memref<65xf64>)
  return
}

// -----

// And branches that exclude each other: what both kernels compute is taken out
// of them, so that others may count.

func.func private @chooses(%a: memref<1xf64>, %b: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %v0 = memref.load %a[%c0] : memref<1xf64>
  %is0 = arith.cmpf olt, %v0, %one : f64
  scf.if %is0 {
    memref.store %v0, %b[%c0] : memref<1xf64>
  } else {
    %v1 = arith.subf %v0, %one : f64
    %is1 = arith.cmpf olt, %v1, %one : f64
    scf.if %is1 {
      memref.store %v1, %b[%c0] : memref<1xf64>
    } else {
      %v2 = arith.subf %v1, %one : f64
      %is2 = arith.cmpf olt, %v2, %one : f64
      scf.if %is2 {
        memref.store %v2, %b[%c0] : memref<1xf64>
      } else {
        %v3 = arith.subf %v2, %one : f64
        %is3 = arith.cmpf olt, %v3, %one : f64
        scf.if %is3 {
          memref.store %v3, %b[%c0] : memref<1xf64>
        } else {
          %v4 = arith.subf %v3, %one : f64
          %is4 = arith.cmpf olt, %v4, %one : f64
          scf.if %is4 {
            memref.store %v4, %b[%c0] : memref<1xf64>
          } else {
            %v5 = arith.subf %v4, %one : f64
            memref.store %v5, %b[%c0] : memref<1xf64>
          }
        }
      }
    }
  }
  return
}
func.func private @greatest(%a: memref<1xf64>, %g: memref<65xf64>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %a[%c0] : memref<1xf64>
  %old = memref.load %g[%c0] : memref<65xf64>
  %new = arith.maximumf %old, %v : f64
  memref.store %new, %g[%c0] : memref<65xf64>
  return
}
func.func @f6_branches(%s: !op2.set, %q: !op2.dat<1xf64>, %r: !op2.dat<1xf64>, %g: memref<65xf64>)
    attributes {op2.fusible} {
  // expected-remark @+1 {{[F6] they combine elements in an order, and it depends on their branches whether they are vectorized}}
  op2.par_loop @chooses over %s args(read %q : !op2.dat<1xf64>, write %r : !op2.dat<1xf64>)
  op2.par_loop @greatest over %s args(read %q : !op2.dat<1xf64>, max global %g : memref<65xf64>)
  return
}

// -----

func.func private @k(%a: memref<1xf64>) {
  return
}
func.func @f2_merged(%s: !op2.set, %f: !llvm.ptr, %i: memref<1xf64>, %g: memref<1xf64>, %h: memref<1xf64>) attributes {op2.fusible} {
  // expected-remark @+1 {{[F2] argument 0 of 'k' is reduced by a function of the program}}
  op2.par_loop @k over %s args(reduce %f from %i global %g : memref<1xf64>)
  op2.par_loop @k over %s args(read global %h : memref<1xf64>)
  return
}

// RUN: op2-opt %s -split-input-file -verify-diagnostics

// L1: number of values
llvm.func @k(!llvm.ptr)
func.func @values(%s: !op2.set, %d: !op2.dat<1xf64>) {
  // expected-error @+1 {{[L1] its arguments need 1 values, got 2}}
  "op2.par_loop"(%s, %d, %d) {kernel = @k, args = [#op2.arg<kind = dat, access = read, slot = -1, count = 1, is_vector = false, is_packed = false, is_injective = false, is_optional = false>]} : (!op2.set, !op2.dat<1xf64>, !op2.dat<1xf64>) -> ()
  return
}

// -----

// L1: a dat
llvm.func @k(!llvm.ptr)
func.func @not_a_dat(%s: !op2.set, %g: memref<1xf64>) {
  // expected-error @+1 {{[L1] argument 0: expected a dat, got 'memref<1xf64>'; write 'global' before a memref}}
  op2.par_loop @k over %s args(read %g : memref<1xf64>)
  return
}

// -----

// L1: a map
llvm.func @k(!llvm.ptr)
func.func @not_a_map(%s: !op2.set, %d: !op2.dat<1xf64>) {
  // expected-error @+1 {{[L1] argument 0: expected a map after 'via', got '!op2.dat<1xf64>'}}
  op2.par_loop @k over %s args(read %d : !op2.dat<1xf64> via %d[0] : !op2.dat<1xf64>)
  return
}

// -----

// L1: a flag
llvm.func @k(!llvm.ptr)
func.func @not_a_flag(%s: !op2.set, %d: !op2.dat<1xf64>, %i: i32) {
  // expected-error @+1 {{[L1] argument 0: the flag must be an i1, got 'i32'}}
  "op2.par_loop"(%s, %i, %d) {kernel = @k, args = [#op2.arg<kind = dat, access = read, slot = -1, count = 1, is_vector = false, is_packed = false, is_injective = false, is_optional = true>]} : (!op2.set, i32, !op2.dat<1xf64>) -> ()
  return
}

// -----

// L2: slot beyond the map
llvm.func @k(!llvm.ptr)
func.func @slot(%s: !op2.set, %m: !op2.map<2>, %d: !op2.dat<1xf64>) {
  // expected-error @+1 {{[L2] argument 0: slot 2 of '!op2.map<2>'; expected slots from 0 up to its arity}}
  op2.par_loop @k over %s args(read %d : !op2.dat<1xf64> via %m[2] : !op2.map<2>)
  return
}

// -----

// L2: negative slot
llvm.func @k(!llvm.ptr)
func.func @negative_slot(%s: !op2.set, %m: !op2.map<2>, %d: !op2.dat<1xf64>) {
  // expected-error @+1 {{[L2] map slot must not be negative, got -1}}
  op2.par_loop @k over %s args(read %d : !op2.dat<1xf64> via %m[-1] : !op2.map<2>)
  return
}

// -----

// L2: slots beyond the map
llvm.func @k(!llvm.ptr)
func.func @slots(%s: !op2.set, %m: !op2.map<2>, %d: !op2.dat<1xf64>) {
  // expected-error @+1 {{[L2] argument 0: slots 1 to 3 of '!op2.map<2>'; expected slots from 0 up to its arity}}
  op2.par_loop @k over %s args(read %d : !op2.dat<1xf64> via %m[1 to 3] : !op2.map<2>)
  return
}

// -----

// L2: no slots, also where the arity is not known
llvm.func @k(!llvm.ptr)
func.func @no_slots(%s: !op2.set, %m: !op2.map<?>, %d: !op2.dat<1xf64>) {
  // expected-error @+1 {{[L2] argument 0: slots 3 to 3 of '!op2.map<?>'}}
  op2.par_loop @k over %s args(read %d : !op2.dat<1xf64> via %m[3 to 3] : !op2.map<?>)
  return
}

// -----

// L3
llvm.func @k(!llvm.ptr)
func.func @work_dat(%s: !op2.set, %d: !op2.dat<1xf64>) {
  // expected-error @+1 {{[L3] argument 0: a dat cannot have access 'work'}}
  op2.par_loop @k over %s args(work %d : !op2.dat<1xf64>)
  return
}

// -----

// L4: dynamic size
llvm.func @k(!llvm.ptr)
func.func @global_size(%s: !op2.set, %g: memref<?xf64>) {
  // expected-error @+1 {{[L4] argument 0: a global must be a memref<NxT> of static size, got 'memref<?xf64>'}}
  op2.par_loop @k over %s args(read global %g : memref<?xf64>)
  return
}

// -----

// L4: through a map
llvm.func @k(!llvm.ptr)
func.func @global_map(%s: !op2.set, %m: !op2.map<2>, %g: memref<1xf64>) {
  // expected-error @+1 {{[L4] argument 0: a global cannot be reached through a map}}
  op2.par_loop @k over %s args(read global %g : memref<1xf64> via %m[0] : !op2.map<2>)
  return
}

// -----

// L5
llvm.func @k(!llvm.ptr)
func.func @index_optional(%s: !op2.set, %f: i1) {
  // expected-error @+1 {{[L5] argument 0: an index is read and cannot be optional}}
  op2.par_loop @k over %s args(if %f index)
  return
}

// -----

// L6
llvm.func @k(!llvm.ptr)
func.func @index_vector(%s: !op2.set, %m: !op2.map<2>) {
  // expected-error @+1 {{[L6] argument 0: only a dat reached through a map can be a vector argument}}
  op2.par_loop @k over %s args(index via %m[0 to 2] : !op2.map<2>)
  return
}

// -----

// L23
llvm.func @k(!llvm.ptr)
func.func @injective_rows(%s: !op2.set, %m: !op2.map<2>, %d: !op2.dat<1xf64>) {
  // expected-error @+1 {{[L23] argument 0: only one slot of a map can be injective}}
  op2.par_loop @k over %s args(rw %d : !op2.dat<1xf64> via %m[0 to 2] injective : !op2.map<2>)
  return
}

// -----

// L6: count without vector
llvm.func @k(!llvm.ptr)
func.func @count(%s: !op2.set, %m: !op2.map<2>, %d: !op2.dat<1xf64>) {
  // expected-error @+1 {{[L6] argument 0: count must be 1, got 2}}
  "op2.par_loop"(%s, %d, %m) {kernel = @k, args = [#op2.arg<kind = dat, access = read, slot = 0, count = 2, is_vector = false, is_packed = false, is_injective = false, is_optional = false>]} : (!op2.set, !op2.dat<1xf64>, !op2.map<2>) -> ()
  return
}

// -----

// L7
llvm.func @k(!llvm.ptr, !llvm.ptr)
func.func @reduced_twice(%s: !op2.set, %g: memref<1xf64>) {
  // expected-error @+1 {{[L7] argument 0: a reduced global cannot be argument 1 as well}}
  op2.par_loop @k over %s args(inc global %g : memref<1xf64>, read global %g : memref<1xf64>)
  return
}

// -----

// L8
func.func @no_kernel(%s: !op2.set) {
  // expected-error @+1 {{[L8] kernel 'k' is not a function}}
  op2.par_loop @k over %s args()
  return
}

// -----

// L9: number of parameters
// expected-note @+1 {{kernel declared here}}
func.func private @k(memref<1xf64>)
func.func @parameters(%s: !op2.set, %d: !op2.dat<1xf64>) {
  // expected-error @+1 {{[L9] kernel 'k' takes 1 parameters, the loop passes 2}}
  op2.par_loop @k over %s args(read %d : !op2.dat<1xf64>, read %d : !op2.dat<1xf64>)
  return
}

// -----

// L9: type of a parameter
// expected-note @+1 {{kernel declared here}}
func.func private @k(memref<2xf64>)
func.func @parameter_type(%s: !op2.set, %d: !op2.dat<4xf64>) {
  // expected-error @+1 {{[L9] parameter 0 of kernel 'k' has type 'memref<2xf64>', the loop passes 'memref<4xf64>'}}
  op2.par_loop @k over %s args(read %d : !op2.dat<4xf64>)
  return
}

// -----

// L9
// expected-note @+1 {{kernel declared here}}
func.func private @k(memref<1xf64>) attributes {CConv = #llvm.cconv<fastcc>}
func.func @convention(%s: !op2.set, %d: !op2.dat<1xf64>) {
  // expected-error @+1 {{[L9] kernel 'k' has the calling convention fastcc; expected that of C}}
  op2.par_loop @k over %s args(read %d : !op2.dat<1xf64>)
  return
}

// -----

// L9: an imported kernel takes pointers
// expected-note @+1 {{kernel declared here}}
llvm.func @k(f64)
func.func @parameter_by_value(%s: !op2.set, %d: !op2.dat<1xf64>) {
  // expected-error @+1 {{[L9] parameter 0 of kernel 'k' has type 'f64', the loop passes '!llvm.ptr'}}
  op2.par_loop @k over %s args(read %d : !op2.dat<1xf64>)
  return
}

// -----

// L10
// expected-note @+1 {{kernel declared here}}
func.func private @k(memref<1xf64>) -> f64
func.func @result(%s: !op2.set, %d: !op2.dat<1xf64>) {
  // expected-error @+1 {{[L10] kernel 'k' must not return a value}}
  op2.par_loop @k over %s args(read %d : !op2.dat<1xf64>)
  return
}

// -----

// L11
// expected-note @+1 {{kernel declared here}}
func.func private @k(memref<?xf64>)
func.func @run_time_dim(%s: !op2.set, %d: !op2.dat<?xf64>) {
  // expected-error @+1 {{[L11] argument 0: a dat of run-time dim needs an llvm.func kernel}}
  op2.par_loop @k over %s args(read %d : !op2.dat<?xf64>)
  return
}

// -----

func.func @access(%s: !op2.set, %d: !op2.dat<1xf64>) {
  // expected-error @+1 {{expected an access (read, write, rw, inc, min, max, work, reduce) or 'index', got 'add'}}
  op2.par_loop @k over %s args(add %d : !op2.dat<1xf64>)
  return
}

// -----

// L14: what an info follows
llvm.func @k(!llvm.ptr, !llvm.ptr)
func.func @info_of_sum(%s: !op2.set, %g: memref<1xf64>, %i: memref<1xi32>) {
  // expected-error @+1 {{[L14] argument 1: argument 0, which it follows, is no 'max global'}}
  op2.par_loop @k over %s args(inc global %g : memref<1xf64>, max info of 0 %i : memref<1xi32>)
  return
}

// -----

// L14: number of the followed argument
llvm.func @k(!llvm.ptr, !llvm.ptr)
func.func @info_of_none(%s: !op2.set, %g: memref<1xf64>, %i: memref<1xi32>) {
  // expected-error @+1 {{[L14] argument 1: argument 2, which it follows, is no 'max global'}}
  op2.par_loop @k over %s args(max global %g : memref<1xf64>, max info of 2 %i : memref<1xi32>)
  return
}

// -----

// L14: access of an info
llvm.func @k(!llvm.ptr, !llvm.ptr)
func.func @info_access(%s: !op2.set, %g: memref<1xf64>, %i: memref<1xi32>) {
  // expected-error @+1 {{[L14] argument 1: the access of an info is 'min' or 'max'}}
  op2.par_loop @k over %s args(max global %g : memref<1xf64>, inc info of 0 %i : memref<1xi32>)
  return
}

// -----

// L14: dims
llvm.func @k(!llvm.ptr, !llvm.ptr)
func.func @info_dim(%s: !op2.set, %g: memref<2xf64>, %i: memref<3xi32>) {
  // expected-error @+1 {{[L14] argument 1: its dim 3 is no multiple of 2, that of argument 0}}
  op2.par_loop @k over %s args(min global %g : memref<2xf64>, min info of 0 %i : memref<3xi32>)
  return
}

// -----

// L14: an info is always there
llvm.func @k(!llvm.ptr, !llvm.ptr)
func.func @optional_info(%s: !op2.set, %g: memref<1xf64>, %i: memref<1xi32>, %f: i1) {
  // expected-error @+1 {{[L14] argument 1: an info cannot be optional}}
  op2.par_loop @k over %s args(min global %g : memref<1xf64>, if %f min info of 0 %i : memref<1xi32>)
  return
}

// -----

func.func @kind(%s: !op2.set, %d: !op2.dat<1xf64>) {
  // expected-error @+1 {{expected 'global', 'info', a layout (aos, soa) or a value, got 'columns'}}
  op2.par_loop @k over %s args(read columns %d : !op2.dat<1xf64>)
  return
}

// -----

// L15
llvm.func @k(!llvm.ptr)
func.func @soa_of_run_time_dim(%s: !op2.set, %d: !op2.dat<?xf64>) {
  // expected-error @+1 {{[L15] argument 0: the dim of a dat with layout soa must be static}}
  op2.par_loop @k over %s args(read soa %d : !op2.dat<?xf64>)
  return
}

// -----

// L15
func.func private @k(memref<2xf64>, memref<2xf64>)
func.func @two_layouts(%s: !op2.set, %d: !op2.dat<2xf64>) {
  // expected-error @+1 {{[L15] argument 1: layout any, but the same dat is argument 0 with layout soa}}
  op2.par_loop @k over %s args(read soa %d : !op2.dat<2xf64>, read %d : !op2.dat<2xf64>)
  return
}

// -----

// L15
func.func private @k(memref<1xf64>)
func.func @layout_of_a_global(%s: !op2.set, %g: memref<1xf64>) {
  // expected-error @+1 {{[L15] argument 0: only a dat has a layout}}
  "op2.par_loop"(%s, %g) {kernel = @k, args = [#op2.arg<kind = global, access = read, slot = -1, count = 1, is_vector = false, is_packed = false, is_injective = false, is_optional = false, layout = soa>]} : (!op2.set, memref<1xf64>) -> ()
  return
}

// -----

// The range of block sizes
llvm.func @k(!llvm.ptr)
func.func @block_size(%s: !op2.set, %d: !op2.dat<1xf64>) {
  // expected-error @+1 {{attribute 'block_size' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative whose maximum value is 65536}}
  op2.par_loop @k over %s args(read %d : !op2.dat<1xf64>) {block_size = -4 : i64}
  return
}

// -----

// L6: more rows than a kernel gets pointers
llvm.func @k(!llvm.ptr)
func.func @many_slots(%s: !op2.set, %d: !op2.dat<1xf64>, %m: !op2.map<?>) {
  // expected-error @+1 {{[L6] argument 0: count must be a number from 1 to 4096, got 2000000000}}
  op2.par_loop @k over %s args(read %d : !op2.dat<1xf64> via %m[0 to 2000000000] : !op2.map<?>)
  return
}

// -----

// L2: no slots at all, however that is written
llvm.func @k(!llvm.ptr)
func.func @no_slots(%s: !op2.set, %d: !op2.dat<1xf64>, %m: !op2.map<?>) {
  // expected-error @+1 {{[L2] argument 0: slots 5 to 5 of '!op2.map<?>'; expected slots from 0 up to its arity}}
  op2.par_loop @k over %s args(read %d : !op2.dat<1xf64> via %m[5 to -9223372036854775807] : !op2.map<?>)
  return
}

// -----

// L21: one row is as it is
llvm.func @k(!llvm.ptr)
func.func @packed_row(%s: !op2.set, %d: !op2.dat<1xf64>, %m: !op2.map<2>) {
  // expected-error @+1 {{[L21] argument 0: only a vector argument can be packed; expected 'via', a map and its slots}}
  op2.par_loop @k over %s args(read packed %d : !op2.dat<1xf64> via %m[0] : !op2.map<2>)
  return
}

// -----

// L21: nor a direct one
llvm.func @k(!llvm.ptr)
func.func @packed_direct(%s: !op2.set, %d: !op2.dat<1xf64>) {
  // expected-error @+1 {{[L21] argument 0: only a vector argument can be packed}}
  op2.par_loop @k over %s args(read packed %d : !op2.dat<1xf64>)
  return
}

// -----

// L21: private memory has a known size
llvm.func @k(!llvm.ptr)
func.func @packed_dynamic(%s: !op2.set, %d: !op2.dat<?xf64>, %m: !op2.map<2>) {
  // expected-error @+1 {{[L21] argument 0: a packed argument needs a static dim, got '!op2.dat<?xf64>'}}
  op2.par_loop @k over %s args(read packed %d : !op2.dat<?xf64> via %m[0 to 2] : !op2.map<2>)
  return
}

// -----

// L21: that is not too large
llvm.func @k(!llvm.ptr)
func.func @packed_large(%s: !op2.set, %d: !op2.dat<33xf64>, %m: !op2.map<256>) {
  // expected-error @+1 {{[L21] argument 0: packed rows have at most 65536 bytes, got 256 of '!op2.dat<33xf64>'}}
  op2.par_loop @k over %s args(inc packed %d : !op2.dat<33xf64> via %m[0 to 256] : !op2.map<256>)
  return
}

// -----

// L9: one operand
// expected-note @+1 {{kernel declared here}}
func.func private @k(memref<2xf64>, memref<2xf64>)
func.func @packed_operands(%s: !op2.set, %d: !op2.dat<2xf64>, %m: !op2.map<2>) {
  // expected-error @+1 {{[L9] kernel 'k' takes 2 parameters, the loop passes 1}}
  op2.par_loop @k over %s args(read packed %d : !op2.dat<2xf64> via %m[0 to 2] : !op2.map<2>)
  return
}

// -----

// L22
llvm.func @k(!llvm.ptr)
func.func @merged_dat(%s: !op2.set, %f: !llvm.ptr, %d: !op2.dat<1xf64>) {
  // expected-error @+1 {{[L22] argument 0: only a global can have access 'reduce'}}
  op2.par_loop @k over %s args(reduce %f from %d %d : !op2.dat<1xf64>)
  return
}

// -----

// L22: what is no function
llvm.func @k(!llvm.ptr)
func.func @merged_by_global(%s: !op2.set, %g: memref<1xf64>) {
  // expected-error @+1 {{[L22] argument 0: expected the address of a function, '!llvm.ptr', after 'reduce', got 'memref<1xf64>'}}
  "op2.par_loop"(%s, %g, %g, %g) {kernel = @k, args = [#op2.arg<kind = global, access = reduce, slot = -1, count = 1, is_vector = false, is_packed = false, is_injective = false, is_optional = false>]} : (!op2.set, memref<1xf64>, memref<1xf64>, memref<1xf64>) -> ()
  return
}

// -----

// L22: another identity
llvm.func @k(!llvm.ptr)
func.func @merged_from(%s: !op2.set, %f: !llvm.ptr, %i: memref<2xf64>, %g: memref<1xf64>) {
  // expected-error @+1 {{[L22] argument 0: expected an identity of the global's type 'memref<1xf64>', got 'memref<2xf64>'}}
  "op2.par_loop"(%s, %f, %i, %g) {kernel = @k, args = [#op2.arg<kind = global, access = reduce, slot = -1, count = 1, is_vector = false, is_packed = false, is_injective = false, is_optional = false>]} : (!op2.set, !llvm.ptr, memref<2xf64>, memref<1xf64>) -> ()
  return
}

// -----

// L7
llvm.func @k(!llvm.ptr, !llvm.ptr)
func.func @merged_twice(%s: !op2.set, %f: !llvm.ptr, %i: memref<1xf64>, %g: memref<1xf64>) {
  // expected-error @+1 {{[L7] argument 0: a reduced global cannot be argument 1 as well}}
  op2.par_loop @k over %s args(reduce %f from %i global %g : memref<1xf64>, read global %g : memref<1xf64>)
  return
}

// -----

// L1
llvm.func @k(!llvm.ptr)
func.func @merged_alone(%s: !op2.set, %g: memref<1xf64>) {
  // expected-error @+1 {{[L1] its arguments need 3 values, got 1}}
  "op2.par_loop"(%s, %g) {kernel = @k, args = [#op2.arg<kind = global, access = reduce, slot = -1, count = 1, is_vector = false, is_packed = false, is_injective = false, is_optional = false>]} : (!op2.set, memref<1xf64>) -> ()
  return
}

// -----

func.func private @outside(%a: memref<1xf64>) { return }
%n = arith.constant 4 : index
%s = op2.decl_set "s" size %n
%d = op2.decl_dat "d" on %s : !op2.dat<1xf64>
// expected-error @+1 {{stands outside of functions; expected it in the body of one}}
op2.par_loop @outside over %s args(rw %d : !op2.dat<1xf64>)

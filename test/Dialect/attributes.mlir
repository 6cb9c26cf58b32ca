// The attributes of the dialect's table, where they belong.
//
// RUN: op2-opt %s --verify-roundtrip | op2-opt | FileCheck %s
// RUN: op2-opt --mlir-print-op-generic %s | op2-opt | FileCheck %s

// CHECK: #[[PLACE:.*]] = loc("flux.h":12:3)
// CHECK: module attributes {op2.machine = #op2.machine<vector_bits = 512, gathers = true, vector_math_bits = 256, chips = ["sm_80", "sm_90"]>}
module attributes {op2.machine = #op2.machine<
    vector_bits = 512, gathers = true, vector_math_bits = 256, chips = ["sm_80", "sm_90"]>} {
  llvm.func @kernel(!llvm.ptr)

  // CHECK: func.func @fused
  // CHECK-SAME: op2.fusible, op2.outcome = "saves 8 bytes for each element", op2.saved_bytes = 8 : i64, op2.variant = #op2.variant<fused>
  func.func @fused(%s: !op2.set, %q: !op2.dat<1xf64>) attributes {
      op2.fusible, op2.variant = #op2.variant<fused>, op2.saved_bytes = 8 : i64,
      op2.outcome = "saves 8 bytes for each element"} {
    // CHECK: op2.not_raised = #op2.obstacle<"calls 'printf'", #[[PLACE]]>
    op2.par_loop @kernel over %s args(rw %q : !op2.dat<1xf64>)
        {op2.not_raised = #op2.obstacle<"calls 'printf'", loc("flux.h":12:3)>}
    return
  }

  // CHECK: func.func private @split
  // CHECK-SAME: op2.variant = #op2.variant<split>
  func.func private @split(!op2.set) attributes {
      op2.variant = #op2.variant<split>, op2.outcome = "its parts are one"}

  // CHECK: func.func private @partly(!op2.map<?> {op2.likely_arity = 3 : i64})
  func.func private @partly(!op2.map<?> {op2.likely_arity = 3 : i64})

  // CHECK: func.func @planned
  func.func @planned(%s: !op2.set, %q: !op2.dat<1xf64>) {
    // CHECK: op2.not_vectorized = "argument 0 is optional"
    %loop = op2.loop_begin "k" over %s args(read %q : !op2.dat<1xf64>)
        {target = #op2.target<openmp>, strategy = "direct", op2.not_vectorized = "argument 0 is optional"}
    op2.loop_end %loop
    return
  }
}

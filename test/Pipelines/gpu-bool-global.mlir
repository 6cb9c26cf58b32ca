// A global of truth values that is written: a block of a GPU finds out whose
// value stays by words, as warps exchange no bits. Found by op2-fuzz.
// RUN: op2-opt %s --op2-to-gpu | FileCheck %s
// RUN: op2-run --target=emulator --shared-libs=%runner_utils %s | FileCheck %s --check-prefix=RESULT
// CHECK: op2_finish_write_i1
// RESULT: 0
func.func private @printI64(i64)
func.func private @printNewline()
memref.global "private" @flag : memref<1xi1> = dense<true>
func.func private @clear(%flag: memref<1xi1>) {
  %c0 = arith.constant 0 : index
  %false = arith.constant false
  memref.store %false, %flag[%c0] : memref<1xi1>
  return
}
func.func @main() {
  %size = arith.constant 40 : index
  %c0 = arith.constant 0 : index
  %set = op2.decl_set "set" size %size
  %flag = memref.get_global @flag : memref<1xi1>
  op2.par_loop @clear over %set args(write global %flag : memref<1xi1>)
  %bit = memref.load %flag[%c0] : memref<1xi1>
  %value = arith.extui %bit : i1 to i64
  call @printI64(%value) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

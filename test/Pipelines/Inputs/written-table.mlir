llvm.mlir.global external @weights() : !llvm.ptr

llvm.func internal @keep(%q: !llvm.ptr) attributes {dso_local, target_cpu = "x86-64"} {
  %a = llvm.mlir.addressof @weights : !llvm.ptr
  %w = llvm.load %a : !llvm.ptr -> !llvm.ptr
  %x = llvm.load %q : !llvm.ptr -> f64
  %p = llvm.getelementptr %w[1] : (!llvm.ptr) -> !llvm.ptr, f64
  llvm.store %x, %p : f64, !llvm.ptr
  llvm.return
}

func.func @step(%cells: !op2.set, %q: !op2.dat<1xf64>) {
  op2.par_loop @keep over %cells args(rw %q : !op2.dat<1xf64>)
  return
}

//===- LoopPasses.td - Passes on loops, before plans are -*- tablegen -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TRANSFORMS_LOOPPASSES_TD
#define OP2_TRANSFORMS_LOOPPASSES_TD

include "mlir/Pass/PassBase.td"

def OP2RaiseKernelsPass : Pass<"op2-raise-kernels", "::mlir::ModuleOp"> {
  let summary = "Turn imported kernels into func.func on memrefs";
  let description = [{
    Writes each `llvm.func` kernel of an `op2.par_loop` again as a `func.func`
    on `memref<dim x T>` (rule L9), in arith, math, memref and scf, and makes
    the loop call that: once for each list of argument types. An imported
    kernel that has no users left is erased.

    Every op becomes one that is lowered to the op it was, with its flags, so
    results do not change in a bit. `llvm.intr.fmuladd` becomes what the target
    makes of it (from the module's triple and the kernel's `target_features`):
    `math.fma`, or a product and a sum; it stays where the target is not known.
    Variables of the program stay `llvm.load`s, and pure scalar intrinsics
    without an op in arith or math stay what they are.

    Beside `@k.op2`, a kernel that is not raised since some of its paths never
    return, may stand `@k.usual.op2` without these paths and `@k.check.op2`, which returns
    whether an element takes one (`i1`). If both can be raised, and no result of
    the check depends on what the loop adds or reduces, the loop calls the
    former, and has `op2.usual`: op2-vectorize sees to the rest.

    A kernel that cannot be raised stays as it is, and a remark says what is in
    the way, as `op2.not_raised` on the loop does: calls other than of the C library's functions of floats; accesses
    that are no element of an argument's row; pointers that may point to
    different objects, or are compared, stored or converted; stores to
    variables of the program; volatile and atomic accesses; arguments of
    run-time dim.

    Example:

    ```mlir
    llvm.func @update(%q: !llvm.ptr, %r: !llvm.ptr) {
      %0 = llvm.getelementptr inbounds %q[1] : (!llvm.ptr) -> !llvm.ptr, f64
      %1 = llvm.load %0 : !llvm.ptr -> f64
      %2 = llvm.intr.sqrt(%1) : (f64) -> f64
      llvm.store %2, %r : f64, !llvm.ptr
      llvm.return
    }
    ```

    becomes

    ```mlir
    func.func private @update.raised(%q: memref<2xf64>, %r: memref<1xf64>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = memref.load %q[%c1] : memref<2xf64>
      %1 = math.sqrt %0 : f64
      memref.store %1, %r[%c0] : memref<1xf64>
      return
    }
    ```
  }];
  let statistics = [
    Statistic<"numRaised", "num-raised", "Number of loops with a raised kernel">,
    Statistic<"numKept", "num-kept",
              "Number of loops whose kernel could not be raised">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::op2::OP2Dialect", "::mlir::scf::SCFDialect",
    "::mlir::ub::UBDialect"
  ];
}

def OP2AttachMachinePass : Pass<"op2-attach-machine", "::mlir::ModuleOp"> {
  let summary = "Say what machine a module is compiled for";
  let description = [{
    Sets the module's attribute `op2.machine` (see `#op2.machine`), which later
    passes read. What an option gives replaces what the attribute says; where
    there is no attribute, the rest follows from `cpu`, the processor that this
    runs on unless one is named. Processors other than x86-64 with AVX2 have no
    vector registers that would be used.

    Example:

    ```mlir
    module {
    }
    ```

    becomes, with `cpu=x86-64-v4`,

    ```mlir
    module attributes {op2.machine = #op2.machine<vector_bits = 512>} {
    }
    ```
  }];
  let options = [
    Option<"cpu", "cpu", "std::string", /*default=*/"",
           "A processor of x86-64, as -march= calls it, or native">,
    Option<"vectorBits", "vector-bits",
           "::mlir::op2::NumberIn<::mlir::op2::kMachineVectorBits>",
           /*default=*/"-1",
           "Size of the vector registers to use on the host; 0 for none, -1 for "
           "those that the processor has">,
    Option<"gathers", "gathers", "bool", /*default=*/"false",
           "Gathers are fast, whatever the processor">,
    Option<"vectorMath", "vector-math", "bool", /*default=*/"false",
           "Call libmvec for functions like exp of several numbers">,
    ListOption<"chips", "chips", "std::string", "GPUs to compile for">
  ];
  let dependentDialects = ["::mlir::op2::OP2Dialect"];
}

def OP2FusePass : Pass<"op2-fuse", "::mlir::ModuleOp"> {
  let summary = "Make neighbouring parallel loops one";
  let description = [{
    Two `op2.par_loop`s on one set, with nothing but ops without effects
    between them, become one whose kernel does to each element what the first
    kernel does and then what the second one does. Data that both use directly,
    and rows that both read through one slot of one map, become one argument:
    they travel once. Goes before `op2-plan`.

    The rules F1 to F6 of docs/spec.md say when two loops may be fused; they
    leave every bit of the results as it was. A remark says why two neighbours
    stay two. Different handles are different data if the program declares them
    in the same function (`op2.decl_dat`), or if the function has the attribute
    `op2.fusible`, by which its caller promises what F4 to F6 leave to it. How
    loops will be vectorized (F6) follows from `op2.machine`.

    A function with `op2.variant = #op2.variant<fused>` whose loops stay more
    than one becomes a declaration; `op2.outcome` says why, or what was gained.

    Loops that may be fused are fused if that saves memory traffic, and if the new
    kernel does not hold more than 64 values of an element: every value is a register where kernels
    are vectorized across elements. One that does not find a register goes to the
    stack and back, which the first-level cache does at 16 times the rate of
    memory, so the limit is far above the number of registers.

    Example:

    ```mlir
    op2.par_loop @update over %cells args(
        read %qold : !op2.dat<4xf64>,
        write %q : !op2.dat<4xf64>)
    op2.par_loop @adt_calc over %cells args(
        read %q : !op2.dat<4xf64>,
        write %adt : !op2.dat<1xf64>)
    ```

    becomes

    ```mlir
    op2.par_loop @update.adt_calc over %cells args(
        read %qold : !op2.dat<4xf64>,
        write %q : !op2.dat<4xf64>,
        write %adt : !op2.dat<1xf64>) {loop_name = "update+adt_calc"}
    ```
  }];
  let options = [
    Option<"target", "target", "::mlir::op2::Target",
           /*default=*/"::mlir::op2::Target::OpenMP", "Where the loops will run",
           [{::mlir::op2::OneOf(::mlir::op2::kPlannedTargets)}]>
  ];
  let statistics = [
    Statistic<"numFused", "num-fused", "Number of pairs of loops fused">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
    "::mlir::op2::OP2Dialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def OP2DelayLoopsPass : Pass<"op2-delay-loops", "::mlir::ModuleOp"> {
  let summary = "Let the runtime run loops later, and flush before whatever looks";
  let description = [{
    An `op2.par_loop` whose kernel touches nothing but its arguments becomes a
    function with `op2.delayable` and an `op2.enqueue` of it, so that the runtime
    may let several loops go through the mesh in one sweep. `op2.flush` is placed
    by memory effects: before ops that read or write a global which such a loop
    changes, before ops of whose effects nothing is known, such as calls, and
    before the function returns; outside control flow in which no loop runs.
    Functions with `op2.delayable` or `op2.variant` stay as they are. Goes behind
    `op2-fuse`, before `op2-plan`. docs/design/queue.md has the reasons.

    Example:

    ```mlir
    op2.par_loop @add over %cells args(rw %q : !op2.dat<1xf64>, inc global %sum : memref<1xf64>)
    %value = memref.load %sum[%c0] : memref<1xf64>
    ```

    becomes, in a function `main`,

    ```mlir
    op2.enqueue @main.add(%cells, %q, %sum) : !op2.set, !op2.dat<1xf64>, memref<1xf64>
    op2.flush
    %value = memref.load %sum[%c0] : memref<1xf64>
    ```
  }];
  let options = [
    Option<"later", "later", "bool", /*default=*/"true",
           "Loops may run later">,
    Option<"again", "again", "bool", /*default=*/"false",
           "Also make functions, which are called at once, of loops that may "
           "not run later: ranks run elements at their borders again">
  ];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::op2::OP2Dialect"];
  let statistics = [
    Statistic<"numDelayed", "num-delayed", "Loops that may run later">
  ];
}

def OP2SplitPass : Pass<"op2-split", "::mlir::ModuleOp"> {
  let summary = "Make one loop two where its results fall into parts";
  let description = [{
    An `op2.par_loop` that changes several data which are computed independently
    of each other becomes two, each with the slice of the kernel that belongs to
    its data. Goes before `op2-plan`.

    The rules X1 to X4 of docs/spec.md say when that may be done. A loop that
    may be split is split if one of its parts can be vectorized, or
    (where `strategy` is `owner`) can be divided by ownership, while the whole
    cannot; or if the kernel holds more than `max-values` values of an element,
    and its parts hold fewer. What both parts read travels twice: the bytes that
    this adds for each element must be at most `max-extra` percent of those that
    the loop moves, unless the arithmetic that is then vectorized takes longer.
    A remark says why a loop stays one. docs/design/splitting.md has the reasons.

    Example:

    ```mlir
    op2.par_loop @both over %cells args(
        read %q : !op2.dat<4xf64>,
        inc %res : !op2.dat<4xf64> via %m[0] : !op2.map<2>,
        write %area : !op2.dat<1xf64>)
    ```

    becomes, with `strategy=owner max-extra=100`,

    ```mlir
    op2.par_loop @both.1 over %cells args(
        read %q : !op2.dat<4xf64>,
        inc %res : !op2.dat<4xf64> via %m[0] : !op2.map<2>)
    op2.par_loop @both.2 over %cells args(
        read %q : !op2.dat<4xf64>,
        write %area : !op2.dat<1xf64>)
    ```
  }];
  let options = [
    Option<"onlyVariants", "only-variants", "bool", /*default=*/"false",
           "Split the loops of functions that are there for that, no others">,
    Option<"maxValues", "max-values",
           "::mlir::op2::NumberIn<::mlir::op2::kValueCounts>",
           /*default=*/"64",
           "Values of an element that a kernel may hold at a time">,
    Option<"maxExtra", "max-extra",
           "::mlir::op2::NumberIn<::mlir::op2::kPercents>",
           /*default=*/"25",
           "Bytes that splitting may add, in percent of the loop's">,
    Option<"strategy", "strategy", "::mlir::op2::Strategy",
           /*default=*/"::mlir::op2::Strategy::Auto",
           "How loops will avoid races unless they say so themselves",
           [{::mlir::op2::OneOf(::mlir::op2::kStrategies)}]>
  ];
  let statistics = [
    Statistic<"numSplit", "num-split", "Number of loops split">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
    "::mlir::op2::OP2Dialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

#endif // OP2_TRANSFORMS_LOOPPASSES_TD

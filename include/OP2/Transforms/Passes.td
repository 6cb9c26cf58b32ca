//===- Passes.td - Passes from op2 to op2 -*- tablegen -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TRANSFORMS_PASSES_TD
#define OP2_TRANSFORMS_PASSES_TD

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

    Loops that may be fused are fused if that saves `min-saved` bytes of memory
    traffic for each element, and if the new kernel does not hold more than
    `max-values` values of an element: every value is a register where kernels
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
    Option<"maxValues", "max-values",
           "::mlir::op2::NumberIn<::mlir::op2::kValueCounts>",
           /*default=*/"64",
           "Values of an element that a fused kernel may hold at a time">,
    Option<"minSaved", "min-saved",
           "::mlir::op2::NumberIn<::mlir::op2::kSavedBytes>",
           /*default=*/"1",
           "Bytes for each element that fusing must save">,
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

def OP2PlanPass : Pass<"op2-plan", "::mlir::ModuleOp"> {
  let summary = "Make the plan of every parallel loop explicit";
  let description = [{
    Replaces each `op2.par_loop` by its execution on the plan level: the loop
    is begun, its plan acquired (a run-time call, cached there), and the
    kernel called in a loop over the elements of a block, in a parallel loop
    over the blocks of one colour, in a loop over the colours. A reduced
    global becomes one partial result per block.

    Before: `op2.par_loop` whose kernel is in the module. After: none left;
    `func.func` kernels have got the attribute `llvm.bareptr`. An argument that
    cannot run in parallel yet (a global that is written, scratch memory) is an
    error.

    The strategy decides how increments through maps avoid races. On a device:
    with `owner` blocks own rows, run all elements that reach them, and add to
    each row in the order of the elements: the bits of the sequential loop. That
    takes, beyond what it takes for OpenMP, a kernel that adds once to each
    component, in the order of the arguments; other loops are coloured on two
    levels, and `op2.not_owned` says why. `two-level` colours blocks and the
    elements in them, `atomics` nothing, `global` all elements; a loop with
    indirect `rw`, `min` or `max` cannot use atomics: it is coloured on two
    levels. The default is `owner`, but `two-level` where an element adds to more
    than four rows, each of which may have another owner. For OpenMP: `owner`
    (the default) divides the targets among the threads, `two-level` colours
    blocks. Loops can be divided whose kernel may run twice for an element (a
    `func.func` that touches its arguments only) and that change nothing but what
    they `inc` through maps, in dats of static dim; others are coloured.

    Example:

    ```mlir
    op2.par_loop @flux over %edges args(
        read %q : !op2.dat<4xf64> via %m[0] : !op2.map<2>,
        inc %r : !op2.dat<4xf64> via %m[1] : !op2.map<2>)
    ```

    becomes

    ```mlir
    %loop = op2.loop_begin "flux" over %edges args(…) {…}
    %plan = op2.plan %loop block_size 0
    %qd = op2.dat_data %q : !op2.dat<4xf64> -> memref<?x4xf64>
    %rd = op2.dat_data %r : !op2.dat<4xf64> -> memref<?x4xf64>
    %t = op2.map_table %m : !op2.map<2> -> memref<?x2xi32>
    op2.for_colors %c of %plan {
      op2.for_blocks %b of %plan color %c {
        op2.for_elements %e of %plan block %b {
          %0 = memref.load %t[%e, %c0] : memref<?x2xi32>
          %1 = arith.index_cast %0 : i32 to index
          %2 = op2.row %qd[%1] : memref<?x4xf64> -> memref<4xf64>
          …
          func.call @flux(%2, %5) : (memref<4xf64>, memref<4xf64>) -> ()
        }
      }
    }
    op2.loop_end %loop
    ```
  }];
  let options = [
    Option<"blockSize", "block-size",
           "::mlir::op2::NumberIn<::mlir::op2::kBlockSizes>",
           /*default=*/"0",
           "Elements per block; 0 leaves it to the runtime, for a device 128">,
    Option<"target", "target", "::mlir::op2::Target",
           /*default=*/"::mlir::op2::Target::OpenMP", "Where the loops will run",
           [{::mlir::op2::OneOf(::mlir::op2::kPlannedTargets)}]>,
    Option<"strategy", "strategy", "::mlir::op2::Strategy",
           /*default=*/"::mlir::op2::Strategy::Auto",
           "How loops avoid races unless they say so themselves",
           [{::mlir::op2::OneOf(::mlir::op2::kStrategies)}]>
  ];
  let statistics = [
    Statistic<"numLoops", "num-loops", "Number of loops planned">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
    "::mlir::op2::OP2Dialect", "::mlir::scf::SCFDialect"
  ];
}

def OP2ChooseLayoutPass : Pass<"op2-choose-layout", "::mlir::ModuleOp"> {
  let summary = "Choose how the dats of loops lie on a device";
  let description = [{
    Gives every dat argument of every loop a layout: `aos`, array of structs, or
    `soa`, struct of arrays. An argument that has one keeps it, the others get
    that of the option.

    Dats of one component, where both are the same, and of run-time dim are
    `aos`; so is a dat that a loop changes and reaches in more than one way, other
    than by adding to it through maps only: kernels get private copies of rows,
    and two copies of one row would not see each other's changes. So is one that
    it writes through a map, unless the kernel surely overwrites rows as a whole.
    If `soa` was asked for there, a warning says so. Such a loop costs conversions of
    the dat, which the runtime reports.

    Example:

    ```mlir
    op2.par_loop @flux over %edges args(
        read %q : !op2.dat<4xf64> via %m[0] : !op2.map<2>)
    ```

    becomes, with `layout=soa`,

    ```mlir
    op2.par_loop @flux over %edges args(
        read soa %q : !op2.dat<4xf64> via %m[0] : !op2.map<2>)
    ```
  }];
  let options = [
    Option<"layout", "layout", "::mlir::op2::Layout",
           /*default=*/"::mlir::op2::Layout::AoS",
           "Layout of dats for which the loop asks for none",
           [{::mlir::op2::OneOf(::mlir::op2::kLayouts)}]>
  ];
  let statistics = [
    Statistic<"numSoA", "num-soa", "Number of dats of a loop in layout soa">
  ];
}

def OP2ColorIncrementsPass : Pass<"op2-color-increments", "::mlir::ModuleOp"> {
  let summary = "Make increments on a device free of races";
  let description = [{
    In loops planned for a device, the kernel adds to private rows instead of
    the data that it shares with other elements; the private rows are then
    added as the plan's colouring asks: one element colour of the block after
    the other (`two_level`), atomically (`none`), as they are (`elements`,
    `blocks`: no two elements at a time touch the same data), or by the blocks
    that own what they are added to (`owned_rows`: `op2.owned_increments`,
    `op2.add_owned`).

    In loops with indirect `rw`, `min` or `max`, and increments of run-time dim
    or of too many bytes, the element colours of a two-level plan control the
    whole kernel, which then changes the data itself.

    Example:

    ```mlir
    func.call @flux(%q, %r) : (memref<4xf64>, memref<4xf64>) -> ()
    ```

    becomes

    ```mlir
    %p = memref.alloca() : memref<4xf64>
    …                                       // additive identities
    func.call @flux(%q, %p) : (memref<4xf64>, memref<4xf64>) -> ()
    op2.by_color %e of %plan block %b {
      op2.increment %p to %r : memref<4xf64>, memref<4xf64>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect", "::mlir::op2::OP2Dialect"
  ];
}

def OP2ApplyLayoutPass : Pass<"op2-apply-layout", "::mlir::ModuleOp"> {
  let summary = "Make dats structs of arrays, and give kernels copies of rows";
  let description = [{
    In loops planned for a device, the dats with layout `soa` become structs of
    arrays. The kernel, which wants the values of a row side by side, gets a
    private copy of each row, made right before the call and, if the loop changes
    the dat, brought back after it. Private rows of increments are added to the
    strided row as they are.

    So it does of an array of structs, if the loop changes the rows of its own
    elements and reaches the dat in no other way: everything is loaded before
    anything is stored, and rows are loaded and stored as a whole. That is for
    rows of at most eight values of 32 bits or more, which become registers.
    Others are changed where they are, as are those of optional arguments. What
    the kernel surely overwrites as a whole, and nothing reads, is not loaded.

    Before: layouts chosen (`--op2-choose-layout`), loops planned and free of
    races. Arguments without a layout are arrays of structs.

    Example:

    ```mlir
    %qd = op2.dat_data %q : !op2.dat<4xf64> -> memref<?x4xf64>
    …
      %1 = op2.row %qd[%0] : memref<?x4xf64> -> memref<4xf64>
      func.call @change(%1) : (memref<4xf64>) -> ()
    ```

    becomes

    ```mlir
    %qd = op2.dat_data %q : !op2.dat<4xf64> -> memref<?x4xf64, strided<[1, ?]>>
    …
      %1 = op2.row %qd[%0]
          : memref<?x4xf64, strided<[1, ?]>> -> memref<4xf64, strided<[?]>>
      %2 = op2.gather_row %1 : memref<4xf64, strided<[?]>> -> memref<4xf64>
      func.call @change(%2) : (memref<4xf64>) -> ()
      op2.scatter_row %2 to %1 : memref<4xf64>, memref<4xf64, strided<[?]>>
    ```
  }];
  let dependentDialects = ["::mlir::op2::OP2Dialect"];
}

def OP2CheckAccessesPass : Pass<"op2-check-accesses", "::mlir::ModuleOp"> {
  let summary = "Compare kernels with what loops declare";
  let description = [{
    Fails where a `func.func` kernel certainly does something else with its
    memory than the access of the argument says: stores something to what is
    `inc`, or computes with its value (L18 in docs/spec.md); reads what is
    `write` before it writes it (L19); overwrites what is `min` or `max` without
    a look at it (L20). Writes to what is `read` are L16, which the verifier
    checks. Changes nothing; goes where kernels are raised and each
    loop is as it was written. Programs in C++ are checked by op2c++, which
    knows their source.

    Example:

    ```mlir
    func.func private @flux(%q: memref<1xf64>, %r: memref<1xf64>) {
      %c0 = arith.constant 0 : index
      %0 = memref.load %q[%c0] : memref<1xf64>
      memref.store %0, %r[%c0] : memref<1xf64>
      return
    }
    ```

    of a loop with `inc` for the second argument is an error at the store:
    `[L18] kernel 'flux' overwrites parameter 1, which loop 'flux' declares
    'inc'`.
  }];
}

def OP2VerifyStagePass : Pass<"op2-verify-stage", "::mlir::ModuleOp"> {
  let summary = "Check that a part of a pipeline has done its work";
  let description = [{
    Fails, naming each op and its place, if ops are left that the passes before
    should have replaced: `op2.par_loop` where loops are `planned`; loops over
    plans, and what stands in them, where loops are `executed`. Changes nothing.

    Example: behind `--op2-to-openmp`'s planning

    ```mlir
    op2.par_loop @flux over %edges args(…)
    ```

    is an error: `'op2.par_loop' op is left where all loops should be planned`.
  }];
  let options = [
    Option<"stage", "stage", "::mlir::op2::Stage",
           /*default=*/"::mlir::op2::Stage::Planned", "What should be done",
           [{::mlir::op2::OneOf(::mlir::op2::kStages)}]>
  ];
}

def OP2VectorizePass : Pass<"op2-vectorize", "::mlir::ModuleOp"> {
  let summary = "Vectorize kernels across elements";
  let description = [{
    Gives `op2.for_elements` of loops planned for OpenMP their second region,
    for a vector of elements: the rows of all of them are loaded whole and
    transposed to vectors with a lane for each element, a version of the kernel
    for vectors is called, and results are transposed back. What the kernel adds
    goes to lanes of its own first, and then to the rows in the order of the
    elements, so that two elements of a vector may add to one row.

    The kernel must be a `func.func` with structured control flow on arith,
    math, memref and scf. What depends on no element stays scalar. Both sides of
    a branch whose condition differs between elements are executed under masks;
    a loop runs until its last lane is done. Kernels that spend most of their
    time in functions of the C library, such as exp, run `one_by_one`, unless
    these are called for several lanes at once (`vector_math_bits`). Cores do not
    see past such calls what later elements read: if one element takes less time
    (300 cycles) than a line needs from memory, the loop `prefetch`. Kernels that
    mostly read at indices that vary, or have more branches that exclude each
    other than pays, stay scalar. Remarks
    tell which loops stay as they are, and why; so does `op2.not_vectorized` on
    the loop's beginning.

    The vector factor follows from `op2.machine` (`vector_bits`,
    unless `width` is given), and so does whether rows of at most 64 bits are
    fetched by gathers. Without vector registers nothing is vectorized.

    Example:

    ```mlir
    op2.for_elements %e of %plan block %b {
      %0 = op2.row %qd[%e] : memref<?x2xf64> -> memref<2xf64>
      func.call @scale(%0) : (memref<2xf64>) -> ()
    }
    ```

    becomes, with `width=2`,

    ```mlir
    op2.for_elements %e of %plan block %b {
      …
    } lanes 2 %first {
      %l = memref.alloca() : memref<2x2xf64>
      %second = arith.addi %first, %c1 : index
      %0 = op2.row %qd[%first] : memref<?x2xf64> -> memref<2xf64>
      %1 = op2.row %qd[%second] : memref<?x2xf64> -> memref<2xf64>
      %2 = vector.load %0[%c0] : memref<2xf64>, vector<2xf64>
      %3 = vector.load %1[%c0] : memref<2xf64>, vector<2xf64>
      %4 = vector.shuffle %2, %3 [0, 2] : vector<2xf64>, vector<2xf64>
      %5 = vector.shuffle %2, %3 [1, 3] : vector<2xf64>, vector<2xf64>
      vector.store %4, %l[%c0, %c0] : memref<2x2xf64>, vector<2xf64>
      vector.store %5, %l[%c1, %c0] : memref<2x2xf64>, vector<2xf64>
      func.call @scale_x2(%l) : (memref<2x2xf64>) -> ()
      …
    }
    ```
  }];
  let options = [
    Option<"width", "width",
           "::mlir::op2::NumberIn<::mlir::op2::kVectorFactors>",
           /*default=*/"0",
           "The vector factor, a power of two; 0: as many as registers hold">
  ];
  let statistics = [
    Statistic<"numLoops", "num-loops", "Number of loops vectorized">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
    "::mlir::op2::OP2Dialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def OP2VectorMathPass : Pass<"op2-vector-math", "::mlir::ModuleOp"> {
  let summary = "Call libmvec for functions of vectors";
  let description = [{
    Operations of the math dialect on vectors of f32 or f64 become calls of
    libmvec, which comes with glibc on x86-64; without this pass they become
    calls of the C library, lane by lane. Vectors that are larger than a register
    are cut, and those smaller than 128 bits stay. libmvec's results may differ
    from those of the C library by a few units in the last place: this is done if
    `op2.machine` has `vector_math_bits`, the size of a register.

    Example:

    ```mlir
    %0 = math.exp %x : vector<8xf64>
    ```

    becomes

    ```mlir
    %0 = llvm.call @_ZGVeN8v_exp(%x) : (vector<8xf64>) -> vector<8xf64>
    ```
  }];
  let statistics = [
    Statistic<"numReplaced", "num-replaced", "Number of operations replaced">
  ];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::op2::OP2Dialect",
    "::mlir::vector::VectorDialect"
  ];
}

#endif // OP2_TRANSFORMS_PASSES_TD

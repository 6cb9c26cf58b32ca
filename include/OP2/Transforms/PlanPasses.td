//===- PlanPasses.td - Passes on plans, and how loops follow them -*- tablegen -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TRANSFORMS_PLANPASSES_TD
#define OP2_TRANSFORMS_PLANPASSES_TD

include "mlir/Pass/PassBase.td"

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
    each row in the order of the elements: the bits of the sequential loop. Loops
    that cannot be divided so are coloured on two levels, and `op2.not_owned`
    says why. `two-level` colours blocks and the
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

#endif // OP2_TRANSFORMS_PLANPASSES_TD

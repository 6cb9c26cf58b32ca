//===- OP2PlanOps.td - Plan level: how loops run -*- tablegen -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_DIALECT_OP2PLANOPS_TD
#define OP2_DIALECT_OP2PLANOPS_TD

include "mlir/Dialect/LLVMIR/LLVMOpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "OP2/Dialect/OP2Ops.td"

def OP2_Pointer : AnyTypeOf<[LLVM_AnyPointer, AnyMemRef],
                            "pointer or memref">;

// What the runtime answers lies in memory that op2.loop_begin, op2.loop_end and
// the like change, renumber and free: such an op stays between them, whatever
// its operands, and is not run where the program would not.
defvar OP2_ReadsRuntime = MemoryEffects<[MemRead]>;

//===----------------------------------------------------------------------===//
// A loop in progress
//===----------------------------------------------------------------------===//

def OP2_LoopBeginOp : OP2_Op<"loop_begin", [OP2_LoopInterface]> {
  let summary = "begin the execution of a loop";
  let description = [{
    Hands the handles of a loop to the runtime, which checks them, makes host
    copies current and starts the loop's clock. Everything up to the matching
    `op2.loop_end` belongs to this execution; executions do not nest.

    `target` and `strategy` say how the loop was compiled; diagnostics print
    them.

    Example:

    ```mlir
    %loop = op2.loop_begin "update" over %cells args(
        read %qold : !op2.dat<4xf64>, inc global %rms : memref<1xf64>)
        {target = #op2.target<openmp>, strategy = "direct"}
    ```
  }];
  let arguments = (ins StrAttr:$label, OP2_SetType:$set,
                       Variadic<AnyType>:$values, OP2_LoopArgArrayAttr:$args,
                       OP2_TargetAttr:$target, StrAttr:$strategy);
  let results = (outs OP2_LoopType:$loop);
  let assemblyFormat = [{
    $label `over` $set `args` `(` custom<LoopArgs>($args, $values, type($values))
    attr-dict
  }];
}

def OP2_LoopEndOp : OP2_Op<"loop_end"> {
  let summary = "end the execution of a loop";
  let arguments = (ins OP2_LoopType:$loop);
  let assemblyFormat = "$loop attr-dict";
}

def OP2_LoopRangeOp : OP2_Op<"loop_range", [OP2_ReadsRuntime]> {
  let summary = "elements that a loop runs over";
  let description = [{
    Those from `begin` (included) to `end` (excluded): all of the set, or, where
    the loop runs again for elements at the border of a rank's part, copies of
    them.

    Example:

    ```mlir
    %begin, %end = op2.loop_range %loop
    ```
  }];
  let arguments = (ins OP2_LoopType:$loop);
  let results = (outs Index:$begin, Index:$end);
  let assemblyFormat = "$loop attr-dict";
}

def OP2_RowEnds : MemRefRankOf<[I32], [1]>;

def OP2_RowEndsOp : OP2_Op<"row_ends", [OP2_ReadsRuntime,
                                        OP2_NamesArgument]> {
  let summary = "where the elements that lead to a row end";
  let description = [{
    If the elements that this execution runs lead to rows in ascending order,
    through the one slot of the map of argument `arg`, and at least two to a row
    in the mean: for each row the number of the first element that leads to a
    later one. Otherwise empty.

    Example:

    ```mlir
    %ends = op2.row_ends %loop arg 2 : memref<?xi32>
    ```
  }];
  let arguments = (ins OP2_LoopType:$loop, OP2_ArgNumberAttr:$arg);
  let results = (outs OP2_RowEnds:$ends);
  let assemblyFormat = "$loop `arg` $arg attr-dict `:` type($ends)";
  let hasVerifier = 1;
}

def OP2_IsAliasFreeOp : OP2_Op<"is_alias_free", [OP2_ReadsRuntime]> {
  let summary = "whether a loop's dats are distinct in memory";
  let description = [{
    True if no two dats that are different SSA values in the loop, at least one
    of them written or only one a struct of arrays, share storage in this
    execution, and no global lies in a dat. Code that relies on distinct pointers runs under this condition.
  }];
  let arguments = (ins OP2_LoopType:$loop);
  let results = (outs I1:$result);
  let assemblyFormat = "$loop attr-dict";
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

def OP2_PlanOp : OP2_Op<"plan"> {
  let summary = "acquire the plan of a loop";
  let description = [{
    The plan for this loop's set and arguments: built on first use, then found
    again. `block_size` is a number of elements, 0 for the runtime's choice,
    which never depends on the number of threads.

    `coloring` says what the plan colours: `blocks` (no two blocks of one
    colour conflict), `two_level` (blocks, and the elements within each block),
    `none` (one colour; increments must be atomic), `elements` (the elements
    of the whole set, which are then taken in the order of
    `op2.permuted_element`), or nothing because of `owner`: a block is what one
    thread runs, all elements that reach something in the ranges of the
    incremented sets that the thread owns; elements that reach the ranges of
    several threads run in each of them. Where the maps make that expensive, the
    runtime gives blocks with colours in its place. `owned_rows` is the same for
    devices: a block owns rows, and has all elements that reach them, in the
    order of `op2.permuted_element`; what they add goes to
    `op2.owned_increments`.

    Example:

    ```mlir
    %plan = op2.plan %loop block_size 128 {coloring = #op2.coloring<two_level>}
    ```
  }];
  let arguments = (ins OP2_LoopType:$loop,
                       OP2_BlockSizeAttr:$block_size,
                       DefaultValuedAttr<OP2_ColoringAttr,
                         "::mlir::op2::Coloring::Blocks">:$coloring);
  let results = (outs OP2_PlanType:$plan);
  let assemblyFormat = "$loop `block_size` $block_size attr-dict";
}

class OP2_RegionLoopOp<string mnemonic, list<Trait> traits = []>
    : OP2_Op<mnemonic, !listconcat(traits, [
        AutomaticAllocationScope,
        RecursiveMemoryEffects,
        SingleBlockImplicitTerminator<"YieldOp">])> {
  let regions = (region SizedRegion<1>:$body);
  let extraClassDeclaration = [{
    /// The loop's counter, of type index.
    ::mlir::BlockArgument getInductionVar() {
      return getBody().getArgument(0);
    }
  }];
  let skipDefaultBuilders = 1;
  let hasRegionVerifier = 1;
}

def OP2_ForColorsOp : OP2_RegionLoopOp<"for_colors"> {
  let summary = "loop over the block colours of a plan, one after another";
  let description = [{
    Runs the body for colour 0, 1, …; everything of one colour is finished
    before the next begins.

    Example:

    ```mlir
    op2.for_colors %c of %plan {
      op2.for_blocks %b of %plan color %c {
        op2.for_elements %e of %plan block %b {
          …
        }
      }
    }
    ```
  }];
  let arguments = (ins OP2_PlanType:$plan);
  let builders = [OpBuilder<(ins "::mlir::Value":$plan)>];
  let hasCustomAssemblyFormat = 1;
}

def OP2_ForBlocksOp : OP2_RegionLoopOp<"for_blocks"> {
  let summary = "parallel loop over the blocks of one colour";
  let description = [{
    Runs the body for the position of every block of the colour, in any order
    and at the same time. Positions number the blocks of the plan in the order
    of their colours.
  }];
  let arguments = (ins OP2_PlanType:$plan, Index:$color);
  let builders = [OpBuilder<(ins "::mlir::Value":$plan, "::mlir::Value":$color)>];
  let hasCustomAssemblyFormat = 1;
}

def OP2_ForElementsOp : OP2_RegionLoopOp<"for_elements"> {
  let summary = "loop over the elements of a block";
  let description = [{
    Runs the body for every element of the block at a position, in ascending
    order.

    The region `lanes`, if there is one, does the same for `width` elements at
    once, of which its argument is the first. It may run in place of the body
    for as many vectors as the block has, from its first element on, where
    `op2.is_alias_free` holds; the body runs for what is left.

    The region `guarded` stands where the plan's coloring is `owner`, and only
    there: it runs in place of the body for elements that may reach what the
    block does not own, leaves that as it is, and adds to sums of globals what
    the block is to count. It runs one element at a time unless all that the
    loop changes is added through maps.

    Where `row_ends` are given (`op2.row_ends`), the one thing that the loop
    changes is a row to which each element adds, and a loop over rows and their
    elements takes the place of both wherever there are such ends.

    Where `one_by_one` is set, vectors of elements would take longer than one
    element after the other: there are no `lanes`, and LLVM is asked not to
    vectorize either. Where `prefetch` is set, rows that are only read, through
    maps, are prefetched some elements ahead.

    Example:

    ```mlir
    op2.for_elements %e of %plan block %b {
      …
    } lanes 8 %first {
      …
    } guarded %g {
      …
    }
    ```
  }];
  let arguments = (ins OP2_PlanType:$plan, Index:$block,
                       Optional<OP2_RowEnds>:$row_ends,
                       OptionalAttr<OP2_WidthAttr>:$width,
                       UnitAttr:$one_by_one, UnitAttr:$prefetch);
  let regions = (region SizedRegion<1>:$body,
                        MaxSizedRegion<1>:$lanes,
                        MaxSizedRegion<1>:$guarded);
  let builders = [OpBuilder<(ins "::mlir::Value":$plan, "::mlir::Value":$block)>];
  let extraClassDeclaration = [{
    /// The loop's counter, of type index.
    ::mlir::BlockArgument getInductionVar() {
      return getBody().getArgument(0);
    }
    /// Whether there is a region for several elements at once.
    bool hasLanes() { return !getLanes().empty(); }
    /// Creates that region, with its argument and terminator.
    ::mlir::Block &createLanes(int64_t width);
    /// Whether there is a region for elements at the border of what is owned.
    bool hasGuarded() { return !getGuarded().empty(); }
    /// Creates that region, with its argument and terminator.
    ::mlir::Block &createGuarded();
  }];
  let hasCustomAssemblyFormat = 1;
}

def OP2_YieldOp : OP2_Op<"yield", [
    Pure, Terminator,
    ParentOneOf<["ForColorsOp", "ForBlocksOp", "ForElementsOp", "ByColorOp"]>]> {
  let summary = "end of the body of a loop over a plan";
  let assemblyFormat = "attr-dict";
}

def OP2_UsesThreadsOp : OP2_Op<"uses_threads", [OP2_ReadsRuntime]> {
  let summary = "whether the blocks of a plan are shared among threads";
  let description = [{
    False where one thread runs all blocks of this execution, because starting
    the others would take longer than they save: the runtime knows by trial.
    Results do not depend on it.

    Example:

    ```mlir
    %threads = op2.uses_threads %plan
    scf.if %threads { omp.parallel { ... } } else { ... }
    ```
  }];
  let arguments = (ins OP2_PlanType:$plan);
  let results = (outs I1:$result);
  let assemblyFormat = "$plan attr-dict";
}

def OP2_NumColorsOp : OP2_Op<"num_colors", [OP2_ReadsRuntime]> {
  let summary = "number of block colours of a plan";
  let arguments = (ins OP2_PlanType:$plan);
  let results = (outs Index:$count);
  let assemblyFormat = "$plan attr-dict";
}

def OP2_ColorRangeOp : OP2_Op<"color_range", [OP2_ReadsRuntime]> {
  let summary = "positions of the blocks of one colour";
  let description = [{
    The blocks of `color` stand at positions `begin` (included) to `end`
    (excluded).
  }];
  let arguments = (ins OP2_PlanType:$plan, Index:$color);
  let results = (outs Index:$begin, Index:$end);
  let assemblyFormat = "$plan `[` $color `]` attr-dict";
}

def OP2_ThreadRangeOp : OP2_Op<"thread_range", [OP2_ReadsRuntime]> {
  let summary = "positions of the blocks of one colour that a thread runs";
  let description = [{
    In a parallel region of OpenMP: of the blocks of `color`, the calling thread
    runs those at positions `begin` (included) to `end` (excluded). The threads
    of the innermost region share the colour's blocks evenly, in order, each
    block once. Outside of any region the one thread has all of them.

    Example:

    ```mlir
    %begin, %end = op2.thread_range %plan[%color]
    ```
  }];
  let arguments = (ins OP2_PlanType:$plan, Index:$color);
  let results = (outs Index:$begin, Index:$end);
  let assemblyFormat = "$plan `[` $color `]` attr-dict";
}

def OP2_BlockRangeOp : OP2_Op<"block_range", [OP2_ReadsRuntime]> {
  let summary = "elements of one block";
  let description = [{
    The block at position `block` holds the elements `begin` (included) to
    `end` (excluded).
  }];
  let arguments = (ins OP2_PlanType:$plan, Index:$block);
  let results = (outs Index:$begin, Index:$end);
  let assemblyFormat = "$plan `[` $block `]` attr-dict";
}

def OP2_NumPiecesOp : OP2_Op<"num_pieces", [OP2_ReadsRuntime]> {
  let summary = "number of pieces of one block of a plan by ownership";
  let arguments = (ins OP2_PlanType:$plan, Index:$block);
  let results = (outs Index:$count);
  let assemblyFormat = "$plan `[` $block `]` attr-dict";
}

def OP2_PieceOp : OP2_Op<"piece", [OP2_ReadsRuntime]> {
  let summary = "elements of one piece of a block";
  let description = [{
    Piece number `piece` of the block holds the elements `begin` (included) to
    `end` (excluded). They may reach what the block does not own where
    `is_guarded` is true.
  }];
  let arguments = (ins OP2_PlanType:$plan, Index:$block, Index:$piece);
  let results = (outs Index:$begin, Index:$end, I1:$is_guarded);
  let assemblyFormat = "$plan `[` $block `,` $piece `]` attr-dict";
}

def OP2_OwnedRangeOp : OP2_Op<"owned_range", [OP2_ReadsRuntime]> {
  let summary = "what one block owns";
  let description = [{
    The elements `begin` (included) to `end` (excluded) of the set that a dat
    lives on, to which no other block adds.

    Example:

    ```mlir
    %begin, %end = op2.owned_range %plan[%b] of %res : !op2.dat<4xf64>
    ```
  }];
  let arguments = (ins OP2_PlanType:$plan, Index:$block, OP2_DatType:$dat);
  let results = (outs Index:$begin, Index:$end);
  let assemblyFormat = [{
    $plan `[` $block `]` `of` $dat attr-dict `:` qualified(type($dat))
  }];
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

def OP2_ReductionBeginOp : OP2_Op<"reduction_begin", [OP2_NamesArgument]> {
  let summary = "begin a reduction of a global argument";
  let description = [{
    Prepares argument number `arg` of the loop, a global. With a plan it has a
    partial result for every block: 0 for `inc`, the identity for `reduce`, else
    the incoming value.

    A sum (`inc`) of `f32` or `f64` on the host is exact: it has no partial
    results, but terms, and needs no plan. Without a plan a `reduce` has one
    partial result.

    Example:

    ```mlir
    %red = op2.reduction_begin %loop arg 4 over %plan : !op2.reduction<1xi32>
    %sum = op2.reduction_begin %loop arg 5 : !op2.reduction<1xf64>
    ```
  }];
  let arguments = (ins OP2_LoopType:$loop, Optional<OP2_PlanType>:$plan,
                       OP2_ArgNumberAttr:$arg);
  let results = (outs OP2_ReductionType:$reduction);
  let assemblyFormat = "$loop `arg` $arg (`over` $plan^)? `:` qualified(type($reduction)) attr-dict";
  let hasVerifier = 1;
}

def OP2_ReductionPartialOp : OP2_Op<"reduction_partial", [OP2_ReadsRuntime]> {
  let summary = "the partial result of one block";
  let arguments = (ins OP2_ReductionType:$reduction, Index:$block);
  let results = (outs AnyMemRef:$partial);
  let assemblyFormat = "$reduction `[` $block `]` `:` qualified(type($reduction)) `->` type($partial) attr-dict";
  let hasVerifier = 1;
}

def OP2_TermsOp : OP2_Op<"terms", [MemoryEffects<[MemAlloc]>]> {
  let summary = "what elements add to an exact sum";
  let description = [{
    Memory for what the elements of one iteration add to an exact sum: the
    values of the element, or, where an iteration runs a vector of them, a row
    of lanes for each component. Those of one element are the additive identity
    at first; what they are when the iteration ends is added to the sum. Stands
    directly in the body of a loop over elements, at most once for each sum.

    Example:

    ```mlir
    %t = op2.terms %sum : !op2.reduction<1xf64> -> memref<1xf64>
    ```
  }];
  let arguments = (ins OP2_ReductionType:$reduction);
  let results = (outs AnyMemRef:$terms);
  let assemblyFormat = "$reduction `:` qualified(type($reduction)) `->` type($terms) attr-dict";
  let hasVerifier = 1;
}

def OP2_ReductionAddOp : OP2_Op<"reduction_add"> {
  let summary = "add terms of several elements to an exact sum";
  let description = [{
    Adds what `terms` has of `count` elements, from the beginning of the row of
    each component; with `rows` each element has one, of all components, most of
    which are likely to be the additive identity.

    With `split` they have been split by vectors, at `op2.reduction_split`: for
    each component in each lane, for the first two levels, the sum of the bits of `x + m`; for the
    third, which vectors skip where two left nothing, that of the bits of
    `x + m` less those of `m`; then the greatest absolute value, as its bits; then all bits of what was
    left. If nothing was left, and no term was too large, the terms themselves
    are not looked at.

    Example:

    ```mlir
    op2.reduction_add %terms to %sum elements %n split %levels
        : memref<1x1024xf64>, !op2.reduction<1xf64>, memref<1x5x8xi64>
    ```
  }];
  let arguments = (ins AnyMemRef:$terms, OP2_ReductionType:$reduction,
                       Index:$count, Optional<AnyMemRef>:$split,
                       UnitAttr:$rows);
  let assemblyFormat = [{
    (`rows` $rows^)? $terms `to` $reduction `elements` $count
    (`split` $split^)? attr-dict `:`
    type($terms) `,` qualified(type($reduction)) (`,` type($split)^)?
  }];
  let hasVerifier = 1;
}

def OP2_ReductionSplitOp : OP2_Op<"reduction_split", [OP2_ReadsRuntime]> {
  let summary = "where terms of an exact sum are to be split";
  let description = [{
    Three numbers m, each 2^-51 of the one before: `(x + m) - m` is a multiple of
    the last bit of m, what is left of x is exact, and the bits of such `x + m`
    can be added as integers. They are those of the thread and a component, and
    change with each `op2.reduction_add`.

    Example:

    ```mlir
    %m = op2.reduction_split %sum component %c0 : !op2.reduction<1xf64> -> memref<3xf64>
    ```
  }];
  let arguments = (ins OP2_ReductionType:$reduction, Index:$component);
  let results = (outs AnyMemRef:$middles);
  let assemblyFormat = "$reduction `component` $component `:` qualified(type($reduction)) `->` type($middles) attr-dict";
  let hasVerifier = 1;
}

def OP2_ReductionEndOp : OP2_Op<"reduction_end"> {
  let summary = "combine the partial results, or round the exact sum";
  let description = [{
    Combines the partial results in an order that depends on the plan only,
    and the outcome with the global. Adds an exact sum to the global, and rounds
    the result: the only rounding.
  }];
  let arguments = (ins OP2_ReductionType:$reduction);
  let assemblyFormat = "$reduction `:` qualified(type($reduction)) attr-dict";
}

//===----------------------------------------------------------------------===//
// Storage
//===----------------------------------------------------------------------===//

def OP2_DatDataOp : OP2_Op<"dat_data", [OP2_ReadsRuntime]> {
  let summary = "the storage of a dat";
  let description = [{
    All values of the dat. Valid while a loop on the dat is in progress. The
    layout of the result is that of the dat's copy on the loop's device: array
    of structs, or, with strides [1, ?], struct of arrays.

    Example:

    ```mlir
    %data = op2.dat_data %q : !op2.dat<4xf64> -> memref<?x4xf64>
    %soa = op2.dat_data %q : !op2.dat<4xf64> -> memref<?x4xf64, strided<[1, ?]>>
    ```
  }];
  let arguments = (ins OP2_DatType:$dat);
  let results = (outs AnyMemRef:$data);
  let assemblyFormat = "$dat attr-dict `:` qualified(type($dat)) `->` type($data)";
  let hasVerifier = 1;
}

def OP2_MapTableOp : OP2_Op<"map_table", [OP2_ReadsRuntime]> {
  let summary = "the table of a map";
  let arguments = (ins OP2_MapType:$map);
  let results = (outs AnyMemRef:$table);
  let assemblyFormat = "$map attr-dict `:` qualified(type($map)) `->` type($table)";
  let hasVerifier = 1;
}

def OP2_RowOp : OP2_Op<"row", [Pure]> {
  let summary = "one element's values";
  let description = [{
    The row of `data` with number `index`. Unlike a subview, the result has the
    identity layout, as kernels expect, because it starts at the row itself. Of
    a struct of arrays the row is no contiguous memory: a memref with a stride,
    for `op2.gather_row`.

    Example:

    ```mlir
    %r = op2.row %data[%e] : memref<?x4xf64> -> memref<4xf64>
    %s = op2.row %soa[%e]
        : memref<?x4xf64, strided<[1, ?]>> -> memref<4xf64, strided<[?]>>
    ```
  }];
  let arguments = (ins AnyMemRef:$data, Index:$index);
  let results = (outs OP2_Pointer:$row);
  let assemblyFormat = "$data `[` $index `]` attr-dict `:` type($data) `->` type($row)";
  let hasVerifier = 1;
}

def OP2_OwnedRowOp : OP2_Op<"owned_row", [Pure]> {
  let summary = "one element's values, where they are owned";
  let description = [{
    As `op2.row` if `begin <= index < end`; otherwise `spare`, private memory in
    the form of a row: what is added to it is lost.

    Example:

    ```mlir
    %spare = memref.alloca() : memref<4xf64>
    %r = op2.owned_row %data[%e] in %begin to %end else %spare
        : memref<?x4xf64>, memref<4xf64> -> memref<4xf64>
    ```
  }];
  let arguments = (ins AnyMemRef:$data, Index:$index, Index:$begin, Index:$end,
                       AnyMemRef:$spare);
  let results = (outs OP2_Pointer:$row);
  let assemblyFormat = [{
    $data `[` $index `]` `in` $begin `to` $end `else` $spare attr-dict
    `:` type($data) `,` type($spare) `->` type($row)
  }];
  let hasVerifier = 1;
}

def OP2_RowTableOp : OP2_Op<"row_table", [
    MemoryEffects<[MemAlloc, MemWrite]>]> {
  let summary = "an array of pointers to rows";
  let description = [{
    A private array that holds the given pointers, for kernels that take a
    vector argument as `T **`. It lives until the next execution of this op or
    the end of the function.
  }];
  let arguments = (ins Variadic<LLVM_AnyPointer>:$rows);
  let results = (outs LLVM_AnyPointer:$table);
  let assemblyFormat = "$rows attr-dict `:` functional-type($rows, $table)";
}

def OP2_PtrCastOp : OP2_Op<"ptr_cast", [Pure]> {
  let summary = "the same address as a pointer or as a memref";
  let description = [{
    From a pointer to a memref that starts there, or back. `sizes` are its
    dynamic sizes but the first, which stays unknown, and then its dynamic
    strides, if it has other strides than those of the identity layout.

    Example:

    ```mlir
    %m = op2.ptr_cast %p : !llvm.ptr -> memref<?x4xf64>
    %p = op2.ptr_cast %g : memref<1xf64> -> !llvm.ptr
    ```
  }];
  let arguments = (ins OP2_Pointer:$source, Variadic<Index>:$sizes);
  let results = (outs OP2_Pointer:$result);
  let assemblyFormat = [{
    $source (`sizes` `(` $sizes^ `)`)? attr-dict `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif // OP2_DIALECT_OP2PLANOPS_TD

//===- OP2DeviceOps.td - Plan level on devices -*- tablegen -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_DIALECT_OP2DEVICEOPS_TD
#define OP2_DIALECT_OP2DEVICEOPS_TD

include "OP2/Dialect/OP2PlanOps.td"

//===----------------------------------------------------------------------===//
// Within a block: private rows and increments
//===----------------------------------------------------------------------===//

def OP2_PermutedElementOp : OP2_Op<"permuted_element", [OP2_ReadsRuntime]> {
  let summary = "the element at a position of the plan's order";
  let description = [{
    With `coloring = elements`, and with `owned_rows`, blocks are ranges of
    positions; this is the element that stands there.
  }];
  let arguments = (ins OP2_PlanType:$plan, Index:$position);
  let results = (outs Index:$element);
  let assemblyFormat = "$plan `[` $position `]` attr-dict";
}

def OP2_GatherRowOp : OP2_Op<"gather_row", [
    MemoryEffects<[MemAlloc, MemRead, MemWrite]>]> {
  let summary = "a private copy of a row";
  let description = [{
    The values of `source` side by side in private memory of the thread, for a
    kernel, which wants them contiguous, and a GPU, which keeps them in
    registers. With a condition, copied only if that is true; with
    `uninitialized` not at all, because the kernel writes every value.

    In a version for dats that may be the same, the kernel gets `source` itself.

    Example:

    ```mlir
    %p = op2.gather_row %row : memref<4xf64, strided<[?]>> -> memref<4xf64>
    ```
  }];
  let arguments = (ins AnyMemRef:$source, Optional<I1>:$condition,
                       UnitAttr:$uninitialized);
  let results = (outs AnyMemRef:$row);
  let assemblyFormat = [{
    (`uninitialized` $uninitialized^)? $source (`if` $condition^)? attr-dict
    `:` type($source) `->` type($row)
  }];
  let hasVerifier = 1;
}

def OP2_ScatterRowOp : OP2_Op<"scatter_row", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "bring a private copy of a row back";
  let description = [{
    Stores the values of `row`, made by `op2.gather_row`, to `target`; with a
    condition, only if that is true.

    Example:

    ```mlir
    op2.scatter_row %p to %row : memref<4xf64>, memref<4xf64, strided<[?]>>
    ```
  }];
  let arguments = (ins AnyMemRef:$row, AnyMemRef:$target,
                       Optional<I1>:$condition);
  let assemblyFormat = [{
    $row `to` $target (`if` $condition^)? attr-dict
    `:` type($row) `,` type($target)
  }];
  let hasVerifier = 1;
}

def OP2_IncrementOp : OP2_Op<"increment"> {
  let summary = "add a private row to a shared one";
  let description = [{
    Adds each value of `source` to the value at the same place of `target`;
    with `atomic`, as one indivisible operation each; with a condition, only
    if that is true. Boolean values are or-ed.

    Example:

    ```mlir
    op2.increment atomic %p to %row : memref<4xf64>, memref<4xf64>
    op2.increment %p to %row if %flag : memref<4xf64>, memref<4xf64>
    ```
  }];
  let arguments = (ins AnyMemRef:$source, AnyMemRef:$target,
                       Optional<I1>:$condition, UnitAttr:$atomic);
  let assemblyFormat = [{
    (`atomic` $atomic^)? $source `to` $target (`if` $condition^)? attr-dict
    `:` type($source) `,` type($target)
  }];
  let hasVerifier = 1;
}

def OP2_OwnedIncrementsOp : OP2_Op<"owned_increments", [
    OP2_NamesArgument, ParentOneOf<["ForBlocksOp"]>]> {
  let summary = "what the elements of a block add to a dat";
  let description = [{
    Memory for what the elements of the block add to the dat of argument `arg`:
    row m * B + n is what the element at place n of the block adds through slot
    m, counted over the slots of all arguments on the dat, where B is the plan's
    block size; `rows` of them. It is shared memory, and a struct of arrays,
    whatever the dat is: threads of neighbouring elements store side by side. Of
    rows for which that has no room, or of run-time dim, it is the device's
    memory, and rows lie behind one another, as kernels take them. Stands before
    the loop over the block's elements, in a plan by `owned_rows`; its content is
    undefined at first. `number` tells the buffers of one block apart.

    Example:

    ```mlir
    %w = op2.owned_increments %plan block %b arg 2 number 0 rows 256
        : memref<?x4xf64, strided<[1, ?]>, #gpu.address_space<workgroup>>
    %v = op2.owned_increments %plan block %b arg 3 number 1 rows 256
        : memref<?x?xf64>
    ```
  }];
  let arguments = (ins OP2_PlanType:$plan, Index:$block,
                       OP2_ArgNumberAttr:$arg, OP2_ArgNumberAttr:$number,
                       ConfinedAttr<I64Attr, [IntPositive]>:$rows);
  let results = (outs AnyMemRef:$increments);
  let assemblyFormat = [{
    $plan `block` $block `arg` $arg `number` $number `rows` $rows attr-dict
    `:` type($increments)
  }];
  let hasVerifier = 1;
}

def OP2_AddOwnedOp : OP2_Op<"add_owned", [
    OP2_NamesArgument, ParentOneOf<["ForBlocksOp"]>]> {
  let summary = "add to each row that a block owns, in the order of elements";
  let description = [{
    After the last element of the block has run: adds to each row of `data` that
    the block owns what its elements have left for it in `increments`, one
    after the other, in the order of the elements and, of one element, of the
    slots. All threads of the block take part, each with other values. What
    elements have left for rows that the block does not own is dropped: their
    owners have it, too.

    Example:

    ```mlir
    op2.add_owned %w to %rd arg 2 of %plan block %b
        : memref<?x4xf64, strided<[1, ?]>, #gpu.address_space<workgroup>>,
          memref<?x4xf64>
    ```
  }];
  let arguments = (ins AnyMemRef:$increments, AnyMemRef:$data,
                       OP2_PlanType:$plan, Index:$block,
                       OP2_ArgNumberAttr:$arg);
  let assemblyFormat = [{
    $increments `to` $data `arg` $arg `of` $plan `block` $block attr-dict
    `:` type($increments) `,` type($data)
  }];
  let hasVerifier = 1;
}

def OP2_ByColorOp : OP2_Op<"by_color", [
    RecursiveMemoryEffects, ParentOneOf<["ForElementsOp"]>,
    SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "run for the elements of a block, colour after colour";
  let description = [{
    The body runs for the elements of one colour of the block, then, after a
    barrier of the block's threads, for those of the next. It must be the last
    op of the loop over the elements of a block.

    Example:

    ```mlir
    op2.for_elements %e of %plan block %b {
      …
      op2.by_color %e of %plan block %b {
        op2.increment %p to %row : memref<4xf64>, memref<4xf64>
      }
    }
    ```
  }];
  let arguments = (ins Index:$element, OP2_PlanType:$plan, Index:$block);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$element `of` $plan `block` $block $body attr-dict";
}

//===----------------------------------------------------------------------===//
// On the host: what a launch needs
//===----------------------------------------------------------------------===//

def OP2_Storage : I32Enum<"Storage", "what of an argument lies on a device", [
    I32EnumCase<"AoS", 0, "aos">,
    I32EnumCase<"SoA", 1, "soa">,
    I32EnumCase<"Map", 2, "map">,
    I32EnumCase<"Global", 3, "global">]> {
  let cppNamespace = "::mlir::op2";
}
def OP2_StorageAttr : EnumAttr<OP2_Dialect, OP2_Storage, "storage"> {
  let assemblyFormat = "$value";
}

def OP2_DeviceStorageOp : OP2_Op<"device_storage", [
    OP2_ReadsRuntime, OP2_NamesArgument]> {
  let summary = "what an argument has on the device";
  let description = [{
    - `aos`: the rows of a dat, one after another;
    - `soa`: the components of a dat: component `c` of element `e` stands at
      `c * stride + e`;
    - `map`: the slots of a map: entry (slot, element) stands at
      `slot * stride + element`;
    - `global`: a copy of a global.

    The stride counts values; it is 0 where there is none.

    ```mlir
    %address, %stride = op2.device_storage map %loop arg 1 : !llvm.ptr
    ```
  }];
  let arguments = (ins OP2_StorageAttr:$storage, OP2_LoopType:$loop,
                       OP2_ArgNumberAttr:$arg);
  let results = (outs LLVM_AnyPointer:$address, Index:$stride);
  let assemblyFormat = [{
    $storage $loop `arg` $arg attr-dict `:` type($address)
  }];
}

// The values are those of OP2RT_DEVICE_* in op2rt_device.h.
def OP2_PlanArray : I32Enum<"PlanArray", "an array of a plan", [
    I32EnumCase<"BlockBegin", 0, "block_begin">,
    I32EnumCase<"BlockEnd", 1, "block_end">,
    I32EnumCase<"NumColors", 2, "num_colors">,
    I32EnumCase<"ElementColors", 3, "element_colors">,
    I32EnumCase<"OwnedOffset", 4, "owned_offset">,
    I32EnumCase<"OwnedSize", 5, "owned_size">,
    I32EnumCase<"OwnedTargets", 6, "owned_targets">,
    I32EnumCase<"Permutation", 7, "permutation">,
    I32EnumCase<"SumOffset", 8, "sum_offset">,
    I32EnumCase<"SumBegin", 9, "sum_begin">,
    I32EnumCase<"SumEntries", 10, "sum_entries">,
    I32EnumCase<"PermutedMap", 11, "permuted_map">,
    I32EnumCase<"Increments", 12, "increments">]> {
  let cppNamespace = "::mlir::op2";
}
def OP2_PlanArrayAttr : EnumAttr<OP2_Dialect, OP2_PlanArray, "plan_array"> {
  let assemblyFormat = "`<` $value `>`";
}

def OP2_DevicePlanArrayOp
    : OP2_Op<"device_plan_array", [OP2_ReadsRuntime]> {
  let summary = "an array of a plan on the device";
  let description = [{
    See op2rt_device.h for what the arrays hold. `arg` and `row` count for
    those that belong to an argument only.
  }];
  let arguments = (ins OP2_LoopType:$loop, OP2_PlanType:$plan,
                       OP2_PlanArrayAttr:$array,
                       DefaultValuedAttr<OP2_ArgNumberAttr, "0">:$arg,
                       DefaultValuedAttr<OP2_ArgNumberAttr, "0">:$row);
  let results = (outs LLVM_AnyPointer:$address);
  let assemblyFormat = "$loop `,` $plan $array attr-dict `:` type($address)";
  let hasVerifier = 1;
}

def OP2_DeviceReductionBeginOp : OP2_Op<"device_reduction_begin", [
    OP2_NamesArgument]> {
  let summary = "room on the device for partial results";
  let description = [{
    Room for the values of argument `arg`, a reduced global, for each of
    `count` blocks. Of one with access `reduce` for `count` results of elements
    that follow one another, in their order; the function combines them on the
    host where the reduction ends.
  }];
  let arguments = (ins OP2_LoopType:$loop, Index:$count,
                       OP2_ArgNumberAttr:$arg);
  let results = (outs OP2_ReductionType:$reduction, LLVM_AnyPointer:$address);
  let assemblyFormat = [{
    $loop `arg` $arg `count` $count attr-dict
    `:` qualified(type($reduction)) `,` type($address)
  }];
}

def OP2_DeviceReductionShareOp : OP2_Op<"device_reduction_share"> {
  let summary = "add the partial sums of other ranks";
  let description = [{
    Between the launches that sum exactly and the one that rounds.
  }];
  let arguments = (ins OP2_ReductionType:$reduction);
  let assemblyFormat = "$reduction `:` qualified(type($reduction)) attr-dict";
}

def OP2_DeviceReductionEndOp : OP2_Op<"device_reduction_end"> {
  let summary = "combine the partial results of a device";
  let arguments = (ins OP2_ReductionType:$reduction);
  let assemblyFormat = "$reduction `:` qualified(type($reduction)) attr-dict";
}

def OP2_NumBlocksOp : OP2_Op<"num_blocks", [OP2_ReadsRuntime]> {
  let summary = "number of blocks of a plan";
  let arguments = (ins OP2_PlanType:$plan);
  let results = (outs Index:$count);
  let assemblyFormat = "$plan attr-dict";
}

//===----------------------------------------------------------------------===//
// Launches through the runtime
//===----------------------------------------------------------------------===//

def OP2_LaunchOp : OP2_Op<"launch"> {
  let summary = "launch a kernel of a loop";
  let description = [{
    `gpu.launch_func` that knows the loop it belongs to, which the runtime needs
    for its messages, its timings and the stream. Grids have one dimension.
    `kernel` names a device module and a kernel in it; after the device code has
    been compiled it is a `gpu.binary`, so this is no symbol that can be looked
    up in the IR.

    Example:

    ```mlir
    op2.launch %loop @op2_device::@op2_flux blocks %n threads %c128 shared %s
        args(%first, %d : index, !llvm.ptr)
    ```
  }];
  let arguments = (ins OP2_LoopType:$loop, SymbolRefAttr:$kernel,
                       Index:$blocks, Index:$threads, Index:$shared_bytes,
                       Variadic<AnyType>:$args);
  let assemblyFormat = [{
    $loop $kernel `blocks` $blocks `threads` $threads `shared` $shared_bytes
    (`args` `(` $args^ `:` type($args) `)`)? attr-dict
  }];
}

def OP2_DeviceConstantOp : OP2_Op<"device_constant"> {
  let summary = "give a variable of the device code the host's value";
  let description = [{
    The variable `constant` of a device module gets the value that the host's
    variable of the same name has now; `bytes` is its size. Kernels launched
    later see it. A `table` is a variable that holds a pointer: it gets the
    address of the device's copy of what the host's pointer leads to.

    Examples:

    ```mlir
    op2.device_constant @op2_device::@gam bytes 8
    op2.device_constant table @op2_device::@weights bytes 8
    ```
  }];
  let arguments = (ins UnitAttr:$table, SymbolRefAttr:$constant,
                       ConfinedAttr<I64Attr, [IntPositive]>:$bytes);
  let assemblyFormat = "(`table` $table^)? $constant `bytes` $bytes attr-dict";
}

#endif // OP2_DIALECT_OP2DEVICEOPS_TD

//===- OP2Ops.td - Upper level: declarations and parallel loops -*- tablegen -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_DIALECT_OP2OPS_TD
#define OP2_DIALECT_OP2OPS_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "OP2/Dialect/OP2Attributes.td"
include "OP2/Dialect/OP2Interfaces.td"
include "OP2/Dialect/OP2Types.td"

class OP2_Op<string mnemonic, list<Trait> traits = []>
    : Op<OP2_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

def OP2_DeclSetOp : OP2_Op<"decl_set"> {
  let summary = "declare a set";
  let description = [{
    Declares a set of `size` elements. A negative size is a run-time error.

    Example:

    ```mlir
    %edges = op2.decl_set "edges" size %nedge
    ```
  }];
  let arguments = (ins Index:$size, StrAttr:$sym);
  let results = (outs OP2_SetType:$set);
  let assemblyFormat = "$sym `size` $size attr-dict";
}

def OP2_DeclMapOp : OP2_Op<"decl_map"> {
  let summary = "declare a map between two sets";
  let description = [{
    Declares a map; `values` holds, for every element of `from`, `arity`
    elements of `to`, element after element. The values are copied. A value
    that is not an element of `to`, or a wrong number of values, is a run-time
    error.

    Example:

    ```mlir
    %pecell = op2.decl_map "pecell" %edges to %cells values %table
        : memref<?x2xi32> -> !op2.map<2>
    ```
  }];
  let arguments = (ins OP2_SetType:$from, OP2_SetType:$to,
                       AnyMemRef:$values, StrAttr:$sym);
  let results = (outs OP2_MapType:$map);
  let assemblyFormat = [{
    $sym $from `to` $to `values` $values attr-dict
    `:` type($values) `->` qualified(type($map))
  }];
  let hasVerifier = 1;
}

def OP2_DeclDatOp : OP2_Op<"decl_dat"> {
  let summary = "declare data on a set";
  let description = [{
    Declares a dat; `values` holds, for every element of `set`, `dim` values,
    element after element. The values are copied. A wrong number of values is
    a run-time error. Without `values` the data are zero.

    Example:

    ```mlir
    %q = op2.decl_dat "q" on %cells values %q0
        : memref<?x4xf64> -> !op2.dat<4xf64>
    %res = op2.decl_dat "res" on %cells : !op2.dat<4xf64>
    ```
  }];
  let arguments = (ins OP2_SetType:$set, Optional<AnyMemRef>:$values,
                       StrAttr:$sym);
  let results = (outs OP2_DatType:$dat);
  let assemblyFormat = [{
    $sym `on` $set (`values` $values^ `:` type($values) `->`):(`:`)? qualified(type($dat))
    attr-dict
  }];
  let hasVerifier = 1;
}

def OP2_DeclConstOp : OP2_Op<"decl_const",
    [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "declare a global as constant for kernels";
  let description = [{
    Tells the runtime that kernels read the module's global `global`. Kernels
    on the CPU read the global itself, so later changes by the host are seen.

    Example:

    ```mlir
    memref.global @gam : memref<1xf64> = dense<1.4>
    op2.decl_const @gam : memref<1xf64>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$global, TypeAttr:$type);
  let assemblyFormat = "$global `:` $type attr-dict";
  let hasVerifier = 1;
}

def OP2_FetchOp : OP2_Op<"fetch"> {
  let summary = "copy a dat's values to memory";
  let description = [{
    Copies the values of all elements of the dat's set to `target`, in the
    order in which they were declared. A wrong number of places in `target` is
    a run-time error.

    Example:

    ```mlir
    op2.fetch %q to %out : !op2.dat<4xf64>, memref<?x4xf64>
    ```
  }];
  let arguments = (ins OP2_DatType:$dat, AnyMemRef:$target);
  let assemblyFormat = "$dat `to` $target attr-dict `:` qualified(type($dat)) `,` type($target)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// The parallel loop
//===----------------------------------------------------------------------===//

def OP2_ParLoopOp : OP2_Op<"par_loop", [
    OP2_LoopInterface, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "call a kernel for every element of a set";
  let description = [{
    Calls `kernel` once for every element of `set`, in any order and partly at
    the same time. Each argument says what the kernel gets and how it uses it:

    - `read %x : !op2.dat<2xf64>`: the element's own values (*direct*; the dat
      lives on the loop's set);
    - `inc %r : !op2.dat<4xf64> via %m[1] : !op2.map<2>`: the values of the
      element that slot 1 of the map leads to (*indirect*);
    - `read %x : … via %m[0 to 4] : !op2.map<4>`: the rows of several slots
      together (*vector* argument);
    - `inc global %s : memref<1xf64>`: a value for the whole loop; `inc`,
      `min`, `max` are reductions which include the incoming value;
    - `reduce %merge from %zero global %b : memref<6xf64>`: a reduction by a
      function of the program. `%merge` is its address, `!llvm.ptr`: it takes
      pointers to two results and combines the second one into the first.
      `%zero`, of the global's type, is what kernels begin with (S18);
    - `index`, `index via %m[0] : !op2.map<2>`: the element's number, or that
      of the element the map leads to, as `i32`;
    - `read soa %x : !op2.dat<2xf64>`: while the loop runs on a device the dat
      lies there as struct of arrays (`aos`: as array of structs);
    - `if %flag` before any of these makes it optional: if the flag is false
      the argument takes no part and the kernel must not use it.

    Accesses: `read`, `write` (every value is written before it is read),
    `rw`, `inc` (only added to), `min`/`max` (globals), `work` (scratch),
    `reduce` (globals).

    The kernel is a `func.func` on `memref<dim x T>` (a vector argument gives
    one memref per slot) or an `llvm.func` on pointers (a vector argument gives
    a pointer to an array of pointers).

    Undefined: a kernel that uses an argument in another way than declared; an
    indirect `write` or `rw` by which two elements touch the same data; results
    that depend on the order of the elements. Not undefined: the same dat in
    several arguments, through different maps or directly, also under different
    SSA values.

    `loop_name` is the name in timings (default: the kernel's); `block_size`
    asks for a number of elements per block of the plan; `strategy` for a way
    to avoid races.

    Example:

    ```mlir
    op2.par_loop @res_calc over %edges args(
        read %x : !op2.dat<2xf64> via %pedge[0] : !op2.map<2>,
        read %x : !op2.dat<2xf64> via %pedge[1] : !op2.map<2>,
        inc %res : !op2.dat<4xf64> via %pecell[0] : !op2.map<2>,
        inc %res : !op2.dat<4xf64> via %pecell[1] : !op2.map<2>,
        inc global %rms : memref<1xf64>)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, OP2_SetType:$set,
                       Variadic<AnyType>:$values, OP2_LoopArgArrayAttr:$args,
                       OptionalAttr<StrAttr>:$loop_name,
                       OptionalAttr<OP2_BlockSizeAttr>:$block_size,
                       OptionalAttr<OP2_StrategyAttr>:$strategy);
  let assemblyFormat = [{
    $kernel `over` $set `args` `(` custom<LoopArgs>($args, $values, type($values))
    attr-dict
  }];
  let builders = [
    OpBuilder<(ins "::llvm::StringRef":$kernel, "::mlir::Value":$set,
                   "::llvm::ArrayRef<::mlir::op2::LoopArg>":$args,
                   "::llvm::StringRef":$loopName)>
  ];
  let extraClassDeclaration = [{
    /// The name in timings: `loop_name`, else the kernel's symbol.
    ::llvm::StringRef getLabel() {
      return getLoopName().value_or(getKernel());
    }
  }];
}

//===----------------------------------------------------------------------===//
// Delayed execution
//===----------------------------------------------------------------------===//

def OP2_EnqueueOp : OP2_Op<"enqueue", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "call a function whose loop may run later";
  let description = [{
    Calls a function with the attribute `op2.delayable`, now or later: at the
    next `op2.flush`, or when the runtime does something that must come behind
    it. Globals that the loop only reads have the values of the call; those that
    it changes must be neither read nor written nor freed until a flush.

    Example:

    ```mlir
    op2.enqueue @update(%cells, %q, %rms) : !op2.set, !op2.dat<4xf64>, memref<1xf64>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$values);
  let assemblyFormat = "$callee `(` $values `)` attr-dict `:` type($values)";
}

def OP2_FlushOp : OP2_Op<"flush"> {
  let summary = "run pending loops";
  let description = [{
    Behind it all loops that were enqueued have run, and all globals have their
    values. It costs nothing where no loop is pending.
  }];
  let assemblyFormat = "attr-dict";
}

#endif // OP2_DIALECT_OP2OPS_TD

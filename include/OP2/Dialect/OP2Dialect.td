//===- OP2Dialect.td - The op2 dialect -*- tablegen -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_DIALECT_OP2DIALECT_TD
#define OP2_DIALECT_OP2DIALECT_TD

include "mlir/IR/DialectBase.td"

def OP2_Dialect : Dialect {
  let name = "op2";
  let cppNamespace = "::mlir::op2";
  let summary = "Unstructured-mesh computation: sets, maps, dats, parallel loops";
  let description = [{
    The dialect says *what* an unstructured-mesh program computes and, after
    `--op2-plan`, *how* it runs.

    A mesh is made of **sets** (nodes, edges, cells), **maps** from the
    elements of one set to a fixed number of elements of another, and **dats**:
    a fixed number of values per element of a set. All three are run-time
    handles, hence SSA values, so that one loop can serve many meshes. The
    computation is a sequence of **parallel loops**: `op2.par_loop` calls a
    kernel once for every element of a set, with pointers to the element's own
    data or to the data of the elements that a map leads to, and with an
    access mode for every argument. The result does not depend on the order of
    the elements; increments through maps are free of races by the compiler's
    work, not the user's.

    Ops of the upper level: declarations (`decl_set`, `decl_map`, `decl_dat`,
    `decl_const`), `par_loop`, `fetch`. Ops of the plan level: `loop_begin`,
    `plan`, `for_colors`, `for_blocks`, `for_elements`, reductions, and access
    to storage (`dat_data`, `map_table`, `row`).

    Attributes that passes and frontends put on functions, loops and modules:

    | attribute | on | says |
    |---|---|---|
    | `op2.machine` | a module | what passes may use (`#op2.machine`) |
    | `op2.delayable` | a function | it runs one loop with its parameters and does nothing else: the loop may run later (docs/design/queue.md) |
    | `op2.fusible` | a function | its caller promises what rules F4, F6 and X4 leave to it |
    | `op2.variant` | a function | it is there for the `fused` or `split` form of its loops only, which also exist elsewhere; where there is no such form, it becomes a declaration. It is called where no data of theirs that they change overlap with others, and maps have the arity that their types say |
    | `op2.outcome` | such a function | what was gained, or why there is no such form |
    | `op2.saved_bytes` | such a function | what fusing saves for each element, an `i64` |
    | `op2.loop_name` | a device's function | the loop that it belongs to, for messages |
    | `op2.emulated` | a device's function | it has become code for the emulator |
    | `op2.race_free` | `op2.loop_begin` of a loop on a device | what its elements change through maps, they change in turn, atomically, or by way of owners (`--op2-color-increments`) |
    | `op2.in_place` | a loop over columns | arguments whose sums (S4) the kernel adds to the rows itself, an array of their numbers |
    | `op2.likely_arity` | a function's parameter | how many slots the map is likely to have, an `i64`; fast code is made for that |
    | `op2.missing_body` | a kernel that is declared only | why its body is not here |
    | `op2.not_owned` | a planned loop | why its threads, or its blocks where that was asked for, do not own what they add to |
    | `op2.not_raised` | a loop | why its kernel was not raised (`#op2.obstacle`) |
    | `op2.usual` | a loop | its kernel lacks the paths that print or do not return: two functions, one that takes what the raised kernel takes and returns whether an element goes such a path (`i1`), and the whole kernel, imported, for those that do |
    | `op2.math_call` | a call | of a function that takes any numbers and does nothing but to return one: it may be called for other elements as well |
    | `op2.not_vectorized` | a loop | why it is not vectorized |

    The rules of the language are numbered in docs/spec.md; diagnostics cite
    them in brackets, for example `[L3]`.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // OP2_DIALECT_OP2DIALECT_TD

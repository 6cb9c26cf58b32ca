//===- OP2Types.td - Types of the op2 dialect -*- tablegen -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_DIALECT_OP2TYPES_TD
#define OP2_DIALECT_OP2TYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "OP2/Dialect/OP2Dialect.td"

class OP2_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<OP2_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

// A type without parameters: assembly formats need not spell it.
class OP2_HandleType<string name, string typeMnemonic>
    : OP2_Type<name, typeMnemonic>,
      BuildableType<"$_builder.getType<::mlir::op2::" # name # "Type>()">;

def OP2_SetType : OP2_HandleType<"Set", "set"> {
  let summary = "a set of mesh elements";
  let description = [{
    A run-time handle of a set: a number of elements 0 … size-1, such as the
    nodes, edges or cells of a mesh.
  }];
}

def OP2_MapType : OP2_Type<"Map", "map"> {
  let summary = "a map from the elements of one set to those of another";
  let description = [{
    A run-time handle of a map: for every element of a set, `arity` elements
    of another. `!op2.map<2>` leads from an edge to its two ends; the arity of
    `!op2.map<?>` is known at run time only.
  }];
  let parameters = (ins "int64_t":$arity);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool hasStaticArity() const { return !ShapedType::isDynamic(getArity()); }
    /// The whole table, element after element: memref<? x arity x i32>.
    MemRefType getTableType() const;
  }];
}

def OP2_DatType : OP2_Type<"Dat", "dat"> {
  let summary = "values on every element of a set";
  let description = [{
    A run-time handle of a dat: `dim` values of one type for every element of
    a set. `!op2.dat<4xf64>` has four doubles an element, `!op2.dat<?xf64>` a
    number that is known at run time only.

    Element types: `f64`, `f32`, `i32`, `i64`, `ui32`, `ui64` and `i1` (OP2's
    `bool`, one byte in memory).
  }];
  let parameters = (ins "int64_t":$dim, "Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool hasStaticDim() const { return !ShapedType::isDynamic(getDim()); }
    /// The whole storage, array of structs: memref<? x dim x T>. As struct of
    /// arrays the same with strides [1, ?].
    MemRefType getStorageType() const;
    /// One element's values: memref<dim x T>.
    MemRefType getRowType() const;
  }];
}

def OP2_LoopType : OP2_HandleType<"Loop", "loop"> {
  let summary = "a parallel loop in progress";
  let description = [{
    Stands for one execution of a loop between `op2.loop_begin` and
    `op2.loop_end`: its handles, checked, and its clock.
  }];
}

def OP2_PlanType : OP2_HandleType<"Plan", "plan"> {
  let summary = "how the elements of a loop are divided";
  let description = [{
    A run-time handle of a plan: the blocks of a loop's set, their colours,
    and, where asked for, element colours. No two blocks of one colour increment
    the same data.
  }];
}

def OP2_ReductionType : OP2_Type<"Reduction", "reduction"> {
  let summary = "partial results of a global argument, one per block";
  let parameters = (ins "int64_t":$dim, "Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    MemRefType getPartialType() const;
  }];
}

#endif // OP2_DIALECT_OP2TYPES_TD

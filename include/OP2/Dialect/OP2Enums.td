//===- OP2Enums.td - Enumerations of the op2 dialect -*- tablegen -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_DIALECT_OP2ENUMS_TD
#define OP2_DIALECT_OP2ENUMS_TD

include "mlir/IR/EnumAttr.td"

// The values are those of OP2's C API (OP_READ ... OP_REDUCE) and of op2rt.h.
def OP2_Access : I32Enum<"Access", "how a kernel uses an argument", [
    I32EnumCase<"Read", 0, "read">,
    I32EnumCase<"Write", 1, "write">,
    I32EnumCase<"ReadWrite", 2, "rw">,
    I32EnumCase<"Inc", 3, "inc">,
    I32EnumCase<"Min", 4, "min">,
    I32EnumCase<"Max", 5, "max">,
    I32EnumCase<"Work", 6, "work">,
    I32EnumCase<"Reduce", 7, "reduce">]> {
  let cppNamespace = "::mlir::op2";
}

// The values are those of OP_ARG_GBL ... in OP2's C API and of op2rt.h.
def OP2_ArgKind : I32Enum<"ArgKind", "what an argument of a loop is", [
    I32EnumCase<"Global", 0, "global">,
    I32EnumCase<"Dat", 1, "dat">,
    I32EnumCase<"Index", 2, "index">,
    I32EnumCase<"Info", 3, "info">]> {
  let cppNamespace = "::mlir::op2";
}

// The values are those of OP2RT_TARGET_* in op2rt.h.
def OP2_Target : I32Enum<"Target", "where a loop runs", [
    I32EnumCase<"Seq", 0, "seq">,
    I32EnumCase<"OpenMP", 1, "openmp">,
    I32EnumCase<"CUDA", 2, "cuda">,
    I32EnumCase<"Emulator", 3, "emulator">]> {
  let cppNamespace = "::mlir::op2";
}

def OP2_Coloring : I32Enum<"Coloring", "what a plan colours against races", [
    I32EnumCase<"Blocks", 0, "blocks">,
    I32EnumCase<"TwoLevel", 1, "two_level">,
    I32EnumCase<"None", 2, "none">,
    I32EnumCase<"Elements", 3, "elements">,
    I32EnumCase<"Owner", 4, "owner">,
    I32EnumCase<"OwnedRows", 5, "owned_rows">]> {
  let cppNamespace = "::mlir::op2";
}

def OP2_Layout : I32Enum<"Layout", "how a dat lies in a device's memory", [
    I32EnumCase<"Any", 0, "any">,
    I32EnumCase<"AoS", 1, "aos">,
    I32EnumCase<"SoA", 2, "soa">]> {
  let cppNamespace = "::mlir::op2";
}

// What a user asks for; a plan's colouring and the way of adding follow.
// Atomics and Global are for devices.
def OP2_Strategy : I32Enum<"Strategy", "how a loop avoids races", [
    I32EnumCase<"TwoLevel", 0, "two_level">,
    I32EnumCase<"Atomics", 1, "atomics">,
    I32EnumCase<"Global", 2, "global">,
    I32EnumCase<"Owner", 3, "owner">,
    I32EnumCase<"Auto", 4, "auto">]> {
  let cppNamespace = "::mlir::op2";
}

def OP2_DeviceFormat : I32Enum<"DeviceFormat",
    "what device code is embedded as", [
    I32EnumCase<"PTX", 0, "ptx">,
    I32EnumCase<"Cubin", 1, "cubin">,
    I32EnumCase<"Fatbin", 2, "fatbin">]> {
  let cppNamespace = "::mlir::op2";
}

def OP2_Stage : I32Enum<"Stage", "what a part of a pipeline has done", [
    I32EnumCase<"Planned", 0, "planned">,
    I32EnumCase<"Executed", 1, "executed">]> {
  let cppNamespace = "::mlir::op2";
}

def OP2_VariantKind : I32Enum<"VariantKind", "what a function is another form of", [
    I32EnumCase<"Fused", 0, "fused">,
    I32EnumCase<"Split", 1, "split">]> {
  let cppNamespace = "::mlir::op2";
}

#endif // OP2_DIALECT_OP2ENUMS_TD

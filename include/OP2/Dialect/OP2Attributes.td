//===- OP2Attributes.td - Attributes of the op2 dialect -*- tablegen -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_DIALECT_OP2ATTRIBUTES_TD
#define OP2_DIALECT_OP2ATTRIBUTES_TD

include "mlir/IR/AttrTypeBase.td"
include "OP2/Dialect/OP2Dialect.td"
include "OP2/Dialect/OP2Enums.td"

def OP2_LoopArgAttr : AttrDef<OP2_Dialect, "LoopArg"> {
  let mnemonic = "arg";
  let summary = "the static part of one argument of a parallel loop";
  let description = [{
    What is known of an argument when the loop is compiled. The handles are
    operands of the loop (see `LoopInterface`). Written and read by the loop's
    own assembly format; the generic form shows it as

    ```mlir
    #op2.arg<kind = dat, access = inc, slot = 0, count = 1,
             is_vector = false, is_packed = false, is_injective = false,
             is_optional = false>
    ```

    - `slot`: -1 for a direct or global argument; for an info the number of the
      argument that it follows; else the first map slot.
    - `count`: number of consecutive map slots, 1 unless `is_vector`.
    - `is_vector`: the kernel takes the rows of slots
      `slot … slot + count - 1` together: each as an operand of its own, or, if
      `is_packed`, all of them side by side in private memory (S17).
    - `is_injective`: the map leads no two elements to one row, as that of a
      subset.
    - `is_optional`: an `i1` operand says at run time whether the argument is
      there.
    - `layout`: how the dat lies in the memory of a device while the loop runs:
      `aos`, array of structs, or `soa`, struct of arrays; `any` leaves it to
      `--op2-choose-layout`.
  }];
  let parameters = (ins
    EnumParameter<OP2_ArgKind>:$kind,
    EnumParameter<OP2_Access>:$access,
    "int64_t":$slot,
    "int64_t":$count,
    "bool":$is_vector,
    "bool":$is_packed,
    "bool":$is_injective,
    "bool":$is_optional,
    DefaultValuedParameter<"::mlir::op2::Layout",
                           "::mlir::op2::Layout::Any">:$layout);
  let assemblyFormat = "`<` struct(params) `>`";
  let extraClassDeclaration = [{
    static constexpr int64_t kDirect = -1;
    /// True if the argument reaches its data, or takes its value, through a map.
    bool isIndirect() const { return getSlot() != kDirect && !isInfo(); }
    bool isDat() const { return getKind() == ArgKind::Dat; }
    /// A memref that belongs to the loop, not to an element; an info is one.
    bool isGlobal() const {
      return getKind() == ArgKind::Global || isInfo();
    }
    /// What comes with the least or greatest value of argument `slot`.
    bool isInfo() const { return getKind() == ArgKind::Info; }
    bool isIndex() const { return getKind() == ArgKind::Index; }
    /// The same argument with another layout.
    LoopArgAttr withLayout(Layout layout) const {
      return get(getContext(), getKind(), getAccess(), getSlot(), getCount(),
                 getIsVector(), getIsPacked(), getIsInjective(),
                 getIsOptional(), layout);
    }
    /// True for INC, MIN, MAX and REDUCE: contributions are combined.
    bool isReduction() const {
      return getAccess() == Access::Inc || getAccess() == Access::Min ||
             getAccess() == Access::Max || getAccess() == Access::Reduce;
    }
  }];
}

def OP2_LoopArgArrayAttr : TypedArrayAttrBase<OP2_LoopArgAttr,
    "the static parts of a loop's arguments">;

def OP2_TargetAttr : EnumAttr<OP2_Dialect, OP2_Target, "target"> {
  let assemblyFormat = "`<` $value `>`";
}

def OP2_ColoringAttr : EnumAttr<OP2_Dialect, OP2_Coloring, "coloring"> {
  let assemblyFormat = "`<` $value `>`";
}

def OP2_LayoutAttr : EnumAttr<OP2_Dialect, OP2_Layout, "layout"> {
  let assemblyFormat = "`<` $value `>`";
}

def OP2_StrategyAttr : EnumAttr<OP2_Dialect, OP2_Strategy, "strategy"> {
  let assemblyFormat = "`<` $value `>`";
}

def OP2_MachineAttr : AttrDef<OP2_Dialect, "Machine"> {
  let mnemonic = "machine";
  let summary = "what passes may use of the machine that a module is compiled for";
  let description = [{
    The attribute `op2.machine` of a module. A frontend sets it, or
    `--op2-attach-machine`; without it loops are compiled for a machine that is
    known for nothing.

    - `vector_bits`: size of the vector registers that loops on the host are
      vectorized for: 0 (none), 128, 256 or 512.
    - `gathers`: loads from as many addresses as a register has lanes are fast.
    - `vector_math_bits`: size of the registers that libmvec's functions, like
      exp of several numbers, take: 0 where it must not be called, since its
      results may differ from those of the C library in their last digits.
    - `chips`: the GPUs to compile for, as ptxas calls them, or one of AMD's.

    ```mlir
    module attributes {op2.machine = #op2.machine<
        vector_bits = 512, gathers = true, chips = ["sm_80", "sm_90"]>} {}
    ```
  }];
  let parameters = (ins
    DefaultValuedParameter<"int64_t", "0">:$vector_bits,
    DefaultValuedParameter<"bool", "false">:$gathers,
    DefaultValuedParameter<"int64_t", "0">:$vector_math_bits,
    OptionalParameter<"::mlir::ArrayAttr">:$chips);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    static constexpr ::llvm::StringLiteral kName = "op2.machine";
    /// That of the module around `op`; null if there is none.
    static MachineAttr find(::mlir::Operation *op);
    /// The same, or one without registers, gathers, libraries and chips.
    static MachineAttr of(::mlir::Operation *op);
    /// Whether functions like exp are called for several elements at once.
    bool hasVectorMath() const { return getVectorMathBits() > 0; }
  }];
}

def OP2_VariantAttr : EnumAttr<OP2_Dialect, OP2_VariantKind, "variant"> {
  let assemblyFormat = "`<` $value `>`";
}

def OP2_ObstacleAttr : AttrDef<OP2_Dialect, "Obstacle"> {
  let mnemonic = "obstacle";
  let summary = "why a pass left something as it is, and where that stands";
  let description = [{
    For people: no pass reads `reason`. `--op2-raise-kernels` puts one on loops
    as `op2.not_raised`.

    ```mlir
    #op2.obstacle<"calls a function through a pointer", loc("flux.h":12:3)>
    ```
  }];
  let parameters = (ins "::mlir::StringAttr":$reason,
                        "::mlir::LocationAttr":$loc);
  let assemblyFormat = "`<` $reason `,` $loc `>`";
}

// Numbers; the ranges are those of OP2/Dialect/Ranges.h.
def OP2_BlockSizeAttr
    : ConfinedAttr<I64Attr, [IntNonNegative, IntMaxValue<65536>]>;
def OP2_WidthAttr
    : ConfinedAttr<I64Attr, [IntMinValue<2>, IntMaxValue<64>, IntPowerOf2]>;
def OP2_ArgNumberAttr
    : ConfinedAttr<I64Attr, [IntNonNegative, IntMaxValue<65535>]>;

#endif // OP2_DIALECT_OP2ATTRIBUTES_TD

//===- OP2Interfaces.td - Interfaces of the op2 dialect -*- tablegen -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_DIALECT_OP2INTERFACES_TD
#define OP2_DIALECT_OP2INTERFACES_TD

include "mlir/IR/OpBase.td"

def OP2_LoopInterface : OpInterface<"LoopInterface"> {
  let cppNamespace = "::mlir::op2";
  let description = [{
    A loop over a set with arguments: `op2.par_loop`, and `op2.loop_begin`,
    which carries the same list on the plan level.

    The values of the arguments stand in one flat list in the order of the
    arguments; each argument owns, in this order: its flag if it is optional,
    its dat or global unless it is an index, its map if it is indirect.
  }];
  let methods = [
    InterfaceMethod<"The set that the loop runs over.",
      "::mlir::TypedValue<::mlir::op2::SetType>", "getSet">,
    InterfaceMethod<"The static parts of the arguments.",
      "::mlir::ArrayAttr", "getArgs">,
    InterfaceMethod<"The handles of all arguments, flat.",
      "::mlir::OperandRange", "getValues">,
    InterfaceMethod<"The loop's name in timings and diagnostics.",
      "::llvm::StringRef", "getLabel">
  ];
  let extraSharedClassDeclaration = [{
    /// The arguments with their values, in order.
    ::llvm::SmallVector<::mlir::op2::LoopArg> getLoopArgs() {
      return ::mlir::op2::decodeLoopArgs($_op.getArgs(), $_op.getValues());
    }
  }];
  let verify = [{
    return ::mlir::op2::detail::verifyLoop(
        ::llvm::cast<::mlir::op2::LoopInterface>($_op));
  }];
}

// Rule P9: `arg` is the number of one of the loop's arguments.
def OP2_NamesArgument : NativeOpTrait<"NamesArgument"> {
  let cppNamespace = "::mlir::op2";
}

#endif // OP2_DIALECT_OP2INTERFACES_TD

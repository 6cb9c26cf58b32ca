//===- FortranSymbols.h - Names of OP2's procedures in LLVM IR --*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How flang names what OP2's modules and those of the program declare.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_FLANG_FORTRANSYMBOLS_H
#define OP2_FRONTEND_FLANG_FORTRANSYMBOLS_H

#include "LoopDescription.h"
#include "llvm/IR/Function.h"

namespace op2::frontend {

/// Begins the names of what modules hold; submodules come after 'S'.
inline constexpr llvm::StringLiteral kModulePrefix = "_QM";

/// What a procedure is that runs a loop.
enum class ParLoop { None, OverSet, OverSubset, OverLayers };
/// Of op_par_loop_<N>, op_par_loop_subset_<N> and op_par_loop_layers_<N>.
ParLoop getParLoop(const llvm::Function &function);

/// A function that makes an op_arg. Operand 0 is where, those of OP2's API
/// follow by reference, and the length of the type string at the end.
struct FortranMaker {
  ArgDescription::Kind kind;
  bool isOptional; ///< a flag comes first
  bool hasMap;     ///< not OP_ID
  /// What the actual argument is, by its letters in procedures' names: "r8",
  /// "l" for logical; "" if there is none.
  llvm::StringRef actual = "";
  /// Of a matrix: row index and map, column index and map, both sizes of
  /// blocks.
  bool isMatrix = false;
  /// Of a dat with levels: the first one and how many before the dim.
  bool hasLevels = false;

  /// Operands; of a kind that has no such thing: 0.
  unsigned getFlag() const { return isOptional ? 1 : 0; }
  unsigned getData() const { return hasData() ? 1 + isOptional : 0; }
  unsigned getIndex() const;
  unsigned getMap() const { return getIndex() ? getIndex() + 1 : 0; }
  /// Of a matrix; the map and the columns of a block follow their index and its
  /// rows.
  unsigned getColIndex() const { return isMatrix ? 4 : 0; }
  unsigned getRowDim() const { return isMatrix ? 6 : 0; }
  unsigned getLevel() const { return hasLevels ? getMap() + 1 : 0; }
  unsigned getLevels() const { return hasLevels ? getMap() + 2 : 0; }
  unsigned getDim() const;
  unsigned getType() const { return getDim() ? getDim() + 1 : 0; }
  /// The access, or the number of the argument that an info follows.
  unsigned getAccess() const { return getDim() ? getDim() + 2 : 0; }

private:
  bool hasData() const { return kind != ArgDescription::Kind::Index; }
};
std::optional<FortranMaker> getMaker(const llvm::Function &function);

/// The module that a procedure or variable is of; "" if it is of none.
std::string getModuleName(const llvm::GlobalValue &value);

/// As the program has it: "res_calc".
std::string getProcedureName(const llvm::Function &function);

} // namespace op2::frontend

#endif // OP2_FRONTEND_FLANG_FORTRANSYMBOLS_H

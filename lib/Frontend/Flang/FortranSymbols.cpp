//===- FortranSymbols.cpp - Names of OP2's procedures in LLVM IR ----------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: "Design: FIR Mangling" of flang's documents (BijectiveInternalName).
//
//===----------------------------------------------------------------------===//

#include "FortranSymbols.h"
#include "OP2/Analysis/SourceName.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace op2::frontend;
using llvm::StringRef;

ParLoop op2::frontend::getParLoop(const llvm::Function &function) {
  StringRef name = function.getName();
  unsigned arity;
  if (!name.consume_front("_QMop2_fortran_referencePop_par_loop_"))
    return ParLoop::None;
  ParLoop kind = name.consume_front("subset_")   ? ParLoop::OverSubset
                 : name.consume_front("layers_") ? ParLoop::OverLayers
                                                 : ParLoop::OverSet;
  return !name.getAsInteger(10, arity) && function.arg_size() == arity + 2
             ? kind
             : ParLoop::None;
}

unsigned FortranMaker::getIndex() const {
  switch (kind) {
  case ArgDescription::Kind::Dat:
    return 2 + isOptional;
  case ArgDescription::Kind::Index:
    return 1;
  default:
    return 0;
  }
}

unsigned FortranMaker::getDim() const {
  switch (kind) {
  case ArgDescription::Kind::Dat:
    return isMatrix ? getRowDim() + 1 : getMap() + 1 + 2 * hasLevels;
  case ArgDescription::Kind::Index:
    return 0;
  default:
    return 2 + isOptional;
  }
}

std::optional<FortranMaker>
op2::frontend::getMaker(const llvm::Function &function) {
  using Kind = ArgDescription::Kind;
  StringRef name = function.getName();
  if (!name.consume_front("_QMop2_fortran_declarationsPop_"))
    return std::nullopt;
  bool isOptional = name.consume_front("opt_");
  std::optional<FortranMaker> maker =
      llvm::StringSwitch<std::optional<FortranMaker>>(name)
          .Case("arg_dat_map", FortranMaker{Kind::Dat, isOptional, true})
          .Case("arg_dat_id", FortranMaker{Kind::Dat, isOptional, false})
          .Case("arg_dat_layers_map",
                FortranMaker{Kind::Dat, isOptional, true, "", false, true})
          .Case("arg_dat_layers_id",
                FortranMaker{Kind::Dat, isOptional, false, "", false, true})
          .Case("arg_mat", FortranMaker{Kind::Dat, isOptional, true, "", true})
          .Case("arg_idx_map", FortranMaker{Kind::Index, isOptional, true})
          .Case("arg_idx_id", FortranMaker{Kind::Index, isOptional, false})
          .StartsWith("arg_gbl_", FortranMaker{Kind::Global, isOptional, false})
          .StartsWith("arg_info_", FortranMaker{Kind::Info, isOptional, false})
          .Default(std::nullopt);
  if (!maker)
    return std::nullopt;
  // op_arg_gbl_r8_2: of an array of two dimensions.
  if (maker->kind == Kind::Global || maker->kind == Kind::Info)
    maker->actual = name.rsplit('_').first.rsplit('_').second;
  // The result, and the length of the type string.
  unsigned expected =
      maker->getDim() ? maker->getAccess() + 2 : maker->getMap() + 1;
  return function.arg_size() == expected ? maker : std::nullopt;
}

std::string op2::frontend::getModuleName(const llvm::GlobalValue &value) {
  // Symbols of bind(C) are what the program says.
  if (const auto *function = llvm::dyn_cast<llvm::Function>(&value))
    if (const llvm::DISubprogram *subprogram = function->getSubprogram())
      if (const auto *module =
              llvm::dyn_cast_or_null<llvm::DIModule>(subprogram->getScope()))
        return module->getName().str();
  StringRef name = value.getName();
  if (!name.consume_front(kModulePrefix))
    return "";
  // A capital letter says what follows.
  return name.take_while([](char c) { return c < 'A' || c > 'Z'; }).str();
}

std::string op2::frontend::getProcedureName(const llvm::Function &function) {
  if (const llvm::DISubprogram *subprogram = function.getSubprogram())
    return subprogram->getName().str();
  StringRef name = function.getName();
  if (name.starts_with("_Q"))
    return mlir::op2::getSourceName(name);
  name.consume_back("_");
  return name.str();
}

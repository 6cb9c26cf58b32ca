//===- ExposedSymbols.h - Local symbols in generated code -------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels may use static variables and functions. Code that is generated in
// another module finds them by name, so they are global while it is linked.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_EXPOSEDSYMBOLS_H
#define OP2_FRONTEND_EXPOSEDSYMBOLS_H

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/GlobalValue.h"

namespace op2::frontend {

/// Makes local symbols global, and local again when it is destroyed.
class ExposedSymbols {
public:
  ExposedSymbols() = default;
  ExposedSymbols(const ExposedSymbols &) = delete;
  ExposedSymbols &operator=(const ExposedSymbols &) = delete;
  ~ExposedSymbols();

  void expose(llvm::GlobalValue &value);

private:
  struct Original {
    llvm::GlobalValue::LinkageTypes linkage;
    bool hadName;
    bool wasDSOLocal;
  };
  llvm::MapVector<llvm::GlobalValue *, Original> originals;
};

} // namespace op2::frontend

#endif // OP2_FRONTEND_EXPOSEDSYMBOLS_H

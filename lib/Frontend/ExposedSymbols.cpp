//===- ExposedSymbols.cpp - Local symbols in generated code ---------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExposedSymbols.h"

using namespace llvm;

void op2::frontend::ExposedSymbols::expose(GlobalValue &value) {
  if (!value.hasLocalLinkage() || originals.count(&value))
    return;
  originals[&value] = {value.getLinkage(), value.hasName(), value.isDSOLocal()};
  if (!value.hasName())
    value.setName("op2.unnamed");
  value.setLinkage(GlobalValue::ExternalLinkage);
  value.setVisibility(GlobalValue::HiddenVisibility);
}

op2::frontend::ExposedSymbols::~ExposedSymbols() {
  for (auto &[value, original] : originals) {
    // Local symbols must have default visibility.
    value->setVisibility(GlobalValue::DefaultVisibility);
    value->setLinkage(original.linkage);
    value->setDSOLocal(original.wasDSOLocal);
    if (!original.hadName)
      value->setName("");
  }
}

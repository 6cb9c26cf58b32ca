//===- SourceName.cpp - Functions as their source calls them --------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Analysis/SourceName.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Demangle/Demangle.h"
#include <cstdlib>

static std::string take(char *text) {
  std::string result = text ? text : "";
  std::free(text);
  return result;
}

/// Namespaces without a name are not part of what one writes.
static std::string dropAnonymous(std::string name) {
  for (llvm::StringRef part :
       {"(anonymous namespace)::", "::(anonymous namespace)",
        "(anonymous namespace)"})
    for (size_t at; (at = name.find(part)) != std::string::npos;)
      name.erase(at, part.size());
  return name;
}

std::string mlir::op2::getSourceName(llvm::StringRef symbol) {
  for (llvm::StringRef suffix : {kKernelSuffix.data(), ".raised", ".column",
                                 ".from1", ".usual", ".check"})
    symbol = symbol.take_front(symbol.find(suffix));
  // Fortran's names, which flang writes in small letters, come after the last
  // of those that say what they are: _QMkernelsFcountsEcalls.
  if (symbol.starts_with("_Q"))
    return symbol
        .drop_front(symbol.find_last_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") + 1)
        .str();
  std::string text = symbol.str(); // the demangler refers to it
  llvm::ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(text.c_str()) || !demangler.isFunction())
    return dropAnonymous(llvm::demangle(symbol));
  std::string context = dropAnonymous(
      take(demangler.getFunctionDeclContextName(nullptr, nullptr)));
  std::string name = take(demangler.getFunctionBaseName(nullptr, nullptr));
  // What a lambda without captures becomes.
  if (name == "__invoke")
    return "lambda";
  return context.empty() ? name : context + "::" + name;
}

llvm::StringRef mlir::op2::getCallHint(llvm::StringRef symbol) {
  return llvm::StringSwitch<llvm::StringRef>(symbol)
      .Cases({"__mulsc3", "__muldc3", "__divsc3", "__divdc3"},
             " (-fcomplex-arithmetic=basic does without)")
      .Default("");
}

static std::string insertBeforeSuffix(llvm::StringRef copy,
                                      llvm::StringRef part) {
  copy.consume_back(mlir::op2::kKernelSuffix);
  return (copy + part + mlir::op2::kKernelSuffix).str();
}

std::string mlir::op2::getUsualName(llvm::StringRef copy) {
  return insertBeforeSuffix(copy, ".usual");
}

std::string mlir::op2::getCheckName(llvm::StringRef copy) {
  return insertBeforeSuffix(copy, ".check");
}

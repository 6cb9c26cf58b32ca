//===- Explain.h - What messages mean ---------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2CXX_EXPLAIN_H
#define OP2CXX_EXPLAIN_H

#include <string>

namespace op2c {

/// The section of docs/errors.md about the id "op2-...", which is one of
/// Problems.def; all of docs/errors.md if it is empty. Markdown.
std::string explainProblem(const std::string &id);

} // namespace op2c

#endif // OP2CXX_EXPLAIN_H

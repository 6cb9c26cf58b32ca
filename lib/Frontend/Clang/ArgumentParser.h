//===- ArgumentParser.h - Evaluating op_arg_... calls -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_ARGUMENTPARSER_H
#define OP2_FRONTEND_ARGUMENTPARSER_H

#include "ParsedLoop.h"
#include <optional>

namespace op2::frontend {

/// Reads the static parts of a call of op_par_loop from its expressions.
/// Values must be constant expressions; what is not is unsupported.
class ArgumentParser {
public:
  explicit ArgumentParser(clang::ASTContext &context) : context(context) {}

  /// Fills kernel, kernelType, name and args of a loop whose `call` is set.
  std::optional<Unsupported> parseLoop(ParsedLoop &loop);

private:
  std::optional<Unsupported> parseArg(const clang::Expr *expr, unsigned number,
                                      clang::QualType parameter,
                                      ParsedArg &arg);
  std::optional<Unsupported> evaluate(ParsedArg &arg,
                                      clang::QualType parameter);
  std::optional<Unsupported> evaluateUserType(ParsedArg &arg,
                                              clang::QualType type);
  std::optional<Unsupported> evaluateIndex(ParsedArg &arg);
  std::optional<Unsupported> evaluateLevels(ParsedArg &arg);
  std::optional<Unsupported> evaluateSlots(const clang::Expr *expr,
                                           uint64_t &count) const;
  std::optional<Unsupported> evaluateTensor(ParsedArg &arg) const;
  std::optional<Unsupported> evaluateAccess(ParsedArg &arg);
  std::optional<Unsupported> evaluateFollowed(ParsedArg &arg);
  std::optional<int64_t> evaluateInteger(const clang::Expr *expr) const;
  std::optional<std::string> evaluateString(const clang::Expr *expr) const;
  bool isNullMap(const clang::Expr *expr) const;
  const clang::FunctionDecl *resolveKernel(const clang::Expr *expr) const;
  void findSameHandles(ParsedLoop &loop) const;

  clang::ASTContext &context;
};

} // namespace op2::frontend

#endif // OP2_FRONTEND_ARGUMENTPARSER_H

//===- MapArities.cpp - How many slots maps are likely to have --*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MapArities.h"
#include "Annotations.h"
#include "llvm/ADT/DenseMap.h"

using namespace clang;
using namespace op2::frontend;

/// The variable or member that holds the map, or the function that gives it;
/// null if that is another expression.
static const ValueDecl *getHolder(const ParsedArg &arg) {
  if (!arg.hasMap || !arg.map || arg.isMatrix)
    return nullptr;
  const Expr *expr = lookThrough(arg.map);
  const ValueDecl *holder = nullptr;
  if (const auto *ref = dyn_cast<DeclRefExpr>(expr))
    holder = ref->getDecl();
  else if (const auto *member = dyn_cast<MemberExpr>(expr))
    holder = member->getMemberDecl();
  else if (const auto *call = dyn_cast<CallExpr>(expr);
           call && call->getNumArgs() == 0)
    holder = call->getDirectCallee();
  return holder ? cast<ValueDecl>(holder->getCanonicalDecl()) : nullptr;
}

/// op_decl_map(from, to, dim, ...), and the forms with other tables; 0 if the
/// variable begins with something else.
static int64_t getDeclaredArity(const ValueDecl *holder,
                                const ASTContext &context) {
  const auto *variable = dyn_cast<VarDecl>(holder);
  const Expr *value = variable ? variable->getAnyInitializer() : nullptr;
  const auto *call = value ? dyn_cast<CallExpr>(lookThrough(value)) : nullptr;
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  Expr::EvalResult dim;
  if (!callee || !callee->getIdentifier() || call->getNumArgs() < 3 ||
      !callee->getName().starts_with("op_decl_map") ||
      call->isValueDependent() || !call->getArg(2)->EvaluateAsInt(dim, context))
    return 0;
  return dim.Val.getInt().getExtValue();
}

void op2::frontend::guessArities(ArrayRef<std::unique_ptr<ParsedLoop>> loops,
                                 const ASTContext &context) {
  llvm::DenseMap<const ValueDecl *, int64_t> used;
  for (const std::unique_ptr<ParsedLoop> &loop : loops)
    for (const ParsedArg &arg : loop->args)
      if (const ValueDecl *holder = getHolder(arg)) {
        int64_t &most = used[holder];
        most = std::max(most, arg.description.slot + arg.description.count);
      }
  for (const std::unique_ptr<ParsedLoop> &loop : loops)
    for (auto [number, arg] : llvm::enumerate(loop->args))
      if (const ValueDecl *holder = getHolder(arg)) {
        int64_t declared = getDeclaredArity(holder, context);
        loop->description->args[number].likelyArity =
            std::max(declared, used.lookup(holder));
      }
}

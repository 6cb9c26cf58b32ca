//===- Extents.cpp - Memory that is too short for a dim ---------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Extents.h"
#include "Diagnostics.h"

using namespace clang;
using namespace op2::frontend;

void op2::frontend::checkExtent(const Expr *data, const Expr *dim,
                                ASTContext &context,
                                const WarningOptions &warnings) {
  QualType type = data->getType()->getPointeeType();
  Expr::EvalResult components;
  uint64_t bytes = 0;
  // Those of the whole variable.
  if (type.isNull() || type->isIncompleteType() || data->isValueDependent() ||
      dim->isValueDependent() || !dim->EvaluateAsInt(components, context) ||
      !data->tryEvaluateObjectSize(bytes, context, /*Type=*/0))
    return;
  int64_t size = context.getTypeSizeInChars(type).getQuantity();
  int64_t count = components.Val.getInt().getExtValue();
  if (size <= 0 || count <= 0 || uint64_t(count) <= bytes / uint64_t(size))
    return;
  if (auto diagnostic =
          warn(context.getDiagnostics(), dim->getExprLoc(), warnings,
               Problem::Bounds,
               "dim %0 is more than the %1 values of type %2 that are there"))
    *diagnostic << static_cast<int>(count)
                << static_cast<int>(bytes / uint64_t(size)) << type
                << dim->getSourceRange() << data->getSourceRange();
}

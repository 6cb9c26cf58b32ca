//===- Problems.h - Kinds of mistakes that are reported ---------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of Problems.def, for the run-time library, the compiler and its
// driver. Needs nothing but the standard library.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_PROBLEMS_H
#define OP2_PROBLEMS_H

#include <cstddef>

namespace op2 {

enum class Problem {
#define OP2_ERROR(ID, NAME, TITLE, EXPLANATION, REMEDY) ID,
#include "OP2/Problems.def"
};

struct ProblemInfo {
  const char *name; ///< "op2-map-value"
  const char *title, *explanation, *remedy;
  bool isWarning; ///< of the compiler: -W[no-]op2-<name> controls it
};

/// By Problem, in the order of the names.
inline constexpr ProblemInfo kProblems[] = {
#define OP2_ERROR(ID, NAME, TITLE, EXPLANATION, REMEDY)                        \
  {"op2-" NAME, TITLE, EXPLANATION, REMEDY, false},
#define OP2_WARNING(ID, NAME, TITLE, EXPLANATION, REMEDY)                      \
  {"op2-" NAME, TITLE, EXPLANATION, REMEDY, true},
#include "OP2/Problems.def"
};
inline constexpr std::size_t kNumProblems =
    sizeof(kProblems) / sizeof(*kProblems);

constexpr const ProblemInfo &infoOf(Problem problem) {
  return kProblems[static_cast<std::size_t>(problem)];
}

} // namespace op2

#endif // OP2_PROBLEMS_H

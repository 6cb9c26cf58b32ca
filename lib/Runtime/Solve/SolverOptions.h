//===- SolverOptions.h - How a system is solved -----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words are those of PETSc's command line.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_SOLVE_SOLVEROPTIONS_H
#define OP2_LIB_RUNTIME_SOLVE_SOLVEROPTIONS_H

namespace op2::rt {

enum class Method { CG, BiCGStab, Direct };
enum class Preconditioner { None, Jacobi, ICC, ILU, Cholesky, LU };

struct SolverOptions {
  Method method = Method::BiCGStab;
  Preconditioner preconditioner = Preconditioner::Jacobi;
  double tolerance = 0; ///< of |b - A x| / |b|; 0: by the type
  int maxIterations = 10000;
};

/// -ksp_type cg|bcgs|preonly, -pc_type none|jacobi|icc|ilu|cholesky|lu,
/// -ksp_rtol, -ksp_max_it. An error, which begins with `where`, for everything
/// else, and for what does not go together.
SolverOptions parseSolverOptions(char const *text, char const *where);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_SOLVE_SOLVEROPTIONS_H

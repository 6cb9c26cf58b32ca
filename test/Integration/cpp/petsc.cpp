// libop2_petsc: op_petsc_solve with options of PETSc's, and PETSc's functions on
// the values of matrices and dats.
//
// REQUIRES: petsc
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-target=openmp,emulator %s %petsc -o %t
// RUN: %t 2>&1 | FileCheck %s
// RUN: env OP2_TARGET=emulator %t 2>&1 | FileCheck %s
// RUN: not %t -ksp_typo 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not %t -ksp_type=nothing 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not %t finalized 2>&1 | FileCheck %s --check-prefix=FINALIZED
// RUN: not %t renumbered 2>&1 | FileCheck %s --check-prefix=RENUMBERED
// RUN: not %t float 2>&1 | FileCheck %s --check-prefix=FLOAT
//
// CHECK: gmres solved
// CHECK: -ksp_type cg -pc_type icc: solved
// CHECK: -ksp_type bcgs -pc_type ilu: solved
// CHECK: -ksp_type preonly -pc_type lu: solved
// CHECK: -ksp_type cg -pc_type gamg: solved
// CHECK: elastic: solved
// CHECK: other values: solved
// CHECK: op2 warning: op_petsc_solve laplace: not solved after 2 iterations
// CHECK: few: -2
// CHECK: norms agree, products agree, copies agree
// CHECK: guess 1e30: no wrong solution
// CHECK: b 1e-200: solved, solved
// CHECK: not symmetric: -1
// CHECK: b = 0: 0 iterations, 0
//
// OPTION: op2 error: op_petsc_solve laplace: PETSc does not use option "-ksp_typo"
// WORD: op2 error: op_petsc_solve laplace: PETSc: Unknown type
// FINALIZED: op2 error: op_petsc_solve: PETSc was finalized before
// RENUMBERED: op2 error: op_petsc_solve laplace: its sets were renumbered after the matrix was used first, and PETSc has the arrays of before; renumber before
// FLOAT: op2 error: op_petsc_solve laplace: its values are no doubles, as PETSc's are

#include "Inputs/systems.h"
#include "op_petsc.h"

#include <petscksp.h>

#include <string>

static void solve(const System<double> &system, const char *options,
                  const char *name) {
  clear(system);
  int iterations = op_petsc_solve(system.mat, system.b, system.x, options);
  if (iterations < 0)
    std::printf("%s: %d\n", name, iterations);
  else
    std::printf("%s: %s\n", name, error(system) < 1e-5 ? "solved" : "WRONG");
}

inline void twice(double *value) { *value *= 2; }
inline void times(double *value, const double *factor) { *value *= *factor; }
inline void minus(double *value) { *value -= 1; }

static void scale(op_dat dat, double factor) {
  op_par_loop(times, "times", dat->set,
              op_arg_dat(dat, -1, OP_ID, 1, "double", OP_RW),
              op_arg_gbl(&factor, 1, "double", OP_READ));
}

// Of what is said to be the solution |b - A x| is small.
static void solveLimits(const System<double> &system, const Grid &grid) {
  clear(system);
  op_mat_mult(system.mat, system.exact, system.b);
  op_mat_mult(system.mat, system.exact, system.x);
  scale(system.x, 1e30);
  bool isRight = op_petsc_solve(system.mat, system.b, system.x, "-ksp_type cg") < 0 ||
                 error(system) < 1e-5;
  std::printf("guess 1e30: %s\n", isRight ? "no wrong solution" : "WRONG");

  scale(system.b, 1e-200);
  std::printf("b 1e-200: ");
  for (const char *options : {"", "-ksp_type preonly -pc_type lu"}) {
    clear(system);
    op_petsc_solve(system.mat, system.b, system.x, options);
    scale(system.x, 1e200);
    std::printf("%s%s", error(system) < 1e-5 ? "solved" : "WRONG",
                *options ? "\n" : ", ");
  }
  System<double> wind = laplaceSystem<double>(grid, 1, 0.1);
  std::printf("not symmetric: %d\n",
              op_petsc_solve(wind.mat, system.b, wind.x,
                             "-ksp_type preonly -pc_type cholesky"));

  scale(system.b, 0);
  int iterations = op_petsc_solve(system.mat, system.b, system.x, "");
  std::vector<double> x(grid.nodes->size);
  op_fetch_data(system.x, x.data());
  double most = 0;
  for (double value : x)
    most = std::fmax(most, std::fabs(value));
  std::printf("b = 0: %d iterations, %g\n", iterations, most);
}

int main(int argc, char **argv) {
  std::setvbuf(stdout, nullptr, _IONBF, 0);
  op_init(argc, argv, 0);
  Grid grid = makeGrid(20);
  System<double> laplace = laplaceSystem<double>(grid, 0.3, 0);
  std::string word = argc > 1 ? argv[1] : "";
  if (word == "float") {
    System<float> narrow = laplaceSystem<float>(grid, 0.3, 0);
    return op_petsc_solve(narrow.mat, narrow.b, narrow.x, "");
  }
  if (word == "-ksp_typo")
    return op_petsc_solve(laplace.mat, laplace.b, laplace.x,
                          "-ksp_rtol 1e-5 -ksp_typo 7");
  if (word == "renumbered") {
    op_petsc_solve(laplace.mat, laplace.b, laplace.x, "");
    op_renumber(grid.corner);
    return op_petsc_solve(laplace.mat, laplace.b, laplace.x, "");
  }
  if (word == "finalized") {
    PetscInitializeNoArguments();
    PetscFinalize();
    return op_petsc_solve(laplace.mat, laplace.b, laplace.x, "");
  }
  if (!word.empty())
    return op_petsc_solve(laplace.mat, laplace.b, laplace.x, "-ksp_type nothing");

  solve(laplace, "", "gmres solved");
  for (const char *options :
       {"-ksp_type cg -pc_type icc", "-ksp_type bcgs -pc_type ilu",
        "-ksp_type preonly -pc_type lu", "-ksp_type cg -pc_type gamg"})
    solve(laplace, options, options);
  solve(elasticSystem(grid, 0.3), "-ksp_type cg -pc_type icc", "elastic");
  // Factors of the old values would be of no use.
  op_par_loop(twice, "twice", op_mat_entries(laplace.mat),
              op_arg_dat(op_mat_values(laplace.mat), -1, OP_ID, 1, "double", OP_RW));
  op_par_loop(twice, "twice", grid.nodes,
              op_arg_dat(laplace.b, -1, OP_ID, 1, "double", OP_RW));
  solve(laplace, "-ksp_type cg -pc_type gamg", "other values");
  solve(laplace, "-ksp_type cg -pc_type none -ksp_max_it 2", "few");

  // PETSc has room for 512 options.
  for (int step = 0; step < 300; ++step)
    op_petsc_solve(laplace.mat, laplace.b, laplace.x,
                   ("-ksp_type cg -ksp_rtol 0." + std::to_string(step + 1)).c_str());

  PetscReal norm = 0, sum = 0;
  Mat A = op_petsc_mat(laplace.mat);
  MatNorm(A, NORM_FROBENIUS, &norm);
  long long size;
  op_mat_get_size(laplace.mat, nullptr, nullptr, &size);
  std::vector<double> values(size);
  op_mat_get_csr(laplace.mat, nullptr, nullptr, values.data());
  for (double value : values)
    sum += value * value;
  bool sameNorm = std::fabs(norm - std::sqrt(sum)) < 1e-9 * norm;
  MatMult(A, op_petsc_vec(laplace.exact, OP_READ), op_petsc_vec(laplace.x, OP_WRITE));
  std::vector<double> product(grid.nodes->size), b(product.size());
  op_fetch_data(laplace.x, product.data());
  op_fetch_data(laplace.b, b.data());
  bool sameProduct = true;
  for (std::size_t n = 0; n < b.size(); ++n)
    sameProduct &= std::fabs(product[n] - b[n]) < 1e-12;
  // Loops and PETSc in turn.
  op_par_loop(minus, "minus", grid.nodes,
              op_arg_dat(laplace.x, -1, OP_ID, 1, "double", OP_RW));
  PetscReal most = 0;
  VecAXPY(op_petsc_vec(laplace.x, OP_RW), -1, op_petsc_vec(laplace.b, OP_READ));
  VecShift(op_petsc_vec(laplace.x, OP_RW), 1);
  op_fetch_data(laplace.x, product.data());
  VecNorm(op_petsc_vec(laplace.x, OP_READ), NORM_INFINITY, &most);
  bool sameValues = most < 1e-12;
  for (double value : product)
    sameValues &= std::fabs(value) < 1e-12;
  std::printf("norms %s, products %s, copies %s\n", sameNorm ? "agree" : "DIFFER",
              sameProduct ? "agree" : "DIFFER", sameValues ? "agree" : "DIFFER");
  solveLimits(laplace, grid);
  op_exit();
}

// op_solve: methods and preconditioners, blocks, float, matrices that change,
// that have no solution; values given at the border; products of blocks.
//
// REQUIRES: eigen
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-target=seq,openmp,emulator %s -o %t
// RUN: env OP2_TARGET=seq %t > %t.seq 2>&1
// RUN: FileCheck %s < %t.seq
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 %t > %t.omp 2>&1 && diff %t.seq %t.omp
// RUN: env OP2_TARGET=openmp OP2_RENUMBER=rcm %t 2>&1 | FileCheck %s
// RUN: env OP2_TARGET=emulator %t > %t.emu 2>&1 && diff %t.seq %t.emu
// RUN: %clangxx -O0 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev > %t.out 2>&1 && diff %t.seq %t.out
//
// CHECK: laplace '': solved
// CHECK: laplace '-ksp_type cg -pc_type none': solved
// CHECK: laplace '-ksp_type cg -pc_type jacobi': solved
// CHECK: laplace '-ksp_type cg -pc_type icc': solved
// CHECK: laplace '-ksp_type preonly -pc_type cholesky': solved
// CHECK: laplace '-ksp_type preonly': solved
// CHECK: float '-ksp_type cg -pc_type icc': solved
// CHECK: float '-ksp_type preonly': solved
// CHECK: wind '-ksp_type bcgs -pc_type none': solved
// CHECK: wind '-ksp_type bcgs -pc_type ilu -ksp_rtol 1e-12': solved
// CHECK: wind '-ksp_type preonly -pc_type lu': solved
// CHECK: op2 warning: op_solve laplace: not solved after 1 iterations: |b - A x| is
// CHECK-NEXT: Try another method
// CHECK-NEXT: wind '-ksp_type preonly -pc_type cholesky': -1
// CHECK: elastic '-ksp_type cg': solved
// CHECK: elastic '-ksp_type preonly -pc_type cholesky': solved
// CHECK: op2 warning: op_solve laplace: not solved after 2 iterations: |b - A x| is
// CHECK-NEXT: few '-ksp_type cg -ksp_max_it 2': -2
// CHECK: factors of other values: solved, solved, solved
// CHECK: nothing to do: 0 iterations
// CHECK: op2 warning: op_solve zeros: not solved: the matrix has no such factors
// CHECK-NEXT: zeros: -1
// CHECK: border of 1 unknown: symmetric, solved
// CHECK: border of 2 unknowns: symmetric, solved
// CHECK: rows set: 84 of 84
// CHECK: numbered anew: the same

#include "Inputs/systems.h"

template <class T>
static void solve(const char *name, const System<T> &system, const char *options) {
  clear(system);
  int iterations = op_solve(system.mat, system.b, system.x, options);
  double wrong = error(system);
  if (iterations < 0)
    std::printf("%s '%s': %d\n", name, options, iterations);
  else
    std::printf("%s '%s': %s\n", name, options,
                wrong < (sizeof(T) == 8 ? 1e-5 : 1e-2) ? "solved" : "WRONG");
}

inline void scale(double *values, const double *factor) {
  for (int b = 0; b < 1; ++b)
    values[b] *= *factor;
}

template <int dim>
inline void border(const double *x, const double *size, int *isGiven,
                   double *given) {
  bool isBorder = x[0] < 0.5 || x[0] > *size - 0.5;
  for (int a = 0; a < dim; ++a) {
    isGiven[a] = isBorder;
    given[a] = isBorder ? 1 + a + 2 * x[0] + 3 * x[1] : 0;
  }
}

static const char *symmetry(op_mat mat) {
  int rows;
  long long size;
  op_mat_get_size(mat, &rows, nullptr, &size);
  std::vector<long long> begin(rows + 1);
  std::vector<int> columns(size);
  std::vector<double> values(size), full(std::size_t(rows) * rows);
  op_mat_get_csr(mat, begin.data(), columns.data(), values.data());
  for (int row = 0; row < rows; ++row)
    for (long long k = begin[row]; k < begin[row + 1]; ++k)
      full[std::size_t(row) * rows + columns[k]] = values[k];
  for (int row = 0; row < rows; ++row)
    for (int col = 0; col < rows; ++col)
      if (std::fabs(full[std::size_t(row) * rows + col] -
                    full[std::size_t(col) * rows + row]) > 1e-14)
        return "NOT SYMMETRIC";
  return "symmetric";
}

// On a strip whose other borders are free, linear functions do not solve the
// equations: the solution is that of the rows set to unit ones, not symmetric.
template <int dim>
static void solveWithBorder(const Grid &grid, System<double> system) {
  std::vector<int> none(std::size_t(grid.nodes->size) * dim);
  std::vector<double> zeros(none.size());
  op_dat flags = op_decl_dat(grid.nodes, dim, "int", none.data(), "flags");
  op_dat given = op_decl_dat(grid.nodes, dim, "double", zeros.data(), "given");
  double size = grid.n;
  op_par_loop(border<dim>, "border", grid.nodes,
              op_arg_dat(grid.x, -1, OP_ID, 2, "double", OP_READ),
              op_arg_gbl(&size, 1, "double", OP_READ),
              op_arg_dat(flags, -1, OP_ID, dim, "int", OP_WRITE),
              op_arg_dat(given, -1, OP_ID, dim, "double", OP_WRITE));
  op_mat_eliminate(system.mat, flags, given, system.b, 2.0);
  op_mat_mult(system.mat, given, system.exact); // only rows with flags count
  const char *shape = symmetry(system.mat);
  clear(system);
  op_solve(system.mat, system.b, system.x, "-ksp_type cg -ksp_rtol 1e-12");
  // What was given is there, and the product is b.
  op_dat again = op_decl_dat(grid.nodes, dim, "double", zeros.data(), "again");
  op_mat_mult(system.mat, system.x, again);
  std::vector<int> isGiven(none.size());
  std::vector<double> x(zeros.size()), g(x.size()), b(x.size()), Ax(x.size());
  op_fetch_data(flags, isGiven.data());
  op_fetch_data(system.x, x.data());
  op_fetch_data(given, g.data());
  op_fetch_data(system.b, b.data());
  op_fetch_data(again, Ax.data());
  bool isRight = true;
  int count = 0;
  for (std::size_t n = 0; n < x.size(); ++n) {
    count += isGiven[n];
    isRight &= !isGiven[n] || std::fabs(x[n] - g[n]) < 1e-8;
    isRight &= std::fabs(Ax[n] - b[n]) < 1e-8;
  }
  std::printf("border of %d unknown%s: %s, %s\n", dim, dim > 1 ? "s" : "", shape,
              isRight && count == 2 * (grid.n + 1) * dim ? "solved" : "WRONG");
}

int main(int argc, char **argv) {
  std::setvbuf(stdout, nullptr, _IONBF, 0); // in order with warnings
  op_init(argc, argv, 0);
  Grid grid = makeGrid(20);
  op_partition("", "", nullptr, nullptr, nullptr);
  System<double> laplace = laplaceSystem<double>(grid, 0.3, 0);
  for (const char *options :
       {"", "-ksp_type cg -pc_type none", "-ksp_type cg -pc_type jacobi",
        "-ksp_type cg -pc_type icc", "-ksp_type preonly -pc_type cholesky",
        "-ksp_type preonly"})
    solve("laplace", laplace, options);
  System<float> narrow = laplaceSystem<float>(grid, 0.3, 0);
  for (const char *options : {"-ksp_type cg -pc_type icc", "-ksp_type preonly"})
    solve("float", narrow, options);
  System<double> wind = laplaceSystem<double>(grid, 1, 0.1);
  for (const char *options :
       {"-ksp_type bcgs -pc_type none",
        "-ksp_type bcgs -pc_type ilu -ksp_rtol 1e-12",
        "-ksp_type preonly -pc_type lu", "-ksp_type preonly -pc_type cholesky"})
    solve("wind", wind, options);
  System<double> elastic = elasticSystem(grid, 0.3);
  for (const char *options :
       {"-ksp_type cg", "-ksp_type preonly -pc_type cholesky"})
    solve("elastic", elastic, options);
  solve("few", laplace, "-ksp_type cg -ksp_max_it 2");

  std::printf("factors of other values: ");
  double twice = 2;
  for (int step = 0; step < 3; ++step) {
    clear(laplace);
    op_solve(laplace.mat, laplace.b, laplace.x, "-ksp_type preonly");
    std::printf("%s%s", error(laplace) < 1e-5 ? "solved" : "WRONG",
                step < 2 ? ", " : "\n");
    if (step == 0)
      continue; // by the same factors
    op_par_loop(scale, "scale", op_mat_entries(laplace.mat),
                op_arg_dat(op_mat_values(laplace.mat), -1, OP_ID, 1, "double", OP_RW),
                op_arg_gbl(&twice, 1, "double", OP_READ));
    op_par_loop(scale, "scale", grid.nodes,
                op_arg_dat(laplace.b, -1, OP_ID, 1, "double", OP_RW),
                op_arg_gbl(&twice, 1, "double", OP_READ));
  }
  std::printf("nothing to do: %d iterations\n",
              op_solve(laplace.mat, laplace.b, laplace.x, "-ksp_type cg"));

  op_mat zeros = op_decl_mat(grid.meet, 1, 1, "double", "zeros");
  std::printf("zeros: %d\n", op_solve(zeros, laplace.b, laplace.x, "-ksp_type preonly"));

  solveWithBorder<1>(grid, laplaceSystem<double>(grid, 0, 0));
  solveWithBorder<2>(grid, elasticSystem(grid, 0));

  System<double> rows = elasticSystem(grid, 1);
  std::vector<int> flags(std::size_t(grid.nodes->size) * 2);
  for (std::size_t n = 0; n < flags.size(); n += 21)
    flags[n / 21 * 21] = 1;
  op_dat some = op_decl_dat(grid.nodes, 2, "int", flags.data(), "some");
  op_mat_zero_rows(rows.mat, some, 1);
  std::vector<double> before(flags.size()), after(flags.size());
  op_mat_mult(rows.mat, rows.exact, rows.x);
  op_fetch_data(rows.exact, before.data());
  op_fetch_data(rows.x, after.data());
  int count = 0, right = 0;
  for (std::size_t n = 0; n < flags.size(); ++n) {
    count += flags[n] * 2;
    right += flags[n] && before[n] == after[n] ? 2 : 0;
  }
  std::printf("rows set: %d of %d\n", right, count);

  // Libraries get rows in the order of the matrix.
  System<double> last = elasticSystem(grid, 0.3);
  auto solution = [&] {
    clear(last);
    op_solve(last.mat, last.b, last.x, "-ksp_type cg -pc_type icc");
    std::vector<double> values(flags.size());
    op_fetch_data(last.x, values.data());
    return values;
  };
  std::vector<double> original = solution();
  op_renumber(grid.corner);
  std::printf("numbered anew: %s\n", solution() == original && error(last) < 1e-5
                                        ? "the same" : "WRONG");
  op_exit();
}

//===- assembly_ref.cpp - Matrices assembled by PETSc -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MatSetValues into a matrix whose structure is known from an assembly before,
// and MatSetValuesCOO, with the kernels of assembly.cpp, in one thread.
//
//===----------------------------------------------------------------------===//

#include "assembly.h"
#include "petsc_check.h"

#include <petscmat.h>

static double timeProducts(Mat mat, int nodes) {
  Vec x, y;
  check(VecCreateSeq(PETSC_COMM_SELF, nodes, &x));
  check(VecDuplicate(x, &y));
  check(VecSet(x, 1));
  std::vector<double> times;
  for (int step = 0; step < 15; ++step) {
    double begin = now();
    check(MatMult(mat, x, y));
    times.push_back(now() - begin);
  }
  VecDestroy(&x);
  VecDestroy(&y);
  return median(times);
}

template <int dim, int order>
static void run(char const *name, int n, bool isShuffled) {
  constexpr int count = poisson::numNodes(dim, order);
  Mesh mesh = makeMesh<dim, order>(n, isShuffled);
  int nodes = int(mesh.x.size()) / dim;
  int cells = int(mesh.cells.size()) / count;
  auto assemble = [&](auto take) {
    double A[count * count], x[count * dim];
    for (int cell = 0; cell < cells; ++cell) {
      int const *corner = &mesh.cells[std::size_t(cell) * count];
      for (int i = 0; i < count; ++i)
        for (int d = 0; d < dim; ++d)
          x[i * dim + d] = mesh.x[std::size_t(corner[i]) * dim + d];
      stiffness<dim, order>(A, x);
      take(cell, corner, A);
    }
  };
  Mat mat;
  double begin = now();
  check(MatCreateSeqAIJ(PETSC_COMM_SELF, nodes, nodes,
                        dim == 2     ? 9
                        : order == 1 ? 27
                                     : 65,
                        nullptr, &mat));
  double made = now() - begin;
  auto setValues = [&] {
    check(MatZeroEntries(mat));
    double start = now();
    assemble([&](int, int const *corner, double const *A) {
      check(MatSetValues(mat, count, corner, count, corner, A, ADD_VALUES));
    });
    check(MatAssemblyBegin(mat, MAT_FINAL_ASSEMBLY));
    check(MatAssemblyEnd(mat, MAT_FINAL_ASSEMBLY));
    return now() - start;
  };
  double first = setValues();
  std::vector<double> times;
  for (int step = 0; step < 7; ++step)
    times.push_back(setValues());
  MatInfo info;
  check(MatGetInfo(mat, MAT_LOCAL, &info));
  auto values = static_cast<long long>(info.nz_used);
  report(name, "MatSetValues", cells, values, made, first, median(times),
         timeProducts(mat, nodes));
  MatDestroy(&mat);

  begin = now();
  std::vector<int> rows, cols;
  for (int cell = 0; cell < cells; ++cell)
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < count; ++j) {
        rows.push_back(mesh.cells[std::size_t(cell) * count + i]);
        cols.push_back(mesh.cells[std::size_t(cell) * count + j]);
      }
  check(MatCreate(PETSC_COMM_SELF, &mat));
  check(MatSetSizes(mat, nodes, nodes, nodes, nodes));
  check(MatSetType(mat, MATSEQAIJ));
  check(MatSetPreallocationCOO(mat, PetscCount(rows.size()), rows.data(),
                               cols.data()));
  made = now() - begin;
  std::vector<double> local(rows.size());
  times.clear();
  for (int step = 0; step < 7; ++step) {
    begin = now();
    assemble([&](int cell, int const *, double const *A) {
      std::copy(A, A + count * count,
                &local[std::size_t(cell) * count * count]);
    });
    check(MatSetValuesCOO(mat, local.data(), INSERT_VALUES));
    times.push_back(now() - begin);
  }
  report(name, "COO", cells, values, made, times.front(), median(times), 0);
  MatDestroy(&mat);
}

int main(int argc, char **argv) {
  check(PetscInitializeNoArguments());
  runMeshes(argc, argv, [](auto dim, auto order, auto... mesh) {
    run<dim(), order()>(mesh...);
  });
  return PetscFinalize();
}

// Systems of linear equations whose solution is known: for one and for two
// unknowns of a node, symmetric or not, and with values given at the border.

#include "op_seq.h"

#include <cmath>
#include <cstdio>
#include <vector>

template <class T> struct System {
  op_set nodes;
  op_mat mat;
  op_dat b, x, exact;
  int dim;
};

/// Of a triangle with corners in any place: the Laplace operator.
inline void gradients(const double (*x)[2], double (*K)[3]) {
  double g[3][2];
  for (int i = 0; i < 3; ++i) {
    const double *p = x[(i + 1) % 3], *q = x[(i + 2) % 3];
    g[i][0] = p[1] - q[1];
    g[i][1] = q[0] - p[0];
  }
  double area = std::fabs(g[1][0] * g[2][1] - g[1][1] * g[2][0]);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      K[i][j] = (g[i][0] * g[j][0] + g[i][1] * g[j][1]) / (2 * area);
}

/// *wind: how much it lacks of being symmetric; *shift: times the unit matrix.
template <class T>
void laplace(T (*A)[3], const double (*x)[2], const double *shift,
             const double *wind) {
  double K[3][3];
  gradients(x, K);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      A[i][j] = T(K[i][j] + (i == j ? *shift : 0) + *wind * ((i + 2 * j) % 3));
}
inline void elastic(double (*A)[6], const double (*x)[2], const double *shift) {
  double K[3][3];
  gradients(x, K);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      A[i][j] = K[i / 2][j / 2] * (i % 2 == j % 2 ? 2 : 0.5) +
                (i == j ? *shift : 0);
}

struct Grid {
  int n;
  op_set nodes, cells;
  op_map corner;
  op_dat x;
  op_sparsity meet;
};

inline Grid makeGrid(int n) {
  std::vector<double> coordinates;
  std::vector<int> corners;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j)
      coordinates.insert(coordinates.end(),
                         {i + 0.2 * std::sin(j), j + 0.2 * std::sin(i)});
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      int a = i * (n + 1) + j, b = a + n + 1;
      for (int node : {a, b, b + 1, a, b + 1, a + 1})
        corners.push_back(node);
    }
  Grid grid{n, op_decl_set((n + 1) * (n + 1), "nodes"),
            op_decl_set(2 * n * n, "cells"), nullptr, nullptr, nullptr};
  grid.corner = op_decl_map(grid.cells, grid.nodes, 3, corners.data(), "corner");
  grid.x = op_decl_dat(grid.nodes, 2, "double", coordinates.data(), "x");
  grid.meet = op_decl_sparsity(grid.corner, grid.corner, "meet");
  return grid;
}

template <class T>
System<T> finishSystem(const Grid &grid, op_mat mat, int dim) {
  const char *type = op2::TypeName<T>::value;
  std::vector<T> values(std::size_t(grid.nodes->size) * dim);
  op_dat b = op_decl_dat(grid.nodes, dim, type, values.data(), "b");
  op_dat x = op_decl_dat(grid.nodes, dim, type, values.data(), "x");
  for (std::size_t n = 0; n < values.size(); ++n)
    values[n] = T(std::sin(double(n)));
  op_dat exact = op_decl_dat(grid.nodes, dim, type, values.data(), "exact");
  op_mat_mult(mat, exact, b);
  return {grid.nodes, mat, b, x, exact, dim};
}

template <class T>
System<T> laplaceSystem(const Grid &grid, double shift, double wind) {
  op_mat mat = op_decl_mat(grid.meet, 1, 1, op2::TypeName<T>::value, "laplace");
  op_par_loop(laplace<T>, "laplace", grid.cells,
              op_arg_mat(mat, -3, grid.corner, -3, grid.corner, 1, 1,
                         op2::TypeName<T>::value, OP_INC),
              op_arg_dat(grid.x, -3, grid.corner, 2, "double", OP_READ),
              op_arg_gbl(&shift, 1, "double", OP_READ),
              op_arg_gbl(&wind, 1, "double", OP_READ));
  return finishSystem<T>(grid, mat, 1);
}

inline System<double> elasticSystem(const Grid &grid, double shift) {
  op_mat mat = op_decl_mat(grid.meet, 2, 2, "double", "elastic");
  op_par_loop(elastic, "elastic", grid.cells,
              op_arg_mat(mat, -3, grid.corner, -3, grid.corner, 2, 2, "double",
                         OP_INC),
              op_arg_dat(grid.x, -3, grid.corner, 2, "double", OP_READ),
              op_arg_gbl(&shift, 1, "double", OP_READ));
  return finishSystem<double>(grid, mat, 2);
}

/// The largest difference from what is known, relative to 1.
template <class T> double error(const System<T> &system) {
  std::vector<T> x(std::size_t(system.nodes->size) * system.dim), exact(x.size());
  op_fetch_data(system.x, x.data());
  op_fetch_data(system.exact, exact.data());
  double most = 0;
  for (std::size_t n = 0; n < x.size(); ++n)
    most = std::fmax(most, std::fabs(double(x[n]) - double(exact[n])));
  return most;
}

template <class T> void clearRow(T *values, const int *dim) {
  for (int a = 0; a < *dim; ++a)
    values[a] = 0;
}
template <class T> void clear(const System<T> &system) {
  op_par_loop(clearRow<T>, "clear", system.nodes,
              op_arg_dat(system.x, -1, OP_ID, system.dim, op2::TypeName<T>::value,
                         OP_WRITE),
              op_arg_gbl(&system.dim, 1, "int", OP_READ));
}

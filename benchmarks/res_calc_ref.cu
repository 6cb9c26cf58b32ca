//===- res_calc_ref.cu - Airfoil's res_calc by hand in CUDA ---------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread an edge, gathers straight from global memory, eight atomic
// additions: what strategy=atomics without staging does. With WIDE_LOADS, values
// of a row are loaded in pairs, as our kernels do. registers.py compiles it,
// with nvcc, to compare registers; it is never run.
//
//===----------------------------------------------------------------------===//

__constant__ double gm1, eps;

/// The N values at `row`.
template <int N> struct Row {
  __device__ explicit Row(const double *__restrict__ row) {
#ifdef WIDE_LOADS
    for (int i = 0; i < N; i += 2) {
      double2 pair = __ldg(reinterpret_cast<const double2 *>(row + i));
      values[i] = pair.x;
      values[i + 1] = pair.y;
    }
#else
    for (int i = 0; i < N; ++i)
      values[i] = row[i];
#endif
  }
  __device__ double operator[](int i) const { return values[i]; }
  double values[N];
};

extern "C" __global__ void __launch_bounds__(128)
    res_calc(int begin, int end, int stride, const double *__restrict__ x,
             const double *__restrict__ q, const double *__restrict__ adt,
             double *__restrict__ res, const int *__restrict__ edge_node,
             const int *__restrict__ edge_cell) {
  int edge = begin + blockIdx.x * blockDim.x + threadIdx.x;
  if (edge >= end)
    return;
  int cell1 = edge_cell[edge], cell2 = edge_cell[stride + edge];
  Row<2> x1(x + 2 * edge_node[edge]), x2(x + 2 * edge_node[stride + edge]);
  Row<4> q1(q + 4 * cell1), q2(q + 4 * cell2);

  double dx = x1[0] - x2[0];
  double dy = x1[1] - x2[1];
  double ri1 = 1.0 / q1[0];
  double p1 = gm1 * (q1[3] - 0.5 * ri1 * (q1[1] * q1[1] + q1[2] * q1[2]));
  double vol1 = ri1 * (q1[1] * dy - q1[2] * dx);
  double ri2 = 1.0 / q2[0];
  double p2 = gm1 * (q2[3] - 0.5 * ri2 * (q2[1] * q2[1] + q2[2] * q2[2]));
  double vol2 = ri2 * (q2[1] * dy - q2[2] * dx);
  double mu = 0.5 * (adt[cell1] + adt[cell2]) * eps;

  double f[4];
  f[0] = 0.5 * (vol1 * q1[0] + vol2 * q2[0]) + mu * (q1[0] - q2[0]);
  f[1] = 0.5 * (vol1 * q1[1] + p1 * dy + vol2 * q2[1] + p2 * dy) +
         mu * (q1[1] - q2[1]);
  f[2] = 0.5 * (vol1 * q1[2] - p1 * dx + vol2 * q2[2] - p2 * dx) +
         mu * (q1[2] - q2[2]);
  f[3] = 0.5 * (vol1 * (q1[3] + p1) + vol2 * (q2[3] + p2)) +
         mu * (q1[3] - q2[3]);
  for (int i = 0; i < 4; ++i) {
    atomicAdd(res + 4 * cell1 + i, f[i]);
    atomicAdd(res + 4 * cell2 + i, -f[i]);
  }
}

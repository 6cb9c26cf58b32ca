// In place of a BLAS, for tests whose values are small multiples of powers of
// two: sums are exact in any order.
extern "C" void cblas_dgemv(int, int, int m, int n, double alpha,
                            const double *a, int lda, const double *x, int incx,
                            double beta, double *y, int incy) {
  for (int i = 0; i < m; ++i) {
    double sum = 0;
    for (int j = 0; j < n; ++j)
      sum += a[i + j * lda] * x[j * incx];
    y[i * incy] = alpha * sum + beta * y[i * incy];
  }
}
extern "C" double cblas_ddot(int n, const double *x, int incx, const double *y,
                             int incy) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i * incx] * y[i * incy];
  return sum;
}

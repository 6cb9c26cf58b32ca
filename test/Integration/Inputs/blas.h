// What tests call of the C interface to BLAS.
#ifndef OP2_TEST_BLAS_H
#define OP2_TEST_BLAS_H
enum CBLAS_ORDER { CblasColMajor = 102 };
enum CBLAS_TRANSPOSE { CblasNoTrans = 111 };
extern "C" void cblas_dgemv(CBLAS_ORDER, CBLAS_TRANSPOSE, int m, int n,
                            double alpha, const double *a, int lda,
                            const double *x, int incx, double beta, double *y,
                            int incy);
extern "C" double cblas_ddot(int n, const double *x, int incx, const double *y,
                             int incy);
#endif

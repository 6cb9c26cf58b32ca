// C++ that is hard to move from one module to another: static locals, inline
// assembly, variadic and virtual functions, tables of labels, exceptions, weak
// kernels ... Such loops compile too, and give what they should. What cannot be
// copied is called where it is.
// RUN: %clangxx -std=gnu++17 -w %op2api %s -o %t.seq %op2lib && %t.seq > %t.expected
// RUN: %op2cxx -std=gnu++17 -w -O0 -g -Werror=op2-sequential %s -o %t.O0 && env OMP_NUM_THREADS=1 %t.O0 > %t.O0.out
// RUN: diff %t.expected %t.O0.out
// RUN: %op2cxx -std=gnu++17 -w -O2 -g --op2-target=openmp,emulator %s -o %t.O2
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=1 %t.O2 > %t.O2.out
// RUN: diff %t.expected %t.O2.out
// What cannot go to a device does not run on the emulator, either.
// RUN: env OP2_STRICT=0 OMP_NUM_THREADS=1 OP2_TARGET=emulator %t.O2 > %t.emu.out
// RUN: diff %t.expected %t.emu.out
// RUN: %op2cxx -std=gnu++17 -w -O2 --op2-emit=op2 %s | FileCheck %s
// CHECK-DAG: llvm.func @_ZL2k1Pd.op2(
// CHECK-DAG: llvm.func @_ZL2k8Pd(!llvm.ptr)
// CHECK-DAG: llvm.func @_Z3k15Pd(!llvm.ptr)
// CHECK-DAG: op2.par_loop @_ZL2k8Pd over
// CHECK-DAG: op2.par_loop @_Z3k15Pd over
#include "op_seq.h"
#include <atomic>
#include <cstdarg>
#include <map>
#include <memory>
#include <string>
static int counter() {
  static std::atomic<int> n{0};
  static std::string s = "x";
  return ++n + (int)s.size();
}
static void k1(double *x) {
  *x += counter();
}
static void k2(double *x) {
  asm volatile("" : "+m"(*x));
  *x += 1;
}
static int vsum(int n, ...) {
  va_list a;
  va_start(a, n);
  int s = 0;
  while (n--)
    s += va_arg(a, int);
  va_end(a);
  return s;
}
static void k3(double *x) { *x += vsum(3, 1, 2, 3); }
struct Base {
  virtual ~Base() {}
  virtual double f(double x) const { return x; }
};
struct Derived : Base {
  double f(double x) const override { return 2 * x; }
};
static void k4(double *x) {
  std::unique_ptr<Base> b(new Derived);
  *x = b->f(*x) + 1;
}
static void k5(double *x) {
  long double y = *x;
  y *= 3.0L;
  *x = (double)y;
}
typedef double v4 __attribute__((vector_size(32)));
static void k7(double *x) {
  v4 v = {*x, 1, 2, 3};
  v = v * v;
  *x = v[0] + v[1] + v[2] + v[3];
}
static void k8(double *x) {
  static void *l[] = {&&a, &&b};
  goto *l[(int)*x & 1];
a:
  *x += 1;
  return;
b:
  *x += 2;
}
static double (*fp)(double) = [](double x) { return x + 1; };
static void k9(double *x) { *x = fp(*x); }
__attribute__((noinline, cold)) static void k10(double *x) {
  *x += __builtin_popcount((unsigned)*x);
  if (__builtin_expect(*x > 1e9, 0))
    std::abort();
}
static void k11(double *x) {
  double a[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  int i = (int)*x % 3;
  *x += a[i][2 - i];
}
static void k12(double *x) {
  _Complex double c = *x + 1.0i;
  c = c * c;
  *x = __real__ c;
}
static void k13(double *x) {
  std::map<int, double> m;
  m[1] = *x;
  try {
    m.at(2);
  } catch (std::exception &) {
    *x += 1;
  }
}
extern "C" {
static void k14(double *x) { *x += 1; }
}
__attribute__((weak)) void k15(double *x) { *x += 1; }
static void over(double *x) { *x += 1; }
static void over(float *x) { *x += 2; }
#define L(k) op_par_loop(k, #k, s, op_arg_dat(d, -1, OP_ID, 1, "double", OP_RW))
int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  op_set s = op_decl_set(100, "s");
  op_dat d = op_decl_dat(s, 1, "double", (double *)nullptr, "d");
  L(k1);
  L(k2);
  L(k3);
  L(k4);
  L(k5);
  L(k7);
  L(k8);
  L(k9);
  L(k10);
  L(k11);
  L(k12);
  L(k13);
  L(k14);
  L(k15);
  op_par_loop((void (*)(double *))over, "over", s,
              op_arg_dat(d, -1, OP_ID, 1, "double", OP_RW));
  double v[100], sum = 0;
  op_fetch_data(d, v);
  for (double x : v)
    sum += x;
  printf("%.17g\n", sum);
  op_exit();
}

// Raised kernels compute the same bits as the imported ones: whatever a kernel
// is made of, on the threads with and without raising, and sequentially (which
// never raises).
//
// UBSan's checks of arithmetic keep kernels from being raised.
// REQUIRES: no-undefined-sanitizer
//
// RUN: %op2cxx -O2 -Werror=op2-sequential --op2-target=seq,openmp --op2-report %s -o %t 2> %t.report
// RUN: FileCheck %s --check-prefix=REPORT < %t.report
// RUN: not grep "not raised" %t.report
// RUN: env OP2_TARGET=seq %t > %t.seq && FileCheck %s < %t.seq
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=2 %t > %t.omp && diff %t.seq %t.omp
// RUN: %op2cxx %unoptimized -O1 --op2-no-raise %s -o %t && %t > %t.omp && diff %t.seq %t.omp
// With other instructions, and with calls of the C library instead of
// intrinsics.
// RUN: %op2cxx -O3 -march=native -fmath-errno --op2-target=seq,openmp %s -o %t
// RUN: env OP2_TARGET=seq %t > %t.seq && env OP2_TARGET=openmp %t > %t.omp && diff %t.seq %t.omp
// RUN: %op2cxx %unoptimized -O1 -g -fno-math-errno -ffp-contract=off --op2-target=seq,openmp %s -o %t
// RUN: env OP2_TARGET=seq %t > %t.seq && env OP2_TARGET=openmp %t > %t.omp && diff %t.seq %t.omp
//
// REPORT: loop 'arithmetic': kernel raised
// CHECK: arithmetic
// CHECK: rows

#include "op_seq.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

static const int kSize = 301;
static const int kDim = 4;

double scale, table[4];
static const double weights[3] = {0.25, 0.5, 0.125};

//===----------------------------------------------------------------------===//
// Kernels: each reads a row of four numbers and writes one
//===----------------------------------------------------------------------===//

inline void arithmetic(const double *x, double *y) {
  y[0] = x[0] * x[1] + x[2];
  y[1] = (x[0] - x[3]) / x[1] - x[2] * x[2];
  y[2] = -x[1] * (x[0] + 0.1) * x[3];
  y[3] = fmod(x[0], x[1]) + (x[2] + x[3]) * x[0] - x[1] * x[2];
}

inline void functions(const double *x, double *y) {
  y[0] = sqrt(fabs(x[0])) + exp(x[1] * 1e-3) + log(fabs(x[2])) + cbrt(x[3]);
  y[1] = pow(fabs(x[0]), 1.3) + sin(x[1]) * cos(x[2]) + tan(x[3]);
  y[2] = floor(x[0]) + ceil(x[1]) + round(x[2]) + trunc(x[3]) + rint(x[0]);
  y[3] = atan2(x[0], x[1]) + tanh(x[2]) + hypot(x[0], x[3]) + log1p(x[1] * x[1]);
}

inline void selections(const double *x, double *y) {
  y[0] = fmin(x[0], x[1]);
  y[1] = fmax(x[2], x[3]);
  y[2] = std::max(x[0], std::min(x[1], x[2]));
  y[3] = std::isnan(x[3]) ? copysign(1.0, x[2]) : std::isinf(x[0]) ? 2 : x[3];
}

inline void branches(const double *x, double *y) {
  for (int i = 0; i < kDim; i++)
    y[i] = 0;
  if (x[0] > 0 && (x[1] < 0 || x[2] != 0)) {
    y[0] = x[1];
    if (x[3] > 1)
      return;
    y[1] = x[2];
  } else if (x[0] < 0) {
    y[2] = x[0];
    return;
  }
  y[3] = x[3];
}

inline void switches(const double *x, double *y) {
  int kind = int(fabs(fmin(fmax(x[0], -9.0), 9.0)));
  y[0] = y[1] = y[2] = y[3] = kind;
  switch (kind) {
  case 0:
    y[1] = x[1];
    break;
  case 1:
    y[1] = x[2]; // and what follows
  case 2:
    y[2] = x[3];
    break;
  case 5:
    return;
  default:
    y[3] = -1;
  }
  y[0] += 0.5;
}

inline void loops(const double *x, const int *n, double *y) {
  double sum = 0;
  for (int i = 0; i < *n; i++)
    sum += x[i % kDim] * i;
  y[0] = sum;
  double guess = 1, wanted = fabs(x[1]) < 1e6 ? fabs(x[1]) : 2;
  int steps = 0;
  while (fabs(guess * guess - wanted) > 1e-9 && steps++ < 40)
    guess = 0.5 * (guess + wanted / guess);
  y[1] = guess;
  int found = -1;
  for (int i = 0; i < kDim; i++)
    if (x[i] > 0.5) {
      found = i;
      break;
    }
  y[2] = found;
  int i = 0;
  do {
    i += 3;
    if (i == 6)
      continue;
  } while (i < *n);
  y[3] = i;
}

inline void arrays(const double *x, const int *n, double *y) {
  double local[6] = {1, 2, 3};
  double matrix[kDim][kDim];
  for (int i = 0; i < kDim; i++)
    for (int j = 0; j < kDim; j++)
      matrix[i][j] = x[i] * x[j] + (i == j);
  for (int i = 0; i < kDim; i++)
    local[(i + *n) % 6] += x[i];
  for (int i = 0; i < kDim; i++) {
    y[i] = local[i];
    for (int j = 0; j <= i; j++)
      y[i] += matrix[i][j] * weights[j % 3];
  }
}

struct Point {
  double x, y;
  Point operator-(const Point &other) const {
    return {x - other.x, y - other.y};
  }
};
struct Edge {
  Point from, to;
};
static double dot(const Point &a, const Point &b) { return a.x * b.x + a.y * b.y; }

inline void structs(const Edge *x, Edge *y) {
  Edge edge = *x;
  Point along = edge.to - edge.from;
  std::swap(edge.from, edge.to);
  edge.from.x = dot(along, along);
  edge.to.y = dot(along, edge.from);
  *y = edge;
}

// Returned as a vector, of which zero is a constant.
struct Flow {
  float mass, speed;
};
inline Flow flow(float depth, float speed) {
  if (depth <= 0)
    return {0, 0};
  return {depth * speed, sqrtf(depth) + speed};
}

inline void pairs(const float *x, float *y) {
  const Flow a = flow(x[0], x[1]), b = flow(x[2], x[3]);
  y[0] = a.mass - b.mass;
  y[1] = a.speed;
  y[2] = a.speed > b.speed ? a.mass : b.mass;
  y[3] = b.speed;
}

inline void constants(const double *x, const int *n, double *y) {
  for (int i = 0; i < kDim; i++)
    y[i] = scale * x[i] + table[i] * table[(i + *n) % 4];
}

inline void pointers(const double *x, const int *n, double *y) {
  const double *begin = x, *end = x + kDim;
  double *out = y;
  for (const double *p = begin; p != end; ++p)
    *out++ = *p * 2;
  const double *one = x[0] < x[1] ? &x[2] : &x[3];
  y[1] += *one;
  double *last = y + *n % kDim;
  *last -= 1;
}

template <class T> void integers(const T *a, T *b) {
  T n = a[0], m = a[1];
  b[0] = m == 0 ? n : T(n / m) + T(n % m);
  b[1] = (n << 3) ^ (m >> 2) ^ T(n & m) ^ T(~n | m);
  b[2] = T(n < m) + T(n >= m) * 2 + T(std::min(n, m));
  b[3] = T(double(n) * 0.5) + T(float(m));
}

inline void singles(const float *a, float *b) {
  b[0] = a[0] * a[1] + a[2];
  b[1] = sqrtf(fabsf(a[0])) + expf(a[1] * 1e-3f) + powf(fabsf(a[2]), 0.7f);
  b[2] = float(double(a[0]) * 0.1 + a[3]);
  b[3] = fmaxf(a[0], fminf(a[1], a[2])) + float(int(a[3] * 0.01f));
}

inline void flags(const bool *a, const int *index, bool *b) {
  b[0] = a[0] && !a[1];
  b[1] = a[2] || *index % 3 == 0;
  b[2] = a[0] != a[3];
  b[3] = *index > 100 ? a[1] : !a[2];
}

inline void bytes(const double *x, double *y) {
  double local[kDim];
  memcpy(local, x, sizeof(local));
  memset(y, 0, kDim * sizeof(double));
  memmove(y, local + 1, 3 * sizeof(double));
}

inline void choices(const double *x, const int *n, const double *other,
                    double *y) {
  y[0] = x[0] < x[1] ? *other : x[2];
  y[1] = x[1] < 0 ? x[3] : x[2] < 0 ? *other : x[0];
  y[2] = x[1] < 0 ? x[*n % kDim] : *other;
  y[3] = x[3];
}

inline void rows(const double *const *x, const double *const *z, double *y) {
  for (int i = 0; i < kDim; i++) {
    y[i] = 0;
    for (int k = 0; k < 3; k++)
      y[i] += x[k][i] * weights[k];
    y[i] -= z[1][i];
  }
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

static op_set elements;

template <class T>
static void print(const char *name, op_dat dat, const char *type) {
  std::vector<T> values(size_t(kSize) * kDim);
  op_fetch_data(dat, values.data());
  op_printf("%s\n", name);
  for (int i = 0; i < kSize * kDim; ++i) {
    T value = values[size_t(i)];
    if (value != value) // signs of NaNs are nobody's
      op_printf("%d nan\n", i);
    else
      op_printf("%d %a\n", i, double(value));
  }
}

template <class T> static std::vector<T> makeValues() {
  std::vector<T> values(size_t(kSize) * kDim);
  unsigned state = 12345;
  for (T &value : values) {
    state = state * 1103515245 + 12345;
    value = T((int(state >> 8) % 2001 - 1000) / 37.0);
  }
  return values;
}

static void addSpecialValues(std::vector<double> &values) {
  const double special[] = {0.0,
                            -0.0,
                            std::numeric_limits<double>::infinity(),
                            -std::numeric_limits<double>::infinity(),
                            std::numeric_limits<double>::quiet_NaN(),
                            1e300,
                            -1e-310,
                            1.0};
  size_t next = 0;
  for (double a : special)
    for (double b : special) {
      values[next] = values[next + 3] = a;
      values[next + 1] = values[next + 2] = b;
      next += 4;
    }
}

#define PAIR(T, NAME, A, B)                                                    \
  op_arg_dat(A, -1, OP_ID, kDim, NAME, OP_READ),                               \
      op_arg_dat(B, -1, OP_ID, kDim, NAME, OP_WRITE)
#define RUN(KERNEL)                                                            \
  op_par_loop(KERNEL, #KERNEL, elements, PAIR(double, "double", x, y));        \
  print<double>(#KERNEL, y, "double");
#define RUN_COUNT(KERNEL)                                                      \
  op_par_loop(KERNEL, #KERNEL, elements,                                       \
              op_arg_dat(x, -1, OP_ID, kDim, "double", OP_READ),               \
              op_arg_gbl(&count, 1, "int", OP_READ),                           \
              op_arg_dat(y, -1, OP_ID, kDim, "double", OP_WRITE));             \
  print<double>(#KERNEL, y, "double");
#define RUN_TYPE(KERNEL, T, NAME)                                              \
  {                                                                            \
    std::vector<T> values = makeValues<T>();                                   \
    op_dat a = op_decl_dat(elements, kDim, NAME, values.data(), "a");          \
    op_dat b = op_decl_dat(elements, kDim, NAME, (T *)NULL, "b");              \
    op_par_loop(KERNEL, #KERNEL, elements, PAIR(T, NAME, a, b));               \
    print<T>(#KERNEL, b, NAME);                                                \
  }

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  elements = op_decl_set(kSize, "elements");
  std::vector<int> neighbours;
  for (int i = 0; i < kSize; ++i)
    for (int k = 0; k < 3; ++k)
      neighbours.push_back((i * 7 + k * 11) % kSize);
  op_map map = op_decl_map(elements, elements, 3, neighbours.data(), "map");
  std::vector<double> values = makeValues<double>();
  addSpecialValues(values);
  op_dat x = op_decl_dat(elements, kDim, "double", values.data(), "x");
  op_dat y = op_decl_dat(elements, kDim, "double", (double *)NULL, "y");
  scale = 1.5;
  std::copy_n(makeValues<double>().data(), 4, table);
  op_decl_const(1, "double", &scale);
  op_decl_const(4, "double", table);
  int count = 5;

  RUN(arithmetic);
  RUN(functions);
  RUN(selections);
  RUN(branches);
  RUN(switches);
  RUN_COUNT(loops);
  count = 0;
  RUN_COUNT(loops);
  count = 3;
  RUN_COUNT(arrays);
  op_par_loop(structs, "structs", elements, PAIR(double, "double", x, y));
  print<double>("structs", y, "double");
  RUN_COUNT(constants);
  scale = table[1] = -7;
  RUN_COUNT(constants);
  RUN_COUNT(pointers);
  RUN(bytes);
  double other = 0.75;
  op_par_loop(choices, "choices", elements,
              op_arg_dat(x, -1, OP_ID, kDim, "double", OP_READ),
              op_arg_gbl(&count, 1, "int", OP_READ),
              op_arg_gbl(&other, 1, "double", OP_READ),
              op_arg_dat(y, -1, OP_ID, kDim, "double", OP_WRITE));
  print<double>("choices", y, "double");
  RUN_TYPE(integers<int>, int, "int");
  RUN_TYPE(integers<unsigned>, unsigned, "uint");
  RUN_TYPE(integers<long long>, long long, "ll");
  RUN_TYPE(integers<unsigned long long>, unsigned long long, "ull");
  RUN_TYPE(singles, float, "float");
  RUN_TYPE(pairs, float, "float");
  {
    std::vector<double> numbers = makeValues<double>();
    bool start[kSize * kDim];
    for (int i = 0; i < kSize * kDim; ++i)
      start[i] = numbers[size_t(i)] > 0;
    op_dat a = op_decl_dat(elements, kDim, "bool", start, "flags in");
    op_dat b = op_decl_dat(elements, kDim, "bool", (bool *)NULL, "flags out");
    op_par_loop(flags, "flags", elements,
                op_arg_dat(a, -1, OP_ID, kDim, "bool", OP_READ),
                op_arg_idx(-1, OP_ID),
                op_arg_dat(b, -1, OP_ID, kDim, "bool", OP_WRITE));
    bool out[kSize * kDim];
    op_fetch_data(b, out);
    op_printf("flags\n");
    for (int i = 0; i < kSize * kDim; ++i)
      op_printf("%d %d\n", i, int(out[i]));
  }
  op_par_loop(rows, "rows", elements,
              op_arg_dat(x, -3, map, kDim, "double", OP_READ),
              op_arg_dat(x, -2, map, kDim, "double", OP_READ),
              op_arg_dat(y, -1, OP_ID, kDim, "double", OP_WRITE));
  print<double>("rows", y, "double");
  op_exit();
}

// What the check of accesses calls an error happens in every call of the
// kernel, whatever the arguments are. What may happen is a warning, and what is
// right is neither, in whatever way it is written or instrumented.
//
// RUN: %op2cxx %unoptimized -O2 -c %s -o %t.o 2>&1 | FileCheck %s --check-prefixes=CHECK,PLAIN
// RUN: %op2cxx -O0 -g -c %s -o %t.o 2>&1 | FileCheck %s --check-prefixes=CHECK,PLAIN
// RUN: %op2cxx -O1 -fsanitize=undefined -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %op2cxx %unoptimized -O2 -DERRORS -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ERROR
#include "op_seq.h"

#include <algorithm>
#include <cstring>

struct Vector {
  double x, y, z;
};
static Vector operator+(Vector a, Vector b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

// Nothing to say of these.
// CHECK-NOT: {{fine|error:}}
static void fineTransform(const double *a, double *r) {
  std::transform(a, a + 3, r, r, [](double x, double y) { return y + x; });
}
static void fineStruct(const Vector *a, Vector *r) { *r = *r + *a; }
static void finePointers(const double *a, double *r) {
  double *out = r;
  for (const double *in = a; in != a + 3; ++in, ++out)
    *out += *in;
}
static void fineLocal(const double *a, double *r) {
  double sum[3];
  std::memcpy(sum, r, sizeof sum);
  for (int i = 0; i < 3; ++i)
    sum[i] += a[i];
  std::memcpy(r, sum, sizeof sum);
}
static void fineIndex(const double *a, double *r) {
  int place = a[0] > 0 ? 1 : 2;
  r[place] += a[place];
  r[place] = a[0] + r[place];
}
static void fineRows(const double *a, double **r) {
  int slot = a[0] > 0;
  r[slot][0] = r[slot][0] + a[0];
  r[1][1] -= a[1];
}
static void fineCount(const double *a, int *n) { *n += 0.5 + a[0]; }
static void fineWriteRows(const double *a, double **r) {
  r[0][0] = a[0];
  r[1][0] = a[1];
  r[1][1] = r[0][0];
}
static void fineWriteAllRows(const double *a, double **r) {
  for (int i = 0; i < 2; ++i)
    r[i][0] = a[i];
  r[0][1] = r[1][0];
}

// On some ways through the kernel only.
// CHECK: warning: kernel 'mayWrite' possibly writes to parameter 'a', which this loop declares OP_READ
static void mayWrite(const double *a, double *r) {
  if (r[0] > 1)
    const_cast<double *>(a)[0] = 1;
}
// One of two pointers.
// CHECK: warning: kernel 'mayWriteOne' possibly writes to parameter 'a'
static void mayWriteOne(const double *a, double *r) {
  double local[3] = {r[0], r[1], r[2]};
  double *to = r[0] > 1 ? const_cast<double *>(a) : local;
  to[0] = 1;
  r[0] = local[0] + local[1];
}
// No bytes, perhaps.
// CHECK: warning: kernel 'mayCopy' possibly writes to parameter 'a'
static void mayCopy(const double *a, double *r) {
  std::memset(const_cast<double *>(a), 0, size_t(r[0]));
}
// PLAIN: warning: kernel 'mayRead' possibly reads parameter 'r', which this loop declares OP_WRITE, before
static void mayRead(const double *a, double *r) {
  if (a[0] > 1)
    r[1] = r[0] * 2;
  r[0] = a[0];
  r[1] = a[1];
  r[2] = a[2];
}
// CHECK: warning: kernel 'mayUse' possibly uses the value of parameter 'r', which this loop declares OP_INC, otherwise
static void mayUse(const double *a, double *r) {
  if (a[0] > 1)
    r[1] += r[0] * a[0];
}
// CHECK: warning: kernel 'mayAssign' possibly assigns to parameter 'r', which this loop declares OP_INC
static void mayAssign(const double *a, double *r) {
  if (a[0] > 1)
    r[0] = a[0];
}

// In every call, through loops that go at least once.
#ifdef ERRORS
// ERROR: error: kernel 'writes' writes to parameter 'a', which this loop declares OP_READ
static void writes(const double *a, double *r) {
  int i = 0;
  while (i < 3)
    const_cast<double *>(a)[i++] = r[0];
}
// ERROR: error: kernel 'copies' writes to parameter 'a'
static void copies(const double *a, double *r) {
  double *to = r[0] > 1 ? const_cast<double *>(a) : const_cast<double *>(a) + 1;
  std::memcpy(to, r, sizeof(double));
}
// ERROR: error: kernel 'uses' uses the value of parameter 'r'
static void uses(const double *a, double *r) {
  for (int i = 0; i < 3; ++i)
    r[i] = r[i] * a[i];
}
// ERROR: error: kernel 'assigns' assigns to parameter 'r'
static void assigns(const double *a, double *r) {
  double local[3];
  for (int i = 0; i < 3; ++i)
    local[(i * 5 + int(a[0])) % 3] = a[i];
  std::memcpy(r, local, sizeof local);
}
#endif

#define LOOP(kernel, first, second)                                            \
  op_par_loop(kernel, #kernel, set,                                            \
              op_arg_dat(d, -1, OP_ID, 3, "double", first),                    \
              op_arg_dat(e, 0, map, 3, "double", second))
#define ROWS(kernel, access)                                                   \
  op_par_loop(kernel, #kernel, set,                                            \
              op_arg_dat(d, -1, OP_ID, 3, "double", OP_READ),                  \
              op_arg_dat(e, -2, map, 3, "double", access))

void run(op_set set, op_map map, op_dat d, op_dat e) {
  LOOP(fineTransform, OP_READ, OP_INC);
  LOOP(fineStruct, OP_READ, OP_INC);
  LOOP(finePointers, OP_READ, OP_INC);
  LOOP(fineLocal, OP_READ, OP_INC);
  LOOP(fineIndex, OP_READ, OP_INC);
  ROWS(fineRows, OP_INC);
  ROWS(fineWriteRows, OP_WRITE);
  ROWS(fineWriteAllRows, OP_WRITE);
  int count = 0;
  op_par_loop(fineCount, "fineCount", set,
              op_arg_dat(d, -1, OP_ID, 3, "double", OP_READ),
              op_arg_gbl(&count, 1, "int", OP_INC));
  LOOP(mayWrite, OP_READ, OP_READ);
  LOOP(mayWriteOne, OP_READ, OP_RW);
  LOOP(mayCopy, OP_READ, OP_READ);
  LOOP(mayRead, OP_READ, OP_WRITE);
  LOOP(mayUse, OP_READ, OP_INC);
  LOOP(mayAssign, OP_READ, OP_INC);
#ifdef ERRORS
  LOOP(writes, OP_READ, OP_READ);
  LOOP(copies, OP_READ, OP_READ);
  LOOP(uses, OP_READ, OP_INC);
  LOOP(assigns, OP_READ, OP_INC);
#endif
}

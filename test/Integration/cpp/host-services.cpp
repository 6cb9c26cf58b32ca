// What programs do between loops with OP2's own functions, clocks, output,
// sizes and regions, does not make loops run: they are fused across it, and
// regions have the time of the loops that they called.
//
// RUN: %clangxx -O1 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev > %t.expected
// RUN: %op2cxx -O2 -Werror=op2-sequential --op2-report %s -o %t 2> %t.report
// RUN: FileCheck %s --check-prefix=REPORT < %t.report
// RUN: env OMP_NUM_THREADS=2 %t | diff %t.expected -
// RUN: env OMP_NUM_THREADS=2 OP2_CHAIN=always OP2_TILE_SIZE=50 %t | diff %t.expected -
// RUN: env OP2_CHECK=1 %t | diff %t.expected -
// RUN: env OMP_NUM_THREADS=2 PROFILE=1 %t | FileCheck %s
// RUN: env OMP_NUM_THREADS=2 PROFILE=1 OP_PROFILE_LEVEL=2 %t | FileCheck %s --check-prefix=LOOPS

// REPORT: [[#PREDICT:]]:5: remark: loop 'predict' fused with 'correct'
// REPORT: loop 'shift' not fused with 'scale' {{.*}}: 'op_printf' is called
// REPORT: loop 'look' is not delayed: {{.*}}'op_timers' is called

// Both have what their loop took, of which all ran in the second or later.
// CHECK: region
// CHECK: all
// CHECK: 20 0.{{0*[1-9].*}} predicting
// CHECK: 20 0.{{0*[1-9].*}} correcting

// LOOPS: predicting
// LOOPS-NEXT: predict
// LOOPS: correcting
// LOOPS-NEXT: correct
#include "op_seq.h"
#include "op_profile.h"

#include <cstdlib>
#include <vector>

constexpr int kSize = 100000;

inline void predict(const double *x, double *y) { *y = 0.5 * *x + 1; }
inline void correct(const double *y, double *x) { *x = *x + 0.25 * *y; }
inline void shift(unsigned char *c) { c[0] = c[0] == 'a' ? 'b' : 'a'; }
inline void scale(unsigned char *c) { c[0] = c[0] == 'b' ? 'd' : 'e'; }
inline void look(const double *x, double *sum) { *sum += *x > 3 ? 1 : 0; }

int main(int argc, char **argv) {
  op_init(argc, argv, 1);
  op_set set = op_decl_set(kSize, "set");
  std::vector<double> start(kSize);
  for (int n = 0; n < kSize; ++n)
    start[n] = n % 17;
  op_dat x = op_decl_dat(set, 1, "double", start.data(), "x");
  op_dat y = op_decl_dat(set, 1, "double", (double *)nullptr, "y");
  op_dat c = op_decl_dat(set, 1, "uchar", (unsigned char *)nullptr, "c");
  bool profile = std::getenv("PROFILE");
  if (profile)
    op_profile_start("all");

  double cpu, wall, previous = 0, longest = 0;
  for (int step = 0; step < 20; ++step) {
    op_timers(&cpu, &wall);
    op_profile_enter("predicting");
    op_par_loop(predict, "predict", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
    op_profile_next("correcting");
    op_timers(nullptr, &wall);
    if (op_is_root() && op_get_size(set) == kSize && step % 10 == 0)
      op_printf("step %d of %s\n", step, "20");
    op_par_loop(correct, "correct", set, op_arg_dat(y, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
    op_profile_exit();
    if (wall - previous > longest)
      longest = wall - previous;
    previous = wall;
  }

  // What is printed is what the loop made.
  char *text = static_cast<op_dat>(c)->data;
  op_par_loop(shift, "shift", set, op_arg_dat(c, -1, OP_ID, 1, "uchar", OP_RW));
  op_printf("%.3s\n", text);
  op_par_loop(scale, "scale", set, op_arg_dat(c, -1, OP_ID, 1, "uchar", OP_RW));
  op_printf("%.3s\n", text);

  // The last clock has the time of all loops.
  double sum = 0;
  op_par_loop(look, "look", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
              op_arg_gbl(&sum, 1, "double", OP_INC));
  op_timers(&cpu, &wall);
  op_printf("%g %d\n", sum, wall > previous && longest > 0);
  if (profile) {
    op_profile_end();
    op_profile_output();
  }
  op_exit();
}

// Loops in a header that the application includes in several ways.
#ifndef LOOPS_H
#define LOOPS_H
#include "op_seq.h"
inline void setOne(double *q) { *q = 1; }
template <class T> void setOneOf(T *q) { *q = 1; }
#ifdef TEMPLATE
#define SET_ONE setOneOf<double>
#else
#define SET_ONE setOne
#endif
inline void runSetOne(op_set set, op_dat d) {
  op_par_loop(SET_ONE, "set one", set, op_arg_dat(d, -1, OP_ID, 1, "double", OP_WRITE));
}
// A variable that gets values here, too.
static op_dat chosen;
inline void choose(op_dat d) { chosen = d; }
#endif

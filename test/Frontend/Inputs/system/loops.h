// A loop in a header that the application includes as a system header.
inline void setOne(double *q) { *q = 1; }
inline void runSetOne(op_set set, op_dat d) {
  op_par_loop(setOne, "set one", set, op_arg_dat(d, -1, OP_ID, 1, "double", OP_WRITE));
}

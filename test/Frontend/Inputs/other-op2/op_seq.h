// As a copy of another OP2's headers beside the source.
struct op_set_core {
  int size;
};
typedef op_set_core *op_set;
template <class Kernel, class... Args>
void op_par_loop(Kernel kernel, const char *, op_set set, Args *...args) {
  for (int i = 0; i < set->size; ++i)
    kernel(args + i...);
}

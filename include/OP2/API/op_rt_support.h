//===- op_rt_support.h - Support for the loops of op_seq.h ------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands between applications and loops that they write by hand, and the
// functions behind the templates of op_lib_cpp.h and op_seq.h.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_API_OP_RT_SUPPORT_H
#define OP2_API_OP_RT_SUPPORT_H

#include "op_lib_core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --------------------------------------------------------------------------
 * Loops written by hand around op_arg_dat. Begin with one of the exchanges,
 * which makes the values of all arguments current and returns the number of
 * elements to run over; then wait; end with set_dirtybit, which notes what was
 * written. A single process has no halos and nothing to wait for or to reduce.
 * ------------------------------------------------------------------------ */

/* Values on the host, in dat->data and args[m].data. */
int op_mpi_halo_exchanges(op_set set, int nargs, op_arg *args);
void op_mpi_set_dirtybit(int nargs, op_arg *args);
/* Values on the CUDA device, in dat->data_d and args[m].data_d, laid out as
 * kernels see them; maps in args[m].map_data_d. An error without a device. */
int op_mpi_halo_exchanges_cuda(op_set set, int nargs, op_arg *args);
void op_mpi_set_dirtybit_cuda(int nargs, op_arg *args);
/* device: 1 the host, 2 the device. */
int op_mpi_halo_exchanges_grouped(op_set set, int nargs, op_arg *args,
                                  int device);
void op_mpi_wait_all(int nargs, op_arg *args);
void op_mpi_wait_all_cuda(int nargs, op_arg *args);
void op_mpi_wait_all_grouped(int nargs, op_arg *args, int device);
void op_mpi_test_all(int nargs, op_arg *args);
void op_mpi_test_all_grouped(int nargs, op_arg *args);
void op_mpi_reset_halos(int nargs, op_arg *args);
void op_mpi_reduce_float(op_arg *arg, float *data);
void op_mpi_reduce_double(op_arg *arg, double *data);
void op_mpi_reduce_int(op_arg *arg, int *data);
void op_mpi_reduce_bool(op_arg *arg, bool *data);
void op_mpi_reduce_combined(op_arg *args, int nargs);
void op_disable_mpi_reductions(bool disable);
void op_mpi_barrier(void);
void *op_mpi_perf_time(char const *name, double seconds); /* NULL */
/* Waits for the device. */
void deviceSync(void);
int getHybridGPU(void);
/* Elements of the set that an argument's dat lives on, halos included. */
int getSetSizeFromOpArg(op_arg *arg);
/* 1 if both type strings mean one type. */
bool op_type_equivalence(char const *a, char const *b);

/* --------------------------------------------------------------------------
 * For the templates.
 * ------------------------------------------------------------------------ */

/* 1 if type string `type` ("double", "double:soa", "real*8", ...) means the C
 * type called `c_type` ("double", "float", "int", "uint", "ll", "ull", "bool",
 * "char", "uchar", "short" or "ushort"). */
int op_type_matches(char const *type, char const *c_type);
/* Ends the program if `c_type` is not NULL: what the caller's pointer is to, if
 * type_error did not take the type string. If it did, the string is known from
 * now on as the name of values of `size` bytes, unless it was. `where` names
 * the call and `name` the object in the message. */
void op_require_type(char const *where, char const *name, char const *type,
                     char const *c_type, int size);
/* The same for a dat; ends the program, too, if components of the dat are
 * larger than its type. */
void op_require_values(char const *where, op_dat dat, char const *c_type,
                       int size);
/* op_*_char with a `c_type` as above, which the loop then reports. */
op_arg op_arg_gbl_typed(int opt, char *data, int dim, char const *type,
                        int size, char const *c_type, op_access acc);
op_arg op_arg_info_typed(char *data, int dim, char const *type, int size,
                         char const *c_type, int ref);

/* What a kernel takes for an argument, T * or T **. */
enum {
  OP_SEQ_ROW = 1,     /* a T ** */
  OP_SEQ_CONST = 2,   /* T is const */
  OP_SEQ_IN_PLACE = 4 /* what an element adds is not summed first */
};
typedef struct {
  unsigned flags;   /* OP_SEQ_... */
  int extent;       /* T is an array of so many values; 0: it is none */
  int size;         /* bytes of a value; 0: not known */
  char const *type; /* its word; NULL: a type of the application's */
} op_seq_parameter;

/* A loop run by the template in op_seq.h. Checks all arguments, starts the
 * clock and calls run(kernel, args, begin, end), which
 * calls the kernel for the elements from begin to, excluded, end; on several
 * ranks once more for elements at the border. What `run` throws comes out. */
typedef void (*op_seq_kernel)(void);
typedef void (*op_seq_run)(op_seq_kernel kernel, op_arg const *args,
                           long long begin, long long end);
void op_seq_par_loop(char const *name, op_set set, int nargs,
                     op_arg const *args, op_seq_parameter const *parameters,
                     op_seq_run run, op_seq_kernel kernel);
/* The same for a loop over a subset: its set; args become those of a loop over
 * it. */
op_set op_seq_subset(char const *name, op_subset subset, int nargs,
                     op_arg *args);
/* The same for a loop over layers: the set of its columns. args[nargs], which
 * is to be given, becomes the range of layers of a column, as const int *, and
 * args and parameters those of a loop over columns. */
op_set op_seq_columns(char const *name, op_layers layers, int nargs,
                      op_arg *args, op_seq_parameter *parameters);
/* In such a loop: 1 if the kernel takes argument `arg` layer by layer. Then the
 * first gives what it takes for layer `layer` of column `n`, and the second
 * comes after the kernel; isFirst and isLast: of the column. */
int op_seq_has_layers(int arg);
void *op_seq_begin_layer(int arg, long long n, int layer, int isFirst);
void op_seq_end_layer(int arg, int layer, int isLast);
/* Comes before such a loop in a file that op2c++ compiles: with OP2_STRICT=1
 * the end of the program, unless OP2_TARGET=seq asks for that. */
void op_seq_fallback(char const *name);
/* In such a loop, for the op_arg_idx at position `arg`: the application's
 * numbers of the elements, by the library's number; NULL if they are equal. */
int const *op_seq_user_numbers(int arg);
/* Of the loop in progress: the bytes of a value of argument `arg` if it is a
 * sum of float or double, which is exact; else 0. */
int op_seq_exact_sum(int arg);
/* Of the loop in progress: the bytes of what an element has to itself for
 * argument `arg`: rows that the kernel takes packed, side by side, or adds to;
 * a minimum or maximum of float or double; else 0. */
long long op_seq_packed_bytes(int arg);
/* Before the kernel runs for element `n`: copies these rows to `rows` and to
 * `original`; what is added to begins as zeros, a minimum as infinity.
 * Afterwards: brings back what the kernel has changed. */
void op_seq_pack(int arg, long long n, char *rows, char *original);
void op_seq_unpack(int arg, long long n, char const *rows,
                   char const *original);
/* Of the loop in progress: whether elements add to argument `arg` through
 * `slots` slots, each time to a row of floats of `valueSize` bytes: the sums
 * are then taken without further calls. */
int op_seq_adds_floats(int arg, int slots, int valueSize);
/* Adds what `count` elements add to it: terms[count][dim]. */
void op_seq_add(int arg, void const *terms, long long count);

#ifdef __cplusplus
}
#endif

#endif /* OP2_API_OP_RT_SUPPORT_H */

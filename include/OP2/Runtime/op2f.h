//===- op2f.h - What Fortran programs call in libop2 ------------*- C -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Behind the Fortran modules (lib/Fortran) and the loops that op2fc compiles,
// beside the C functions of op_lib_core.h. Everything here counts as C does:
// accesses as OP_READ = 0, slots of maps from 0 (-1: direct), positions of
// arguments from 0; the modules translate. Strings end with NUL; type strings
// are Fortran's ("real(8)", "r8", "real*8", "integer(4)", "i4", "logical", ...,
// with ":soa") or C's, and are copied where they are kept.
//
// `kind` is the type of the Fortran variable that `data` points to, in the same
// words: it must mean what the type string means. A logical is an integer of 4
// bytes.
//
// Errors as in op_lib_core.h. What is wrong with an argument is said when its
// loop begins. In programs that op2f_init has begun, messages count arguments
// and slots of maps from 1.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_RUNTIME_OP2F_H
#define OP2_RUNTIME_OP2F_H

#include "OP2/API/op_mat.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --------------------------------------------------------------------------
 * The program
 * ------------------------------------------------------------------------ */

/* The next word of the command line, from the program's name on; copied. */
void op2f_add_argument(char const *word);
/* op_init of those words. base: 0 or 1, the least value in tables given to
 * op_decl_map. communicators[2]: those of op_mpi_init, or NULL. */
void op2f_init(int diags, int base, int soa, int const *communicators);
/* The C library's buffers to the file: Fortran's units have their own. */
void op2f_flush(void);
/* Processes that share the mesh. */
int op2f_mpi_size(void);
/* 1 once op_partition has been called. */
int op2f_is_partitioned(void);
/* op_malloc: *address is that of *bytes bytes. */
void op2f_malloc(int64_t *address, int const *bytes);

/* --------------------------------------------------------------------------
 * Declarations
 * ------------------------------------------------------------------------ */

/* count: values at `data`, or -1 if nobody knows; fewer than the set needs are
 * an error, and so is OP2F_NOT_CONTIGUOUS. NULL data: zeros. */
enum { OP2F_NOT_CONTIGUOUS = -2 };
op_dat op2f_decl_dat(op_set set, int dim, char const *type, char const *kind,
                     void *data, int64_t count, char const *name);
/* An error unless `count` values at `table` are enough for a map, or for the
 * `size` elements of a subset. */
void op2f_require_table(char const *name, op_set from, int dim,
                        void const *table, int64_t count);
void op2f_require_elements(char const *name, int size, int64_t count);
/* A warning: an array of several dimensions, of which the first has `extent`
 * values and none of the first ones together `dim`. */
void op2f_warn_of_rows(char const *where, char const *name, int dim,
                       int64_t extent);
/* The same as op2f_decl_dat for rows of `levels` times `dim` values. */
op_dat op2f_decl_dat_layers(op_set set, int levels, int dim, char const *type,
                            char const *kind, void *data, int64_t count,
                            char const *name);
/* op_decl_layers_varying of ranges that count from 1 and include the last
 * layer; a last one below the first: none. */
op_layers op2f_decl_layers_varying(op_set columns, int const *ranges,
                                   char const *name);
op_dat op2f_decl_dat_temp(op_set set, int dim, char const *type,
                          char const *name);
/* count as above, of at least dim. kind "character" is accepted: no kernel on a
 * device sees it. */
void op2f_decl_const(int dim, char const *kind, void *data, int64_t count,
                     char const *name);
/* Sets by numbers of the program, from 0. */
void op2f_register_set(int number, op_set set);
op_set op2f_get_set(int number);

/* --------------------------------------------------------------------------
 * Dats and maps by the application's arrays
 * ------------------------------------------------------------------------ */

/* The dat that was declared with `data`, or whose pointer op2f_reset_data_ptr
 * has made this; errors begin with `where`. If several were, nobody knows which
 * is meant: an error. Overlays are not looked for. */
op_dat op2f_find_dat(void const *data, char const *where);
/* The map that was declared with `table`, or got this pointer by the functions
 * below. */
op_map op2f_find_map(void const *table, char const *where);
/* What the dat is found by from now on, and the result: mode 1 its number (from
 * 1), mode
 * 2 the address of its values, dat->data. */
int64_t op2f_reset_data_ptr(op_dat dat, int mode);
/* The address of map->map, whose values count from 0. */
int64_t op2f_get_map_ptr(op_map map);
/* The same; the map is found by it from now on, and no more by the array that
 * it was declared with. */
int64_t op2f_reset_map_ptr(op_map map);
/* A copy of map->map with values from 1, by which the map is found, too; it
 * belongs to the library and lives until op_exit. */
int64_t op2f_copy_map(op_map map);
/* Gives the elements their numbers, from 1, as values: a dat on `set` of dim 1
 * and integers of 4 bytes. */
void op2f_dat_write_index(op_set set, op_dat dat);

/* --------------------------------------------------------------------------
 * Arguments and loops
 * ------------------------------------------------------------------------ */

op_arg op2f_arg_dat(op_dat dat, int slot, op_map map, int dim, char const *type,
                    op_access acc);
op_arg op2f_arg_dat_layers(op_dat dat, int slot, op_map map, int level,
                           int levels, int dim, char const *type,
                           op_access acc);
op_arg op2f_opt_arg_dat(int opt, op_dat dat, int slot, op_map map, int dim,
                        char const *type, op_access acc);
op_arg op2f_arg_gbl(void *data, int dim, char const *type, op_access acc);
op_arg op2f_opt_arg_gbl(int opt, void *data, int dim, char const *type,
                        op_access acc);
op_arg op2f_arg_info(void *data, int dim, char const *type, int follows);
/* The same for variables of a known kind. */
op_arg op2f_arg_gbl_kind(int opt, void *data, int dim, char const *type,
                         char const *kind, op_access acc);
op_arg op2f_arg_info_kind(void *data, int dim, char const *type,
                          char const *kind, int follows);
/* By the application's arrays; a NULL map: direct. */
op_arg op2f_arg_dat_ptr(int opt, void const *data, int slot, void const *map,
                        int dim, char const *type, char const *kind,
                        op_access acc);

/* The loops that the modules have names for: op_par_loop_1 and so on. */
#define OP2F_MOST_ARGUMENTS 43
/* Calls the kernel, a Fortran procedure that takes addresses, for each element,
 * on several processes each of which has its part; numbers of elements
 * (op_arg_idx) count from 1. name: NULL or "" for that of the kernel's symbol.
 * args[nargs]. */
void op2f_par_loop(void (*kernel)(void), char const *name, op_set set,
                   int nargs, op_arg const *args);
/* The same for each element of a subset; the arguments are those of a loop over
 * the set that its elements are from. */
void op2f_par_loop_subset(void (*kernel)(void), char const *name,
                          op_subset subset, int nargs, op_arg const *args);
/* The same for each layer of each column. */
void op2f_par_loop_layers(void (*kernel)(void), char const *name,
                          op_layers layers, int nargs, op_arg const *args);

/* --------------------------------------------------------------------------
 * Matrices
 * ------------------------------------------------------------------------ */

/* op_decl_sparsity_union of rows[nrows] and cols[ncols], as many of each. */
op_sparsity op2f_decl_sparsity(int nrows, op_map const *rows, int ncols,
                               op_map const *cols, char const *name);
op_mat op2f_decl_mat(op_sparsity sparsity, int rowdim, int coldim,
                     char const *type, char const *name);
/* Indices as in op_arg_mat; INT_MIN: Fortran's 0, an error. */
op_arg op2f_arg_mat(op_mat mat, int rowidx, op_map rows, int colidx,
                    op_map cols, int rowdim, int coldim, char const *type,
                    op_access acc);
/* As in op_mat_loops.h; they run one element after the other. */
void op2f_mat_zero(op_mat mat);
void op2f_mat_mult(op_mat mat, op_dat x, op_dat y);
void op2f_mat_zero_rows(op_mat mat, op_dat flags, double diagonal);
void op2f_mat_eliminate(op_mat mat, op_dat flags, op_dat given, op_dat b,
                        double diagonal);
/* op_mat_get_csr with rowptr and colidx from 1; values are of `kind`. */
void op2f_mat_get_csr(op_mat mat, char const *kind, int64_t *rowptr,
                      int *colidx, void *values);

/* --------------------------------------------------------------------------
 * Values and output
 * ------------------------------------------------------------------------ */

/* op_fetch_data, and op_fetch_data_idx with low and high from 0; count as for
 * op2f_decl_dat. */
void op2f_fetch_data(op_dat dat, char const *kind, void *data, int64_t count);
void op2f_fetch_data_idx(op_dat dat, char const *kind, void *data,
                         int64_t count, int low, int high);
/* A copy of the dat with the values of all elements that the rank declared, in
 * the application's order: dat->data, dat->set->size. No loop takes it. Freed
 * by the second function. */
op_dat op2f_mpi_get_data(op_dat dat);
void op2f_mpi_free_data(op_dat dat);
/* Text files: a line "<element>, <component> -> <value>" for each value of a
 * dat; "<element> --> <value> ..." for each row of a map, from 0 as in
 * map->map. */
void op2f_dump_dat(op_dat dat, char const *file_name);
void op2f_dump_map(op_map map, char const *file_name);
/* The fields of an argument, as text. */
void op2f_dump_arg(op_arg const *arg);
/* Notes a loop that the program has run itself, for op_timing_output: `count`
 * calls, seconds and bytes for all of them. */
void op2f_set_kernel_time(char const *name, double seconds, float bytes,
                          int count);
/* dim of the argument's map; 0 for none. */
int op2f_map_dim(op_arg const *arg);
/* Elements of the set that the dat lives on. */
int op2f_set_size_of_dat(op_dat dat);
/* op_download_dat and op_upload_dat of each dat in args[nargs]. */
void op2f_get_all(int nargs, op_arg const *args);
void op2f_put_all(int nargs, op_arg const *args);

/* --------------------------------------------------------------------------
 * What this library does otherwise: an error that says how
 * ------------------------------------------------------------------------ */

/* name: decrement_all_maps or increment_all_maps. */
void op2f_change_maps(char const *name);
int64_t op2f_get_g_index(op_set set);
void op2f_mpi_probe_halo_index(op_set set, int in, int *rank, int *out);

#ifdef __cplusplus
}
#endif

#endif /* OP2_RUNTIME_OP2F_H */

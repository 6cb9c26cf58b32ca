//===- op_lib_core.h - Types and C functions of OP2 -------------*- C -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The objects of OP2 (set, map, dat, arg) and the functions that declare,
// query and fetch them. Applications read and write the fields of the structs,
// so their layout is part of the interface. Applications include op_seq.h.
//
// Errors: a violated precondition ends the program with exit status 1 and one
// message on stderr that starts with "op2 error:". Sizes count elements unless
// a comment says bytes. Names and data passed in are copied unless a comment
// says otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_API_OP_LIB_CORE_H
#define OP2_API_OP_LIB_CORE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

/* How op2c++ recognises the calls that it compiles. */
#if defined(__clang__)
#define OP2_ANNOTATE(what) __attribute__((annotate(what)))
#else
#define OP2_ANNOTATE(what)
#endif

/* Alignment in bytes of everything that the library allocates. */
#ifndef OP2_ALIGNMENT
#define OP2_ALIGNMENT 64
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef long long idx_g_t; /* number of elements over all processes */
typedef int idx_l_t;       /* number of elements of this process */
#ifndef OP2_NO_SHORT_TYPES /* for programs with their own uint, ll, ull */
typedef unsigned int uint;
typedef long long ll;
typedef unsigned long long ull;
#endif

typedef int op_access;
#define OP_READ 0
#define OP_WRITE 1
#define OP_RW 2
#define OP_INC 3
#define OP_MIN 4
#define OP_MAX 5
#define OP_WORK 6
#define OP_REDUCE 7 /* by op_arg_reduce */

/* What a plan stages, for programs that name it. */
#define OP_STAGE_NONE 0
#define OP_STAGE_INC 1
#define OP_STAGE_ALL 2
#define OP_STAGE_PERMUTE 3
#define OP_COLOR2 4

typedef int op_arg_type;
#define OP_ARG_GBL 0
#define OP_ARG_DAT 1
#define OP_ARG_IDX 2
#define OP_ARG_INFO 3

/* "No map": a direct argument, a global argument. */
#ifdef __cplusplus
#define OP_ID (static_cast<op_map>(nullptr))
#else
#define OP_ID ((op_map)NULL)
#endif
#define OP_GBL OP_ID

#ifndef MIN
#define MIN(a, b) (((a) < (b)) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) (((a) > (b)) ? (a) : (b))
#endif
/* Bytes rounded up to 16 and to 64. */
#ifndef ROUND_UP
#define ROUND_UP(bytes) (((bytes) + 15) & ~15)
#endif
#ifndef ROUND_UP_64
#define ROUND_UP_64(bytes) (((bytes) + 63) & ~63)
#endif

/* A set of elements numbered 0 ... size-1. */
struct op_set_core {
  int index;        /* position in OP_set_list */
  idx_l_t size;     /* elements owned by this process */
  char const *name; /* owned by the library */
  int core_size;    /* elements that need no halo; size without MPI */
  int exec_size;    /* imported elements to execute; 0 without MPI */
  int nonexec_size; /* imported elements to read; 0 without MPI */
  int stride;       /* elements between two components on a device */
};
typedef struct op_set_core op_set_core;
typedef op_set_core *op_set;

/* `dim` elements of `to` for each element of `from`. */
struct op_map_core {
  int index; /* position in OP_map_list */
  op_set from, to;
  int dim, *map;    /* map[e * dim + slot], 0-based; the library's own copy */
  idx_g_t *map_gbl; /* NULL without MPI */
  int *map_d;       /* device copy, or NULL */
  char const *name;
  int user_managed; /* 1: `map` belongs to the application */
  bool force_part;
};
typedef struct op_map_core op_map_core;
typedef op_map_core *op_map;

/* Some elements of a set: a set of their own, and a map of arity 1 from it to
 * the set that they are elements of. */
struct op_subset_core {
  op_set set;
  op_map map;
};
typedef struct op_subset_core op_subset_core;
typedef op_subset_core *op_subset;

/* `dim` values for each element of `set`. */
struct op_dat_core {
  int index;
  op_set set;
  int dim;  /* components per element */
  int size; /* bytes per element */
  char *data, *data_d;
  char const *type; /* type string, e.g. "double" */
  char const *name;
  char *buffer_d, *buffer_d_r;
  int dirtybit;     /* 1: halo out of date */
  int dirty_hd;     /* 0 clean, 1 host newer, 2 device newer */
  int user_managed; /* 1: `data` belongs to the application */
  void *mpi_buffer;
};
typedef struct op_dat_core op_dat_core;
typedef op_dat_core *op_dat;

/* The layers of columns, which are the elements of `set`: two values for each
 * column, its first layer and the one after its last. */
struct op_layers_core {
  op_set set;
  op_dat ranges; /* the library's: programs do not write it */
  int last;      /* the greatest of all columns that have layers; or 0 */
  char const *name;
};
typedef struct op_layers_core op_layers_core;
typedef op_layers_core *op_layers;

/* One argument of a parallel loop, as made by op_arg_dat and its siblings. */
struct op_arg {
  int index;
  op_dat dat;
  op_map map;
  int dim;  /* components, as given by the caller */
  int idx;  /* -1 direct, >= 0 map slot, <= -2 the first -idx slots */
  int size; /* bytes per element; -1 for a NULL dat */
  char *data, *data_d;
  int *map_data, *map_data_d;
  char const *type;
  op_access acc; /* OP_ARG_INFO: number of the MIN/MAX argument it follows */
  op_arg_type argtype;
  int sent;
  int opt; /* 0: optional argument that is switched off */
  /* Of op_arg_reduce. */
  void (*merge)(void *into, void const *from);
  void const *identity;
  int level, levels; /* op_arg_dat_layers: its first level and how many of them
                      * a layer takes; else 0 */
};
typedef struct op_arg op_arg;

/* An entry of OP_dat_list, in the order of declaration. */
struct op_dat_entry_core {
  op_dat dat;
  void *orig_ptr; /* what the application passed as data, or NULL */
  TAILQ_ENTRY(op_dat_entry_core) entries;
};
typedef struct op_dat_entry_core op_dat_entry;
typedef TAILQ_HEAD(op_dat_list_head, op_dat_entry_core) Double_linked_list;

/* What the timings know of a loop, kept current: one entry per call site and
 * target, and those that loops by hand ask for (op_timing_realloc), the only
 * ones that have `times`; transfer and transfer2 are useful bytes. */
struct op_kernel {
  char const *name;
  int count;
  double time, *times; /* seconds */
  int ntimes;
  float plan_time, transfer, transfer2;
  double mpi_time;
};
typedef struct op_kernel op_kernel;

/* --------------------------------------------------------------------------
 * Run-time settings and lists. Set by op_init from its arguments.
 * ------------------------------------------------------------------------ */

extern int OP_diags;           /* 0 quiet ... 4 also checks every plan */
extern int OP_part_size;       /* elements per block; 0: the default */
extern int OP_block_size;      /* threads per GPU block */
extern int OP_cache_line_size; /* bytes, for the traffic report */
extern int OP_auto_soa;
extern int OP_maps_base_index; /* 1: tables given to op_decl_map start at 1 */
extern int OP_realloc;         /* 0: dats use the application's storage */
extern int OP_is_partitioned;
extern double OP_plan_time; /* seconds for plans and checks, once for a call */

/* Accepted for programs that set or print them; nothing depends on them in a
 * single process. */
extern int OP_gpu_direct, OP_hybrid_gpu, OP_mpi_test_frequency;
extern int OP_partial_exchange, OP_disable_mpi_reductions;
extern int OP_cuda_reductions_mib;
extern double OP_hybrid_balance;

extern int OP_set_index, OP_set_max; /* sets declared; room in the list */
extern int OP_map_index, OP_map_max;
extern int OP_dat_index; /* dats declared so far */
extern op_set *OP_set_list;
extern op_map *OP_map_list;
extern Double_linked_list OP_dat_list;
extern int OP_kern_max, OP_kern_curr; /* entries of OP_kernels */
extern op_kernel *OP_kernels;

/* --------------------------------------------------------------------------
 * The program
 * ------------------------------------------------------------------------ */

/* Must come before every declaration; again only after op_exit. Understands
 * OP_PART_SIZE=<n>, OP_BLOCK_SIZE=<n>, OP_CACHE_LINE_SIZE=<n>,
 * OP_MAPS_BASE_INDEX=<0|1>, OP_RENUMBER=<rcm|hilbert|hilbert:dat|none>,
 * OP_NO_REALLOC and OP_AUTO_SOA anywhere in argv, and
 * accepts without effect OP_TEST_FREQ=<n>, OP_HYBRID_BALANCE=<x>,
 * OP_CUDA_REDUCTIONS_MIB=<n>, OP_PARTIAL_EXCHANGE and -gpudirect; argv is not
 * changed. diags: 0 nothing but errors, 2 plans, loops
 * and which target was chosen, and why, 3 every loop call, 4 checks every plan
 * and waits for every kernel. */
void op_init(int argc, char **argv, int diags);
/* The same, with the layout of dats on devices (1: struct of arrays). */
void op_init_soa(int argc, char **argv, int diags, int soa);
/* The same for the processes of `local`, as MPI_Comm_c2f gives it; without
 * libop2_mpi the communicators have no meaning. */
void op_mpi_init(int argc, char **argv, int diags, int global, int local);
void op_mpi_init_soa(int argc, char **argv, int diags, int global, int local,
                     int soa);
/* Frees everything; handles are invalid afterwards. */
void op_exit(void);

int op_is_root(void);
void op_rank(int *rank);
/* printf on the root process; op_print adds a newline. */
void op_printf(char const *format, ...) __attribute__((format(printf, 1, 2)));
void op_print(char const *line);
/* *et: seconds of wall clock since some fixed time; *cpu is not touched. */
void op_timers(double *cpu, double *et);
void op_timers_core(double *cpu, double *et);

/* Storage aligned to OP2_ALIGNMENT bytes; may also be passed to free(). */
void *op_malloc(size_t bytes);
void *op_calloc(size_t count, size_t bytes);
void *op_realloc(void *data, size_t bytes);
void op_free(void *data);

/* --------------------------------------------------------------------------
 * Declarations
 * ------------------------------------------------------------------------ */

/* size >= 0. In C++ a size of a wider type is not cut: op_decl_set_long. */
op_set op_decl_set(idx_l_t size, char const *name);
op_set op_decl_set_long(long long size, char const *name);
/* imap[from->size * dim], each value in 0 ... to->size-1 (checked), plus
 * OP_maps_base_index. NULL: later, map->map is to point to a table that
 * op_malloc has made, which counts from 0. */
op_map op_decl_map(op_set from, op_set to, int dim, idx_l_t const *imap,
                   char const *name);
/* The same from 64-bit values. */
op_map op_decl_map_long(op_set from, op_set to, int dim, idx_g_t const *imap,
                        char const *name);
/* The map that goes through `first` and then through `after`, whose set is the
 * one that `first` leads to: slot i * after->dim + j is what slot j of `after`
 * holds for the element in slot i of `first`. Made once for two maps. */
op_map op_compose_map(op_map after, op_map first);
/* elements[size] in 0 ... set->size-1 (checked), plus OP_maps_base_index; on
 * ranks that declare blocks those of the own block. Copied; the order does not
 * matter, and doubles are dropped. op_par_loop over a subset takes arguments as
 * one over `set`. */
op_subset op_decl_subset(op_set set, int size, int const *elements,
                         char const *name);
/* The elements for which `flag` is not 0 now: a dat on `set`, of dim 1, of a
 * type of integers or bool. */
op_subset op_decl_subset_where(op_set set, op_dat flag, char const *name);
/* Frees it with its set, its map, and all maps composed with that. An error if
 * a dat, layers, another subset, a map or a sparsity refers to its set. On
 * several ranks it is kept until op_exit. */
void op_free_subset(op_subset subset);
/* Layers on top of each element of `columns`: from `first` to, excluded,
 * `last`; 0 <= first <= last. op_par_loop over them calls the kernel for each
 * layer of each column. */
op_layers op_decl_layers(op_set columns, int first, int last, char const *name);
/* The same with ranges[columns->size][2], first and last of each column. */
op_layers op_decl_layers_varying(op_set columns, int const *ranges,
                                 char const *name);
/* Accepted: with one process no map is cut. */
void op_force_part(int *map);
/* size: bytes of one component. data[set->size * dim], or NULL for zeros. */
op_dat op_decl_dat_char(op_set set, int dim, char const *type, int size,
                        char *data, char const *name);
/* The same for rows of `levels` times `dim` values (op_arg_dat_layers). */
op_dat op_decl_dat_layers_char(op_set set, int levels, int dim,
                               char const *type, int size, char *data,
                               char const *name);
/* A dat of zeros. An equal living one (set, dim, type, size, name) is an
 * error. */
op_dat op_decl_dat_temp_char(op_set set, int dim, char const *type, int size,
                             char const *name);
/* 1, or -1 if `dat` is not a living dat. A dat that overlays share is an error.
 */
int op_free_dat_temp(op_dat dat);
int op_free_dat_temp_char(op_dat dat);
/* Another dat on the storage of `dat`: its first elements seen as values on
 * `set`, which is not larger than the dat's. What is written through one is
 * read through the other, on every target. */
op_dat op_decl_dat_overlay(op_set set, op_dat dat);
/* The same for the dat that was declared with `data`, or whose values are at
 * `data`. */
op_dat op_decl_dat_overlay_ptr(op_set set, char *data);
/* The dat with these properties (size: bytes per element), or NULL. */
op_dat search_dat(op_set set, int dim, char const *type, int size,
                  char const *name);
/* 1 if both are the same set. */
int compare_sets(op_set set1, op_set set2);
/* size: bytes of one component; data is not copied. */
void op_decl_const_char(int dim, char const *type, int size, char *data,
                        char const *name);

/* With one process nothing is divided. If the option asks for it, sets are
 * renumbered: by the rows of prime_map, or along a curve through coords. Both
 * may be NULL. */
void op_partition(char const *lib_name, char const *lib_routine,
                  op_set prime_set, op_map prime_map, op_dat coords);
/* Gives the elements of all sets new numbers inside of the library, so that
 * those that stand in one row of `base` are close to each other, and what leads
 * to them is, too. `base` leads to at least two elements, or from a set to
 * itself. From then on dat->data and map->map have another order; values that
 * the functions below give and take, and op_arg_idx, keep the application's. */
void op_renumber(op_map base);
/* Gives the elements of one set new numbers in the same way: those with smaller
 * values of `key` before those with larger ones, equal ones in the order that
 * they have; as particles by their cells. A dat on `set`, of dim 1, of a type
 * of integers. Its values and those of other dats stay with their elements. */
void op_renumber_by(op_set set, op_dat key);

/* --------------------------------------------------------------------------
 * Arguments of parallel loops
 * ------------------------------------------------------------------------ */

/* Direct: idx -1, map OP_ID. Indirect: slot idx of map; or, with idx <= -2,
 * its first -idx slots, and the kernel takes T **. */
OP2_ANNOTATE("op2.arg_dat")
op_arg op_arg_dat(op_dat dat, int idx, op_map map, int dim, char const *type,
                  op_access acc);
/* The same if opt != 0; otherwise the kernel gets NULL. The flag is first. */
OP2_ANNOTATE("op2.opt_arg_dat")
op_arg op_opt_arg_dat(int opt, op_dat dat, int idx, op_map map, int dim,
                      char const *type, op_access acc);
/* In a loop over op_layers: of a dat whose rows are columns of levels, `dim`
 * values each, what belongs to layer l: the levels from l + level to, excluded,
 * l + level + levels. The kernel takes them side by side; of several slots
 * (idx <= -2) T (*)[levels * dim] or T **. */
OP2_ANNOTATE("op2.arg_dat_layers")
op_arg op_arg_dat_layers(op_dat dat, int idx, op_map map, int level, int levels,
                         int dim, char const *type, op_access acc);
/* The kernel takes const int *: the element's number (-1, OP_ID), or the
 * number of the element it maps to. 0-based. */
OP2_ANNOTATE("op2.arg_idx")
op_arg op_arg_idx(int idx, op_map map);
/* size: bytes of one component. */
op_arg op_arg_gbl_char(char *data, int dim, char const *type, int size,
                       op_access acc);
op_arg op_opt_arg_gbl_char(int opt, char *data, int dim, char const *type,
                           int size, op_access acc);
op_arg op_arg_info_char(char *data, int dim, char const *type, int size,
                        int ref);

/* --------------------------------------------------------------------------
 * Queries and output
 * ------------------------------------------------------------------------ */

idx_g_t op_get_size(op_set set);
idx_g_t op_get_global_set_offset(op_set set);
idx_l_t op_get_size_local(op_set set);
idx_l_t op_get_size_local_core(op_set set);
idx_l_t op_get_size_local_exec(op_set set);
idx_l_t op_get_size_local_full(op_set set);
/* -1 if there is no set of this name. */
int op_size_of_set(char const *name);

/* data[elements * dat->size bytes] receives the values, in the order in which
 * they were declared, of as many elements as this process has declared: on
 * several ranks that declare blocks these are not dat->set->size, which is the
 * size of the rank's part. */
void op_fetch_data_char(op_dat dat, char *data);
/* Elements low ... high, both included: (high - low + 1) * dat->size bytes. */
void op_fetch_data_idx_char(op_dat dat, char *data, int low, int high);
/* To each element of `out` the sum (or the least or greatest: operation "sum",
 * "min", "max") of `in` over it and all elements before it, in the
 * application's order, component by component; on the host. Both dats have one
 * set, dim and type of numbers, and may be the same. Integers wrap around. */
void op_scan(op_dat in, op_dat out, char const *operation);
/* The dat's own storage on the host, current; the caller may write there until
 * the next loop. */
unsigned long op_get_data_ptr(op_dat dat);

/* Text: a line "size dim", then one line per element. */
void op_print_dat_to_txtfile(op_dat dat, char const *file_name);
/* Binary: int32 size, int32 dim, then the values. */
void op_print_dat_to_binfile(op_dat dat, char const *file_name);
/* All values to stdout. */
void op_dump_dat(op_dat dat);

/* Loops and the functions above see current values wherever these are. Code
 * that uses dat->data itself after a loop on a device calls op_download_dat
 * before it reads, and op_upload_dat after it has written: the host's values
 * count then, whatever the device has. op_upload_all does the latter for all
 * dats except those whose newer values are on the device. */
void op_upload_all(void);
void op_upload_dat(op_dat dat);
void op_download_dat(op_dat dat);
void op_put_dat(op_dat dat);       /* op_upload_dat */
void op_get_dat(op_dat dat);       /* op_download_dat */
void op_cuda_get_data(op_dat dat); /* op_download_dat */

/* From now on loops run on a device no more (true), or again. */
void op_disable_device_execution(bool disable);
/* 1 if OP_WHITELIST, a file of regular expressions, one a line, is not set or
 * one of them matches the whole of `name`. Loops whose names do not match run
 * on the host. */
bool op_check_whitelist(char const *name);
/* What OP_FALLBACK_MODE (silent, warn, error; default warn) asks for when the
 * loop `name` is about to run on the host instead: nothing, a line, the end of
 * the program. */
void op_check_fallback_mode(char const *name);

/* --------------------------------------------------------------------------
 * Reports
 * ------------------------------------------------------------------------ */

/* Loops sorted by time: calls, seconds, useful GB, GB/s, how it ran. Of a loop
 * on a GPU the time from its first kernel's start to its last one's end; asking
 * waits for all loops so far. */
void op_timing_output(void);
void op_timing_output_2_file(char const *file_name);
void op_timings_to_csv(char const *file_name);
/* Accepted: entries of OP_kernels are made when a loop first runs. */
void op_timing_realloc(int kernel);
void op_timing_realloc_manytime(int kernel, int num_timers);
/* Tables of sets, maps, dats and of what is in device memory, if OP_diags > 1.
 */
void op_diagnostic_output(void);

#ifdef __cplusplus
}
#endif

/* Rounded up to a multiple of 32, as strides on devices are. */
#ifdef __cplusplus
constexpr size_t round32(size_t count) { return (count + 31) & ~size_t(31); }
#endif

#endif /* OP2_API_OP_LIB_CORE_H */

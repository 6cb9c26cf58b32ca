//===- op2rt.h - The runtime interface of generated code --------*- C -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C ABI between code that the compiler generates and libop2. Applications
// use the headers in include/OP2/API instead. Every name here starts with
// op2rt_; the layout of every struct here is part of the ABI and changes only
// together with OP2RT_ABI_VERSION.
//
// Errors: no function returns an error code. A violated precondition that a
// user can cause (a handle of the wrong set, a dim that differs, an index out
// of range ...) ends the program: one message on stderr that starts with
// "op2 error:", names the loop, the object, the value and what was expected,
// and ends with the id of the kind of mistake (docs/errors.md) and what to do;
// exit status 1.
//
// Threads: loop_begin, plan_get, reduction_begin/end, loop_end,
// is_separate, enqueue, flush and drop are called by the thread that runs the
// program, never concurrently. The plan_* and reduction_partial queries,
// reduction_add, _split and _add_split may be called by any thread of a loop in
// progress.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_RUNTIME_OP2RT_H
#define OP2_RUNTIME_OP2RT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define OP2RT_ABI_VERSION 19

/* The objects of OP2's C API; their fields are in API/op_lib_core.h. */
struct op_set_core;
struct op_map_core;
struct op_dat_core;
struct op_subset_core;
struct op_layers_core;

/* --------------------------------------------------------------------------
 * Descriptions: constant data that the compiler emits once per loop.
 * ------------------------------------------------------------------------ */

/* Equal to OP_READ ... OP_REDUCE of the API. */
enum {
  OP2RT_READ = 0,
  OP2RT_WRITE = 1,
  OP2RT_RW = 2,
  OP2RT_INC = 3,
  OP2RT_MIN = 4,
  OP2RT_MAX = 5,
  OP2RT_WORK = 6,
  OP2RT_REDUCE = 7 /* of a global, by a function of the program */
};

/* Equal to OP_ARG_GBL ... OP_ARG_INFO of the API. */
enum {
  OP2RT_ARG_GLOBAL = 0,
  OP2RT_ARG_DAT = 1,
  OP2RT_ARG_INDEX = 2,
  OP2RT_ARG_INFO = 3
};

/* Element types. BOOL is one byte, 0 or 1. */
enum {
  OP2RT_F64 = 0,
  OP2RT_F32 = 1,
  OP2RT_I32 = 2,
  OP2RT_U32 = 3,
  OP2RT_I64 = 4,
  OP2RT_U64 = 5,
  OP2RT_BOOL = 6,
  OP2RT_I8 = 7,
  OP2RT_U8 = 8,
  OP2RT_I16 = 9,
  OP2RT_U16 = 10
};

/* Where a loop runs. The numbers are also bit positions in target masks. */
enum {
  OP2RT_TARGET_SEQ = 0,
  OP2RT_TARGET_OPENMP = 1,
  OP2RT_TARGET_CUDA = 2,
  OP2RT_TARGET_EMULATOR = 3,
  OP2RT_NUM_TARGETS = 4
};

/* op2rt_arg_desc.slot of a direct argument. */
#define OP2RT_DIRECT (-1)
/* op2rt_arg_desc.dim of a dim that is known at run time only. */
#define OP2RT_DYNAMIC_DIM (-1)

/* op2rt_arg_desc.flags */
enum {
  OP2RT_ARG_VECTOR = 1,    /* kernel parameter is T **: `count` rows of a map */
  OP2RT_ARG_OPTIONAL = 2,  /* op2rt_arg.active decides at run time */
  OP2RT_ARG_SOA = 4,       /* a device's kernel takes the dat as a struct of
                              arrays */
  OP2RT_ARG_INJECTIVE = 8, /* the map has dim 1 and leads no two elements to one
                              row: an error if it does */
  OP2RT_ARG_AOS = 16 /* rows lie as the program has them: only then may the dat
                        be of a type of the application */
};

/* One argument of a loop. */
typedef struct op2rt_arg_desc {
  int32_t kind;   /* OP2RT_ARG_* */
  int32_t access; /* OP2RT_READ ...; OP2RT_READ for an index */
  int32_t slot;   /* OP2RT_DIRECT, or the first map slot (0-based); of an
                     OP2RT_ARG_INFO the number of the argument it follows,
                     whose access it has */
  int32_t count;  /* number of consecutive slots; 1 unless OP2RT_ARG_VECTOR */
  int32_t dim;    /* components per element, or OP2RT_DYNAMIC_DIM */
  int32_t type;   /* OP2RT_F64 ... */
  int32_t flags;
  int32_t group; /* arguments of one group are the same dat by construction;
                    -1 if the argument is not a dat */
  /* Numbers of the parameters of op2rt_loop_desc.run that are its dat or
     global, its map, and whether it is active; 0 for what it has not. */
  int32_t data, map, flag;
  int32_t merge, identity; /* likewise, of an OP2RT_REDUCE */
  int32_t arity; /* that code for loops which run in this one's place expects
                    of the map; 0: any */
} op2rt_arg_desc;

/* `bytes` of a variable whose size only another file knows: no address is
   above it. */
#define OP2RT_UNKNOWN_BYTES ((int64_t)1 << 47)

/* A variable of the program. */
typedef struct op2rt_variable {
  const void *data;
  int64_t bytes; /* or OP2RT_UNKNOWN_BYTES */
} op2rt_variable;

/* One call site of a parallel loop, for one target. `state` belongs to the
 * runtime and is NULL in the emitted image. */
typedef struct op2rt_loop_desc {
  uint32_t abi_version; /* OP2RT_ABI_VERSION */
  int32_t target;       /* OP2RT_TARGET_* */
  const char *name;     /* the loop's name, as in op_par_loop */
  const char *location; /* "file:line" of the call, or "" */
  const char *strategy; /* how it was compiled, e.g. "block colours" */
  int32_t nargs;
  int32_t nparams;            /* of `run` */
  const op2rt_arg_desc *args; /* [nargs] */
  void *state;
  /* Runs the loop, and nothing else; NULL if no function does that. values
   * [nparams]: the set; then handles, addresses of globals, and 1 as a pointer
   * or NULL for arguments that are active or not, as the arguments say. */
  void (*run)(void *const *values);
  const op2rt_variable *variables; /* [nvariables] that the kernel reads by
                                      their names */
  int64_t nvariables;
  const void *const *const *pointers; /* [npointers] of the program that the
                                         kernel follows: where they lie */
  int64_t npointers;                  /* -1: not known */
  const struct op2rt_fusion *fusions; /* a list; NULL: none */
  /* Any address, the same in the descriptions of one call site for several
   * targets; NULL: results of the loop are never late. */
  const void *site;
} op2rt_loop_desc;

/* Code for a loop, which names this in its list, and the one that comes next.
 */
typedef struct op2rt_fusion {
  op2rt_loop_desc *second;
  op2rt_loop_desc *fused; /* both as one */
  /* [parameters of the first one, then those of the second one]: which one of
   * `fused` each is. Those that are one must have one value. */
  const int32_t *places;
  int64_t saved_bytes; /* for each element, by fusing */
  int64_t exact;       /* 1: the loops alone give the same bits */
  const struct op2rt_fusion *next;
} op2rt_fusion;

/* Combines the result `from` of elements that come later into `into`. */
typedef void (*op2rt_merge)(void *into, const void *from);

/* Initial value of a field that few arguments have. */
#ifdef __cplusplus
#define OP2RT_NONE = nullptr
#else
#define OP2RT_NONE
#endif

/* The run-time value of one argument. */
typedef struct op2rt_arg {
  void *data;              /* op_dat for a dat, T * for a global, else NULL */
  struct op_map_core *map; /* NULL for a direct or global argument */
  int32_t active;          /* 0 only for an optional argument that is off */
  /* Of an OP2RT_REDUCE, else NULL: T[dim] that `merge` combines with any result
     without changing it. */
  op2rt_merge merge OP2RT_NONE;
  const void *identity OP2RT_NONE;
} op2rt_arg;

/* --------------------------------------------------------------------------
 * Loops
 * ------------------------------------------------------------------------ */

/* A loop in progress. At most one at a time. */
typedef struct op2rt_loop op2rt_loop;

/* Checks every argument (handles not NULL; the map goes from the loop's set;
 * the dat lives on the right set; slot < map dim; dim and element type agree
 * with the dat), starts the clock and makes the host copies current.
 * `args` is [desc->nargs] and must outlive the loop. */
op2rt_loop *op2rt_loop_begin(op2rt_loop_desc *desc, struct op_set_core *set,
                             const op2rt_arg *args);

/* Stops the clock, books time and bytes under desc->name, marks what was
 * written. */
void op2rt_loop_end(op2rt_loop *loop);

/* Elements [begin, end). */
typedef struct op2rt_range {
  int64_t begin, end;
} op2rt_range;

/* The elements to iterate over: all of the set, or, where a rank runs the loop
 * again for those at the border of its part, copies of them. */
op2rt_range op2rt_loop_range(const op2rt_loop *loop);

/* ends[r]: the first element that leads to a row behind r. */
typedef struct op2rt_row_ends {
  const int32_t *ends;
  int64_t count; /* of rows; 0: elements do not go row after row */
} op2rt_row_ends;

/* Where the elements of a row end, if the map of argument `arg`, of arity 1,
 * leads the loop's elements to rows in ascending order, and at least two to a
 * row in the mean. */
op2rt_row_ends op2rt_loop_row_ends(const op2rt_loop *loop, int32_t arg);

/* 1 if no two dats of different groups, at least one of them written or only
 * one a struct of arrays, share storage in this call, and no global of the loop
 * lies in a dat: generated code may then take the version compiled with noalias
 * pointers. */
int32_t op2rt_loop_is_alias_free(const op2rt_loop *loop);

/* 1 if code may run in place of the loop that takes what it does not know to be
 * the same data for different memory: no two arguments of different groups, at
 * least one of them changed, share storage, no global or variable that the
 * kernel reads lies in a dat, and maps have as many slots as the arguments use.
 * 0 also at the first call with these handles: the loop then runs by itself,
 * which checks them. `values` are those of `run`. */
int32_t op2rt_is_separate(op2rt_loop_desc *desc, void *const *values);

/* An error unless `dat`, argument `arg` of the loop, has the dim that the
 * program gives it, which was not known when the loop was compiled. Nothing is
 * said of arguments that are off, and of what is no living dat. */
void op2rt_require_dim(const struct op_dat_core *dat, int32_t active,
                       int32_t dim, int32_t arg, const char *loop_name);

/* An error unless `dim`, which the program gives argument `arg` of the loop, is
 * `extent`, that of its kernel's dummy argument. Nothing is said of an argument
 * that is off. */
void op2rt_require_extent(int32_t active, int32_t dim, int32_t extent,
                          int32_t arg, const char *loop_name);

/* An error that begins with `where` if `is_contiguous` is 0: Fortran then
 * passes a copy of the array that an argument is made of, which is gone when
 * the loop runs. Nothing is said of an argument that is off. */
void op2rt_require_contiguous(int32_t active, int32_t is_contiguous,
                              const char *where);

/* A dat with the application's number of each element of `set`, or, unless
 * `map` is NULL, of those that it leads to: int, one component. A loop reads it
 * for an op_arg_idx if it may run over elements in another order, or over
 * copies. An error if either is not alive. */
struct op_dat_core *op2rt_numbers(struct op_set_core *set,
                                  struct op_map_core *map);

/* The set of the loop `loop_name` over a subset, whose fields may be looked at
 * from then on. An error if it is not alive. */
struct op_set_core *op2rt_subset_set(struct op_subset_core *subset,
                                     const char *loop_name);
/* What such a loop takes for a map from the set that the subset's elements are
 * from: its composition with the subset's. Any other pointer as it is: the loop
 * reports it. */
struct op_map_core *op2rt_subset_map(struct op_subset_core *subset,
                                     struct op_map_core *map,
                                     const char *loop_name);

/* The set of the columns of the loop `loop_name` over layers, whose fields may
 * be looked at from then on. An error if they are not alive. */
struct op_set_core *op2rt_layers_set(struct op_layers_core *layers,
                                     const char *loop_name);
/* An error unless the rows of `dat`, argument `arg` of such a loop, have the
 * levels, `dim` values each, that its layers reach: `levels` from the layer's
 * own number plus `level` on. Nothing is said of what is no living dat. */
void op2rt_require_levels(const struct op_layers_core *layers,
                          const struct op_dat_core *dat, int32_t level,
                          int32_t levels, int32_t dim, int32_t arg,
                          const char *loop_name);

/* A loop that comes next may read `bytes` bytes at `data`, a variable of the
 * program, by its name: if they are the storage of a dat (OP_NO_REALLOC), the
 * host gets its values first. Called before the loop, for every target. */
void op2rt_variable_read(void const *data, int64_t bytes);

/* Current host storage, array of structs: dim * sizeof(T) bytes an element.
 * NULL for a NULL handle (an inactive optional argument). */
void *op2rt_dat_data(struct op_dat_core *dat);
/* Components per element of a dat; 0 for a NULL handle. */
int64_t op2rt_dat_dim(const struct op_dat_core *dat);
/* Host table of a map, [from->size][dim]. NULL for a NULL handle. */
int32_t *op2rt_map_data(struct op_map_core *map);
/* Rows of a dat or of a map; 0 for a NULL handle. */
int64_t op2rt_dat_size(const struct op_dat_core *dat);
int64_t op2rt_map_size(const struct op_map_core *map);
/* Targets per element of a map (its arity); 0 for a NULL handle. */
int64_t op2rt_map_dim(const struct op_map_core *map);

/* --------------------------------------------------------------------------
 * Plans: how the elements of a loop are divided into blocks and colours.
 * ------------------------------------------------------------------------ */

typedef struct op2rt_plan op2rt_plan;

/* op2rt_plan_get: what the plan must hold besides blocks and block colours */
enum {
  OP2RT_PLAN_BLOCKS = 0,         /* blocks, block colours, blkmap only */
  OP2RT_PLAN_ELEMENT_COLORS = 1, /* thrcol, nthrcol */
  /* Elements of the whole set are coloured and put in the order of their
     colours; a block is a range of that order, within one colour, and its
     elements do not conflict either. Alone. */
  OP2RT_PLAN_GLOBAL_COLORS = 2,
  /* All blocks have one colour: for increments that are atomic. */
  OP2RT_PLAN_UNCOLORED = 4,
  /* Increments by ownership where that is worth it, else coloured blocks. Each
     thread's part owns a range of every set that is incremented and runs, in
     ascending order, all elements that reach something in it; those that reach
     several parts run in each of them, and only what a part owns may be added
     to there. All increments of a target are added in the order of the
     elements, whatever the number of threads. The blocks are the parts; only
     op2rt_plan_piece_* tell their elements. Alone. */
  OP2RT_PLAN_OWNER = 8,
  /* Blocks own rows of the dats that the loop increments: a block has all
     elements, at most block_size, that reach something in its rows, and the
     lists of what is to be added to each row, in the order of the elements.
     Elements that reach rows of several blocks are in each of them. Rows that
     more elements reach have several blocks, of successive colours. A block is
     a range of OP2RT_DEVICE_PERMUTATION. For devices. Alone. */
  OP2RT_PLAN_OWNED_ROWS = 16
};

/* The plan of a loop in progress; built on first use, then found again by a
 * key of everything that matters: set, block size, `what`, and per argument
 * kind, access, map, slot, count, dat identity class, dim, size, activity.
 * Arguments that need no colouring (READ, WRITE, direct) do not enter the key.
 * `block_size` is a number of elements, 0 for the runtime's default for the
 * loop's target. Blocks never depend on the number of threads, parts
 * (OP2RT_PLAN_OWNER) do. Valid until op_exit. */
const op2rt_plan *op2rt_plan_get(op2rt_loop *loop, int64_t block_size,
                                 uint32_t what);

/* 1 if the loop in progress, which has got this plan, should share its blocks
 * among threads; 0 if one thread is to run them all: for few elements it is
 * faster. Results do not depend on it. Asked once, before the first block. */
int32_t op2rt_plan_uses_threads(const op2rt_plan *plan);
/* Elements [begin, end) of a block: with OP2RT_PLAN_GLOBAL_COLORS, of the
 * permutation. */
typedef struct op2rt_piece {
  int64_t begin, end;
  int64_t is_guarded; /* 1: they may reach targets that the part does not own */
} op2rt_piece;

/* What stands at the beginning of an op2rt_plan. */
typedef struct op2rt_plan_view {
  int64_t num_colors; /* of blocks; 0 for an empty set */
  int64_t num_blocks;
  /* [num_colors + 1]: blocks in colour order stand at positions 0 ...
   * num_blocks - 1; those of colour c at [color_begin[c], color_begin[c + 1]).
   */
  const int64_t *color_begin;
  /* [num_blocks + 1]: the pieces of the block at position p, to run one after
   * the other, are [piece_begin[p], piece_begin[p + 1]). One for each block,
   * but for the parts of OP2RT_PLAN_OWNER. */
  const int64_t *piece_begin;
  const op2rt_piece *pieces;
} op2rt_plan_view;

static inline const op2rt_plan_view *op2rt_view(const op2rt_plan *plan) {
  return (const op2rt_plan_view *)plan;
}

/* In a parallel region of OpenMP: the positions [begin, end) of those blocks of
 * colour c, 0 <= c < num_colors, that the calling thread runs. The threads of
 * the region share the blocks evenly, in order; outside of a region the one
 * thread has all. */
op2rt_range op2rt_plan_thread_range(const op2rt_plan *plan, int64_t color);

/* The part at a position owns the targets from op2rt_plan_owned_begin(position)
 * to, excluded, op2rt_plan_owned_begin(position + 1) of the set that `dat`
 * lives on; 0 for a NULL handle. Matters where pieces are guarded. */
int64_t op2rt_plan_owned_begin(const op2rt_plan *plan,
                               const struct op_dat_core *dat, int64_t position);

/* --------------------------------------------------------------------------
 * Reductions of global arguments (INC, MIN, MAX, REDUCE), and what goes their
 * way (WRITE, WORK)
 * ------------------------------------------------------------------------ */

typedef struct op2rt_reduction op2rt_reduction;

/* Sums of more components are not exact. */
enum { OP2RT_MOST_EXACT_COMPONENTS = 64 };
/* 64-bit words of an exact sum: 68 digits of 32 bits, least first, of which bit
 * 0 is 2^-1074; how often a term was NaN, infinite, minus infinite, anything
 * but -0.0. Digits may be negative, and have carries. */
enum { OP2RT_EXACT_SUM_WORDS = 72 };

/* Of argument number `arg`. A sum (INC) of float or double is exact until it is
 * rounded at the end; `plan` has no meaning then. All others have one partial
 * result per block of `plan`, each preset: INC 0; REDUCE the identity; else the
 * incoming value of the global. A REDUCE without a plan has one. */
op2rt_reduction *op2rt_reduction_begin(op2rt_loop *loop, int32_t arg,
                                       const op2rt_plan *plan);
/* Adds what `count` elements add to an exact sum: terms[dim][stride], of its
 * type, of which the first `count` of each component. In any order; by any
 * thread that runs blocks of the loop. */
void op2rt_reduction_add(op2rt_reduction *reduction, const void *terms,
                         int64_t count, int64_t stride);
/* The same of rows[count][dim]; faster where most terms are -0.0. */
void op2rt_reduction_add_rows(op2rt_reduction *reduction, const void *rows,
                              int64_t count);
/* Of a component of an exact sum: three numbers m, the thread's own until it
 * adds something. For |x| at most a quarter of the first m (of an odd multiple
 * of a power of two), (x + m) - m is a multiple of the last bit of m, and what
 * is left of x is exact, for the next m. The bits of x + m are those of m plus
 * that multiple, as integers. */
const double *op2rt_reduction_split(op2rt_reduction *reduction,
                                    int64_t component);
/* As op2rt_reduction_add for at most 2048 terms that vectors have split so:
 * split[dim][5][lanes] has for two levels the sums of the bits of x + m, in
 * each lane, modulo 2^64; for the third those of the bits of x + m less those
 * of m, where x was not 0; the greatest absolute values, as bits; all bits of
 * what was left, with a logical or. A lane has count / lanes terms. Looks at
 * the terms if something was left, or one was too large. */
void op2rt_reduction_add_split(op2rt_reduction *reduction, const void *terms,
                               int64_t count, int64_t stride,
                               const int64_t *split, int64_t lanes);
/* The partial of the block at `position`: dim values, own cache line(s). There
 * is none of an exact sum. */
void *op2rt_reduction_partial(op2rt_reduction *reduction, int64_t position);
/* Adds an exact sum to the global, on ranks that of all of them, and rounds to
 * nearest, ties to even: 0 or -0.0 as additions one after the other would give,
 * infinite or NaN if terms were, or if the result is too large. Else combines
 * the partials in a binary tree over block positions, which depends on the plan
 * only, and then into the global (WRITE: the last one that differs
 * from the incoming value; WORK: drops them); frees the reduction. Of a REDUCE
 * the leaves of the tree have the order of the elements, and then of ranks. An
 * OP2RT_ARG_INFO and the argument that it follows are combined together when
 * the last of them ends: the info of the better value is kept, of equal ones
 * that of the block before. */
void op2rt_reduction_end(op2rt_reduction *reduction);

/* --------------------------------------------------------------------------
 * Exceptions that kernels throw on the host: the first one is kept, the
 * elements that are left are passed over, and the loop's caller gets it behind
 * the loop.
 * ------------------------------------------------------------------------ */

/* 1 if one was kept. Read atomically, relaxed; not to be changed. */
extern int32_t op2rt_has_exception;
/* Takes what a landing pad has got, unless one is kept already. By any thread;
 * throws nothing. */
void op2rt_keep_exception(void *exception);
/* Throws the one that was kept; returns if there is none. */
void op2rt_rethrow(void);

/* --------------------------------------------------------------------------
 * Delayed execution: pending loops, which run later, so that two run as one, or
 * several go through the mesh in one sweep; and late results, which loops on
 * devices have not sent to their globals when they end. Where the program may
 * look at what a pending loop does, or at a late result, or change what they
 * use, the compiler makes op2rt_flush come first. Results are, bit for bit,
 * those of the loops one after the other (but see op2rt_fusion.exact).
 * ------------------------------------------------------------------------ */

/* Set to 1 by the program around calls of loops behind which op2rt_flush, for
 * the site, stands on every path; 0 at first, and elsewhere. Other loops may
 * come first: they see to what they use. */
extern int32_t op2rt_may_enqueue;
/* How many loops are pending or have late results: if it is 0, op2rt_flush has
 * nothing to do. Not to be changed by the program. */
extern int32_t op2rt_pending;

/* 1: the loop is pending, and has copies of the values of its globals; 0: it is
 * to be run now, by desc->run; op2rt_loop_begin runs pending loops first. Loops
 * are pending only with handles that were checked when they ran before. */
int32_t op2rt_enqueue(op2rt_loop_desc *desc, void *const *values);

/* Calls the loop where op2rt_may_enqueue would be 1: it runs, or is pending. */
void op2rt_execute(op2rt_loop_desc *desc, void *const *values);

/* Runs the calling thread's pending loops. Then all their globals have their
 * values, and those of loops on devices with this site, and of loops before
 * them; it is not later because of loops behind them. NULL: all globals have
 * their values. */
void op2rt_flush(const void *site);

/* The program overwrites `bytes` bytes at `data`, or gives them up, without
 * having looked: what pending loops, or late
 * results, would store there is not stored. */
void op2rt_drop(const void *data, int64_t bytes);

/* --------------------------------------------------------------------------
 * Declarations made by .mlir programs. `count` is the number of values that
 * `data` holds; it must equal size * dim. Data are copied. `name` is copied.
 * `data` NULL declares a dat of zeros; `count` has no meaning then.
 * ------------------------------------------------------------------------ */

struct op_set_core *op2rt_decl_set(int64_t size, const char *name);
struct op_map_core *op2rt_decl_map(struct op_set_core *from,
                                   struct op_set_core *to, int32_t dim,
                                   const int32_t *data, int64_t count,
                                   const char *name);
struct op_dat_core *op2rt_decl_dat(struct op_set_core *set, int32_t dim,
                                   int32_t type, const void *data,
                                   int64_t count, const char *name);
void op2rt_decl_const(int32_t dim, int32_t type, const void *data,
                      int64_t count, const char *name);
/* Copies the dat's values, array of structs, to `data`. */
void op2rt_fetch(struct op_dat_core *dat, int32_t type, void *data,
                 int64_t count);

/* --------------------------------------------------------------------------
 * The program
 * ------------------------------------------------------------------------ */

/* Called by generated constructors, once per compiled call site, so that
 * diagnostics can list every loop of the program and how it was compiled: once
 * for each target. Calls with one name and location are one loop. */
void op2rt_register_loop(const op2rt_loop_desc *desc);

/* Which of the targets in `mask` a loop runs on: OP2_TARGET if it is set (an
 * error if the loop was not compiled for it, or if it is cuda and the driver or
 * a device is missing); else CUDA if a device answers, OpenMP, sequential. The
 * choice and the reason are printed once with diags > 1; with diags > 0 if the
 * runtime chose between CUDA and another. */
int32_t op2rt_select_target(uint32_t mask, const char *loop_name);

/* A variable of the program with a pointer. */
typedef struct op2rt_table {
  const void *pointer; /* the variable's address */
  const char *name;
} op2rt_table;

/* The same for a kernel that follows pointers of the program: it runs on a
 * device if op_decl_const knows what they lead to, else on the host, and
 * OP_FALLBACK_MODE says whether that is reported, or an error. */
int32_t op2rt_select_target_with_tables(uint32_t mask, const char *loop_name,
                                        const op2rt_table *tables,
                                        int64_t ntables);

/* The loop is about to run otherwise than it was asked for: `how` ("runs on
 * openmp instead of cuda"), and `reason`, which the compiler has said. With
 * OP2_STRICT=1 the end of the program, unless OP2_TARGET=seq asks for that. */
void op2rt_fallback(const char *loop_name, const char *location,
                    const char *how, const char *reason);

#ifdef __cplusplus
}
#endif

#endif /* OP2_RUNTIME_OP2RT_H */

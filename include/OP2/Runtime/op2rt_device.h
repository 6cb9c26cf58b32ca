//===- op2rt_device.h - Devices: memory, plans, launches --------*- C -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What generated code of a loop on a device calls between op2rt_loop_begin and
// op2rt_loop_end. The target in the loop's description says which device:
// OP2RT_TARGET_CUDA, through the CUDA driver, opened at run time; or
// OP2RT_TARGET_EMULATOR, whose memory is the host's.
//
// Pointers returned here are addresses on the device. They stay valid until
// the loop ends, those of plans and maps until op_exit. Errors end the program
// as in op2rt.h, with the loop's name and the driver's message.
//
// A loop's work is put on one stream in order; op2rt_loop_end does not wait
// for it unless the loop changes a global, which the program may look at next,
// and op2rt_may_enqueue does not say that it will not. An error of a kernel
// therefore shows at a later call; with diags > 3 every launch is waited for.
//
// Who reads a dat through this library, on the host or in another loop, gets
// the values of the latest loop. A program that reads dat->data itself calls
// op_download_dat before, and op_upload_dat after it has written there.
//
// Environment: OP2_CUDA_DRIVER is the file to load instead of libcuda.so.1. The
// device is the first that the driver offers (CUDA_VISIBLE_DEVICES chooses).
//
//===----------------------------------------------------------------------===//

#ifndef OP2_RUNTIME_OP2RT_DEVICE_H
#define OP2_RUNTIME_OP2RT_DEVICE_H

#include "OP2/Runtime/op2rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --------------------------------------------------------------------------
 * Memory
 * ------------------------------------------------------------------------ */

/* The dat of argument `arg`, array of structs, current on the device: copied
 * there if the host's values are newer. A loop that writes the dat makes the
 * device's values the newer ones when it ends. NULL for an inactive argument.
 */
void *op2rt_device_dat(op2rt_loop *loop, int32_t arg);

/* The same, struct of arrays: component c of element e stands at
 * c * stride + e, stride = op2rt_device_dat_stride, the size of the dat's set
 * rounded up to a multiple of 32; what lies behind the last element is
 * undefined. With one component both layouts are the same.
 *
 * The copy of a dat has one layout at a time. A loop that asks for the other
 * one has the values converted through the host before they are used; OP_diags
 * > 1 reports how often that happened to each dat. One execution of a loop may
 * not ask for a dat in both layouts: an error. On the emulator a struct of
 * arrays is a copy as well, kept as on other devices. */
void *op2rt_device_dat_soa(op2rt_loop *loop, int32_t arg);
int64_t op2rt_device_dat_stride(op2rt_loop *loop, int32_t arg);

/* On a CUDA device a dat's address is a multiple of this, in bytes: kernels
 * rely on it. */
enum { OP2RT_DEVICE_ALIGNMENT = 32 };

/* The table of the map of argument `arg`, one slot after another:
 * [arity][stride], stride = op2rt_device_map_stride: consecutive elements
 * lie side by side. The stride is the set's size rounded up to a multiple of
 * 32; entries behind the last element are 0. NULL for an inactive or direct
 * argument. */
const int32_t *op2rt_device_map(op2rt_loop *loop, int32_t arg);
int64_t op2rt_device_map_stride(op2rt_loop *loop, int32_t arg);

/* A copy of the global of argument `arg` as it is now; NULL if it is inactive.
 * Of a global that is reduced, from op2rt_device_reduction_begin on: the values
 * from before the loop, where a kernel that is launched after the blocks
 * combines all partial values with them. Of a REDUCE: its identity. */
const void *op2rt_device_global(op2rt_loop *loop, int32_t arg);

/* --------------------------------------------------------------------------
 * Plans
 * ------------------------------------------------------------------------ */

/* Arrays of a plan, by block position unless said otherwise. */
enum {
  OP2RT_DEVICE_BLOCK_BEGIN = 0,    /* int32: first element */
  OP2RT_DEVICE_BLOCK_END = 1,      /* int32: one past the last element */
  OP2RT_DEVICE_NUM_COLORS = 2,     /* int32: element colours of the block */
  OP2RT_DEVICE_ELEMENT_COLORS = 3, /* int32, by element */
  OP2RT_DEVICE_OWNED_OFFSET = 4,   /* int64: first of the block's targets */
  OP2RT_DEVICE_OWNED_SIZE = 5,     /* int32: number of targets */
  OP2RT_DEVICE_OWNED_TARGETS = 6,  /* int32: the targets, block by block */
  OP2RT_DEVICE_PERMUTATION = 7,    /* int32: elements in the order of colours */
  /* Of plans with OP2RT_PLAN_OWNED_ROWS. The OWNED arrays are those of the rows
     that a block owns and adds to; to row r of the block at position p is added
     what entries [i, j) of the block name, in this order, where i and j are
     SUM_BEGIN[OWNED_OFFSET[p] + p + r] and the number behind it. Entry k of the
     block is SUM_ENTRIES[SUM_OFFSET[p] + k] = m * block_size + n: what element
     n of the block adds through slot m, counted over all slots of all arguments
     on the dat. */
  OP2RT_DEVICE_SUM_OFFSET = 8,   /* int64: first of the block's entries */
  OP2RT_DEVICE_SUM_BEGIN = 9,    /* uint16, by row */
  OP2RT_DEVICE_SUM_ENTRIES = 10, /* uint16, block by block; behind the last one
                                    OP2RT_DEVICE_MORE_ENTRIES of any value */
  /* int32: slot `row` of an argument's map in the order of PERMUTATION: entry
     [i] of this is entry [PERMUTATION[i]][row] of the map, ~ left out. */
  OP2RT_DEVICE_PERMUTED_MAP = 11,
  /* Of plans with OP2RT_PLAN_OWNED_ROWS, by block of a launch, of which there
     may be OP2RT_DEVICE_BLOCKS_AT_ONCE: memory for what elements add to an
     argument's dat, rows like those of the dat, block_size for each slot that
     SUM_ENTRIES counts. Its values are lost when another loop asks for some. */
  OP2RT_DEVICE_INCREMENTS = 12
};
enum { OP2RT_DEVICE_MORE_ENTRIES = 4096, OP2RT_DEVICE_BLOCKS_AT_ONCE = 4096 };

/* Array `which` of the plan on the device, copied there on first use. `arg`
 * counts for the OWNED, SUM, PERMUTED_MAP and INCREMENTS arrays only, `row` for
 * PERMUTED_MAP; NULL for the map of an argument that is off. An error if the
 * plan was not made with what the array needs. PERMUTATION is that of plans
 * with OP2RT_PLAN_GLOBAL_COLORS or OP2RT_PLAN_OWNED_ROWS, whose BLOCK_BEGIN and
 * BLOCK_END are places in it; of an element that several blocks of the latter
 * have, all entries but the first are ~n. */
const void *op2rt_device_plan_array(op2rt_loop *loop, const op2rt_plan *plan,
                                    int32_t which, int32_t arg, int32_t row);

/* --------------------------------------------------------------------------
 * Reductions
 * ------------------------------------------------------------------------ */

/* As op2rt_reduction_begin, on the device, for `count` blocks; of a REDUCE for
 * as many results of elements that follow one another, in their order. */
typedef struct op2rt_device_reduction op2rt_device_reduction;
op2rt_device_reduction *
op2rt_device_reduction_begin(op2rt_loop *loop, int32_t arg, int64_t count);
/* Room for dim values for each block, [count][dim]. Blocks write every value of
 * theirs. Of an exact sum (op2rt_reduction_begin) the words of
 * OP2RT_DEVICE_SUM_COPIES sums a component instead, int64
 * [copies][dim][OP2RT_EXACT_SUM_WORDS], which are 0: blocks add to one of them,
 * and what combines them leaves zeros. NULL for an inactive argument, or no
 * blocks. */
enum { OP2RT_DEVICE_SUM_COPIES = 32 };
void *op2rt_device_reduction_data(op2rt_device_reduction *reduction);
/* Between the blocks' launches and the one that combines them, of an exact sum:
 * one of its copies gets the sums of all other ranks. Nothing where there are
 * none. */
void op2rt_device_reduction_share(op2rt_device_reduction *reduction);
/* After the launch that combines them: see op2rt_device_global. The host has
 * the result when the loop has ended, or by op2rt_flush. Of a REDUCE: waits for
 * the device, and calls the function. */
void op2rt_device_reduction_end(op2rt_device_reduction *reduction);

/* --------------------------------------------------------------------------
 * Launches
 * ------------------------------------------------------------------------ */

/* A device image, emitted once per module. */
typedef struct op2rt_device_image {
  uint32_t abi_version; /* OP2RT_ABI_VERSION */
  uint32_t reserved;
  const void *data; /* fatbin, cubin or PTX text */
  uint64_t size;    /* bytes */
  void *state;      /* the runtime's; NULL in the emitted image */
} op2rt_device_image;

/* A kernel of an image, emitted once per kernel. */
typedef struct op2rt_device_kernel {
  op2rt_device_image *image;
  const char *name;           /* symbol in the image */
  const int32_t *param_bytes; /* size of each parameter */
  int64_t num_params;
  void *state; /* the runtime's; NULL in the emitted image */
} op2rt_device_kernel;

/* Launches `kernel` on `blocks` blocks of `threads` threads with
 * `shared_bytes` of dynamic shared memory. `args` holds the address of each
 * parameter's value, which may change when the call returns. No blocks: nothing
 * happens. CUDA only; emulated kernels are launched through op2emu.h. */
void op2rt_device_launch(op2rt_loop *loop, op2rt_device_kernel *kernel,
                         int64_t blocks, int32_t threads, int64_t shared_bytes,
                         void **args);

/* A variable of the image, such as a constant that kernels read, gets the
 * host's `size` bytes at `host` before the next launch if they differ from
 * what it has. An error if it has fewer than `size`. CUDA only. */
void op2rt_device_constant(op2rt_device_image *image, const char *name,
                           const void *host, int64_t size);

/* Likewise a variable that holds a pointer: it gets the address of the device's
 * copy of what the host's pointer at `host` leads to, which must be memory that
 * op_decl_const has been told of (an error if not), or NULL. */
void op2rt_device_table(op2rt_device_image *image, const char *name,
                        const void *host);

#ifdef __cplusplus
}
#endif

#endif /* OP2_RUNTIME_OP2RT_DEVICE_H */

//===- op2emu.h - GPU kernels on the CPU ------------------------*- C -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C ABI between code that --convert-gpu-to-emulator makes and libop2: a
// grid of thread blocks, run by one CPU thread. The threads of a block are
// fibres; blocks run one after another in random order, and the threads of a
// block in an order that changes at every barrier, so that a missing barrier
// shows as a wrong result. OP2_EMULATOR_SEED (default 1) picks the orders; the
// same seed and the same sequence of launches give the same run.
//
// Errors end the program ("op2 error: loop 'NAME' (emulator): ...", exit
// status 1): sizes that no GPU takes, barriers and
// shuffles that can never be complete, writes behind shared memory, overflow
// of a thread's stack (8 MiB), races of kernels that tell what they access.
//
// Not emulated: weak memory; lockstep. Atomic operations need no support: a
// thread is only interrupted at a barrier or a shuffle.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_RUNTIME_OP2EMU_H
#define OP2_RUNTIME_OP2EMU_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Threads of a warp, and what the emulated device takes at most. */
enum {
  OP2EMU_WARP_SIZE = 32,
  OP2EMU_MAX_THREADS = 1024,      /* per block; z: 64 */
  OP2EMU_MAX_GRID_YZ = 65535,     /* x: 2^31 - 1 */
  OP2EMU_MAX_STATIC = 48 * 1024,  /* bytes of static shared memory */
  OP2EMU_MAX_SHARED = 227 * 1024, /* bytes of shared memory in all */
  OP2EMU_SHARED_ALIGNMENT = 128   /* of both kinds of shared memory */
};

/* op2emu_launch: flags */
enum {
  /* The kernel has neither barriers nor shuffles: its threads are calls. */
  OP2EMU_INDEPENDENT_THREADS = 1
};

/* op2emu_shuffle: mode, as in the gpu dialect */
enum {
  OP2EMU_SHUFFLE_XOR = 0,
  OP2EMU_SHUFFLE_DOWN = 1,
  OP2EMU_SHUFFLE_UP = 2,
  OP2EMU_SHUFFLE_IDX = 3
};

/* The places of a thread. x, y, z in this order here and below. Generated code
 * loads the fields by offset: a change of order changes both. */
typedef struct op2emu_thread {
  int64_t thread[3]; /* within the block; x varies fastest */
  int64_t lane;      /* within the warp */
  int64_t warp;      /* within the block */
} op2emu_thread;

/* What the threads of a block share. */
typedef struct op2emu_block {
  int64_t block[3];
  int64_t block_dim[3];
  int64_t grid_dim[3];
  int64_t num_warps;
  void *static_shared;  /* filled with 0xFF bytes, not numbers in any float */
  void *dynamic_shared; /* type, when a block starts */
  int64_t dynamic_shared_bytes;
} op2emu_block;

/* `valid` is 1 if the source lane is in [0, width), else 0. All bits of `value`
 * are set if it is 0, or if the source lane has finished or does not exist. */
typedef struct op2emu_shuffled {
  int64_t value;
  int64_t valid;
} op2emu_shuffled;

/* Calls `thread(args)` once for every thread of the grid and returns when all
 * have finished; nothing runs if a grid dimension is 0. `args` is the kernel's
 * own affair: compiled kernels take the address of each argument. `loop_name`
 * is for messages. Called by one thread at a time, and not from a kernel. */
void op2emu_launch(const char *loop_name, void (*thread)(void **args),
                   void **args, int64_t grid_x, int64_t grid_y, int64_t grid_z,
                   int32_t block_x, int32_t block_y, int32_t block_z,
                   int64_t static_shared_bytes, int64_t dynamic_shared_bytes,
                   int32_t flags);

/* The rest is called by threads of a kernel. */

/* The calling thread and its block. The pointers are the same during one call
 * of `thread`, the values they lead to as well. */
const op2emu_thread *op2emu_self(void);
const op2emu_block *op2emu_group(void);

/* Waits until every thread of the block waits here. That some never will,
 * because they have finished or wait for a shuffle, is an error. */
void op2emu_barrier(void);

/* Exchanges `value` (its low `bits` bits count, 1 to 64) within the first
 * `width` (1 to 32) lanes of a warp: waits until all of them that have not
 * finished wait here, and gives the value of lane `lane ^ offset`,
 * `lane + offset`, `lane - offset` or `offset`. Lanes from `width` on get no
 * valid value and do not wait. That the lanes disagree on width, mode or bits
 * is an error. */
op2emu_shuffled op2emu_shuffle(int64_t value, int32_t offset, int32_t width,
                               int32_t mode, int32_t bits);

/* op2emu_access: kind */
enum { OP2EMU_LOAD = 0, OP2EMU_STORE = 1, OP2EMU_ATOMIC = 2 };

/* The calling thread is about to access `bytes` bytes at an address, in global
 * memory, shared memory, or its own. `place` tells instructions of a kernel
 * apart. With OP2_EMULATOR_MODEL accesses are counted; without, it is an error
 * that two threads access one byte with no barrier between, one of them at
 * least storing, and they neither both update it atomically nor store the same
 * value. Does nothing outside of kernels. */
void op2emu_access(const void *address, int64_t bytes, int32_t kind,
                   int32_t place);

/* printf of a kernel, as CUDA's vprintf: `values` is a struct of what C passes
 * to a variadic function (int, long long, double, pointers), each at its
 * natural alignment; NULL if there are none. Returns how many are printed, -1
 * for a format with conversions that kernels cannot have (%n, long double). */
int32_t op2emu_print(const char *format, const void *values);

/* assert of a kernel that fails, as CUDA's __assertfail: ends the program as
 * the host's assert does. */
void op2emu_assert(const char *expression, const char *file, int32_t line,
                   const char *function, int64_t character_bytes);

#ifdef __cplusplus
}
#endif

#endif /* OP2_RUNTIME_OP2EMU_H */

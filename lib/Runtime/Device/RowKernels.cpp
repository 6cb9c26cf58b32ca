//===- RowKernels.cpp - Rows of a dat, side by side, on a device -*- C++
//-*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No part of the library: RowKernels.ptx is made of it, so that libop2 needs no
// compiler for devices.
//
//   clang++ --target=nvptx64-nvidia-cuda -march=sm_75 -Xclang -target-feature
//     -Xclang +ptx63 -O3 -S -nogpulib -std=c++17 RowKernels.cpp
//
//===----------------------------------------------------------------------===//

#include "RowKernels.h"

using namespace op2::rt;

template <bool IsPack, class Unit>
static inline void move(Unit *packed, Unit *data, int const *rows,
                        RowCount count, RowCount units, RowCount inner,
                        RowCount step) {
  RowCount n =
      RowCount(__nvvm_read_ptx_sreg_ctaid_x()) * __nvvm_read_ptx_sreg_ntid_x() +
      __nvvm_read_ptx_sreg_tid_x();
  if (n < count)
    moveUnit<IsPack>(n, packed, data, rows, units, inner, step);
}

#define OP2_ROW_KERNEL(Name, IsPack, Unit)                                     \
  extern "C" __attribute__((device_kernel)) void Name(                         \
      Unit *packed, Unit *data, int const *rows, RowCount count,               \
      RowCount units, RowCount inner, RowCount step) {                         \
    move<IsPack>(packed, data, rows, count, units, inner, step);               \
  }
#define OP2_ROW_KERNELS(Bytes, Unit)                                           \
  OP2_ROW_KERNEL(op2_pack_rows_##Bytes, true, Unit)                            \
  OP2_ROW_KERNEL(op2_unpack_rows_##Bytes, false, Unit)

OP2_ROW_KERNELS(1, unsigned char)
OP2_ROW_KERNELS(2, unsigned short)
OP2_ROW_KERNELS(4, unsigned)
OP2_ROW_KERNELS(8, unsigned long long)

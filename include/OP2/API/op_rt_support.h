//===- op_rt_support.h - What the header's loops need -----------*- C -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions behind the templates of op_lib_cpp.h and op_seq.h. Not for
// direct use by applications.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_API_OP_RT_SUPPORT_H
#define OP2_API_OP_RT_SUPPORT_H

#include "op_lib_core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* 1 if type string `type` ("double", "double:soa", "real*8", ...) means the C
 * type called `c_type` ("double", "float", "int", "uint", "ll", "ull" or
 * "bool"). */
int op_type_matches(char const *type, char const *c_type);
/* Ends the program unless op_type_matches. `where` names the call and `name`
 * the object in the message. */
void op_require_type(char const *where, char const *name, char const *type,
                     char const *c_type);
/* op_*_char with the type of the caller's pointer, which the loop then checks
 * against the type string. */
op_arg op_arg_gbl_typed(int opt, char *data, int dim, char const *type,
                        int size, char const *c_type, op_access acc);
op_arg op_arg_info_typed(char *data, int dim, char const *type, int size,
                         char const *c_type, int ref);

/* A loop run by the template in op_seq.h: checks all arguments, starts the
 * clock and returns the number of elements. rows[m] is 1 where the kernel's
 * parameter is T **. */
long long op_seq_loop_begin(char const *name, op_set set, int nargs,
                            op_arg const *args, unsigned char const *rows);
void op_seq_loop_end(void);

#ifdef __cplusplus
}
#endif

#endif /* OP2_API_OP_RT_SUPPORT_H */

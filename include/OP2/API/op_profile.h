//===- op_profile.h - A tree of timed regions -------------------*- C -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Regions nest; a region is found again under its parent by name and collects
// the number of visits and the total, least and greatest time in seconds.
// Before op_profile_start and after op_profile_end every call is ignored, so
// that libraries may mark regions whether or not the program profiles.
//
// Environment: OP_PROFILE_LEVEL=0 off, 1 regions (default), 2 also loops, 3
// loops with target and strategy; OP_PROFILE_JSON_OUTPUT=<file> makes
// op_profile_output write JSON too.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_API_OP_PROFILE_H
#define OP2_API_OP_PROFILE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Starts with an empty tree whose root is called `name`. */
void op_profile_start(char const *name);
void op_profile_enter(char const *name);
void op_profile_enter_kernel(char const *name, char const *target,
                             char const *variant);
/* Leaves the current region and enters another under the same parent. */
void op_profile_next(char const *name);
void op_profile_exit(void);
/* Leaves all regions and stops the clock; the tree stays for output. */
void op_profile_end(void);
/* The tree on stdout, or in a file; on several ranks the root's. */
void op_profile_output(void);
void op_profile_output_json(char const *file_name);

#ifdef __cplusplus
}
#endif

#endif /* OP2_API_OP_PROFILE_H */

//===- op_hdf5.h - Sets, maps, dats and constants in HDF5 files -*- C -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In libop2_hdf5, which op2c++ links where it is used; other compilers:
// -lop2_hdf5 -lop2.
//
// The layout of files is OP2's: a set is a dataset of its name with one
// integer; a map or dat is a dataset [size][dim] of its name (one dimension
// means dim 1) with the attributes "size", "dim" and "type"; a constant is a
// dataset [dim] with "dim" and "type". Names may be paths; groups are made on
// writing. What is read is checked against the dataset itself, so files
// without attributes will do. Integers may have another width in the file;
// float, double and integers are converted to float or double.
//
// Errors (file, dataset, what was expected and what is there) end the program
// as everywhere: a file that is missing, the dataset of a set or constant that
// is missing, a size, dim or type that does not fit, a number out of the range
// of the type asked for, a null dataspace. A map, a dat, or a dataset that
// gives a set's size and is missing: a message, and NULL is returned.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_API_OP_HDF5_H
#define OP2_API_OP_HDF5_H

#include "op_lib_core.h"
#include <op2_config.h>

#if OP2_HAS_HDF5
#define OP2_HDF5
#elif defined(__has_attribute)
#if __has_attribute(unavailable)
#define OP2_HDF5                                                               \
  __attribute__((unavailable("this OP2 was built without HDF5; configure it "  \
                             "with -DOP2_ENABLE_HDF5=ON")))
#else
#define OP2_HDF5                                                               \
  __attribute__((error("this OP2 was built without HDF5; configure it with "   \
                       "-DOP2_ENABLE_HDF5=ON")))
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The size is the integer in dataset `name`. */
OP2_HDF5 op_set op_decl_set_hdf5(char const *file, char const *name);
/* The size is that of another dataset: its number of rows. */
OP2_HDF5 op_set op_decl_set_hdf5_infer_size(char const *file, char const *name,
                                            char const *set_dataset_name);
OP2_HDF5 op_map op_decl_map_hdf5(op_set from, op_set to, int dim,
                                 char const *file, char const *name);
OP2_HDF5 op_dat op_decl_dat_hdf5(op_set set, int dim, char const *type,
                                 char const *file, char const *name);
/* data[dim] receives the values. */
OP2_HDF5 void op_get_const_hdf5(char const *name, int dim, char const *type,
                                char *data, char const *file);

/* Writing makes the file and the dataset if they are not there; a dataset that
 * is there must have the same shape and type, and gets the new values. */
OP2_HDF5 void op_write_const_hdf5(char const *name, int dim, char const *type,
                                  char *data, char const *file);
OP2_HDF5 void op_fetch_data_hdf5_file(op_dat dat, char const *file);
OP2_HDF5 void op_fetch_data_hdf5_file_path(op_dat dat, char const *file,
                                           char const *path);
OP2_HDF5 void op_fetch_data_hdf5(op_dat dat, char const *file,
                                 char const *path);
/* A new file with every set, map and dat of the program, but for overlays,
 * whose values are those of another dat. Values of maps count from 0, as their
 * attribute "base" tells op_decl_map_hdf5; those of maps without it count from
 * OP_maps_base_index. */
OP2_HDF5 void op_dump_to_hdf5(char const *file);

#ifdef __cplusplus
}
#endif

#endif /* OP2_API_OP_HDF5_H */

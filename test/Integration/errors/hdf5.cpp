// What is wrong with an HDF5 file is said with the file, the dataset, what was
// expected and what is there.
//
// REQUIRES: hdf5
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && printf 'text\n' > text.h5
// RUN: %clangxx -std=c++17 %op2api %s %op2hdf5lib %op2lib %hdf5flags -o app && ./app 0
// RUN: not ./app 1 2>&1 | FileCheck %s --check-prefix=E1
// RUN: not ./app 2 2>&1 | FileCheck %s --check-prefix=E2
// RUN: not ./app 3 2>&1 | FileCheck %s --check-prefix=E3
// RUN: not ./app 4 2>&1 | FileCheck %s --check-prefix=E4
// RUN: not ./app 5 2>&1 | FileCheck %s --check-prefix=E5
// RUN: not ./app 6 2>&1 | FileCheck %s --check-prefix=E6
// RUN: not ./app 7 2>&1 | FileCheck %s --check-prefix=E7
// RUN: not ./app 8 2>&1 | FileCheck %s --check-prefix=E8
// RUN: not ./app 9 2>&1 | FileCheck %s --check-prefix=E9
// RUN: not ./app 10 2>&1 | FileCheck %s --check-prefix=E10
// RUN: not ./app 11 2>&1 | FileCheck %s --check-prefix=E11
// RUN: not ./app 12 2>&1 | FileCheck %s --check-prefix=E12
// RUN: not ./app 13 2>&1 | FileCheck %s --check-prefix=E13
// RUN: not ./app 14 2>&1 | FileCheck %s --check-prefix=E14
// RUN: not ./app 15 2>&1 | FileCheck %s --check-prefix=E15
// RUN: not ./app 16 2>&1 | FileCheck %s --check-prefix=E16
// RUN: not ./app 17 2>&1 | FileCheck %s --check-prefix=E17
// RUN: not ./app 18 2>&1 | FileCheck %s --check-prefix=E18
// RUN: not ./app 19 2>&1 | FileCheck %s --check-prefix=E19
// RUN: not ./app 20 2>&1 | FileCheck %s --check-prefix=E20
// RUN: not ./app 21 2>&1 | FileCheck %s --check-prefix=E21
// RUN: not ./app 22 2>&1 | FileCheck %s --check-prefix=E22
// RUN: not ./app 23 2>&1 | FileCheck %s --check-prefix=E23
// RUN: not ./app 24 2>&1 | FileCheck %s --check-prefix=E24
// RUN: not ./app 25 2>&1 | FileCheck %s --check-prefix=E25
// RUN: not ./app 26 2>&1 | FileCheck %s --check-prefix=E26
// RUN: not ./app 27 2>&1 | FileCheck %s --check-prefix=E27
// RUN: not ./app 28 2>&1 | FileCheck %s --check-prefix=E28
// RUN: not ./app 29 2>&1 | FileCheck %s --check-prefix=E29
// RUN: not ./app 30 2>&1 | FileCheck %s --check-prefix=E30
// RUN: not ./app 31 2>&1 | FileCheck %s --check-prefix=E31
// RUN: not ./app 32 2>&1 | FileCheck %s --check-prefix=E32
//
// A file of the newest format stays usable when something is refused.
// RUN: cp odd.h5 before.h5
// RUN: not ./app 33 2>&1 | FileCheck %s --check-prefix=E33
// RUN: not ./app 34 2>&1 | FileCheck %s --check-prefix=E34
// RUN: cmp odd.h5 before.h5

#include "op_seq.h"

#include <hdf5.h>

// What the library does not write, as other programs may.
static hid_t put(hid_t file, char const *name, hid_t space, hid_t type,
                 void const *value, hid_t as) {
  hid_t set = H5Dcreate2(file, name, type, space, 0, 0, 0);
  H5Dwrite(set, as, H5S_ALL, H5S_ALL, 0, value);
  return set;
}
static void writeOdd() {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), wide = H5Tcopy(H5T_NATIVE_LLONG);
  H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  H5Tset_size(wide, 16);
  H5Tset_precision(wide, 128);
  hid_t file = H5Fcreate("odd.h5", H5F_ACC_TRUNC, 0, access);
  hsize_t three[] = {3}, four[] = {4};
  hid_t rows = H5Screate_simple(1, three, nullptr);
  put(file, "null", H5Screate(H5S_NULL), H5T_NATIVE_INT, nullptr,
      H5T_NATIVE_INT);
  double large[] = {1, 1e300, 2, 3};
  put(file, "large", rows, H5T_NATIVE_DOUBLE, large, H5T_NATIVE_DOUBLE);
  long double larger[] = {1, 2, 1e400L};
  put(file, "larger", rows, H5T_NATIVE_LDOUBLE, larger, H5T_NATIVE_LDOUBLE);
  long long halves[6] = {7, 0, 0, 1};
  put(file, "wide", rows, wide, halves, wide);
  int table[] = {0, 1, 2};
  hid_t map = put(file, "map", rows, H5T_NATIVE_INT, table, H5T_NATIVE_INT);
  double base = 0.7;
  hid_t attribute = H5Acreate2(map, "base", H5T_NATIVE_DOUBLE,
                               H5Screate(H5S_SCALAR), 0, 0);
  H5Awrite(attribute, H5T_NATIVE_DOUBLE, &base);
  put(file, "x", H5Screate_simple(1, four, nullptr), H5T_NATIVE_DOUBLE, large,
      H5T_NATIVE_DOUBLE);
  H5Aclose(attribute);
  H5close();
}

static void touch(const double *) {}

static void write(op_set set, op_set two) {
  double values[] = {1.5, 2, 3};
  long long large[] = {5000000000LL, 0, 0};
  int table[] = {0, 2, 1};
  op_decl_dat(set, 1, "double", values, "x");
  op_decl_dat(set, 1, "ll", large, "large");
  op_decl_map(set, set, 1, table, "map");
  op_dump_to_hdf5("a.h5");
  double c = 1;
  op_write_const_hdf5("group/c", 1, "double", (char *)&c, "a.h5");
  (void)two;
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  op_set set = op_decl_set(3, "set"), two = op_decl_set(2, "two");
  double d[3];
  char *data = reinterpret_cast<char *>(d);
  switch (atoi(argv[1])) {
  case 0:
    write(set, two);
    writeOdd();
    break;
  case 1:
    // E1: op2 error: op_decl_set_hdf5: file none.h5, dataset set: no such file
    op_decl_set_hdf5("none.h5", "set");
    break;
  case 2:
    // E2: op2 error: op_decl_map_hdf5: file text.h5, dataset map: is no HDF5 file
    op_decl_map_hdf5(set, set, 1, "text.h5", "map");
    break;
  case 3:
    // E3: op2 error: op_decl_set_hdf5: file a.h5, dataset y: no such dataset; the file has group, large, map, set, two, x
    op_decl_set_hdf5("a.h5", "y");
    break;
  case 4:
    // E4: op_decl_dat_hdf5: file a.h5, dataset x: its shape is [3][1]; expected [3][2] (set set has 3 elements, dim 2)
    op_decl_dat_hdf5(set, 2, "double", "a.h5", "x");
    break;
  case 5:
    // E5: op_decl_dat_hdf5: file a.h5, dataset x: its shape is [3][1]; expected [2][1] (set two has 2 elements, dim 1)
    op_decl_dat_hdf5(two, 1, "double", "a.h5", "x");
    break;
  case 6:
    // E6: op_decl_dat_hdf5: file a.h5, dataset x: holds double; expected int
    op_decl_dat_hdf5(set, 1, "int", "a.h5", "x");
    break;
  case 7:
    // E7: op_decl_dat_hdf5: file a.h5, dataset large: value 0 (counted from 0) is 5000000000; expected -2147483648..2147483647
    op_decl_dat_hdf5(set, 1, "int", "a.h5", "large");
    break;
  case 8:
    // E8: op2 error: op_decl_map map: element 1, slot 0 is 2; expected 0..1 (set two has 2 elements)
    op_decl_map_hdf5(set, two, 1, "a.h5", "map");
    break;
  case 9:
    // E9: op_decl_dat_hdf5: file a.h5, dataset x: unknown type string "complex"; expected one of double,
    op_decl_dat_hdf5(set, 1, "complex", "a.h5", "x");
    break;
  case 10:
    // E10: op_decl_set_hdf5: file a.h5, dataset x: its shape is [3][1]; expected one integer, the set's size (op_decl_set_hdf5_infer_size takes the size of a dataset)
    op_decl_set_hdf5("a.h5", "x");
    break;
  case 11:
    // E11: op_get_const_hdf5: file a.h5, dataset group/c: its shape is [1]; expected [3]
    op_get_const_hdf5("group/c", 3, "double", data, "a.h5");
    break;
  case 12:
    // E12: op_get_const_hdf5: file a.h5, dataset group: is no dataset
    op_get_const_hdf5("group", 1, "double", data, "a.h5");
    break;
  case 13:
    // E13: op_write_const_hdf5: file a.h5, dataset group/c: is there and holds double; expected int
    op_write_const_hdf5("group/c", 1, "int", data, "a.h5");
    break;
  case 14:
    // E14: op_fetch_data_hdf5_file: file a.h5, dataset x: is there with shape [3][1]; expected [2][1]
    op_fetch_data_hdf5_file(op_decl_dat(two, 1, "double", d, "x"), "a.h5");
    break;
  case 15:
    // E15: op_dump_to_hdf5: file b.h5, dataset set: two of the program's sets, maps and dats have this name
    op_decl_dat(set, 1, "double", d, "set");
    op_dump_to_hdf5("b.h5");
    break;
  case 18:
    // E18: op2 error: op_decl_set_hdf5, dataset set: no file name; expected that of an HDF5 file
    op_decl_set_hdf5("", "set");
    break;
  case 19:
    // E19: op2 error: op_get_const_hdf5: file a.h5, dataset group/c: the data pointer is NULL
    op_get_const_hdf5("group/c", 1, "double", nullptr, "a.h5");
    break;
  case 20:
    // E20: op2 error: op_write_const_hdf5: file a.h5, dataset new: the data pointer is NULL
    op_write_const_hdf5("new", 1, "double", nullptr, "a.h5");
    break;
  case 21:
    // E21: op2 error: op_fetch_data_hdf5_file_path: file a.h5: the dataset has no name
    op_fetch_data_hdf5_file_path(op_decl_dat(set, 1, "double", d, "x"), "a.h5", "");
    break;
  case 22:
    // E22: op2 error: op_dump_to_hdf5: file c.h5, dataset later: the map has no table
    op_decl_map(set, two, 1, static_cast<int *>(nullptr), "later");
    op_dump_to_hdf5("c.h5");
    break;
  case 23:
    // E23: op2 error: op_dump_to_hdf5: file d.h5: a set, map or dat without a name cannot be written
    op_decl_dat(set, 1, "double", d, "");
    op_dump_to_hdf5("d.h5");
    break;
  case 24:
    // E24: op2 error: op_decl_map_hdf5, from: the set is NULL
    op_decl_map_hdf5(nullptr, set, 1, "a.h5", "map");
    break;
  case 25:
    // E25: op2 error: op_decl_map_hdf5, to: the set is NULL
    op_decl_map_hdf5(set, nullptr, 1, "a.h5", "map");
    break;
  case 26:
    // E26: op2 error: op_fetch_data_hdf5_file: file new.h5, dataset wide: the dat's type is int, but its components have 8 bytes; expected 4
    op_fetch_data_hdf5_file(op_decl_dat_temp_char(set, 1, "int", 8, "wide"),
                            "new.h5");
    break;
  case 27:
    // E27: op2 error: op_decl_set_hdf5: file odd.h5, dataset null: its dataspace is null; expected one with values
    op_decl_set_hdf5("odd.h5", "null");
    break;
  case 28:
    // E28: op2 error: op_get_const_hdf5: file odd.h5, dataset null: its dataspace is null
    op_get_const_hdf5("null", 1, "int", data, "odd.h5");
    break;
  case 29:
    // E29: op2 error: op_decl_dat_hdf5: file odd.h5, dataset large: value 1 (counted from 0) is 1e+300; expected at most 3.40282e+38
    op_decl_dat_hdf5(set, 1, "float", "odd.h5", "large");
    break;
  case 30:
    // E30: op2 error: op_decl_dat_hdf5: file odd.h5, dataset larger: value 2 (counted from 0) is 1e+400; expected at most 1.79769e+308
    op_decl_dat_hdf5(set, 1, "double", "odd.h5", "larger");
    break;
  case 31:
    // E31: op2 error: op_decl_dat_hdf5: file odd.h5, dataset wide: value 1 (counted from 0) does not fit into 64 bits
    op_decl_dat_hdf5(set, 1, "ll", "odd.h5", "wide");
    break;
  case 32:
    // E32: op2 error: op_decl_map_hdf5: file odd.h5, dataset map: cannot read attribute base; expected one integer
    op_decl_map_hdf5(set, set, 1, "odd.h5", "map");
    break;
  case 33:
    // E33: op2 error: op_fetch_data_hdf5_file: file odd.h5, dataset x: is there with shape [4]; expected [3][1]
    op_fetch_data_hdf5_file(op_decl_dat(set, 1, "double", d, "x"), "odd.h5");
    break;
  case 34:
    // E34: op2 error: op_write_const_hdf5: file odd.h5, dataset x/y/z: x is there and no group
    op_write_const_hdf5("x/y/z", 1, "double", data, "odd.h5");
    break;
  case 17:
    // Programs look for NULL.
    // E17: op2 warning: op_decl_dat_hdf5: file a.h5, dataset y: no such dataset, so the result is NULL; the file has group, large, map, set, two, x [op2-hdf5]
    // E17: op2 warning: op_decl_map_hdf5: file a.h5, dataset group/map: no such dataset
    // E17: op2 warning: op_decl_set_hdf5_infer_size: file a.h5, dataset z: no such dataset
    // E17: op2 error: loop touch, argument 0: the dat is NULL
    {
      op_dat y = op_decl_dat_hdf5(set, 1, "double", "a.h5", "y");
      op_map map = op_decl_map_hdf5(set, set, 1, "a.h5", "group/map");
      op_set size = op_decl_set_hdf5_infer_size("a.h5", "s", "z");
      if (!y && !map && !size)
        op_par_loop(touch, "touch", set,
                    op_arg_dat(y, -1, OP_ID, 1, "double", OP_READ));
    }
    break;
  case 16:
    // E16: op_fetch_data_hdf5_file: file none/a.h5, dataset x: cannot make it: No such file or directory
    op_fetch_data_hdf5_file(op_decl_dat(set, 1, "double", d, "x"),
                            "none/a.h5");
    break;
  }
  op_exit();
}

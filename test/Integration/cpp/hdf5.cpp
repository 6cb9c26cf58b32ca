// Sets, maps, dats and constants through HDF5 files: written, read again, read
// from a file with other widths and without attributes, written in place.
//
// REQUIRES: hdf5
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-target=seq,openmp,emulator %s -o app
// RUN: env OP2_TARGET=seq ./app write mesh.h5 | FileCheck %s --check-prefix=WRITE
// RUN: h5dump mesh.h5 | FileCheck %s --check-prefix=DUMP
// RUN: h5dump -d geometry/x_new mesh.h5 | FileCheck %s --check-prefix=NEW
// RUN: env OP2_TARGET=seq ./app read mesh.h5 | FileCheck %s --check-prefix=READ
// RUN: env OP2_TARGET=openmp ./app read mesh.h5 | FileCheck %s --check-prefix=READ
// RUN: env OP2_TARGET=emulator ./app read mesh.h5 OP_NO_REALLOC | grep -v '^op2: ' | FileCheck %s --check-prefix=READ
// RUN: %clangxx -O0 -std=c++17 %op2api %s %op2hdf5lib %op2lib -o dev && ./dev read mesh.h5 | FileCheck %s --check-prefix=READ
//
// What other tools write: 64-bit and 16-bit integers, float, big endian, one
// dimension, no attributes.
// RUN: printf '4\n' > size.txt && printf '0 1\n1 2\n2 3\n3 0\n' > ends.txt && printf '1\n2\n3\n4.5\n' > w.txt
// RUN: printf '7\n8\n9\n10\n' > big.txt && printf '2.5 3\n' > c.txt
// RUN: printf 'PATH big\nINPUT-CLASS TEXTIN\nINPUT-SIZE 32\nRANK 2\nDIMENSION-SIZES 4 1\nOUTPUT-CLASS IN\nOUTPUT-SIZE 32\nOUTPUT-ARCHITECTURE STD\nOUTPUT-BYTE-ORDER BE\n' > big.cfg
// RUN: h5import size.txt -d 1 -p edges -t TEXTIN -s 16 ends.txt -d 4,2 -p ends -t TEXTIN -s 64 w.txt -d 4 -p w -t TEXTFP -s 32 big.txt -c big.cfg c.txt -d 2 -p c -t TEXTFP -s 64 -o other.h5
// RUN: env OP2_TARGET=openmp ./app other other.h5 | FileCheck %s --check-prefix=OTHER
//
// A program that uses none of it does not need HDF5.
// RUN: %op2cxx -O1 -DNO_FILES %s -o none && ldd none | FileCheck %s --check-prefix=NONE
// NONE-NOT: hdf5
//
// WRITE: wrote 8 bytes per value
// DUMP: DATASET "cells"
// DUMP: DATATYPE H5T_STD_I32LE
// DUMP: DATASPACE SIMPLE { ( 1 ) / ( 1 ) }
// DUMP: (0): 3
// DUMP: DATASET "ends"
// DUMP: ATTRIBUTE "dim"
// DUMP: (0): 2
// DUMP: ATTRIBUTE "size"
// DUMP: (0): 3
// DUMP: ATTRIBUTE "type"
// DUMP: STRSIZE 10
// DUMP: (0): "int
// DUMP: DATASET "gam"
// DUMP: DATATYPE H5T_IEEE_F64LE
// DUMP: (0): 1.5
// DUMP: ATTRIBUTE "type"
// DUMP: (0): "double"
// DUMP: GROUP "geometry"
// DUMP: DATASET "x"
// DUMP: DATASPACE SIMPLE { ( 4, 2 ) / ( 4, 2 ) }
// DUMP: ATTRIBUTE "size"
// DUMP: (0): 16
// NEW: (0,0): 100, 2,
// NEW: (3,0): 400, 8
// READ: sizes 4 3 2
// READ: map 0 1 1 2 2 3
// READ: x 1 2 3 4 5 6 7 8
// READ: loop 5 9 13
// READ: gam 1.5 table 4 5 6 flag 1 large 5000000000
// READ: types 3 2.5 4294967295 -5000000000 1
// OTHER: 4 edges
// OTHER: 0 1 1 2 2 3 3 0
// OTHER: 1 2 3 4.5
// OTHER: 7 8 9 10
// OTHER: 2.5 3

#include "op_seq.h"

#include <string>

#ifdef NO_FILES
int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  op_exit();
}
#else

inline void sum(const double *a, const double *b, double *s) {
  *s = a[0] + b[1];
}

template <class T>
static op_dat declare(op_set set, int dim, char const *type,
                      std::initializer_list<T> values, char const *name) {
  return op_decl_dat(set, dim, type, values.begin(), name);
}

static void write(char const *file) {
  op_set nodes = op_decl_set(4, "nodes"), cells = op_decl_set(3, "cells"),
         none = op_decl_set(2, "few");
  int ends[] = {0, 1, 1, 2, 2, 3};
  op_decl_map(cells, nodes, 2, ends, "ends");
  op_dat x = declare<double>(nodes, 2, "double", {1, 2, 3, 4, 5, 6, 7, 8},
                             "geometry/x");
  op_decl_dat_overlay(cells, x); // has no values of its own
  declare<int>(none, 1, "int", {3, 4}, "i");
  declare<float>(none, 1, "float", {2.5f, 1}, "f");
  declare<unsigned>(none, 1, "uint", {4294967295u, 0}, "u");
  declare<long long>(none, 1, "ll", {-5000000000LL, 0}, "l");
  declare<bool>(none, 1, "bool", {true, false}, "b");
  op_dump_to_hdf5(file);
  double gam = 1.5;
  int table[] = {4, 5, 6};
  bool flag = true;
  long long large = 5000000000LL;
  op_write_const_hdf5("gam", 1, "double", (char *)&gam, file);
  op_write_const_hdf5("table", 3, "int", (char *)table, file);
  op_write_const_hdf5("flag", 1, "bool", (char *)&flag, file);
  op_write_const_hdf5("large", 1, "long long", (char *)&large, file);
  op_fetch_data_hdf5_file_path(x, file, "geometry/x_new");
  // In place: the second time with other values.
  auto *values = reinterpret_cast<double *>(x->data);
  for (int n = 0; n < 4; ++n)
    values[2 * n] = 100 * (n + 1);
  op_fetch_data_hdf5_file_path(x, file, "geometry/x_new");
  op_printf("wrote %d bytes per value\n", x->size / x->dim);
}

static void read(char const *file) {
  op_set nodes = op_decl_set_hdf5_infer_size(file, "nodes", "geometry/x"),
         cells = op_decl_set_hdf5(file, "cells"),
         few = op_decl_set_hdf5(file, "few");
  op_printf("sizes %d %d %d\n", nodes->size, cells->size, few->size);
  op_map ends = op_decl_map_hdf5(cells, nodes, 2, file, "ends");
  op_printf("map %d %d %d %d %d %d\n", ends->map[0], ends->map[1],
            ends->map[2], ends->map[3], ends->map[4], ends->map[5]);
  op_dat x = op_decl_dat_hdf5(nodes, 2, "double", file, "geometry/x");
  double v[8];
  op_fetch_data(x, v);
  op_printf("x %g %g %g %g %g %g %g %g\n", v[0], v[1], v[2], v[3], v[4], v[5],
            v[6], v[7]);
  op_dat s = op_decl_dat(cells, 1, "double", (double *)NULL, "s");
  op_par_loop(sum, "sum", cells,
              op_arg_dat(x, 0, ends, 2, "double", OP_READ),
              op_arg_dat(x, 1, ends, 2, "double", OP_READ),
              op_arg_dat(s, -1, OP_ID, 1, "double", OP_WRITE));
  op_fetch_data(s, v);
  op_printf("loop %g %g %g\n", v[0], v[1], v[2]);
  double gam;
  int table[3];
  bool flag = false;
  long long large;
  op_get_const_hdf5("gam", 1, "double", (char *)&gam, file);
  op_get_const_hdf5("table", 3, "int", (char *)table, file);
  op_get_const_hdf5("flag", 1, "bool", (char *)&flag, file);
  op_get_const_hdf5("large", 1, "long long", (char *)&large, file);
  op_printf("gam %g table %d %d %d flag %d large %lld\n", gam, table[0],
            table[1], table[2], flag, large);
  int i[2];
  float f[2];
  unsigned u[2];
  long long l[2];
  bool b[2];
  op_fetch_data(op_decl_dat_hdf5(few, 1, "int", file, "i"), i);
  op_fetch_data(op_decl_dat_hdf5(few, 1, "float:soa", file, "f"), f);
  op_fetch_data(op_decl_dat_hdf5(few, 1, "uint", file, "u"), u);
  op_fetch_data(op_decl_dat_hdf5(few, 1, "long", file, "l"), l);
  op_fetch_data(op_decl_dat_hdf5(few, 1, "bool", file, "b"), b);
  op_printf("types %d %g %u %lld %d\n", i[0], double(f[0]), u[0], l[0], b[0]);
}

static void other(char const *file) {
  op_set edges = op_decl_set_hdf5(file, "edges");
  op_printf("%d edges\n", edges->size);
  op_map ends = op_decl_map_hdf5(edges, edges, 2, file, "ends");
  for (int n = 0; n < 8; ++n)
    op_printf("%d%s", ends->map[n], n == 7 ? "\n" : " ");
  double w[4];
  op_fetch_data(op_decl_dat_hdf5(edges, 1, "double", file, "w"), w);
  op_printf("%g %g %g %g\n", w[0], w[1], w[2], w[3]);
  long long big[4];
  op_fetch_data(op_decl_dat_hdf5(edges, 1, "ll", file, "big"), big);
  op_printf("%lld %lld %lld %lld\n", big[0], big[1], big[2], big[3]);
  float c[2];
  op_get_const_hdf5("c", 2, "float", (char *)c, file);
  op_printf("%g %g\n", double(c[0]),
            double(c[1]));
}

int main(int argc, char **argv) {
  op_init(argc, argv, 1);
  std::string mode = argv[1];
  if (mode == "write")
    write(argv[2]);
  else if (mode == "read")
    read(argv[2]);
  else
    other(argv[2]);
  op_exit();
}
#endif

// When HDF5 fails within a call, the disk is full or memory ends, that is said
// with the file and the dataset; nothing is lost silently.
//
// REQUIRES: hdf5, no-sanitizer
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: %clangxx -shared -fPIC %source/test/Inputs/failing-calls.cpp -o fail.so
// RUN: %clangxx -std=c++17 %op2api %s %op2hdf5lib %op2lib -o app && ./app dump
// RUN: not env LD_PRELOAD=./fail.so FAILING_CALL=H5Dget_space ./app read 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: not env LD_PRELOAD=./fail.so FAILING_CALL=H5Dget_type ./app read 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not env LD_PRELOAD=./fail.so FAILING_CALL=H5Dread ./app read 2>&1 | FileCheck %s --check-prefix=READ
// RUN: not env LD_PRELOAD=./fail.so FAILING_CALL=op_malloc ./app read 2>&1 | FileCheck %s --check-prefix=MEMORY
// RUN: not env LD_PRELOAD=./fail.so FAILING_CALL=H5Acreate2 ./app const 2>&1 | FileCheck %s --check-prefix=ATTRIBUTE
// RUN: not env LD_PRELOAD=./fail.so FAILING_CALL=H5Dwrite ./app fetch 2>&1 | FileCheck %s --check-prefix=WRITE
// RUN: not env LD_PRELOAD=./fail.so FAILING_CALL=H5Gcreate2 ./app group 2>&1 | FileCheck %s --check-prefix=GROUP
// SHAPE: op2 error: op_decl_dat_hdf5: file a.h5, dataset x: cannot find out its shape
// TYPE: op2 error: op_decl_dat_hdf5: file a.h5, dataset x: holds another type; expected double
// READ: op2 error: op_decl_dat_hdf5: file a.h5, dataset x: cannot read it
// MEMORY: op2 error: op_decl_dat_hdf5: file a.h5, dataset x: not enough memory for its 2400 bytes
// ATTRIBUTE: op2 error: op_write_const_hdf5: file new.h5, dataset c: cannot write attribute dim
// WRITE: op2 error: op_fetch_data_hdf5_file: file a.h5, dataset x: cannot write it
// GROUP: op2 error: op_fetch_data_hdf5_file_path: file a.h5, dataset u/y/z: cannot make group u{{$| }}

// 1 KiB at most in a file: at first the values fit into HDF5's own memory.
// RUN: not bash -c "ulimit -f 1; ./app const" 2>&1 | FileCheck %s --check-prefix=FULL-CONST
// RUN: not bash -c "ulimit -f 1; ./app small" 2>&1 | FileCheck %s --check-prefix=FULL-FETCH
// RUN: not bash -c "ulimit -f 1; ./app dump" 2>&1 | FileCheck %s --check-prefix=FULL-DUMP
// FULL-CONST: op2 error: op_write_const_hdf5: file new.h5, dataset c: cannot finish the file (HDF5: {{.*}}File too large
// FULL-FETCH: op2 error: op_fetch_data_hdf5_file: file small.h5, dataset y: cannot finish the file (HDF5: {{.*}}File too large
// FULL-DUMP: op2 error: op_dump_to_hdf5: file a.h5{{.*}}: cannot

// Small datasets are written when they are closed. Whatever there is room for, a
// program that ends well has written all of it.
// RUN: not env LD_PRELOAD=./fail.so FAILING_CALL=H5Dclose ./app dump 2>&1 | FileCheck %s --check-prefix=LOST
// RUN: ./app small && cp small.h5 whole.h5
// RUN: bash -c 'for n in $(seq 1 40); do if (ulimit -f $n; ./app small) 2>> log; then h5diff -v small.h5 whole.h5 || exit 1; fi; done'
// RUN: FileCheck %s --check-prefix=LOST-SMALL < log
// RUN: not bash -c "ulimit -f 8; op2-mesh generate quads 30 30 -o m.h5" 2>&1 | FileCheck %s --check-prefix=LOST-MESH
// LOST: op2 error: op_dump_to_hdf5: file a.h5{{.*}}: cannot write all of its values
// LOST-SMALL: op2 error: op_fetch_data_hdf5_file: file small.h5, dataset y: cannot {{finish the file|write all}}
// LOST-MESH: m.h5: cannot

// What was there before stays, whether a file is made anew or gets more values;
// nothing lies beside it.
// RUN: cp a.h5 before.h5
// RUN: not bash -c "ulimit -f 200; ./app add" 2>&1 | FileCheck %s --check-prefix=FULL-ADD
// RUN: not env LD_PRELOAD=./fail.so FAILING_CALL=fallocate ./app add 2>&1 | FileCheck %s --check-prefix=FULL-DISK
// RUN: not env LD_PRELOAD=./fail.so FAILING_CALL=rename ./app dump 2>&1 | FileCheck %s --check-prefix=RENAME
// RUN: not env LD_PRELOAD=./fail.so FAILING_CALL=H5Dwrite ./app dump 2>&1 | FileCheck %s --check-prefix=DUMP
// RUN: not env LD_PRELOAD=./fail.so FAILING_CALL=chmod ./app dump 2>&1 | FileCheck %s --check-prefix=RIGHTS
// RUN: not env LD_PRELOAD=./fail.so FAILING_CALL=H5Fclose ./app dump 2>&1 | FileCheck %s --check-prefix=CLOSE
// RUN: not env LD_PRELOAD=./fail.so FAILING_CALL=H5Dwrite bash -c "./app print >&-" 2>&1 | FileCheck %s --check-prefix=WRITE
// RUN: not env LD_PRELOAD=./fail.so FAILING_CALL=H5Dwrite bash -c "./app print 2>&- >&- <&-"
// RUN: cmp a.h5 before.h5 && ls | FileCheck %s --check-prefix=FILES --implicit-check-not=unfinished
// RUN: ./app add && h5diff a.h5 before.h5 x && ls -s a.h5 | FileCheck %s --check-prefix=BLOCKS
// RUN: bash -c "chmod 640 a.h5 && ln -sf a.h5 link.h5 && ./app link && stat -c '%%F %%a' link.h5 a.h5" | FileCheck %s --check-prefix=LINK
// RUN: h5diff a.h5 before.h5
// FULL-ADD: op2 error: op_fetch_data_hdf5_file: file a.h5, dataset added: no room for 264544 bytes more, so it stays as it was: File too large
// FULL-DISK: op2 error: op_fetch_data_hdf5_file: file a.h5, dataset added: no room for 264544 bytes more, so it stays as it was: No space left on device
// RENAME: op2 error: op_dump_to_hdf5: file a.h5: cannot put the new file {{.*}}a.h5.unfinished.{{......}} in its place: No space left on device
// RIGHTS: op2 error: op_dump_to_hdf5: file a.h5: cannot put the new file {{.*}} in its place: No space left on device
// CLOSE: op2 error: op_dump_to_hdf5: file a.h5: cannot close the file
// DUMP: op2 error: op_dump_to_hdf5: file a.h5, dataset set: cannot write it
// FILES: before.h5
//
// Another program's new file is not ours.
// RUN: printf mine > a.h5.unfinished && ./app dump && grep mine a.h5.unfinished && rm a.h5.unfinished
// BLOCKS: {{^}}{{1?[0-9]}} a.h5
// LINK: symbolic link
// LINK-NEXT: regular file 640

#include "op_seq.h"

#include <string>
#include <vector>

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  std::string what = argv[1];
  std::remove("new.h5");
  std::remove("small.h5");
  op_set set = op_decl_set(300, "set"), one = op_decl_set(1, "one");
  std::vector<double> values(300, 1.5);
  op_dat x = op_decl_dat(set, 1, "double", values.data(), "x");
  if (what == "dump")
    op_dump_to_hdf5("a.h5");
  else if (what == "read")
    op_decl_dat_hdf5(set, 1, "double", "a.h5", "x");
  else if (what == "const")
    op_write_const_hdf5("c", 1, "double",
                        reinterpret_cast<char *>(values.data()), "new.h5");
  else if (what == "fetch")
    op_fetch_data_hdf5_file(x, "a.h5");
  else if (what == "link")
    op_dump_to_hdf5("link.h5");
  else if (what == "add")
    op_fetch_data_hdf5_file(
        op_decl_dat(set, 1, "double", values.data(), "added"), "a.h5");
  else if (what == "small")
    op_fetch_data_hdf5_file(
        op_decl_dat(one, 1, "double", values.data(), "y"), "small.h5");
  else if (what == "print") {
    op_printf("What waits in the buffer of stdout must not get into a file.\n");
    op_fetch_data_hdf5_file(x, "a.h5");
  } else if (what == "group")
    op_fetch_data_hdf5_file_path(x, "a.h5", "u/y/z");
  op_exit();
}

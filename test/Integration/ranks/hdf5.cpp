// Ranks read their blocks of a file, and write what one process writes.
//
// REQUIRES: mpi, hdf5, no-sanitizer
// RUN: %op2cxx %unoptimized -O1 --op2-mpi %s -o %t
// RUN: rm -rf %t.alone %t.3 %t.5 && mkdir %t.alone %t.3 %t.5
// RUN: cd %t.alone && %t make && cp mesh*.h5 %t.3 && cp mesh*.h5 %t.5
// RUN: cd %t.alone && h5repack -l wide:CHUNK=7x1000 mesh-wide.h5 chunked.h5 && cp chunked.h5 %t.3
// RUN: printf text > text && h5jam -i mesh-wide.h5 -u text -o jammed.h5 && cp jammed.h5 %t.3
// RUN: cd %t.alone && %t && h5dump -n 1 all.h5 > all
// RUN: cd %t.3 && env SAY=1 %mpirun -n 3 %t | FileCheck %s --check-prefix=TOGETHER && h5dump -n 1 all.h5 > all
// RUN: cd %t.5 && env OP2_RANKS=whole OP2_PARTITION=random %mpirun -n 5 %t \
// RUN:   && h5dump -n 1 all.h5 > all
// RUN: diff %t.alone/all %t.3/all && diff %t.alone/all %t.5/all
// RUN: h5diff %t.alone/all.h5 %t.3/all.h5 && h5diff %t.alone/all.h5 %t.5/all.h5
// RUN: h5diff %t.alone/value.h5 %t.3/value.h5 && h5diff %t.alone/value.h5 %t.5/value.h5
// RUN: FileCheck %s < %t.alone/all
// TOGETHER: op2: op_fetch_data_hdf5_file: file value.h5: the root has written for all ranks{{$}}
// TOGETHER: op2: op_dump_to_hdf5: file all.h5: ranks have written side by side
//
// A dataset that is there, and ones whose rows have no places of their own.
// RUN: cd %t.alone && cp mesh-wide.h5 again.h5 && cp again.h5 %t.3 && %t into again.h5
// RUN: cd %t.3 && env SAY=1 %mpirun -n 3 %t into again.h5 | FileCheck %s --check-prefix=AGAIN
// RUN: h5diff %t.alone/again.h5 %t.3/again.h5
// AGAIN: file again.h5: ranks have written side by side
// RUN: cd %t.3 && env SAY=1 %mpirun -n 3 %t into chunked.h5 | FileCheck %s --check-prefix=ROOT
// RUN: cd %t.3 && env SAY=1 %mpirun -n 3 %t into jammed.h5 | FileCheck %s --check-prefix=ROOT
// RUN: h5diff %t.alone/again.h5 %t.3/chunked.h5 && h5diff %t.alone/again.h5 %t.3/jammed.h5
// ROOT: file {{.*}}: the root has written for all ranks: they do not see its file, or its rows have no places of their own
//
// A program for one process, which expects everything.
// RUN: cd %t.3 && %mpirun -n 3 %t fetch 2>&1 | FileCheck %s --check-prefix=FETCH
// RUN: cd %t.3 && env OP2_RANKS=blocks %mpirun -n 3 %t fetch 2>&1 | FileCheck %s --check-prefix=QUIET --allow-empty
// RUN: cd %t.3 && env OP2_RANKS=whole %mpirun -n 3 %t fetch 2>&1 | FileCheck %s --check-prefix=QUIET --allow-empty
// FETCH-COUNT-1: op2 warning: op_fetch_data value: gives each rank the block that it has read, rank 0 16 of 50 elements of set nodes; a program for one process needs OP2_RANKS=whole (OP2_RANKS=blocks: no such warning) [op2-ranks-declare]
// FETCH-NOT: warning
// QUIET-NOT: warning
//
// Who reads late gets what was there before the next one was written.
// RUN: cd %t.3 && %mpirun -n 3 %t late
// RUN: cd %t.3 && rm late.h5 && env OP2_RANKS=whole %mpirun -n 2 %t late
//
// Ranks in folders of their own, as on disks of their own.
// RUN: rm -rf %t.own && mkdir -p %t.own/0 %t.own/1 && cp %t.3/mesh*.h5 %t.own/0 && cp %t.3/mesh*.h5 %t.own/1
// RUN: cd %t.own && env SAY=1 %mpirun -n 2 bash -c "cd $OMPI_COMM_WORLD_RANK; %t" | FileCheck %s --check-prefix=ROOT
// RUN: h5diff %t.alone/all.h5 %t.own/0/all.h5 && not ls %t.own/1/all.h5
//
// A rank that cannot write: the old file stays.
// RUN: cd %t.3 && cp all.h5 old.h5 && not %mpirun -n 3 bash -c "[ $OMPI_COMM_WORLD_RANK != 2 ] || ulimit -f 7000; %t" 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: cd %t.3 && cmp all.h5 old.h5 && not ls all.h5.unfinished*
// FULL: op2 error (rank 0 of 3): op_dump_to_hdf5: file all.h5, dataset wide: rank 2 cannot write its rows: File too large
// CHECK: dataset /map
// CHECK: attribute /map/size
// CHECK: dataset /value
// CHECK: dataset /wide
#include "op_hdf5.h"
#include "op_seq.h"

#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>
#include <vector>

// Some megabytes: written piece by piece.
constexpr int kWide = 40000;

static void change(float *wide) {
  for (int n = 0; n < kWide; ++n)
    wide[n] = wide[n] * 1.7f + float(n);
}
static void add(const double *a, double *b) {
  b[0] += a[0] * 0.1;
  b[1] -= a[1] / 3;
}

static void make() {
  constexpr int kSize = 50;
  std::vector<int> ends;
  std::vector<double> values;
  for (int n = 0; n < kSize; ++n) {
    ends.insert(ends.end(), {n, (n * 7 + 1) % kSize});
    values.insert(values.end(), {double(n), 1.0 / (n + 1)});
  }
  op_set nodes = op_decl_set(kSize, "nodes");
  op_set edges = op_decl_set(kSize, "edges");
  op_decl_map(edges, nodes, 2, ends.data(), "map");
  op_decl_dat(nodes, 2, "double", values.data(), "from");
  op_decl_dat(nodes, 2, "double", values.data(), "value");
  std::vector<float> many(kSize * kWide);
  for (std::size_t n = 0; n < many.size(); ++n)
    many[n] = float(n) * 0.1f;
  op_dat wide = op_decl_dat(nodes, kWide, "float", many.data(), "wide");
  op_fetch_data_hdf5_file(wide, "mesh-wide.h5");
  op_dump_to_hdf5("mesh.h5");
}

/// One after the other, into the same file, in which ranks read between.
static int readLate() {
  int rank = 0, wrong = 0;
  op_rank(&rank);
  double values[6] = {};
  op_set set = op_decl_set(6, "late");
  op_dat dat = op_decl_dat(set, 1, "double", values, "dat");
  for (int k = 1; k <= 6; ++k) {
    op_write_const_hdf5("c", 1, "int", reinterpret_cast<char *>(&k), "late.h5");
    int c = 0;
    if (rank > 0)
      usleep(5000);
    op_get_const_hdf5("c", 1, "int", reinterpret_cast<char *>(&c), "late.h5");
    wrong += c != k;
    std::string name = "dat" + std::to_string(k);
    op_fetch_data_hdf5_file_path(dat, "late.h5", name.c_str());
    op_decl_dat_hdf5(set, 1, "double", "late.h5", name.c_str());
  }
  op_exit();
  return wrong;
}

int main(int argc, char **argv) {
  op_init(argc, argv, std::getenv("SAY") ? 2 : 0);
  if (argc > 1 && !std::strcmp(argv[1], "make")) {
    make();
    op_exit();
    return 0;
  }
  if (argc > 1 && !std::strcmp(argv[1], "late"))
    return readLate();
  op_set nodes = op_decl_set_hdf5("mesh.h5", "nodes");
  op_set edges = op_decl_set_hdf5("mesh.h5", "edges");
  op_map map = op_decl_map_hdf5(edges, nodes, 2, "mesh.h5", "map");
  op_dat from = op_decl_dat_hdf5(nodes, 2, "double", "mesh.h5", "from");
  op_dat value = op_decl_dat_hdf5(nodes, 2, "double", "mesh.h5", "value");
  op_dat wide = op_decl_dat_hdf5(nodes, kWide, "float", "mesh-wide.h5", "wide");
  op_partition("PTSCOTCH", "KWAY", edges, map, NULL);
  for (int step = 0; step < 3; ++step)
    op_par_loop(add, "add", edges,
                op_arg_dat(from, 0, map, 2, "double", OP_READ),
                op_arg_dat(value, 1, map, 2, "double", OP_INC));
  if (argc > 2 && !std::strcmp(argv[1], "into")) {
    op_par_loop(change, "change", nodes,
                op_arg_dat(wide, -1, OP_ID, kWide, "float", OP_RW));
    op_fetch_data_hdf5_file(wide, argv[2]);
    op_exit();
    return 0;
  }
  if (argc > 1 && !std::strcmp(argv[1], "fetch")) {
    std::vector<double> values(2 * std::size_t(op_get_size(nodes)));
    op_fetch_data(value, values.data());
    op_fetch_data(from, values.data());
    op_exit();
    return 0;
  }
  op_fetch_data_hdf5_file(value, "value.h5");
  op_dump_to_hdf5("all.h5");
  op_exit();
}

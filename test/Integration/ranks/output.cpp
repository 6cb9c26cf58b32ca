// Files and dumps are those of one process; loops written by hand run imported
// elements, too.
//
// REQUIRES: mpi, no-sanitizer
// RUN: %op2cxx %unoptimized -O1 --op2-mpi %s -o %t
// RUN: rm -rf %t.alone %t.3 && mkdir %t.alone %t.3
// RUN: cd %t.alone && %t > out
// RUN: cd %t.3 && env OP2_RANKS=whole OP2_PARTITION=random:2 %mpirun -n 3 %t > out
// RUN: rm -rf %t.r && mkdir %t.r
// RUN: diff -r %t.alone %t.3
// RUN: cd %t.r && env OP2_RANKS=whole OP2_RENUMBER=rcm OP2_PARTITION=random:2 %mpirun -n 3 %t > out
// RUN: diff -r %t.alone %t.r
// RUN: FileCheck %s < %t.alone/out
// CHECK: dat value: 40 elements of 2 double
// CHECK: by hand: 780
//
// A profile is the root's.
// RUN: env OP2_RANKS=whole %mpirun -n 3 %t %t.profile.json | FileCheck %s --check-prefix=PROFILE
// PROFILE: region
// PROFILE: of the root
// PROFILE-NOT: region
// RUN: FileCheck %s --check-prefix=JSON < %t.profile.json
// JSON: "name":"of the root"
#include "op_profile.h"
#include "op_rt_support.h"
#include "op_seq.h"

#include <vector>

static void add(const double *a, double *b) {
  b[0] += a[0] * 0.1;
  b[1] -= a[1];
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  constexpr int kSize = 40;
  std::vector<int> ends;
  std::vector<double> values;
  for (int n = 0; n < kSize; ++n) {
    ends.insert(ends.end(), {n, (n * 3 + 1) % kSize});
    values.insert(values.end(), {double(n), 1.0 / (n + 1)});
  }
  op_set nodes = op_decl_set(kSize, "nodes");
  op_set edges = op_decl_set(kSize, "edges");
  op_map map = op_decl_map(edges, nodes, 2, ends.data(), "map");
  op_dat from = op_decl_dat(nodes, 2, "double", values.data(), "from");
  op_dat value = op_decl_dat(nodes, 2, "double", values.data(), "value");
  // Before ranks have their parts, and after.
  op_print_dat_to_txtfile(value, "before.txt");
  op_par_loop(add, "add", edges, op_arg_dat(from, 0, map, 2, "double", OP_READ),
              op_arg_dat(value, 1, map, 2, "double", OP_INC));
  op_print_dat_to_txtfile(value, "after.txt");
  op_print_dat_to_binfile(value, "after.bin");
  op_dump_dat(value);
  // Some megabytes: written piece by piece.
  constexpr int kWide = 40000;
  std::vector<double> many(std::size_t(kSize) * kWide);
  for (std::size_t n = 0; n < many.size(); ++n)
    many[n] = double(n);
  op_dat wide = op_decl_dat(nodes, kWide, "double", many.data(), "wide");
  op_print_dat_to_binfile(wide, "wide.bin");

  // Numbers that are small: any order of additions gives the same sum.
  std::vector<double> zeros(2 * kSize);
  op_dat sums = op_decl_dat(nodes, 2, "double", zeros.data(), "sums");
  op_arg args[] = {op_arg_dat(from, 0, map, 2, "double", OP_READ),
                   op_arg_dat(sums, 1, map, 2, "double", OP_INC)};
  int size = op_mpi_halo_exchanges(edges, 2, args);
  for (int n = 0; n < size; ++n) {
    if (n == edges->core_size)
      op_mpi_wait_all(2, args);
    auto *a = (double *)from->data + 2 * map->map[2 * n];
    auto *b = (double *)sums->data + 2 * map->map[2 * n + 1];
    b[0] += a[0];
  }
  op_mpi_set_dirtybit(2, args);
  double total = 0;
  op_arg sumArg = op_arg_gbl(&total, 1, "double", OP_INC);
  op_arg own = op_arg_dat(sums, -1, OP_ID, 2, "double", OP_READ);
  size = op_mpi_halo_exchanges(nodes, 1, &own);
  double part = 0;
  for (int n = 0; n < size; ++n)
    part += ((double *)sums->data)[2 * n];
  total = part;
  op_mpi_reduce_double(&sumArg, &part);
  op_printf("by hand: %g\n", total);
  if (argc > 1) {
    op_profile_start("profile");
    op_profile_enter(op_is_root() ? "of the root" : "of another");
    op_profile_end();
    op_profile_output();
    op_profile_output_json(argv[1]);
  }
  op_exit();
}

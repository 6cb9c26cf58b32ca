// Sums of float and double are exact until the end: the same bits on all
// targets, with any vectors and threads, in tiles, fused or not, raised or not,
// in blocks of any size of a device, and by the template in the header; also
// where terms are so different in size that additions one by one would lose most
// of them.
//
// Contractions of a * b + c are the kernels' own: they differ between targets.
// RUN: %op2cxx -O3 -march=native -ffp-contract=off -Werror=op2-sequential \
// RUN:   --op2-target=openmp,seq,emulator %s -o %t
// RUN: env OP2_TARGET=seq %t > %t.seq
// RUN: FileCheck %s < %t.seq
// RUN: env OP2_TARGET=openmp OP2_OWNER=always OMP_NUM_THREADS=1 %t > %t.1
// RUN: diff %t.seq %t.1
// RUN: env OP2_TARGET=openmp OP2_OWNER=always OMP_NUM_THREADS=7 %t > %t.7
// RUN: diff %t.seq %t.7
// RUN: env OP2_TARGET=emulator %t > %t.emulator && diff %t.seq %t.emulator
// More elements than threads, and all of an element in the turn of its colour.
// RUN: %op2cxx %unoptimized -O1 -ffp-contract=off -Werror=op2-sequential \
// RUN:   --op2-block-size=2048 --op2-target=emulator %s -o %t.large
// RUN: env OP2_TARGET=emulator %t.large > %t.whole && diff %t.seq %t.whole
// RUN: env OP2_TARGET=openmp OP2_OWNER=always OMP_NUM_THREADS=3 \
// RUN:   OP2_CHAIN=always OP2_TILE_SIZE=64 %t > %t.3 && diff %t.seq %t.3
// RUN: %op2cxx %unoptimized -O1 -ffp-contract=off -Werror=op2-sequential --op2-no-raise \
// RUN:   --op2-target=openmp %s -o %t.calls
// RUN: env OP2_OWNER=always %t.calls > %t.imported && diff %t.seq %t.imported
// RUN: %clangxx -std=c++17 -O1 -ffp-contract=off %op2api %s -o %t.header %op2lib
// RUN: env OP2_CHECK=1 %t.header > %t.alone && diff %t.seq %t.alone

#include "op_seq.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

static void wide(const double *a, const float *b, double *sum, float *narrow) {
  *sum += *a;
  *narrow += *b;
}
// Vectors split all of it: by two levels most, by three those that are left when
// the large terms cancel.
static void near(const double *c, const float *f, double *sum, float *narrow) {
  *sum += *c;
  *narrow += *f;
}
// Several additions, some of them in branches; what an element adds is rounded
// by itself.
static void three(const double *a, double *s, int *count) {
  s[0] += *a * 0.1;
  if (*a > 0) {
    s[1] += sqrt(*a);
    s[1] -= 1;
    *count += 1;
  }
  s[2] -= *a;
}
static void flux(const double *a, const double *b, double *r, double *s) {
  *r += *a - *b;
  *s -= *a - *b;
}
static void differ(const double *a, const double *b, double *change) {
  *change += (*a - *b) * (*a - *b);
}
// Where rows are added to in colours, sums are still exact.
static void both(const double *a, const double *b, double *r, double *s,
                 double *change) {
  flux(a, b, r, s);
  differ(a, b, change);
}
// Colours keep the whole kernel from those of other elements.
static void least(const double *a, const double *b, double *r, double *sum) {
  *r = std::fmin(*r, *b);
  *sum += *a * *b;
}
// A row gets two terms, which may come in any order (atomics), if it was zero.
static void advance(double *r, double *a, double *norm) {
  *a += 1e-3 * *r;
  *r = 0;
  *norm += *a * *a;
}
// The only exact result is the last term.
static void cancel(const int *n, const double *last, double *s) {
  int k = *n / 2;
  *s += *last != 0 ? *last : std::ldexp(*n % 2 ? -1.0 : 1.0, k % 600);
}
// Elements add to few of many components: at computed places, to the same one
// twice, to all, or to none.
static void spread(const int *n, const double *a, const float *b, double *bins,
                   float *narrow) {
  int k = *n * 7 % 21;
  bins[k * 3] += *a;
  bins[(*n * 5) % 63] += *a * 0.1;
  if (*n % 97 == 0)
    for (int d = 0; d < 64; ++d)
      bins[d] -= d;
  if (*n % 3)
    narrow[k] += *b;
}

static void print(char const *name, void const *data, std::size_t bytes) {
  std::printf("%s", name);
  for (std::size_t n = 0; n < bytes; n += 4) {
    std::uint32_t word;
    std::memcpy(&word, static_cast<char const *>(data) + n, 4);
    std::printf(" %08x", word);
  }
  std::printf("\n");
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  constexpr int size = 5003, ends = 2 * size;
  std::vector<double> a(size), c(size), zero(size), last(ends);
  std::vector<float> b(size), f(size);
  std::vector<int> edge;
  std::uint64_t state = 1;
  auto random = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 11) * 0x1p-53 - 0.5;
  };
  for (int n = 0; n < size; ++n) {
    a[n] = std::ldexp(random(), static_cast<int>(random() * 200));
    b[n] = static_cast<float>(std::ldexp(random(), int(random() * 60)));
  }
  for (int n = 0; n < size; ++n)
    c[n] = n % 98 < 2 ? std::ldexp(random(), -70)
                      : (n % 2 ? -c[n - 1] : random());
  c[size - 1] = 0; // one without another
  for (int n = 0; n < size; ++n)
    f[n] = float(n % 98 < 2 ? std::ldexp(c[n], 30) : c[n]);
  last[ends - 7] = 0x1p-1000;
  last[ends - 8] = 0x1p-1000;
  for (int n = 0; n < ends; ++n)
    edge.push_back((n * 7) % size);
  op_set nodes = op_decl_set(size, "nodes"), edges = op_decl_set(size, "edges"),
         all = op_decl_set(ends, "all");
  op_map map = op_decl_map(edges, nodes, 2, edge.data(), "map");
  op_dat da = op_decl_dat(nodes, 1, "double", a.data(), "a");
  op_dat dc = op_decl_dat(nodes, 1, "double", c.data(), "c");
  op_dat df = op_decl_dat(nodes, 1, "float", f.data(), "f");
  op_dat db = op_decl_dat(nodes, 1, "float", b.data(), "b");
  op_dat dr = op_decl_dat(nodes, 1, "double", zero.data(), "r");
  op_dat dl = op_decl_dat(all, 1, "double", last.data(), "last");

  double sum = 0.1;
  float narrow = 0.1f;
  op_par_loop(wide, "wide", nodes,
              op_arg_dat(da, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(db, -1, OP_ID, 1, "float", OP_READ),
              op_arg_gbl(&sum, 1, "double", OP_INC),
              op_arg_gbl(&narrow, 1, "float", OP_INC));
  print("wide", &sum, sizeof sum);
  print("narrow", &narrow, sizeof narrow);

  for (int step = 0; step < 3; ++step) {
    double left = 0;
    float narrowLeft = 0;
    op_par_loop(near, "near", nodes,
                op_arg_dat(dc, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(df, -1, OP_ID, 1, "float", OP_READ),
                op_arg_gbl(&left, 1, "double", OP_INC),
                op_arg_gbl(&narrowLeft, 1, "float", OP_INC));
    print("left", &left, sizeof left);
    print("left", &narrowLeft, sizeof narrowLeft);
  }

  double s[3] = {1, 2, 3};
  int count = 0;
  op_par_loop(
      three, "three", nodes, op_arg_dat(da, -1, OP_ID, 1, "double", OP_READ),
      op_arg_gbl(s, 3, "double", OP_INC), op_arg_gbl(&count, 1, "int", OP_INC));
  print("three", s, sizeof s);

  for (int step = 0; step < 3; ++step) {
    double change = 0, norm = 0;
    op_par_loop(differ, "differ", edges,
                op_arg_dat(da, 0, map, 1, "double", OP_READ),
                op_arg_dat(da, 1, map, 1, "double", OP_READ),
                op_arg_gbl(&change, 1, "double", OP_INC));
    op_par_loop(flux, "flux", edges,
                op_arg_dat(da, 0, map, 1, "double", OP_READ),
                op_arg_dat(da, 1, map, 1, "double", OP_READ),
                op_arg_dat(dr, 0, map, 1, "double", OP_INC),
                op_arg_dat(dr, 1, map, 1, "double", OP_INC));
    op_par_loop(advance, "advance", nodes,
                op_arg_dat(dr, -1, OP_ID, 1, "double", OP_RW),
                op_arg_dat(da, -1, OP_ID, 1, "double", OP_RW),
                op_arg_gbl(&norm, 1, "double", OP_INC));
    print("change", &change, sizeof change);
    print("norm", &norm, sizeof norm);
  }
  double change = 0;
  op_par_loop(both, "both", edges, op_arg_dat(da, 0, map, 1, "double", OP_READ),
              op_arg_dat(da, 1, map, 1, "double", OP_READ),
              op_arg_dat(dr, 0, map, 1, "double", OP_INC),
              op_arg_dat(dr, 1, map, 1, "double", OP_INC),
              op_arg_gbl(&change, 1, "double", OP_INC));
  print("both", &change, sizeof change);

  double bins[64] = {-0.0, -0.0, 1};
  float narrowBins[21] = {-0.0f};
  op_par_loop(spread, "spread", nodes, op_arg_idx(-1, OP_ID),
              op_arg_dat(da, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(db, -1, OP_ID, 1, "float", OP_READ),
              op_arg_gbl(bins, 64, "double", OP_INC),
              op_arg_gbl(narrowBins, 21, "float", OP_INC));
  print("bins", bins, sizeof bins);
  print("bins", narrowBins, sizeof narrowBins);

  double products = 0;
  op_par_loop(least, "least", edges,
              op_arg_dat(da, 0, map, 1, "double", OP_READ),
              op_arg_dat(da, 1, map, 1, "double", OP_READ),
              op_arg_dat(dr, 1, map, 1, "double", OP_MIN),
              op_arg_gbl(&products, 1, "double", OP_INC));
  print("least", &products, sizeof products);

  double rest = 0;
  // CHECK: rest 0x1p-999
  op_par_loop(cancel, "cancel", all, op_arg_idx(-1, OP_ID),
              op_arg_dat(dl, -1, OP_ID, 1, "double", OP_READ),
              op_arg_gbl(&rest, 1, "double", OP_INC));
  std::printf("rest %a\n", rest);
  op_exit();
  return 0;
}

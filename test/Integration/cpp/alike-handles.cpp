// Handles that only look alike: calls of functions, smart pointers, elements of
// containers. Each call asks whether they are one; where they are not, the
// loop's second form runs.
// RUN: %clangxx -std=c++17 %op2api %s -o %t.ref %op2lib && %t.ref > %t.expected && FileCheck %s < %t.expected
// RUN: %op2cxx -O3 -Werror=op2-sequential --op2-report %s -o %t 2> %t.report && FileCheck %s --check-prefix=REPORT < %t.report
// RUN: env OP2_STRICT=1 OMP_NUM_THREADS=2 %t | diff %t.expected -
// RUN: %op2cxx -O3 --op2-target=seq,emulator --op2-no-raise %s -o %t.both
// RUN: env OP2_STRICT=1 OP2_TARGET=seq %t.both | diff %t.expected -
// RUN: env OP2_STRICT=1 OP2_TARGET=emulator %t.both | diff %t.expected -
#include "op_seq.h"
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

inline void flow(const double *a, const double *b, double *ra, double *rb) {
  double f = *a - 2 * *b;
  *ra += f;
  *rb -= f;
}
inline void shift(const double *from, double *to, double *own) {
  *to = *from + 1;
  *own = *own + *from;
}
inline void through(const double *a, const double *b, double *own) { *own = *a + 10 * *b; }

namespace {
constexpr int n = 1000;

struct Mesh {
  op_set nodes, edges;
  op_map ends;
  std::vector<op_dat> fields;
  int calls = 0;

  op_map getEnds() const { return ends; }
  op_dat getField(int number) const { return fields[number]; }
  /// Another one each time.
  op_dat next() { return fields[calls++ % fields.size()]; }
};

double *zero() {
  static double value = 0;
  return &value;
}

void print(const Mesh &mesh, const char *what) {
  std::printf("%s:", what);
  for (op_dat dat : mesh.fields) {
    std::vector<double> values(n);
    op_fetch_data(dat, values.data());
    double sum = 0;
    for (int i = 0; i < n; ++i)
      sum += (i % 7 + 1) * values[i];
    std::printf(" %.17g", sum);
  }
  std::printf("\n");
}
} // namespace

int main(int argc, char **argv) {
  op_init(argc, argv, 1);
  Mesh mesh;
  mesh.nodes = op_decl_set(n, "nodes");
  mesh.edges = op_decl_set(n, "edges");
  std::vector<int> table(2 * n), other(2 * n);
  for (int e = 0; e < n; ++e) {
    table[2 * e] = e;
    table[2 * e + 1] = (e * 7 + 1) % n;
    other[2 * e] = n - 1 - e;
    other[2 * e + 1] = e;
  }
  mesh.ends = op_decl_map(mesh.edges, mesh.nodes, 2, table.data(), "ends");
  op_map reversed = op_decl_map(mesh.edges, mesh.nodes, 2, other.data(), "reversed");
  for (int f = 0; f < 3; ++f) {
    std::vector<double> values(n);
    for (int i = 0; i < n; ++i)
      values[i] = (f + 1) * 0.1 * (i % 13);
    mesh.fields.push_back(op_decl_dat(mesh.nodes, 1, "double", values.data(), "field"));
  }

  // One dat twice, as it looks.
  // REPORT: loop 'getters': arguments that look alike (1 as 0, 2 as 0, 3 as 2) are taken to be one dat or map, which each call checks
  // REPORT-NOT: look alike{{.*}}stepping
  op_par_loop(flow, "getters", mesh.edges,
              op_arg_dat(mesh.getField(0), 0, mesh.getEnds(), 1, "double", OP_READ),
              op_arg_dat(mesh.getField(0), 1, mesh.getEnds(), 1, "double", OP_READ),
              op_arg_dat(mesh.getField(1), 0, mesh.getEnds(), 1, "double", OP_INC),
              op_arg_dat(mesh.getField(1), 1, mesh.getEnds(), 1, "double", OP_INC));
  // CHECK: getters:
  print(mesh, "getters");

  auto field = std::make_unique<op_dat>(mesh.fields[2]);
  for (int step = 0; step < 2; ++step)
    op_par_loop(flow, "pointers", mesh.edges,
                op_arg_dat(mesh.fields[step], 0, mesh.ends, 1, "double", OP_READ),
                op_arg_dat(mesh.fields[step], 1, mesh.ends, 1, "double", OP_READ),
                op_arg_dat(*field, 0, mesh.ends, 1, "double", OP_INC),
                op_arg_dat(*field, 1, mesh.ends, 1, "double", OP_INC));
  // CHECK: pointers:
  print(mesh, "pointers");

  // Something else each time.
  op_par_loop(shift, "next", mesh.nodes, op_arg_dat(mesh.next(), -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(mesh.next(), -1, OP_ID, 1, "double", OP_WRITE),
              op_arg_dat(mesh.next(), -1, OP_ID, 1, "double", OP_RW));
  // CHECK: next:
  print(mesh, "next");

  // Some alike, some not: maps that differ while the dats do not.
  std::map<std::string, op_map> maps{{"ends", mesh.ends}, {"reversed", reversed}};
  int which = 0;
  auto pick = [&] { return which++ % 2 ? reversed : mesh.ends; };
  op_par_loop(through, "maps", mesh.edges,
              op_arg_dat(mesh.getField(0), 0, pick(), 1, "double", OP_READ),
              op_arg_dat(mesh.getField(0), 0, pick(), 1, "double", OP_READ),
              op_arg_dat(mesh.getField(2), 1, maps.at("ends"), 1, "double", OP_WRITE));
  // CHECK: maps:
  print(mesh, "maps");

  // Which is which changes from call to call.
  for (int round = 0; round < 6; ++round) {
    auto choose = [&, count = 0]() mutable { return mesh.fields[round % 2 ? 0 : count++]; };
    op_par_loop(flow, "changing", mesh.edges, op_arg_dat(mesh.getField(2), 0, mesh.ends, 1, "double", OP_READ),
                op_arg_dat(mesh.getField(2), 1, mesh.ends, 1, "double", OP_READ),
                op_arg_dat(choose(), 0, mesh.ends, 1, "double", OP_INC),
                op_arg_dat(choose(), 1, mesh.ends, 1, "double", OP_INC));
    op_par_loop(through, "behind", mesh.nodes, op_arg_dat(choose(), -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(mesh.getField(1), -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(mesh.getField(2), -1, OP_ID, 1, "double", OP_WRITE));
  }
  // CHECK: changing:
  print(mesh, "changing");

  // Not alike: a step that is seen.
  auto it = mesh.fields.begin();
  op_par_loop(shift, "stepping", mesh.nodes, op_arg_dat(*it++, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(*it++, -1, OP_ID, 1, "double", OP_WRITE),
              op_arg_dat(*it++, -1, OP_ID, 1, "double", OP_RW));
  // CHECK: stepping:
  print(mesh, "stepping");

  // Globals are never taken to be one.
  op_par_loop(flow, "globals", mesh.nodes, op_arg_dat(mesh.getField(0), -1, OP_ID, 1, "double", OP_READ),
              op_arg_gbl(zero(), 1, "double", OP_READ), op_arg_dat(mesh.getField(1), -1, OP_ID, 1, "double", OP_RW),
              op_arg_dat(mesh.getField(2), -1, OP_ID, 1, "double", OP_RW));
  // CHECK: globals:
  print(mesh, "globals");
  op_exit();
}

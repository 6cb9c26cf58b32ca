// Whichever allocation fails in the library: an error ends the program, or it
// catches std::bad_alloc, calls once more, and gets what it would have got.
// Each one fails in a process of its own.
//
// REQUIRES: no-sanitizer
// RUN: %op2cxx -O1 --op2-target=seq,openmp,emulator %s -o %t
// RUN: mkdir -p %t.folder && cd %t.folder
// RUN: env OP2_TARGET=openmp OP2_CHAIN=always OMP_NUM_THREADS=2 %t | FileCheck %s
// RUN: env OP2_TARGET=openmp OP2_CHECK=1 OMP_NUM_THREADS=1 %t | FileCheck %s
// RUN: env OP2_TARGET=emulator OMP_NUM_THREADS=1 %t | FileCheck %s
//
// CHECK: plan: all of {{[1-9][0-9]*}} end well
// CHECK: matrix: all of {{[1-9][0-9]*}} end well
// CHECK: subset: all of {{[1-9][0-9]*}} end well
// CHECK: scan: all of {{[1-9][0-9]*}} end well
// CHECK: layers: all of {{[1-9][0-9]*}} end well
// CHECK: temporary: all of {{[1-9][0-9]*}} end well
// CHECK: renumber: all of {{[1-9][0-9]*}} end well
// CHECK: chain: all of {{[0-9]+}} end well
// CHECK-NOT: {{.}}
#include "op_seq.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <new>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

/// How many more succeed; negative: all do.
static std::atomic<long> left{-1};

static void *allocate(std::size_t size) {
  bool fails = left.load() >= 0 && left.fetch_sub(1) == 0;
  void *memory = fails ? nullptr : std::malloc(size ? size : 1);
  if (!memory)
    throw std::bad_alloc();
  return memory;
}
void *operator new(std::size_t size) { return allocate(size); }
void *operator new[](std::size_t size) { return allocate(size); }
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete[](void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void *memory, std::size_t) noexcept { std::free(memory); }

static void add(const double *x, double *a, double *b) {
  *a += *x;
  *b += *x;
}
static void scale(double *x) { *x *= 2; }
static void total(const double *a, double *sum) { *sum += *a; }
static void assemble(const double *x, double (*m)[2]) {
  m[0][0] += *x;
  m[0][1] -= *x;
  m[1][0] -= *x;
  m[1][1] += *x;
}

static int const kSize = 600, kUnused = 42;

/// A call, and once more if there was no memory for it.
template <class Call> static void insist(Call call) {
  try {
    call();
  } catch (std::bad_alloc const &) {
    call();
  }
}

/// Does `what` while allocation `number` fails.
/// What the loops behind it find; negative: there were fewer allocations.
static double run(std::string const &what, long number) {
  std::vector<int> table(2 * kSize), flag(kSize);
  std::vector<double> ones(kSize, 1), zeros(kSize);
  for (int n = 0; n < kSize; ++n) {
    table[std::size_t(2 * n)] = n * 7 % kSize;
    table[std::size_t(2 * n + 1)] = (n + 13) * 7 % kSize;
    flag[std::size_t(n)] = n % 3 == 0;
  }
  op_set edges = op_decl_set(kSize, "edges"), nodes = op_decl_set(kSize, "nodes");
  op_map map = op_decl_map(edges, nodes, 2, table.data(), "map");
  op_dat x = op_decl_dat(edges, 1, "double", ones.data(), "x");
  op_dat y = op_decl_dat(nodes, 1, "double", zeros.data(), "y");
  op_dat f = op_decl_dat(edges, 1, "int", flag.data(), "f");
  double sum = 0;
  auto runAdd = [&] {
    insist([&] {
      op_par_loop(add, "add", edges,
                  op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                  op_arg_dat(y, 0, map, 1, "double", OP_INC),
                  op_arg_dat(y, 1, map, 1, "double", OP_INC));
    });
  };
  auto runScale = [&] {
    insist([&] {
      op_par_loop(scale, "scale", edges,
                  op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
    });
  };
  auto runTotal = [&] {
    insist([&] {
      op_par_loop(total, "total", nodes,
                  op_arg_dat(y, -1, OP_ID, 1, "double", OP_READ),
                  op_arg_gbl(&sum, 1, "double", OP_INC));
    });
  };
  std::map<std::string, std::function<void()>> const actions = {
      {"plan", runAdd},
      {"matrix",
       [&] {
         op_sparsity sparsity = nullptr;
         op_mat matrix = nullptr;
         insist([&] { sparsity = op_decl_sparsity(map, map, "sparsity"); });
         insist([&] { matrix = op_decl_mat(sparsity, 1, 1, "double", "matrix"); });
         insist([&] {
           op_par_loop(assemble, "assemble", edges,
                       op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                       op_arg_mat(matrix, -2, map, -2, map, 1, 1, "double", OP_INC));
         });
       }},
      {"subset",
       [&] {
         op_subset some = nullptr;
         insist([&] { some = op_decl_subset_where(edges, f, "some"); });
         insist([&] {
           op_par_loop(scale, "scale some", some,
                       op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
         });
         insist([&] { op_free_subset(some); });
       }},
      {"scan", [&] { insist([&] { op_scan(x, x, "sum"); }); }},
      {"layers",
       [&] {
         insist([&] { op_decl_layers(edges, 0, 4, "layers"); });
         insist([&] {
           op_decl_dat_layers(nodes, 5, 1, "double", zeros.data(), "levels");
         });
       }},
      {"temporary",
       [&] {
         op_dat own = nullptr;
         double *const none = nullptr;
         insist([&] { own = op_decl_dat_temp(edges, 1, "double", none, "own"); });
         insist([&] { op_free_dat_temp(own); });
       }},
      {"renumber", [&] { insist([&] { op_renumber(map); }); }},
      {"chain",
       [&] {
         for (int n = 0; n < 3; ++n) {
           runScale();
           runAdd();
         }
         runTotal();
         insist([&] { op_printf("%g\n", sum); });
       }},
  };
  auto const &action = actions.at(what);
  if (what == "chain")
    action();
  left = number;
  action();
  bool isUsed = left < 0;
  left = -1;
  if (!isUsed)
    return -1;
  sum = 0;
  runAdd();
  runTotal();
  return sum;
}

/// What becomes of it: the sum, or "error".
static std::string outcome(std::string const &what, long number) {
  std::fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    bool isOpen = std::freopen("child.txt", "w", stderr) &&
                  std::freopen("child.out", "w", stdout);
    double sum = isOpen ? run(what, number) : 0;
    std::fprintf(stderr, "sum %g\n", sum);
    std::fflush(stderr);
    _exit(sum < 0 ? kUnused : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  char line[200] = "";
  std::FILE *file = std::fopen("child.txt", "r");
  if (file && !std::fgets(line, sizeof line, file))
    line[0] = 0;
  if (file)
    std::fclose(file);
  std::string text = line;
  if (WIFSIGNALED(status))
    return "signal " + std::to_string(WTERMSIG(status));
  if (WEXITSTATUS(status) == kUnused)
    return "";
  bool isError = text.rfind("op2 error: out of memory", 0) == 0;
  return WEXITSTATUS(status) != 0 && isError ? "error" : text;
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  std::pair<char const *, char const *> const all[] = {
      {"plan", "sum 2400\n"},     {"matrix", "sum 1200\n"},
      {"subset", "sum 1600\n"},   {"scan", "sum 360600\n"},
      {"layers", "sum 1200\n"},   {"temporary", "sum 1200\n"},
      {"renumber", "sum 1200\n"}, {"chain", "sum 184800\n"}};
  for (auto [what, sum] : all) {
    long const kNever = 1000000;
    long number = 0;
    bool isWell = true;
    for (; number < kNever; ++number) {
      std::string found = outcome(what, number);
      if (found.empty())
        break;
      if (found != "error" && found != sum) {
        std::printf("%s, allocation %ld: %s\n", what, number, found.c_str());
        isWell = false;
      }
    }
    if (isWell)
      std::printf("%s: all of %ld end well\n", what, number);
  }
  op_exit();
}

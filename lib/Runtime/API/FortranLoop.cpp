//===- FortranLoop.cpp - Loops of Fortran programs --------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// op_par_loop_<N> without op2fc, and what op2fc has left as it is: the kernel
// is called through its pointer, with an address for each argument.
//
//===----------------------------------------------------------------------===//

#include "Core/Error.h"
#include "FortranNames.h"
#include "OP2/API/op_seq.h"
#include "OP2/Runtime/op2f.h"
#include "OP2/Runtime/op2rt.h"

#include <deque>
#include <vector>

using namespace op2;
using rt::fatal;

namespace {
/// The kernel's parameters for each element.
class FortranArgs {
public:
  FortranArgs(op_arg const *args, int count) {
    for (int m = 0; m < count; ++m) {
      values.emplace_back(args[m], m);
      isIndex.push_back(args[m].argtype == OP_ARG_IDX);
    }
    addresses.resize(values.size());
  }
  char *const *at(std::ptrdiff_t n) {
    for (std::size_t m = 0; m < values.size(); ++m) {
      addresses[m] = values[m].at(n);
      // Kernels count from 1.
      if (isIndex[m])
        ++*reinterpret_cast<int *>(addresses[m]);
    }
    return addresses.data();
  }
  /// When the kernel has run.
  void end(std::ptrdiff_t n) {
    for (SeqArg<char> &value : values)
      value.end(n);
  }

private:
  std::deque<SeqArg<char>> values;
  std::vector<char *> addresses;
  std::vector<bool> isIndex;
};
} // namespace

template <std::size_t> using Address = char *;

template <std::size_t... M>
static void call(op_seq_kernel kernel, char *const *addresses,
                 std::index_sequence<M...>) {
  reinterpret_cast<void (*)(Address<M>...)>(kernel)(addresses[M]...);
}

template <std::size_t count>
static void run(op_seq_kernel kernel, op_arg const *args, long long begin,
                long long end) {
  FortranArgs values(args, static_cast<int>(count));
  for (auto n = static_cast<std::ptrdiff_t>(begin); n < end; ++n) {
    call(kernel, values.at(n), std::make_index_sequence<count>());
    values.end(n);
  }
}

template <std::size_t... M>
static op_seq_run runOf(int nargs, std::index_sequence<M...>) {
  static constexpr op_seq_run runs[] = {run<M + 1>...};
  return runs[nargs - 1];
}

static void requireName(char const *&name, void (*kernel)(void)) {
  if (!name || !*name)
    name = rt::kernelName(reinterpret_cast<void const *>(kernel));
}

extern "C" void op2f_par_loop(void (*kernel)(void), char const *name,
                              op_set set, int nargs, op_arg const *args) {
  requireName(name, kernel);
  if (nargs < 1 || nargs > OP2F_MOST_ARGUMENTS)
    fatal(Problem::ArgumentCount, "loop %s: %d arguments; expected 1..%d", name,
          nargs, OP2F_MOST_ARGUMENTS);
  unsigned const parameters[OP2F_MOST_ARGUMENTS] = {};
  op_seq_loop(name, set, nargs, args, parameters,
              runOf(nargs, std::make_index_sequence<OP2F_MOST_ARGUMENTS>()),
              kernel);
}

extern "C" void op2f_par_loop_subset(void (*kernel)(void), char const *name,
                                     op_subset subset, int nargs,
                                     op_arg const *args) {
  requireName(name, kernel);
  std::vector<op_arg> list(args, args + nargs);
  op_set set = op_seq_subset(name, subset, nargs, list.data());
  op2f_par_loop(kernel, name, set, nargs, list.data());
}

static void writeIndex(int *value, int const *index) { *value = *index; }

extern "C" void op2f_dat_write_index(op_set set, op_dat dat) {
  op_arg const args[] = {
      op_arg_dat(dat, -1, OP_ID, 1, "int", OP_WRITE),
      op_arg_idx(-1, OP_ID),
  };
  op2f_par_loop(reinterpret_cast<void (*)()>(writeIndex), "op_dat_write_index",
                set, 2, args);
}

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
/// What the kernel takes. Value: SeqArg, or SeqLayers, which has more to know
/// than the element.
template <class Value> class FortranArgs {
public:
  FortranArgs(op_arg const *args, int count) {
    for (int m = 0; m < count; ++m) {
      values.emplace_back(args[m], m);
      isIndex.push_back(args[m].argtype == OP_ARG_IDX);
    }
    addresses.resize(values.size());
  }
  /// isNew: the element is another one than before.
  template <class... Where> char *const *at(bool isNew, Where... where) {
    for (std::size_t m = 0; m < values.size(); ++m) {
      addresses[m] = values[m].at(where...);
      // Kernels count from 1.
      if (isIndex[m] && isNew)
        ++*reinterpret_cast<int *>(addresses[m]);
    }
    return addresses.data();
  }
  /// When the kernel has run.
  template <class... Where> void end(Where... where) {
    for (Value &value : values)
      value.end(where...);
  }

private:
  std::deque<Value> values;
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

template <std::size_t count> struct OfSet {
  static void run(op_seq_kernel kernel, op_arg const *args, long long begin,
                  long long end) {
    FortranArgs<SeqArg<char>> values(args, static_cast<int>(count));
    for (auto n = static_cast<std::ptrdiff_t>(begin); n < end; ++n) {
      call(kernel, values.at(true, n), std::make_index_sequence<count>());
      values.end(n);
    }
  }
};

/// The last of `args` is the range of layers.
template <std::size_t count> struct OfLayers {
  static void run(op_seq_kernel kernel, op_arg const *args, long long begin,
                  long long end) {
    FortranArgs<SeqLayers<char>> values(args, static_cast<int>(count));
    SeqArg<int const> range(args[count], static_cast<int>(count));
    for (auto n = static_cast<std::ptrdiff_t>(begin); n < end; ++n) {
      int const *layers = range.at(n);
      for (int layer = layers[0]; layer < layers[1]; ++layer) {
        bool isFirst = layer == layers[0], isLast = layer + 1 == layers[1];
        call(kernel, values.at(isFirst, n, layer, isFirst),
             std::make_index_sequence<count>());
        values.end(n, layer, isLast);
      }
    }
  }
};

template <template <std::size_t> class Of, std::size_t... M>
static op_seq_run runOf(int nargs, std::index_sequence<M...>) {
  static constexpr op_seq_run runs[] = {Of<M + 1>::run...};
  return runs[nargs - 1];
}

template <template <std::size_t> class Of> static op_seq_run runOf(int nargs) {
  return runOf<Of>(nargs, std::make_index_sequence<OP2F_MOST_ARGUMENTS>());
}

static void requireName(char const *&name, void (*kernel)(void)) {
  if (!name || !*name)
    name = rt::kernelName(reinterpret_cast<void const *>(kernel));
}

static void requireCount(char const *name, int nargs) {
  if (nargs < 1 || nargs > OP2F_MOST_ARGUMENTS)
    fatal(Problem::ArgumentCount, "loop %s: %d arguments; expected 1..%d", name,
          nargs, OP2F_MOST_ARGUMENTS);
}

extern "C" void op2f_par_loop(void (*kernel)(void), char const *name,
                              op_set set, int nargs, op_arg const *args) {
  requireName(name, kernel);
  requireCount(name, nargs);
  op_seq_parameter const parameters[OP2F_MOST_ARGUMENTS] = {};
  op_seq_par_loop(name, set, nargs, args, parameters, runOf<OfSet>(nargs),
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

extern "C" void op2f_par_loop_layers(void (*kernel)(void), char const *name,
                                     op_layers layers, int nargs,
                                     op_arg const *args) {
  requireName(name, kernel);
  requireCount(name, nargs);
  std::vector<op_arg> list(args, args + nargs);
  list.emplace_back();
  op_seq_parameter parameters[OP2F_MOST_ARGUMENTS + 1] = {};
  parameters[nargs].flags = OP_SEQ_CONST;
  op_set set = op_seq_columns(name, layers, nargs, list.data(), parameters);
  op_seq_par_loop(name, set, nargs + 1, list.data(), parameters,
                  runOf<OfLayers>(nargs), kernel);
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

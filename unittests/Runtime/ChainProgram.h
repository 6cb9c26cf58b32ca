//===- ChainProgram.h - Loops that may be delayed ---------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops as generated code runs them: with plans, guards and reductions, and
// with the functions through which they wait.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_UNITTESTS_RUNTIME_CHAINPROGRAM_H
#define OP2_UNITTESTS_RUNTIME_CHAINPROGRAM_H

#include "Core/Types.h"
#include "Execute/Reduction.h"
#include "Helpers.h"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <omp.h>

namespace op2::test {

/// Where a kernel runs.
struct KernelPlace {
  op2rt_plan const *plan;
  int64_t position;
  bool isGuarded;
  void *const *partials; ///< by argument

  /// May the kernel add to this row of the dat?
  bool owns(op_dat dat, int row) const {
    return !isGuarded ||
           (op2rt_plan_owned_begin(plan, dat, position) <= row &&
            row < op2rt_plan_owned_begin(plan, dat, position + 1));
  }
  template <class T> T *partial(int arg) const {
    return static_cast<T *>(partials[arg]);
  }
};

/// Runs `kernel(place, n)` for the elements of a position.
template <class Kernel>
void runPosition(KernelPlace place, Kernel const &kernel) {
  int64_t pieces = numPieces(place.plan, place.position);
  for (int64_t p = 0; p < pieces; ++p) {
    op2rt_piece piece = pieceOf(place.plan, place.position, p);
    place.isGuarded = piece.is_guarded != 0;
    for (int64_t n = piece.begin; n < piece.end; ++n)
      kernel(place, static_cast<int>(n));
  }
}

/// Where elements of a position reduce to: its partial results, and for each
/// exact sum what up to `kElements` elements add, which are added together.
struct Terms {
  static constexpr int64_t kElements = 32;

  Terms(op2rt_loop_desc const &desc,
        std::vector<op2rt_reduction *> const &reductions, int64_t position)
      : desc(desc), reductions(reductions), partials(reductions.size()),
        rows(reductions.size()) {
    for (std::size_t m = 0; m < reductions.size(); ++m) {
      op2rt_arg_desc const &arg = desc.args[m];
      if (reductions[m] && rt::isExactSum(arg)) {
        rows[m].resize(std::size_t(kElements) * std::size_t(arg.dim) *
                       std::size_t(rt::typeSize(arg.type)));
        partials[m] = rows[m].data();
        hasSums = true;
      } else if (reductions[m]) {
        partials[m] = op2rt_reduction_partial(reductions[m], position);
      }
    }
  }
  Terms(Terms const &) = delete;
  ~Terms() { add(); }

  /// The element before has added what it adds.
  void next() {
    if (!hasSums)
      return;
    if (++count == kElements)
      add();
    for (std::size_t m = 0; m < rows.size(); ++m)
      if (!rows[m].empty())
        partials[m] = rows[m].data() + std::size_t(count) * rows[m].size() /
                                           std::size_t(kElements);
  }

  op2rt_loop_desc const &desc;
  std::vector<op2rt_reduction *> const &reductions;
  std::vector<void *> partials; ///< by argument

private:
  void add() {
    for (std::size_t m = 0; m < rows.size(); ++m)
      if (!rows[m].empty()) {
        op2rt_reduction_add_rows(reductions[m], rows[m].data(), count);
        std::fill(rows[m].begin(), rows[m].end(), 0);
      }
    count = 0;
  }

  std::vector<std::vector<char>> rows; ///< by argument, element after element
  int64_t count = 0;
  bool hasSums = false;
};

/// Runs a loop as generated code does.
template <class Kernel>
void runLoop(op2rt_loop_desc &desc, op_set set, op2rt_arg const *args,
             uint32_t what, Kernel const &kernel, int64_t blockSize = 0) {
  op2rt_loop *loop = op2rt_loop_begin(&desc, set, args);
  op2rt_plan const *plan = op2rt_plan_get(loop, blockSize, what);
  std::vector<op2rt_reduction *> reductions(
      static_cast<std::size_t>(desc.nargs));
  for (int m = 0; m < desc.nargs; ++m)
    if ((desc.args[m].kind == OP2RT_ARG_GLOBAL ||
         desc.args[m].kind == OP2RT_ARG_INFO) &&
        desc.args[m].access != OP2RT_READ)
      reductions[m] = op2rt_reduction_begin(loop, m, plan);
  bool inThreads = op2rt_plan_uses_threads(plan) != 0;
  for (int64_t color = 0; color < op2rt_view(plan)->num_colors; ++color) {
    int64_t end = op2rt_view(plan)->color_begin[color + 1];
#pragma omp parallel for if (inThreads) schedule(static)
    for (int64_t p = op2rt_view(plan)->color_begin[color]; p < end; ++p) {
      Terms terms(desc, reductions, p);
      runPosition({plan, p, false, terms.partials.data()},
                  [&](KernelPlace const &place, int n) {
                    kernel(place, n);
                    terms.next();
                  });
    }
  }
  for (op2rt_reduction *reduction : reductions)
    if (reduction)
      op2rt_reduction_end(reduction);
  op2rt_loop_end(loop);
}

/// What a parameter of a loop's function is.
enum ParamKind { kSet, kMap, kDat, kGlobal, kFlag };

/// A call site of a loop that may be pending. Lives as long as the program.
class Site {
public:
  using Run = void (*)(void *const *values);

  /// The first argument of each group has the next dat of `params`; all have
  /// the same map. Globals and flags are in the order of the arguments.
  Site(char const *name, std::vector<op2rt_arg_desc> argDescs,
       std::vector<ParamKind> params, Run run)
      : args(std::move(argDescs)) {
    int globals = 0, flags = 0;
    for (op2rt_arg_desc &arg : args) {
      if (arg.kind == OP2RT_ARG_DAT)
        arg.data = find(params, kDat, arg.group);
      else
        arg.data = find(params, kGlobal, globals++);
      if (arg.kind == OP2RT_ARG_DAT && arg.slot != OP2RT_DIRECT)
        arg.map = find(params, kMap, 0);
      if (arg.flags & OP2RT_ARG_OPTIONAL)
        arg.flag = find(params, kFlag, flags++);
    }
    desc = describeLoop(name, args);
    desc.nparams = static_cast<int32_t>(params.size());
    desc.run = run;
  }
  Site(Site const &) = delete;

  /// As the program calls it. True if it is pending.
  bool operator()(std::initializer_list<void const *> list) {
    std::vector<void *> values;
    for (void const *value : list)
      values.push_back(const_cast<void *>(value));
    if (op2rt_enqueue(&desc, values.data()))
      return true;
    desc.run(values.data());
    return false;
  }

  op2rt_loop_desc desc;

private:
  /// The number of the parameter; 0 if there is none.
  static int32_t find(std::vector<ParamKind> const &params, ParamKind kind,
                      int number) {
    for (std::size_t p = 0; p < params.size(); ++p)
      if (params[p] == kind && number-- == 0)
        return static_cast<int32_t>(p);
    return 0;
  }

  std::vector<op2rt_arg_desc> args;
};

/// Code for two sites as one.
class Fusion {
public:
  Fusion(Site &first, Site &second, Site &fused, std::vector<int32_t> inFused,
         int64_t savedBytes = 8, int64_t exact = 1)
      : places(std::move(inFused)),
        fusion{&second.desc, &fused.desc, places.data(),
               savedBytes,   exact,       first.desc.fusions} {
    first.desc.fusions = &fusion;
  }
  Fusion(Fusion const &) = delete;

private:
  std::vector<int32_t> places;
  op2rt_fusion fusion;
};

inline op2rt_arg_desc datArg(op_access access, int dim, int slot, int group) {
  return describeArg(OP2RT_ARG_DAT, access, slot, dim, OP2RT_F64, group);
}
inline op2rt_arg_desc globalArg(op_access access, int dim = 1, int flags = 0) {
  op2rt_arg_desc arg = describeArg(OP2RT_ARG_GLOBAL, access, OP2RT_DIRECT, dim);
  arg.flags = flags;
  return arg;
}

inline op2rt_arg direct(void *dat) { return {dat, nullptr, 1}; }
inline op2rt_arg through(void *map, void *dat) {
  return {dat, static_cast<op_map>(map), 1};
}

/// A program with variables of the environment, from op_init to op_exit. Loops
/// are pending as soon as they are known.
class ChainProgram {
public:
  using Variables = std::vector<std::pair<char const *, std::string>>;

  explicit ChainProgram(Variables const &variables, int threads = 2,
                        int diags = 0)
      : threadsBefore(omp_get_max_threads()), set(variables) {
    for (auto const &[name, value] : set)
      setenv(name, value.c_str(), 1);
    omp_set_num_threads(threads);
    op_init(0, nullptr, diags);
    op2rt_may_enqueue = 1;
  }
  ~ChainProgram() {
    op2rt_may_enqueue = 0;
    op_exit();
    omp_set_num_threads(threadsBefore);
    for (auto const &[name, value] : set)
      unsetenv(name);
  }
  ChainProgram(ChainProgram const &) = delete;

private:
  int threadsBefore;
  Variables set;
};

} // namespace op2::test

#endif // OP2_UNITTESTS_RUNTIME_CHAINPROGRAM_H

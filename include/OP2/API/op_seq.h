//===- op_seq.h - OP2's interface with sequential loops ---------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an application includes. Built by op2c++, each op_par_loop becomes
// compiled code. Built by any other C++17 compiler, the template below runs it
// one element after the other, with all arguments checked at run time: the
// development mode, and the reference for every other target.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_API_OP_SEQ_H
#define OP2_API_OP_SEQ_H

#if __cplusplus < 201703L
#error "op_seq.h is C++17: compile with -std=c++17 or later"
#endif

#include "op_lib_cpp.h"

#include <cstddef>
#include <type_traits>
#include <utility>

// Kernels written for struct-of-arrays layouts index through this.
#ifndef OP2_STRIDE
#define OP2_STRIDE(arr, idx) arr[idx]
#endif
[[maybe_unused]] static int op2_stride = 1;

// Whether op2c++ compiles this file: what it does not compile of it, and leaves
// to the template below, is a fallback. A parameter of the template, because
// files that other compilers have made may be in the same program.
#ifdef __OP2CXX__
#define OP2_BY_OP2CXX true
#else
#define OP2_BY_OP2CXX false
#endif

namespace op2 {

/// Where one element of an argument lies: base + index * stride, the index
/// being the element's own number or one read from a map.
class SeqPosition {
public:
  explicit SeqPosition(op_arg const &arg) {
    if (!arg.opt)
      return; // the kernel gets NULL
    if (arg.argtype == OP_ARG_GBL || arg.argtype == OP_ARG_INFO) {
      base = arg.data;
      return;
    }
    if (arg.argtype == OP_ARG_DAT) {
      base = arg.data;
      stride = arg.dat->size;
    }
    if (arg.map && arg.map_data) { // no table: a map from an empty set
      table = arg.map_data + (arg.idx < 0 ? 0 : arg.idx);
      width = arg.map->dim;
    }
  }
  std::ptrdiff_t index(std::ptrdiff_t n, std::ptrdiff_t slot = 0) const {
    return table ? table[n * width + slot] : n;
  }
  char *at(std::ptrdiff_t n, std::ptrdiff_t slot = 0) const {
    return stride ? base + index(n, slot) * stride : base;
  }

private:
  char *base = nullptr;
  int const *table = nullptr;
  std::ptrdiff_t stride = 0, width = 0;
};

/// Some values, zero at first. <vector> would be a fifth of what parsing this
/// header takes.
template <class T> class SeqArray {
public:
  explicit SeqArray(std::size_t size)
      : values(size ? new T[size]() : nullptr), count(size) {}
  SeqArray(SeqArray const &) = delete;
  SeqArray &operator=(SeqArray const &) = delete;
  ~SeqArray() { delete[] values; }
  bool empty() const { return count == 0; }
  std::size_t size() const { return count; }
  T *data() { return values; }
  T &operator[](std::size_t n) { return values[n]; }

private:
  T *values;
  std::size_t count;
};

/// Rows lie at multiples of their size, from such a line on: values of the
/// application's types may have to be aligned.
struct alignas(64) SeqLine {
  char bytes[64];
};
constexpr std::size_t linesOf(std::size_t bytes) {
  return (bytes + sizeof(SeqLine) - 1) / sizeof(SeqLine);
}

/// What elements add to a global, some of them together. Sums of floats are
/// exact, so each element has a place of its own.
class SeqTerms {
public:
  SeqTerms(op_arg const &arg, int ofPlace)
      : place(ofPlace),
        valueSize(static_cast<std::size_t>(op_seq_exact_sum(place))),
        size(valueSize ? static_cast<std::size_t>(arg.size) : 0),
        terms(linesOf(size * kMost)) {}
  ~SeqTerms() { add(); }
  bool isUsed() { return !terms.empty(); }
  /// The next element's, -0.0 at first.
  char *next() {
    if (count == kMost)
      add();
    double const wide = -0.0;
    float const narrow = -0.0f;
    char const *zero = valueSize == sizeof wide
                           ? reinterpret_cast<char const *>(&wide)
                           : reinterpret_cast<char const *>(&narrow);
    char *term = terms.data()->bytes + size * count++;
    for (std::size_t n = 0; n < size; ++n)
      term[n] = zero[n % valueSize];
    return term;
  }

private:
  void add() {
    if (count)
      op_seq_add(place, terms.data()->bytes, static_cast<long long>(count));
    count = 0;
  }

  static constexpr std::size_t kMost = 64;
  int place;
  std::size_t valueSize; ///< 0 if it is no such sum
  std::size_t size;      ///< of an element's, in bytes
  SeqArray<SeqLine> terms;
  std::size_t count = 0;
};

/// The rows of several slots side by side, as a kernel's parameter T * takes
/// them for an index of -2 or less; what a kernel adds to rows; and a minimum
/// or maximum of floats. An element has it to itself.
template <class T> class SeqPacked {
public:
  explicit SeqPacked(int ofPlace, std::size_t count)
      : place(ofPlace), slots(count),
        bytes(static_cast<std::size_t>(op_seq_packed_bytes(place))),
        rows(linesOf(bytes) * 2) {
    if constexpr (canAdd)
      if (isUsed() && op_seq_adds_floats(place, static_cast<int>(slots),
                                         static_cast<int>(sizeof(T))))
        rowSize = bytes / slots / sizeof(T);
  }
  bool isUsed() { return !rows.empty(); }
  std::size_t size() const { return bytes; }
  char *begin(std::ptrdiff_t n) {
    if constexpr (canAdd)
      if (rowSize) {
        T *sums = reinterpret_cast<T *>(now());
        for (std::size_t i = 0; i < slots * rowSize; ++i)
          sums[i] = static_cast<T>(-0.0);
        return now();
      }
    op_seq_pack(place, n, now(), before());
    return now();
  }
  void end(std::ptrdiff_t n, SeqPosition const &position) {
    (void)position;
    if (!isUsed())
      return;
    if constexpr (canAdd)
      if (rowSize) {
        T const *sums = reinterpret_cast<T const *>(now());
        for (std::size_t slot = 0; slot < slots; ++slot) {
          T *to = reinterpret_cast<T *>(
              position.at(n, static_cast<std::ptrdiff_t>(slot)));
          for (std::size_t i = 0; i < rowSize; ++i)
            to[i] += *sums++;
        }
        return;
      }
    op_seq_unpack(place, n, now(), before());
  }

private:
  char *now() { return rows.data()->bytes; }
  char *before() { return rows.data()[rows.size() / 2].bytes; }

  static constexpr bool canAdd =
      std::is_floating_point<T>::value && !std::is_const<T>::value;
  int place;
  std::size_t slots;
  std::size_t bytes;
  std::size_t rowSize = 0; ///< values of a row that is a sum, taken here
  SeqArray<SeqLine> rows;
};

/// Makes the value of a kernel parameter T * for each element.
template <class T, bool isRow = std::is_pointer<T>::value> class SeqArg {
public:
  SeqArg(op_arg const &arg, int place)
      : position(arg), isIndex(arg.argtype == OP_ARG_IDX), sum(arg, place),
        packed(place, 1),
        scratch(
            linesOf(isScratch(arg) ? static_cast<std::size_t>(arg.size) : 0)),
        isInPlace(!isIndex && !sum.isUsed() && !packed.isUsed() &&
                  scratch.empty()) {
    if (isIndex)
      userNumbers = op_seq_user_numbers(place);
    if (!scratch.empty())
      for (int n = 0; n < arg.size; ++n)
        scratch.data()->bytes[n] = arg.data[n];
  }
  T *at(std::ptrdiff_t n) {
    if (isInPlace)
      return reinterpret_cast<T *>(position.at(n));
    if (isIndex) {
      std::ptrdiff_t index = position.index(n);
      number = userNumbers ? userNumbers[index] : static_cast<int>(index);
      return reinterpret_cast<T *>(&number);
    }
    if (sum.isUsed())
      return reinterpret_cast<T *>(sum.next());
    if (packed.isUsed())
      return reinterpret_cast<T *>(packed.begin(n));
    return reinterpret_cast<T *>(scratch.data());
  }
  /// When the kernel has run.
  void end(std::ptrdiff_t n) { packed.end(n, position); }

private:
  /// OP_WORK: whatever the kernel leaves there is dropped.
  static bool isScratch(op_arg const &arg) {
    return arg.argtype == OP_ARG_GBL && arg.acc == OP_WORK && arg.opt;
  }

  SeqPosition position;
  bool isIndex;
  int const *userNumbers = nullptr;
  int number = 0;
  SeqTerms sum;
  SeqPacked<T> packed;
  SeqArray<SeqLine> scratch;
  bool isInPlace; ///< the row itself, where it lies
};

/// The same for T **, a row of a map.
template <class T> class SeqArg<T, true> {
public:
  SeqArg(op_arg const &arg, int place)
      : position(arg), rows(arg.opt ? static_cast<std::size_t>(-arg.idx) : 0),
        packed(place, rows.size()) {}
  T *at(std::ptrdiff_t n) {
    if (rows.empty())
      return nullptr;
    char *sums = packed.isUsed() ? packed.begin(n) : nullptr;
    for (std::size_t slot = 0; slot < rows.size(); ++slot)
      rows[slot] = reinterpret_cast<Row>(
          sums ? sums + slot * packed.size() / rows.size()
               : position.at(n, static_cast<std::ptrdiff_t>(slot)));
    return rows.data();
  }
  void end(std::ptrdiff_t n) { packed.end(n, position); }

private:
  using Row = typename std::remove_cv<T>::type;
  SeqPosition position;
  SeqArray<Row> rows;
  SeqPacked<typename std::remove_pointer<Row>::type> packed;
};

/// 0 of types without a size.
template <class T, class = void> struct SizeOfValue {
  static constexpr int value = 0;
};
template <class T>
struct SizeOfValue<T, typename std::enable_if<!std::is_void<T>::value &&
                                              sizeof(T) != 0>::type> {
  static constexpr int value = static_cast<int>(sizeof(T));
};

/// A kernel's parameter T *.
template <class T> constexpr op_seq_parameter describeParameter() {
  using Value = typename std::remove_pointer<T>::type;
  using Scalar = typename std::remove_cv<
      typename std::remove_all_extents<Value>::type>::type;
  constexpr int size = SizeOfValue<Scalar>::value;
  return {unsigned(std::is_pointer<T>::value ? OP_SEQ_ROW : 0) |
              unsigned(std::is_const<Value>::value ? OP_SEQ_CONST : 0),
          std::is_array<Value>::value
              ? SizeOfValue<typename std::remove_cv<Value>::type>::value /
                    (size > 0 ? size : 1)
              : 0,
          size,
          std::is_arithmetic<Scalar>::value ? TypeName<Scalar>::value
                                            : nullptr};
}

/// The arguments of a loop. std::tuple would do, but most of what compiling a
/// loop takes would be for it.
template <std::size_t M, class T> struct SeqArgAt {
  SeqArg<T> arg;
};
template <class M, class... T> class SeqArgs;
template <std::size_t... M, class... T>
class SeqArgs<std::index_sequence<M...>, T...> : SeqArgAt<M, T>... {
public:
  explicit SeqArgs(op_arg const *args)
      : SeqArgAt<M, T>{SeqArg<T>(args[M], static_cast<int>(M))}... {
    (void)args;
  }
  void run(void (*kernel)(T *...), std::ptrdiff_t n) {
    Element const element = {*this, n};
    kernel(SeqArgAt<M, T>::arg.at(n)...);
  }

private:
  /// Of one that throws counts what it has done before.
  struct Element {
    SeqArgs &args;
    std::ptrdiff_t n;
    ~Element() { (args.SeqArgAt<M, T>::arg.end(n), ...); }
  };
};

template <class... T>
void runSeqLoop(op_seq_kernel kernel, op_arg const *args, long long begin,
                long long end) {
  SeqArgs<std::index_sequence_for<T...>, T...> values(args);
  for (long long n = begin; n < end; ++n)
    values.run(reinterpret_cast<void (*)(T *...)>(kernel),
               static_cast<std::ptrdiff_t>(n));
}

/// The same for a loop over layers: what the kernel takes for each of them.
template <class T> class SeqLayers {
public:
  SeqLayers(op_arg const &arg, int ofPlace)
      : whole(arg, ofPlace), place(ofPlace),
        isGlobal(arg.argtype == OP_ARG_GBL),
        hasLayers(op_seq_has_layers(place) != 0) {}
  T *at(std::ptrdiff_t n, int layer, bool isFirst) {
    if (hasLayers)
      return static_cast<T *>(op_seq_begin_layer(place, n, layer, isFirst));
    if (isFirst)
      column = whole.at(n);
    return column;
  }
  void end(std::ptrdiff_t n, int layer, bool isLast) {
    if (hasLayers)
      op_seq_end_layer(place, layer, isLast);
    else if (isLast)
      whole.end(n);
  }
  /// The kernel has thrown: what it has reduced counts.
  void endEarly(std::ptrdiff_t n) {
    if (isGlobal)
      whole.end(n);
  }

private:
  SeqArg<T> whole;
  T *column = nullptr; ///< what all layers of a column get
  int place;
  bool isGlobal;
  bool hasLayers;
};

template <std::size_t M, class T> struct SeqLayersAt {
  SeqLayers<T> arg;
};
template <class M, class... T> class SeqColumns;
template <std::size_t... M, class... T>
class SeqColumns<std::index_sequence<M...>, T...> : SeqLayersAt<M, T>... {
public:
  explicit SeqColumns(op_arg const *args)
      : SeqLayersAt<M, T>{SeqLayers<T>(args[M], static_cast<int>(M))}...,
        range(args[sizeof...(T)], static_cast<int>(sizeof...(T))) {}
  void run(void (*kernel)(T *...), std::ptrdiff_t n) {
    int const *layers = range.at(n);
    Column column = {*this, n};
    for (int layer = layers[0]; layer < layers[1]; ++layer) {
      bool isFirst = layer == layers[0], isLast = layer + 1 == layers[1];
      (void)isFirst;
      (void)isLast;
      kernel(SeqLayersAt<M, T>::arg.at(n, layer, isFirst)...);
      (SeqLayersAt<M, T>::arg.end(n, layer, isLast), ...);
    }
    column.hasRun = true;
  }

private:
  struct Column {
    SeqColumns &args;
    std::ptrdiff_t n;
    bool hasRun = false;
    ~Column() {
      if (!hasRun)
        (args.SeqLayersAt<M, T>::arg.endEarly(n), ...);
    }
  };

  SeqArg<int const> range;
};

template <class... T>
void runSeqColumns(op_seq_kernel kernel, op_arg const *args, long long begin,
                   long long end) {
  SeqColumns<std::index_sequence_for<T...>, T...> values(args);
  for (long long n = begin; n < end; ++n)
    values.run(reinterpret_cast<void (*)(T *...)>(kernel),
               static_cast<std::ptrdiff_t>(n));
}

} // namespace op2

/// Calls `kernel` for each element of `set`, in any order. Each kernel
/// parameter is a pointer and belongs to the op_arg at the same position. A
/// kernel that is noexcept will do, too.
template <class... T, bool isNoexcept, bool byOp2cxx = OP2_BY_OP2CXX,
          class... A>
OP2_ANNOTATE("op2.par_loop")
void op_par_loop(void (*kernel)(T *...) noexcept(isNoexcept), char const *name,
                 op_set set, A... args) {
#ifndef __OP2CXX__ // op2c++ reports it at the call itself
  static_assert(sizeof...(T) == sizeof...(A),
                "op_par_loop: the kernel's number of parameters differs from "
                "the number of op_arg_... arguments");
#endif
  static_assert((std::is_same<A, op_arg>::value && ...),
                "op_par_loop: everything after the set must be an op_arg, made "
                "by op_arg_dat, op_arg_gbl, op_arg_idx ...");
  if constexpr (sizeof...(T) == sizeof...(A)) {
    if constexpr (byOp2cxx)
      op_seq_fallback(name);
    op_arg const list[] = {args..., op_arg()};
    op_seq_parameter const parameters[] = {op2::describeParameter<T>()...,
                                           op_seq_parameter()};
    op_seq_par_loop(name, set, static_cast<int>(sizeof...(A)), list, parameters,
                    op2::runSeqLoop<T...>,
                    reinterpret_cast<op_seq_kernel>(kernel));
  }
}

/// The same for each element of a subset; the arguments are those of a loop
/// over the set that its elements are from.
template <class... T, bool isNoexcept, bool byOp2cxx = OP2_BY_OP2CXX,
          class... A>
OP2_ANNOTATE("op2.par_loop")
void op_par_loop(void (*kernel)(T *...) noexcept(isNoexcept), char const *name,
                 op_subset subset, A... args) {
#ifndef __OP2CXX__
  static_assert(sizeof...(T) == sizeof...(A),
                "op_par_loop: the kernel's number of parameters differs from "
                "the number of op_arg_... arguments");
#endif
  static_assert((std::is_same<A, op_arg>::value && ...),
                "op_par_loop: everything after the subset must be an op_arg, "
                "made by op_arg_dat, op_arg_gbl, op_arg_idx ...");
  if constexpr (sizeof...(T) == sizeof...(A)) {
    if constexpr (byOp2cxx)
      op_seq_fallback(name);
    constexpr int count = static_cast<int>(sizeof...(A));
    op_arg list[] = {args..., op_arg()};
    op_seq_parameter const parameters[] = {op2::describeParameter<T>()...,
                                           op_seq_parameter()};
    op_set set = op_seq_subset(name, subset, count, list);
    op_seq_par_loop(name, set, count, list, parameters, op2::runSeqLoop<T...>,
                    reinterpret_cast<op_seq_kernel>(kernel));
  }
}

/// The same for each layer of each column. What a row gets from the layers of a
/// column is added from the first layer to the last.
template <class... T, bool isNoexcept, bool byOp2cxx = OP2_BY_OP2CXX,
          class... A>
OP2_ANNOTATE("op2.par_loop")
void op_par_loop(void (*kernel)(T *...) noexcept(isNoexcept), char const *name,
                 op_layers layers, A... args) {
#ifndef __OP2CXX__
  static_assert(sizeof...(T) == sizeof...(A),
                "op_par_loop: the kernel's number of parameters differs from "
                "the number of op_arg_... arguments");
#endif
  static_assert((std::is_same<A, op_arg>::value && ...),
                "op_par_loop: everything after the layers must be an op_arg, "
                "made by op_arg_dat_layers, op_arg_dat, op_arg_gbl ...");
  if constexpr (sizeof...(T) == sizeof...(A)) {
    if constexpr (byOp2cxx)
      op_seq_fallback(name);
    constexpr int count = static_cast<int>(sizeof...(A));
    op_arg list[] = {args..., op_arg()};
    op_seq_parameter parameters[] = {op2::describeParameter<T>()...,
                                     op2::describeParameter<int const>()};
    op_set set = op_seq_columns(name, layers, count, list, parameters);
    op_seq_par_loop(name, set, count + 1, list, parameters,
                    op2::runSeqColumns<T...>,
                    reinterpret_cast<op_seq_kernel>(kernel));
  }
}

#if defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 12)
#define OP2_UNAVAILABLE(text) __attribute__((unavailable(text)))
#else
#define OP2_UNAVAILABLE(text)
#endif

/// Anything else is no kernel.
template <class Kernel, class... A>
OP2_UNAVAILABLE("the kernel must be a function with a pointer parameter for "
                "each op_arg (const double *, int *, ...) and no result; put "
                "+ before a lambda, which must not capture anything: values go "
                "into the loop by op_arg_gbl(&value, 1, \"double\", OP_READ)")
void op_par_loop(Kernel const &kernel, char const *name, op_set set, A... args);
template <class Kernel, class... A>
OP2_UNAVAILABLE("the kernel must be a function with a pointer parameter for "
                "each op_arg (const double *, int *, ...) and no result; put "
                "+ before a lambda, which must not capture anything: values go "
                "into the loop by op_arg_gbl(&value, 1, \"double\", OP_READ)")
void op_par_loop(Kernel const &kernel, char const *name, op_subset subset,
                 A... args);
template <class Kernel, class... A>
OP2_UNAVAILABLE("the kernel must be a function with a pointer parameter for "
                "each op_arg (const double *, int *, ...) and no result; put "
                "+ before a lambda, which must not capture anything: values go "
                "into the loop by op_arg_gbl(&value, 1, \"double\", OP_READ)")
void op_par_loop(Kernel const &kernel, char const *name, op_layers layers,
                 A... args);

#include "op_mat_loops.h"
#include "op_space.h"

#endif // OP2_API_OP_SEQ_H

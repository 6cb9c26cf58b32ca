//===- op_space.h - Local iteration spaces ----------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel for each place of a small space in each element: for the entries of
// an element's matrix, for its quadrature points. It is a kernel like any
// other, made of the given one and loops around it; so all targets have it.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_API_OP_SPACE_H
#define OP2_API_OP_SPACE_H

#include <cstddef>
#include <type_traits>
#include <utility>

namespace op2 {

template <class... P> struct Types {};
template <class... P> Types<P...> parametersOf(void (*kernel)(P...));

template <std::size_t n, class First, class... Rest>
struct TypeAt : TypeAt<n - 1, Rest...> {};
template <class First, class... Rest> struct TypeAt<0, First, Rest...> {
  using Type = First;
};

/// A parameter of a kernel in a space: a pointer, all that the argument gives.
template <class P, int... extents> struct SpaceArg {
  static_assert(std::is_pointer<P>::value,
                "op_iteration_space: the kernel takes pointers and references "
                "first, then an int for each extent");
  using All = P;
  static P at(P all, int) { return all; }
};
/// A reference, what belongs to the place: rows of as many values as there are
/// places in the last dimension, or a row for each place.
template <class T, int... extents> struct SpaceArg<T &, extents...> {
  static constexpr int kLast = (extents, ...);
  static constexpr bool hasRows =
      sizeof...(extents) > 1 && !std::is_array<T>::value;
  using Row =
      typename std::conditional<hasRows, T[static_cast<std::size_t>(kLast)],
                                T>::type;
  using All = Row *;
  static T &at(All all, int place) {
    if constexpr (hasRows)
      return all[place / kLast][place % kLast];
    else
      return all[place];
  }
};

template <int first, int... rest, class Body, class... I>
[[gnu::always_inline]] inline void forEachPlace(Body const &body, int place,
                                                I... indices) {
  for (int n = 0; n < first; ++n)
    if constexpr (sizeof...(rest) == 0)
      body(place * first + n, indices..., n);
    else
      forEachPlace<rest...>(body, place * first + n, indices..., n);
}

template <auto kernel, class Parameters, class Pointers, int... extents>
struct SpaceKernel;
template <auto kernel, class... P, std::size_t... m, int... extents>
struct SpaceKernel<kernel, Types<P...>, std::index_sequence<m...>, extents...> {
  template <std::size_t n>
  using Arg = SpaceArg<typename TypeAt<n, P...>::Type, extents...>;
  static void run(typename Arg<m>::All... args) {
    forEachPlace<extents...>(
        [&](int place, auto... indices) __attribute__((always_inline)) {
          kernel(Arg<m>::at(args, place)..., indices...);
        },
        0);
  }
};

template <auto kernel, int... extents, class... P>
constexpr auto makeSpaceKernel(Types<P...>) {
  static_assert(sizeof...(extents) > 0 && ((extents > 0) && ...),
                "op_iteration_space: expected extents of at least 1");
  static_assert(sizeof...(P) > sizeof...(extents),
                "op_iteration_space: the kernel takes its arguments, and then "
                "an int for each extent");
  return &SpaceKernel<
      kernel, Types<P...>,
      std::make_index_sequence<sizeof...(P) - sizeof...(extents)>,
      extents...>::run;
}

} // namespace op2

/// A kernel for op_par_loop that calls `kernel` for each place (i, j, ...) of
/// extents[0] x extents[1] x ... in each element, the last index fastest:
///
///   void mass(double &A, double const (*x)[2], int i, int j);
///   op_par_loop(op_iteration_space<mass, 3, 3>, "mass", cells,
///               op_arg_mat(A, -3, pcell, -3, pcell, 1, 1, "double", OP_INC),
///               op_arg_dat(x, -3, pcell, 2, "double", OP_READ));
///
/// A parameter T & is the value of place (i, j, ...) in what the argument gives
/// row by row; or, if T is an array, the row of that number. A parameter T * is
/// all of it, the same for all places. Then come the indices.
template <auto kernel, int... extents>
inline constexpr auto op_iteration_space =
    op2::makeSpaceKernel<kernel, extents...>(
        decltype(op2::parametersOf(kernel))());

#endif // OP2_API_OP_SPACE_H

// What all programs of generate.py include; run.py precompiles it.
#ifndef FUZZ_H
#define FUZZ_H

#include "op_seq.h"
#include "op_profile.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

/// Rows as programs spell them.
template <class T, int N> struct Row {
  T v[N];
  T &operator[](long c) { return v[c]; }
  T const &operator[](long c) const { return v[c]; }
};
template <class T> struct Pair {
  T x, y;
  T &operator[](long c) { return c == 0 ? x : y; }
  T const &operator[](long c) const { return c == 0 ? x : y; }
};
template <class T> struct Triple {
  T x, y, z;
  T &operator[](long c) { return c == 0 ? x : c == 1 ? y : z; }
  T const &operator[](long c) const { return c == 0 ? x : c == 1 ? y : z; }
};
/// What a kernel gets of several map slots, as references.
template <class R> struct Rows {
  R *const *rows;
  R &operator[](long n) const { return *rows[n]; }
};
/// An array that a program may look at in another way.
template <class T, int N> union Cell {
  T v[N];
  char bytes[sizeof(T) * N];
};

/// Products of matrices, or, if elements may come in another order, sums.
template <bool commutes> struct Merge {
  static constexpr unsigned identity[4] = {!commutes, 0, 0, !commutes};
  static void merge(unsigned *a, unsigned const *b) {
    unsigned const product[4] = {a[0] * b[0] + a[1] * b[2],
                                 a[0] * b[1] + a[1] * b[3],
                                 a[2] * b[0] + a[3] * b[2],
                                 a[2] * b[1] + a[3] * b[3]};
    for (int c = 0; c < 4; ++c)
      a[c] = commutes ? a[c] + b[c] : product[c];
  }
};

/// op_init's diagnostics: how loops ran says what order additions had.
#ifdef FUZZ_ROUNDED
constexpr int kDiags = 2;
#else
constexpr int kDiags = 0;
#endif

/// What kernels add: PART(T, x), which may depend on their v; CONSTANT(T, x).
#ifdef FUZZ_ROUNDED
#define PART(T, x) (part<T>(x, v) * (T)1.1) // one rounding with the sum
#define CONSTANT(T, x) part<T>(x, 0)
#else
#define PART(T, x) ((T)(x))
#define CONSTANT(T, x) ((T)(x))
#endif
template <class T> constexpr T part(long x, long v) {
  if constexpr (std::is_floating_point_v<T>)
    return T(x + 1) / T(3 + v % 1021);
  return T(x);
}

template <class T> unsigned long word(T value) {
#ifdef FUZZ_ROUNDED
  if constexpr (std::is_floating_point_v<T>) {
    unsigned long bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
  }
#endif
  return static_cast<unsigned long>(static_cast<long long>(value));
}
inline unsigned long word(unsigned long value) { return value; }
inline unsigned long word(unsigned long long value) { return value; }

/// The value at `address`, whatever C++ knows of the memory's type.
template <class T> unsigned long peek(char const *address) {
  T value;
  std::memcpy(&value, address, sizeof value);
  return word(value);
}
inline unsigned long peekBytes(char const *address, std::size_t size) {
  unsigned long sum = 0;
  for (std::size_t n = 0; n < size; ++n)
    sum = sum * 131 + static_cast<unsigned char>(address[n]);
  return sum;
}
template <class T> unsigned long sumOf(T const *values, std::size_t count) {
  unsigned long sum = 0;
  for (std::size_t n = 0; n < count; ++n)
    sum = sum * 31 + word(values[n]);
  return sum;
}
// Of fuzz.cpp, compiled once for all programs.
/// Of a set of `size` elements this rank declares blockSize, from blockBegin on:
/// all of them, unless OP2_RANKS=blocks.
int blockBegin(int size);
int blockSize(int size);
/// Leaves the elements of the block in `elements`, and returns how many.
int keepBlock(int *elements, int count, int size);
/// Of the whole set, where the rank has `size` of a block.
int sizeOf(int size, op_set set);
/// Values of a dat, from number `first` on.
template <class T> void start(T *values, int count, int factor, int first = 0);
template <class T>
op_dat makeDat(op_set set, int dim, char const *type, char const *name,
               int factor);
template <class T> unsigned long fetch(op_dat dat);
/// The same of a dat in the program's array of all values, which began as `start`
/// made them. Ends the program if the values are not there, or others changed.
template <class T> unsigned long checkOwn(op_dat dat, T const *array, int factor);
template <class T> unsigned long fetchMatrix(op_mat mat);
template <class T> void show(char const *what, op_dat dat);
template <class T> unsigned long lookElsewhere(op_dat dat, int n);
unsigned long sorted(std::vector<int> values, bool (*less)(int, int));

[[maybe_unused]] static op_dat same(op_dat dat) { return dat; }

#endif // FUZZ_H

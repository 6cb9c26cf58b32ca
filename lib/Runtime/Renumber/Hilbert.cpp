//===- Hilbert.cpp - Elements along a Hilbert curve -------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// J. Skilling, Programming the Hilbert curve, AIP Conf. Proc. 707, 2004: the
// coordinates' bits become those of the position on the curve by exchanges and
// a Gray code, for any number of axes.
//
//===----------------------------------------------------------------------===//

#include "Core/Error.h"
#include "Core/Types.h"
#include "Orders.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace op2::rt;

static constexpr int kMostAxes = 3;

/// Bits an axis, so that all fit into 64.
static int bitsPerAxis(int axes) { return axes == 3 ? 21 : 31; }

/// Turns a point of the grid into its position on the curve, still one word an
/// axis: bit b of all of them are the digit of level b.
static void toCurve(uint32_t *x, int axes, int bits) {
  for (uint32_t level = 1u << (bits - 1); level > 1; level >>= 1) {
    uint32_t below = level - 1;
    for (int a = 0; a < axes; ++a) {
      if (x[a] & level) {
        x[0] ^= below;
        continue;
      }
      uint32_t swapped = (x[0] ^ x[a]) & below;
      x[0] ^= swapped;
      x[a] ^= swapped;
    }
  }
  for (int a = 1; a < axes; ++a)
    x[a] ^= x[a - 1];
  uint32_t flip = 0;
  for (uint32_t level = 1u << (bits - 1); level > 1; level >>= 1)
    if (x[axes - 1] & level)
      flip ^= level - 1;
  for (int a = 0; a < axes; ++a)
    x[a] ^= flip;
}

static uint64_t interleave(uint32_t const *x, int axes, int bits) {
  uint64_t key = 0;
  for (int bit = bits - 1; bit >= 0; --bit)
    for (int a = 0; a < axes; ++a)
      key = key << 1 | (x[a] >> bit & 1);
  return key;
}

namespace {
/// The dat's values as doubles, and the box around them.
class Points {
public:
  explicit Points(Dat const &dat) : dat(dat), axes(dat.dim) {
    std::fill(std::begin(low), std::end(low), INFINITY);
    std::fill(std::begin(high), std::end(high), -INFINITY);
  }

  double value(int64_t element, int axis) const {
    char const *row = dat.data + element * dat.size;
    return dat.elementType == OP2RT_F64
               ? reinterpret_cast<double const *>(row)[axis]
               : double(reinterpret_cast<float const *>(row)[axis]);
  }

  void findBox(char const *where) {
    auto const &set = static_cast<Set const &>(*dat.set);
    for (int64_t e = 0; e < set.size; ++e)
      for (int a = 0; a < axes; ++a) {
        double x = value(e, a);
        if (!std::isfinite(x))
          fatal(Problem::Coordinates,
                "%s: coordinates %s: element %lld, component %lld is %g; "
                "expected a finite number",
                where, dat.name,
                shown(set.toUser.empty() ? int(e) : set.toUser[e]), shown(a),
                x);
        low[a] = std::min(low[a], x);
        high[a] = std::max(high[a], x);
      }
    for (int a = 0; a < axes; ++a)
      longest = std::max(longest, high[a] - low[a]);
  }

  // One scale for all axes: the mesh keeps its proportions.
  uint64_t key(int64_t element) const {
    int bits = bitsPerAxis(axes);
    double cells = double((1u << bits) - 1);
    uint32_t x[kMostAxes];
    for (int a = 0; a < axes; ++a)
      x[a] = longest > 0 && std::isfinite(longest)
                 ? static_cast<uint32_t>((value(element, a) - low[a]) /
                                         longest * cells)
                 : 0;
    toCurve(x, axes, bits);
    return interleave(x, axes, bits);
  }

private:
  Dat const &dat;
  int axes;
  double low[kMostAxes], high[kMostAxes], longest = 0;
};
} // namespace

Order op2::rt::hilbertOrder(Dat const &dat, char const *where) {
  bool isReal = dat.elementType == OP2RT_F64 || dat.elementType == OP2RT_F32;
  if (!isReal || dat.dim > kMostAxes ||
      dat.size != dat.dim * typeSize(dat.elementType))
    fatal(Problem::Coordinates,
          "%s: coordinates %s: %d components of type %s; expected 1 to "
          "%d of type double or float",
          where, dat.name, dat.dim, dat.type, kMostAxes);
  Points points(dat);
  points.findBox(where);
  int64_t size = dat.set->size;
  std::vector<uint64_t> keys(static_cast<std::size_t>(size));
#pragma omp parallel for schedule(static)
  for (int64_t e = 0; e < size; ++e)
    keys[e] = points.key(e);
  Order order = identityOrder(dat.set->size);
  std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    return keys[a] != keys[b] ? keys[a] < keys[b] : a < b;
  });
  return order;
}

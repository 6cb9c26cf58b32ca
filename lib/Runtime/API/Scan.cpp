//===- Scan.cpp - Prefix sums over sets -------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Core/Copies.h"
#include "Core/Error.h"
#include "Core/Job.h"
#include "Core/Threads.h"
#include "Core/Types.h"
#include "Core/UserOrder.h"
#include "Ranks/Meeting.h"
#include "Ranks/Pack.h"
#include "Ranks/Ranks.h"

#include <algorithm>
#include <string>
#include <type_traits>

using namespace op2::rt;

static void requireLike(Dat const &in, Dat const &out) {
  if (in.set != out.set)
    fatal(Problem::SetMismatch,
          "op_scan: dat %s lives on set %s, but dat %s on set %s; "
          "expected dats on one set",
          in.name, in.set->name, out.name, out.set->name);
  if (in.dim != out.dim || in.elementType != out.elementType)
    fatal(Problem::ValueType,
          "op_scan: dat %s holds %d values of type %s, dat %s %d of type "
          "%s; expected the same",
          in.name, in.dim, typeName(in.elementType), out.name, out.dim,
          typeName(out.elementType));
  if (isUserType(in.elementType) || in.elementType == OP2RT_BOOL)
    fatal(Problem::ValueType,
          "op_scan: dat %s holds values of type %s; expected numbers", in.name,
          typeName(in.elementType));
  requireOwnValues(in, "op_scan");
  requireOwnValues(out, "op_scan");
}

namespace {
/// Rows of this rank, or of all ranks if each declares the whole set.
struct Rows {
  char *values;
  int64_t count, dim;
  char const *before; ///< the last row of the ranks before; NULL: there is none
};
} // namespace

template <class T, class Combine>
static void scan(Rows const &rows, Combine combine) {
  auto *values = reinterpret_cast<T *>(rows.values);
  if (rows.before) {
    auto const *before = reinterpret_cast<T const *>(rows.before);
    for (int64_t c = 0; c < rows.dim; ++c)
      values[c] = combine(before[c], values[c]);
  }
  for (int64_t n = rows.dim; n < rows.count * rows.dim; ++n)
    values[n] = combine(values[n - rows.dim], values[n]);
}

static void scan(Rows const &rows, int32_t type, std::string const &word) {
  forType(type, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if (word == "sum")
      scan<T>(rows, addValues<T>);
    else if (word == "min")
      scan<T>(rows, [](T a, T b) { return std::min(a, b); });
    else
      scan<T>(rows, [](T a, T b) { return std::max(a, b); });
  });
}

/// One rank after the other, so that sums have the bits of one process. A rank
/// sends its last row to the next one that has any.
static void scanBlocks(Rows rows, Dat const &dat, std::string const &word) {
  Communicator &ranks = communicator();
  std::vector<int64_t> const counts = gatherValues(ranks, rows.count);
  std::vector<int32_t> holders;
  for (int32_t rank = 0; rank < job.size; ++rank)
    if (counts[rank] > 0)
      holders.push_back(rank);
  Bytes before(static_cast<std::size_t>(dat.size));
  for (std::size_t n = 0; n < holders.size(); ++n) {
    if (holders[n] == job.rank)
      scan(rows, dat.elementType, word);
    if (n + 1 == holders.size())
      return;
    std::vector<Peer> sends, receives;
    if (holders[n] == job.rank)
      sends.push_back({holders[n + 1],
                       rows.values + (rows.count - 1) * dat.size, dat.size});
    if (holders[n + 1] == job.rank) {
      rows.before = before.data();
      receives.push_back({holders[n], before.data(), dat.size});
    }
    ranks.swap(sends, receives);
  }
}

extern "C" void op_scan(op_dat in, op_dat out, char const *operation) {
  Call const call(__func__);
  requireRunning(__func__);
  Dat &source = requireDat(in, "op_scan, in");
  Dat &target = requireDat(out, "op_scan, out");
  requireLike(source, target);
  std::string word = operation ? operation : "(NULL)";
  if (word != "sum" && word != "min" && word != "max")
    fatal(Problem::Call,
          "op_scan: operation is \"%s\"; expected sum, min or max",
          word.c_str());
  if (hasRanks())
    meetWith("op_scan",
             {{Item::Dats, nameOf(source)},
              {Item::Dats, nameOf(target)},
              {Item::Requests, word}},
             Problem::RanksDisagree);
  makeHostCurrent(source);
  makeHostCurrent(target);
  auto const &set = static_cast<Set const &>(*source.set);
  std::vector<char> values = declaredValues(source);
  Rows const rows = {values.data(), set.declaredSize, source.dim, nullptr};
  if (hasRanks() && !job.declaresWhole)
    scanBlocks(rows, source, word);
  else
    scan(rows, source.elementType, word);
  copyFromUser(target, values.data());
}

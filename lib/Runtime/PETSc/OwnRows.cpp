//===- OwnRows.cpp - The rows of a matrix that a rank has -------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entries are where their rows are, in the order of rows, components and
// columns of the whole mesh, as own rows are.
//
//===----------------------------------------------------------------------===//

#include "OwnRows.h"
#include "Ranks/Exchange.h"
#include "Ranks/Ranks.h"

#include <algorithm>

using namespace op2::rt;

/// Of each row that this rank has of a set, own or imported: its number if own
/// rows are counted rank after rank.
static std::vector<int32_t> numberRows(Set const &set) {
  Communicator &ranks = communicator();
  std::vector<int32_t> owns = gatherValues(ranks, set.own);
  int32_t first = 0;
  for (int32_t rank = 0; rank < ranks.rank(); ++rank)
    first += owns[std::size_t(rank)];
  std::vector<int32_t> numbers(std::size_t(set.reach), -1);
  for (int32_t row = 0; row < set.own; ++row)
    numbers[std::size_t(row)] = first + row;
  HaloList const &all = set.part->lists.front();
  Outbox outbox;
  for (PeerRows const &peer : all.sends)
    for (int32_t row : peer.rows)
      outbox.add(peer.rank, first + row);
  for (Message const &message : ranks.exchange(outbox.take())) {
    Reader reader(message.bytes);
    for (PeerRows const &peer : all.receives)
      if (peer.rank == message.rank)
        for (int32_t row : peer.rows)
          numbers[std::size_t(row)] = reader.get<int32_t>();
  }
  return numbers;
}

void op2::rt::findOwnRows(op_mat_core const &mat, PetscMatrix &result,
                          char const *where) {
  auto const &rowSet = static_cast<Set const &>(*mat.sparsity->rows);
  int32_t numEntries = ownOf(mat.entries);
  requireCountable(int64_t(numEntries) * mat.coldim, where);
  std::vector<int32_t> numbers =
      numberRows(static_cast<Set const &>(*mat.sparsity->cols));
  int const *rows = tableOf(mat.rows), *cols = tableOf(mat.cols);
  auto const *components =
      reinterpret_cast<int const *>(rowData(mat.components));
  auto rowOf = [&](int32_t entry) {
    return rows[entry] * mat.rowdim + components[entry];
  };
  result.begin.assign(std::size_t(rowSet.own) * std::size_t(mat.rowdim) + 1, 0);
  std::vector<int32_t> entries(std::size_t(numEntries), 0);
  for (int32_t entry = 0; entry < numEntries; ++entry) {
    entries[std::size_t(entry)] = entry;
    result.begin[std::size_t(rowOf(entry)) + 1] += mat.coldim;
  }
  for (std::size_t row = 1; row < result.begin.size(); ++row)
    result.begin[row] += result.begin[row - 1];
  std::sort(entries.begin(), entries.end(), [&](int32_t a, int32_t b) {
    return rowOf(a) != rowOf(b)
               ? rowOf(a) < rowOf(b)
               : numbers[std::size_t(cols[a])] < numbers[std::size_t(cols[b])];
  });
  for (int32_t entry : entries)
    for (int b = 0; b < mat.coldim; ++b) {
      result.columns.push_back(numbers[std::size_t(cols[entry])] * mat.coldim +
                               b);
      result.order.push_back(entry * mat.coldim + b);
    }
}

void op2::rt::takeOwnValues(op_mat_core const &mat, PetscMatrix &result) {
  auto const *values = reinterpret_cast<double const *>(rowData(mat.values));
  result.copied.resize(result.order.size());
  for (std::size_t n = 0; n < result.order.size(); ++n)
    result.copied[n] = values[result.order[n]];
}

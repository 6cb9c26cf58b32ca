//===- RowGraph.h - Neighbours through rows of maps -------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two elements of a set are neighbours if they stand in one row of a map. The
// pairs are never listed: a row of d elements stands for d * (d - 1) of them.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_RENUMBER_ROWGRAPH_H
#define OP2_LIB_RUNTIME_RENUMBER_ROWGRAPH_H

#include "Core/Registry.h"

namespace op2::rt {

/// True if the map makes elements of the set that it leads to neighbours.
bool givesNeighbors(Map const &map);

class RowGraph {
public:
  /// From maps that lead to `set`. Of a map from the set to itself an element
  /// stands in its own row. Maps that give no neighbours are left out.
  RowGraph(Set const &set, std::vector<Map const *> const &maps);

  int32_t size() const { return count; }
  uint32_t numRows() const { return rows; }
  /// Neighbours of an element, each as often as it occurs.
  int64_t degree(int32_t element) const {
    return degrees.empty() ? 0 : degrees[element];
  }
  /// visit(row) for all rows that the element stands in.
  template <class Visit> void eachRow(int32_t element, Visit visit) const {
    for (int64_t at = begins[element]; at < begins[element + 1]; ++at)
      visit(rowsOf[at]);
  }
  /// visit(element) for all elements of a row.
  template <class Visit> void eachMember(uint32_t row, Visit visit) const {
    for (Table const &table : tables) {
      if (row >= table.end)
        continue;
      auto source = static_cast<int32_t>(row - table.begin);
      int const *values = table.values + int64_t(source) * table.dim;
      for (int slot = 0; slot < table.dim; ++slot)
        visit(values[slot]);
      if (table.isSelf)
        visit(source);
      return;
    }
  }

private:
  struct Table {
    int const *values;
    uint32_t begin, end; ///< numbers of its rows
    int dim;
    bool isSelf;
  };
  void addTables(Set const &set, std::vector<Map const *> const &maps);
  void countDegrees();
  void invert();

  int32_t count;
  uint32_t rows = 0;
  std::vector<Table> tables;
  std::vector<int64_t> begins; ///< of an element's part of rowsOf
  std::vector<uint32_t> rowsOf;
  std::vector<int32_t> degrees; ///< as large as 2^31 - 1 at most
};

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_RENUMBER_ROWGRAPH_H

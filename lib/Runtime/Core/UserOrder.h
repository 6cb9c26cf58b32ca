//===- UserOrder.h - Values in the application's order ----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A set that was renumbered has two numberings: the application's, in which it
// declares and gets back values, and the library's, in which dat->data and
// map->map are stored. Set::toUser and Set::toInternal translate.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_CORE_USERORDER_H
#define OP2_LIB_RUNTIME_CORE_USERORDER_H

#include "Registry.h"

#include <functional>

namespace op2::rt {

inline bool isRenumbered(op_set set) {
  return !static_cast<Set const *>(set)->toUser.empty();
}
/// The number of an element in the application's order.
inline int32_t userNumber(op_set set, int64_t element) {
  auto const &toUser = static_cast<Set const *>(set)->toUser;
  return toUser.empty() ? static_cast<int32_t>(element) : toUser[element];
}

/// Values of the application's elements [begin, end) of a dat, whose host copy
/// is current, to `values`. On ranks the numbers are those of the whole set;
/// all ranks call it, each for what it likes.
void copyToUser(Dat const &dat, int64_t begin, int64_t end, char *values);
/// Those of the elements that this rank has declared.
std::vector<char> declaredValues(Dat const &dat);

/// The reverse: a dat gets values for all that this rank declared, in the
/// application's order. All ranks call it.
void copyFromUser(Dat &dat, char const *values);

/// Rows [begin, end) of the application's elements, in its order.
using VisitRows =
    std::function<void(int64_t begin, int64_t end, char const *rows)>;

/// Who visits rows on ranks, all of which call: the root all of them, or each
/// rank a share, in ascending order. Nobody has more than a piece at once.
enum class Visitors { Root, All };
constexpr int64_t kPieceBytes = 2 << 20;

/// All values of a dat, piece by piece.
void visitValues(Dat const &dat, Visitors visitors, VisitRows const &visit);
/// The table of a map, which has one, with the application's numbers; the same.
void visitTable(Map const &map, Visitors visitors, VisitRows const &visit);
/// The table as the application declared it, empty if there is none; of ranks
/// that declare the whole mesh, all of which call it.
std::vector<int> wholeTable(Map const &map);

/// Storage for the rows of a set, from values that the application gave for
/// what it declared of it.
char *allocateFromUser(Set const &set, void const *values, int64_t size,
                       std::string const &what);

/// Row n of a map's table becomes what row rows[n] was, and each target t
/// numbers[t]; empty: as they are.
void moveTable(Map &map, std::vector<int32_t> const &rows,
               std::vector<int32_t> const &numbers);

/// Turns a table that holds the application's numbers into the library's.
void toInternalOrder(Map &map);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_CORE_USERORDER_H

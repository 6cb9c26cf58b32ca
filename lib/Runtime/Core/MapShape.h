//===- MapShape.h - Properties of maps --------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_CORE_MAPSHAPE_H
#define OP2_LIB_RUNTIME_CORE_MAPSHAPE_H

#include "Registry.h"

#include <cstdint>
#include <string>
#include <vector>

namespace op2::rt {

/// How far apart the targets of a row are, in the mean over at most 1024 rows
/// at equal distances; 0 for an empty map.
double sampleSpread(op_map_core const &map);

/// From the least to the greatest target of two neighbouring rows, as a part of
/// the target set, in the mean over at most 128 such pairs; 0 for sets of fewer
/// than 10,000 elements. A numbering in planes of n x n x n cells gives 1 / n,
/// one at random more than a third.
double sampleDistance(op_map_core const &map);

/// Whether so many elements lead to so few that any two blocks of some hundred
/// elements have one in common: judged by at most 128 rows.
bool hasHubs(op_map_core const &map);

/// Whether no two elements that run in one go lead to one. Maps of arity 1
/// only; on ranks those of subsets.
bool isInjective(Map &map);

/// Where the elements of each row end, as RowEnds says: for maps of arity 1
/// whose own elements ascend, at least two to a row that they lead to.
std::vector<int32_t> const &rowEndsOf(Map &map);
/// What is known of that; empty if the map has not been asked in its order.
std::vector<int32_t> const &knownRowEnds(Map const &map);

/// Maps as a word, each once: "2>721801~1,1>720000~0", that is arity, size of
/// the target set and spread rounded down; "-" for none.
std::string describeMaps(std::vector<op_map_core const *> const &maps);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_CORE_MAPSHAPE_H

//===- WholeMesh.h - Meshes and their parts for tests -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_UNITTESTS_RUNTIME_WHOLEMESH_H
#define OP2_UNITTESTS_RUNTIME_WHOLEMESH_H

#include "Ranks/Parts.h"
#include "Ranks/RankMesh.h"

#include <random>

namespace op2::test {

/// All of it.
struct WholeMesh {
  std::vector<int64_t> sizes;
  std::vector<rt::PartMap> maps;
};

/// Sets of any size, some of them empty, and maps between any of them.
inline WholeMesh randomMesh(std::mt19937 &random) {
  auto upTo = [&](int most) {
    return std::uniform_int_distribution<int>(0, most)(random);
  };
  WholeMesh mesh;
  int sets = 1 + upTo(3), maps = upTo(5);
  for (int n = 0; n < sets; ++n)
    mesh.sizes.push_back(upTo(4) == 0 ? 0 : upTo(60));
  for (int n = 0; n < maps; ++n) {
    rt::PartMap map{
        upTo(sets - 1), upTo(sets - 1), 1 + upTo(3), {}, mesh.maps.size() + 1};
    if (mesh.sizes[map.to] == 0)
      continue;
    for (int64_t e = 0; e < mesh.sizes[map.from] * map.dim; ++e)
      map.targets.push_back(upTo(static_cast<int>(mesh.sizes[map.to]) - 1));
    mesh.maps.push_back(std::move(map));
  }
  return mesh;
}

/// parts[set][element].
using WholeParts = std::vector<std::vector<int32_t>>;

inline rt::PartMesh partOf(WholeMesh const &whole, WholeParts const &parts,
                           int32_t rank) {
  rt::PartMesh part;
  part.sizes = whole.sizes;
  for (std::vector<int32_t> const &of : parts) {
    part.keys.push_back(part.keys.size());
    part.owned.emplace_back();
    for (std::size_t n = 0; n < of.size(); ++n)
      if (of[n] == rank)
        part.owned.back().push_back(static_cast<int32_t>(n));
  }
  for (rt::PartMap const &map : whole.maps) {
    part.maps.push_back({map.from, map.to, map.dim, {}, map.key});
    for (int32_t e : part.owned[map.from])
      for (int64_t slot = 0; slot < map.dim; ++slot)
        part.maps.back().targets.push_back(
            map.targets[int64_t(e) * map.dim + slot]);
  }
  return part;
}

inline WholeParts randomParts(WholeMesh const &mesh, int32_t ranks,
                              std::mt19937 &random) {
  WholeParts parts;
  for (int64_t size : mesh.sizes) {
    parts.emplace_back();
    for (int64_t n = 0; n < size; ++n)
      parts.back().push_back(
          std::uniform_int_distribution<int32_t>(0, ranks - 1)(random));
  }
  return parts;
}

/// A ring of nodes, and edges between neighbours, in even blocks.
inline WholeMesh ring(int32_t size) {
  WholeMesh mesh{{size, size}, {{0, 1, 2, {}, /*key=*/1}}};
  for (int32_t n = 0; n < size; ++n) {
    mesh.maps[0].targets.push_back(n);
    mesh.maps[0].targets.push_back((n + 1) % size);
  }
  return mesh;
}
inline WholeParts evenParts(WholeMesh const &mesh, int32_t ranks) {
  WholeParts parts;
  for (int64_t size : mesh.sizes) {
    rt::Blocks blocks = rt::evenBlocks(size, ranks);
    parts.emplace_back();
    for (int64_t n = 0; n < size; ++n)
      parts.back().push_back(blocks.rankOf(n));
  }
  return parts;
}

} // namespace op2::test

#endif // OP2_UNITTESTS_RUNTIME_WHOLEMESH_H

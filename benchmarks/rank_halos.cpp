//===- rank_halos.cpp - Halos of parts of a grid --------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// rank-halos DIMENSIONS SIDE PARTS: a grid of PARTS x PARTS (x PARTS) parts
// with SIDE x SIDE (x SIDE) cells each, with faces between cells and with
// nodes; a thread for each part builds what a rank has. Prints a JSON line:
// what the middle part has, and time and memory of a rank. ranks_model.py
// counts the same without the library.
//
//===----------------------------------------------------------------------===//

#include "Ranks/RankMesh.h"
#include "ThreadRanks.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <ctime>

using namespace op2::rt;

namespace {
enum SetNumber { kNodes, kCells, kFaces };
enum MapNumber { kCellNodes, kFaceCells, kFaceNodes };
using Point = std::array<int32_t, 3>;

struct Grid {
  int32_t dims, side, parts;

  int32_t cells() const { return side * parts; } // along a dimension
  int32_t ranks() const {
    return dims == 2 ? parts * parts : parts * parts * parts;
  }

  /// Row by row, in a box with so many along the dimensions.
  int32_t number(Point at, Point box) const {
    int32_t result = 0;
    for (int d = dims - 1; d >= 0; --d)
      result = result * box[d] + at[d];
    return result;
  }
  Point box(int32_t extent) const {
    return {extent, extent, dims == 2 ? 1 : extent};
  }
  int32_t cell(Point at) const { return number(at, box(cells())); }
  int32_t node(Point at) const { return number(at, box(cells() + 1)); }
  /// Between a cell and the next one in direction d.
  Point faceBox(int d) const {
    Point all = box(cells());
    --all[d];
    return all;
  }
  static int64_t volume(Point all) { return int64_t(all[0]) * all[1] * all[2]; }
  int32_t face(Point at, int d) const {
    int64_t before = 0;
    for (int other = 0; other < d; ++other)
      before += volume(faceBox(other));
    return static_cast<int32_t>(before) + number(at, faceBox(d));
  }

  bool isCell(Point at) const {
    for (int d = 0; d < dims; ++d)
      if (at[d] < 0 || at[d] >= cells())
        return false;
    return true;
  }
  bool isFace(Point at, int d) const {
    return isCell(at) && at[d] + 1 < cells();
  }
  int32_t partOfCell(Point at) const {
    for (int d = 0; d < dims; ++d)
      at[d] /= side;
    return number(at, box(parts));
  }
  /// Of its two cells' parts the first.
  int32_t partOfFace(Point at, int d) const {
    Point next = at;
    ++next[d];
    return std::min(partOfCell(at), partOfCell(next));
  }
  /// That of most cells and faces that reach it, of equal ones the first.
  int32_t partOfNode(Point at) const {
    std::map<int32_t, int32_t> votes;
    forCorners(dims, [&](Point back) {
      Point from = minus(at, back);
      if (isCell(from))
        ++votes[partOfCell(from)];
    });
    for (int d = 0; d < dims; ++d)
      forCorners(dims, [&](Point back) {
        if (back[d] == 0)
          return;
        Point from = minus(at, back);
        if (isFace(from, d))
          ++votes[partOfFace(from, d)];
      });
    int32_t best = -1, most = 0;
    for (auto [part, count] : votes)
      if (count > most) {
        best = part;
        most = count;
      }
    return best;
  }
  static Point minus(Point at, Point back) {
    return {at[0] - back[0], at[1] - back[1], at[2] - back[2]};
  }
  /// visit(corner) of the unit square or cube.
  template <class Visit> static void forCorners(int dims, Visit visit) {
    for (int32_t n = 0; n < 1 << dims; ++n)
      visit(Point{n & 1, n >> 1 & 1, n >> 2});
  }

  template <class Visit> void forNear(int32_t rank, Visit visit) const {
    Point first = {rank % parts, rank / parts % parts,
                   dims == 2 ? 0 : rank / parts / parts};
    Point begin = {}, end = {1, 1, 1};
    for (int d = 0; d < dims; ++d) {
      begin[d] = std::max(first[d] * side - 1, 0);
      end[d] = std::min((first[d] + 1) * side + 2, cells() + 1);
    }
    for (int32_t z = begin[2]; z < end[2]; ++z)
      for (int32_t y = begin[1]; y < end[1]; ++y)
        for (int32_t x = begin[0]; x < end[0]; ++x)
          visit(Point{x, y, z});
  }
};
} // namespace

static PartMesh partOf(Grid const &grid, int32_t rank) {
  PartMesh mesh;
  int64_t faces = 0;
  for (int d = 0; d < grid.dims; ++d)
    faces += Grid::volume(grid.faceBox(d));
  mesh.sizes = {Grid::volume(grid.dims == 2
                                 ? Point{grid.cells() + 1, grid.cells() + 1, 1}
                                 : grid.box(grid.cells() + 1)),
                Grid::volume(grid.box(grid.cells())), faces};
  mesh.owned.resize(3);
  mesh.keys = {kNodes, kCells, kFaces};
  int32_t corners = 1 << grid.dims;
  mesh.maps = {{kCells, kNodes, corners, {}, /*key=*/1},
               {kFaces, kCells, 2, {}, /*key=*/2},
               {kFaces, kNodes, corners / 2, {}, /*key=*/3}};
  auto plus = [](Point at, Point by) {
    return Point{at[0] + by[0], at[1] + by[1], at[2] + by[2]};
  };
  grid.forNear(rank, [&](Point at) {
    if (grid.partOfNode(at) == rank)
      mesh.owned[kNodes].push_back(grid.node(at));
    if (!grid.isCell(at) || grid.partOfCell(at) != rank)
      return;
    mesh.owned[kCells].push_back(grid.cell(at));
    Grid::forCorners(grid.dims, [&](Point by) {
      mesh.maps[kCellNodes].targets.push_back(grid.node(plus(at, by)));
    });
  });
  for (int d = 0; d < grid.dims; ++d)
    grid.forNear(rank, [&](Point at) {
      if (!grid.isFace(at, d) || grid.partOfFace(at, d) != rank)
        return;
      Point next = at;
      ++next[d];
      mesh.owned[kFaces].push_back(grid.face(at, d));
      mesh.maps[kFaceCells].targets.push_back(grid.cell(at));
      mesh.maps[kFaceCells].targets.push_back(grid.cell(next));
      Grid::forCorners(grid.dims, [&](Point by) {
        if (by[d] == 1)
          mesh.maps[kFaceNodes].targets.push_back(grid.node(plus(at, by)));
      });
    });
  return mesh;
}

template <class T> static int64_t bytesOf(std::vector<T> const &values) {
  return int64_t(values.capacity() * sizeof(T));
}

static int64_t bytesOf(RankMesh const &mesh) {
  int64_t bytes = 0;
  for (RankSet const &set : mesh.sets) {
    bytes += bytesOf(set.canonical);
    for (Copies const &copies : set.copies) {
      bytes += bytesOf(copies.of);
      for (auto const &[set, rows] : copies.shared)
        bytes += bytesOf(rows);
    }
    for (HaloList const &list : set.lists)
      for (auto const *peers : {&list.sends, &list.receives})
        for (PeerRows const &peer : *peers)
          bytes += bytesOf(peer.rows);
  }
  for (std::vector<int32_t> const &table : mesh.tables)
    bytes += bytesOf(table);
  return bytes;
}

static std::size_t rowsOf(std::vector<PeerRows> const &peers) {
  std::size_t rows = 0;
  for (PeerRows const &peer : peers)
    rows += peer.rows.size();
  return rows;
}

/// A loop over faces that reads and increments cells: how many rows come, from
/// how many ranks. All ranks call it.
static void printLoop(Communicator &ranks, RankMesh &mesh, bool isPrinting) {
  RankSet const &faces = mesh.sets[kFaces];
  RankSet &cells = mesh.sets[kCells];
  Copies const &copies = faces.copies[0]; // of the first map of the set
  std::vector<bool> wanted(std::size_t(cells.reach));
  auto reach = [&](int32_t begin, int32_t end) {
    for (int32_t n = 2 * begin; n < 2 * end; ++n)
      wanted[mesh.tables[kFaceCells][n]] = true;
  };
  reach(0, faces.size);
  reach(copies.begin, copies.end());
  HaloList const &list = cells.lists[addList(ranks, cells, wanted)];
  if (isPrinting)
    std::printf("\"flux\": {\"imports\": %zu, \"messages\": %zu, \"copies\": "
                "%zu, \"shared\": %zu}",
                rowsOf(list.receives), list.receives.size(), copies.of.size(),
                copies.shared.count(kCells) ? copies.shared.at(kCells).size()
                                            : 0);
}

static void print(RankMesh const &mesh) {
  char const *names[] = {"nodes", "cells", "faces"};
  for (int set = 0; set < 3; ++set) {
    RankSet const &of = mesh.sets[set];
    std::printf("\"%s\": {\"own\": %d, \"exec\": %d, \"nonexec\": %d}, ",
                names[set], of.size, of.exec - of.size, of.reach - of.exec);
  }
}

static double cpuTime() { return double(std::clock()) / CLOCKS_PER_SEC; }

int main(int argc, char **argv) {
  std::array<long, 3> values = {};
  for (int n = 0; n < 3 && argc == 4; ++n)
    values[n] = std::strtol(argv[n + 1], nullptr, 10);
  if (values[0] < 2 || values[0] > 3 || values[1] < 2 || values[2] < 1 ||
      values[1] * values[2] > 1000) {
    std::fprintf(stderr, "usage: rank-halos 2|3 SIDE PARTS\n"
                         "SIDE x PARTS is at most 1000\n");
    return 2;
  }
  Grid const grid = {static_cast<int32_t>(values[0]),
                     static_cast<int32_t>(values[1]),
                     static_cast<int32_t>(values[2])};
  int32_t middle = grid.number(grid.box(grid.parts / 2), grid.box(grid.parts));
  if (grid.dims == 2)
    middle = grid.parts / 2 * (grid.parts + 1);
  std::vector<PartMesh> parts(std::size_t(grid.ranks()));
  std::vector<RankMesh> found(parts.size());
  op2::test::runRanks(grid.ranks(), [&](Communicator &ranks) {
    parts[ranks.rank()] = partOf(grid, ranks.rank());
  });
  double start = cpuTime();
  int64_t sent = op2::test::runRanks(grid.ranks(), [&](Communicator &ranks) {
    found[ranks.rank()] = buildRankMesh(ranks, parts[ranks.rank()]);
  });
  double seconds = (cpuTime() - start) / grid.ranks();
  std::printf(
      "{\"ranks\": %d, \"cpu_ms\": %.2f, \"kib\": %.1f, \"most_kib\": "
      "%.1f, \"sent_kib\": %.1f, ",
      grid.ranks(), 1e3 * seconds,
      [&] {
        int64_t all = 0;
        for (RankMesh const &mesh : found)
          all += bytesOf(mesh);
        return double(all) / 1024 / grid.ranks();
      }(),
      double(bytesOf(found[middle])) / 1024,
      double(sent) / 1024 / grid.ranks());
  print(found[middle]);
  op2::test::runRanks(grid.ranks(), [&](Communicator &ranks) {
    printLoop(ranks, found[ranks.rank()], ranks.rank() == middle);
  });
  std::printf("}\n");
  return 0;
}

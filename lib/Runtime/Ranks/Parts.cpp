//===- Parts.cpp - Which rank owns which element ------------ -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parts.h"

#include <numeric>

using namespace op2::rt;

using Numbers = std::vector<int32_t>;

//===----------------------------------------------------------------------===//
// Neighbours
//===----------------------------------------------------------------------===//

/// Does the map make elements of the set neighbours?
static bool connects(PartMap const &map, int32_t set) {
  return map.to == set && (map.dim > 1 || map.from == set);
}

/// Everybody who stands in a row, or those next to `at`.
template <class Visit>
static void forEachNeighbor(Numbers const &row, std::size_t at, Visit visit) {
  constexpr std::size_t kAround = 4;
  std::size_t count = row.size(), most = 2 * kAround + 1;
  std::size_t begin = count <= most ? 0 : at + count - kAround;
  std::size_t end = count <= most ? count : at + count + kAround + 1;
  for (std::size_t n = begin; n < end; ++n)
    if (row[n % count] != row[at])
      visit(row[n % count]);
}

BlockGraph op2::rt::makeBlockGraph(Communicator &ranks, BlockMesh const &mesh,
                                   int32_t set, int32_t map) {
  using Edge = std::pair<int32_t, int32_t>;
  Blocks const &blocks = mesh.sets[set];
  std::map<int32_t, std::vector<Edge>> edges;
  for (std::size_t m = 0; m < mesh.maps.size(); ++m) {
    PartMap const &from = mesh.maps[m];
    if (map >= 0 ? map != static_cast<int32_t>(m) : !connects(from, set))
      continue;
    int64_t first = mesh.sets[from.from].begin(ranks.rank());
    int64_t count = mesh.sets[from.from].count(ranks.rank());
    Numbers row;
    for (int64_t e = 0; e < count; ++e) {
      auto at = from.targets.begin() + e * from.dim;
      row.assign(at, at + from.dim);
      if (from.from == set)
        row.push_back(static_cast<int32_t>(first + e));
      for (std::size_t n = 0; n < row.size(); ++n)
        forEachNeighbor(row, n, [&](int32_t other) {
          edges[blocks.rankOf(row[n])].push_back({row[n], other});
        });
    }
  }
  Outbox outbox;
  for (auto const &[holder, list] : edges)
    outbox.addBytes(holder, list.data(), list.size() * sizeof(Edge));
  edges.clear();
  std::vector<Edge> own;
  for (Message const &message : ranks.exchange(outbox.take())) {
    std::size_t before = own.size();
    own.resize(before + message.bytes.size() / sizeof(Edge));
    std::memcpy(static_cast<void *>(own.data() + before), message.bytes.data(),
                message.bytes.size());
  }
  std::sort(own.begin(), own.end());
  BlockGraph graph;
  int64_t first = blocks.begin(ranks.rank());
  graph.begins.assign(std::size_t(blocks.count(ranks.rank())) + 1, 0);
  for (std::size_t n = 0; n < own.size(); ++n) {
    if (n > 0 && own[n] == own[n - 1]) {
      ++graph.weights.back();
      continue;
    }
    graph.neighbors.push_back(own[n].second);
    graph.weights.push_back(1);
    ++graph.begins[std::size_t(own[n].first - first) + 1];
  }
  std::partial_sum(graph.begins.begin(), graph.begins.end(),
                   graph.begins.begin());
  return graph;
}

//===----------------------------------------------------------------------===//
// Sets that lead, and sets that follow
//===----------------------------------------------------------------------===//

/// Of numbers in any order the one that occurs most, of equal ones the least;
/// -1 if there are none.
static int32_t mostFrequent(Numbers &values) {
  std::sort(values.begin(), values.end());
  int32_t best = -1;
  std::size_t most = 0;
  for (std::size_t begin = 0, end; begin < values.size(); begin = end) {
    for (end = begin; end < values.size() && values[end] == values[begin];)
      ++end;
    if (end - begin > most) {
      most = end - begin;
      best = values[begin];
    }
  }
  return best;
}

/// splitmix64: a good hash of a number.
static uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

namespace {
class PartChooser {
public:
  PartChooser(Communicator &ranks, BlockMesh const &mesh,
              PartRequest const &request)
      : ranks(ranks), mesh(mesh), request(request),
        isDone(mesh.sets.size(), false) {
    result.parts.resize(mesh.sets.size());
  }

  PartResult run() {
    if (request.method == PartRequest::Random ||
        request.method == PartRequest::Blocks)
      divideAll();
    else if (!mesh.sets.empty())
      lead(request.set >= 0 ? request.set : largest());
    while (!std::all_of(isDone.begin(), isDone.end(), [](bool b) { return b; }))
      if (!followOnce())
        lead(largest());
    return std::move(result);
  }

private:
  int32_t count(int32_t set) const {
    return static_cast<int32_t>(mesh.sets[set].count(ranks.rank()));
  }

  /// The map that says where its elements go; -1: all do.
  int32_t followed(int32_t set) const {
    return mesh.follows.empty() ? -1 : mesh.follows[std::size_t(set)];
  }

  bool hasNeighbors(int32_t set) const {
    return std::any_of(mesh.maps.begin(), mesh.maps.end(),
                       [&](PartMap const &map) { return connects(map, set); });
  }

  void divideAll() {
    for (std::size_t set = 0; set < mesh.sets.size(); ++set) {
      auto number = static_cast<int32_t>(set);
      if (followed(number) >= 0)
        continue;
      result.parts[set].assign(std::size_t(count(number)), ranks.rank());
      int64_t first = mesh.sets[set].begin(ranks.rank());
      if (request.method == PartRequest::Random)
        for (int32_t n = 0; n < count(number); ++n)
          result.parts[set][n] = static_cast<int32_t>(
              mix(mix(request.seed + set) + uint64_t(first + n)) %
              uint64_t(ranks.size()));
      result.leading.push_back(number);
      isDone[set] = true;
    }
  }

  /// Of those that are left, the one with most bytes that has neighbours; if
  /// none has, the first.
  int32_t largest() const {
    int32_t best = -1;
    int64_t most = -1;
    for (std::size_t set = 0; set < mesh.sets.size(); ++set) {
      auto number = static_cast<int32_t>(set);
      if (isDone[set] || followed(number) >= 0)
        continue;
      int64_t bytes =
          hasNeighbors(number) ? mesh.bytes[set] * mesh.sets[set].size() : -1;
      if (best < 0 || bytes > most) {
        best = number;
        most = bytes;
      }
    }
    return best;
  }

  void lead(int32_t set) {
    Numbers &parts = result.parts[set];
    isDone[set] = true;
    result.leading.push_back(set);
    if (request.method == PartRequest::Given && set == request.set) {
      parts = request.parts;
      return;
    }
    // In parts of a few elements there is nothing to cut.
    constexpr int64_t kLeast = 16;
    parts.assign(std::size_t(count(set)), ranks.rank());
    if (hasNeighbors(set) && mesh.sets[set].size() >= kLeast * ranks.size()) {
      int32_t map = set == request.set ? request.map : -1;
      if (ranks.cut(makeBlockGraph(ranks, mesh, set, map), parts)) {
        result.isCut = true;
        return;
      }
    }
    // Blocks as they were declared may be uneven.
    Blocks even = evenBlocks(mesh.sets[set].size(), ranks.size());
    int64_t first = mesh.sets[set].begin(ranks.rank());
    for (std::size_t n = 0; n < parts.size(); ++n)
      parts[n] = even.rankOf(first + int64_t(n));
  }

  bool followOnce() {
    for (std::size_t set = 0; set < mesh.sets.size(); ++set)
      if (!isDone[set] && followTargets(static_cast<int32_t>(set)))
        return true;
    for (std::size_t set = 0; set < mesh.sets.size(); ++set)
      if (!isDone[set] && followed(int32_t(set)) < 0 &&
          followSources(static_cast<int32_t>(set)))
        return true;
    return false;
  }

  /// An element goes where most of what it reaches is.
  bool followTargets(int32_t set) {
    std::vector<Numbers> votes(std::size_t(count(set)));
    bool follows = false;
    for (PartMap const &map : mesh.maps) {
      bool isAsked = followed(set) < 0 || &map == &mesh.maps[followed(set)];
      if (map.from != set || !isDone[map.to] || !isAsked)
        continue;
      follows = true;
      Numbers wanted = map.targets;
      std::sort(wanted.begin(), wanted.end());
      wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
      Numbers found =
          askHolders(ranks, mesh.sets[map.to], result.parts[map.to], wanted);
      for (std::size_t n = 0; n < map.targets.size(); ++n) {
        auto at =
            std::lower_bound(wanted.begin(), wanted.end(), map.targets[n]);
        votes[n / std::size_t(map.dim)].push_back(found[at - wanted.begin()]);
      }
    }
    if (follows)
      decide(set, votes);
    return follows;
  }

  /// What is only reached goes where most of those are that reach it.
  bool followSources(int32_t set) {
    Outbox outbox;
    bool follows = false;
    for (PartMap const &map : mesh.maps) {
      if (map.to != set || map.from == set || !isDone[map.from])
        continue;
      follows = true;
      for (std::size_t n = 0; n < map.targets.size(); ++n) {
        int32_t holder = mesh.sets[set].rankOf(map.targets[n]);
        outbox.add(holder, map.targets[n]);
        outbox.add(holder, result.parts[map.from][n / std::size_t(map.dim)]);
      }
    }
    if (!follows)
      return false;
    std::vector<Numbers> votes(std::size_t(count(set)));
    int64_t first = mesh.sets[set].begin(ranks.rank());
    for (Message const &message : ranks.exchange(outbox.take()))
      for (Reader reader(message.bytes); !reader.atEnd();) {
        auto target = reader.get<int32_t>();
        votes[std::size_t(target - first)].push_back(reader.get<int32_t>());
      }
    decide(set, votes);
    return true;
  }

  /// What nobody speaks for stays in its block.
  void decide(int32_t set, std::vector<Numbers> &votes) {
    isDone[set] = true;
    for (Numbers &of : votes) {
      int32_t part = mostFrequent(of);
      result.parts[set].push_back(part < 0 ? ranks.rank() : part);
    }
  }

  Communicator &ranks;
  BlockMesh const &mesh;
  PartRequest const &request;
  std::vector<bool> isDone;
  PartResult result;
};
} // namespace

PartResult op2::rt::chooseParts(Communicator &ranks, BlockMesh const &mesh,
                                PartRequest const &request) {
  return PartChooser(ranks, mesh, request).run();
}

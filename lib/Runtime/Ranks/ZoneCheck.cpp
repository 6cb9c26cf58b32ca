//===- ZoneCheck.cpp - Proof that a zone is right ------------ -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Runtime/op2rt.h"
#include "Zone.h"

#include <algorithm>
#include <cstring>

using namespace op2::rt;

using Values = std::vector<uint64_t>;

static uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t x = (a ^ (b + 0x9e3779b97f4a7c15u)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 29)) * 0x94d049bb133111ebu;
  return x ^ (x >> 32);
}

namespace {
/// Where a chain runs: the rank's part, or its zone.
struct Place {
  std::vector<int32_t const *> tables;    ///< by map
  std::vector<int32_t const *> canonical; ///< by set
  std::vector<Values> dats;
};

class ZoneChecker {
public:
  ZoneChecker(Communicator &ranks, ZoneInput const &input, Zone const &zone)
      : ranks(ranks), input(input), zone(zone) {}

  std::string run() {
    Place expected = meshWithValues(), mesh = expected, apart = emptyZone();
    bring(mesh, apart);
    spoilImports(mesh);
    for (std::size_t n = 0; n < input.loops.size(); ++n) {
      runExpected(n, expected);
      runMesh(n, mesh);
      runZone(n, apart);
    }
    for (std::size_t d = 0; d < input.dats.size(); ++d) {
      Zone::Values const &values = zone.dats[d];
      for (std::size_t k = 0; k < values.wrong.size(); ++k)
        mesh.dats[d][values.wrong[k]] = apart.dats[d][values.wrongFrom[k]];
      for (int32_t row = 0; row < input.sets[input.dats[d]]->size; ++row)
        if (mesh.dats[d][row] != expected.dats[d][row])
          fault("dat " + std::to_string(d) + ", row " + std::to_string(row) +
                ": is not what loops one by one make of it");
    }
    return text;
  }

private:
  void fault(std::string const &what) {
    if (text.empty())
      text = what;
  }

  Place meshWithValues() const {
    Place mesh;
    for (ZoneMap const &map : input.maps)
      mesh.tables.push_back(map.table);
    for (RankSet const *set : input.sets)
      mesh.canonical.push_back(set->canonical.data());
    for (std::size_t d = 0; d < input.dats.size(); ++d) {
      RankSet const &set = *input.sets[input.dats[d]];
      mesh.dats.emplace_back();
      for (int32_t row = 0; row < set.reach; ++row)
        mesh.dats[d].push_back(mix(d + 1, uint64_t(set.canonical[row])));
    }
    return mesh;
  }

  /// Of values that nobody has.
  Place emptyZone() const {
    Place apart;
    for (std::vector<int32_t> const &table : zone.tables)
      apart.tables.push_back(table.data());
    for (std::vector<int32_t> const &numbers : zone.canonical)
      apart.canonical.push_back(numbers.data());
    for (std::size_t d = 0; d < input.dats.size(); ++d) {
      apart.dats.emplace_back(zone.canonical[input.dats[d]].size());
      for (std::size_t row = 0; row < apart.dats[d].size(); ++row)
        apart.dats[d][row] = mix(~row, d);
    }
    return apart;
  }

  /// By messages, from own rows to imported ones, or to the zone.
  void transfer(HaloList const &list, Values const &from, Values &to) {
    std::vector<Values> buffers;
    std::vector<Peer> sends, receives;
    auto add = [&](PeerRows const &peer, std::vector<Peer> &peers) {
      buffers.emplace_back(peer.rows.size());
      peers.push_back(
          {peer.rank, nullptr, int64_t(peer.rows.size() * sizeof(uint64_t))});
    };
    for (PeerRows const &peer : list.sends)
      add(peer, sends);
    for (PeerRows const &peer : list.receives)
      add(peer, receives);
    for (std::size_t p = 0; p < sends.size(); ++p) {
      sends[p].data = reinterpret_cast<char *>(buffers[p].data());
      for (std::size_t k = 0; k < buffers[p].size(); ++k)
        buffers[p][k] = from[list.sends[p].rows[k]];
    }
    for (std::size_t p = 0; p < receives.size(); ++p)
      receives[p].data =
          reinterpret_cast<char *>(buffers[sends.size() + p].data());
    ranks.swap(sends, receives);
    for (std::size_t p = 0; p < receives.size(); ++p)
      for (std::size_t k = 0; k < list.receives[p].rows.size(); ++k)
        to[list.receives[p].rows[k]] = buffers[sends.size() + p][k];
  }

  void bring(Place const &mesh, Place &apart) {
    for (std::size_t d = 0; d < input.dats.size(); ++d) {
      Zone::Values const &values = zone.dats[d];
      for (std::size_t k = 0; k < values.own.size(); ++k)
        apart.dats[d][values.ownTo[k]] = mesh.dats[d][values.own[k]];
      transfer(values.foreign, mesh.dats[d], apart.dats[d]);
    }
  }

  /// Of dats that the chain changes: they come while it runs.
  void spoilImports(Place &mesh) const {
    for (ZoneLoop const &loop : input.loops)
      for (ZoneAccess const &access : loop.accesses)
        if (access.access != OP2RT_READ) {
          RankSet const &set = *input.sets[input.dats[access.dat]];
          for (int32_t row = set.size; row < set.reach; ++row)
            mesh.dats[access.dat][row] = mix(~uint64_t(row), 0);
        }
  }

  template <class Visit>
  void forEachRow(Place const &place, ZoneAccess const &access, int64_t e,
                  Visit visit) const {
    if (access.map == ZoneAccess::kDirect)
      return visit(e);
    int64_t dim = input.maps[access.map].dim;
    for (int32_t s = access.slot; s < access.slot + access.count; ++s)
      visit(place.tables[access.map][e * dim + s]);
  }

  /// The result: what it reads, as a number.
  uint64_t runElement(std::size_t n, Place &place, int64_t e) const {
    ZoneLoop const &loop = input.loops[n];
    uint64_t seen = mix(n, uint64_t(place.canonical[loop.set][e]));
    for (ZoneAccess const &access : loop.accesses)
      if (access.access != OP2RT_INC && access.access != OP2RT_WRITE)
        forEachRow(place, access, e, [&](int64_t row) {
          seen = mix(seen, place.dats[access.dat][row]);
        });
    for (std::size_t a = 0; a < loop.accesses.size(); ++a) {
      ZoneAccess const &access = loop.accesses[a];
      if (access.access != OP2RT_READ)
        forEachRow(place, access, e, [&](int64_t row) {
          uint64_t &value = place.dats[access.dat][row];
          value = mix(value, mix(seen, a));
        });
    }
    return seen;
  }

  /// All own and executed elements in the order of the whole mesh, then what
  /// owners have.
  void runExpected(std::size_t n, Place &mesh) {
    ZoneLoop const &loop = input.loops[n];
    RankSet const &set = *input.sets[loop.set];
    std::vector<int32_t> order(std::size_t(set.exec));
    for (int32_t e = 0; e < set.exec; ++e)
      order[e] = e;
    std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
      return set.canonical[a] < set.canonical[b];
    });
    seen.clear();
    for (int32_t e : order)
      seen[set.canonical[e]] = runElement(n, mesh, e);
    for (ZoneAccess const &access : loop.accesses)
      if (access.access != OP2RT_READ)
        transfer(input.sets[input.dats[access.dat]]->lists[0],
                 mesh.dats[access.dat], mesh.dats[access.dat]);
    counts.assign(std::size_t(loop.reduces ? set.size : 0), 0);
  }

  void compare(std::size_t n, int64_t number, uint64_t found) {
    auto known = seen.find(static_cast<int32_t>(number));
    if (known != seen.end() && known->second != found)
      fault("loop " + std::to_string(n) + ", element " +
            std::to_string(number) + ": reads something else");
  }
  void count(std::size_t n, int64_t row) {
    if (input.loops[n].reduces)
      ++counts[row];
  }

  void runMesh(std::size_t n, Place &mesh) {
    int32_t const *canonical = mesh.canonical[input.loops[n].set];
    for (ElementRange const &range : zone.loops[n].clean)
      for (int64_t e = range.begin; e < range.end; ++e) {
        compare(n, canonical[e], runElement(n, mesh, e));
        count(n, e);
      }
  }

  void runZone(std::size_t n, Place &apart) {
    Zone::Loop const &loop = zone.loops[n];
    RankSet const &set = *input.sets[input.loops[n].set];
    int32_t const *canonical = apart.canonical[input.loops[n].set];
    for (auto const *rows : {&loop.counted, &loop.again})
      for (int32_t row : *rows)
        compare(n, canonical[row], runElement(n, apart, row));
    for (int32_t row : loop.counted) {
      auto end = set.canonical.begin() + set.size;
      auto own = std::lower_bound(set.canonical.begin(), end, canonical[row]);
      if (own == end || *own != canonical[row])
        fault("loop " + std::to_string(n) + ": counts what others own");
      else
        count(n, own - set.canonical.begin());
    }
    for (std::size_t e = 0; e < counts.size(); ++e)
      if (counts[e] != 1)
        fault("loop " + std::to_string(n) + ", element " + std::to_string(e) +
              ": counts " + std::to_string(counts[e]) + " times");
  }

  Communicator &ranks;
  ZoneInput const &input;
  Zone const &zone;
  // Of one loop.
  std::map<int32_t, uint64_t> seen; ///< by canonical number
  std::vector<int> counts;          ///< by own element
  std::string text;                 ///< of the first fault
};
} // namespace

std::string op2::rt::checkZone(Communicator &ranks, ZoneInput const &input,
                               Zone const &zone) {
  return ZoneChecker(ranks, input, zone).run();
}

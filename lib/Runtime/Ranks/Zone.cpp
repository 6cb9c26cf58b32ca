//===- Zone.cpp - What a loop chain needs at the border ------ -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Zone.h"
#include "OP2/Runtime/op2rt.h"
#include "Pack.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

using namespace op2::rt;

using Numbers = std::vector<int32_t>;

static bool isDirect(ZoneAccess const &access) {
  return access.map == ZoneAccess::kDirect;
}
static bool isChange(ZoneAccess const &access) {
  return access.access != OP2RT_READ;
}
/// What an INC adds to, elements need not look at.
static bool isRead(ZoneAccess const &access) {
  return access.access != OP2RT_INC && access.access != OP2RT_WRITE;
}

//===----------------------------------------------------------------------===//
// In the mesh
//===----------------------------------------------------------------------===//

namespace {
/// Follows the chain on the rank's part, which needs nobody.
class WrongRows {
public:
  explicit WrongRows(ZoneInput const &input)
      : input(input), wrong(input.dats.size()) {
    for (ZoneLoop const &loop : input.loops)
      for (ZoneAccess const &access : loop.accesses)
        if (isChange(access) && wrong[access.dat].empty()) {
          RankSet const &set = *input.sets[input.dats[access.dat]];
          wrong[access.dat].assign(std::size_t(set.size), false);
          wrong[access.dat].resize(std::size_t(set.reach), true);
        }
  }

  /// The own elements that would read a wrong row, ascending.
  Numbers run(ZoneLoop const &loop) {
    RankSet const &set = *input.sets[loop.set];
    std::vector<char> isDirty(std::size_t(set.size));
    for (ZoneAccess const &access : loop.accesses)
      if (isRead(access) && !wrong[access.dat].empty())
        findReaders(access, set.size, isDirty);
    Numbers dirty;
    for (int32_t e = 0; e < set.size; ++e)
      if (isDirty[e])
        dirty.push_back(e);
    for (ZoneAccess const &access : loop.accesses)
      if (isChange(access))
        change(access, set, dirty);
    return dirty;
  }

  /// Own ones.
  Numbers of(std::size_t dat) const {
    Numbers rows;
    for (int32_t row = 0;
         !wrong[dat].empty() && row < input.sets[input.dats[dat]]->size; ++row)
      if (wrong[dat][row])
        rows.push_back(row);
    return rows;
  }

private:
  void findReaders(ZoneAccess const &access, int32_t size,
                   std::vector<char> &isDirty) const {
    char const *rows = wrong[access.dat].data();
    if (isDirect(access)) {
      for (int32_t e = 0; e < size; ++e)
        isDirty[e] |= rows[e];
      return;
    }
    ZoneMap const &map = input.maps[access.map];
    for (int64_t e = 0; e < size; ++e)
      for (int32_t s = access.slot; s < access.slot + access.count; ++s)
        isDirty[e] |= rows[map.table[e * map.dim + s]];
  }

  /// Imported elements do not run here, and all own ones but dirty ones do.
  void change(ZoneAccess const &access, RankSet const &set,
              Numbers const &dirty) {
    std::vector<char> &rows = wrong[access.dat];
    auto mark = [&](int32_t e) {
      if (isDirect(access)) {
        rows[e] = true;
        return;
      }
      ZoneMap const &map = input.maps[access.map];
      for (int32_t s = access.slot; s < access.slot + access.count; ++s)
        rows[map.table[int64_t(e) * map.dim + s]] = true;
    };
    for (int32_t e : dirty)
      mark(e);
    for (int32_t e = set.size; e < set.exec && !isDirect(access); ++e)
      mark(e);
  }

  ZoneInput const &input;
  /// By dat, of own and imported rows; empty: no loop changes it.
  std::vector<std::vector<char>> wrong;
};

//===----------------------------------------------------------------------===//
// The zone
//===----------------------------------------------------------------------===//

/// Places of a ZoneSet, each once, as they came.
class PlaceSet {
public:
  /// True if it was not there.
  bool insert(int32_t place) {
    if (std::size_t(place) >= isThere.size())
      isThere.resize(std::max(std::size_t(place) + 1, 2 * isThere.size()));
    if (isThere[place])
      return false;
    isThere[place] = true;
    places.push_back(place);
    return true;
  }
  bool has(int32_t place) const {
    return std::size_t(place) < isThere.size() && isThere[place];
  }
  Numbers const &all() const { return places; }

private:
  std::vector<char> isThere;
  Numbers places;
};

/// What is known of a set's rows, each of which has a place here.
class ZoneSet {
public:
  /// `withTargets`: slots of all maps of the chain from the set.
  explicit ZoneSet(int32_t withTargets) : numTargets(withTargets) {}

  int32_t placeOf(int32_t number, int32_t owner) {
    auto [at, isNew] =
        placeByNumber.try_emplace(number, static_cast<int32_t>(numbers.size()));
    if (isNew) {
      numbers.push_back(number);
      owners.push_back(owner);
      begins.push_back(kUnknown);
    }
    return at->second;
  }
  int32_t numberOf(int32_t place) const { return numbers[place]; }
  int32_t ownerOf(int32_t place) const { return owners[place]; }

  bool hasTargets(int32_t place) const { return begins[place] != kUnknown; }
  /// numTargets places follow.
  void setTargets(int32_t place, Numbers const &all) {
    begins[place] = static_cast<int64_t>(targets.size());
    targets.insert(targets.end(), all.begin(), all.end());
  }
  /// Through all maps of the chain, in their order.
  int32_t const *targetsOf(int32_t place) const {
    return targets.data() + begins[place];
  }

  int32_t numTargets;
  PlaceSet ofZone;           ///< rows that some loop of the zone uses
  std::vector<int32_t> rows; ///< of the zone, by place

private:
  static constexpr int64_t kUnknown = -1;
  std::unordered_map<int32_t, int32_t> placeByNumber; ///< by canonical number
  Numbers numbers, owners;                            ///< by place
  std::vector<int64_t> begins;                        ///< likewise, in targets
  Numbers targets;
};

class ZoneBuilder {
public:
  ZoneBuilder(Communicator &ranks, ZoneInput const &input)
      : ranks(ranks), input(input), mapsOf(input.sets.size()),
        importOwners(input.sets.size()), needed(input.dats.size()),
        runs(input.loops.size()), counts(input.loops.size()) {
    zone.loops.resize(input.loops.size());
    zone.dats.resize(input.dats.size());
    std::vector<int32_t> numTargets(input.sets.size());
    for (ZoneMap const &map : input.maps) {
      mapsOf[map.from].push_back(static_cast<int32_t>(targetBegin.size()));
      targetBegin.push_back(numTargets[map.from]);
      numTargets[map.from] += map.dim;
    }
    for (std::size_t s = 0; s < input.sets.size(); ++s) {
      RankSet const &set = *input.sets[s];
      sets.emplace_back(numTargets[s]);
      importOwners[s].resize(std::size_t(set.reach - set.size));
      for (PeerRows const &peer : set.lists[0].receives)
        for (int32_t row : peer.rows)
          importOwners[s][row - set.size] = peer.rank;
    }
  }

  Zone run() {
    std::vector<Numbers> counted = followMesh();
    for (std::size_t n = input.loops.size(); n-- > 0;)
      collect(n, counted[n]);
    for (std::size_t n = 0; n < input.loops.size(); ++n)
      for (int32_t row : counted[n])
        counts[n].insert(placeOf(input.loops[n].set, row));
    number();
    for (std::size_t n = 0; n < input.loops.size(); ++n)
      setLoop(n);
    findValues();
    return std::move(zone);
  }

private:
  int32_t numberOf(int32_t set, int32_t row) const {
    return input.sets[set]->canonical[row];
  }
  int32_t ownerOf(int32_t set, int32_t row) const {
    int32_t size = input.sets[set]->size;
    return row < size ? ranks.rank() : importOwners[set][row - size];
  }
  int32_t placeOf(int32_t set, int32_t row) {
    return sets[set].placeOf(numberOf(set, row), ownerOf(set, row));
  }
  int32_t ownRow(int32_t set, int32_t number) const {
    RankSet const &of = *input.sets[set];
    return static_cast<int32_t>(std::lower_bound(of.canonical.begin(),
                                                 of.canonical.begin() + of.size,
                                                 number) -
                                of.canonical.begin());
  }

  /// The result: by loop, own elements that only the zone can count.
  std::vector<Numbers> followMesh() {
    WrongRows rows(input);
    std::vector<Numbers> counted;
    for (std::size_t n = 0; n < input.loops.size(); ++n) {
      ZoneLoop const &loop = input.loops[n];
      Numbers dirty = rows.run(loop);
      int64_t begin = 0;
      auto addClean = [&](int64_t end) {
        if (begin < end)
          zone.loops[n].clean.push_back({begin, end});
        begin = end + 1;
      };
      for (int32_t e : dirty)
        addClean(e);
      addClean(input.sets[loop.set]->size);
      counted.push_back(loop.reduces ? std::move(dirty) : Numbers());
    }
    for (std::size_t dat = 0; dat < input.dats.size(); ++dat) {
      int32_t set = input.dats[dat];
      zone.dats[dat].wrong = rows.of(dat);
      for (int32_t row : zone.dats[dat].wrong) {
        int32_t place = placeOf(set, row);
        needed[dat].insert(place);
        sets[set].ofZone.insert(place);
      }
    }
    return counted;
  }

  //===--------------------------------------------------------------------===//
  // Elements, from the last loop to the first
  //===--------------------------------------------------------------------===//

  /// What rank asks for: elements that change these rows, which are own ones
  /// here.
  struct Question {
    int32_t rank, access;
    Numbers rows;
  };

  /// Owners know all elements that reach their rows.
  std::vector<Question> ask(ZoneLoop const &loop) {
    Outbox outbox;
    for (std::size_t a = 0; a < loop.accesses.size(); ++a) {
      ZoneAccess const &access = loop.accesses[a];
      if (!isChange(access))
        continue;
      std::map<int32_t, Numbers> byOwner;
      ZoneSet const &set = sets[input.dats[access.dat]];
      for (int32_t place : needed[access.dat].all())
        byOwner[set.ownerOf(place)].push_back(set.numberOf(place));
      for (auto const &[owner, numbers] : byOwner) {
        outbox.add(owner, static_cast<int32_t>(a));
        outbox.add(owner, numbers);
      }
    }
    std::vector<Question> questions;
    for (Message const &message : ranks.exchange(outbox.take()))
      for (Reader reader(message.bytes); !reader.atEnd();) {
        auto access = reader.get<int32_t>();
        questions.push_back({message.rank, access, {}});
        for (int32_t number : reader.getAll<int32_t>())
          questions.back().rows.push_back(
              ownRow(input.dats[loop.accesses[access].dat], number));
      }
    return questions;
  }

  /// found[rank]: elements here that change what it asks for.
  std::map<int32_t, Numbers>
  find(ZoneLoop const &loop, std::vector<Question> const &questions) const {
    std::map<int32_t, Numbers> found;
    for (std::size_t a = 0; a < loop.accesses.size(); ++a) {
      ZoneAccess const &access = loop.accesses[a];
      std::vector<Question const *> throughMap;
      for (Question const &question : questions) {
        if (question.access != static_cast<int32_t>(a))
          continue;
        Numbers &all = found[question.rank];
        if (isDirect(access))
          all.insert(all.end(), question.rows.begin(), question.rows.end());
        else
          throughMap.push_back(&question);
      }
      if (!throughMap.empty())
        findThrough(loop, access, throughMap, found);
    }
    for (auto &[rank, rows] : found) {
      std::sort(rows.begin(), rows.end());
      rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    }
    return found;
  }
  void findThrough(ZoneLoop const &loop, ZoneAccess const &access,
                   std::vector<Question const *> const &questions,
                   std::map<int32_t, Numbers> &found) const {
    ZoneMap const &map = input.maps[access.map];
    // Who asks for a row: a list from the latest on.
    struct Asker {
      Numbers *found;
      int32_t next;
    };
    std::vector<Asker> askers;
    std::vector<int32_t> latest(std::size_t(input.sets[map.to]->reach), -1);
    for (Question const *question : questions)
      for (int32_t row : question->rows) {
        askers.push_back({&found[question->rank], latest[row]});
        latest[row] = static_cast<int32_t>(askers.size()) - 1;
      }
    for (int32_t e = 0; e < input.sets[loop.set]->exec; ++e)
      for (int32_t s = access.slot; s < access.slot + access.count; ++s)
        for (int32_t n = latest[map.table[int64_t(e) * map.dim + s]]; n >= 0;
             n = askers[n].next)
          askers[n].found->push_back(e);
  }

  /// Of each element its number and owner, and those of all its targets.
  void tell(Outbox &outbox, int32_t rank, int32_t set, Numbers const &rows) {
    Numbers text;
    auto add = [&](int32_t ofSet, int32_t row) {
      text.push_back(numberOf(ofSet, row));
      text.push_back(ownerOf(ofSet, row));
    };
    for (int32_t row : rows) {
      add(set, row);
      for (int32_t m : mapsOf[set])
        for (int32_t slot = 0; slot < input.maps[m].dim; ++slot)
          add(input.maps[m].to,
              input.maps[m].table[int64_t(row) * input.maps[m].dim + slot]);
    }
    outbox.add(rank, text);
  }
  /// take(place of an element)
  template <class Take>
  void hear(Message const &message, int32_t set, Take take) {
    Numbers const text = Reader(message.bytes).getAll<int32_t>();
    std::size_t at = 0;
    auto next = [&](int32_t ofSet) {
      at += 2;
      return sets[ofSet].placeOf(text[at - 2], text[at - 1]);
    };
    Numbers targets;
    while (at < text.size()) {
      int32_t element = next(set);
      if (sets[set].hasTargets(element)) {
        at += 2 * std::size_t(sets[set].numTargets);
      } else {
        targets.clear();
        for (int32_t m : mapsOf[set])
          for (int32_t slot = 0; slot < input.maps[m].dim; ++slot)
            targets.push_back(next(input.maps[m].to));
        sets[set].setTargets(element, targets);
      }
      take(element);
    }
  }

  /// visit(access, row's place)
  template <class Visit>
  void forEachRow(ZoneLoop const &loop, int32_t element, Visit visit) const {
    int32_t const *targets = sets[loop.set].targetsOf(element);
    for (ZoneAccess const &access : loop.accesses) {
      if (isDirect(access)) {
        visit(access, element);
        continue;
      }
      int32_t begin = targetBegin[access.map] + access.slot;
      for (int32_t n = begin; n < begin + access.count; ++n)
        visit(access, targets[n]);
    }
  }

  /// What loop n must do here, and what has to be there before it.
  void collect(std::size_t n, Numbers const &counted) {
    ZoneLoop const &loop = input.loops[n];
    Outbox answers;
    std::map<int32_t, Numbers> found = find(loop, ask(loop));
    Numbers &own = found[ranks.rank()];
    own.insert(own.end(), counted.begin(), counted.end());
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    for (auto const &[rank, rows] : found)
      if (!rows.empty())
        tell(answers, rank, loop.set, rows);
    for (Message const &answer : ranks.exchange(answers.take()))
      hear(answer, loop.set, [&](int32_t element) {
        if (!runs[n].insert(element))
          return;
        sets[loop.set].ofZone.insert(element);
        forEachRow(loop, element, [&](ZoneAccess const &access, int32_t row) {
          sets[input.dats[access.dat]].ofZone.insert(row);
          if (isRead(access))
            needed[access.dat].insert(row);
        });
      });
  }

  //===--------------------------------------------------------------------===//
  // Rows
  //===--------------------------------------------------------------------===//

  bool needsOrder(int32_t set) const {
    return std::any_of(
        input.loops.begin(), input.loops.end(), [&](ZoneLoop const &loop) {
          return loop.set == set &&
                 std::any_of(loop.accesses.begin(), loop.accesses.end(),
                             [](ZoneAccess const &access) {
                               return isChange(access) && !isDirect(access);
                             });
        });
  }

  /// The places of the zone's rows: in the order of the whole mesh where
  /// additions have it; else those that run in the same loops, and count there,
  /// lie together, as loops run ranges.
  Numbers orderOf(int32_t set) const {
    Numbers order = sets[set].ofZone.all();
    auto isBefore = [&](int32_t a, int32_t b) {
      return sets[set].numberOf(a) < sets[set].numberOf(b);
    };
    std::sort(order.begin(), order.end(), isBefore);
    if (needsOrder(set))
      return order;
    std::unordered_map<int32_t, Numbers> loops;
    for (std::size_t n = 0; n < runs.size(); ++n)
      if (input.loops[n].set == set)
        for (int32_t element : runs[n].all())
          loops[element].push_back(
              static_cast<int32_t>(2 * n + counts[n].has(element)));
    // Few differ.
    std::map<Numbers, Numbers> alike;
    for (int32_t place : order) {
      auto known = loops.find(place);
      alike[known == loops.end() ? Numbers() : known->second].push_back(place);
    }
    order.clear();
    for (auto const &[inLoops, places] : alike)
      order.insert(order.end(), places.begin(), places.end());
    return order;
  }

  void number() {
    std::vector<Numbers> orders;
    for (std::size_t s = 0; s < sets.size(); ++s) {
      Numbers &order = orders.emplace_back(orderOf(static_cast<int32_t>(s)));
      Numbers &canonical = zone.canonical.emplace_back();
      for (int32_t place : order) {
        if (std::size_t(place) >= sets[s].rows.size())
          sets[s].rows.resize(std::size_t(place) + 1);
        sets[s].rows[place] = static_cast<int32_t>(canonical.size());
        canonical.push_back(sets[s].numberOf(place));
      }
    }
    for (std::size_t m = 0; m < input.maps.size(); ++m) {
      ZoneMap const &map = input.maps[m];
      ZoneSet const &from = sets[map.from], &to = sets[map.to];
      Numbers table;
      for (int32_t element : orders[map.from])
        for (int32_t slot = 0; slot < map.dim; ++slot) {
          // Targets that no loop uses are not there.
          int32_t row = 0;
          if (from.hasTargets(element)) {
            int32_t target = from.targetsOf(element)[targetBegin[m] + slot];
            row = to.ofZone.has(target) ? to.rows[target] : 0;
          }
          table.push_back(row);
        }
      zone.tables.push_back(std::move(table));
    }
  }

  void setLoop(std::size_t n) {
    ZoneSet const &set = sets[input.loops[n].set];
    Zone::Loop &loop = zone.loops[n];
    for (int32_t element : runs[n].all())
      (counts[n].has(element) ? loop.counted : loop.again)
          .push_back(set.rows[element]);
    std::sort(loop.counted.begin(), loop.counted.end());
    std::sort(loop.again.begin(), loop.again.end());
  }

  void findValues() {
    Outbox wishes;
    for (std::size_t dat = 0; dat < input.dats.size(); ++dat) {
      int32_t of = input.dats[dat];
      ZoneSet const &set = sets[of];
      Zone::Values &values = zone.dats[dat];
      for (int32_t row : values.wrong)
        values.wrongFrom.push_back(set.rows[placeOf(of, row)]);
      // By canonical numbers.
      std::map<int32_t, std::vector<std::pair<int32_t, int32_t>>> byOwner;
      for (int32_t place : needed[dat].all())
        byOwner[set.ownerOf(place)].emplace_back(set.numberOf(place),
                                                 set.rows[place]);
      for (auto &[owner, wanted] : byOwner) {
        std::sort(wanted.begin(), wanted.end());
        Numbers numbers, rows;
        for (auto const &[number, row] : wanted) {
          numbers.push_back(number);
          rows.push_back(row);
        }
        if (owner == ranks.rank()) {
          values.ownTo = std::move(rows);
          for (int32_t number : numbers)
            values.own.push_back(ownRow(of, number));
          continue;
        }
        values.foreign.receives.push_back({owner, std::move(rows)});
        wishes.add(owner, static_cast<int32_t>(dat));
        wishes.add(owner, numbers);
      }
    }
    for (Message const &wish : ranks.exchange(wishes.take()))
      for (Reader reader(wish.bytes); !reader.atEnd();) {
        auto dat = reader.get<int32_t>();
        Numbers rows;
        for (int32_t number : reader.getAll<int32_t>())
          rows.push_back(ownRow(input.dats[dat], number));
        zone.dats[dat].foreign.sends.push_back({wish.rank, std::move(rows)});
      }
  }

  Communicator &ranks;
  ZoneInput const &input;
  std::vector<Numbers> mapsOf, importOwners; ///< by set
  Numbers targetBegin; ///< by map, among the targets of its set
  std::vector<ZoneSet> sets;
  /// By dat: rows, own or foreign, whose values are needed behind the loops
  /// that have been collected, in the order of the chain.
  std::vector<PlaceSet> needed;
  std::vector<PlaceSet> runs, counts; ///< by loop: elements; those that count
  Zone zone;
};
} // namespace

Zone op2::rt::buildZone(Communicator &ranks, ZoneInput const &input) {
  return ZoneBuilder(ranks, input).run();
}

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
#include <unordered_set>
#include <utility>

using namespace op2::rt;

using Numbers = std::vector<int32_t>;
using NumberSet = std::unordered_set<int32_t>;

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

static Numbers sorted(NumberSet const &numbers) {
  Numbers all(numbers.begin(), numbers.end());
  std::sort(all.begin(), all.end());
  return all;
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

/// An element as its owner, or who executes it, knows it.
struct Element {
  Numbers targets; ///< canonical, through all maps of the chain, in their order
};

/// Rows of a set by canonical numbers.
struct ZoneSet {
  std::unordered_map<int32_t, int32_t> owners;   ///< of all rows of the zone
  std::unordered_map<int32_t, Element> elements; ///< those that some loop runs
  std::unordered_map<int32_t, int32_t> rows;     ///< of the zone
};

class ZoneBuilder {
public:
  ZoneBuilder(Communicator &ranks, ZoneInput const &input)
      : ranks(ranks), input(input), mapsOf(input.sets.size()),
        importOwners(input.sets.size()), sets(input.sets.size()),
        needed(input.dats.size()), runs(input.loops.size()),
        counts(input.loops.size()) {
    zone.loops.resize(input.loops.size());
    zone.dats.resize(input.dats.size());
    for (std::size_t m = 0; m < input.maps.size(); ++m)
      mapsOf[input.maps[m].from].push_back(static_cast<int32_t>(m));
    for (std::size_t s = 0; s < input.sets.size(); ++s) {
      RankSet const &set = *input.sets[s];
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
        counts[n].insert(numberOf(input.loops[n].set, row));
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
        needed[dat].insert(numberOf(set, row));
        sets[set].owners[numberOf(set, row)] = ranks.rank();
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
      for (int32_t number : needed[access.dat])
        byOwner[set.owners.at(number)].push_back(number);
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
      std::unordered_map<int32_t, Numbers> askers; // by row
      for (Question const &question : questions) {
        if (question.access != static_cast<int32_t>(a))
          continue;
        Numbers &all = found[question.rank];
        if (isDirect(access))
          all.insert(all.end(), question.rows.begin(), question.rows.end());
        else
          for (int32_t row : question.rows)
            askers[row].push_back(question.rank);
      }
      if (!askers.empty())
        findThrough(loop, access, askers, found);
    }
    for (auto &[rank, rows] : found) {
      std::sort(rows.begin(), rows.end());
      rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    }
    return found;
  }
  void findThrough(ZoneLoop const &loop, ZoneAccess const &access,
                   std::unordered_map<int32_t, Numbers> const &askers,
                   std::map<int32_t, Numbers> &found) const {
    ZoneMap const &map = input.maps[access.map];
    std::vector<char> isAsked(std::size_t(input.sets[map.to]->reach));
    for (auto const &[row, all] : askers)
      isAsked[row] = true;
    for (int32_t e = 0; e < input.sets[loop.set]->exec; ++e)
      for (int32_t s = access.slot; s < access.slot + access.count; ++s)
        if (int32_t row = map.table[int64_t(e) * map.dim + s]; isAsked[row])
          for (int32_t rank : askers.at(row))
            found[rank].push_back(e);
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
  /// take(number, owner, element, owners of its targets)
  template <class Take>
  void hear(Message const &message, int32_t set, Take take) const {
    Numbers const text = Reader(message.bytes).getAll<int32_t>();
    std::size_t width = 0;
    for (int32_t m : mapsOf[set])
      width += std::size_t(input.maps[m].dim);
    for (std::size_t at = 0; at < text.size(); at += 2 * (width + 1)) {
      Element element;
      Numbers owners;
      for (std::size_t n = 1; n <= width; ++n) {
        element.targets.push_back(text[at + 2 * n]);
        owners.push_back(text[at + 2 * n + 1]);
      }
      take(text[at], text[at + 1], std::move(element), owners);
    }
  }

  /// visit(access, row's number, place among the element's targets; -1: the
  /// element itself)
  template <class Visit>
  void forEachTarget(ZoneLoop const &loop, int32_t number,
                     Element const &element, Visit visit) const {
    for (ZoneAccess const &access : loop.accesses) {
      if (isDirect(access)) {
        visit(access, number, -1);
        continue;
      }
      int32_t begin = access.slot;
      for (int32_t m : mapsOf[loop.set]) {
        if (m == access.map)
          break;
        begin += input.maps[m].dim;
      }
      for (int32_t n = begin; n < begin + access.count; ++n)
        visit(access, element.targets[n], n);
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
    NumberSet ran;
    for (Message const &answer : ranks.exchange(answers.take()))
      hear(answer, loop.set,
           [&](int32_t number, int32_t owner, Element element,
               Numbers const &owners) {
             if (!ran.insert(number).second)
               return;
             sets[loop.set].owners[number] = owner;
             forEachTarget(
                 loop, number, element,
                 [&](ZoneAccess const &access, int32_t target, int32_t place) {
                   if (place >= 0)
                     sets[input.dats[access.dat]].owners[target] =
                         owners[place];
                   if (isRead(access))
                     needed[access.dat].insert(target);
                 });
             sets[loop.set].elements.emplace(number, std::move(element));
           });
    runs[n] = sorted(ran);
  }

  //===--------------------------------------------------------------------===//
  // Rows
  //===--------------------------------------------------------------------===//

  int32_t rowOf(int32_t set, int32_t number) const {
    return sets[set].rows.at(number);
  }

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

  /// In the order of the whole mesh where additions have it; else those that
  /// run in the same loops, and count there, lie together, as loops run ranges.
  Numbers numberSet(int32_t set) const {
    std::vector<std::pair<Numbers, int32_t>> rows;
    std::unordered_map<int32_t, Numbers> loops;
    for (std::size_t n = 0; n < runs.size() && !needsOrder(set); ++n)
      if (input.loops[n].set == set)
        for (int32_t number : runs[n])
          loops[number].push_back(
              static_cast<int32_t>(2 * n + counts[n].count(number)));
    for (auto const &[number, owner] : sets[set].owners) {
      auto known = loops.find(number);
      rows.emplace_back(known == loops.end() ? Numbers() : known->second,
                        number);
    }
    std::sort(rows.begin(), rows.end());
    Numbers canonical;
    for (auto const &[inLoops, number] : rows)
      canonical.push_back(number);
    return canonical;
  }

  void number() {
    for (std::size_t s = 0; s < sets.size(); ++s) {
      zone.canonical.push_back(numberSet(static_cast<int32_t>(s)));
      for (std::size_t row = 0; row < zone.canonical[s].size(); ++row)
        sets[s].rows[zone.canonical[s][row]] = static_cast<int32_t>(row);
    }
    std::vector<std::size_t> begin(input.sets.size());
    for (ZoneMap const &map : input.maps) {
      Numbers const &from = zone.canonical[map.from];
      std::unordered_map<int32_t, int32_t> const &to = sets[map.to].rows;
      Numbers table(from.size() * std::size_t(map.dim));
      for (std::size_t row = 0; row < from.size(); ++row) {
        auto known = sets[map.from].elements.find(from[row]);
        if (known == sets[map.from].elements.end())
          continue;
        for (std::size_t slot = 0; slot < std::size_t(map.dim); ++slot) {
          // Targets that no loop uses are not there.
          int32_t target = known->second.targets[begin[map.from] + slot];
          auto place = to.find(target);
          table[row * std::size_t(map.dim) + slot] =
              place == to.end() ? 0 : place->second;
        }
      }
      begin[map.from] += std::size_t(map.dim);
      zone.tables.push_back(std::move(table));
    }
  }

  void setLoop(std::size_t n) {
    int32_t set = input.loops[n].set;
    Zone::Loop &loop = zone.loops[n];
    for (int32_t number : runs[n])
      (counts[n].count(number) ? loop.counted : loop.again)
          .push_back(rowOf(set, number));
    std::sort(loop.counted.begin(), loop.counted.end());
    std::sort(loop.again.begin(), loop.again.end());
  }

  void findValues() {
    Outbox wishes;
    for (std::size_t dat = 0; dat < input.dats.size(); ++dat) {
      int32_t set = input.dats[dat];
      Zone::Values &values = zone.dats[dat];
      for (int32_t row : values.wrong)
        values.wrongFrom.push_back(rowOf(set, numberOf(set, row)));
      std::map<int32_t, Numbers> byOwner;
      for (int32_t number : sorted(needed[dat]))
        byOwner[sets[set].owners.at(number)].push_back(number);
      for (auto const &[owner, numbers] : byOwner) {
        Numbers rows;
        for (int32_t number : numbers)
          rows.push_back(rowOf(set, number));
        if (owner == ranks.rank()) {
          values.ownTo = std::move(rows);
          for (int32_t number : numbers)
            values.own.push_back(ownRow(set, number));
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
  std::vector<ZoneSet> sets;
  /// By dat: rows, own or foreign, whose values are needed behind the loops
  /// that have been collected, in the order of the chain.
  std::vector<NumberSet> needed;
  std::vector<Numbers> runs;     ///< by loop, canonical
  std::vector<NumberSet> counts; ///< of them, likewise
  Zone zone;
};
} // namespace

Zone op2::rt::buildZone(Communicator &ranks, ZoneInput const &input) {
  return ZoneBuilder(ranks, input).run();
}

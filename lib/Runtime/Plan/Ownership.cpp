//===- Ownership.cpp - Plans by owned targets -------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ownership.h"

#include <algorithm>
#include <numeric>

using namespace op2::rt;

int64_t op2::rt::ownedBegin(int64_t size, int64_t part, int64_t parts) {
  if (part == parts)
    return size;
  // size * part could overflow for sets of 2^31 elements and many parts.
  int64_t begin = size / parts * part + size % parts * part / parts;
  return begin / kOwnedLine * kOwnedLine;
}

int64_t op2::rt::ownedBegin(Plan const &plan, int64_t size, int64_t part) {
  for (OwnedCuts const &cuts : plan.cuts)
    if (cuts.targetSize == size)
      return cuts.begins[part];
  return ownedBegin(size, part, plan.nblocks);
}

namespace {
/// What is divided, and who owns which targets.
struct Shares {
  std::vector<ElementRange> ranges; ///< ascending
  int64_t parts;
  std::vector<OwnedCuts> cuts; ///< of each set of targets

  std::vector<int64_t> const &beginsOf(int64_t targetSize) const {
    auto at = std::find_if(cuts.begin(), cuts.end(), [&](OwnedCuts const &c) {
      return c.targetSize == targetSize;
    });
    return at->begins;
  }
};

/// A column of the maps, and the range of its targets that a part owns.
struct OwnedColumn {
  MapColumn column;
  std::vector<int64_t> const *begins; ///< [parts + 1], of the target set
  int64_t begin, end;                 ///< for the part that is looked at
};

/// Visits all elements with the parts that run them.
class Division {
public:
  Division(PlanInput const &input, Shares const &shares)
      : ranges(shares.ranges) {
    for (ColumnSet const &set : input.conflicts)
      for (MapColumn const &column : set.columns)
        columns.push_back({column, &shares.beginsOf(set.targetSize), 0, 0});
  }

  /// visit(elements, owners) for all elements, those that follow each other
  /// together if one part runs them; `owners` ascending, at least one.
  template <class Visit> void forEachRun(Visit visit) {
    std::vector<int32_t> owners(1);
    lookAt(0);
    for (ElementRange const &range : ranges)
      for (int64_t begin = range.begin, end; begin < range.end; begin = end) {
        end = endOfOwned(begin, range.end);
        if (end > begin) {
          owners.assign(1, part);
        } else {
          findOwners(begin, owners);
          lookAt(owners.front());
          end = begin + 1;
        }
        visit(ElementRange{begin, end}, owners);
      }
  }

private:
  void lookAt(int32_t other) {
    part = other;
    for (OwnedColumn &owned : columns) {
      owned.begin = (*owned.begins)[part];
      owned.end = (*owned.begins)[part + 1];
    }
  }

  /// The first element from `begin` on that reaches what others own than the
  /// part that is looked at: that of the element before, as a rule.
  /// Pieces are looked at once as a whole, then one by one.
  int64_t endOfOwned(int64_t begin, int64_t end) const {
    constexpr int64_t kPiece = 64;
    while (begin < end) {
      int64_t pieceEnd = std::min(begin + kPiece, end);
      if (begin % kPiece == 0 && areAllOwned(begin, pieceEnd))
        begin = pieceEnd;
      else if (areAllOwned(begin, begin + 1))
        ++begin;
      else
        break;
    }
    return begin;
  }
  bool areAllOwned(int64_t begin, int64_t end) const {
    for (OwnedColumn const &owned : columns) {
      int32_t least = owned.column[begin], most = least;
      forEachTarget(owned.column, begin, end, [&](int32_t target) {
        least = std::min(least, target);
        most = std::max(most, target);
      });
      if (least < owned.begin || most >= owned.end)
        return false;
    }
    return true;
  }

  void findOwners(int64_t n, std::vector<int32_t> &owners) const {
    owners.clear();
    for (OwnedColumn const &owned : columns) {
      auto after = std::upper_bound(owned.begins->begin(),
                                    owned.begins->end() - 1, owned.column[n]);
      owners.push_back(static_cast<int32_t>(after - owned.begins->begin()) - 1);
    }
    std::sort(owners.begin(), owners.end());
    owners.erase(std::unique(owners.begin(), owners.end()), owners.end());
  }

  std::vector<ElementRange> const &ranges;
  std::vector<OwnedColumn> columns;
  int32_t part = 0;
};

// Groups of elements begin anew in each piece, so that a few between guarded
// ones gain nothing by being their own.
constexpr int64_t kLeastPiece = 16;

/// Makes the pieces of one part from its elements, ascending. Short pieces that
/// touch a guarded one are guarded as well. Every piece is given to `take` when
/// its end is known.
class PieceMaker {
public:
  template <class Take>
  void add(ElementRange elements, bool isGuarded, Take take) {
    if (run.end == elements.begin && run.is_guarded == isGuarded) {
      run.end = elements.end;
      return;
    }
    closeRun(elements.begin, take);
    run = {elements.begin, elements.end, isGuarded};
  }
  template <class Take> void finish(Take take) {
    closeRun(-1, take);
    if (piece.end > piece.begin)
      take(piece);
  }

private:
  /// The next run of elements that are guarded or not begins at `next`.
  template <class Take> void closeRun(int64_t next, Take take) {
    bool touches = run.begin == endBefore || run.end == next;
    endBefore = run.end;
    run.is_guarded |= touches && run.end - run.begin < kLeastPiece;
    if (piece.end == run.begin && piece.is_guarded == run.is_guarded) {
      piece.end = run.end;
      return;
    }
    if (piece.end > piece.begin)
      take(piece);
    piece = run;
  }

  PlanPiece run = {0, 0, false}, piece = {0, 0, false};
  int64_t endBefore = -1;
};

/// take(part, piece): the pieces of each part in order.
template <class Take>
void divide(PlanInput const &input, Shares const &shares, Take take) {
  std::vector<PieceMaker> makers(static_cast<std::size_t>(shares.parts));
  Division(input, shares)
      .forEachRun([&](ElementRange elements,
                      std::vector<int32_t> const &owners) {
        for (int32_t part : owners)
          makers[part].add(elements, owners.size() > 1,
                           [&](PlanPiece const &piece) { take(part, piece); });
      });
  for (int64_t part = 0; part < shares.parts; ++part)
    makers[part].finish([&](PlanPiece const &piece) { take(part, piece); });
}
} // namespace

/// All elements, and an equal part of the targets for each.
static Shares equalShares(PlanInput const &input, int64_t parts) {
  Shares shares{{{0, input.size}}, parts, {}};
  for (ColumnSet const &set : input.conflicts) {
    shares.cuts.push_back({set.targetSize, {}});
    for (int64_t part = 0; part <= parts; ++part)
      shares.cuts.back().begins.push_back(
          ownedBegin(set.targetSize, part, parts));
  }
  return shares;
}

/// What parts own of other sets along with the targets of loops.
static void addOwnedWith(PlanInput const &input, Shares const &shares,
                         std::vector<OwnedCuts> &cuts) {
  for (ColumnSet const &set : input.conflicts)
    for (OwnedWith const &other : set.with) {
      cuts.push_back({other.size, {}});
      for (int64_t begin : shares.beginsOf(set.targetSize))
        cuts.back().begins.push_back(other.begin[begin]);
    }
}

std::vector<OwnedCuts> op2::rt::equalCuts(PlanInput const &input,
                                          int64_t parts) {
  Shares shares = equalShares(input, parts);
  std::vector<OwnedCuts> cuts = shares.cuts;
  addOwnedWith(input, shares, cuts);
  return cuts;
}

bool op2::rt::isWorthOwning(PlanInput const &input) {
  constexpr int64_t kParts = 16;
  // Beginning a piece costs about as much as a few elements.
  constexpr int64_t kPieceCost = 4;
  // Where a fifth of the work is at borders, colours take the same time.
  constexpr int64_t kMostSlow = 5;
  if (input.conflicts.empty() || input.size == 0 ||
      input.owning == Owning::Never)
    return false;
  if (input.owning == Owning::Always)
    return true;
  int64_t slow = 0;
  std::vector<int64_t> runs(kParts, 0);
  divide(input, equalShares(input, kParts),
         [&](int64_t part, PlanPiece const &piece) {
           int64_t elements = piece.end - piece.begin;
           runs[part] += elements;
           slow += kPieceCost + (piece.is_guarded ? elements : 0);
         });
  int64_t all = std::accumulate(runs.begin(), runs.end(), int64_t(0));
  int64_t most = *std::max_element(runs.begin(), runs.end());
  return slow * kMostSlow <= all && most * kParts <= 2 * all;
}

void op2::rt::divideByOwner(PlanInput const &input, Plan &plan) {
  Shares shares = input.cuts.empty()
                      ? equalShares(input, input.parts)
                      : Shares{{{0, input.size}}, input.parts, input.cuts};
  plan.cuts = input.cuts;
  addOwnedWith(input, shares, plan.cuts);
  plan.setOneColor(shares.parts);
  std::vector<std::vector<PlanPiece>> lists(
      static_cast<std::size_t>(shares.parts));
  divide(input, shares, [&](int64_t part, PlanPiece const &piece) {
    lists[part].push_back(piece);
  });
  plan.pieceBegin.push_back(0);
  for (std::vector<PlanPiece> const &pieces : lists) {
    plan.pieces.insert(plan.pieces.end(), pieces.begin(), pieces.end());
    plan.pieceBegin.push_back(static_cast<int64_t>(plan.pieces.size()));
  }
}

void op2::rt::takeOwnPart(PlanInput const &input,
                          std::vector<ElementRange> const &ranges,
                          std::vector<OwnedCuts> const &cuts, int32_t part,
                          Plan &plan) {
  plan.setOneColor(1);
  auto parts = static_cast<int64_t>(cuts.front().begins.size()) - 1;
  divide(input, {ranges, parts, cuts}, [&](int64_t of, PlanPiece const &piece) {
    if (of == part)
      plan.pieces.push_back(piece);
  });
  plan.pieceBegin = {0, static_cast<int64_t>(plan.pieces.size())};
  for (OwnedCuts const &all : cuts)
    plan.cuts.push_back(
        {all.targetSize, {all.begins[part], all.begins[part + 1]}});
}

//===- PlanFuzz.cpp - Random plans against their certificates ---*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   OP2PlanFuzz [--count=N] [--seed=N] [--seconds=N] [--chains]
//
// Builds plans for random maps (empty, of huge valence, with duplicates, of a
// set to itself), kinds of plans, block sizes and numbers of parts, and checks
// each. Then it plants a fault into a copy, one that makes the plan wrong for
// certain, and the check must find something. With --chains the same for the
// tiles of random chains of loops. Program number n of seed s is seed s + n
// alone: --seed=S --count=1 repeats it.
//
//===----------------------------------------------------------------------===//

#include "Core/Options.h"
#include "Execute/Loop.h"
#include "LoopDescriptions.h"
#include "OP2/API/op_lib_core.h"
#include "Plan/Plan.h"
#include "Queue/ChainPlans.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <omp.h>
#include <optional>
#include <random>
#include <set>

using namespace op2::rt;
using namespace op2::test;

namespace {

class Random {
public:
  explicit Random(uint64_t seed) : engine(seed) {}
  int64_t in(int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(engine);
  }
  bool oneIn(int64_t n) { return in(1, n) == 1; }
  int64_t size() {
    switch (in(0, 19)) {
    case 0:
      return 0;
    case 1:
      return 1;
    case 2:
      return in(1000, 6000);
    case 3:
      return in(300, 1000);
    default:
      return in(2, 120);
    }
  }

private:
  std::mt19937_64 engine;
};

//===----------------------------------------------------------------------===//
// Random tables
//===----------------------------------------------------------------------===//

enum class Shape { Anywhere, Near, One, Few, Permuted, Last };

/// Rows of `width` entries that lead to one of `targets` elements.
std::vector<int32_t> randomTable(Random &random, int64_t size, int64_t width,
                                 int64_t targets) {
  std::vector<int32_t> table(static_cast<std::size_t>(size * width));
  auto shape = static_cast<Shape>(random.in(0, int(Shape::Last) - 1));
  int64_t one = random.in(0, targets - 1), few = std::min<int64_t>(targets, 3);
  for (int64_t n = 0; n < size; ++n)
    for (int64_t s = 0; s < width; ++s) {
      int64_t target = random.in(0, targets - 1);
      if (shape == Shape::Near)
        target = std::clamp(n * targets / size + random.in(-3, 3), int64_t(0),
                            targets - 1);
      else if (shape == Shape::One)
        target = one;
      else if (shape == Shape::Few)
        target = random.in(0, few - 1);
      else if (shape == Shape::Permuted)
        target = (n * 7919 + s * 31) % targets;
      table[n * width + s] = static_cast<int32_t>(target);
    }
  for (int64_t n = 0; width > 1 && random.oneIn(4) && n < size; n += 3)
    table[n * width + 1] = table[n * width]; // twice in a row
  return table;
}

//===----------------------------------------------------------------------===//
// Random inputs of plans
//===----------------------------------------------------------------------===//

struct Problem {
  PlanInput input;
  std::vector<std::vector<int32_t>> tables;
};

ColumnSet randomColumns(Random &random, Problem &problem) {
  int64_t size = problem.input.size;
  ColumnSet set;
  int64_t maps = random.oneIn(4) ? 2 : 1;
  bool isSelf = random.oneIn(4);
  set.targetSize =
      isSelf ? std::max<int64_t>(size, 1) : std::max<int64_t>(random.size(), 1);
  for (int64_t m = 0; m < maps; ++m) {
    int64_t width = random.in(1, random.oneIn(10) ? 12 : 4);
    problem.tables.push_back(randomTable(random, size, width, set.targetSize));
    int64_t used = random.in(1, width);
    for (int64_t slot = 0; slot < used; ++slot)
      set.columns.push_back({problem.tables.back().data(), width, slot});
  }
  if (isSelf && random.oneIn(2))
    set.columns.push_back({}); // direct
  return set;
}

/// Blocks that own rows of what conflicts, with numbers missing.
void makeSums(Random &random, PlanInput &input) {
  input.what = OP2RT_PLAN_OWNED_ROWS;
  input.blockSize = std::min<int64_t>(input.blockSize, 1000);
  input.isOneByOne = random.oneIn(8);
  input.isInOrder = random.oneIn(16);
  for (ColumnSet const &set : input.conflicts) {
    SumSlots sum{set.targetSize, set.columns, {}};
    int32_t number = -1;
    for (std::size_t c = 0; c < set.columns.size(); ++c)
      sum.numbers.push_back(number +=
                            static_cast<int32_t>(random.oneIn(5) ? 2 : 1));
    input.sums.push_back(std::move(sum));
  }
  input.conflicts.clear();
}

void makeProblem(Random &random, Problem &problem) {
  PlanInput &input = problem.input;
  input.size = random.size();
  input.blockSize =
      random.oneIn(3) ? random.in(1, 2 * input.size + 1) : random.in(1, 40);
  for (int64_t sets = random.in(random.oneIn(8) ? 0 : 1, 3); sets > 0; --sets)
    input.conflicts.push_back(randomColumns(random, problem));
  switch (random.in(0, 6)) {
  case 0:
    break;
  case 6:
    return makeSums(random, input);
  case 1:
    input.what = OP2RT_PLAN_ELEMENT_COLORS;
    break;
  case 2:
    input.what = OP2RT_PLAN_ELEMENT_COLORS | OP2RT_PLAN_UNCOLORED;
    break;
  case 3:
    input.what = OP2RT_PLAN_GLOBAL_COLORS;
    break;
  default:
    input.what = OP2RT_PLAN_OWNER;
    input.owning = random.oneIn(4) ? Owning::Auto : Owning::Always;
    input.parts = static_cast<int32_t>(random.in(1, 20));
    if (input.conflicts.empty())
      input.conflicts.push_back(randomColumns(random, problem));
  }
}

//===----------------------------------------------------------------------===//
// Planted faults
//===----------------------------------------------------------------------===//

std::set<int32_t> targetsOf(ColumnSet const &set, int64_t n) {
  std::set<int32_t> targets;
  for (MapColumn const &column : set.columns)
    targets.insert(column[n]);
  return targets;
}

bool doMeet(PlanInput const &input, int64_t a, int64_t b) {
  for (ColumnSet const &set : input.conflicts) {
    std::set<int32_t> first = targetsOf(set, a);
    for (int32_t target : targetsOf(set, b))
      if (first.count(target))
        return true;
  }
  return false;
}

/// Do two elements in different blocks of a colour meet?
bool hasConflict(PlanInput const &input, Plan const &plan, int32_t color) {
  for (ColumnSet const &set : input.conflicts) {
    std::vector<int64_t> seen(static_cast<std::size_t>(set.targetSize), -1);
    for (int64_t p = plan.colorBegin[color]; p < plan.colorBegin[color + 1];
         ++p) {
      int64_t b = plan.blkmap[p];
      for (int64_t i = plan.offset[b]; i < plan.offset[b] + plan.nelems[b];
           ++i) {
        bool isPermuted = !plan.permutation.empty();
        int64_t n = isPermuted ? plan.permutation[i] : i;
        int64_t who = isPermuted ? n : b;
        for (int32_t target : targetsOf(set, n)) {
          if (seen[target] >= 0 && seen[target] != who)
            return true;
          seen[target] = who;
        }
      }
    }
  }
  return false;
}

/// Makes plans wrong. Each returns false where it cannot.
class Saboteur {
public:
  Saboteur(Random &random, PlanInput const &input, Plan &plan)
      : random(random), input(input), plan(plan) {}

  /// Name of the fault; NULL if none could be planted.
  char const *plant() {
    using Plant = bool (Saboteur::*)();
    static constexpr std::pair<char const *, Plant> kFaults[] = {
        {"length of a block", &Saboteur::changeLength},
        {"a block twice", &Saboteur::repeatBlock},
        {"two colours as one", &Saboteur::mergeColors},
        {"a colour's beginning", &Saboteur::moveColor},
        {"colour of an element", &Saboteur::recolor},
        {"colour that is none", &Saboteur::colorOutOfRange},
        {"permutation", &Saboteur::repeatElement},
        {"target of a sum", &Saboteur::changeTarget},
        {"order of a sum", &Saboteur::swapEntries},
        {"a piece less", &Saboteur::dropPiece},
        {"end of a piece", &Saboteur::shortenPiece},
        {"a piece twice", &Saboteur::repeatPiece},
        {"a guard less", &Saboteur::dropGuard},
    };
    constexpr int64_t kCount = sizeof kFaults / sizeof *kFaults;
    int64_t first = random.in(0, kCount - 1);
    for (int64_t n = 0; n < kCount; ++n) {
      auto const &[name, plantIt] = kFaults[(first + n) % kCount];
      if ((this->*plantIt)())
        return name;
    }
    return nullptr;
  }

private:
  bool hasBlocks() const {
    return !plan.trivial && !plan.isOwned() && plan.nblocks > 0;
  }
  int64_t pick(int64_t count) { return random.in(0, count - 1); }

  bool changeLength() {
    if (!hasBlocks())
      return false;
    plan.nelems[pick(plan.nblocks)] += random.oneIn(2) ? 1 : -1;
    return true;
  }
  bool repeatBlock() {
    if (!hasBlocks() || plan.nblocks < 2)
      return false;
    int64_t p = pick(plan.nblocks - 1);
    plan.blkmap[p] = plan.blkmap[p + 1];
    return true;
  }
  bool mergeColors() {
    if (!hasBlocks() || plan.ncolors < 2 || (input.what & OP2RT_PLAN_UNCOLORED))
      return false;
    Plan whole = plan;
    int64_t c = pick(plan.ncolors - 1);
    whole.ncolblk[c] += whole.ncolblk[c + 1];
    whole.ncolblk.erase(whole.ncolblk.begin() + c + 1);
    whole.colorBegin.erase(whole.colorBegin.begin() + c + 1);
    --whole.ncolors;
    if (!hasConflict(input, whole, static_cast<int32_t>(c)))
      return false;
    plan = std::move(whole);
    return true;
  }
  bool moveColor() {
    if (!hasBlocks())
      return false;
    ++plan.colorBegin[pick(plan.ncolors + 1)];
    return true;
  }
  bool recolor() {
    if (!hasBlocks() || plan.thrcol.empty() || input.conflicts.empty())
      return false;
    for (int tries = 0; tries < 10; ++tries) {
      int64_t b = pick(plan.nblocks), count = plan.nelems[b];
      int64_t n = plan.offset[b] + pick(count),
              m = plan.offset[b] + pick(count);
      if (n == m || !doMeet(input, n, m))
        continue;
      plan.thrcol[n] = plan.thrcol[m];
      return true;
    }
    return false;
  }
  bool colorOutOfRange() {
    if (!hasBlocks() || plan.thrcol.empty() ||
        !(input.what & OP2RT_PLAN_ELEMENT_COLORS))
      return false;
    int64_t b = pick(plan.nblocks);
    plan.thrcol[plan.offset[b]] = random.oneIn(2) ? plan.nthrcol[b] : -1;
    return true;
  }
  bool repeatElement() {
    if (plan.permutation.size() < 2)
      return false;
    int64_t n = pick(int64_t(plan.permutation.size()) - 1);
    if (plan.permutation[n] == plan.permutation[n + 1])
      return false;
    plan.permutation[n] = plan.permutation[n + 1];
    return true;
  }
  OwnedSet *pickOwned() {
    if (!hasBlocks() || plan.ownedSets.empty())
      return nullptr;
    return &plan.ownedSets[pick(int64_t(plan.ownedSets.size()))];
  }
  bool changeTarget() {
    OwnedSet *owned = pickOwned();
    if (!owned || owned->targets.empty())
      return false;
    owned->targets[pick(int64_t(owned->targets.size()))] +=
        random.oneIn(2) ? 1 : -1;
    return true;
  }
  bool swapEntries() {
    OwnedSet *owned = pickOwned();
    if (!owned || owned->sumEntries.size() < 2)
      return false;
    int64_t n = pick(int64_t(owned->sumEntries.size()) - 1);
    std::swap(owned->sumEntries[n], owned->sumEntries[n + 1]);
    return owned->sumEntries[n] != owned->sumEntries[n + 1];
  }
  int64_t pickPiece() {
    return plan.pieces.empty() ? -1 : pick(int64_t(plan.pieces.size()));
  }
  void addToBegins(int64_t piece, int64_t change) {
    for (int64_t &begin : plan.pieceBegin)
      begin += begin > piece ? change : 0;
  }
  bool dropPiece() {
    int64_t piece = pickPiece();
    if (piece < 0)
      return false;
    plan.pieces.erase(plan.pieces.begin() + piece);
    addToBegins(piece, -1);
    return true;
  }
  bool shortenPiece() {
    int64_t piece = pickPiece();
    if (piece < 0)
      return false;
    if (random.oneIn(2))
      --plan.pieces[piece].end;
    else
      ++plan.pieces[piece].begin;
    return true;
  }
  bool repeatPiece() {
    int64_t piece = pickPiece();
    if (piece < 0)
      return false;
    plan.pieces.insert(plan.pieces.begin() + piece, plan.pieces[piece]);
    addToBegins(piece, 1);
    return true;
  }
  /// All of them, if one was needed: two parts reach what one of them runs.
  bool dropGuard() {
    bool isNeeded = false;
    std::vector<int> runs(static_cast<std::size_t>(plan.size));
    for (PlanPiece &piece : plan.pieces) {
      piece.is_guarded = false;
      for (int64_t n = piece.begin; n < piece.end; ++n)
        isNeeded |= ++runs[n] > 1;
    }
    return isNeeded;
  }

  Random &random;
  PlanInput const &input;
  Plan &plan;
};

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

struct Counts {
  int64_t plans = 0, planted = 0, failures = 0;
};

void complain(Counts &counts, uint64_t seed, std::string const &what) {
  ++counts.failures;
  std::fprintf(stderr, "seed %llu: %s\n", static_cast<unsigned long long>(seed),
               what.c_str());
}

void checkOnePlan(uint64_t seed, Counts &counts) {
  Random random(seed);
  Problem problem;
  makeProblem(random, problem);
  Plan plan = buildPlan(problem.input);
  ++counts.plans;
  for (std::string const &fault : checkPlan(problem.input, plan))
    complain(counts, seed, fault);
  // Plans do not depend on the number of threads.
  if (random.oneIn(64)) {
    omp_set_num_threads(3);
    Plan other = buildPlan(problem.input);
    omp_set_num_threads(1);
    if (other.blkmap != plan.blkmap || other.thrcol != plan.thrcol ||
        other.permutation != plan.permutation)
      complain(counts, seed, "three threads make another plan");
  }
  Plan broken = plan;
  char const *fault = Saboteur(random, problem.input, broken).plant();
  if (!fault)
    return;
  ++counts.planted;
  if (checkPlan(problem.input, broken).empty())
    complain(counts, seed, std::string("not found: ") + fault);
}

//===----------------------------------------------------------------------===//
// Chains
//===----------------------------------------------------------------------===//

/// Loops of a random program; descriptions live as long as the program.
class ChainProblem {
public:
  explicit ChainProblem(Random &random) : random(random) {
    int64_t numSets = random.in(1, 3);
    for (int64_t s = 0; s < numSets; ++s) {
      sets.push_back(op_decl_set(
          static_cast<int>(random.in(random.oneIn(9) ? 0 : 1, 400)), "set"));
      for (int64_t d = random.in(1, 2); d > 0; --d)
        dats.push_back(
            op_decl_dat_char(sets.back(), 1, "double", 8, nullptr, "dat"));
    }
    for (int64_t m = random.in(1, 4); m > 0; --m)
      addMap();
    auto numLoops = static_cast<std::size_t>(random.in(2, 6));
    args.resize(numLoops);
    descs.resize(numLoops);
    while (calls.size() < numLoops)
      addLoop(calls.size());
  }
  ChainCalls calls;

private:
  template <class T> T const &pick(std::vector<T> const &all) {
    return all[static_cast<std::size_t>(random.in(0, int64_t(all.size()) - 1))];
  }
  void addMap() {
    op_set from = pick(sets), to = pick(sets);
    if (to->size == 0)
      return;
    int64_t dim = random.in(1, 4);
    std::vector<int32_t> table = randomTable(random, from->size, dim, to->size);
    maps.push_back(
        op_decl_map(from, to, static_cast<int>(dim), table.data(), "map"));
  }

  void addArg(std::size_t loop, std::vector<op2rt_arg> &values, op_dat dat,
              op_map map, int access, int slot) {
    auto group = static_cast<int32_t>(std::find(dats.begin(), dats.end(), dat) -
                                      dats.begin());
    args[loop].push_back(describeArg(
        OP2RT_ARG_DAT, access, map ? slot : OP2RT_DIRECT, 1, OP2RT_F64, group));
    values.push_back({dat, map, 1});
  }
  /// One dat is changed, directly or through all slots of a map, with another
  /// one that is written or added to directly; others are read.
  void addLoop(std::size_t loop) {
    op_set set = pick(sets);
    std::vector<op2rt_arg> values;
    std::vector<op_map> here;
    for (op_map map : maps)
      if (map->from == set)
        here.push_back(map);
    op_dat changed = nullptr, written = nullptr;
    bool isIndirect = !here.empty() && random.oneIn(2);
    if (isIndirect) {
      op_map map = pick(here);
      changed = datOn(map->to);
      for (int slot = 0; slot < map->dim; ++slot)
        addArg(loop, values, changed, map, OP2RT_INC, slot);
      op_dat direct = datOn(set);
      if (direct != changed && random.oneIn(2)) {
        written = direct;
        addArg(loop, values, written, nullptr,
               random.oneIn(2) ? OP2RT_WRITE : OP2RT_INC, 0);
      }
    } else {
      changed = datOn(set);
      addArg(loop, values, changed, nullptr, OP2RT_RW, 0);
    }
    for (int64_t n = random.in(0, 2); n > 0; --n) {
      op_map map = !here.empty() && random.oneIn(2) ? pick(here) : nullptr;
      op_dat read = datOn(map ? map->to : set);
      if (read != changed && read != written)
        addArg(loop, values, read, map, OP2RT_READ,
               map ? static_cast<int>(random.in(0, map->dim - 1)) : 0);
    }
    finish(loop, set, std::move(values), isIndirect);
  }
  op_dat datOn(op_set set) {
    std::vector<op_dat> on;
    for (op_dat dat : dats)
      if (dat->set == set)
        on.push_back(dat);
    return pick(on);
  }
  void finish(std::size_t number, op_set set, std::vector<op2rt_arg> values,
              bool isIndirect) {
    // One call site a number for the whole run.
    static std::array<void *, 8> states{};
    op2rt_loop_desc &desc = descs[number];
    desc = describeLoop("loop", args[number]);
    desc.state = states[number];
    op2rt_loop *loop = op2rt_loop_begin(&desc, set, values.data());
    op2rt_plan_get(loop, 0, isIndirect ? OP2RT_PLAN_OWNER : OP2RT_PLAN_BLOCKS);
    states[number] = desc.state;
    calls.push_back(loop->state->calls.front());
    op2rt_loop_end(loop);
  }

  Random &random;
  std::vector<op_set> sets;
  std::vector<op_dat> dats;
  std::vector<op_map> maps;
  std::vector<std::vector<op2rt_arg_desc>> args;
  std::vector<op2rt_loop_desc> descs;
};

/// Takes away something that must be there.
char const *plantInChain(Random &random, ChainPlans &plans) {
  std::vector<std::size_t> threads(plans.threads.size());
  std::iota(threads.begin(), threads.end(), 0);
  for (std::size_t t : threads) {
    auto &parts = plans.threads[t].parts;
    if (parts.empty())
      continue;
    auto number =
        static_cast<std::size_t>(random.in(0, int64_t(parts.size()) - 1));
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(number));
    return "a part less";
  }
  return nullptr;
}

void checkOneChain(uint64_t seed, Counts &counts) {
  Random random(seed);
  setenv("OP2_OWNER", random.oneIn(3) ? "auto" : "always", 1);
  setenv("OP2_TILE_SIZE", std::to_string(random.in(1, 200)).c_str(), 1);
  setenv("OP2_TUNE", "off", 1);
  op_init(0, nullptr, 0);
  {
    ChainProblem problem(random);
    ChainTiles tiles = findTiles(
        describeChain(problem.calls, static_cast<int>(random.in(1, 6))));
    if (tiles.obstacle.empty()) {
      ChainPlans plans = makePlans(problem.calls, tiles);
      ++counts.plans;
      for (std::string const &fault : checkPlans(problem.calls, plans))
        complain(counts, seed, fault);
      if (char const *fault = plantInChain(random, plans)) {
        ++counts.planted;
        if (checkPlans(problem.calls, plans).empty())
          complain(counts, seed, std::string("not found: ") + fault);
      }
    }
    op_exit();
  }
}

std::optional<int64_t> valueOf(char const *argument, char const *name) {
  std::size_t length = std::strlen(name);
  if (std::strncmp(argument, name, length) != 0 || argument[length] == '\0')
    return std::nullopt;
  char *end = nullptr;
  int64_t value = std::strtoll(argument + length, &end, 10);
  if (*end != '\0' || value < 0)
    return std::nullopt;
  return value;
}

} // namespace

int main(int argc, char **argv) {
  int64_t count = 2000, seed = 1, seconds = INT64_MAX;
  bool chains = false;
  for (int n = 1; n < argc; ++n) {
    if (auto value = valueOf(argv[n], "--count=")) {
      count = *value;
    } else if ((value = valueOf(argv[n], "--seed="))) {
      seed = *value;
    } else if ((value = valueOf(argv[n], "--seconds="))) {
      seconds = *value;
    } else if (std::strcmp(argv[n], "--chains") == 0) {
      chains = true;
    } else {
      std::fprintf(stderr,
                   "usage: %s [--count=N] [--seed=N] [--seconds=N] "
                   "[--chains]\n",
                   argv[0]);
      return 2;
    }
  }
  omp_set_num_threads(1);
  using Clock = std::chrono::steady_clock;
  auto start = Clock::now();
  auto elapsed = [&] {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  Counts counts;
  for (int64_t n = 0; n < count && elapsed() < double(seconds); ++n)
    chains ? checkOneChain(uint64_t(seed + n), counts)
           : checkOnePlan(uint64_t(seed + n), counts);
  std::printf("%lld plans, %lld faults planted, %lld failures, %.0f plans a "
              "second\n",
              static_cast<long long>(counts.plans),
              static_cast<long long>(counts.planted),
              static_cast<long long>(counts.failures),
              double(counts.plans) / elapsed());
  return counts.failures == 0 ? 0 : 1;
}

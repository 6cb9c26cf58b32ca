//===- Generate.cpp - Programs that seeds decide --------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "Random.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace mlir::op2;
using namespace mlir::op2::fuzz;

namespace {
class Generator {
public:
  explicit Generator(uint64_t seed) : random(seed) { program.seed = seed; }

  Program generate();

private:
  void makeSets();
  void makeMap();
  void makeDat(int set);
  int makeGlobal();
  Statement makeStatement(int depth);
  std::vector<Statement> makeBody(int depth, int64_t most);
  void addUses(LoopPart &loop, int dat);
  void addDatArg(LoopPart &loop, int dat, Access access, int map);
  void addGlobalArg(LoopPart &loop);
  void addInfo(LoopPart &loop, int followed);
  void addIndex(LoopPart &loop);
  void chooseUse(ArgPart &arg);
  LoopPart makeLoop(int set);
  void makeSteps();
  std::vector<int> mapsBetween(int from, int to) const;
  int pickSet() { return int(random.below(int64_t(program.sets.size()))); }
  ValueType pickType();

  Random random;
  Program program;
  bool mayCallMath = false;
};
} // namespace

//===----------------------------------------------------------------------===//
// Meshes
//===----------------------------------------------------------------------===//

void Generator::makeSets() {
  int64_t count = random.between(1, 4);
  for (int64_t n = 0; n < count; ++n)
    program.sets.push_back(
        {random.pick<int64_t>({0, 1, 2, 7, 13, 33, 64, 90, 150, 257})});
  if (program.sets[0].size < 5)
    program.sets[0].size = random.between(5, 300);
}

/// Each target at most once, from values[0] on in steps that depend on the
/// last.
static void makeInjective(std::vector<int32_t> &values, int64_t size) {
  int64_t first = values.front(), step = values.back() + 1;
  while (std::gcd(step, size) != 1)
    ++step;
  for (auto [n, value] : llvm::enumerate(values))
    value = int32_t((first + int64_t(n) * step) % size);
}

void Generator::makeMap() {
  MapPart map;
  map.from = pickSet();
  do
    map.to = pickSet();
  while (program.sets[map.to].size == 0 && program.sets[map.from].size > 0);
  map.arity = random.pick<int64_t>({1, 2, 2, 3, 4, 6});
  int64_t size = program.sets[map.to].size;
  // Few targets of high valence, all of them, or neighbours.
  int64_t reach = random.pick<int64_t>({1, 3, size, size, size});
  bool isLocal = random.chance(30);
  for (int64_t n = 0; n < program.sets[map.from].size * map.arity; ++n) {
    int64_t target = random.below(std::max<int64_t>(1, std::min(reach, size)));
    if (isLocal)
      target = (n / map.arity + random.below(4)) % size;
    map.values.push_back(int32_t(target));
  }
  if (map.arity == 1 && reach == size && !map.values.empty() &&
      int64_t(map.values.size()) <= size && map.values[0] % 2 == 0)
    makeInjective(map.values, size);
  program.maps.push_back(map);
}

ValueType Generator::pickType() {
  return random.pick({ValueType::F64, ValueType::F64, ValueType::F64,
                      ValueType::F32, ValueType::I32, ValueType::UI32,
                      ValueType::I64, ValueType::UI64, ValueType::I1,
                      random.pick({ValueType::I8, ValueType::UI8,
                                   ValueType::I16, ValueType::UI16})});
}

void Generator::makeDat(int set) {
  DatPart dat;
  dat.set = set;
  dat.dim = random.pick<int64_t>({1, 1, 1, 1, 2, 2, 2, 3, 4, 5, 8});
  if (random.chance(3))
    dat.dim = random.between(9, 40);
  dat.type = pickType();
  dat.isExact = !program.isRounded && random.chance(60);
  dat.factor = random.chance(15) ? 0 : int(random.between(1, 9));
  program.dats.push_back(dat);
}

int Generator::makeGlobal() {
  GlobalPart global;
  global.dim = random.pick<int64_t>({1, 1, 1, 2, 3, 5});
  global.type = pickType();
  global.factor = int(random.between(1, 9));
  program.globals.push_back(global);
  return int(program.globals.size()) - 1;
}

std::vector<int> Generator::mapsBetween(int from, int to) const {
  std::vector<int> found;
  for (auto [n, map] : llvm::enumerate(program.maps))
    if (map.from == from && map.to == to)
      found.push_back(int(n));
  return found;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

Statement Generator::makeStatement(int depth) {
  Statement statement;
  statement.target = int(random.below(kNumNumbers));
  statement.operation = int(random.below(1 << 16));
  statement.operand = int(random.between(-1, kNumNumbers - 1));
  statement.constant =
      random.chance(80) ? random.between(-20, 40) : int64_t(random.next());
  int64_t what = random.below(100);
  if (what < 50 || depth >= 3) {
    statement.kind = Statement::Assign;
    // Functions of the C library take long.
    if (!mayCallMath && statement.operation % 19 == 18)
      statement.constant |= 1;
    return statement;
  }
  size_t bodies = 1;
  if (what < 68) {
    statement.kind = Statement::If;
    bodies = 2;
  } else if (what < 76) {
    statement.kind = Statement::For;
  } else if (what < 82) {
    statement.kind = Statement::While;
  } else if (what < 87) {
    statement.kind = Statement::Switch;
    bodies = size_t(random.between(2, 4));
  } else {
    statement.kind = what < 93 ? Statement::Array : Statement::Fetch;
    bodies = 0;
  }
  for (size_t n = 0; n < bodies; ++n)
    statement.bodies.push_back(makeBody(depth + 1, 2));
  return statement;
}

std::vector<Statement> Generator::makeBody(int depth, int64_t most) {
  std::vector<Statement> body;
  for (int64_t n = random.below(most + 1); n > 0; --n)
    body.push_back(makeStatement(depth));
  return body;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// What the kernel does with an argument.
void Generator::chooseUse(ArgPart &arg) {
  arg.number = int(random.below(kNumNumbers));
  arg.form = int(random.below(1 << 12));
  arg.constant = random.between(-6, 9);
  arg.inLoop = random.chance(20);
  arg.isConditional = random.chance(30);
}

void Generator::addDatArg(LoopPart &loop, int dat, Access access, int map) {
  ArgPart arg;
  arg.access = access;
  arg.object = dat;
  arg.map = map;
  if (map >= 0) {
    int64_t arity = program.maps[map].arity;
    arg.isVector = random.chance(45);
    arg.isPacked = arg.isVector && random.chance(50);
    arg.count = arg.isVector ? random.between(1, arity) : 1;
    arg.slot = random.below(arity - arg.count + 1);
  }
  arg.isOptional = random.chance(10);
  arg.isActive = random.chance(60);
  arg.hidesHandle = random.chance(15);
  chooseUse(arg);
  // What is long to compile is rare.
  if (program.dats[dat].dim > 4)
    arg.inLoop = random.chance(80);
  loop.args.push_back(arg);
}

/// One way to use a dat, with several arguments perhaps.
void Generator::addUses(LoopPart &loop, int number) {
  const DatPart &dat = program.dats[number];
  bool isDirect = dat.set == loop.set;
  std::vector<int> maps = mapsBetween(loop.set, dat.set);
  bool isSummable = dat.type != ValueType::I1 &&
                    (!isFloat(dat.type) || dat.isExact || program.isRounded);
  bool isOrdered = dat.type != ValueType::I1;
  std::vector<Access> indirect = {Access::Read, Access::Read, Access::Write};
  if (isSummable)
    indirect.insert(indirect.end(),
                    {Access::Inc, Access::Inc, Access::Inc, Access::ReadWrite});
  if (isOrdered)
    indirect.insert(indirect.end(), {Access::Min, Access::Max});
  std::vector<Access> direct = {Access::Read, Access::Read, Access::Write,
                                Access::ReadWrite};
  if (isSummable)
    direct.push_back(Access::Inc);
  if (isOrdered)
    direct.push_back(random.pick({Access::Min, Access::Max}));
  if (maps.empty() || (isDirect && random.chance(40))) {
    if (!isDirect)
      return;
    Access access = random.pick(direct);
    addDatArg(loop, number, access, -1);
    if (access != Access::Read || maps.empty())
      return;
    addDatArg(loop, number, access, random.pick(maps));
    return;
  }
  Access access = random.pick(indirect);
  for (int64_t n = random.pick<int64_t>({1, 1, 2, 2, 3}); n > 0; --n) {
    bool alsoDirect = isDirect && random.chance(15);
    // Rows that are not read hold other values than those written through maps.
    if (alsoDirect && (access == Access::Write || access == Access::ReadWrite))
      alsoDirect = false;
    addDatArg(loop, number, access, alsoDirect ? -1 : random.pick(maps));
  }
}

void Generator::addIndex(LoopPart &loop) {
  ArgPart arg;
  arg.kind = ArgKind::Index;
  std::vector<int> maps;
  for (auto [n, map] : llvm::enumerate(program.maps))
    if (map.from == loop.set)
      maps.push_back(int(n));
  if (!maps.empty() && random.chance(50)) {
    arg.map = random.pick(maps);
    arg.slot = random.below(program.maps[arg.map].arity);
  }
  chooseUse(arg);
  arg.inLoop = false;
  loop.args.push_back(arg);
}

void Generator::addInfo(LoopPart &loop, int followed) {
  ArgPart arg;
  arg.kind = ArgKind::Info;
  arg.access = loop.args[followed].access;
  arg.infoOf = followed;
  arg.object = makeGlobal();
  program.globals[arg.object].dim =
      program.globals[loop.args[followed].object].dim * random.between(1, 2);
  chooseUse(arg);
  loop.args.push_back(arg);
}

void Generator::addGlobalArg(LoopPart &loop) {
  ArgPart arg;
  arg.kind = ArgKind::Global;
  arg.access =
      random.pick({Access::Read, Access::Read, Access::Inc, Access::Inc,
                   Access::Min, Access::Max, Access::Write});
  // Some are used by several loops.
  bool isKnown = !program.globals.empty() && random.chance(25);
  arg.object = isKnown ? int(random.below(int64_t(program.globals.size())))
                       : makeGlobal();
  GlobalPart &global = program.globals[arg.object];
  if (llvm::any_of(loop.args, [&](const ArgPart &other) {
        return other.kind != ArgKind::Dat && other.kind != ArgKind::Index &&
               other.object == arg.object;
      }))
    return;
  if (global.type == ValueType::I1 && arg.access != Access::Write)
    arg.access = Access::Read;
  arg.isOptional = random.chance(8);
  arg.isActive = random.chance(60);
  chooseUse(arg);
  loop.args.push_back(arg);
  bool isCompared = arg.access == Access::Min || arg.access == Access::Max;
  if (isCompared && !arg.isOptional && random.chance(25))
    addInfo(loop, int(loop.args.size()) - 1);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

LoopPart Generator::makeLoop(int set) {
  LoopPart loop;
  loop.set = set;
  std::vector<int> near;
  for (auto [n, dat] : llvm::enumerate(program.dats))
    if (dat.set == set || !mapsBetween(set, dat.set).empty())
      near.push_back(int(n));
  for (size_t n = near.size(); n > 1; --n)
    std::swap(near[n - 1], near[size_t(random.below(int64_t(n)))]);
  near.resize(std::min<size_t>(near.size(), size_t(random.between(1, 3))));
  for (int dat : near)
    addUses(loop, dat);
  if (random.chance(30))
    addIndex(loop);
  for (int64_t n = random.pick<int64_t>({0, 0, 1, 1, 2}); n > 0; --n)
    addGlobalArg(loop);
  loop.body = makeBody(0, 3);
  loop.form = random.chance(30) ? KernelForm::Imported : KernelForm::Raised;
  loop.inFunction = random.chance(40);
  if (random.chance(10))
    loop.blockSize = random.pick<int64_t>({1, 7, 32, 64, 100});
  if (random.chance(10))
    loop.strategy = int(random.pick({Strategy::TwoLevel, Strategy::Atomics,
                                     Strategy::Global, Strategy::Auto}));
  return loop;
}

void Generator::makeSteps() {
  int64_t count = random.pick<int64_t>({1, 1, 2, 2, 3});
  int set = pickSet();
  for (int64_t n = 0; n < count; ++n) {
    // Neighbours on one set may be fused.
    if (random.chance(40))
      set = pickSet();
    program.loops.push_back(makeLoop(set));
  }
  std::vector<Step> steps;
  for (int64_t n = 0; n < count; ++n) {
    steps.push_back({Step::Loop, int(n), 1, {}});
    if (random.chance(10))
      steps.push_back(
          {Step::Show, int(random.below(int64_t(program.dats.size()))), 1, {}});
  }
  if (random.chance(30))
    steps.push_back({Step::Loop, int(random.below(count)), 1, {}});
  if (!random.chance(40)) {
    program.steps = steps;
    return;
  }
  auto begin = size_t(random.below(int64_t(steps.size())));
  Step repeat{Step::Repeat, 0, random.between(2, 4), {}};
  repeat.body.assign(steps.begin() + long(begin), steps.end());
  steps.resize(begin);
  steps.push_back(repeat);
  program.steps = steps;
}

Program Generator::generate() {
  program.isRounded = random.chance(10);
  mayCallMath = random.chance(10);
  makeSets();
  for (int64_t n = random.between(1, 4); n > 0; --n)
    makeMap();
  for (size_t set = 0; set < program.sets.size(); ++set)
    for (int64_t n = random.between(1, 3); n > 0; --n)
      makeDat(int(set));
  makeSteps();
  dropUnused(program);
  return program;
}

Program fuzz::generate(uint64_t seed) { return Generator(seed).generate(); }

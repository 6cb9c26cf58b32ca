//===- Reduce.cpp - Makes a program that fails small ----------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thing less after the other, on the description: what is left keeps OP2's
// promises, whatever is taken away.
//
//===----------------------------------------------------------------------===//

#include "Reduce.h"
#include "llvm/ADT/STLExtras.h"

#include <chrono>

using namespace mlir::op2;
using namespace mlir::op2::fuzz;

//===----------------------------------------------------------------------===//
// What nobody uses
//===----------------------------------------------------------------------===//

/// Keeps the objects that are marked; where each of them then is, or -1.
template <class T>
static std::vector<int> keep(std::vector<T> &objects,
                             const std::vector<bool> &isUsed) {
  std::vector<int> places(objects.size(), -1);
  std::vector<T> kept;
  for (size_t n = 0; n < objects.size(); ++n) {
    if (!isUsed[n])
      continue;
    places[n] = int(kept.size());
    kept.push_back(std::move(objects[n]));
  }
  objects = std::move(kept);
  return places;
}

static void forSteps(std::vector<Step> &steps,
                     llvm::function_ref<void(Step &)> use) {
  for (Step &step : steps) {
    use(step);
    forSteps(step.body, use);
  }
}

static void dropUnusedLoops(Program &program) {
  std::vector<bool> used(program.loops.size());
  forSteps(program.steps, [&](Step &step) {
    if (step.kind == Step::Loop)
      used[size_t(step.object)] = true;
  });
  std::vector<int> places = keep(program.loops, used);
  forSteps(program.steps, [&](Step &step) {
    if (step.kind == Step::Loop)
      step.object = places[size_t(step.object)];
  });
}

static void dropUnusedData(Program &program) {
  std::vector<bool> maps(program.maps.size()), dats(program.dats.size()),
      globals(program.globals.size());
  auto forArgs = [&](llvm::function_ref<void(ArgPart &)> use) {
    for (LoopPart &loop : program.loops)
      llvm::for_each(loop.args, use);
  };
  auto isGlobal = [](const ArgPart &arg) {
    return arg.kind == ArgKind::Global || arg.kind == ArgKind::Info;
  };
  forArgs([&](ArgPart &arg) {
    if (arg.map >= 0)
      maps[size_t(arg.map)] = true;
    if (arg.kind == ArgKind::Dat)
      dats[size_t(arg.object)] = true;
    else if (isGlobal(arg))
      globals[size_t(arg.object)] = true;
  });
  forSteps(program.steps, [&](Step &step) {
    if (step.kind == Step::Show)
      dats[size_t(step.object)] = true;
  });
  std::vector<int> mapPlaces = keep(program.maps, maps);
  std::vector<int> datPlaces = keep(program.dats, dats);
  std::vector<int> globalPlaces = keep(program.globals, globals);
  forArgs([&](ArgPart &arg) {
    if (arg.map >= 0)
      arg.map = mapPlaces[size_t(arg.map)];
    if (arg.kind == ArgKind::Dat)
      arg.object = datPlaces[size_t(arg.object)];
    else if (isGlobal(arg))
      arg.object = globalPlaces[size_t(arg.object)];
  });
  forSteps(program.steps, [&](Step &step) {
    if (step.kind == Step::Show)
      step.object = datPlaces[size_t(step.object)];
  });
}

static void dropUnusedSets(Program &program) {
  std::vector<bool> used(program.sets.size());
  for (const LoopPart &loop : program.loops)
    used[size_t(loop.set)] = true;
  for (const MapPart &map : program.maps)
    used[size_t(map.from)] = used[size_t(map.to)] = true;
  for (const DatPart &dat : program.dats)
    used[size_t(dat.set)] = true;
  std::vector<int> places = keep(program.sets, used);
  for (LoopPart &loop : program.loops)
    loop.set = places[size_t(loop.set)];
  for (MapPart &map : program.maps) {
    map.from = places[size_t(map.from)];
    map.to = places[size_t(map.to)];
  }
  for (DatPart &dat : program.dats)
    dat.set = places[size_t(dat.set)];
}

void fuzz::dropUnused(Program &program) {
  dropUnusedLoops(program);
  dropUnusedData(program);
  dropUnusedSets(program);
}

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

/// False if a map would lead nowhere.
static bool resize(Program &program, size_t set, int64_t size) {
  program.sets[set].size = size;
  for (MapPart &map : program.maps) {
    int64_t from = program.sets[size_t(map.from)].size;
    int64_t to = program.sets[size_t(map.to)].size;
    if (from > 0 && to == 0)
      return false;
    map.values.resize(size_t(from * map.arity));
    for (int32_t &value : map.values)
      value = int32_t(value % to);
  }
  return true;
}

static void removeArg(LoopPart &loop, size_t number) {
  loop.args.erase(loop.args.begin() + long(number));
  llvm::erase_if(loop.args,
                 [&](const ArgPart &arg) { return arg.infoOf == int(number); });
  for (ArgPart &arg : loop.args)
    arg.infoOf -= arg.infoOf > int(number);
}

namespace {
/// Tries one change after the other and keeps those after which the program
/// still fails.
class Reducer {
public:
  using Fails = std::function<bool(const Program &, const Variant &)>;

  Reducer(Program &program, Variant &variant, double time, const Fails &fails)
      : program(program), variant(variant), fails(fails),
        end(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                               std::chrono::duration<double>(time))) {}

  void run() {
    attempt([](Program &) { return true; });
    do {
      hasChanged = false;
      reduceSteps([](Program &program) -> std::vector<Step> & {
        return program.steps;
      });
      reduceLoops();
      reduceObjects();
      reduceVariant();
    } while (hasChanged && !isOver());
  }

private:
  using Clock = std::chrono::steady_clock;
  using Change = llvm::function_ref<bool(Program &)>;
  using StepsOf = std::function<std::vector<Step> &(Program &)>;
  using BodyOf = std::function<std::vector<Statement> &(Program &)>;

  bool isOver() const { return Clock::now() >= end; }

  bool attempt(Change change) {
    if (isOver())
      return false;
    Program candidate = program;
    if (!change(candidate))
      return false;
    dropUnused(candidate);
    if (!fails(candidate, variant))
      return false;
    program = std::move(candidate);
    hasChanged = true;
    return true;
  }

  void reduceSteps(const StepsOf &stepsOf) {
    for (size_t n = stepsOf(program).size(); n-- > 0;) {
      if (attempt([&](Program &p) {
            stepsOf(p).erase(stepsOf(p).begin() + long(n));
            return true;
          }))
        continue;
      if (stepsOf(program)[n].kind != Step::Repeat)
        continue;
      if (attempt([&](Program &p) {
            std::vector<Step> &steps = stepsOf(p), body = steps[n].body;
            steps.erase(steps.begin() + long(n));
            steps.insert(steps.begin() + long(n), body.begin(), body.end());
            return true;
          }))
        continue;
      attempt([&](Program &p) { return --stepsOf(p)[n].count > 0; });
      reduceSteps([&, n](Program &p) -> std::vector<Step> & {
        return stepsOf(p)[n].body;
      });
    }
  }

  /// Removals of loops move others: numbers are looked at again each time.
  void reduceLoops() {
    for (size_t n = 0; n < program.loops.size(); ++n) {
      for (size_t arg = program.loops[n].args.size(); arg-- > 0;)
        if (arg < program.loops[n].args.size())
          reduceArg(n, arg);
      reduceBody([n](Program &p) -> std::vector<Statement> & {
        return p.loops[n].body;
      });
      setTo(n, &LoopPart::inFunction, false);
      setTo(n, &LoopPart::form, KernelForm::Raised);
      setTo(n, &LoopPart::blockSize, int64_t(-1));
      setTo(n, &LoopPart::strategy, -1);
    }
  }

  template <class T> void setTo(size_t loop, T LoopPart::*member, T value) {
    attempt([&](Program &p) {
      bool isOther = p.loops[loop].*member != value;
      p.loops[loop].*member = value;
      return isOther;
    });
  }

  template <class T>
  void setTo(size_t loop, size_t arg, T ArgPart::*member, T value) {
    attempt([&](Program &p) {
      T &place = p.loops[loop].args[arg].*member;
      bool isOther = place != value;
      place = value;
      return isOther;
    });
  }

  void reduceArg(size_t loop, size_t number) {
    if (attempt([&](Program &p) {
          removeArg(p.loops[loop], number);
          return true;
        }))
      return;
    setTo(loop, number, &ArgPart::isOptional, false);
    setTo(loop, number, &ArgPart::hidesHandle, false);
    setTo(loop, number, &ArgPart::inLoop, false);
    setTo(loop, number, &ArgPart::isConditional, false);
    setTo(loop, number, &ArgPart::form, 0);
    setTo(loop, number, &ArgPart::constant, int64_t(0));
    setTo(loop, number, &ArgPart::isPacked, false);
    attempt([&](Program &p) {
      ArgPart &arg = p.loops[loop].args[number];
      if (arg.isPacked)
        return false;
      bool isVector = arg.isVector;
      arg.isVector = false;
      arg.count = 1;
      return isVector;
    });
  }

  void reduceBody(const BodyOf &bodyOf) {
    for (size_t n = bodyOf(program).size(); n-- > 0;) {
      if (attempt([&](Program &p) {
            bodyOf(p).erase(bodyOf(p).begin() + long(n));
            return true;
          }))
        continue;
      for (size_t m = 0; m < bodyOf(program)[n].bodies.size(); ++m) {
        bool isReplaced = attempt([&](Program &p) {
          std::vector<Statement> inner = bodyOf(p)[n].bodies[m];
          bodyOf(p).erase(bodyOf(p).begin() + long(n));
          bodyOf(p).insert(bodyOf(p).begin() + long(n), inner.begin(),
                           inner.end());
          return true;
        });
        if (isReplaced)
          break;
        reduceBody([&, n, m](Program &p) -> std::vector<Statement> & {
          return bodyOf(p)[n].bodies[m];
        });
      }
    }
  }

  void reduceObjects() {
    for (size_t n = 0; n < program.sets.size(); ++n) {
      int64_t size = program.sets[n].size;
      for (int64_t less : {int64_t(0), int64_t(1), int64_t(2), size / 4,
                           size / 2, size * 3 / 4, size - 1})
        if (less >= 0 && n < program.sets.size() &&
            less < program.sets[n].size &&
            attempt([&](Program &p) { return resize(p, n, less); }))
          break;
    }
    for (size_t n = 0; n < program.dats.size(); ++n)
      for (int64_t less : {int64_t(1), int64_t(2), program.dats[n].dim / 2,
                           program.dats[n].dim - 1})
        if (n < program.dats.size() && less > 0 && less < program.dats[n].dim)
          attempt([&](Program &p) {
            p.dats[n].dim = less;
            return true;
          });
    for (size_t n = 0; n < program.maps.size(); ++n)
      attempt([&](Program &p) {
        bool isOther = llvm::any_of(p.maps[n].values,
                                    [](int32_t value) { return value != 0; });
        std::fill(p.maps[n].values.begin(), p.maps[n].values.end(), 0);
        return isOther;
      });
  }

  void reduceVariant() {
    for (bool goesOn = true; goesOn && !isOver();) {
      goesOn = false;
      for (const Variant &simpler : simplerVariants(variant)) {
        if (isOver() || !fails(program, simpler))
          continue;
        variant = simpler;
        goesOn = hasChanged = true;
        break;
      }
    }
  }

  Program &program;
  Variant &variant;
  const Fails &fails;
  Clock::time_point end;
  bool hasChanged = false;
};
} // namespace

void fuzz::reduce(
    Program &program, Variant &variant, double time,
    const std::function<bool(const Program &, const Variant &)> &fails) {
  Reducer(program, variant, time, fails).run();
}

static size_t countStatements(llvm::ArrayRef<Statement> body) {
  size_t count = body.size();
  for (const Statement &statement : body)
    for (const std::vector<Statement> &inner : statement.bodies)
      count += countStatements(inner);
  return count;
}

std::string fuzz::describeSize(const Program &program) {
  size_t args = 0, statements = 0;
  for (const LoopPart &loop : program.loops) {
    args += loop.args.size();
    statements += countStatements(loop.body);
  }
  return std::to_string(program.loops.size()) + " loops, " +
         std::to_string(args) + " arguments, " + std::to_string(statements) +
         " statements";
}

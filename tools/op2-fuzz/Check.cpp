//===- Check.cpp - Does a program give the oracle's results? --------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "ModuleBuilder.h"
#include "OP2/Analysis/LoopArguments.h"
#include "OP2/Analysis/Ownership.h"
#include "OP2/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::op2;
using namespace mlir::op2::fuzz;

static bool usesMath(ArrayRef<Statement> body) {
  return llvm::any_of(body, [](const Statement &statement) {
    bool isCall = statement.kind == Statement::Assign &&
                  statement.operation % 19 == 18 && statement.target >= 2 &&
                  statement.constant % 4 == 0;
    return isCall || llvm::any_of(statement.bodies, usesMath);
  });
}

/// The targets that a program is compared on, mostly one: another program says
/// more than another target does.
static SmallVector<Target> pickTargets(Random &random, const Program &program,
                                       const Settings &settings) {
  SmallVector<Target> targets;
  // Sums in other orders are other sums, but for threads and owners.
  if (program.isRounded) {
    if (settings.openmp)
      targets.push_back(Target::OpenMP);
    if (settings.emulator && random.chance(50))
      targets.push_back(Target::Emulator);
    return targets;
  }
  bool takesBoth = random.chance(15), prefersOpenMP = random.chance(55);
  if (settings.openmp && (takesBoth || prefersOpenMP || !settings.emulator))
    targets.push_back(Target::OpenMP);
  if (settings.emulator && (takesBoth || !prefersOpenMP || !settings.openmp))
    targets.push_back(Target::Emulator);
  if (random.chance(5))
    targets.push_back(Target::Seq);
  // The C library's functions of a GPU come with CUDA.
  bool hasMath = llvm::any_of(
      program.loops, [](const LoopPart &loop) { return usesMath(loop.body); });
  if (settings.gpu && !hasMath && (random.chance(2) || targets.empty()))
    targets.push_back(Target::CUDA);
  return targets;
}

/// Packed rows are read to find out which of them change, while other elements
/// may store there.
static bool mayKeepRows(const Program &program) {
  return llvm::any_of(program.loops, [](const LoopPart &loop) {
    return llvm::any_of(loop.args, [](const ArgPart &arg) {
      return arg.isPacked && arg.access == Access::Write;
    });
  });
}

std::vector<Variant> fuzz::variantsOf(const Program &program,
                                      const Settings &settings) {
  Random random(program.seed ^ 0x5EED);
  std::vector<Variant> variants;
  for (Target target : pickTargets(random, program, settings)) {
    Variant variant = pickVariant(random, target);
    variant.isPlanted = settings.plants;
    variant.countsAccesses =
        target == Target::Emulator && !mayKeepRows(program);
    if (program.isRounded)
      variant.threads = int(random.between(2, 4));
    variant.keepsOrder =
        program.isRounded && (target == Target::Emulator || random.chance(60));
    if (variant.keepsOrder) {
      variant.strategy = Strategy::Owner;
      variant.owner = "always";
      if (target == Target::OpenMP)
        variant.blockSize = 0;
    }
    variants.push_back(variant);
  }
  return variants;
}

Variant fuzz::oracleOf(const Program &program, const Variant &variant) {
  Variant oracle;
  if (!program.isRounded)
    return oracle;
  if (variant.keepsOrder) {
    oracle.renumber = variant.renumber;
    return oracle;
  }
  oracle = variant;
  oracle.threads = 1;
  return oracle;
}

/// Whether the sums of a loop are those of the sequential loop where it is
/// divided by ownership.
static bool keepsOrder(ParLoopOp loop, Target target) {
  SmallVector<LoopArg> args = loop.getLoopArgs();
  bool hasOtherSums = llvm::any_of(args, [](const LoopArg &arg) {
    return arg.isGlobal() && arg.getAccess() == Access::Inc &&
           isa<FloatType>(arg.getElementType()) && !arg.isExactSum();
  });
  if (hasOtherSums)
    return false;
  if (!hasConflicts(args))
    return true;
  auto kernel = SymbolTable::lookupNearestSymbolFrom<FunctionOpInterface>(
      loop, loop.getKernelAttr());
  Owners owners = target == Target::OpenMP ? Owners::Threads : Owners::Blocks;
  return loop.getBlockSize().value_or(0) == 0 &&
         loop.getStrategy().value_or(Strategy::Owner) == Strategy::Owner &&
         !findOwnershipObstacle(args, kernel, owners);
}

/// The same for a program. Dats that have two handles are found to be one when
/// it runs, and then there are colours.
static bool keepsOrder(ModuleOp module, const Program &program,
                       const Variant &variant) {
  for (const LoopPart &loop : program.loops)
    if (llvm::any_of(loop.args,
                     [](const ArgPart &arg) { return arg.hidesHandle; }))
      return false;
  OwningOpRef<ModuleOp> raised = module.clone();
  PassManager manager(module.getContext());
  if (variant.raises)
    manager.addPass(createOP2RaiseKernelsPass());
  if (failed(manager.run(*raised)))
    return false;
  return !raised
              ->walk([&](ParLoopOp loop) {
                return keepsOrder(loop, variant.target)
                           ? WalkResult::advance()
                           : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// The quarters that exact floats are multiples of become halves.
bool fuzz::plantMistake(ModuleOp module) {
  bool isDone = false;
  module.walk([&](arith::ConstantOp constant) {
    auto value = dyn_cast<FloatAttr>(constant.getValue());
    if (isDone || !value || value.getValueAsDouble() != 0.25)
      return;
    constant.setValueAttr(FloatAttr::get(value.getType(), 0.5));
    isDone = true;
  });
  return isDone;
}

/// The object that a shown value belongs to.
static std::string describePlace(const Program &program, size_t total,
                                 size_t place) {
  size_t behind = 0;
  for (const DatPart &dat : program.dats)
    behind += size_t(program.sets[dat.set].size * dat.dim);
  for (const GlobalPart &global : program.globals)
    behind += size_t(global.dim);
  if (place + behind < total)
    return "a value shown on the way";
  size_t at = place + behind - total;
  for (auto [n, dat] : llvm::enumerate(program.dats)) {
    auto count = size_t(program.sets[dat.set].size * dat.dim);
    if (at < count)
      return llvm::formatv("d{0}, element {1}, component {2}", n,
                           at / size_t(dat.dim), at % size_t(dat.dim));
    at -= count;
  }
  for (auto [n, global] : llvm::enumerate(program.globals)) {
    if (at < size_t(global.dim))
      return llvm::formatv("g{0}, component {1}", n, at);
    at -= size_t(global.dim);
  }
  return "nothing known";
}

static std::string compare(const Program &program, ArrayRef<uint64_t> expected,
                           ArrayRef<uint64_t> found) {
  if (expected.size() != found.size())
    return llvm::formatv("{0} values instead of {1}", found.size(),
                         expected.size());
  size_t count = 0, first = 0;
  for (size_t n = 0; n < found.size(); ++n)
    if (expected[n] != found[n] && count++ == 0)
      first = n;
  if (count == 0)
    return "";
  return llvm::formatv("{0} of {1} values differ, first {2}: expected {3:x}, "
                       "got {4:x}",
                       count, found.size(),
                       describePlace(program, found.size(), first),
                       expected[first], found[first]);
}

std::optional<Failure>
fuzz::checkProgram(Runner &runner, const Program &program, MLIRContext &context,
                   ArrayRef<Variant> variants,
                   llvm::function_ref<void(int, const char *)> reached) {
  reached(-1, "the module");
  OwningOpRef<ModuleOp> module = buildModule(context, program);
  if (!module || failed(verify(*module)))
    return Failure{Variant(), "the module is not valid"};
  std::optional<Outcome> expected;
  for (auto [n, given] : llvm::enumerate(variants)) {
    Variant variant = given;
    if (variant.keepsOrder && !keepsOrder(*module, program, variant)) {
      if (variant.target != Target::OpenMP)
        continue;
      variant.keepsOrder = false;
    }
    if (variant.keepsOrder)
      runner.count("run: rounded sums in order, " +
                   stringifyTarget(variant.target).str());
    if (!expected || program.isRounded) {
      reached(int(n), "the oracle");
      expected = runner.run(*module, oracleOf(program, variant));
      if (!expected->error.empty())
        return Failure{variant, "the oracle: " + expected->error};
    }
    reached(int(n), "the variant");
    OwningOpRef<ModuleOp> other = module->clone();
    if (variant.isPlanted)
      plantMistake(*other);
    Outcome found = runner.run(*other, variant);
    std::string problem = found.error;
    if (problem.empty() && variant.target != Target::CUDA)
      problem = compare(program, expected->values, found.values);
    if (!problem.empty())
      return Failure{variant, problem};
  }
  return std::nullopt;
}

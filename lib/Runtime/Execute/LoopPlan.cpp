//===- LoopPlan.cpp - The plans of loops ------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// op2rt_plan_get: plans by key, and which one a loop gets now.
//
//===----------------------------------------------------------------------===//

#include "LoopPlan.h"
#include "Core/Clock.h"
#include "Core/Error.h"
#include "Core/Job.h"
#include "Core/Memory.h"
#include "Core/Progress.h"
#include "Core/Trace.h"
#include "Loop.h"
#include "LoopHooks.h"
#include "LoopPart.h"
#include "LoopTuning.h"
#include "Plan/OwnedRows.h"
#include "Tune/Tuner.h"

#include <memory>
#include <omp.h>
#include <unordered_map>

using namespace op2::rt;

using PlanTable = std::unordered_map<std::string, std::unique_ptr<op2rt_plan>>;

static PlanTable &plans() {
  static auto *table = new PlanTable;
  return *table;
}

void op2::rt::forgetPlans() { plans().clear(); }

void op2::rt::releasePlans(Set const *set) {
  std::string of = set ? planKeyOf(*set) : "";
  auto &all = plans();
  for (auto at = all.begin(); at != all.end();) {
    if (at->first.compare(0, of.size(), of) != 0) {
      ++at;
      continue;
    }
    loopHooks.releasePlan(*at->second);
    at = all.erase(at);
  }
}

static void reportPlan(op2rt_loop const &loop, Plan const &plan) {
  if (OP_diags < 2)
    return;
  if (plan.isOwned()) {
    int64_t runs = 0;
    for (PlanPiece const &piece : plan.pieces)
      runs += piece.end - piece.begin;
    op_printf("op2: plan for loop %s over %s (%lld elements): %lld parts in "
              "%zu pieces, %lld elements twice or more, %.3f ms, %lld bytes\n",
              loop.desc->name, loop.set->name,
              static_cast<long long>(plan.size),
              static_cast<long long>(plan.nblocks), plan.pieces.size(),
              static_cast<long long>(runs - plan.size), plan.seconds * 1e3,
              static_cast<long long>(memoryOf(plan)));
    return;
  }
  op_printf("op2: plan for loop %s over %s (%lld elements): %lld blocks of "
            "%lld, %d colours, %.3f ms, %lld bytes\n",
            loop.desc->name, loop.set->name, static_cast<long long>(plan.size),
            static_cast<long long>(plan.nblocks),
            static_cast<long long>(plan.blockSize), plan.ncolors,
            plan.seconds * 1e3, static_cast<long long>(memoryOf(plan)));
  if (plan.what & OP2RT_PLAN_OWNED_ROWS)
    op_printf("op2:   %lld elements twice or more\n",
              static_cast<long long>(plan.permutation.size()) -
                  static_cast<long long>(plan.size));
}

/// Of a loop that runs for copies on a device.
static ElementRange elementsOfCopies(op2rt_loop const &loop) {
  PlanPiece const &all = loop.copies->pieces.front();
  return {all.begin, all.end};
}

static op2rt_plan const *findOrBuild(op2rt_loop const &loop, int64_t blockSize,
                                     uint32_t what) {
  double start = now();
  PlanInput input = planInput(loop, blockSize, what, /*byRows=*/true);
  if (loop.copies)
    input.take(elementsOfCopies(loop));
  if (mostIncrements(input) > kMostIncrements)
    fatal(Problem::Launch,
          "loop %s: blocks of %lld elements add %lld times to a dat; "
          "expected at most %lld times: use smaller blocks",
          loop.desc->name, static_cast<long long>(blockSize),
          static_cast<long long>(mostIncrements(input)),
          static_cast<long long>(kMostIncrements));
  std::unique_ptr<op2rt_plan> &entry = plans()[planKey(loop, input)];
  if (!entry) {
    Progress progress("the plan of loop " + std::string(loop.desc->name));
    entry = std::make_unique<op2rt_plan>(buildPlan(input));
    progress.end();
    requireNumbered(loop.desc->name,
                    static_cast<int64_t>(entry->permutation.size()));
    reportPlan(loop, *entry);
    if (shouldCheckPlans())
      requireSoundPlan(loop.desc->name, input, *entry);
    traceSince(start, "plan", loop.desc->name);
  }
  bookPlanTime(*loop.state, now() - start);
  return entry.get();
}

static void checkWhat(op2rt_loop const &loop, uint32_t what) {
  uint32_t known = OP2RT_PLAN_ELEMENT_COLORS | OP2RT_PLAN_GLOBAL_COLORS |
                   OP2RT_PLAN_UNCOLORED | OP2RT_PLAN_OWNER |
                   OP2RT_PLAN_OWNED_ROWS;
  // Elements in a block of a permutation do not conflict. Parts have pieces.
  uint32_t alone =
      OP2RT_PLAN_GLOBAL_COLORS | OP2RT_PLAN_OWNER | OP2RT_PLAN_OWNED_ROWS;
  bool isAlone = (what & (what - 1)) == 0;
  if ((what & ~known) != 0 || ((what & alone) && !isAlone))
    fatal(Problem::Call,
          "loop %s: there is no plan of kind %u; expected "
          "OP2RT_PLAN_GLOBAL_COLORS, OP2RT_PLAN_OWNER or "
          "OP2RT_PLAN_OWNED_ROWS alone, or a sum of the others",
          loop.desc->name, what);
}

/// The plan of the loop in progress for these blocks, built if it is new.
static op2rt_plan const *findPlan(op2rt_loop const &loop, int64_t blockSize,
                                  uint32_t what) {
  bool areCopies = loop.copies != nullptr;
  Aliasing aliasing = aliasingOf(loop);
  for (PlanUse const &use : loop.call->plans)
    if (use.blockSize == blockSize && use.what == what &&
        use.areCopies == areCopies && use.aliasing == aliasing)
      return use.plan;
  op2rt_plan const *plan = findOrBuild(loop, blockSize, what);
  loop.call->plans.push_back({blockSize, what, areCopies, aliasing, plan});
  return plan;
}

/// Blocks as the loop's code asks for them.
static op2rt_plan const *
planOfCopiesOnDevice(op2rt_loop const &loop, int64_t blockSize, uint32_t what) {
  if (blockSize == 0)
    blockSize = defaultBlockSize(loop.copies->size);
  return findPlan(loop, blockSize, what);
}

/// A block of a loop that reduces many values has more elements than these,
/// which are cleared and combined for blocks or threads. 0: any.
static int64_t leastBlockSize(op2rt_loop const &loop) {
  constexpr int64_t kElementsOfValue = 4;
  int64_t values = 0;
  for (int m = 0; m < loop.desc->nargs; ++m) {
    op2rt_arg_desc const &arg = loop.desc->args[m];
    bool isReduced = arg.kind == OP2RT_ARG_GLOBAL && arg.access != OP2RT_READ &&
                     arg.access != OP2RT_WORK;
    if (isReduced && loop.args[m].active &&
        arg.dim > OP2RT_MOST_EXACT_COMPONENTS)
      values = std::max<int64_t>(values, arg.dim);
  }
  return values * kElementsOfValue / kBlockStep * kBlockStep;
}

/// How the loop runs now: what it is tuned to, or tries.
static Choice chooseExecution(op2rt_loop const &loop, op2rt_plan const &plan,
                              bool mayCutBlocks) {
  if (loop.state->target != OP2RT_TARGET_OPENMP ||
      requestedTuning() == Tuning::Off)
    return {};
  std::unique_ptr<LoopTuning> &tuning = loop.call->tuning;
  if (!tuning)
    tuning = beginTuning(loop, plan, mayCutBlocks);
  return tuning->current();
}

/// What the loop gets now. It depends on the mesh, as results depend on it, but
/// not on the machine.
static PlanAnswer answer(op2rt_loop const &loop, int64_t blockSize,
                         uint32_t what) {
  PlanAnswer given;
  given.blockSize = blockSize;
  given.what = what;
  given.partSize = OP_part_size;
  given.aliasing = aliasingOf(loop);
  given.strategy = loop.state->strategy;
  bool asksForOwnership = what == OP2RT_PLAN_OWNER;
  if (blockSize == 0 && OP_part_size > 0)
    blockSize = OP_part_size;
  bool mayCutBlocks = blockSize == 0;
  bool isScattered = mayCutBlocks && hasScatteredConflicts(loop);
  // A requested block size means blocks.
  bool mayOwn = mayCutBlocks && (!isScattered || job.keepsOrder ||
                                 requestedOwning() == Owning::Always);
  if (asksForOwnership && !mayOwn)
    what = OP2RT_PLAN_BLOCKS;
  bool isSmall = mayCutBlocks && isScattered && !changesHubs(loop);
  int64_t const least = leastBlockSize(loop);
  if (mayCutBlocks)
    blockSize = std::max(isSmall ? scatteredBlockSize(ownOf(loop.set))
                                 : defaultBlockSize(ownOf(loop.set)),
                         least);
  given.plan = findPlan(loop, blockSize, what);
  // Rows that one element in some hundred reaches are in no sample: threads
  // would wait for each other after a few small blocks.
  constexpr int64_t kBlocksOfColor = 3;
  if (isSmall && given.plan->nblocks < given.plan->ncolors * kBlocksOfColor)
    given.plan = findPlan(
        loop, std::max(defaultBlockSize(ownOf(loop.set)), least), what);
  // Blocks that have colours would add to a row in another order. Devices run
  // what their code was made for.
  bool keepsOrder = given.plan->trivial || given.plan->isOwned() ||
                    isDeviceTarget(loop.state->target);
  // Elements that change one array through two dats meet where plans do not
  // look.
  bool isInOrder =
      !isDeviceTarget(loop.state->target) && haveOneArray(*loop.call);
  if ((job.keepsOrder && !keepsOrder) || isInOrder)
    given.plan =
        findPlan(loop, std::max(ownOf(loop.set), 1), OP2RT_PLAN_BLOCKS);
  Choice choice =
      isInOrder ? Choice() : chooseExecution(loop, *given.plan, mayCutBlocks);
  if (choice.blockSize > 0)
    given.plan = findPlan(loop, choice.blockSize, what);
  // Where each colour is one block, other threads would find nothing to do.
  given.inThreads = choice.inThreads && given.plan->mostBlocks > 1;
  given.leavesThreads = !given.inThreads && omp_get_max_threads() > 1;
  // Timings tell how the loop ran.
  if (asksForOwnership)
    given.strategy = given.plan->isOwned() || given.plan->trivial
                         ? loop.state->compiledStrategy.c_str()
                         : "block colours";
  return given;
}

static op2rt_plan const *take(op2rt_loop &loop, PlanAnswer const &given) {
  loop.inThreads = given.inThreads;
  loop.leavesThreads = given.leavesThreads;
  loop.state->strategy = given.strategy;
  return given.plan;
}

/// With all optional arrays.
OP2_SLOW_PATH
static op2rt_plan const *getOnSlowPath(op2rt_loop &loop, int64_t blockSize,
                                       uint32_t what) try {
  if (blockSize < 0)
    fatal(Problem::Call, "loop %s: block size is %lld; expected at least 0",
          loop.desc->name, static_cast<long long>(blockSize));
  checkWhat(loop, what);
  if (LoopPart const *part = currentPart())
    return part->plan;
  if (loop.copies && !isDeviceTarget(loop.state->target))
    return loop.copies;
  if (loop.copies)
    return planOfCopiesOnDevice(loop, blockSize, what);
  PlanAnswer given = answer(loop, blockSize, what);
  PlanAnswer &known = loop.call->answer;
  loop.call->hasSeveralPlans |=
      known.plan && (known.blockSize != blockSize || known.what != what);
  loop.call->plan = given.plan;
  loop.call->planPartSize = given.partSize;
  if (!loop.call->isOnTrial())
    known = given;
  return take(loop, given);
} catch (std::bad_alloc const &) {
  endWithoutMemory("a plan");
}

extern "C" OP2_FAST_PATH op2rt_plan const *
op2rt_plan_get(op2rt_loop *loop, int64_t block_size, uint32_t what) {
  PlanAnswer const &known = loop->call->answer;
  bool isKnown = fastPath.pending == kInLoop && known.plan &&
                 known.blockSize == block_size && known.what == what &&
                 known.partSize == OP_part_size &&
                 known.aliasing == aliasingOf(*loop);
  return isKnown ? take(*loop, known) : getOnSlowPath(*loop, block_size, what);
}

extern "C" OP2_FAST_PATH int32_t
op2rt_plan_uses_threads(op2rt_plan const *plan) {
  op2rt_loop *loop = currentLoop();
  if (!loop)
    return plan->mostBlocks > 1;
  loop->state->countAlone += loop->leavesThreads;
  return loop->inThreads;
}

//===- Plan.cpp - Plans by key, and questions about them --------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// op2rt_plan_get and the plan queries.
//
//===----------------------------------------------------------------------===//

#include "Plan.h"
#include "Chain/Chain.h"
#include "Clock.h"
#include "Loop.h"
#include "Options.h"
#include "Ownership.h"
#include "Tune/Tuner.h"

#include <algorithm>
#include <numeric>
#include <omp.h>
#include <unordered_map>

using namespace op2::rt;

using PlanTable = std::unordered_map<std::string, std::unique_ptr<op2rt_plan>>;

static PlanTable &plans() {
  static auto *table = new PlanTable;
  return *table;
}

void op2::rt::forgetPlans() { plans().clear(); }

template <class T> static int64_t memoryOf(std::vector<T> const &values) {
  return static_cast<int64_t>(values.size() * sizeof(T));
}

void Plan::setOneColor(int64_t blocks) {
  nblocks = blocks;
  trivial = false;
  blkmap.resize(static_cast<std::size_t>(blocks));
  std::iota(blkmap.begin(), blkmap.end(), 0);
  ncolors = 1;
  ncolblk = {static_cast<int32_t>(blocks)};
  colorBegin = {0, blocks};
}

int64_t op2::rt::memoryOf(Plan const &plan) {
  int64_t bytes = ::memoryOf(plan.offset) + ::memoryOf(plan.nelems) +
                  ::memoryOf(plan.blkmap) + ::memoryOf(plan.ncolblk) +
                  ::memoryOf(plan.colorBegin) + ::memoryOf(plan.thrcol) +
                  ::memoryOf(plan.nthrcol) + ::memoryOf(plan.permutation) +
                  ::memoryOf(plan.pieces) + ::memoryOf(plan.pieceBegin);
  for (OwnedCuts const &cuts : plan.cuts)
    bytes += ::memoryOf(cuts.begins);
  for (StagedSet const &staged : plan.stages) {
    bytes += ::memoryOf(staged.indMap) + ::memoryOf(staged.indOffs) +
             ::memoryOf(staged.indSizes);
    for (auto const &column : staged.local16)
      bytes += ::memoryOf(column);
    for (auto const &column : staged.local32)
      bytes += ::memoryOf(column);
  }
  return bytes;
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
  if (plan.nshared)
    op_printf("op2:   up to %lld bytes staged per block\n",
              static_cast<long long>(plan.nshared));
}

void op2::rt::requireSoundPlan(char const *loop, PlanInput const &input,
                               Plan const &plan) {
  std::string text;
  for (std::string const &fault : checkPlan(input, plan))
    text += "\n  " + fault;
  if (!text.empty())
    op2rt_fatal("loop %s: the plan is wrong, please report this:%s", loop,
                text.c_str());
}

static op2rt_plan const *findOrBuild(op2rt_loop const &loop, int64_t blockSize,
                                     uint32_t what) {
  double start = now();
  PlanInput input = planInput(loop, blockSize, what);
  std::unique_ptr<op2rt_plan> &entry = plans()[planKey(loop, input)];
  if (!entry) {
    entry = std::make_unique<op2rt_plan>(buildPlan(input));
    reportPlan(loop, *entry);
    if (shouldCheckPlans())
      requireSoundPlan(loop.desc->name, input, *entry);
  }
  bookPlanTime(*loop.state, now() - start);
  return entry.get();
}

static void checkWhat(op2rt_loop const &loop, uint32_t what) {
  uint32_t known = OP2RT_PLAN_ELEMENT_COLORS | OP2RT_PLAN_STAGE |
                   OP2RT_PLAN_GLOBAL_COLORS | OP2RT_PLAN_UNCOLORED |
                   OP2RT_PLAN_OWNER;
  // Blocks of a permutation have no elements [begin, end) to stage for, and
  // their elements do not conflict. Parts have pieces.
  bool isAlone = what == OP2RT_PLAN_GLOBAL_COLORS || what == OP2RT_PLAN_OWNER;
  if ((what & ~known) != 0 ||
      ((what & (OP2RT_PLAN_GLOBAL_COLORS | OP2RT_PLAN_OWNER)) && !isAlone))
    op2rt_fatal("loop %s: there is no plan of kind %u; expected "
                "OP2RT_PLAN_GLOBAL_COLORS or OP2RT_PLAN_OWNER alone, or a sum "
                "of the others",
                loop.desc->name, what);
}

/// The plan of the loop in progress for these blocks, built if it is new.
static op2rt_plan const *findPlan(op2rt_loop const &loop, int64_t blockSize,
                                  uint32_t what) {
  for (PlanUse const &use : loop.call->plans)
    if (use.blockSize == blockSize && use.what == what)
      return use.plan;
  op2rt_plan const *plan = findOrBuild(loop, blockSize, what);
  loop.call->plans.push_back({blockSize, what, plan});
  return plan;
}

/// How the loop runs now: what it is tuned to, or tries.
static Choice chooseExecution(op2rt_loop const &loop, op2rt_plan const &plan,
                              bool mayCutBlocks) {
  if (loop.state->target != OP2RT_TARGET_OPENMP || askedTuning() == Tuning::Off)
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
  given.strategy = loop.state->strategy;
  bool asksForOwnership = what == OP2RT_PLAN_OWNER;
  if (blockSize == 0 && OP_part_size > 0)
    blockSize = OP_part_size;
  bool mayCutBlocks = blockSize == 0;
  bool isScattered = mayCutBlocks && hasScatteredConflicts(loop);
  // Who asks for blocks of a size gets blocks.
  bool mayOwn =
      mayCutBlocks && (!isScattered || askedOwning() == Owning::Always);
  if (asksForOwnership && !mayOwn)
    what = OP2RT_PLAN_BLOCKS;
  if (mayCutBlocks)
    blockSize = isScattered ? scatteredBlockSize(op2rt_loop_size(&loop))
                            : defaultBlockSize(op2rt_loop_size(&loop));
  given.plan = findPlan(loop, blockSize, what);
  Choice choice = chooseExecution(loop, *given.plan, mayCutBlocks);
  if (choice.blockSize > 0)
    given.plan = findPlan(loop, choice.blockSize, what);
  // Where each colour is one block, other threads would find nothing to do.
  given.inThreads = choice.inThreads && given.plan->mostBlocks > 1;
  given.leavesThreads = !given.inThreads && omp_get_max_threads() > 1;
  // Timings tell how the loop ran.
  if (asksForOwnership)
    given.strategy = given.plan->isOwned() || given.plan->trivial
                         ? loop.desc->strategy
                         : "block colours";
  return given;
}

static op2rt_plan const *take(op2rt_loop &loop, PlanAnswer const &given) {
  loop.inThreads = given.inThreads;
  loop.leavesThreads = given.leavesThreads;
  loop.state->strategy = given.strategy;
  return given.plan;
}

/// With all that can be asked for.
OP2_RARELY
static op2rt_plan const *getAttended(op2rt_loop &loop, int64_t blockSize,
                                     uint32_t what) {
  if (blockSize < 0)
    op2rt_fatal("loop %s: block size is %lld; expected at least 0",
                loop.desc->name, static_cast<long long>(blockSize));
  checkWhat(loop, what);
  if (ChainPart const *part = currentPart())
    return part->plan;
  PlanAnswer given = answer(loop, blockSize, what);
  if (!loop.call->isOnTrial())
    loop.call->answer = given;
  noteLoopPlan(given.plan);
  return take(loop, given);
}

extern "C" OP2_OFTEN op2rt_plan const *
op2rt_plan_get(op2rt_loop *loop, int64_t block_size, uint32_t what) {
  PlanAnswer const &known = loop->call->answer;
  bool isKnown = watch.concerns == kInLoop && known.plan &&
                 known.blockSize == block_size && known.what == what &&
                 known.partSize == OP_part_size;
  return isKnown ? take(*loop, known) : getAttended(*loop, block_size, what);
}

extern "C" OP2_OFTEN int32_t op2rt_plan_uses_threads(op2rt_plan const *plan) {
  op2rt_loop *loop = currentLoop();
  if (!loop)
    return plan->mostBlocks > 1;
  loop->state->countAlone += loop->leavesThreads;
  return loop->inThreads;
}

extern "C" OP2_OFTEN int64_t op2rt_plan_num_colors(op2rt_plan const *plan) {
  return plan->ncolors;
}
extern "C" OP2_OFTEN int64_t op2rt_plan_color_begin(op2rt_plan const *plan,
                                                    int64_t color) {
  if (plan->trivial)
    return color == 0 ? 0 : plan->nblocks;
  return plan->colorBegin[color];
}
// OpenMP's own way to share a loop touches some forty cache lines more.
extern "C" OP2_OFTEN op2rt_range op2rt_plan_thread_range(op2rt_plan const *plan,
                                                         int64_t color) {
  int64_t begin = op2rt_plan_color_begin(plan, color);
  int64_t blocks = op2rt_plan_color_begin(plan, color + 1) - begin;
  int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
  int64_t each = blocks / threads, extra = blocks % threads;
  begin += thread * each + std::min(thread, extra);
  return {begin, begin + each + (thread < extra)};
}
extern "C" OP2_OFTEN int64_t op2rt_plan_num_blocks(op2rt_plan const *plan) {
  return plan->nblocks;
}
extern "C" OP2_OFTEN int64_t op2rt_plan_block_begin(op2rt_plan const *plan,
                                                    int64_t position) {
  return plan->blockBegin(plan->block(position));
}
extern "C" OP2_OFTEN int64_t op2rt_plan_block_end(op2rt_plan const *plan,
                                                  int64_t position) {
  return plan->blockEnd(plan->block(position));
}

extern "C" int32_t const *op2rt_plan_permutation(op2rt_plan const *plan) {
  return plan->what & OP2RT_PLAN_GLOBAL_COLORS ? plan->permutation.data()
                                               : nullptr;
}

extern "C" int32_t op2rt_plan_num_element_colors(op2rt_plan const *plan,
                                                 int64_t position) {
  return plan->nthrcol.empty() ? 1 : plan->nthrcol[plan->block(position)];
}
extern "C" int32_t const *op2rt_plan_element_colors(op2rt_plan const *plan) {
  return plan->thrcol.empty() ? nullptr : plan->thrcol.data();
}

extern "C" OP2_OFTEN int64_t op2rt_plan_num_pieces(op2rt_plan const *plan,
                                                   int64_t position) {
  return plan->isOwned()
             ? plan->pieceBegin[position + 1] - plan->pieceBegin[position]
             : 1;
}
static PlanPiece pieceOf(op2rt_plan const &plan, int64_t position,
                         int64_t piece) {
  if (plan.isOwned())
    return plan.pieces[plan.pieceBegin[position] + piece];
  int64_t block = plan.block(position);
  return {plan.blockBegin(block), plan.blockEnd(block), false};
}
extern "C" OP2_OFTEN int64_t op2rt_plan_piece_begin(op2rt_plan const *plan,
                                                    int64_t position,
                                                    int64_t piece) {
  return pieceOf(*plan, position, piece).begin;
}
extern "C" OP2_OFTEN int64_t op2rt_plan_piece_end(op2rt_plan const *plan,
                                                  int64_t position,
                                                  int64_t piece) {
  return pieceOf(*plan, position, piece).end;
}
extern "C" OP2_OFTEN int32_t op2rt_plan_piece_is_guarded(op2rt_plan const *plan,
                                                         int64_t position,
                                                         int64_t piece) {
  return pieceOf(*plan, position, piece).isGuarded;
}
extern "C" OP2_OFTEN int64_t op2rt_plan_owned_begin(op2rt_plan const *plan,
                                                    op_dat_core const *dat,
                                                    int64_t position) {
  if (!dat)
    return 0;
  Dat const &storage = storageOf(static_cast<Dat const &>(*dat));
  return ownedBegin(*plan, storage.set->size, position);
}

static StagedArg const &stagedArg(Plan const &plan, int32_t arg) {
  for (StagedArg const &staged : plan.stagedArgs)
    if (staged.arg == arg)
      return staged;
  op2rt_fatal("argument %d is not staged in this plan", arg);
}

extern "C" int64_t op2rt_plan_stage_size(op2rt_plan const *plan, int32_t arg,
                                         int64_t position) {
  return plan->stages[stagedArg(*plan, arg).dataset]
      .indSizes[plan->block(position)];
}
extern "C" int32_t const *op2rt_plan_stage_targets(op2rt_plan const *plan,
                                                   int32_t arg,
                                                   int64_t position) {
  StagedSet const &staged = plan->stages[stagedArg(*plan, arg).dataset];
  return staged.indMap.data() + staged.indOffs[plan->block(position)];
}
extern "C" void const *op2rt_plan_local_map(op2rt_plan const *plan, int32_t arg,
                                            int32_t row, int32_t *bits) {
  StagedArg const &which = stagedArg(*plan, arg);
  StagedSet const &staged = plan->stages[which.dataset];
  int32_t column = which.columns.at(static_cast<std::size_t>(row));
  *bits = staged.local16.empty() ? 32 : 16;
  if (staged.local16.empty())
    return staged.local32[column].data();
  return staged.local16[column].data();
}
extern "C" int64_t op2rt_plan_stage_bytes(op2rt_plan const *plan) {
  return plan->nshared;
}

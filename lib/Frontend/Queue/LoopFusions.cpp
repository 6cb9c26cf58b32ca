//===- LoopFusions.cpp - The fused loops of a file -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopFusions.h"
#include "DescriptionFields.h"
#include "ModuleBuilder.h"
#include "OP2/Runtime/op2rt.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include <map>

using namespace op2::frontend;

/// The pair, with a function with both loops that are not yet fused; null if
/// they cannot be.
std::shared_ptr<Fusion> LoopFusions::build(LoopPair &pair,
                                           mlir::ModuleOp op2Module) {
  if (pair.obstacle.empty() &&
      pair.first.loop->setKey != pair.second.loop->setKey)
    pair.obstacle = "they run over different sets";
  if (!pair.obstacle.empty())
    return nullptr;
  llvm::StringRef second = pair.second.runSymbol;
  second.consume_front("__op2_run_");
  std::string runSymbol = pair.first.runSymbol + ".and." + second.str();
  auto at = llvm::find_if(known, [&](const std::shared_ptr<Fusion> &fusion) {
    return fusion->runSymbol == runSymbol;
  });
  if (at == known.end()) {
    auto fusion = std::make_shared<Fusion>();
    fusion->loop = mergeLoops(*pair.first.loop, *pair.second.loop);
    fusion->runSymbol = runSymbol;
    fusion->pair = pair;
    known.push_back(fusion);
    at = known.end() - 1;
  }
  buildFusedFunction((*at)->getSite(), pair.first, pair.second, op2Module);
  return *at;
}

/// The report is that of the first target.
void LoopFusions::addUnfused(const LoopPair &pair) {
  if (llvm::none_of(unfused, [&](const LoopPair &other) {
        return other.first.loop == pair.first.loop &&
               other.second.loop == pair.second.loop;
      }))
    unfused.push_back(pair);
}

/// Each pair is a loop more to compile: of a hundred in a `switch` there would
/// be ten thousand. Those that come soonest in the source are tried.
std::vector<LoopPair>
LoopFusions::limitPairs(llvm::ArrayRef<CallSite> sites) const {
  constexpr size_t kMostNext = 4;
  std::map<const LoopDescription *, size_t> numbers;
  for (auto [number, site] : llvm::enumerate(sites))
    numbers[site.loop] = number;
  auto getOrder = [&](const LoopPair &pair) {
    size_t first = numbers.at(pair.first.loop);
    size_t distance =
        (numbers.at(pair.second.loop) + sites.size() - first) % sites.size();
    return std::pair(distance, first);
  };
  std::vector<LoopPair> pairs = findLoopPairs(sites, loops, options.ranks);
  llvm::sort(pairs, [&](const LoopPair &a, const LoopPair &b) {
    return getOrder(a) < getOrder(b);
  });
  std::map<const LoopDescription *, size_t> tried;
  for (LoopPair &pair : pairs)
    if (pair.obstacle.empty() && ++tried[pair.first.loop] > kMostNext)
      pair.obstacle = "too many loops may come next";
  return pairs;
}

FusionList LoopFusions::addTo(mlir::ModuleOp op2Module,
                              llvm::ArrayRef<CallSite> sites) {
  FusionList candidates;
  for (LoopPair &pair : limitPairs(sites)) {
    if (std::shared_ptr<Fusion> fusion = build(pair, op2Module))
      candidates.push_back(fusion);
    else
      addUnfused(pair);
  }
  return candidates;
}

FusionList LoopFusions::select(const FusionList &candidates,
                               const VariantOutcomes &outcomes) {
  FusionList existing;
  for (const std::shared_ptr<Fusion> &fusion : candidates) {
    auto it = outcomes.find(fusion->runSymbol);
    if (it == outcomes.end())
      continue;
    if (it->second.exists) {
      fusion->savedBytes = it->second.savedBytes;
      existing.push_back(fusion);
      continue;
    }
    LoopPair pair = fusion->pair;
    pair.obstacle = it->second.outcome;
    addUnfused(pair);
  }
  return existing;
}

void LoopFusions::use(const FusionList &compiled, Target target) {
  for (const std::shared_ptr<Fusion> &fusion : compiled) {
    fusion->targets.insert(target);
    if (!llvm::is_contained(fusions, fusion))
      fusions.push_back(fusion);
  }
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

/// A call is either a first one or a second one; pairs that save most come
/// first.
static std::vector<Fusion *> choose(const FusionList &fusions) {
  std::vector<Fusion *> order;
  for (const std::shared_ptr<Fusion> &fusion : fusions)
    order.push_back(fusion.get());
  llvm::sort(order, [](const Fusion *a, const Fusion *b) {
    return std::make_tuple(-a->savedBytes, a->runSymbol) <
           std::make_tuple(-b->savedBytes, b->runSymbol);
  });
  std::vector<std::pair<llvm::CallBase *, llvm::CallBase *>> taken;
  std::vector<Fusion *> chosen;
  for (Fusion *fusion : order)
    for (auto &call : fusion->pair.calls) {
      if (llvm::any_of(taken, [&](const auto &other) {
            return other.first == call.second || other.second == call.first;
          }))
        continue;
      taken.push_back(call);
      if (!llvm::is_contained(chosen, fusion))
        chosen.push_back(fusion);
    }
  return chosen;
}

bool LoopFusions::isFused(const LoopDescription &loop, Target target) const {
  return llvm::any_of(chosen, [&](const Fusion *fusion) {
    return fusion->targets.count(target) != 0 &&
           (fusion->pair.first.loop == &loop ||
            fusion->pair.second.loop == &loop);
  });
}

//===----------------------------------------------------------------------===//
// Descriptions for the runtime
//===----------------------------------------------------------------------===//

static_assert(sizeof(op2rt_fusion) == 48 &&
              offsetof(op2rt_fusion, fused) == 8 &&
              offsetof(op2rt_fusion, places) == 16 &&
              offsetof(op2rt_fusion, saved_bytes) == 24 &&
              offsetof(op2rt_fusion, exact) == 32 &&
              offsetof(op2rt_fusion, next) == 40);

/// Are all operations of the function, and of those it calls, rounded one by
/// one? Flags such as `contract` let LLVM combine operations of two kernels.
static bool roundsAsWritten(const llvm::Function *kernel) {
  llvm::SmallSetVector<const llvm::Function *, 8> reached;
  reached.insert(kernel);
  for (unsigned i = 0; i < reached.size(); ++i)
    for (const llvm::Instruction &inst : llvm::instructions(*reached[i])) {
      if (llvm::isa<llvm::FPMathOperator>(inst) &&
          inst.getFastMathFlags().any())
        return false;
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&inst))
        if (const llvm::Function *callee = call->getCalledFunction())
          reached.insert(callee);
    }
  return true;
}

/// Do the fused kernels give the bits of the kernels alone? Functions of
/// libmvec do not, where only one of both is vectorized.
static bool isExact(const Fusion &fusion, const PluginOptions &options) {
  return !options.plan.vectorMath.value_or(false) &&
         roundsAsWritten(fusion.pair.first.kernel) &&
         roundsAsWritten(fusion.pair.second.kernel);
}

/// The site whose results the fused loop has; null if it has those of both, or
/// none: they are never late then.
static llvm::Constant *findSite(const Fusion &fusion,
                                llvm::PointerType *pointer) {
  llvm::Constant *site = nullptr;
  for (const CallSite *part : {&fusion.pair.first, &fusion.pair.second}) {
    if (!part->loop->changesGlobals())
      continue;
    if (site)
      return llvm::ConstantPointerNull::get(pointer);
    site = part->stub;
  }
  return site ? site : llvm::ConstantPointerNull::get(pointer);
}

/// Adds an op2rt_fusion to the list of the first loop's description.
static void describeFusion(Fusion &fusion, Target target,
                           const PluginOptions &options, llvm::Module &module) {
  llvm::LLVMContext &context = module.getContext();
  auto find = [&](const CallSite &site) {
    return module.getNamedGlobal(site.getDescriptionSymbol(target));
  };
  LoopPair &pair = fusion.pair;
  llvm::GlobalVariable *first = find(pair.first),
                       *fused = find(fusion.getSite());
  if (isDevice(target))
    setDescriptionField(
        *fused, DescriptionField::Site,
        findSite(fusion, llvm::PointerType::get(context, /*AddressSpace=*/0)));
  auto *places = llvm::ConstantDataArray::get(
      context, llvm::ArrayRef<int32_t>(getMergedParameters(
                   fusion.loop, *pair.first.loop, *pair.second.loop)));
  auto *int64 = llvm::Type::getInt64Ty(context);
  auto *value = llvm::ConstantStruct::getAnon(
      {find(pair.second), fused, createConstant(*places, module),
       llvm::ConstantInt::get(int64, uint64_t(fusion.savedBytes)),
       llvm::ConstantInt::get(int64, isExact(fusion, options)),
       getDescriptionField(*first, DescriptionField::Fusions)});
  setDescriptionField(*first, DescriptionField::Fusions,
                      createConstant(*value, module));
}

void LoopFusions::apply(llvm::Module &module) {
  chosen = choose(fusions);
  if (report.isWanted())
    reportAll();
  for (Fusion *fusion : chosen)
    for (Target target : fusion->targets)
      describeFusion(*fusion, target, options, module);
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

/// "'res_calc' (file.cpp:12)", with the place of the loop's call.
static std::string describe(const LoopDescription &loop) {
  return "'" + loop.name + "' (" + loop.describePlace() + ")";
}

void LoopFusions::reportUnfused(const LoopPair &pair, llvm::StringRef reason) {
  report.say(*pair.first.loop, Topic::Fusion,
             " not fused with " + describe(*pair.second.loop) + ": " +
                 reason.str());
}

void LoopFusions::reportAll() {
  for (const std::shared_ptr<Fusion> &fusion : fusions) {
    const LoopPair &pair = fusion->pair;
    if (!llvm::is_contained(chosen, fusion.get())) {
      reportUnfused(pair, "one of them is fused with another loop");
      continue;
    }
    report.addFused(fusion->loop, fusion->runSymbol);
    report.say(*pair.first.loop, Topic::Fusion,
               " fused with " + describe(*pair.second.loop) + ": saves " +
                   std::to_string(fusion->savedBytes) +
                   " bytes for each element");
  }
  for (const LoopPair &pair : unfused)
    if (llvm::none_of(fusions, [&](const std::shared_ptr<Fusion> &fusion) {
          return fusion->pair.first.loop == pair.first.loop &&
                 fusion->pair.second.loop == pair.second.loop;
        }))
      reportUnfused(pair, pair.obstacle);
}

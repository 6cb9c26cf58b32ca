//===- Variant.cpp - Ways to compile and run a program --------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Variant.h"
#include "OP2/Pipelines/Pipelines.h"
#include "OP2/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::op2;
using namespace mlir::op2::fuzz;

static void pickForThreads(Random &random, Variant &variant) {
  variant.vectorBits = random.pick<int64_t>({0, 128, 256, 512, 512});
  variant.gathers = random.chance(30);
  variant.strategy = random.pick(
      {Strategy::Auto, Strategy::Auto, Strategy::Owner, Strategy::TwoLevel});
  variant.threads = int(random.between(1, 4));
  variant.owner =
      random.pick<const char *>({"auto", "always", "always", "never"});
  // Who asks for blocks of a size gets blocks, and no ownership.
  variant.blockSize =
      random.chance(50) ? 0
                        : random.pick<int64_t>({1, 5, 8, 16, 27, 31, 64, 128});
  variant.fuses = random.chance(40);
  variant.splits = random.chance(25);
  variant.splitExtra = random.pick<int64_t>({25, 100, 1000});
}

static void pickForDevice(Random &random, Variant &variant) {
  variant.strategy =
      random.pick({Strategy::Auto, Strategy::TwoLevel, Strategy::Atomics,
                   Strategy::Global, Strategy::Owner});
  variant.layout = random.pick({Layout::AoS, Layout::SoA});
  variant.blockSize = random.pick<int64_t>({0, 1, 5, 31, 32, 33, 64, 128});
  variant.emulatorSeed = uint64_t(random.between(1, 1000));
  variant.fuses = random.chance(25);
  variant.splits = random.chance(15);
}

Variant fuzz::pickVariant(Random &random, Target target) {
  Variant variant;
  variant.target = target;
  variant.raises = random.chance(60);
  // Optimising takes five times as long as all the rest.
  variant.optLevel = random.chance(7) ? unsigned(random.between(1, 3)) : 0;
  variant.verifies = random.chance(20);
  variant.checksPlan = random.chance(50);
  variant.renumber = random.chance(25) ? "rcm" : "none";
  if (target == Target::OpenMP)
    pickForThreads(random, variant);
  else if (target != Target::Seq)
    pickForDevice(random, variant);
  else
    variant.fuses = variant.splits = variant.raises = true;
  return variant;
}

std::string Variant::describePasses() const {
  std::string text;
  if (target != Target::Seq)
    return text;
  if (raises)
    text += " --op2-raise-kernels";
  if (fuses)
    text += " --op2-fuse";
  if (splits)
    text += " --op2-split=max-extra=" + std::to_string(splitExtra);
  return text;
}

static std::string nameOf(Strategy strategy) {
  std::string name = stringifyStrategy(strategy).str();
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::string Variant::describePipeline() const {
  std::vector<std::string> options = {"block-size=" +
                                      std::to_string(blockSize)};
  if (target != Target::Seq) {
    options.push_back("vector-bits=" + std::to_string(vectorBits));
    options.push_back("raise=" + std::to_string(raises));
    options.push_back("fuse=" + std::to_string(fuses));
    options.push_back("split=" + std::to_string(splits));
    options.push_back("split-max-extra=" + std::to_string(splitExtra));
    options.push_back("strategy=" + nameOf(strategy));
  }
  if (target == Target::OpenMP) {
    options.push_back("cpu=x86-64");
    options.push_back("gathers=" + std::to_string(gathers));
  }
  if (target == Target::CUDA || target == Target::Emulator) {
    options.push_back("layout=" + stringifyLayout(layout).str());
  }
  if (target == Target::Emulator)
    options.push_back("count-accesses=" + std::to_string(countsAccesses));
  return llvm::join(options, " ");
}

std::string Variant::describeRun() const {
  if (target == Target::CUDA)
    return "op2-opt --op2-to-gpu='" + describePipeline() + "'";
  std::string text = "env";
  for (auto &[name, value] : environment())
    text += " " + name + "=" + value;
  text += " op2-run --target=" + stringifyTarget(target).str() + " -O" +
          std::to_string(optLevel);
  std::string options = describePipeline();
  for (llvm::StringRef option : llvm::split(options, ' '))
    text += (" --" + option).str();
  return text;
}

std::vector<std::pair<std::string, std::string>> Variant::environment() const {
  return {{"OMP_NUM_THREADS", std::to_string(threads)},
          {"OP2_OWNER", owner},
          {"OP2_RENUMBER", renumber},
          {"OP2_CHECK_PLAN", checksPlan ? "1" : "0"},
          {"OP2_EMULATOR_SEED", std::to_string(emulatorSeed)}};
}

void fuzz::buildPipeline(OpPassManager &manager, const Variant &variant) {
  auto options = PipelineOptions::createFromString(variant.describePipeline());
  switch (variant.target) {
  case Target::Seq:
    // What others are compared with runs loops as they are.
    if (variant.raises)
      manager.addPass(createOP2RaiseKernelsPass());
    if (variant.fuses)
      manager.addPass(createOP2FusePass());
    if (variant.splits) {
      OP2SplitPassOptions splitOptions;
      splitOptions.maxExtra = variant.splitExtra;
      manager.addPass(createOP2SplitPass(splitOptions));
    }
    return buildOP2ToSeqPipeline(manager, *options);
  case Target::OpenMP:
    return buildOP2ToOpenMPPipeline(manager, *options);
  case Target::Emulator:
    return buildOP2ToEmulatorPipeline(manager, *options);
  case Target::CUDA:
    return buildOP2ToGPUPipeline(manager, *options);
  }
}

std::vector<Variant> fuzz::simplerVariants(const Variant &variant) {
  Variant usual;
  std::vector<Variant> list;
  auto consider = [&](auto Variant::*member) {
    if (variant.*member == usual.*member)
      return;
    list.push_back(variant);
    list.back().*member = usual.*member;
  };
  consider(&Variant::fuses);
  consider(&Variant::splits);
  consider(&Variant::raises);
  consider(&Variant::optLevel);
  consider(&Variant::renumber);
  consider(&Variant::owner);
  consider(&Variant::threads);
  consider(&Variant::blockSize);
  consider(&Variant::gathers);
  consider(&Variant::strategy);
  consider(&Variant::layout);
  consider(&Variant::checksPlan);
  consider(&Variant::emulatorSeed);
  consider(&Variant::countsAccesses);
  if (variant.vectorBits != 0) {
    list.push_back(variant);
    list.back().vectorBits = 0;
  }
  return list;
}

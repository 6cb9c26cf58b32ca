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
  variant.strategy = random.pick({Strategy::Auto, Strategy::TwoLevel,
                                  Strategy::Atomics, Strategy::Global});
  variant.stage = random.chance(70);
  variant.stageDirect = random.chance(30);
  variant.layout = random.pick({Layout::AoS, Layout::SoA});
  variant.wholeKernel = random.chance(20);
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

static std::string splitOptions(const Variant &variant) {
  return "max-extra=" + std::to_string(variant.splitExtra) +
         (variant.target == Target::OpenMP ? " strategy=owner" : "");
}

std::string Variant::describePasses() const {
  std::string text;
  if (raises)
    text += " --op2-raise-kernels";
  if (splits)
    text += " --op2-split='" + splitOptions(*this) + "'";
  if (fuses)
    text += " --op2-fuse=vector-bits=" + std::to_string(vectorBits);
  return text;
}

static std::string nameOf(Strategy strategy) {
  std::string name = stringifyStrategy(strategy).str();
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::string Variant::describeRun() const {
  std::string text;
  if (target == Target::CUDA) {
    text = "op2-opt --op2-to-gpu='block-size=" + std::to_string(blockSize) +
           " strategy=" + nameOf(strategy) + " stage=" + std::to_string(stage) +
           " stage-direct=" + std::to_string(stageDirect) +
           " layout=" + stringifyLayout(layout).str() +
           " whole-kernel=" + std::to_string(wholeKernel) + "'";
    return text;
  }
  text = "env";
  for (auto &[name, value] : environment())
    text += " " + name + "=" + value;
  text += " op2-run --target=" + stringifyTarget(target).str() + " -O" +
          std::to_string(optLevel) +
          " --block-size=" + std::to_string(blockSize);
  if (target == Target::OpenMP)
    text += " --vector-bits=" + std::to_string(vectorBits) +
            (gathers ? " --gathers" : "");
  if (target != Target::Seq)
    text += " --strategy=" + nameOf(strategy);
  if (target == Target::Emulator)
    text += std::string(" --stage=") + (stage ? "1" : "0") +
            (stageDirect ? " --stage-direct" : "") +
            (wholeKernel ? " --whole-kernel" : "") +
            " --layout=" + stringifyLayout(layout).str();
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
  if (variant.raises)
    manager.addPass(createOP2RaiseKernelsPass());
  if (variant.splits) {
    OP2SplitPassOptions options;
    options.maxExtra = variant.splitExtra;
    if (variant.target == Target::OpenMP)
      options.strategy = Strategy::Owner;
    manager.addPass(createOP2SplitPass(options));
  }
  if (variant.fuses) {
    OP2FusePassOptions options;
    options.vectorBits = variant.vectorBits;
    manager.addPass(createOP2FusePass(options));
  }
  PipelineOptions options;
  options.blockSize = variant.blockSize;
  options.vectorBits = variant.vectorBits;
  options.gathers = variant.gathers;
  options.strategy = variant.strategy;
  options.stage = variant.stage;
  options.stageDirect = variant.stageDirect;
  options.layout = variant.layout;
  options.wholeKernel = variant.wholeKernel;
  switch (variant.target) {
  case Target::Seq:
    return buildOP2ToSeqPipeline(manager, options);
  case Target::OpenMP:
    return buildOP2ToOpenMPPipeline(manager, options);
  case Target::Emulator:
    return buildOP2ToEmulatorPipeline(manager, options);
  case Target::CUDA:
    return buildOP2ToGPUPipeline(manager, options);
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
  consider(&Variant::stageDirect);
  consider(&Variant::wholeKernel);
  consider(&Variant::checksPlan);
  consider(&Variant::emulatorSeed);
  if (variant.vectorBits != 0) {
    list.push_back(variant);
    list.back().vectorBits = 0;
  }
  if (variant.stage) {
    list.push_back(variant);
    list.back().stage = false;
  }
  return list;
}

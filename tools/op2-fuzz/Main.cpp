//===- Main.cpp - Random programs against the sequential lowering ---------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// op2-fuzz [--seed=N] [--programs=N] [--time=SECONDS] [--jobs=N]
//          [--targets=openmp,emulator,gpu] [--plant]
// op2-fuzz --print --seed=N
// op2-fuzz --reduce --seed=N [--programs=N] [-o out.mlir]
//
// docs/testing.md says what the programs are.
//
//===----------------------------------------------------------------------===//

#include "ModuleBuilder.h"
#include "Reduce.h"
#include "Workers.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/ToolOutputFile.h"

#include <chrono>

using namespace mlir;
using namespace mlir::op2;
using namespace mlir::op2::fuzz;
namespace cl = llvm::cl;

namespace {
enum class Compared { OpenMP, Emulator, GPU };

cl::OptionCategory ours("Options of op2-fuzz");
cl::opt<uint64_t> seed("seed", cl::cat(ours),
                       cl::desc("number of the first program (1)"),
                       cl::init(1));
cl::opt<unsigned> programs("programs", cl::cat(ours),
                           cl::desc("how many programs; 0: until the time is "
                                    "over (100)"),
                           cl::init(100));
cl::opt<double> seconds("time", cl::cat(ours),
                        cl::desc("seconds at most; 0: no limit"), cl::init(0));
cl::opt<unsigned> jobs("jobs", cl::cat(ours),
                       cl::desc("programs at a time (1)"), cl::init(1));
cl::list<Compared> targets(
    "targets", cl::cat(ours),
    cl::desc("what is compared with the sequential lowering (all)"),
    cl::CommaSeparated,
    cl::values(clEnumValN(Compared::OpenMP, "openmp", "--op2-to-openmp"),
               clEnumValN(Compared::Emulator, "emulator", "--op2-to-emulator"),
               clEnumValN(Compared::GPU, "gpu",
                          "--op2-to-gpu, which is not run")));
cl::opt<bool> print("print", cl::cat(ours),
                    cl::desc("print the seed's program"));
cl::opt<bool> reduceIt("reduce", cl::cat(ours),
                       cl::desc("make the first program small that fails"));
cl::opt<std::string> output("o", cl::cat(ours),
                            cl::desc("where --print and --reduce write"),
                            cl::init("-"));
cl::opt<bool> plant("plant", cl::cat(ours),
                    cl::desc("compile a mistake into what is compared: the "
                             "fuzzer must find it"));
cl::opt<bool> verbose("verbose", cl::cat(ours),
                      cl::desc("print what occurred, and times"));
} // namespace

static int fail(const llvm::Twine &message) {
  llvm::errs() << "op2-fuzz: error: " << message << "\n";
  return 1;
}

static Settings readSettings() {
  Settings settings;
  auto has = [&](Compared target) {
    return targets.empty() || llvm::is_contained(targets, target);
  };
  settings.openmp = has(Compared::OpenMP);
  settings.emulator = has(Compared::Emulator);
  settings.gpu = has(Compared::GPU);
  settings.plants = plant;
  return settings;
}

/// The module as text, under the commands that show what is wrong with it.
static int writeProgram(const Program &program, const Variant *variant,
                        const std::string &comment) {
  DialectRegistry registry;
  fillRegistry(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  OwningOpRef<ModuleOp> module = buildModule(context, program);
  if (!module)
    return 1;
  std::error_code error;
  llvm::ToolOutputFile file(output, error, llvm::sys::fs::OF_None);
  if (error)
    return fail(output + ": " + error.message());
  file.os() << "// " << comment << "\n//\n";
  if (variant) {
    std::string libraries = " --shared-libs=%runner_utils";
    bool isRun = variant->target != Target::CUDA;
    if (isRun)
      file.os() << "// RUN: op2-run --target=seq" << libraries
                << " %s > %t.seq\n";
    file.os() << "// RUN: op2-opt %s" << variant->describePasses() << " | "
              << variant->describeRun();
    if (isRun)
      file.os() << libraries << " | diff %t.seq -";
    file.os() << "\n\n";
  }
  module->print(file.os());
  file.keep();
  return 0;
}

/// Differences, errors and crashes are not the same problem.
static std::string kindOf(llvm::StringRef message) {
  if (message.contains(" values differ"))
    return "difference";
  // The step, and the first word of what became of it.
  auto [step, rest] = message.split(": ");
  return (step + ": " + rest.split(": ").first).str();
}

static int reduceVariant(Program program, Variant variant,
                         std::string message) {
  uint64_t number = program.seed;
  llvm::errs() << "op2-fuzz: program " << number << " ("
               << describeSize(program) << "): " << message << "\n";
  double limit = seconds > 0 ? double(seconds) : 300;
  const std::string kind = kindOf(message);
  reduce(program, variant, limit,
         [&](const Program &candidate, const Variant &other) {
           std::string problem = checkAlone(candidate, other);
           bool isSame = kindOf(problem) == kind;
           if (isSame)
             message = problem;
           return isSame;
         });
  llvm::errs() << "op2-fuzz: reduced to " << describeSize(program) << "\n";
  return writeProgram(program, &variant,
                      "Program " + std::to_string(number) +
                          " of op2-fuzz, reduced: " + message);
}

/// The first of the programs that fails.
static int reduceProgram(const Settings &settings) {
  for (uint64_t number = seed; number < seed + programs; ++number) {
    Program program = generate(number);
    for (const Variant &variant : variantsOf(program, settings)) {
      std::string message = checkAlone(program, variant);
      if (!message.empty())
        return reduceVariant(program, variant, message);
    }
  }
  return fail("no program fails from " + llvm::Twine(seed.getValue()) + " to " +
              llvm::Twine(seed + programs - 1));
}

static void report(const Coverage &coverage) {
  for (auto &[what, count] : coverage.counts)
    llvm::outs() << "  " << llvm::left_justify(what, 40) << count << "\n";
  for (auto &[phase, time] : coverage.seconds)
    llvm::outs() << "  " << llvm::left_justify(phase, 40)
                 << llvm::format("%.1f s\n", time);
}

static int runPrograms(const Settings &settings) {
  Campaign campaign{seed, programs, seconds, int(jobs), settings};
  Coverage coverage;
  int64_t failures = 0;
  auto start = std::chrono::steady_clock::now();
  int64_t count = runCampaign(campaign, coverage, [&](const Finding &finding) {
    ++failures;
    llvm::outs() << "program " << finding.seed << ": " << finding.message
                 << "\n";
    if (finding.variant >= 0) {
      Program program = generate(finding.seed);
      Variant variant = variantsOf(program, settings)[size_t(finding.variant)];
      llvm::outs() << "  op2-opt" << variant.describePasses() << " | "
                   << variant.describeRun() << "\n";
    }
    llvm::outs().flush();
  });
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  if (verbose)
    report(coverage);
  std::vector<std::string> missing =
      coverage.findVoid(count, settings.openmp, settings.emulator);
  for (const std::string &what : missing)
    llvm::outs() << "never occurred: " << what << "\n";
  llvm::outs() << llvm::formatv(
      "{0} programs, {1} differences, {2:f1} a second\n", count, failures,
      double(count) / took.count());
  return failures > 0 || !missing.empty() ? 1 : 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(ours);
  cl::ParseCommandLineOptions(argc, argv, "random op2 programs\n");
  // Several programs share the cores: threads that wait leave them to others.
  ::setenv("OMP_WAIT_POLICY", "passive", 1);
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  if (jobs < 1) {
    llvm::errs() << "op2-fuzz: --jobs=0; expected 1 or more\n";
    return 1;
  }
  if (programs > UINT64_MAX - seed) {
    llvm::errs() << "op2-fuzz: --seed=" << seed
                 << "; expected less, with as many programs\n";
    return 1;
  }
  Settings settings = readSettings();
  if (print)
    return writeProgram(generate(seed), nullptr,
                        "Program " + std::to_string(seed) + " of op2-fuzz.");
  if (reduceIt)
    return reduceProgram(settings);
  return runPrograms(settings);
}

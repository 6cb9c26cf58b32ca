//===- Coverage.cpp - Features that random programs have used -------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Coverage.h"
#include "OP2/Dialect/OP2Interfaces.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::op2;
using namespace mlir::op2::fuzz;

//===----------------------------------------------------------------------===//
// Descriptions
//===----------------------------------------------------------------------===//

static std::string describe(const Program &program, const ArgPart &arg) {
  std::string text = "argument: " + stringifyAccess(arg.access).str();
  if (arg.kind != ArgKind::Dat)
    return text + " " + stringifyArgKind(arg.kind).str();
  if (arg.map < 0)
    return text + " direct";
  return text + (arg.isPacked   ? " packed"
                 : arg.isVector ? " vector"
                                : " indirect");
}

static void addStatements(Coverage &coverage, ArrayRef<Statement> body) {
  static const char *const kNames[] = {"assign", "if",    "for",  "while",
                                       "switch", "array", "fetch"};
  for (const Statement &statement : body) {
    coverage.add(std::string("statement: ") + kNames[statement.kind]);
    for (const std::vector<Statement> &inner : statement.bodies)
      addStatements(coverage, inner);
  }
}

void Coverage::addProgram(const Program &program) {
  if (program.isRounded)
    add("program: rounded sums");
  for (const SetPart &set : program.sets)
    if (set.size == 0)
      add("program: empty set");
  for (const MapPart &map : program.maps)
    if (map.from == map.to)
      add("program: map of a set to itself");
  for (const Step &step : program.steps)
    if (step.kind == Step::Repeat)
      add("program: time loop");
  for (const LoopPart &loop : program.loops) {
    add(loop.form == KernelForm::Raised ? "kernel: func.func"
                                        : "kernel: llvm.func");
    addStatements(*this, loop.body);
    for (const ArgPart &arg : loop.args) {
      add(describe(program, arg));
      if (arg.isOptional)
        add(arg.isActive ? "argument: optional, there"
                         : "argument: optional, not there");
    }
  }
}

void Coverage::addVariant(const Variant &variant) {
  add("target: " + stringifyTarget(variant.target).str());
  if (variant.renumber != "none")
    add("run: renumbered");
  if (variant.checksPlan)
    add("run: plans checked");
  if (variant.target == Target::OpenMP && variant.threads > 1)
    add("run: several threads");
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

namespace {
/// Looks at the module behind the passes that decide how loops run.
class PassCounter : public PassInstrumentation {
public:
  explicit PassCounter(Coverage &coverage) : coverage(coverage) {}

  void runAfterPass(Pass *pass, Operation *op) override {
    StringRef name = pass->getArgument();
    if (name == "op2-plan")
      count(op, "op2.plan", "plan");
    else if (name == "op2-vectorize")
      countVectorized(op);
    else if (name == "op2-raise-kernels")
      countKernels(op);
    else if (name == "op2-fuse" || name == "op2-split")
      countLabels(op, name);
    else if (name == "op2-color-increments")
      count(op, "op2.by_color", "by_color");
    else if (name == "op2-apply-layout")
      count(op, "op2.gather_row", "gather_row");
    else if (name == "convert-op2-to-openmp")
      count(op, "omp.parallel", "parallel");
    else if (name == "convert-op2-to-gpu")
      count(op, "memref.atomic_rmw", "atomics");
  }

private:
  /// Ops of a name, with the way of colouring if they have one.
  void count(Operation *module, StringRef op, StringRef what) {
    module->walk([&](Operation *found) {
      if (found->getName().getStringRef() != op)
        return;
      std::string name = ("pass: " + what).str();
      if (auto coloring = found->getAttrOfType<ColoringAttr>("coloring"))
        name += " " + stringifyColoring(coloring.getValue()).str();
      coverage.add(name);
    });
  }

  void countVectorized(Operation *module) {
    module->walk([&](Operation *found) {
      if (found->getName().getStringRef() != "op2.for_elements")
        return;
      bool isWide = found->getNumRegions() > 1 && !found->getRegion(1).empty();
      coverage.add(isWide ? "pass: vectorized" : "pass: not vectorized");
    });
  }

  void countKernels(Operation *module) {
    module->walk([&](FunctionOpInterface function) {
      if (function.getName().ends_with(".raised"))
        coverage.add("pass: raised");
    });
  }

  /// Fused loops are called a+b, slices a.1 and a.2.
  void countLabels(Operation *module, StringRef pass) {
    module->walk([&](LoopInterface loop) {
      auto kernel = loop->getAttrOfType<FlatSymbolRefAttr>("kernel");
      if (!kernel)
        return;
      if (pass == "op2-fuse" && kernel.getValue().count('k') > 1)
        coverage.add("pass: fused");
      if (pass == "op2-split" && kernel.getValue().ends_with(".2"))
        coverage.add("pass: split");
    });
  }

  Coverage &coverage;
};
} // namespace

std::unique_ptr<PassInstrumentation> Coverage::createInstrumentation() {
  return std::make_unique<PassCounter>(*this);
}

std::vector<std::string> Coverage::findVoid(int64_t programs, bool hasOpenMP,
                                            bool hasEmulator) const {
  std::vector<std::string> wanted, missing;
  // Fewer programs may miss what is rare.
  if (programs < 500)
    return missing;
  wanted = {"argument: read direct",
            "argument: write direct",
            "argument: rw direct",
            "argument: inc direct",
            "argument: read indirect",
            "argument: write indirect",
            "argument: rw indirect",
            "argument: inc indirect",
            "argument: min indirect",
            "argument: max indirect",
            "argument: read vector",
            "argument: inc vector",
            "argument: read global",
            "argument: inc global",
            "argument: min global",
            "argument: max global",
            "argument: write global",
            "argument: read index",
            "argument: min info",
            "argument: optional, there",
            "argument: optional, not there",
            "kernel: func.func",
            "kernel: llvm.func",
            "statement: while",
            "statement: switch",
            "statement: array",
            "statement: fetch",
            "program: rounded sums",
            "program: empty set",
            "program: time loop",
            "program: map of a set to itself",
            "run: renumbered",
            "pass: raised",
            "pass: fused"};
  if (hasOpenMP)
    wanted.insert(wanted.end(),
                  {"pass: plan blocks", "pass: plan owner", "pass: vectorized",
                   "pass: split", "pass: parallel", "run: several threads",
                   "run: rounded sums in order, openmp"});
  if (hasEmulator)
    wanted.insert(wanted.end(),
                  {"pass: by_color", "pass: gather_row", "pass: atomics",
                   "pass: plan two_level", "pass: plan elements",
                   "pass: plan none", "run: rounded sums in order, emulator"});
  for (const std::string &what : wanted)
    if (counts.find(what) == counts.end())
      missing.push_back(what);
  return missing;
}

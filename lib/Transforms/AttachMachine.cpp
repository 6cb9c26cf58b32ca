//===- AttachMachine.cpp - What machine a module is compiled for ----------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Transforms/Machine.h"
#include "OP2/Transforms/Passes.h"
#include "mlir/IR/Builders.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/X86TargetParser.h"

namespace mlir::op2 {
#define GEN_PASS_DEF_OP2ATTACHMACHINEPASS
#include "OP2/Transforms/Passes.h.inc"
} // namespace mlir::op2

using namespace mlir;
using namespace mlir::op2;

Processor op2::describeProcessor(function_ref<bool(StringRef)> has) {
  Processor processor;
  if (has("avx2"))
    processor.vectorBits = has("avx512f") ? 512 : 256;
  // LLVM does not tell: microcode against Downfall slows gathers on Intel's
  // processors before Sapphire Rapids, which brought SERIALIZE. Of others
  // nothing is known. -mno-gather is obeyed.
  processor.gathers =
      has("avx512f") && has("serialize") && !has("prefer-no-gather");
  return processor;
}

int64_t op2::getVectorMathBits(const Processor &processor) {
  return std::max<int64_t>(128, processor.vectorBits);
}

/// The processor that this runs on.
static Processor describeHost() {
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  return describeProcessor(
      [&](StringRef feature) { return features.lookup(feature); });
}

namespace {
struct AttachMachinePass
    : public op2::impl::OP2AttachMachinePassBase<AttachMachinePass> {
  using OP2AttachMachinePassBase::OP2AttachMachinePassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<Processor> named = findProcessor();
    if (failed(named))
      return signalPassFailure();
    auto given = module->getAttrOfType<MachineAttr>(MachineAttr::kName);
    bool keeps = given && cpu.empty();
    Processor processor = *named;
    if (keeps)
      processor = {given.getVectorBits(), given.getGathers()};
    int64_t mathBits = keeps ? given.getVectorMathBits() : 0;
    // Registers that are not there would not be where libmvec expects them.
    if (vectorMath)
      mathBits = getVectorMathBits(processor);
    if (vectorBits != -1)
      processor.vectorBits = vectorBits;
    ArrayAttr chipNames = given ? given.getChips() : ArrayAttr();
    if (!chips.empty())
      chipNames = Builder(module.getContext())
                      .getStrArrayAttr(
                          SmallVector<StringRef>(chips.begin(), chips.end()));
    module->setAttr(MachineAttr::kName,
                    MachineAttr::get(module.getContext(), processor.vectorBits,
                                     processor.gathers || gathers, mathBits,
                                     chipNames));
  }

private:
  /// That of the option, or the one this runs on.
  FailureOr<Processor> findProcessor() {
    if (cpu.empty() || cpu == "native")
      return describeHost();
    SmallVector<StringRef> known;
    llvm::X86::fillValidCPUArchList(known, /*Only64Bit=*/true);
    if (!llvm::is_contained(known, cpu))
      return getOperation().emitError("unknown processor '")
             << cpu << "'; expected native or one of "
             << llvm::join(known, ", ");
    SmallVector<StringRef> features;
    llvm::X86::getFeaturesForCPU(cpu, features);
    // Those that follow from others are not in the list.
    llvm::StringMap<bool> all;
    for (StringRef feature : features) {
      all[feature] = true;
      llvm::X86::updateImpliedFeatures(feature, /*Enabled=*/true, all);
    }
    return describeProcessor(
        [&](StringRef feature) { return all.lookup(feature); });
  }
};
} // namespace

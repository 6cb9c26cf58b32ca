//===- AttachMachine.cpp - Attach the machine to a module -----------------===//
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

bool op2::hasFastGathers(function_ref<bool(StringRef)> has) {
  // LLVM does not tell: microcode against Downfall slows gathers on Intel's
  // processors before Sapphire Rapids, which brought SERIALIZE. On AMD's they
  // take longer than loads. -mno-gather is obeyed.
  return has("avx512f") && has("serialize") && !has("prefer-no-gather");
}

MachineAttr op2::describeProcessor(MLIRContext *context,
                                   function_ref<bool(StringRef)> has) {
  // Less than four doubles do not pay.
  int64_t vectorBits = !has("avx2") ? 0 : has("avx512f") ? 512 : 256;
  return MachineAttr::get(context, vectorBits, hasFastGathers(has),
                          /*vectorMathBits=*/0, /*chips=*/{});
}

MachineAttr op2::applyRequest(MachineAttr machine,
                              const MachineRequest &request) {
  int64_t vectorBits = machine.getVectorBits();
  int64_t mathBits = machine.getVectorMathBits();
  // Registers that are not there would not be where libmvec expects them.
  if (request.vectorMath)
    mathBits = std::max<int64_t>(128, vectorBits);
  if (request.vectorBits != -1)
    vectorBits = request.vectorBits;
  ArrayAttr chips = machine.getChips();
  if (!request.chips.empty())
    chips = Builder(machine.getContext()).getStrArrayAttr(request.chips);
  return MachineAttr::get(machine.getContext(), vectorBits,
                          machine.getGathers() || request.gathers, mathBits,
                          chips);
}

namespace {
struct AttachMachinePass
    : public op2::impl::OP2AttachMachinePassBase<AttachMachinePass> {
  using OP2AttachMachinePassBase::OP2AttachMachinePassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto given = module->getAttrOfType<MachineAttr>(MachineAttr::kName);
    MachineAttr machine = given;
    if (!given || !cpu.empty())
      machine = findProcessor();
    if (!machine)
      return signalPassFailure();
    MachineRequest request{
        vectorBits, gathers, vectorMath, {chips.begin(), chips.end()}};
    // A processor has no chips: they stay.
    if (request.chips.empty() && given && given.getChips())
      llvm::append_range(request.chips,
                         given.getChips().getAsValueRange<StringAttr>());
    module->setAttr(MachineAttr::kName, applyRequest(machine, request));
  }

private:
  /// That of the option, or the one this runs on; null if it is not known.
  MachineAttr findProcessor() {
    llvm::StringMap<bool> features;
    if (cpu.empty() || cpu == "native")
      features = llvm::sys::getHostCPUFeatures();
    else if (failed(addFeatures(features)))
      return {};
    return describeProcessor(&getContext(), [&](StringRef feature) {
      return features.lookup(feature);
    });
  }

  LogicalResult addFeatures(llvm::StringMap<bool> &features) {
    SmallVector<StringRef> known;
    llvm::X86::fillValidCPUArchList(known, /*Only64Bit=*/true);
    if (!llvm::is_contained(known, cpu))
      return getOperation().emitError("unknown processor '")
             << cpu << "'; expected native or one of "
             << llvm::join(known, ", ");
    SmallVector<StringRef> listed;
    llvm::X86::getFeaturesForCPU(cpu, listed);
    // Those that follow from others are not in the list.
    for (StringRef feature : listed) {
      features[feature] = true;
      llvm::X86::updateImpliedFeatures(feature, /*Enabled=*/true, features);
    }
    return success();
  }
};
} // namespace

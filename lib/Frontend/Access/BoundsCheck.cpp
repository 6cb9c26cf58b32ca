//===- BoundsCheck.cpp - Accesses of a kernel outside of its data ---------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BoundsCheck.h"
#include "EveryPath.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace op2::frontend;
using llvm::Instruction;
using llvm::Value;

namespace {
/// Looks at all accesses to one argument.
class OutsideFinder {
public:
  OutsideFinder(const ArgumentUses &uses, const ArgDescription &arg,
                llvm::function_ref<Addresses &()> getAddresses)
      : uses(uses), getAddresses(getAddresses) {
    for (const llvm::LoadInst *load : uses.entries) {
      unit = {"slot", int64_t(load->getDataLayout().getPointerSize())};
      check(load, load->getPointerOperand(), load->getType(),
            arg.count * unit.bytes);
    }
    if (arg.dim == kDynamicDim)
      return;
    int64_t bytes = arg.getBytes() * (arg.isPacked ? arg.count : 1);
    unit = {"value", arg.getBytes() / arg.dim};
    for (const llvm::LoadInst *load : uses.loads)
      check(load, load->getPointerOperand(), load->getType(), bytes);
    for (const llvm::StoreInst *store : uses.stores)
      check(store, store->getPointerOperand(),
            store->getValueOperand()->getType(), bytes);
    for (const Instruction *write : uses.writes)
      if (const auto *memory = llvm::dyn_cast<llvm::MemIntrinsic>(write))
        check(memory, memory->getRawDest(), *memory->getLength(), bytes);
    for (const Instruction *use : uses.unknown)
      if (const auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(use))
        check(copy, copy->getRawSource(), *copy->getLength(), bytes);
  }

  std::vector<AccessFinding> findings;

private:
  void check(const Instruction *inst, const Value *pointer, llvm::Type *type,
             int64_t bytes) {
    llvm::TypeSize size = inst->getDataLayout().getTypeStoreSize(type);
    if (!size.isScalable())
      check(inst, pointer, int64_t(size.getFixedValue()), bytes);
  }

  void check(const Instruction *inst, const Value *pointer, const Value &length,
             int64_t bytes) {
    const auto *size = llvm::dyn_cast<llvm::ConstantInt>(&length);
    if (size && !size->isZero() && size->getValue().isIntN(31))
      check(inst, pointer, int64_t(size->getZExtValue()), bytes);
  }

  void check(const Instruction *inst, const Value *pointer, int64_t size,
             int64_t bytes) {
    Place place = uses.getPlace(pointer);
    std::optional<Addresses::Range> range;
    if (place.isKnown())
      range = {*place.offset, *place.offset};
    else
      range = getAddresses().getRange(*inst, pointer);
    if (range && (range->first < 0 || range->last + size > bytes))
      findings.push_back({inst,
                          runsAlways(*inst) && uses.surelyReaches(pointer),
                          describe(*range, size, bytes)});
  }

  /// Counted from the first one in words, as languages count from 0 or 1.
  std::string describe(Addresses::Range range, int64_t size,
                       int64_t bytes) const {
    std::string all = std::to_string(bytes / unit.bytes) + " " + unit.name +
                      (bytes == unit.bytes ? "" : "s");
    if (range.first < 0)
      return ": " + std::to_string(llvm::divideCeil(-range.first, unit.bytes)) +
             " before the first of " + all;
    int64_t last = range.last + size - 1;
    return ": number " + std::to_string(last / unit.bytes + 1) + " of " + all;
  }

  /// What is counted.
  struct Unit {
    const char *name = "value";
    int64_t bytes = 1;
  } unit;

  const ArgumentUses &uses;
  llvm::function_ref<Addresses &()> getAddresses;
};
} // namespace

std::vector<AccessFinding>
op2::frontend::findOutside(const ArgumentUses &uses, const ArgDescription &arg,
                           llvm::function_ref<Addresses &()> getAddresses) {
  return OutsideFinder(uses, arg, getAddresses).findings;
}

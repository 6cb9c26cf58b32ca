//===- LocalVariables.cpp - Locals that pending loops use -----------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LocalVariables.h"
#include "LibraryCalls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace op2::frontend;
using llvm::Instruction;

std::optional<int64_t> op2::frontend::getFixedSize(llvm::TypeSize size) {
  if (!size.isFixed())
    return std::nullopt;
  return int64_t(size.getFixedValue());
}

std::optional<int64_t>
op2::frontend::getSize(const llvm::AllocaInst &variable) {
  std::optional<llvm::TypeSize> size =
      variable.getAllocationSize(variable.getDataLayout());
  return size ? getFixedSize(*size) : std::nullopt;
}

std::optional<Overwritten>
op2::frontend::getOverwritten(const Instruction &inst) {
  const llvm::DataLayout &layout = inst.getDataLayout();
  if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&inst))
    return Overwritten{const_cast<llvm::Value *>(store->getPointerOperand()),
                       getFixedSize(layout.getTypeStoreSize(
                           store->getValueOperand()->getType()))};
  if (const auto *memory = llvm::dyn_cast<llvm::MemIntrinsic>(&inst)) {
    Overwritten place{memory->getRawDest(), std::nullopt};
    if (const auto *length =
            llvm::dyn_cast<llvm::ConstantInt>(memory->getLength()))
      place.bytes = length->getSExtValue();
    return place;
  }
  if (const auto *lifetime = llvm::dyn_cast<llvm::LifetimeIntrinsic>(&inst)) {
    Overwritten place{lifetime->getArgOperand(0), std::nullopt};
    if (const auto *variable = llvm::dyn_cast<llvm::AllocaInst>(place.pointer))
      place.bytes = getSize(*variable);
    return place;
  }
  return std::nullopt;
}

LocalVariables::LocalVariables(const llvm::CallBase *call, const CallSite *site,
                               const FileLoops &loops)
    : loopCall(call), loops(loops) {
  if (!site)
    return;
  for (auto [number, arg] : llvm::enumerate(site->loop->args))
    if (arg.isGlobal() && arg.access != Access::Read)
      changedOperands[kFirstOpArg + unsigned(number)] = arg.getBytes();
}

bool LocalVariables::makesArgument(const llvm::CallBase &call) const {
  const llvm::Function *callee = call.getCalledFunction();
  return callee && loops.argumentMakers.count(callee->getName().str());
}

/// Whether an operand of a call is an op_arg of a loop, or the copy of one that
/// some targets pass by its address.
bool LocalVariables::takesArgument(const llvm::CallBase &call,
                                   unsigned operand) const {
  const llvm::Function *callee = call.getCalledFunction();
  return callee && operand >= kFirstOpArg &&
         llvm::any_of(loops.loops, [&](const auto &loop) {
           return callee->getName() == loop->stubSymbol;
         });
}

/// Whether all that ever happens to a variable is that arguments are made in
/// it, kept in other variables like it, and passed to loops; `operands` then
/// has the operands of this one.
bool LocalVariables::isForLoops(const llvm::Value *pointer, Pointers &seen,
                                std::vector<unsigned> &operands) const {
  if (!llvm::isa<llvm::AllocaInst>(pointer))
    return false;
  if (!seen.insert(pointer).second)
    return true;
  return llvm::all_of(pointer->uses(), [&](const llvm::Use &use) {
    const auto *call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
    if (!call || !call->isArgOperand(&use))
      return false;
    if (const auto *copy = llvm::dyn_cast<llvm::MemCpyInst>(call))
      return isForLoops(copy->getRawDest(), seen, operands);
    unsigned operand = call->getArgOperandNo(&use);
    if (takesArgument(*call, operand)) {
      if (call == loopCall)
        operands.push_back(operand);
      return true;
    }
    return llvm::isa<llvm::LifetimeIntrinsic>(call) ||
           (makesArgument(*call) &&
            call->paramHasAttr(operand, llvm::Attribute::StructRet));
  });
}

/// Notes that the loop, which gets `pointer` as these operands, changes what
/// is there.
void LocalVariables::addChanged(const llvm::Value *pointer,
                                llvm::ArrayRef<unsigned> operands,
                                Private &variable) const {
  for (unsigned operand : operands) {
    auto changed = changedOperands.find(operand);
    if (changed == changedOperands.end())
      continue;
    if (std::optional<Part> part = getPart(pointer, changed->second)) {
      variable.changed.push_back(*part);
      continue;
    }
    // Somewhere in the variable.
    const auto *whole =
        llvm::cast<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer));
    variable.changed.push_back(
        {0, getSize(*whole).value_or(std::numeric_limits<int64_t>::max())});
  }
}

/// Whether all that happens to a parameter is that it is kept in a variable
/// that nobody uses: so is `this` where a lambda becomes a function pointer.
static bool isUnused(const llvm::Argument &parameter) {
  auto isOnlyKept = [](const llvm::Use &use) {
    const auto *store = llvm::dyn_cast<llvm::StoreInst>(use.getUser());
    return store && store->getValueOperand() == use.get() &&
           llvm::isa<llvm::AllocaInst>(store->getPointerOperand()) &&
           llvm::all_of(store->getPointerOperand()->users(),
                        [&](const llvm::User *user) {
                          return user == store ||
                                 (llvm::isa<llvm::LoadInst>(user) &&
                                  user->use_empty());
                        });
  };
  return llvm::all_of(parameter.uses(), isOnlyKept);
}

/// Whether a function that gets the address of a variable, or of its value,
/// lets it escape no further than this loop allows.
bool LocalVariables::isPrivateUse(const llvm::CallBase &call, unsigned operand,
                                  Private &variable) const {
  if (llvm::isa<llvm::LifetimeIntrinsic, llvm::MemIntrinsic>(call) ||
      call.isByValArgument(operand) || takesArgument(call, operand))
    return true;
  if (const llvm::Function *callee = call.getCalledFunction();
      callee &&
      (getHostService(*callee) == HostService::Clock ||
       (callee->hasExactDefinition() && operand < callee->arg_size() &&
        isUnused(*callee->getArg(operand)))))
    return true;
  if (!makesArgument(call))
    return false;
  if (call.paramHasAttr(operand, llvm::Attribute::StructRet))
    return true;
  // The address of a global.
  llvm::SmallPtrSet<const llvm::Value *, 4> seen;
  std::vector<unsigned> operands;
  if (!call.hasStructRetAttr() ||
      !isForLoops(call.getArgOperand(0), seen, operands))
    return false;
  addChanged(call.getArgOperand(operand), operands, variable);
  return true;
}

/// Whether a variable that lies at `pointer` does not escape.
bool LocalVariables::staysPrivate(const llvm::Value *pointer,
                                  Private &variable) const {
  return llvm::all_of(pointer->uses(), [&](const llvm::Use &use) {
    const auto *user = llvm::cast<Instruction>(use.getUser());
    if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(user))
      return store->getValueOperand() != pointer;
    if (llvm::isa<llvm::GetElementPtrInst>(user))
      return staysPrivate(user, variable);
    if (const auto *call = llvm::dyn_cast<llvm::CallBase>(user))
      return call->isArgOperand(&use) &&
             isPrivateUse(*call, call->getArgOperandNo(&use), variable);
    return llvm::isa<llvm::LoadInst>(user);
  });
}

/// Null unless the variable at `pointer` is private.
const LocalVariables::Private *
LocalVariables::getPrivate(const llvm::Value *pointer) const {
  const auto *variable =
      llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer));
  if (!variable)
    return nullptr;
  auto [it, isNew] = known.try_emplace(variable);
  if (isNew) {
    Private uses;
    if (staysPrivate(variable, uses))
      it->second = std::move(uses);
  }
  return it->second ? &*it->second : nullptr;
}

bool LocalVariables::arePrivate(const llvm::Function &function) const {
  return llvm::none_of(function.args(),
                       [](const llvm::Argument &argument) {
                         return argument.hasByValAttr();
                       }) &&
         llvm::all_of(llvm::instructions(function), [&](const auto &inst) {
           return !llvm::isa<llvm::AllocaInst>(inst) || getPrivate(&inst);
         });
}

/// Nothing if that is not a constant part of a local variable.
std::optional<LocalVariables::Part>
LocalVariables::getPart(const llvm::Value *pointer,
                        std::optional<int64_t> bytes) const {
  const auto *variable =
      llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer));
  if (!variable || !bytes)
    return std::nullopt;
  const llvm::DataLayout &layout = variable->getDataLayout();
  llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  const llvm::Value *base = pointer->stripAndAccumulateConstantOffsets(
      layout, offset, /*AllowNonInbounds=*/true);
  if (base != variable)
    return std::nullopt;
  int64_t begin = offset.getSExtValue();
  return Part{begin, begin + *bytes};
}

bool LocalVariables::mayRead(const llvm::Value *pointer,
                             std::optional<int64_t> bytes) const {
  const Private *variable = getPrivate(pointer);
  if (!variable || variable->changed.empty())
    return variable;
  std::optional<Part> part = getPart(pointer, bytes);
  return part && llvm::none_of(variable->changed, [&](const Part &changed) {
           return part->meets(changed);
         });
}

bool LocalVariables::mayOverwrite(const Overwritten &place) const {
  const Private *variable = getPrivate(place.pointer);
  if (!variable || variable->changed.empty())
    return variable;
  std::optional<Part> part = getPart(place.pointer, place.bytes);
  return part && llvm::all_of(variable->changed, [&](const Part &changed) {
           return part->covers(changed) || !part->meets(changed);
         });
}

std::optional<Overwritten>
LocalVariables::getDropped(const Instruction &inst) const {
  std::optional<Overwritten> place = getOverwritten(inst);
  const Private *variable = place ? getPrivate(place->pointer) : nullptr;
  std::optional<Part> part =
      variable ? getPart(place->pointer, place->bytes) : std::nullopt;
  if (!part || llvm::none_of(variable->changed, [&](const Part &changed) {
        return part->meets(changed);
      }))
    return std::nullopt;
  return place;
}

void LocalVariables::findResults(
    const llvm::Value *opArg, Pointers &seen,
    std::vector<const llvm::Value *> &results) const {
  if (!seen.insert(opArg).second)
    return;
  bool isMade = false;
  for (const llvm::Use &use : opArg->uses()) {
    const auto *call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
    if (!call || !call->isArgOperand(&use))
      continue;
    unsigned operand = call->getArgOperandNo(&use);
    if (const auto *copy = llvm::dyn_cast<llvm::MemCpyInst>(call);
        copy && operand == 0) {
      isMade = true;
      findResults(copy->getRawSource(), seen, results);
    }
    if (!makesArgument(*call) ||
        !call->paramHasAttr(operand, llvm::Attribute::StructRet))
      continue;
    isMade = true;
    for (const llvm::Value *given : llvm::drop_begin(call->args()))
      if (given->getType()->isPointerTy())
        results.push_back(llvm::getUnderlyingObject(given));
  }
  if (!isMade)
    results.push_back(nullptr);
}

std::vector<const llvm::Value *> LocalVariables::findResults() const {
  std::vector<const llvm::Value *> results;
  llvm::SmallPtrSet<const llvm::Value *, 8> seen;
  for (const auto &[operand, bytes] : changedOperands)
    findResults(loopCall->getArgOperand(operand), seen, results);
  return results;
}

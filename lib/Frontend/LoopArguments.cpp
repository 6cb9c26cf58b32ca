//===- LoopArguments.cpp - op_args that only loops see -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopArguments.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace op2::frontend;
using llvm::CallBase;
using llvm::Value;

namespace {
/// What stubs read of an op_arg; null: nothing, as in an argument that has no
/// such field.
struct Fields {
  Value *dat = nullptr, *map = nullptr, *dim = nullptr, *data = nullptr;
  Value *opt = nullptr; ///< i32
};
} // namespace

/// The fields that `call`, which returns the op_arg by its first operand, would
/// fill in.
static Fields getFields(CallBase &call, const ArgumentMaker &maker,
                        llvm::IRBuilder<> &builder) {
  unsigned next = 1;
  auto takeNext = [&] { return call.getArgOperand(next++); };
  Fields fields;
  Value *isOn = builder.getTrue();
  if (maker.isOptional)
    isOn = builder.CreateIsNotNull(takeNext());
  switch (maker.kind) {
  case ArgDescription::Kind::Dat:
    fields.dat = takeNext();
    ++next; // the slot
    fields.map = takeNext();
    fields.dim = takeNext();
    break;
  case ArgDescription::Kind::Index:
    ++next;
    fields.map = takeNext();
    break;
  case ArgDescription::Kind::Global:
  case ArgDescription::Kind::Info:
    fields.data = takeNext();
    fields.dim = takeNext();
    // A global that is not there is an optional one that is off.
    isOn = builder.CreateAnd(isOn, builder.CreateIsNotNull(fields.data));
    break;
  }
  fields.opt = builder.CreateZExt(isOn, builder.getInt32Ty());
  return fields;
}

static void store(const Fields &fields, Value *opArg, const OpArgLayout &layout,
                  llvm::IRBuilder<> &builder) {
  auto put = [&](Value *value, uint64_t offset) {
    if (value)
      builder.CreateStore(value, builder.CreateConstInBoundsGEP1_64(
                                     builder.getInt8Ty(), opArg, offset));
  };
  put(fields.dat, layout.dat);
  put(fields.map, layout.map);
  put(fields.dim, layout.dim);
  put(fields.data, layout.data);
  put(fields.opt, layout.opt);
}

/// Whether a variable is used by `maker` and these stubs only.
static bool isOnlyFor(const std::set<const llvm::Function *> &stubs,
                      const CallBase &maker, const Value *variable) {
  return llvm::isa<llvm::AllocaInst>(variable) &&
         llvm::all_of(variable->uses(), [&](const llvm::Use &use) {
           const auto *call = llvm::dyn_cast<CallBase>(use.getUser());
           if (!call || !call->isArgOperand(&use))
             return false;
           return call == &maker || llvm::isa<llvm::LifetimeIntrinsic>(call) ||
                  stubs.count(call->getCalledFunction());
         });
}

/// Whether the library looks at a type of the application that it names.
static bool isChecked(const CallBase &call, const ArgumentMaker &maker) {
  if (maker.kind != ArgDescription::Kind::Dat)
    return false;
  // The result; a flag; a dat, a slot, a map, a dim.
  unsigned type = 5 + (maker.isOptional ? 1 : 0);
  llvm::StringRef text;
  return type < call.arg_size() &&
         !(llvm::getConstantStringInfo(call.getArgOperand(type), text) &&
           parseTypeString(text));
}

void op2::frontend::makeArgumentsInPlace(
    llvm::Module &module, const FileLoops &loops,
    const std::set<const llvm::Function *> &stubs) {
  for (const auto &[symbol, maker] : loops.argumentMakers) {
    llvm::Function *function = module.getFunction(symbol);
    if (!function || maker.isOpaque)
      continue;
    for (llvm::User *user : llvm::make_early_inc_range(function->users())) {
      auto *call = llvm::dyn_cast<CallBase>(user);
      if (!call || call->getCalledFunction() != function || call->arg_empty() ||
          !call->paramHasAttr(0, llvm::Attribute::StructRet) ||
          isChecked(*call, maker) ||
          !isOnlyFor(stubs, *call, call->getArgOperand(0)))
        continue;
      if (auto *invoke = llvm::dyn_cast<llvm::InvokeInst>(call))
        call = llvm::changeToCall(invoke);
      llvm::IRBuilder<> builder(call);
      store(getFields(*call, maker, builder), call->getArgOperand(0),
            loops.layout, builder);
      call->eraseFromParent();
    }
  }
}

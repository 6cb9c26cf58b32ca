//===- PromiseCheck.cpp - What is asked when the program runs -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PromiseCheck.h"
#include "OP2/Runtime/op2rt.h"
#include "Stub.h"
#include "llvm/IR/Module.h"

using namespace op2::frontend;
using llvm::Value;

static_assert(sizeof(op2rt_use) == 40 && offsetof(op2rt_use, map) == 8 &&
              offsetof(op2rt_use, bytes) == 16 &&
              offsetof(op2rt_use, changed) == 24 &&
              offsetof(op2rt_use, group) == 28 &&
              offsetof(op2rt_use, arity) == 32);

int32_t op2::frontend::getExpectedArity(const LoopDescription &loop,
                                        unsigned arg) {
  if (!loop.args[arg].isIndirect())
    return 0;
  int64_t arity = 0;
  for (const ArgDescription &other : loop.args)
    if (other.isIndirect() && other.sameMapAs == loop.args[arg].sameMapAs)
      arity = std::max(arity, other.slot + other.count);
  return int32_t(arity);
}

/// The fields of an op2rt_use.
static llvm::SmallVector<Value *, 6> createFields(llvm::IRBuilder<> &builder,
                                                  const LoopDescription &loop,
                                                  unsigned number, Value *opArg,
                                                  int32_t arity,
                                                  const OpArgLayout &layout) {
  const ArgDescription &arg = loop.args[number];
  bool isDat = arg.kind == ArgDescription::Kind::Dat;
  bool isGlobal = arg.kind == ArgDescription::Kind::Global;
  Value *null = llvm::ConstantPointerNull::get(builder.getPtrTy());
  auto load = [&](RunParameter::Kind kind) {
    return loadParameter(builder, opArg, loop, {kind, number}, layout);
  };
  return {isDat || isGlobal ? load(RunParameter::Kind::Data) : null,
          arg.isIndirect() ? load(RunParameter::Kind::Map) : null,
          builder.getInt64(isGlobal ? uint64_t(arg.getBytes()) : 0),
          builder.getInt32(arg.access != Access::Read),
          builder.getInt32(int32_t(arg.sameDataAs)),
          builder.getInt32(arity)};
}

/// The same for a variable that a kernel reads by its name.
static llvm::SmallVector<Value *, 6>
createFields(llvm::IRBuilder<> &builder, const llvm::GlobalVariable &variable,
             unsigned number) {
  return {const_cast<llvm::GlobalVariable *>(&variable),
          llvm::ConstantPointerNull::get(builder.getPtrTy()),
          builder.getInt64(uint64_t(getExtent(variable))),
          builder.getInt32(0),
          builder.getInt32(number),
          builder.getInt32(0)};
}

Value *op2::frontend::createPromiseCheck(
    llvm::IRBuilder<> &builder, const LoopDescription &loop, Value *set,
    llvm::ArrayRef<Value *> opArgs, llvm::ArrayRef<int32_t> arities,
    const VariableSet &variables, bool isExact, const OpArgLayout &layout) {
  llvm::Function *function = builder.GetInsertBlock()->getParent();
  llvm::Module &module = *function->getParent();
  auto *useType = llvm::StructType::get(
      builder.getPtrTy(), builder.getPtrTy(), builder.getInt64Ty(),
      builder.getInt32Ty(), builder.getInt32Ty(), builder.getInt32Ty());
  auto numArgs = unsigned(loop.args.size());
  unsigned numUses = numArgs + variables.size();
  auto *type = llvm::ArrayType::get(useType, numUses);
  llvm::IRBuilder<> atEntry(&function->getEntryBlock(),
                            function->getEntryBlock().begin());
  Value *uses = atEntry.CreateAlloca(type);
  for (unsigned i = 0; i < numUses; ++i) {
    Value *use = builder.CreateConstInBoundsGEP2_32(type, uses, 0, i);
    llvm::SmallVector<Value *, 6> fields =
        i < numArgs
            ? createFields(builder, loop, i, opArgs[i], arities[i], layout)
            : createFields(builder, *variables[i - numArgs], i);
    for (auto [index, field] : llvm::enumerate(fields))
      builder.CreateStore(
          field, builder.CreateStructGEP(useType, use, unsigned(index)));
  }
  auto *state = new llvm::GlobalVariable(
      module, builder.getPtrTy(), /*isConstant=*/false,
      llvm::GlobalValue::InternalLinkage,
      llvm::ConstantPointerNull::get(builder.getPtrTy()), "op2.promise_state");
  llvm::FunctionCallee ask = module.getOrInsertFunction(
      "op2rt_may_fuse", builder.getInt32Ty(), builder.getPtrTy(),
      builder.getPtrTy(), builder.getPtrTy(), builder.getInt32Ty(),
      builder.getInt32Ty());
  return builder.CreateIsNotNull(
      builder.CreateCall(ask, {state, set, uses, builder.getInt32(numUses),
                               builder.getInt32(isExact)}));
}

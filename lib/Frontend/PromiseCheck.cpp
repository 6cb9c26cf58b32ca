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

static_assert(sizeof(op2rt_use) == 32 && offsetof(op2rt_use, map) == 8 &&
              offsetof(op2rt_use, bytes) == 16 &&
              offsetof(op2rt_use, changed) == 20 &&
              offsetof(op2rt_use, group) == 24 &&
              offsetof(op2rt_use, arity) == 28);

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
          builder.getInt32(isGlobal ? int32_t(arg.getBytes()) : 0),
          builder.getInt32(arg.access != Access::Read),
          builder.getInt32(int32_t(arg.sameDataAs)),
          builder.getInt32(arity)};
}

Value *op2::frontend::createPromiseCheck(
    llvm::IRBuilder<> &builder, const LoopDescription &loop, Value *set,
    llvm::ArrayRef<Value *> opArgs, llvm::ArrayRef<int32_t> arities,
    bool isExact, const OpArgLayout &layout) {
  llvm::Function *function = builder.GetInsertBlock()->getParent();
  llvm::Module &module = *function->getParent();
  auto *useType = llvm::StructType::get(
      builder.getPtrTy(), builder.getPtrTy(), builder.getInt32Ty(),
      builder.getInt32Ty(), builder.getInt32Ty(), builder.getInt32Ty());
  auto numArgs = unsigned(loop.args.size());
  auto *type = llvm::ArrayType::get(useType, numArgs);
  llvm::IRBuilder<> atEntry(&function->getEntryBlock(),
                            function->getEntryBlock().begin());
  Value *uses = atEntry.CreateAlloca(type);
  for (unsigned i = 0; i < numArgs; ++i) {
    Value *use = builder.CreateConstInBoundsGEP2_32(type, uses, 0, i);
    for (auto [index, field] : llvm::enumerate(
             createFields(builder, loop, i, opArgs[i], arities[i], layout)))
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
      builder.CreateCall(ask, {state, set, uses, builder.getInt32(numArgs),
                               builder.getInt32(isExact)}));
}

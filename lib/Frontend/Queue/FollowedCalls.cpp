//===- FollowedCalls.cpp - Loops of several functions -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FollowedCalls.h"
#include "HostAnalysis/PendingPaths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace op2::frontend;
using llvm::CallBase;
using llvm::Function;
using llvm::Instruction;

/// Whether the code of a function is what its calls run, and another one can
/// pass its arguments on.
static bool canBeFollowed(const Function &function) {
  return !function.isInterposable() &&
         !function.hasAvailableExternallyLinkage() && !function.isVarArg() &&
         llvm::none_of(function, [](const llvm::BasicBlock &block) {
           return block.hasAddressTaken();
         });
}

FollowedCalls::FollowedCalls(const llvm::SetVector<Function *> &callers) {
  llvm::SetVector<Function *> running = callers;
  for (unsigned i = 0; i < running.size(); ++i) {
    Function *function = running[i];
    if (!canBeFollowed(*function))
      continue;
    functions.push_back(function);
    for (llvm::Use &use : function->uses()) {
      auto *call = llvm::dyn_cast<CallBase>(use.getUser());
      if (!call || !call->isCallee(&use) ||
          call->getCalledFunction() != function || call->isMustTailCall() ||
          call->hasOperandBundles() || !pathsAreKnown(*call->getFunction()))
        continue;
      calls[function].push_back(call);
      running.insert(call->getFunction());
    }
  }
}

Function *FollowedCalls::getCallee(const Instruction &inst) const {
  const auto *call = llvm::dyn_cast<CallBase>(&inst);
  Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && llvm::is_contained(getCalls(*callee), call) ? callee
                                                               : nullptr;
}

llvm::ArrayRef<CallBase *>
FollowedCalls::getCalls(const Function &function) const {
  auto found = calls.find(&function);
  if (found == calls.end())
    return {};
  return found->second;
}

bool FollowedCalls::hasOtherCallers(const Function &function) const {
  return !function.hasLocalLinkage() ||
         !function.hasNUses(unsigned(getCalls(function).size()));
}

//===----------------------------------------------------------------------===//
// Paths through several functions
//===----------------------------------------------------------------------===//

namespace {
/// Paths into a function go back to where they came from; those that begin in
/// it go on behind all its calls.
class ProgramWalk {
public:
  ProgramWalk(const FollowedCalls &calls,
              llvm::function_ref<bool(Instruction &)> visit,
              llvm::function_ref<bool(const CallBase &)> copies)
      : calls(calls), visit(visit), copies(copies) {}

  void run(Instruction &start) {
    starts.insert(&start);
    runStarts();
  }

  void run(Function &start) {
    walkPaths(start, [&](Instruction &inst) { return stepOut(inst); });
    runStarts();
  }

private:
  void runStarts() {
    for (unsigned i = 0; i < starts.size(); ++i)
      walkPaths(*starts[i], [&](Instruction &inst) { return stepOut(inst); });
  }

  bool stepOut(Instruction &inst) {
    bool goesOn = step(inst);
    if (goesOn && llvm::isa<llvm::ReturnInst>(inst))
      starts.insert_range(calls.getCalls(*inst.getFunction()));
    return goesOn;
  }

  bool step(Instruction &inst) {
    Function *callee = calls.getCallee(inst);
    return callee && copies(llvm::cast<CallBase>(inst)) ? enter(*callee)
                                                        : visit(inst);
  }

  /// Whether a path through the function ends with its return. One that is
  /// still walked through may.
  bool enter(Function &function) {
    if (!returns.try_emplace(&function, true).second)
      return returns[&function];
    bool mayReturn = false;
    walkPaths(function, [&](Instruction &inst) {
      if (!llvm::isa<llvm::ReturnInst>(inst))
        return step(inst);
      mayReturn = true;
      return false;
    });
    return returns[&function] = mayReturn;
  }

  const FollowedCalls &calls;
  llvm::function_ref<bool(Instruction &)> visit;
  llvm::function_ref<bool(const CallBase &)> copies;
  llvm::SetVector<Instruction *> starts;
  llvm::DenseMap<const Function *, bool> returns;
};
} // namespace

void FollowedCalls::walk(
    Instruction &start, llvm::function_ref<bool(Instruction &)> visit,
    llvm::function_ref<bool(const CallBase &)> copies) const {
  ProgramWalk(*this, visit, copies).run(start);
}

void FollowedCalls::walk(
    Function &start, llvm::function_ref<bool(Instruction &)> visit,
    llvm::function_ref<bool(const llvm::CallBase &)> copies) const {
  ProgramWalk(*this, visit, copies).run(start);
}

//===----------------------------------------------------------------------===//
// Two ways to call a function
//===----------------------------------------------------------------------===//

/// What debuggers are to know of the function that only calls `body`.
static llvm::DISubprogram *describeForOthers(llvm::DISubprogram &body) {
  llvm::DISubprogram *others = llvm::MDNode::replaceWithDistinct(body.clone());
  others->replaceRetainedNodes(llvm::MDTuple::get(body.getContext(), {}));
  return others;
}

/// A function without a body that may be called like another one.
static Function *createLike(Function &model, const llvm::Twine &name = "") {
  Function *function =
      Function::Create(model.getFunctionType(), model.getLinkage(),
                       model.getAddressSpace(), name);
  model.getParent()->getFunctionList().insert(model.getIterator(), function);
  function->copyAttributesFrom(&model);
  function->setPersonalityFn(nullptr);
  return function;
}

/// A function that is for others what `body` was.
static Function *takeRole(Function &body) {
  Function *others = createLike(body);
  others->copyMetadata(&body, 0);
  others->setSubprogram(nullptr);
  others->setComdat(body.getComdat());
  others->takeName(&body);
  body.replaceAllUsesWith(others);
  body.setName(others->getName() + ".waits");
  body.setComdat(nullptr);
  body.setLinkage(llvm::GlobalValue::InternalLinkage);
  body.setVisibility(llvm::GlobalValue::DefaultVisibility);
  body.setDSOLocal(true);
  if (llvm::DISubprogram *subprogram = body.getSubprogram())
    others->setSubprogram(describeForOthers(*subprogram));
  return others;
}

/// Fills an empty function with a call of `body`.
static llvm::ReturnInst *passOn(Function &others, Function &body) {
  llvm::LLVMContext &context = body.getContext();
  llvm::IRBuilder<> builder(
      llvm::BasicBlock::Create(context, "entry", &others));
  if (llvm::DISubprogram *subprogram = others.getSubprogram())
    builder.SetCurrentDebugLocation(llvm::DILocation::get(
        context, subprogram->getScopeLine(), 0, subprogram));
  llvm::SmallVector<llvm::Value *> arguments;
  llvm::SmallVector<llvm::AttributeSet> parameters;
  for (llvm::Argument &argument : others.args()) {
    arguments.push_back(&argument);
    parameters.push_back(
        body.getAttributes().getParamAttrs(argument.getArgNo()));
  }
  llvm::CallInst *call = builder.CreateCall(&body, arguments);
  call->setCallingConv(body.getCallingConv());
  call->setAttributes(
      llvm::AttributeList::get(context, llvm::AttributeSet(),
                               body.getAttributes().getRetAttrs(), parameters));
  if (call->getType()->isVoidTy())
    return builder.CreateRetVoid();
  return builder.CreateRet(call);
}

llvm::ReturnInst *
op2::frontend::splitFunction(Function &body, llvm::ArrayRef<CallBase *> calls) {
  Function *others = takeRole(body);
  for (CallBase *call : calls)
    call->setCalledFunction(&body);
  return passOn(*others, body);
}

llvm::ReturnInst *op2::frontend::makeCaller(Function &body,
                                            const llvm::Twine &name) {
  return passOn(*createLike(body, name), body);
}

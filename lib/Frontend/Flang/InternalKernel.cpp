//===- InternalKernel.cpp - Internal procedures as kernels ----------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InternalKernel.h"
#include "FortranSymbols.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace op2::frontend;
using llvm::AllocaInst;
using llvm::Function;
using llvm::GlobalVariable;
using llvm::Instruction;
using llvm::IntrinsicInst;
using llvm::Value;

static const IntrinsicInst *asIntrinsic(const Value &value,
                                        llvm::Intrinsic::ID id) {
  const auto *intrinsic = llvm::dyn_cast<IntrinsicInst>(&value);
  return intrinsic && intrinsic->getIntrinsicID() == id ? intrinsic : nullptr;
}

bool InternalKernels::isTrampoline(const Value &procedure) {
  return asIntrinsic(procedure, llvm::Intrinsic::adjust_trampoline);
}

/// The parameter that takes the address of the host's frame, or null.
static llvm::Argument *getFrameParameter(Function &procedure) {
  llvm::Argument *last = procedure.arg_empty()
                             ? nullptr
                             : procedure.getArg(procedure.arg_size() - 1);
  return last && last->hasNestAttr() ? last : nullptr;
}

/// The field of a frame that `pointer` is the address of; nothing if it is
/// that of another place.
static std::optional<int64_t> getField(const Value &pointer,
                                       const Value &frame) {
  const auto *inst = llvm::dyn_cast<Instruction>(&pointer);
  if (&pointer == &frame)
    return 0;
  if (!inst)
    return std::nullopt;
  llvm::APInt offset(64, 0);
  const Value *base = pointer.stripAndAccumulateConstantOffsets(
      inst->getDataLayout(), offset, /*AllowNonInbounds=*/true);
  if (base != &frame)
    return std::nullopt;
  return offset.getSExtValue();
}

/// A variable of the main program with an address of its own.
static GlobalVariable *makeGlobal(AllocaInst &variable) {
  llvm::Module &module = *variable.getModule();
  llvm::Type *type = variable.getAllocatedType();
  uint64_t count =
      llvm::cast<llvm::ConstantInt>(variable.getArraySize())->getZExtValue();
  if (count != 1)
    type = llvm::ArrayType::get(type, count);
  std::string name = "op2.host";
  for (llvm::DbgVariableRecord *record : llvm::findDVRDeclares(&variable))
    name = ("_QFE" + record->getVariable()->getName()).str();
  auto *global = new GlobalVariable(module, type, /*isConstant=*/false,
                                    llvm::GlobalValue::InternalLinkage,
                                    llvm::Constant::getNullValue(type), name);
  global->setAlignment(variable.getAlign());
  for (llvm::User *user : llvm::make_early_inc_range(variable.users()))
    if (llvm::isa<llvm::LifetimeIntrinsic>(user))
      llvm::cast<Instruction>(user)->eraseFromParent();
  variable.replaceAllUsesWith(global);
  variable.eraseFromParent();
  return global;
}

/// The variable whose address lies in a field of a frame; null, and why, if
/// that is not known.
static GlobalVariable *findVariable(AllocaInst &frame, int64_t field,
                                    std::string &why) {
  llvm::StoreInst *store = nullptr;
  bool isClear = true;
  for (Instruction &inst : llvm::instructions(*frame.getFunction())) {
    auto *candidate = llvm::dyn_cast<llvm::StoreInst>(&inst);
    if (!candidate || getField(*candidate->getPointerOperand(), frame) != field)
      continue;
    isClear &= !store;
    store = candidate;
  }
  Value *value = store && isClear ? store->getValueOperand() : nullptr;
  if (auto *global = llvm::dyn_cast_or_null<GlobalVariable>(value))
    return global;
  auto *variable = llvm::dyn_cast_or_null<AllocaInst>(value);
  if (variable && variable->isStaticAlloca())
    return makeGlobal(*variable);
  why = "it uses a variable of its host whose place is not known";
  return nullptr;
}

namespace {
/// Makes functions without a frame of the procedures of one host.
class FrameRemover {
public:
  FrameRemover(AllocaInst *frame, std::map<Function *, Function *> &clones)
      : frame(frame), clones(clones) {}

  Function *run(Function &procedure, std::string &why) {
    auto [it, isNew] = clones.try_emplace(&procedure, nullptr);
    if (!isNew)
      return it->second;
    Function *copy = declare(procedure);
    it->second = copy; // it may call itself
    llvm::Argument *parameter = getFrameParameter(procedure);
    llvm::ValueToValueMapTy values;
    for (unsigned i = 0; i < copy->arg_size(); ++i)
      values[procedure.getArg(i)] = copy->getArg(i);
    // Something to find the uses of the frame by.
    auto *mark = new llvm::FreezeInst(llvm::ConstantPointerNull::get(
        llvm::PointerType::getUnqual(copy->getContext())));
    values[parameter] = mark;
    llvm::SmallVector<llvm::ReturnInst *> returns;
    llvm::CloneFunctionInto(copy, &procedure, values,
                            llvm::CloneFunctionChangeType::LocalChangesOnly,
                            returns);
    copy->setLinkage(llvm::GlobalValue::InternalLinkage);
    bool ok = replaceFrame(*mark, why);
    mark->replaceAllUsesWith(llvm::PoisonValue::get(mark->getType()));
    mark->deleteValue();
    return ok ? copy : nullptr;
  }

private:
  static Function *declare(Function &procedure) {
    std::vector<llvm::Type *> types;
    for (const llvm::Argument &argument : llvm::drop_end(procedure.args()))
      types.push_back(argument.getType());
    return Function::Create(
        llvm::FunctionType::get(procedure.getReturnType(), types,
                                /*isVarArg=*/false),
        llvm::GlobalValue::InternalLinkage, procedure.getName() + ".op2host",
        *procedure.getParent());
  }

  /// Addresses of variables in place of loads from the frame.
  bool replaceFrame(Instruction &mark, std::string &why) {
    llvm::SmallVector<Value *> worklist{&mark};
    for (unsigned i = 0; i < worklist.size(); ++i)
      for (llvm::User *user :
           llvm::make_early_inc_range(worklist[i]->users())) {
        if (llvm::isa<llvm::GetElementPtrInst>(user)) {
          worklist.push_back(user);
          continue;
        }
        bool ok = false;
        if (auto *load = llvm::dyn_cast<llvm::LoadInst>(user))
          ok = replaceLoad(*load, mark, why);
        else if (auto *call = llvm::dyn_cast<llvm::CallInst>(user))
          ok = replaceCall(*call, mark, why);
        if (!ok) {
          if (why.empty())
            why = "it uses variables of its host in a way that is not known";
          return false;
        }
      }
    return true;
  }

  bool replaceLoad(llvm::LoadInst &load, const Value &mark, std::string &why) {
    std::optional<int64_t> field = getField(*load.getPointerOperand(), mark);
    if (!field || !load.getType()->isPointerTy())
      return false;
    if (!frame || frame->getFunction()->getName() != "_QQmain") {
      why = "it uses variables of a procedure that is not the main program";
      return false;
    }
    GlobalVariable *variable = findVariable(*frame, *field, why);
    if (!variable)
      return false;
    load.replaceAllUsesWith(variable);
    load.eraseFromParent();
    return true;
  }

  /// Another internal procedure, which gets the same frame.
  bool replaceCall(llvm::CallInst &call, const Value &mark, std::string &why) {
    Function *callee = call.getCalledFunction();
    if (!callee || callee->isDeclaration() || !getFrameParameter(*callee) ||
        call.arg_size() != callee->arg_size() ||
        call.getArgOperand(call.arg_size() - 1) != &mark ||
        llvm::is_contained(llvm::drop_end(call.args()), &mark))
      return false;
    Function *other = run(*callee, why);
    if (!other)
      return false;
    llvm::SmallVector<Value *> arguments(llvm::drop_end(call.args()));
    llvm::CallInst *direct = llvm::CallInst::Create(
        other->getFunctionType(), other, arguments, "", call.getIterator());
    direct->setDebugLoc(call.getDebugLoc());
    call.replaceAllUsesWith(direct);
    call.eraseFromParent();
    return true;
  }

  AllocaInst *frame; ///< null: of no host that is known
  std::map<Function *, Function *> &clones;
};
} // namespace

Function *InternalKernels::get(Value &trampoline, std::string &why) {
  Value *memory = llvm::cast<IntrinsicInst>(trampoline).getArgOperand(0);
  IntrinsicInst *init = nullptr;
  bool isClear = true;
  for (llvm::User *user : memory->users()) {
    if (!asIntrinsic(*user, llvm::Intrinsic::init_trampoline))
      continue;
    isClear &= !init;
    init = llvm::cast<IntrinsicInst>(user);
  }
  auto *procedure = init && isClear
                        ? llvm::dyn_cast<Function>(init->getArgOperand(1))
                        : nullptr;
  if (!procedure || procedure->isDeclaration() ||
      !getFrameParameter(*procedure)) {
    why = "it is an internal procedure that is not known";
    return nullptr;
  }
  auto *frame = llvm::dyn_cast<AllocaInst>(init->getArgOperand(2));
  Function *clone = FrameRemover(frame, clones).run(*procedure, why);
  if (clone)
    trampolines.insert(init);
  else if (why.empty())
    why = "it uses variables of its host in a way that is not known";
  return clone;
}

void InternalKernels::dropTrampolines() {
  for (IntrinsicInst *init : trampolines) {
    llvm::SmallVector<Instruction *> users;
    for (llvm::User *user : init->getArgOperand(0)->users())
      users.push_back(llvm::cast<Instruction>(user));
    if (!llvm::all_of(users, [&](const Instruction *user) {
          return user == init || user->use_empty();
        }))
      continue;
    for (Instruction *user : users)
      user->eraseFromParent();
  }
  trampolines.clear();
}

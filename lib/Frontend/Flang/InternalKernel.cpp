//===- InternalKernel.cpp - Internal procedures as kernels ----------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InternalKernel.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ConstantFolding.h"
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

/// The frame that `passed` is the address of: a host's own, or what an internal
/// procedure that passes it on has got from all that call it. Null if that is
/// not one frame.
static AllocaInst *findFrame(Value &passed) {
  llvm::SmallSetVector<Value *, 4> given;
  given.insert(&passed);
  AllocaInst *found = nullptr;
  for (unsigned i = 0; i < given.size(); ++i) {
    if (auto *frame = llvm::dyn_cast<AllocaInst>(given[i])) {
      if (found)
        return nullptr;
      found = frame;
      continue;
    }
    auto *parameter = llvm::dyn_cast<llvm::Argument>(given[i]);
    if (!parameter || getFrameParameter(*parameter->getParent()) != parameter)
      return nullptr;
    for (llvm::User *user : parameter->getParent()->users()) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(user);
      if (asIntrinsic(*user, llvm::Intrinsic::init_trampoline))
        given.insert(call->getArgOperand(2));
      else if (call && call->getCalledFunction() == parameter->getParent())
        given.insert(call->getArgOperand(parameter->getArgNo()));
      else
        return nullptr;
    }
  }
  return found;
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

/// A value that is put together of constants and addresses of variables, which
/// become constant by that; null if something else is in it.
static llvm::Constant *makeConstant(Value &value) {
  if (auto *constant = llvm::dyn_cast<llvm::Constant>(&value))
    return constant;
  if (auto *variable = llvm::dyn_cast<AllocaInst>(&value))
    return variable->isStaticAlloca() ? makeGlobal(*variable) : nullptr;
  // A part of a variable, as EQUIVALENCE makes it.
  if (auto *part = llvm::dyn_cast<llvm::GetElementPtrInst>(&value)) {
    llvm::APInt offset(64, 0);
    Value *base = part->stripAndAccumulateConstantOffsets(
        part->getDataLayout(), offset, /*AllowNonInbounds=*/true);
    llvm::Constant *whole = base != part ? makeConstant(*base) : nullptr;
    return whole ? llvm::ConstantExpr::getGetElementPtr(
                       llvm::Type::getInt8Ty(value.getContext()), whole,
                       llvm::ConstantInt::get(value.getContext(), offset))
                 : nullptr;
  }
  auto *insert = llvm::dyn_cast<llvm::InsertValueInst>(&value);
  if (!insert)
    return nullptr;
  llvm::Constant *whole = makeConstant(*insert->getAggregateOperand());
  llvm::Constant *part = makeConstant(*insert->getInsertedValueOperand());
  return whole && part ? llvm::ConstantFoldInsertValueInstruction(
                             whole, part, insert->getIndices())
                       : nullptr;
}

/// What is stored to `place`, if that is stored to once.
static Value *findStored(AllocaInst &place) {
  llvm::StoreInst *store = nullptr;
  for (llvm::User *user : place.users())
    if (auto *candidate = llvm::dyn_cast<llvm::StoreInst>(user)) {
      if (store || candidate->getPointerOperand() != &place)
        return nullptr;
      store = candidate;
    }
  return store ? store->getValueOperand() : nullptr;
}

/// `type` at `offset` of a frame: the address of a variable, or a part of an
/// array's descriptor. Null if that is not known.
static llvm::Constant *readFrame(AllocaInst &frame, int64_t offset,
                                 llvm::Type *type) {
  const llvm::DataLayout &layout = frame.getDataLayout();
  int64_t end = offset + int64_t(layout.getTypeStoreSize(type));
  Value *written = nullptr;
  int64_t begin = 0;
  for (Instruction &inst : llvm::instructions(*frame.getFunction())) {
    Value *value = nullptr;
    std::optional<int64_t> field;
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&inst)) {
      field = getField(*store->getPointerOperand(), frame);
      value = store->getValueOperand();
    } else if (auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(&inst)) {
      field = getField(*copy->getRawDest(), frame);
      auto *source = llvm::dyn_cast<AllocaInst>(copy->getRawSource());
      value = field && source ? findStored(*source) : nullptr;
    }
    if (!field)
      continue;
    // Of a frame that is not filled in as a whole nothing is known.
    if (!value)
      return nullptr;
    int64_t next = *field + int64_t(layout.getTypeStoreSize(value->getType()));
    if (next <= offset || end <= *field)
      continue;
    if (written || offset < *field || next < end)
      return nullptr;
    written = value;
    begin = *field;
  }
  llvm::Constant *constant = written ? makeConstant(*written) : nullptr;
  return constant ? llvm::ConstantFoldLoadFromConst(
                        constant, type,
                        llvm::APInt(64, uint64_t(offset - begin)), layout)
                  : nullptr;
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
    made.push_back(&procedure);
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

  /// Takes back what was made: procedures that call each other are of no use
  /// without one of them.
  void undo() {
    for (Function *procedure : made) {
      Function *&copy = clones.at(procedure);
      copy->replaceAllUsesWith(llvm::PoisonValue::get(copy->getType()));
      copy->eraseFromParent();
      copy = nullptr;
    }
    made.clear();
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
        else if (auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(user))
          ok = replaceCopy(*copy, mark, why);
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

  /// What lies in the frame where `pointer` points to; null, and why, if that
  /// is not known.
  llvm::Constant *read(const Value &pointer, llvm::Type *type,
                       const Value &mark, std::string &why) {
    std::optional<int64_t> field = getField(pointer, mark);
    if (!field)
      return nullptr;
    if (!frame || frame->getFunction()->getName() != "_QQmain") {
      why = "it uses variables of a procedure that is not the main program";
      return nullptr;
    }
    llvm::Constant *value = readFrame(*frame, *field, type);
    if (!value)
      why = "it uses a variable of its host whose place is not known";
    return value;
  }

  bool replaceLoad(llvm::LoadInst &load, const Value &mark, std::string &why) {
    llvm::Constant *value =
        read(*load.getPointerOperand(), load.getType(), mark, why);
    if (!value)
      return false;
    load.replaceAllUsesWith(value);
    load.eraseFromParent();
    return true;
  }

  /// Of a descriptor.
  bool replaceCopy(llvm::MemTransferInst &copy, const Value &mark,
                   std::string &why) {
    auto *target = llvm::dyn_cast<AllocaInst>(copy.getRawDest());
    auto *length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
    if (!target || !length || copy.isVolatile() ||
        length->getZExtValue() !=
            copy.getDataLayout().getTypeStoreSize(target->getAllocatedType()))
      return false;
    llvm::Constant *value =
        read(*copy.getRawSource(), target->getAllocatedType(), mark, why);
    if (!value)
      return false;
    new llvm::StoreInst(value, target, /*isVolatile=*/false, target->getAlign(),
                        copy.getIterator());
    copy.eraseFromParent();
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
  std::vector<Function *> made; ///< procedures that got clones
};
} // namespace

/// What fills in the memory of a trampoline; null if that is not clear.
static IntrinsicInst *findInit(const Value &trampoline) {
  const Value *memory = llvm::cast<IntrinsicInst>(trampoline).getArgOperand(0);
  IntrinsicInst *init = nullptr;
  for (const llvm::User *user : memory->users())
    if (asIntrinsic(*user, llvm::Intrinsic::init_trampoline)) {
      if (init)
        return nullptr;
      init = llvm::cast<IntrinsicInst>(const_cast<llvm::User *>(user));
    }
  return init;
}

Function *InternalKernels::getProcedure(const Value &trampoline) {
  const IntrinsicInst *init = findInit(trampoline);
  return init ? llvm::dyn_cast<Function>(init->getArgOperand(1)) : nullptr;
}

Function *InternalKernels::get(const Value &trampoline, std::string &why) {
  Function *procedure = getProcedure(trampoline);
  if (!procedure || procedure->isDeclaration() ||
      !getFrameParameter(*procedure)) {
    why = "it is an internal procedure that is not known";
    return nullptr;
  }
  IntrinsicInst *init = findInit(trampoline);
  AllocaInst *frame = findFrame(*init->getArgOperand(2));
  FrameRemover remover(frame, clones);
  Function *clone = remover.run(*procedure, why);
  if (clone) {
    trampolines.insert(init);
    return clone;
  }
  remover.undo();
  if (why.empty())
    why = "it uses variables of its host in a way that is not known";
  return nullptr;
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

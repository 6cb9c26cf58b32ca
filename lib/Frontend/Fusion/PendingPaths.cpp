//===- PendingPaths.cpp - What may happen while a loop waits -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop changes the data of dats and reduced globals, all of them arrays of
// arithmetic types, and nothing else that a program may look at but the
// runtime's own records. See docs/design/fusing.md.
//
//===----------------------------------------------------------------------===//

#include "PendingPaths.h"
#include "ParsedLoop.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/Path.h"

using namespace op2::frontend;
using llvm::Instruction;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Harmless
//===----------------------------------------------------------------------===//

static std::vector<const char *> getTypeNames(ElementType type) {
  switch (type) {
  case ElementType::F64:
    return {"double"};
  case ElementType::F32:
    return {"float"};
  case ElementType::I32:
  case ElementType::U32:
    return {"int", "long"};
  case ElementType::I64:
  case ElementType::U64:
    return {"long", "long long"};
  case ElementType::Bool:
    return {"bool"};
  }
  return {};
}

Harmless::Harmless(const llvm::CallBase &call, const LoopDescription &loop,
                   const FileLoops &loops,
                   const std::set<const llvm::Function *> &fusedStubs)
    : loopCall(call), loops(loops), fusedStubs(fusedStubs) {
  for (const ArgDescription &arg : loop.args)
    if (arg.access != Access::Read)
      for (const char *name : getTypeNames(arg.type))
        changedTypes.insert(name);
}

bool Harmless::makesArgument(const llvm::CallBase &call) const {
  const llvm::Function *callee = call.getCalledFunction();
  return callee && loops.argumentSymbols.count(callee->getName().str());
}

/// Whether an operand of a call is an op_arg of a loop, or the copy of one that
/// some targets pass by its address.
bool Harmless::takesArgument(const llvm::CallBase &call,
                             unsigned operand) const {
  const llvm::Function *callee = call.getCalledFunction();
  return callee && operand >= ParsedLoop::kFirstArg &&
         (fusedStubs.count(callee) ||
          llvm::any_of(loops.loops, [&](const auto &loop) {
            return callee->getName() == loop->stubSymbol;
          }));
}

/// Whether all that ever happens to a variable is that arguments are made in
/// it, kept in other variables like it, and passed to other loops than this
/// one.
bool Harmless::isForOthers(
    const llvm::Value *pointer,
    llvm::SmallPtrSetImpl<const llvm::Value *> &seen) const {
  if (!llvm::isa<llvm::AllocaInst>(pointer))
    return false;
  if (!seen.insert(pointer).second)
    return true;
  return llvm::all_of(pointer->uses(), [&](const llvm::Use &use) {
    const auto *call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
    if (!call || !call->isArgOperand(&use))
      return false;
    if (const auto *copy = llvm::dyn_cast<llvm::MemCpyInst>(call))
      return isForOthers(copy->getRawDest(), seen);
    unsigned operand = call->getArgOperandNo(&use);
    return llvm::isa<llvm::LifetimeIntrinsic>(call) ||
           (takesArgument(*call, operand) && call != &loopCall) ||
           (makesArgument(*call) &&
            call->paramHasAttr(operand, llvm::Attribute::StructRet));
  });
}

/// Whether a function that gets the address of a variable, or of its value,
/// does not make it known to the loop.
bool Harmless::isPrivateUse(const llvm::CallBase &call,
                            unsigned operand) const {
  if (llvm::isa<llvm::LifetimeIntrinsic, llvm::MemIntrinsic>(call) ||
      call.isByValArgument(operand) || takesArgument(call, operand))
    return true;
  if (!makesArgument(call))
    return false;
  if (call.paramHasAttr(operand, llvm::Attribute::StructRet))
    return true;
  // The address of a global, for another loop only.
  llvm::SmallPtrSet<const llvm::Value *, 4> seen;
  return call.hasStructRetAttr() && isForOthers(call.getArgOperand(0), seen);
}

/// Whether the loop cannot reach a variable that lies at `pointer`.
bool Harmless::staysPrivate(const llvm::Value *pointer) const {
  return llvm::all_of(pointer->uses(), [&](const llvm::Use &use) {
    const auto *user = llvm::cast<Instruction>(use.getUser());
    if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(user))
      return store->getValueOperand() != pointer;
    if (llvm::isa<llvm::GetElementPtrInst>(user))
      return staysPrivate(user);
    if (const auto *call = llvm::dyn_cast<llvm::CallBase>(user))
      return call->isArgOperand(&use) &&
             isPrivateUse(*call, call->getArgOperandNo(&use));
    return llvm::isa<llvm::LoadInst>(user);
  });
}

bool Harmless::isPrivate(const llvm::Value *pointer) const {
  const auto *variable =
      llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer));
  if (!variable)
    return false;
  auto [it, isNew] = known.try_emplace(variable, false);
  if (isNew) {
    bool result = staysPrivate(variable);
    it = known.find(variable);
    it->second = result;
  }
  return it->second;
}

static bool isConstant(const llvm::Value *pointer) {
  const auto *variable =
      llvm::dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(pointer));
  return variable && variable->isConstant();
}

static StringRef getTypeName(const llvm::MDOperand &operand) {
  const auto *node = llvm::dyn_cast_or_null<llvm::MDNode>(operand.get());
  if (!node || node->getNumOperands() == 0)
    return "";
  const auto *name = llvm::dyn_cast<llvm::MDString>(node->getOperand(0));
  return name ? name->getString() : "";
}

/// C++ says which values a store of another type cannot have changed.
bool Harmless::isHarmlessLoad(const llvm::LoadInst &load) const {
  if (!load.isSimple())
    return false;
  const llvm::Value *pointer = load.getPointerOperand();
  if (isPrivate(pointer) || isConstant(pointer))
    return true;
  // OP_kernels and its like: the runtime's own.
  const llvm::Value *object = llvm::getUnderlyingObject(pointer);
  if (llvm::isa<llvm::GlobalVariable>(object) &&
      object->getName().starts_with("OP_"))
    return false;
  const llvm::MDNode *tag = load.getMetadata(llvm::LLVMContext::MD_tbaa);
  if (!tag || tag->getNumOperands() < 3)
    return false;
  StringRef type = getTypeName(tag->getOperand(1));
  bool isField = tag->getOperand(0) != tag->getOperand(1);
  StringRef base = isField ? getTypeName(tag->getOperand(0)) : "";
  // Of the records that the runtime keeps, what never changes.
  if (base.contains("op_kernel") || base.contains("op_dat_entry"))
    return false;
  if (base.contains("op_dat_core") || base.contains("op_map_core"))
    return type.contains("op_set_core");
  return !type.empty() && type != "omnipotent char" &&
         !changedTypes.count(type.str());
}

bool Harmless::isHarmlessCall(const llvm::CallBase &call) const {
  if (makesArgument(call))
    return true;
  if (llvm::isa<llvm::LifetimeIntrinsic>(call))
    return isPrivate(call.getArgOperand(0));
  if (const auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(&call))
    return !copy->isVolatile() && isPrivate(copy->getDest()) &&
           (isPrivate(copy->getSource()) || isConstant(copy->getSource()));
  if (const auto *fill = llvm::dyn_cast<llvm::MemSetInst>(&call))
    return !fill->isVolatile() && isPrivate(fill->getDest());
  if (const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call);
      intrinsic && intrinsic->isAssumeLikeIntrinsic())
    return true;
  return call.doesNotAccessMemory() && call.doesNotThrow() && call.willReturn();
}

bool Harmless::operator()(const Instruction &inst) const {
  if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&inst))
    return isHarmlessLoad(*load);
  if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&inst))
    return store->isSimple() && isPrivate(store->getPointerOperand());
  if (llvm::isa<llvm::CallInst, llvm::InvokeInst>(inst))
    return isHarmlessCall(llvm::cast<llvm::CallBase>(inst));
  if (inst.isTerminator())
    return llvm::isa<llvm::BranchInst, llvm::SwitchInst, llvm::UnreachableInst>(
        inst);
  return !inst.mayHaveSideEffects() && !inst.mayReadFromMemory();
}

//===----------------------------------------------------------------------===//
// Paths
//===----------------------------------------------------------------------===//

namespace {
/// Visits what may be executed after an instruction, each block once from its
/// beginning, until `visit` asks to stop a path.
class PathWalk {
public:
  void run(Instruction &start, llvm::function_ref<bool(Instruction &)> visit) {
    if (start.isTerminator())
      pushSuccessors(start);
    else
      follow(start.getNextNode(), visit);
    while (!blocks.empty())
      follow(&blocks.pop_back_val()->front(), visit);
  }

private:
  void follow(Instruction *inst,
              llvm::function_ref<bool(Instruction &)> visit) {
    for (; inst; inst = inst->getNextNode()) {
      if (!visit(*inst))
        return;
      if (inst->isTerminator())
        pushSuccessors(*inst);
    }
  }

  void pushSuccessors(Instruction &terminator) {
    for (unsigned i = 0; i < terminator.getNumSuccessors(); ++i)
      if (seen.insert(terminator.getSuccessor(i)).second)
        blocks.push_back(terminator.getSuccessor(i));
  }

  llvm::SmallVector<llvm::BasicBlock *> blocks;
  llvm::SmallPtrSet<llvm::BasicBlock *, 16> seen;
};
} // namespace

bool op2::frontend::pathsAreKnown(const llvm::Function &function) {
  return !function.hasOptNone() && !function.isPresplitCoroutine() &&
         !function.callsFunctionThatReturnsTwice() &&
         !function.hasFnAttribute(llvm::Attribute::Naked) &&
         llvm::none_of(function, [](const llvm::BasicBlock &block) {
           return block.isEHPad() && !block.isLandingPad();
         });
}

std::vector<Instruction *> op2::frontend::findStops(
    llvm::CallBase &start,
    llvm::function_ref<bool(const Instruction &)> isHarmless) {
  std::vector<Instruction *> stops;
  PathWalk().run(start, [&](Instruction &inst) {
    if (isHarmless(inst))
      return true;
    if (!llvm::is_contained(stops, &inst))
      stops.push_back(&inst);
    return false;
  });
  return stops;
}

std::vector<llvm::CallBase *>
op2::frontend::findNextCalls(Instruction &inst,
                             const std::set<const llvm::Function *> &callees) {
  std::vector<llvm::CallBase *> calls;
  PathWalk().run(inst, [&](Instruction &next) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(&next);
    if (!call || !callees.count(call->getCalledFunction()))
      return true;
    calls.push_back(call);
    return false;
  });
  return calls;
}

static std::string describeAction(const Instruction &inst) {
  if (llvm::isa<llvm::LifetimeIntrinsic>(inst))
    return "a variable begins or ends";
  if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&inst)) {
    const llvm::Function *callee = call->getCalledFunction();
    if (!callee)
      return "a function is called";
    std::string name = llvm::demangle(callee->getName());
    return "'" + name.substr(0, name.find('(')) + "' is called";
  }
  if (llvm::isa<llvm::ReturnInst, llvm::ResumeInst>(inst))
    return "the function ends";
  if (inst.mayWriteToMemory())
    return "memory is written";
  return inst.mayReadFromMemory() ? "memory is read"
                                  : "the program goes another way";
}

std::string op2::frontend::describeStop(const Instruction &inst) {
  std::string text = describeAction(inst);
  if (const llvm::DebugLoc &place = inst.getDebugLoc();
      place && place.getLine())
    text += " (" + llvm::sys::path::filename(place->getFilename()).str() + ":" +
            std::to_string(place.getLine()) + ")";
  return text;
}

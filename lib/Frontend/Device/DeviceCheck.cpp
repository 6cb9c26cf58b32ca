//===- DeviceCheck.cpp - Kernels that cannot run on a GPU -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks at what is left after inlining and simplification: code that can never
// run is no problem.
//
//===----------------------------------------------------------------------===//

#include "DeviceCheck.h"
#include "DeviceIntrinsics.h"
#include "HostAnalysis/KernelVariables.h"
#include "OP2/Analysis/SourceName.h"
#include "OP2/Conversion/DeviceFunctions.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace op2::frontend;
using llvm::Function;
using llvm::StringRef;
using Obstacle = std::optional<TargetProblem>;

static std::string quote(const llvm::GlobalValue &value) {
  return "'" + mlir::op2::getSourceName(value.getName()) + "'";
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static bool throwsException(StringRef name) {
  return name == "__cxa_throw" || name == "__cxa_rethrow" ||
         name == "__cxa_allocate_exception" ||
         (name.starts_with("_ZSt") && name.contains("__throw_"));
}

static bool allocates(StringRef name) {
  return name == "malloc" || name == "calloc" || name == "realloc" ||
         name == "free" || name == "aligned_alloc" ||
         name.starts_with("_Znw") || name.starts_with("_Zna") ||
         name.starts_with("_Zdl") || name.starts_with("_Zda");
}

/// Why a function without a body cannot be called; `isOwn`: it is the
/// program's, whatever its name (-fno-builtin).
static Obstacle checkExternal(const Function &callee,
                              const llvm::Module &source, bool isOwn) {
  StringRef name = callee.getName();
  if ((!isOwn && mlir::op2::hasDeviceMath(name)) ||
      mlir::op2::isDriverFunction(name))
    return std::nullopt;
  std::string key = ("call:" + name).str();
  if (throwsException(name))
    return TargetProblem{"throws an exception",
                         name.starts_with("__cxa_") ? "throw" : key};
  if (name == "__cxa_guard_acquire")
    return TargetProblem{
        "has a static variable that is initialised when the program runs",
        "static"};
  if (allocates(name))
    return TargetProblem{"allocates memory (" + quote(callee) + ")", key};
  if (isOwn && mlir::op2::hasDeviceMath(name))
    return TargetProblem{"calls " + quote(callee) +
                             ", which may be the program's own (-fno-builtin)",
                         key};
  const Function *original = source.getFunction(name);
  if (original && !original->isDeclaration())
    return TargetProblem{"calls " + quote(callee) +
                             ", whose code cannot be copied: it is weak, or "
                             "takes the addresses of labels",
                         key};
  return TargetProblem{"calls " + quote(callee) +
                           mlir::op2::getCallHint(name).str() +
                           ", whose body is not in this file",
                       key};
}

static Obstacle checkIntrinsic(const llvm::IntrinsicInst &call) {
  StringRef name = call.getCalledFunction()->getName();
  if (llvm::Intrinsic::isTargetIntrinsic(call.getIntrinsicID()))
    return TargetProblem{
        ("uses an instruction of the host's processor ('" + name + "')").str(),
        ""};
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::threadlocal_address: {
    const auto *variable = llvm::cast<llvm::GlobalValue>(call.getArgOperand(0));
    return TargetProblem{"uses the thread-local variable " + quote(*variable),
                         ("variable:" + variable->getName()).str()};
  }
  case llvm::Intrinsic::stacksave:
    return TargetProblem{"has an array of a size that only the run knows", ""};
  case llvm::Intrinsic::vastart:
    return TargetProblem{"is variadic, or calls a variadic function", ""};
  default:
    break;
  }
  if (hasDeviceIntrinsic(call))
    return std::nullopt;
  return TargetProblem{("uses '" + name + "', which a GPU does not have").str(),
                       ""};
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static TargetProblem describe(const std::string &what,
                              const llvm::GlobalVariable &variable,
                              const std::string &why) {
  return {what + " " + quote(variable) + why,
          ("variable:" + variable.getName()).str()};
}

/// A constant table with addresses of variables, one of which `place` may be.
static const llvm::GlobalVariable *getTable(const llvm::Value *place) {
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(
      llvm::getUnderlyingObject(place, /*MaxLookup=*/0));
  return load ? llvm::dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(
                    load->getPointerOperand(), /*MaxLookup=*/0))
              : nullptr;
}

static Obstacle checkWrite(const llvm::Value *place) {
  const llvm::GlobalVariable *variable = findVariable(place);
  if (const llvm::GlobalVariable *table = variable ? nullptr : getTable(place))
    return describe("writes to a variable that the table", *table,
                    " leads to, of which a GPU has a copy to read");
  if (!variable)
    return std::nullopt;
  return describe("writes the variable", *variable,
                  ", of which a GPU has a copy to read");
}

/// Whether nothing comes of a value but what LLVM may assume: that is left of
/// a sanitizer's checks of addresses. Copies lie as their originals do.
static bool isForAssumptions(const llvm::User &user) {
  llvm::SmallVector<const llvm::User *> uses = {&user};
  llvm::SmallPtrSet<const llvm::User *, 8> seen;
  while (!uses.empty()) {
    const llvm::User *use = uses.pop_back_val();
    if (llvm::isa<llvm::AssumeInst>(use) || !seen.insert(use).second)
      continue;
    const auto *inst = llvm::cast<llvm::Instruction>(use);
    if (inst->mayHaveSideEffects() || inst->isTerminator() ||
        inst->getType()->isPtrOrPtrVectorTy() || inst->mayReadFromMemory())
      return false;
    uses.append(inst->user_begin(), inst->user_end());
  }
  return true;
}

/// Reads numbers of a table, of which a device has a copy, and does nothing
/// else with its address.
static bool isReadOfTable(const llvm::User &user, const llvm::Value *place) {
  if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&user)) {
    const llvm::Type *type = load->getType()->getScalarType();
    return type->isIntegerTy() || type->isFloatingPointTy();
  }
  // What pointers are copied is asked where they are loaded.
  if (const auto *copy = llvm::dyn_cast<llvm::AnyMemTransferInst>(&user))
    return copy->getRawSource() == place && copy->getRawDest() != place;
  if (const auto *compare = llvm::dyn_cast<llvm::ICmpInst>(&user))
    return compare->isEquality() &&
           llvm::isa<llvm::ConstantPointerNull>(compare->getOperand(1));
  const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&user);
  return call && call->getType()->isVoidTy() &&
         (call->isAssumeLikeIntrinsic() ||
          call->getIntrinsicID() == llvm::Intrinsic::prefetch);
}

/// What pointers in this variable are used for that a device cannot do.
static Obstacle checkTable(const llvm::LoadInst &load,
                           const llvm::GlobalVariable &variable) {
  llvm::SmallPtrSet<const llvm::Value *, 8> seen = {&load};
  llvm::SmallVector<const llvm::Value *> places = {&load};
  while (!places.empty()) {
    const llvm::Value *place = places.pop_back_val();
    for (const llvm::User *user : place->users()) {
      if (llvm::isa<llvm::GetElementPtrInst, llvm::PHINode, llvm::SelectInst>(
              user)) {
        if (seen.insert(user).second)
          places.push_back(user);
        continue;
      }
      if (isReadOfTable(*user, place) || isForAssumptions(*user))
        continue;
      const auto *inst = llvm::cast<llvm::Instruction>(user);
      const llvm::Value *written = llvm::getPointerOperand(user);
      if (written == place && inst->mayWriteToMemory())
        return describe("writes what the pointer in the variable", variable,
                        " leads to, of which a GPU has a copy to read");
      return describe("does more with the pointer in the variable", variable,
                      " than to read numbers that it leads to");
    }
  }
  return std::nullopt;
}

/// Whether a load takes the whole of one of some variables that are pointers.
static bool isFromPointers(const llvm::LoadInst &load) {
  llvm::SmallVector<const llvm::Value *> objects;
  llvm::getUnderlyingObjects(load.getPointerOperand(), objects, /*LI=*/nullptr,
                             /*MaxLookup=*/0);
  return load.isSimple() &&
         llvm::all_of(objects, [](const llvm::Value *object) {
           const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(object);
           return variable && variable->getValueType()->isPointerTy() &&
                  !variable->hasExternalWeakLinkage();
         });
}

/// A pointer that the host stored leads to the host's memory. Of what the
/// variables that are pointers lead to, a device may have a copy.
static Obstacle checkRead(const llvm::LoadInst &load) {
  if (!load.getType()->isPtrOrPtrVectorTy())
    return std::nullopt;
  const llvm::GlobalVariable *variable = findPointerVariable(load);
  if (variable && isFromPointers(load))
    return checkTable(load, *variable);
  if (variable)
    return describe("uses the pointer in the variable", *variable,
                    ", which leads to the host's memory");
  const llvm::Value *object =
      llvm::getUnderlyingObject(load.getPointerOperand(), /*MaxLookup=*/0);
  if (llvm::isa<llvm::AllocaInst>(object) && isFromElsewhere(load))
    return TargetProblem{"uses a pointer in local memory that may lead to the "
                         "host's memory",
                         ""};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// All instructions
//===----------------------------------------------------------------------===//

static bool isHostType(const llvm::Type *type) {
  const llvm::Type *scalar = type->getScalarType();
  return scalar->isX86_FP80Ty() || scalar->isFP128Ty() ||
         scalar->isPPC_FP128Ty() || scalar->isX86_AMXTy();
}

/// Whether one of the types is an integer of more bits than a GPU has registers
/// for, and another one floating-point.
static bool convertsWide(const llvm::Instruction &inst) {
  auto isWide = [](const llvm::Type *type) {
    return type->isIntOrIntVectorTy() && type->getScalarSizeInBits() > 64;
  };
  auto converts = [&](const llvm::Type *a, const llvm::Type *b) {
    return isWide(a) && b->isFPOrFPVectorTy();
  };
  return inst.getNumOperands() > 0 &&
         (converts(inst.getType(), inst.getOperand(0)->getType()) ||
          converts(inst.getOperand(0)->getType(), inst.getType())) &&
         !llvm::isa<llvm::BitCastInst>(inst);
}

static Obstacle checkInstruction(const llvm::Instruction &inst) {
  auto hasHostType = [](const llvm::Value *value) {
    return isHostType(value->getType());
  };
  if (hasHostType(&inst) || llvm::any_of(inst.operand_values(), hasHostType))
    return TargetProblem{"computes with long double", "long double"};
  if (convertsWide(inst))
    return TargetProblem{"converts between floating-point numbers and integers "
                         "of 128 bits",
                         ""};
  if (const auto *memory = llvm::dyn_cast<llvm::AllocaInst>(&inst))
    if (!memory->isStaticAlloca())
      return TargetProblem{"has an array of a size that only the run knows",
                           ""};
  if (llvm::isa<llvm::IntToPtrInst>(inst))
    return TargetProblem{"takes a number for a pointer, which leads to the "
                         "host's memory",
                         "inttoptr"};
  if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&inst))
    return checkRead(*load);
  if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&inst))
    return checkWrite(store->getPointerOperand());
  if (const auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&inst))
    return checkWrite(atomic->getPointerOperand());
  if (const auto *atomic = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&inst))
    return checkWrite(atomic->getPointerOperand());
  if (const auto *memory = llvm::dyn_cast<llvm::AnyMemIntrinsic>(&inst))
    return checkWrite(memory->getDest());
  // Handlers of exceptions are gone by now; what jumps to labels is no copy.
  return std::nullopt;
}

namespace {
/// Walks a kernel and all that it calls.
class KernelChecker {
public:
  explicit KernelChecker(const llvm::Module &source) : source(source) {}

  Obstacle checkFunction(const Function &function) {
    if (!path.insert(&function))
      return TargetProblem{"calls " + quote(function) +
                               ", which is recursive: the stack of a GPU's "
                               "thread is small",
                           ("call:" + function.getName()).str()};
    for (const llvm::Instruction &inst : llvm::instructions(function)) {
      Obstacle problem = checkInstruction(inst);
      if (!problem)
        if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&inst))
          problem = checkCall(*call);
      if (problem)
        return problem;
    }
    path.pop_back();
    return std::nullopt;
  }

private:
  Obstacle checkCall(const llvm::CallBase &call) {
    if (call.isInlineAsm())
      return TargetProblem{"contains assembly of the host's processor", "asm"};
    const Function *callee = call.getCalledFunction();
    if (!callee)
      return TargetProblem{
          "calls through a pointer (a virtual function, or a pointer to one)",
          "pointer"};
    if (const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call))
      return checkIntrinsic(*intrinsic);
    if (!callee->isDeclaration())
      return checkFunction(*callee);
    return checkExternal(*callee, source, call.isNoBuiltin());
  }

  const llvm::Module &source;
  llvm::SmallSetVector<const Function *, 8> path;
};
} // namespace

/// Whether a variable has as many bytes as its type says: not if the array, or
/// the last one in it, has no length here.
static bool hasKnownSize(const llvm::Type *type) {
  if (const auto *record = llvm::dyn_cast<llvm::StructType>(type))
    return !record->isOpaque() &&
           (record->getNumElements() == 0 ||
            hasKnownSize(
                record->element_begin()[record->getNumElements() - 1]));
  const auto *array = llvm::dyn_cast<llvm::ArrayType>(type);
  return !array || array->getNumElements() > 0;
}

static Obstacle checkVariables(const Function &kernel) {
  for (const llvm::GlobalVariable *variable : findVariables(&kernel))
    if (!hasKnownSize(variable->getValueType()))
      return describe("uses the variable", *variable,
                      ", whose size is not known here");
  return std::nullopt;
}

/// A thread has so much memory of its own.
static Obstacle checkFrame(const Function &kernel) {
  constexpr uint64_t kMostBytes = 512 * 1024;
  const llvm::DataLayout &layout = kernel.getDataLayout();
  uint64_t bytes = 0;
  for (const llvm::Instruction &inst : llvm::instructions(kernel))
    if (const auto *memory = llvm::dyn_cast<llvm::AllocaInst>(&inst))
      if (auto size = memory->getAllocationSize(layout))
        bytes += size->getKnownMinValue();
  if (bytes <= kMostBytes)
    return std::nullopt;
  return TargetProblem{"has " + std::to_string(bytes) +
                           " bytes of local variables, of which a GPU's thread "
                           "has room for " +
                           std::to_string(kMostBytes),
                       ""};
}

Obstacle op2::frontend::findDeviceProblem(Function &kernel,
                                          const llvm::Module &source) {
  Obstacle problem = KernelChecker(source).checkFunction(kernel);
  if (!problem)
    problem = checkVariables(kernel);
  return problem ? problem : checkFrame(kernel);
}

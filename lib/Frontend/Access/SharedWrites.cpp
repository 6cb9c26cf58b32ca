//===- SharedWrites.cpp - What elements share, and a kernel writes --------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedWrites.h"
#include "LibraryCalls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include <cstdlib>
#include <memory>

using namespace op2::frontend;
using llvm::Instruction;
using llvm::Value;

/// Set under a guard, once: by whichever element is the first.
static bool isGuarded(const llvm::GlobalVariable &variable) {
  llvm::StringRef name = variable.getName();
  return name.consume_front("_Z") &&
         variable.getParent()->getNamedValue(("_ZGV" + name).str());
}

static bool isShared(const llvm::GlobalVariable &variable) {
  // Names of counters and locks that compilers add begin like this, and streams
  // of C++: not the program's.
  llvm::StringRef name = variable.getName();
  if (name == "stdin" || name == "stdout" || name == "stderr")
    return false;
  return !variable.isConstant() && !variable.isThreadLocal() &&
         llvm::none_of(
             llvm::ArrayRef<llvm::StringRef>{"__", "_ZGV", ".", "_ZSt"},
             [&](llvm::StringRef begin) { return name.starts_with(begin); });
}

/// Whether `is` holds for one of the values that a value is computed from.
static bool comesFrom(const Value &value,
                      llvm::function_ref<bool(const Value &)> is) {
  llvm::SmallSetVector<const Value *, 8> values;
  values.insert(&value);
  for (unsigned i = 0; i < values.size(); ++i) {
    if (is(*values[i]))
      return true;
    if (const auto *inst = llvm::dyn_cast<Instruction>(values[i]))
      values.insert_range(inst->operand_values());
  }
  return false;
}

/// Whether what is stored comes from data that each element has of its own.
static bool isOfElement(const Instruction &write,
                        llvm::ArrayRef<ArgDescription> args) {
  const auto *store = llvm::dyn_cast<llvm::StoreInst>(&write);
  return store && comesFrom(*store->getValueOperand(), [&](const Value &value) {
           const auto *arg = llvm::dyn_cast<llvm::Argument>(&value);
           return arg &&
                  args[arg->getArgNo()].kind != ArgDescription::Kind::Global;
         });
}

/// Whether elements may choose different places: by what they get, or what a
/// function says, like the number of a thread.
static bool dependsOnElement(const Value &place) {
  return comesFrom(place, [](const Value &value) {
    return llvm::isa<llvm::Argument>(value) ||
           (llvm::isa<llvm::CallBase>(value) &&
            !llvm::isa<llvm::IntrinsicInst>(value));
  });
}

/// The variables that a place may lie in, or behind.
static void addVariables(const Value &place, const Instruction &where,
                         bool isBehindPointer,
                         std::vector<SharedWrite> &writes) {
  llvm::SmallVector<const Value *> objects;
  llvm::getUnderlyingObjects(&place, objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  for (const Value *object : objects) {
    // Those behind two pointers may be anybody's.
    if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(object);
        load && !isBehindPointer && !dependsOnElement(place))
      addVariables(*load->getPointerOperand(), where, true, writes);
    const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(object);
    if (variable && isShared(*variable) &&
        llvm::none_of(writes, [&](const SharedWrite &write) {
          return write.variable == variable;
        }))
      writes.push_back({variable, &where, isBehindPointer});
  }
}

/// The types of a function's parameters, as C++ mangles them; none of C's.
static llvm::SmallVector<llvm::StringRef> divide(llvm::StringRef parameters) {
  llvm::SmallVector<llvm::StringRef> types;
  parameters.consume_front("(");
  parameters.consume_back(")");
  int depth = 0;
  size_t begin = 0;
  for (size_t at = 0; at < parameters.size(); ++at) {
    char c = parameters[at];
    depth += c == '<' || c == '(' ? 1 : c == '>' || c == ')' ? -1 : 0;
    if (c == ',' && depth == 0) {
      types.push_back(parameters.slice(begin, at));
      begin = at + 1;
    }
  }
  if (begin < parameters.size())
    types.push_back(parameters.substr(begin));
  return types;
}

/// Whether a function of C++ takes a pointer to data that it may change, or is
/// a member that may change its object. Objects that are passed by value may
/// take several arguments or none: where that cannot be told, it does not.
static bool isWrittenByCxx(const llvm::Function &function, unsigned argument) {
  std::string name = function.getName().str();
  llvm::ItaniumPartialDemangler demangler; // refers to the name
  if (demangler.partialDemangle(name.c_str()) || !demangler.isFunction())
    return false;
  std::unique_ptr<char, decltype(&std::free)> text(
      demangler.getFunctionParameters(nullptr, nullptr), std::free);
  llvm::SmallVector<llvm::StringRef> types = divide(text.get());
  bool isMember = function.arg_size() == types.size() + 1 &&
                  function.hasParamAttribute(0, llvm::Attribute::NonNull) &&
                  !function.hasParamAttribute(0, llvm::Attribute::StructRet);
  if (function.arg_size() != types.size() + isMember)
    return false;
  if (isMember && argument == 0)
    return !function.getName().starts_with("_ZNK");
  if (argument - isMember >= types.size())
    return false; // of "..."
  llvm::StringRef type = types[argument - isMember];
  bool isPointer = type.contains('*') || type.contains('&');
  return isPointer && !type.contains(" const*") && !type.contains(" const&") &&
         !type.contains(" const volatile") && !type.contains(" const (");
}

namespace {
/// What a function whose code is not here may write. Those of locks may be
/// called at the same time.
class PassedVariables {
public:
  PassedVariables(const CFunctionParameters &writtenByC,
                  std::vector<SharedWrite> &writes)
      : writtenByC(writtenByC), writes(writes) {}

  void add(const llvm::CallBase &call) {
    const llvm::Function *callee = call.getCalledFunction();
    if (!callee || !callee->isDeclaration() || callee->isIntrinsic() ||
        call.onlyReadsMemory() || mayRunTwice(*callee))
      return;
    for (const llvm::Use &use : call.args()) {
      unsigned number = call.getArgOperandNo(&use);
      if (!use->getType()->isPointerTy() || call.onlyReadsMemory(number) ||
          !isWritten(*callee, number))
        continue;
      size_t known = writes.size();
      addVariables(*use, call, /*isBehindPointer=*/false, writes);
      for (SharedWrite &write : llvm::drop_begin(writes, known))
        write.passedTo = callee;
      // Fortran passes numbers like that, too.
      if (isFortran(*callee))
        llvm::erase_if(writes, [&](const SharedWrite &write) {
          return write.passedTo == callee && !write.isBehindPointer &&
                 write.variable->getValueType()->isSingleValueType();
        });
    }
  }

private:
  static bool isFortran(const llvm::Function &function) {
    return function.getName().ends_with("_") ||
           function.getName().starts_with("_FortranA");
  }
  static bool mayRunTwice(const llvm::Function &function) {
    return getHostService(function) != HostService::None ||
           llvm::any_of(llvm::ArrayRef<llvm::StringRef>{"__", "pthread_",
                                                        "omp_",
                                                        "_ZNSt18condition_"},
                        [&](llvm::StringRef begin) {
                          return function.getName().starts_with(begin);
                        });
  }
  bool isWritten(const llvm::Function &function, unsigned argument) const {
    llvm::StringRef name = function.getName();
    // Of its runtime what reads into variables, or writes to character ones.
    if (name.starts_with("_FortranA"))
      return name.starts_with("_FortranAioInput") ||
             (name.contains("Internal") && name.contains("Output"));
    // Products by matrices, of BLAS.
    if (llvm::StringRef("sdcz").contains(name.front()))
      for (auto [routine, result] :
           {std::pair("gemv_", 9u), std::pair("gemm_", 11u)})
        if (name.drop_front() == routine)
          return argument == result;
    if (isFortran(function) && writtenByC.empty())
      return true;
    return writtenByC.count({name.str(), argument}) ||
           isWrittenByCxx(function, argument);
  }

  const CFunctionParameters &writtenByC;
  std::vector<SharedWrite> &writes;
};
} // namespace

std::vector<SharedWrite>
op2::frontend::findSharedWrites(const llvm::Function &kernel,
                                llvm::ArrayRef<ArgDescription> args,
                                const CFunctionParameters &writtenByC) {
  std::vector<SharedWrite> writes;
  if (kernel.arg_size() != args.size())
    return writes;
  for (const Instruction &inst : llvm::instructions(kernel)) {
    const Value *place = nullptr;
    if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&inst))
      place = store->isAtomic() ? nullptr : store->getPointerOperand();
    else if (const auto *memory = llvm::dyn_cast<llvm::MemIntrinsic>(&inst))
      place = memory->getRawDest();
    if (place)
      addVariables(*place, inst, /*isBehindPointer=*/false, writes);
  }
  PassedVariables passed(writtenByC, writes);
  for (const Instruction &inst : llvm::instructions(kernel))
    if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&inst))
      passed.add(*call);
  llvm::erase_if(writes, [&](const SharedWrite &write) {
    return isGuarded(*write.variable) && !isOfElement(*write.where, args);
  });
  return writes;
}

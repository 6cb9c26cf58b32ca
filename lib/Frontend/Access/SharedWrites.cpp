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
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Dominators.h"
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

namespace {
/// Where others wait: behind locks, and where statics of functions are set when
/// they are first met, by whichever element is the first.
class LockedCode {
public:
  explicit LockedCode(const llvm::Function &kernel)
      : tree(const_cast<llvm::Function &>(kernel)) { // looks only
    for (const Instruction &inst : llvm::instructions(kernel)) {
      const auto *call = llvm::dyn_cast<llvm::CallBase>(&inst);
      if (!call || !call->getCalledFunction())
        continue;
      llvm::StringRef name = call->getCalledFunction()->getName();
      if (name == "__cxa_guard_acquire")
        addEdges(*call);
      else if (takesLock(name))
        locks.push_back(call);
    }
  }

  /// Not dominated: C++'s library asks first whether there are threads.
  bool isBehindLock(const Instruction &write) const {
    return llvm::any_of(locks, [&](const llvm::CallBase *lock) {
      return llvm::isPotentiallyReachable(lock, &write);
    });
  }

  bool isFirst(const Instruction &write,
               const llvm::GlobalVariable &variable) const {
    llvm::StringRef name = variable.getName();
    if (!name.consume_front("_Z"))
      return false;
    const Value *guard =
        variable.getParent()->getNamedValue(("_ZGV" + name).str());
    return guard && llvm::any_of(edges, [&](auto const &edge) {
             return edge.first == guard &&
                    tree.dominates(edge.second, write.getParent());
           });
  }

private:
  static bool takesLock(llvm::StringRef function) {
    return llvm::is_contained(
        llvm::ArrayRef<llvm::StringRef>{
            "pthread_mutex_lock", "pthread_spin_lock", "pthread_rwlock_wrlock",
            "omp_set_lock", "omp_set_nest_lock", "__kmpc_critical",
            "GOMP_critical_start"},
        function);
  }

  /// Who gets the guard goes there.
  void addEdges(const llvm::CallBase &acquire) {
    for (const llvm::User *user : acquire.users()) {
      const auto *test = llvm::dyn_cast<llvm::ICmpInst>(user);
      if (!test || !test->isEquality())
        continue;
      bool isElse = test->getPredicate() == llvm::CmpInst::ICMP_EQ;
      for (const llvm::User *use : test->users())
        if (const auto *branch = llvm::dyn_cast<llvm::BranchInst>(use))
          edges.push_back(
              {acquire.getArgOperand(0)->stripPointerCasts(),
               {branch->getParent(), branch->getSuccessor(isElse)}});
    }
  }

  llvm::DominatorTree tree;
  std::vector<std::pair<const Value *, llvm::BasicBlockEdge>> edges;
  std::vector<const llvm::CallBase *> locks;
};
} // namespace

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

/// Whether a place is chosen by what a function without arguments says, like
/// the number of a thread.
static bool dependsOnThread(const Value &place) {
  return comesFrom(place, [](const Value &value) {
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&value);
    return call && call->arg_empty();
  });
}

namespace {
class WriteFinder {
public:
  WriteFinder(const llvm::Function &kernel, llvm::ArrayRef<ArgDescription> args,
              const CFunctionParameters &writtenByC)
      : args(args), writtenByC(writtenByC), locked(kernel) {
    for (const Instruction &inst : llvm::instructions(kernel)) {
      if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&inst)) {
        if (!store->isAtomic())
          add(*store->getPointerOperand(), inst);
      } else if (const auto *memory =
                     llvm::dyn_cast<llvm::MemIntrinsic>(&inst)) {
        add(*memory->getRawDest(), inst);
      }
    }
    for (const Instruction &inst : llvm::instructions(kernel))
      if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&inst))
        addCall(*call);
  }

  std::vector<SharedWrite> writes;

private:
  void add(const Value &place, const Instruction &where);
  void addCall(const llvm::CallBase &call);
  bool isWritten(const llvm::Function &function, unsigned argument) const;

  llvm::ArrayRef<ArgDescription> args;
  const CFunctionParameters &writtenByC;
  LockedCode locked;
};
} // namespace

/// The variables that a place may lie in, or behind, over any number of
/// pointers.
void WriteFinder::add(const Value &place, const Instruction &where) {
  if (locked.isBehindLock(where) || dependsOnThread(place))
    return;
  llvm::SmallSetVector<const Value *, 8> places; // then the pointers to them
  places.insert(&place);
  for (size_t at = 0; at < places.size(); ++at) {
    llvm::SmallVector<const Value *> objects;
    llvm::getUnderlyingObjects(places[at], objects, /*LI=*/nullptr,
                               /*MaxLookup=*/0);
    for (const Value *object : objects) {
      if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(object))
        places.insert(load->getPointerOperand());
      const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(object);
      if (variable && isShared(*variable) &&
          (!locked.isFirst(where, *variable) || isOfElement(where, args)) &&
          llvm::none_of(writes, [&](const SharedWrite &write) {
            return write.variable == variable;
          }))
        writes.push_back({variable, &where, /*isBehindPointer=*/at > 0});
    }
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

static bool isFortran(const llvm::Function &function) {
  return function.getName().ends_with("_") ||
         function.getName().starts_with("_FortranA");
}

static bool beginsLike(const llvm::Function &function,
                       llvm::ArrayRef<llvm::StringRef> names) {
  return llvm::any_of(names, [&](llvm::StringRef name) {
    return function.getName().starts_with(name);
  });
}

/// Also functions of locks may be called at the same time.
static bool mayRunTwice(const llvm::Function &function) {
  return getHostService(function) != HostService::None ||
         beginsLike(function, {"__", "pthread_", "omp_", "_ZNSt18condition_"});
}

/// Whether what a function of a language's library returns depends on the calls
/// before.
static bool hasState(const llvm::Function &function) {
  return llvm::is_contained(
             llvm::ArrayRef<llvm::StringRef>{"rand", "srand", "random",
                                             "srandom", "drand48", "lrand48",
                                             "mrand48", "srand48", "strtok"},
             function.getName()) ||
         beginsLike(function, {"_FortranARand", "_FortranAIrand"});
}

bool WriteFinder::isWritten(const llvm::Function &function,
                            unsigned argument) const {
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

/// What a function whose code is not here may write.
void WriteFinder::addCall(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration() || callee->isIntrinsic() ||
      mayRunTwice(*callee))
    return;
  if (hasState(*callee)) {
    bool isKnown = llvm::any_of(writes, [&](const SharedWrite &write) {
      return !write.variable && write.passedTo == callee;
    });
    if (!isKnown)
      writes.push_back({nullptr, &call, /*isBehindPointer=*/false, callee});
    return;
  }
  if (call.onlyReadsMemory())
    return;
  for (const llvm::Use &use : call.args()) {
    unsigned number = call.getArgOperandNo(&use);
    if (!use->getType()->isPointerTy() || call.onlyReadsMemory(number) ||
        !isWritten(*callee, number))
      continue;
    size_t known = writes.size();
    add(*use, call);
    for (SharedWrite &write : llvm::drop_begin(writes, known))
      write.passedTo = callee;
    // Fortran passes numbers like that, too.
    if (isFortran(*callee))
      llvm::erase_if(writes, [&](const SharedWrite &write) {
        return write.passedTo == callee && !write.isBehindPointer &&
               write.variable &&
               write.variable->getValueType()->isSingleValueType();
      });
  }
}

std::vector<SharedWrite>
op2::frontend::findSharedWrites(const llvm::Function &kernel,
                                llvm::ArrayRef<ArgDescription> args,
                                const CFunctionParameters &writtenByC) {
  if (kernel.arg_size() != args.size())
    return {};
  return WriteFinder(kernel, args, writtenByC).writes;
}

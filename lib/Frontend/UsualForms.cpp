//===- UsualForms.cpp - Kernels without their rare paths ------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UsualForms.h"
#include "KernelExceptions.h"
#include "OP2/Analysis/SourceName.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace op2::frontend;
using llvm::BasicBlock;
using llvm::Function;

using Blocks = llvm::SmallSetVector<BasicBlock *, 16>;

/// The blocks from which no way leads to a return, or none around `obstacles`.
static Blocks findEnding(Function &function, const Blocks &obstacles) {
  Blocks returning;
  for (BasicBlock &block : function)
    if (llvm::isa<llvm::ReturnInst>(block.getTerminator()) &&
        !obstacles.contains(&block))
      returning.insert(&block);
  for (size_t at = 0; at < returning.size(); ++at)
    for (BasicBlock *block : llvm::predecessors(returning[at]))
      if (!obstacles.contains(block))
        returning.insert(block);
  Blocks ending;
  for (BasicBlock &block : function)
    if (!returning.contains(&block))
      ending.insert(&block);
  return ending;
}

//===----------------------------------------------------------------------===//
// Paths that print
//===----------------------------------------------------------------------===//

static bool isConstantText(const llvm::Value *pointer) {
  const auto *variable =
      llvm::dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(pointer));
  return variable && variable->isConstant();
}

static bool isStandardStream(const llvm::Value *pointer) {
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(pointer);
  const auto *variable =
      load ? llvm::dyn_cast<llvm::GlobalVariable>(load->getPointerOperand())
           : nullptr;
  return variable && variable->isDeclaration() &&
         (variable->getName() == "stdout" || variable->getName() == "stderr");
}

/// Flang's functions for output to a unit. Not those of derived types, which
/// call the program.
static bool isFortranOutput(llvm::StringRef name) {
  using namespace llvm;
  if (!name.consume_front("_FortranAio"))
    return false;
  return is_contained({"BeginExternalListOutput",
                       "BeginExternalFormattedOutput", "OutputAscii",
                       "OutputInteger8", "OutputInteger16", "OutputInteger32",
                       "OutputInteger64", "OutputReal32", "OutputReal64",
                       "OutputLogical", "EndIoStatement"},
                      name);
}

/// A call that prints, and can change nothing that the program sees: no stream
/// of the program's own, no `%n`.
static bool prints(const llvm::Instruction &inst,
                   const llvm::TargetLibraryInfo &library) {
  using namespace llvm;
  const auto *call = dyn_cast<CallInst>(&inst);
  const Function *function = call ? call->getCalledFunction() : nullptr;
  if (!function || !function->isDeclaration())
    return false;
  if (isFortranOutput(function->getName()))
    return true;
  LibFunc known;
  if (!library.getLibFunc(*call, known) ||
      !is_contained({LibFunc_printf, LibFunc_fprintf, LibFunc_puts,
                     LibFunc_fputs, LibFunc_putchar, LibFunc_fputc,
                     LibFunc_fwrite, LibFunc_fflush},
                    known))
    return false;
  return all_of(call->args(), [](const Value *operand) {
    return !operand->getType()->isPointerTy() || isConstantText(operand) ||
           isStandardStream(operand);
  });
}

/// Whether it writes at most to the kernel's arguments and its own variables.
static bool writesOwn(const llvm::Instruction &inst,
                      const llvm::TargetLibraryInfo &library) {
  if (!inst.mayHaveSideEffects() || inst.isLifetimeStartOrEnd() ||
      prints(inst, library))
    return true;
  const auto *store = llvm::dyn_cast<llvm::StoreInst>(&inst);
  return store && store->isSimple() &&
         llvm::isa<llvm::Argument, llvm::AllocaInst>(
             llvm::getUnderlyingObject(store->getPointerOperand()));
}

/// The blocks that print on paths of which nothing else is to be seen: elements
/// that follow must find the program's variables as they were.
static Blocks findPrinting(Function &function) {
  llvm::TargetLibraryInfoImpl functions(
      function.getParent()->getTargetTriple());
  llvm::TargetLibraryInfo library(functions, &function);
  Blocks printing;
  for (BasicBlock &block : function)
    if (llvm::any_of(block, [&](llvm::Instruction &inst) {
          return prints(inst, library);
        }))
      printing.insert(&block);
  Blocks never = findEnding(function, {});
  for (BasicBlock *block : findEnding(function, printing))
    if (!never.contains(block) &&
        !llvm::all_of(*block, [&](llvm::Instruction &inst) {
          return writesOwn(inst, library);
        }))
      return {};
  return printing;
}

//===----------------------------------------------------------------------===//
// Where such paths begin
//===----------------------------------------------------------------------===//

static bool ends(const llvm::Instruction &inst) {
  if (const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&inst))
    return intrinsic->getIntrinsicID() == llvm::Intrinsic::trap ||
           intrinsic->getIntrinsicID() == llvm::Intrinsic::ubsantrap;
  return llvm::isa<llvm::CallBase>(inst);
}

/// What leads to no call cannot be reached, or never ends.
static bool leadsToCall(BasicBlock &first) {
  Blocks blocks;
  blocks.insert(&first);
  for (size_t at = 0; at < blocks.size(); ++at) {
    if (llvm::any_of(*blocks[at], ends))
      return true;
    blocks.insert_range(llvm::successors(blocks[at]));
  }
  return false;
}

namespace {
/// Where a path that does not return, or prints, begins.
struct Edge {
  llvm::Instruction *branch;
  unsigned successor;
};
} // namespace

static std::vector<Edge> findEdges(Function &function) {
  Blocks ending = findEnding(function, findPrinting(function));
  std::vector<Edge> edges;
  if (ending.empty() || ending.contains(&function.getEntryBlock()))
    return edges;
  for (BasicBlock &block : function) {
    llvm::Instruction *branch = block.getTerminator();
    if (ending.contains(&block) ||
        !llvm::isa<llvm::BranchInst, llvm::SwitchInst>(branch))
      continue;
    for (unsigned i = 0; i < branch->getNumSuccessors(); ++i)
      if (BasicBlock *next = branch->getSuccessor(i);
          ending.contains(next) && leadsToCall(*next))
        edges.push_back({branch, i});
  }
  return edges;
}

//===----------------------------------------------------------------------===//
// The forms
//===----------------------------------------------------------------------===//

/// Lets all edges lead to `target`.
static void redirect(Function &function, BasicBlock &target) {
  for (Edge edge : findEdges(function)) {
    edge.branch->getSuccessor(edge.successor)
        ->removePredecessor(edge.branch->getParent());
    edge.branch->setSuccessor(edge.successor, &target);
  }
  llvm::removeUnreachableBlocks(function);
}

/// A function with the kernel's body, and `type` for its result.
static Function *copy(const Function &kernel, llvm::Type *type,
                      llvm::StringRef name) {
  llvm::FunctionType *old = kernel.getFunctionType();
  auto *function = Function::Create(
      llvm::FunctionType::get(type, old->params(), /*isVarArg=*/false),
      kernel.getLinkage(), name,
      const_cast<llvm::Module *>(kernel.getParent()));
  llvm::ValueToValueMapTy values;
  for (auto [from, to] : llvm::zip_equal(kernel.args(), function->args()))
    values[&from] = &to;
  llvm::SmallVector<llvm::ReturnInst *> returns;
  llvm::CloneFunctionInto(function, &kernel, values,
                          llvm::CloneFunctionChangeType::LocalChangesOnly,
                          returns);
  function->setVisibility(kernel.getVisibility());
  return function;
}

static BasicBlock &addBlock(Function &function) {
  return *BasicBlock::Create(function.getContext(), "", &function);
}

/// Where an element has thrown, those that have not begun are passed over: the
/// whole kernel's call sees to that.
static void leaveAfterException(Function &check, BasicBlock &left) {
  BasicBlock &entry = check.getEntryBlock();
  BasicBlock *body =
      entry.splitBasicBlock(entry.getFirstNonPHIOrDbgOrAlloca(), "body");
  entry.getTerminator()->eraseFromParent();
  llvm::IRBuilder<> builder(&entry);
  builder.CreateCondBr(createHasException(builder), &left, body);
}

static void addForms(Function &kernel) {
  llvm::LLVMContext &context = kernel.getContext();
  Function *usual = copy(kernel, kernel.getReturnType(),
                         mlir::op2::getUsualName(kernel.getName()));
  BasicBlock &never = addBlock(*usual);
  new llvm::UnreachableInst(context, &never);
  redirect(*usual, never);

  auto *type = llvm::Type::getInt1Ty(context);
  Function *check =
      copy(kernel, type, mlir::op2::getCheckName(kernel.getName()));
  for (BasicBlock &block : *check)
    if (auto *end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator()))
      llvm::ReplaceInstWithInst(
          end, llvm::ReturnInst::Create(context,
                                        llvm::ConstantInt::getFalse(context)));
  BasicBlock &left = addBlock(*check);
  llvm::ReturnInst::Create(context, llvm::ConstantInt::getTrue(context), &left);
  redirect(*check, left);
  if (mayThrow(kernel))
    leaveAfterException(*check, left);
  // Nobody looks at what it stores.
  for (llvm::Argument &argument : check->args())
    if (argument.getType()->isPointerTy())
      argument.addAttr(llvm::Attribute::DeadOnReturn);
}

void op2::frontend::addUsualForms(llvm::Module &clone) {
  std::vector<Function *> kernels;
  for (Function &function : clone) {
    if (function.isDeclaration() || !function.getReturnType()->isVoidTy() ||
        !function.getName().ends_with(mlir::op2::kKernelSuffix))
      continue;
    llvm::removeUnreachableBlocks(function);
    // Each is a branch within the one before.
    constexpr size_t kMostEdges = 100;
    size_t count = findEdges(function).size();
    if (count > 0 && count <= kMostEdges)
      kernels.push_back(&function);
  }
  for (Function *kernel : kernels)
    addForms(*kernel);
}

bool op2::frontend::isCheck(const Function &function) {
  return function.getName().ends_with(mlir::op2::getCheckName(""));
}

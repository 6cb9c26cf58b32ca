//===- UsualForms.cpp - Kernels without the paths that end them -----------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UsualForms.h"
#include "KernelExceptions.h"
#include "OP2/Analysis/SourceName.h"
#include "llvm/ADT/SetVector.h"
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

/// The blocks from which no way leads to a return.
static Blocks findEnding(Function &function) {
  Blocks returning;
  for (BasicBlock &block : function)
    if (llvm::isa<llvm::ReturnInst>(block.getTerminator()))
      returning.insert(&block);
  for (size_t at = 0; at < returning.size(); ++at)
    returning.insert_range(llvm::predecessors(returning[at]));
  Blocks ending;
  for (BasicBlock &block : function)
    if (!returning.contains(&block))
      ending.insert(&block);
  return ending;
}

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
/// Where a path that does not return begins.
struct Edge {
  llvm::Instruction *branch;
  unsigned successor;
};
} // namespace

static std::vector<Edge> findEdges(Function &function) {
  Blocks ending = findEnding(function);
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

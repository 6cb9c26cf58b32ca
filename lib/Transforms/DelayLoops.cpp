//===- DelayLoops.cpp - Let the runtime run loops later -------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the frontend for C++ does to a program of its own (lib/Frontend/Queue),
// for programs in MLIR: there the effects of ops tell what may come before a
// pending loop has run.
//
//===----------------------------------------------------------------------===//

#include "OP2/Analysis/KernelEffects.h"
#include "OP2/Dialect/OP2Ops.h"
#include "OP2/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::op2 {
#define GEN_PASS_DEF_OP2DELAYLOOPSPASS
#include "OP2/Transforms/Passes.h.inc"
} // namespace mlir::op2

using namespace mlir;
using namespace mlir::op2;

//===----------------------------------------------------------------------===//
// Which loops
//===----------------------------------------------------------------------===//

/// Whether a kernel does nothing that others notice, and looks at nothing that
/// they change, but what its arguments are.
static bool touchesArgumentsOnly(FunctionOpInterface kernel,
                                 ArrayRef<LoopArg> args,
                                 SymbolTableCollection &symbols) {
  if (!kernel || kernel.isExternal() || !mayRunLater(kernel, args))
    return false;
  FollowedPointers pointers = findFollowedPointers(kernel, args);
  if (!pointers || !pointers->empty())
    return false;
  return !kernel
              ->walk([&](Operation *op) {
                if (isa<LLVM::AddressOfOp>(op))
                  return WalkResult::interrupt();
                auto get = dyn_cast<memref::GetGlobalOp>(op);
                auto global =
                    get ? symbols.lookupNearestSymbolFrom<memref::GlobalOp>(
                              get, get.getNameAttr())
                        : memref::GlobalOp();
                return get && !(global && global.getConstant())
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              })
              .wasInterrupted();
}

/// Whether a function can take the argument as a plain pointer. What a function
/// of the program does when it combines results is not known.
static bool canBePassed(const LoopArg &arg) {
  if (arg.isMerged())
    return false;
  auto type =
      arg.data ? dyn_cast<MemRefType>(arg.data.getType()) : MemRefType();
  return !type || (type.hasStaticShape() && type.getLayout().isIdentity() &&
                   !type.getMemorySpace());
}

//===----------------------------------------------------------------------===//
// What may come before a pending loop has run
//===----------------------------------------------------------------------===//

/// A variable of the module or of a function: the op that it begins with, or
/// the name of a memref.global. Null for memory of which nothing is known.
using Variable = llvm::PointerUnion<Operation *, Attribute>;

static Variable findVariable(Value memory) {
  Operation *op = getWholeMemory(memory).getDefiningOp();
  if (auto get = dyn_cast_or_null<memref::GetGlobalOp>(op))
    return Attribute(get.getNameAttr());
  if (isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(op))
    return op;
  return {};
}

namespace {
/// Places flushes in a function with loops that may be pending.
class FlushPlacement {
public:
  explicit FlushPlacement(func::FuncOp function) : function(function) {
    function.walk([&](EnqueueOp op) {
      for (Operation *at = op; at != function; at = at->getParentOp())
        withLoops.insert(at);
    });
  }

  /// A pending loop changes this memory.
  void addResult(Value memory) {
    Variable variable = findVariable(memory);
    if (!variable) {
      mayBeAnywhere = true;
      return;
    }
    results.insert(variable.getOpaqueValue());
    if (auto local = dyn_cast_if_present<memref::AllocaOp>(
            dyn_cast<Operation *>(variable)))
      addEnds(local);
  }

  void run() {
    for (Block &block : function.getBody())
      visit(block, /*isPending=*/!block.isEntryBlock());
  }

private:
  /// The variable ends where the innermost scope around it does.
  void addEnds(memref::AllocaOp local) {
    auto *scope =
        local->getParentWithTrait<OpTrait::AutomaticAllocationScope>();
    for (Region &region : scope->getRegions())
      for (Block &block : region)
        ends.insert(block.getTerminator());
  }

  /// Returns whether loops may be pending at the end.
  bool visit(Block &block, bool isPending) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      bool hasLoops = withLoops.contains(&op);
      if (isa<EnqueueOp>(op)) {
        isPending = true;
        continue;
      }
      // In a loop of the program the next round comes behind this one.
      bool isPendingInside = isPending || hasLoops;
      if (isPendingInside && !hasLoops && mustWait(op)) {
        OpBuilder builder(&op);
        FlushOp::create(builder, op.getLoc());
        isPending = false;
        continue;
      }
      if (!hasLoops)
        continue;
      if (!op.hasTrait<OpTrait::HasRecursiveMemoryEffects>() && isPending) {
        OpBuilder builder(&op);
        FlushOp::create(builder, op.getLoc());
      }
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          visit(inner, /*isPending=*/true);
      isPending = true;
    }
    return isPending;
  }

  /// Whether an op, with all that is in it, might notice that loops are
  /// pending, or change what they use.
  bool mustWait(Operation &op) const {
    if (op.hasTrait<OpTrait::HasRecursiveMemoryEffects>())
      return op
          .walk([&](Operation *inner) {
            bool waits =
                inner != &op &&
                !inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>() &&
                mustWait(*inner);
            return waits ? WalkResult::interrupt() : WalkResult::advance();
          })
          .wasInterrupted();
    if (isa<ParLoopOp>(op)) // flushes when it begins
      return false;
    if (ends.contains(&op))
      return true;
    if (isMemoryEffectFree(&op))
      return isa<func::ReturnOp>(op);
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    if (!effects || op.getNumRegions() > 0)
      return true;
    SmallVector<MemoryEffects::EffectInstance> instances;
    effects.getEffects(instances);
    return llvm::any_of(instances, [&](const auto &instance) {
      if (isa<MemoryEffects::Allocate>(instance.getEffect()))
        return false;
      Value memory = instance.getValue();
      return !memory || !isa<MemRefType>(memory.getType()) ||
             mayBeResult(memory);
    });
  }

  bool mayBeResult(Value memory) const {
    Variable variable = findVariable(memory);
    return mayBeAnywhere || !variable ||
           results.contains(variable.getOpaqueValue());
  }

  func::FuncOp function;
  llvm::SmallPtrSet<Operation *, 16> withLoops;
  llvm::SmallPtrSet<Operation *, 4> ends; ///< of variables with results
  llvm::SmallPtrSet<void *, 8> results;
  bool mayBeAnywhere = false;
};

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

struct DelayLoopsPass
    : public op2::impl::OP2DelayLoopsPassBase<DelayLoopsPass> {
  using OP2DelayLoopsPassBase::OP2DelayLoopsPassBase;

  void runOnOperation() override {
    SymbolTableCollection symbols;
    for (auto function : llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      if (!function->hasAttr(kDelayableAttr) &&
          !function->hasAttr(kVariantAttr) && !function->hasAttr(kFusibleAttr))
        delayLoops(function, symbols);
  }

private:
  void delayLoops(func::FuncOp function, SymbolTableCollection &symbols);
  void outline(ParLoopOp loop, bool isLater, func::FuncOp function,
               SymbolTable &table);
};
} // namespace

static bool mayBeDelayed(ParLoopOp loop, SymbolTableCollection &symbols) {
  auto kernel = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(
      loop, loop.getKernelAttr());
  return touchesArgumentsOnly(kernel, loop.getLoopArgs(), symbols);
}

/// "main.res_calc"
static std::string nameFunction(func::FuncOp function, ParLoopOp loop) {
  std::string name = function.getName().str() + ".";
  for (char c : loop.getLabel())
    name += llvm::isAlnum(c) || c == '_' ? c : '.';
  return name;
}

/// Makes a function of the loop, and the call of it, which may come later.
void DelayLoopsPass::outline(ParLoopOp loop, bool isLater,
                             func::FuncOp function, SymbolTable &table) {
  llvm::SetVector<Value> operands;
  operands.insert(loop.getSet());
  operands.insert_range(loop.getValues());
  OpBuilder builder(loop.getContext());
  auto type = builder.getFunctionType(
      TypeRange(ValueRange(operands.getArrayRef())), {});
  auto outlined = func::FuncOp::create(builder, loop.getLoc(),
                                       nameFunction(function, loop), type);
  outlined.setPrivate();
  outlined->setAttr(kDelayableAttr, builder.getUnitAttr());
  outlined->setAttr("llvm.bareptr", builder.getUnitAttr());
  table.insert(outlined);
  IRMapping mapping;
  mapping.map(operands.getArrayRef(), outlined.addEntryBlock()->getArguments());
  builder.setInsertionPointToStart(&outlined.getBody().front());
  builder.clone(*loop, mapping);
  func::ReturnOp::create(builder, loop.getLoc());
  builder.setInsertionPoint(loop);
  if (!isLater) {
    func::CallOp::create(builder, loop.getLoc(), outlined,
                         operands.getArrayRef());
    return;
  }
  EnqueueOp::create(builder, loop.getLoc(), outlined.getName(),
                    operands.getArrayRef());
  ++numDelayed;
}

void DelayLoopsPass::delayLoops(func::FuncOp function,
                                SymbolTableCollection &symbols) {
  SmallVector<std::pair<ParLoopOp, bool>> loops; // which, and whether later
  function.walk([&](ParLoopOp loop) {
    if (!llvm::all_of(loop.getLoopArgs(), canBePassed))
      return;
    bool isLater = later && mayBeDelayed(loop, symbols);
    if (isLater || again)
      loops.push_back({loop, isLater});
  });
  if (loops.empty())
    return;
  SmallVector<Value> results;
  for (auto [loop, isLater] : loops) {
    for (const LoopArg &arg : loop.getLoopArgs())
      if (isLater && arg.isGlobal() && arg.getAccess() != Access::Read)
        results.push_back(arg.data);
    outline(loop, isLater, function, symbols.getSymbolTable(getOperation()));
    loop.erase();
  }
  FlushPlacement placement(function);
  for (Value result : results)
    placement.addResult(result);
  placement.run();
}

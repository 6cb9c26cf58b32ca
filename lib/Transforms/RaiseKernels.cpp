//===- RaiseKernels.cpp - Imported kernels as func.func -------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One kernel is raised once for every list of argument types that a loop calls
// it with. See docs/design/raising.md.
//
//===----------------------------------------------------------------------===//

#include "DebugScopes.h"
#include "OP2/Analysis/LoopArguments.h"
#include "OP2/Analysis/SourceName.h"
#include "OP2/Dialect/KernelWrites.h"
#include "OP2/Transforms/Passes.h"
#include "Raise/ChosenPlaces.h"
#include "Raise/KernelRaiser.h"
#include "Raise/UsualForms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Verifier.h"

namespace mlir::op2 {
#define GEN_PASS_DEF_OP2RAISEKERNELSPASS
#include "OP2/Transforms/Passes.h.inc"
} // namespace mlir::op2

using namespace mlir;
using namespace mlir::op2;

namespace {
/// What a kernel became for one list of arguments.
struct RaisedKernel {
  func::FuncOp function; ///< null if it could not be raised
  std::optional<Obstacle> obstacle;
};

/// Of a kernel with paths that never return.
struct UsualForms {
  func::FuncOp usual; ///< without them
  func::FuncOp check; ///< whether an element takes one
};

/// Raises the kernels of one module.
class ModuleRaiser {
public:
  explicit ModuleRaiser(ModuleOp module)
      : module(module), symbols(module),
        cleanups(getCleanups(module.getContext())) {}

  /// The raised form of the loop's kernel, made now or before.
  RaisedKernel raise(ParLoopOp loop, LLVM::LLVMFuncOp kernel);

  /// The forms of a kernel that is not raised, for vectors of elements; null if
  /// there are none.
  UsualForms raiseUsual(ParLoopOp loop, LLVM::LLVMFuncOp kernel);

  /// Erases imported kernels that were raised and have no users left, and
  /// what they became if no loop can call that. The others stand beside a
  /// function made from them.
  void eraseUnused();

private:
  RaisedKernel create(ArrayRef<LoopArg> args, LLVM::LLVMFuncOp kernel,
                      bool isFirst);
  RaisedKernel getOrCreate(ArrayRef<LoopArg> args, LLVM::LLVMFuncOp kernel);

  ModuleOp module;
  SymbolTable symbols;
  FrozenRewritePatternSet cleanups;
  DenseMap<std::pair<Operation *, Type>, RaisedKernel> kernels;
  llvm::SmallSetVector<Operation *, 8> raised;
};
} // namespace

/// How many cases of a switch others of its cases lead to, before the program
/// comes to the switch again.
static int64_t countEnteredCases(cf::SwitchOp op) {
  llvm::SmallPtrSet<Block *, 16> cases(op.getCaseDestinations().begin(),
                                       op.getCaseDestinations().end()),
      entered;
  for (Block *from : cases) {
    llvm::SmallSetVector<Block *, 8> reached;
    reached.insert_range(from->getSuccessors());
    for (unsigned i = 0; i < reached.size(); ++i) {
      if (cases.contains(reached[i]))
        entered.insert(reached[i]); // the rest is its way
      else if (reached[i] != op->getBlock())
        reached.insert_range(reached[i]->getSuccessors());
    }
  }
  return int64_t(entered.size());
}

/// A switch with so many cases that go on into others that giving it a
/// structure would take minutes: each of them becomes a switch over all that
/// may come behind it.
static Operation *findLongFallthrough(func::FuncOp function) {
  constexpr int64_t kMost = 64;
  Operation *found = nullptr;
  function.walk([&](cf::SwitchOp op) {
    if (!found && op.getCaseDestinations().size() > kMost &&
        countEnteredCases(op) > kMost)
      found = op;
  });
  return found;
}

RaisedKernel ModuleRaiser::create(ArrayRef<LoopArg> args,
                                  LLVM::LLVMFuncOp kernel, bool isFirst) {
  if (std::optional<std::string> reason = checkRaisable(kernel, args))
    return {{}, Obstacle{*reason, kernel.getLoc()}};
  MLIRContext *context = module.getContext();
  OpBuilder builder(context);
  auto function = func::FuncOp::create(builder, kernel.getLoc(),
                                       (kernel.getName() + ".raised").str(),
                                       getRaisedType(args, kernel));
  function.setPrivate();
  function->setAttr("llvm.linkage",
                    LLVM::LinkageAttr::get(context, LLVM::Linkage::Internal));
  symbols.insert(function, Block::iterator(kernel));
  KernelRaiser raiser(kernel, args, function);
  std::optional<Obstacle> obstacle;
  if (failed(raiser.run()))
    obstacle = raiser.getObstacle();
  else if (Operation *op = findLongFallthrough(function))
    obstacle = Obstacle{"has a switch of more than 64 cases that fall through",
                        op->getLoc()};
  else if (failed(structureControlFlow(function, cleanups)))
    obstacle =
        Obstacle{"has control flow without a structure", kernel.getLoc()};
  else if (failed(verify(function)))
    obstacle = Obstacle{"becomes an invalid function", kernel.getLoc()};
  if (obstacle) {
    symbols.erase(function);
    return {{}, obstacle};
  }
  for (auto [number, arg] : llvm::enumerate(args))
    if (isSummedFirst(arg))
      for (int64_t n = 0; n < arg.getNumOperands(); ++n)
        choosePlaces(
            function.getArgument(getFirstOperand(args, unsigned(number)) + n));
  if (!isFirst)
    createOwnSubprogram(function);
  return {function, std::nullopt};
}

RaisedKernel ModuleRaiser::raise(ParLoopOp loop, LLVM::LLVMFuncOp kernel) {
  SmallVector<LoopArg> args = loop.getLoopArgs();
  RaisedKernel result = getOrCreate(args, kernel);
  if (!result.function)
    return result;
  // Rule L16. The types do not tell the accesses: other loops may call it.
  SymbolTableCollection tables;
  std::optional<KernelWrite> write =
      findReadWritten(result.function, args, tables);
  if (!write)
    return result;
  return {{},
          Obstacle{"writes to argument " + std::to_string(write->arg) +
                       ", which the loop reads",
                   write->op->getLoc()}};
}

RaisedKernel ModuleRaiser::getOrCreate(ArrayRef<LoopArg> args,
                                       LLVM::LLVMFuncOp kernel) {
  // A tuple per argument: the rows alone do not say whose they are.
  SmallVector<Type> signature;
  for (const LoopArg &arg : args) {
    SmallVector<Type> rows(arg.getNumOperands(), arg.getOperandType());
    Type tuple = TupleType::get(module.getContext(), rows);
    Type type = arg.takesTable() ? tuple : arg.getOperandType();
    // Other loops may have the rows themselves there.
    signature.push_back(
        isSummedFirst(arg) ? TupleType::get(module.getContext(), type) : type);
  }
  std::pair<Operation *, Type> key(
      kernel, TupleType::get(module.getContext(), signature));
  if (auto it = kernels.find(key); it != kernels.end())
    return it->second;
  RaisedKernel result = create(args, kernel, !raised.contains(kernel));
  if (result.function)
    raised.insert(kernel);
  kernels.insert({key, result});
  return result;
}

UsualForms ModuleRaiser::raiseUsual(ParLoopOp loop, LLVM::LLVMFuncOp kernel) {
  auto find = [&](StringRef name) {
    return symbols.lookup<LLVM::LLVMFuncOp>(name);
  };
  auto usual = find(getUsualName(kernel.getName()));
  auto check = find(getCheckName(kernel.getName()));
  // Columns are loops of their own.
  if (!usual || !check || loop->hasAttr(kInPlaceAttr))
    return {};
  SmallVector<LoopArg> args = loop.getLoopArgs();
  UsualForms forms = {raise(loop, usual).function,
                      getOrCreate(args, check).function};
  if (!forms.usual || !forms.check ||
      !canUseUsualForm(args, forms.usual, forms.check))
    return {};
  return forms;
}

void ModuleRaiser::eraseUnused() {
  SymbolTableCollection tables;
  SymbolUserMap users(tables, module);
  for (auto &[key, result] : kernels)
    if (result.function && users.useEmpty(result.function))
      symbols.erase(result.function);
  for (Operation *kernel : raised)
    if (users.useEmpty(kernel))
      symbols.erase(kernel);
    else
      createOwnSubprogram(kernel);
}

namespace {
struct RaiseKernelsPass
    : public op2::impl::OP2RaiseKernelsPassBase<RaiseKernelsPass> {
  using OP2RaiseKernelsPassBase::OP2RaiseKernelsPassBase;

  void runOnOperation() override {
    ModuleRaiser raiser(getOperation());
    SmallVector<ParLoopOp> loops;
    getOperation().walk([&](ParLoopOp loop) { loops.push_back(loop); });
    for (ParLoopOp loop : loops)
      if (auto kernel = SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
              loop, loop.getKernelAttr())) {
        RaisedKernel result = raiser.raise(loop, kernel);
        if (result.obstacle)
          if (UsualForms forms = raiser.raiseUsual(loop, kernel); forms.usual) {
            loop->setAttr(kUsualAttr,
                          ArrayAttr::get(&getContext(),
                                         {FlatSymbolRefAttr::get(forms.check),
                                          FlatSymbolRefAttr::get(kernel)}));
            result.function = forms.usual;
          }
        replaceKernel(loop, result);
      }
    raiser.eraseUnused();
  }

private:
  /// Lets `loop` call the raised kernel, or records why there is none.
  void replaceKernel(ParLoopOp loop, RaisedKernel result) {
    ++(result.obstacle ? numKept : numRaised);
    if (result.obstacle)
      reportObstacle(loop, *result.obstacle);
    if (!result.function)
      return;
    // The loop's name must not change with its kernel's.
    loop.setLoopName(loop.getLabel());
    loop.setKernel(result.function.getName());
  }

  static void reportObstacle(ParLoopOp loop, const Obstacle &obstacle) {
    Builder builder(loop.getContext());
    loop->setAttr(kNotRaisedAttr,
                  ObstacleAttr::get(builder.getContext(),
                                    builder.getStringAttr(obstacle.reason),
                                    LocationAttr(obstacle.loc)));
    InFlightDiagnostic remark = loop.emitRemark("kernel '")
                                << getSourceName(loop.getKernel())
                                << "' is not raised: " << obstacle.reason;
    remark.attachNote(obstacle.loc) << "here";
  }
};
} // namespace

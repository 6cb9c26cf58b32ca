//===- KernelVectorization.cpp - Has a kernel a form for several elements? ===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The answer for each operation that KernelWidener then relies on.
//
//===----------------------------------------------------------------------===//

#include "OP2/Analysis/ByteOffset.h"
#include "OP2/Analysis/Uniformity.h"
#include "OP2/Analysis/Vectorization.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::op2;

bool op2::isLaneElement(Type type) {
  // LLVM 22 shifts wider integers wrongly in vectors, and takes wider numbers
  // one by one.
  constexpr unsigned kWidest = 64;
  if (type.isIndex())
    return true;
  auto integer = dyn_cast<IntegerType>(type);
  return (isa<FloatType>(type) || (integer && !integer.isSigned())) &&
         type.getIntOrFloatBitWidth() <= kWidest;
}

Type op2::getLaneStorage(Type type) {
  if (type.isInteger(1))
    return IntegerType::get(type.getContext(), 8);
  if (type.isUnsignedInteger())
    return IntegerType::get(type.getContext(), type.getIntOrFloatBitWidth());
  return type;
}

bool op2::isSignCast(Operation *op) {
  return isa<UnrealizedConversionCastOp>(op) && op->getNumOperands() == 1 &&
         op->getNumResults() == 1 && op->getOperand(0).getType().isInteger() &&
         op->getResult(0).getType().isInteger() &&
         op->getOperand(0).getType().getIntOrFloatBitWidth() ==
             op->getResult(0).getType().getIntOrFloatBitWidth();
}

bool op2::hasFirstElement(Value memref) {
  return isa<BlockArgument>(memref) ||
         cast<MemRefType>(memref.getType()).hasStaticShape();
}

/// Among how many places values are chosen in registers at most.
static constexpr int64_t kMostPlaces = 8;

/// The values of a number that is one of a few constants; none if it may be
/// anything.
static SmallVector<int64_t> findConstants(Value value) {
  SmallVector<int64_t> constants;
  SmallVector<Value> rest = {value};
  llvm::SmallDenseSet<Value> seen;
  while (!rest.empty()) {
    Value next = rest.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    Operation *op = next.getDefiningOp();
    if (std::optional<int64_t> constant = getConstantIntValue(next)) {
      if (!llvm::is_contained(constants, *constant))
        constants.push_back(*constant);
    } else if (isa_and_nonnull<arith::IndexCastOp, arith::ExtSIOp>(op)) {
      rest.push_back(op->getOperand(0));
    } else if (auto select = dyn_cast_or_null<arith::SelectOp>(op)) {
      rest.push_back(select.getFalseValue());
      rest.push_back(select.getTrueValue());
    } else {
      return {};
    }
    if (int64_t(constants.size()) > kMostPlaces)
      return {};
  }
  return constants;
}

SmallVector<int64_t> op2::findPlaces(Value index, int64_t size) {
  SmallVector<int64_t> places = findConstants(index);
  llvm::erase_if(places,
                 [&](int64_t place) { return place < 0 || place >= size; });
  if (places.empty() && size <= kMostPlaces)
    llvm::append_range(places, llvm::seq(size));
  return places;
}

bool op2::isDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
             arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op);
}

bool op2::isLaneCall(Operation *op) {
  return isa<LLVM::CallOp>(op) && op->hasAttr(kMathCallAttr) &&
         op->getNumResults() == 1;
}

/// Whether a load reads a global variable, and nothing beyond it: that is there
/// even if no lane asks for it.
static bool isInVariable(LLVM::LoadOp load) {
  DataLayout layout = DataLayout::closest(load);
  auto [base, offset] = getBaseAndOffset(load.getAddr(), layout);
  auto address = base.getDefiningOp<LLVM::AddressOfOp>();
  auto variable = address
                      ? SymbolTable::lookupNearestSymbolFrom<LLVM::GlobalOp>(
                            load, address.getGlobalNameAttr())
                      : LLVM::GlobalOp();
  if (!variable || variable.getLinkage() == LLVM::Linkage::ExternWeak ||
      !offset || !offset->terms.empty() || offset->constant < 0)
    return false;
  auto record = dyn_cast<LLVM::LLVMStructType>(variable.getType());
  return !(record && record.isOpaque()) &&
         offset->constant + int64_t(layout.getTypeSize(load.getType())) <=
             int64_t(layout.getTypeSize(variable.getType()));
}

/// A read that is the same for all lanes. Where lanes may be inactive there may
/// be none to read for: then only what is always there.
static bool isUniformRead(Operation *op, bool isMasked) {
  auto load = dyn_cast<LLVM::LoadOp>(op);
  if (!load || load.getVolatile_() ||
      (load.getOrdering() != LLVM::AtomicOrdering::not_atomic &&
       load.getOrdering() != LLVM::AtomicOrdering::monotonic))
    return false;
  return !isMasked || isInVariable(load);
}

namespace {
/// Looks for the first operation that has no form for several elements.
class KernelCheck {
public:
  KernelCheck(func::FuncOp kernel, ArrayRef<bool> isUniform)
      : kernel(kernel), isUniform(isUniform), uniformity(kernel, isUniform) {}

  std::optional<Obstacle> run() {
    checkParameters();
    if (!found)
      checkBlock(kernel.getBody().front(), /*isMasked=*/false);
    return found;
  }

private:
  void fail(Operation *op, const Twine &reason) {
    if (!found)
      found = Obstacle{reason.str(), op->getLoc()};
  }

  void checkParameters() {
    for (auto [type, uniform] :
         llvm::zip_equal(kernel.getArgumentTypes(), isUniform)) {
      auto memref = dyn_cast<MemRefType>(type);
      if (!memref || (!uniform && (!memref.hasStaticShape() ||
                                   !isLaneElement(memref.getElementType()))))
        fail(kernel, "a parameter has no lanes");
    }
  }

  /// `isMasked`: some lanes may be inactive.
  void checkBlock(Block &block, bool isMasked) {
    for (Operation &op : block) {
      if (found)
        return;
      check(&op, isMasked);
    }
  }

  void check(Operation *op, bool isMasked) {
    if (auto alloca = dyn_cast<memref::AllocaOp>(op))
      return checkAlloca(alloca);
    if (auto load = dyn_cast<memref::LoadOp>(op)) {
      // Gathers take what vectors can hold, from memory of one dimension.
      bool canGather = getLaneStorage(load.getType()) == load.getType() &&
                       load.getMemRefType().getRank() == 1;
      if (!isLaneElement(load.getType()) ||
          (!canGather && !hasFirstElement(load.getMemRef())))
        fail(op, "a load of a type that has no lanes");
      return;
    }
    if (auto store = dyn_cast<memref::StoreOp>(op)) {
      if (!uniformity.hasLanes(store.getMemRef()))
        fail(op, "a store to memory that all elements share");
      return;
    }
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return checkIf(branch, isMasked);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return checkFor(loop, isMasked);
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      return checkWhile(loop, isMasked);
    if (op->hasTrait<OpTrait::ReturnLike>() || isa<scf::ConditionOp>(op))
      return;
    checkOther(op, isMasked);
  }

  void checkAlloca(memref::AllocaOp op) {
    MemRefType type = op.getType();
    if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
        !isLaneElement(type.getElementType()))
      return fail(op, "local memory of a type that has no lanes");
    // Each lane has its own, on the stack of a thread.
    constexpr uint64_t kMostBits = 32 << 13;
    localBits = llvm::SaturatingAdd(
        localBits,
        llvm::SaturatingMultiply(uint64_t(type.getNumElements()),
                                 uint64_t(type.getElementTypeBitWidth())));
    if (localBits > kMostBits)
      fail(op, "local memory of more than 32 KiB");
  }

  bool needsLanes(Value value) const {
    return uniformity.varies(value) || isa<BaseMemRefType>(value.getType());
  }

  /// What varies of `values` is carried as vectors. Memory may be lanes of one.
  void
  checkCarried(Operation *op, ValueRange values,
               const Twine &reason = "it carries a type that has no lanes") {
    for (Value value : values)
      if (needsLanes(value) && !isLaneElement(value.getType()))
        fail(op, reason);
  }

  /// What lanes of different steps carry, and what is left of it behind, which
  /// varies, if somebody looks at it.
  void checkDivergent(Operation *op, ValueRange inside, ValueRange results) {
    SmallVector<Value> carried(inside);
    llvm::copy_if(results, std::back_inserter(carried),
                  [](Value result) { return !result.use_empty(); });
    checkCarried(op, carried, "a loop that carries a type that has no lanes");
  }

  void checkIf(scf::IfOp op, bool isMasked) {
    bool isDivergent = uniformity.isDivergent(op);
    if (!isDivergent)
      checkCarried(op, op.getResults());
    for (Region *region : op.getRegions())
      if (!region->empty())
        checkBlock(region->front(), isMasked || isDivergent);
    if (isDivergent && !llvm::all_of(op.getResults(), [&](Value result) {
          return !needsLanes(result) || isLaneElement(result.getType()) ||
                 uniformity.isChoice(result);
        }))
      fail(op, "a branch with a result of a type that has no lanes");
  }

  void checkFor(scf::ForOp op, bool isMasked) {
    bool isDivergent = uniformity.isDivergent(op);
    if (isDivergent)
      checkDivergent(op, op.getRegionIterArgs(), op.getResults());
    else
      checkCarried(op, op.getResults());
    checkBlock(*op.getBody(), isMasked || isDivergent);
  }

  void checkWhile(scf::WhileOp op, bool isMasked) {
    bool isDivergent = uniformity.isDivergent(op);
    if (isDivergent) {
      checkDivergent(op, op.getBeforeArguments(), {});
      checkDivergent(op, op.getAfterArguments(), op.getResults());
    } else {
      checkCarried(op, op.getBeforeArguments());
      checkCarried(op, op.getResults());
    }
    checkBlock(op.getBefore().front(), isMasked || isDivergent);
    checkBlock(op.getAfter().front(), isMasked || isDivergent);
  }

  /// Calls by whom they call.
  static std::string describe(Operation *op) {
    if (auto call = dyn_cast<CallOpInterface>(op))
      if (auto callee = dyn_cast<SymbolRefAttr>(call.getCallableForCallee()))
        return "the call of '" + callee.getLeafReference().str() + "'";
    return "'" + op->getName().getStringRef().str() + "'";
  }

  void checkOther(Operation *op, bool isMasked) {
    bool isUniform = uniformity.isUniform(op);
    if (isSignCast(op))
      return;
    if (op->getNumResults() == 1 && uniformity.isChoice(op->getResult(0)))
      return;
    if (isa<PtrCastOp>(op) && !isUniform)
      return fail(op, "it passes memory of the element to a function");
    if (isUniform && (isUniformRead(op, isMasked) || isPure(op) ||
                      isDivision(op) || isLaneCall(op)))
      return;
    // What may trap must not run where no lane is active.
    bool isElementwise = op->hasTrait<OpTrait::Elementwise>() &&
                         (OpTrait::hasElementwiseMappableTraits(op) ||
                          isa<arith::SelectOp>(op)) &&
                         isMemoryEffectFree(op);
    if ((isUniform && isMasked) || !(isElementwise || isLaneCall(op)))
      return fail(op, describe(op) + " has no form for several elements");
    for (Type type :
         llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()))
      if (!isLaneElement(type))
        fail(op, "'" + op->getName().getStringRef() +
                     "' on a type that has no lanes");
  }

  func::FuncOp kernel;
  ArrayRef<bool> isUniform;
  UniformityAnalysis uniformity;
  std::optional<Obstacle> found;
  uint64_t localBits = 0; ///< of an element
};
} // namespace

std::optional<Obstacle> op2::findKernelObstacle(func::FuncOp kernel,
                                                ArrayRef<bool> isUniform) {
  if (!kernel.getBody().hasOneBlock())
    return Obstacle{"its control flow is not structured", kernel.getLoc()};
  return KernelCheck(kernel, isUniform).run();
}

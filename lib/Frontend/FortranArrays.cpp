//===- FortranArrays.cpp - Array functions of flang's library ---*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sources: Fortran 2018, 18.5 (ISO_Fortran_binding.h) for descriptors;
// flang-rt, reduction-templates.h, Norm2Accumulator.
//
//===----------------------------------------------------------------------===//

#include "FortranArrays.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include <map>
#include <optional>

using llvm::CallInst;
using llvm::Function;
using llvm::StoreInst;
using llvm::Value;

/// More elements are not worth it.
static constexpr int64_t kMostElements = 32;

static bool isNorm(llvm::StringRef name) {
  return name == "_FortranANorm2_4" || name == "_FortranANorm2_8";
}
static bool isAssignment(llvm::StringRef name) {
  return name == "_FortranAAssign";
}

/// The library's function that is called; empty if it is another one.
static llvm::StringRef getName(const CallInst &call) {
  const Function *callee = call.getCalledFunction();
  return callee && callee->isDeclaration() ? callee->getName() : "";
}

namespace {
/// A small array of numbers, as its descriptor has it.
struct Array {
  Value *base;
  llvm::Type *element;
  struct Dim {
    int64_t extent, stride; ///< of elements, in bytes
  };
  llvm::SmallVector<Dim> dims;

  int64_t size() const {
    int64_t elements = 1;
    for (const Dim &dim : dims)
      elements *= dim.extent;
    return elements;
  }
  bool hasShapeOf(const Array &other) const {
    return llvm::equal(dims, other.dims, [](const Dim &a, const Dim &b) {
      return a.extent == b.extent;
    });
  }

  /// The addresses of its elements, the first subscript fastest.
  llvm::SmallVector<Value *> getPlaces(llvm::IRBuilder<> &builder) const {
    llvm::SmallVector<Value *> places;
    for (int64_t n = 0; n < size(); ++n) {
      int64_t rest = n, offset = 0;
      for (const Dim &dim : dims) {
        offset += rest % dim.extent * dim.stride;
        rest /= dim.extent;
      }
      places.push_back(builder.CreatePtrAdd(
          base, llvm::ConstantInt::getSigned(builder.getInt64Ty(), offset)));
    }
    return places;
  }
};

/// Reads a descriptor, a variable whose fields are stored one by one, once.
class DescriptorReader {
public:
  DescriptorReader(Value *descriptor, const CallInst &call,
                   const llvm::DominatorTree &dominators)
      : call(call), dominators(dominators),
        isKnown(llvm::isa<llvm::AllocaInst>(descriptor) &&
                collect(*descriptor, 0) && areApart()) {}

  std::optional<Array> read() const {
    constexpr int64_t kLengthAt = 8, kRankAt = 20, kTypeAt = 21,
                      kAttributeAt = 22, kDimsAt = 24, kDimBytes = 24,
                      kMostRank = 3;
    Value *base = find(0);
    std::optional<int64_t> length = findInteger(kLengthAt),
                           rank = findInteger(kRankAt),
                           type = findInteger(kTypeAt),
                           attribute = findInteger(kAttributeAt);
    // No pointer or allocatable: those may get another shape.
    if (!base || !base->getType()->isPointerTy() || !length || !rank || !type ||
        attribute != 0 || *rank < 0 || *rank > kMostRank)
      return std::nullopt;
    Array array{base, getElement(*type, *length), {}};
    if (!array.element)
      return std::nullopt;
    for (int64_t n = 0; n < *rank; ++n) {
      int64_t at = kDimsAt + n * kDimBytes;
      std::optional<int64_t> extent = findInteger(at + 8),
                             stride = findInteger(at + 16);
      if (!extent || !stride || *extent < 1 || *extent > kMostElements)
        return std::nullopt;
      array.dims.push_back({*extent, *stride});
    }
    if (array.size() > kMostElements)
      return std::nullopt;
    return array;
  }

private:
  /// False if somebody else may write to it.
  bool collect(Value &pointer, int64_t offset) {
    for (llvm::User *user : pointer.users()) {
      if (auto *place = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
        llvm::APInt more(64, 0);
        if (!place->accumulateConstantOffset(call.getDataLayout(), more) ||
            !collect(*place, offset + more.getSExtValue()))
          return false;
      } else if (auto *store = llvm::dyn_cast<StoreInst>(user)) {
        if (store->getValueOperand() == &pointer ||
            !fields.insert({offset, store}).second)
          return false;
      } else if (auto *reader = llvm::dyn_cast<CallInst>(user)) {
        if (!reader->isLifetimeStartOrEnd() && !isNorm(getName(*reader)) &&
            !isAssignment(getName(*reader)))
          return false;
      } else if (!llvm::isa<llvm::LoadInst>(user)) {
        return false;
      }
    }
    return true;
  }

  /// No store is part of another one.
  bool areApart() const {
    int64_t end = 0;
    for (const auto &[offset, store] : fields) {
      if (offset < end)
        return false;
      end = offset + int64_t(call.getDataLayout().getTypeStoreSize(
                         store->getValueOperand()->getType()));
    }
    return true;
  }

  Value *find(int64_t offset) const {
    auto at = fields.find(offset);
    return isKnown && at != fields.end() &&
                   dominators.dominates(at->second, &call)
               ? at->second->getValueOperand()
               : nullptr;
  }
  std::optional<int64_t> findInteger(int64_t offset) const {
    auto *value = llvm::dyn_cast_or_null<llvm::ConstantInt>(find(offset));
    return value ? std::optional(value->getSExtValue()) : std::nullopt;
  }

  /// CFI_type_... of `length` bytes; null: no number.
  llvm::Type *getElement(int64_t type, int64_t length) const {
    constexpr int64_t kLastInteger = 22, kFloat = 27, kDouble = 28;
    llvm::LLVMContext &context = call.getContext();
    if (type == kFloat && length == 4)
      return llvm::Type::getFloatTy(context);
    if (type == kDouble && length == 8)
      return llvm::Type::getDoubleTy(context);
    return type > 0 && type <= kLastInteger && length > 0 && length <= 8 &&
                   llvm::isPowerOf2_64(uint64_t(length))
               ? llvm::Type::getIntNTy(context, unsigned(8 * length))
               : nullptr;
  }

  const CallInst &call;
  const llvm::DominatorTree &dominators;
  std::map<int64_t, StoreInst *> fields;
  bool isKnown;
};
} // namespace

/// m * sqrt(1 + sum of (x / m)**2 over the others), m the greatest so far.
static Value *computeNorm(const Array &array, llvm::IRBuilder<> &builder) {
  llvm::Type *type = builder.getDoubleTy();
  Value *zero = llvm::ConstantFP::get(type, 0), *most = zero, *sum = zero;
  for (Value *place : array.getPlaces(builder)) {
    Value *x =
        builder.CreateFPExt(builder.CreateLoad(array.element, place), type);
    x = builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
    Value *isFirst = builder.CreateFCmpOEQ(most, zero);
    Value *isMore = builder.CreateFCmpOGT(x, most);
    Value *part = builder.CreateFDiv(builder.CreateSelect(isMore, most, x),
                                     builder.CreateSelect(isMore, x, most));
    Value *square = builder.CreateFMul(part, part);
    Value *scaled =
        builder.CreateSelect(isMore, builder.CreateFMul(sum, square), sum);
    sum =
        builder.CreateSelect(isFirst, sum, builder.CreateFAdd(scaled, square));
    most = builder.CreateSelect(builder.CreateOr(isFirst, isMore), x, most);
  }
  Value *root = builder.CreateUnaryIntrinsic(
      llvm::Intrinsic::sqrt,
      builder.CreateFAdd(llvm::ConstantFP::get(type, 1), sum));
  return builder.CreateFPTrunc(builder.CreateFMul(most, root), array.element);
}

/// norm2(array), without a dim.
static bool expandNorm(CallInst &call, const llvm::DominatorTree &dominators) {
  auto *dim = call.arg_size() == 4
                  ? llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(3))
                  : nullptr;
  if (!dim || !dim->isZero())
    return false;
  std::optional<Array> array =
      DescriptorReader(call.getArgOperand(0), call, dominators).read();
  if (!array || array->dims.empty() || array->element != call.getType())
    return false;
  llvm::IRBuilder<> builder(&call);
  call.replaceAllUsesWith(computeNorm(*array, builder));
  return true;
}

/// to = from, which may be a scalar. All is read before anything is written.
static bool expandAssignment(CallInst &call,
                             const llvm::DominatorTree &dominators) {
  if (call.arg_size() < 2)
    return false;
  std::optional<Array> to =
      DescriptorReader(call.getArgOperand(0), call, dominators).read();
  std::optional<Array> from =
      DescriptorReader(call.getArgOperand(1), call, dominators).read();
  if (!to || !from || to->element != from->element ||
      !(from->dims.empty() || from->hasShapeOf(*to)))
    return false;
  llvm::IRBuilder<> builder(&call);
  llvm::SmallVector<Value *> values;
  for (Value *place : from->getPlaces(builder))
    values.push_back(builder.CreateLoad(from->element, place));
  for (auto [n, place] : llvm::enumerate(to->getPlaces(builder)))
    builder.CreateStore(values[from->dims.empty() ? 0 : n], place);
  return true;
}

/// What uses a variable; false if somebody reads it.
static bool findWrites(Value &pointer,
                       llvm::SmallVectorImpl<llvm::Instruction *> &uses) {
  for (llvm::Use &use : pointer.uses()) {
    auto &user = *llvm::cast<llvm::Instruction>(use.getUser());
    bool isPlace = llvm::isa<llvm::GetElementPtrInst>(user);
    bool isWrite = user.isLifetimeStartOrEnd() ||
                   (llvm::isa<StoreInst>(user) &&
                    use.getOperandNo() == StoreInst::getPointerOperandIndex());
    if (!isWrite && !(isPlace && findWrites(user, uses)))
      return false;
    uses.push_back(&user);
  }
  return true;
}

/// Drops a descriptor that nobody reads any more: it holds addresses.
static void dropUnread(Value *descriptor) {
  llvm::SmallVector<llvm::Instruction *> uses;
  if (llvm::isa<llvm::AllocaInst>(descriptor) && findWrites(*descriptor, uses))
    for (llvm::Instruction *use : uses)
      use->eraseFromParent();
}

void op2::frontend::expandArrayCalls(llvm::Module &kernels) {
  for (Function &function : kernels) {
    llvm::SmallVector<CallInst *> calls;
    for (llvm::Instruction &inst : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<CallInst>(&inst);
          call && (isNorm(getName(*call)) || isAssignment(getName(*call))))
        calls.push_back(call);
    if (calls.empty())
      continue;
    llvm::DominatorTree dominators(function);
    for (CallInst *call : calls) {
      bool isDone = isNorm(getName(*call))
                        ? expandNorm(*call, dominators)
                        : expandAssignment(*call, dominators);
      if (!isDone)
        continue;
      llvm::SmallVector<Value *> descriptors(call->args());
      call->eraseFromParent();
      for (Value *descriptor : descriptors)
        dropUnread(descriptor);
    }
  }
}

//===- DeviceOutput.cpp - printf and assert on a GPU -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceOutput.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace op2::frontend;
using llvm::Value;

namespace {
enum class HostFunction {
  Other,
  Printf,
  CheckedPrintf, ///< of _FORTIFY_SOURCE: a flag comes first
  Puts,
  Putchar,
  Assert,        ///< expression, file, line, function
  LibraryAssert, ///< file, line, function, expression
  Abort
};

/// Replaces one call.
class CallMapper {
public:
  explicit CallMapper(llvm::CallBase &call)
      : call(call), module(*call.getModule()), builder(&call) {}

  /// The value of the call that replaces it; null if there is none.
  Value *run(HostFunction function);

private:
  Value *print(Value *format, llvm::ArrayRef<Value *> values);
  Value *fail(Value *expression, Value *file, Value *line, Value *function);
  Value *trap() { return builder.CreateIntrinsic(llvm::Intrinsic::trap, {}); }
  std::vector<Value *> getArguments(unsigned from) {
    return {call.arg_begin() + from, call.arg_end()};
  }

  llvm::CallBase &call;
  llvm::Module &module;
  llvm::IRBuilder<> builder;
};
} // namespace

static HostFunction classify(llvm::StringRef name) {
  return llvm::StringSwitch<HostFunction>(name)
      .Case("printf", HostFunction::Printf)
      .Case("__printf_chk", HostFunction::CheckedPrintf)
      .Case("puts", HostFunction::Puts)
      .Case("putchar", HostFunction::Putchar)
      .Case("__assert_fail", HostFunction::Assert)
      .Case("_ZSt21__glibcxx_assert_failPKciS0_S0_",
            HostFunction::LibraryAssert)
      .Cases({"abort", "_ZSt9terminatev", "__clang_call_terminate"},
             HostFunction::Abort)
      .Default(HostFunction::Other);
}

/// What C passes to a variadic function: int and larger, double, pointers.
static bool isPrintable(const Value *value) {
  llvm::Type *type = value->getType();
  return type->isIntegerTy(32) || type->isIntegerTy(64) || type->isDoubleTy() ||
         type->isPointerTy();
}

Value *CallMapper::print(Value *format, llvm::ArrayRef<Value *> values) {
  if (!llvm::all_of(values, isPrintable))
    return nullptr;
  Value *arguments = llvm::ConstantPointerNull::get(builder.getPtrTy());
  if (!values.empty()) {
    std::vector<llvm::Type *> types;
    for (Value *value : values)
      types.push_back(value->getType());
    auto *type = llvm::StructType::get(module.getContext(), types);
    llvm::BasicBlock &entry = call.getFunction()->getEntryBlock();
    llvm::IRBuilder<> atEntry(&entry, entry.begin());
    arguments = atEntry.CreateAlloca(type, nullptr, "op2.printed");
    for (auto [number, value] : llvm::enumerate(values))
      builder.CreateStore(
          value, builder.CreateStructGEP(type, arguments, unsigned(number)));
  }
  llvm::FunctionCallee function = module.getOrInsertFunction(
      "vprintf", builder.getInt32Ty(), builder.getPtrTy(), builder.getPtrTy());
  // A device module in which the host's vprintf is called already.
  auto *declared = llvm::dyn_cast<llvm::Function>(function.getCallee());
  if (!declared || declared->getFunctionType() != function.getFunctionType())
    return nullptr;
  return builder.CreateCall(function, {format, arguments});
}

Value *CallMapper::fail(Value *expression, Value *file, Value *line,
                        Value *function) {
  llvm::FunctionCallee callee = module.getOrInsertFunction(
      "__assertfail", builder.getVoidTy(), builder.getPtrTy(),
      builder.getPtrTy(), builder.getInt32Ty(), builder.getPtrTy(),
      builder.getInt64Ty());
  constexpr uint64_t kCharacterBytes = 1;
  return builder.CreateCall(callee, {expression, file, line, function,
                                     builder.getInt64(kCharacterBytes)});
}

Value *CallMapper::run(HostFunction function) {
  switch (function) {
  case HostFunction::Other:
    return nullptr;
  case HostFunction::Printf:
    return print(call.getArgOperand(0), getArguments(1));
  case HostFunction::CheckedPrintf:
    return print(call.getArgOperand(1), getArguments(2));
  case HostFunction::Puts:
    return print(builder.CreateGlobalString("%s\n", "op2.format"),
                 getArguments(0));
  case HostFunction::Putchar:
    return print(builder.CreateGlobalString("%c", "op2.format"),
                 getArguments(0));
  case HostFunction::Assert:
    return fail(call.getArgOperand(0), call.getArgOperand(1),
                call.getArgOperand(2), call.getArgOperand(3));
  case HostFunction::LibraryAssert:
    return fail(call.getArgOperand(3), call.getArgOperand(0),
                call.getArgOperand(1), call.getArgOperand(2));
  case HostFunction::Abort:
    return trap();
  }
  llvm_unreachable("unknown function");
}

static void replace(llvm::CallBase &call, Value *replacement) {
  if (!call.getType()->isVoidTy())
    call.replaceAllUsesWith(replacement);
  // An invoke ends its block.
  if (auto *invoke = llvm::dyn_cast<llvm::InvokeInst>(&call)) {
    invoke->getUnwindDest()->removePredecessor(invoke->getParent());
    llvm::IRBuilder<>(&call).CreateBr(invoke->getNormalDest());
  }
  call.eraseFromParent();
}

void op2::frontend::mapOutput(llvm::Module &device) {
  for (llvm::Function &function : device)
    for (llvm::Instruction &inst :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *call = llvm::dyn_cast<llvm::CallBase>(&inst);
      llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
      if (!callee)
        continue;
      HostFunction kind = classify(callee->getName());
      if (Value *replacement = CallMapper(*call).run(kind))
        replace(*call, replacement);
    }
}

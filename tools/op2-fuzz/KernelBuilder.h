//===- KernelBuilder.h - The kernel of a random loop ------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TOOLS_FUZZ_KERNELBUILDER_H
#define OP2_TOOLS_FUZZ_KERNELBUILDER_H

#include "Program.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <array>

namespace mlir::op2::fuzz {

/// i1, i32, f64 ...; with the sign for unsigned numbers.
Type getType(MLIRContext *context, ValueType type);

/// Builds a loop's kernel as a func.func. A kernel reads its arguments into
/// four numbers, does the loop's statements to them, and writes what follows
/// from them as the accesses ask for. If some of the arguments are optional, a
/// last one says which of them are there.
class KernelBuilder {
public:
  KernelBuilder(const Program &program, const LoopPart &loop, ModuleOp module);

  func::FuncOp build(StringRef name);

private:
  using Numbers = std::array<Value, kNumNumbers>;

  struct Param {
    SmallVector<Value> rows;
    int64_t dim;
    ValueType type;
    bool isExact;
    int64_t rowDim = 0; ///< of one of the rows that are packed
  };

  SmallVector<Type> declareParams();

  // Values
  Type typeOf(int number);
  Value integer(Type type, int64_t value);
  Value number(Type type, double value);
  Value index(int64_t value);
  Value tame(Value value);
  Value convert(Value value, Type to, bool isUnsigned = false);
  Value toSignless(Value value);
  Value toMemoryType(Value value, ValueType type);
  Value compare(int operation, Value a, Value b);
  Value smallMultiple(Value value, int64_t limit, ValueType type);

  // Arguments
  using Rows = function_ref<void(Value row, Value component)>;
  void forComponents(const ArgPart &arg, const Param &param, Rows body);
  Value load(Value row, Value component);
  void whereActive(size_t number, Numbers &numbers,
                   function_ref<Numbers(Numbers)> body);
  Numbers readArg(size_t number, Numbers numbers);
  Numbers fold(const ArgPart &arg, Value element, Numbers numbers);
  void writeArg(size_t number, const Numbers &numbers);
  Value contribution(const ArgPart &arg, const Param &param,
                     const Numbers &numbers, Value component);
  Value increment(const ArgPart &arg, const Param &param,
                  const Numbers &numbers, Value component);
  void changeElement(size_t number, const Numbers &numbers, Value row,
                     Value component);
  void replaceIfBetter(size_t number, Value row, Value component, Value value);
  Value better(const ArgPart &arg, const Param &param, Value a, Value b);
  bool hasInfo(size_t number) const;
  void storeInfo(size_t number, Value component, Value value);

  // Statements
  Numbers emit(ArrayRef<Statement> statements, Numbers numbers);
  Numbers emitOne(const Statement &statement, Numbers numbers);
  Value operandOf(const Statement &statement, const Numbers &numbers);
  Value assignInteger(const Statement &statement, Value a, Value b);
  Value assignFloat(const Statement &statement, Value a, Value b);
  Value callMath(int which, Value a, Value b);
  Value conditionOf(const Statement &statement, const Numbers &numbers);
  Numbers emitIf(const Statement &statement, Numbers numbers);
  Numbers emitFor(const Statement &statement, Numbers numbers);
  Numbers emitWhile(const Statement &statement, Numbers numbers);
  Numbers emitSwitch(const Statement &statement, Numbers numbers);
  Numbers emitArray(const Statement &statement, Numbers numbers);
  Numbers emitFetch(const Statement &statement, Numbers numbers);

  const Program &program;
  const LoopPart &loop;
  ModuleOp module;
  ImplicitLocOpBuilder b;
  SmallVector<Param> params;
  Value flags; ///< memref of an i32 an argument, if there are optional ones
  Block *entry = nullptr;
};

/// Whether a loop's kernel has the last argument that says which are there.
bool hasOptionalArgs(const LoopPart &loop);

} // namespace mlir::op2::fuzz

#endif // OP2_TOOLS_FUZZ_KERNELBUILDER_H

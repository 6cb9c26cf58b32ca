//===- Program.h - The description of a random program ----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a seed decides, as a tree of plain values: buildModule makes a module of
// it, and the reducer takes parts of it away. Every tree, also a reduced one,
// keeps OP2's promises (docs/spec.md, S2 to S5), because these are kept by how
// kernels are built of it: what a loop increments it does nothing else with,
// sums are exact in any order, what is written through a map is a constant.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TOOLS_FUZZ_PROGRAM_H
#define OP2_TOOLS_FUZZ_PROGRAM_H

#include "OP2/Dialect/OP2Dialect.h"

#include <string>
#include <vector>

namespace mlir::op2::fuzz {

/// The types of values (rule T3).
enum class ValueType { F64, F32, I32, UI32, I64, UI64, I1, I8, UI8, I16, UI16 };

inline bool isFloat(ValueType type) {
  return type == ValueType::F64 || type == ValueType::F32;
}
inline bool isUnsigned(ValueType type) {
  return type == ValueType::UI32 || type == ValueType::UI64 ||
         type == ValueType::UI8 || type == ValueType::UI16;
}

struct SetPart {
  int64_t size = 0;
};

struct MapPart {
  int from = 0, to = 0;
  int64_t arity = 1;
  std::vector<int32_t> values;
};

struct DatPart {
  int set = 0;
  int64_t dim = 1;
  ValueType type = ValueType::F64;
  /// Of a float: it only ever holds small multiples of 1/4, and may be summed.
  bool isExact = true;
  /// 0: declared without values.
  int factor = 1;
};

struct GlobalPart {
  int64_t dim = 1;
  ValueType type = ValueType::F64;
  int factor = 1;
};

/// One step of a kernel, on four numbers that it computes with: 0 an i64, 1 an
/// i32, 2 an f64, 3 an f32.
struct Statement {
  enum Kind { Assign, If, For, While, Switch, Array, Fetch };
  Kind kind = Assign;
  int target = 0;    ///< the number that is changed
  int operation = 0; ///< which of a kind
  int operand = 0;   ///< another number
  int64_t constant = 1;
  std::vector<std::vector<Statement>> bodies;
};
constexpr int kNumNumbers = 4;

/// One argument of a loop, and what the kernel does with it.
struct ArgPart {
  ArgKind kind = ArgKind::Dat;
  Access access = Access::Read;
  int object = 0; ///< the number of the dat or global
  int map = -1;   ///< -1: direct
  int64_t slot = 0, count = 1;
  bool isVector = false, isPacked = false;
  bool isOptional = false, isActive = true;
  bool hidesHandle = false; ///< comes under an SSA value of its own
  Layout layout = Layout::Any;
  int infoOf = -1; ///< of an info: the argument that it follows

  // What the kernel does.
  int number = 0; ///< the number that it is read into, or comes from
  int form = 0;   ///< which of the ways to do it
  int64_t constant = 1;
  bool inLoop = false; ///< over components, by a loop
  bool isConditional = false;
};

enum class KernelForm { Raised, Imported };

struct LoopPart {
  int set = 0;
  std::vector<ArgPart> args;
  std::vector<Statement> body;
  KernelForm form = KernelForm::Raised;
  bool inFunction =
      false; ///< called in a function with the handles as parameters
  int64_t blockSize = -1; ///< -1: says nothing of it
  int strategy = -1;      ///< -1: says nothing, else a Strategy
};

/// What main does, one after the other.
struct Step {
  enum Kind { Loop, Repeat, Show };
  Kind kind = Loop;
  int object = 0;    ///< of a loop, or of the dat that is shown
  int64_t count = 1; ///< of repetitions
  std::vector<Step> body;
};

struct Program {
  uint64_t seed = 0;
  /// Sums are rounded: only the number of threads must not matter.
  bool isRounded = false;
  std::vector<SetPart> sets;
  std::vector<MapPart> maps;
  std::vector<DatPart> dats;
  std::vector<GlobalPart> globals;
  std::vector<LoopPart> loops;
  std::vector<Step> steps;
};

/// The program that a seed stands for.
Program generate(uint64_t seed);

/// Takes away what no step uses, and no loop of a step.
void dropUnused(Program &program);

} // namespace mlir::op2::fuzz

#endif // OP2_TOOLS_FUZZ_PROGRAM_H

//===- LanesBuilder.h - Bodies of vectorized loops --------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_TRANSFORMS_LANESBUILDER_H
#define OP2_LIB_TRANSFORMS_LANESBUILDER_H

#include "LaneRows.h"
#include "OP2/Dialect/OP2Ops.h"
#include "OP2/Transforms/MapEntries.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::op2 {

/// A loop over elements whose body calls a raised kernel once, and its second
/// region in the making, which does so for a vector of elements.
class LanesBuilder {
public:
  /// Null-like if `elements` does not belong to a loop planned for OpenMP, or
  /// its body is not what op2-plan makes of a raised kernel.
  explicit LanesBuilder(ForElementsOp elements);
  explicit operator bool() const { return bool(call); }

  LoopBeginOp getBegin() const { return begin; }
  func::FuncOp getKernel() const { return kernel; }
  /// Whether an element needs the whole kernel (kUsualAttr); null: none does.
  func::FuncOp getCheck() const { return check; }

  /// Why the loop cannot be vectorized, or what has no lanes.
  std::optional<std::string> getObstacle() const;

  ArrayRef<LoopArg> getArgs() const { return args; }

  /// The forms for several elements of a kernel and its check, or null.
  struct Widened {
    func::FuncOp kernel, check;
  };

  /// Makes the region. With `gathers` what hardware gathers take for each lane
  /// comes by them.
  void build(Widened widened, int64_t width, bool gathers);

private:
  /// An operand of the kernel call.
  struct Operand {
    unsigned arg; ///< number of the argument
    Value value;  ///< in the scalar body
    Value buffer; ///< of lanes; null if all elements share `value`
    Value own;    ///< of a minimum: lanes that an element has to itself
    Value before; ///< of a minimum in rows of floats: lanes before the kernel
  };

  /// Rows that the results of one operand go to.
  struct Destination {
    unsigned number; ///< of the operand
    SmallVector<Value> rows;
    SmallVector<SmallVector<Value>> pieces; ///< [lane][piece]
    bool isTaken;                           ///< from the rows, not added
    SmallVector<SmallVector<Value>> before; ///< as `pieces`; empty: not needed
    SmallVector<bool> isChanged;            ///< by component; empty: all may be
  };
  SmallVector<bool> findChanged(unsigned number);
  bool addsRuns(ArrayRef<Destination> destinations) const;
  /// The number of each element's row.
  SmallVector<Value> getRowNumbers(RowOp row) const;

  /// What goes to the rows of a packed argument: memref<lanes x values>.
  struct PackedResult {
    const LoopArg *arg;
    Value values;
  };

  bool isPlanned(const Operand &operand) const;
  bool isPlannedBody() const;
  const Destination *findOpposite(ArrayRef<Destination> known,
                                  unsigned number) const;
  void cloneIndices(OpBuilder &builder, Value first, int64_t width);
  void keepExtremes(OpBuilder &builder, LaneRows &rows, Operand &operand);
  void prepare(OpBuilder &builder, LaneRows &rows, const Operand &operand);
  void fillIndex(OpBuilder &builder, LaneRows &rows, const Operand &operand);
  bool isReduced(const Operand &operand) const;
  Value callCheck(OpBuilder &builder, LaneRows &rows, func::FuncOp widenedCheck,
                  ArrayRef<Value> values);
  void runOneByOne(OpBuilder &builder, Value first, ArrayRef<Value> terms);
  SmallVector<Value> runAtOnce(OpBuilder &builder, LaneRows &rows,
                               func::FuncOp widened, ArrayRef<Value> values);
  SmallVector<Value> runChecked(OpBuilder &builder, LaneRows &rows,
                                Widened widened, Value first,
                                ArrayRef<Value> values);
  static void loadTerms(LaneRows &rows, Value buffer,
                        SmallVectorImpl<Value> &terms);
  void reduce(OpBuilder &builder, Operand &operand, int64_t width);
  Value beginElement(OpBuilder &builder, LaneRows &rows, Operand &operand);
  void endElement(OpBuilder &builder, LaneRows &rows, const Operand &operand);
  SmallVector<std::pair<const Operand *, int64_t>>
  findInfos(const Operand &operand, int64_t component) const;
  bool gatherRows(OpBuilder &builder, LaneRows &rows, const Operand &operand);
  Value loadMapEntries(OpBuilder &builder, LaneRows &rows, MapEntry entry);
  void writeBack(OpBuilder &builder, LaneRows &rows);
  RowOp findPackedRow(const LoopArg &arg) const;
  Value getPackedRow(OpBuilder &builder, const LoopArg &arg, Value element,
                     Value slot);
  void loadPacked(OpBuilder &builder, LaneRows &rows, const Operand &operand);
  void storePacked(OpBuilder &builder, LaneRows &rows);
  void storePackedRows(OpBuilder &builder, LaneRows &rows,
                       ArrayRef<PackedResult> results, Value lane);
  SmallVector<Value> getRows(OpBuilder &builder, const Operand &operand);
  void storeTerms(OpBuilder &builder, LaneRows &rows, const Operand &operand,
                  ValueRange values);
  Value getContiguous(OpBuilder &builder, const LaneRows &rows,
                      const Operand &operand);
  const LoopArg &argOf(const Operand &operand) const {
    return args[operand.arg];
  }

  ForElementsOp elements;
  LoopBeginOp begin;
  func::CallOp call;
  func::FuncOp kernel, check;
  SmallVector<LoopArg> args;
  SmallVector<Operand> operands;
  SmallVector<IRMapping> lanes; ///< indices of each element of the vector
  bool gathers = false;
  /// For each table of a map its slots, a vector of numbers each.
  DenseMap<Value, SmallVector<Value>> mapEntries;
};

/// What begins with the row of number `index` as memory of another type.
Value getStored(OpBuilder &builder, RowOp row, Value index, MemRefType type);

} // namespace mlir::op2

#endif // OP2_LIB_TRANSFORMS_LANESBUILDER_H

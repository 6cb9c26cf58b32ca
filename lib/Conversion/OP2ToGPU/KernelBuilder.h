//===- KernelBuilder.h - Device kernel of a loop ----------------*- C++ -*-===//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns the body of op2.for_blocks into a gpu.func that one thread block runs
// for one block of the plan. Parameters are added as the body uses values
// from outside: each has its value on the host, made before the launch.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_CONVERSION_OP2TOGPU_KERNELBUILDER_H
#define OP2_LIB_CONVERSION_OP2TOGPU_KERNELBUILDER_H

#include "OP2/Dialect/OP2Ops.h"
#include "ReductionBuilder.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::op2 {

/// Where the partial results of a reduction go, by op2.reduction_begin: the
/// same place for all kernels of a loop.
using DeviceReductions = DenseMap<Operation *, DeviceReductionBeginOp>;

/// The array of dynamic shared memory, a symbol of every device module.
inline constexpr llvm::StringLiteral kSharedMemoryName = "op2_shmem";

/// `offset` bytes from the beginning of dynamic shared memory.
Value createSharedAddress(OpBuilder &builder, Location loc, int64_t offset);

/// A row that a block owns, and what of the block's list is added to it.
struct OwnedTurn {
  Value target, begin, end;
};

/// What the threads of a block need to add to the rows of a dat that it owns.
struct OwnedSums {
  AddOwnedOp op;
  int64_t arg, dim; ///< the latter may be one of run time
  Value numColumns;
  Value increments, data;
  bool isByRow;             ///< a thread has a whole row, not one value
  Value size;               ///< rows of the block
  Value count;              ///< of them, or of their values
  Value first;              ///< its first row in the plan
  Value offset;             ///< its first entry in the plan's list
  Value list;               ///< its entries in shared memory
  SmallVector<Value> early; ///< those that the thread puts there
  OwnedTurn turn;           ///< of the thread's first row or value
};

class KernelBuilder {
public:
  /// `assumeDistinct` makes parameters noalias where the loop's arguments allow
  /// it, given op2.is_alias_free.
  KernelBuilder(ForBlocksOp blocks, gpu::GPUModuleOp module, StringRef name,
                bool assumeDistinct, OpBuilder &host, OpBuilder &shared,
                DeviceReductions &reductions);

  /// Builds the whole kernel. The first parameter is the position of the first
  /// block of a launch.
  LogicalResult build();

  gpu::GPUFuncOp getKernel() const { return kernel; }
  /// Values of the parameters after the first.
  ArrayRef<Value> getHostValues() const { return hostValues; }
  int64_t getNumThreads() const { return numThreads; }
  /// Shared memory that reductions need, in bytes; they use it when increments
  /// of owned rows have been added.
  int64_t getReductionBytes() const { return reductionBytes; }
  /// Shared memory for these, in bytes.
  int64_t getOwnedBytes() const { return ownedBytes; }
  /// Are some in the device's memory, of which a launch has a share for each of
  /// OP2RT_DEVICE_BLOCKS_AT_ONCE blocks?
  bool usesMemoryOfBlocks() const { return hasIncrementsInMemory; }

private:
  // Parameters and captures.
  Value addParameter(Value hostValue, bool isNoAlias);
  Value getCapture(Value value);
  Value getStorage(Value handle, Storage storage, unsigned result);
  Value captureDat(DatDataOp data);
  Value captureMap(MapTableOp table);
  Value captureGlobal(Value memref);
  Value addPlanArray(Value address, Type elementType);
  Value getPlanArray(PlanArray array, Type elementType, int64_t arg = 0);
  Value getPermutedSlot(MapTableOp table, int64_t slot);
  Value loadPlanEntry(PlanArray array, Value index, int64_t arg = 0);
  Value selectActive(Value datOrMap, function_ref<Value(int64_t)> get);

  // Bodies.
  LogicalResult buildBlock();
  bool hasThreadForEach();
  Value beginTurns();
  Value isElement(Value number);
  Value buildElement(Value position);
  bool buildPermutedEntry(memref::LoadOp load, IRMapping &mapping);
  bool hasBranchlessElements() const;
  Value clampPosition(Value number);
  void buildElements(ForElementsOp elements);
  void buildColoredElements(ForElementsOp elements, ByColorOp colors);
  void cloneInto(Operation &op, IRMapping &mapping);
  void cloneSlice(Value value, Block *scope, IRMapping &mapping);
  void forEachThread(Value count, function_ref<void(Value)> body);

  // Owned rows.
  LogicalResult buildOwnedIncrements(OwnedIncrementsOp op);
  void beginOwnedSums(AddOwnedOp op, int64_t numIncrements);
  OwnedTurn loadOwnedTurn(const OwnedSums &sums, Value number);
  void storeOwnedList(const OwnedSums &sums);
  LogicalResult buildAddOwned(AddOwnedOp op);
  void takeOwnedTurn(const OwnedSums &sums, const OwnedTurn &turn,
                     Value number);
  void addInOrder(const OwnedSums &sums, const OwnedTurn &turn,
                  ArrayRef<Value> columns);
  Value reserveShared(MemRefType type, int64_t bytes, ValueRange strides);
  Value getDeviceIncrements(OwnedIncrementsOp op, Value data);

  // Rows.
  MemRefType getKernelType(MemRefType type) const;
  void cloneRow(RowOp op, IRMapping &mapping);
  Value createPrivateRow(Type type);
  void enterBranch(Value condition, IRMapping &mapping);
  void enterCounted();
  void buildSlots(scf::ForOp loop, IRMapping &mapping);
  void buildGather(GatherRowOp op, IRMapping &mapping);
  void buildScatter(ScatterRowOp op, IRMapping &mapping);
  void buildIncrement(IncrementOp op, IRMapping &mapping);
  Value getAtomicRow(Value row);
  void addAtomically(Value value, Value row, Value index);
  void forRowEntries(int64_t count, function_ref<void(Value)> body);

  // Reductions.
  void beginReduction(ReductionPartialOp partial);
  void beginRuns();
  void endRuns(Value run);
  void endTurn(Value number);
  Value countRuns();
  void beginElement();
  void dropRepeated();
  void addSums();
  void takeExtremes();
  void endReductions(ArrayRef<ReductionPartialOp> partials);
  void endReduction(ReductionPartialOp partial,
                    ArrayRef<ReductionPartialOp> infos);
  void storeInfo(ReductionPartialOp info, int64_t numComponents,
                 Value component, Value results);
  Value captureResults(ReductionPartialOp partial);
  DeviceReductionBeginOp getDeviceReduction(ReductionPartialOp partial);
  Value addValues(Type type, Value a, Value b);

  // Small conveniences.
  Value constant(int64_t value);
  Value load(Value memref, ValueRange indices);
  void store(Value value, Value memref, ValueRange indices);
  Value add(Value a, Value b);

  ForBlocksOp blocks;
  PlanOp plan;
  LoopBeginOp begin;
  SmallVector<LoopArg> args;
  bool assumeDistinct;
  OpBuilder &host;   ///< before the launch
  OpBuilder &shared; ///< before the launches of all kernels of the loop
  DeviceReductions &reductions;
  OpBuilder builder;
  Location loc;

  gpu::GPUFuncOp kernel;
  Block *entry;
  SmallVector<Value> hostValues;
  SmallVector<DictionaryAttr> parameterAttrs;
  /// Consecutive elements of a thread, at most; 1: threads take the next one
  /// in turn, as colours or the plan have it.
  int64_t runLength;
  int64_t numThreads;
  int64_t reductionBytes = 0, ownedBytes = 0;

  Value block, position, thread, blockBegin, blockEnd;
  IRMapping outer; ///< values outside of the loop over elements
  DenseMap<std::pair<Value, int64_t>, Value> permutedSlots; ///< by map
  DenseMap<std::pair<int, int64_t>, Value> planArrays;
  bool isAddingOwned = false, hasIncrementsInMemory = false;
  SmallVector<OwnedSums> ownedSums;
  /// Those that begin behind the elements, with increments of a block.
  SmallVector<std::pair<AddOwnedOp, int64_t>> laterSums;
  DenseMap<Operation *, Value> accumulators; ///< by reduction_partial
  Value isRepeated; ///< of the element, where several blocks may have it
  /// Those that are exact, with the place of their words on the device.
  SmallVector<std::pair<ReductionPartialOp, Value>> sums;
  /// Minima and maxima, with the memory that an element has to itself.
  SmallVector<std::pair<ReductionPartialOp, Value>> extremes;
  /// Those by functions of the program, with the results of all runs.
  SmallVector<std::pair<ReductionPartialOp, Value>> merges;
};

} // namespace mlir::op2

#endif // OP2_LIB_CONVERSION_OP2TOGPU_KERNELBUILDER_H

//===- LanesBuilder.cpp - Bodies of vectorized loops ----------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the kernel adds goes to lanes of its own, which start at zero, and from
// there to the rows in the order of the elements: elements of a vector may meet
// in a row, and the sums are those of one element after the other.
//
//===----------------------------------------------------------------------===//

#include "LanesBuilder.h"
#include "../PackedRows.h"
#include "OP2/Analysis/LoopArguments.h"
#include "OP2/Analysis/Vectorization.h"
#include "OP2/Transforms/Extremes.h"
#include "OP2/Transforms/PrivateMemory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

#include <vector>

using namespace mlir;
using namespace mlir::op2;

LanesBuilder::LanesBuilder(ForElementsOp elements) : elements(elements) {
  auto plan = elements.getPlan().getDefiningOp<PlanOp>();
  auto loop = plan ? plan.getLoop().getDefiningOp<LoopBeginOp>() : nullptr;
  if (!loop || loop.getTarget() != Target::OpenMP || elements.hasLanes())
    return;
  func::CallOp found;
  for (auto other : elements.getBody().getOps<func::CallOp>()) {
    if (found)
      return;
    found = other;
  }
  if (!found)
    return;
  kernel = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      found, found.getCalleeAttr());
  if (!kernel || kernel.isExternal())
    return;
  args = loop.getLoopArgs();
  for (auto [number, arg] : llvm::enumerate(args))
    for (int64_t row = 0; row < arg.getNumOperands(); ++row)
      operands.push_back(
          {unsigned(number), Value(), Value(), Value(), Value()});
  if (operands.size() != found.getNumOperands())
    return;
  for (auto [operand, value] : llvm::zip(operands, found.getOperands()))
    operand.value = value;
  begin = loop;
  call = found;
  if (auto forms = loop->getAttrOfType<ArrayAttr>(kUsualAttr))
    check = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        loop, cast<FlatSymbolRefAttr>(forms[0]));
}

/// What stores the number of an element in the private memory of an index
/// argument; null if it is not that.
static memref::StoreOp findIndexStore(Value cell) {
  auto stores =
      llvm::make_filter_range(cell.getUsers(), llvm::IsaPred<memref::StoreOp>);
  if (!cell.getDefiningOp<memref::AllocaOp>() ||
      !llvm::hasSingleElement(stores))
    return nullptr;
  return cast<memref::StoreOp>(*stores.begin());
}

bool LanesBuilder::isPlanned(const Operand &operand) const {
  const LoopArg &arg = argOf(operand);
  if (arg.isPacked())
    return operand.value.getDefiningOp<memref::AllocaOp>() &&
           findPackedRow(arg);
  if (arg.isDat())
    return bool(operand.value.getDefiningOp<RowOp>());
  if (arg.isIndex())
    return bool(findIndexStore(operand.value));
  if (arg.isExactSum())
    return bool(operand.value.getDefiningOp<TermsOp>());
  return !isReduced(operand) ||
         operand.value.getDefiningOp<ReductionPartialOp>();
}

/// Operands come from where op2-plan takes them, and nothing else is stored.
bool LanesBuilder::isPlannedBody() const {
  auto stores = ForElementsOp(elements).getBody().getOps<memref::StoreOp>();
  auto isIndex = [&](const Operand &operand) {
    return argOf(operand).isIndex();
  };
  size_t loops = 0;
  for (auto [number, operand] : llvm::enumerate(operands)) {
    const LoopArg &arg = argOf(operand);
    if (!arg.isPacked())
      continue;
    bool isMovedOnce =
        arg.getAccess() == Access::Read || isSet(arg, kernel, number);
    loops += isMovedOnce ? 1 : 2;
  }
  return llvm::all_of(
             operands,
             [&](const Operand &operand) { return isPlanned(operand); }) &&
         llvm::range_size(stores) ==
             size_t(llvm::count_if(operands, isIndex)) &&
         llvm::range_size(getPackedLoops(
             ForElementsOp(elements).getBody().front())) == loops;
}

std::optional<std::string> LanesBuilder::getObstacle() const {
  if (!isPlannedBody())
    return "its body is not the one that op2-plan makes";
  return findLaneObstacle(args, kernel);
}

//===----------------------------------------------------------------------===//
// The region
//===----------------------------------------------------------------------===//

bool LanesBuilder::isReduced(const Operand &operand) const {
  return argOf(operand).isGlobal() && !argOf(operand).isExactSum() &&
         argOf(operand).getAccess() != Access::Read;
}

void LanesBuilder::build(Widened widened, int64_t width, bool gathers) {
  this->gathers = gathers;
  OpBuilder builder(elements);
  for (auto [operand, type] :
       llvm::zip_equal(operands, widened.kernel.getArgumentTypes()))
    if (isReduced(operand))
      operand.buffer =
          createPrivate(builder, call.getLoc(), cast<MemRefType>(type));
  for (Operand &operand : operands)
    if (isReduced(operand) && !argOf(operand).isInfo())
      reduce(builder, operand, width);
  Block &block = elements.createLanes(width);
  builder.setInsertionPointToStart(&block);
  Value first = block.getArgument(0);
  LaneRows rows(builder, call.getLoc(), width);
  cloneIndices(builder, first, width);

  SmallVector<Value> values;
  for (auto [number, operand] : llvm::enumerate(operands)) {
    const LoopArg &arg = argOf(operand);
    if (isReduced(operand)) {
      values.push_back(beginElement(builder, rows, operand));
      continue;
    }
    if (arg.isGlobal() && !arg.isExactSum()) {
      values.push_back(lanes.front().lookupOrDefault(operand.value));
      continue;
    }
    auto type = cast<MemRefType>(widened.kernel.getArgumentTypes()[number]);
    operand.buffer = createPrivate(builder, call.getLoc(), type);
    if (arg.isIndex())
      fillIndex(builder, rows, operand);
    else if (arg.isExactSum())
      rows.fill(operand.buffer, createAdditiveIdentity(builder, call.getLoc(),
                                                       arg.getElementType()));
    else if (!isSet(arg, kernel, number))
      prepare(builder, rows, operand);
    keepExtremes(builder, rows, operand);
    values.push_back(operand.buffer);
  }
  SmallVector<Value> found =
      widened.check ? runChecked(builder, rows, widened, first, values)
                    : runAtOnce(builder, rows, widened.kernel, values);
  ArrayRef<Value> terms = found;
  for (const Operand &operand : operands) {
    if (!argOf(operand).isExactSum())
      continue;
    storeTerms(builder, rows, operand,
               terms.take_front(argOf(operand).getDim()));
    terms = terms.drop_front(argOf(operand).getDim());
  }
}

/// Minima and maxima of floats in rows: NaN may be what the row has, or what
/// the kernel makes of it, and does not compare.
void LanesBuilder::keepExtremes(OpBuilder &builder, LaneRows &rows,
                                Operand &operand) {
  const LoopArg &arg = argOf(operand);
  bool isExtreme =
      arg.getAccess() == Access::Min || arg.getAccess() == Access::Max;
  if (!arg.isDat() || !isExtreme || arg.isPacked() ||
      !isa<FloatType>(arg.getElementType()))
    return;
  operand.before = createPrivate(builder, call.getLoc(),
                                 cast<MemRefType>(operand.buffer.getType()));
  for (int64_t i = 0; i < arg.getDim(); ++i)
    rows.storeLanes(rows.loadLanes(operand.buffer, i), operand.before, i);
}

/// What the kernel gets of a reduced global.
Value LanesBuilder::beginElement(OpBuilder &builder, LaneRows &rows,
                                 Operand &operand) {
  if (!isExactExtremum(args, operand.arg))
    return operand.buffer;
  Location loc = call.getLoc();
  const LoopArg &arg = argOf(operand);
  operand.own =
      createPrivate(builder, loc, cast<MemRefType>(operand.buffer.getType()));
  if (isa<FloatType>(arg.getElementType()))
    rows.fill(operand.own, createExtremeIdentity(builder, loc, arg.getAccess(),
                                                 arg.getElementType()));
  else
    for (int64_t i = 0; i < arg.getDim(); ++i)
      rows.storeLanes(rows.loadLanes(operand.buffer, i), operand.own, i);
  return operand.own;
}

/// Of minima and maxima.
void LanesBuilder::endElement(OpBuilder &builder, LaneRows &rows,
                              const Operand &operand) {
  for (int64_t i = 0; i < argOf(operand).getDim(); ++i)
    rows.storeLanes(takeExtreme(builder, call.getLoc(),
                                argOf(operand).getAccess(),
                                rows.loadLanes(operand.buffer, i),
                                rows.loadLanes(operand.own, i)),
                    operand.buffer, i);
}

/// The components of infos that come along with one of a global.
SmallVector<std::pair<const LanesBuilder::Operand *, int64_t>>
LanesBuilder::findInfos(const Operand &operand, int64_t component) const {
  SmallVector<std::pair<const Operand *, int64_t>> infos;
  for (const Operand &other : operands) {
    const LoopArg &arg = argOf(other);
    if (!arg.isInfo() || arg.attr.getSlot() != operand.arg)
      continue;
    int64_t share = arg.getDim() / argOf(operand).getDim();
    for (int64_t part = 0; part < share; ++part)
      infos.push_back({&other, component * share + part});
  }
  return infos;
}

/// Lanes that all vectors of the loop reduce to, each for itself: a chain of
/// dependent operations as long as there are vectors, not elements. Then they
/// are combined with the block's partial result, one after the other.
void LanesBuilder::reduce(OpBuilder &builder, Operand &operand, int64_t width) {
  Location loc = call.getLoc();
  LaneRows rows(builder, loc, width);
  Access access = argOf(operand).getAccess();
  if (access == Access::Inc)
    rows.fill(
        operand.buffer,
        createAdditiveIdentity(builder, loc, argOf(operand).getElementType()));
  auto load = [&](const Operand &from, int64_t i) -> Value {
    return memref::LoadOp::create(
        builder, loc, from.value,
        arith::ConstantIndexOp::create(builder, loc, i).getResult());
  };
  // The smallest so far is as good a start as any.
  auto start = [&](const Operand &from, int64_t i) {
    rows.storeLanes(vector::BroadcastOp::create(builder, loc,
                                                rows.getLanes(from.buffer),
                                                load(from, i)),
                    from.buffer, i);
  };
  auto store = [&](Value value, const Operand &to, int64_t i) {
    memref::StoreOp::create(
        builder, loc, value, to.value,
        arith::ConstantIndexOp::create(builder, loc, i).getResult());
  };

  OpBuilder::InsertionGuard guard(builder);
  for (int64_t i = 0; i < argOf(operand).getDim(); ++i) {
    auto infos = findInfos(operand, i);
    builder.setInsertionPoint(elements);
    if (access != Access::Inc)
      start(operand, i);
    for (auto [info, place] : infos)
      start(*info, place);
    builder.setInsertionPointAfter(elements);
    Value result = load(operand, i);
    Value values = rows.loadLanes(operand.buffer, i);
    SmallVector<Value> known, found;
    for (auto [info, place] : infos) {
      known.push_back(load(*info, place));
      found.push_back(rows.loadLanes(info->buffer, place));
    }
    for (int64_t lane = 0; lane < width; ++lane) {
      Value value = vector::ExtractOp::create(builder, loc, values, lane);
      for (auto [old, lanesOfInfo] : llvm::zip(known, found))
        old = arith::SelectOp::create(
            builder, loc, rows.isBetter(access, result, value),
            vector::ExtractOp::create(builder, loc, lanesOfInfo, lane), old);
      result = rows.combine(access, result, value);
    }
    store(result, operand, i);
    for (auto [value, to] : llvm::zip(known, infos))
      store(value, *to.first, to.second);
  }
}

/// What leads to the rows, for each element of the vector.
void LanesBuilder::cloneIndices(OpBuilder &builder, Value first,
                                int64_t width) {
  lanes.resize(width);
  for (auto [number, mapping] : llvm::enumerate(lanes)) {
    Value element = first;
    if (number > 0) {
      Value offset = arith::ConstantIndexOp::create(builder, call.getLoc(),
                                                    int64_t(number));
      element = arith::AddIOp::create(builder, call.getLoc(), first, offset);
    }
    mapping.map(elements.getInductionVar(), element);
    for (Operation &op : elements.getBody().front().without_terminator())
      if (!isa<RowOp, TermsOp, PtrCastOp, memref::AllocaOp, memref::StoreOp,
               func::CallOp, scf::ForOp>(op))
        builder.clone(op, mapping);
  }
}

Value op2::getStored(OpBuilder &builder, RowOp row, Value index,
                     MemRefType type) {
  Value pointer = RowOp::create(
      builder, row.getLoc(), LLVM::LLVMPointerType::get(builder.getContext()),
      row.getData(), index);
  return PtrCastOp::create(builder, row.getLoc(), type, pointer, ValueRange());
}

SmallVector<Value> LanesBuilder::getRows(OpBuilder &builder,
                                         const Operand &operand) {
  auto row = operand.value.getDefiningOp<RowOp>();
  auto type = cast<MemRefType>(row.getType());
  auto stored =
      cast<MemRefType>(type.clone(getLaneStorage(type.getElementType())));
  SmallVector<Value> result;
  for (IRMapping &mapping : lanes) {
    Value index = mapping.lookupOrDefault(row.getIndex());
    if (stored == type)
      result.push_back(
          RowOp::create(builder, row.getLoc(), type, row.getData(), index));
    else
      result.push_back(getStored(builder, row, index, stored));
  }
  return result;
}

/// The rows of all elements where they are reached directly, which is side by
/// side: memref<width * dim x T>. Null if they travel one by one.
Value LanesBuilder::getContiguous(OpBuilder &builder, const LaneRows &rows,
                                  const Operand &operand) {
  const LoopArg &arg = argOf(operand);
  if (arg.isIndirect() || !rows.travelTogether(arg.getDim()))
    return {};
  auto row = operand.value.getDefiningOp<RowOp>();
  return getStored(builder, row, lanes.front().lookupOrDefault(row.getIndex()),
                   MemRefType::get({int64_t(lanes.size()) * arg.getDim()},
                                   getLaneStorage(arg.getElementType())));
}

/// Of all elements: lanes for each component.
void LanesBuilder::storeTerms(OpBuilder &builder, LaneRows &rows,
                              const Operand &operand, ValueRange values) {
  Value terms =
      TermsOp::create(builder, call.getLoc(), operand.buffer.getType(),
                      operand.value.getDefiningOp<TermsOp>().getReduction());
  for (auto [i, value] : llvm::enumerate(values))
    rows.storeLanes(value, terms, int64_t(i));
}

void LanesBuilder::prepare(OpBuilder &builder, LaneRows &rows,
                           const Operand &operand) {
  const LoopArg &arg = argOf(operand);
  if (arg.getAccess() == Access::Inc && !isInPlace(arg)) {
    rows.fill(operand.buffer, createAdditiveIdentity(builder, call.getLoc(),
                                                     arg.getElementType()));
    return;
  }
  if (arg.isPacked())
    loadPacked(builder, rows, operand);
  else if (Value contiguous = getContiguous(builder, rows, operand))
    rows.loadTogether(contiguous, operand.buffer);
  else if (!gatherRows(builder, rows, operand))
    rows.load(getRows(builder, operand), operand.buffer);
}

/// The entries of one slot for all elements. Those of all slots are side by
/// side in memory: they are loaded whole, too.
Value LanesBuilder::loadMapEntries(OpBuilder &builder, LaneRows &rows,
                                   MapEntry entry) {
  SmallVector<Value> &slots = mapEntries[entry.table];
  if (slots.empty()) {
    Location loc = call.getLoc();
    auto map = entry.table.getDefiningOp<MapTableOp>();
    int64_t arity = getLikelyArity(args, map.getMap());
    int64_t count = arity * int64_t(lanes.size());
    Value first = lanes.front().lookup(elements.getInductionVar());
    Value pointer = RowOp::create(
        builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
        entry.table, first);
    auto type = MemRefType::get({count}, builder.getI32Type());
    Value table = PtrCastOp::create(builder, loc, type, pointer, ValueRange());
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    slots = rows.deinterleave(
        vector::LoadOp::create(
            builder, loc,
            VectorType::get(type.getShape(), builder.getI32Type()), table,
            zero),
        arity);
  }
  return slots[entry.slot];
}

/// Fetches what is read through a map by one gather, if one takes whole rows.
bool LanesBuilder::gatherRows(OpBuilder &builder, LaneRows &rows,
                              const Operand &operand) {
  const LoopArg &arg = argOf(operand);
  if (!gathers || !arg.isIndirect() ||
      !LaneRows::fitsGather(arg.getDim(), getLaneStorage(arg.getElementType())))
    return false;
  auto row = operand.value.getDefiningOp<RowOp>();
  MapEntry entry = getMapEntry(row);
  if (!entry.table || !entry.table.getDefiningOp<MapTableOp>())
    return false;
  Value zero = arith::ConstantIndexOp::create(builder, row.getLoc(), 0);
  Value data = RowOp::create(builder, row.getLoc(),
                             LLVM::LLVMPointerType::get(builder.getContext()),
                             row.getData(), zero);
  rows.gather(data, loadMapEntries(builder, rows, entry), operand.buffer);
  return true;
}

void LanesBuilder::fillIndex(OpBuilder &builder, LaneRows &rows,
                             const Operand &operand) {
  Location loc = call.getLoc();
  Value number = findIndexStore(operand.value).getValue();
  SmallVector<Value> numbers;
  for (IRMapping &mapping : lanes)
    numbers.push_back(mapping.lookupOrDefault(number));
  rows.storeLanes(vector::FromElementsOp::create(
                      builder, loc, rows.getLanes(operand.buffer), numbers),
                  operand.buffer, 0);
}

/// What a kernel adds to one row and takes from another, as fluxes through an
/// edge, is transposed once.
const LanesBuilder::Destination *
LanesBuilder::findOpposite(ArrayRef<Destination> known, unsigned number) const {
  auto isCombined = [&](const Operand &operand) {
    return argOf(operand).getAccess() == Access::Inc &&
           !isInPlace(argOf(operand)) && !argOf(operand).isPacked();
  };
  if (!isCombined(operands[number]))
    return nullptr;
  const auto *found = llvm::find_if(known, [&](const Destination &other) {
    return !other.isTaken && isCombined(operands[other.number]) &&
           areOpposite(kernel, other.number, number);
  });
  return found == known.end() ? nullptr : found;
}

SmallVector<Value> LanesBuilder::getRowNumbers(RowOp row) const {
  return llvm::map_to_vector(lanes, [&](const IRMapping &mapping) {
    return mapping.lookupOrDefault(row.getIndex());
  });
}

/// Elements that follow each other often lead to one row where there is one map
/// slot: entries of a matrix, particles of a cell, cells of a column.
bool LanesBuilder::addsRuns(ArrayRef<Destination> destinations) const {
  constexpr int64_t kFewValues = 4;
  if (destinations.size() != 1)
    return false;
  const LoopArg &arg = argOf(operands[destinations.front().number]);
  return arg.getAccess() == Access::Inc && arg.isIndirect() &&
         !isInPlace(arg) && arg.getDim() <= kFewValues;
}

/// Of a row that the kernel changes in its place: its components that it stores
/// to; none: any.
SmallVector<bool> LanesBuilder::findChanged(unsigned number) {
  BlockArgument row = kernel.getArgument(number);
  int64_t dim = argOf(operands[number]).getDim();
  SmallVector<bool> isChanged(dim, false);
  for (Operation *user : row.getUsers()) {
    if (isa<memref::LoadOp>(user))
      continue;
    auto store = dyn_cast<memref::StoreOp>(user);
    if (!store || store.getIndices().size() != 1)
      return {};
    SmallVector<int64_t> places = findPlaces(store.getIndices()[0], dim);
    if (places.empty())
      return {};
    for (int64_t place : places)
      isChanged[place] = true;
  }
  return isChanged;
}

void LanesBuilder::writeBack(OpBuilder &builder, LaneRows &rows) {
  std::vector<Destination> destinations;
  for (auto [number, operand] : llvm::enumerate(operands)) {
    const LoopArg &arg = argOf(operand);
    if (operand.own)
      endElement(builder, rows, operand);
    if (!arg.isDat() || arg.getAccess() == Access::Read || arg.isPacked())
      continue;
    bool isSet = arg.getAccess() == Access::Write || isInPlace(arg);
    Value contiguous = isSet ? getContiguous(builder, rows, operand) : Value();
    if (!contiguous) {
      const Destination *opposite = findOpposite(destinations, number);
      destinations.push_back(
          {unsigned(number),
           getRows(builder, operand),
           opposite ? opposite->pieces : rows.transposeBack(operand.buffer),
           opposite != nullptr,
           {},
           isSet ? findChanged(unsigned(number)) : SmallVector<bool>()});
      if (operand.before)
        destinations.back().before = rows.transposeBack(operand.before);
      continue;
    }
    rows.storeTogether(operand.buffer, contiguous);
  }
  if (addsRuns(destinations)) {
    const Destination &to = destinations.front();
    rows.addRuns(
        to.pieces, to.rows,
        getRowNumbers(operands[to.number].value.getDefiningOp<RowOp>()));
    destinations.clear();
  }
  for (size_t lane = 0; lane < lanes.size(); ++lane)
    for (Destination &to : destinations) {
      const LoopArg &arg = argOf(operands[to.number]);
      if (arg.getAccess() == Access::Write || isInPlace(arg))
        rows.store(to.pieces[lane], to.rows[lane], to.isChanged);
      else if (to.isTaken)
        rows.subtract(to.pieces[lane], to.rows[lane]);
      else if (!to.before.empty())
        rows.takeChanged(arg.getAccess(), to.pieces[lane], to.before[lane],
                         to.rows[lane]);
      else
        rows.combine(arg.getAccess(), to.pieces[lane], to.rows[lane]);
    }
  storePacked(builder, rows);
}

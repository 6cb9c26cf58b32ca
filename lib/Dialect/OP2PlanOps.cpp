//===- OP2PlanOps.cpp - Plan level: how loops run -------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Dialect/OP2Ops.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::op2;

//===----------------------------------------------------------------------===//
// Loops over a plan
//===----------------------------------------------------------------------===//

static void buildBody(OpBuilder &builder, OperationState &state) {
  OpBuilder::InsertionGuard guard(builder);
  Region *region = state.addRegion();
  Block *block = builder.createBlock(region);
  block->addArgument(builder.getIndexType(), state.location);
  YieldOp::create(builder, state.location);
}

void ForColorsOp::build(OpBuilder &builder, OperationState &state, Value plan) {
  state.addOperands(plan);
  buildBody(builder, state);
}

void ForBlocksOp::build(OpBuilder &builder, OperationState &state, Value plan,
                        Value color) {
  state.addOperands({plan, color});
  buildBody(builder, state);
}

void ForElementsOp::build(OpBuilder &builder, OperationState &state, Value plan,
                          Value block) {
  state.addOperands({plan, block});
  buildBody(builder, state);
  state.addRegion();
  state.addRegion();
}

/// Gives an empty region a block with an argument and a terminator.
static Block &fillRegion(Region &region, Location loc) {
  OpBuilder builder(loc.getContext());
  Block *block = builder.createBlock(&region);
  block->addArgument(builder.getIndexType(), loc);
  YieldOp::create(builder, loc);
  return *block;
}

Block &ForElementsOp::createLanes(int64_t width) {
  setWidth(width);
  return fillRegion(getLanes(), getLoc());
}

Block &ForElementsOp::createGuarded() {
  return fillRegion(getGuarded(), getLoc());
}

/// The optional operand of a loop over elements.
static ParseResult parseRowEnds(OpAsmParser &parser, OperationState &result) {
  if (failed(parser.parseOptionalKeyword("row_ends")))
    return success();
  OpAsmParser::UnresolvedOperand ends;
  auto type =
      MemRefType::get({ShapedType::kDynamic}, parser.getBuilder().getI32Type());
  return failure(parser.parseOperand(ends) ||
                 parser.resolveOperand(ends, type, result.operands));
}

/// counter `of` plan (keyword operand)? (`row_ends` operand)? attr-dict region
template <typename OpTy>
static ParseResult parsePlanLoop(OpAsmParser &parser, OperationState &result,
                                 StringRef keyword) {
  OpAsmParser::Argument counter;
  OpAsmParser::UnresolvedOperand plan, operand;
  Builder &builder = parser.getBuilder();
  if (parser.parseArgument(counter) || parser.parseKeyword("of") ||
      parser.parseOperand(plan) ||
      parser.resolveOperand(plan, PlanType::get(builder.getContext()),
                            result.operands))
    return failure();
  if (!keyword.empty() &&
      (parser.parseKeyword(keyword) || parser.parseOperand(operand) ||
       parser.resolveOperand(operand, builder.getIndexType(), result.operands)))
    return failure();
  if constexpr (std::is_same_v<OpTy, ForElementsOp>)
    if (parseRowEnds(parser, result))
      return failure();
  counter.type = builder.getIndexType();
  Region *body = result.addRegion();
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*body, counter))
    return failure();
  OpTy::ensureTerminator(*body, builder, result.location);
  return success();
}

template <typename OpTy>
static void printPlanLoop(OpAsmPrinter &printer, OpTy op, StringRef keyword,
                          ArrayRef<StringRef> elided = {}) {
  printer << ' ' << op.getInductionVar() << " of " << op.getPlan();
  if (!keyword.empty())
    printer << ' ' << keyword << ' ' << op->getOperand(1);
  if constexpr (std::is_same_v<OpTy, ForElementsOp>)
    if (Value ends = op.getRowEnds())
      printer << " row_ends " << ends;
  printer.printOptionalAttrDictWithKeyword(op->getAttrs(), elided);
  printer << ' ';
  printer.printRegion(op.getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/false);
}

ParseResult ForColorsOp::parse(OpAsmParser &parser, OperationState &result) {
  return parsePlanLoop<ForColorsOp>(parser, result, "");
}
void ForColorsOp::print(OpAsmPrinter &printer) {
  printPlanLoop(printer, *this, "");
}

ParseResult ForBlocksOp::parse(OpAsmParser &parser, OperationState &result) {
  return parsePlanLoop<ForBlocksOp>(parser, result, "color");
}
void ForBlocksOp::print(OpAsmPrinter &printer) {
  printPlanLoop(printer, *this, "color");
}

/// argument region
static ParseResult parseOtherBody(OpAsmParser &parser, OperationState &result,
                                  Region &region) {
  Builder &builder = parser.getBuilder();
  OpAsmParser::Argument argument;
  if (parser.parseArgument(argument))
    return failure();
  argument.type = builder.getIndexType();
  if (parser.parseRegion(region, argument))
    return failure();
  ForElementsOp::ensureTerminator(region, builder, result.location);
  return success();
}

static void printOtherBody(OpAsmPrinter &printer, Region &region) {
  printer << region.getArgument(0) << ' ';
  printer.printRegion(region, /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/false);
}

/// … (`lanes` width first region)? (`guarded` element region)?
ParseResult ForElementsOp::parse(OpAsmParser &parser, OperationState &result) {
  if (parsePlanLoop<ForElementsOp>(parser, result, "block"))
    return failure();
  Region *lanes = result.addRegion();
  Region *guarded = result.addRegion();
  if (succeeded(parser.parseOptionalKeyword("lanes"))) {
    int64_t width;
    if (parser.parseInteger(width) || parseOtherBody(parser, result, *lanes))
      return failure();
    result.addAttribute(getWidthAttrName(result.name),
                        parser.getBuilder().getI64IntegerAttr(width));
  }
  if (succeeded(parser.parseOptionalKeyword("guarded")))
    return parseOtherBody(parser, result, *guarded);
  return success();
}
void ForElementsOp::print(OpAsmPrinter &printer) {
  printPlanLoop(printer, *this, "block", {getWidthAttrName()});
  if (hasLanes()) {
    printer << " lanes " << getWidth().value_or(0) << ' ';
    printOtherBody(printer, getLanes());
  }
  if (hasGuarded()) {
    printer << " guarded ";
    printOtherBody(printer, getGuarded());
  }
}

// P4: the body of a loop over a plan takes its counter.
static LogicalResult verifyBody(Operation *op) {
  Region &body = op->getRegion(0);
  if (body.getNumArguments() == 1 && body.getArgument(0).getType().isIndex())
    return success();
  return op->emitOpError(
      "[P4] expected a body with one argument of type index");
}

LogicalResult ForColorsOp::verifyRegions() { return verifyBody(*this); }
LogicalResult ForBlocksOp::verifyRegions() { return verifyBody(*this); }

LogicalResult ForElementsOp::verifyRegions() {
  if (failed(verifyBody(*this)))
    return failure();
  if (getWidth().has_value() != hasLanes())
    return emitOpError("[P4] expected a width where there is a region for "
                       "several elements, and only there");
  if (hasLanes() && getOneByOne())
    return emitOpError("[P4] has both 'one_by_one' and a region for several "
                       "elements");
  if (hasLanes() && (getLanes().getNumArguments() != 1 ||
                     !getLanes().getArgument(0).getType().isIndex()))
    return emitOpError("[P4] expected lanes with one argument of type index");
  if (hasGuarded() && (getGuarded().getNumArguments() != 1 ||
                       !getGuarded().getArgument(0).getType().isIndex()))
    return emitOpError("[P4] expected a guarded region with one argument of "
                       "type index");
  // P8: a plan by ownership has elements to guard, and no other has.
  auto plan = getPlan().getDefiningOp<PlanOp>();
  if (plan && (plan.getColoring() == Coloring::Owner) != hasGuarded())
    return emitOpError("[P8] expected a guarded region where the plan's "
                       "coloring is 'owner', and only there");
  // P12: the ends are those of the loop's own rows.
  auto ends = getRowEnds() ? getRowEnds().getDefiningOp<RowEndsOp>() : nullptr;
  if (getRowEnds() && (!ends || (plan && ends.getLoop() != plan.getLoop())))
    return emitOpError("[P12] expected the op2.row_ends of the plan's loop");
  return success();
}

// P12: the argument is the one that the loop changes.
LogicalResult RowEndsOp::verify() {
  auto loop = getLoop().getDefiningOp<LoopBeginOp>();
  if (!loop)
    return success();
  if (!addsToOneRow(loop.getLoopArgs(), getArg()))
    return emitOpError(
               "[P12] expected the number of the loop's one argument "
               "that is not read, 'inc' through one slot of a map, got ")
           << getArg();
  return success();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

// P9: a reduction is one of a global, and has a plan unless it is an exact sum
// or has one result for all elements.
LogicalResult ReductionBeginOp::verify() {
  auto loop = getLoop().getDefiningOp<LoopBeginOp>();
  if (!loop)
    return success();
  LoopArg arg = loop.getLoopArgs()[getArg()];
  auto type = cast<ReductionType>(getReduction().getType());
  if (!arg.isPrivate() || arg.getDim() != type.getDim() ||
      arg.getElementType() != type.getElementType())
    return emitOpError("[P9] argument ")
           << getArg() << " is no global that is reduced with type " << type;
  if (!getPlan() && !arg.isExactSum() && !arg.isMerged())
    return emitOpError("[P9] argument ")
           << getArg() << " has partial results of blocks: expected a plan";
  return success();
}

//===----------------------------------------------------------------------===//
// Storage
//===----------------------------------------------------------------------===//

static LogicalResult verifyResult(Operation *op, StringRef rule, Type actual,
                                  Type expected) {
  if (actual == expected)
    return success();
  return op->emitOpError() << rule << " expected a result of type " << expected
                           << ", got " << actual;
}

// P1: the storage of a dat, a map, a reduction has the type that they tell.
LogicalResult DatDataOp::verify() {
  auto dat = cast<DatType>(getDat().getType());
  MemRefType expected = dat.getStorageType();
  if (dat.hasStaticDim() && getData().getType() == asStructOfArrays(expected))
    return success();
  return verifyResult(*this, "[P1]", getData().getType(), expected);
}

LogicalResult MapTableOp::verify() {
  return verifyResult(*this, "[P1]", getTable().getType(),
                      cast<MapType>(getMap().getType()).getTableType());
}

LogicalResult ReductionPartialOp::verify() {
  auto type = cast<ReductionType>(getReduction().getType());
  return verifyResult(*this, "[P1]", getPartial().getType(),
                      type.getPartialType());
}

// P9: only sums of floats are exact.
static LogicalResult verifyExactSum(Operation *op, ReductionType type) {
  if (isa<FloatType>(type.getElementType()) &&
      !ShapedType::isDynamic(type.getDim()))
    return success();
  return op->emitOpError(
             "[P9] expected a sum of f32 or f64 whose dim is known, "
             "got ")
         << type;
}

// P1: terms are rows of the sum's dim and type, one behind the other.
LogicalResult TermsOp::verify() {
  auto type = cast<ReductionType>(getReduction().getType());
  if (failed(verifyExactSum(*this, type)))
    return failure();
  auto terms = cast<MemRefType>(getTerms().getType());
  bool isVector = terms.getRank() == 2;
  if ((isVector || terms.getRank() == 1) && terms.hasStaticShape() &&
      terms.getLayout().isIdentity() && terms.getDimSize(0) == type.getDim() &&
      terms.getElementType() == type.getElementType())
    return success();
  return emitOpError("[P1] expected a memref of ")
         << type.getDim() << ", or " << type.getDim() << " x lanes, x "
         << type.getElementType() << ", got " << terms;
}

LogicalResult ReductionAddOp::verify() {
  auto type = cast<ReductionType>(getReduction().getType());
  if (failed(verifyExactSum(*this, type)))
    return failure();
  auto terms = cast<MemRefType>(getTerms().getType());
  if (terms.getRank() != 2 || !terms.getLayout().isIdentity() ||
      !terms.hasStaticShape() ||
      terms.getDimSize(getRows() ? 1 : 0) != type.getDim() ||
      terms.getElementType() != type.getElementType()) {
    InFlightDiagnostic error = emitOpError("[P1] expected a memref of ");
    if (getRows())
      error << "elements x ";
    error << type.getDim();
    if (!getRows())
      error << " x elements";
    return error << " x " << type.getElementType() << ", got " << terms;
  }
  if (!getSplit())
    return success();
  if (getRows())
    return emitOpError("[P1] terms that vectors have split are not in rows");
  auto split = cast<MemRefType>(getSplit().getType());
  if (split.getRank() == 3 && split.hasStaticShape() &&
      split.getLayout().isIdentity() && split.getDimSize(0) == type.getDim() &&
      split.getDimSize(1) == 5 && split.getElementType().isInteger(64))
    return success();
  return emitOpError("[P1] expected a memref of ")
         << type.getDim() << " x 5 x lanes x 'i64', got " << split;
}

LogicalResult ReductionSplitOp::verify() {
  auto type = cast<ReductionType>(getReduction().getType());
  if (failed(verifyExactSum(*this, type)))
    return failure();
  return verifyResult(*this, "[P1]", getMiddles().getType(),
                      MemRefType::get({3}, Float64Type::get(getContext())));
}

/// P2: a row is a pointer, or a memref that drops the first dimension.
static LogicalResult verifyRow(Operation *op, MemRefType data, Type row) {
  if (isa<LLVM::LLVMPointerType>(row))
    return success();
  return verifyResult(op, "[P2]", row, getRowOf(data));
}

// A row of a struct of arrays has gaps, so it is no pointer.
LogicalResult RowOp::verify() {
  auto data = cast<MemRefType>(getData().getType());
  if (isArrayOfStructs(data))
    return verifyRow(*this, data, getRow().getType());
  if (isStructOfArrays(data))
    return verifyResult(*this, "[P2]", getRow().getType(), getRowOf(data));
  return emitOpError("[P2] expected a memref of rank 2, array of structs or "
                     "struct of arrays, got ")
         << data;
}

LogicalResult OwnedRowOp::verify() {
  auto data = cast<MemRefType>(getData().getType());
  if (!isArrayOfStructs(data))
    return emitOpError("[P2] expected an array of structs, got ") << data;
  if (getSpare().getType() != getRowOf(data))
    return emitOpError("[P2] expected spare memory of type ")
           << getRowOf(data) << ", got " << getSpare().getType();
  return verifyRow(*this, data, getRow().getType());
}

// P3: a cast is between a pointer and a memref that starts there.
LogicalResult PtrCastOp::verify() {
  Type source = getSource().getType(), result = getResult().getType();
  bool fromPointer = isa<LLVM::LLVMPointerType>(source);
  if (fromPointer == isa<LLVM::LLVMPointerType>(result))
    return emitOpError("[P3] expected a pointer on one side and a memref on "
                       "the other, got ")
           << source << " and " << result;
  auto memref = cast<MemRefType>(fromPointer ? result : source);
  auto layout = dyn_cast<StridedLayoutAttr>(memref.getLayout());
  if (!memref.getLayout().isIdentity() && !(layout && layout.getOffset() == 0))
    return emitOpError("[P3] expected a memref of identity layout, or with "
                       "strides and no offset, got ")
           << memref;
  int64_t dynamic = memref.getNumDynamicDims();
  if (layout)
    dynamic += llvm::count(layout.getStrides(), ShapedType::kDynamic);
  if (memref.getRank() > 0 && memref.isDynamicDim(0))
    --dynamic;
  int64_t expected = fromPointer ? dynamic : 0;
  if (int64_t(getSizes().size()) != expected)
    return emitOpError("[P3] expected ")
           << expected << " sizes, got " << getSizes().size();
  return success();
}

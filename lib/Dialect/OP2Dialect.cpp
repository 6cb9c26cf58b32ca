//===- OP2Dialect.cpp - The op2 dialect, its types and attributes ---------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Dialect/OP2Dialect.h"
#include "OP2/Dialect/OP2Ops.h"
#include "OP2/Dialect/Ranges.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::op2;

#include "OP2/Dialect/OP2Dialect.cpp.inc"

#include "OP2/Dialect/OP2Enums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "OP2/Dialect/OP2Attributes.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "OP2/Dialect/OP2Types.cpp.inc"

void OP2Dialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "OP2/Dialect/OP2Attributes.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "OP2/Dialect/OP2Types.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "OP2/Dialect/OP2Ops.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

MachineAttr MachineAttr::find(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto machine = op->getAttrOfType<MachineAttr>(kName))
      return machine;
  return {};
}

MachineAttr MachineAttr::of(Operation *op) {
  if (MachineAttr machine = find(op))
    return machine;
  return get(op->getContext(), /*vectorBits=*/0, /*gathers=*/false,
             /*vectorMathBits=*/0, /*chips=*/{});
}

LogicalResult MachineAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  int64_t vectorBits, bool,
                                  int64_t vectorMathBits, ArrayAttr chips) {
  for (auto [name, bits] : {std::pair("vector_bits", vectorBits),
                            std::pair("vector_math_bits", vectorMathBits)})
    if (!kVectorBits.contains(bits))
      return emitError() << "[T4] " << name << " must be "
                         << kVectorBits.describe() << ", got " << bits;
  for (Attribute chip : chips ? chips.getValue() : ArrayRef<Attribute>())
    if (!isa<StringAttr>(chip))
      return emitError() << "[T4] chips must be names, such as \"sm_90\", got "
                         << chip;
  return success();
}

/// The attributes of OP2Dialect.td's table.
LogicalResult OP2Dialect::verifyOperationAttribute(Operation *op,
                                                   NamedAttribute attr) {
  auto check = [&](bool isOnRightOp, StringRef ops, bool hasType,
                   StringRef type) -> LogicalResult {
    if (!isOnRightOp)
      return op->emitOpError("[T4] '")
             << attr.getName().getValue() << "' belongs to " << ops;
    if (!hasType)
      return op->emitOpError("[T4] '")
             << attr.getName().getValue() << "' must be " << type << ", got "
             << attr.getValue();
    return success();
  };
  StringRef name = attr.getName();
  Attribute value = attr.getValue();
  if (name == MachineAttr::kName)
    return check(isa<ModuleOp>(op), "modules", isa<MachineAttr>(value),
                 "#op2.machine<…>");
  bool isFunction = isa<FunctionOpInterface>(op);
  if (name == kFusibleAttr || name == kDelayableAttr || name == kEmulatedAttr)
    return check(isFunction, "functions", isa<UnitAttr>(value), "a unit");
  if (name == kVariantAttr)
    return check(isFunction, "functions", isa<VariantKindAttr>(value),
                 "#op2.variant<fused> or #op2.variant<split>");
  if (name == kOutcomeAttr || name == kLoopNameAttr || name == kMissingBodyAttr)
    return check(isFunction, "functions", isa<StringAttr>(value), "a string");
  if (name == kSavedBytesAttr) {
    auto bytes = dyn_cast<IntegerAttr>(value);
    return check(isFunction, "functions",
                 bytes && bytes.getType().isInteger(64), "an i64");
  }
  if (name == kRaceFreeAttr)
    return check(isa<LoopBeginOp>(op), "op2.loop_begin", isa<UnitAttr>(value),
                 "a unit");
  bool isLoop = isa<LoopInterface>(op);
  if (name == kInPlaceAttr)
    return check(isLoop, "loops", isa<DenseI64ArrayAttr>(value),
                 "an array of i64");
  if (name == kNotRaisedAttr)
    return check(isLoop, "loops", isa<ObstacleAttr>(value), "#op2.obstacle<…>");
  if (name == kUsualAttr) {
    auto symbols = dyn_cast<ArrayAttr>(value);
    return check(isLoop, "loops",
                 symbols && symbols.size() == 2 &&
                     llvm::all_of(symbols, llvm::IsaPred<FlatSymbolRefAttr>),
                 "the symbols of two functions");
  }
  if (name == kMathCallAttr)
    return check(isa<CallOpInterface>(op), "calls", isa<UnitAttr>(value),
                 "a unit");
  if (name == kNotVectorizedAttr || name == kNotOwnedAttr)
    return check(isLoop, "loops", isa<StringAttr>(value), "a string");
  return op->emitOpError("[T4] '")
         << name << "' is no attribute of the op2 dialect";
}

LogicalResult OP2Dialect::verifyRegionArgAttribute(Operation *op,
                                                   unsigned region,
                                                   unsigned argument,
                                                   NamedAttribute attr) {
  if (attr.getName() != kLikelyArityAttr)
    return op->emitOpError("[T4] '")
           << attr.getName().getValue()
           << "' is no attribute of the op2 dialect for parameters";
  auto arity = dyn_cast<IntegerAttr>(attr.getValue());
  if (!arity || !arity.getType().isInteger(64) || arity.getInt() < 1 ||
      !llvm::isInt<32>(arity.getInt()))
    return op->emitOpError("[T4] '")
           << attr.getName().getValue()
           << "' must be an i64 from 1 to 2147483647, got " << attr.getValue();
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function || !isa<MapType>(function.getArgumentTypes()[argument]))
    return op->emitOpError("[T4] '") << attr.getName().getValue()
                                     << "' belongs to parameters that are maps";
  return success();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Rule T3: the types of values that a dat or a global may hold.
static bool isValueType(Type type) {
  if (type.isF64() || type.isF32())
    return true;
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return false;
  bool isByteSized =
      llvm::is_contained({8u, 16u, 32u, 64u}, integer.getWidth());
  if (integer.isSignless())
    return isByteSized || integer.isInteger(1);
  return isByteSized && integer.isUnsigned();
}

static LogicalResult
verifyDimAndType(function_ref<InFlightDiagnostic()> emitError, int64_t dim,
                 Type elementType) {
  if (!kDims.contains(dim) && !ShapedType::isDynamic(dim))
    return emitError() << "[T2] dim must be '?' or " << kDims.describe()
                       << ", got " << dim;
  if (!isValueType(elementType))
    return emitError()
           << "[T3] values must be f64, f32, i1 or integers (i, ui) "
              "of 8, 16, 32 or 64 bits, got "
           << elementType;
  return success();
}

static MemRefType getStorage(int64_t dim, Type elementType, bool oneRow) {
  SmallVector<int64_t> shape;
  if (!oneRow)
    shape.push_back(ShapedType::kDynamic);
  shape.push_back(dim);
  return MemRefType::get(shape, elementType);
}

LogicalResult MapType::verify(function_ref<InFlightDiagnostic()> emitError,
                              int64_t arity) {
  if (!kDims.contains(arity) && !ShapedType::isDynamic(arity))
    return emitError() << "[T1] the arity of a map must be '?' or "
                       << kDims.describe() << ", got " << arity;
  return success();
}

Type MapType::parse(AsmParser &parser) {
  int64_t arity = ShapedType::kDynamic;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() ||
      (failed(parser.parseOptionalQuestion()) && parser.parseInteger(arity)) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<MapType>(loc, parser.getContext(), arity);
}

void MapType::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printDimensionList(getArity());
  printer << '>';
}

MemRefType MapType::getTableType() const {
  return getStorage(getArity(), IntegerType::get(getContext(), 32),
                    /*oneRow=*/false);
}

/// `<` dim `x` type `>`, as in <4xf64> or <?xf64>.
static FailureOr<std::pair<int64_t, Type>> parseDimAndType(AsmParser &parser) {
  SmallVector<int64_t, 1> dims;
  Type elementType;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() ||
      parser.parseDimensionList(dims, /*allowDynamic=*/true) ||
      parser.parseType(elementType) || parser.parseGreater())
    return failure();
  if (dims.size() != 1) {
    parser.emitError(loc, "expected one dim, as in <4xf64>");
    return failure();
  }
  return std::make_pair(dims.front(), elementType);
}

static void printDimAndType(AsmPrinter &printer, int64_t dim, Type type) {
  printer << '<';
  printer.printDimensionList(dim);
  printer << 'x' << type << '>';
}

Type DatType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  auto parsed = parseDimAndType(parser);
  if (failed(parsed))
    return {};
  return parser.getChecked<DatType>(loc, parser.getContext(), parsed->first,
                                    parsed->second);
}

void DatType::print(AsmPrinter &printer) const {
  printDimAndType(printer, getDim(), getElementType());
}

LogicalResult DatType::verify(function_ref<InFlightDiagnostic()> emitError,
                              int64_t dim, Type elementType) {
  return verifyDimAndType(emitError, dim, elementType);
}

MemRefType DatType::getStorageType() const {
  return getStorage(getDim(), getElementType(), /*oneRow=*/false);
}

MemRefType op2::asStructOfArrays(MemRefType type) {
  return MemRefType::get(
      type.getShape(), type.getElementType(),
      StridedLayoutAttr::get(type.getContext(), 0, {1, ShapedType::kDynamic}),
      type.getMemorySpace());
}

bool op2::isStructOfArrays(MemRefType type) {
  return type.getRank() == 2 && !type.isDynamicDim(1) &&
         type == asStructOfArrays(type);
}

bool op2::isArrayOfStructs(MemRefType type) {
  return type.getRank() == 2 && type.getLayout().isIdentity();
}

MemRefType op2::getRowOf(MemRefType type) {
  MemRefLayoutAttrInterface layout;
  if (isStructOfArrays(type))
    layout = StridedLayoutAttr::get(type.getContext(), 0, ShapedType::kDynamic);
  return MemRefType::get(type.getShape().drop_front(), type.getElementType(),
                         layout, type.getMemorySpace());
}

MemRefType DatType::getRowType() const {
  return getStorage(getDim(), getElementType(), /*oneRow=*/true);
}

Type ReductionType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  auto parsed = parseDimAndType(parser);
  if (failed(parsed))
    return {};
  return parser.getChecked<ReductionType>(loc, parser.getContext(),
                                          parsed->first, parsed->second);
}

void ReductionType::print(AsmPrinter &printer) const {
  printDimAndType(printer, getDim(), getElementType());
}

LogicalResult
ReductionType::verify(function_ref<InFlightDiagnostic()> emitError, int64_t dim,
                      Type elementType) {
  return verifyDimAndType(emitError, dim, elementType);
}

MemRefType ReductionType::getPartialType() const {
  return getStorage(getDim(), getElementType(), /*oneRow=*/true);
}

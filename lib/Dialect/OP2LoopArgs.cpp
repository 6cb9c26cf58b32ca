//===- OP2LoopArgs.cpp - Arguments of loops -------------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every op with LoopInterface shares: packing and unpacking the list of
// arguments, its assembly format, and the rules L1 to L6 of docs/spec.md.
//
//===----------------------------------------------------------------------===//

#include "OP2LoopArgs.h"
#include "OP2/Dialect/OP2Interfaces.h"
#include "OP2/Dialect/OP2Ops.h"
#include "OP2/Dialect/Ranges.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::op2;

#include "OP2/Dialect/OP2Interfaces.cpp.inc"

//===----------------------------------------------------------------------===//
// LoopArg
//===----------------------------------------------------------------------===//

int64_t LoopArg::getDim() const {
  if (isIndex())
    return 1;
  if (isDat())
    return cast<DatType>(data.getType()).getDim();
  return cast<MemRefType>(data.getType()).getDimSize(0);
}

Type LoopArg::getElementType() const {
  if (isIndex())
    return IntegerType::get(attr.getContext(), 32);
  if (isDat())
    return cast<DatType>(data.getType()).getElementType();
  return cast<MemRefType>(data.getType()).getElementType();
}

Type LoopArg::getReductionType() const {
  Type type = getElementType();
  return ReductionType::get(type.getContext(), getDim(), type);
}

MemRefType LoopArg::getRowType() const {
  return MemRefType::get({getDim()}, getElementType());
}

MemRefType LoopArg::getOperandType() const {
  if (!isPacked() || ShapedType::isDynamic(getDim()))
    return getRowType();
  return MemRefType::get({attr.getCount() * getDim()}, getElementType());
}

unsigned op2::getNumLoopArgValues(LoopArgAttr arg) {
  return unsigned(arg.getIsOptional()) + unsigned(!arg.isIndex()) +
         unsigned(arg.isIndirect()) +
         (arg.getAccess() == Access::Reduce ? 2 : 0);
}

SmallVector<LoopArg> op2::decodeLoopArgs(ArrayAttr args, OperandRange values) {
  SmallVector<LoopArg> result;
  auto next = values.begin();
  for (LoopArgAttr attr : args.getAsRange<LoopArgAttr>()) {
    LoopArg arg{attr, {}, {}, {}};
    if (attr.getIsOptional())
      arg.flag = *next++;
    if (arg.isMerged()) {
      arg.merge = *next++;
      arg.identity = *next++;
    }
    if (!attr.isIndex())
      arg.data = *next++;
    if (attr.isIndirect())
      arg.map = *next++;
    result.push_back(arg);
  }
  return result;
}

SmallVector<Value> op2::encodeLoopValues(ArrayRef<LoopArg> args) {
  SmallVector<Value> values;
  for (const LoopArg &arg : args)
    for (Value value : {arg.flag, arg.merge, arg.identity, arg.data, arg.map})
      if (value)
        values.push_back(value);
  return values;
}

//===----------------------------------------------------------------------===//
// Assembly format
//===----------------------------------------------------------------------===//

namespace {
/// Parses one argument after the other into the flat list of values.
class LoopArgParser {
public:
  using Operands = SmallVectorImpl<OpAsmParser::UnresolvedOperand>;

  LoopArgParser(OpAsmParser &parser, Operands &values,
                SmallVectorImpl<Type> &types)
      : parser(parser), values(values), types(types) {}

  ParseResult parseArg(SmallVectorImpl<Attribute> &args) {
    bool isOptional = succeeded(parser.parseOptionalKeyword("if"));
    if (isOptional && parseValue(parser.getBuilder().getI1Type()))
      return failure();
    if (parseKindAndData() || parseVia())
      return failure();
    args.push_back(LoopArgAttr::get(parser.getContext(), kind, access, slot,
                                    count, isVector, isPacked, isInjective,
                                    isOptional, layout));
    return success();
  }

private:
  ParseResult parseValue(Type type) {
    types.push_back(type);
    return parser.parseOperand(values.emplace_back());
  }

  /// `index`, or an access, `packed`, `global` or a layout perhaps, a value and
  /// its type; after `reduce` the function and the identity come first.
  ParseResult parseKindAndData() {
    layout = Layout::Any;
    isPacked = false;
    StringRef keyword;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&keyword))
      return failure();
    if (keyword == "index") {
      kind = ArgKind::Index;
      access = Access::Read;
      return success();
    }
    std::optional<Access> symbol = symbolizeAccess(keyword);
    if (!symbol)
      return parser.emitError(loc)
             << "expected an access (read, write, rw, inc, min, max, work, "
                "reduce) or 'index', got '"
             << keyword << "'";
    access = *symbol;
    slot = LoopArgAttr::kDirect;
    kind = ArgKind::Dat;
    bool isMerged = access == Access::Reduce;
    if (isMerged && parseMerge())
      return failure();
    isPacked = succeeded(parser.parseOptionalKeyword("packed"));
    loc = parser.getCurrentLocation();
    if (succeeded(parser.parseOptionalKeyword(&keyword))) {
      if (keyword == "global")
        kind = ArgKind::Global;
      else if (keyword == "info")
        kind = ArgKind::Info;
      else if (std::optional<Layout> known = symbolizeLayout(keyword);
               known && *known != Layout::Any)
        layout = *known;
      else
        return parser.emitError(loc) << "expected 'global', 'info', a layout "
                                        "(aos, soa) or a value, got '"
                                     << keyword << "'";
    }
    if (kind == ArgKind::Info &&
        (parser.parseKeyword("of") || parser.parseInteger(slot)))
      return failure();
    if (parser.parseOperand(values.emplace_back()) ||
        parser.parseColonType(types.emplace_back()))
      return failure();
    // The identity is of the global's type.
    if (isMerged)
      types.push_back(types.back());
    return success();
  }

  /// The function, `from`, and the identity, whose type is still to come.
  ParseResult parseMerge() {
    return failure(
        parseValue(LLVM::LLVMPointerType::get(parser.getContext())) ||
        parser.parseKeyword("from") ||
        parser.parseOperand(values.emplace_back()));
  }

  /// Nothing, or `via` map `[` slot (`to` end)? `]` `injective`? `:` type.
  ParseResult parseVia() {
    count = 1;
    isVector = isInjective = false;
    if (kind == ArgKind::Info)
      return success();
    slot = LoopArgAttr::kDirect;
    if (failed(parser.parseOptionalKeyword("via")))
      return success();
    SMLoc loc;
    if (parser.parseOperand(values.emplace_back()) || parser.parseLSquare() ||
        parser.getCurrentLocation(&loc) || parser.parseInteger(slot))
      return failure();
    // A negative slot would read as "direct" from here on.
    if (slot < 0)
      return parser.emitError(loc)
             << "[L2] map slot must not be negative, got " << slot;
    if (succeeded(parser.parseOptionalKeyword("to"))) {
      int64_t end;
      if (parser.parseInteger(end))
        return failure();
      // No slots if there is no such number: rule L2.
      if (llvm::SubOverflow(end, slot, count))
        count = 0;
      isVector = true;
    }
    if (parser.parseRSquare())
      return failure();
    isInjective = succeeded(parser.parseOptionalKeyword("injective"));
    return parser.parseColonType(types.emplace_back());
  }

  OpAsmParser &parser;
  Operands &values;
  SmallVectorImpl<Type> &types;
  ArgKind kind = ArgKind::Dat;
  Access access = Access::Read;
  int64_t slot = LoopArgAttr::kDirect;
  int64_t count = 1;
  bool isVector = false;
  bool isPacked = false;
  bool isInjective = false;
  Layout layout = Layout::Any;
};
} // namespace

ParseResult
op2::parseLoopArgs(OpAsmParser &parser, ArrayAttr &args,
                   SmallVectorImpl<OpAsmParser::UnresolvedOperand> &values,
                   SmallVectorImpl<Type> &types) {
  SmallVector<Attribute> attrs;
  // The closing parenthesis belongs to the op's format.
  if (failed(parser.parseOptionalRParen())) {
    LoopArgParser argParser(parser, values, types);
    do {
      if (argParser.parseArg(attrs))
        return failure();
    } while (succeeded(parser.parseOptionalComma()));
    if (parser.parseRParen())
      return failure();
  }
  args = parser.getBuilder().getArrayAttr(attrs);
  return success();
}

/// What stands between the access and the value.
static std::string stringifyPlace(const LoopArg &arg) {
  if (arg.isInfo())
    return "info of " + std::to_string(arg.attr.getSlot()) + " ";
  if (arg.isPacked())
    return "packed ";
  return arg.isGlobal() ? "global " : "";
}

static void printArgData(OpAsmPrinter &printer, const LoopArg &arg) {
  printer << stringifyAccess(arg.getAccess()) << ' ';
  if (arg.isMerged())
    printer << arg.merge << " from " << arg.identity << ' ';
  printer << stringifyPlace(arg);
  if (arg.attr.getLayout() != Layout::Any)
    printer << stringifyLayout(arg.attr.getLayout()) << ' ';
  printer << arg.data << " : " << arg.data.getType();
}

void op2::printLoopArgs(OpAsmPrinter &printer, Operation *op, ArrayAttr attrs,
                        OperandRange values, TypeRange) {
  SmallVector<LoopArg> args = decodeLoopArgs(attrs, values);
  printer.increaseIndent();
  printer.increaseIndent();
  llvm::interleave(
      args, printer.getStream(),
      [&](const LoopArg &arg) {
        printer.printNewline();
        if (arg.flag)
          printer << "if " << arg.flag << ' ';
        if (arg.isIndex())
          printer << "index";
        else
          printArgData(printer, arg);
        if (!arg.map)
          return;
        printer << " via " << arg.map << '[' << arg.attr.getSlot();
        if (arg.attr.getIsVector())
          printer << " to " << arg.attr.getSlot() + arg.attr.getCount();
        printer << (arg.attr.getIsInjective() ? "] injective : " : "] : ")
                << arg.map.getType();
      },
      ",");
  printer.decreaseIndent();
  printer.decreaseIndent();
  printer << ')';
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

namespace {
/// Checks one loop, argument by argument.
class LoopVerifier {
public:
  explicit LoopVerifier(LoopInterface loop) : loop(loop) {}

  LogicalResult verify() {
    if (failed(verifyNumberOfValues()))
      return failure();
    SmallVector<LoopArg> args = loop.getLoopArgs();
    for (auto [number, arg] : llvm::enumerate(args)) {
      index = number;
      if (failed(verifyTypes(arg)) || failed(verifySlots(arg)) ||
          failed(verifyByKind(arg)))
        return failure();
    }
    return failure(failed(verifyReducedGlobals(args)) ||
                   failed(verifyInfos(args)) || failed(verifyLayouts(args)) ||
                   failed(verifyInPlace(args)));
  }

private:
  InFlightDiagnostic emitError(StringRef rule) {
    return loop->emitOpError() << rule << " argument " << index << ": ";
  }

  // L1: each argument owns the values that its static part asks for.
  LogicalResult verifyNumberOfValues() {
    unsigned expected = 0;
    for (LoopArgAttr attr : loop.getArgs().getAsRange<LoopArgAttr>())
      expected += getNumLoopArgValues(attr);
    if (expected == loop.getValues().size())
      return success();
    return loop->emitOpError() << "[L1] its arguments need " << expected
                               << " values, got " << loop.getValues().size();
  }

  // L1: ... and they have the right types.
  LogicalResult verifyTypes(const LoopArg &arg) {
    if (arg.flag && !arg.flag.getType().isInteger(1))
      return emitError("[L1]")
             << "the flag must be an i1, got " << arg.flag.getType();
    if (arg.map && !isa<MapType>(arg.map.getType()))
      return emitError("[L1]")
             << "expected a map after 'via', got " << arg.map.getType();
    if (arg.isDat() && !isa<DatType>(arg.data.getType()))
      return emitError("[L1]") << "expected a dat, got " << arg.data.getType()
                               << "; write 'global' before a memref";
    if (arg.isGlobal() && failed(verifyGlobalType(arg.data.getType())))
      return failure();
    return arg.isMerged() ? verifyMerge(arg) : success();
  }

  // L22: a reduction by a function is one of a global, from its identity.
  LogicalResult verifyMerge(const LoopArg &arg) {
    if (arg.attr.getKind() != ArgKind::Global)
      return emitError("[L22]") << "only a global can have access 'reduce'";
    if (!isa<LLVM::LLVMPointerType>(arg.merge.getType()))
      return emitError("[L22]") << "expected the address of a function, "
                                   "'!llvm.ptr', after 'reduce', got "
                                << arg.merge.getType();
    if (arg.identity.getType() == arg.data.getType())
      return success();
    return emitError("[L22]")
           << "expected an identity of the global's type " << arg.data.getType()
           << ", got " << arg.identity.getType();
  }

  // L4: a global is a one-dimensional memref of static size.
  LogicalResult verifyGlobalType(Type type) {
    auto memref = dyn_cast<MemRefType>(type);
    if (memref && memref.getRank() == 1 && memref.hasStaticShape() &&
        memref.getLayout().isIdentity() &&
        succeeded(DatType::verify([&] { return emitError("[L4]"); },
                                  memref.getDimSize(0),
                                  memref.getElementType())))
      return success();
    return emitError("[L4]")
           << "a global must be a memref<NxT> of static size, got " << type;
  }

  // L2: slots lie in the map.
  LogicalResult verifySlots(const LoopArg &arg) {
    if (!arg.map)
      return success();
    auto map = cast<MapType>(arg.map.getType());
    int64_t arity = map.hasStaticArity() ? map.getArity() : kDims.max;
    int64_t first = arg.attr.getSlot(), count = arg.attr.getCount();
    if (first >= 0 && count >= 1 && first < arity && count <= arity - first)
      return success();
    InFlightDiagnostic diag = emitError("[L2]");
    if (arg.attr.getIsVector())
      diag << "slots " << first << " to " << first + count;
    else
      diag << "slot " << first;
    return diag << " of " << map << "; expected slots from 0 up to its arity";
  }

  LogicalResult verifyByKind(const LoopArg &arg) {
    // L3: scratch memory belongs to a loop, not to a mesh element.
    if (arg.isDat() && arg.getAccess() == Access::Work)
      return emitError("[L3]") << "a dat cannot have access 'work'";
    if (arg.isGlobal() && arg.isIndirect())
      return emitError("[L4]") << "a global cannot be reached through a map";
    // L5: an index is a value that is read.
    if (arg.isIndex() &&
        (arg.getAccess() != Access::Read || arg.attr.getIsOptional()))
      return emitError("[L5]") << "an index is read and cannot be optional";
    // L6: only rows of a map can be taken together.
    if (arg.attr.getIsVector() && !(arg.isDat() && arg.isIndirect()))
      return emitError("[L6]")
             << "only a dat reached through a map can be a vector argument";
    if (arg.attr.getIsVector() && !kVectorSlots.contains(arg.attr.getCount()))
      return emitError("[L6]") << "count must be " << kVectorSlots.describe()
                               << ", got " << arg.attr.getCount();
    if (!arg.attr.getIsVector() && arg.attr.getCount() != 1)
      return emitError("[L6]")
             << "count must be 1, got " << arg.attr.getCount();
    // L23: one row of each element.
    if (arg.attr.getIsInjective() &&
        !(arg.isIndirect() && arg.attr.getCount() == 1))
      return emitError("[L23]") << "only one slot of a map can be injective";
    return arg.isPacked() ? verifyPacked(arg) : success();
  }

  // L21: packed rows are a copy of known size in private memory.
  LogicalResult verifyPacked(const LoopArg &arg) {
    if (!arg.attr.getIsVector())
      return emitError("[L21]") << "only a vector argument can be packed; "
                                   "expected 'via', a map and its slots";
    if (ShapedType::isDynamic(arg.getDim()))
      return emitError("[L21]") << "a packed argument needs a static dim, got "
                                << arg.data.getType();
    int64_t bits = arg.getElementType().getIntOrFloatBitWidth();
    auto bytes = llvm::checkedMul<int64_t>(
        arg.attr.getCount() * ((bits + 7) / 8), arg.getDim());
    if (bytes && *bytes <= kMaxPackedBytes)
      return success();
    return emitError("[L21]")
           << "packed rows have at most " << kMaxPackedBytes << " bytes, got "
           << arg.attr.getCount() << " of " << arg.data.getType();
  }

  // L7: what is reduced is not used in another way at the same time.
  LogicalResult verifyReducedGlobals(ArrayRef<LoopArg> args) {
    for (auto [number, arg] : llvm::enumerate(args)) {
      if (!arg.isGlobal() || !arg.attr.isReduction())
        continue;
      for (auto [other, otherArg] : llvm::enumerate(args)) {
        if (other == number || !otherArg.isGlobal() ||
            otherArg.data != arg.data)
          continue;
        index = number;
        return emitError("[L7]")
               << "a reduced global cannot be argument " << other << " as well";
      }
    }
    return success();
  }

  // L14: an info follows a global that is compared.
  LogicalResult verifyInfos(ArrayRef<LoopArg> args) {
    for (auto [number, arg] : llvm::enumerate(args)) {
      if (!arg.isInfo())
        continue;
      index = number;
      int64_t followed = arg.attr.getSlot();
      if (arg.attr.getIsOptional())
        return emitError("[L14]") << "an info cannot be optional";
      if (arg.getAccess() != Access::Min && arg.getAccess() != Access::Max)
        return emitError("[L14]") << "the access of an info is 'min' or 'max'";
      if (followed < 0 || followed >= int64_t(args.size()) ||
          args[followed].attr.getKind() != ArgKind::Global ||
          args[followed].getAccess() != arg.getAccess())
        return emitError("[L14]")
               << "argument " << followed << ", which it follows, is no '"
               << stringifyAccess(arg.getAccess()) << " global'";
      if (arg.getDim() % args[followed].getDim() != 0)
        return emitError("[L14]")
               << "its dim " << arg.getDim() << " is no multiple of "
               << args[followed].getDim() << ", that of argument " << followed;
    }
    return success();
  }

  // L15: a layout is that of a dat of static dim, the same in all arguments.
  LogicalResult verifyLayouts(ArrayRef<LoopArg> args) {
    for (auto [number, arg] : llvm::enumerate(args)) {
      index = number;
      Layout layout = arg.attr.getLayout();
      if (layout != Layout::Any && !arg.isDat())
        return emitError("[L15]") << "only a dat has a layout";
      if (layout == Layout::SoA && ShapedType::isDynamic(arg.getDim()))
        return emitError("[L15]")
               << "the dim of a dat with layout soa must be static";
      for (auto [other, otherArg] : llvm::enumerate(args.take_front(number)))
        if (arg.isDat() && otherArg.data == arg.data &&
            otherArg.attr.getLayout() != layout)
          return emitError("[L15]")
                 << "layout " << stringifyLayout(layout)
                 << ", but the same dat is argument " << other
                 << " with layout "
                 << stringifyLayout(otherArg.attr.getLayout());
    }
    return success();
  }

  // T4: what the kernel adds in place are increments of dats.
  LogicalResult verifyInPlace(ArrayRef<LoopArg> args) {
    auto numbers = loop->getAttrOfType<DenseI64ArrayAttr>(kInPlaceAttr);
    for (int64_t number : numbers ? numbers.asArrayRef() : ArrayRef<int64_t>())
      if (number < 0 || number >= int64_t(args.size()) ||
          !args[number].isDat() || args[number].getAccess() != Access::Inc)
        return loop->emitOpError("[T4] '")
               << kInPlaceAttr << "': argument " << number
               << " is no dat with access 'inc'";
    return success();
  }

  LoopInterface loop;
  unsigned index = 0;
};
} // namespace

LogicalResult op2::detail::verifyLoop(LoopInterface loop) {
  return LoopVerifier(loop).verify();
}

bool op2::addsToOneRow(ArrayRef<LoopArg> args, unsigned number) {
  const LoopArg &changed = args[number];
  return changed.isDat() && changed.isIndirect() && !changed.isPacked() &&
         changed.getAccess() == Access::Inc && changed.attr.getCount() == 1 &&
         !changed.flag && llvm::count_if(args, isChanged) == 1;
}

// P9: an argument of a loop in progress is there.
LogicalResult op2::detail::verifyArgNumber(Operation *op, int64_t arg) {
  for (Value operand : op->getOperands()) {
    Value loop = operand;
    if (auto plan = operand.getDefiningOp<PlanOp>())
      loop = plan.getLoop();
    auto begin = loop.getDefiningOp<LoopBeginOp>();
    if (begin && arg >= int64_t(begin.getArgs().size()))
      return op->emitOpError("[P9] argument ")
             << arg << " of a loop with " << begin.getArgs().size()
             << " arguments";
  }
  return success();
}

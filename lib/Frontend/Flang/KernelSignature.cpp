//===- KernelSignature.cpp - Dummy arguments of Fortran kernels -----------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelSignature.h"
#include "Diagnostics.h"
#include "SourcePlace.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/MathExtras.h"
#include <climits>

using namespace op2::frontend;
using llvm::StringRef;

std::optional<FortranType> op2::frontend::parseFortranType(StringRef text) {
  FortranType type;
  type.text = text.lower();
  text = type.text;
  type.isSoA = text.ends_with(":soa");
  type.isLogical = text == "logical" || text == "logical(4)";
  if (type.isLogical)
    return type;
  std::optional<ElementType> element = parseTypeString(text);
  if (!element)
    return std::nullopt;
  type.element = *element;
  return type;
}

//===----------------------------------------------------------------------===//
// Debug information
//===----------------------------------------------------------------------===//

namespace {
struct DummyArgument {
  const llvm::DIType *type = nullptr;              ///< null: not known
  const llvm::DILocalVariable *variable = nullptr; ///< null: only declared

  std::string getName() const {
    return variable ? variable->getName().str() : "";
  }
};

/// What the values of a dummy argument are.
struct DummyValues {
  enum class Form { Values, Descriptor, Mixed, Unknown };
  Form form = Form::Unknown;
  const llvm::DIBasicType *element = nullptr;
  /// Of `element`, or of its parts if that is complex; 0: not known.
  int64_t count = 0;
};
} // namespace

static std::vector<DummyArgument> readDummies(const llvm::Function &kernel) {
  std::vector<DummyArgument> dummies(kernel.arg_size());
  const llvm::DISubprogram *subprogram = kernel.getSubprogram();
  if (!subprogram)
    return dummies;
  // The first one is the result's.
  auto types = subprogram->getType()->getTypeArray();
  for (unsigned i = 0; i < dummies.size() && i + 1 < types.size(); ++i)
    dummies[i].type = types[i + 1];
  for (const llvm::Instruction &inst : llvm::instructions(kernel))
    for (const llvm::DbgVariableRecord &record :
         llvm::filterDbgVars(inst.getDbgRecordRange())) {
      const auto *argument = llvm::dyn_cast_or_null<llvm::Argument>(
          record.getVariableLocationOp(0));
      if (!argument || argument->getParent() != &kernel)
        continue;
      DummyArgument &dummy = dummies[argument->getArgNo()];
      dummy.variable = record.getVariable();
      dummy.type = record.getVariable()->getType();
    }
  return dummies;
}

/// 0: not known, as of `x(n)` and `x(*)`.
static int64_t getExtent(const llvm::DISubrange &range) {
  auto *count =
      llvm::dyn_cast_if_present<llvm::ConstantInt *>(range.getCount());
  return count ? count->getSExtValue() : 0;
}

static DummyValues describe(const llvm::DIType *type);

/// Whether both are of the same numbers: those of complex ones are reals.
static bool isSameNumber(const llvm::DIBasicType &a,
                         const llvm::DIBasicType &b) {
  auto describe = [](const llvm::DIBasicType &type) {
    bool isComplex = type.getEncoding() == llvm::dwarf::DW_ATE_complex_float;
    return std::pair(isComplex ? unsigned(llvm::dwarf::DW_ATE_float)
                               : type.getEncoding(),
                     type.getSizeInBits() / (isComplex ? 2 : 1));
  };
  return describe(a) == describe(b);
}

/// All components of a derived type, which must be of one type.
static DummyValues describeRecord(const llvm::DICompositeType &record) {
  DummyValues whole;
  for (const llvm::DINode *node : record.getElements()) {
    const auto *member = llvm::dyn_cast<llvm::DIDerivedType>(node);
    DummyValues part = describe(member ? member->getBaseType() : nullptr);
    bool isSame = !whole.element ||
                  (part.element && isSameNumber(*whole.element, *part.element));
    if (part.form != DummyValues::Form::Values || part.count == 0 || !isSame)
      return {DummyValues::Form::Mixed};
    whole.element = part.element;
    whole.count += part.count;
  }
  bool isDense =
      whole.element &&
      uint64_t(whole.count) * whole.element->getSizeInBits() ==
          record.getSizeInBits() *
              (whole.element->getEncoding() == llvm::dwarf::DW_ATE_complex_float
                   ? 2
                   : 1);
  whole.form = isDense ? DummyValues::Form::Values : DummyValues::Form::Mixed;
  return whole;
}

static DummyValues describeArray(const llvm::DICompositeType &array) {
  if (array.getRawDataLocation())
    return {DummyValues::Form::Descriptor};
  DummyValues values = describe(array.getBaseType());
  for (const llvm::DINode *node : array.getElements()) {
    const auto *range = llvm::dyn_cast<llvm::DISubrange>(node);
    values.count *= range ? getExtent(*range) : 0;
  }
  return values;
}

static DummyValues describe(const llvm::DIType *type) {
  DummyValues values;
  if (const auto *basic = llvm::dyn_cast_or_null<llvm::DIBasicType>(type)) {
    bool isComplex = basic->getEncoding() == llvm::dwarf::DW_ATE_complex_float;
    return {DummyValues::Form::Values, basic, isComplex ? 2 : 1};
  }
  if (const auto *derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type))
    if (derived->getTag() == llvm::dwarf::DW_TAG_pointer_type)
      return {DummyValues::Form::Descriptor};
  if (const auto *composite =
          llvm::dyn_cast_or_null<llvm::DICompositeType>(type))
    return composite->getTag() == llvm::dwarf::DW_TAG_array_type
               ? describeArray(*composite)
               : describeRecord(*composite);
  return values;
}

/// Whether a dimension of an array begins after each `length` values; true of
/// arrays of one dimension, and where that is not known.
static bool splitsRows(const llvm::DIType *type, int64_t length) {
  const auto *array = llvm::dyn_cast_or_null<llvm::DICompositeType>(type);
  if (!array || array->getTag() != llvm::dwarf::DW_TAG_array_type ||
      array->getElements().size() < 2)
    return true;
  int64_t values = describe(array->getBaseType()).count;
  for (const llvm::DINode *node : array->getElements()) {
    if (values == length)
      return true;
    const auto *range = llvm::dyn_cast<llvm::DISubrange>(node);
    int64_t extent = range ? getExtent(*range) : 0;
    if (extent == 0)
      return values == 0 || length % values == 0;
    values *= extent;
  }
  return values == length;
}

/// Whether values of a type string are those of a type of the program.
static bool isOfType(const llvm::DIBasicType &type, const FortranType &given) {
  uint64_t bits = 8 * uint64_t(getByteSize(given.element));
  bool isReal =
      given.element == ElementType::F64 || given.element == ElementType::F32;
  switch (type.getEncoding()) {
  case llvm::dwarf::DW_ATE_float:
    return isReal && type.getSizeInBits() == bits;
  case llvm::dwarf::DW_ATE_complex_float:
    return isReal && type.getSizeInBits() == 2 * bits;
  case llvm::dwarf::DW_ATE_boolean:
    return given.isLogical && type.getSizeInBits() == bits;
  case llvm::dwarf::DW_ATE_signed:
    return !isReal && !given.isLogical && type.getSizeInBits() == bits;
  default:
    return false;
  }
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

namespace {
class SignatureChecker {
public:
  SignatureChecker(const llvm::Function &kernel,
                   llvm::ArrayRef<FortranType> types,
                   llvm::ArrayRef<int64_t> rowLengths, LoopDescription &loop,
                   clang::DiagnosticsEngine &diags)
      : kernel(kernel), types(types), rowLengths(rowLengths), loop(loop),
        diags(diags), dummies(readDummies(kernel)) {}

  bool check() {
    if (!checkForm() || !checkCount())
      return false;
    bool ok = true;
    for (unsigned i = 0; i < loop.args.size(); ++i) {
      loop.args[i].parameter = dummies[i].getName();
      ok &= checkPassing(i) && checkValues(i) && checkRows(i);
    }
    return ok;
  }

private:
  void noteKernel() {
    if (const llvm::DISubprogram *subprogram = kernel.getSubprogram())
      noteAt(*subprogram, subprogram->getLine(), "kernel '%0' is here",
             loop.kernelName);
  }

  template <unsigned N>
  void noteAt(const llvm::DISubprogram &scope, unsigned line,
              const char (&format)[N], const std::string &name) {
    const auto *location = llvm::DILocation::get(
        kernel.getContext(), line, 0, const_cast<llvm::DISubprogram *>(&scope));
    clang::SourceLocation place = getPlace(location, diags.getSourceManager());
    if (place.isValid())
      note(diags, place, format) << name;
  }

  void noteDummy(unsigned number) {
    const llvm::DILocalVariable *variable = dummies[number].variable;
    if (variable && kernel.getSubprogram())
      noteAt(*kernel.getSubprogram(), variable->getLine(),
             "dummy argument '%0' is here", variable->getName().str());
    else
      noteKernel();
  }

  bool checkForm() {
    const llvm::DISubprogram *subprogram = kernel.getSubprogram();
    bool hasResult = !kernel.getReturnType()->isVoidTy();
    if (subprogram) {
      auto types = subprogram->getType()->getTypeArray();
      hasResult |= types.size() > 0 && types[0];
    }
    if (!hasResult)
      return true;
    error(diags, loop.location, Problem::KernelParameter,
          "kernel '%0' is a function; kernels are subroutines")
        << loop.kernelName;
    noteKernel();
    return false;
  }

  bool checkCount() {
    if (kernel.arg_size() == loop.args.size())
      return true;
    // Lengths of text come as arguments of their own.
    if (llvm::any_of(kernel.args(), [](const llvm::Argument &argument) {
          return !argument.getType()->isPointerTy();
        }))
      return refuseValue();
    error(diags, loop.location, Problem::ArgumentCount,
          "kernel '%0' takes %1 argument%s1, but this loop has %2")
        << loop.kernelName << unsigned(kernel.arg_size())
        << unsigned(loop.args.size());
    noteKernel();
    return false;
  }

  bool refuseValue() {
    error(diags, loop.location, Problem::KernelParameter,
          "kernel '%0' has a dummy argument with the attribute value, or of "
          "type character; kernels get addresses of numbers")
        << loop.kernelName;
    noteKernel();
    return false;
  }

  /// The kernel gets an address, and nothing else.
  bool checkPassing(unsigned number) {
    if (!kernel.getArg(number)->getType()->isPointerTy())
      return refuseValue();
    if (describe(dummies[number].type).form != DummyValues::Form::Descriptor)
      return true;
    error(diags, loop.location, Problem::KernelParameter,
          "dummy argument %0 of kernel '%1' is assumed-shape, allocatable, a "
          "pointer or polymorphic, and would need a descriptor; declare it "
          "with its extent, or as 'x(*)'")
        << number + 1 << loop.kernelName;
    noteDummy(number);
    return false;
  }

  bool checkValues(unsigned number) {
    ArgDescription &arg = loop.args[number];
    DummyValues values = describe(dummies[number].type);
    if (values.form == DummyValues::Form::Unknown)
      return true;
    if (!values.element || !isOfType(*values.element, types[number])) {
      bool isMixed = !values.element;
      error(diags, loop.location, Problem::TypeString,
            "argument %0 of this loop has values of type '%1', but dummy "
            "argument %0 of kernel '%2' is of %select{type %4|a derived type "
            "with components of several types}3")
          << number + 1 << types[number].text << loop.kernelName << isMixed
          << (isMixed ? "" : values.element->getName());
      noteDummy(number);
      return false;
    }
    if (values.count == 0)
      return true;
    if (arg.dim == kDynamicDim) {
      arg.dim = values.count;
      arg.isDimPromised = true;
    }
    // Those of one slot after the other.
    auto given = int64_t(llvm::SaturatingMultiply(
        uint64_t(arg.dim), uint64_t(arg.isPacked ? arg.count : 1)));
    if (given == values.count)
      return true;
    error(diags, loop.location, Problem::Dim,
          "argument %0 of this loop has %select{dim %1|%1 values}4, but dummy "
          "argument %0 of kernel '%2' holds %3 value%s3")
        << number + 1 << int(std::min<int64_t>(given, INT_MAX))
        << loop.kernelName << int(std::min<int64_t>(values.count, INT_MAX))
        << arg.isPacked;
    noteDummy(number);
    return false;
  }

  /// Rows of several slots or of a tensor fill the first dimensions.
  bool checkRows(unsigned number) {
    int64_t length = rowLengths[number];
    if (length == 0 || splitsRows(dummies[number].type, length))
      return true;
    error(diags, loop.location, Problem::Dim,
          "argument %0 of this loop has rows of %1 value%s1, but the first "
          "dimension of dummy argument %0 of kernel '%2' has another extent")
        << number + 1 << int(length) << loop.kernelName;
    noteDummy(number);
    return false;
  }

  const llvm::Function &kernel;
  llvm::ArrayRef<FortranType> types;
  llvm::ArrayRef<int64_t> rowLengths;
  LoopDescription &loop;
  clang::DiagnosticsEngine &diags;
  std::vector<DummyArgument> dummies;
};
} // namespace

bool op2::frontend::checkSignature(const llvm::Function &kernel,
                                   llvm::ArrayRef<FortranType> types,
                                   llvm::ArrayRef<int64_t> rowLengths,
                                   LoopDescription &loop,
                                   clang::DiagnosticsEngine &diags) {
  return SignatureChecker(kernel, types, rowLengths, loop, diags).check();
}

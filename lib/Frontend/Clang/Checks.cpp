//===- Checks.cpp - Constraints on the arguments of a loop ------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checks.h"
#include "Annotations.h"
#include "ArgumentParser.h"
#include "ColumnKernel.h"
#include "CppTypes.h"
#include "Diagnostics.h"
#include "Extents.h"
#include "OP2/Dialect/Ranges.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using namespace op2::frontend;

bool op2::frontend::checkArgumentCount(const CallExpr *call,
                                       ASTContext &context) {
  const auto *kernelType = call->getDirectCallee()
                               ->getParamDecl(0)
                               ->getType()
                               ->getPointeeType()
                               ->getAs<FunctionProtoType>();
  unsigned expected = kernelType->getNumParams();
  unsigned given = call->getNumArgs() - kFirstOpArg;
  if (expected == given)
    return true;
  DiagnosticsEngine &diags = context.getDiagnostics();
  error(diags, call->getExprLoc(), Problem::ArgumentCount,
        "the kernel takes %0 parameter%s0, but this loop has %1 argument%s1")
      << expected << given << call->getArg(0)->getSourceRange();
  const auto *ref = dyn_cast<DeclRefExpr>(lookThrough(call->getArg(0)));
  if (ref && isa<FunctionDecl>(ref->getDecl()))
    note(diags, ref->getDecl()->getLocation(), "kernel %0 declared here")
        << ref->getDecl();
  return false;
}

namespace {
/// Checks the arguments of one loop one after another.
class ArgumentChecker {
public:
  ArgumentChecker(ParsedLoop &loop, ASTContext &context,
                  const WarningOptions &warnings)
      : loop(loop), context(context), diags(context.getDiagnostics()),
        warnings(warnings) {}

  bool check() {
    bool ok = true;
    for (unsigned i = 0; i < loop.args.size(); ++i) {
      ParsedArg &arg = loop.args[i];
      QualType parameter = loop.kernelType->getParamType(i);
      // One error an argument: the others would follow from it.
      bool fits = checkLayers(arg) && checkAccess(arg) && checkMap(arg) &&
                  checkDim(arg) && checkInfo(arg) &&
                  checkType(arg, parameter, i) && checkPointee(arg);
      if (fits && arg.merge)
        checkIsChanged(arg, parameter, i);
      if (fits && isConstButWritten(arg, parameter)) {
        warnOfConst(arg, parameter, i);
        // Nothing is written, so there are no conflicts to avoid.
        if (arg.description.access == Access::ReadWrite)
          arg.description.access = Access::Read;
      }
      ok &= fits;
    }
    return ok;
  }

private:
  /// Levels, and what kernels of columns know to do.
  bool checkLayers(const ParsedArg &arg) {
    bool isOverLayers = loop.isOverLayers();
    if (arg.level && !isOverLayers) {
      error(diags, arg.call->getExprLoc(), Problem::Layers,
            "op_arg_dat_layers is for loops over op_layers; this one runs over "
            "a set")
          << arg.call->getSourceRange();
      return false;
    }
    if (isOverLayers && arg.isMatrix) {
      error(diags, arg.call->getExprLoc(), Problem::Layers,
            "loops over layers take no op_arg_mat; expected a dat with levels "
            "on op_mat_entries, through op_mat_places")
          << arg.call->getSourceRange();
      return false;
    }
    const ArgDescription &description = arg.description;
    if (isOverLayers && description.isOptional && description.isPacked) {
      error(diags, arg.call->getExprLoc(), Problem::Layers,
            "in a loop over layers the kernel cannot take the rows of an "
            "optional argument side by side; take them as 'T **'")
          << arg.call->getSourceRange();
      return false;
    }
    if (!arg.level)
      return true;
    if (description.firstLevel < 0 || description.levels < 1) {
      bool isCount = description.levels < 1;
      const Expr *wrong = isCount ? arg.levels : arg.level;
      error(diags, wrong->getExprLoc(), Problem::Layers,
            "%select{the first level of a layer|the number of levels}0 is %1; "
            "expected at least %select{0|1}0")
          << isCount
          << std::to_string(isCount ? description.levels
                                    : description.firstLevel)
          << wrong->getSourceRange();
      return false;
    }
    std::optional<LayerExcess> excess = findLayerExcess(description);
    if (!excess)
      return true;
    error(diags, arg.levels->getExprLoc(), Problem::Layers,
          "%select{a layer takes %1 values of this argument|a layer adds to %1 "
          "levels}0; expected at most %2")
        << excess->isLevels << std::to_string(excess->count)
        << std::to_string(excess->most) << arg.levels->getSourceRange();
    return false;
  }

  /// An info comes along with a global that is compared.
  bool checkInfo(const ParsedArg &arg) {
    if (!arg.follows)
      return true;
    int64_t number = arg.description.follows;
    bool exists =
        number >= 0 && number < static_cast<int64_t>(loop.args.size());
    const ParsedArg *followed = exists ? &loop.args[number] : nullptr;
    if (!followed ||
        followed->description.kind != ArgDescription::Kind::Global ||
        (followed->description.access != Access::Min &&
         followed->description.access != Access::Max)) {
      error(diags, arg.follows->getExprLoc(), Problem::Info,
            "op_arg_info follows argument %0, which %select{is no op_arg_gbl "
            "with OP_MIN or OP_MAX|does not exist}1; arguments are counted "
            "from 0")
          << static_cast<int>(number) << !exists
          << arg.follows->getSourceRange();
      return false;
    }
    int64_t dim = followed->description.dim;
    if (dim == 0 || arg.description.dim % dim == 0)
      return true;
    error(diags, arg.dim->getExprLoc(), Problem::Info,
          "the dim of op_arg_info must be a multiple of %0, the dim of the "
          "argument it follows")
        << static_cast<int>(dim) << arg.dim->getSourceRange();
    return false;
  }

  bool isNull(const Expr *pointer) const {
    Expr::EvalResult result;
    return pointer->EvaluateAsRValue(result, context) &&
           result.Val.isLValue() && result.Val.isNullPointer();
  }

  /// What op_arg_reduce needs.
  bool checkMerge(const ParsedArg &arg) {
    for (const Expr *pointer : {arg.merge, arg.identity})
      if (isNull(pointer)) {
        error(diags, pointer->getExprLoc(), Problem::Pointer,
              "op_arg_reduce needs %select{a function 'void (T *into, const T "
              "*from)' that combines two results|the identity of its "
              "function}0, not a null pointer")
            << (pointer == arg.identity) << pointer->getSourceRange();
        return false;
      }
    return true;
  }

  bool checkAccess(const ParsedArg &arg) {
    const ArgDescription &description = arg.description;
    if (arg.merge)
      return checkMerge(arg);
    if (!arg.access)
      return true;
    if (description.access == Access::Reduce &&
        description.kind != ArgDescription::Kind::Dat) {
      error(diags, arg.access->getExprLoc(), Problem::Access,
            "OP_REDUCE is the access of op_arg_reduce, which takes a function "
            "and its identity")
          << arg.access->getSourceRange();
      return false;
    }
    if (description.kind == ArgDescription::Kind::Dat &&
        description.access >= Access::Work) {
      error(diags, arg.access->getExprLoc(), Problem::Access,
            "%0 is not an access mode of a dat; expected OP_READ, OP_WRITE, "
            "OP_RW, OP_INC, OP_MIN or OP_MAX")
          << getAccessName(description.access) << arg.access->getSourceRange();
      return false;
    }
    if (description.type == ElementType::Bool &&
        (description.access == Access::Inc ||
         (description.kind != ArgDescription::Kind::Global &&
          description.access >= Access::Min &&
          description.access <= Access::Max))) {
      error(diags, arg.access->getExprLoc(), Problem::ValueType,
            "%0 needs a number, not 'bool'")
          << getAccessName(description.access) << arg.access->getSourceRange();
      return false;
    }
    return true;
  }

  /// A kernel that only looks at its result contributes nothing.
  void checkIsChanged(const ParsedArg &arg, QualType parameter,
                      unsigned number) {
    if (!context.getBaseElementType(parameter->getPointeeType())
             .isConstQualified())
      return;
    auto diagnostic =
        warn(diags, arg.call->getExprLoc(), warnings, Problem::Const,
             "kernel parameter %0 of type %1 cannot be written, but "
             "op_arg_reduce gives it a result to change");
    if (!diagnostic)
      return;
    *diagnostic << getParameterName(number) << parameter
                << arg.call->getSourceRange();
    diagnostic.reset(); // reported now
    noteParameter(number);
  }

  /// A parameter that cannot be written, where the loop declares that it is:
  /// OP2 takes it, and on some targets the old values are lost.
  bool isConstButWritten(const ParsedArg &arg, QualType parameter) const {
    const ArgDescription &description = arg.description;
    QualType pointee = parameter->getPointeeType();
    if (description.takesTable())
      pointee = pointee->getPointeeType();
    return description.kind == ArgDescription::Kind::Dat && arg.access &&
           description.access != Access::Read &&
           context.getBaseElementType(pointee).isConstQualified();
  }

  void warnOfConst(const ParsedArg &arg, QualType parameter, unsigned number) {
    auto diagnostic =
        warn(diags, arg.access->getExprLoc(), warnings, Problem::Const,
             "kernel parameter %0 of type %1 cannot be written, but this loop "
             "declares %2; did you mean OP_READ?");
    if (!diagnostic)
      return;
    *diagnostic << getParameterName(number) << parameter
                << getAccessName(arg.description.access)
                << arg.access->getSourceRange()
                << FixItHint::CreateReplacement(
                       context.getSourceManager().getExpansionRange(
                           arg.access->getSourceRange()),
                       "OP_READ");
    diagnostic.reset(); // reported now
    noteParameter(number);
  }

  bool checkDim(const ParsedArg &arg) {
    if (arg.description.dim != 0)
      return true;
    error(diags, arg.dim->getExprLoc(), Problem::Dim,
          "the dim must be at least 1")
        << arg.dim->getSourceRange();
    return false;
  }

  bool checkMap(const ParsedArg &arg) {
    const ArgDescription &description = arg.description;
    if (!arg.index)
      return true;
    if (description.isIndirect() && !arg.hasMap) {
      error(diags, arg.map->getExprLoc(), Problem::MapIndex,
            "a map index needs a map, not OP_ID; a direct argument has index "
            "-1")
          << arg.map->getSourceRange() << arg.index->getSourceRange()
          << FixItHint::CreateReplacement(arg.index->getSourceRange(), "-1");
      return false;
    }
    if (!description.isIndirect() && arg.hasMap) {
      error(diags, arg.index->getExprLoc(), Problem::MapIndex,
            "index -1 with a map; write a map index from 0 up, or OP_ID as "
            "the map of a direct argument")
          << arg.index->getSourceRange() << arg.map->getSourceRange()
          << FixItHint::CreateReplacement(
                 context.getSourceManager().getExpansionRange(
                     arg.map->getSourceRange()),
                 "OP_ID");
      return false;
    }
    if (description.isVector &&
        !mlir::op2::kVectorSlots.contains(description.count)) {
      error(diags, arg.index->getExprLoc(), Problem::MapIndex,
            "%select{index %1 passes %2 map slots|the tensor has %2 parts}0 "
            "together; expected %3")
          << arg.isMatrix << std::to_string(-description.count)
          << std::to_string(description.count)
          << mlir::op2::kVectorSlots.describe() << arg.index->getSourceRange();
      return false;
    }
    if (description.isVector &&
        description.kind == ArgDescription::Kind::Index) {
      error(diags, arg.index->getExprLoc(), Problem::MapIndex,
            "op_arg_idx takes index -1 or a map index from 0 up")
          << arg.index->getSourceRange();
      return false;
    }
    return true;
  }

  /// Does one struct hold the values of an element?
  bool isStructOfDim(QualType type, const ArgDescription &arg) const {
    if (!type->isRecordType() || type->isIncompleteType())
      return false;
    return arg.dim == kDynamicDim ||
           context.getTypeSizeInChars(type).getQuantity() ==
               arg.dim * getByteSize(arg.type);
  }

  static bool combinesValues(Access access) {
    return access == Access::Inc || access == Access::Min ||
           access == Access::Max;
  }

  /// Fields of other types than declared: nothing may be concluded from the
  /// declared one.
  bool checkFields(ParsedArg &arg, QualType parameter, QualType pointee,
                   unsigned number) {
    ArgDescription &description = arg.description;
    description.hasOtherTypes = !holdsOnly(pointee, description.type, context);
    if (!description.hasOtherTypes || !combinesValues(description.access))
      return true;
    error(diags, arg.type->getExprLoc(), Problem::ValueType,
          "%0 combines values of type '%1', but kernel parameter %2 of type %3 "
          "has fields of other types")
        << getAccessName(description.access) << arg.typeString
        << getParameterName(number) << parameter << arg.type->getSourceRange();
    noteParameter(number);
    return false;
  }

  /// Loops get the values of a matrix as a tensor only.
  bool checkTensor(const ParsedArg &arg, QualType parameter, unsigned number) {
    if (arg.description.access == Access::Min ||
        arg.description.access == Access::Max) {
      error(diags, arg.access->getExprLoc(), Problem::Access,
            "%0 is not an access mode of a matrix; expected OP_READ, OP_WRITE, "
            "OP_RW or OP_INC")
          << getAccessName(arg.description.access)
          << arg.access->getSourceRange();
      return false;
    }
    if (arg.description.count < 2) {
      error(diags, arg.index->getExprLoc(), Problem::MapIndex,
            "these indices mean one entry of an element; expected -2 or less "
            "for rows or columns, or an argument on op_mat_values through "
            "op_mat_places")
          << arg.index->getSourceRange() << arg.colIndex->getSourceRange();
      return false;
    }
    if (!parameter->getPointeeType()->isPointerType())
      return true;
    error(diags, arg.call->getExprLoc(), Problem::KernelParameter,
          "op_arg_mat gives the kernel a tensor, 'T *' or 'T (*)[n]', but "
          "parameter %0 has type %1")
        << getParameterName(number) << parameter << arg.call->getSourceRange();
    noteParameter(number);
    return false;
  }

  bool checkType(ParsedArg &arg, QualType parameter, unsigned number) {
    if (arg.isMatrix && !checkTensor(arg, parameter, number))
      return false;
    QualType pointee = parameter->getPointeeType();
    if (pointee->isPointerType() && !arg.description.isVector) {
      reportDepth(arg, parameter, number);
      return false;
    }
    if (arg.description.takesTable())
      pointee = pointee->getPointeeType();
    if (arg.description.isPacked && !checkPacked(arg, parameter, number))
      return false;
    if (!checkPlaces(arg, number))
      return false;
    if (arg.description.isUserType)
      return checkUserType(arg, number);
    if (!arg.description.isPacked &&
        !checkRowLength(arg, pointee, parameter, number))
      return false;
    std::optional<ElementType> element =
        findElementType(context.getBaseElementType(pointee), context);
    if (element == arg.description.type)
      return true;
    if (isStructOfDim(pointee, arg.description))
      return checkFields(arg, parameter, pointee, number);
    if (arg.description.kind == ArgDescription::Kind::Index) {
      error(diags, arg.call->getExprLoc(), Problem::KernelParameter,
            "op_arg_idx gives the kernel a 'const int *', but parameter %0 "
            "has type %1")
          << getParameterName(number) << parameter
          << arg.call->getSourceRange();
      noteParameter(number);
      return false;
    }
    element = findElementType(pointee, context);
    reportType(arg, parameter, element ? getTypeString(*element) : StringRef(),
               number);
    return false;
  }

  /// Values that the kernel of a local space takes by a reference, one or a row
  /// for each place; nothing if it is no such kernel, or takes a pointer.
  std::optional<int64_t> countPlaces(unsigned number) const {
    const auto *run = dyn_cast_or_null<CXXMethodDecl>(loop.kernel);
    const auto *space =
        run ? dyn_cast<ClassTemplateSpecializationDecl>(run->getParent())
            : nullptr;
    if (!space || space->getQualifiedNameAsString() != "op2::SpaceKernel")
      return std::nullopt;
    // The kernel, the types of its parameters, their numbers, the extents.
    ArrayRef<TemplateArgument> of = space->getTemplateArgs().asArray();
    const auto *types = cast<ClassTemplateSpecializationDecl>(
        of[1].getAsType()->getAsCXXRecordDecl());
    ArrayRef<TemplateArgument> all =
        types->getTemplateArgs()[0].getPackAsArray();
    const auto *reference =
        number < all.size()
            ? all[number].getAsType()->getAs<LValueReferenceType>()
            : nullptr;
    if (!reference)
      return std::nullopt;
    const ConstantArrayType *row =
        context.getAsConstantArrayType(reference->getPointeeType());
    int64_t values =
        row ? int64_t(context.getConstantArrayElementCount(row)) : 1;
    for (const TemplateArgument &extent : of[3].getPackAsArray())
      values *= extent.getAsIntegral().getExtValue();
    return values;
  }

  bool checkPlaces(const ParsedArg &arg, unsigned number) {
    std::optional<int64_t> wanted = countPlaces(number);
    const ArgDescription &description = arg.description;
    if (!wanted || !arg.dim || description.dim == kDynamicDim)
      return true;
    int64_t given =
        description.dim * (description.isPacked ? description.count : 1);
    if (*wanted <= given)
      return true;
    error(diags, arg.dim->getExprLoc(), Problem::Dim,
          "argument %0: the kernel takes a value, or a row, for each place of "
          "the "
          "local space, %1 values in all, but the argument has %2; take what "
          "does "
          "not depend on the place as 'T *'")
        << static_cast<int>(number) << std::to_string(*wanted)
        << std::to_string(given) << arg.dim->getSourceRange();
    return false;
  }

  /// A parameter T (*)[n] takes a row as some arrays of n.
  bool checkRowLength(const ParsedArg &arg, QualType pointee,
                      QualType parameter, unsigned number) {
    const ConstantArrayType *row = context.getAsConstantArrayType(pointee);
    int64_t dim = arg.description.dim;
    if (!row || !arg.dim || dim == kDynamicDim)
      return true;
    auto values = int64_t(context.getConstantArrayElementCount(row));
    if (values > 0 && dim % values == 0)
      return true;
    reportRowLength(arg, parameter.getCanonicalType(), values, dim, number);
    return false;
  }

  void reportRowLength(const ParsedArg &arg, QualType parameter, int64_t values,
                       int64_t length, unsigned number) {
    error(diags, arg.dim->getExprLoc(), Problem::Dim,
          "kernel parameter %0 of type %1 takes rows of %2 values, but "
          "%select{the dim is|the tensor has rows of|the levels of a layer "
          "have}4 %3")
        << getParameterName(number) << parameter << static_cast<int>(values)
        << static_cast<int>(length) << (arg.level ? 2 : int(arg.isMatrix))
        << arg.dim->getSourceRange();
    noteParameter(number);
  }

  /// The rows of several slots side by side, in memory of the kernel's own.
  bool checkPacked(const ParsedArg &arg, QualType parameter, unsigned number) {
    const ArgDescription &description = arg.description;
    // That of a template would be printed in two parts.
    parameter = parameter.getCanonicalType();
    if (description.dim == kDynamicDim) {
      error(diags, arg.dim->getExprLoc(), Problem::Dim,
            "kernel parameter %0 of type %1 takes the rows of %2 map slots "
            "side by side, so their dim must be a constant; take them as "
            "'T **'")
          << getParameterName(number) << parameter
          << static_cast<int>(description.count) << arg.dim->getSourceRange();
      noteParameter(number);
      return false;
    }
    const auto *row =
        context.getAsConstantArrayType(parameter->getPointeeType());
    int64_t length = arg.isMatrix ? arg.rowLength : description.dim;
    int64_t values =
        row ? int64_t(context.getConstantArrayElementCount(row)) : length;
    if (!description.isUserType && values != length) {
      reportRowLength(arg, parameter, values, length, number);
      return false;
    }
    int64_t bytes = description.count * description.getBytes();
    if (bytes <= mlir::op2::kMaxPackedBytes)
      return true;
    error(diags, arg.index->getExprLoc(), Problem::KernelParameter,
          "the rows of %0 map slots have %1 bytes; a kernel takes at most %2 "
          "side by side; %select{take them as 'T **'|assemble some slots at a "
          "time}3")
        << static_cast<int>(description.count) << std::to_string(bytes)
        << std::to_string(mlir::op2::kMaxPackedBytes) << arg.isMatrix
        << arg.index->getSourceRange();
    noteParameter(number);
    return false;
  }

  bool checkUserType(const ParsedArg &arg, unsigned number) {
    if (mayHaveTypeString(arg.userType, arg.typeString, context))
      return true;
    error(diags, arg.type->getExprLoc(), Problem::TypeString,
          "type_error for %0 does not take type string '%1'")
        << arg.userType << arg.typeString << arg.type->getSourceRange();
    noteParameter(number);
    return false;
  }

  /// What a global's pointer leads to has the type that the string names. The
  /// functions op_arg_..._char take any bytes.
  bool checkPointee(const ParsedArg &arg) {
    const FunctionDecl *function = arg.call->getDirectCallee();
    if (!arg.description.isGlobal() || !function->getPrimaryTemplate())
      return true;
    QualType type = function->getTemplateSpecializationArgs()
                        ->get(0)
                        .getAsType()
                        .getUnqualifiedType();
    std::optional<ElementType> element = findElementType(type, context);
    bool isNamed =
        element ? !arg.description.isUserType && element == arg.description.type
                : findUserType(type, context) &&
                      mayHaveTypeString(type, arg.typeString, context);
    if (isNamed) {
      if (!arg.description.isOptional)
        checkExtent(arg.data, arg.dim, context, warnings);
      return true;
    }
    error(diags, arg.type->getExprLoc(), Problem::TypeString,
          "type string '%0' does not match the pointer, which is to %1")
        << arg.typeString << type << arg.type->getSourceRange()
        << arg.data->getSourceRange();
    return false;
  }

  void reportType(const ParsedArg &arg, QualType parameter, StringRef expected,
                  unsigned number) {
    {
      DiagnosticBuilder builder =
          error(diags, arg.type->getExprLoc(), Problem::TypeString,
                "type string '%0' does not match kernel parameter %1 of type "
                "%2");
      builder << arg.typeString << getParameterName(number) << parameter
              << arg.type->getSourceRange();
      bool isLiteral = isa<StringLiteral>(lookThrough(arg.type)) &&
                       !arg.type->getBeginLoc().isMacroID();
      if (isLiteral && !expected.empty())
        builder << FixItHint::CreateReplacement(arg.type->getSourceRange(),
                                                "\"" + expected.str() + "\"");
    }
    noteParameter(number);
    if (isPlainUnsignedChar(parameter))
      note(diags, arg.type->getExprLoc(),
           "char is unsigned here, and \"char\" is a type with a sign; "
           "-fsigned-char makes it one");
  }

  /// A pointer, to one or to rows of them.
  static bool isPlainUnsignedChar(QualType parameter) {
    const Type *type = parameter->getPointeeOrArrayElementType();
    while (type->isPointerType() || type->isArrayType())
      type = type->getPointeeOrArrayElementType();
    return type->isSpecificBuiltinType(BuiltinType::Char_U);
  }

  void reportDepth(const ParsedArg &arg, QualType parameter, unsigned number) {
    error(diags, arg.call->getExprLoc(), Problem::KernelParameter,
          "kernel parameter %0 of type %1 takes several map slots together, "
          "but this argument passes one; give it an index of -2 or less")
        << getParameterName(number) << parameter << arg.call->getSourceRange();
    noteParameter(number);
  }

  const ParmVarDecl *getParameter(unsigned number) const {
    const FunctionDecl *kernel = loop.kernel;
    return kernel && number < kernel->getNumParams()
               ? kernel->getParamDecl(number)
               : nullptr;
  }
  std::string getParameterName(unsigned number) const {
    const ParmVarDecl *parameter = getParameter(number);
    return parameter && parameter->getIdentifier()
               ? "'" + parameter->getNameAsString() + "'"
               : "number " + std::to_string(number);
  }
  void noteParameter(unsigned number) {
    if (const ParmVarDecl *parameter = getParameter(number))
      note(diags, parameter->getLocation(), "kernel parameter declared here");
  }

  ParsedLoop &loop;
  ASTContext &context;
  DiagnosticsEngine &diags;
  const WarningOptions &warnings;
};
} // namespace

bool op2::frontend::checkArguments(ParsedLoop &loop, ASTContext &context,
                                   const WarningOptions &warnings) {
  return ArgumentChecker(loop, context, warnings).check();
}

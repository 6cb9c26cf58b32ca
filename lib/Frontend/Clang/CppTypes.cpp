//===- CppTypes.cpp - What C++ types are to OP2 -----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CppTypes.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace op2::frontend;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

std::optional<ElementType>
op2::frontend::findElementType(QualType type, const ASTContext &context) {
  const auto *builtin = type.getCanonicalType()->getAs<BuiltinType>();
  if (!builtin)
    return std::nullopt;
  auto integer = [&](bool isSigned) -> std::optional<ElementType> {
    switch (context.getTypeSize(type)) {
    case 8:
      return isSigned ? ElementType::I8 : ElementType::U8;
    case 16:
      return isSigned ? ElementType::I16 : ElementType::U16;
    case 32:
      return isSigned ? ElementType::I32 : ElementType::U32;
    case 64:
      return isSigned ? ElementType::I64 : ElementType::U64;
    }
    return std::nullopt;
  };
  switch (builtin->getKind()) {
  case BuiltinType::Double:
    return ElementType::F64;
  case BuiltinType::Float:
    return ElementType::F32;
  case BuiltinType::Bool:
    return ElementType::Bool;
  case BuiltinType::Char_S:
  case BuiltinType::SChar:
  case BuiltinType::Short:
  case BuiltinType::Int:
  case BuiltinType::Long:
  case BuiltinType::LongLong:
    return integer(/*isSigned=*/true);
  case BuiltinType::Char_U:
  case BuiltinType::UChar:
  case BuiltinType::UShort:
  case BuiltinType::UInt:
  case BuiltinType::ULong:
  case BuiltinType::ULongLong:
    return integer(/*isSigned=*/false);
  default:
    return std::nullopt;
  }
}

/// What `type` has several of, if it is no struct; else itself.
static QualType getPartType(QualType type, const ASTContext &context) {
  type = context.getBaseElementType(type);
  if (const auto *complex = type->getAs<ComplexType>())
    return complex->getElementType();
  if (const auto *vector = type->getAs<VectorType>())
    return vector->getElementType();
  return type;
}

bool op2::frontend::holdsOnly(QualType type, ElementType element,
                              const ASTContext &context) {
  type = getPartType(type, context);
  const auto *record = type->getAsCXXRecordDecl();
  if (!record)
    return findElementType(type, context) == element;
  if (record->isDynamicClass() || record->getNumVBases() != 0)
    return false;
  return llvm::all_of(record->bases(),
                      [&](const CXXBaseSpecifier &base) {
                        return holdsOnly(base.getType(), element, context);
                      }) &&
         llvm::all_of(record->fields(), [&](const FieldDecl *field) {
           return !field->isBitField() &&
                  holdsOnly(field->getType(), element, context);
         });
}

//===----------------------------------------------------------------------===//
// Types of the application
//===----------------------------------------------------------------------===//

/// The first number in an object of `type`.
static std::optional<ElementType> findFirst(QualType type,
                                            const ASTContext &context) {
  type = getPartType(type, context);
  const auto *record = type->getAsCXXRecordDecl();
  if (!record)
    return findElementType(type, context);
  for (const CXXBaseSpecifier &base : record->bases())
    if (std::optional<ElementType> first = findFirst(base.getType(), context))
      return first;
  for (const FieldDecl *field : record->fields())
    if (std::optional<ElementType> first = findFirst(field->getType(), context))
      return first;
  return std::nullopt;
}

/// The bytes of an object of `type` that hold numbers; more where members of
/// unions share them.
static int64_t countBytes(QualType type, const ASTContext &context) {
  QualType part = getPartType(type, context);
  const auto *record = part->getAsCXXRecordDecl();
  if (!record)
    return context.getTypeSizeInChars(type).getQuantity();
  int64_t bytes = 0;
  for (const CXXBaseSpecifier &base : record->bases())
    bytes += countBytes(base.getType(), context);
  for (const FieldDecl *field : record->fields())
    bytes += countBytes(field->getType(), context);
  if (context.getTypeSizeInChars(part).isZero())
    return bytes;
  return bytes *
         (context.getTypeSizeInChars(type) / context.getTypeSizeInChars(part));
}

/// The greatest number of bytes, up to 8, that begin and end with members
/// wherever they begin: who compares what has changed in so many finds what an
/// element has left alone.
static int64_t getUnit(QualType type, const ASTContext &context) {
  constexpr int64_t kMost = 8;
  type = getPartType(type, context);
  int64_t unit = std::min(context.getTypeAlignInChars(type).getQuantity(),
                          context.getTypeSizeInChars(type).getQuantity());
  unit = std::clamp<int64_t>(unit, 1, kMost);
  const auto *record = type->getAsCXXRecordDecl();
  if (!record)
    return unit;
  for (const CXXBaseSpecifier &base : record->bases())
    unit = std::min(unit, getUnit(base.getType(), context));
  for (const FieldDecl *field : record->fields())
    unit = std::min(
        unit, field->isBitField() ? 1 : getUnit(field->getType(), context));
  return unit;
}

/// The application's functions `int type_error(const T *, const char *)`.
static SmallVector<const FunctionDecl *>
findTypeErrors(QualType type, const ASTContext &context) {
  SmallVector<const FunctionDecl *> found;
  auto look = [&](const DeclContext *scope) {
    for (const NamedDecl *decl :
         scope->lookup(&context.Idents.get("type_error"))) {
      const auto *function = dyn_cast<FunctionDecl>(decl);
      if (!function || function->getNumParams() != 2)
        continue;
      QualType pointee = function->getParamDecl(0)->getType()->getPointeeType();
      if (!pointee.isNull() && context.hasSameUnqualifiedType(pointee, type))
        found.push_back(function);
    }
  };
  look(context.getTranslationUnitDecl());
  // Where calls look for functions of the type's.
  if (const auto *tag = type->getAsTagDecl())
    for (const DeclContext *scope = tag->getDeclContext();
         scope && scope->isNamespace(); scope = scope->getParent())
      look(scope);
  return found;
}

/// Whether the application has an operator += for `type` or for what it is made
/// of. That of std::complex adds members one by one.
static bool hasOwnSum(QualType type, const ASTContext &context) {
  const auto *tag = getPartType(type, context)->getAsTagDecl();
  const auto *record = dyn_cast_or_null<CXXRecordDecl>(tag);
  if (record &&
      (llvm::any_of(record->fields(),
                    [&](const FieldDecl *field) {
                      return hasOwnSum(field->getType(), context);
                    }) ||
       llvm::any_of(record->bases(), [&](const CXXBaseSpecifier &base) {
         return hasOwnSum(base.getType(), context);
       })))
    return true;
  if (!tag || tag->isInStdNamespace())
    return false;
  DeclarationName name =
      context.DeclarationNames.getCXXOperatorName(OO_PlusEqual);
  auto isFor = [&](const NamedDecl *decl) {
    const FunctionDecl *function = decl->getAsFunction();
    if (!function || isa<CXXMethodDecl>(function) || isa<TemplateDecl>(decl))
      return true;
    return context.hasSameUnqualifiedType(
        function->getParamDecl(0)->getType().getNonReferenceType(), type);
  };
  for (const DeclContext *scope = tag; scope; scope = scope->getParent())
    if (!scope->isTransparentContext() &&
        llvm::any_of(scope->lookup(name), isFor))
      return true;
  // A friend may not be found there.
  return record && record->hasFriends();
}

/// Whether a value, or a part of it, is an address.
static bool hasPointers(QualType type, const ASTContext &context) {
  type = context.getBaseElementType(type);
  if (type->isAnyPointerType() || type->isReferenceType())
    return true;
  const auto *record = type->getAsRecordDecl();
  if (!record)
    return false;
  auto isAddress = [&](QualType part) { return hasPointers(part, context); };
  const auto *derived = dyn_cast<CXXRecordDecl>(record);
  return llvm::any_of(record->fields(),
                      [&](const FieldDecl *field) {
                        return isAddress(field->getType());
                      }) ||
         (derived &&
          llvm::any_of(derived->bases(), [&](const CXXBaseSpecifier &base) {
            return isAddress(base.getType());
          }));
}

std::optional<UserType> op2::frontend::findUserType(QualType type,
                                                    const ASTContext &context) {
  type = type.getUnqualifiedType();
  if (type->isIncompleteType() || type->isPointerType() ||
      !type.isTriviallyCopyableType(context) ||
      findTypeErrors(type, context).empty())
    return std::nullopt;
  int64_t bytes = context.getTypeSizeInChars(type).getQuantity();
  std::optional<ElementType> first = findFirst(type, context);
  if (first && holdsOnly(type, *first, context) &&
      countBytes(type, context) == bytes)
    return UserType{*first, bytes / getByteSize(*first), false,
                    hasOwnSum(type, context), false};
  int64_t unit = getUnit(type, context);
  ElementType element = unit == 8   ? ElementType::I64
                        : unit == 4 ? ElementType::I32
                        : unit == 2 ? ElementType::I16
                                    : ElementType::I8;
  return UserType{element, bytes / getByteSize(element), true,
                  hasOwnSum(type, context), hasPointers(type, context)};
}

namespace {
/// The strings in a function.
struct StringCollector : RecursiveASTVisitor<StringCollector> {
  bool VisitStringLiteral(StringLiteral *literal) {
    if (literal->isOrdinary())
      strings.push_back(literal->getString());
    return true;
  }
  SmallVector<StringRef> strings;
};
} // namespace

bool op2::frontend::mayHaveTypeString(QualType type, StringRef text,
                                      const ASTContext &context) {
  StringCollector collector;
  for (const FunctionDecl *function : findTypeErrors(type, context))
    if (const FunctionDecl *definition = function->getDefinition())
      collector.TraverseStmt(definition->getBody());
  text.consume_back(":soa");
  return collector.strings.empty() ||
         llvm::is_contained(collector.strings, text);
}

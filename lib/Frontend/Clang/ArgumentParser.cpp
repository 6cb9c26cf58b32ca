//===- ArgumentParser.cpp - Evaluating op_arg_... calls -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArgumentParser.h"
#include "Annotations.h"
#include "CppTypes.h"
#include "SameHandle.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace clang;
using namespace op2::frontend;

static Unsupported unsupported(const Expr *expr, const Twine &reason) {
  return {expr->getExprLoc(), reason.str()};
}

//===----------------------------------------------------------------------===//
// Constant expressions
//===----------------------------------------------------------------------===//

std::optional<int64_t> ArgumentParser::evaluateInteger(const Expr *expr) const {
  Expr::EvalResult result;
  if (!expr->EvaluateAsInt(result, context))
    return std::nullopt;
  return result.Val.getInt().getExtValue();
}

std::optional<std::string>
ArgumentParser::evaluateString(const Expr *expr) const {
  if (std::optional<std::string> text = expr->tryEvaluateString(context))
    return text;
  // `char const *const real_str = "double";` is as good as constexpr here.
  const auto *ref = dyn_cast<DeclRefExpr>(lookThrough(expr));
  const auto *variable = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  if (!variable || !variable->getType().isConstQualified())
    return std::nullopt;
  const Expr *init = variable->getAnyInitializer();
  return init && !init->isValueDependent() ? evaluateString(init)
                                           : std::nullopt;
}

bool ArgumentParser::isNullMap(const Expr *expr) const {
  // OP_ID is a cast, not a null-pointer constant of the language.
  Expr::EvalResult result;
  return expr->EvaluateAsRValue(result, context) && result.Val.isLValue() &&
         result.Val.isNullPointer();
}

const FunctionDecl *ArgumentParser::resolveKernel(const Expr *expr) const {
  Expr::EvalResult result;
  if (!expr->EvaluateAsRValue(result, context) || !result.Val.isLValue())
    return nullptr;
  const auto *value = result.Val.getLValueBase().dyn_cast<const ValueDecl *>();
  return dyn_cast_or_null<FunctionDecl>(value);
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

std::optional<Unsupported> ArgumentParser::evaluateIndex(ParsedArg &arg) {
  std::optional<int64_t> index = evaluateInteger(arg.index);
  if (!index)
    return unsupported(arg.index, "the map index is not a constant");
  arg.hasMap = !isNullMap(arg.map);
  ArgDescription &description = arg.description;
  description.slot = *index >= 0 ? *index : kDirect;
  if (*index < -1) {
    description.isVector = true;
    description.slot = 0;
    description.count = -*index;
  }
  return std::nullopt;
}

/// Of op_arg_dat_layers; wrong numbers are reported by the checks.
std::optional<Unsupported> ArgumentParser::evaluateLevels(ParsedArg &arg) {
  std::optional<int64_t> first = evaluateInteger(arg.level);
  std::optional<int64_t> count = evaluateInteger(arg.levels);
  if (!first || !count)
    return unsupported(first ? arg.levels : arg.level,
                       "the levels of op_arg_dat_layers are not constants");
  ArgDescription &description = arg.description;
  if (description.dim == kDynamicDim)
    return unsupported(arg.dim,
                       "the dim of op_arg_dat_layers is not a constant");
  description.setLevels(*first, *count);
  return std::nullopt;
}

/// Slots that an index of op_arg_mat stands for.
std::optional<Unsupported>
ArgumentParser::evaluateSlots(const Expr *expr, uint64_t &count) const {
  std::optional<int64_t> index = evaluateInteger(expr);
  if (!index)
    return unsupported(expr, "an index of op_arg_mat is not a constant");
  count = *index < 0 ? uint64_t(0) - uint64_t(*index) : 1;
  return std::nullopt;
}

/// What the kernel gets of a matrix: the rows of blocks, side by side.
std::optional<Unsupported>
ArgumentParser::evaluateTensor(ParsedArg &arg) const {
  uint64_t rows = 0, cols = 0;
  std::optional<int64_t> rowDim = evaluateInteger(arg.rowDim);
  std::optional<int64_t> colDim = evaluateInteger(arg.dim);
  if (!rowDim || !colDim)
    return unsupported(rowDim ? arg.dim : arg.rowDim,
                       "the size of a matrix's blocks is not a constant");
  if (std::optional<Unsupported> problem = evaluateSlots(arg.index, rows))
    return problem;
  if (std::optional<Unsupported> problem = evaluateSlots(arg.colIndex, cols))
    return problem;
  // Too many are reported as too many slots.
  constexpr uint64_t kMost = std::numeric_limits<int32_t>::max();
  auto product = [&](uint64_t a, int64_t b) {
    return std::min(
        llvm::SaturatingMultiply(a, uint64_t(std::max<int64_t>(b, 0))), kMost);
  };
  arg.hasMap = true;
  arg.rowLength = int64_t(product(cols, *colDim));
  ArgDescription &description = arg.description;
  description.isVector = true;
  description.slot = 0;
  description.count =
      int64_t(product(product(rows, *rowDim), int64_t(product(cols, 1))));
  return std::nullopt;
}

std::optional<Unsupported> ArgumentParser::evaluateAccess(ParsedArg &arg) {
  std::optional<int64_t> access = evaluateInteger(arg.access);
  if (!access)
    return unsupported(arg.access, "the access mode is not a constant");
  if (*access < 0 || *access > static_cast<int>(Access::Reduce))
    return unsupported(arg.access, "unknown access mode " + Twine(*access));
  arg.description.access = static_cast<Access>(*access);
  return std::nullopt;
}

std::optional<Unsupported> ArgumentParser::evaluateFollowed(ParsedArg &arg) {
  std::optional<int64_t> number = evaluateInteger(arg.follows);
  if (!number)
    return unsupported(arg.follows, "the number of the argument that "
                                    "op_arg_info follows is not a constant");
  arg.description.follows = *number;
  return std::nullopt;
}

std::optional<Unsupported> ArgumentParser::evaluate(ParsedArg &arg,
                                                    QualType parameter) {
  if (arg.index)
    if (std::optional<Unsupported> problem =
            arg.isMatrix ? evaluateTensor(arg) : evaluateIndex(arg))
      return problem;
  arg.description.isPacked =
      arg.description.isVector && !parameter->getPointeeType()->isPointerType();
  ArgDescription &description = arg.description;
  if (description.kind == ArgDescription::Kind::Index) {
    description.type = ElementType::I32;
    return std::nullopt;
  }

  if (arg.merge)
    description.access = Access::Reduce;
  else if (std::optional<Unsupported> problem =
               arg.follows ? evaluateFollowed(arg) : evaluateAccess(arg))
    return problem;

  std::optional<std::string> type = evaluateString(arg.type);
  if (!type)
    return unsupported(arg.type, "the type string is not a constant");
  arg.typeString = *type;
  std::optional<ElementType> element = parseTypeString(*type);
  description.isSoA = element &&
                      description.kind == ArgDescription::Kind::Dat &&
                      StringRef(*type).ends_with(":soa");

  std::optional<int64_t> dim = evaluateInteger(arg.dim);
  if (!dim && description.kind != ArgDescription::Kind::Dat)
    return unsupported(arg.dim, "the dim of a global is not a constant");
  description.dim = dim ? std::max<int64_t>(*dim, 0) : kDynamicDim;
  if (arg.level) {
    if (!element)
      return unsupported(arg.type,
                         "levels of values of type '" + arg.typeString + "'");
    if (std::optional<Unsupported> problem = evaluateLevels(arg))
      return problem;
  }
  if (!element)
    return evaluateUserType(arg, parameter);
  description.type = *element;
  return std::nullopt;
}

std::optional<Unsupported> ArgumentParser::evaluateUserType(ParsedArg &arg,
                                                            QualType type) {
  while (type->isPointerType())
    type = type->getPointeeType();
  arg.userType = context.getBaseElementType(type).getUnqualifiedType();
  std::optional<UserType> parts = findUserType(arg.userType, context);
  std::string name = "type '" + arg.typeString + "'";
  if (!parts)
    return unsupported(arg.type,
                       "unknown type string '" + arg.typeString + "'");
  ArgDescription &description = arg.description;
  if (description.kind == ArgDescription::Kind::Info)
    return unsupported(arg.type, "op_arg_info gives values of " + name);
  if (description.access == Access::Min || description.access == Access::Max)
    return unsupported(arg.access, "values of " + name + " are compared");
  if (description.access == Access::Inc && parts->hasOtherTypes)
    return unsupported(arg.access, "OP_INC adds values of " + name +
                                       ", which are not numbers of one type, "
                                       "without gaps");
  if (description.access == Access::Inc && parts->hasOwnSum)
    return unsupported(arg.access, "OP_INC adds values of " + name +
                                       ", which has a += of its own");
  if (description.dim == kDynamicDim)
    return unsupported(arg.dim,
                       "the dim of a dat of " + name + " is not a constant");
  description.isUserType = true;
  description.hasPointers = parts->hasPointers;
  description.type = parts->element;
  description.hasOtherTypes = parts->hasOtherTypes;
  arg.valuesPerComponent = parts->count;
  description.dim *= parts->count;
  return std::nullopt;
}

std::optional<Unsupported> ArgumentParser::parseArg(const Expr *expr,
                                                    unsigned number,
                                                    QualType parameter,
                                                    ParsedArg &arg) {
  const auto *call = dyn_cast<CallExpr>(lookThrough(expr));
  StringRef kind = call ? getOP2Annotation(call) : StringRef();
  if (!kind.contains("arg_"))
    return unsupported(expr, "argument " + Twine(number) +
                                 " is not a call of op_arg_dat, op_arg_gbl or "
                                 "op_arg_idx in place");
  arg.call = call;
  unsigned next = 0;
  auto takeNext = [&] { return call->getArg(next++); };
  arg.description.isOptional = kind.consume_front("opt_");
  if (arg.description.isOptional)
    arg.flag = takeNext();
  if (kind != "arg_idx")
    arg.data = takeNext();
  arg.isMatrix = kind == "arg_mat";
  bool hasLevels = kind == "arg_dat_layers";
  if (kind == "arg_dat" || kind == "arg_idx" || hasLevels) {
    arg.index = takeNext();
    arg.map = takeNext();
    if (hasLevels) {
      arg.level = takeNext();
      arg.levels = takeNext();
    }
  } else if (arg.isMatrix) {
    // The library knows the map that leads to the entries.
    arg.index = takeNext();
    takeNext();
    arg.colIndex = takeNext();
    takeNext();
    arg.rowDim = takeNext();
  }
  if (kind == "arg_idx") {
    arg.description.kind = ArgDescription::Kind::Index;
  } else {
    arg.dim = takeNext();
    arg.type = takeNext();
    bool isMerged = kind == "arg_reduce";
    (kind == "arg_info" ? arg.follows
     : isMerged         ? arg.merge
                        : arg.access) = takeNext();
    if (isMerged)
      arg.identity = takeNext();
    arg.description.kind = kind == "arg_dat" || hasLevels || arg.isMatrix
                               ? ArgDescription::Kind::Dat
                           : kind == "arg_info" ? ArgDescription::Kind::Info
                                                : ArgDescription::Kind::Global;
  }
  return evaluate(arg, parameter);
}

/// As compiled loops know it: that of levels is not known.
static int64_t getRowDim(const ParsedArg &arg) {
  return arg.level ? kDynamicDim : arg.description.dim;
}

/// Notes that an argument has what argument `number` before it has: in
/// `sameAs`, and in `provenAs` if that is sure.
static void relate(Sameness sameness, unsigned number, unsigned &sameAs,
                   unsigned &provenAs) {
  if (sameness != Sameness::None)
    sameAs = std::min(sameAs, number);
  if (sameness == Sameness::Proven)
    provenAs = std::min(provenAs, number);
}

void ArgumentParser::findSameHandles(ParsedLoop &loop) const {
  std::vector<const Expr *> evaluated(loop.call->arg_begin(),
                                      loop.call->arg_begin() + kFirstOpArg);
  for (const ParsedArg &arg : loop.args)
    llvm::append_range(evaluated, arg.call->arguments());
  SameHandle compare(context, evaluated);

  for (unsigned i = 0; i < loop.args.size(); ++i) {
    ParsedArg &arg = loop.args[i];
    arg.description.sameDataAs = arg.description.sameMapAs = i;
    arg.description.provenDataAs = arg.description.provenMapAs = i;
    for (unsigned j = 0; j < i; ++j) {
      const ParsedArg &other = loop.args[j];
      // The handle of an argument that is off need not be one.
      if (arg.description.isOptional || other.description.isOptional)
        continue;
      // Handles become values of one type each: equal dim and element type.
      if (arg.data && other.data &&
          arg.description.kind == other.description.kind &&
          arg.isMatrix == other.isMatrix &&
          arg.description.type == other.description.type &&
          getRowDim(arg) == getRowDim(other))
        relate(compare(arg.data, other.data), j, arg.description.sameDataAs,
               arg.description.provenDataAs);
      if (arg.map && other.map && arg.hasMap && other.hasMap)
        relate(compare(arg.map, other.map), j, arg.description.sameMapAs,
               arg.description.provenMapAs);
    }
    // Nothing is gained where globals are one.
    if (arg.description.isGlobal())
      arg.description.sameDataAs = arg.description.provenDataAs;
  }
}

std::optional<Unsupported> ArgumentParser::parseLoop(ParsedLoop &loop) {
  QualType kernelType =
      loop.call->getDirectCallee()->getParamDecl(0)->getType();
  loop.kernelType = kernelType->getPointeeType()->getAs<FunctionProtoType>();
  loop.kernel = resolveKernel(loop.getKernelExpr());
  std::optional<std::string> name = evaluateString(loop.call->getArg(1));
  loop.name = name          ? *name
              : loop.kernel ? loop.kernel->getNameAsString()
                            : std::string("(unnamed)");
  if (!loop.kernel)
    return unsupported(loop.getKernelExpr(),
                       "the kernel is not a function known at compile time");

  for (unsigned i = kFirstOpArg; i < loop.call->getNumArgs(); ++i) {
    ParsedArg &arg = loop.args.emplace_back();
    unsigned number = i - kFirstOpArg;
    if (std::optional<Unsupported> problem =
            parseArg(loop.call->getArg(i), number,
                     loop.kernelType->getParamType(number), arg))
      return problem;
  }
  // An info is combined as the argument it follows; checks report what is not.
  for (ParsedArg &arg : loop.args)
    if (arg.follows && arg.description.follows >= 0 &&
        arg.description.follows < static_cast<int64_t>(loop.args.size()))
      arg.description.access =
          loop.args[arg.description.follows].description.access;
  findSameHandles(loop);
  for (ParsedArg &arg : loop.args) {
    arg.description.dataKey = getFormKey(arg.data, context);
    arg.description.mapKey =
        arg.hasMap ? getFormKey(arg.isMatrix ? arg.call : arg.map, context) : 0;
  }
  return std::nullopt;
}

//===- LoopReader.cpp - Arguments of loops from their calls ---------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ColumnKernel.h"
#include "Diagnostics.h"
#include "FortranLoop.h"
#include "OP2/Dialect/Ranges.h"
#include "PassedArrays.h"
#include "PassedValues.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace op2::frontend;
using llvm::CallBase;
using llvm::Value;

Value *FortranArg::getData() const {
  return form.getData() ? getPassed(*maker, form.getData()) : nullptr;
}

Value *FortranArg::getMap() const {
  return form.hasMap && !form.isMatrix ? getPassed(*maker, form.getMap())
                                       : nullptr;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// The call that alone fills in an op_arg, which the loop's call alone reads.
static CallBase *findMaker(const Value &opArg, const CallBase &loopCall) {
  if (!llvm::isa<llvm::AllocaInst>(opArg))
    return nullptr;
  CallBase *maker = nullptr;
  for (const llvm::Use &use : opArg.uses()) {
    auto *call = llvm::dyn_cast<CallBase>(use.getUser());
    if (call == &loopCall || llvm::isa<llvm::LifetimeIntrinsic>(use.getUser()))
      continue;
    const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || !getMaker(*callee) || use.getOperandNo() != 0 || maker)
      return nullptr;
    maker = call;
  }
  return maker;
}

/// Flang's copies of a host loop, for arrays with a stride of one, share them.
static bool isInCopies(const Value &opArg, const CallBase &loopCall) {
  return llvm::any_of(opArg.users(), [&](const llvm::User *user) {
    const auto *call = llvm::dyn_cast<CallBase>(user);
    return call && call != &loopCall &&
           call->getCalledFunction() == loopCall.getCalledFunction();
  });
}

/// The argument behind whose call, or before it, there are branches, so that
/// argument `number` is made in another block than the loop's call.
static unsigned findBranched(const CallBase &loopCall, unsigned number) {
  const CallBase *maker = findMaker(*loopCall.getArgOperand(number), loopCall);
  for (unsigned i = number + 1; i < loopCall.arg_size(); ++i) {
    const CallBase *next = findMaker(*loopCall.getArgOperand(i), loopCall);
    if (!next || next->getParent() != maker->getParent())
      return i;
  }
  return number;
}

/// Not OP_ID, but an array of the program, which the library looks up.
static bool isArray(const FortranArg &arg) {
  if (!arg.form.getIndex() || arg.form.hasMap)
    return false;
  return getPassed(*arg.maker, arg.form.getIndex() + 1)->getName() !=
         "_QMop2_fortran_declarationsEop_id";
}

static std::string readIndex(FortranArg &arg) {
  if (isArray(arg))
    return "the map is an array of the program, not an op_map";
  std::optional<int64_t> index = findInteger(*arg.maker, arg.form.getIndex());
  if (!index)
    return "the map index is not a constant";
  // From 1 in Fortran. Numbers that are no slots are reported by the checks.
  ArgDescription &description = arg.description;
  description.type = ElementType::I32;
  description.slot = *index;
  if (arg.form.hasMap && *index > 0)
    description.slot = *index - 1;
  if (arg.form.hasMap && *index < -1 &&
      description.kind == ArgDescription::Kind::Dat) {
    description.isVector = description.isPacked = true;
    description.slot = 0;
    description.count = -*index;
  }
  return "";
}

/// Slots that an index of op_arg_mat stands for; what is none is for the
/// checks.
static uint64_t countSlots(int64_t index) {
  return index < 0 ? uint64_t(-index) : 1;
}

/// What the kernel gets of a matrix: the rows of blocks, side by side.
static std::string readTensor(FortranArg &arg) {
  auto find = [&](unsigned operand) {
    return findInteger(*arg.maker, operand);
  };
  std::optional<int64_t> rows = find(arg.form.getIndex());
  std::optional<int64_t> cols = find(arg.form.getColIndex());
  if (!rows || !cols)
    return "an index of op_arg_mat is not a constant";
  std::optional<int64_t> rowDim = find(arg.form.getRowDim());
  std::optional<int64_t> colDim = find(arg.form.getDim());
  if (!rowDim || !colDim)
    return "the size of a matrix's blocks is not a constant";
  // Too many are reported as too many slots.
  auto product = [](uint64_t a, int64_t b) {
    constexpr uint64_t kMost = std::numeric_limits<int32_t>::max();
    return std::min(
        llvm::SaturatingMultiply(a, uint64_t(std::max<int64_t>(b, 0))), kMost);
  };
  ArgDescription &description = arg.description;
  description.isVector = description.isPacked = true;
  description.slot = 0;
  description.count = int64_t(
      product(product(countSlots(*rows), *rowDim), int64_t(countSlots(*cols))));
  arg.rowLength = int64_t(product(countSlots(*cols), *colDim));
  return "";
}

/// After the values: `dim` becomes that of all levels together.
static std::string readLevels(FortranArg &arg) {
  std::optional<int64_t> first = findInteger(*arg.maker, arg.form.getLevel());
  std::optional<int64_t> count = findInteger(*arg.maker, arg.form.getLevels());
  ArgDescription &description = arg.description;
  if (!first || !count)
    return "the levels of op_arg_dat_layers are not constants";
  if (description.dim == kDynamicDim)
    return "the dim of op_arg_dat_layers is not a constant";
  description.setLevels(*first, *count);
  if (description.isPacked)
    arg.rowLength = description.dim;
  return "";
}

static std::string readValues(FortranArg &arg) {
  ArgDescription &description = arg.description;
  std::optional<std::string> text = findText(*arg.maker, arg.form.getType());
  if (!text)
    return "the type string is not a constant";
  std::optional<FortranType> type = parseFortranType(*text);
  if (!type)
    return "unknown type string '" + *text + "'";
  arg.type = *type;
  description.type = type->element;
  bool isDat = description.kind == ArgDescription::Kind::Dat;
  description.isSoA = isDat && type->isSoA;

  std::optional<int64_t> access = findInteger(*arg.maker, arg.form.getAccess());
  bool isInfo = description.kind == ArgDescription::Kind::Info;
  if (!access)
    return isInfo ? "the number of the argument that op_arg_info follows is "
                    "not a constant"
                  : "the access mode is not a constant";
  if (isInfo)
    description.follows = *access - 1;
  else if (*access < 1 || *access > int64_t(Access::Work) + 1)
    return "unknown access mode " + std::to_string(*access);
  else
    description.access = static_cast<Access>(*access - 1);
  description.dim =
      findInteger(*arg.maker, arg.form.getDim()).value_or(kDynamicDim);
  if (description.isPacked && description.dim == kDynamicDim)
    return "the dim of an argument with the rows of several slots is not a "
           "constant";
  if (description.isPacked && !arg.form.isMatrix)
    arg.rowLength = description.dim;
  // Below that the program's own numbers mean nothing.
  if (description.dim < 0 && findInteger(*arg.maker, arg.form.getDim()))
    description.dim = 0;
  return "";
}

static std::string readArgument(FortranArg &arg) {
  arg.description.kind = arg.form.kind;
  arg.description.isOptional = arg.form.isOptional;
  std::string problem = arg.form.isMatrix     ? readTensor(arg)
                        : arg.form.getIndex() ? readIndex(arg)
                                              : "";
  if (problem.empty() && arg.form.getType())
    problem = readValues(arg);
  if (problem.empty() && arg.form.hasLevels)
    problem = readLevels(arg);
  return problem;
}

std::string op2::frontend::readArguments(FortranLoop &loop) {
  auto name = [](unsigned operand) {
    return "argument " + std::to_string(operand + 1 - FortranLoop::kFirst);
  };
  const CallBase &call = *loop.call;
  for (unsigned i = FortranLoop::kFirst; i < call.arg_size(); ++i)
    if (CallBase *maker = findMaker(*call.getArgOperand(i), call))
      requireContiguous(*maker,
                        "loop " + loop.description->name + ", " + name(i));
  for (unsigned i = FortranLoop::kFirst; i < call.arg_size(); ++i) {
    FortranArg arg;
    arg.maker = findMaker(*call.getArgOperand(i), call);
    if (!arg.maker && isInCopies(*call.getArgOperand(i), call))
      return "it stands in copies of a loop, which "
             "-fversion-loops-for-stride makes";
    if (!arg.maker)
      return name(i) + " is not a call of op_arg_dat, op_arg_gbl, op_arg_idx "
                       "or op_arg_info in place, with an op_dat and an op_map";
    if (arg.maker->getParent() != call.getParent() ||
        !arg.maker->comesBefore(&call))
      return name(findBranched(call, i)) +
             " takes branches or loops to evaluate; expected variables";
    arg.form = *getMaker(*arg.maker->getCalledFunction());
    if (std::string problem = readArgument(arg); !problem.empty())
      return name(i) + ": " + problem;
    arg.description.provenDataAs = arg.description.provenMapAs =
        unsigned(loop.args.size());
    arg.description.takeProven();
    loop.args.push_back(std::move(arg));
  }
  // An info is combined as the argument it follows; checks report what is not.
  for (FortranArg &arg : loop.args)
    if (arg.description.kind == ArgDescription::Kind::Info &&
        arg.description.follows >= 0 &&
        arg.description.follows < int64_t(loop.args.size()))
      arg.description.access =
          loop.args[arg.description.follows].description.access;
  return "";
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

namespace {
class ArgumentChecker {
public:
  ArgumentChecker(const FortranLoop &loop, clang::DiagnosticsEngine &diags)
      : loop(loop), diags(diags) {}

  bool check() {
    bool ok = true;
    for (unsigned i = 0; i < loop.args.size(); ++i)
      ok &= checkLayers(i) && checkIndex(i) && checkActual(i) &&
            checkAccess(i) && checkDim(i) && checkInfo(i) && checkPacked(i);
    return ok;
  }

private:
  const ArgDescription &get(unsigned number) const {
    return loop.args[number].description;
  }
  clang::SourceLocation getLocation() const {
    return loop.description->location;
  }

  /// Levels, and what kernels of columns know to do.
  bool checkLayers(unsigned number) {
    const ArgDescription &arg = get(number);
    const FortranMaker &form = loop.args[number].form;
    bool isOverLayers = loop.over == ParLoop::OverLayers;
    if (form.hasLevels && !isOverLayers) {
      error(diags, getLocation(), Problem::Layers,
            "argument %0: op_arg_dat_layers is for loops over op_layers; this "
            "one runs over a set")
          << number + 1;
      return false;
    }
    if (isOverLayers && (form.isMatrix || (arg.isOptional && arg.isPacked))) {
      error(diags, getLocation(), Problem::Layers,
            "argument %0: loops over layers take no %select{rows of several "
            "slots that are optional|op_arg_mat; expected a dat with levels on "
            "op_mat_entries, through op_mat_places}1")
          << number + 1 << form.isMatrix;
      return false;
    }
    if (!form.hasLevels)
      return true;
    if (arg.firstLevel < 0 || arg.levels < 1) {
      bool isCount = arg.levels < 1;
      error(diags, getLocation(), Problem::Layers,
            "argument %0: the %select{first level of a layer|number of "
            "levels}1 is %2; expected at least %select{0|1}1")
          << number + 1 << isCount
          << std::to_string(isCount ? arg.levels : arg.firstLevel);
      return false;
    }
    std::optional<LayerExcess> excess = findLayerExcess(arg);
    if (!excess)
      return true;
    error(diags, getLocation(), Problem::Layers,
          "argument %0: a layer %select{takes %2 values|adds to %2 levels}1; "
          "expected at most %3")
        << number + 1 << excess->isLevels << std::to_string(excess->count)
        << std::to_string(excess->most);
    return false;
  }

  bool checkIndex(unsigned number) {
    const FortranArg &arg = loop.args[number];
    if (arg.form.isMatrix)
      return checkTensor(number);
    if (!arg.form.getIndex())
      return true;
    int64_t index = *findInteger(*arg.maker, arg.form.getIndex());
    if (!arg.form.hasMap && index != -1) {
      error(diags, getLocation(), Problem::MapIndex,
            "argument %0: map index %1 needs a map, not OP_ID; a direct "
            "argument has index -1")
          << number + 1 << int(index);
      return false;
    }
    bool takesSeveral = get(number).kind == ArgDescription::Kind::Dat;
    if (!arg.form.hasMap || index > 0 || (index < -1 && takesSeveral))
      return true;
    error(diags, getLocation(), Problem::MapIndex,
          "argument %0: map index %1; Fortran's begin at 1%select{|, and -n "
          "means the rows of the first n slots, 2 or more}2")
        << number + 1 << int(index) << takesSeveral;
    return false;
  }

  bool checkTensor(unsigned number) {
    const FortranArg &arg = loop.args[number];
    for (unsigned operand : {arg.form.getIndex(), arg.form.getColIndex()})
      if (*findInteger(*arg.maker, operand) == 0) {
        error(diags, getLocation(), Problem::MapIndex,
              "argument %0: the %select{row|column}1 index is 0; expected a "
              "slot from 1, or -n for the first n slots")
            << number + 1 << (operand == arg.form.getColIndex());
        return false;
      }
    if (get(number).count > 1 ||
        *findInteger(*arg.maker, arg.form.getRowDim()) < 1)
      return true;
    error(diags, getLocation(), Problem::MapIndex,
          "argument %0: these indices mean one entry of an element; expected "
          "-2 or less for rows or columns, or an argument on op_mat_values "
          "through op_mat_places")
        << number + 1;
    return false;
  }

  /// The actual argument is what the type string says.
  bool checkActual(unsigned number) {
    const FortranArg &arg = loop.args[number];
    if (arg.form.actual.empty())
      return true;
    std::optional<FortranType> actual =
        parseFortranType(arg.form.actual == "l" ? "logical" : arg.form.actual);
    if (actual && actual->element == arg.type.element &&
        actual->isLogical == arg.type.isLogical)
      return true;
    error(diags, getLocation(), Problem::TypeString,
          "argument %0: the actual argument is of type '%1', but the type "
          "string is '%2'")
        << number + 1 << describeActual(arg.form.actual) << arg.type.text;
    return false;
  }

  /// "r8": "real(8)".
  static std::string describeActual(llvm::StringRef letters) {
    if (letters == "l")
      return "logical";
    return (letters.starts_with("r") ? "real(" : "integer(") +
           letters.drop_front().str() + ")";
  }

  bool checkAccess(unsigned number) {
    const ArgDescription &arg = get(number);
    if (loop.args[number].form.isMatrix &&
        (arg.access == Access::Min || arg.access == Access::Max ||
         arg.access == Access::Work)) {
      error(diags, getLocation(), Problem::Access,
            "argument %0: %1 is not an access mode of a matrix; expected "
            "OP_READ, OP_WRITE, OP_RW or OP_INC")
          << number + 1 << getAccessName(arg.access);
      return false;
    }
    if (arg.kind == ArgDescription::Kind::Dat && arg.access == Access::Work) {
      error(diags, getLocation(), Problem::Access,
            "argument %0: OP_WORK is not an access mode of a dat; expected "
            "OP_READ, OP_WRITE, OP_RW, OP_INC, OP_MIN or OP_MAX")
          << number + 1;
      return false;
    }
    bool needsNumber = arg.access == Access::Inc || arg.access == Access::Min ||
                       arg.access == Access::Max;
    if (!needsNumber || !loop.args[number].type.isLogical)
      return true;
    error(diags, getLocation(), Problem::ValueType,
          "argument %0: %1 needs a number, not 'logical'")
        << number + 1 << getAccessName(arg.access);
    return false;
  }

  bool checkDim(unsigned number) {
    if (get(number).dim != 0 && get(number).count != 0)
      return true;
    error(diags, getLocation(), Problem::Dim,
          "argument %0: the dim must be at least 1")
        << number + 1;
    return false;
  }

  /// A kernel takes only so many rows side by side.
  bool checkPacked(unsigned number) {
    const ArgDescription &arg = get(number);
    if (!arg.isPacked)
      return true;
    bool isMatrix = loop.args[number].form.isMatrix;
    if (!mlir::op2::kVectorSlots.contains(arg.count)) {
      error(diags, getLocation(), Problem::MapIndex,
            "argument %0: %1 %select{map slots|parts of a tensor}2 are passed "
            "together; expected %3")
          << number + 1 << std::to_string(arg.count) << isMatrix
          << mlir::op2::kVectorSlots.describe();
      return false;
    }
    int64_t bytes = arg.count * arg.getBytes();
    if (bytes <= mlir::op2::kMaxPackedBytes)
      return true;
    error(diags, getLocation(), Problem::Dim,
          "argument %0: the rows of %1 %select{map slots|parts of a tensor}2 "
          "have %3 bytes; a kernel takes at most %4 side by side")
        << number + 1 << int(arg.count) << isMatrix << std::to_string(bytes)
        << std::to_string(mlir::op2::kMaxPackedBytes);
    return false;
  }

  /// An info comes along with a global that is compared.
  bool checkInfo(unsigned number) {
    const ArgDescription &arg = get(number);
    if (arg.kind != ArgDescription::Kind::Info)
      return true;
    bool exists = arg.follows >= 0 && arg.follows < int64_t(loop.args.size());
    const ArgDescription *followed = exists ? &get(arg.follows) : nullptr;
    if (!followed || followed->kind != ArgDescription::Kind::Global ||
        (followed->access != Access::Min && followed->access != Access::Max)) {
      error(diags, getLocation(), Problem::Info,
            "argument %0: op_arg_info follows argument %1, which %select{is no "
            "op_arg_gbl with OP_MIN or OP_MAX|does not exist}2; arguments are "
            "counted from 1")
          << number + 1 << int(arg.follows + 1) << !exists;
      return false;
    }
    if (followed->dim <= 0 || arg.dim % followed->dim == 0)
      return true;
    error(diags, getLocation(), Problem::Info,
          "argument %0: the dim of op_arg_info must be a multiple of %1, the "
          "dim of the argument it follows")
        << number + 1 << int(followed->dim);
    return false;
  }

  const FortranLoop &loop;
  clang::DiagnosticsEngine &diags;
};
} // namespace

bool op2::frontend::checkArguments(const FortranLoop &loop,
                                   clang::DiagnosticsEngine &diags) {
  return ArgumentChecker(loop, diags).check();
}

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

/// Whether something between the first maker and the loop's call might change
/// a handle: a function of the program's that is called for a dim, say.
static bool mayChangeHandles(const FortranLoop &loop) {
  const llvm::Instruction *first = loop.call;
  for (const FortranArg &arg : loop.args)
    if (arg.maker->comesBefore(first))
      first = arg.maker;
  for (const llvm::Instruction *inst = first; inst != loop.call;
       inst = inst->getNextNode()) {
    if (!inst->mayWriteToMemory())
      continue;
    if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(inst);
        store && llvm::isa<llvm::AllocaInst>(store->getPointerOperand()))
      continue;
    const auto *call = llvm::dyn_cast<CallBase>(inst);
    const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || !(callee->isIntrinsic() || getMaker(*callee) ||
                     isContiguityCheck(*callee)))
      return true;
  }
  return false;
}

void op2::frontend::findSameHandles(FortranLoop &loop) {
  if (mayChangeHandles(loop))
    return;
  auto isSame = [](const Value *a, const Value *b) {
    return a && b && isSamePlace(a, b);
  };
  std::vector<ArgDescription> &args = loop.description->args;
  for (unsigned i = 0; i < args.size(); ++i)
    for (unsigned j = 0; j < i; ++j) {
      ArgDescription &arg = args[i];
      const ArgDescription &other = args[j];
      // The handle of an argument that is off need not be one.
      if (arg.isOptional || other.isOptional)
        continue;
      const FortranArg &call = loop.args[i], &otherCall = loop.args[j];
      // Handles become values of one type each: equal dim and element type.
      if (arg.provenDataAs == i && arg.kind == other.kind &&
          arg.type == other.type && arg.dim == other.dim &&
          call.form.isMatrix == otherCall.form.isMatrix &&
          isSame(call.getData(), otherCall.getData()))
        arg.provenDataAs = j;
      if (arg.provenMapAs == i && isSame(call.getMap(), otherCall.getMap()))
        arg.provenMapAs = j;
      arg.takeProven();
    }
}

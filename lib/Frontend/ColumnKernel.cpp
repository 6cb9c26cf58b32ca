//===- ColumnKernel.cpp - Kernels of columns of layers --------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is added to several levels of a row waits in variables until the layer
// comes whose lowest level it is: then the level gets the sum, so that each is
// loaded and stored once, no layer depends on what another one stored, and
// LLVM's loop vectorizer takes the layers together.
//
// Two slots may lead to one row. Then a second copy of the loop runs; the first
// tells LLVM that rows are different memory, which it would look at for every
// column otherwise, by where they begin and end.
//
//===----------------------------------------------------------------------===//

#include "ColumnKernel.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include <map>

using namespace op2::frontend;
using llvm::BasicBlock;
using llvm::Function;
using llvm::Type;
using llvm::Value;

/// There is code for each value of a layer, and a variable for each that waits
/// for the layers above.
static constexpr int64_t kMaxValues = 1024, kMaxAddedLevels = 16;

std::optional<LayerExcess>
op2::frontend::findLayerExcess(const ArgDescription &arg) {
  if (arg.access == Access::Inc && arg.levels > kMaxAddedLevels)
    return LayerExcess{/*isLevels=*/true, arg.levels, kMaxAddedLevels};
  if (arg.count * arg.dim > kMaxValues)
    return LayerExcess{/*isLevels=*/false, arg.count * arg.dim, kMaxValues};
  return std::nullopt;
}

bool op2::frontend::addsInPlace(const LoopDescription &loop,
                                unsigned argument) {
  const ArgDescription &arg = loop.args[argument];
  auto addsToLevels = [](const ArgDescription &other) {
    return other.kind == ArgDescription::Kind::Dat && other.levels > 0 &&
           other.access == Access::Inc;
  };
  auto isInTheWay = [&](const ArgDescription &other) {
    return other.kind == ArgDescription::Kind::Dat &&
           other.dataKey == arg.dataKey && other.access != Access::Read &&
           (!addsToLevels(other) || other.firstLevel != arg.firstLevel ||
            other.levelDim != arg.levelDim);
  };
  return addsToLevels(arg) && llvm::none_of(loop.args, isInTheWay);
}

namespace {
/// What the kernel takes layer by layer of one argument.
struct LayerArg {
  unsigned number = 0; ///< of the loop's arguments
  const ArgDescription *arg = nullptr;
  Type *type = nullptr; ///< of a value in memory
  int64_t levels = 1;
  int64_t levelDim = 1; ///< values of a level
  int64_t stride = 0;   ///< values from a layer's levels to the next one's
  llvm::SmallVector<Value *> rows;
  /// The kernel gets memory of its own, [slots][levels][levelDim]; else null.
  Value *own = nullptr;
  Value *before = nullptr; ///< what was there, if it may have changed
  Value *table = nullptr;  ///< of pointers to rows, if it takes that
  /// [value][k][k]: what the latest k layers left for the level k above their
  /// lowest one, the earliest first; variables.
  llvm::SmallVector<llvm::SmallVector<llvm::SmallVector<Value *>>> left;
  /// By slot, where rows are different memory; else empty.
  llvm::SmallVector<llvm::AAMDNodes> scopes;

  bool adds() const { return arg->access == Access::Inc; }
  bool changesRows() const { return (own && adds()) || before; }
  int64_t slotValues() const { return levels * levelDim; }
  int64_t values() const { return arg->count * slotValues(); }
};

/// Rows by argument and slot.
using RowGroup = std::vector<std::pair<LayerArg *, unsigned>>;

class ColumnBuilder {
public:
  explicit ColumnBuilder(const CallSite &site)
      : kernel(*site.kernel), loop(*site.loop), context(kernel.getContext()),
        builder(context) {}

  Function *run(const std::string &name);

private:
  BasicBlock *newBlock(llvm::StringRef blockName) {
    return BasicBlock::Create(context, blockName, column);
  }
  Type *getType(ElementType type) {
    if (type == ElementType::F64)
      return builder.getDoubleTy();
    if (type == ElementType::F32)
      return builder.getFloatTy();
    return builder.getIntNTy(unsigned(getByteSize(type) * 8));
  }
  /// What leaves every value as it is when it is added.
  llvm::Constant *getNothing(Type *type) {
    return type->isFloatingPointTy() ? llvm::ConstantFP::getNegativeZero(type)
                                     : llvm::Constant::getNullValue(type);
  }
  Value *getElement(Type *type, Value *memory, int64_t number) {
    return builder.CreateConstInBoundsGEP1_64(type, memory, uint64_t(number));
  }
  Value *add(Value *a, Value *b) {
    return a->getType()->isFloatingPointTy() ? builder.CreateFAdd(a, b)
                                             : builder.CreateAdd(a, b);
  }

  Value *loadRow(const LayerArg &part, unsigned slot, Value *place) {
    llvm::LoadInst *load = builder.CreateLoad(part.type, place);
    if (!part.scopes.empty())
      load->setAAMetadata(part.scopes[slot]);
    return load;
  }
  void storeRow(const LayerArg &part, unsigned slot, Value *value,
                Value *place) {
    llvm::StoreInst *store = builder.CreateStore(value, place);
    if (!part.scopes.empty())
      store->setAAMetadata(part.scopes[slot]);
  }

  void createFunction(const std::string &name);
  void describePlace();
  LayerArg prepare(unsigned number);
  void prepareSums(LayerArg &part);
  std::vector<RowGroup> findRows();
  Value *areDistinct();
  void declareDistinct();
  void createLoop(Value *first, Value *last, BasicBlock *end, bool isRest);
  Value *getLevels(const LayerArg &part, unsigned slot, int64_t above = 0);
  Value *addTerms(llvm::ArrayRef<Value *> terms);
  Value *beginLayer(LayerArg &part);
  void endLayer(LayerArg &part);
  void addLayer(LayerArg &part);
  void storeChanged(LayerArg &part);
  void addLeft(LayerArg &part);
  void finishLoop(BasicBlock *body, llvm::PHINode *number, Value *end,
                  bool isRest);

  Function &kernel;
  const LoopDescription &loop;
  llvm::LLVMContext &context;
  llvm::IRBuilder<> builder;
  Function *column = nullptr;
  std::vector<LayerArg> parts;
  Value *layer = nullptr; ///< i64
};
} // namespace

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

void ColumnBuilder::createFunction(const std::string &name) {
  llvm::SmallVector<Type *> types(loop.args.size() + 1, builder.getPtrTy());
  column = Function::Create(
      llvm::FunctionType::get(builder.getVoidTy(), types, /*isVarArg=*/false),
      llvm::GlobalValue::InternalLinkage, name, kernel.getParent());
  // How it is compiled; not what it does.
  for (llvm::Attribute attribute : kernel.getAttributes().getFnAttrs())
    column->addFnAttr(attribute);
  for (llvm::Attribute::AttrKind kind :
       {llvm::Attribute::Memory, llvm::Attribute::AlwaysInline,
        llvm::Attribute::InlineHint, llvm::Attribute::Speculatable,
        llvm::Attribute::WillReturn, llvm::Attribute::NoReturn,
        llvm::Attribute::Cold, llvm::Attribute::Hot,
        llvm::Attribute::Convergent})
    column->removeFnAttr(kind);
}

/// Everything stands where the kernel does.
void ColumnBuilder::describePlace() {
  llvm::DISubprogram *of = kernel.getSubprogram();
  if (!of)
    return;
  llvm::DIBuilder debug(*kernel.getParent(), /*AllowUnresolved=*/true,
                        of->getUnit());
  llvm::DISubprogram *subprogram = debug.createFunction(
      of->getFile(), column->getName(), column->getName(), of->getFile(),
      of->getLine(), debug.createSubroutineType(debug.getOrCreateTypeArray({})),
      of->getLine(), llvm::DINode::FlagArtificial,
      llvm::DISubprogram::SPFlagDefinition |
          llvm::DISubprogram::SPFlagLocalToUnit |
          (of->isOptimized() ? llvm::DISubprogram::SPFlagOptimized
                             : llvm::DISubprogram::SPFlagZero));
  debug.finalizeSubprogram(subprogram);
  column->setSubprogram(subprogram);
  builder.SetCurrentDebugLocation(
      llvm::DILocation::get(context, of->getLine(), 0, subprogram));
}

Function *ColumnBuilder::run(const std::string &name) {
  createFunction(name);
  builder.SetInsertPoint(newBlock("entry"));
  describePlace();
  BasicBlock *begin = newBlock("begin"), *end = newBlock("end");
  Value *range = column->getArg(unsigned(loop.args.size()));
  auto loadNumber = [&](int64_t at) {
    Type *type = builder.getInt32Ty();
    return builder.CreateSExt(
        builder.CreateLoad(type, getElement(type, range, at)),
        builder.getInt64Ty());
  };
  Value *first = loadNumber(0), *last = loadNumber(1);
  for (auto [number, arg] : llvm::enumerate(loop.args))
    if (arg.levels || arg.isPacked)
      parts.push_back(prepare(unsigned(number)));
  builder.CreateCondBr(builder.CreateICmpSLT(first, last), begin, end);

  builder.SetInsertPoint(begin);
  for (LayerArg &part : parts)
    prepareSums(part);
  if (Value *distinct = areDistinct()) {
    BasicBlock *usual = newBlock("distinct"), *rest = newBlock("rest");
    builder.CreateCondBr(distinct, usual, rest);
    builder.SetInsertPoint(rest);
    createLoop(first, last, end, /*isRest=*/true);
    builder.SetInsertPoint(usual);
    declareDistinct();
  }
  createLoop(first, last, end, /*isRest=*/false);
  builder.SetInsertPoint(end);
  builder.CreateRetVoid();
  return column;
}

void ColumnBuilder::createLoop(Value *first, Value *last, BasicBlock *end,
                               bool isRest) {
  BasicBlock *before = builder.GetInsertBlock(), *body = newBlock("layer");
  builder.CreateBr(body);
  builder.SetInsertPoint(body);
  llvm::PHINode *number = builder.CreatePHI(builder.getInt64Ty(), 2);
  number->addIncoming(first, before);
  layer = number;
  llvm::SmallVector<Value *> operands;
  for (unsigned i = 0; i < loop.args.size(); ++i)
    operands.push_back(column->getArg(i));
  for (LayerArg &part : parts)
    operands[part.number] = beginLayer(part);
  builder.CreateCall(&kernel, operands)
      ->setCallingConv(kernel.getCallingConv());
  for (LayerArg &part : parts)
    endLayer(part);
  finishLoop(body, number, last, isRest);
  for (LayerArg &part : parts)
    addLeft(part);
  builder.CreateBr(end);
}

/// Leaves the builder behind the loop.
void ColumnBuilder::finishLoop(BasicBlock *body, llvm::PHINode *number,
                               Value *end, bool isRest) {
  Value *next = builder.CreateNSWAdd(number, builder.getInt64(1));
  number->addIncoming(next, builder.GetInsertBlock());
  BasicBlock *after = newBlock("after");
  llvm::Instruction *branch =
      builder.CreateCondBr(builder.CreateICmpSLT(next, end), body, after);
  auto makeProperty = [&](llvm::StringRef property, llvm::Constant *value) {
    llvm::Metadata *pair[] = {llvm::MDString::get(context, property),
                              llvm::ConstantAsMetadata::get(value)};
    return llvm::MDNode::get(context, pair);
  };
  // Columns are short: several vectors at once would leave most to the rest.
  llvm::Metadata *properties[] = {
      nullptr,
      isRest ? makeProperty("llvm.loop.vectorize.enable", builder.getFalse())
             : makeProperty("llvm.loop.interleave.count", builder.getInt32(1))};
  llvm::MDNode *id = llvm::MDNode::getDistinct(context, properties);
  id->replaceOperandWith(0, id);
  branch->setMetadata(llvm::LLVMContext::MD_loop, id);
  builder.SetInsertPoint(after);
}

//===----------------------------------------------------------------------===//
// Rows that are one
//===----------------------------------------------------------------------===//

/// Rows that the loop changes, those of one dat together: each two of them are
/// one or do not overlap. No more than are worth comparing.
std::vector<RowGroup> ColumnBuilder::findRows() {
  constexpr unsigned kMost = 16;
  std::map<unsigned, RowGroup> byDat;
  for (LayerArg &part : parts)
    if (part.changesRows())
      for (unsigned slot = 0; slot < part.rows.size(); ++slot)
        byDat[part.arg->sameDataAs].push_back({&part, slot});
  std::vector<RowGroup> groups;
  for (auto &[dat, rows] : byDat)
    if (rows.size() > 1 && rows.size() <= kMost)
      groups.push_back(std::move(rows));
  return groups;
}

/// Null: nothing is to be asked.
Value *ColumnBuilder::areDistinct() {
  Value *distinct = nullptr;
  for (const RowGroup &rows : findRows())
    for (unsigned i = 0; i < rows.size(); ++i)
      for (unsigned j = 0; j < i; ++j) {
        Value *differ =
            builder.CreateICmpNE(rows[i].first->rows[rows[i].second],
                                 rows[j].first->rows[rows[j].second]);
        distinct = distinct ? builder.CreateAnd(distinct, differ) : differ;
      }
  return distinct;
}

void ColumnBuilder::declareDistinct() {
  llvm::MDBuilder metadata(context);
  llvm::MDNode *domain = metadata.createAnonymousAliasScopeDomain("columns");
  for (const RowGroup &rows : findRows()) {
    llvm::SmallVector<llvm::Metadata *> all;
    for (unsigned i = 0; i < rows.size(); ++i)
      all.push_back(metadata.createAnonymousAliasScope(domain, "row"));
    for (auto [i, row] : llvm::enumerate(rows)) {
      llvm::SmallVector<llvm::Metadata *> others = all;
      others.erase(others.begin() + i);
      auto &[part, slot] = row;
      part->scopes.resize(part->rows.size());
      part->scopes[slot].Scope = llvm::MDNode::get(context, all[i]);
      part->scopes[slot].NoAlias = llvm::MDNode::get(context, others);
      builder.CreateNoAliasScopeDeclaration(part->scopes[slot].Scope);
    }
  }
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

LayerArg ColumnBuilder::prepare(unsigned number) {
  const ArgDescription &arg = loop.args[number];
  Value *parameter = column->getArg(number);
  LayerArg part;
  part.number = number;
  part.arg = &arg;
  part.type = getType(arg.type);
  part.levels = std::max<int64_t>(arg.levels, 1);
  part.levelDim = arg.levels ? arg.levelDim : arg.dim;
  part.stride = arg.levels ? part.levelDim : 0;
  for (int64_t slot = 0; slot < arg.count; ++slot)
    part.rows.push_back(arg.isVector
                            ? builder.CreateLoad(builder.getPtrTy(),
                                                 getElement(builder.getPtrTy(),
                                                            parameter, slot))
                            : parameter);
  auto allocate = [&](Type *type, int64_t count) -> Value * {
    return builder.CreateAlloca(llvm::ArrayType::get(type, uint64_t(count)));
  };
  if (arg.isPacked || part.adds())
    part.own = allocate(part.type, part.values());
  if (part.own && !part.adds() && arg.access != Access::Read)
    part.before = allocate(part.type, part.values());
  if (arg.takesTable())
    part.table = allocate(builder.getPtrTy(), arg.count);
  if (part.own && part.adds())
    for (int64_t value = 0; value < arg.count * part.levelDim; ++value) {
      auto &levels = part.left.emplace_back(part.levels);
      for (int64_t k = 1; k < part.levels; ++k)
        for (int64_t i = 0; i < k; ++i)
          levels[size_t(k)].push_back(builder.CreateAlloca(part.type));
    }
  return part;
}

void ColumnBuilder::prepareSums(LayerArg &part) {
  for (auto &levels : part.left)
    for (auto &waiting : levels)
      for (Value *variable : waiting)
        builder.CreateStore(getNothing(part.type), variable);
}

/// Where the levels of the layer begin in a row, or those `above` them.
Value *ColumnBuilder::getLevels(const LayerArg &part, unsigned slot,
                                int64_t above) {
  Value *row = part.rows[slot];
  if (part.stride == 0)
    return row;
  Value *level = builder.CreateNSWAdd(
      layer, builder.getInt64(uint64_t(part.arg->firstLevel + above)));
  return builder.CreateInBoundsGEP(
      part.type, row,
      builder.CreateNSWMul(level, builder.getInt64(uint64_t(part.stride))));
}

/// What the kernel takes for the layer.
Value *ColumnBuilder::beginLayer(LayerArg &part) {
  llvm::Align align(uint64_t(getByteSize(part.arg->type)));
  uint64_t slotBytes =
      uint64_t(part.slotValues() * getByteSize(part.arg->type));
  if (part.own && part.adds())
    for (int64_t value = 0; value < part.values(); ++value)
      builder.CreateStore(getNothing(part.type),
                          getElement(part.type, part.own, value));
  Value *result = part.own;
  for (unsigned slot = 0; slot < part.rows.size(); ++slot) {
    Value *levels = getLevels(part, slot);
    Value *given = levels;
    if (part.own) {
      int64_t place = slot * part.slotValues();
      given = getElement(part.type, part.own, place);
      if (!part.adds())
        builder.CreateMemCpy(given, align, levels, align, slotBytes);
      if (part.before)
        builder.CreateMemCpy(getElement(part.type, part.before, place), align,
                             levels, align, slotBytes);
    }
    if (part.table)
      builder.CreateStore(given,
                          getElement(builder.getPtrTy(), part.table, slot));
    if (!result)
      result = given;
  }
  return part.table ? part.table : result;
}

void ColumnBuilder::endLayer(LayerArg &part) {
  if (part.own && part.adds())
    addLayer(part);
  else if (part.before)
    storeChanged(part);
}

/// In their order.
Value *ColumnBuilder::addTerms(llvm::ArrayRef<Value *> terms) {
  Value *sum = terms.front();
  for (Value *term : terms.drop_front())
    sum = add(sum, term);
  return sum;
}

/// A level gets the sum of what earlier layers left for it, the earliest first,
/// and of what this one adds to its lowest level. What it adds above waits.
void ColumnBuilder::addLayer(LayerArg &part) {
  for (unsigned slot = 0; slot < part.rows.size(); ++slot) {
    Value *lowest = getLevels(part, slot);
    for (int64_t i = 0; i < part.levelDim; ++i) {
      auto &left = part.left[size_t(slot * part.levelDim + i)];
      auto load = [&](Value *from) {
        return builder.CreateLoad(part.type, from);
      };
      auto loadOwn = [&](int64_t level) {
        return load(
            getElement(part.type, part.own,
                       slot * part.slotValues() + level * part.levelDim + i));
      };
      llvm::SmallVector<Value *> terms;
      for (int64_t k = part.levels - 1; k > 0; --k)
        terms.push_back(load(left[size_t(k)].front()));
      terms.push_back(loadOwn(0));
      Value *place = getElement(part.type, lowest, i);
      storeRow(part, slot, add(loadRow(part, slot, place), addTerms(terms)),
               place);
      for (int64_t k = 1; k < part.levels; ++k) {
        auto &waiting = left[size_t(k)];
        for (int64_t n = 0; n + 1 < k; ++n)
          builder.CreateStore(load(waiting[size_t(n + 1)]), waiting[size_t(n)]);
        builder.CreateStore(loadOwn(k), waiting.back());
      }
    }
  }
}

/// Behind the last layer: levels above its lowest one.
void ColumnBuilder::addLeft(LayerArg &part) {
  for (int64_t above = 1; above < part.levels && !part.left.empty(); ++above)
    for (unsigned slot = 0; slot < part.rows.size(); ++slot) {
      Value *levels = getLevels(part, slot, above);
      for (int64_t i = 0; i < part.levelDim; ++i) {
        auto &left = part.left[size_t(slot * part.levelDim + i)];
        Value *place = getElement(part.type, levels, i);
        llvm::SmallVector<Value *> terms;
        for (int64_t k = part.levels - 1; k >= above; --k)
          terms.push_back(builder.CreateLoad(
              part.type, left[size_t(k)][size_t(above - 1)]));
        storeRow(part, slot, add(loadRow(part, slot, place), addTerms(terms)),
                 place);
      }
    }
}

static bool isUnsigned(ElementType type) {
  return type == ElementType::U64 || type == ElementType::U32 ||
         type == ElementType::U16 || type == ElementType::U8 ||
         type == ElementType::Bool;
}

/// What the kernel has changed goes back; of what it compares, the better.
void ColumnBuilder::storeChanged(LayerArg &part) {
  auto isLess = [&](Value *a, Value *b) {
    if (part.type->isFloatingPointTy())
      return builder.CreateFCmpOLT(a, b);
    return isUnsigned(part.arg->type) ? builder.CreateICmpULT(a, b)
                                      : builder.CreateICmpSLT(a, b);
  };
  Type *bits = builder.getIntNTy(unsigned(getByteSize(part.arg->type) * 8));
  for (unsigned slot = 0; slot < part.rows.size(); ++slot) {
    Value *levels = getLevels(part, slot);
    for (int64_t i = 0; i < part.slotValues(); ++i) {
      int64_t number = slot * part.slotValues() + i;
      Value *now = builder.CreateLoad(part.type,
                                      getElement(part.type, part.own, number));
      Value *before =
          builder.CreateLoad(bits, getElement(part.type, part.before, number));
      Value *place = getElement(part.type, levels, i);
      Value *old = loadRow(part, slot, place);
      Value *isBetter =
          builder.CreateICmpNE(builder.CreateBitCast(now, bits), before);
      if (part.arg->access == Access::Min)
        isBetter =
            builder.CreateAnd(isBetter, builder.CreateNot(isLess(old, now)));
      if (part.arg->access == Access::Max)
        isBetter =
            builder.CreateAnd(isBetter, builder.CreateNot(isLess(now, old)));
      storeRow(part, slot, builder.CreateSelect(isBetter, now, old), place);
    }
  }
}

Function *op2::frontend::createColumnKernel(const CallSite &site) {
  return ColumnBuilder(site).run(site.kernel->getName().str() + ".column");
}

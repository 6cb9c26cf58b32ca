//===- Stub.cpp - Functions that replace calls of op_par_loop ---*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stub.h"
#include "HostAnalysis/KernelVariables.h"
#include "KernelExceptions.h"
#include "OP2/Analysis/SourceName.h"
#include "Queue/DescriptionFields.h"
#include "Queue/QueueOffer.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include <limits>

using namespace op2::frontend;
using llvm::Value;

/// Passes the stub's arguments on to the template that the user's call named,
/// and returns.
static void callOriginal(llvm::IRBuilder<> &builder, const CallSite &site) {
  llvm::Function *original = site.original;
  std::vector<Value *> arguments;
  for (llvm::Argument &argument : site.stub->args())
    arguments.push_back(&argument);
  llvm::CallInst *call = builder.CreateCall(original, arguments);
  // Structs by value stay so on the way through.
  call->setAttributes(original->getAttributes());
  call->setCallingConv(original->getCallingConv());
  builder.CreateRetVoid();
}

/// Notifies the runtime that the loop runs otherwise than requested.
static void noteFallback(llvm::IRBuilder<> &builder, const CallSite &site,
                         const llvm::Twine &how, llvm::StringRef reason) {
  llvm::Type *pointer = builder.getPtrTy();
  llvm::FunctionCallee note = site.stub->getParent()->getOrInsertFunction(
      "op2rt_fallback", builder.getVoidTy(), pointer, pointer, pointer,
      pointer);
  std::string place =
      (llvm::Twine(site.loop->file) + ":" + llvm::Twine(site.loop->line)).str();
  builder.CreateCall(note, {builder.CreateGlobalString(site.loop->name),
                            builder.CreateGlobalString(place),
                            builder.CreateGlobalString(how.str()),
                            builder.CreateGlobalString(reason)});
}

static Value *loadField(llvm::IRBuilderBase &builder, Value *opArg,
                        uint64_t offset, llvm::Type *type) {
  return builder.CreateLoad(type, builder.CreateConstInBoundsGEP1_64(
                                      builder.getInt8Ty(), opArg, offset));
}

/// The dat with the numbers of the elements of `set`, or those that the
/// argument's map leads to.
static Value *findNumbers(llvm::IRBuilderBase &builder, Value *set,
                          Value *map) {
  llvm::Type *pointer = builder.getPtrTy();
  llvm::FunctionCallee find =
      builder.GetInsertBlock()->getModule()->getOrInsertFunction(
          "op2rt_numbers", pointer, pointer, pointer);
  return builder.CreateCall(find, {set, map});
}

static Value *callNamed(llvm::IRBuilderBase &builder, llvm::StringRef function,
                        const LoopDescription &loop,
                        std::vector<Value *> arguments) {
  arguments.push_back(builder.CreateGlobalString(loop.name, "op2.loop_name"));
  std::vector<llvm::Type *> types(arguments.size(), builder.getPtrTy());
  return builder.CreateCall(
      builder.GetInsertBlock()->getModule()->getOrInsertFunction(
          function, llvm::FunctionType::get(builder.getPtrTy(), types,
                                            /*isVarArg=*/false)),
      arguments);
}

/// The set that the loop runs over; `over` is what the program gives for it.
static Value *findSet(llvm::IRBuilderBase &builder, Value *over,
                      const LoopDescription &loop) {
  if (loop.isOverLayers)
    return callNamed(builder, "op2rt_layers_set", loop, {over});
  return loop.isOverSubset
             ? callNamed(builder, "op2rt_subset_set", loop, {over})
             : over;
}

/// The map that argument `arg` goes through, for a set that was found before.
static Value *loadMap(llvm::IRBuilderBase &builder, Value *over, Value *opArg,
                      const LoopDescription &loop, const ArgDescription &arg,
                      const OpArgLayout &layout) {
  llvm::PointerType *pointer = builder.getPtrTy();
  if (arg.isThroughSubset)
    return loadField(builder, over, /*op_subset_core::map*/ 8, pointer);
  Value *map = loadField(builder, opArg, layout.map, pointer);
  if (!loop.isOverSubset || !arg.isIndirect())
    return map;
  if (arg.isOptional) // where it is off, the map need not be one
    map = builder.CreateSelect(
        builder.CreateIsNotNull(
            loadField(builder, opArg, layout.opt, builder.getInt32Ty())),
        map, llvm::ConstantPointerNull::get(pointer));
  return callNamed(builder, "op2rt_subset_map", loop, {over, map});
}

/// `set` was found from `over`.
static Value *loadParameter(llvm::IRBuilderBase &builder, Value *over,
                            Value *set, Value *opArg,
                            const LoopDescription &loop,
                            const RunParameter &parameter,
                            const OpArgLayout &layout) {
  const ArgDescription &arg = loop.args[parameter.arg];
  switch (parameter.kind) {
  case RunParameter::Kind::Flag:
    return builder.CreateIsNotNull(
        loadField(builder, opArg, layout.opt, builder.getInt32Ty()));
  case RunParameter::Kind::Map:
    return loadMap(builder, over, opArg, loop, arg, layout);
  case RunParameter::Kind::Merge:
    return loadField(builder, opArg, layout.merge, builder.getPtrTy());
  case RunParameter::Kind::Identity:
    return loadField(builder, opArg, layout.identity, builder.getPtrTy());
  case RunParameter::Kind::Data:
    break;
  }
  if (arg.holdsLayers)
    return loadField(builder, over, /*op_layers_core::ranges*/ 8,
                     builder.getPtrTy());
  if (arg.holdsNumbers)
    return findNumbers(builder, set,
                       loadMap(builder, over, opArg, loop, arg, layout));
  bool isDat = arg.kind == ArgDescription::Kind::Dat;
  return loadField(builder, opArg, isDat ? layout.dat : layout.data,
                   builder.getPtrTy());
}

/// The variables with pointers that a kernel may follow on a device.
static std::vector<llvm::GlobalVariable *>
findTables(const CallSite &site, const VariableSet &variables,
           llvm::ArrayRef<Target> targets) {
  std::vector<llvm::GlobalVariable *> tables;
  if (llvm::none_of(targets, [&](Target target) {
        return isDevice(target) && !site.loop->targetProblems.count(target);
      }))
    return tables;
  for (const llvm::GlobalVariable *variable : variables)
    if (variable->getValueType()->isPointerTy() && !isOfThread(*variable))
      tables.push_back(const_cast<llvm::GlobalVariable *>(variable));
  return tables;
}

/// op2rt_table for each.
static llvm::Constant *
createTables(llvm::IRBuilderBase &builder, llvm::Module &module,
             llvm::ArrayRef<llvm::GlobalVariable *> tables) {
  std::vector<llvm::Constant *> entries;
  auto *type = llvm::StructType::get(builder.getPtrTy(), builder.getPtrTy());
  for (llvm::GlobalVariable *variable : tables)
    entries.push_back(llvm::ConstantStruct::get(
        type, variable,
        builder.CreateGlobalString(
            mlir::op2::getSourceName(variable->getName()),
            "op2.variable_name")));
  return createTable(entries, module);
}

static Value *selectTarget(llvm::IRBuilderBase &builder, llvm::Module &module,
                           llvm::ArrayRef<Target> targets,
                           llvm::StringRef loopName,
                           llvm::ArrayRef<llvm::GlobalVariable *> tables) {
  uint32_t mask = 0;
  for (Target target : targets)
    mask |= 1u << static_cast<int>(target);
  llvm::SmallVector<Value *> values = {
      builder.getInt32(mask),
      builder.CreateGlobalString(loopName, "op2.loop_name")};
  if (!tables.empty())
    values.append({createTables(builder, module, tables),
                   builder.getInt64(tables.size())});
  llvm::SmallVector<llvm::Type *> types;
  for (Value *value : values)
    types.push_back(value->getType());
  llvm::FunctionCallee select = module.getOrInsertFunction(
      tables.empty() ? "op2rt_select_target"
                     : "op2rt_select_target_with_tables",
      llvm::FunctionType::get(builder.getInt32Ty(), types,
                              /*isVarArg=*/false));
  llvm::cast<llvm::Function>(select.getCallee())
      ->addFnAttr(llvm::Attribute::NonLazyBind);
  return builder.CreateCall(select, values);
}

static void createRead(llvm::IRBuilder<> &builder, Value *data,
                       uint64_t bytes) {
  llvm::Module &module = *builder.GetInsertBlock()->getModule();
  llvm::FunctionCallee read =
      module.getOrInsertFunction("op2rt_variable_read", builder.getVoidTy(),
                                 builder.getPtrTy(), builder.getInt64Ty());
  builder.CreateCall(read, {data, builder.getInt64(bytes)});
}

/// A loop that runs on the host where others run on a device: its kernel may
/// have pointers to the storage of any dat.
static void readAnything(llvm::IRBuilder<> &builder, const CallSite &site) {
  if (site.kernel && !mayReadAnything(*site.kernel))
    return;
  createRead(builder, llvm::ConstantPointerNull::get(builder.getPtrTy()),
             uint64_t(std::numeric_limits<int64_t>::max()));
}

/// What kernels read by name may be the storage of a dat whose values are on a
/// device.
static void readVariables(llvm::IRBuilder<> &builder,
                          const VariableSet &variables,
                          const std::vector<Target> &targets) {
  if (llvm::none_of(targets, isDevice))
    return;
  for (const llvm::GlobalVariable *variable : variables)
    if (!variable->isThreadLocal())
      createRead(builder, const_cast<llvm::GlobalVariable *>(variable),
                 uint64_t(getExtent(*variable)));
}

static void requireDims(llvm::IRBuilder<> &builder, const LoopDescription &loop,
                        llvm::ArrayRef<Value *> opArgs,
                        const OpArgLayout &layout) {
  llvm::Type *int32 = builder.getInt32Ty(), *pointer = builder.getPtrTy();
  llvm::Module &module = *builder.GetInsertBlock()->getModule();
  for (auto [number, arg] : llvm::enumerate(loop.args)) {
    auto load = [&, opArg = opArgs[number]](uint64_t offset, llvm::Type *type) {
      return loadField(builder, opArg, offset, type);
    };
    if (arg.isDimPromised)
      builder.CreateCall(
          module.getOrInsertFunction("op2rt_require_extent",
                                     builder.getVoidTy(), int32, int32, int32,
                                     int32, pointer),
          {load(layout.opt, int32), load(layout.dim, int32),
           builder.getInt32(unsigned(arg.dim)),
           builder.getInt32(unsigned(number)),
           builder.CreateGlobalString(loop.name, "op2.loop_name")});
    if (arg.kind != ArgDescription::Kind::Dat || arg.dim != kDynamicDim ||
        arg.levels)
      continue;
    llvm::FunctionCallee require =
        module.getOrInsertFunction("op2rt_require_dim", builder.getVoidTy(),
                                   pointer, int32, int32, int32, pointer);
    builder.CreateCall(
        require, {load(layout.dat, pointer), load(layout.opt, int32),
                  load(layout.dim, int32), builder.getInt32(unsigned(number)),
                  builder.CreateGlobalString(loop.name, "op2.loop_name")});
  }
}

/// Rows have the levels that the layers reach.
static void requireLevels(llvm::IRBuilder<> &builder,
                          const LoopDescription &loop, Value *layers,
                          llvm::ArrayRef<Value *> opArgs,
                          const OpArgLayout &layout) {
  llvm::Type *int32 = builder.getInt32Ty(), *pointer = builder.getPtrTy();
  for (auto [number, arg] : llvm::enumerate(loop.args)) {
    if (!arg.levels)
      continue;
    llvm::FunctionCallee require =
        builder.GetInsertBlock()->getModule()->getOrInsertFunction(
            "op2rt_require_levels", builder.getVoidTy(), pointer, pointer,
            int32, int32, int32, int32, pointer);
    builder.CreateCall(
        require,
        {layers, loadField(builder, opArgs[number], layout.dat, pointer),
         builder.getInt32(unsigned(arg.firstLevel)),
         builder.getInt32(unsigned(arg.levels)),
         loadField(builder, opArgs[number], layout.dim, int32),
         builder.getInt32(unsigned(number)),
         builder.CreateGlobalString(loop.name, "op2.loop_name")});
  }
}

namespace {
/// Writes the body of one stub.
class StubBuilder {
public:
  StubBuilder(const LoopForms &forms, const std::vector<Target> &targets,
              const OpArgLayout &layout)
      : forms(forms), targets(targets), layout(layout), stub(*forms.site.stub),
        variables(findVariables(forms.site.kernel)),
        builder(llvm::BasicBlock::Create(stub.getContext(), "entry", &stub)) {}

  void run() {
    if (forms.apart) {
      llvm::BasicBlock *alike = newBlock("alike");
      llvm::BasicBlock *others = newBlock("apart");
      builder.CreateCondBr(compareAlike(), alike, others);
      builder.SetInsertPoint(others);
      // No call is delayed, nor any result late.
      builder.CreateStore(builder.getInt32(0),
                          stub.getParent()->getOrInsertGlobal(
                              "op2rt_may_enqueue", builder.getInt32Ty()));
      runForm(*forms.apart, nullptr);
      builder.SetInsertPoint(alike);
    }
    runForm(forms.site, forms.split);
  }

private:
  /// Whether arguments that look alike have the same handles.
  Value *compareAlike() {
    std::vector<Value *> opArgs = getOpArgs();
    Value *areSame = builder.getTrue();
    auto compare = [&](unsigned number, unsigned sameAs, unsigned provenAs,
                       uint64_t offset) {
      // Others are proven to have what one that is compared has.
      if (sameAs == provenAs || provenAs != number)
        return;
      llvm::Type *pointer = builder.getPtrTy();
      areSame = builder.CreateAnd(
          areSame, builder.CreateICmpEQ(
                       loadField(builder, opArgs[number], offset, pointer),
                       loadField(builder, opArgs[sameAs], offset, pointer)));
    };
    for (auto [index, arg] : llvm::enumerate(forms.site.loop->args)) {
      auto number = unsigned(index);
      compare(number, arg.sameDataAs, arg.provenDataAs, layout.dat);
      compare(number, arg.sameMapAs, arg.provenMapAs, layout.map);
    }
    return areSame;
  }

  /// Runs one form on the target that the runtime selects, and returns.
  void runForm(const CallSite &site, const CallSite *split) {
    std::optional<Target> replacement = getReplacement(*site.loop, targets);
    std::vector<Value *> arguments = loadArguments(*site.loop);
    requireDims(builder, *site.loop, getOpArgs(), layout);
    requireLevels(builder, *site.loop, stub.getArg(kFirstOpArg - 1),
                  getOpArgs(), layout);
    std::vector<llvm::GlobalVariable *> tables =
        findTables(site, variables, targets);
    for (Target target : kDevices)
      describePointers(site, target, Addresses(tables.begin(), tables.end()));
    Value *selected = selectTarget(builder, *stub.getParent(), targets,
                                   site.loop->name, tables);
    readVariables(builder, variables, targets);
    llvm::BasicBlock *last = newBlock("last");
    llvm::SwitchInst *choice =
        builder.CreateSwitch(selected, last, targets.size());
    for (Target target : targets) {
      llvm::BasicBlock *block = newBlock(getWord(target));
      choice->addCase(builder.getInt32(static_cast<int>(target)), block);
      builder.SetInsertPoint(block);
      auto problem = site.loop->targetProblems.find(target);
      bool isCompiled = problem == site.loop->targetProblems.end();
      if (!isCompiled) {
        noteFallback(builder, site,
                     llvm::Twine("runs ") +
                         (replacement ? "on " + getWord(*replacement).str()
                                      : std::string("sequentially")) +
                         " instead of " + getWord(target).str(),
                     problem->second.reason);
        readAnything(builder, site);
      }
      if (!isCompiled && !replacement) {
        callOriginal(builder, site);
        continue;
      }
      Target used = isCompiled ? target : *replacement;
      if (split && used == Target::OpenMP)
        callSplit(site, *split, arguments);
      callRun(site, used, arguments);
    }
    // The runtime ends the program rather than select another target.
    builder.SetInsertPoint(last);
    builder.CreateUnreachable();
  }

  llvm::BasicBlock *newBlock(const llvm::Twine &name) {
    return llvm::BasicBlock::Create(stub.getContext(), name, &stub);
  }

  std::vector<Value *> loadArguments(const LoopDescription &loop) {
    Value *over = stub.getArg(kFirstOpArg - 1);
    std::vector<Value *> arguments{findSet(builder, over, loop)};
    std::vector<Value *> opArgs = getOpArgs();
    for (const RunParameter &parameter : getRunParameters(loop))
      arguments.push_back(loadParameter(builder, over, arguments.front(),
                                        opArgs[parameter.arg], loop, parameter,
                                        layout));
    return arguments;
  }

  std::vector<Value *> getOpArgs() {
    std::vector<Value *> opArgs;
    for (auto [number, arg] : llvm::enumerate(forms.site.loop->args))
      opArgs.push_back(arg.holdsLayers
                           ? nullptr
                           : stub.getArg(kFirstOpArg + unsigned(number)));
    return opArgs;
  }

  void callRun(const CallSite &form, Target target,
               const std::vector<Value *> &arguments) {
    builder.CreateCall(stub.getParent()->getFunction(form.getRunSymbol(target)),
                       arguments);
    if (form.loop->throws)
      createRethrow(builder);
    builder.CreateRetVoid();
  }

  /// Runs the split form if that is right, and leaves the builder where it is
  /// not.
  void callSplit(const CallSite &site, const CallSite &split,
                 const std::vector<Value *> &arguments) {
    llvm::Module &module = *stub.getParent();
    llvm::FunctionCallee isSeparate =
        module.getOrInsertFunction("op2rt_is_separate", builder.getInt32Ty(),
                                   builder.getPtrTy(), builder.getPtrTy());
    Value *mayRun = builder.CreateIsNotNull(builder.CreateCall(
        isSeparate,
        {module.getNamedGlobal(site.getDescriptionSymbol(Target::OpenMP)),
         storeValues(builder, arguments)}));
    llvm::BasicBlock *inParts = newBlock("split");
    llvm::BasicBlock *whole = newBlock("whole");
    builder.CreateCondBr(mayRun, inParts, whole);
    builder.SetInsertPoint(inParts);
    callRun(split, Target::OpenMP, arguments);
    builder.SetInsertPoint(whole);
  }

  const LoopForms &forms;
  const std::vector<Target> &targets;
  const OpArgLayout &layout;
  llvm::Function &stub;
  VariableSet variables; ///< that the kernel uses by their names
  llvm::IRBuilder<> builder;
};
} // namespace

void op2::frontend::defineStub(const LoopForms &forms,
                               const std::vector<Target> &targets,
                               const OpArgLayout &layout) {
  StubBuilder(forms, targets, layout).run();
}

void op2::frontend::defineFallbackStub(const CallSite &site,
                                       const std::vector<Target> &targets) {
  llvm::IRBuilder<> builder(
      llvm::BasicBlock::Create(site.stub->getContext(), "entry", site.stub));
  if (site.kernel)
    readVariables(builder, findVariables(site.kernel), targets);
  noteFallback(builder, site, "runs sequentially",
               site.loop->getFallbackReason());
  readAnything(builder, site);
  callOriginal(builder, site);
}

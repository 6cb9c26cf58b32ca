//===- LoopRewriter.cpp - Loops in the form that Clang leaves -------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What comes after this does not know the language: stubs with the kernel, the
// loop's name, the set and op_args as parameters, which C's functions make of
// handles and constants by value.
//
//===----------------------------------------------------------------------===//

#include "FortranLoop.h"
#include "HostAnalysis/Interference.h"
#include "OP2/API/op_lib_core.h"
#include "PassedValues.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

using namespace op2::frontend;
using llvm::Function;
using llvm::Value;

/// Where type(op_set), type(op_map) and type(op_dat) have C's handle, in
/// bytes: after the descriptor of a pointer to a derived type.
static constexpr uint64_t kHandleOffset = 40;

/// C's handle. No loop changes it: its type is not that of any values. Other
/// types have nothing else.
static Value *loadHandle(llvm::IRBuilder<> &builder, Value *record,
                         uint64_t offset = kHandleOffset) {
  llvm::LoadInst *load = builder.CreateLoad(
      builder.getPtrTy(),
      builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), record, offset));
  llvm::MDBuilder nodes(load->getContext());
  llvm::MDNode *type = nodes.createTBAAScalarTypeNode(
      kHandleType, nodes.createTBAARoot("op2 handles"));
  load->setMetadata(llvm::LLVMContext::MD_tbaa,
                    nodes.createTBAAStructTagNode(type, type, 0));
  return load;
}

namespace {
/// The call of a C function in place of that of a module's.
class MakerRewriter {
public:
  MakerRewriter(const FortranArg &arg, FileLoops &loops)
      : arg(arg), loops(loops), builder(arg.maker) {}

  void run() {
    const ArgDescription &description = arg.description;
    if (description.isOptional)
      operands.push_back(builder.CreateLoad(
          builder.getInt32Ty(), getPassed(*arg.maker, arg.form.getFlag())));
    switch (description.kind) {
    case ArgDescription::Kind::Dat:
      if (arg.form.isMatrix) {
        addTensor();
        addValues(int(description.access));
        return replace("op2f_arg_mat");
      }
      operands.push_back(loadHandle(builder, arg.getData()));
      addMap();
      if (arg.form.hasLevels) {
        operands.push_back(builder.getInt32(unsigned(description.firstLevel)));
        operands.push_back(builder.getInt32(unsigned(description.levels)));
      }
      addValues(int(description.access));
      return replace(arg.form.hasLevels       ? "op2f_arg_dat_layers"
                     : description.isOptional ? "op2f_opt_arg_dat"
                                              : "op2f_arg_dat");
    case ArgDescription::Kind::Index:
      addMap();
      return replace("op_arg_idx");
    case ArgDescription::Kind::Global:
      operands.push_back(arg.getData());
      addValues(int(description.access));
      return replace(description.isOptional ? "op2f_opt_arg_gbl"
                                            : "op2f_arg_gbl");
    case ArgDescription::Kind::Info:
      operands.push_back(arg.getData());
      addValues(int(description.follows));
      return replace("op2f_arg_info");
    }
  }

private:
  void addTensor() {
    operands.push_back(loadHandle(builder, arg.getData(), /*offset=*/0));
    for (unsigned index : {arg.form.getIndex(), arg.form.getColIndex()}) {
      int64_t slot = *findInteger(*arg.maker, index);
      operands.push_back(
          builder.getInt32(unsigned(slot > 0 ? slot - 1 : slot)));
      operands.push_back(loadHandle(builder, getPassed(*arg.maker, index + 1)));
    }
    operands.push_back(builder.getInt32(
        unsigned(*findInteger(*arg.maker, arg.form.getRowDim()))));
  }

  void addMap() {
    operands.push_back(builder.getInt32(unsigned(arg.description.isPacked
                                                     ? -arg.description.count
                                                     : arg.description.slot)));
    operands.push_back(
        arg.getMap() ? loadHandle(builder, arg.getMap())
                     : llvm::ConstantPointerNull::get(builder.getPtrTy()));
  }

  void addValues(int access) {
    std::optional<int64_t> dim = findInteger(*arg.maker, arg.form.getDim());
    Value *passed = getPassed(*arg.maker, arg.form.getDim());
    operands.push_back(
        dim ? static_cast<Value *>(builder.getInt32(unsigned(*dim)))
            : builder.CreateLoad(builder.getInt32Ty(), passed));
    operands.push_back(builder.CreateGlobalString(arg.type.text));
    operands.push_back(builder.getInt32(unsigned(access)));
  }

  void replace(llvm::StringRef symbol) {
    Value *result = arg.maker->getArgOperand(0);
    operands.insert(operands.begin(), result);
    std::vector<llvm::Type *> types;
    for (const Value *operand : operands)
      types.push_back(operand->getType());
    auto *function = llvm::cast<Function>(
        arg.maker->getModule()
            ->getOrInsertFunction(
                symbol, llvm::FunctionType::get(builder.getVoidTy(), types,
                                                /*isVarArg=*/false))
            .getCallee());
    auto sret = llvm::Attribute::getWithStructRetType(
        builder.getContext(),
        llvm::cast<llvm::AllocaInst>(result)->getAllocatedType());
    function->addParamAttr(0, sret);
    llvm::CallInst *call = builder.CreateCall(function, operands);
    call->addParamAttr(0, sret);
    loops.argumentMakers.insert(
        {symbol.str(),
         {arg.description.kind, arg.description.isOptional,
          /*isOpaque=*/arg.form.isMatrix || arg.form.hasLevels}});
    eraseWithOperands(*arg.maker);
  }

  const FortranArg &arg;
  FileLoops &loops;
  llvm::IRBuilder<> builder;
  std::vector<Value *> operands;
};
} // namespace

static std::vector<llvm::Type *> getStubTypes(const FortranLoop &loop) {
  unsigned count = kFirstOpArg + loop.call->arg_size() - FortranLoop::kFirst;
  return std::vector<llvm::Type *>(
      count, llvm::PointerType::getUnqual(loop.call->getContext()));
}

/// What the sequential loop's names end with.
static llvm::StringRef getSuffix(ParLoop over) {
  return over == ParLoop::OverSubset   ? "_subset"
         : over == ParLoop::OverLayers ? "_layers"
                                       : "";
}

/// What runs the loop sequentially, in the form of a stub.
static Function *createSequential(const FortranLoop &loop) {
  llvm::Module &module = *loop.call->getModule();
  llvm::LLVMContext &context = module.getContext();
  std::vector<llvm::Type *> types = getStubTypes(loop);
  auto numArgs = unsigned(types.size()) - kFirstOpArg;
  std::string suffix = getSuffix(loop.over).str();
  std::string symbol =
      "op2.sequential" + suffix + "." + std::to_string(numArgs);
  if (Function *known = module.getFunction(symbol))
    return known;
  auto *function = Function::Create(
      llvm::FunctionType::get(llvm::Type::getVoidTy(context), types,
                              /*isVarArg=*/false),
      llvm::GlobalValue::InternalLinkage, symbol, module);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", function));
  llvm::Type *opArg = llvm::ArrayType::get(builder.getInt8Ty(), sizeof(op_arg));
  llvm::AllocaInst *array =
      builder.CreateAlloca(llvm::ArrayType::get(opArg, numArgs));
  array->setAlignment(llvm::Align(8));
  for (unsigned i = 0; i < numArgs; ++i)
    builder.CreateMemCpy(builder.CreateConstInBoundsGEP1_32(opArg, array, i),
                         llvm::Align(8), function->getArg(kFirstOpArg + i),
                         llvm::Align(8), sizeof(op_arg));
  llvm::Type *pointer = builder.getPtrTy();
  llvm::FunctionCallee run = module.getOrInsertFunction(
      "op2f_par_loop" + suffix, builder.getVoidTy(), pointer, pointer, pointer,
      builder.getInt32Ty(), pointer);
  builder.CreateCall(run,
                     {function->getArg(0), function->getArg(1),
                      function->getArg(2), builder.getInt32(numArgs), array});
  builder.CreateRetVoid();
  return function;
}

/// `kernel`, with numbers of elements from 1: the compiled loop's are from 0.
static Function *countFromOne(Function &kernel, const LoopDescription &loop,
                              bool isKept) {
  llvm::Module &module = *kernel.getParent();
  Function *adapter = Function::Create(kernel.getFunctionType(),
                                       llvm::GlobalValue::InternalLinkage,
                                       kernel.getName() + ".from1", module);
  adapter->setAttributes(llvm::AttributeList().addFnAttributes(
      module.getContext(),
      llvm::AttrBuilder(module.getContext(),
                        kernel.getAttributes().getFnAttrs())));
  llvm::IRBuilder<> builder(
      llvm::BasicBlock::Create(module.getContext(), "", adapter));
  llvm::Type *int32 = builder.getInt32Ty();
  std::vector<Value *> arguments;
  for (llvm::Argument &parameter : adapter->args()) {
    Value *passed = &parameter;
    if (loop.args[parameter.getArgNo()].kind == ArgDescription::Kind::Index) {
      passed = builder.CreateAlloca(int32);
      builder.CreateStore(
          builder.CreateNSWAdd(builder.CreateLoad(int32, &parameter),
                               builder.getInt32(1)),
          passed);
    }
    arguments.push_back(passed);
  }
  llvm::CallInst *call = builder.CreateCall(&kernel, arguments);
  if (!isKept)
    call->addFnAttr(llvm::Attribute::AlwaysInline);
  builder.CreateRetVoid();
  return adapter;
}

static void createAnchor(llvm::Module &module, const std::string &symbol,
                         Function &function) {
  new llvm::GlobalVariable(module, function.getType(), /*isConstant=*/true,
                           llvm::GlobalValue::InternalLinkage, &function,
                           symbol);
}

void op2::frontend::rewriteLoop(FortranLoop &loop, FileLoops &loops) {
  LoopDescription &description = *loop.description;
  llvm::Module &module = *loop.call->getModule();
  createAnchor(module, description.getTemplateAnchor(),
               *createSequential(loop));
  if (loop.kernel) {
    Function *kernel = loop.kernel;
    bool counts = llvm::any_of(description.args, [](const auto &arg) {
      return arg.kind == ArgDescription::Kind::Index;
    });
    if (counts && !description.fallsBack())
      kernel = countFromOne(*kernel, description, loops.keepsKernels);
    if (loops.keepsKernels) {
      kernel->addFnAttr(llvm::Attribute::OptimizeNone);
      kernel->addFnAttr(llvm::Attribute::NoInline);
    }
    createAnchor(module, description.getKernelAnchor(), *kernel);
  }
  auto *stub = Function::Create(
      llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()),
                              getStubTypes(loop), /*isVarArg=*/false),
      llvm::GlobalValue::ExternalLinkage, description.stubSymbol, module);
  for (llvm::Attribute attribute :
       loop.call->getFunction()->getAttributes().getFnAttrs())
    if (attribute.isStringAttribute())
      stub->addFnAttr(attribute);

  llvm::IRBuilder<> builder(loop.call);
  std::vector<Value *> operands{
      loop.procedure, builder.CreateGlobalString(description.name),
      loadHandle(builder, loop.call->getArgOperand(1),
                 loop.over == ParLoop::OverSet ? kHandleOffset : 0)};
  for (unsigned i = FortranLoop::kFirst; i < loop.call->arg_size(); ++i)
    operands.push_back(loop.call->getArgOperand(i));
  builder.CreateCall(stub, operands);
  loop.call->eraseFromParent();
  // A loop that falls back takes whatever the modules make.
  if (description.fallsBack())
    return;
  for (const FortranArg &arg : loop.args)
    MakerRewriter(arg, loops).run();
}

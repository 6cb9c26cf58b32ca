//===- LoopTranslator.cpp - From flang's LLVM IR to loops -----------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopTranslator.h"
#include "Diagnostics.h"
#include "FortranLoop.h"
#include "InternalKernel.h"
#include "KernelFiles.h"
#include "OP2/API/op_lib_core.h"
#include "PassedArrays.h"
#include "PassedValues.h"
#include "SourcePlace.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Support/Path.h"

using namespace op2::frontend;
using llvm::CallBase;
using llvm::Function;
using llvm::Value;

namespace {
class LoopTranslator {
public:
  LoopTranslator(llvm::Module &module, FileLoops &loops,
                 const PluginOptions &options,
                 llvm::ArrayRef<std::string> folders,
                 clang::DiagnosticsEngine &diags)
      : module(module), loops(loops), options(options), folders(folders),
        diags(diags) {}

  bool run() {
    std::vector<CallBase *> calls = findCalls();
    if (calls.empty()) {
      requireContiguousArrays();
      return false;
    }
    loops.layout = {offsetof(op_arg, dat),     offsetof(op_arg, map),
                    offsetof(op_arg, dim),     offsetof(op_arg, data),
                    offsetof(op_arg, opt),     offsetof(op_arg, merge),
                    offsetof(op_arg, identity)};
    for (CallBase *call : calls)
      translate(*call);
    guessArities();
    requireContiguousArrays();
    internal.dropTrampolines();
    return true;
  }

private:
  /// In the order of the program.
  std::vector<CallBase *> findCalls() {
    std::vector<CallBase *> calls;
    for (Function &function : module)
      for (llvm::Instruction &inst : llvm::instructions(function))
        if (auto *call = llvm::dyn_cast<llvm::CallInst>(&inst))
          if (const Function *callee = call->getCalledFunction();
              callee && callee->isDeclaration() &&
              getParLoop(*callee) != ParLoop::None)
            calls.push_back(call);
    return calls;
  }

  /// Of arguments that are not made in the call of a loop.
  void requireContiguousArrays() {
    for (Function &function : module)
      if (function.isDeclaration() && getMaker(function))
        for (llvm::User *user : function.users())
          if (auto *call = llvm::dyn_cast<CallBase>(user);
              call && call->getCalledFunction() == &function)
            requireContiguous(*call, describePlace(*call));
  }

  static std::string describePlace(const CallBase &maker) {
    const llvm::DILocation *place = maker.getDebugLoc();
    return "op_arg_gbl" +
           (place
                ? " (" + llvm::sys::path::filename(place->getFilename()).str() +
                      ":" + std::to_string(place->getLine()) + ")"
                : "");
  }

  void translate(CallBase &call) {
    FortranLoop loop;
    loop.call = &call;
    loop.procedure = call.getArgOperand(0);
    loop.over = getParLoop(*call.getCalledFunction());
    describe(loop);
    loop.description->isOverLayers = loop.over == ParLoop::OverLayers;
    std::string problem = findKernel(loop);
    std::string reason = readArguments(loop);
    if (reason.empty()) {
      if (!checkModules(loop) || !checkArguments(loop, diags))
        return;
      for (const FortranArg &arg : loop.args)
        loop.description->args.push_back(arg.description);
      if (!checkAgainstKernel(loop))
        return;
      for (const ArgDescription &arg : loop.description->args)
        if (arg.isGlobal() && arg.dim == kDynamicDim && reason.empty())
          reason = "the dim of a global is neither a constant nor the extent "
                   "of a dummy argument";
      findSameHandles(loop);
      setKeys(loop);
      if (loop.over == ParLoop::OverSubset)
        loop.description->runOverSubset();
    }
    if (!problem.empty())
      reason = "kernel '" + loop.description->kernelName + "': " + problem;
    if (!reason.empty())
      loop.description->fallBack(reason, diags, options.warnings);
    rewriteLoop(loop, loops);
  }

  void describe(FortranLoop &loop) {
    auto description = std::make_unique<LoopDescription>();
    description->hasExceptions = false;
    if (const llvm::DILocation *place = loop.call->getDebugLoc()) {
      description->location = getPlace(place, diags.getSourceManager());
      description->file = place->getFilename().str();
      description->line = place->getLine();
      description->column = place->getColumn();
    }
    loop.description = description.get();
    loops.loops.push_back(std::move(description));
  }

  /// Sets the kernel and what is named after it; returns why its code is not
  /// known, or "".
  std::string findKernel(FortranLoop &loop) {
    std::string problem;
    auto *procedure = llvm::dyn_cast<Function>(loop.procedure);
    bool isInternal = InternalKernels::isTrampoline(*loop.procedure);
    const Function *named =
        isInternal ? InternalKernels::getProcedure(*loop.procedure) : procedure;
    name(loop, named ? getProcedureName(*named) : "unknown");
    if (isInternal) {
      procedure = internal.get(*loop.procedure, problem);
      if (procedure)
        loop.procedure = procedure;
    } else if (!procedure) {
      problem = "it is not a procedure known at compile time";
    }
    return procedure ? bringKernel(loop, *procedure) : problem;
  }

  /// Its code, and that of what it calls.
  std::string bringKernel(FortranLoop &loop, Function &procedure) {
    if (procedure.isDeclaration() && getModuleName(procedure).empty())
      return "its body is not in this file, and its name is not that of a "
             "module's procedure";
    std::string symbol = procedure.getName().str();
    std::string problem = importKernel(module, procedure, folders,
                                       loop.description->describePlace());
    // Linking may have replaced the declaration.
    Function *kernel = module.getFunction(symbol);
    loop.procedure = kernel;
    if (!kernel->isDeclaration())
      loop.kernel = kernel;
    return problem;
  }

  void name(FortranLoop &loop, const std::string &kernelName) {
    LoopDescription &description = *loop.description;
    description.name = description.kernelName = kernelName;
    description.stubSymbol = "__op2_loop_" +
                             std::to_string(loops.loops.size() - 1) + "_" +
                             kernelName;
  }

  /// op_args are what the library takes for them.
  bool checkModules(const FortranLoop &loop) {
    for (const FortranArg &arg : loop.args) {
      auto *variable =
          llvm::cast<llvm::AllocaInst>(arg.maker->getArgOperand(0));
      std::optional<llvm::TypeSize> size =
          variable->getAllocationSize(module.getDataLayout());
      if (size && size->getFixedValue() == sizeof(op_arg))
        continue;
      error(diags, loop.description->location, Problem::Version,
            "type(op_arg) is not that of op2-mlir's modules of this version");
      return false;
    }
    return true;
  }

  bool checkAgainstKernel(FortranLoop &loop) {
    const auto *kernel = llvm::dyn_cast<Function>(loop.procedure);
    // Of another file's external procedure flang declares what one call says.
    if (!kernel || (kernel->isDeclaration() && getModuleName(*kernel).empty()))
      return true;
    std::vector<FortranType> types;
    std::vector<int64_t> rowLengths;
    for (const FortranArg &arg : loop.args) {
      types.push_back(arg.type);
      rowLengths.push_back(arg.rowLength);
    }
    return checkSignature(*kernel, types, rowLengths, *loop.description, diags);
  }

  void setKeys(FortranLoop &loop) {
    loop.description->setKey = getKey(loop.call->getArgOperand(1));
    for (auto [arg, description] :
         llvm::zip(loop.args, loop.description->args)) {
      description.dataKey = getKey(arg.getData());
      description.mapKey = getKey(arg.getMap());
    }
  }

  /// A map is likely to have as many slots as the loops of the file use of what
  /// is in its place.
  void guessArities() {
    std::map<unsigned, int64_t> used; // by key
    for (const auto &loop : loops.loops)
      for (const ArgDescription &arg : loop->args)
        if (arg.isIndirect())
          used[arg.mapKey] = std::max(used[arg.mapKey], arg.slot + arg.count);
    for (const auto &loop : loops.loops)
      for (ArgDescription &arg : loop->args)
        if (arg.isIndirect())
          arg.likelyArity = used[arg.mapKey];
  }

  /// A number for each place of a handle; 0: none.
  unsigned getKey(const Value *place) {
    if (!place)
      return 0;
    for (auto [number, known] : llvm::enumerate(places))
      if (known && isSamePlace(place, known))
        return unsigned(number) + 1;
    places.emplace_back(const_cast<Value *>(place));
    return unsigned(places.size());
  }

  llvm::Module &module;
  FileLoops &loops;
  const PluginOptions &options;
  llvm::ArrayRef<std::string> folders;
  clang::DiagnosticsEngine &diags;
  InternalKernels internal;
  std::vector<llvm::WeakTrackingVH> places;
};
} // namespace

bool op2::frontend::translateLoops(llvm::Module &module, FileLoops &loops,
                                   const PluginOptions &options,
                                   llvm::ArrayRef<std::string> folders,
                                   clang::DiagnosticsEngine &diags) {
  return LoopTranslator(module, loops, options, folders, diags).run();
}

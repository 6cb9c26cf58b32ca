//===- ClangPlugin.cpp - The Clang plugin -----------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs before Clang's own code generation sees a declaration: finds the loops,
// checks them, redirects their calls, and leaves their descriptions to a pass
// at the start of LLVM's pipeline (CodeGeneration.cpp).
//
//===----------------------------------------------------------------------===//

#include "Annotations.h"
#include "ArgumentParser.h"
#include "CalleeSwap.h"
#include "Checks.h"
#include "CodeGeneration.h"
#include "DatDeclarations.h"
#include "DevicePlaces.h"
#include "Diagnostics.h"
#include "Extents.h"
#include "LoopFinder.h"
#include "MapArities.h"
#include "MissingKernels.h"
#include "PluginOptions.h"
#include "SameHandle.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/RecordLayout.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Sema/Sema.h"

using namespace clang;
using namespace op2::frontend;

namespace {

/// Does this run of clang generate code? Not where a file that does has a
/// module of headers built (-fmodules), with options like its own.
bool generatesCode(const CompilerInstance &compiler) {
  if (compiler.getLangOpts().getCompilingModule() == LangOptions::CMK_ModuleMap)
    return false;
  switch (compiler.getFrontendOpts().ProgramAction) {
  case frontend::EmitAssembly:
  case frontend::EmitBC:
  case frontend::EmitLLVM:
  case frontend::EmitLLVMOnly:
  case frontend::EmitCodeGenOnly:
  case frontend::EmitObj:
    return true;
  default:
    return false;
  }
}

class LoopConsumer : public ASTConsumer {
public:
  LoopConsumer(CompilerInstance &compiler, const PluginOptions &options,
               std::shared_ptr<FileLoops> fileLoops)
      : compiler(compiler), options(options), fileLoops(std::move(fileLoops)),
        diags(compiler.getDiagnostics()),
        finder(
            compiler.getSourceManager(),
            [this](CallExpr *call) { handleCall(call); },
            [this](CallExpr *call) { handleConstant(call); }),
        isGenerating(generatesCode(compiler)) {}

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    for (Decl *decl : group)
      finder.TraverseDecl(decl);
    return true;
  }

  // Of templates, also those that are no members.
  void HandleCXXStaticMemberVarInstantiation(VarDecl *variable) override {
    finder.TraverseDecl(variable);
  }

  // What needs the whole file: kernels may be defined after their loops.
  void HandleTranslationUnit(ASTContext &context) override {
    finder.traverseGenericLambdas();
    if (usesOP2(context)) {
      noteSharedFunctions(context);
      findOtherHeaders(context);
      fileLoops->writtenByC = finder.getWrittenByC();
    }
    // Who looks at the file may meet more of them, of modules.
    while (!loops.empty()) {
      std::vector<std::unique_ptr<ParsedLoop>> found = std::move(loops);
      loops.clear();
      for (const std::unique_ptr<ParsedLoop> &loop : found) {
        checkKernelIsHere(*loop);
        if (options.targets != std::vector<Target>{Target::Seq})
          findPlaces(*loop, context);
      }
      checkDatDeclarations(found, context);
      guessArities(found, context);
    }
  }

private:
  static bool usesOP2(const ASTContext &context) {
    IdentifierInfo &name = context.Idents.get("op_set_core");
    return !context.getTranslationUnitDecl()->lookup(&name).empty();
  }

  void noteSharedFunctions(ASTContext &context) {
    ASTNameGenerator names(context);
    for (const FunctionDecl *function : finder.getSharedFunctions())
      fileLoops->sharedFunctions.insert(names.getName(function));
  }

  /// A copy of OP2's headers beside the source is included before ours.
  void findOtherHeaders(const ASTContext &context) {
    IdentifierInfo &name = context.Idents.get("op_par_loop");
    const FunctionDecl *other = nullptr;
    for (const NamedDecl *decl :
         context.getTranslationUnitDecl()->lookup(&name))
      if (const FunctionDecl *function = decl->getAsFunction()) {
        if (!getOP2Annotation(function).empty())
          return;
        other = function;
      }
    if (other)
      warn(diags, other->getLocation(), options.warnings, Problem::Sequential,
           "loops are not compiled and run as this op_par_loop has them: it is "
           "not that of op2c++'s op_seq.h; remove the header, or include "
           "op2c++'s by <op_seq.h>");
  }

  /// Who imports a module gets the calls as they are, and none of our messages,
  /// whose numbers Clang would write to the file. A file that is compiled in
  /// the same step has to have the same calls.
  bool isInWrittenModule() const {
    bool isWritten =
        !isGenerating || !compiler.getFrontendOpts().ModuleOutputPath.empty();
    return compiler.getLangOpts().isCompilingModule() && isWritten;
  }

  // op_decl_const(dim, type, data)
  void handleConstant(const CallExpr *call) {
    if (!isInWrittenModule())
      checkExtent(call->getArg(2), call->getArg(0), compiler.getASTContext(),
                  options.warnings);
  }

  void handleCall(CallExpr *call) {
    ASTContext &context = compiler.getASTContext();
    if (isInWrittenModule()) {
      fileLoops->isWrittenModule = true;
      return;
    }
    if (!checkArgumentCount(call, context))
      return;
    auto loop = std::make_unique<ParsedLoop>();
    loop->call = call;
    std::optional<Unsupported> problem =
        ArgumentParser(context).parseLoop(*loop);
    if (!problem)
      completeRows(*loop);
    if (!problem && !checkArguments(*loop, context, options.warnings))
      return;
    describe(*loop);
    if (problem)
      loop->description->fallBack(problem->reason, diags, options.warnings,
                                  problem->location);
    if (isGenerating && runsPasses(*loop)) {
      findLayout(*loop);
      swapCallee(*loop, context, compiler.getASTConsumer());
    }
    if (!problem)
      loops.push_back(std::move(loop));
  }

  /// Rows may be structs of templates that have not been instantiated so far.
  void completeRows(const ParsedLoop &loop) {
    for (QualType parameter : loop.kernelType->getParamTypes()) {
      while (parameter->isPointerType())
        parameter = parameter->getPointeeType();
      if (compiler.hasSema() && parameter->isRecordType())
        (void)compiler.getSema().isCompleteType(loop.getLocation(), parameter);
    }
  }

  /// Will our pass run, which defines what calls are redirected to? Not in the
  /// steps that -save-temps and -disable-llvm-passes make of a compilation.
  bool runsPasses(const ParsedLoop &loop) {
    if (!compiler.getCodeGenOpts().DisableLLVMPasses)
      return true;
    loop.description->fallBack(
        "LLVM's passes do not run in this step (-save-temps?)", diags,
        options.warnings);
    return false;
  }

  /// Learns where op_arg has its fields. The loop falls back if it is not the
  /// struct of our headers.
  void findLayout(const ParsedLoop &loop) {
    if (hasLayout || loop.args.empty())
      return;
    ASTContext &context = compiler.getASTContext();
    const RecordDecl *record =
        loop.call->getArg(kFirstOpArg)->getType()->getAsRecordDecl();
    if (record)
      findFields(*record, context);
    if (!hasLayout)
      loop.description->fallBack(
          "op_arg is not the struct of op2-mlir's headers", diags,
          options.warnings);
  }

  void findFields(const RecordDecl &record, const ASTContext &context) {
    const ASTRecordLayout &layout = context.getASTRecordLayout(&record);
    unsigned found = 0;
    for (const FieldDecl *field : record.fields()) {
      uint64_t offset = layout.getFieldOffset(field->getFieldIndex()) / 8;
      StringRef name = field->getName();
      for (auto [wanted, place] :
           {std::pair<StringRef, uint64_t *>{"dat", &fileLoops->layout.dat},
            {"map", &fileLoops->layout.map},
            {"dim", &fileLoops->layout.dim},
            {"data", &fileLoops->layout.data},
            {"opt", &fileLoops->layout.opt},
            {"merge", &fileLoops->layout.merge},
            {"identity", &fileLoops->layout.identity}})
        if (name == wanted) {
          *place = offset;
          ++found;
        }
    }
    hasLayout = found == 7;
  }

  static std::string getKernelName(const FunctionDecl *kernel) {
    const auto *method = dyn_cast_or_null<CXXMethodDecl>(kernel);
    if (method && method->isLambdaStaticInvoker())
      return "lambda";
    return kernel ? kernel->getNameAsString() : "unknown";
  }

  void describe(ParsedLoop &loop) {
    auto description = std::make_unique<LoopDescription>();
    description->name = loop.name;
    description->location = loop.getLocation();
    PresumedLoc place = compiler.getSourceManager().getPresumedLoc(
        compiler.getSourceManager().getExpansionLoc(loop.getLocation()));
    if (place.isValid()) {
      description->file = place.getFilename();
      description->line = place.getLine();
      description->column = place.getColumn();
    }
    description->kernelName = getKernelName(loop.kernel);
    description->setKey = getFormKey(loop.call->getArg(kFirstOpArg - 1),
                                     compiler.getASTContext());
    for (auto [number, arg] : llvm::enumerate(loop.args)) {
      addMaker(arg);
      description->args.push_back(arg.description);
      ArgDescription &copy = description->args.back();
      if (loop.kernel && number < loop.kernel->getNumParams())
        copy.parameter = loop.kernel->getParamDecl(number)->getNameAsString();
      if (arg.access)
        copy.accessRange = compiler.getSourceManager().getExpansionRange(
            arg.access->getSourceRange());
    }
    if (loop.isOverSubset())
      description->runOverSubset();
    description->isOverLayers = loop.isOverLayers();
    description->stubSymbol = "__op2_loop_" +
                              std::to_string(fileLoops->loops.size()) + "_" +
                              description->kernelName;
    loop.description = description.get();
    fileLoops->loops.push_back(std::move(description));
  }

  /// Others have names in the object file that only Clang has.
  void addMaker(const ParsedArg &arg) {
    const FunctionDecl *maker =
        arg.call ? arg.call->getDirectCallee() : nullptr;
    if (maker && maker->isExternallyVisible())
      fileLoops->argumentMakers.insert(
          {ASTNameGenerator(compiler.getASTContext()).getName(maker),
           {arg.description.kind, arg.description.isOptional,
            arg.isMatrix || arg.merge || arg.level}});
  }

  void checkKernelIsHere(const ParsedLoop &loop) {
    // Who includes a precompiled header instantiates its templates.
    const auto *method = dyn_cast<CXXMethodDecl>(loop.kernel);
    if (loop.kernel->isDefined() || compiler.getLangOpts().CompilingPCH ||
        (method && method->isLambdaStaticInvoker()))
      return;
    loop.description->fallBack(
        "the body of kernel '" + loop.kernel->getNameAsString() +
            "' is not in this file; define it before the loop, or include the "
            "header that does",
        diags, options.warnings, loop.getKernelExpr()->getExprLoc());
  }

  CompilerInstance &compiler;
  PluginOptions options;
  std::shared_ptr<FileLoops> fileLoops;
  DiagnosticsEngine &diags;
  LoopFinder finder;
  std::vector<std::unique_ptr<ParsedLoop>> loops; ///< to be looked at, still
  bool isGenerating;
  bool hasLayout = false;
};

class OP2Action : public PluginASTAction {
protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler,
                                                 StringRef) override {
    auto fileLoops = std::make_shared<FileLoops>();
    // What is found in kernels' code is reported at its line, which therefore
    // must be known without -g, too; nothing of it gets into the object file.
    // For --coverage they are known, and counted when we are through.
    CodeGenOptions &codegen = compiler.getCodeGenOpts();
    fileLoops->callsKernels =
        !codegen.CoverageNotesFile.empty() || !codegen.CoverageDataFile.empty();
    if (codegen.getDebugInfo() == llvm::codegenoptions::NoDebugInfo &&
        !fileLoops->callsKernels) {
      codegen.setDebugInfo(options.writesPage()
                               ? llvm::codegenoptions::DebugLineTablesOnly
                               : llvm::codegenoptions::LocTrackingOnly);
      fileLoops->dropsPlaces = true;
    }
    codegen.PassBuilderCallbacks.push_back(
        [fileLoops, options = options,
         &diags = compiler.getDiagnostics()](llvm::PassBuilder &builder) {
          registerCodeGeneration(builder, fileLoops, options, diags);
        });
    noteMissingKernels(compiler);
    return std::make_unique<LoopConsumer>(compiler, options, fileLoops);
  }

  bool ParseArgs(const CompilerInstance &compiler,
                 const std::vector<std::string> &args) override {
    return options.parse(args, compiler.getDiagnostics()) &&
           findVectorLibrary(compiler);
  }

  /// libmvec, if requested by our option or by Clang's.
  bool findVectorLibrary(const CompilerInstance &compiler) {
    const llvm::Triple triple(compiler.getTargetOpts().Triple);
    const bool exists = triple.getArch() == llvm::Triple::x86_64 &&
                        triple.isOSLinux() && triple.isGNUEnvironment();
    std::optional<bool> &wanted = options.plan.vectorMath;
    if (!wanted)
      wanted = exists && compiler.getCodeGenOpts().getVecLib() ==
                             llvm::driver::VectorLibrary::LIBMVEC;
    if (!*wanted || exists)
      return true;
    DiagnosticsEngine &diags = compiler.getDiagnostics();
    error(diags, {}, Problem::Option,
          "--op2-veclib=libmvec: its functions are known for x86-64 Linux with "
          "glibc, not for '%0'")
        << triple.str();
    return false;
  }

  ActionType getActionType() override { return AddBeforeMainAction; }

private:
  PluginOptions options;
};
} // namespace

static FrontendPluginRegistry::Add<OP2Action>
    action("op2", "compile OP2's parallel loops");

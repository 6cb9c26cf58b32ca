//===- KernelFiles.cpp - Kernels of other files ---------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelFiles.h"
#include "FortranSymbols.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include <map>
#include <set>

using namespace op2::frontend;
using llvm::Function;
using llvm::GlobalValue;
using llvm::GlobalVariable;

/// Of a procedure the hash of its body, of a constant that of its value.
static constexpr char kBodyAttr[] = "op2.body";
static constexpr char kSuffix[] = ".op2.bc";

/// Null: none.
static llvm::Attribute getBodyAttr(const GlobalValue &value) {
  if (const auto *function = llvm::dyn_cast<Function>(&value))
    return function->getFnAttribute(kBodyAttr);
  return llvm::cast<GlobalVariable>(value).getAttribute(kBodyAttr);
}

static std::string getMarkerName(const GlobalValue &value) {
  return ("__op2_body_" + value.getName() + "_" +
          getBodyAttr(value).getValueAsString())
      .str();
}

/// Functions and constants that some functions name, directly or not; they
/// themselves, too.
static llvm::SetVector<GlobalValue *>
findNamed(llvm::ArrayRef<GlobalValue *> roots) {
  llvm::SetVector<GlobalValue *> found(roots.begin(), roots.end());
  std::function<void(const llvm::Constant &)> visit =
      [&](const llvm::Constant &constant) {
        if (auto *global = llvm::dyn_cast<GlobalValue>(&constant))
          found.insert(const_cast<GlobalValue *>(global));
        else
          for (const llvm::Value *operand : constant.operands())
            visit(*llvm::cast<llvm::Constant>(operand));
      };
  for (unsigned i = 0; i < found.size(); ++i) {
    auto visitOperands = [&](const llvm::User &user) {
      for (const llvm::Value *operand : user.operands())
        if (const auto *constant = llvm::dyn_cast<llvm::Constant>(operand))
          visit(*constant);
    };
    visitOperands(*found[i]);
    if (auto *function = llvm::dyn_cast<Function>(found[i]))
      for (const llvm::Instruction &inst : llvm::instructions(*function))
        visitOperands(inst);
  }
  return found;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Leaves of code what computes.
static void dropDetails(llvm::Module &module) {
  llvm::StripDebugInfo(module);
  for (Function &function : module) {
    function.setAttributes({});
    for (llvm::Instruction &inst : llvm::instructions(function)) {
      inst.dropUnknownNonDebugMetadata();
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&inst))
        call->setAttributes({});
    }
  }
}

/// Whether what is linked has to be what was copied: others belong to what
/// names them, and are part of its hash.
static bool hasMarker(const GlobalValue &value) {
  const auto *variable = llvm::dyn_cast<GlobalVariable>(&value);
  bool mayBeCopied =
      variable ? variable->isConstant() : llvm::isa<Function>(value);
  return mayBeCopied && !value.isDeclaration() && !value.hasLocalLinkage() &&
         !value.hasLinkOnceLinkage();
}

using TypeSet = llvm::SetVector<llvm::Type *>;

static void addRecords(llvm::Type *type, TypeSet &records) {
  if (type->isStructTy() && !records.insert(type))
    return;
  for (llvm::Type *inner : type->subtypes())
    addRecords(inner, records);
}

/// Derived types: instructions show their names only.
static void addRecords(const GlobalValue &value, TypeSet &records) {
  addRecords(value.getValueType(), records);
  const auto *function = llvm::dyn_cast<Function>(&value);
  if (!function)
    return;
  for (const llvm::Instruction &inst : llvm::instructions(function)) {
    addRecords(inst.getType(), records);
    if (const auto *element = llvm::dyn_cast<llvm::GetElementPtrInst>(&inst))
      addRecords(element->getSourceElementType(), records);
    if (const auto *memory = llvm::dyn_cast<llvm::AllocaInst>(&inst))
      addRecords(memory->getAllocatedType(), records);
    for (const llvm::Value *operand : inst.operands())
      if (const auto *element = llvm::dyn_cast<llvm::GEPOperator>(operand))
        addRecords(element->getSourceElementType(), records);
  }
}

/// Of a body or value, with what it names that has no name outside of the file.
static std::string hashBody(GlobalValue &of) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  TypeSet records;
  for (GlobalValue *value : findNamed(&of))
    if (value == &of || value->hasLocalLinkage() ||
        value->hasLinkOnceLinkage()) {
      value->print(stream);
      addRecords(*value, records);
    }
  for (const llvm::Type *record : records)
    record->print(stream, /*IsForDebug=*/false, /*NoDetails=*/false);
  llvm::MD5 hash;
  hash.update(text);
  llvm::MD5::MD5Result result;
  hash.final(result);
  return result.digest().substr(0, 16).str();
}

static bool isOfModule(const GlobalValue &value) {
  return value.getName().starts_with(kModulePrefix) ||
         (llvm::isa<Function>(value) && !getModuleName(value).empty());
}

static void markBodies(llvm::Module &module) {
  std::unique_ptr<llvm::Module> plain = llvm::CloneModule(module);
  dropDetails(*plain);
  std::vector<GlobalValue *> marked;
  for (Function &function : module)
    if (hasMarker(function)) {
      function.addFnAttr(kBodyAttr,
                         hashBody(*plain->getFunction(function.getName())));
      marked.push_back(&function);
    }
  for (GlobalVariable &variable : module.globals())
    if (hasMarker(variable)) {
      variable.addAttribute(
          kBodyAttr, hashBody(*plain->getNamedGlobal(variable.getName())));
      marked.push_back(&variable);
    }
  llvm::Type *byte = llvm::Type::getInt8Ty(module.getContext());
  for (const GlobalValue *value : marked)
    new GlobalVariable(module, byte, /*isConstant=*/true,
                       GlobalValue::ExternalLinkage,
                       llvm::ConstantInt::get(byte, 0), getMarkerName(*value));
}

/// Of the file's modules; there may be several.
static std::set<std::string> findModules(const llvm::Module &module) {
  std::set<std::string> names;
  for (const GlobalValue &value : module.global_values())
    if (!value.isDeclaration() && !value.hasLinkOnceLinkage() &&
        isOfModule(value))
      names.insert(getModuleName(value));
  return names;
}

std::string op2::frontend::writeKernelFiles(llvm::Module &module,
                                            llvm::StringRef folder) {
  std::set<std::string> names = findModules(module);
  if (names.empty())
    return "";
  // Saved variables of procedures: copies of bodies mean the same ones.
  for (GlobalVariable &variable : module.globals())
    if (variable.hasLocalLinkage() && !variable.isConstant() &&
        isOfModule(variable))
      variable.setLinkage(GlobalValue::ExternalLinkage);
  markBodies(module);
  std::unique_ptr<llvm::Module> clone = llvm::CloneModule(module);
  // A submodule's procedures are its parent's, and in another file. Without
  // procedures there is no debug information.
  std::string file;
  for (const llvm::DICompileUnit *unit : module.debug_compile_units())
    file = "-" + llvm::sys::path::stem(unit->getFilename()).str();
  for (const std::string &name : names) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, name + file + kSuffix);
    llvm::Error error =
        llvm::writeToOutput(path, [&](llvm::raw_ostream &stream) {
          llvm::WriteBitcodeToFile(*clone, stream);
          return llvm::Error::success();
        });
    if (error)
      return "cannot write '" + path.str().str() +
             "': " + llvm::toString(std::move(error));
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// The files of a module in a folder, the newest first: those of source files
/// that have been renamed may lie there as well.
static std::vector<std::string> findFiles(llvm::StringRef folder,
                                          llvm::StringRef owner) {
  std::vector<std::pair<llvm::sys::TimePoint<>, std::string>> found;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(folder, error), end;
       !error && it != end; it.increment(error)) {
    llvm::StringRef name = llvm::sys::path::filename(it->path());
    llvm::sys::fs::file_status status;
    if (name.consume_front(owner) && name.consume_back(kSuffix) &&
        (name.empty() || name.starts_with("-")) &&
        !llvm::sys::fs::status(it->path(), status))
      found.push_back({status.getLastModificationTime(), it->path()});
  }
  llvm::sort(found, std::greater<>());
  std::vector<std::string> paths;
  for (const auto &[time, path] : found)
    paths.push_back(path);
  return paths;
}

namespace {
/// Brings what one kernel is made of.
class Importer {
public:
  Importer(llvm::Module &module, llvm::ArrayRef<std::string> folders,
           const std::string &place)
      : module(module), folders(folders), place(place) {
    for (const Function &function : module)
      if (!function.isDeclaration())
        model = &function;
  }

  std::string run(Function &kernel) {
    std::string name = kernel.getName().str();
    while (true) {
      std::map<std::string, std::vector<std::string>> missing =
          findMissing(*module.getFunction(name));
      if (missing.empty())
        break;
      for (const auto &[owner, symbols] : missing)
        if (std::string problem = bring(owner, symbols); !problem.empty())
          return problem;
    }
    if (module.getFunction(name)->isDeclaration())
      return "its body is not known: no '" +
             getModuleName(*module.getFunction(name)) + "-*" + kSuffix +
             "' in the folders of .mod files has it; compile its module with "
             "op2fc first";
    return "";
  }

private:
  /// What a kernel names that is declared only: symbols by their module.
  std::map<std::string, std::vector<std::string>>
  findMissing(Function &kernel) {
    std::map<std::string, std::vector<std::string>> missing;
    for (GlobalValue *value : findNamed(&kernel)) {
      const auto *variable = llvm::dyn_cast<GlobalVariable>(value);
      if (!value->isDeclaration() || (variable && !variable->isConstant()) ||
          !isOfModule(*value))
        continue;
      if (tried.insert(value->getName().str()).second)
        missing[getModuleName(*value)].push_back(value->getName().str());
    }
    return missing;
  }

  /// Links the bodies of `symbols`, of the module `owner`, from its files.
  std::string bring(const std::string &owner,
                    std::vector<std::string> symbols) {
    for (const std::string &folder : folders)
      for (const std::string &path : findFiles(folder, owner)) {
        llvm::SMDiagnostic error;
        std::unique_ptr<llvm::Module> file =
            llvm::parseIRFile(path, error, module.getContext());
        if (!file)
          return "'" + path + "' cannot be read: " + error.getMessage().str();
        if (std::string problem = link(std::move(file), symbols);
            !problem.empty())
          return problem;
        if (symbols.empty())
          return "";
      }
    return "";
  }

  /// Takes those away from `symbols` that the file has.
  std::string link(std::unique_ptr<llvm::Module> file,
                   std::vector<std::string> &symbols) {
    std::vector<GlobalValue *> roots;
    llvm::erase_if(symbols, [&](const std::string &symbol) {
      GlobalValue *value = file->getNamedValue(symbol);
      if (!value || value->isDeclaration())
        return false;
      roots.push_back(value);
      return true;
    });
    if (roots.empty())
      return "";
    llvm::SetVector<GlobalValue *> kept = findNamed(roots);
    for (const GlobalValue *value : kept)
      if (hasMarker(*value) && !getBodyAttr(*value).isValid())
        return "the file of '" + value->getName().str() +
               "' was written by another version of op2fc";
    std::vector<std::string> markers;
    for (Function &function : *file)
      prepare(function, kept.contains(&function), markers);
    for (GlobalVariable &variable : file->globals())
      if (!prepare(variable, kept.contains(&variable), markers))
        return "it uses a variable that has no name outside of its file";
    for (const GlobalVariable &variable : file->globals())
      if (kept.contains(&variable))
        if (std::string problem = takeSize(variable); !problem.empty())
          return problem;
    if (llvm::NamedMDNode *node = file->getNamedMetadata("llvm.ident"))
      node->eraseFromParent();
    if (llvm::Linker::linkModules(module, std::move(file),
                                  llvm::Linker::LinkOnlyNeeded))
      return "its body cannot be linked";
    requireBodies(markers);
    return "";
  }

  /// Common blocks may be larger where the kernel is.
  std::string takeSize(const GlobalVariable &there) {
    GlobalVariable *here = module.getNamedGlobal(there.getName());
    auto sizeOf = [&](const GlobalVariable &variable) {
      return module.getDataLayout()
          .getTypeAllocSize(variable.getValueType())
          .getFixedValue();
    };
    if (!here || there.hasLocalLinkage() || sizeOf(there) <= sizeOf(*here))
      return "";
    if (!here->isDeclaration() && !here->hasCommonLinkage())
      return "'" + there.getName().str() + "' has " +
             std::to_string(sizeOf(there)) + " bytes there, and " +
             std::to_string(sizeOf(*here)) + " here";
    llvm::Type *type = there.getValueType();
    auto *larger = new GlobalVariable(
        module, type, here->isConstant(), here->getLinkage(),
        here->isDeclaration() ? nullptr : llvm::Constant::getNullValue(type),
        "", here);
    larger->copyAttributesFrom(here);
    larger->copyMetadata(here, /*Offset=*/0);
    larger->takeName(here);
    here->replaceAllUsesWith(larger);
    here->eraseFromParent();
    return "";
  }

  void prepare(Function &function, bool isKept,
               std::vector<std::string> &markers) const {
    if (function.isDeclaration())
      return;
    function.setComdat(nullptr);
    if (!isKept) {
      function.deleteBody();
      return;
    }
    if (hasMarker(function)) {
      markers.push_back(getMarkerName(function));
      function.setLinkage(GlobalValue::AvailableExternallyLinkage);
    }
    // For the processor of the loop's file.
    for (const char *attribute : {"target-cpu", "tune-cpu", "target-features"})
      function.removeFnAttr(attribute);
    if (model)
      for (const char *attribute :
           {"target-cpu", "tune-cpu", "target-features"})
        if (model->hasFnAttribute(attribute))
          function.addFnAttr(model->getFnAttribute(attribute));
  }

  static bool prepare(GlobalVariable &variable, bool isKept,
                      std::vector<std::string> &markers) {
    variable.eraseMetadata(llvm::LLVMContext::MD_dbg);
    if (!variable.hasInitializer() || variable.hasLinkOnceLinkage())
      return true;
    if (variable.isConstant() && (isKept || variable.hasLocalLinkage())) {
      if (!variable.hasLocalLinkage()) {
        markers.push_back(getMarkerName(variable));
        variable.setLinkage(GlobalValue::AvailableExternallyLinkage);
      }
      return true;
    }
    if (variable.hasLocalLinkage())
      return !isKept;
    variable.setComdat(nullptr);
    variable.setInitializer(nullptr);
    variable.setLinkage(GlobalValue::ExternalLinkage);
    return true;
  }

  /// The program is linked only with an object file that has these bodies. Of a
  /// reference to another one ld names the section and lld the variable, with
  /// or without debug information.
  void requireBodies(const std::vector<std::string> &markers) {
    llvm::Type *byte = llvm::Type::getInt8Ty(module.getContext());
    std::vector<llvm::Constant *> fresh;
    for (const std::string &marker : markers)
      if (!module.getNamedGlobal(marker))
        fresh.push_back(new GlobalVariable(module, byte, /*isConstant=*/true,
                                           GlobalValue::ExternalLinkage,
                                           nullptr, marker));
    if (fresh.empty())
      return;
    auto *type = llvm::ArrayType::get(fresh.front()->getType(), fresh.size());
    std::string name = "kernel_of_loop_at_" + place;
    auto *list = new GlobalVariable(
        module, type, /*isConstant=*/true, GlobalValue::InternalLinkage,
        llvm::ConstantArray::get(type, fresh), name);
    list->setSection("." + name);
    llvm::appendToUsed(module, {list});
  }

  llvm::Module &module;
  llvm::ArrayRef<std::string> folders;
  const std::string &place;
  const Function *model = nullptr;
  std::set<std::string> tried;
};
} // namespace

std::string op2::frontend::importKernel(llvm::Module &module, Function &kernel,
                                        llvm::ArrayRef<std::string> folders,
                                        const std::string &place) {
  return Importer(module, folders, place).run(kernel);
}

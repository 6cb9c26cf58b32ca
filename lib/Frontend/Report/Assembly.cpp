//===- Assembly.cpp - Machine code with the lines it comes from -----------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Listing.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <map>

using namespace op2::frontend;
using llvm::StringRef;

/// Functions have the processor and its features as attributes.
static std::unique_ptr<llvm::TargetMachine>
createMachine(const llvm::Module &module, llvm::OptimizationLevel level,
              std::string &problem) {
  const llvm::Triple &triple = module.getTargetTriple();
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, problem);
  if (!target)
    return nullptr;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, "", "", llvm::TargetOptions(), llvm::Reloc::PIC_, std::nullopt,
      llvm::CodeGenOpt::getLevel(int(level.getSpeedupLevel()))
          .value_or(llvm::CodeGenOptLevel::Default)));
}

static std::string emit(llvm::Module &module, llvm::OptimizationLevel level,
                        std::string &problem) {
  std::unique_ptr<llvm::TargetMachine> machine =
      createMachine(module, level, problem);
  if (!machine)
    return "";
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr,
                                   llvm::CodeGenFileType::AssemblyFile)) {
    problem = "the target writes no assembly";
    return "";
  }
  passes.run(module);
  return text.str().str();
}

namespace {
/// The directives that say where instructions come from.
class PlaceReader {
public:
  SourceLine place; ///< of what follows

  /// Whether the line is such a directive.
  bool read(StringRef words) {
    if (words.consume_front(".file"))
      readFile(words.trim());
    else if (words.consume_front(".loc"))
      readPlace(words.trim());
    else
      return false;
    return true;
  }

private:
  /// N "folder" "name" ..., or N "name".
  void readFile(StringRef words) {
    unsigned number;
    if (words.consumeInteger(10, number))
      return;
    llvm::SmallVector<StringRef> parts;
    words.split(parts, '"');
    llvm::SmallString<128> path;
    if (parts.size() > 3)
      path = parts[1];
    if (parts.size() > 1)
      llvm::sys::path::append(path, parts.size() > 3 ? parts[3] : parts[1]);
    if (parts.size() > 3 && llvm::sys::path::is_absolute(parts[3]))
      path = parts[3];
    files[number] = path.str().str();
  }

  void readPlace(StringRef words) {
    unsigned file, line;
    if (words.consumeInteger(10, file) ||
        (words = words.ltrim()).consumeInteger(10, line))
      return;
    place = line ? SourceLine{files[file], line} : SourceLine();
  }

  std::map<unsigned, std::string> files;
};

/// Without comments, which repeat what is known.
void addLine(ListedFunction &function, StringRef line, StringRef comment,
             SourceLine at) {
  StringRef code = line.split(comment).first.rtrim();
  std::string text;
  for (char letter : code.ltrim('\t'))
    text += letter == '\t' ? ' ' : letter;
  bool isLabel = !code.starts_with("\t");
  function.text.push_back((isLabel ? "" : "  ") + text);
  function.places.push_back(std::move(at));
}

/// Reads the text of a module: labels, instructions, and where they come from.
class AssemblyReader {
public:
  AssemblyReader(const std::map<std::string, std::string> &loops,
                 Assembly &result)
      : loops(loops), result(result) {}

  void read(StringRef line) {
    line = line.rtrim();
    StringRef words = line.ltrim();
    if (places.read(words))
      return;
    if (!line.empty() && line.front() != '\t' && line.front() != ' ')
      return readLabel(line.split('#').first.rtrim());
    if (function && !words.empty() && words.front() != '.' &&
        words.front() != '#')
      addLine(*function, line, "\t#", places.place);
  }

private:
  void readLabel(StringRef line) {
    if (!line.consume_back(":"))
      return;
    StringRef name = line;
    if (name.consume_front("\""))
      name.consume_back("\"");
    if (auto loop = loops.find(name.str()); loop != loops.end()) {
      result.functions.push_back({loop->second, {name.str(), {}, {}, {}}});
      function = &result.functions.back().second;
      places.place = {};
      addLine(*function, name.str() + ":", "\t#", {});
      return;
    }
    if (line.starts_with(".Lfunc_end"))
      function = nullptr;
    else if (function && !line.starts_with(".Ltmp") &&
             !line.starts_with(".Lfunc_begin"))
      addLine(*function, line.str() + ":", "\t#", {});
  }

  const std::map<std::string, std::string> &loops;
  Assembly &result;
  ListedFunction *function = nullptr;
  PlaceReader places;
};
} // namespace

static llvm::SmallVector<StringRef> splitLines(StringRef text) {
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n');
  return lines;
}

Assembly op2::frontend::assembleLoops(const llvm::Module &module,
                                      llvm::OptimizationLevel level) {
  Assembly result;
  std::map<std::string, std::string> loops; // by function
  for (const llvm::Function &function : module)
    if (!function.isDeclaration() && function.hasFnAttribute(kLoopAttr))
      loops[function.getName().str()] =
          function.getFnAttribute(kLoopAttr).getValueAsString().str();
  if (loops.empty())
    return result;
  // Of everything else declarations do: initial values may name what is left
  // out, as labels of other functions.
  llvm::ValueToValueMapTy map;
  std::unique_ptr<llvm::Module> clone =
      llvm::CloneModule(module, map, [&](const llvm::GlobalValue *value) {
        return llvm::isa<llvm::Function>(value) &&
               loops.count(value->getName().str());
      });
  for (llvm::GlobalVariable &variable :
       llvm::make_early_inc_range(clone->globals()))
    if (variable.use_empty())
      variable.eraseFromParent();
  std::string text = emit(*clone, level, result.problem);
  AssemblyReader reader(loops, result);
  for (StringRef line : splitLines(text))
    reader.read(line);
  return result;
}

Listing op2::frontend::listDeviceCode(
    StringRef ptx,
    const std::map<std::string, std::vector<std::string>> &launches) {
  Listing listing;
  for (const auto &[loop, kernels] : launches)
    listing.push_back({loop, {}, {}, kernels});
  llvm::SmallVector<StringRef> lines = splitLines(ptx);
  PlaceReader places;
  for (StringRef line : lines) // they stand at the end
    if (line.trim().starts_with(".file"))
      places.read(line.trim());
  bool isInside = false;
  for (StringRef line : lines) {
    StringRef words = line.trim();
    if (auto [before, name] = words.split(".entry "); !name.empty()) {
      listing.push_back({name.split('(').first.str(), {}, {}, {}});
      places.place = {};
      isInside = true;
    } else if (line.starts_with("}")) {
      isInside = false;
    } else if (isInside && !places.read(words)) {
      bool isLabel = line.starts_with("$L__BB") && words.contains(':');
      bool isCode = line.starts_with("\t") && !words.starts_with(".") &&
                    !words.starts_with("//");
      if (isLabel || isCode)
        addLine(listing.back(), line, "//",
                isCode ? places.place : SourceLine());
    }
  }
  return listing;
}

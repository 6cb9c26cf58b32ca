//===- MissingKernels.cpp - Headers that define missing kernels -----------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MissingKernels.h"
#include "Diagnostics.h"
#include "clang/AST/DeclarationName.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

using namespace clang;
using namespace op2::frontend;

namespace {
/// Hands diagnostics on to the consumer that was there.
class KernelNotes : public DiagnosticConsumer {
public:
  KernelNotes(CompilerInstance &compiler,
              std::unique_ptr<DiagnosticConsumer> next)
      : compiler(compiler), next(std::move(next)) {}

  void clear() override {
    DiagnosticConsumer::clear();
    next->clear();
  }
  void BeginSourceFile(const LangOptions &options,
                       const Preprocessor *preprocessor) override {
    next->BeginSourceFile(options, preprocessor);
  }
  void EndSourceFile() override { next->EndSourceFile(); }
  void finish() override { next->finish(); }
  bool IncludeInDiagnosticCounts() const override {
    return next->IncludeInDiagnosticCounts();
  }
  void HandleDiagnostic(DiagnosticsEngine::Level level,
                        const Diagnostic &diagnostic) override {
    DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
    next->HandleDiagnostic(level, diagnostic);
    if (diagnostic.getID() == diag::err_undeclared_var_use)
      explain(diagnostic);
  }

private:
  void explain(const Diagnostic &diagnostic);
  std::string findHeader(StringRef kernel) const;
  std::string findHeader(DirectoryEntryRef folder, StringRef kernel) const;

  CompilerInstance &compiler;
  std::unique_ptr<DiagnosticConsumer> next;
};
} // namespace

/// Whether what stands at `location` is the first argument of op_par_loop.
static bool isKernel(SourceLocation location, const SourceManager &sources) {
  if (location.isInvalid() || location.isMacroID())
    return false;
  auto [file, offset] = sources.getDecomposedLoc(location);
  StringRef before = sources.getBufferData(file).take_front(offset).rtrim();
  return before.consume_back("(") && before.rtrim().ends_with("op_par_loop");
}

void KernelNotes::explain(const Diagnostic &diagnostic) {
  SourceLocation location = diagnostic.getLocation();
  if (!isKernel(location, compiler.getSourceManager()) ||
      diagnostic.getArgKind(0) != DiagnosticsEngine::ak_declarationname)
    return;
  std::string kernel =
      DeclarationName::getFromOpaqueInteger(diagnostic.getRawArg(0))
          .getAsString();
  std::string header = findHeader(kernel);
  if (!header.empty())
    note(compiler.getDiagnostics(), location,
         "'%0' defines a function of this name; include it before the loop")
        << header;
}

/// The source's folder first.
std::string KernelNotes::findHeader(StringRef kernel) const {
  SourceManager &sources = compiler.getSourceManager();
  if (auto main = sources.getFileEntryRefForID(sources.getMainFileID()))
    if (std::string header = findHeader(main->getDir(), kernel);
        !header.empty())
      return header;
  const HeaderSearch &search = compiler.getPreprocessor().getHeaderSearchInfo();
  for (auto it = search.search_dir_begin(), end = search.system_dir_begin();
       it != end; ++it)
    if (OptionalDirectoryEntryRef folder = it->getDirRef())
      if (std::string header = findHeader(*folder, kernel); !header.empty())
        return header;
  return "";
}

std::string KernelNotes::findHeader(DirectoryEntryRef folder,
                                    StringRef kernel) const {
  constexpr uint64_t kLargest = 1 << 20;
  llvm::Regex definition(
      ("(^|[^A-Za-z0-9_])void[ \t\r\n]+" + kernel + "[ \t\r\n]*\\(").str());
  llvm::vfs::FileSystem &files = compiler.getVirtualFileSystem();
  std::set<std::string> found; // folders have no order of their own
  std::error_code error;
  for (auto it = files.dir_begin(folder.getName(), error), end = decltype(it)();
       !error && it != end; it.increment(error)) {
    StringRef path = it->path(), ending = llvm::sys::path::extension(path);
    if (ending != ".h" && ending != ".hpp" && ending != ".inc" &&
        ending != ".hxx")
      continue;
    auto status = files.status(path);
    if (!status || !status->isRegularFile() || status->getSize() > kLargest)
      continue;
    auto text = files.getBufferForFile(path);
    if (text && definition.match((*text)->getBuffer()))
      found.insert(llvm::sys::path::filename(path).str());
  }
  return found.empty() ? "" : *found.begin();
}

void op2::frontend::noteMissingKernels(CompilerInstance &compiler) {
  DiagnosticsEngine &diags = compiler.getDiagnostics();
  // One that others keep is theirs.
  if (!diags.ownsClient())
    return;
  std::unique_ptr<DiagnosticConsumer> next = diags.takeClient();
  diags.setClient(new KernelNotes(compiler, std::move(next)));
}

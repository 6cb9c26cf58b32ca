//===- Listing.cpp - MLIR with the lines it comes from --------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Listing.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace op2::frontend;

/// Of what was inlined, the line of the callee.
static SourceLine findLine(mlir::Location location) {
  SourceLine found;
  location->walk([&](mlir::Location part) {
    auto place = llvm::dyn_cast<mlir::FileLineColLoc>(part);
    if (!place || place.getLine() == 0)
      return mlir::WalkResult::advance();
    found = {place.getFilename().str(), place.getLine()};
    return mlir::WalkResult::interrupt();
  });
  return found;
}

static std::vector<std::string> findUses(mlir::Operation *function) {
  llvm::SetVector<llvm::StringRef> symbols;
  function->walk([&](mlir::Operation *op) {
    for (mlir::NamedAttribute attr : op->getAttrs())
      attr.getValue().walk([&](mlir::SymbolRefAttr symbol) {
        symbols.insert(symbol.getRootReference().getValue());
      });
  });
  return {symbols.begin(), symbols.end()};
}

Listing op2::frontend::listFunctions(mlir::Operation *module) {
  // MLIR knows on which line it has printed each operation.
  mlir::AsmState::LocationMap printed;
  mlir::AsmState state(module, mlir::OpPrintingFlags(), &printed);
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, state);
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n');

  std::vector<SourceLine> places(lines.size());
  for (const auto &[op, position] : printed)
    if (position.first >= 1 && position.first <= places.size())
      places[position.first - 1] = findLine(op->getLoc());

  Listing listing;
  std::vector<unsigned> starts;
  mlir::Region &body = module->getRegion(0);
  for (mlir::Operation &op : body.getOps())
    if (auto at = printed.find(&op); at != printed.end())
      starts.push_back(at->second.first - 1);
  unsigned number = 0;
  for (mlir::Operation &op : body.getOps()) {
    if (!printed.count(&op))
      continue;
    unsigned begin = starts[number++];
    // The module's own brace ends it.
    unsigned end = number < starts.size() ? starts[number] : lines.size();
    auto symbol = llvm::dyn_cast<mlir::SymbolOpInterface>(op);
    auto function = llvm::dyn_cast<mlir::FunctionOpInterface>(op);
    if (!symbol || (function && function.isExternal()) ||
        (!function && op.getNumRegions() == 0))
      continue;
    ListedFunction &listed = listing.emplace_back();
    listed.symbol = symbol.getName().str();
    while (end > begin && (lines[end - 1].empty() || lines[end - 1] == "}"))
      --end;
    for (unsigned line = begin; line < end; ++line) {
      listed.text.push_back(lines[line].str());
      listed.places.push_back(places[line]);
    }
    listed.uses = findUses(&op);
  }
  return listing;
}

std::vector<const ListedFunction *>
op2::frontend::selectFunctions(const Listing &listing,
                               const std::string &symbol) {
  llvm::SetVector<llvm::StringRef> symbols;
  symbols.insert(symbol);
  std::vector<const ListedFunction *> selected;
  for (unsigned i = 0; i < symbols.size(); ++i)
    for (const ListedFunction &function : listing)
      if (function.symbol == symbols[i]) {
        selected.push_back(&function);
        symbols.insert(function.uses.begin(), function.uses.end());
      }
  return selected;
}

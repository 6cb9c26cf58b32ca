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
        symbols.insert(symbol.getLeafReference().getValue());
      });
  });
  return {symbols.begin(), symbols.end()};
}

namespace {
/// Takes the text of a module apart.
class Lister {
public:
  explicit Lister(mlir::Operation *module) {
    // MLIR knows on which line it has printed each operation.
    mlir::AsmState state(module, mlir::OpPrintingFlags(), &printed);
    llvm::raw_string_ostream stream(text);
    module->print(stream, state);
    llvm::StringRef(text).split(lines, '\n');
    places.resize(lines.size());
    for (const auto &[op, position] : printed)
      if (position.first >= 1 && position.first <= places.size())
        places[position.first - 1] = findLine(op->getLoc());
  }

  /// The functions of a symbol table that ends on line `end`; before them those
  /// of tables in it, as of device code.
  void list(mlir::Operation *table, unsigned end, Listing &listing) {
    std::vector<mlir::Operation *> operations;
    for (mlir::Operation &op : table->getRegion(0).getOps())
      if (printed.count(&op))
        operations.push_back(&op);
    Listing own;
    for (unsigned n = 0; n < operations.size(); ++n) {
      mlir::Operation *op = operations[n];
      unsigned last =
          n + 1 < operations.size() ? begin(operations[n + 1]) : end;
      auto function = llvm::dyn_cast<mlir::FunctionOpInterface>(op);
      if (!function && op->hasTrait<mlir::OpTrait::SymbolTable>())
        list(op, last, listing);
      else if (llvm::isa<mlir::SymbolOpInterface>(op) &&
               (function ? !function.isExternal() : op->getNumRegions() > 0))
        own.push_back(take(op, last));
    }
    std::move(own.begin(), own.end(), std::back_inserter(listing));
  }

  unsigned size() const { return unsigned(lines.size()); }

private:
  unsigned begin(mlir::Operation *op) const { return printed.at(op).first - 1; }

  /// Is the line empty, or of what is around?
  static bool isOutside(llvm::StringRef line, size_t indent) {
    size_t begin = line.find_first_not_of(' ');
    return begin == llvm::StringRef::npos || begin < indent;
  }

  /// Without the brace that ends what is around.
  ListedFunction take(mlir::Operation *op, unsigned end) const {
    ListedFunction listed;
    listed.symbol = llvm::cast<mlir::SymbolOpInterface>(op).getName().str();
    listed.uses = findUses(op);
    size_t indent = lines[begin(op)].find_first_not_of(' ');
    while (end > begin(op) + 1 && isOutside(lines[end - 1], indent))
      --end;
    for (unsigned line = begin(op); line < end; ++line) {
      listed.text.push_back(
          lines[line].drop_front(std::min(indent, lines[line].size())).str());
      listed.places.push_back(places[line]);
    }
    return listed;
  }

  mlir::AsmState::LocationMap printed;
  std::string text;
  llvm::SmallVector<llvm::StringRef> lines;
  std::vector<SourceLine> places; ///< of lines
};
} // namespace

Listing op2::frontend::listFunctions(mlir::Operation *module) {
  Lister lister(module);
  Listing listing;
  lister.list(module, lister.size(), listing);
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
        // Device code has copies of the host's functions.
        break;
      }
  return selected;
}

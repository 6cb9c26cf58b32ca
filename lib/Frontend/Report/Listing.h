//===- Listing.h - Code with the lines it comes from ------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_REPORT_LISTING_H
#define OP2_FRONTEND_REPORT_LISTING_H

#include "mlir/IR/Operation.h"
#include "llvm/Passes/OptimizationLevel.h"
#include <map>
#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace op2::frontend {

/// A line of the user's files; 0 if it is not known.
struct SourceLine {
  std::string file; ///< as the compiler opened it
  unsigned line = 0;
};

/// The text of one function.
struct ListedFunction {
  std::string symbol;
  std::vector<std::string> text;  ///< its lines
  std::vector<SourceLine> places; ///< of each line
  std::vector<std::string> uses;  ///< symbols that it names
};
using Listing = std::vector<ListedFunction>;

/// The functions with bodies of a module of MLIR.
Listing listFunctions(mlir::Operation *module);

/// The functions of PTX with lines (.loc); `launches`: by the symbol of the
/// loop's function the kernels that it launches. For each loop one without
/// text, which uses them.
Listing
listDeviceCode(llvm::StringRef ptx,
               const std::map<std::string, std::vector<std::string>> &launches);

/// Those of `listing` that `symbol` leads to, itself first.
std::vector<const ListedFunction *> selectFunctions(const Listing &listing,
                                                    const std::string &symbol);

/// The attribute of functions that says whose loop they are part of: the
/// CallSite::runSymbol.
inline constexpr char kLoopAttr[] = "op2-loop";

/// Code of loops by runSymbol, as an optimised module has it.
struct Assembly {
  std::vector<std::pair<std::string, ListedFunction>> functions;
  std::string problem; ///< why there is none
};

/// What the target's code generator makes of the functions with kLoopAttr at
/// `level`, the compilation's. The module stays as it is.
Assembly assembleLoops(const llvm::Module &module,
                       llvm::OptimizationLevel level);

} // namespace op2::frontend

#endif // OP2_FRONTEND_REPORT_LISTING_H

//===- LoopDescription.h - Descriptions of the loops of a file --*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain data that the AST layer fills and the IR layer reads. Nothing here
// points into the AST: Clang may have freed it when code is generated.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_LOOPDESCRIPTION_H
#define OP2_FRONTEND_LOOPDESCRIPTION_H

#include "PluginOptions.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace clang {
class DiagnosticsEngine;
} // namespace clang

namespace op2::frontend {

/// The values are those of OP_READ ... OP_REDUCE.
enum class Access { Read, Write, ReadWrite, Inc, Min, Max, Work, Reduce };
/// "OP_READ", ...
llvm::StringRef getAccessName(Access access);

enum class ElementType { F64, F32, I32, U32, I64, U64, Bool, I8, U8, I16, U16 };
int64_t getByteSize(ElementType type);
/// The element type that an OP2 type string names ("double", "real*8",
/// "int:soa" ...).
std::optional<ElementType> parseTypeString(llvm::StringRef text);
/// "double", "float", ...
llvm::StringRef getTypeString(ElementType type);

/// Dim of an argument of a dim that is a value of run time.
constexpr int64_t kDynamicDim = -1;
/// Slot of an argument that is not reached through a map.
constexpr int64_t kDirect = -1;
/// The parameters of op_par_loop, and of what replaces it, before the first
/// op_arg: the kernel, the loop's name, the set.
constexpr unsigned kFirstOpArg = 3;

/// The static part of one op_arg_... call.
struct ArgDescription {
  enum class Kind { Dat, Global, Index, Info };

  Kind kind = Kind::Dat;
  Access access = Access::Read;
  ElementType type = ElementType::F64;
  int64_t dim = 1;
  int64_t slot = kDirect; ///< first map slot
  /// The map is that of the subset which the loop runs over.
  bool isThroughSubset = false;
  int64_t follows = 0; ///< Info: the argument that it comes along with
  int64_t count = 1;   ///< number of slots; 1 unless isVector
  bool isVector = false;
  bool isPacked = false; ///< isVector: the kernel takes all rows side by side
  bool isOptional = false;
  bool isSoA = false; ///< a struct of arrays on devices
  /// The program computes the dim, and the kernel's code knows it.
  bool isDimPromised = false;
  /// The kernel takes rows as structs with fields of other types than `type`.
  bool hasOtherTypes = false;
  /// `dim` counts the numbers that components of a type of the application
  /// consist of.
  bool isUserType = false;
  /// Such components hold addresses, which are the host's.
  bool hasPointers = false;
  /// A dat of the library's, which holds the application's numbers of elements:
  /// what an Index is where the loop may count otherwise.
  bool holdsNumbers = false;
  /// Of a loop over layers: the levels that the kernel takes, from that of the
  /// layer's number plus firstLevel on; 0: whole rows. `levelDim` is that of
  /// one, and `dim` that of all of them until the loop runs over columns.
  int64_t firstLevel = 0, levels = 0, levelDim = 0;
  /// `dim`, that of one level, becomes that of all. Too many are for the
  /// checks.
  void setLevels(int64_t first, int64_t count);
  /// The range of layers of each column: no op_arg.
  bool holdsLayers = false;
  /// The first argument of the loop whose dat (or global) is taken to be the
  /// same; its own number if there is none before it.
  unsigned sameDataAs = 0;
  unsigned sameMapAs = 0;
  /// Those that are by construction: each call compares the other handles.
  unsigned provenDataAs = 0;
  unsigned provenMapAs = 0;
  /// Takes no others to be the same.
  void takeProven() {
    sameDataAs = provenDataAs;
    sameMapAs = provenMapAs;
  }
  /// What the dat's (or global's) and the map's expressions look like: equal
  /// ones suggest that arguments of two loops are the same, and prove nothing.
  unsigned dataKey = 0, mapKey = 0;
  /// How many slots the map seems to have, from elsewhere in the program; 0: as
  /// many as the loop uses.
  int64_t likelyArity = 0;
  std::string parameter;              ///< the kernel's name for it
  clang::CharSourceRange accessRange; ///< where the access is declared

  bool isIndirect() const { return slot != kDirect; }
  /// The kernel takes a pointer to pointers to rows.
  bool takesTable() const { return isVector && !isPacked; }
  bool isGlobal() const { return kind == Kind::Global || kind == Kind::Info; }
  /// Of a global.
  int64_t getBytes() const { return dim * getByteSize(type); }
};

/// Makes dats that hold numbers of a loop's Index arguments.
void readNumbersFromDats(std::vector<ArgDescription> &args);

/// The C++ types, as TBAA names them, of values that a loop may change.
struct ChangedTypes {
  bool any = true; ///< of unknown types
  std::set<std::string> names;
};

/// Why a loop is not compiled for a target.
struct TargetProblem {
  std::string reason;
  /// What in the kernel is to blame, as in LoopDescription::places.
  std::string construct;
};

/// One op_par_loop call whose callee is a stub to be defined.
struct LoopDescription {
  std::string name;       ///< as in timings
  std::string kernelName; ///< for people
  std::string stubSymbol; ///< what the call has been redirected to
  clang::SourceLocation location;
  std::string file; ///< presumed location of the call
  unsigned line = 0;
  unsigned column = 0;
  /// "file.cpp:12"
  std::string describePlace() const;
  std::vector<ArgDescription> args;
  unsigned setKey = 0; ///< as ArgDescription::dataKey
  bool isOverSubset = false;
  bool isOverLayers = false;
  ChangedTypes changedTypes;
  bool hasExceptions = true; ///< the program's language
  bool throws = false;       ///< its kernel may, on the host
  /// Why it is not compiled for some targets; OpenMP's code or the sequential
  /// loop runs there.
  std::map<Target, TargetProblem> targetProblems;
  /// For a GPU: where the kernel has what may not run there. "call:<symbol>",
  /// "variable:<symbol>", "asm", "throw", "pointer", "static", "long double".
  std::map<std::string, clang::SourceLocation> places;

  /// Names of variables that hold the addresses of the kernel and of the
  /// sequential loop that was called before, as Clang generated both.
  std::string getKernelAnchor() const { return stubSymbol + ".kernel"; }
  std::string getTemplateAnchor() const { return stubSymbol + ".template"; }

  /// Keeps the sequential loop, with the reason: a warning at `place`, or at
  /// the loop. What comes after the first reason is not said.
  void fallBack(const std::string &reason, clang::DiagnosticsEngine &diags,
                const WarningOptions &warnings,
                clang::SourceLocation place = {});
  bool fallsBack() const { return !fallbackReason.empty(); }

  /// From arguments as over the whole set to those over a subset of it: what is
  /// direct there goes through the subset's map.
  void runOverSubset();

  /// From arguments as over layers to those over their columns, the last of
  /// which is the range of layers. The kernel is that of a column then.
  void runOverColumns();

  /// Whether globals have other values when the loop has run.
  bool changesGlobals() const;
  const std::string &getFallbackReason() const { return fallbackReason; }

private:
  std::string fallbackReason; ///< set by fallBack only: none goes unsaid
};

/// The target whose code runs where the loop's own target has none; nothing if
/// that is the sequential template.
std::optional<Target> getReplacement(const LoopDescription &loop,
                                     const std::vector<Target> &targets);

/// Where the fields of op_arg are that stubs read, in bytes.
struct OpArgLayout {
  uint64_t dat = 0, map = 0, dim = 0, data = 0, opt = 0, merge = 0,
           identity = 0;
};

/// op_arg_dat or one of its siblings: looks at handles, not at data.
struct ArgumentMaker {
  ArgDescription::Kind kind;
  bool isOptional; ///< the first parameter is a flag
  bool isOpaque;   ///< it fills in more than what it is given, or elsewhere
};

/// Functions of C, and the numbers of those parameters through which they may
/// write.
using CFunctionParameters = std::set<std::pair<std::string, unsigned>>;

/// All loops of a file that go to the IR layer.
struct FileLoops {
  OpArgLayout layout;
  /// Places of code are known for the sake of our diagnostics only.
  bool dropsPlaces = false;
  /// Of a compilation without optimisation: a debugger stops in kernels.
  bool keepsKernels = false;
  /// Kernels are called, element by element: floating-point exceptions are
  /// observed, or each line's executions are counted.
  bool callsKernels = false;
  /// What makes the loops' arguments, by its name in the object file.
  std::map<std::string, ArgumentMaker> argumentMakers;
  /// Functions that headers of the program declare, by the same names: other
  /// files may define or call them.
  std::set<std::string> sharedFunctions;
  CFunctionParameters writtenByC;
  /// Of a module with loops that is written in the same step: they are not
  /// compiled.
  bool isWrittenModule = false;
  std::vector<std::unique_ptr<LoopDescription>> loops;
};

} // namespace op2::frontend

#endif // OP2_FRONTEND_LOOPDESCRIPTION_H

//===- LocalVariables.h - Locals that pending loops use ---------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_LOCALVARIABLES_H
#define OP2_FRONTEND_LOCALVARIABLES_H

#include "CallSite.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace op2::frontend {

/// Nothing for types of scalable size.
std::optional<int64_t> getFixedSize(llvm::TypeSize size);
std::optional<int64_t> getSize(const llvm::AllocaInst &variable);

/// Bytes that an instruction gives new values, or whose life begins or ends.
struct Overwritten {
  llvm::Value *pointer;
  std::optional<int64_t> bytes; ///< nothing: not known
};
std::optional<Overwritten> getOverwritten(const llvm::Instruction &inst);

/// Decides what a function may do with its variables while a loop is pending.
class LocalVariables {
public:
  /// `call` calls the stub of `site`. The loop copies the values of its
  /// globals; it uses them later only to store results. Both are null for a
  /// loop of another file: no variable here has its results.
  LocalVariables(const llvm::CallBase *call, const CallSite *site,
                 const FileLoops &loops);

  bool mayRead(const llvm::Value *pointer, std::optional<int64_t> bytes) const;

  /// True also where the loop would store a result later, if all of it is
  /// overwritten. Then the loop must not do that any more.
  bool mayOverwrite(const Overwritten &place) const;

  /// What is overwritten by an instruction that drops a result.
  std::optional<Overwritten> getDropped(const llvm::Instruction &inst) const;

  /// What the results of the loop's globals lie in: for each of them a
  /// variable, or a value of unknown origin, or null.
  std::vector<const llvm::Value *> findResults() const;

  /// Whether no variable of the function escapes.
  bool arePrivate(const llvm::Function &function) const;

  /// Whether a call makes an op_arg.
  bool makesArgument(const llvm::CallBase &call) const;

private:
  /// Bytes of a variable, from its beginning.
  struct Part {
    int64_t begin, end;
    bool meets(const Part &other) const {
      return begin < other.end && other.begin < end;
    }
    bool covers(const Part &other) const {
      return begin <= other.begin && other.end <= end;
    }
  };
  /// A variable whose address only those know who make arguments.
  struct Private {
    std::vector<Part> changed; ///< by the loop, when it has run
  };
  using Pointers = llvm::SmallPtrSetImpl<const llvm::Value *>;

  std::optional<Part> getPart(const llvm::Value *pointer,
                              std::optional<int64_t> bytes) const;
  const Private *getPrivate(const llvm::Value *pointer) const;
  bool staysPrivate(const llvm::Value *pointer, Private &variable) const;
  bool isPrivateUse(const llvm::CallBase &call, unsigned operand,
                    Private &variable) const;
  bool isForLoops(const llvm::Value *pointer, Pointers &seen,
                  std::vector<unsigned> &operands) const;
  void addChanged(const llvm::Value *pointer, llvm::ArrayRef<unsigned> operands,
                  Private &variable) const;
  void findResults(const llvm::Value *opArg, Pointers &seen,
                   std::vector<const llvm::Value *> &results) const;
  bool takesArgument(const llvm::CallBase &call, unsigned operand) const;

  const llvm::CallBase *loopCall;
  const FileLoops &loops;
  /// The call's op_args of globals that the loop changes, and their bytes.
  std::map<unsigned, int64_t> changedOperands;
  /// The requested ones: nothing if they are not private.
  mutable llvm::DenseMap<const llvm::AllocaInst *, std::optional<Private>>
      known;
};

} // namespace op2::frontend

#endif // OP2_FRONTEND_LOCALVARIABLES_H

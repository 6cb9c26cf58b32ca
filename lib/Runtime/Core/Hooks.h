//===- Hooks.h - Functions of higher rooms ----------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rooms include only those below them (rooms.txt). Where something must happen
// above, the room there gives its function when the library is loaded.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_CORE_HOOKS_H
#define OP2_LIB_RUNTIME_CORE_HOOKS_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace op2::rt {

struct Dat;
struct Map;
struct Set;

/// And their values, one after another.
struct RowsOfDat {
  Dat const *storage;
  std::vector<int32_t> const *rows;
  char *values;
};

/// What rows are of: a dat, or a map.
struct RowsOf {
  Dat const *dat;
  Map const *map;
};

struct Hooks {
  // Device. Called only when there are copies.
  /// The program may have exchanged the `data` of dats. isUpload: newer values
  /// on devices are no error yet, it may have others instead.
  void (*settleCopies)(bool isUpload);
  void (*download)(Dat &storage);    ///< the newer values, to the host
  void (*releaseCopy)(Dat &storage); ///< gives back its memory on the device
  void (*releaseTables)(Map &map);   ///< the same
  /// Rows of copies on devices, as on the host, side by side: to memory of the
  /// host, and back.
  void (*downloadRows)(std::vector<RowsOfDat> const &all);
  void (*uploadRows)(std::vector<RowsOfDat> const &all);
  /// The same to memory of the device, which may be that of before; from there
  /// to the dat's copy, or to the host.
  void (*saveRows)(Dat const &storage, std::vector<int32_t> const &rows,
                   std::shared_ptr<void> &saved);
  void (*restoreRows)(Dat const &storage, std::vector<int32_t> const &rows,
                      void const *saved);
  void (*downloadSaved)(void const *saved, char *values, std::size_t bytes);
  // Queue.
  void (*runPending)(); ///< called only when loops are pending
  // Execute.
  /// And plans, of loops over this set, or of all loops if it is NULL: elements
  /// get other numbers, or are freed.
  void (*forgetHandles)(Set const *set);
  // Ranks. Called only where there are several, by all of them.
  /// A set is declared: what all ranks declare of it.
  void (*shareSet)(Set &set);
  /// A subset's set is freed.
  void (*withdrawSet)(Set &set);
  /// Sets and maps of matrices, before ranks get their parts.
  void (*declareMatrices)();
  /// Each matrix as it was declared, in order.
  std::vector<std::string> (*describeMatrices)();
  /// Rows [begin, end) of the whole set to `values`, in the application's
  /// order, from rows of `size` bytes for each element that the rank declared,
  /// or else owns. Each rank asks for what it likes of `of`, which is the same
  /// on all of them.
  void (*collectRows)(Set const &set, char const *rows, bool areDeclared,
                      int64_t size, int64_t begin, int64_t end, char *values,
                      RowsOf of);
  /// The program may have exchanged the `data` of dats.
  void (*settleRows)();
  /// Values of what the rank declared become the rows that it has, own ones at
  /// least.
  void (*placeRows)(Dat &dat, char const *values);
  /// Rows for all that this rank has of a distributed set, from those that the
  /// application gave for what it declared; zeros if it gave NULL on all ranks.
  /// deallocate() them.
  char *(*spreadRows)(Set const &set, void const *values, int64_t size,
                      char const *what);
};

extern Hooks hooks;

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_CORE_HOOKS_H

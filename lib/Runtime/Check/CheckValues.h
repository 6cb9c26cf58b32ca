//===- CheckValues.h - Values before and after a loop -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_CHECK_CHECKVALUES_H
#define OP2_LIB_RUNTIME_CHECK_CHECKVALUES_H

#include "Execute/Loop.h"

namespace op2::rt {

/// Compares values before a loop with those after it. What may only be written
/// is filled with poison first, a pattern that no program computes: quiet
/// results of it are NaNs, and what is left of it was not written.
class ValueCheck {
public:
  explicit ValueCheck(op2rt_loop const &loop);
  /// After the loop: reports.
  void finish();
  /// After a kernel has thrown: what it has not written is as it was.
  void restore();

private:
  /// A dat and how the loop's arguments use it.
  struct Watched {
    Dat *dat;
    int arg; ///< the first argument on it
    bool onlyRead = true, onlyWritten = true;
    std::vector<char> before;
    std::vector<bool> covered; ///< elements that are poisoned
  };
  /// A global that must not change.
  struct WatchedValue {
    int arg;
    std::vector<char> before;
  };

  /// What poison was found, and the values from before were put back.
  struct PutBack {
    struct Place {
      int64_t element = -1, component = 0; ///< the application's number
    };
    Place left;        ///< of the first element that the kernel has not written
    Place read;        ///< that it has computed from poison
    int64_t count = 0; ///< values that are left
  };

  /// Values of another dat that were computed from poison.
  struct Uses {
    int64_t first = -1, count = 0; ///< a place, in bytes
  };

  void watchDats();
  void watchGlobals();
  void checkHasValues(Watched const &watched, int arg);
  void cover(Watched &watched);
  void poison(Watched &watched);
  bool sharesStorage(Watched const &watched) const;
  bool hasPackedBools(Watched const &watched) const;
  void checkRead(Watched const &watched);
  Uses putBackUses(Watched const &from, Watched &to);
  void checkUses(Watched const &from);
  PutBack putBack(Watched &watched);
  void checkWritten(Watched &watched);
  void checkValue(WatchedValue const &value);

  op2rt_loop const &loop;
  std::vector<Watched> dats;
  std::vector<WatchedValue> values;
};

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_CHECK_CHECKVALUES_H

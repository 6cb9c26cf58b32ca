//===- Matrix.h - What a sparse matrix consists of --------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_API_MATRIX_H
#define OP2_LIB_RUNTIME_API_MATRIX_H

#include "Core/Job.h"
#include "Core/Registry.h"
#include "Matrix/Sparsity.h"
#include "OP2/API/op_mat.h"
#include "Solve/Solver.h"

#include <memory>
#include <string>
#include <vector>

namespace op2::rt {

/// Maps that leave one set.
struct MapPair {
  op_map rows, cols;
};

/// The map that an argument assembles through, for some slots of each.
struct PlacesMap {
  MapPair pair;
  Slots rows, cols;
  op_map map;
};

/// Places in a row of the tensor that op_arg_mat gives a kernel; 0 for other
/// arguments, also of dats on entries through op_mat_places.
int tensorColumnsOf(op_arg const &arg);

/// A solver and what it was made for.
struct KeptSolver {
  std::string options;
  void const *place = nullptr; ///< of the matrix's values
  std::unique_ptr<Solver> solver;
  KeptValues values; ///< if it has factors
};

} // namespace op2::rt

struct op_sparsity_core {
  std::string name;
  std::vector<op2::rt::MapPair> pairs;
  op_set rows, cols;
};

struct op_mat_core {
  std::string name, type;
  op_sparsity sparsity;
  int rowdim, coldim;
  // Once it is used:
  op_set entries = nullptr;
  op_dat values = nullptr;
  op_map rows = nullptr, cols = nullptr;
  op_dat components = nullptr, diagonals = nullptr;
  /// In the numbers that rows and columns had then, of which these are the
  /// application's; empty: the same.
  op2::rt::Pattern pattern;
  std::vector<int32_t> rowUser, colUser;
  /// Where ranks declare blocks: of all rows, once somebody asks for them.
  op2::rt::Pattern whole;
  /// The entries of each row where these are not those of the pattern, and how
  /// often the sets had been renumbered.
  std::vector<int64_t> entryBegin;
  uint64_t rowOrder = 0, colOrder = 0, entryOrder = 0;
  std::vector<op2::rt::PlacesMap> places;
  bool hasDiagonal = false; ///< known to have one
  /// Of numbers in place of blocks, once a library asks for them.
  op2::rt::ScalarRows scalarRows;
  std::vector<char> gathered; ///< of copies: values of all entries
  op2::rt::KeptSolver kept;
};

namespace op2::rt {

/// The matrix, made of its maps if it was not used before.
op_mat_core &built(op_mat handle, char const *where);

/// Each rank has the columns of the rows that it declares.
inline bool hasBlocks() { return hasRanks() && !job.declaresWhole; }

/// The pattern of all rows. All ranks call it.
Pattern const &wholePattern(op_mat_core &mat, char const *where);

/// Whether entries are where the pattern says: nothing was renumbered since the
/// matrix was used first.
bool isInPlace(op_mat_core const &mat);

/// An error unless rows and columns stand for the same unknowns.
void requireSquare(op_mat_core const &mat, char const *where);

/// The matrix as libraries take it, in the library's order; values are the
/// host's, and current, or copies of them where the matrix is not in place, or
/// there are ranks. An error unless it is square.
CompressedRows requireSystem(op_mat_core &mat, char const *where);

/// The dats of A x = b: an error unless they fit to `mat`. The host's values of
/// both are current.
struct SystemDats {
  Dat &rhs, &solution;
};
SystemDats requireSystemDats(op_mat_core const &mat, op_dat rhs,
                             op_dat solution, char const *where);

/// The vectors of A x = b in the order of the matrix: the host's values of the
/// dats, or copies, as of the matrix.
class SystemVectors {
public:
  SystemVectors(op_mat_core const &mat, SystemDats const &dats);
  void const *rhs() const;
  void *solution();
  /// The solution is there.
  void finish();

private:
  std::vector<char> gather(Dat const &dat) const;

  SystemDats dats;
  std::vector<int32_t> const &user; ///< op_mat_core::rowUser
  bool areCopies;
  std::vector<char> copies[2];
};

/// What op_solve returns, with a warning if it is negative.
int reportSolve(SolveResult const &result, char const *matrix,
                char const *where);

/// Gives back what matrices keep besides sets, dats and maps.
void forgetMatrices();
/// One of a map from this set; NULL if there is none.
op_sparsity_core const *findSparsityFrom(op_set_core const *set);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_API_MATRIX_H

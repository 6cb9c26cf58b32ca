//===- GraphCut.cpp - Parts of a graph --------------------- -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphCut.h"
#include "Core/Error.h"
#include "OP2/Runtime/op2rt.h"

#ifndef OP2_HAS_PTSCOTCH

bool op2::rt::cutGraph(MPI_Comm, BlockGraph const &, int32_t,
                       std::vector<int32_t> &) {
  return false;
}

#else

#include <cstdio>
#include <ptscotch.h>

using namespace op2::rt;

static void require(int status, char const *what) {
  if (status != 0)
    fatal(Problem::MPI, "PT-Scotch, %s: error %d", what, status);
}

bool op2::rt::cutGraph(MPI_Comm comm, BlockGraph const &graph, int32_t numParts,
                       std::vector<int32_t> &parts) {
  int threads = 0;
  MPI_Query_thread(&threads);
  // The libraries for numbers of 32 and of 64 bits have one name.
  if (threads < MPI_THREAD_MULTIPLE ||
      SCOTCH_numSizeof() != int(sizeof(SCOTCH_Num)))
    return false;
  std::vector<SCOTCH_Num> begins(graph.begins.begin(), graph.begins.end()),
      neighbors(graph.neighbors.begin(), graph.neighbors.end()),
      weights(graph.weights.begin(), graph.weights.end()), found(parts.size());
  auto vertices = static_cast<SCOTCH_Num>(parts.size());
  auto edges = static_cast<SCOTCH_Num>(neighbors.size());
  // No array may be NULL.
  neighbors.push_back(0);
  weights.push_back(0);
  found.push_back(0);
  SCOTCH_Context context;
  SCOTCH_Dgraph whole, bound;
  SCOTCH_Strat strategy;
  constexpr double kImbalance = 0.03;
  require(SCOTCH_contextInit(&context), "SCOTCH_contextInit");
  // The same parts each time: not for results, which do not depend on them.
  require(
      SCOTCH_contextOptionSetNum(&context, SCOTCH_OPTIONNUMDETERMINISTIC, 1),
      "SCOTCH_contextOptionSetNum");
  require(SCOTCH_contextThreadSpawn(&context, 1, nullptr),
          "SCOTCH_contextThreadSpawn");
  require(SCOTCH_dgraphInit(&whole, comm), "SCOTCH_dgraphInit");
  require(SCOTCH_dgraphBuild(&whole, 0, vertices, vertices, begins.data(),
                             begins.data() + 1, nullptr, nullptr, edges, edges,
                             neighbors.data(), nullptr, weights.data()),
          "SCOTCH_dgraphBuild");
  require(SCOTCH_dgraphInit(&bound, comm), "SCOTCH_dgraphInit");
  require(SCOTCH_contextBindDgraph(&context, &whole, &bound),
          "SCOTCH_contextBindDgraph");
  require(SCOTCH_stratInit(&strategy), "SCOTCH_stratInit");
  require(SCOTCH_stratDgraphMapBuild(&strategy, SCOTCH_STRATDEFAULT, numParts,
                                     numParts, kImbalance),
          "SCOTCH_stratDgraphMapBuild");
  require(SCOTCH_dgraphPart(&bound, numParts, &strategy, found.data()),
          "SCOTCH_dgraphPart");
  SCOTCH_stratExit(&strategy);
  SCOTCH_dgraphExit(&bound);
  SCOTCH_dgraphExit(&whole);
  SCOTCH_contextExit(&context);
  for (std::size_t n = 0; n < parts.size(); ++n)
    parts[n] = static_cast<int32_t>(found[n]);
  return true;
}

#endif

//===- slow_network.cpp - A network between ranks of one machine ----------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library to be loaded before MPI's (LD_PRELOAD), by MPI's profiling
// interface. What a rank receives comes one after the other, at
// SLOW_NETWORK_RATE bytes a second and SLOW_NETWORK_LATENCY seconds behind the
// moment in which it was ready to receive; a sum over ranks takes the latency
// for each doubling of them. A sender that is late is not waited for beyond
// that. For non-blocking functions, and ranks that have one transfer on its way
// at a time, as op2-mlir's have.
//
//===----------------------------------------------------------------------===//

#include <mpi.h>

#include <cmath>
#include <cstdlib>

static double setting(char const *name) {
  char const *text = std::getenv(name);
  return text ? std::atof(text) : 0;
}
static double const latency = setting("SLOW_NETWORK_LATENCY");
static double const rate = setting("SLOW_NETWORK_RATE");

static double earliest = 0; // that what is on its way may be there

static void expect(double messages, int count, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  double now = PMPI_Wtime();
  double begin = now < earliest ? earliest : now + latency * messages;
  earliest = begin + (rate > 0 ? double(count) * double(size) / rate : 0);
}

extern "C" int MPI_Irecv(void *data, int count, MPI_Datatype type, int source,
                         int tag, MPI_Comm comm, MPI_Request *request) {
  expect(1, count, type);
  return PMPI_Irecv(data, count, type, source, tag, comm, request);
}

extern "C" int MPI_Iallreduce(void const *from, void *to, int count,
                              MPI_Datatype type, MPI_Op operation,
                              MPI_Comm comm, MPI_Request *request) {
  int ranks = 1;
  PMPI_Comm_size(comm, &ranks);
  expect(std::ceil(std::log2(ranks)), count, type);
  return PMPI_Iallreduce(from, to, count, type, operation, comm, request);
}

extern "C" int MPI_Testall(int count, MPI_Request requests[], int *isOver,
                           MPI_Status statuses[]) {
  int status = PMPI_Testall(count, requests, isOver, statuses);
  *isOver = *isOver && PMPI_Wtime() >= earliest;
  return status;
}

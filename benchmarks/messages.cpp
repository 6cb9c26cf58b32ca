//===- messages.cpp - What messages between ranks take --------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// messages, on two ranks: the constants of ranks_model.py, as a JSON line. Both
// ranks send and receive at once, as in loops. Medians.
//
//===----------------------------------------------------------------------===//

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

/// Seconds of run(), the median of some calls.
template <class Run> static double timeOf(int calls, Run run) {
  std::vector<double> times;
  for (int n = 0; n < calls; ++n) {
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    run();
    times.push_back(MPI_Wtime() - start);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks != 2) {
    if (rank == 0)
      std::fprintf(stderr, "messages: error: expected two ranks\n");
    MPI_Finalize();
    return 2;
  }
  constexpr int kMost = 1 << 20, kPeers = 16;
  std::vector<char> sent(kMost), received(kMost);
  std::vector<MPI_Request> requests(2 * kPeers);
  // Messages of `bytes` bytes, as of so many peers.
  auto swap = [&](int messages, int bytes) {
    for (int n = 0; n < messages; ++n)
      MPI_Irecv(&received[n * bytes], bytes, MPI_BYTE, 1 - rank, n,
                MPI_COMM_WORLD, &requests[2 * n]);
    for (int n = 0; n < messages; ++n)
      MPI_Isend(&sent[n * bytes], bytes, MPI_BYTE, 1 - rank, n, MPI_COMM_WORLD,
                &requests[2 * n + 1]);
    MPI_Waitall(2 * messages, requests.data(), MPI_STATUSES_IGNORE);
  };
  double one = timeOf(1001, [&] { swap(1, 64); });
  double many = timeOf(1001, [&] { swap(kPeers, 64); });
  double half = timeOf(201, [&] { swap(1, kMost / 2); });
  double all = timeOf(201, [&] { swap(1, kMost); });
  // The terms of an exact sum.
  std::vector<int64_t> terms(73, 1), sums(73);
  double reduce = timeOf(1001, [&] {
    MPI_Allreduce(terms.data(), sums.data(), 73, MPI_INT64_T, MPI_SUM,
                  MPI_COMM_WORLD);
  });
  // Rows of 32 bytes, each third one, of more than fits into a near cache.
  constexpr int kRow = 32, kRows = 1 << 15, kStep = 3;
  std::vector<char> rows(std::size_t(kRow) * kRows * kStep, 1);
  double pack = timeOf(201, [&] {
    for (int n = 0; n < kRows; ++n)
      std::memcpy(&sent[n * kRow], &rows[std::size_t(n) * kRow * kStep], kRow);
  });
  if (rank == 0)
    std::printf("{\"latency_us\": %.2f, \"message_us\": %.2f, \"rate\": %.2f, "
                "\"sum_us\": %.2f, \"pack_ns\": %.3f}\n",
                1e6 * one, 1e6 * (many - one) / (kPeers - 1),
                1e-9 * (kMost - kMost / 2) / (all - half), 1e6 * reduce,
                1e9 * pack / (double(kRow) * kRows));
  MPI_Finalize();
  return 0;
}

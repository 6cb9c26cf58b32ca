//===- owned_rows.cu - What blocks that own rows cost on a GPU ------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Airfoil's res_calc by hand, by blocks that own rows as plans have them
// (docs/design/gpu.md), in variants of what a block loads when. On a grid of
// 2400 x 1200 cells, in blocks of 8 x 7 cells. All of them but the atomics
// leave the same bits, which is checked.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -fmad=false --extended-lambda \
//        -cudart static owned_rows.cu -o owned_rows
//
// Prints the median of 25 times by events for each. -DTHREADS=64, 256 or 512
// for other blocks. Figures: details/gpu-measured.md.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#ifndef THREADS
#define THREADS 128
#endif

constexpr int kThreads = THREADS;
constexpr std::size_t kBytes = 8 * kThreads * sizeof(double); // increments
constexpr int kResident = 12 * 128 / kThreads; // blocks, with 40 registers
constexpr int kMostCells = kThreads <= 128 ? 160 : 2 * kThreads; // of a block

__constant__ double gm1 = 0.4, eps = 0.05;
/// What the elements add: component by component, slot by slot, by thread.
extern __shared__ double increments[];

/// All on the device. Arrays of the plan are as in op2rt_device.h.
struct Problem {
  int numEdges, numCells, numNodes, numBlocks;
  const double *x, *q, *adt;
  double *res;
  const int *edge, *ecell; ///< slot after slot
  const int *begin, *end, *permutation;
  const int *size, *targets;
  const long *first, *offset;
  const uint16_t *sumBegin, *entries;
  const int *node0, *node1, *cell0, *cell1; ///< maps in the plan's order
  // For rows staged in shared memory.
  const int *numStaged, *staged;
  const long *firstStaged;
  const uint16_t *local0, *local1;
  // For cells that run their edges themselves: 2 * edge + slot.
  const int *rowBegin, *rowEdges;
};

template <class T> __device__ T get(const T *at) { return __ldg(at); }

template <int N> __device__ void getRow(const double *row, double *values) {
  for (int i = 0; i < N; i += 2) {
    double2 pair = __ldg(reinterpret_cast<const double2 *>(row + i));
    values[i] = pair.x;
    values[i + 1] = pair.y;
  }
}

__device__ void flux(const double *x1, const double *x2, const double *q1,
                     const double *q2, double adt1, double adt2, double *f) {
  double dx = x1[0] - x2[0], dy = x1[1] - x2[1];
  double ri = 1.0 / q1[0];
  double p1 = gm1 * (q1[3] - 0.5 * ri * (q1[1] * q1[1] + q1[2] * q1[2]));
  double v1 = ri * (q1[1] * dy - q1[2] * dx);
  ri = 1.0 / q2[0];
  double p2 = gm1 * (q2[3] - 0.5 * ri * (q2[1] * q2[1] + q2[2] * q2[2]));
  double v2 = ri * (q2[1] * dy - q2[2] * dx);
  double mu = 0.5 * (adt1 + adt2) * eps;
  f[0] = 0.5 * (v1 * q1[0] + v2 * q2[0]) + mu * (q1[0] - q2[0]);
  f[1] = 0.5 * (v1 * q1[1] + p1 * dy + v2 * q2[1] + p2 * dy) +
         mu * (q1[1] - q2[1]);
  f[2] = 0.5 * (v1 * q1[2] - p1 * dx + v2 * q2[2] - p2 * dx) +
         mu * (q1[2] - q2[2]);
  f[3] = 0.5 * (v1 * (q1[3] + p1) + v2 * (q2[3] + p2)) + mu * (q1[3] - q2[3]);
}

/// Nodes and cells of an edge.
struct Ends {
  int node0, node1, cell0, cell1;
};

__device__ Ends endsOf(const Problem &p, int edge) {
  return {get(p.edge + edge), get(p.edge + p.numEdges + edge),
          get(p.ecell + edge), get(p.ecell + p.numEdges + edge)};
}

/// Of the edge at a position of the plan.
template <bool isPermuted> __device__ Ends endsAt(const Problem &p, int at) {
  if (isPermuted)
    return {get(p.node0 + at), get(p.node1 + at), get(p.cell0 + at),
            get(p.cell1 + at)};
  int edge = get(p.permutation + at);
  return endsOf(p, edge < 0 ? ~edge : edge);
}

__device__ void fluxOf(const Problem &p, Ends ends, double *f) {
  double x1[2], x2[2], q1[4], q2[4];
  getRow<2>(p.x + 2l * ends.node0, x1);
  getRow<2>(p.x + 2l * ends.node1, x2);
  getRow<4>(p.q + 4l * ends.cell0, q1);
  getRow<4>(p.q + 4l * ends.cell1, q2);
  flux(x1, x2, q1, q2, get(p.adt + ends.cell0), get(p.adt + ends.cell1), f);
}

__device__ void leave(const double *f) {
  for (int c = 0; c < 4; ++c) {
    increments[2 * c * kThreads + threadIdx.x] = f[c];
    increments[(2 * c + 1) * kThreads + threadIdx.x] = -f[c];
  }
}

template <bool isPermuted> __device__ void runElement(const Problem &p) {
  int at = get(p.begin + blockIdx.x) + threadIdx.x;
  if (at < get(p.end + blockIdx.x)) {
    double f[4];
    fluxOf(p, endsAt<isPermuted>(p, at), f);
    leave(f);
  }
}

/// A thread for each value of a row.
__device__ void sumByValues(const Problem &p) {
  int count = 4 * get(p.size + blockIdx.x);
  if (int(threadIdx.x) >= count)
    return;
  long first = get(p.first + blockIdx.x), offset = get(p.offset + blockIdx.x);
  for (int i = threadIdx.x; i < count; i += kThreads) {
    int row = i >> 2, c = i & 3, target = get(p.targets + first + row);
    const uint16_t *begin = p.sumBegin + first + blockIdx.x + row;
    double sum = p.res[4l * target + c];
#pragma unroll 1
    for (int s = get(begin), e = get(begin + 1); s < e; ++s)
      sum += increments[2 * c * kThreads + get(p.entries + offset + s)];
    p.res[4l * target + c] = sum;
  }
}

/// Adds the increments s to e of a list.
template <class List>
__device__ void addRow(double *row, int s, int e, List list) {
  double2 *pairs = reinterpret_cast<double2 *>(row);
  double2 a = pairs[0], b = pairs[1];
#pragma unroll 1
  for (; s < e; ++s) {
    const double *from = increments + list(s);
    a.x += from[0];
    a.y += from[2 * kThreads];
    b.x += from[4 * kThreads];
    b.y += from[6 * kThreads];
  }
  pairs[0] = a;
  pairs[1] = b;
}

__device__ void sumByRows(const Problem &p) {
  int count = get(p.size + blockIdx.x);
  if (int(threadIdx.x) >= count)
    return;
  long first = get(p.first + blockIdx.x), offset = get(p.offset + blockIdx.x);
  for (int row = threadIdx.x; row < count; row += kThreads) {
    const uint16_t *begin = p.sumBegin + first + blockIdx.x + row;
    addRow(p.res + 4l * get(p.targets + first + row), get(begin),
           get(begin + 1), [&](int s) { return get(p.entries + offset + s); });
  }
}

#define KERNEL extern "C" __global__ void __launch_bounds__(kThreads)
#define CROWDED                                                                \
  extern "C" __global__ void __launch_bounds__(kThreads, kResident)

template <bool isPermuted> __device__ void byValues(const Problem &p) {
  runElement<isPermuted>(p);
  __syncthreads();
  sumByValues(p);
}
KERNEL values(Problem p) { byValues<false>(p); }
CROWDED values_40_registers(Problem p) { byValues<false>(p); }
KERNEL values_permuted(Problem p) { byValues<true>(p); }
CROWDED values_permuted_40_registers(Problem p) { byValues<true>(p); }

template <bool isPermuted> __device__ void byRows(const Problem &p) {
  runElement<isPermuted>(p);
  __syncthreads();
  sumByRows(p);
}
KERNEL rows(Problem p) { byRows<false>(p); }
KERNEL rows_permuted(Problem p) { byRows<true>(p); }

/// The list and the first turn's row are asked for before the elements; no
/// branch up to the barrier.
template <bool isPermuted, bool isByRows>
__device__ void early(const Problem &p) {
  __shared__ uint16_t list[2 * kThreads];
  int thread = threadIdx.x, block = blockIdx.x;
  int begin = get(p.begin + block), end = get(p.end + block);
  int count = get(p.size + block) * (isByRows ? 1 : 4);
  long first = get(p.first + block), offset = get(p.offset + block);
  constexpr int kTurns = isByRows ? 1 : 2;
  Ends ends = endsAt<isPermuted>(p, min(begin + thread, end - 1));
  int target[kTurns], from[kTurns], to[kTurns];
  for (int n = 0; n < kTurns; ++n) {
    int i = min(thread + n * kThreads, count - 1), row = isByRows ? i : i >> 2;
    target[n] = get(p.targets + first + row);
    from[n] = get(p.sumBegin + first + block + row);
    to[n] = get(p.sumBegin + first + block + row + 1);
  }
  uint16_t entry0 = get(p.entries + offset + thread);
  uint16_t entry1 = get(p.entries + offset + kThreads + thread);
  double f[4], sum[kTurns];
  if (!isByRows)
    for (int n = 0; n < kTurns; ++n)
      sum[n] = p.res[4l * target[n] + (thread & 3)];
  fluxOf(p, ends, f);
  leave(f);
  list[thread] = entry0;
  list[kThreads + thread] = entry1;
  __syncthreads();
  if (isByRows) {
    if (thread < count)
      addRow(p.res + 4l * target[0], from[0], to[0],
             [&](int s) { return list[s]; });
    return;
  }
  const double *mine = increments + 2 * (thread & 3) * kThreads;
  for (int n = 0; n < kTurns; ++n)
    if (thread + n * kThreads < count) {
#pragma unroll 1
      for (int s = from[n]; s < to[n]; ++s)
        sum[n] += mine[list[s]];
      p.res[4l * target[n] + (thread & 3)] = sum[n];
    }
}
KERNEL early_values(Problem p) { early<false, false>(p); }
KERNEL early_values_permuted(Problem p) { early<true, false>(p); }
KERNEL early_rows(Problem p) { early<false, true>(p); }
KERNEL early_rows_permuted(Problem p) { early<true, true>(p); } // op2c++'s

/// q and adt of the block's cells in shared memory, each once.
KERNEL staged(Problem p) {
  double *copies = increments + 8 * kThreads;
  int thread = threadIdx.x, block = blockIdx.x;
  int at = min(get(p.begin + block) + thread, get(p.end + block) - 1);
  int node0 = get(p.node0 + at), node1 = get(p.node1 + at);
  int cell0 = get(p.local0 + at), cell1 = get(p.local1 + at);
  for (int i = thread; i < get(p.numStaged + block); i += kThreads) {
    int cell = get(p.staged + get(p.firstStaged + block) + i);
    double row[4];
    getRow<4>(p.q + 4l * cell, row);
    for (int c = 0; c < 4; ++c)
      copies[c * kMostCells + i] = row[c];
    copies[4 * kMostCells + i] = get(p.adt + cell);
  }
  double x1[2], x2[2], q1[4], q2[4], f[4];
  getRow<2>(p.x + 2l * node0, x1);
  getRow<2>(p.x + 2l * node1, x2);
  __syncthreads();
  for (int c = 0; c < 4; ++c) {
    q1[c] = copies[c * kMostCells + cell0];
    q2[c] = copies[c * kMostCells + cell1];
  }
  flux(x1, x2, q1, q2, copies[4 * kMostCells + cell0],
       copies[4 * kMostCells + cell1], f);
  leave(f);
  __syncthreads();
  sumByValues(p);
}

/// A thread for each cell, which runs the cell's edges: each edge twice.
KERNEL cells(Problem p) {
  int cell = blockIdx.x * kThreads + threadIdx.x;
  if (cell >= p.numCells)
    return;
  double2 *row = reinterpret_cast<double2 *>(p.res + 4l * cell);
  double2 a = row[0], b = row[1];
#pragma unroll 1
  for (int s = get(p.rowBegin + cell), e = get(p.rowBegin + cell + 1); s < e;
       ++s) {
    int entry = get(p.rowEdges + s);
    double f[4], sign = entry & 1 ? -1.0 : 1.0;
    fluxOf(p, endsOf(p, entry >> 1), f);
    a.x += sign * f[0];
    a.y += sign * f[1];
    b.x += sign * f[2];
    b.y += sign * f[3];
  }
  row[0] = a;
  row[1] = b;
}

// Parts, to see what takes time.
template <bool isPermuted> __device__ void onlyElements(const Problem &p) {
  runElement<isPermuted>(p);
  __syncthreads();
  if (increments[threadIdx.x] == 12345.678) // never
    p.res[blockIdx.x] = 1;
}
KERNEL only_elements(Problem p) { onlyElements<false>(p); }
KERNEL only_elements_permuted(Problem p) { onlyElements<true>(p); }
KERNEL only_sums(Problem p) {
  for (int n = 0; n < 8; ++n)
    increments[n * kThreads + threadIdx.x] = 1e-3 * threadIdx.x;
  __syncthreads();
  sumByValues(p);
}

/// Atomic additions, structs of arrays.
KERNEL atomics_soa(Problem p) {
  int edge = blockIdx.x * kThreads + threadIdx.x;
  if (edge >= p.numEdges)
    return;
  Ends ends = endsOf(p, edge);
  double x1[2], x2[2], q1[4], q2[4], f[4];
  for (int c = 0; c < 2; ++c) {
    x1[c] = get(p.x + long(c) * p.numNodes + ends.node0);
    x2[c] = get(p.x + long(c) * p.numNodes + ends.node1);
  }
  for (int c = 0; c < 4; ++c) {
    q1[c] = get(p.q + long(c) * p.numCells + ends.cell0);
    q2[c] = get(p.q + long(c) * p.numCells + ends.cell1);
  }
  flux(x1, x2, q1, q2, get(p.adt + ends.cell0), get(p.adt + ends.cell1), f);
  for (int c = 0; c < 4; ++c) {
    atomicAdd(p.res + long(c) * p.numCells + ends.cell0, f[c]);
    atomicAdd(p.res + long(c) * p.numCells + ends.cell1, -f[c]);
  }
}

//===----------------------------------------------------------------------===//
// The host
//===----------------------------------------------------------------------===//

static void check(cudaError_t result, const char *what) {
  if (result == cudaSuccess)
    return;
  std::fprintf(stderr, "owned_rows: error: %s: %s\n", what,
               cudaGetErrorString(result));
  std::exit(1);
}

/// A copy on the device, with some values more behind it.
template <class T> static T *upload(const std::vector<T> &values) {
  constexpr std::size_t kMore = 2 * kThreads;
  T *copy;
  std::size_t bytes = values.size() * sizeof(T), more = kMore * sizeof(T);
  check(cudaMalloc(&copy, bytes + more), "allocating");
  check(cudaMemset(copy, 0, bytes + more), "clearing");
  check(cudaMemcpy(copy, values.data(), bytes, cudaMemcpyHostToDevice),
        "copying to the device");
  return copy;
}

namespace {
/// A grid of quadrilaterals, edges row by row.
struct Grid {
  static constexpr int nx = 2400, ny = 1200;
  std::vector<int> node0, node1, cell0, cell1;
  std::vector<int> right, upper; ///< edges of each cell; -1: none
  std::vector<double> x, q, adt, res;

  static int cell(int i, int j) { return j * nx + i; }
  static int node(int i, int j) { return j * (nx + 1) + i; }

  Grid() : right(nx * ny, -1), upper(nx * ny, -1) {
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        if (i + 1 < nx)
          right[cell(i, j)] = add(node(i + 1, j), node(i + 1, j + 1),
                                  cell(i, j), cell(i + 1, j));
        if (j + 1 < ny)
          upper[cell(i, j)] = add(node(i, j + 1), node(i + 1, j + 1),
                                  cell(i, j + 1), cell(i, j));
      }
    auto random = [] { return std::rand() / double(RAND_MAX); };
    for (int j = 0; j <= ny; ++j)
      for (int i = 0; i <= nx; ++i) {
        x.push_back(i + 0.1 * random());
        x.push_back(j + 0.1 * random());
      }
    for (int n = 0; n < nx * ny; ++n) {
      q.insert(q.end(), {1 + 0.1 * random(), 0.5 * random(), 0.5 * random(),
                         2 + random()});
      adt.push_back(random());
      for (int c = 0; c < 4; ++c)
        res.push_back(random());
    }
  }
  int add(int n0, int n1, int c0, int c1) {
    node0.push_back(n0);
    node1.push_back(n1);
    cell0.push_back(c0);
    cell1.push_back(c1);
    return int(node0.size()) - 1;
  }
};

/// Blocks of cells and the edges that reach them.
struct Plan {
  std::vector<int> begin, end, permutation, size, targets, numStaged, staged;
  std::vector<long> first, offset, firstStaged;
  std::vector<uint16_t> sumBegin, entries, local0, local1;
  std::vector<int> node0, node1, cell0, cell1;

  explicit Plan(const Grid &grid) {
    constexpr int width = kThreads == 64    ? 5
                          : kThreads == 256 ? 16
                          : kThreads == 512 ? 16
                                            : 8;
    constexpr int height = kThreads == 64 ? 5 : kThreads == 512 ? 15 : 7;
    std::vector<char> isKnown(grid.node0.size());
    for (int j = 0; j < Grid::ny; j += height)
      for (int i = 0; i < Grid::nx; i += width)
        addBlock(grid, i, std::min(i + width, Grid::nx), j,
                 std::min(j + height, Grid::ny), isKnown);
  }

private:
  void addBlock(const Grid &grid, int i0, int i1, int j0, int j1,
                std::vector<char> &isKnown) {
    std::vector<int> edges, cells;
    for (int j = j0; j < j1; ++j)
      for (int i = std::max(i0 - 1, 0); i < i1; ++i)
        edges.push_back(grid.right[Grid::cell(i, j)]);
    for (int j = std::max(j0 - 1, 0); j < j1; ++j)
      for (int i = i0; i < i1; ++i)
        edges.push_back(grid.upper[Grid::cell(i, j)]);
    edges.erase(std::remove(edges.begin(), edges.end(), -1), edges.end());
    std::sort(edges.begin(), edges.end());
    for (int edge : edges)
      cells.insert(cells.end(), {grid.cell0[edge], grid.cell1[edge]});
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    if (edges.size() > kThreads || cells.size() > kMostCells) {
      std::fprintf(stderr, "owned_rows: error: %zu edges, %zu cells\n",
                   edges.size(), cells.size());
      std::exit(1);
    }
    auto localOf = [&](int cell) {
      return uint16_t(std::lower_bound(cells.begin(), cells.end(), cell) -
                      cells.begin());
    };
    firstStaged.push_back(long(staged.size()));
    numStaged.push_back(int(cells.size()));
    staged.insert(staged.end(), cells.begin(), cells.end());
    begin.push_back(int(permutation.size()));
    for (int edge : edges) {
      permutation.push_back(isKnown[edge] ? ~edge : edge);
      isKnown[edge] = true;
      node0.push_back(grid.node0[edge]);
      node1.push_back(grid.node1[edge]);
      cell0.push_back(grid.cell0[edge]);
      cell1.push_back(grid.cell1[edge]);
      local0.push_back(localOf(grid.cell0[edge]));
      local1.push_back(localOf(grid.cell1[edge]));
    }
    end.push_back(int(permutation.size()));
    first.push_back(long(targets.size()));
    offset.push_back(long(entries.size()));
    size.push_back((i1 - i0) * (j1 - j0));
    for (int j = j0; j < j1; ++j)
      for (int i = i0; i < i1; ++i)
        addTarget(grid, Grid::cell(i, j), edges);
    sumBegin.push_back(uint16_t(entries.size() - std::size_t(offset.back())));
  }

  void addTarget(const Grid &grid, int cell, const std::vector<int> &edges) {
    targets.push_back(cell);
    sumBegin.push_back(uint16_t(entries.size() - std::size_t(offset.back())));
    for (std::size_t n = 0; n < edges.size(); ++n) {
      if (grid.cell0[edges[n]] == cell)
        entries.push_back(uint16_t(n));
      if (grid.cell1[edges[n]] == cell)
        entries.push_back(uint16_t(kThreads + n));
    }
  }
};

/// Times kernels, and compares what they leave with what the first one left.
class Timer {
public:
  Timer(double *res, const std::vector<double> &start)
      : res(res), start(start), expected(start.size()) {
    check(cudaEventCreate(&before), "creating an event");
    check(cudaEventCreate(&after), "creating an event");
  }

  enum Result { First, Same, Other };

  template <class Run> void time(const char *name, Result result, Run run) {
    std::size_t bytes = start.size() * sizeof(double);
    check(cudaMemcpy(res, start.data(), bytes, cudaMemcpyHostToDevice), name);
    run();
    check(cudaGetLastError(), name);
    std::vector<double> found(start.size());
    check(cudaMemcpy(found.data(), res, bytes, cudaMemcpyDeviceToHost), name);
    if (result == First)
      expected = found;
    if (result == Same && found != expected) {
      std::fprintf(stderr, "owned_rows: error: %s leaves other bits\n", name);
      std::exit(1);
    }
    std::vector<float> times(25);
    for (float &time : times) {
      check(cudaEventRecord(before), name);
      run();
      check(cudaEventRecord(after), name);
      check(cudaEventSynchronize(after), name);
      check(cudaEventElapsedTime(&time, before, after), name);
    }
    std::sort(times.begin(), times.end());
    std::printf("%-30s %7.1f us\n", name, 1e3 * times[times.size() / 2]);
  }

private:
  double *res;
  std::vector<double> start, expected;
  cudaEvent_t before, after;
};
} // namespace

/// Values of `dim` components as a struct of arrays.
static std::vector<double> transposed(const std::vector<double> &values,
                                      std::size_t dim) {
  std::vector<double> result;
  for (std::size_t c = 0; c < dim; ++c)
    for (std::size_t n = c; n < values.size(); n += dim)
      result.push_back(values[n]);
  return result;
}

/// The edges of each cell, ascending.
static void invert(const Grid &grid, Problem &p) {
  std::vector<std::vector<int>> ofCell(p.numCells);
  for (int edge = 0; edge < p.numEdges; ++edge) {
    ofCell[grid.cell0[edge]].push_back(2 * edge);
    ofCell[grid.cell1[edge]].push_back(2 * edge + 1);
  }
  std::vector<int> begin = {0}, all;
  for (const std::vector<int> &edges : ofCell) {
    all.insert(all.end(), edges.begin(), edges.end());
    begin.push_back(int(all.size()));
  }
  p.rowBegin = upload(begin);
  p.rowEdges = upload(all);
}

static std::vector<int> slots(std::vector<int> first,
                              const std::vector<int> &second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

int main() {
  Grid grid;
  Plan plan(grid);
  Problem p;
  p.numEdges = int(grid.node0.size());
  p.numCells = Grid::nx * Grid::ny;
  p.numNodes = (Grid::nx + 1) * (Grid::ny + 1);
  p.numBlocks = int(plan.begin.size());
  std::printf("%d edges, %d blocks of %d, %.1f %% of the edges run twice\n",
              p.numEdges, p.numBlocks, kThreads,
              100.0 * plan.permutation.size() / p.numEdges - 100);
  p.x = upload(grid.x);
  p.q = upload(grid.q);
  p.adt = upload(grid.adt);
  p.res = upload(grid.res);
  p.edge = upload(slots(grid.node0, grid.node1));
  p.ecell = upload(slots(grid.cell0, grid.cell1));
  p.begin = upload(plan.begin);
  p.end = upload(plan.end);
  p.permutation = upload(plan.permutation);
  p.size = upload(plan.size);
  p.targets = upload(plan.targets);
  p.first = upload(plan.first);
  p.offset = upload(plan.offset);
  p.sumBegin = upload(plan.sumBegin);
  p.entries = upload(plan.entries);
  p.node0 = upload(plan.node0);
  p.node1 = upload(plan.node1);
  p.cell0 = upload(plan.cell0);
  p.cell1 = upload(plan.cell1);
  p.numStaged = upload(plan.numStaged);
  p.staged = upload(plan.staged);
  p.firstStaged = upload(plan.firstStaged);
  p.local0 = upload(plan.local0);
  p.local1 = upload(plan.local1);
  invert(grid, p);

  Timer timer(p.res, grid.res);
  constexpr std::size_t copies = 5 * kMostCells * sizeof(double);
  auto time = [&](const char *name, Timer::Result result,
                  void (*kernel)(Problem), std::size_t shared = kBytes) {
    timer.time(name, result,
               [&] { kernel<<<p.numBlocks, kThreads, shared>>>(p); });
  };
  time("values", Timer::First, values);
  time("values, 40 registers", Timer::Same, values_40_registers);
  time("values, permuted maps", Timer::Same, values_permuted);
  time("  and 40 registers", Timer::Same, values_permuted_40_registers);
  time("rows", Timer::Same, rows);
  time("rows, permuted maps", Timer::Same, rows_permuted);
  time("early, values", Timer::Same, early_values);
  time("early, values, permuted maps", Timer::Same, early_values_permuted);
  time("early, rows", Timer::Same, early_rows);
  time("early, rows, permuted maps", Timer::Same, early_rows_permuted);
  if (kBytes + copies <= 48 * 1024)
    time("staged", Timer::Same, staged, kBytes + copies);
  time("only elements", Timer::Other, only_elements);
  time("only elements, permuted maps", Timer::Other, only_elements_permuted);
  time("only sums", Timer::Other, only_sums);
  timer.time("cells", Timer::Same, [&] {
    cells<<<(p.numCells + kThreads - 1) / kThreads, kThreads>>>(p);
  });
  Problem soa = p;
  soa.x = upload(transposed(grid.x, 2));
  soa.q = upload(transposed(grid.q, 4));
  timer.time("atomics, SoA", Timer::Other, [&] {
    atomics_soa<<<(p.numEdges + kThreads - 1) / kThreads, kThreads>>>(soa);
  });
  return 0;
}

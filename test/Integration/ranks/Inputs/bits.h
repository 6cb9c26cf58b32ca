// What a program prints of its values, so that each bit counts.

#include "op_seq.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

template <class T>
void printBits(const char *name, const std::vector<T> &values) {
  uint64_t hash = 14695981039346656037u; // FNV-1a, a value at a time
  for (T value : values) {
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    hash = (hash ^ bits) * 1099511628211u;
  }
  op_printf("%s %016llx\n", name, static_cast<unsigned long long>(hash));
}

/// Of all elements, in the application's order.
template <class T = double> void print(const char *name, op_dat dat) {
  int size = int(op_get_size(dat->set));
  std::vector<T> values(std::size_t(size) * std::size_t(dat->dim));
  op_fetch_data_idx(dat, values.data(), 0, size - 1);
  printBits(name, values);
}

/// How many ranks declare blocks, the program's first argument; 1 if each
/// declares everything. `rank`: which of them this one is.
inline int countBlocks(int argc, char **argv, int &rank) {
  int ranks = argc > 1 ? std::atoi(argv[1]) : 1;
  rank = 0;
  if (ranks > 1)
    op_rank(&rank);
  return ranks > 1 ? ranks : 1;
}

// What programs of generate.py call and need not be compiled with each of them.

#include "fuzz.h"

static int numberOf(char const *variable, int otherwise) {
  char const *text = std::getenv(variable);
  return text ? std::atoi(text) : otherwise;
}
static bool declaresBlocks() {
  char const *text = std::getenv("OP2_RANKS");
  return text && !std::strcmp(text, "blocks");
}
/// Where the block of the rank `ahead` ranks on begins. One rank, FUZZ_EMPTY, has
/// nothing.
static int beginOf(int size, int ahead) {
  if (!declaresBlocks())
    return size * ahead;
  int rank = 0, ranks = numberOf("FUZZ_RANKS", 2);
  op_rank(&rank);
  rank += ahead;
  int empty = numberOf("FUZZ_EMPTY", 0) % ranks;
  return size * (rank > empty ? rank - 1 : rank) / (ranks - 1);
}
int blockBegin(int size) { return beginOf(size, 0); }
int blockSize(int size) { return beginOf(size, 1) - beginOf(size, 0); }
int keepBlock(int *elements, int count, int size) {
  int begin = blockBegin(size), end = begin + blockSize(size);
  return int(std::remove_if(elements, elements + count,
                            [&](int e) { return e < begin || e >= end; }) -
             elements);
}
int sizeOf(int size, op_set set) {
  return declaresBlocks() ? op_get_size(set) : size;
}

template <class T> void start(T *values, int count, int factor, int first) {
  for (int n = 0; n < count; ++n)
    values[n] = T((first + n) * factor % 11);
}
template <class T>
op_dat makeDat(op_set set, int dim, char const *type, char const *name,
               int factor) {
  int whole = op_get_size(set), size = blockSize(whole) * dim;
  std::unique_ptr<T[]> values(new T[size + 1]);
  start(values.get(), size, factor, blockBegin(whole) * dim);
  return op_decl_dat(set, dim, type, values.get(), name);
}
/// Its values, `size` of them.
template <class T>
static std::unique_ptr<T[]> fetchAll(op_dat dat, std::size_t &size) {
  int whole = op_get_size(dat->set);
  size = std::size_t(whole) * std::size_t(dat->dim);
  std::unique_ptr<T[]> values(new T[size + 1]);
  if (!declaresBlocks())
    op_fetch_data(dat, values.get());
  else if (whole > 0)
    op_fetch_data_idx(dat, values.get(), 0, whole - 1);
  return values;
}
template <class T> unsigned long fetch(op_dat dat) {
  std::size_t size = 0;
  std::unique_ptr<T[]> values = fetchAll<T>(dat, size);
  return sumOf(values.get(), size);
}
template <class T>
unsigned long checkOwn(op_dat dat, T const *array, int factor) {
  std::size_t size = 0;
  std::unique_ptr<T[]> values = fetchAll<T>(dat, size);
  int whole = op_get_size(dat->set), begin = blockBegin(whole) * dat->dim;
  int end = begin + blockSize(whole) * dat->dim;
  for (int k = 0; k < int(size); ++k) {
    bool isHere = !declaresBlocks() || (k >= begin && k < end);
    T expected = isHere ? values[k] : T(k * factor % 11);
    if (!std::memcmp(&array[k], &expected, sizeof(T)))
      continue;
    std::fprintf(stderr, "%s: value %d is %lu, expected %lu (of this rank: %d)\n",
                 dat->name, k, word(array[k]), word(expected), isHere);
    std::exit(1);
  }
  return sumOf(values.get(), size);
}
template <class T> unsigned long fetchMatrix(op_mat mat) {
  int rows, cols;
  long long size;
  op_mat_get_size(mat, &rows, &cols, &size);
  std::vector<long long> begin(std::size_t(rows) + 1);
  std::vector<int> columns(std::size_t(size) + 1);
  std::vector<T> values(std::size_t(size) + 1);
  op_mat_get_csr(mat, begin.data(), columns.data(), values.data());
  return sumOf(begin.data(), begin.size()) * 31 +
         sumOf(columns.data(), std::size_t(size)) * 17 +
         sumOf(values.data(), std::size_t(size));
}
template unsigned long fetchMatrix<double>(op_mat);
template unsigned long fetchMatrix<float>(op_mat);
template <class T> void show(char const *what, op_dat dat) {
  op_printf("%s %s %lu\n", what, dat->name, fetch<T>(dat));
}
template <class T> unsigned long lookElsewhere(op_dat dat, int n) {
  return word(reinterpret_cast<T const *>(dat->data)[n]);
}
unsigned long sorted(std::vector<int> values, bool (*less)(int, int)) {
  std::sort(values.begin(), values.end(), less);
  return word(values.front());
}

#define FOR_TYPE(T)                                                            \
  template void start<T>(T *, int, int, int);                                  \
  template op_dat makeDat<T>(op_set, int, char const *, char const *, int);    \
  template unsigned long fetch<T>(op_dat);                                     \
  template unsigned long checkOwn<T>(op_dat, T const *, int);                  \
  template void show<T>(char const *, op_dat);                                 \
  template unsigned long lookElsewhere<T>(op_dat, int);
FOR_TYPE(double)
FOR_TYPE(float)
FOR_TYPE(int)
FOR_TYPE(unsigned)
FOR_TYPE(long)
FOR_TYPE(long long)
FOR_TYPE(unsigned long)
FOR_TYPE(unsigned long long)
FOR_TYPE(bool)
FOR_TYPE(char)
FOR_TYPE(signed char)
FOR_TYPE(unsigned char)
FOR_TYPE(short)
FOR_TYPE(unsigned short)

//===- Pack.h - Values in messages ------------------------- -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_RANKS_PACK_H
#define OP2_LIB_RUNTIME_RANKS_PACK_H

#include "Communicator.h"

#include <cstring>
#include <map>
#include <type_traits>

namespace op2::rt {

/// A message for each rank that gets something.
class Outbox {
public:
  template <class T> void add(int32_t rank, T const &value) {
    static_assert(std::is_trivially_copyable_v<T>);
    addBytes(rank, &value, sizeof(T));
  }
  /// How many, and the values.
  template <class T> void add(int32_t rank, std::vector<T> const &values) {
    add(rank, static_cast<int64_t>(values.size()));
    addBytes(rank, values.data(), values.size() * sizeof(T));
  }
  void addBytes(int32_t rank, void const *data, std::size_t bytes) {
    auto const *first = static_cast<char const *>(data);
    if (bytes > 0)
      all[rank].insert(all[rank].end(), first, first + bytes);
  }
  /// Rows of `size` bytes.
  void addRows(int32_t rank, char const *data, int64_t size,
               std::vector<int32_t> const &rows) {
    if (rows.empty())
      return;
    Bytes &bytes = all[rank];
    std::size_t at = bytes.size();
    bytes.resize(at + rows.size() * std::size_t(size));
    for (int32_t row : rows) {
      std::memcpy(bytes.data() + at, data + row * size, std::size_t(size));
      at += std::size_t(size);
    }
  }
  std::vector<Message> take() {
    std::vector<Message> messages;
    for (auto &[rank, bytes] : all)
      messages.push_back({rank, std::move(bytes)});
    all.clear();
    return messages;
  }

private:
  std::map<int32_t, Bytes> all;
};

/// Reads what an Outbox has written, in the same order.
class Reader {
public:
  explicit Reader(Bytes const &bytes) : bytes(bytes) {}
  bool atEnd() const { return at == bytes.size(); }
  template <class T> T get() {
    T value;
    std::memcpy(&value, getBytes(sizeof(T)), sizeof(T));
    return value;
  }
  template <class T> std::vector<T> getAll() {
    std::vector<T> values(static_cast<std::size_t>(get<int64_t>()));
    std::size_t size = values.size() * sizeof(T);
    if (size > 0)
      std::memcpy(values.data(), getBytes(size), size);
    return values;
  }
  char const *getBytes(std::size_t count) {
    char const *data = bytes.data() + at;
    at += count;
    return data;
  }

private:
  Bytes const &bytes;
  std::size_t at = 0;
};

template <class T> std::vector<T> asValues(Bytes const &bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!bytes.empty())
    std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

/// A value of each rank.
template <class T>
std::vector<T> gatherValues(Communicator &ranks, T const &value) {
  Bytes bytes = ranks.gather(&value, sizeof(T));
  std::vector<T> values(static_cast<std::size_t>(ranks.size()));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_RANKS_PACK_H

//===- Handle.h - An identifier of HDF5 -------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_IO_HDF5_HANDLE_H
#define OP2_LIB_RUNTIME_IO_HDF5_HANDLE_H

#include <hdf5.h>

#include <utility>

namespace op2::rt::hdf5 {

/// An identifier of HDF5 with the function that closes it.
class Handle {
public:
  using Close = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, Close close) : id(id), close(close) {}
  Handle(Handle &&other) noexcept
      : id(std::exchange(other.id, -1)), close(other.close) {}
  Handle &operator=(Handle &&other) noexcept {
    std::swap(id, other.id);
    std::swap(close, other.close);
    return *this;
  }
  ~Handle() {
    if (id >= 0 && close && close(id) < 0)
      hasLost = true;
  }
  /// Closes it: for those who want to know how that went.
  herr_t reset() { return close(std::exchange(id, -1)); }
  /// Whether one could not be closed since this was set to false. Small
  /// datasets are written then, and HDF5 forgets the values if that fails.
  inline static bool hasLost = false;
  explicit operator bool() const { return id >= 0; }
  operator hid_t() const { return id; }

private:
  hid_t id = -1;
  Close close = nullptr;
};

} // namespace op2::rt::hdf5

#endif // OP2_LIB_RUNTIME_IO_HDF5_HANDLE_H

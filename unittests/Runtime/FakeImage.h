//===- FakeImage.h - Contents of device images ------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads as much of an image as a driver must know of it: kernels with their
// parameters, and variables. An image is PTX, a cubin, a fatbin, or, for unit
// tests, text: "kernel NAME [static shared bytes]" and "variable NAME BYTES",
// separated by ';'.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_UNITTESTS_RUNTIME_FAKEIMAGE_H
#define OP2_UNITTESTS_RUNTIME_FAKEIMAGE_H

#include <map>
#include <string>
#include <vector>

namespace op2::test {

struct FakeKernelText {
  int staticShared = 0;
  /// Bytes of each parameter; only PTX tells them.
  std::vector<int> params;
};

struct FakeImage {
  /// "test", "ptx", "cubin" or "fatbin"; empty if it is nothing of the sort.
  std::string kind;
  std::size_t bytes = 0;
  std::map<std::string, FakeKernelText> kernels;
  std::map<std::string, std::size_t> variables; ///< name -> bytes
  /// Machine code, in which names are looked for.
  std::string code;

  static FakeImage read(void const *data);

  /// NULL if there is no such kernel. Machine code does not tell parameters.
  FakeKernelText const *findKernel(std::string const &name);
  /// Bytes; 0 if there is no such variable. Machine code does not tell how
  /// large it is: as large as constant memory then.
  std::size_t findVariable(std::string const &name) const;
};

} // namespace op2::test

#endif // OP2_UNITTESTS_RUNTIME_FAKEIMAGE_H

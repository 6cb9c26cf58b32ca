//===- CudaToolkit.h - Finding an installation of CUDA ----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_CONVERSION_CUDATOOLKIT_H
#define OP2_CONVERSION_CUDATOOLKIT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace mlir::op2 {

/// Looks for parts of CUDA in a given directory, or, if that is empty, in those
/// of CUDA_PATH, CUDA_HOME and CUDA_ROOT, that of the ptxas in PATH and
/// /usr/local/cuda.
class CudaToolkit {
public:
  explicit CudaToolkit(llvm::StringRef path = "");

  /// The program's file, or "".
  std::string findProgram(llvm::StringRef name) const;
  /// The installation that has libdevice, or "".
  std::string findLibdeviceRoot() const;
  /// The places looked at, for messages.
  std::string describePlaces() const;

private:
  llvm::SmallVector<std::string> roots;
  bool usesPath;
};

} // namespace mlir::op2

#endif // OP2_CONVERSION_CUDATOOLKIT_H

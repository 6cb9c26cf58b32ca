//===- CudaToolkit.cpp - Finding an installation of CUDA ------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Conversion/CudaToolkit.h"
#include "OP2/Conversion/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace mlir::op2;
using llvm::SmallString;
using llvm::StringRef;

CudaToolkit::CudaToolkit(StringRef path) : usesPath(path.empty()) {
  if (!path.empty()) {
    roots.push_back(path.str());
    return;
  }
  for (const char *variable : {"CUDA_PATH", "CUDA_HOME", "CUDA_ROOT"})
    if (auto value = llvm::sys::Process::GetEnv(variable))
      if (!value->empty())
        roots.push_back(*value);
  // …/bin/ptxas, and what it is a link to.
  if (auto ptxas = llvm::sys::findProgramByName("ptxas")) {
    SmallString<128> real;
    if (!llvm::sys::fs::real_path(*ptxas, real))
      roots.push_back(
          llvm::sys::path::parent_path(llvm::sys::path::parent_path(real))
              .str());
  }
  roots.push_back("/usr/local/cuda");
}

std::string CudaToolkit::findProgram(StringRef name) const {
  for (StringRef root : roots) {
    SmallString<128> file(root);
    llvm::sys::path::append(file, "bin", name);
    if (llvm::sys::fs::can_execute(file))
      return file.str().str();
  }
  if (!usesPath)
    return "";
  auto found = llvm::sys::findProgramByName(name);
  return found ? *found : "";
}

std::string CudaToolkit::findLibdeviceRoot() const {
  for (StringRef root : roots) {
    SmallString<128> file(root);
    llvm::sys::path::append(file, "nvvm", "libdevice", "libdevice.10.bc");
    if (llvm::sys::fs::exists(file))
      return root.str();
  }
  return "";
}

std::string CudaToolkit::describePlaces() const {
  std::string places = llvm::join(roots, ", ");
  return usesPath ? places + " and PATH (CUDA_PATH, or the option cuda-path, "
                             "tells another place)"
                  : places;
}

std::string mlir::op2::findCudaRoot(StringRef path) {
  return CudaToolkit(path).findLibdeviceRoot();
}

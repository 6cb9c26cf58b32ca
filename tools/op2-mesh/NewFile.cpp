//===- NewFile.cpp - A file that is written whole ---------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NewFile.h"

#include "Draw/Mesh.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace op2::mesh;

/// Does another program hold the file, as those do that have it open with HDF5?
static bool isHeld(std::string const &path) {
  int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  bool is =
      file >= 0 && flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  if (file >= 0)
    close(file);
  return is;
}

NewFile::NewFile(std::string const &path) : path(path) {
  if (!file.begin(path))
    fail();
  if (file.name() != path && isHeld(path)) {
    errno = EBUSY;
    fail();
  }
}

void NewFile::finish() {
  if (!file.finish())
    fail();
}

void NewFile::fail() const {
  throw Error(path + ": cannot write: " + std::strerror(errno));
}

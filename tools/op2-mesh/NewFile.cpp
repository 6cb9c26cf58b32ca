//===- NewFile.cpp - A file that is written whole ---------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NewFile.h"

#include "Draw/Mesh.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace op2::mesh;

/// The file that a symbolic link leads to, if it is there.
static std::string followLinks(std::string const &path) {
  char *target = realpath(path.c_str(), nullptr);
  std::string found = target ? target : path;
  std::free(target);
  return found;
}

/// Can the file be written, and does no other program hold it, as those do that
/// have it open with HDF5? If not, errno says why.
static bool isFree(std::string const &path) {
  int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  bool isHeld = flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  close(file);
  if (isHeld)
    errno = EBUSY;
  return !isHeld;
}

NewFile::NewFile(std::string const &path)
    : path(path), unfinished(path), finished(path),
      isThere(stat(path.c_str(), &old) == 0) {
  // Devices and what the shell has opened keep their names.
  if ((isThere && !S_ISREG(old.st_mode) && !S_ISDIR(old.st_mode)) ||
      path.compare(0, 8, "/dev/std") == 0 ||
      path.compare(0, 8, "/dev/fd/") == 0)
    return;
  if (isThere && !isFree(path))
    fail();
  finished = followLinks(path);
  unfinished = finished + ".unfinished";
}

NewFile::~NewFile() {
  if (isOpen && unfinished != finished)
    std::remove(unfinished.c_str());
}

void NewFile::finish() {
  if (unfinished != finished &&
      ((isThere && chmod(unfinished.c_str(), old.st_mode & ALLPERMS) != 0) ||
       std::rename(unfinished.c_str(), finished.c_str()) != 0))
    fail();
  isOpen = false;
}

void NewFile::fail() const {
  throw Error(path + ": cannot write: " + std::strerror(errno));
}

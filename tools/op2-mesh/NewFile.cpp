//===- NewFile.cpp - A file that is written whole ---------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NewFile.h"

#include "Draw/Mesh.h"

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace op2::mesh;

/// The file that symbolic links lead to, if it need not be there.
static std::string followLinks(std::string path) {
  constexpr int kMost = 40; // as the system follows
  char target[PATH_MAX];
  for (int link = 0; link < kMost; ++link) {
    ssize_t length = readlink(path.c_str(), target, sizeof target);
    if (length <= 0 || length == ssize_t(sizeof target))
      break;
    std::size_t slash = path.rfind('/');
    std::string folder =
        target[0] == '/' || slash == path.npos ? "" : path.substr(0, slash + 1);
    path = folder + std::string(target, std::size_t(length));
  }
  return path;
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
  // A name that nobody has, and nobody else will.
  unfinished = finished + ".XXXXXX";
  int file = mkstemp(unfinished.data());
  if (file < 0)
    fail();
  close(file);
}

NewFile::~NewFile() {
  if (isOpen && unfinished != finished)
    std::remove(unfinished.c_str());
}

/// As open() gives a file that is made.
static mode_t modeOfNew() {
  mode_t hidden = umask(0);
  umask(hidden);
  return (S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH) & ~hidden;
}

void NewFile::finish() {
  mode_t mode = isThere ? old.st_mode & ALLPERMS : modeOfNew();
  if (unfinished != finished &&
      (chmod(unfinished.c_str(), mode) != 0 ||
       std::rename(unfinished.c_str(), finished.c_str()) != 0))
    fail();
  isOpen = false;
}

void NewFile::fail() const {
  throw Error(path + ": cannot write: " + std::strerror(errno));
}

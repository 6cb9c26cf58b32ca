//===- NewFile.cpp - A file that is written whole ---------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NewFile.h"

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

using namespace op2::rt;

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

/// Opens and closes it.
static bool canWrite(std::string const &path) {
  int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  return file >= 0 && close(file) == 0;
}

bool NewFile::begin(std::string const &path) {
  discard();
  unfinished = finished = path;
  isThere = stat(path.c_str(), &old) == 0;
  // Devices and what the shell has opened keep their names.
  if ((isThere && !S_ISREG(old.st_mode) && !S_ISDIR(old.st_mode)) ||
      path.compare(0, 8, "/dev/std") == 0 ||
      path.compare(0, 8, "/dev/fd/") == 0)
    return true;
  if (isThere && !canWrite(path))
    return false;
  // A name that nobody has, and nobody else will.
  finished = followLinks(path);
  std::string name = finished + ".unfinished.XXXXXX";
  int file = mkstemp(name.data());
  if (file < 0)
    return false;
  close(file);
  unfinished = name;
  return true;
}

/// As open() gives a file that is made.
static mode_t modeOfNew() {
  mode_t hidden = umask(0);
  umask(hidden);
  return (S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH) & ~hidden;
}

bool NewFile::finish() {
  mode_t mode = isThere ? old.st_mode & ALLPERMS : modeOfNew();
  if (unfinished != finished &&
      (chmod(unfinished.c_str(), mode) != 0 ||
       std::rename(unfinished.c_str(), finished.c_str()) != 0))
    return false;
  unfinished = finished = "";
  return true;
}

void NewFile::discard() {
  if (unfinished != finished)
    std::remove(unfinished.c_str());
  unfinished = finished = "";
}

//===- Dataset.cpp - Files and datasets of HDF5 -----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dataset.h"
#include "Core/Error.h"
#include "Core/Job.h"
#include "Core/NewFile.h"
#include "Core/Pending.h"
#include "OP2/API/op_lib_core.h"
#include "OP2/Runtime/op2rt.h"

#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace op2::rt::hdf5;

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

Place::Place(char const *call, char const *file, char const *dataset)
    : call(call), file(file ? file : ""), dataset(dataset ? dataset : "") {
  // What is written may be a variable that a loop which waits has changed.
  op2::rt::flushWithResults();
  H5Eget_auto2(H5E_DEFAULT, &oldReport, &oldData);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  struct sigaction ignore = {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGXFSZ, &ignore, &oldSignal);
  if (this->file.empty())
    fail("no file name; expected that of an HDF5 file");
}

Place::~Place() {
  sigaction(SIGXFSZ, &oldSignal, nullptr);
  H5Eset_auto2(H5E_DEFAULT, oldReport, oldData);
}

/// The innermost entry of HDF5's error stack says what happened.
static herr_t keepFirst(unsigned number, H5E_error2_t const *error,
                        void *text) {
  if (number == 0 && error->desc)
    *static_cast<std::string *>(text) = error->desc;
  return 0;
}

std::string Place::where() const {
  std::string text = call;
  if (!file.empty())
    text += ": file " + file;
  return dataset.empty() ? text : text + ", dataset " + dataset;
}

void Place::warn(char const *format, ...) const {
  if (!isRoot())
    return;
  char text[1024];
  std::va_list values;
  va_start(values, format);
  std::vsnprintf(text, sizeof text, format, values);
  va_end(values);
  warning(Problem::HDF5, "%s: %s", where().c_str(), text);
}

// A file was opened for writing and not brought to its end.
static bool isWriting = false;
// What a new file is until then.
static op2::rt::NewFile newFile;

/// When HDF5 (1.10) could not write a file, it crashes at the program's end.
static void leaveWithoutHdf5() {
  std::fflush(nullptr);
  std::_Exit(EXIT_FAILURE);
}

void Place::fail(char const *format, ...) const {
  char text[1024];
  std::va_list values;
  va_start(values, format);
  std::vsnprintf(text, sizeof text, format, values);
  va_end(values);
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keepFirst, &reason);
  if (isWriting)
    std::atexit(leaveWithoutHdf5); // runs before HDF5's own
  newFile.discard();
  fatal(Problem::HDF5, "%s: %s%s%s%s", where().c_str(), text,
        reason.empty() ? "" : " (HDF5: ", reason.c_str(),
        reason.empty() ? "" : ")");
}

void Place::require(herr_t result, char const *what) const {
  if (result < 0)
    fail("cannot %s", what);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static Handle openFile(Place const &place, unsigned mode) {
  if (!isThere(place))
    place.fail("no such file");
  if (H5Fis_hdf5(place.file.c_str()) <= 0) {
    bool isReadable = access(place.file.c_str(), R_OK) == 0;
    H5Eclear2(H5E_DEFAULT);
    place.fail("%s", isReadable ? "is no HDF5 file" : std::strerror(errno));
  }
  Handle file(H5Fopen(place.file.c_str(), mode, H5P_DEFAULT), H5Fclose);
  if (!file)
    place.fail("cannot open it %s",
               mode == H5F_ACC_RDONLY ? "for reading" : "for writing");
  return file;
}

bool op2::rt::hdf5::isThere(Place const &place) {
  return access(place.file.c_str(), F_OK) == 0;
}

Handle op2::rt::hdf5::openToRead(Place const &place) {
  return openFile(place, H5F_ACC_RDONLY);
}

std::string op2::rt::hdf5::writtenName(Place const &place) {
  return newFile.name().empty() ? place.file : newFile.name();
}

static void beginWriting() {
  isWriting = true;
  Handle::hasLost = false;
}

Handle op2::rt::hdf5::createFile(Place const &place) {
  if (!newFile.begin(place.file))
    place.fail("cannot make it: %s", std::strerror(errno));
  Handle file(H5Fcreate(newFile.name().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT,
                        H5P_DEFAULT),
              H5Fclose);
  if (!file)
    place.fail("cannot make it");
  beginWriting();
  return file;
}

/// An error unless there is room for so many bytes more: HDF5 finds out when
/// some are written, and leaves a broken file. They are kept for it until
/// finish(). File systems that cannot keep room are believed to have it.
static void makeRoom(Place const &place, int64_t bytes) {
  constexpr int64_t kBesides = 256 * 1024; // names, groups and attributes
  int file = open(place.file.c_str(), O_WRONLY | O_CLOEXEC);
  struct stat now;
  if (file < 0 || fstat(file, &now) != 0)
    return; // openFile says why
  int64_t end = now.st_size + bytes + kBesides;
  struct rlimit limit;
  int problem = 0;
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
      limit.rlim_cur < static_cast<rlim_t>(end))
    problem = EFBIG;
  else if (fallocate(file, FALLOC_FL_KEEP_SIZE, 0, end) != 0 &&
           (errno == ENOSPC || errno == EDQUOT || errno == EFBIG))
    problem = errno;
  if (problem && ftruncate(file, now.st_size) != 0) // what was kept of it
    problem = errno;
  close(file);
  if (problem)
    place.fail("no room for %lld bytes more, so it stays as it was: %s",
               static_cast<long long>(end - now.st_size),
               std::strerror(problem));
}

/// Gives back what makeRoom() kept and nobody wrote.
static void leaveRoom(Place const &place) {
  struct stat now;
  if (stat(place.file.c_str(), &now) == 0 && S_ISREG(now.st_mode))
    place.require(truncate(place.file.c_str(), now.st_size),
                  "give back the room that it does not need");
}

Handle op2::rt::hdf5::openToWrite(Place const &place, int64_t bytes) {
  if (!isThere(place))
    return createFile(place);
  makeRoom(place, bytes);
  Handle file = openFile(place, H5F_ACC_RDWR);
  beginWriting();
  return file;
}

void op2::rt::hdf5::finish(Place const &place, Handle file) {
  closeFile(place, std::move(file));
  complete(place);
}

void op2::rt::hdf5::closeFile(Place const &place, Handle file) {
  place.require(H5Fflush(file, H5F_SCOPE_GLOBAL), "finish the file");
  if (Handle::hasLost)
    place.fail("cannot write all of its values");
  place.require(file.reset(), "close the file");
}

void op2::rt::hdf5::complete(Place const &place) {
  if (newFile.name().empty())
    leaveRoom(place);
  else if (!newFile.finish())
    place.fail("cannot put the new file %s in its place: %s",
               newFile.name().c_str(), std::strerror(errno));
  isWriting = false;
}

//===----------------------------------------------------------------------===//
// Datasets
//===----------------------------------------------------------------------===//

/// The groups on the way to `path`, outermost first: "a", "a/b" for "a/b/c".
static std::vector<std::string> groupsOf(std::string const &path) {
  std::vector<std::string> groups;
  for (std::size_t at = path.find('/', 1); at != path.npos;
       at = path.find('/', at + 1))
    groups.push_back(path.substr(0, at));
  return groups;
}

static bool exists(Handle const &file, std::string const &path) {
  return H5Lexists(file, path.c_str(), H5P_DEFAULT) > 0;
}

bool op2::rt::hdf5::hasDataset(Handle const &file, std::string const &path) {
  if (path.empty() || path == "/")
    return false;
  for (std::string const &group : groupsOf(path))
    if (!exists(file, group))
      return false;
  return exists(file, path);
}

void op2::rt::hdf5::requireGroups(Place const &place, Handle const &file) {
  for (std::string const &group : groupsOf(place.dataset)) {
    if (!exists(file, group))
      return;
    Handle opened(H5Gopen2(file, group.c_str(), H5P_DEFAULT), H5Gclose);
    H5Eclear2(H5E_DEFAULT);
    if (!opened)
      place.fail("%s is there and no group", group.c_str());
  }
}

static herr_t addName(hid_t, char const *name, H5L_info_t const *,
                      void *names) {
  auto &text = *static_cast<std::string *>(names);
  constexpr std::size_t kEnough = 400;
  if (text.size() < kEnough)
    text += (text.empty() ? "" : ", ") + std::string(name);
  else if (text.back() != '.')
    text += ", ...";
  return 0;
}

static std::string namesIn(Handle const &file) {
  std::string names;
  H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, nullptr, addName, &names);
  H5Eclear2(H5E_DEFAULT);
  return names.empty() ? "nothing" : names;
}

Handle op2::rt::hdf5::findDataset(Place const &place, Handle const &file) {
  if (hasDataset(file, place.dataset))
    return openDataset(place, file);
  place.warn("no such dataset, so the result is NULL; the file has %s",
             namesIn(file).c_str());
  return Handle();
}

Handle op2::rt::hdf5::openDataset(Place const &place, Handle const &file) {
  if (!hasDataset(file, place.dataset))
    place.fail("no such dataset; the file has %s", namesIn(file).c_str());
  Handle dataset(H5Dopen2(file, place.dataset.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset)
    place.fail("is no dataset");
  return dataset;
}

Handle op2::rt::hdf5::createDataset(Place const &place, Handle const &file,
                                    hid_t type,
                                    std::vector<hsize_t> const &shape) {
  for (std::string const &group : groupsOf(place.dataset))
    if (!exists(file, group))
      if (!Handle(H5Gcreate2(file, group.c_str(), H5P_DEFAULT, H5P_DEFAULT,
                             H5P_DEFAULT),
                  H5Gclose))
        place.fail("cannot make group %s", group.c_str());
  Handle space(
      H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
      H5Sclose);
  Handle early(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_alloc_time(early, H5D_ALLOC_TIME_EARLY);
  Handle dataset(H5Dcreate2(file, place.dataset.c_str(), type, space,
                            H5P_DEFAULT, early, H5P_DEFAULT),
                 H5Dclose);
  if (!dataset)
    place.fail("cannot make it");
  return dataset;
}

std::vector<hsize_t> op2::rt::hdf5::shapeOf(Place const &place,
                                            Handle const &dataset) {
  Handle space(H5Dget_space(dataset), H5Sclose);
  int rank = H5Sget_simple_extent_ndims(space);
  place.require(rank, "find out its shape");
  if (H5Sget_simple_extent_type(space) == H5S_NULL)
    place.fail("its dataspace is null; expected one with values");
  std::vector<hsize_t> shape(static_cast<std::size_t>(rank));
  H5Sget_simple_extent_dims(space, shape.data(), nullptr);
  return shape;
}

std::string op2::rt::hdf5::describe(std::vector<hsize_t> const &shape) {
  std::string text;
  for (hsize_t size : shape)
    text += "[" + std::to_string(size) + "]";
  return text.empty() ? "[]" : text;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static void writeAttribute(Place const &place, Handle const &dataset,
                           char const *name, Handle const &space, hid_t type,
                           void const *value) {
  Handle attribute(
      H5Acreate2(dataset, name, type, space, H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose);
  if (!attribute || H5Awrite(attribute, type, value) < 0)
    place.fail("cannot write attribute %s", name);
}

void op2::rt::hdf5::writeAttribute(Place const &place, Handle const &dataset,
                                   char const *name, int value) {
  hsize_t one = 1;
  Handle space(H5Screate_simple(1, &one, nullptr), H5Sclose);
  ::writeAttribute(place, dataset, name, space, H5T_NATIVE_INT, &value);
}

int op2::rt::hdf5::readAttribute(Place const &place, Handle const &dataset,
                                 char const *name, int otherwise) {
  if (H5Aexists(dataset, name) <= 0)
    return otherwise;
  Handle attribute(H5Aopen(dataset, name, H5P_DEFAULT), H5Aclose);
  Handle space(H5Aget_space(attribute), H5Sclose),
      type(H5Aget_type(attribute), H5Tclose);
  int value = 0;
  if (H5Tget_class(type) != H5T_INTEGER ||
      H5Sget_simple_extent_npoints(space) != 1 ||
      H5Aread(attribute, H5T_NATIVE_INT, &value) < 0)
    place.fail("cannot read attribute %s; expected one integer", name);
  return value;
}

void op2::rt::hdf5::writeAttribute(Place const &place, Handle const &dataset,
                                   char const *name, std::string const &text,
                                   std::size_t width) {
  Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, width);
  std::string padded = text;
  padded.resize(width + 1);
  ::writeAttribute(place, dataset, name, space, type, padded.data());
}

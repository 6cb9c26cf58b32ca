//===- RankRows.cpp - Rows that ranks write side by side --------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What parallel HDF5 does for datasets like ours, by which every rank would
// need another HDF5 library than programs for one process have: contiguous
// rows, and metadata that one rank writes.
//
//===----------------------------------------------------------------------===//

#include "RankRows.h"
#include "Core/Job.h"
#include "ElementTypes.h"
#include "Ranks/Pack.h"
#include "Ranks/Ranks.h"
#include "op_rt_support.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace op2::rt;
using namespace op2::rt::hdf5;

namespace {
/// This rank's descriptor of the root's file.
class Descriptor {
public:
  explicit Descriptor(std::string const &path)
      : number(open(path.c_str(), O_WRONLY | O_CLOEXEC)) {}
  ~Descriptor() { finish(); }
  Descriptor(Descriptor const &) = delete;
  Descriptor &operator=(Descriptor const &) = delete;

  bool has(struct stat &found) const {
    return number >= 0 && fstat(number, &found) == 0;
  }
  bool setTime() const { return number >= 0 && futimens(number, nullptr) == 0; }
  /// These return errno, or 0.
  int write(char const *values, int64_t size, int64_t offset) const {
    for (int64_t done = 0; done < size;) {
      ssize_t more = pwrite(number, values + done, std::size_t(size - done),
                            offset + done);
      if (more < 0 && errno != EINTR)
        return errno;
      if (more == 0)
        return ENOSPC;
      done += std::max<ssize_t>(more, 0);
    }
    return 0;
  }
  int finish() {
    int result = number >= 0 ? close(number) : 0;
    number = -1;
    return result == 0 ? 0 : errno;
  }

private:
  int number;
};

/// By which ranks know that they see one file: nobody else gives it this time.
struct Identity {
  int64_t inode = 0, seconds = 0, nanoseconds = 0;

  static Identity of(Descriptor const &file) {
    struct stat found;
    if (!file.has(found))
      return {};
    return {int64_t(found.st_ino), found.st_mtim.tv_sec, found.st_mtim.tv_nsec};
  }
  bool operator==(Identity const &other) const {
    return inode == other.inode && seconds == other.seconds &&
           nanoseconds == other.nanoseconds;
  }
};

/// What the root tells all ranks.
struct Told {
  int64_t canShare = 0;
  Identity file;
  std::string name;
};

struct Failure {
  int32_t dataset, error; ///< errno; 0: none
};
} // namespace

static int64_t bytesOf(DatasetRows const &rows) {
  return rows.count * rows.rowBytes;
}

static int64_t bytesOf(std::vector<DatasetRows> const &datasets) {
  int64_t bytes = 0;
  for (DatasetRows const &rows : datasets)
    bytes += bytesOf(rows);
  return bytes;
}

/// Where the datasets begin, in bytes; empty if one has no place, or something
/// else than HDF5's stands before them in the file.
static std::vector<int64_t>
findPlaces(Handle const &file, std::vector<DatasetRows> const &datasets) {
  std::vector<int64_t> places;
  hsize_t userBlock = 0;
  Handle created(H5Fget_create_plist(file), H5Pclose);
  H5Pget_userblock(created, &userBlock);
  for (DatasetRows const &rows : datasets) {
    haddr_t place = bytesOf(rows) > 0 ? H5Dget_offset(rows.handle) : 0;
    if (place == HADDR_UNDEF || userBlock > 0)
      return {};
    places.push_back(static_cast<int64_t>(place));
  }
  return places;
}

/// The root's values, for all.
template <class T> static void tell(std::vector<T> &values) {
  if (!isRoot())
    std::fill(values.begin(), values.end(), 0);
  communicator().sum(values.data(), static_cast<int64_t>(values.size()));
}

static Told tell(Told const &own) {
  std::vector<int64_t> values = {own.canShare, own.file.inode, own.file.seconds,
                                 own.file.nanoseconds,
                                 static_cast<int64_t>(own.name.size())};
  tell(values);
  std::vector<int64_t> letters(own.name.begin(), own.name.end());
  letters.resize(static_cast<std::size_t>(values[4]));
  tell(letters);
  return {values[0],
          {values[1], values[2], values[3]},
          std::string(letters.begin(), letters.end())};
}

static bool allAgree(bool is) {
  int64_t against = is ? 0 : 1;
  communicator().sum(&against, 1);
  return against == 0;
}

/// Takes part in writing all of them; the first that went wrong.
static Failure writeShare(Descriptor const &file,
                          std::vector<int64_t> const &places,
                          std::vector<DatasetRows> const &datasets) {
  Failure failure = {0, 0};
  for (std::size_t n = 0; n < datasets.size(); ++n)
    datasets[n].visit(Visitors::All,
                      [&](int64_t begin, int64_t end, char const *values) {
                        int64_t size = datasets[n].rowBytes;
                        if (!failure.error)
                          failure = {static_cast<int32_t>(n),
                                     file.write(values, (end - begin) * size,
                                                places[n] + begin * size)};
                      });
  return failure;
}

/// An error of the root if a rank has one.
static void requireWritten(Place const &place, Failure own,
                           std::vector<DatasetRows> const &datasets) {
  std::vector<Failure> all = gatherValues(communicator(), own);
  for (int32_t rank = 0; rank < job.size; ++rank)
    if (isRoot() && all[rank].error)
      Place(place.call, place.file.c_str(),
            datasets[all[rank].dataset].dataset.c_str())
          .fail("rank %d cannot write its rows: %s", rank,
                std::strerror(all[rank].error));
}

/// False, and nothing else, if that cannot be.
static bool writeTogether(Place const &place, Handle &opened,
                          std::vector<DatasetRows> &datasets) {
  std::vector<int64_t> places;
  Told own;
  if (isRoot()) {
    places = findPlaces(opened, datasets);
    // The file is there from now on, with its length.
    place.require(H5Fflush(opened, H5F_SCOPE_GLOBAL), "finish the file");
    Descriptor const file(writtenName(place));
    own = {!places.empty() && file.setTime(), Identity::of(file),
           writtenName(place)};
  }
  Told const told = tell(own);
  if (!told.canShare)
    return false;
  Descriptor file(told.name);
  if (!allAgree(Identity::of(file) == told.file))
    return false;
  places.resize(datasets.size());
  tell(places);
  for (DatasetRows &rows : datasets)
    rows.handle = {};
  if (isRoot())
    closeFile(place, std::move(opened));
  op_mpi_barrier();
  Failure failure = writeShare(file, places, datasets);
  if (int error = file.finish(); error && !failure.error)
    failure = {0, error};
  requireWritten(place, failure, datasets);
  if (isRoot())
    complete(place);
  op_mpi_barrier();
  return true;
}

static void writeByRoot(Place const &place, Handle file,
                        std::vector<DatasetRows> &datasets) {
  for (DatasetRows &rows : datasets) {
    Place const at(place.call, place.file.c_str(), rows.dataset.c_str());
    rows.visit(Visitors::Root,
               [&](int64_t begin, int64_t end, char const *values) {
                 writeValues(at, rows.handle, rows.type,
                             {/*isAll=*/false, begin, end - begin}, values);
               });
    rows.handle = {};
  }
  if (isRoot())
    finish(place, std::move(file));
  op_mpi_barrier();
}

void op2::rt::hdf5::writeAndFinish(Place const &place, Handle file,
                                   std::vector<DatasetRows> datasets) {
  bool isLarge = bytesOf(datasets) > kPieceBytes;
  bool isTogether =
      hasRanks() && isLarge && writeTogether(place, file, datasets);
  if (!isTogether)
    writeByRoot(place, std::move(file), datasets);
  if (OP_diags > 1 && hasRanks())
    op_printf("op2: %s: file %s: %s\n", place.call, place.file.c_str(),
              isTogether ? "ranks have written side by side"
              : isLarge  ? "the root has written for all ranks: they do not "
                           "see its file, or its rows have no places of "
                           "their own"
                         : "the root has written for all ranks");
}

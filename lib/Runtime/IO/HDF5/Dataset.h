//===- Dataset.h - Files and datasets of HDF5 -------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file is open for the time of one call. Every failure ends the program with
// a message that begins with the call, the file and the dataset.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_IO_HDF5_DATASET_H
#define OP2_LIB_RUNTIME_IO_HDF5_DATASET_H

#include "Handle.h"

#include <csignal>
#include <cstdint>
#include <string>
#include <vector>

namespace op2::rt::hdf5 {

/// Where we are, for messages; and the quiet that HDF5's own reports would
/// break, as would the signal of a file that is larger than the system allows:
/// that is an error like others.
class Place {
public:
  Place(char const *call, char const *file, char const *dataset);
  ~Place();
  Place(Place const &) = delete;
  Place &operator=(Place const &) = delete;

  /// "CALL: file FILE, dataset NAME: MESSAGE", and what HDF5 says, if anything.
  [[noreturn]] void fail(char const *format, ...) const
      __attribute__((format(printf, 2, 3)));
  /// The same as a warning of the root's, without HDF5's words.
  void warn(char const *format, ...) const
      __attribute__((format(printf, 2, 3)));
  /// An error unless `result` is one of success.
  void require(herr_t result, char const *what) const;

  char const *const call;
  std::string const file, dataset;

private:
  std::string where() const;

  H5E_auto2_t oldReport = nullptr;
  void *oldData = nullptr;
  struct sigaction oldSignal;
};

bool isThere(Place const &place);
Handle openToRead(Place const &place);
/// Made if it is not there. An error, and the file as it was, unless the disk
/// has room for `bytes` bytes more.
Handle openToWrite(Place const &place, int64_t bytes);
/// Made anew. It has another name until finish(): what was there stays as it
/// was if something goes wrong.
Handle createFile(Place const &place);
/// Brings what was written to the disk, which may be full: HDF5 keeps parts of
/// the file in memory, and reports nothing when it cannot write them in the
/// end.
void finish(Place const &place, Handle file);
/// The same in two steps. In between others may write to the places that the
/// datasets have.
void closeFile(Place const &place, Handle file);
void complete(Place const &place);

/// What the file that is being written is called until it is complete.
std::string writtenName(Place const &place);

/// Dataset `place.dataset`; an error that lists what the file has if it is not
/// there.
Handle openDataset(Place const &place, Handle const &file);
/// The same, but a message and no handle.
Handle findDataset(Place const &place, Handle const &file);
bool hasDataset(Handle const &file, std::string const &path);
/// An error if something else stands where createDataset() needs groups.
void requireGroups(Place const &place, Handle const &file);
/// Made with the groups that its path names, and with its place in the file.
Handle createDataset(Place const &place, Handle const &file, hid_t type,
                     std::vector<hsize_t> const &shape);

std::vector<hsize_t> shapeOf(Place const &place, Handle const &dataset);
/// "[6][2]"; "[]" for a single value.
std::string describe(std::vector<hsize_t> const &shape);

/// Of maps: what the values count from. The library writes 0; of a map without
/// it, the program says so.
constexpr char kBase[] = "base";

void writeAttribute(Place const &place, Handle const &dataset, char const *name,
                    int value);
/// `otherwise` if the dataset has none of this name.
int readAttribute(Place const &place, Handle const &dataset, char const *name,
                  int otherwise);
void writeAttribute(Place const &place, Handle const &dataset, char const *name,
                    std::string const &text, std::size_t width);

} // namespace op2::rt::hdf5

#endif // OP2_LIB_RUNTIME_IO_HDF5_DATASET_H

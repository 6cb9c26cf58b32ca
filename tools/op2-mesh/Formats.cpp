//===- Formats.cpp - Files that hold meshes -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Formats.h"

#include "Core/Progress.h"
#include "NewFile.h"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <set>

using namespace op2::mesh;

namespace {
struct Format {
  char const *name, *ending;
  Mesh (*read)(std::string const &path);
  void (*write)(Mesh const &mesh, std::string const &path);
  /// Names of what it holds; NULL: all. Of edges and faces Gmsh's readers say
  /// what they are.
  char const *held = nullptr;
  bool storesOnlyCells = false;
};
} // namespace

static constexpr char kHeldByGrid[] =
    " nodes cells edges bedges pcell pedge pecell pbedge pbecell p_x p_bound ";
static constexpr char kHeldByGmsh[] =
    " nodes cells edges bedges faces bfaces pcell pedge pecell pbedge pbecell "
    "pface pfcell pbface pbfcell p_x p_bound p_region names-of-p_bound "
    "names-of-p_region ";

// An ending means the first format that has it.
static Format const formats[] = {
    {"grid", ".dat", readGrid, writeGrid, kHeldByGrid},
#ifdef OP2_MESH_HDF5
    {"hdf5", ".h5", readHdf5, writeHdf5},
#endif
    {"gmsh", ".msh", readGmsh, writeGmsh4, kHeldByGmsh, true},
    {"gmsh22", ".msh", readGmsh, writeGmsh2, kHeldByGmsh, true},
};

std::string op2::mesh::knownFormats() {
  std::string text;
  for (Format const &format : formats)
    text += (text.empty() ? "" : ", ") + std::string(format.name) + " (" +
            format.ending + ")";
  return text;
}

static bool endsWith(std::string const &text, std::string const &end) {
  return text.size() >= end.size() &&
         text.compare(text.size() - end.size(), end.size(), end) == 0;
}

static Format const &chooseFormat(std::string const &path,
                                  std::string const &name) {
  for (Format const &format : formats)
    if (name.empty() ? endsWith(path, format.ending) : name == format.name)
      return format;
  throw Error(name.empty()
                  ? path +
                        ": the ending says no format; use --format, or "
                        "--from and --to of convert; known are " +
                        knownFormats()
                  : "unknown format '" + name + "'; known are " +
                        knownFormats());
}

Mesh op2::mesh::readMesh(std::string const &path, std::string const &format) {
  Format const &of = chooseFormat(path, format);
  rt::Progress const progress("reading " + path);
  Mesh mesh = of.read(path);
  try {
    mesh.verify();
  } catch (Error const &error) {
    throw Error(path + ": " + error.what());
  }
  return mesh;
}

void op2::mesh::writeMesh(Mesh const &mesh, std::string const &path,
                          std::string const &format) {
  Format const &of = chooseFormat(path, format);
  rt::Progress const progress("writing " + path);
  of.write(mesh, path);
}

bool op2::mesh::storesOnlyCells(std::string const &path,
                                std::string const &format) {
  return chooseFormat(path, format).storesOnlyCells;
}

std::string op2::mesh::leftOut(Mesh const &mesh, std::string const &path,
                               std::string const &format) {
  char const *held = chooseFormat(path, format).held;
  std::string text;
  auto look = [&](std::string const &word, std::string const &called) {
    if (held && !std::strstr(held, (" " + word + " ").c_str()))
      text += (text.empty() ? "" : ", ") + called;
  };
  for (Set const &set : mesh.sets)
    look(set.name, "set " + set.name);
  for (Map const &map : mesh.maps)
    look(map.name, "map " + map.name);
  for (Dat const &dat : mesh.dats)
    look(dat.name, "dat " + dat.name);
  for (Dat const &constant : mesh.constants)
    look(constant.name, "constant " + constant.name);
  std::set<std::string> named;
  for (Name const &name : mesh.names)
    if (named.insert(name.dat).second)
      look("names-of-" + name.dat, "names of numbers in " + name.dat);
  return text;
}

void op2::mesh::requireFinite(Dat const &dat) {
  for (std::size_t n = 0; n < dat.reals.size(); ++n)
    if (!std::isfinite(dat.reals[n]))
      throw Error("dat " + dat.name + ": element " +
                  std::to_string(n / std::size_t(dat.dim)) +
                  " has a number that is not finite, which the format does not "
                  "allow");
}

using File = std::unique_ptr<std::FILE, int (*)(std::FILE *)>;

std::string op2::mesh::readText(std::string const &path) {
  File file(std::fopen(path.c_str(), "rb"), std::fclose);
  std::string text;
  std::vector<char> buffer(std::size_t(1) << 20);
  if (file)
    while (std::size_t got =
               std::fread(buffer.data(), 1, buffer.size(), file.get()))
      text.append(buffer.data(), got);
  if (!file || std::ferror(file.get()))
    throw Error(path + ": cannot read: " + std::strerror(errno));
  return text;
}

void op2::mesh::writeText(std::string const &path, std::string const &text) {
  NewFile output(path);
  std::FILE *file = std::fopen(output.name().c_str(), "wb");
  if (!file)
    output.fail();
  bool good = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if ((std::fclose(file) != 0) || !good)
    output.fail();
  output.finish();
}

//===- Mesh.cpp - A mesh as sets, maps and dats -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mesh.h"

#include <cassert>

using namespace op2::mesh;

template <class Object>
static Object const *find(std::vector<Object> const &objects,
                          std::string const &name) {
  for (Object const &object : objects)
    if (object.name == name)
      return &object;
  return nullptr;
}

template <class Object>
static Object const &require(std::vector<Object> const &objects,
                             std::string const &name, char const *kind) {
  if (Object const *object = find(objects, name))
    return *object;
  std::string known;
  for (Object const &object : objects)
    known += (known.empty() ? "" : ", ") + object.name;
  throw Error("the mesh has no " + std::string(kind) + " '" + name +
              "'; it has " + (known.empty() ? "none" : known));
}

Set const *Mesh::findSet(std::string const &name) const {
  return find(sets, name);
}
Map const *Mesh::findMap(std::string const &name) const {
  return find(maps, name);
}
Dat const *Mesh::findDat(std::string const &name) const {
  return find(dats, name);
}
Map const *Mesh::findMap(std::string const &from, std::string const &to) const {
  for (Map const &map : maps)
    if (map.from == from && map.to == to)
      return &map;
  return nullptr;
}

std::string Mesh::findName(std::string const &dat, int64_t number) const {
  for (Name const &name : names)
    if (name.dat == dat && name.number == number)
      return name.name;
  return "";
}

Set const &Mesh::set(std::string const &name) const {
  return require(sets, name, "set");
}
Map const &Mesh::map(std::string const &name) const {
  return require(maps, name, "map");
}
Dat const &Mesh::dat(std::string const &name) const {
  return require(dats, name, "dat");
}

static std::string textOf(std::string const &from, std::string const &to,
                          int32_t arity) {
  return from + " -> " + to + (arity ? ", arity " + std::to_string(arity) : "");
}

Map const &Mesh::map(std::string const &name, std::string const &from,
                     std::string const &to, int32_t arity) const {
  Map const &found = map(name);
  if (found.from != from || found.to != to || (arity && found.arity != arity))
    throw Error("map " + name + ": leads " +
                textOf(found.from, found.to, found.arity) + "; expected " +
                textOf(from, to, arity));
  return found;
}

static std::string textOf(bool isReal, std::string const &set, int32_t dim) {
  return (isReal ? "real numbers on set " : "integers on set ") + set +
         (dim ? ", dim " + std::to_string(dim) : "");
}

Dat const &Mesh::dat(std::string const &name, std::string const &set,
                     bool isReal, int32_t dim) const {
  Dat const &found = dat(name);
  bool isFoundReal = found.type == Dat::Type::Real;
  if (found.set != set || isFoundReal != isReal || (dim && found.dim != dim))
    throw Error("dat " + name + ": has " +
                textOf(isFoundReal, found.set, found.dim) + "; expected " +
                textOf(isReal, set, dim));
  return found;
}

void Mesh::verify() const {
  for (Map const &map : maps) {
    assert(int64_t(map.table.size()) == set(map.from).size * map.arity);
    int64_t targets = set(map.to).size;
    for (std::size_t n = 0; n < map.table.size(); ++n)
      if (map.table[n] < 0 || map.table[n] >= targets)
        throw Error("map " + map.name + ": row " +
                    std::to_string(n / static_cast<std::size_t>(map.arity)) +
                    " leads to " + std::to_string(map.table[n]) +
                    "; expected 0 ... " + std::to_string(targets - 1) + " (" +
                    map.to + ")");
  }
  for ([[maybe_unused]] Dat const &dat : dats)
    assert(int64_t(dat.reals.size() + dat.integers.size()) ==
           set(dat.set).size * dat.dim);
}

int32_t op2::mesh::cornersOf(Map const &pcell, int64_t cell) {
  int32_t const *row = pcell.row(cell);
  bool isTriangle = pcell.arity == 4 && row[2] == row[3];
  return isTriangle ? 3 : pcell.arity;
}

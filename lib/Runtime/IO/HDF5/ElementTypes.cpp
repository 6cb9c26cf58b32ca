//===- ElementTypes.cpp - OP2's element types in HDF5 -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HDF5 converts between numeric types by itself, but clips integers that do not
// fit, and makes numbers infinite: those are read wide and checked here.
//
//===----------------------------------------------------------------------===//

#include "ElementTypes.h"
#include "Core/Types.h"
#include "OP2/API/op_lib_core.h"
#include "OP2/Runtime/op2rt.h"

#include <cmath>
#include <limits>
#include <type_traits>

using namespace op2::rt;
using namespace op2::rt::hdf5;

int op2::rt::hdf5::requireType(Place const &place, char const *type) {
  int parsed = parseType(type);
  if (parsed < 0)
    place.fail("unknown type string \"%s\"; expected one of %s",
               type ? type : "(NULL)", allTypeNames().c_str());
  if (isUserType(parsed))
    place.fail("type %s is the application's; HDF5 files hold %s",
               typeName(parsed), allTypeNames().c_str());
  return parsed;
}

hid_t op2::rt::hdf5::nativeType(int type) {
  switch (type) {
  case OP2RT_F64:
    return H5T_NATIVE_DOUBLE;
  case OP2RT_F32:
    return H5T_NATIVE_FLOAT;
  case OP2RT_I32:
    return H5T_NATIVE_INT;
  case OP2RT_U32:
    return H5T_NATIVE_UINT;
  case OP2RT_I64:
    return H5T_NATIVE_LLONG;
  case OP2RT_U64:
    return H5T_NATIVE_ULLONG;
  case OP2RT_I8:
    return H5T_NATIVE_INT8;
  case OP2RT_I16:
    return H5T_NATIVE_INT16;
  case OP2RT_U16:
    return H5T_NATIVE_UINT16;
  }
  return H5T_NATIVE_UINT8; // and bool
}

std::string op2::rt::hdf5::describeType(hid_t type) {
  std::string bits = std::to_string(8 * H5Tget_size(type));
  switch (H5Tget_class(type)) {
  case H5T_INTEGER:
    return bits + (H5Tget_sign(type) == H5T_SGN_NONE ? "-bit unsigned integer"
                                                     : "-bit integer");
  case H5T_FLOAT:
    return H5Tget_size(type) == 8   ? "double"
           : H5Tget_size(type) == 4 ? "float"
                                    : bits + "-bit float";
  case H5T_STRING:
    return "a string";
  case H5T_ENUM:
    return bits + "-bit enumeration";
  case H5T_COMPOUND:
    return "a compound";
  default:
    return "another type";
  }
}

/// The rows of a table or column that are read or written: all others stay as
/// they are in the file.
static Handle select(Place const &place, Handle const &dataset, Rows rows,
                     char const *what) {
  std::vector<hsize_t> count = shapeOf(place, dataset), begin(count.size(), 0);
  Handle space(H5Dget_space(dataset), H5Sclose);
  if (rows.isAll || count.empty())
    return space;
  begin[0] = static_cast<hsize_t>(rows.begin);
  count[0] = static_cast<hsize_t>(rows.count);
  if (rows.count == 0)
    place.require(H5Sselect_none(space), what);
  else
    place.require(H5Sselect_hyperslab(space, H5S_SELECT_SET, begin.data(),
                                      nullptr, count.data(), nullptr),
                  what);
  return space;
}

static Handle memoryFor(Handle const &space) {
  auto count = static_cast<hsize_t>(H5Sget_select_npoints(space));
  return Handle(H5Screate_simple(1, &count, nullptr), H5Sclose);
}

static void readAs(Place const &place, Handle const &dataset, hid_t type,
                   Rows rows, void *values) {
  Handle space = select(place, dataset, rows, "read it");
  place.require(
      H5Dread(dataset, type, memoryFor(space), space, H5P_DEFAULT, values),
      "read it");
}

void op2::rt::hdf5::writeValues(Place const &place, Handle const &dataset,
                                int type, Rows rows, void const *values) {
  Handle space = select(place, dataset, rows, "write it");
  place.require(H5Dwrite(dataset, nativeType(type), memoryFor(space), space,
                         H5P_DEFAULT, values),
                "write it");
}

/// Reads as the widest integer and narrows.
template <class Wide, class T>
static void readChecked(Place const &place, Handle const &dataset, bool mayClip,
                        Rows rows, int64_t count, T *values) {
  std::vector<Wide> wide(static_cast<std::size_t>(count));
  readAs(place, dataset,
         std::is_signed_v<Wide> ? H5T_NATIVE_LLONG : H5T_NATIVE_ULLONG, rows,
         wide.data());
  using Unsigned = unsigned long long;
  constexpr Wide least = std::is_signed_v<Wide>
                             ? static_cast<Wide>(std::numeric_limits<T>::min())
                             : 0;
  constexpr Wide most = Unsigned(std::numeric_limits<T>::max()) <
                                Unsigned(std::numeric_limits<Wide>::max())
                            ? static_cast<Wide>(std::numeric_limits<T>::max())
                            : std::numeric_limits<Wide>::max();
  for (int64_t n = 0; n < count; ++n) {
    Wide value = wide[static_cast<std::size_t>(n)];
    bool isClipped =
        mayClip &&
        (value == std::numeric_limits<Wide>::max() ||
         (std::is_signed_v<Wide> && value == std::numeric_limits<Wide>::min()));
    if (isClipped)
      place.fail("value %lld (counted from 0) does not fit into 64 bits",
                 static_cast<long long>(n));
    if (value < least || value > most)
      place.fail("value %lld (counted from 0) is %s; expected %s..%s",
                 static_cast<long long>(n), std::to_string(value).c_str(),
                 std::to_string(least).c_str(), std::to_string(most).c_str());
    values[n] = static_cast<T>(value);
  }
}

template <class T>
static void readInteger(Place const &place, Handle const &dataset,
                        Handle const &stored, int type, Rows rows,
                        int64_t count, void *values) {
  bool isSigned =
      H5Tget_class(stored) == H5T_ENUM || H5Tget_sign(stored) != H5T_SGN_NONE;
  bool fits = isSigned == std::is_signed_v<T> &&
              H5Tget_size(stored) <= sizeof(T) && type != OP2RT_BOOL;
  if (fits)
    return readAs(place, dataset, nativeType(type), rows, values);
  bool mayClip = H5Tget_size(stored) > sizeof(long long);
  if (isSigned)
    return readChecked<long long>(place, dataset, mayClip, rows, count,
                                  static_cast<T *>(values));
  readChecked<unsigned long long>(place, dataset, mayClip, rows, count,
                                  static_cast<T *>(values));
}

template <class Wide, class T>
static void readFinite(Place const &place, Handle const &dataset, hid_t type,
                       Rows rows, int64_t count, T *values) {
  std::vector<Wide> wide(static_cast<std::size_t>(count));
  readAs(place, dataset, type, rows, wide.data());
  for (int64_t n = 0; n < count; ++n) {
    Wide value = wide[static_cast<std::size_t>(n)];
    values[n] = static_cast<T>(value);
    if (std::isinf(values[n]) && !std::isinf(value))
      place.fail("value %lld (counted from 0) is %Lg; expected at most %g",
                 static_cast<long long>(n), static_cast<long double>(value),
                 double(std::numeric_limits<T>::max()));
  }
}

template <class T>
static void readReal(Place const &place, Handle const &dataset,
                     Handle const &stored, int type, Rows rows, int64_t count,
                     void *values) {
  std::size_t bytes = H5Tget_size(stored);
  if (H5Tget_class(stored) != H5T_FLOAT || bytes <= sizeof(T))
    return readAs(place, dataset, nativeType(type), rows, values);
  if (bytes <= sizeof(double))
    return readFinite<double>(place, dataset, H5T_NATIVE_DOUBLE, rows, count,
                              static_cast<T *>(values));
  readFinite<long double>(place, dataset, H5T_NATIVE_LDOUBLE, rows, count,
                          static_cast<T *>(values));
}

/// What can be taken as what: any number as a float, integers as integers.
static void requireConvertible(Place const &place, hid_t stored, int type) {
  // HDF5 converts numbers of any width, up to gigabytes each.
  constexpr std::size_t kWidest = 16;
  H5T_class_t kind = H5Tget_class(stored);
  bool isFloat = type == OP2RT_F64 || type == OP2RT_F32;
  bool isBool = type == OP2RT_BOOL;
  bool isKind = kind == H5T_INTEGER || (isFloat && kind == H5T_FLOAT) ||
                (isBool && kind == H5T_ENUM);
  if (isKind && H5Tget_size(stored) <= kWidest)
    return;
  place.fail("holds %s; expected %s", describeType(stored).c_str(),
             typeName(type));
}

void op2::rt::hdf5::readValues(Place const &place, Handle const &dataset,
                               int type, Rows rows, int64_t count,
                               void *values) {
  Handle stored(H5Dget_type(dataset), H5Tclose);
  requireConvertible(place, stored, type);
  if (OP_diags > 1 && H5Tequal(stored, nativeType(type)) == 0)
    op_printf("op2: file %s, dataset %s: %s is converted to %s\n",
              place.file.c_str(), place.dataset.c_str(),
              describeType(stored).c_str(), typeName(type));
  switch (type) {
  case OP2RT_F64:
    return readReal<double>(place, dataset, stored, type, rows, count, values);
  case OP2RT_F32:
    return readReal<float>(place, dataset, stored, type, rows, count, values);
  case OP2RT_I32:
    return readInteger<int>(place, dataset, stored, type, rows, count, values);
  case OP2RT_U32:
    return readInteger<unsigned>(place, dataset, stored, type, rows, count,
                                 values);
  case OP2RT_I64:
    return readInteger<long long>(place, dataset, stored, type, rows, count,
                                  values);
  case OP2RT_U64:
    return readInteger<unsigned long long>(place, dataset, stored, type, rows,
                                           count, values);
  case OP2RT_BOOL:
    return readInteger<bool>(place, dataset, stored, type, rows, count, values);
  case OP2RT_I8:
    return readInteger<int8_t>(place, dataset, stored, type, rows, count,
                               values);
  case OP2RT_U8:
    return readInteger<uint8_t>(place, dataset, stored, type, rows, count,
                                values);
  case OP2RT_I16:
    return readInteger<int16_t>(place, dataset, stored, type, rows, count,
                                values);
  case OP2RT_U16:
    return readInteger<uint16_t>(place, dataset, stored, type, rows, count,
                                 values);
  }
}

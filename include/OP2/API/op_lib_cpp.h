//===- op_lib_cpp.h - The typed part of the interface ----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Templates that take typed pointers and check them against the type string:
// double, float, int, uint, ll, ull, bool, each also with ":soa".
//
//===----------------------------------------------------------------------===//

#ifndef OP2_API_OP_LIB_CPP_H
#define OP2_API_OP_LIB_CPP_H

#include "op_hdf5.h"
#include "op_lib_c.h"
#include "op_mat.h"

#include <type_traits>

// Types of the application: it defines type_error and ZERO_... there.
#ifdef OP_USER_DATATYPES
#include <op_user_datatypes.h>
#endif

// Initial values, with the semicolon that OP2's have.
#define ZERO_double 0.0;
#define ZERO_float 0.0f;
#define ZERO_int 0;
#define ZERO_uint 0;
#define ZERO_ll 0;
#define ZERO_ull 0;
#define ZERO_bool 0;

// The library has them with the platform's layout.
static_assert(alignof(op_arg) == alignof(void *) &&
                  alignof(op_set_core) == alignof(void *),
              "OP2's headers are included where structs are packed "
              "(#pragma pack, -fpack-struct); expected that it ends before");

namespace op2 {

/// The type string's word for a C++ type.
template <class T> struct TypeName {
  static constexpr char const *value = "a type that OP2 does not know";
};
template <class T> struct TypeName<T const> : TypeName<T> {};
template <> struct TypeName<double> {
  static constexpr char const *value = "double";
};
template <> struct TypeName<float> {
  static constexpr char const *value = "float";
};
template <> struct TypeName<int> {
  static constexpr char const *value = "int";
};
template <> struct TypeName<unsigned int> {
  static constexpr char const *value = "uint";
};
template <> struct TypeName<long long> {
  static constexpr char const *value = "ll";
};
template <> struct TypeName<unsigned long long> {
  static constexpr char const *value = "ull";
};
template <> struct TypeName<bool> {
  static constexpr char const *value = "bool";
};
// The other 64-bit spellings, e.g. of int64_t.
template <> struct TypeName<long> {
  static constexpr char const *value = sizeof(long) == 8 ? "ll" : "int";
};
template <> struct TypeName<unsigned long> {
  static constexpr char const *value = sizeof(long) == 8 ? "ull" : "uint";
};

template <> struct TypeName<char> {
  static constexpr char const *value = char(-1) < 0 ? "char" : "uchar";
};
template <> struct TypeName<signed char> {
  static constexpr char const *value = "char";
};
template <> struct TypeName<unsigned char> {
  static constexpr char const *value = "uchar";
};
template <> struct TypeName<short> {
  static constexpr char const *value = "short";
};
template <> struct TypeName<unsigned short> {
  static constexpr char const *value = "ushort";
};

} // namespace op2

/// 0 if the type string names T. An application defines the same for its own
/// types, not as templates.
template <class T> int type_error(T const *, char const *type) {
  return !op_type_matches(type, op2::TypeName<T>::value);
}

namespace op2 {

/// Null if `type` names T, else what T is.
template <class T> char const *refusedType(T *data, char const *type) {
  static_assert(__is_trivially_copyable(T) && alignof(T) <= 64,
                "OP2 copies values byte by byte, to addresses that are "
                "multiples of 64");
  return type_error(static_cast<T const *>(data), type) ? TypeName<T>::value
                                                        : nullptr;
}

/// The plain byte pointer that the C functions take.
template <class T> char *bytes(T *data) {
  return const_cast<char *>(reinterpret_cast<char const *>(data));
}

} // namespace op2

/// data[set->size * dim], or a null T * for zeros. Copied.
template <class T>
OP2_ANNOTATE("op2.decl_dat")
op_dat op_decl_dat(op_set set, int dim, char const *type, T *data,
                   char const *name) {
  op_require_type("op_decl_dat", name, type, op2::refusedType(data, type),
                  sizeof(T));
  return op_decl_dat_char(set, dim, type, static_cast<int>(sizeof(T)),
                          op2::bytes(data), name);
}

/// A dat whose rows are columns of `levels` levels of `dim` values each, for
/// op_arg_dat_layers: data[set->size][levels][dim].
template <class T>
op_dat op_decl_dat_layers(op_set set, int levels, int dim, char const *type,
                          T *data, char const *name) {
  op_require_type("op_decl_dat_layers", name, type,
                  op2::refusedType(data, type), sizeof(T));
  return op_decl_dat_layers_char(set, levels, dim, type,
                                 static_cast<int>(sizeof(T)), op2::bytes(data),
                                 name);
}

/// A size that may be more than an int can hold is an error then.
template <class T>
typename std::enable_if<std::is_integral<T>::value &&
                            (sizeof(T) > sizeof(int) ||
                             (sizeof(T) == sizeof(int) && T(-1) > T(0))),
                        op_set>::type
op_decl_set(T size, char const *name) {
  return op_decl_set_long(static_cast<long long>(size), name);
}

/// A dat of zeros; `data` only gives the type.
template <class T>
op_dat op_decl_dat_temp(op_set set, int dim, char const *type, T *data,
                        char const *name) {
  (void)data;
  op_require_type("op_decl_dat_temp", name, type, op2::refusedType(data, type),
                  sizeof(T));
  return op_decl_dat_temp_char(set, dim, type, static_cast<int>(sizeof(T)),
                               name);
}

/// Kernels may read data[0 ... dim-1], a global variable of the program.
/// Declare it again after a change.
template <class T>
OP2_ANNOTATE("op2.decl_const")
void op_decl_const(int dim, char const *type, T *data) {
  op_require_type("op_decl_const", "", type, op2::refusedType(data, type),
                  sizeof(T));
  op_decl_const_char(dim, type, static_cast<int>(sizeof(T)), op2::bytes(data),
                     "");
}
template <class T>
void op_decl_const2(char const *name, int dim, char const *type, T *data) {
  op_require_type("op_decl_const2", name, type, op2::refusedType(data, type),
                  sizeof(T));
  op_decl_const_char(dim, type, static_cast<int>(sizeof(T)), op2::bytes(data),
                     name);
}

namespace op2 {

/// T, where an argument is to be one that fits, not one that T follows from.
template <class T> struct Given {
  using Type = T;
};

/// As the library calls it.
template <class T> auto asMerge(void (*merge)(T *, T const *)) {
  return reinterpret_cast<void (*)(void *, void const *)>(merge);
}

} // namespace op2

/// data[dim]: OP_READ a value; OP_INC, OP_MIN, OP_MAX reductions that start
/// from the value it has; OP_WORK scratch of each thread.
template <class T>
OP2_ANNOTATE("op2.arg_gbl")
op_arg op_arg_gbl(T *data, int dim, char const *type, op_access acc) {
  op_arg arg = op_arg_gbl_typed(1, op2::bytes(data), dim, type,
                                static_cast<int>(sizeof(T)),
                                op2::refusedType(data, type), acc);
  arg.opt = 1; // without data that is an error
  return arg;
}
/// The same if opt != 0; otherwise the kernel gets NULL.
template <class T>
OP2_ANNOTATE("op2.opt_arg_gbl")
op_arg
    op_opt_arg_gbl(int opt, T *data, int dim, char const *type, op_access acc) {
  return op_arg_gbl_typed(opt, op2::bytes(data), dim, type,
                          static_cast<int>(sizeof(T)),
                          op2::refusedType(data, type), acc);
}
/// A reduction by a function of the program, OP_REDUCE: merge(into, from)
/// combines the result `from` of some elements into that of elements before
/// them, each T[dim]. It is associative, and leaves results as they are if one
/// of the two is identity[dim]. The kernel gets a result, identity at first,
/// and changes it as it likes. Elements and results keep the order of the
/// library's numbers of elements; the value of data[dim] from before comes
/// first.
template <class T>
OP2_ANNOTATE("op2.arg_reduce")
op_arg op_arg_reduce(T *data, int dim, char const *type,
                     typename op2::Given<void (*)(T *, T const *)>::Type merge,
                     typename op2::Given<T const *>::Type identity) {
  op_arg arg = op_arg_gbl_typed(1, op2::bytes(data), dim, type,
                                static_cast<int>(sizeof(T)),
                                op2::refusedType(data, type), OP_REDUCE);
  arg.opt = 1; // so that a null pointer is reported
  arg.merge = op2::asMerge<T>(merge);
  arg.identity = identity;
  return arg;
}
/// What the kernel stores when it improves the OP_MIN or OP_MAX global at
/// position `ref` (from 0) of the same loop.
template <class T>
OP2_ANNOTATE("op2.arg_info")
op_arg op_arg_info(T *data, int dim, char const *type, int ref) {
  return op_arg_info_typed(op2::bytes(data), dim, type,
                           static_cast<int>(sizeof(T)),
                           op2::refusedType(data, type), ref);
}

/// data[elements * dat->dim] receives the values of the elements that this
/// process has declared: see op_fetch_data_char.
template <class T> void op_fetch_data(op_dat dat, T *data) {
  if (dat)
    op_require_values("op_fetch_data", dat, op2::refusedType(data, dat->type),
                      sizeof(T));
  op_fetch_data_char(dat, op2::bytes(data));
}
/// Elements low ... high, both included.
template <class T>
void op_fetch_data_idx(op_dat dat, T *data, int low, int high) {
  if (dat)
    op_require_values("op_fetch_data_idx", dat,
                      op2::refusedType(data, dat->type), sizeof(T));
  op_fetch_data_idx_char(dat, op2::bytes(data), low, high);
}

/// Reductions over processes: one has nothing to reduce.
inline void op_mpi_reduce(op_arg *arg, float *data) {
  op_mpi_reduce_float(arg, data);
}
inline void op_mpi_reduce(op_arg *arg, double *data) {
  op_mpi_reduce_double(arg, data);
}
inline void op_mpi_reduce(op_arg *arg, int *data) {
  op_mpi_reduce_int(arg, data);
}
template <class T> void op_mpi_reduce(op_arg *, T *) {}

#endif // OP2_API_OP_LIB_CPP_H

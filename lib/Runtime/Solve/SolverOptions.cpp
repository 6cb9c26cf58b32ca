//===- SolverOptions.cpp - How a system is solved ---------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SolverOptions.h"
#include "Core/Error.h"
#include "Core/PlainNumbers.h"
#include "OP2/Runtime/op2rt.h"

#include <climits>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <string>

using namespace op2::rt;

namespace {
template <class T> struct Word {
  char const *text;
  T value;
};

constexpr Word<Method> kMethods[] = {{"cg", Method::CG},
                                     {"bcgs", Method::BiCGStab},
                                     {"preonly", Method::Direct}};
constexpr Word<Preconditioner> kPreconditioners[] = {
    {"none", Preconditioner::None},         {"jacobi", Preconditioner::Jacobi},
    {"icc", Preconditioner::ICC},           {"ilu", Preconditioner::ILU},
    {"cholesky", Preconditioner::Cholesky}, {"lu", Preconditioner::LU}};
} // namespace

template <class T, std::size_t count>
static T readWord(Word<T> const (&words)[count], std::string const &name,
                  std::string const &value, char const *where) {
  std::string all;
  for (Word<T> const &word : words) {
    if (value == word.text)
      return word.value;
    all += (all.empty() ? "" : ", ") + std::string(word.text);
  }
  fatal(Problem::SolverOption,
        "%s: %s is \"%s\"; expected one of %s (others: op_petsc_solve)", where,
        name.c_str(), value.c_str(), all.c_str());
}

static double readNumber(std::string const &name, std::string const &value,
                         double least, double most, char const *where) {
  double number = readPlainNumber(value);
  if (!(number >= least && number <= most))
    fatal(Problem::SolverOption,
          "%s: %s is \"%s\"; expected a number from %g to %g", where,
          name.c_str(), value.c_str(), least, most);
  return number;
}

static int readCount(std::string const &name, std::string const &value,
                     char const *where) {
  double number = readNumber(name, value, 1, INT_MAX, where);
  if (number != std::floor(number))
    fatal(Problem::SolverOption, "%s: %s is \"%s\"; expected a whole number",
          where, name.c_str(), value.c_str());
  return static_cast<int>(number);
}

static bool goTogether(Method method, Preconditioner preconditioner) {
  switch (preconditioner) {
  case Preconditioner::None:
  case Preconditioner::Jacobi:
    return method != Method::Direct;
  case Preconditioner::ICC:
    return method == Method::CG;
  case Preconditioner::ILU:
    return method == Method::BiCGStab;
  case Preconditioner::Cholesky:
  case Preconditioner::LU:
    return method == Method::Direct;
  }
  return false;
}

SolverOptions op2::rt::parseSolverOptions(char const *text, char const *where) {
  SolverOptions options;
  std::istringstream words(text ? text : "");
  std::string name, value;
  bool hasPreconditioner = false;
  while (words >> name) {
    value.clear();
    words >> value;
    if (name == "-ksp_type") {
      options.method = readWord(kMethods, name, value, where);
    } else if (name == "-pc_type") {
      options.preconditioner = readWord(kPreconditioners, name, value, where);
      hasPreconditioner = true;
    } else if (name == "-ksp_rtol") {
      options.tolerance = readNumber(name, value, 1e-300, 1, where);
    } else if (name == "-ksp_max_it") {
      options.maxIterations = readCount(name, value, where);
    } else {
      fatal(Problem::SolverOption,
            "%s: unknown option \"%s\"; expected -ksp_type, -pc_type, "
            "-ksp_rtol or -ksp_max_it (others: op_petsc_solve)",
            where, name.c_str());
    }
  }
  if (options.method == Method::Direct && !hasPreconditioner)
    options.preconditioner = Preconditioner::LU;
  if (!goTogether(options.method, options.preconditioner))
    fatal(Problem::SolverOption,
          "%s: \"%s\" does not go together; expected cg with none, "
          "jacobi or icc, bcgs with none, jacobi or ilu, preonly with lu "
          "or cholesky (others: op_petsc_solve)",
          where, text);
  return options;
}

//===- constants.h - Types and constants of Airfoil -------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_EXAMPLES_AIRFOIL_CONSTANTS_H
#define OP2_EXAMPLES_AIRFOIL_CONSTANTS_H

// The precision of the whole computation: double, unless AIRFOIL_SINGLE is
// defined. REAL_NAME is the name that OP2 knows the type by.
#ifdef AIRFOIL_SINGLE
typedef float real;
#define REAL_NAME "float"
#else
typedef double real;
#define REAL_NAME "double"
#endif

extern real gam;     // ratio of specific heats
extern real gm1;     // gam - 1
extern real cfl;     // Courant number
extern real eps;     // coefficient of the smoothing
extern real qinf[4]; // free stream: density, momenta, energy

#endif // OP2_EXAMPLES_AIRFOIL_CONSTANTS_H

//===- IntrinsicExpansion.h - Calls in kernels as operations ----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_INTRINSICEXPANSION_H
#define OP2_FRONTEND_INTRINSICEXPANSION_H

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace op2::frontend {

/// Replaces calls in kernels that neither the raiser nor devices know by
/// operations that they do, with the same results wherever the language says
/// what those are: conversions that saturate, rounding to integers, powers with
/// a constant integer exponent, mod and modulo of Fortran's library, and
/// expectations (__builtin_expect), which hide constants.
void expandIntrinsics(llvm::Module &kernels);

/// Calls the C library for functions with two results, for the host.
void callForPairs(llvm::Module &kernels);

/// Gives switches on more than 64 bits, of which MLIR and its translation to
/// LLVM IR keep 64, comparisons in their place.
void expandWideSwitches(llvm::Module &kernels);

/// -fno-builtin: functions may be the program's own, whatever they are called.
/// Says so at each call (nobuiltin): MLIR loses it, devices drop the attributes
/// of functions.
void keepOwnFunctions(llvm::Function &function);

/// Decides for all of a program's file what LLVM leaves open. Else it would
/// decide by what it knows of the operands, so in some versions of a kernel in
/// another way than in others; and devices would not know. How often a product
/// that is added is rounded (llvm.fmuladd): as its processor does it, once
/// (fma), or twice; other processors than x86 and AArch64 are left alone. Which
/// of two zeros, and what with a signalling NaN, is the smaller or larger one
/// (llvm.minnum, llvm.maxnum). In which order a power multiplies (llvm.powi).
void fixResults(llvm::Module &module);

} // namespace op2::frontend

#endif // OP2_FRONTEND_INTRINSICEXPANSION_H

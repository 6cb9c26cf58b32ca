//===- Page.h - The page about the loops of a program -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A folder with a file of data for each source file (*.op2.json, written by the
// compiler), one of the latest run (written by libop2), and index.html, which
// holds all of them: made anew whenever one changes. Needs nothing but the
// standard library: the compiler's plugins and libop2 have it alike.

#ifndef OP2_REPORT_PAGE_H
#define OP2_REPORT_PAGE_H

#include <string>

namespace op2::report {

/// Of files of data. Others in the folder do not matter.
inline constexpr char kDataEnding[] = ".op2.json";
/// The data of the latest run.
inline constexpr char kRunFile[] = "run.op2.json";

/// Writes `data` of a compiled source file, JSON in UTF-8, to a file of the
/// folder, which is made if it is not there, and makes the page anew. Several
/// processes may do so at a time. The latest run is forgotten: it was another
/// program's. Returns what failed, or "".
std::string addUnit(const std::string &folder, const std::string &fileName,
                    const std::string &data);

/// The same with the data of a run. An error if the folder is not there.
std::string addRun(const std::string &folder, const std::string &data);

} // namespace op2::report

#endif // OP2_REPORT_PAGE_H

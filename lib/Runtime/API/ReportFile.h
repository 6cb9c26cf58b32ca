//===- ReportFile.h - OP2_REPORT --------------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_API_REPORTFILE_H
#define OP2_LIB_RUNTIME_API_REPORTFILE_H

namespace op2::rt {

/// At the program's beginning and end: with OP2_REPORT=FOLDER, adds what the
/// run took to the page that op2c++ --op2-report=html:FOLDER has made. Called
/// by all ranks.
void openReport();
void closeReport();

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_API_REPORTFILE_H

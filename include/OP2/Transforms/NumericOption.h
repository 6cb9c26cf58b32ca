//===- NumericOption.h - Options that are numbers of a range ----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The type of every numeric option of a pass, a pipeline or a tool: what is
// outside its range is an error where the command line is read.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TRANSFORMS_NUMERICOPTION_H
#define OP2_TRANSFORMS_NUMERICOPTION_H

#include "OP2/Dialect/Ranges.h"
#include "llvm/Support/CommandLine.h"

namespace mlir::op2 {

/// A number of the range, as far as it was read by the parser below.
template <const NumberRange &range> class NumberIn {
public:
  constexpr NumberIn(int64_t number = 0) : number(number) {}
  constexpr operator int64_t() const { return number; }

private:
  int64_t number;
};

template <const NumberRange &range>
llvm::raw_ostream &operator<<(llvm::raw_ostream &stream,
                              NumberIn<range> number) {
  return stream << int64_t(number);
}

} // namespace mlir::op2

namespace llvm::cl {

template <const mlir::op2::NumberRange &range>
class parser<mlir::op2::NumberIn<range>>
    : public basic_parser<mlir::op2::NumberIn<range>> {
public:
  using Number = mlir::op2::NumberIn<range>;
  using basic_parser<Number>::basic_parser;

  /// True if `text` is no such number.
  bool parse(Option &option, StringRef, StringRef text, Number &number) {
    int64_t value;
    if (!text.getAsInteger(0, value) && range.contains(value)) {
      number = value;
      return false;
    }
    return option.error("expected " + range.describe() + ", got '" + text +
                        "'");
  }

  void printOptionDiff(const Option &option, Number value,
                       const OptionValue<Number> &, size_t width) const {
    this->printOptionName(option, width);
    outs() << "= " << int64_t(value) << "\n";
  }
  StringRef getValueName() const override { return "number"; }
  void anchor() override {}
};

} // namespace llvm::cl

#endif // OP2_TRANSFORMS_NUMERICOPTION_H

//===- Utf8.h - Characters of text ------------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_CORE_UTF8_H
#define OP2_LIB_RUNTIME_CORE_UTF8_H

#include <cstddef>
#include <string>

namespace op2 {

/// Bytes of the UTF-8 character at `at`; 0 if there is none (RFC 3629).
inline std::size_t measureCharacter(std::string const &text, std::size_t at) {
  auto byte = [&](std::size_t n) {
    return at + n < text.size() ? static_cast<unsigned char>(text[at + n]) : 0u;
  };
  unsigned first = byte(0);
  if (first < 0x80)
    return 1;
  std::size_t size = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  // No longer forms than needed, no surrogates, nothing above U+10FFFF.
  unsigned least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  unsigned most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (first < 0xc2 || first > 0xf4 || byte(1) < least || byte(1) > most)
    return 0;
  for (std::size_t n = 2; n < size; ++n)
    if (byte(n) < 0x80 || byte(n) > 0xbf)
      return 0;
  return size;
}

} // namespace op2

#endif // OP2_LIB_RUNTIME_CORE_UTF8_H

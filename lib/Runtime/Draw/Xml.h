//===- Xml.h - Text in XML -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_DRAW_XML_H
#define OP2_LIB_RUNTIME_DRAW_XML_H

#include "Core/Utf8.h"

#include <algorithm>
#include <string>

namespace op2::mesh {

/// `text` as it stands between tags or in an attribute's quotes. What XML has
/// no way to say becomes U+FFFD, as do bytes that are no UTF-8.
inline std::string escapeXml(std::string const &text) {
  std::string result;
  for (std::size_t at = 0, size; at < text.size();
       at += std::max<std::size_t>(size, 1)) {
    char c = text[at];
    size = measureCharacter(text, at);
    result += size == 0                            ? "\xef\xbf\xbd"
              : size > 1                           ? text.substr(at, size)
              : c == '&'                           ? "&amp;"
              : c == '<'                           ? "&lt;"
              : c == '>'                           ? "&gt;"
              : c == '"'                           ? "&quot;"
              : c == '\n'                          ? "&#10;"
              : c == '\r'                          ? "&#13;"
              : c == '\t'                          ? "&#9;"
              : static_cast<unsigned char>(c) < 32 ? "\xef\xbf\xbd"
                                                   : std::string(1, c);
  }
  return result;
}

} // namespace op2::mesh

#endif // OP2_LIB_RUNTIME_DRAW_XML_H

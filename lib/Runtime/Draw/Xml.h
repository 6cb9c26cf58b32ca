//===- Xml.h - Text in XML -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_DRAW_XML_H
#define OP2_LIB_RUNTIME_DRAW_XML_H

#include <string>

namespace op2::mesh {

/// `text` as it stands between tags or in an attribute's quotes. What XML has
/// no way to say becomes U+FFFD.
inline std::string escapeXml(std::string const &text) {
  std::string result;
  for (char c : text)
    result += c == '&'                             ? "&amp;"
              : c == '<'                           ? "&lt;"
              : c == '>'                           ? "&gt;"
              : c == '"'                           ? "&quot;"
              : c == '\n'                          ? "&#10;"
              : c == '\r'                          ? "&#13;"
              : c == '\t'                          ? "&#9;"
              : static_cast<unsigned char>(c) < 32 ? "\xef\xbf\xbd"
                                                   : std::string(1, c);
  return result;
}

} // namespace op2::mesh

#endif // OP2_LIB_RUNTIME_DRAW_XML_H

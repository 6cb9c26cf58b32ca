//===- Svg.cpp - Writing SVG -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Svg.h"
#include "Xml.h"

#include <cmath>
#include <cstdio>

using namespace op2::mesh;

std::string Svg::number(double value) {
  // Through an integer: no "-0", and halves go one way everywhere.
  long long tenths = std::llround(value * 10);
  char text[40];
  int length = std::snprintf(text, sizeof text, "%s%lld", tenths < 0 ? "-" : "",
                             std::llabs(tenths) / 10);
  std::string result(text, static_cast<std::size_t>(length));
  if (tenths % 10)
    result += "." + std::to_string(std::llabs(tenths) % 10);
  return result;
}

std::string Svg::point(char command, double x, double y) {
  return command + number(x) + "," + number(y);
}

Svg::Svg(double width, double height, std::string const &title) {
  content = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " +
            number(width) + " " + number(height) + "\" width=\"" +
            number(width) + "\" height=\"" + number(height) +
            "\" font-family=\"Helvetica, Arial, sans-serif\">\n";
  line("<title>" + escapeXml(title) + "</title>");
  rectangle(0, 0, width, height, "fill=\"white\"");
}

void Svg::line(std::string const &text) {
  content.append(static_cast<std::size_t>(depth), ' ');
  content += text + "\n";
}

static std::string after(std::string const &attributes) {
  return attributes.empty() ? "" : " " + attributes;
}

void Svg::beginGroup(std::string const &attributes) {
  line("<g" + after(attributes) + ">");
  ++depth;
}
void Svg::endGroup() {
  --depth;
  line("</g>");
}
void Svg::path(std::string const &data, std::string const &attributes) {
  if (!data.empty())
    line("<path" + after(attributes) + " d=\"" + data + "\"/>");
}
void Svg::circle(double x, double y, double radius,
                 std::string const &attributes) {
  line("<circle" + after(attributes) + " cx=\"" + number(x) + "\" cy=\"" +
       number(y) + "\" r=\"" + number(radius) + "\"/>");
}
void Svg::rectangle(double x, double y, double width, double height,
                    std::string const &attributes) {
  line("<rect" + after(attributes) + " x=\"" + number(x) + "\" y=\"" +
       number(y) + "\" width=\"" + number(width) + "\" height=\"" +
       number(height) + "\"/>");
}
void Svg::text(double x, double y, std::string const &what,
               std::string const &attributes) {
  line("<text" + after(attributes) + " x=\"" + number(x) + "\" y=\"" +
       number(y) + "\">" + escapeXml(what) + "</text>");
}
std::string Svg::finish() { return content + "</svg>\n"; }

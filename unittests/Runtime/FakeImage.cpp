//===- FakeImage.cpp - Contents of device images --------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeImage.h"

#include <cstdint>
#include <cstring>
#include <regex>
#include <sstream>

using namespace op2::test;

static constexpr std::size_t kConstantMemory = 64 << 10;
static constexpr uint32_t kFatbinMagic = 0xba55ed50;

template <class T> static T readAt(char const *data, std::size_t offset) {
  T value;
  std::memcpy(&value, data + offset, sizeof value);
  return value;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static bool readTestText(std::string const &text, FakeImage &image) {
  std::stringstream parts(text);
  for (std::string part; std::getline(parts, part, ';');) {
    std::stringstream words(part);
    std::string kind, name;
    int number = 0;
    words >> kind >> name >> number;
    if (kind == "kernel")
      image.kernels[name].staticShared = number;
    else if (kind == "variable")
      image.variables[name] = static_cast<std::size_t>(number);
    else
      return false;
  }
  return true;
}

/// Bytes of ".f64 x" and ".b8 x[32]".
static int bytesOf(std::string const &bits, std::string const &count) {
  return std::stoi(bits) / 8 * (count.empty() ? 1 : std::stoi(count));
}

static void readPtx(std::string const &text, FakeImage &image) {
  static std::regex const entry(R"(\.visible \.entry ([\w$]+)\(([^)]*)\))");
  static std::regex const param(
      R"(\.param [^,]*?\.[busf](\d+)[^,\[]*(?:\[(\d+)\])?)");
  static std::regex const variable(
      R"(\.visible \.(?:const|global) [^;]*?\.[busf](\d+) ([\w$]+)(?:\[(\d+)\])?)");
  for (std::sregex_iterator at(text.begin(), text.end(), entry), end; at != end;
       ++at) {
    FakeKernelText &kernel = image.kernels[(*at)[1]];
    std::string const list = (*at)[2];
    for (std::sregex_iterator p(list.begin(), list.end(), param); p != end; ++p)
      kernel.params.push_back(bytesOf((*p)[1], (*p)[2]));
  }
  for (std::sregex_iterator at(text.begin(), text.end(), variable), end;
       at != end; ++at)
    image.variables[(*at)[2]] =
        static_cast<std::size_t>(bytesOf((*at)[1], (*at)[3]));
}

//===----------------------------------------------------------------------===//
// Machine code
//===----------------------------------------------------------------------===//

/// Of a cubin: to the end of its section headers, or of the last section.
static std::size_t elfBytes(char const *data) {
  auto headers = readAt<uint64_t>(data, 40);
  auto headerBytes = readAt<uint16_t>(data, 58);
  auto count = readAt<uint16_t>(data, 60);
  std::size_t end = headers + std::size_t(headerBytes) * count;
  for (unsigned n = 0; n < count; ++n) {
    std::size_t header = headers + std::size_t(headerBytes) * n;
    constexpr uint32_t kNoBits = 8;
    if (readAt<uint32_t>(data, header + 4) != kNoBits)
      end = std::max<std::size_t>(end, readAt<uint64_t>(data, header + 24) +
                                           readAt<uint64_t>(data, header + 32));
  }
  return end;
}

FakeImage FakeImage::read(void const *data) {
  auto const *bytes = static_cast<char const *>(data);
  FakeImage image;
  if (std::memcmp(bytes, "\177ELF", 4) == 0) {
    image.kind = "cubin";
    image.bytes = elfBytes(bytes);
    image.code.assign(bytes, image.bytes);
    return image;
  }
  if (readAt<uint32_t>(bytes, 0) == kFatbinMagic) {
    image.kind = "fatbin";
    image.bytes = readAt<uint16_t>(bytes, 6) + readAt<uint64_t>(bytes, 8);
    image.code.assign(bytes, image.bytes);
    return image;
  }
  std::string text = bytes;
  image.bytes = text.size();
  if (text.find(".version ") != text.npos) {
    image.kind = "ptx";
    readPtx(text, image);
  } else if (readTestText(text, image)) {
    image.kind = "test";
  }
  return image;
}

FakeKernelText const *FakeImage::findKernel(std::string const &name) {
  if (!code.empty()) {
    // The section of a kernel's instructions.
    std::string section = ".text." + name;
    if (code.find(section.c_str(), 0, section.size() + 1) == code.npos)
      return nullptr;
    return &kernels[name];
  }
  auto at = kernels.find(name);
  return at == kernels.end() ? nullptr : &at->second;
}

std::size_t FakeImage::findVariable(std::string const &name) const {
  if (!code.empty()) {
    std::string symbol = '\0' + name;
    return code.find(symbol.c_str(), 0, symbol.size() + 1) == code.npos
               ? 0
               : kConstantMemory;
  }
  auto at = variables.find(name);
  return at == variables.end() ? 0 : at->second;
}

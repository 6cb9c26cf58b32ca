//===- FortranNames.cpp - Names of Fortran kernels --------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OP2's loops have no name in Fortran. Their messages and times are told apart
// by the name of the kernel, which the table of symbols in the file has that
// the kernel was loaded from; dladdr knows exported ones only.
//
//===----------------------------------------------------------------------===//

#include "FortranNames.h"

#include <cstdint>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <unordered_map>

using namespace op2::rt;

std::string op2::rt::procedureName(std::string const &symbol) {
  // Names are in small letters, and what stands around them is not.
  if (symbol.compare(0, 2, "_Q") == 0)
    if (std::size_t at = symbol.rfind('P'); at != std::string::npos)
      return symbol.substr(at + 1);
  std::size_t begin = symbol.find("_MOD_");
  begin = begin == std::string::npos ? 0 : begin + 5;
  std::string name = symbol.substr(begin);
  name = name.substr(0, name.find('.'));
  if (begin == 0 && name.size() > 1 && name.back() == '_')
    name.pop_back();
  return name;
}

namespace {
/// A program or library in memory.
struct Image {
  std::uintptr_t code = 0, base = 0;
  std::string file;
};

/// A file's bytes.
class MappedFile {
public:
  explicit MappedFile(char const *name) {
    int file = open(name, O_RDONLY | O_CLOEXEC);
    struct stat state = {};
    if (file >= 0 && fstat(file, &state) == 0 && state.st_size > 0) {
      size = static_cast<std::size_t>(state.st_size);
      void *pages = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
      bytes = pages == MAP_FAILED ? nullptr : static_cast<char *>(pages);
    }
    if (file >= 0)
      close(file);
  }
  ~MappedFile() {
    if (bytes)
      munmap(bytes, size);
  }
  MappedFile(MappedFile const &) = delete;
  MappedFile &operator=(MappedFile const &) = delete;
  /// NULL unless the file has all of them.
  template <class T>
  T const *at(std::uint64_t offset, std::uint64_t count) const {
    bool isInside = bytes && offset <= size && offset % alignof(T) == 0 &&
                    count <= (size - offset) / sizeof(T);
    return isInside ? reinterpret_cast<T const *>(bytes + offset) : nullptr;
  }

private:
  char *bytes = nullptr;
  std::size_t size = 0;
};
} // namespace

static int findImage(dl_phdr_info *info, std::size_t, void *result) {
  auto &image = *static_cast<Image *>(result);
  for (int n = 0; n < info->dlpi_phnum; ++n) {
    ElfW(Phdr) const &part = info->dlpi_phdr[n];
    std::uintptr_t begin = info->dlpi_addr + part.p_vaddr;
    if (part.p_type != PT_LOAD || image.code < begin ||
        image.code >= begin + part.p_memsz)
      continue;
    image.base = info->dlpi_addr;
    bool isProgram = !info->dlpi_name || !*info->dlpi_name;
    image.file = isProgram ? "/proc/self/exe" : info->dlpi_name;
    return 1;
  }
  return 0;
}

/// The function that begins at `value`, of one table; "" if there is none.
static std::string findIn(MappedFile const &file, ElfW(Shdr) const &table,
                          ElfW(Shdr) const &names, std::uintptr_t value) {
  std::uint64_t count = table.sh_size / sizeof(ElfW(Sym));
  auto const *symbols = file.at<ElfW(Sym)>(table.sh_offset, count);
  char const *text = file.at<char>(names.sh_offset, names.sh_size);
  for (std::uint64_t n = 0; symbols && text && n < count; ++n) {
    ElfW(Sym) const &symbol = symbols[n];
    if (symbol.st_value == value && symbol.st_shndx != SHN_UNDEF &&
        ELF64_ST_TYPE(symbol.st_info) == STT_FUNC &&
        symbol.st_name < names.sh_size)
      return {text + symbol.st_name,
              strnlen(text + symbol.st_name, names.sh_size - symbol.st_name)};
  }
  return "";
}

static std::string findSymbol(void const *code) {
  Image image;
  image.code = reinterpret_cast<std::uintptr_t>(code);
  if (!dl_iterate_phdr(findImage, &image))
    return "";
  MappedFile const file(image.file.c_str());
  auto const *header = file.at<ElfW(Ehdr)>(0, 1);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
    return "";
  auto const *sections = file.at<ElfW(Shdr)>(header->e_shoff, header->e_shnum);
  for (int n = 0; sections && n < header->e_shnum; ++n) {
    ElfW(Shdr) const &section = sections[n];
    bool isTable =
        section.sh_type == SHT_SYMTAB || section.sh_type == SHT_DYNSYM;
    if (!isTable || section.sh_link >= header->e_shnum)
      continue;
    std::string name = findIn(file, section, sections[section.sh_link],
                              image.code - image.base);
    if (!name.empty())
      return name;
  }
  return "";
}

char const *op2::rt::kernelName(void const *code) {
  static auto *known = new std::unordered_map<void const *, std::string>;
  auto [at, isNew] = known->try_emplace(code);
  if (isNew) {
    std::string symbol = findSymbol(code);
    at->second =
        symbol.empty() ? "(internal procedure)" : procedureName(symbol);
  }
  return at->second.c_str();
}

//===- Page.cpp - The page about the loops of a program -------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Report/Page.h"
#include "PageParts.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/file.h>
#include <unistd.h>
#include <vector>

namespace fs = std::filesystem;

namespace {
/// One process at a time changes the folder.
class FolderLock {
public:
  explicit FolderLock(const fs::path &folder)
      : file(open((folder / ".lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC,
                  0666)) {
    while (file >= 0 && flock(file, LOCK_EX) != 0 && errno == EINTR)
      continue;
  }
  ~FolderLock() {
    if (file >= 0)
      close(file);
  }
  FolderLock(const FolderLock &) = delete;
  FolderLock &operator=(const FolderLock &) = delete;

private:
  int file;
};
} // namespace

static std::string describe(const char *what, const fs::path &path,
                            const std::string &why) {
  return std::string("cannot ") + what + " '" + path.string() + "': " + why;
}

/// Who reads the file meanwhile sees all of the old one.
static std::string replaceFile(const fs::path &path, const std::string &text) {
  fs::path fresh = path;
  fresh += ".new";
  errno = 0;
  std::ofstream stream(fresh, std::ios::binary | std::ios::trunc);
  stream << text;
  stream.close();
  std::error_code problem;
  if (!stream)
    return describe("write", fresh, std::strerror(errno));
  fs::rename(fresh, path, problem);
  return problem ? describe("write", path, problem.message()) : "";
}

/// In HTML, data end with "</script>" and nothing else does: in JSON, "<" is in
/// strings only, where it may be written as a number.
static std::string escapeData(const std::string &json) {
  std::string text;
  for (char letter : json)
    if (letter == '<')
      text += "\\u003c";
    else
      text += letter;
  return text;
}

static std::string makePage(const fs::path &folder) {
  std::vector<fs::path> files;
  std::error_code problem;
  for (auto it = fs::directory_iterator(folder, problem);
       !problem && it != fs::directory_iterator(); it.increment(problem)) {
    std::string name = it->path().filename().string();
    std::string ending = op2::report::kDataEnding;
    if (name.size() > ending.size() &&
        name.compare(name.size() - ending.size(), ending.size(), ending) == 0)
      files.push_back(it->path());
  }
  std::sort(files.begin(), files.end());
  std::ostringstream page;
  page << kPageHead << "<!--\nPlots by uPlot:\n"
       << kPlotLicence << "-->\n<style>\n"
       << kPlotStyle << kPageStyle << "</style>\n"
       << kPageBody;
  for (const fs::path &path : files) {
    std::ifstream stream(path, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    page << "<script type=\"application/json\" class=\"data\">"
         << escapeData(text.str()) << "</script>\n";
  }
  page << "<script>\n"
       << kPlotScript << "</script>\n<script>\n"
       << kPageScript << "</script>\n</body>\n</html>\n";
  return page.str();
}

static std::string addToPage(const fs::path &folder,
                             const std::string &fileName,
                             const std::string &data) {
  std::string failure = replaceFile(folder / fileName, data);
  return failure.empty() ? replaceFile(folder / "index.html", makePage(folder))
                         : failure;
}

std::string op2::report::addUnit(const std::string &folderName,
                                 const std::string &fileName,
                                 const std::string &data) {
  fs::path folder = folderName;
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem)
    return describe("make the folder", folder, problem.message());
  FolderLock lock(folder);
  fs::remove(folder / kRunFile, problem);
  return addToPage(folder, fileName, data);
}

std::string op2::report::addRun(const std::string &folder,
                                const std::string &data) {
  FolderLock lock(folder);
  return addToPage(folder, kRunFile, data);
}

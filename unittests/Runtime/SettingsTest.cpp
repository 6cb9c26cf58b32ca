//===- SettingsTest.cpp - Settings with good and bad values ---------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks over the table: a new row is tested without a change here.
//
//===----------------------------------------------------------------------===//

#include "Core/Settings.h"
#include "FakeDeviceTest.h"
#include "Helpers.h"

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace op2::test;
using namespace op2::rt;

namespace {

void start(std::vector<std::string> words, int diags = 0) {
  std::vector<char *> argv{nullptr};
  for (std::string &word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  op_init(static_cast<int>(argv.size()) - 1, argv.data(), diags);
}

std::vector<std::string> wordsOf(Setting const &setting) {
  std::istringstream text(setting.words);
  std::vector<std::string> all;
  for (std::string word; text >> word;)
    all.push_back(word);
  return all;
}

/// What no such setting may be.
std::vector<std::string> badValues(Setting const &setting) {
  switch (setting.form) {
  case Setting::Flag:
    return {};
  case Setting::Positive:
    return {"0", "-1", "nan", "inf", "x", "1e999", "1x"};
  case Setting::Number: {
    std::vector<std::string> bad{"abc", "-4",  " 1",
                                 "1x",  "1e3", "+1",
                                 "0x1", "1.5", "123456789012345678901"};
    if (setting.least > 0)
      bad.push_back(std::to_string(setting.least - 1));
    if (setting.most < UINT64_MAX)
      bad.push_back(std::to_string(setting.most + 1));
    return bad;
  }
  case Setting::Words:
    break;
  }
  std::vector<std::string> bad;
  for (std::string const &word : wordsOf(setting)) {
    if (word[0] == '<') // a file: nobody knows its name
      return {};
    std::size_t hole = word.find('<');
    bad.push_back(hole == std::string::npos ? word + "x"
                                            : word.substr(0, hole));
    bad.push_back(" " + word);
  }
  bad.insert(bad.end(), {"zz", "-1", "7", "TRUE", "10"});
  return bad;
}

std::vector<std::string> goodValues(Setting const &setting) {
  switch (setting.form) {
  case Setting::Flag:
    return {""};
  case Setting::Positive:
    return {"1", "0.5", "1e-3"};
  case Setting::Number:
    return {std::to_string(setting.least), std::to_string(setting.most)};
  case Setting::Words:
    break;
  }
  std::vector<std::string> good;
  for (std::string word : wordsOf(setting)) {
    if (std::size_t hole = word.find('<'); hole != std::string::npos)
      word = word.substr(0, hole) + (word == "random:<seed>" ? "7" : "name");
    good.push_back(word);
  }
  return good;
}

TEST(SettingsTest, ValuesOfEverySetting) {
  for (Setting const &setting : allSettings()) {
    for (std::string const &value : badValues(setting))
      EXPECT_FALSE(accepts(setting, value.c_str()))
          << setting.name << "=" << value;
    for (std::string const &value : goodValues(setting))
      EXPECT_TRUE(accepts(setting, value.c_str()))
          << setting.name << "=" << value;
  }
}

/// Whether or not the run will need it.
TEST(SettingsTest, EveryOneIsCheckedAtTheBeginning) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (Setting const &setting : allSettings()) {
    std::vector<std::string> bad = badValues(setting);
    if (bad.empty())
      continue;
    std::string text = setting.name + ("=" + bad[0]),
                message = "op2 error: " + text + ": expected ";
    if (setting.place == Setting::Argument) {
      EXPECT_EXIT(start({text}), diesWith1(), message);
    } else {
      Environment variable(setting.name, bad[0]);
      EXPECT_EXIT(start({}), diesWith1(), message);
    }
  }
}

TEST(SettingsTest, FilesAreWhereTheProgramBegan) {
  op_init(0, nullptr, 0);
  std::string before = std::filesystem::current_path();
  EXPECT_EQ(settingPath("a/file"), "a/file");
  std::filesystem::current_path("/");
  EXPECT_EQ(settingPath("a/file"), before + "/a/file");
  EXPECT_EQ(settingPath("/a/file"), "/a/file");
  std::filesystem::current_path(before);
  op_exit();
}

TEST(SettingsTest, MessagesSayWhatIsExpected) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  auto with = [](char const *name, char const *value) {
    setenv(name, value, 1);
    start({});
  };
  EXPECT_EXIT(with("OP2_TILE_SIZE", "-4"), diesWith1(),
              "op2 error: OP2_TILE_SIZE=-4: expected a whole number in "
              "1..2147483647");
  EXPECT_EXIT(with("OP2_CHECK_PLAN", "x"), diesWith1(),
              "OP2_CHECK_PLAN=x: expected one of 0, 1");
  EXPECT_EXIT(with("OP2_TIMING", "zz"), diesWith1(),
              "OP2_TIMING=zz: expected limits");
  EXPECT_EXIT(with("OP2_EMULATOR_SEED", "abc"), diesWith1(),
              "OP2_EMULATOR_SEED=abc: expected a whole number in "
              "0..18446744073709551615");
  EXPECT_EXIT(with("OP2_RENUMBER", "metis"), diesWith1(),
              "expected one of rcm, hilbert, hilbert:<dat>, none");
  for (char const *text :
       {"random:", "random:-5", "random:abc", "random:99999999999999999999"})
    EXPECT_EXIT(with("OP2_PARTITION", text), diesWith1(),
                std::string("OP2_PARTITION=") + text + ": expected one of");
  EXPECT_EXIT(with("OP_HYBRID_BALANCE", "-1"), diesWith1(),
              "OP_HYBRID_BALANCE=-1: expected a number above 0");
  for (char const *file : {"/dev/full", "/dev/null", "/"})
    EXPECT_EXIT(with("OP2_TUNE", file), diesWith1(),
                "OP2_TUNE=/.*: expected off, auto, on or the name of a "
                "regular file");
  EXPECT_EXIT(with("OP_WHITELIST", "/no/such/file"), diesWith1(),
              "OP_WHITELIST=/no/such/file: cannot read the file");
  EXPECT_EXIT(with("OP_WHITELIST", "/"), diesWith1(),
              "OP_WHITELIST=/: cannot read the file: Is a directory");
  EXPECT_EXIT(start({"OP_PART_SIZE", "64"}), diesWith1(),
              "OP_PART_SIZE: expected OP_PART_SIZE=, followed by a whole "
              "number in 0..2147483647");
  EXPECT_EXIT(start({}, -1), diesWith1(),
              "op_init: diags is -1; expected at least 0");
}

std::string warningsOf(std::vector<std::string> words, int diags = 0) {
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  start(words, diags);
  op_exit();
  return withoutRemedies(testing::internal::GetCapturedStderr()) +
         testing::internal::GetCapturedStdout();
}

TEST(SettingsTest, NamesThatAreMisspelt) {
  EXPECT_EQ(warningsOf({"mesh.dat", "OP_MESH=3"}), "");
  EXPECT_EQ(warningsOf({"OP_PARTSIZE=64"}),
            "op2 warning: OP_PARTSIZE has no effect: there is no such setting; "
            "OP_PART_SIZE is one [op2-setting-name]\n");
  EXPECT_EQ(warningsOf({"OP2_CHAIN=never"}),
            "op2 warning: OP2_CHAIN has no effect as an argument: it is an "
            "environment variable [op2-setting-name]\n");
  {
    Environment variable("OP2_TAGRET", "seq");
    EXPECT_EQ(warningsOf({}),
              "op2 warning: OP2_TAGRET has no effect: there is no such "
              "setting; OP2_TARGET is one [op2-setting-name]\n");
  }
  {
    Environment variable("OP_PART_SIZE", "64");
    EXPECT_EQ(
        warningsOf({}),
        "op2 warning: OP_PART_SIZE has no effect as an environment "
        "variable: it is an argument of the program [op2-setting-name]\n");
  }
  Environment other("OP2_INSTALL_PATH", "/opt/op2");
  EXPECT_EQ(warningsOf({}), "");
  EXPECT_NE(warningsOf({}, 2).find("op2: OP2_INSTALL_PATH has no effect: there "
                                   "is no such setting\n"),
            std::string::npos);
}

TEST(SettingsTest, TheGuideHasThemAll) {
  std::ifstream file(OP2_GUIDE);
  std::stringstream guide;
  guide << file.rdbuf();
  for (Setting const &setting : allSettings())
    EXPECT_NE(guide.str().find(std::string("`") + setting.name),
              std::string::npos)
        << setting.name;
}

} // namespace

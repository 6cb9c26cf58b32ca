//===- OutputTest.cpp - Fetching, files and reports -------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Core/OutputFile.h"
#include "Helpers.h"
#include "op_profile.h"
#include "op_seq.h"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

using namespace op2::test;

namespace {

void twice(double *x) { *x *= 2; }

std::string readFile(std::string const &name) {
  std::ifstream file(name, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

class OutputTest : public ProgramTest {
protected:
  void SetUp() override {
    ProgramTest::SetUp();
    set = op_decl_set(3, "set");
    double values[] = {1, -2.5, 1e-300, 4, 1.0 / 3, 6e22};
    dat = op_decl_dat(set, 2, "double", values, "dat");
    // One file per test: CTest runs them side by side.
    name = ::testing::TempDir() + "op2_output_" +
           ::testing::UnitTest::GetInstance()->current_test_info()->name();
  }
  void TearDown() override {
    std::remove(name.c_str());
    ProgramTest::TearDown();
  }

  op_set set;
  op_dat dat;
  std::string name;
};

TEST_F(OutputTest, FetchRangeIsInclusive) {
  double out[6] = {9, 9, 9, 9, 9, 9};
  op_fetch_data_idx(dat, out, 1, 2);
  EXPECT_EQ(out[0], 1e-300);
  EXPECT_EQ(out[3], 6e22);
  EXPECT_EQ(out[4], 9); // nothing beyond the range
  EXPECT_EXIT(op_fetch_data_idx(dat, out, 0, 3), diesWith1(),
              "op_fetch_data_idx dat: elements 0..3; expected a range in 0..2");
  EXPECT_EXIT(op_fetch_data_idx(dat, out, -1, 1), diesWith1(), "-1..1");
  EXPECT_EXIT(op_fetch_data_idx(dat, out, 2, 1), diesWith1(), "2..1");
  EXPECT_EXIT(op_fetch_data_idx(dat, (double *)nullptr, 0, 2), diesWith1(),
              "op_fetch_data_idx dat: the buffer is NULL");
}

TEST_F(OutputTest, FetchChecksTheType) {
  float out[6];
  EXPECT_EXIT(op_fetch_data(dat, out), diesWith1(),
              "op_fetch_data dat: type string is \"double\", but the pointer "
              "is to float");
  EXPECT_EXIT(op_fetch_data(dat, (double *)nullptr), diesWith1(),
              "the buffer is NULL");
  EXPECT_EXIT(op_fetch_data((op_dat) nullptr, out), diesWith1(),
              "op_fetch_data: the dat is NULL");
}

// Programs that never let OP2 look inside declare such dats.
TEST_F(OutputTest, ValuesLargerThanTheirTypeAreNotLookedAt) {
  long long values[] = {3, 1, 2};
  int out[6];
  op_dat wide = op_decl_dat_char(set, 1, "int", 8,
                                 reinterpret_cast<char *>(values), "wide");
  op_dat narrow = op_decl_dat(set, 1, "int", out, "narrow");
  char const *message =
      ": dat wide is of type int, but its components have 8 bytes; expected 4";
  EXPECT_EXIT(op_fetch_data(wide, out), diesWith1(), message);
  EXPECT_EXIT(op_fetch_data_idx(wide, out, 0, 1), diesWith1(), message);
  EXPECT_EXIT(op_scan(wide, narrow, "sum"), diesWith1(), message);
  EXPECT_EXIT(op_scan(narrow, wide, "sum"), diesWith1(), message);
  EXPECT_EXIT(op_renumber_by(set, wide), diesWith1(), message);
  EXPECT_EXIT(op_print_dat_to_txtfile(wide, name.c_str()), diesWith1(),
              message);
  long long fetched[3] = {};
  op_fetch_data_char(wide, reinterpret_cast<char *>(fetched));
  EXPECT_EQ(fetched[1], 1);
}

TEST_F(OutputTest, AFullStandardOutputIsAnError) {
  auto print = [&](bool isDat) {
    if (std::freopen("/dev/full", "w", stdout))
      isDat ? op_dump_dat(dat) : op_timing_output();
  };
  EXPECT_EXIT(print(true), diesWith1(),
              "op_dump_dat: cannot write to the standard output: No space");
  EXPECT_EXIT(print(false), diesWith1(),
              "op_timing_output: cannot write to the standard output: No");
}

TEST_F(OutputTest, TextRoundTrip) {
  op_print_dat_to_txtfile(dat, name.c_str());
  std::ifstream file(name);
  int size = 0, dim = 0;
  ASSERT_TRUE(file >> size >> dim);
  EXPECT_EQ(size, 3);
  EXPECT_EQ(dim, 2);
  for (int n = 0; n < 6; ++n) {
    std::string word;
    ASSERT_TRUE(file >> word);
    double expected = reinterpret_cast<double *>(dat->data)[n];
    EXPECT_NEAR(std::stod(word) / expected, 1, 1e-15);
  }
  EXPECT_EQ(readFile(name).substr(0, 52),
            "3 2\n +1.000000000000000E+00 -2.500000000000000E+00\n ");
}

TEST_F(OutputTest, TextOfOtherTypes) {
  bool flags[] = {true, false, true};
  op_dat b = op_decl_dat(set, 1, "bool", flags, "b");
  op_print_dat_to_txtfile(b, name.c_str());
  EXPECT_EQ(readFile(name), "3 1\n +1\n +0\n +1\n");
  long long numbers[] = {-5000000000, 0, 7};
  op_dat l = op_decl_dat(set, 1, "ll", numbers, "l");
  op_print_dat_to_txtfile(l, name.c_str());
  EXPECT_EQ(readFile(name), "3 1\n -5000000000\n +0\n +7\n");
}

TEST_F(OutputTest, BinaryRoundTrip) {
  op_print_dat_to_binfile(dat, name.c_str());
  std::string bytes = readFile(name);
  ASSERT_EQ(bytes.size(), 8u + 48u);
  int32_t header[2];
  std::memcpy(header, bytes.data(), 8);
  EXPECT_EQ(header[0], 3);
  EXPECT_EQ(header[1], 2);
  EXPECT_EQ(std::memcmp(bytes.data() + 8, dat->data, 48), 0);
}

TEST_F(OutputTest, UnwritableFile) {
  EXPECT_EXIT(op_print_dat_to_txtfile(dat, "/nonexistent/file"), diesWith1(),
              "cannot write \"/nonexistent/file\": No such file");
  EXPECT_EXIT(op_timings_to_csv("/nonexistent/file"), diesWith1(),
              "cannot write \"/nonexistent/file\": No such file");
  EXPECT_EXIT(op_timings_to_csv("/dev/full"), diesWith1(),
              "op_timings_to_csv: cannot write \"/dev/full\": No space left");
  EXPECT_EXIT(op_timing_output_2_file("/dev/full"), diesWith1(),
              "op_timing_output_2_file: cannot write \"/dev/full\": No space");
}

TEST_F(OutputTest, TimingTable) {
  for (int n = 0; n < 5; ++n)
    op_par_loop(twice, "twice", set,
                op_arg_dat(dat, -1, OP_ID, 2, "double", OP_RW));
  op_timing_output_2_file(name.c_str());
  std::string text = readFile(name);
  EXPECT_NE(text.find("twice (op_seq.h, not compiled)"), text.npos) << text;
  EXPECT_NE(text.find("seq"), text.npos);
  op_timings_to_csv(name.c_str());
  text = readFile(name);
  EXPECT_EQ(text.rfind("rank,thread,nranks,nthreads,count,total time,plan "
                       "time,mpi time,GB used,GB total,kernel name\n0,0,1,",
                       0),
            0u)
      << text;
  EXPECT_NE(text.find(",5,"), text.npos);
  EXPECT_NE(text.find(",twice\n"), text.npos);
}

TEST_F(OutputTest, LoopReport) {
  OP_diags = 2;
  op2rt_loop_desc desc{};
  desc.name = "res_calc";
  desc.location = "airfoil.cpp:12";
  desc.target = OP2RT_TARGET_OPENMP;
  desc.strategy = "block colours";
  op2rt_register_loop(&desc);
  desc.target = OP2RT_TARGET_CUDA;
  desc.strategy = "two-level colours";
  op2rt_register_loop(&desc);
  op_par_loop(twice, "twice", set,
              op_arg_dat(dat, -1, OP_ID, 2, "double", OP_RW));
  ::testing::internal::CaptureStdout();
  op_diagnostic_output();
  op_exit();
  std::string text = ::testing::internal::GetCapturedStdout();
  EXPECT_NE(
      text.find("op2: loop res_calc: compiled for openmp (block colours), "
                "cuda (two-level colours), at airfoil.cpp:12\n"),
      text.npos)
      << text;
  EXPECT_NE(text.find("op2: loop twice: ran 1 times on seq"), text.npos);
  EXPECT_NE(text.find("dat"), text.npos);
  op_init(0, nullptr, 0);
}

TEST_F(OutputTest, AlignedMemory) {
  auto *data = static_cast<char *>(op_malloc(1000));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(data) % 64, 0u);
  data[999] = 5;
  data = static_cast<char *>(op_realloc(data, 100000));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(data) % 64, 0u);
  EXPECT_EQ(data[999], 5);
  free(data);
  auto *zeros = static_cast<int *>(op_calloc(100, sizeof(int)));
  EXPECT_EQ(zeros[99], 0);
  op_free(zeros);
}

TEST_F(OutputTest, Clock) {
  double cpu = 0, start = 0, end = 0;
  op_timers(&cpu, &start);
  op_timers_core(&cpu, &end);
  EXPECT_GE(end, start);
}

TEST_F(OutputTest, ProfilerThatWasNotStarted) {
  op_profile_enter("a");
  op_profile_enter_kernel("k", "seq", "direct");
  op_profile_next("b");
  op_profile_exit();
  op_profile_end();
  op_profile_output();
}

TEST_F(OutputTest, ProfileTree) {
  op_profile_start("program");
  for (int n = 0; n < 2; ++n) {
    op_profile_enter("outer");
    op_profile_enter("a \"quoted\" name");
    op_profile_next("second");
    op_profile_exit();
    op_profile_exit();
  }
  op_profile_exit(); // one too many
  op_profile_end();
  op_profile_output_json(name.c_str());
  std::string text = readFile(name);
  EXPECT_NE(text.find("{\"name\":\"outer\",\"n\":2,"), text.npos) << text;
  EXPECT_NE(text.find("a \\\"quoted\\\" name"), text.npos);
  EXPECT_NE(text.find("{\"name\":\"program\",\"n\":1,"), text.npos);
}

TEST_F(OutputTest, ProfileOfLoops) {
  setenv("OP_PROFILE_LEVEL", "3", 1);
  op_profile_start("program");
  op_profile_enter("step");
  for (int n = 0; n < 3; ++n)
    op_par_loop(twice, "twice", set,
                op_arg_dat(dat, -1, OP_ID, 2, "double", OP_RW));
  op_profile_end();
  op_profile_output_json(name.c_str());
  std::string text = readFile(name);
  EXPECT_NE(
      text.find("{\"name\":\"twice [seq op_seq.h, not compiled]\",\"n\":3"),
      text.npos)
      << text;
  setenv("OP_PROFILE_LEVEL", "much", 1);
  EXPECT_EXIT(op_profile_start("program"), diesWith1(),
              "OP_PROFILE_LEVEL=much: expected a whole number in 0..3");
  unsetenv("OP_PROFILE_LEVEL");
}

TEST(QuoteForJson, IsUtf8) {
  using op2::rt::quoteForJson;
  EXPECT_EQ(quoteForJson("a\"\\\n\x01"), "\"a\\\"\\\\\\u000a\\u0001\"");
  EXPECT_EQ(quoteForJson("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"),
            "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\"");
  // Latin-1, cut off, too long, a surrogate, above U+10FFFF.
  for (char const *text :
       {"\xe9", "\xe2\x82", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80"})
    EXPECT_EQ(quoteForJson(text).substr(0, 7), "\"\\ufffd") << text;
  EXPECT_EQ(quoteForJson("caf\xe9\""), "\"caf\\ufffd\\\"\"");
}

} // namespace

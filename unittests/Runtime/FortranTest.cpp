//===- FortranTest.cpp - What Fortran programs call -------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What test/Integration/fortran cannot reach, or only with flang.
//
//===----------------------------------------------------------------------===//

#include "API/FortranNames.h"
#include "Helpers.h"
#include "OP2/Runtime/op2f.h"

#include <gtest/gtest.h>
#include <vector>

using namespace op2::rt;

TEST(FortranNames, AreThoseInTheProgram) {
  EXPECT_EQ(procedureName("_QMkernelsPres_calc"), "res_calc");
  EXPECT_EQ(procedureName("_QMkernelsSpartPres_calc"), "res_calc");
  EXPECT_EQ(procedureName("_QFPupdate"), "update");
  EXPECT_EQ(procedureName("__kernels_MOD_res_calc"), "res_calc");
  EXPECT_EQ(procedureName("res_calc_"), "res_calc");
  EXPECT_EQ(procedureName("update.3"), "update");
  EXPECT_EQ(procedureName("ResCalc"), "ResCalc");
  EXPECT_EQ(procedureName("_"), "_");
  EXPECT_EQ(procedureName("_Q"), "_Q");
  EXPECT_EQ(procedureName(""), "");
}

extern "C" void a_kernel_(int *value, int const *number) { *value = *number; }

TEST(FortranNames, AreFoundInTheProgramsFile) {
  EXPECT_STREQ(kernelName(reinterpret_cast<void const *>(a_kernel_)),
               "a_kernel");
  int const noFunction = 0;
  EXPECT_STREQ(kernelName(&noFunction), "(internal procedure)");
  // Of a library, and of a library's table of exported symbols.
  EXPECT_STREQ(kernelName(reinterpret_cast<void const *>(op2f_flush)),
               "op2f_flush");
}

namespace {
class Fortran : public ::testing::Test {
protected:
  void SetUp() override {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    op2f_add_argument("program");
    op2f_init(0, 1, 0, nullptr);
    nodes = op_decl_set(3, "nodes");
    numbers = op2f_decl_dat(nodes, 1, "integer(4):soa", "integer(4)",
                            values.data(), 3, "numbers");
  }
  void TearDown() override { op_exit(); }
  op_arg own() { return op2f_arg_dat(numbers, -1, OP_ID, 1, "i4", OP_WRITE); }
  static void run(int nargs, op_arg const *args, op_set set) {
    op2f_par_loop(reinterpret_cast<void (*)()>(a_kernel_), nullptr, set, nargs,
                  args);
  }

  std::vector<int> values = {7, 7, 7};
  op_set nodes = nullptr;
  op_dat numbers = nullptr;
};
} // namespace

TEST_F(Fortran, KernelsCountElementsFromOne) {
  op_arg const args[] = {own(), op_arg_idx(-1, OP_ID)};
  run(2, args, nodes);
  op2f_fetch_data(numbers, "integer(4)", values.data(), 3);
  EXPECT_EQ(values, (std::vector<int>{1, 2, 3}));
}

TEST_F(Fortran, NoRangeMeansAll) {
  for (int low : {-1, 0})
    EXPECT_EXIT(
        op2f_fetch_data_idx(numbers, "integer(4)", values.data(), 3, low, -1),
        ::testing::ExitedWithCode(1),
        "op_fetch_data_idx numbers: elements .*..0; expected a range "
        "in 1..3");
}

TEST_F(Fortran, DatsKeepTheirLayout) { EXPECT_STREQ(numbers->type, "int:soa"); }

TEST_F(Fortran, LoopsHaveOneToFortyThreeArguments) {
  std::vector<op_arg> const args(44, own());
  EXPECT_EXIT(run(44, args.data(), nodes), ::testing::ExitedWithCode(1),
              "loop a_kernel: 44 arguments; expected 1..43");
  EXPECT_EXIT(run(0, args.data(), nodes), ::testing::ExitedWithCode(1),
              "loop a_kernel: 0 arguments; expected 1..43");
}

TEST_F(Fortran, DatsWithPointersOfTheirOwnAreFoundByThese) {
  int64_t number = op2f_reset_data_ptr(numbers, 1);
  EXPECT_EQ(op2f_find_dat(reinterpret_cast<void *>(number), "test"), numbers);
  EXPECT_EXIT(op2f_find_dat(values.data(), "test"),
              ::testing::ExitedWithCode(1),
              "test: no dat was declared with the array at");
  op2f_reset_data_ptr(numbers, 2);
  EXPECT_EQ(op2f_find_dat(numbers->data, "test"), numbers);
  EXPECT_EXIT(op2f_find_dat(nullptr, "test"), ::testing::ExitedWithCode(1),
              "test: no dat was declared with the array at");
}

TEST_F(Fortran, RegisteredSetsAreThoseOfTheRun) {
  op2f_register_set(2, nodes);
  EXPECT_EQ(op2f_get_set(2), nodes);
  op_exit();
  op2f_init(0, 1, 0, nullptr);
  EXPECT_EXIT(op2f_get_set(2), ::testing::ExitedWithCode(1),
              "op_get_set: no set was registered with number 2");
}

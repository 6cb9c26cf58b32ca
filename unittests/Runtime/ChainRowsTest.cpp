//===- ChainRowsTest.cpp - Latest tiles of rows ---------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Queue/ChainRows.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace op2::rt;

namespace {

constexpr Stamps kStamps{10};

class ChainRowsTest : public testing::Test {
protected:
  ChainRowsTest() : rows({100, 1000}), dat(rows[1]) {}
  void read(int64_t row, int32_t thread, int32_t tile) {
    dat.read(row, kStamps.of(thread, tile), kStamps.of(thread, 0), kStamps);
  }
  ChainRows rows;
  DatRows &dat;
};

TEST_F(ChainRowsTest, StampsAreTilesOfThreads) {
  Stamp stamp = kStamps.of(3, 7);
  EXPECT_EQ(kStamps.threadOf(stamp), 3);
  EXPECT_EQ(kStamps.tileOf(stamp), 7);
  EXPECT_GT(kStamps.of(0, 0), kNoStamp);
  EXPECT_GT(kStamps.of(1, 0), kStamps.of(0, 9));
}

TEST_F(ChainRowsTest, TheFirstThreadAndWhatComesAfterIt) {
  // In any order.
  std::vector<std::pair<int32_t, int32_t>> visits = {
      {1, 2}, {1, 4}, {2, 8}, {3, 3}};
  do {
    dat.change(5, kNoStamp);
    for (auto [thread, tile] : visits)
      read(5, thread, tile);
    EXPECT_EQ(dat.latest(Visit::Any, 5), kStamps.of(1, 4));
    EXPECT_EQ(dat.laterTile(Visit::Any, 5), 8);
  } while (std::next_permutation(visits.begin(), visits.end()));
  EXPECT_EQ(dat.latest(Visit::Change, 5), kNoStamp);
  EXPECT_EQ(dat.latest(Visit::Any, 6), kNoStamp);
  EXPECT_EQ(dat.laterTile(Visit::Any, 6), -1);
}

TEST_F(ChainRowsTest, ChangesForgetWhatWasBefore) {
  read(5, 0, 1);
  read(5, 1, 2);
  dat.change(5, kStamps.of(0, 3));
  EXPECT_EQ(dat.latest(Visit::Any, 5), kStamps.of(0, 3));
  EXPECT_EQ(dat.latest(Visit::Change, 5), kStamps.of(0, 3));
  EXPECT_EQ(dat.laterTile(Visit::Any, 5), -1);
  for (int64_t row : {255, 256, 511, 512}) {
    read(row, 0, 1);
    read(row, 1, 2);
  }
  dat.changeAll({256, 512}, kStamps.of(0, 4));
  EXPECT_EQ(dat.laterTile(Visit::Any, 255), 2);
  EXPECT_EQ(dat.laterTile(Visit::Any, 256), -1);
  EXPECT_EQ(dat.laterTile(Visit::Any, 511), -1);
  EXPECT_EQ(dat.latest(Visit::Change, 511), kStamps.of(0, 4));
  EXPECT_EQ(dat.laterTile(Visit::Any, 512), 2);
}

TEST_F(ChainRowsTest, RowsCanBeRestored) {
  read(5, 1, 1);
  read(5, 2, 2);
  DatRows::Row saved = dat.save(5);
  dat.change(5, kStamps.of(0, 3));
  dat.restore(5, saved);
  EXPECT_EQ(dat.latest(Visit::Any, 5), kStamps.of(1, 1));
  EXPECT_EQ(dat.latest(Visit::Change, 5), kNoStamp);
  EXPECT_EQ(dat.laterTile(Visit::Any, 5), 2);
}

TEST_F(ChainRowsTest, SpansAreOfWholeBlocks) {
  dat.changeAll({0, 512}, kStamps.of(1, 2));
  dat.change(100, kStamps.of(1, 4));
  dat.change(600, kStamps.of(2, 0));
  dat.summarize(Visit::Change);
  StampSpan first = dat.spanOf(Visit::Change, {3, 7});
  EXPECT_EQ(first.least, kStamps.of(1, 2));
  EXPECT_EQ(first.most, kStamps.of(1, 4));
  EXPECT_TRUE(first.haveAll);
  StampSpan both = dat.spanOf(Visit::Change, {511, 513});
  EXPECT_EQ(both.most, kStamps.of(2, 0));
  EXPECT_FALSE(both.haveAll);
  StampSpan none = dat.spanOf(Visit::Change, {768, 1000});
  EXPECT_GT(none.least, none.most);
  EXPECT_FALSE(none.haveAll);
}

TEST_F(ChainRowsTest, SpansDoNotTellWhatLaterThreadsHaveDone) {
  dat.changeAll({0, 256}, kStamps.of(0, 2));
  read(5, 1, 0);
  dat.summarize(Visit::Any);
  EXPECT_EQ(dat.spanOf(Visit::Any, {0, 1}).most, kAfterAll);
}

TEST_F(ChainRowsTest, SharesAreAllRows) {
  int64_t end = 0;
  for (int64_t part = 0; part < 7; ++part) {
    RowRange share = dat.shareOf(part, 7);
    EXPECT_EQ(share.begin, end);
    EXPECT_TRUE(share.end % DatRows::kBlock == 0 || share.end == 1000);
    end = share.end;
  }
  EXPECT_EQ(end, 1000);
}

} // namespace

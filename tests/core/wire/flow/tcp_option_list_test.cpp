#include "core/wire/flow/tcp_option_list.h"

#include <gtest/gtest.h>

#include <vector>

namespace tcpscope {
namespace {

std::vector<std::byte> bytes(std::initializer_list<unsigned> values) {
  std::vector<std::byte> result;
  for (const unsigned value : values) result.push_back(static_cast<std::byte>(value));
  return result;
}

TcpOptionList parse(std::initializer_list<unsigned> values, bool isCut = false) {
  return TcpOptionList::parse(bytes(values), isCut);
}

TEST(TcpOptionList, ReadsWhatASynOffers) {
  const auto list = parse({2, 4, 0x05, 0xb4, 4, 2, 8, 10, 0, 0, 0, 7, 0, 0, 0, 0, 1, 3, 3, 7});
  EXPECT_EQ(list.mssBytes, 1460);
  EXPECT_TRUE(list.sackPermitted);
  EXPECT_EQ(list.timestamps, (TcpTimestamps{7, 0}));
  EXPECT_EQ(list.windowScale, 7);
  EXPECT_FALSE(list.isDamaged);
  EXPECT_FALSE(list.isCut);
  EXPECT_EQ(list.others, 0);
}

TEST(TcpOptionList, ReadsSackBlocks) {
  const auto list = parse({1, 1, 5, 18, 0, 0, 0, 1, 0, 0, 0, 9, 0xFF, 0, 0, 0, 0xFF, 0, 0, 5});
  ASSERT_EQ(list.sackBlocks().size(), 2U);
  EXPECT_EQ(list.sackBlocks()[0], (SackBlock{1, 9}));
  EXPECT_EQ(list.sackBlocks()[1], (SackBlock{0xFF000000, 0xFF000005}));
}

TEST(TcpOptionList, KnowsFastOpenMultipathAndAccurateEcn) {
  const auto list = parse({34, 6, 1, 2, 3, 4, 30, 4, 1, 1, 172, 5, 0, 0, 1});
  EXPECT_EQ(list.fastOpenCookieBytes, 4);
  EXPECT_TRUE(list.multipath);
  EXPECT_TRUE(list.accurateEcn);
}

TEST(TcpOptionList, KnowsTheExperimentalForms) {
  EXPECT_EQ(parse({254, 4, 0xF9, 0x89}).fastOpenCookieBytes, 0);
  EXPECT_TRUE(parse({254, 5, 0xAC, 0xC0, 1}).accurateEcn);
  EXPECT_EQ(parse({254, 4, 0x12, 0x34}).others, 1);
}

TEST(TcpOptionList, CountsWhatItDoesNotKnow) {
  EXPECT_EQ(parse({19, 4, 0, 0, 76, 2}).others, 2);
}

TEST(TcpOptionList, StopsAtTheEndOfTheList) {
  EXPECT_FALSE(parse({0, 4, 2}).sackPermitted);
}

TEST(TcpOptionList, KeepsWhatCameBeforeALengthThatLies) {
  for (const unsigned length : {0U, 1U, 40U}) {
    const auto list = parse({4, 2, 8, length, 1, 2, 3});
    EXPECT_TRUE(list.sackPermitted) << length;
    EXPECT_TRUE(list.isDamaged) << length;
    EXPECT_FALSE(list.timestamps) << length;
  }
}

TEST(TcpOptionList, EndsWithAKindAlone) {
  EXPECT_TRUE(parse({4, 2, 8}).isDamaged);
}

TEST(TcpOptionList, DoesNotTakeAShortSnapLengthForDamage) {
  const auto list = parse({4, 2, 8, 10, 0, 0}, true);
  EXPECT_TRUE(list.sackPermitted);
  EXPECT_TRUE(list.isCut);
  EXPECT_FALSE(list.isDamaged);
}

TEST(TcpOptionList, TakesAnEmptySackForDamageAndGoesOn) {
  const auto list = parse({5, 2, 4, 2});
  EXPECT_TRUE(list.isDamaged);
  EXPECT_TRUE(list.sackPermitted);
  EXPECT_TRUE(list.sackBlocks().empty());
}

TEST(TcpOptionList, TakesAWrongLengthForItsKindForDamage) {
  EXPECT_TRUE(parse({2, 3, 5}).isDamaged);
  EXPECT_FALSE(parse({2, 3, 5}).mssBytes);
  EXPECT_TRUE(parse({3, 4, 5, 5}).isDamaged);
  const auto sack = parse({5, 11, 0, 0, 0, 1, 0, 0, 0, 9, 7});
  EXPECT_TRUE(sack.isDamaged);
  EXPECT_EQ(sack.sackBlocks().size(), 1U);
}

TEST(LoneTimestamps, AreTheUsualTwelveBytesOnly) {
  EXPECT_EQ(loneTimestamps(bytes({1, 1, 8, 10, 0, 0, 1, 0, 0, 0, 0, 2})), (TcpTimestamps{256, 2}));
  EXPECT_FALSE(loneTimestamps(bytes({8, 10, 0, 0, 1, 0, 0, 0, 0, 2, 1, 1})));
  EXPECT_FALSE(loneTimestamps(bytes({1, 1, 8, 10})));
}

}  // namespace
}  // namespace tcpscope

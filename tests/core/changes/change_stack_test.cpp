#include "core/changes/change_stack.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

constexpr const char* kKey = "net.ipv4.tcp_sack";
constexpr const char* kOtherKey = "net.ipv4.tcp_ecn";

ChangeRecord change(std::uint32_t id, std::vector<ChangedSetting> settings) {
  ChangeRecord record;
  record.id = id;
  record.state = ChangeState::applied;
  record.bootId = "boot";
  record.networkNamespace = 1;
  record.settings = std::move(settings);
  return record;
}

/// a → b → c.
std::vector<ChangeRecord> twoChanges() {
  return {change(1, {{kKey, "a", "b"}}), change(2, {{kKey, "b", "c"}})};
}

TEST(ChangeStack, TheNextOpenChangeOfTheKeyCovers) {
  auto records = twoChanges();
  records.push_back(change(3, {{kKey, "c", "d"}}));
  EXPECT_EQ(coveringChange(records, records[0], kKey), &records[1]);
  records[1].state = ChangeState::reverted;
  EXPECT_EQ(coveringChange(records, records[0], kKey), &records[2]);
  EXPECT_EQ(coveringChange(records, records[2], kKey), nullptr);
  EXPECT_EQ(coveringChange(records, records[0], kOtherKey), nullptr);
}

TEST(ChangeStack, AChangeOfAnotherNamespaceDoesNotCover) {
  auto records = twoChanges();
  records[1].networkNamespace = 2;
  EXPECT_EQ(coveringChange(records, records[0], kKey), nullptr);
}

TEST(ChangeStack, TheHostsNamespaceIsTheSameAfterABoot) {
  auto records = twoChanges();
  for (ChangeRecord& record : records) record.isHostNamespace = true;
  records[1].bootId = "next boot";
  EXPECT_EQ(coveringChange(records, records[0], kKey), &records[1]);
}

TEST(ChangeStack, ARevertedChangeHandsItsOriginalOn) {
  const auto records = afterEnd(twoChanges(), 1, ChangeState::reverted);
  EXPECT_EQ(records[0].state, ChangeState::reverted);
  EXPECT_EQ(records[1].settings.front(), (ChangedSetting{kKey, "a", "c"}));
  // Once more, as after a kill between the two files of the journal.
  EXPECT_EQ(afterEnd(records, 1, ChangeState::reverted), records);
}

TEST(ChangeStack, AChangeWhoseOriginalsAreComparedCoversNothing) {
  auto records = twoChanges();
  records[1].inForce = SettingVersion::original;
  EXPECT_EQ(coveringChange(records, records[0], kKey), nullptr);
  // Made while the comparison had set b.
  records.push_back(change(3, {{kKey, "b", "d"}}));
  EXPECT_EQ(coveringChange(records, records[0], kKey), &records[2]);
  const auto after = afterEnd(records, 1, ChangeState::reverted);
  EXPECT_EQ(after[1].settings.front().original, "a");
  EXPECT_EQ(after[2].settings.front().original, "a");
}

TEST(ChangeStack, AValueSetInBetweenStaysTheOriginalOfTheChangeAbove) {
  auto records = twoChanges();
  records[1].settings.front().original = "x";
  EXPECT_EQ(afterEnd(records, 1, ChangeState::reverted)[1].settings.front().original, "x");
}

TEST(ChangeStack, TheTopmostChangeHandsNothingOn) {
  const auto records = afterEnd(twoChanges(), 2, ChangeState::reverted);
  EXPECT_EQ(records[0], twoChanges()[0]);
  EXPECT_EQ(records[1].state, ChangeState::reverted);
}

}  // namespace
}  // namespace tcpscope

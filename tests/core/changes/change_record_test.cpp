// A change in the journal: what was written is read again, and nothing else is.
#include "core/changes/change_record.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

constexpr std::string_view kBoot = "3718446b-17c4-4e19-8e90-73bdad938571";

ChangeRecord example() {
  ChangeRecord record;
  record.id = 7;
  record.state = ChangeState::applied;
  record.bootId = kBoot;
  record.networkNamespace = 4026531840;
  record.isHostNamespace = true;
  record.madeAtSeconds = 1'795'350'570;
  record.persist = true;
  record.deadline = Nanoseconds(26'337'476'130'103);
  record.settings = {{"net.ipv4.tcp_rmem", "4096 131072 6291456", "4096 131072 67108864"},
                     {"net.ipv4.tcp_congestion_control", "bbr", "cubic"}};
  return record;
}

std::string with(std::string text, std::string_view old, std::string_view replacement) {
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), replacement);
}

TEST(ChangeRecord, ReadsWhatItWrote) {
  EXPECT_EQ(readChangeRecord(writeChangeRecord(example())), example());
  ChangeRecord withoutTimer = example();
  withoutTimer.deadline.reset();
  withoutTimer.state = ChangeState::confirmed;
  EXPECT_EQ(readChangeRecord(writeChangeRecord(withoutTimer)), withoutTimer);
}

TEST(ChangeRecord, ReadsNoPartOfARecord) {
  const std::string text = writeChangeRecord(example());
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_FALSE(readChangeRecord(std::string_view(text).substr(0, size))) << size;
  }
  EXPECT_FALSE(readChangeRecord(text + "more\n"));
}

TEST(ChangeRecord, WouldNotWriteBackWhatWasNotItsOwn) {
  const std::string text = writeChangeRecord(example());
  EXPECT_FALSE(readChangeRecord(with(text, "key net.ipv4.tcp_rmem", "key kernel.core_pattern")));
  EXPECT_FALSE(readChangeRecord(with(text, "wanted cubic", "wanted ../cubic")));
  EXPECT_FALSE(readChangeRecord(with(text, "original bbr", "original b\x1b[2Jr")));
  EXPECT_FALSE(readChangeRecord(with(text, "original bbr", "original " + std::string(300, 'b'))));
  EXPECT_FALSE(readChangeRecord(with(text, "key net.ipv4.tcp_congestion_control\noriginal bbr\nwanted cubic",
                                     "key net.ipv4.tcp_rmem\noriginal 1\nwanted 4096 5000 6000")));
}

TEST(ChangeRecord, ReadsNoNumbersThatItWouldNotWrite) {
  const std::string text = writeChangeRecord(example());
  EXPECT_FALSE(readChangeRecord(with(text, "id 7", "id 0")));
  EXPECT_FALSE(readChangeRecord(with(text, "id 7", "id 07")));
  EXPECT_FALSE(readChangeRecord(with(text, "id 7", "id 99999999999")));
  EXPECT_FALSE(readChangeRecord(with(text, "settings 2", "settings 3")));
  EXPECT_FALSE(readChangeRecord(with(text, "settings 2", "settings 65")));
  EXPECT_FALSE(readChangeRecord(with(text, "deadline_boottime_ns 2", "deadline_boottime_ns -2")));
  EXPECT_FALSE(readChangeRecord(with(text, "made_at_s 1", "made_at_s 999999")));
  EXPECT_FALSE(readChangeRecord(with(text, "state applied", "state done")));
}

TEST(ChangeRecord, KeepsThatTheOriginalsAreInForce) {
  ChangeRecord record = example();
  record.inForce = SettingVersion::original;
  EXPECT_EQ(readChangeRecord(writeChangeRecord(record)), record);
  EXPECT_FALSE(readChangeRecord(with(writeChangeRecord(record), "in_force original", "in_force changed")));
}

TEST(ChangeRecord, IsOverdueAfterItsTime) {
  ChangeRecord record = example();
  const Nanoseconds before = *record.deadline - Nanoseconds(1);
  EXPECT_FALSE(isOverdue(record, before));
  EXPECT_TRUE(isOverdue(record, *record.deadline));
  record.state = ChangeState::confirmed;
  EXPECT_FALSE(isOverdue(record, *record.deadline));
}

TEST(ChangeRecord, EndsWithItsBootUnlessItIsConfirmedAndPersists) {
  ChangeRecord record = example();
  record.isHostNamespace = true;
  record.persist = true;
  EXPECT_FALSE(endedWithItsBoot(record, kBoot));
  EXPECT_TRUE(endedWithItsBoot(record, "another boot"));
  record.state = ChangeState::confirmed;
  EXPECT_FALSE(endedWithItsBoot(record, "another boot"));
  record.persist = false;
  EXPECT_TRUE(endedWithItsBoot(record, "another boot"));
  record.state = ChangeState::reverted;
  EXPECT_FALSE(endedWithItsBoot(record, "another boot"));
}

}  // namespace
}  // namespace tcpscope

#include "core/changes/tune_record.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

TuneRecord exampleTuneRecord() {
  return {{"3718446b-17c4-4e19-8e90-73bdad938571", 4026531833, 0x1a2b},
          {{SocketOption::sendBuffer, {131072, {}}, OptionValue{8388608, {}}},
           {SocketOption::maxPacingRate, {kUnlimited, {}}, std::nullopt},
           {SocketOption::congestionControl,
            {0, CongestionControlName("cubic")},
            OptionValue{0, CongestionControlName("bbr")}}}};
}

TEST(TuneRecord, IsReadAsItWasWritten) {
  EXPECT_EQ(writeTuneRecord(exampleTuneRecord()),
            "tcpscope-tuned 1\n"
            "boot 3718446b-17c4-4e19-8e90-73bdad938571\n"
            "namespace 4026531833\n"
            "cookie 1a2b\n"
            "SO_SNDBUF 131072 8388608\n"
            "SO_MAX_PACING_RATE 18446744073709551615 ?\n"
            "TCP_CONGESTION cubic bbr\n"
            "end\n");
  EXPECT_EQ(parseTuneRecord(writeTuneRecord(exampleTuneRecord())), exampleTuneRecord());
  EXPECT_EQ(exampleTuneRecord().key.fileName(), "3718446b-17c4-4e19-8e90-73bdad938571_4026531833_1a2b");
}

TuneRecord onTrial() {
  TuneRecord record = exampleTuneRecord();
  record.trial.emplace();
  record.trial->deadline = Nanoseconds(61'000'000'000);
  record.trial->inode = 4711;
  record.trial->changed = {{SocketOption::sendBuffer, {262144, {}}, OptionValue{8388608, {}}}};
  record.trial->earlier = {{SocketOption::sendBuffer, {131072, {}}, OptionValue{262144, {}}}};
  return record;
}

TEST(TuneRecord, OnTrialIsReadAsItWasWritten) {
  EXPECT_EQ(writeTuneRecord(onTrial()),
            "tcpscope-tuned 1\n"
            "boot 3718446b-17c4-4e19-8e90-73bdad938571\n"
            "namespace 4026531833\n"
            "cookie 1a2b\n"
            "deadline 61000000000\n"
            "inode 4711\n"
            "trial SO_SNDBUF 262144 8388608\n"
            "earlier SO_SNDBUF 131072 262144\n"
            "SO_SNDBUF 131072 8388608\n"
            "SO_MAX_PACING_RATE 18446744073709551615 ?\n"
            "TCP_CONGESTION cubic bbr\n"
            "end\n");
  EXPECT_EQ(parseTuneRecord(writeTuneRecord(onTrial())), onTrial());
}

TEST(TuneRecord, IsOverdueFromItsDeadlineOn) {
  EXPECT_FALSE(isOverdue(onTrial(), Nanoseconds(60'999'999'999)));
  EXPECT_TRUE(isOverdue(onTrial(), Nanoseconds(61'000'000'000)));
  EXPECT_FALSE(isOverdue(exampleTuneRecord(), Nanoseconds(61'000'000'000))) << "not on trial";
}

TEST(TuneRecord, OnTrialOfEveryOptionIsNotTooLong) {
  TuneRecord record = onTrial();
  record.options.clear();
  for (const SocketOptionRow& row : socketOptions()) {
    if (row.changeable != Changeable::live) continue;
    OptionValue value{row.unit == OptionUnit::bytesPerSecond ? kUnlimited : 0xffff'ffff, {}};
    if (row.unit == OptionUnit::name) value = {0, CongestionControlName("fifteen_letters")};
    record.options.push_back({row.id, value, value});
  }
  record.trial->changed = record.trial->earlier = record.options;
  EXPECT_EQ(parseTuneRecord(writeTuneRecord(record)), record);
}

TEST(TuneRecord, OnTrialIsNotReadWhereItIsCutOrNotItsOwnWriting) {
  const std::string text = writeTuneRecord(onTrial());
  for (std::size_t size = 0; size < text.size(); ++size) EXPECT_FALSE(parseTuneRecord(text.substr(0, size))) << size;
  const auto changed = [&](std::string_view what, std::string_view to) {
    std::string other = text;
    other.replace(other.find(what), what.size(), to);
    return parseTuneRecord(other);
  };
  EXPECT_FALSE(changed("deadline 6", "deadline -6"));
  EXPECT_FALSE(changed("deadline 61000000000", "deadline 9223372036854775808"));
  EXPECT_FALSE(changed("inode 4711", "inode 4294967296"));
  EXPECT_FALSE(changed("inode 4711\n", ""));
  EXPECT_FALSE(changed("deadline 61000000000\n", ""));
  EXPECT_FALSE(changed("trial SO_SNDBUF 262144 8388608\n", "")) << "a trial of nothing";
  EXPECT_FALSE(changed("earlier SO_SNDBUF", "earlier  SO_SNDBUF"));
  EXPECT_FALSE(changed("earlier SO_SNDBUF 131072", "earlier SO_SNDBUF 1 2\nearlier SO_SNDBUF 131072")) << "twice";
}

TEST(TuneRecord, IsNotReadWhereItIsCut) {
  const std::string text = writeTuneRecord(exampleTuneRecord());
  for (std::size_t size = 0; size < text.size(); ++size) EXPECT_FALSE(parseTuneRecord(text.substr(0, size))) << size;
}

TEST(TuneRecord, IsNotReadWhereItIsNotItsOwnWriting) {
  const auto changed = [](std::string_view what, std::string_view to) {
    std::string text = writeTuneRecord(exampleTuneRecord());
    text.replace(text.find(what), what.size(), to);
    return parseTuneRecord(text);
  };
  EXPECT_FALSE(changed("131072", "0131072"));
  EXPECT_FALSE(changed("131072", "-1"));
  EXPECT_FALSE(changed("131072", "4294967296"));
  EXPECT_FALSE(changed("SO_SNDBUF", "so_sndbuf"));
  EXPECT_FALSE(changed("SO_SNDBUF", "TCP_MAXSEG"));
  EXPECT_FALSE(changed("SO_SNDBUF", "SO_LINGER"));
  EXPECT_FALSE(changed("cubic", "../cubic"));
  EXPECT_FALSE(changed("boot 3718", "boot ../.."));
  EXPECT_FALSE(changed("tuned 1", "tuned 2"));
  EXPECT_FALSE(changed("end\n", "end\nend\n"));
  EXPECT_FALSE(changed("end\n", "SO_SNDBUF 1 2\nend\n")) << "an option twice";
  EXPECT_FALSE(parseTuneRecord(writeTuneRecord(exampleTuneRecord()) + std::string(kLongestTuneRecord, 'x')));
}

}  // namespace
}  // namespace tcpscope

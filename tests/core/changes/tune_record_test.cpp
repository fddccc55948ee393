#include "core/changes/tune_record.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

TuneRecord example() {
  return {{"3718446b-17c4-4e19-8e90-73bdad938571", 4026531833, 0x1a2b},
          {{SocketOption::sendBuffer, {131072, {}}, OptionValue{8388608, {}}},
           {SocketOption::maxPacingRate, {kUnlimited, {}}, std::nullopt},
           {SocketOption::congestionControl,
            {0, CongestionControlName("cubic")},
            OptionValue{0, CongestionControlName("bbr")}}}};
}

TEST(TuneRecord, IsReadAsItWasWritten) {
  EXPECT_EQ(writeTuneRecord(example()),
            "tcpscope-tuned 1\n"
            "boot 3718446b-17c4-4e19-8e90-73bdad938571\n"
            "namespace 4026531833\n"
            "cookie 1a2b\n"
            "SO_SNDBUF 131072 8388608\n"
            "SO_MAX_PACING_RATE 18446744073709551615 ?\n"
            "TCP_CONGESTION cubic bbr\n"
            "end\n");
  EXPECT_EQ(parseTuneRecord(writeTuneRecord(example())), example());
  EXPECT_EQ(example().key.fileName(), "3718446b-17c4-4e19-8e90-73bdad938571_4026531833_1a2b");
}

TEST(TuneRecord, IsNotReadWhereItIsCut) {
  const std::string text = writeTuneRecord(example());
  for (std::size_t size = 0; size < text.size(); ++size) EXPECT_FALSE(parseTuneRecord(text.substr(0, size))) << size;
}

TEST(TuneRecord, IsNotReadWhereItIsNotItsOwnWriting) {
  const auto changed = [](std::string_view what, std::string_view to) {
    std::string text = writeTuneRecord(example());
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
  EXPECT_FALSE(parseTuneRecord(writeTuneRecord(example()) + std::string(kLongestTuneRecord, 'x')));
}

}  // namespace
}  // namespace tcpscope

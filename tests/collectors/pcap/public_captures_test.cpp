// Published captures, compared with tshark's output and with the bytes themselves: tests/data/captures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/collectors/pcap/public_captures.h"
#include "tests/support/capture_text.h"

namespace tcpscope {
namespace {

using namespace test;
using testing::ElementsAre;

CaptureText read(const std::string& name) {
  auto file = openFile(publicCaptures() / name);
  return file ? readCapture(std::move(*file)) : CaptureText();
}

class PublicCapture : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(PublicCapture, HasThePacketsThatTsharkCounts) {
  std::ifstream file(GetParam());
  const nlohmann::json tshark = nlohmann::json::parse(file).at("tshark");
  const CaptureText text = read(GetParam().stem().string());
  EXPECT_EQ(text.counts.frames, tshark.at("packets").get<std::uint64_t>());
  EXPECT_EQ(text.segments, tshark.at("tcp_packets").get<std::uint64_t>());
  EXPECT_EQ(text.counts.backwardSteps, tshark.at("time_backwards").get<std::uint64_t>());
  EXPECT_EQ(text.counts.refusedFrames, 0U);
}

INSTANTIATE_TEST_SUITE_P(Expected, PublicCapture, testing::ValuesIn(publicExpectations()), [](const auto& each) {
  std::string name = each.param.stem().stem().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(PublicCaptures, NanosecondsAndLinuxCooked) {
  EXPECT_THAT(
      read("handshake-nanoseconds.pcap").lines,
      ElementsAre("1418145369.924505488 #0 if0 131.155.215.69:46656 > 137.116.81.94:80 seq 797190859 ack 0 flags 02 "
                  "win 27200 len 0 ecn 0 hops 64 options 020405500402080a436a03620000000001030307",
                  "1418145370.052027262 #1 if0 137.116.81.94:80 > 131.155.215.69:46656 seq 3078856592 ack 797190860 "
                  "flags 12 win 8192 len 0 ecn 0 hops 117 options 020405a0010303080402080a0df5af50436a0362",
                  "1418145370.052115157 #2 if0 131.155.215.69:46656 > 137.116.81.94:80 seq 797190860 ack 3078856593 "
                  "flags 10 win 213 len 0 ecn 0 hops 64 options 0101080a436a03820df5af50"));
}

TEST(PublicCaptures, BigEndian) {
  EXPECT_EQ(
      read("nanoseconds-big-endian.pcap").lines.at(3),
      "1766361926.167712591 #3 if0 127.0.0.1:43030 > 127.0.0.1:8000 seq 1593692745 ack 3239046833 flags 18 win 512 "
      "len 78 ecn 0 hops 64 options 0101080aa047d8d7a047d8d7");
}

TEST(PublicCaptures, RawIp) {
  EXPECT_EQ(read("empty-sack-option.pcap").lines.at(3),
            "1571309124.946331000 #3 if0 192.168.0.54:49506 > 17.173.66.179:443 seq 3742376989 ack 3947759006 flags 18 "
            "win 2048 len 517 ecn 0 hops 63 options ");
}

TEST(PublicCaptures, AShortSnapLengthAndAJoinedSegment) {
  // 3926 bytes on the wire of which 94 were kept: the adapter joined three segments.
  EXPECT_EQ(
      read("ndt-download-headers.pcap").lines.at(5),
      "1575590351.068937000 #5 if0 172.217.167.202:443 > 61.246.223.50:37992 seq 4045534575 ack 685488066 flags 18 "
      "win 240 len 3860 ecn 0 hops 125 options 0101080a8008945b07597560");
}

TEST(PublicCaptures, PacketsBehindALinuxCookedHeaderWithMptcp) {
  EXPECT_THAT(read("mptcp-v1.pcap").lines.at(3), testing::HasSubstr("seq 2180756990 ack 791415662 flags 18 win 256 len "
                                                                    "7100 ecn 0 hops 64"));
}

}  // namespace
}  // namespace tcpscope

// The document of a drawn capture: it conforms to its schema, what is not known has no key.
#include "core/present/json/capture_document.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/session/capture/capture_analysis.h"
#include "tests/core/wire/flow/drawn_exchange.h"
#include "tests/support/json_schema.h"

namespace tcpscope {
namespace {

using nlohmann::json;

std::string captureDocumentOf(const std::string& drawn, const std::vector<CapturedFile>& files = {CapturedFile()}) {
  const test::DrawnExchange exchange(drawn);
  CaptureAnalysis analysis;
  for (const PacketSample& packet : exchange.samples()) analysis.take(packet);
  CaptureDocumentPieces pieces;
  std::string text = pieces.begin(files);
  for (std::size_t index = 0; index < analysis.connectionCount(); ++index) {
    text += pieces.connection(captureConnectionPiece(analysis.connection(index), 0));
  }
  return text + pieces.end();
}

const std::string kRepaired = std::string(test::kHandshake) + R"(
  0.200 > A 1:1001 ack 1
  0.210 > A 1001:2001 ack 1
  0.220 > A 2001:3001 ack 1
  0.300 < A 1:1 ack 1001
  0.320 < A 1:1 ack 1001 sack 2001-3001
  0.321 > A 1001:2001 ack 1
  0.421 < A 1:1 ack 3001
)";

TEST(CaptureDocument, ConformsToItsSchema) {
  EXPECT_TRUE(test::conformsTo(captureSchema(), captureDocumentOf("")));
  EXPECT_TRUE(test::conformsTo(captureSchema(), captureDocumentOf(kRepaired)));
  // Without a handshake, in the middle of the transfer.
  EXPECT_TRUE(test::conformsTo(captureSchema(), captureDocumentOf("0.100 > A 1:1001 ack 1")));
}

TEST(CaptureDocument, ListsRetransmissionsWithTimeAndCause) {
  const json connection = json::parse(captureDocumentOf(kRepaired)).at("connections").at(0);
  EXPECT_EQ(connection.at("local"), "10.0.0.1:50000");
  EXPECT_EQ(connection.at("remote"), "10.0.0.2:80");
  EXPECT_EQ(connection.at("handshake_seen"), true);
  const json direction = connection.at("directions").at(0);
  EXPECT_EQ(direction.at("retransmitted_packets"), 1);
  const json again = direction.at("retransmissions").at(0);
  EXPECT_NEAR(again.at("time_s").get<double>(), 0.321, 1e-9);
  EXPECT_EQ(again.at("sequence"), test::kClientInitial + 1001);
  EXPECT_EQ(again.at("length_bytes"), 1000);
  EXPECT_EQ(again.at("cause"), "fast");
  EXPECT_EQ(direction.at("loss").at("lost_packets"), 1);
  EXPECT_EQ(direction.at("loss").at("events"), 1);
  EXPECT_EQ(connection.at("verdict"), direction.at("verdict"));
}

TEST(CaptureDocument, SaysHowLongConnectionsTookToOpen) {
  const std::string text = captureDocumentOf(std::string(test::kHandshake) + R"(
    0.200 > A 1:1001 ack 1
    0.450 < A 1:501 ack 1001
  )");
  EXPECT_TRUE(test::conformsTo(captureSchema(), text));
  const json document = json::parse(text);
  EXPECT_EQ(document.at("connections").at(0).at("connect_us"), 100'000);
  EXPECT_EQ(document.at("connections").at(0).at("first_byte_us"), 450'000);
  const json destination = document.at("destinations").at(0);
  EXPECT_EQ(destination.at("remote"), "10.0.0.2:80");
  EXPECT_EQ(destination.at("opened"), 1);
  EXPECT_EQ(destination.at("syn_retransmitted"), 0);
  EXPECT_EQ(destination.at("connect").at("median_us"), 100'000);
  EXPECT_EQ(destination.at("first_byte").at("max_us"), 450'000);
}

TEST(CaptureDocument, CountsAttemptsThatNothingAnswered) {
  const json document = json::parse(captureDocumentOf(R"(
    0.0 > S 0:0 mss 1460
    1.0 > S 0:0 mss 1460
    3.0 > S 0:0 mss 1460
  )"));
  const json destination = document.at("destinations").at(0);
  EXPECT_EQ(destination.at("opened"), 0);
  EXPECT_EQ(destination.at("unanswered"), 1);
  EXPECT_FALSE(destination.contains("connect"));
}

TEST(CaptureDocument, HasNoKeyForWhatIsNotKnown) {
  const json connection = json::parse(captureDocumentOf("0.100 > A 1:1001 ack 1")).at("connections").at(0);
  EXPECT_EQ(connection.at("initiator_sure"), false);
  EXPECT_FALSE(connection.contains("handshake_rtt_us"));
  for (const char* key : {"options", "window_max_bytes", "rtt", "timestamp_rtt", "goodput_bps"}) {
    EXPECT_FALSE(connection.at("directions").at(0).contains(key)) << key;
  }
}

TEST(CaptureDocument, MarksATimerThatWasDeceived) {
  const json direction = json::parse(captureDocumentOf(std::string(test::kHandshake) + R"(
    0.200 > A 1:1001 ack 1
    0.210 > A 1001:2001 ack 1
    1.600 > A 1:1001 ack 1
    1.601 < A 1:1 ack 2001
    1.700 < A 1:1 ack 2001 sack 1-1001
  )"))
                             .at("connections")
                             .at(0)
                             .at("directions")
                             .at(0);
  EXPECT_EQ(direction.at("retransmissions").at(0).at("cause"), "timeout");
  EXPECT_EQ(direction.at("retransmissions").at(0).at("spurious"), true);
  EXPECT_EQ(direction.at("loss").at("lost_packets"), 0);
}

TEST(CaptureDocument, ReportsWhatIsMissingInEachFile) {
  CapturedFile whole;
  whole.name = UntrustedText("a\x1b[31m.pcap");
  whole.format = FileFormat::pcap;
  whole.packets = 14;
  whole.segments = 2;
  whole.withoutSegment[static_cast<std::size_t>(NoSegment::otherProtocol)] = 12;
  CapturedFile cut;
  cut.format = FileFormat::pcapng;
  CaptureFault fault;
  fault.kind = CaptureFaultKind::cut;
  fault.offset = 4711;
  cut.add(fault);
  const std::string text = captureDocumentOf("", {whole, cut});
  EXPECT_TRUE(test::conformsTo(captureSchema(), text));
  const json document = json::parse(text);
  EXPECT_EQ(document.at("files").at(0).at("name"), "a[31m.pcap");
  EXPECT_EQ(document.at("files").at(1).at("format"), "pcapng");
  const json gaps = document.at("gaps");
  ASSERT_EQ(gaps.size(), 2U);
  EXPECT_EQ(gaps[0].at("kind"), "other_protocol");
  EXPECT_EQ(gaps[0].at("text"), "12 packets were not TCP.");
  EXPECT_EQ(gaps[1].at("file"), 1);
  EXPECT_EQ(gaps[1].at("offset_bytes"), 4711);
  EXPECT_EQ(gaps[1].at("severity"), "data_loss");
}

TEST(CaptureDocument, NamesTheLinkTypesThatAreNotRead) {
  CapturedFile file;
  file.format = FileFormat::pcapng;
  for (int packet = 0; packet < 3; ++packet) file.addWithout(NoSegment::unknownLinkType, 105);
  file.addWithout(NoSegment::unknownLinkType, 147);
  const std::string text = captureDocumentOf("", {file});
  EXPECT_TRUE(test::conformsTo(captureSchema(), text));
  const json gaps = json::parse(text).at("gaps");
  ASSERT_EQ(gaps.size(), 2U);
  EXPECT_EQ(gaps[0].at("link_type"), 105);
  EXPECT_EQ(gaps[0].at("count"), 3);
  EXPECT_EQ(gaps[0].at("text"), "3 packets were left out: link type 105 (IEEE 802.11) is not supported.");
  EXPECT_EQ(gaps[1].at("text"), "1 packet was left out: link type 147 is not supported.");
}

TEST(CaptureDocument, SaysWhatHeldItWhen) {
  std::string drawn = test::kHandshake;
  const auto round = [&drawn](double seconds, int first) {
    for (int segment = first; segment < first + 4; ++segment) {
      drawn += "\n" + std::to_string(seconds) + " > A " + std::to_string(1 + segment * 1000) + ":" +
               std::to_string(1001 + segment * 1000) + " ack 1";
    }
    drawn +=
        "\n" + std::to_string(seconds + 0.1) + " < A 1:1 ack " + std::to_string(1 + (first + 4) * 1000) + " win 4000";
  };
  for (int number = 0; number < 20; ++number) round(0.2 + number * 0.1001, number * 4);
  for (int number = 20; number < 40; ++number) round(3.2 + number * 0.1001, number * 4);
  const std::string document = captureDocumentOf(drawn);
  EXPECT_TRUE(test::conformsTo(captureSchema(), document));
  const json direction = json::parse(document).at("connections").at(0).at("directions").at(0);
  const json& history = direction.at("limits_over_time");
  double at = 0.0;
  double paused = 0.0;
  for (const json& stretch : history) {
    EXPECT_NEAR(stretch.at("time_s").get<double>(), at, 1e-6);
    at += stretch.at("duration_s").get<double>();
    if (stretch.at("limit") == "application") paused += stretch.at("duration_s").get<double>();
    EXPECT_EQ(stretch.at("limit") == "unknown", !stretch.at("candidates").empty());
  }
  // The handshake is no part of the transfer.
  EXPECT_NEAR(at - 0.2, direction.at("limits").at("window_s").get<double>(), 0.01);
  EXPECT_NEAR(paused, 3.0, 0.3);
}

}  // namespace
}  // namespace tcpscope

// The flow analysis of published captures, compared with two independent programs: every figure on which both agree,
// and the causes of retransmissions that a third reports.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/wire/flow/flow_table.h"
#include "tests/collectors/pcap/public_captures.h"
#include "tests/support/capture_text.h"

namespace tcpscope {
namespace {

using nlohmann::json;

json readJson(const std::filesystem::path& path) {
  std::ifstream file(path);
  return json::parse(file);
}

std::vector<ConnectionSummary> analyse(const std::string& name) {
  auto source = openFile(test::publicCaptures() / name);
  if (!source) return {};
  auto reader = CaptureReader::open(std::move(*source));
  if (!reader) return {};
  FlowTable table;
  while (const CaptureItem item = (*reader)->next()) {
    if (item.frame == nullptr) continue;
    if (const auto packet = decodePacket(*item.frame)) table.take(*packet);
  }
  std::vector<ConnectionSummary> summaries;
  for (const auto& connection : table.connections()) summaries.push_back(connection->summary());
  return summaries;
}

/// A figure of both programs; nothing where they contradict each other or one does not know.
class Agreed {
public:
  Agreed(const json& tshark, const json& tcptrace, std::string suffix)
      : m_tshark(tshark), m_tcptrace(tcptrace), m_suffix(std::move(suffix)) {}

  [[nodiscard]] std::optional<std::uint64_t> operator()(const char* tsharkName, const char* tcptraceName,
                                                        std::int64_t tcptraceAbove = 0) const {
    const json& one = m_tshark.at(tsharkName);
    if (!one.is_number()) return std::nullopt;
    const std::int64_t other = std::stoll(m_tcptrace.at(tcptraceName + m_suffix).get<std::string>()) - tcptraceAbove;
    return one.get<std::int64_t>() == other ? std::optional(static_cast<std::uint64_t>(other)) : std::nullopt;
  }

private:
  const json& m_tshark;
  const json& m_tcptrace;
  std::string m_suffix;
};

void compareCounts(const DirectionSummary& ours, const Agreed& agreed) {
  const TransmissionCounts& sent = ours.sent;
  const auto same = [](const char* what, std::uint64_t value, const std::optional<std::uint64_t>& expected) {
    if (expected) {
      EXPECT_EQ(value, *expected) << what;
    }
  };
  same("packets", sent.packets.value(), agreed("pkts", "total_packets"));
  same("data packets", sent.dataPackets.value(), agreed("data_pkts", "actual_data_pkts"));
  same("payload", sent.payload.value(), agreed("payload_bytes", "actual_data_bytes"));
  same("unique", sent.unique.value(), agreed("unique_bytes", "unique_bytes_sent"));
  same("retransmitted", sent.retransmitted.value(), agreed("rexmit_bytes", "rexmt_data_bytes"));
  same("retransmitted packets", sent.retransmittedPackets.value(), agreed("rexmit_pkts", "rexmt_data_pkts"));
  same("out of order", sent.outOfOrderPackets.value(), agreed("below_max_new_pkts", "outoforder_pkts"));
  same("probes", sent.zeroWindowProbes.value(), agreed("zwp_like", "zwnd_probe_pkts"));
  same("resets", sent.resets.value(), agreed("rst", "resets_sent"));
  same("zero windows", ours.received.zeroWindowEvents.value(), agreed("zero_win", "zero_win_adv"));
  same("duplicate reports", ours.received.duplicateReports.value(), agreed("dsack_pkts", "dsack_pkts_sent"));
  if (ours.windowMin) same("smallest window", ours.windowMin->value(), agreed("win_min", "min_win_adv"));
  if (ours.windowMax) same("largest window", ours.windowMax->value(), agreed("win_max", "max_win_adv"));
  // tcptrace counts the SYN as in flight.
  if (ours.maxInFlight) same("in flight", ours.maxInFlight->value(), agreed("max_bif", "max_owin", 1));
}

void compareOptions(const DirectionSummary& ours, const json& tshark) {
  const json& expected = tshark.at("opt");
  ASSERT_EQ(ours.offered.has_value(), !expected.is_null());
  if (!ours.offered) return;
  EXPECT_EQ(ours.offered->mss.has_value(), !expected.at("mss").is_null());
  if (ours.offered->mss) {
    EXPECT_EQ(ours.offered->mss->value(), expected.at("mss").get<std::uint64_t>());
  }
  EXPECT_EQ(ours.offered->windowScale.has_value(), !expected.at("wscale").is_null());
  if (ours.offered->windowScale) {
    EXPECT_EQ(*ours.offered->windowScale, expected.at("wscale").get<unsigned>());
  }
  EXPECT_EQ(ours.offered->sack, expected.at("sack_perm").get<bool>());
  EXPECT_EQ(ours.offered->timestamps, expected.at("ts").get<bool>());
}

void compareRtt(const DirectionSummary& ours, const json& tshark, const json& tcptrace, const std::string& suffix) {
  const json& expected = tshark.at("ack_rtt");
  if (expected.is_null()) return;
  const double smallest = expected.at("min").get<double>();
  const double milliseconds = std::stod(tcptrace.at("RTT_min" + suffix).get<std::string>());
  if (std::abs(smallest * 1e3 - milliseconds) > 0.06) return;
  ASSERT_TRUE(ours.rtt);
  EXPECT_NEAR(toSeconds(ours.rtt->min), smallest, 1e-6);
}

class PublicFlow : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(PublicFlow, IsWhatBothProgramsSay) {
  const json expected = readJson(GetParam());
  const auto ours = analyse(GetParam().stem().string());
  const json& streams = expected.at("tshark").at("streams");
  ASSERT_EQ(ours.size(), streams.size());
  const json conns = expected.at("tcptrace").value("conns", json::array());
  for (std::size_t index = 0; index < ours.size(); ++index) {
    SCOPED_TRACE(ours[index].initiator.toString());
    EXPECT_EQ(std::to_string(ours[index].initiator.port), streams[index].at("a")[1]);
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
      SCOPED_TRACE(side == 0 ? "initiator" : "responder");
      const json& tshark = streams[index].at("d")[side];
      compareOptions(ours[index].directions[side], tshark);
      EXPECT_EQ(ours[index].directions[side].sent.packets.value(), tshark.at("pkts").get<std::uint64_t>());
      if (conns.size() != streams.size()) continue;
      const std::string suffix = side == 0 ? "_a2b" : "_b2a";
      compareCounts(ours[index].directions[side], Agreed(tshark, conns[index], suffix));
      compareRtt(ours[index].directions[side], tshark, conns[index], suffix);
      // tcptrace counts duplicate acknowledgments for whom they are meant.
      const auto duplicates =
          Agreed(tshark, conns[index], side == 0 ? "_b2a" : "_a2b")("ta_duplicate_ack", "duplicate_acks");
      if (duplicates) {
        EXPECT_EQ(ours[index].directions[side].received.duplicateAcks.value(), *duplicates);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Expected, PublicFlow, testing::ValuesIn(test::publicExpectations()), [](const auto& each) {
  std::string name = each.param.stem().stem().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

/// The causes that the third program's name allows: all but timeout and SYN where it reports a mere retransmission.
testing::Matcher<RetransmissionCause> causeMatcher(const std::string& type) {
  if (type.rfind("RTO", 0) == 0) return testing::Eq(RetransmissionCause::timeout);
  if (type == "FACK_BASED") return testing::Eq(RetransmissionCause::fast);
  if (type == "SACK_RECOVERY") return testing::Eq(RetransmissionCause::recovery);
  return testing::AllOf(testing::Ne(RetransmissionCause::timeout), testing::Ne(RetransmissionCause::syn));
}

TEST(PublicFlows, HaveTheRetransmissionCausesThatAnotherProgramReports) {
  const json causes = readJson(test::publicCaptures() / "expected" / "retransmission-causes.json");
  for (const auto& [name, expected] : causes.items()) {
    SCOPED_TRACE(name);
    std::vector<Retransmission> ours;
    for (const ConnectionSummary& connection : analyse(name)) {
      for (const DirectionSummary& direction : connection.directions) {
        ours.insert(ours.end(), direction.retransmissions.begin(), direction.retransmissions.end());
      }
    }
    const json& theirs = expected.at("rexmit");
    ASSERT_EQ(ours.size(), theirs.size());
    for (std::size_t index = 0; index < ours.size(); ++index) {
      EXPECT_EQ(onTheWire(ours[index].begin), theirs[index].at("seq_raw").get<std::uint32_t>());
      EXPECT_NEAR(ours[index].time.seconds(), theirs[index].at("ts").get<double>(), 2e-6);
      EXPECT_THAT(ours[index].cause(), causeMatcher(theirs[index].at("type").get<std::string>())) << index;
    }
  }
}

TEST(PublicFlows, HaveTheVantageThatTheirDelaysShow) {
  EXPECT_EQ(analyse("ndt-download-headers.pcap").at(0).vantage, Vantage::sender);
  EXPECT_EQ(analyse("fast-retransmission.pcap").at(0).vantage, Vantage::sender);
  EXPECT_EQ(analyse("nanoseconds-big-endian.pcap").at(0).vantage, Vantage::unknown);
}

}  // namespace
}  // namespace tcpscope

// That the catalogue is complete, in order and has unique keys is checked where it is compiled; here, that each row
// reads what it says.
#include "core/model/metric_catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <limits>
#include <set>

#include "tests/support/observation_builder.h"

namespace tcpscope {
namespace {

using test::ObservationBuilder;

std::optional<double> read(std::string_view key, const SocketObservation& socket,
                           const IntervalMetrics* interval = nullptr) {
  const MetricRow* row = findMetric(key);
  EXPECT_NE(row, nullptr) << key;
  return row == nullptr ? std::nullopt : row->read({socket, interval});
}

constexpr std::size_t kTcpInfoMetrics = static_cast<std::size_t>(Metric::receiveQueue);

using Values = std::vector<std::optional<double>>;

Values tcpInfoValues(std::span<const std::byte> bytes) {
  SocketObservation socket;
  socket.info = TcpInfoSample(bytes, AccecnLayout::linux618);
  Values values;
  for (std::size_t index = 0; index < kTcpInfoMetrics; ++index) {
    values.push_back(metricCatalogue()[index].read({socket}));
  }
  return values;
}

/// A record in which every field is reported: ones, but no time that is too long to be one.
std::vector<std::byte> fullRecord() {
  std::vector<std::byte> bytes(tcp_info::kKnownSize, std::byte{1});
  for (const auto& time : {tcp_info::kBusyTime, tcp_info::kRwndLimited, tcp_info::kSndbufLimited}) {
    bytes[time.offset + 6] = bytes[time.offset + 7] = std::byte{0};
  }
  return bytes;
}

TEST(MetricCatalogue, ShowsEveryByteOfTcpInfoAndHasNoRowBesides) {
  std::vector<std::byte> bytes = fullRecord();
  const Values before = tcpInfoValues(bytes);
  std::set<std::size_t> rowsThatMoved;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const std::byte was = std::exchange(bytes[at], std::byte{0x12});
    const Values after = tcpInfoValues(bytes);
    bytes[at] = was;
    bool moved = false;
    for (std::size_t row = 0; row < kTcpInfoMetrics; ++row) {
      if (after[row] == before[row]) continue;
      moved = true;
      rowsThatMoved.insert(row);
    }
    EXPECT_TRUE(moved) << "no row shows byte " << at;
  }
  for (std::size_t row = 0; row < kTcpInfoMetrics; ++row) {
    EXPECT_TRUE(rowsThatMoved.contains(row)) << metricCatalogue()[row].key << " shows no byte";
  }
}

TEST(MetricCatalogue, AppearsFieldByFieldAsTheRecordGetsLonger) {
  const std::vector<std::byte> bytes = fullRecord();
  std::size_t reported = 0;
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    const Values values = tcpInfoValues(std::span(bytes).first(size));
    std::size_t now = 0;
    while (now < values.size() && values[now]) ++now;
    EXPECT_GE(now, reported);
    for (std::size_t row = now; row < values.size(); ++row) {
      EXPECT_FALSE(values[row]) << metricCatalogue()[row].key << " of " << size << " bytes";
    }
    reported = now;
  }
  EXPECT_EQ(reported, kTcpInfoMetrics);
}

TEST(MetricCatalogue, FindsARowByItsKeyAndOnlyByIt) {
  for (const MetricRow& row : metricCatalogue()) EXPECT_EQ(findMetric(row.key), &row);
  EXPECT_EQ(findMetric("snd_cwnd"), nullptr);
  EXPECT_EQ(findMetric(""), nullptr);
  EXPECT_EQ(metricRow(Metric::rtt).key, "rtt_us");
}

TEST(MetricCatalogue, HasTextsThatAreSentencesForPeople) {
  for (const MetricRow& row : metricCatalogue()) {
    // The abbreviation is written small wherever it stands.
    EXPECT_TRUE(std::isupper(static_cast<unsigned char>(row.title.front())) || row.title.starts_with("cwnd "))
        << row.key;
    EXPECT_LT(row.title.size(), 48U) << row.key;
    EXPECT_TRUE(row.explanation.ends_with('.')) << row.key;
    EXPECT_TRUE(row.reading.ends_with('.')) << row.key;
    EXPECT_THAT(std::string(row.explanation), testing::Not(testing::HasSubstr("  "))) << row.key;
    EXPECT_THAT(std::string(row.reading), testing::Not(testing::HasSubstr("  "))) << row.key;
  }
}

TEST(MetricCatalogue, KeepsTheKeysThatOthersBuildOn) {
  for (const char* key : {"snd_cwnd_segments", "rtt_us", "bytes_acked", "pacing_rate_bps", "delivery_rate_bps",
                          "last_data_sent_us", "total_rto_time_us", "rcv_wnd_bytes", "snd_wnd_bytes", "min_rtt_us",
                          "unacked_segments", "segs_out", "busy_time_us", "rwnd_limited_us", "sndbuf_limited_us"}) {
    EXPECT_NE(findMetric(key), nullptr) << key;
  }
}

TEST(MetricCatalogue, ReadsRatesInBitsAndUnlimitedAsInfinity) {
  const SocketObservation socket = ObservationBuilder().deliveryRate(BitsPerSecond(8e6)).build();
  EXPECT_EQ(read("delivery_rate_bps", socket), 8e6);
  EXPECT_EQ(read("max_pacing_rate_bps", socket), std::numeric_limits<double>::infinity());
}

TEST(MetricCatalogue, HasNoMemoryFiguresWhereTheKernelSentNone) {
  EXPECT_FALSE(read("rcvbuf_bytes", ObservationBuilder().build()));
  EXPECT_EQ(read("rcvbuf_bytes", ObservationBuilder().receiveMemory(1, 131072).build()), 131072);
  EXPECT_FALSE(read("drops", ObservationBuilder().receiveMemory(1, 131072).build()));
  EXPECT_FALSE(read("bbr_bw_bps", ObservationBuilder().build()));
}

TEST(MetricCatalogue, MultipliesTheCongestionWindow) {
  EXPECT_EQ(read("congestion_window_bytes", ObservationBuilder().congestionWindow(10).mss(1448).build()), 14'480);
  EXPECT_FALSE(read("congestion_window_bytes", ObservationBuilder().reportedBytes(40).build()));
}

TEST(MetricCatalogue, CountsInFlightAsTheKernelDoes) {
  ObservationBuilder socket;
  socket.mss(1000).inFlight(20).set(tcp_info::kSacked, 5U).set(tcp_info::kLost, 3U).set(tcp_info::kRetrans, 2U);
  EXPECT_EQ(read("in_flight_bytes", socket.build()), 14'000);
  EXPECT_FALSE(read("in_flight_bytes", socket.state(TcpState::listen).build())) << "an accept queue is not in flight";
}

TEST(MetricCatalogue, CountsWhatIsInFlightOfSmallWritesByItsBytes) {
  const auto inFlight = [](std::uint64_t sendQueue, std::uint32_t notSent) {
    ObservationBuilder socket;
    socket.mss(1000).inFlight(20).queues(0, sendQueue).set(tcp_info::kNotsentBytes, notSent);
    return read("in_flight_bytes", socket.build());
  };
  EXPECT_EQ(inFlight(2'500, 500), 2'000) << "twenty segments of 100 bytes";
  EXPECT_EQ(inFlight(90'000, 70'000), 20'000) << "full segments";
  EXPECT_EQ(inFlight(90'000, 30'000), 20'000) << "acknowledged between the two";
  EXPECT_EQ(inFlight(2'500, 2'490), 20'000) << "written between the two";
}

TEST(MetricCatalogue, ComputesRttInflationAsRfc6349Does) {
  using std::chrono::milliseconds;
  const auto inflation = [](milliseconds now, milliseconds smallest) {
    return read("rtt_inflation_ratio", ObservationBuilder().rtt(now, smallest).build());
  };
  EXPECT_NEAR(inflation(milliseconds(32), milliseconds(25)).value(), 0.28, 1e-9);
  EXPECT_EQ(inflation(milliseconds(24), milliseconds(25)), 0.0);
  EXPECT_FALSE(inflation(milliseconds(0), milliseconds(25)));
}

TEST(MetricCatalogue, TakesTheRetransmittedShareOfBytesOrElseOfSegments) {
  ObservationBuilder socket;
  EXPECT_FALSE(read("retransmitted_ratio", socket.build())) << "nothing sent";
  socket.set(tcp_info::kBytesSent, std::uint64_t{1000}).set(tcp_info::kBytesRetrans, std::uint64_t{100});
  socket.dataSegmentsOut(100).retransmitted(2);
  EXPECT_EQ(read("retransmitted_ratio", socket.build()), 0.1);
  EXPECT_EQ(read("retransmitted_ratio", socket.reportedBytes(192).build()), 0.02);
}

TEST(MetricCatalogue, MultipliesRateAndDelay) {
  using std::chrono::milliseconds;
  ObservationBuilder socket;
  socket.deliveryRate(BitsPerSecond(100e6)).rtt(milliseconds(50), milliseconds(20));
  EXPECT_EQ(read("bandwidth_delay_product_bytes", socket.build()), 250'000);
}

TEST(MetricCatalogue, HasRatesOnlyOverAnInterval) {
  IntervalMetrics interval;
  interval.sendGoodput = BitsPerSecond(5e6);
  interval.receiverLimitedRatio = 0.5;
  const SocketObservation socket = ObservationBuilder().build();
  EXPECT_FALSE(read("send_goodput_bps", socket));
  EXPECT_EQ(read("send_goodput_bps", socket, &interval), 5e6);
  EXPECT_EQ(read("rwnd_limited_ratio", socket, &interval), 0.5);
  EXPECT_FALSE(read("receive_goodput_bps", socket, &interval));
}

TEST(MetricCatalogue, NamesTheValuesOfStates) {
  EXPECT_EQ(metricValueName(Metric::state, 1), "ESTABLISHED");
  EXPECT_EQ(metricValueName(Metric::caState, 3), "recovery");
  EXPECT_EQ(metricValueName(Metric::rtt, 3), "");
  EXPECT_EQ(metricValueName(Metric::state, std::numeric_limits<double>::quiet_NaN()), "");
}

}  // namespace
}  // namespace tcpscope

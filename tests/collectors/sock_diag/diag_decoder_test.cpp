#include "collectors/sock_diag/diag_decoder.h"

#include <gtest/gtest.h>

#include <array>

#include "core/model/metric_catalogue.h"
#include "tests/support/scripted_channel.h"

namespace tcpscope {
namespace {

using test::DiagPayload;
using test::MessageBytes;

template <class... Numbers>
MessageBytes words(Numbers... numbers) {
  const std::array<std::uint32_t, sizeof...(Numbers)> values{static_cast<std::uint32_t>(numbers)...};
  MessageBytes bytes;
  test::append(bytes, values.data(), sizeof values);
  return bytes;
}

MessageBytes text(std::string_view value) {
  MessageBytes bytes;
  test::append(bytes, value.data(), value.size());
  bytes.push_back(std::byte{0});
  return bytes;
}

SocketObservation decode(const MessageBytes& bytes) {
  SocketObservation observation;
  const DiagContext context{PlaceId{3}, AccecnLayout::linux618, Moment::fromNanoseconds(5)};
  EXPECT_TRUE(decodeDiagMessage(bytes, context, observation).has_value());
  return observation;
}

DiagProblem problemOf(const MessageBytes& bytes) {
  SocketObservation observation;
  const Expected<void, DiagProblem> result = decodeDiagMessage(bytes, {}, observation);
  EXPECT_FALSE(result.has_value());
  return result ? DiagProblem::tooShort : result.error();
}

TEST(DiagDecoder, ReadsIdentityQueuesAndOwner) {
  const SocketObservation seen = decode(DiagPayload{.cookie = 0x123456789aULL, .receiveQueue = 12}.bytes());
  EXPECT_EQ(seen.id, (ConnectionId{PlaceId{3}, 0x123456789aULL}));
  EXPECT_EQ(seen.local.toString(), "192.0.2.1:5001");
  EXPECT_EQ(seen.remote.toString(), "198.51.100.7:443");
  EXPECT_EQ(seen.state, TcpState::established);
  EXPECT_EQ(seen.receiveQueue, Bytes(12));
  EXPECT_EQ(seen.inode, 77U);
  EXPECT_EQ(seen.takenAt, Moment::fromNanoseconds(5));
}

TEST(DiagDecoder, KeepsAnIpv4MappedAddressIpv6) {
  MessageBytes bytes = DiagPayload{.family = AF_INET6}.bytes();
  const std::array<unsigned, 16> mapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 192, 0, 2, 1};
  for (std::size_t at = 0; at < mapped.size(); ++at) bytes[8 + at] = static_cast<std::byte>(mapped[at]);
  const SocketObservation seen = decode(bytes);
  EXPECT_EQ(seen.local.address.family(), AddressFamily::ipv6);
  EXPECT_EQ(seen.local.toString(), "[::ffff:192.0.2.1]:5001");
}

TEST(DiagDecoder, TimeWaitHasNoTcpInfoAndNoInventedFigures) {
  const SocketObservation seen = decode(DiagPayload{.state = 6}.bytes());
  EXPECT_EQ(seen.state, TcpState::timeWait);
  EXPECT_TRUE(seen.info.empty());
  EXPECT_EQ(seen.info.rtt(), std::nullopt);
  EXPECT_EQ(seen.memory, std::nullopt);
  EXPECT_EQ(seen.bufferLocks, std::nullopt);
  EXPECT_EQ(seen.cgroupId, std::nullopt);
  EXPECT_TRUE(seen.congestionControl.empty());
}

TEST(DiagDecoder, ReadsEveryAttributeItKnows) {
  DiagPayload payload;
  payload.attribute(7, words(1, 2, 3, 4, 5, 6, 7, 8, 9))
      .attribute(4, text("bbr"))
      .attribute(16, words(1'000'000, 0, 20'000, 320, 512))
      .attribute(21, words(4711, 0));
  const SocketObservation seen = decode(payload.bytes());
  ASSERT_TRUE(seen.memory.has_value());
  EXPECT_EQ(seen.memory->receiveAllocated, Bytes(1));
  EXPECT_EQ(seen.memory->receiveBuffer, Bytes(2));
  EXPECT_EQ(seen.memory->sendAllocated, Bytes(3));
  EXPECT_EQ(seen.memory->sendBuffer, Bytes(4));
  EXPECT_EQ(seen.memory->forwardAllocated, Bytes(5));
  EXPECT_EQ(seen.memory->sendQueued, Bytes(6));
  EXPECT_EQ(seen.memory->optionMemory, Bytes(7));
  EXPECT_EQ(seen.memory->backlog, Bytes(8));
  EXPECT_EQ(seen.memory->drops, Count(9));
  EXPECT_EQ(seen.congestionControl.text(), "bbr");
  ASSERT_TRUE(seen.bbr.has_value());
  EXPECT_EQ(seen.bbr->bandwidth, BitsPerSecond(8'000'000.0));
  EXPECT_EQ(seen.bbr->minRtt, Microseconds(20'000));
  EXPECT_DOUBLE_EQ(seen.bbr->pacingGainRatio, 1.25);
  EXPECT_DOUBLE_EQ(seen.bbr->congestionWindowGainRatio, 2.0);
  EXPECT_EQ(seen.cgroupId, 4711U);
}

TEST(DiagDecoder, ShortAttributesAreAbsentAndUnknownOnesSkipped) {
  DiagPayload payload;
  payload.attribute(7, words(1, 2, 3))
      .attribute(16, words(1))
      .attribute(21, words(1))
      .attribute(15, words(9))
      .attribute(22, words(0xffff))
      .attribute(4000, words(1, 2))
      .attribute(4, {});
  const SocketObservation seen = decode(payload.bytes());
  EXPECT_EQ(seen.memory, std::nullopt);
  EXPECT_EQ(seen.bbr, std::nullopt);
  EXPECT_EQ(seen.cgroupId, std::nullopt);
  EXPECT_EQ(seen.bufferLocks, std::nullopt) << "this attribute says nothing of locked buffers";
  EXPECT_TRUE(seen.congestionControl.empty());
}

TEST(DiagDecoder, SocketMemoryOfOldKernelsHasNoDrops) {
  DiagPayload payload;
  payload.attribute(7, words(1, 2, 3, 4, 5, 6, 7, 8));
  const SocketObservation seen = decode(payload.bytes());
  ASSERT_TRUE(seen.memory.has_value());
  EXPECT_EQ(seen.memory->drops, std::nullopt);
}

TEST(DiagDecoder, TrafficClassIsThatOfThePacketsFamily) {
  const auto trafficClass = [](const DiagPayload& payload) {
    const SocketObservation seen = decode(payload.bytes());
    return metricRow(Metric::trafficClass).read(MetricSource{seen, nullptr});
  };
  const MessageBytes tos{std::byte{0xb8}};
  const MessageBytes tclass{std::byte{0x20}};
  EXPECT_EQ(trafficClass(DiagPayload{}.attribute(5, tos)), 0xb8);
  EXPECT_EQ(trafficClass(DiagPayload{.family = AF_INET6}.attribute(5, tos).attribute(6, tclass)), 0x20);
  EXPECT_EQ(trafficClass(DiagPayload{}.attribute(5, words(0xb8))), std::nullopt) << "not one byte";
  EXPECT_EQ(trafficClass(DiagPayload{}), std::nullopt) << "not reported";
}

TEST(DiagDecoder, ANameWithoutAnEndIsCut) {
  DiagPayload payload;
  payload.attribute(4, MessageBytes(40, std::byte{'x'}));
  EXPECT_EQ(decode(payload.bytes()).congestionControl.text(), std::string(15, 'x'));
}

/// The lengths of TCP_INFO over the years, and one that no kernel has yet.
class TcpInfoLength : public ::testing::TestWithParam<std::size_t> {};

TEST_P(TcpInfoLength, DecidesWhichVariablesArePresent) {
  const std::size_t length = GetParam();
  MessageBytes info(length, std::byte{1});
  // Ones, but no time that is too long to be one.
  for (const auto& time : {tcp_info::kBusyTime, tcp_info::kRwndLimited, tcp_info::kSndbufLimited}) {
    for (std::size_t at = time.offset + 6; at < std::min(length, time.end()); ++at) info[at] = std::byte{0};
  }
  DiagPayload payload;
  payload.attribute(INET_DIAG_INFO, info);
  const SocketObservation seen = decode(payload.bytes());
  EXPECT_EQ(seen.info.bytes().size(), std::min<std::size_t>(length, 280));
  EXPECT_EQ(seen.info.totalRetrans().has_value(), length >= 104);
  EXPECT_EQ(seen.info.pacingRate().has_value(), length >= 112);
  EXPECT_EQ(seen.info.busyTime().has_value(), length >= 176);
  EXPECT_EQ(seen.info.sndWnd().has_value(), length >= 232);
  EXPECT_EQ(seen.info.totalRtoTime().has_value(), length >= 248);
  EXPECT_EQ(seen.info.accecnFields().failMode.has_value(), length >= 280);
}

INSTANTIATE_TEST_SUITE_P(Kernels, TcpInfoLength,
                         ::testing::Values(0, 1, 103, 104, 120, 136, 160, 168, 192, 200, 224, 232, 240, 248, 279, 280,
                                           281, 512, 4096));

TEST(DiagDecoder, RefusesShortMessages) {
  const MessageBytes whole = DiagPayload{}.bytes();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_EQ(problemOf(MessageBytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size))),
              DiagProblem::tooShort);
  }
}

TEST(DiagDecoder, RefusesAnUnknownFamily) {
  EXPECT_EQ(problemOf(DiagPayload{.family = AF_UNIX}.bytes()), DiagProblem::unknownFamily);
}

TEST(DiagDecoder, RefusesAttributeLengthsThatDoNotFit) {
  for (const std::uint16_t length : {std::uint16_t{0}, std::uint16_t{3}, std::uint16_t{9}, std::uint16_t{0xffff}}) {
    DiagPayload payload;
    payload.attribute(INET_DIAG_INFO, MessageBytes(4));
    std::memcpy(payload.attributes.data(), &length, sizeof length);
    EXPECT_EQ(problemOf(payload.bytes()), DiagProblem::badAttribute) << length;
  }
}

TEST(DiagDecoder, RecognizesTheAccecnLayoutByTheKernelRelease) {
  EXPECT_EQ(accecnLayoutOf("6.18.44-generic"), AccecnLayout::linux618);
  EXPECT_EQ(accecnLayoutOf("7.0.0"), AccecnLayout::linux70);
  EXPECT_EQ(accecnLayoutOf("10.2"), AccecnLayout::linux70);
  for (const char* release : {"6.1.0-13-amd64", "6.19.1", "", "6", "6.", "x.18", "six.eighteen"}) {
    EXPECT_EQ(accecnLayoutOf(release), AccecnLayout::unknown) << release;
  }
}

TEST(DiagDecoder, ReadsTheTimerAndItsTries) {
  MessageBytes bytes = test::DiagPayload{.expires = 2'200}.bytes();
  bytes[offsetof(inet_diag_msg, idiag_timer)] = std::byte{4};
  bytes[offsetof(inet_diag_msg, idiag_retrans)] = std::byte{6};
  EXPECT_EQ(decode(bytes).timer, (SocketTimer{TimerKind::windowProbe, Count(6), Milliseconds(2'200)}));
}

TEST(DiagDecoder, ATimerThatIsNotKnownHereIsNone) {
  MessageBytes bytes = test::DiagPayload{.expires = 2'200}.bytes();
  EXPECT_EQ(decode(bytes).timer, std::nullopt) << "no timer runs";
  bytes[offsetof(inet_diag_msg, idiag_timer)] = std::byte{9};
  EXPECT_EQ(decode(bytes).timer, std::nullopt);
}

}  // namespace
}  // namespace tcpscope

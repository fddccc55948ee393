// Packets of real connections on the loopback interface, captured while they live.
#include "app/session/connection_capture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "app/session/capture_files.h"
#include "collectors/system/monotonic_clock.h"
#include "core/filter/packet_filter.h"
#include "core/session/capture/captured_packets.h"
#include "tests/app/session/reported_capture.h"
#include "tests/support/built_paths.h"
#include "tests/support/json_schema.h"
#include "tests/support/loopback_connection.h"

namespace tcpscope {
namespace {

using ::testing::HasSubstr;
using ::testing::Optional;

Endpoint loopback(std::uint16_t port) {
  return {IpAddress::v4({127, 0, 0, 1}), port};
}

std::uint64_t bytesSent(const CaptureObservation& observed, std::uint16_t from) {
  if (!observed.packets) return 0;
  const ConnectionSummary& flow = observed.packets->analysis.flow;
  return flow.directions[flow.initiator.port == from ? 0 : 1].sent.unique.value();
}

Expected<std::unique_ptr<LiveCapture>, LiveCaptureError> noRight(const LiveCaptureSettings& settings) {
  return Unexpected<LiveCaptureError>({LiveCaptureErrorKind::missingRight, UntrustedText(settings.interface), {}});
}

class ConnectionCaptureTest : public ::testing::Test {
protected:
  ConnectionCaptureTest() {
    auto ends = m_listener.connect();
    m_client = std::move(ends.first);
    m_server = std::move(ends.second);
    m_order.local = loopback(test::portOf(m_client));
    m_order.remote = loopback(m_listener.port());
    m_order.request.number = 1;
    m_order.request.connection = {PlaceId{0}, 7};
    m_order.request.filter = packetFilterOf(m_order.local, m_order.remote);
  }
  void start(CaptureMeans means = {}) {
    auto started = ConnectionCapture::start(m_order, std::move(means), m_reported.sink());
    ASSERT_TRUE(started);
    m_capture = std::move(*started);
  }
  /// May this process not capture? Any other failure is one of the test.
  bool isDenied() {
    const auto observed =
        m_reported.waitFor([](const CaptureObservation& one) { return one.state.phase != LiveCapturePhase::starting; });
    return observed.state.error && observed.state.error->kind == LiveCaptureErrorKind::missingRight;
  }
  void send(std::size_t bytes) {
    const std::string text(bytes, 'x');
    ASSERT_EQ(write(m_client.number(), text.data(), text.size()), static_cast<ssize_t>(bytes));
  }
  [[nodiscard]] std::uint16_t clientPort() const { return m_order.local.port; }
  CaptureObservation seen(std::uint64_t bytes) {
    return m_reported.waitFor([&](const CaptureObservation& one) { return bytesSent(one, clientPort()) >= bytes; });
  }
  CaptureObservation stopped() {
    m_order.request.isOver = true;
    m_capture->want(m_order.request);
    return m_reported.waitForPhase(LiveCapturePhase::ended);
  }

  test::LoopbackListener m_listener;
  test::Descriptor m_client;
  test::Descriptor m_server;
  CaptureOrder m_order;
  test::ReportedCapture m_reported;
  std::unique_ptr<ConnectionCapture> m_capture;
};

TEST_F(ConnectionCaptureTest, ShowsThePacketsOfTheConnectionAndOfNoOther) {
  m_order.request.filter = "tcp port " + std::to_string(m_listener.port());
  start();
  if (isDenied()) GTEST_SKIP() << "packet sockets need CAP_NET_RAW";
  const auto other = m_listener.connect();
  ASSERT_EQ(write(other.first.number(), "other", 5), 5);
  send(3000);
  const CaptureObservation observed = seen(3000);
  EXPECT_EQ(bytesSent(observed, clientPort()), 3000U);
  EXPECT_GT(observed.state.packets, observed.state.connectionPackets);
  EXPECT_EQ(observed.state.interface, "lo");
  EXPECT_THAT(observed.state.dropped, Optional(0U));
  ASSERT_FALSE(observed.packets->series.isEmpty());
  EXPECT_EQ(observed.packets->live, 1U);
}

TEST_F(ConnectionCaptureTest, PacketsStandOnTheAxisOfTheKernelsSamples) {
  start();
  if (isDenied()) GTEST_SKIP() << "packet sockets need CAP_NET_RAW";
  const Moment before = monotonicNow();
  send(100);
  const Moment after = monotonicNow();
  const CaptureObservation observed = seen(100);
  const Nanoseconds error = observed.state.clockError.value();
  const Moment first = observed.packets->series.firstTime();
  EXPECT_GE(first, before - error);
  EXPECT_LE(first, after + error);
  EXPECT_LT(error, Milliseconds(10));
  EXPECT_EQ(observed.state.clockStep, Nanoseconds(0));
}

TEST_F(ConnectionCaptureTest, TheKernelReportsTheWindowScaleWithoutACapturedHandshake) {
  m_order.localScale = 7;
  m_order.remoteScale = 9;
  start();
  if (isDenied()) GTEST_SKIP() << "packet sockets need CAP_NET_RAW";
  send(100);
  const CaptureObservation observed = seen(100);
  const CapturedPackets& packets = *observed.packets;
  EXPECT_FALSE(packets.analysis.flow.handshakeSeen);
  const std::size_t ofClient = packets.analysis.flow.initiator.port == clientPort() ? 0 : 1;
  // What the client sends is limited by the server's windows.
  EXPECT_THAT(packets.sent(ofClient).windowScale(), Optional(std::uint8_t{9}));
  EXPECT_THAT(packets.sent(1 - ofClient).windowScale(), Optional(std::uint8_t{7}));
}

TEST_F(ConnectionCaptureTest, ASavedCaptureSaysTheSameWhenItIsOpened) {
  const test::TemporaryFile file("");
  start();
  if (isDenied()) GTEST_SKIP() << "packet sockets need CAP_NET_RAW";
  send(5000);
  seen(5000);
  m_order.request.saveTo = file.path();
  m_order.request.saveNumber = 1;
  const CaptureObservation last = stopped();
  const CaptureObservation saved =
      m_reported.waitFor([](const CaptureObservation& one) { return one.state.saved.has_value(); });
  ASSERT_TRUE(saved.state.saved);
  EXPECT_FALSE(saved.state.saved->error);
  EXPECT_EQ(saved.state.saved->packets, last.state.packets);
  const AnalysedFiles files = analyseFiles({m_order.request.saveTo}, {});
  ASSERT_EQ(files.captures.size(), 1U);
  EXPECT_EQ(files.files[0].packets, last.state.packets);
  EXPECT_TRUE(files.files[0].faults.empty());
  const ConnectionAnalysis again = files.captures[0]->analysis.connection(0);
  const ConnectionSummary& live = last.packets->analysis.flow;
  for (const std::size_t direction : {std::size_t{0}, std::size_t{1}}) {
    EXPECT_EQ(again.flow.directions[direction].sent.unique, live.directions[direction].sent.unique);
    EXPECT_EQ(again.flow.directions[direction].sent.packets, live.directions[direction].sent.packets);
  }
  EXPECT_EQ(again.flow.firstTime, live.firstTime);
}

TEST_F(ConnectionCaptureTest, AFileThatCannotBeWrittenIsNamed) {
  m_order.request.saveTo = "/nowhere/saved.pcapng";
  m_order.request.saveNumber = 3;
  start();
  if (isDenied()) GTEST_SKIP() << "packet sockets need CAP_NET_RAW";
  const CaptureObservation observed =
      m_reported.waitFor([](const CaptureObservation& one) { return one.state.saved.has_value(); });
  ASSERT_TRUE(observed.state.saved && observed.state.saved->error);
  EXPECT_EQ(observed.state.saved->number, 3U);
  EXPECT_EQ(observed.state.saved->error->errorNumber, ENOENT);
}

TEST_F(ConnectionCaptureTest, AFilterThatIsNoneIsSaidToBe) {
  m_order.request.filter = "port of call";
  start();
  const CaptureObservation observed = m_reported.waitForPhase(LiveCapturePhase::failed);
  ASSERT_TRUE(observed.state.error);
  if (observed.state.error->kind == LiveCaptureErrorKind::missingRight) GTEST_SKIP() << "no right, and no dumpcap";
  EXPECT_EQ(observed.state.error->kind, LiveCaptureErrorKind::badFilter);
  EXPECT_FALSE(observed.state.error->reason.empty());
}

TEST_F(ConnectionCaptureTest, AFilterIsCheckedEvenIfOnlyDumpcapMayCapture) {
  m_order.request.filter = "port of call";
  CaptureMeans means;
  means.open = noRight;
  start(std::move(means));
  const CaptureObservation observed = m_reported.waitForPhase(LiveCapturePhase::failed);
  ASSERT_TRUE(observed.state.error);
  EXPECT_EQ(observed.state.error->kind, LiveCaptureErrorKind::badFilter);
}

TEST_F(ConnectionCaptureTest, WithoutRightAndWithoutDumpcapTheRightIsWhatIsMissing) {
  CaptureMeans means;
  means.open = noRight;
  means.process = throughDumpcap("no-such-program");
  start(std::move(means));
  const CaptureObservation observed = m_reported.waitForPhase(LiveCapturePhase::failed);
  ASSERT_TRUE(observed.state.error);
  EXPECT_EQ(observed.state.error->kind, LiveCaptureErrorKind::missingRight);
}

TEST_F(ConnectionCaptureTest, AProgramThatGivesNothingIsAsGoodAsNone) {
  CaptureMeans means;
  means.open = noRight;
  means.process = throughDumpcap("false");
  start(std::move(means));
  const CaptureObservation observed = m_reported.waitForPhase(LiveCapturePhase::failed);
  ASSERT_TRUE(observed.state.error);
  EXPECT_EQ(observed.state.error->kind, LiveCaptureErrorKind::missingRight);
}

TEST_F(ConnectionCaptureTest, DumpcapCapturesWhereOnlyItMay) {
  CaptureMeans means;
  means.open = noRight;
  start(std::move(means));
  if (isDenied()) GTEST_SKIP() << "dumpcap is not installed or may not capture";
  // dumpcap's header comes before it listens.
  CaptureObservation observed;
  for (int tries = 0; tries < 200 && bytesSent(observed, clientPort()) == 0; ++tries) {
    send(100);
    observed = m_reported.waitFor([&](const CaptureObservation& one) { return one.state.packets >= 1; });
  }
  EXPECT_TRUE(observed.state.isThroughDumpcap);
  EXPECT_GT(bytesSent(observed, clientPort()), 0U);
  // Only its end says what was dropped.
  EXPECT_FALSE(observed.state.dropped);
  EXPECT_THAT(stopped().state.dropped, Optional(0U));
}

/// A program in place of one that captures elsewhere.
CaptureMeans elsewhereBy(std::vector<std::string> words) {
  CaptureMeans means;
  means.open = nullptr;
  means.process = [words = std::move(words)](const LiveCaptureSettings& settings) {
    ChildCommand command;
    command.arguments = words;
    return startCapturing(std::move(command), settings.interface);
  };
  return means;
}

TEST_F(ConnectionCaptureTest, WhatAnotherProcessCapturesIsTheSame) {
  m_order.local = {IpAddress::v4({10, 0, 213, 60}), 4160};
  m_order.remote = {IpAddress::v4({192, 168, 0, 8}), 80};
  CaptureMeans means = elsewhereBy({"cat", test::testData() / "captures" / "fast-retransmission.pcap"});
  const WallTime first = WallTime::fromNanoseconds(1'285'864'081'269'511'000);
  const Moment here = Moment::fromNanoseconds(5'000'000'000);
  means.otherClock = OtherClock{ClockPair{here, first}};
  start(std::move(means));
  const CaptureObservation observed = m_reported.waitForPhase(LiveCapturePhase::ended);
  EXPECT_EQ(observed.state.connectionPackets, 85U);
  EXPECT_FALSE(observed.state.isThroughDumpcap);
  ASSERT_TRUE(observed.packets);
  EXPECT_EQ(observed.packets->series.firstTime(), here);
  EXPECT_FALSE(observed.state.clockError);
}

TEST_F(ConnectionCaptureTest, WhatAnotherProcessSaysOfItsFailureIsTheReason) {
  start(elsewhereBy({"sh", "-c", "echo a warning >&2; echo no right >&2; exit 3"}));
  const CaptureObservation observed = m_reported.waitForPhase(LiveCapturePhase::failed);
  ASSERT_TRUE(observed.state.error);
  EXPECT_EQ(observed.state.error->kind, LiveCaptureErrorKind::failed);
  EXPECT_EQ(observed.state.error->reason, UntrustedText("no right"));
}

TEST_F(ConnectionCaptureTest, WithoutAnyMeansThePacketsPassElsewhere) {
  CaptureMeans means;
  means.open = nullptr;
  means.process = nullptr;
  start(std::move(means));
  const CaptureObservation observed = m_reported.waitForPhase(LiveCapturePhase::failed);
  ASSERT_TRUE(observed.state.error);
  EXPECT_EQ(observed.state.error->kind, LiveCaptureErrorKind::elsewhere);
}

TEST_F(ConnectionCaptureTest, EndsAtOnceWithItsOwner) {
  start();
  m_capture.reset();
}

TEST_F(ConnectionCaptureTest, KeepsWhatFitsAndReportsWhatItDiscarded) {
  CapturedStream stream(m_order, Bytes(1));
  std::array<std::byte, 60> header{};
  CapturedFrame frame;
  frame.linkType = LinkType::ipv4;
  frame.wireBytes = 60;
  frame.bytes = header;
  const WallTime start = readClocks().pair.wall;
  for (int number = 0; number < 40'000; ++number) {
    frame.time = start + Milliseconds(number);
    stream.take(frame);
  }
  const CaptureObservation observed = stream.observe();
  EXPECT_EQ(observed.state.packets, 40'000U);
  EXPECT_GT(observed.state.discarded, 0U);
  EXPECT_LT(observed.state.discarded, 40'000U);
}

}  // namespace
}  // namespace tcpscope

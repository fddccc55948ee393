// Packets beside a recording, written while they are captured and shown by its replay.
#include "app/session/packet_recorder.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "app/session/local_place.h"
#include "app/session/recorded_packets.h"
#include "app/session/replay_session.h"
#include "app/session/session_recorder.h"
#include "collectors/pcap/capture_reader.h"
#include "collectors/system/monotonic_clock.h"
#include "core/filter/packet_filter.h"
#include "tests/support/built_paths.h"
#include "tests/support/json_schema.h"
#include "tests/support/loopback_connection.h"
#include "tests/support/session_watch.h"

namespace tcpscope {
namespace {

const Endpoint kClient{IpAddress::v4({10, 0, 213, 60}), 4160};
const Endpoint kServer{IpAddress::v4({192, 168, 0, 8}), 80};
/// Of the first packet of the capture.
const WallTime kFirst = WallTime::fromNanoseconds(1'285'864'081'269'511'000);
constexpr PlaceId kRecordedPlace{3};

class PacketRecorderTest : public testing::Test {
protected:
  ~PacketRecorderTest() override {
    std::error_code none;
    std::filesystem::remove(packetsBeside(m_recording.path()), none);
  }
  static void replayInto(PacketRecorder& recorder) {
    auto source = openRegularFile(test::testData() / "captures" / "fast-retransmission.pcap");
    ASSERT_TRUE(source);
    auto reader = CaptureReader::open(std::move(*source));
    ASSERT_TRUE(reader);
    while (const CaptureItem item = (*reader)->next()) {
      if (item.frame != nullptr) recorder.take(*item.frame);
    }
  }
  static SessionSnapshot snapshotOf(const Endpoint& local, const Endpoint& remote) {
    auto detail = std::make_shared<ConnectionDetail>();
    detail->row.id = {kRecordedPlace, 7};
    detail->socket.local = local;
    detail->socket.remote = remote;
    SessionSnapshot snapshot;
    snapshot.details.emplace(detail->row.id, std::move(detail));
    return snapshot;
  }
  [[nodiscard]] RecordedPackets beside(const ClockPair& clock) const {
    return {m_recording.path(), kRecordedPlace, clock};
  }

  test::TemporaryFile m_recording{""};
  const Moment m_start = Moment::fromNanoseconds(5'000'000'000);
  const ClockPair m_clock{m_start, kFirst};
};

TEST_F(PacketRecorderTest, TheFileIsCalledAfterTheRecording) {
  EXPECT_EQ(packetsBeside("/tmp/slow.tcpscope"), "/tmp/slow.packets.pcapng");
  EXPECT_EQ(packetsBeside("slow"), "slow.packets.pcapng");
}

TEST_F(PacketRecorderTest, WhatItWritesAReplayShowsOnTheAxisOfTheRecording) {
  PacketRecorder recorder(m_recording.path());
  EXPECT_FALSE(beside(m_clock).exists()) << "the file comes with the first packet";
  replayInto(recorder);
  recorder.finish();
  EXPECT_EQ(recorder.state().packets, 85U);
  EXPECT_EQ(recorder.state().leftOut, 0U);

  RecordedPackets packets = beside(m_clock);
  ASSERT_TRUE(packets.exists());
  SessionSnapshot snapshot = snapshotOf(kClient, kServer);
  ASSERT_TRUE(packets.addTo(snapshot));
  const auto shown = snapshot.details.begin()->second->packets;
  ASSERT_TRUE(shown);
  EXPECT_EQ(shown->series.firstTime(), m_start);
  SessionSnapshot next = snapshotOf(kClient, kServer);
  ASSERT_TRUE(packets.addTo(next));
  EXPECT_EQ(next.details.begin()->second->packets, shown) << "the file is read once";
}

TEST_F(PacketRecorderTest, OtherConnectionsAndOlderRecordingsHaveNoneOfThem) {
  PacketRecorder recorder(m_recording.path());
  replayInto(recorder);
  recorder.finish();
  SessionSnapshot other = snapshotOf(kClient, {kServer.address, 81});
  EXPECT_FALSE(beside(m_clock).addTo(other));
  SessionSnapshot later = snapshotOf(kClient, kServer);
  EXPECT_FALSE(beside({m_start, kFirst + std::chrono::hours(1)}).addTo(later));
}

TEST_F(PacketRecorderTest, WritesNoMoreThanItsBudgetAndCountsTheRest) {
  PacketRecorder recorder(m_recording.path(), Bytes(2'000));
  replayInto(recorder);
  recorder.finish();
  const PacketRecorderState state = recorder.state();
  EXPECT_GT(state.packets, 5U);
  EXPECT_EQ(state.packets + state.leftOut, 85U);
  EXPECT_LT(std::filesystem::file_size(packetsBeside(m_recording.path())), 2'500U);
}

TEST_F(PacketRecorderTest, LeavesOutPacketsOfAnotherKindOfInterface) {
  PacketRecorder recorder(m_recording.path());
  std::array<std::byte, 60> header{};
  CapturedFrame frame;
  frame.bytes = header;
  frame.wireBytes = 60;
  frame.linkType = LinkType::ipv4;
  recorder.take(frame);
  frame.linkType = LinkType::ethernet;
  recorder.take(frame);
  EXPECT_EQ(recorder.state().packets, 1U);
  EXPECT_EQ(recorder.state().leftOut, 1U);
}

TEST_F(PacketRecorderTest, AFileThatCannotBeWrittenIsNamed) {
  PacketRecorder recorder("/nowhere/slow.tcpscope");
  replayInto(recorder);
  ASSERT_TRUE(recorder.state().error);
  EXPECT_EQ(recorder.state().error->errorNumber, ENOENT);
  EXPECT_EQ(recorder.state().packets, 0U);
}

TEST_F(PacketRecorderTest, ALiveConnectionsPacketsAreInItsReplay) {
  const auto place = findLocalPlace(std::nullopt);
  ASSERT_TRUE(place);
  const test::LoopbackListener listener;
  const auto ends = listener.connect();
  LocalSessionSettings settings;
  settings.control.listInterval = std::chrono::milliseconds(50);
  settings.control.showListeners = false;
  auto session = openLocalSession(*place, settings);
  ASSERT_TRUE(session);
  const auto find = [&](const SessionSnapshot& seen) -> const ConnectionFacts* {
    for (const std::uint32_t slot : *seen.order) {
      if (seen.row(slot).remote.port == listener.port()) return seen.find(seen.row(slot).id);
    }
    return nullptr;
  };
  const auto listed =
      test::waitForSnapshot(**session, [&](const SessionSnapshot& seen) { return find(seen) != nullptr; });
  ASSERT_TRUE(listed);
  const ConnectionFacts connection = *find(*listed);

  const auto packets = std::make_shared<PacketRecorder>(m_recording.path());
  const auto recorder = SessionRecorder::start(m_recording.path(), listed->places, clockPairNow(), {monotonicNow});
  ASSERT_TRUE(recorder);
  (*session)->recordInto(*recorder);
  (*session)->recordPacketsInto({{place->place.id, packets}});
  SessionControl control = settings.control;
  control.focus = connection.id;
  control.capture =
      CaptureRequest{1, connection.id, packetFilterOf(connection.local, connection.remote), {}, false, {}, 0};
  (*session)->setControl(control);
  const auto seen = test::waitForSnapshot(**session, [&](const SessionSnapshot& one) {
    if (write(ends.first.number(), "hello", 5) != 5) return true;
    return one.capture && (one.capture->phase == LiveCapturePhase::failed || one.capture->connectionPackets > 10);
  });
  ASSERT_TRUE(seen && seen->capture);
  if (seen->capture->phase == LiveCapturePhase::failed) GTEST_SKIP() << "packet sockets need CAP_NET_RAW";
  session->reset();
  (*recorder)->finish();
  packets->finish();
  EXPECT_GT(packets->state().packets, 10U);

  SessionControl replayed;
  replayed.focus = ConnectionId{PlaceId{0}, connection.id.cookie};
  auto replay = openReplay(m_recording.path(), replayed);
  ASSERT_TRUE(replay);
  (*replay)->seek(kNeverReached);
  const auto shown = test::waitForSnapshot(**replay, [&](const SessionSnapshot& one) {
    const auto detail = one.details.find(*replayed.focus);
    return detail != one.details.end() && detail->second->packets;
  });
  ASSERT_TRUE(shown);
  const CapturedPackets& again = *shown->details.at(*replayed.focus)->packets;
  const CapturedPackets& live = *seen->details.at(connection.id)->packets;
  // Both by a pair of clocks read within less.
  EXPECT_LT(std::chrono::abs(again.series.firstTime() - live.series.firstTime()), Milliseconds(1));
}

}  // namespace
}  // namespace tcpscope

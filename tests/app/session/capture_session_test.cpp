// A capture file as a session: its list, the packets of the selected connection, and files that are not captures.
#include "app/session/capture_session.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "core/session/capture/captured_packets.h"
#include "tests/support/built_paths.h"

namespace tcpscope {
namespace {

constexpr PlaceId kPlace{5};

std::filesystem::path captureNamed(const std::string& name) {
  return test::testData() / "captures" / name;
}

/// Looks again and again, as a view does.
template <class Condition>
bool comesTrue(Condition condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::yield();
  }
  return true;
}

std::shared_ptr<const SessionSnapshot> whole(const CaptureSession& session) {
  EXPECT_TRUE(
      comesTrue([&] { return session.reading().isRead && session.latest() && session.latest()->totalRows > 0; }));
  return session.latest();
}

TEST(CaptureSession, ListsEveryConnectionOfTheFile) {
  const auto session = CaptureSession::open(captureNamed("fast-open.pcap"), kPlace);
  ASSERT_TRUE(session);
  const auto snapshot = whole(**session);
  EXPECT_EQ(snapshot->totalRows, 3U);
  EXPECT_EQ(snapshot->order->size(), 3U);
  EXPECT_EQ(snapshot->places.front().recording, UntrustedText("fast-open.pcap"));
}

TEST(CaptureSession, BringsThePacketsOfTheConnectionInFocusAndOnlyThose) {
  const auto session = CaptureSession::open(captureNamed("fast-open.pcap"), kPlace);
  ASSERT_TRUE(session);
  whole(**session);
  for (const std::size_t index : {std::size_t{2}, std::size_t{0}, std::size_t{1}}) {
    const ConnectionId id = captureConnectionId(kPlace, index);
    SessionControl control;
    control.focus = id;
    (*session)->setControl(control);
    ASSERT_TRUE(comesTrue([&] { return (*session)->latest()->details.contains(id); })) << index;
    const auto detail = (*session)->latest()->details.at(id);
    ASSERT_NE(detail->packets, nullptr);
    EXPECT_FALSE(detail->packets->series.isEmpty());
    // The second pass finds the connection that the first one listed, also where ports were used again.
    EXPECT_EQ(captureMoment(detail->packets->analysis.flow.firstTime), detail->packets->series.firstTime());
    const auto row = (*session)->latest()->row(static_cast<std::uint32_t>(index));
    EXPECT_EQ(row.firstSeen, detail->row.firstSeen);
    EXPECT_EQ(row.local, detail->row.local);
  }
}

TEST(CaptureSession, FindsTheConnectionOfAPacket) {
  const auto session = CaptureSession::open(captureNamed("fast-open.pcap"), kPlace);
  ASSERT_TRUE(session);
  const auto snapshot = whole(**session);
  const auto connectionOf = [&](std::uint64_t frame) {
    (*session)->findPacket(frame);
    EXPECT_TRUE(comesTrue([&] { return (*session)->reading().found.has_value(); }));
    return (*session)->reading().found->connection;
  };
  for (const std::size_t index : {std::size_t{0}, std::size_t{1}, std::size_t{2}}) {
    const ConnectionId id = captureConnectionId(kPlace, index);
    SessionControl control;
    control.focus = id;
    (*session)->setControl(control);
    ASSERT_TRUE(comesTrue([&] { return (*session)->latest()->details.contains(id); }));
    const DirectionSeries& sent = (*session)->latest()->details.at(id)->packets->sent(0);
    EXPECT_EQ(connectionOf(sent.segments()[0].packet + std::uint64_t{1}), id);
    EXPECT_EQ(connectionOf(sent.segments().back().packet + std::uint64_t{1}), id);
  }
  EXPECT_EQ(connectionOf(0), std::nullopt);
  EXPECT_EQ(connectionOf(1'000'000), std::nullopt);
}

TEST(CaptureSession, SaysHowFarItHasCome) {
  const auto session = CaptureSession::open(captureNamed("ndt-download-headers.pcap"), kPlace);
  ASSERT_TRUE(session);
  whole(**session);
  const CaptureReading reading = (*session)->reading();
  EXPECT_EQ(reading.bytesRead, std::filesystem::file_size(captureNamed("ndt-download-headers.pcap")));
  EXPECT_EQ(reading.bytesInAll, reading.bytesRead);
  EXPECT_GT(reading.file.packets, 0U);
  EXPECT_TRUE(reading.file.faults.empty());
}

TEST(CaptureSession, RefusesWhatIsNoCaptureAndSaysWhatItIs) {
  const auto session = CaptureSession::open(captureNamed("README.md"), kPlace);
  ASSERT_FALSE(session);
  EXPECT_EQ(session.error().kind, CaptureFaultKind::otherFormat);
  const auto missing = CaptureSession::open(captureNamed("missing.pcap"), kPlace);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, CaptureFaultKind::openFailed);
}

TEST(CaptureSession, KeepsItsRowsWhenAnotherFilterComes) {
  const auto session = CaptureSession::open(captureNamed("fast-open.pcap"), kPlace);
  ASSERT_TRUE(session);
  whole(**session);
  SessionControl control;
  control.filter = ConnectionFilter::parse("dport = :1").value();
  (*session)->setControl(control);
  EXPECT_TRUE(comesTrue([&] { return (*session)->latest()->order->empty(); }));
  EXPECT_EQ((*session)->latest()->totalRows, 3U);
}

}  // namespace
}  // namespace tcpscope

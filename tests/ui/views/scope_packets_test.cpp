// Traces of packets beside those of samples on the scope.
#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QPixmap>
#include <QSettings>
#include <QTemporaryDir>

#include "tests/ui/support/live_capture_drawing.h"
#include "tests/ui/support/recording_port.h"
#include "ui/views/scope/scope_text.h"
#include "ui/views/scope/scope_view.h"

namespace tcpscope {
namespace {

class ScopePacketsTest : public testing::Test {
protected:
  void show(ScopeView& view, const std::shared_ptr<SessionSnapshot>& snapshot) {
    m_selection.setConnection(test::kLiveConnection);
    view.resize(1280, 800);
    view.setSelection(m_selection);
    view.setSnapshot(snapshot);
    view.grab();
    QCoreApplication::processEvents();
  }
  static const FrameTrace* traceIn(ScopeView& view, const TraceSource& source) {
    for (const FrameTrace& trace : view.findChild<TracePlot*>()->frame().traces) {
      if (trace.label == source.title()) return &trace;
    }
    return nullptr;
  }

  test::RecordingPort m_port;
  Selection m_selection;
  ControlState m_control{m_port};
  ViewContext m_context{m_selection, m_control};
};

TEST_F(ScopePacketsTest, SamplesAndPacketsShareTheTimeAxisTheScaleAndTheCursors) {
  ScopeView view(m_context);
  // Beside the usual traces, the last of which is that of the samples.
  view.openTrace(PacketTrace::inFlight);
  const auto snapshot = test::snapshotOfLiveCapture(1000);
  show(view, snapshot);
  const FrameTrace* packets = traceIn(view, PacketTrace::inFlight);
  const FrameTrace* samples = traceIn(view, Metric::inFlightBytes);
  ASSERT_TRUE(packets && samples);
  ASSERT_FALSE(packets->samples.points.empty());
  EXPECT_EQ(packets->scale.unitsPerDivision(), samples->scale.unitsPerDivision());

  const Moment start = *snapshot->details.at(test::kLiveConnection)->history.firstTime();
  m_selection.setSpan(TimeSpan{start + Milliseconds(300), start + Milliseconds(500)});
  view.setSelection(m_selection);
  const auto& readings = view.findChild<TraceTableModel*>()->readings();
  ASSERT_EQ(readings.size(), 5U);
  ASSERT_TRUE(readings[3].cursors.atA && readings[4].cursors.atA);
  EXPECT_NEAR(*readings[3].cursors.atA, *readings[4].cursors.atA, 1'000.0);
  EXPECT_TRUE(view.readoutAt(start + Milliseconds(400)).contains(QStringLiteral("Bytes in flight (packets): ")));
}

TEST_F(ScopePacketsTest, HowFarTheClocksAreApartIsShown) {
  ScopeView view(m_context);
  const auto snapshot = test::snapshotOfLiveCapture(100);
  snapshot->capture->clockError = Nanoseconds(28);
  show(view, snapshot);
  EXPECT_EQ(view.packetClock(), QString()) << "no trace of packets is shown";
  view.openTrace(PacketTrace::rtt);
  EXPECT_EQ(view.packetClock(), QStringLiteral("Times of packets match the kernel's clock to within 28 ns."));
  snapshot->capture->clockStep = std::chrono::seconds(2);
  EXPECT_TRUE(view.packetClock().contains(QStringLiteral("was set by 2.00 s"))) << view.packetClock().toStdString();
  snapshot->capture->clockError.reset();
  EXPECT_TRUE(view.packetClock().contains(QStringLiteral("other host's clock")));
}

TEST_F(ScopePacketsTest, WithoutCapturedPacketsTheTraceIsUnknown) {
  ScopeView view(m_context);
  view.openTrace(PacketTrace::inFlight);
  auto snapshot = test::snapshotOfLiveCapture(100);
  auto without = std::make_shared<ConnectionDetail>(*snapshot->details.at(test::kLiveConnection));
  without->packets = nullptr;
  snapshot->details[test::kLiveConnection] = without;
  snapshot->capture.reset();
  show(view, snapshot);
  EXPECT_TRUE(traceIn(view, PacketTrace::inFlight)->samples.points.empty());
  EXPECT_TRUE(view.readoutAt(*without->history.firstTime()).contains(QStringLiteral("(packets): not captured")));
  EXPECT_TRUE(view.packetClock().startsWith(QStringLiteral("No packets of this connection are captured")));
}

TEST_F(ScopePacketsTest, TracesOfPacketsAreKeptInTheSettings) {
  const QTemporaryDir folder;
  QSettings settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
  ScopeView view(m_context);
  view.openTrace(PacketTrace::sequence);
  view.saveSettings(settings);
  ScopeView again(m_context);
  again.restoreSettings(settings);
  EXPECT_TRUE(again.traces().indexOf(PacketTrace::sequence));
  EXPECT_EQ(again.traces().size(), 5U);
  again.saveSettings(settings);
  ScopeView later(m_context);
  later.restoreSettings(settings);
  EXPECT_TRUE(later.traces().indexOf(PacketTrace::sequence)) << "they are the user's own";
}

TEST_F(ScopePacketsTest, SavedSamplesHaveTheValuesOfPacketsBesideThem) {
  const auto snapshot = test::snapshotOfLiveCapture(100);
  const ConnectionDetail& detail = *snapshot->details.at(test::kLiveConnection);
  const PacketSamples packets = *packetSamplesOf(detail);
  const Moment at = *detail.history.firstTime() + Milliseconds(80);
  const std::string csv = samplesCsv(detail.history, {Metric::inFlightBytes, PacketTrace::inFlight}, {at, at}, packets);
  EXPECT_EQ(csv.substr(0, csv.find('\r')), "time_s,in_flight_bytes,packets_in_flight_bytes");
  EXPECT_NE(csv.find(",20000,20000"), std::string::npos) << csv;
}

}  // namespace
}  // namespace tcpscope

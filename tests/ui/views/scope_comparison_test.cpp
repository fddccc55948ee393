// Several connections on the scope, and the reference.
#include <gtest/gtest.h>

#include <QMenu>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>

#include "tests/ui/views/scope_of_senders.h"
#include "ui/plots/xy_plot.h"

namespace tcpscope {
namespace {

using ScopeComparisonTest = test::ScopeOfSendersTest;
using test::WatchedSenders;

TEST_F(ScopeComparisonTest, FurtherConnectionsHaveBandsWithTheSameTracesAndScales) {
  WatchedSenders senders(3);
  ScopeView view(m_context);
  show(view, senders.runFor(Milliseconds(8000)));
  EXPECT_TRUE(frameOf(view).bands.empty());
  const std::size_t traces = view.traces().size();
  m_selection.setFurther(WatchedSenders::id(3), true);
  m_selection.setFurther(WatchedSenders::id(2), true);
  const TraceFrame& frame = frameOf(view);
  EXPECT_EQ(frame.bands, (std::vector<QString>{"192.0.2.1:50001", "192.0.2.1:50003", "192.0.2.1:50002"}));
  ASSERT_EQ(frame.traces.size(), 3 * traces);
  for (std::size_t trace = 0; trace < traces; ++trace) {
    for (std::size_t band = 0; band < 3; ++band) {
      const FrameTrace& shown = frame.traces[band * traces + trace];
      EXPECT_EQ(shown.band, band);
      EXPECT_EQ(shown.style, frame.traces[trace].style) << "a metric has one colour in all bands";
      EXPECT_EQ(shown.scale.unitsPerDivision(), frame.traces[trace].scale.unitsPerDivision());
    }
  }
  EXPECT_GT(frame.traces[traces].samples.largest, 2.0 * frame.traces[0].samples.largest) << "of the third connection";
  keepPicture(view, QStringLiteral("scope_bands"));

  m_selection.setFurther(WatchedSenders::id(3), false);
  EXPECT_EQ(frameOf(view).bands.size(), 2U);
  m_selection.clearFurther();
  EXPECT_TRUE(frameOf(view).bands.empty());
}

TEST_F(ScopeComparisonTest, OverEachOtherTheyShowOneMetricInTheirOwnColours) {
  WatchedSenders senders(3);
  ScopeView view(m_context);
  m_selection.setFurther(WatchedSenders::id(2), true);
  m_selection.setFurther(WatchedSenders::id(3), true);
  show(view, senders.runFor(Milliseconds(8000)));
  press(view, QStringLiteral("Overlay connections"));
  const TraceFrame& frame = frameOf(view);
  EXPECT_EQ(frame.bands, std::vector<QString>{"Send rate"});
  ASSERT_EQ(frame.traces.size(), 3U);
  EXPECT_EQ(frame.traces[1].label, QStringLiteral("192.0.2.1:50002"));
  EXPECT_EQ((std::set<int>{frame.traces[0].style, frame.traces[1].style, frame.traces[2].style}).size(), 3U);
  EXPECT_EQ(frame.traces[0].unit, MetricUnit::bitsPerSecond);
  keepPicture(view, QStringLiteral("scope_overlaid"));

  press(view, QStringLiteral("Next trace"));
  ASSERT_EQ(frameOf(view).traces.size(), 3U);
  EXPECT_EQ(frameOf(view).traces[0].unit, MetricUnit::bytes);

  const std::map<ConnectionId, int> styles = [&view] {
    std::map<ConnectionId, int> result;
    for (const ShownConnection& one : view.shownConnections().all()) result[one.id] = one.style;
    return result;
  }();
  m_selection.setFurther(WatchedSenders::id(2), false);
  m_selection.setConnection(WatchedSenders::id(3));
  for (const ShownConnection& one : view.shownConnections().all())
    EXPECT_EQ(one.style, styles.at(one.id)) << "a connection keeps its colour";
}

TEST_F(ScopeComparisonTest, TableReadoutCursorsAndCsvNameTheConnection) {
  WatchedSenders senders(2);
  ScopeView view(m_context);
  m_selection.setFurther(WatchedSenders::id(2), true);
  show(view, senders.runFor(Milliseconds(8000)));
  const std::size_t traces = view.traces().size();
  ASSERT_EQ(readingsOf(view).size(), 2 * traces);
  EXPECT_EQ(readingsOf(view)[0].connection, QStringLiteral("192.0.2.1:50001"));
  EXPECT_EQ(readingsOf(view)[traces].connection, QStringLiteral("192.0.2.1:50002"));
  EXPECT_EQ(readingsOf(view)[traces].source, readingsOf(view)[0].source);
  EXPECT_TRUE(view.description().contains(QStringLiteral("192.0.2.1:50002, ")));

  const Moment last = *m_snapshot->details.at(WatchedSenders::id(1))->history.lastTime();
  const QString text = view.readoutAt(last - Milliseconds(2000));
  EXPECT_TRUE(text.contains(QStringLiteral("192.0.2.1:50001: cwnd (bytes): "))) << qPrintable(text);
  EXPECT_TRUE(text.contains(QStringLiteral("192.0.2.1:50002: cwnd (bytes): "))) << qPrintable(text);

  m_selection.setSpan(TimeSpan{last - Milliseconds(3000), last - Milliseconds(1000)});
  update();
  const auto& readings = readingsOf(view);
  ASSERT_TRUE(readings[0].cursors.inSpan && readings[traces].cursors.inSpan);
  EXPECT_NEAR(readings[traces].cursors.inSpan->mean / readings[0].cursors.inSpan->mean, 2.0, 0.1);

  const std::string csv = view.samplesText({last - Milliseconds(100), last});
  EXPECT_EQ(csv.substr(0, csv.find(',', 14)), "local,remote,time_s");
  EXPECT_NE(csv.find("\r\n192.0.2.1:50001,198.51.100.2:443,"), std::string::npos) << csv;
  EXPECT_NE(csv.find("\r\n192.0.2.1:50002,198.51.100.2:443,"), std::string::npos) << csv;
  m_selection.clearFurther();
  EXPECT_EQ(view.samplesText({last, last}).substr(0, 7), "time_s,") << "of one connection as before";
}

TEST_F(ScopeComparisonTest, NoMoreConnectionsThanHaveRoom) {
  WatchedSenders senders(10);
  ScopeView view(m_context);
  show(view, senders.runFor(Milliseconds(2000)));
  for (std::uint64_t number = 2; number <= 10; ++number) m_selection.setFurther(WatchedSenders::id(number), true);
  EXPECT_EQ(view.shownConnections().all().size(), kMostFurther + 1);
  keepPicture(view, QStringLiteral("scope_eight_bands"));
  QMenu menu;
  view.fillCompareMenu(menu);
  EXPECT_FALSE(menu.actions().front()->isEnabled()) << "no more are offered";
  press(view, QStringLiteral("Overlay connections"));
  keepPicture(view, QStringLiteral("scope_eight_overlaid"));
}

TEST_F(ScopeComparisonTest, TheMenuAddsFromTheListAndRemoves) {
  WatchedSenders senders(3);
  ScopeView view(m_context);
  show(view, senders.runFor(Milliseconds(2000)));
  {
    QMenu menu;
    view.fillCompareMenu(menu);
    const auto offered = menu.actions().front()->menu()->actions();
    ASSERT_EQ(offered.size(), 2) << "not the one that is shown";
    EXPECT_TRUE(offered.front()->text().contains(QStringLiteral("→ 198.51.100.2:443")));
    offered.front()->trigger();
  }
  ASSERT_EQ(m_selection.further().size(), 1U);
  EXPECT_EQ(frameOf(view).bands.size(), 2U);
  QMenu menu;
  view.fillCompareMenu(menu);
  ASSERT_TRUE(menu.actions()[1]->text().startsWith(QStringLiteral("Remove 192.0.2.1:")));
  menu.actions()[1]->trigger();
  EXPECT_TRUE(m_selection.further().empty());
}

TEST_F(ScopeComparisonTest, TheReferenceIsAlignedAtTheLeftEdgeAndCanBeRemoved) {
  WatchedSenders senders(1);
  ScopeView view(m_context);
  show(view, senders.runFor(Milliseconds(12'000)));
  const TimeSpan before = frameOf(view).screen;
  const TraceSamples kept = frameOf(view).traces[2].samples;
  press(view, QStringLiteral("Keep as reference"));
  ASSERT_EQ(frameOf(view).references.size(), frameOf(view).traces.size());
  EXPECT_TRUE(view.comparison().startsWith(QStringLiteral("Grey: the reference, kept from")));

  m_snapshot = senders.runFor(Milliseconds(3300));
  update();
  const TraceFrame& frame = frameOf(view);
  const FrameTrace& reference = frame.references[2];
  ASSERT_EQ(reference.samples.points.size(), kept.points.size());
  EXPECT_EQ(reference.samples.points[5].time - frame.screen.from, kept.points[5].time - before.from);
  EXPECT_EQ(reference.samples.points[5].last, kept.points[5].last);
  EXPECT_EQ(reference.scale.unitsPerDivision(), frame.traces[2].scale.unitsPerDivision());
  EXPECT_TRUE(view.readoutAt(frame.screen.from + Milliseconds(4000)).contains(QStringLiteral(" (reference: ")));
  keepPicture(view, QStringLiteral("scope_reference"));

  press(view, QStringLiteral("Remove the reference"));
  EXPECT_TRUE(frameOf(view).references.empty());
  EXPECT_TRUE(view.comparison().isEmpty());
}

TEST_F(ScopeComparisonTest, TheReferenceIsOfItsSourceAlone) {
  WatchedSenders senders(1);
  ScopeView view(m_context);
  show(view, senders.runFor(Milliseconds(12'000)));
  press(view, QStringLiteral("Keep as reference"));
  const QString kept = view.comparison();
  auto later = std::make_shared<SessionSnapshot>(*m_snapshot);
  later->clock.wall = later->clock.wall + Milliseconds(3'600'000);
  m_snapshot = later;
  update();
  EXPECT_EQ(view.comparison(), kept) << "as the clock was then";
  view.forgetSource();
  EXPECT_TRUE(frameOf(view).references.empty());
  EXPECT_TRUE(view.comparison().isEmpty());
}

TEST_F(ScopeComparisonTest, AReferenceOfAnotherConnectionStaysBehindTheSelectedOne) {
  WatchedSenders senders(2);
  ScopeView view(m_context);
  show(view, senders.runFor(Milliseconds(12'000)));
  press(view, QStringLiteral("Keep as reference"));
  m_selection.setConnection(WatchedSenders::id(2));
  ASSERT_FALSE(frameOf(view).references.empty());
  const FrameTrace& reference = frameOf(view).references.front();
  EXPECT_EQ(reference.label, QStringLiteral("198.51.100.2:443"));
  EXPECT_LT(reference.samples.largest, 0.6 * frameOf(view).traces.front().samples.largest);
}

TEST_F(ScopeComparisonTest, BandsCanBeReadInTheDark) {
  WatchedSenders senders(2);
  ScopeView view(m_context);
  view.setPalette(themePalette(Appearance::dark));
  m_selection.setFurther(WatchedSenders::id(2), true);
  show(view, senders.runFor(Milliseconds(12'000)));
  press(view, QStringLiteral("Keep as reference"));
  m_snapshot = senders.runFor(Milliseconds(4300));
  update();
  keepPicture(view, QStringLiteral("scope_bands_dark"));
  EXPECT_LT(view.grab().toImage().pixelColor(640, 300).lightness(), 128);
}

TEST_F(ScopeComparisonTest, DrawsOneMetricAgainstAnotherOfEveryConnection) {
  WatchedSenders senders(2);
  ScopeView view(m_context);
  m_selection.setFurther(WatchedSenders::id(2), true);
  show(view, senders.runFor(Milliseconds(8000)));
  view.setXy(XyChoice{Metric::inFlightBytes, Metric::congestionWindowBytes});
  QCoreApplication::processEvents();
  const XyFrame& frame = view.findChild<XyPlot*>()->frame();
  ASSERT_EQ(frame.series.size(), 2U);
  EXPECT_EQ(frame.xTitle, QStringLiteral("In flight"));
  EXPECT_EQ(frame.x.unit(), MetricUnit::bytes);
  EXPECT_EQ(frame.series[1].label, QStringLiteral("192.0.2.1:50002"));
  ASSERT_GT(frame.series[0].points.size(), 300U);
  EXPECT_EQ(frame.series[0].points.back().x, 10.0 * 1448);
  EXPECT_EQ(frame.series[1].points.back().x, 20.0 * 1448);
  EXPECT_LE(frame.y.ratioOf(frame.series[1].points.back().y), 1.0);
  EXPECT_TRUE(view.description().startsWith(QStringLiteral("cwnd (bytes) against In flight.")));

  const Moment last = *m_snapshot->details.at(WatchedSenders::id(1))->history.lastTime();
  m_selection.setSpan(TimeSpan{last - Milliseconds(2000), last - Milliseconds(1010)});
  update();
  EXPECT_EQ(view.findChild<XyPlot*>()->frame().series[0].points.size(), 50U) << "between the cursors";
}

TEST_F(ScopeComparisonTest, XyIsSwitchedByKeyAndMenuAndKept) {
  const QTemporaryDir folder;
  QSettings settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
  WatchedSenders senders(3);
  {
    ScopeView view(m_context);
    m_selection.setFurther(WatchedSenders::id(2), true);
    show(view, senders.runFor(Milliseconds(8000)));
    press(view, QStringLiteral("XY: one metric against another"));
    EXPECT_EQ(view.xy(), (XyChoice{Metric::rtt, Metric::congestionWindowBytes}));
    press(view, QStringLiteral("XY: one metric against another"));
    EXPECT_FALSE(view.xy());
    QMenu menu;
    view.fillXyMenu(menu);
    for (QAction* action : menu.actions()) {
      if (action->text() == QStringLiteral("Send rate against In flight")) action->trigger();
    }
    keepPicture(view, QStringLiteral("scope_xy"));
    view.saveSettings(settings);
    m_view = nullptr;
  }
  ScopeView view(m_context);
  view.restoreSettings(settings);
  EXPECT_EQ(view.xy(), (XyChoice{Metric::inFlightBytes, Metric::sendGoodput}));
}

TEST_F(ScopeComparisonTest, OverlayIsKeptInTheSettings) {
  const QTemporaryDir folder;
  QSettings settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
  WatchedSenders senders(2);
  m_selection.setFurther(WatchedSenders::id(2), true);
  {
    ScopeView view(m_context);
    show(view, senders.runFor(Milliseconds(2000)));
    press(view, QStringLiteral("Overlay connections"));
    view.saveSettings(settings);
    m_view = nullptr;
  }
  ScopeView view(m_context);
  view.restoreSettings(settings);
  show(view, m_snapshot);
  EXPECT_EQ(frameOf(view).bands.size(), 1U);
  EXPECT_EQ(frameOf(view).traces.size(), 2U);
}

}  // namespace
}  // namespace tcpscope

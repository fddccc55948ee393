// The packet graphs and the loss bursts as their user meets them.
#include "ui/views/packet_graphs/packet_graphs_view.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QComboBox>
#include <QCoreApplication>
#include <QScrollBar>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>

#include "tests/ui/support/captured_drawing.h"
#include "tests/ui/support/live_capture_drawing.h"
#include "tests/ui/support/recording_port.h"
#include "ui/views/loss_bursts/loss_bursts_view.h"
#include "ui/views/packet_graphs/packet_text.h"

namespace tcpscope {
namespace {

class PacketGraphsTest : public testing::Test {
protected:
  template <class ViewType>
  void show(ViewType& view, const std::shared_ptr<const CapturedPackets>& packets) {
    m_snapshot = test::snapshotOfCapture(packets);
    m_selection.setConnection(m_snapshot->details.begin()->first);
    view.resize(1280, 800);
    view.setSelection(m_selection);
    view.setSnapshot(m_snapshot);
    picture(view);
  }
  static QImage picture(QWidget& view) {
    view.grab();
    QCoreApplication::processEvents();
    return view.grab().toImage();
  }
  static void press(QWidget& view, const QString& text) {
    for (QAction* action : view.actions()) {
      if (action->text() == text) return action->trigger();
    }
    FAIL() << "no action " << text.toStdString();
  }
  static std::uint64_t countOf(PacketGraphsView& view, GraphItem item) {
    const auto* model = view.findChild<PacketTableModel*>();
    for (const PacketTableModel::Row& row : model->rows()) {
      if (row.inAll.item == item) return row.inAll.count;
    }
    return 0;
  }

  test::RecordingPort m_port;
  Selection m_selection;
  ControlState m_control{m_port};
  ViewContext m_context{m_selection, m_control};
  SnapshotPointer m_snapshot;
};

TEST_F(PacketGraphsTest, OpensWithTheWholeTransferOnTheTimeSequenceGraph) {
  PacketGraphsView view(m_context);
  show(view, test::capturedPackets(test::drawnTransfer(500, 100)));
  EXPECT_EQ(view.graph(), PacketGraph::sequence);
  EXPECT_TRUE(view.window().isWhole());
  EXPECT_EQ(countOf(view, GraphItem::segment), 506U);
  EXPECT_TRUE(view.description().contains(QStringLiteral("Segment: 506"))) << view.description().toStdString();
  EXPECT_TRUE(view.description().contains(QStringLiteral("multiplied by 128"))) << view.description().toStdString();
}

TEST_F(PacketGraphsTest, EveryGraphPaintsSomethingInEveryAppearance) {
  PacketGraphsView view(m_context);
  show(view, test::capturedPackets(test::drawnTransfer(500, 100)));
  const auto* plot = view.findChild<PacketPlot*>();
  ASSERT_NE(plot, nullptr);
  for (const Appearance appearance : {Appearance::light, Appearance::dark}) {
    view.setPalette(themePalette(appearance));
    for (std::size_t number = 0; number < kPacketGraphCount; ++number) {
      const auto graph = static_cast<PacketGraph>(number);
      view.showGraph(graph);
      const QImage image = picture(view);
      const GraphItem first = itemsOf(graph).front();
      const QRgb wanted = itemColor(first == GraphItem::windowEdge ? GraphItem::acknowledgment : first, appearance);
      std::size_t inked = 0;
      for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) inked += image.pixel(x, y) == wanted ? 1U : 0U;
      }
      EXPECT_GT(inked, 50U) << packetGraphRow(graph).key;
    }
  }
}

TEST_F(PacketGraphsTest, ZoomsPansAndComesBackByKeys) {
  PacketGraphsView view(m_context);
  show(view, test::capturedPackets(test::drawnTransfer(500, 0)));
  const TimeSpan whole = view.window().shown();
  press(view, QStringLiteral("Show less time"));
  EXPECT_LT(view.window().shown().to - view.window().shown().from, whole.to - whole.from);
  const Moment before = view.window().shown().from;
  press(view, QStringLiteral("Move far right"));
  EXPECT_GT(view.window().shown().from, before);
  press(view, QStringLiteral("Whole connection"));
  EXPECT_EQ(view.window().shown(), whole);
}

TEST_F(PacketGraphsTest, TheSpanBetweenTheCursorsIsSharedWithOtherViews) {
  PacketGraphsView view(m_context);
  show(view, test::capturedPackets(test::drawnTransfer(500, 0)));
  press(view, QStringLiteral("Cursor A"));
  press(view, QStringLiteral("Cursor B"));
  ASSERT_TRUE(m_selection.span());
  EXPECT_EQ(m_selection.span(), view.cursors().span());
  press(view, QStringLiteral("Clear cursors and selection"));
  EXPECT_FALSE(m_selection.span());
  const TimeSpan elsewhere{view.window().whole().from, view.window().whole().from + Milliseconds(100)};
  m_selection.setSpan(elsewhere);
  view.setSelection(m_selection);
  EXPECT_EQ(view.cursors().span(), elsewhere);
}

TEST_F(PacketGraphsTest, GoesToAPacketByItsNumber) {
  PacketGraphsView view(m_context);
  show(view, test::capturedPackets(test::drawnTransfer(500, 0)));
  press(view, QStringLiteral("Show less time"));
  press(view, QStringLiteral("Show less time"));
  ASSERT_TRUE(view.goToPacket(900));
  EXPECT_LE(view.window().shown().from, view.cursors().at(Cursor::a).value());
  EXPECT_GE(view.window().shown().to, view.cursors().at(Cursor::a).value());
  EXPECT_FALSE(view.goToPacket(1'000'000));
  EXPECT_FALSE(view.goToPacket(0));
}

TEST_F(PacketGraphsTest, WithoutPacketsItSaysWhatToDo) {
  PacketGraphsView view(m_context);
  auto detail = std::make_shared<ConnectionDetail>();
  detail->row.id = captureConnectionId(PlaceId{1}, 0);
  auto snapshot = std::make_shared<SessionSnapshot>();
  snapshot->details.emplace(detail->row.id, detail);
  m_selection.setConnection(detail->row.id);
  view.setSelection(m_selection);
  view.setSnapshot(snapshot);
  EXPECT_TRUE(view.findChild<PacketPlot*>()->frame().message.contains(QStringLiteral("Capture them")));
}

TEST_F(PacketGraphsTest, NothingOfTheConnectionBeforeStaysWithoutOne) {
  PacketGraphsView view(m_context);
  show(view, test::capturedPackets(test::drawnTransfer(500, 100)));
  const auto* directions = view.findChildren<QComboBox*>().at(1);
  EXPECT_FALSE(directions->currentText().isEmpty());
  m_selection.setConnection(std::nullopt);
  view.setSelection(m_selection);
  view.setSnapshot(std::make_shared<SessionSnapshot>());
  EXPECT_TRUE(directions->currentText().isEmpty()) << qPrintable(directions->currentText());
}

TEST_F(PacketGraphsTest, KeepsTheGraphThatWasChosen) {
  const QTemporaryDir folder;
  QSettings settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
  {
    PacketGraphsView view(m_context);
    view.showGraph(PacketGraph::rates);
    view.saveSettings(settings);
  }
  PacketGraphsView view(m_context);
  view.restoreSettings(settings);
  EXPECT_EQ(view.graph(), PacketGraph::rates);
}

TEST_F(PacketGraphsTest, TheTableShowsTheMinimumInFlightAfterAnAcknowledgment) {
  const auto packets = test::capturedPackets(test::drawnTransfer(100, 0));
  const DirectionSeries& series = packets->sent(0);
  auto least = kUnknownFlight;
  for (std::size_t index = 0; index < series.acknowledgments().size(); ++index)
    least = std::min(least, series.acknowledgments()[index].inFlightBytes);
  const auto readings =
      readingsOf(series, PacketGraph::inFlight, {packets->series.firstTime(), packets->series.lastTime()});
  const auto flight = std::find_if(readings.begin(), readings.end(),
                                   [](const ItemReading& one) { return one.item == GraphItem::inFlight; });
  ASSERT_NE(flight, readings.end());
  ASSERT_TRUE(flight->range);
  EXPECT_EQ(flight->range->from, least);
}

TEST_F(PacketGraphsTest, TheTableIsTheSameHoweverItIsComputed) {
  const auto packets = test::capturedPackets(test::drawnTransfer(1000, 50));
  const DirectionSeries& series = packets->sent(0);
  const TimeSpan whole{packets->series.firstTime(), packets->series.lastTime()};
  const Moment middle = whole.from + Milliseconds(377);
  for (const PacketGraph graph : {PacketGraph::sequence, PacketGraph::rtt, PacketGraph::inFlight}) {
    const auto all = readingsOf(series, graph, whole);
    const auto first = readingsOf(series, graph, {whole.from, middle - Nanoseconds(1)});
    const auto rest = readingsOf(series, graph, {middle, whole.to});
    for (std::size_t index = 0; index < all.size(); ++index) {
      EXPECT_EQ(all[index].count, first[index].count + rest[index].count) << itemTitle(all[index].item).toStdString();
      if (all[index].range && first[index].range && rest[index].range) {
        EXPECT_EQ(all[index].range->from, std::min(first[index].range->from, rest[index].range->from));
        EXPECT_EQ(all[index].range->to, std::max(first[index].range->to, rest[index].range->to));
      }
    }
  }
}

TEST_F(PacketGraphsTest, PointingAtAPacketNamesIt) {
  const auto packets = test::capturedPackets(test::drawnTransfer(100, 0));
  const DirectionSeries& series = packets->sent(0);
  const SegmentPoint& segment = series.segments()[50];
  const auto value = static_cast<double>(segment.begin - series.origin()) + 500.0;
  const PointedPacket found =
      packetNear(series, PacketGraph::sequence, segment.time + Microseconds(100), value, Microseconds(400), 100.0);
  ASSERT_TRUE(found.segment);
  EXPECT_EQ(found.segment->packet, segment.packet);
  const QString text = describePacket(found, series, packets->series.firstTime());
  EXPECT_TRUE(text.contains(QStringLiteral("1,000 bytes"))) << text.toStdString();
}

/// A live capture of the drawn transfer as the snapshots show it, so far; the kernel's figures beside it.
class LivePacketsTest : public PacketGraphsTest {
protected:
  static constexpr ConnectionId kId = test::kLiveConnection;

  void showLive(View& view, std::uint32_t segments) {
    m_snapshot = test::snapshotOfLiveCapture(segments);
    m_selection.setConnection(kId);
    view.resize(1280, 800);
    view.setSelection(m_selection);
    view.setSnapshot(m_snapshot);
    picture(view);
  }
  static std::size_t inked(const QImage& image, QRgb wanted) {
    std::size_t count = 0;
    for (int y = 0; y < image.height(); ++y) {
      for (int x = 0; x < image.width(); ++x) count += image.pixel(x, y) == wanted ? 1U : 0U;
    }
    return count;
  }
};

TEST_F(LivePacketsTest, TheKernelsLinesAreDrawnBesideThePackets) {
  PacketGraphsView view(m_context);
  showLive(view, 500);
  for (const Appearance appearance : {Appearance::light, Appearance::dark}) {
    view.setPalette(themePalette(appearance));
    view.showGraph(PacketGraph::inFlight);
    const QImage flight = picture(view);
    EXPECT_GT(inked(flight, itemColor(GraphItem::kernelCongestionWindow, appearance)), 100U);
    EXPECT_GT(inked(flight, itemColor(GraphItem::kernelInFlight, appearance)), 100U);
    view.showGraph(PacketGraph::rtt);
    EXPECT_GT(inked(picture(view), itemColor(GraphItem::kernelRtt, appearance)), 100U);
  }
  EXPECT_TRUE(view.description().contains(QStringLiteral("Kernel: RTT: 21.0 ms"))) << qPrintable(view.description());
  view.showGraph(PacketGraph::inFlight);
  EXPECT_TRUE(view.description().contains(QStringLiteral("Kernel: congestion window")))
      << qPrintable(view.description());
}

TEST_F(LivePacketsTest, TheKernelsSendFiguresAreNotShownForTheReceiveDirection) {
  PacketGraphsView view(m_context);
  showLive(view, 500);
  view.showGraph(PacketGraph::inFlight);
  press(view, QStringLiteral("Other direction"));
  EXPECT_FALSE(view.description().contains(QStringLiteral("Kernel"))) << qPrintable(view.description());
}

TEST_F(LivePacketsTest, FollowsTheNewestAndKeepsWhatWasChosen) {
  PacketGraphsView view(m_context);
  showLive(view, 500);
  view.showGraph(PacketGraph::rates);
  press(view, QStringLiteral("Other direction"));
  const Moment before = view.window().shown().to;
  showLive(view, 2000);
  EXPECT_GT(view.window().shown().to, before);
  EXPECT_EQ(view.window().shown().to, view.window().whole().to);
  EXPECT_EQ(view.graph(), PacketGraph::rates);
  EXPECT_EQ(view.findChild<PacketPlot*>()->frame().series, &m_snapshot->details.at(kId)->packets->sent(1));
}

TEST_F(LivePacketsTest, AHeldPictureDoesNotMove) {
  PacketGraphsView view(m_context);
  showLive(view, 500);
  press(view, QStringLiteral("Hold the picture"));
  const TimeSpan held = view.window().shown();
  showLive(view, 2000);
  EXPECT_EQ(view.window().shown(), held);
  press(view, QStringLiteral("Hold the picture"));
  EXPECT_GT(view.window().shown().to, held.to);
}

TEST_F(LivePacketsTest, TheListStaysWhereItWasScrolled) {
  PacketGraphsView view(m_context);
  showLive(view, 500);
  view.show();
  ASSERT_TRUE(view.goToPacket(20));
  press(view, QStringLiteral("Hold the picture"));
  picture(view);
  QTableView* list = nullptr;
  for (QTableView* table : view.findChildren<QTableView*>()) {
    if (table->accessibleName() == QStringLiteral("Packets")) list = table;
  }
  ASSERT_NE(list, nullptr);
  const int rows = list->model()->rowCount();
  list->verticalScrollBar()->setValue(300);
  const int scrolled = list->verticalScrollBar()->value();
  ASSERT_GT(scrolled, 100);
  showLive(view, 2000);
  ASSERT_GT(list->model()->rowCount(), rows);
  EXPECT_EQ(list->verticalScrollBar()->value(), scrolled);
  EXPECT_EQ(list->currentIndex().siblingAtColumn(PacketListModel::frame).data().toString(), QStringLiteral("20"));
}

TEST_F(LivePacketsTest, TheListOfDirectionsGrowsWithALiveCapture) {
  LossBurstsView view(m_context);
  showLive(view, 100);
  const auto* directions = view.findChild<QComboBox*>();
  ASSERT_NE(directions, nullptr);
  const QString before = directions->currentText();
  showLive(view, 500);
  EXPECT_NE(directions->currentText(), before);
}

TEST_F(LivePacketsTest, TheLossBurstsFollowToo) {
  LossBurstsView view(m_context);
  showLive(view, 500);
  EXPECT_TRUE(view.description().contains(QStringLiteral("0 packets lost"))) << qPrintable(view.description());
}

TEST_F(PacketGraphsTest, TheLossBurstsSayWhatTheCaptureHolds) {
  LossBurstsView view(m_context);
  show(view, test::capturedPackets(test::drawnTransfer(2000, 50)));
  EXPECT_TRUE(view.description().contains(QStringLiteral("40 packets lost"))) << view.description().toStdString();
  EXPECT_TRUE(view.description().contains(QStringLiteral("sender"))) << view.description().toStdString();
}

TEST_F(PacketGraphsTest, TheLossBurstsShowAllIntervalsOrTheDensityOfTheShortOnes) {
  LossBurstsView view(m_context);
  show(view, test::capturedPackets(test::drawnTransfer(2000, 50)));
  EXPECT_FALSE(view.description().contains(QStringLiteral("longer than the plot")));
  const QImage all = picture(view);
  press(view, QStringLiteral("&All intervals"));
  EXPECT_NE(picture(view), all);
  QTemporaryDir folder;
  QSettings settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
  view.saveSettings(settings);
  LossBurstsView another(m_context);
  another.restoreSettings(settings);
  show(another, test::capturedPackets(test::drawnTransfer(2000, 50)));
  EXPECT_EQ(picture(another), picture(view));
}

TEST(IntervalPlotRange, HoldsEveryDensityInWholeDecades) {
  IntervalDensity density;
  density.density = {12.0, std::nullopt, 0.3};
  density.poissonDensity = {1.0, 0.9, 0.8};
  const DensityRange range = densityRange(density);
  EXPECT_DOUBLE_EQ(range.from, 0.1);
  EXPECT_DOUBLE_EQ(range.to, 100.0);
  EXPECT_LT(densityRange({}).from, densityRange({}).to);
}

}  // namespace
}  // namespace tcpscope

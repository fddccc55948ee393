// A packet that is clicked, stepped to, or asked for by another view: its readout, its row and its mark.
#include <gtest/gtest.h>
#include <qcustomplot.h>

#include <QAction>
#include <QCoreApplication>
#include <QLabel>
#include <QLineEdit>
#include <QTest>
#include <QTreeWidget>

#include "tests/ui/support/captured_drawing.h"
#include "tests/ui/support/recording_port.h"
#include "ui/feed/capture_port.h"
#include "ui/views/diagnosis/finding_packets.h"
#include "ui/views/events/events_view.h"
#include "ui/views/packet_graphs/packet_graphs_view.h"

namespace tcpscope {
namespace {

/// A capture whose packets belong to known connections.
class KnownPackets final : public CapturePort {
public:
  bool open(const std::string& /*path*/) override { return true; }
  bool openInNewWindow(const std::string& /*path*/) override { return false; }
  void stopReading() override {}
  void close() override {}
  bool showInWireshark(const std::string& displayFilter, std::optional<std::uint64_t> frame) override {
    shown.emplace_back(displayFilter, frame);
    return true;
  }
  void findPacket(std::uint64_t frame) override {
    m_state.found.reset();
    asked.push_back(frame);
  }
  void savePackets(ConnectionId /*connection*/, const std::string& /*path*/) override {}
  CaptureState state() override { return m_state; }
  void answer(std::optional<ConnectionId> connection) { m_state.found = FoundPacket{asked.back(), connection}; }

  std::vector<std::pair<std::string, std::optional<std::uint64_t>>> shown;
  std::vector<std::uint64_t> asked;

private:
  CaptureState m_state;
};

class PacketSelectionTest : public testing::Test {
protected:
  PacketSelectionTest() { m_view.resize(1280, 800); }

  void show(const std::shared_ptr<const CapturedPackets>& packets) {
    m_packets = packets;
    auto snapshot = std::make_shared<SessionSnapshot>(*test::snapshotOfCapture(packets));
    Place place;
    place.id = PlaceId{1};
    place.recording = UntrustedText("a.pcap");
    place.isCapture = true;
    snapshot->places.push_back(place);
    m_snapshot = snapshot;
    m_selection.setConnection(m_snapshot->details.begin()->first);
    m_view.setSelection(m_selection);
    m_view.setSnapshot(m_snapshot);
    m_view.show();
    settle();
  }
  void settle() {
    m_view.grab();
    QCoreApplication::processEvents();
    m_view.grab();
  }
  void press(const QString& text) {
    for (QAction* action : m_view.actions()) {
      if (action->text() == text) return action->trigger();
    }
    FAIL() << "no action " << text.toStdString();
  }
  [[nodiscard]] QString fact(const QString& title) const {
    for (const auto& [name, text] : m_view.readout()) {
      if (name == title) return text;
    }
    return {};
  }
  [[nodiscard]] const DirectionSeries& series() const { return m_packets->sent(0); }
  [[nodiscard]] std::vector<std::uint32_t> retransmissions() const {
    return packetsOf(series(), retransmissionItems(), 1000);
  }
  [[nodiscard]] static PacketTarget lost() {
    PacketTarget target;
    target.what = QStringLiteral("Finding: packet loss");
    target.side = Side::sending;
    target.items = packetsOfFinding(RuleId::networkLoss);
    return target;
  }
  [[nodiscard]] bool isSaid(const QString& text) const {
    for (const QLabel* label : m_view.findChildren<QLabel*>()) {
      if (label->text().contains(text)) return true;
    }
    return false;
  }
  /// What the readout says that this host, which sends the data, reported.
  [[nodiscard]] QString reported(const WholePacket& packet, const std::vector<ReportedLoss>& losses) const {
    for (const auto& [name, text] : packetFacts(*m_packets, packet, m_packets->series.firstTime(), {losses, 0})) {
      if (name == QStringLiteral("This host")) return text;
    }
    return {};
  }
  /// Where a value of the plot stands on the screen.
  QPoint pointOf(Moment time, double value) {
    auto* plot = m_view.findChild<QCustomPlot*>();
    const auto& frame = m_view.findChild<PacketPlot*>()->frame();
    return {static_cast<int>(plot->xAxis->coordToPixel(toSeconds(time - frame.reference))),
            static_cast<int>(plot->yAxis->coordToPixel(value))};
  }
  [[nodiscard]] QTableView* list() {
    for (QTableView* table : m_view.findChildren<QTableView*>()) {
      if (table->accessibleName() == QStringLiteral("Packets")) return table;
    }
    return nullptr;
  }

  test::RecordingPort m_port;
  Selection m_selection;
  ControlState m_control{m_port};
  KnownPackets m_captures;
  ViewContext m_context{m_selection, m_control, {&m_captures}};
  PacketGraphsView m_view{m_context};
  std::shared_ptr<const CapturedPackets> m_packets;
  SnapshotPointer m_snapshot;
};

TEST_F(PacketSelectionTest, AClickSelectsThePacketUnderIt) {
  show(test::capturedPackets(test::drawnTransfer(300, 0)));
  const SegmentPoint& segment = series().segments()[150];
  const double value = static_cast<double>(segment.begin - series().origin()) + 500.0;
  auto* plot = m_view.findChild<QCustomPlot*>();
  // Close enough that packets stand apart.
  for (int step = 0; step < 12; ++step) press(QStringLiteral("Show less time"));
  settle();
  QTest::mouseClick(plot, Qt::LeftButton, {}, pointOf(segment.time, value));
  ASSERT_EQ(m_view.selectedPacket(), segment.packet);
  EXPECT_EQ(fact(QStringLiteral("Frame")), QString::number(segment.packet + 1));
  EXPECT_EQ(fact(QStringLiteral("Packet")), QStringLiteral("New data"));
  EXPECT_TRUE(fact(QStringLiteral("Sequence")).contains(QStringLiteral("length 1,000")));
  EXPECT_EQ(fact(QStringLiteral("Flags")), QStringLiteral("ACK"));
  EXPECT_FALSE(fact(QStringLiteral("Wall clock")).isEmpty());
  EXPECT_FALSE(fact(QStringLiteral("Window")).isEmpty());
  const auto& frame = m_view.findChild<PacketPlot*>()->frame();
  ASSERT_TRUE(frame.selected);
  EXPECT_EQ(frame.selected->time, segment.time);
}

TEST_F(PacketSelectionTest, ADragSelectsNothing) {
  show(test::capturedPackets(test::drawnTransfer(300, 0)));
  press(QStringLiteral("Show less time"));
  settle();
  auto* plot = m_view.findChild<QCustomPlot*>();
  const SegmentPoint& segment = series().segments()[150];
  const QPoint from = pointOf(segment.time, static_cast<double>(segment.begin - series().origin()));
  QTest::mousePress(plot, Qt::LeftButton, {}, from);
  QTest::mouseMove(plot, from + QPoint(30, 0));
  QTest::mouseRelease(plot, Qt::LeftButton, {}, from + QPoint(30, 0));
  EXPECT_FALSE(m_view.selectedPacket());
}

TEST_F(PacketSelectionTest, ASymbolIsClickedBeforeWhatItHides) {
  show(test::capturedPackets(test::drawnTransfer(300, 50)));
  settle();
  const std::uint32_t number = retransmissions()[1];
  const PointedPacket packet = packetNumbered(series(), number);
  QTest::mouseClick(m_view.findChild<QCustomPlot*>(), Qt::LeftButton, {},
                    pointOf(packet.time(), static_cast<double>(packet.segment->begin - series().origin())));
  EXPECT_EQ(m_view.selectedPacket(), number);
}

TEST_F(PacketSelectionTest, TheReadoutNamesTheCauseAndTheFirstTransmission) {
  show(test::capturedPackets(test::drawnTransfer(300, 50)));
  press(QStringLiteral("Next retransmission"));
  ASSERT_EQ(m_view.selectedPacket(), retransmissions().front());
  EXPECT_EQ(fact(QStringLiteral("Packet")), QStringLiteral("Fast retransmission"));
  EXPECT_TRUE(fact(QStringLiteral("Cause")).contains(QStringLiteral("duplicate acknowledgments or SACK")));
  EXPECT_TRUE(fact(QStringLiteral("Transmitted before")).contains(QStringLiteral("50.0 ms before")))
      << qPrintable(fact(QStringLiteral("Transmitted before")));
  EXPECT_TRUE(fact(QStringLiteral("Transmitted before")).startsWith(QStringLiteral("frame ")));
}

TEST_F(PacketSelectionTest, TheReadoutOfADuplicateAcknowledgmentSaysWhyItWasSent) {
  show(test::capturedPackets(test::drawnTransfer(300, 50)));
  const std::array items = {GraphItem::duplicateAck};
  const auto duplicates = packetsOf(series(), items, 10);
  ASSERT_FALSE(duplicates.empty());
  ASSERT_TRUE(m_view.goToPacket(duplicates.front() + 1));
  EXPECT_EQ(fact(QStringLiteral("Packet")), QStringLiteral("Duplicate acknowledgment"));
  EXPECT_TRUE(fact(QStringLiteral("Cause")).contains(QStringLiteral("out of order")));
  EXPECT_TRUE(fact(QStringLiteral("Acknowledges")).startsWith(QStringLiteral("up to ")));
}

TEST_F(PacketSelectionTest, KeysStepThroughRetransmissionsAndPackets) {
  show(test::capturedPackets(test::drawnTransfer(300, 50)));
  const auto numbers = retransmissions();
  for (const std::uint32_t number : numbers) {
    press(QStringLiteral("Next retransmission"));
    EXPECT_EQ(m_view.selectedPacket(), number);
  }
  press(QStringLiteral("Next retransmission"));
  EXPECT_EQ(m_view.selectedPacket(), numbers.back());
  press(QStringLiteral("Previous retransmission"));
  EXPECT_EQ(m_view.selectedPacket(), numbers[numbers.size() - 2]);
  const std::uint32_t before = *m_view.selectedPacket();
  press(QStringLiteral("Next packet"));
  EXPECT_GT(*m_view.selectedPacket(), before);
  press(QStringLiteral("Previous packet"));
  EXPECT_EQ(m_view.selectedPacket(), before);
  press(QStringLiteral("Clear cursors and selection"));
  EXPECT_FALSE(m_view.selectedPacket());
  EXPECT_TRUE(m_view.readout().empty());
}

TEST_F(PacketSelectionTest, ListAndPlotFollowEachOther) {
  show(test::capturedPackets(test::drawnTransfer(300, 50)));
  ASSERT_NE(list(), nullptr);
  press(QStringLiteral("Next retransmission"));
  const QModelIndex current = list()->currentIndex();
  EXPECT_EQ(current.siblingAtColumn(PacketListModel::frame).data().toString(),
            QString::number(*m_view.selectedPacket() + 1));
  EXPECT_EQ(current.siblingAtColumn(PacketListModel::packet).data().toString(), QStringLiteral("Fast retransmission"));
  list()->setCurrentIndex(list()->model()->index(5, 0));
  ASSERT_TRUE(m_view.selectedPacket());
  EXPECT_EQ(QString::number(*m_view.selectedPacket() + 1), list()->model()->index(5, 0).data().toString());
  const auto& frame = m_view.findChild<PacketPlot*>()->frame();
  ASSERT_TRUE(frame.selected);
  EXPECT_LE(frame.screen.from, frame.selected->time);
  EXPECT_GE(frame.screen.to, frame.selected->time);
}

TEST_F(PacketSelectionTest, AFindingMarksItsPackets) {
  show(test::capturedPackets(test::drawnTransfer(300, 50)));
  m_view.openPackets(lost());
  const auto numbers = retransmissions();
  EXPECT_EQ(m_view.selectedPacket(), numbers.front());
  EXPECT_EQ(m_view.findChild<PacketPlot*>()->frame().marked.size(), numbers.size());
  press(QStringLiteral("Next marked packet"));
  EXPECT_EQ(m_view.selectedPacket(), numbers[1]);
  press(QStringLiteral("Previous marked packet"));
  EXPECT_EQ(m_view.selectedPacket(), numbers.front());
}

TEST_F(PacketSelectionTest, ManyMarkedPacketsAreRingedEvenly) {
  show(test::capturedPackets(test::drawnTransfer(3000, 5)));
  m_view.openPackets(lost());
  ASSERT_GT(retransmissions().size(), 500U);
  const auto& marked = m_view.findChild<PacketPlot*>()->frame().marked;
  EXPECT_GT(marked.size(), 250U);
  EXPECT_LE(marked.size(), 500U);
  const TimeSpan shown = m_view.window().shown();
  EXPECT_LT(marked.front().time - shown.from, (shown.to - shown.from) / 10);
  EXPECT_GT(marked.back().time - shown.from, (shown.to - shown.from) / 10 * 8);
}

TEST_F(PacketSelectionTest, AFindingThatNoPacketShowsSaysSo) {
  show(test::capturedPackets(test::drawnTransfer(100, 0)));
  PacketTarget target;
  target.what = QStringLiteral("Finding: bufferbloat");
  target.items = packetsOfFinding(RuleId::queueing);
  m_view.openPackets(target);
  EXPECT_FALSE(m_view.selectedPacket());
  EXPECT_TRUE(isSaid(QStringLiteral("Finding: bufferbloat: no single packet shows it.")));
}

TEST_F(PacketSelectionTest, AnEventLeadsToItsPacket) {
  show(test::capturedPackets(test::drawnTransfer(300, 50)));
  EventsView events(m_context);
  events.setSnapshot(m_snapshot);
  std::optional<PacketTarget> target;
  QObject::connect(&events, &View::packetsRequested, [&](const PacketTarget& asked) { target = asked; });
  auto* table = events.findChild<QTableView*>();
  table->setCurrentIndex(table->model()->index(table->model()->rowCount() - 2, 0));
  for (QAction* action : events.actions()) {
    if (action->text() == QStringLiteral("Show the event's &packets")) action->trigger();
  }
  ASSERT_TRUE(target);
  m_view.openPackets(*target);
  EXPECT_EQ(m_view.selectedPacket(), retransmissions()[1]);
}

TEST_F(PacketSelectionTest, APacketOfAnotherConnectionSelectsThatConnection) {
  show(test::capturedPackets(test::drawnTransfer(300, 0)));
  auto* field = m_view.findChild<QLineEdit*>();
  field->setText(QStringLiteral("5000"));
  QTest::keyClick(field, Qt::Key_Return);
  ASSERT_EQ(m_captures.asked, std::vector<std::uint64_t>{5000});
  const ConnectionId other = captureConnectionId(PlaceId{1}, 7);
  m_captures.answer(other);
  m_view.pollSearch();
  EXPECT_EQ(m_selection.connection(), other);
}

TEST_F(PacketSelectionTest, TheSearchedPacketIsShownOnceItsConnectionIs) {
  show(test::capturedPackets(test::drawnTransfer(100, 0)));
  auto* field = m_view.findChild<QLineEdit*>();
  field->setText(QStringLiteral("500"));
  QTest::keyClick(field, Qt::Key_Return);
  const ConnectionId other = captureConnectionId(PlaceId{1}, 7);
  m_captures.answer(other);
  m_view.pollSearch();
  m_view.setSelection(m_selection);
  auto snapshot = std::make_shared<SessionSnapshot>(*m_snapshot);
  snapshot->details.emplace(other, detailOf(test::capturedPackets(test::drawnTransfer(600, 0)), other));
  m_view.setSnapshot(snapshot);
  EXPECT_EQ(m_view.selectedPacket(), 499U);
}

TEST_F(PacketSelectionTest, APacketThatNoConnectionHasIsReported) {
  show(test::capturedPackets(test::drawnTransfer(100, 0)));
  const auto before = m_selection.connection();
  auto* field = m_view.findChild<QLineEdit*>();
  field->setText(QStringLiteral("99999"));
  QTest::keyClick(field, Qt::Key_Return);
  m_captures.answer(std::nullopt);
  m_view.pollSearch();
  EXPECT_EQ(m_selection.connection(), before);
  EXPECT_TRUE(isSaid(QStringLiteral("99,999 is not in this capture")));
}

TEST_F(PacketSelectionTest, WiresharkOpensAtThePacket) {
  show(test::capturedPackets(test::drawnTransfer(100, 0)));
  ASSERT_TRUE(m_view.goToPacket(20));
  press(QStringLiteral("Show the packet in Wireshark"));
  ASSERT_EQ(m_captures.shown.size(), 1U);
  EXPECT_EQ(m_captures.shown[0].second, 20U);
}

TEST_F(PacketSelectionTest, WhatTheHostReportedOfARetransmissionIsSaid) {
  show(test::capturedPackets(test::drawnTransfer(300, 50)));
  const std::uint32_t number = retransmissions().front();
  const auto whole = packetOf(*m_packets, number);
  ASSERT_TRUE(whole);
  ReportedLoss loss;
  loss.time = whole->time + Microseconds(20);
  loss.kind = HistoryEventKind::retransmission;
  loss.report.sequence = onTheWire(whole->segment->begin);
  loss.report.sequenceLength = 1000;
  loss.report.reason = DropReason{"NETFILTER_DROP", 8};
  loss.report.match = DropMatch{1000, kLongestRto, {}};
  EXPECT_TRUE(reported(*whole, {loss}).contains(QStringLiteral("NETFILTER_DROP")));
  // The packet that came from the peer, and one that is no retransmission, were others.
  loss.isFromPeer = true;
  EXPECT_EQ(reported(*whole, {loss}), QString());
  loss.isFromPeer = false;
  const auto& segments = series().segments();
  std::size_t first = 0;
  while (segments[first].begin != whole->segment->begin) ++first;
  const auto original = packetOf(*m_packets, segments[first].packet);
  ASSERT_TRUE(original);
  ASSERT_NE(original->number, number);
  EXPECT_EQ(reported(*original, {loss}), QString());
}

TEST_F(PacketSelectionTest, ADropIsSaidOfTheTransmissionThatItIsNearestTo) {
  show(test::capturedPackets(test::drawnTransfer(300, 50)));
  const auto again = packetOf(*m_packets, retransmissions().front());
  ASSERT_TRUE(again);
  const auto& segments = series().segments();
  std::size_t first = 0;
  while (segments[first].begin != again->segment->begin) ++first;
  const auto original = packetOf(*m_packets, segments[first].packet);
  ASSERT_TRUE(original);
  ReportedLoss loss;
  loss.report.sequence = onTheWire(again->segment->begin);
  loss.report.sequenceLength = 1000;
  loss.report.reason = DropReason{"NETFILTER_DROP", 8};
  loss.time = original->time + Milliseconds(1);
  ReportedLoss later = loss;
  later.time = again->time + Microseconds(10);
  later.report.reason = DropReason{"QDISC_DROP", 9};
  EXPECT_TRUE(reported(*original, {loss, later}).contains(QStringLiteral("NETFILTER_DROP")));
  EXPECT_TRUE(reported(*again, {loss, later}).contains(QStringLiteral("QDISC_DROP")));
  EXPECT_EQ(reported(*again, {loss}), QString());
}

TEST_F(PacketSelectionTest, SynAndFinAreNoLength) {
  std::vector<PacketSample> samples = test::drawnTransfer(20, 0);
  const auto last =
      std::find_if(samples.rbegin(), samples.rend(), [](const PacketSample& one) { return one.payloadBytes > 0; });
  last->flags.bits |= 1U;
  show(test::capturedPackets(samples));
  const auto lengthOf = [this](std::uint64_t number) {
    EXPECT_TRUE(m_view.goToPacket(number));
    return list()->currentIndex().siblingAtColumn(PacketListModel::length).data().toString();
  };
  EXPECT_EQ(lengthOf(1), QStringLiteral("0"));
  EXPECT_TRUE(fact(QStringLiteral("Sequence")).contains(QStringLiteral("no data")));
  EXPECT_EQ(lengthOf(last->number + 1), QStringLiteral("1,000"));
  EXPECT_TRUE(fact(QStringLiteral("Sequence")).contains(QStringLiteral("length 1,000 ")))
      << qPrintable(fact(QStringLiteral("Sequence")));
}

TEST_F(PacketSelectionTest, NothingIsSelectedInOtherPackets) {
  show(test::capturedPackets(test::drawnTransfer(300, 50)));
  m_view.openPackets(lost());
  ASSERT_TRUE(m_view.selectedPacket());
  const SnapshotPointer other = test::snapshotOfCapture(test::capturedPackets(test::drawnTransfer(400, 30)));
  m_view.setSnapshot(other);
  EXPECT_FALSE(m_view.selectedPacket());
  EXPECT_TRUE(m_view.readout().empty());
  EXPECT_TRUE(m_view.findChild<PacketPlot*>()->frame().marked.empty());
  press(QStringLiteral("Other direction"));
  press(QStringLiteral("Other direction"));
  EXPECT_TRUE(m_view.findChild<PacketPlot*>()->frame().marked.empty());
}

TEST_F(PacketSelectionTest, WhatWasAskedForBeforeThePacketsCameIsShown) {
  m_packets = test::capturedPackets(test::drawnTransfer(300, 50));
  m_snapshot = test::snapshotOfCapture(m_packets);
  m_selection.setConnection(m_snapshot->details.begin()->first);
  m_view.setSelection(m_selection);
  m_view.setSnapshot(std::make_shared<SessionSnapshot>());
  m_view.openPackets(lost());
  m_view.setSnapshot(m_snapshot);
  EXPECT_EQ(m_view.selectedPacket(), retransmissions().front());
  EXPECT_EQ(m_view.findChild<PacketPlot*>()->frame().marked.size(), retransmissions().size());
}

TEST_F(PacketSelectionTest, StepsGoOnFromThePlaceOfAPacketOfTheOtherDirection) {
  show(test::capturedPackets(test::drawnTransfer(300, 0)));
  ASSERT_TRUE(m_view.goToPacket(series().segments()[150].packet + std::uint64_t{1}));
  press(QStringLiteral("Other direction"));
  const auto* model = m_view.findChild<PacketListModel*>();
  ASSERT_FALSE(model->rowOf(*m_view.selectedPacket()));
  press(QStringLiteral("Previous packet"));
  ASSERT_TRUE(m_view.selectedPacket());
  EXPECT_EQ(model->rowOf(*m_view.selectedPacket()), model->rowCount() - 1);
}

TEST_F(PacketSelectionTest, AnEventOutsideTheCaptureLeadsToNoPacket) {
  show(test::capturedPackets(test::drawnTransfer(300, 50)));
  PacketTarget target = lost();
  target.time = m_packets->series.lastTime() + Milliseconds(1500);
  m_view.openPackets(target);
  EXPECT_FALSE(m_view.selectedPacket());
  EXPECT_TRUE(isSaid(QStringLiteral("the capture does not cover this moment")));
  // The way back through the marks begins at their end.
  press(QStringLiteral("Previous marked packet"));
  EXPECT_EQ(m_view.selectedPacket(), retransmissions().back());
  target.time = m_packets->series.lastTime() + Milliseconds(500);
  m_view.openPackets(target);
  EXPECT_EQ(m_view.selectedPacket(), retransmissions().back());
}

TEST_F(PacketSelectionTest, APacketThatNoSeriesHasLeadsToItsPlace) {
  show(test::capturedPackets(test::drawnTransfer(100, 0)));
  auto* field = m_view.findChild<QLineEdit*>();
  field->setText(QStringLiteral("99999"));
  QTest::keyClick(field, Qt::Key_Return);
  EXPECT_TRUE(isSaid(QStringLiteral("Looking up packet 99,999")));
  m_captures.answer(m_selection.connection());
  m_view.pollSearch();
  EXPECT_TRUE(isSaid(QStringLiteral("Packet 99,999 is a repeated acknowledgment, or beyond the packets kept.")));
  ASSERT_TRUE(m_view.selectedPacket());
  const auto* model = m_view.findChild<PacketListModel*>();
  EXPECT_EQ(model->rowOf(*m_view.selectedPacket()), model->rowCount() - 1);
}

TEST_F(PacketSelectionTest, ASearchEndsWithItsFile) {
  show(test::capturedPackets(test::drawnTransfer(100, 0)));
  auto* field = m_view.findChild<QLineEdit*>();
  field->setText(QStringLiteral("500"));
  QTest::keyClick(field, Qt::Key_Return);
  const ConnectionId other = captureConnectionId(PlaceId{1}, 7);
  m_captures.answer(other);
  m_view.pollSearch();
  m_view.setSelection(m_selection);
  m_view.setSnapshot(std::make_shared<SessionSnapshot>());
  auto snapshot = std::make_shared<SessionSnapshot>(*m_snapshot);
  snapshot->details.emplace(other, detailOf(test::capturedPackets(test::drawnTransfer(600, 0)), other));
  m_view.setSnapshot(snapshot);
  EXPECT_FALSE(m_view.selectedPacket());
}

TEST_F(PacketSelectionTest, OnlySymbolsThatTheGraphDrawsAreClickedAndWhereTheyStand) {
  show(test::capturedPackets(test::drawnTransfer(300, 50)));
  const std::uint32_t number = retransmissions().front();
  const Moment time = packetNumbered(series(), number).time();
  const auto at = [&](PacketGraph graph, double value) {
    return packetAt(series(), graph, time, value, Milliseconds(1), 500.0, 1000.0);
  };
  const PointedPacket bottom = at(PacketGraph::rtt, 1000.0);
  ASSERT_TRUE(bottom.segment);
  EXPECT_EQ(bottom.number(), number);
  EXPECT_FALSE(at(PacketGraph::rtt, 20'000.0).segment);
  EXPECT_FALSE(at(PacketGraph::window, 1000.0).segment);
}

}  // namespace
}  // namespace tcpscope

// What the list says where it has no rows.
#include "ui/views/connection_list/connection_list_view.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <algorithm>

#include "core/present/text/display_filter.h"
#include "core/session/problems.h"
#include "tests/ui/support/detail_drawing.h"
#include "tests/ui/support/recording_port.h"

namespace tcpscope {
namespace {

class EmptyConnectionList : public testing::Test {
protected:
  void show(const Place& place, std::size_t totalRows = 0) {
    auto snapshot = std::make_shared<SessionSnapshot>();
    snapshot->places = {place};
    snapshot->totalRows = totalRows;
    m_list.setSnapshot(snapshot);
  }

  test::RecordingPort m_port;
  Selection m_selection;
  ControlState m_control{m_port};
  ConnectionListView m_list{ViewContext{m_selection, m_control}};
};

TEST_F(EmptyConnectionList, OffersADemoWhereTheMachineHasNone) {
  show({});
  EXPECT_TRUE(m_list.whyEmpty().contains("Demo")) << m_list.whyEmpty().toStdString();
}

TEST_F(EmptyConnectionList, SaysThatTheRecordingHasNoneAtThisMoment) {
  Place place;
  place.recording = UntrustedText("slow.tcpscope");
  show(place);
  EXPECT_EQ(m_list.whyEmpty(), "The recording contains no TCP connections at this time.");
}

TEST_F(EmptyConnectionList, SaysThatTheCaptureHasNone) {
  Place place;
  place.recording = UntrustedText("slow.pcap");
  place.isCapture = true;
  show(place);
  EXPECT_EQ(m_list.whyEmpty(), "The capture contains no TCP connections.");
}

TEST_F(EmptyConnectionList, ItsRowsStayWhereProblemsComeAndGo) {
  m_list.resize(1000, 300);
  m_list.show();
  const auto* table = m_list.findChild<ConnectionTableView*>();
  show({});
  QCoreApplication::processEvents();
  const QPoint before = table->pos();
  auto snapshot = std::make_shared<SessionSnapshot>();
  snapshot->places = {Place()};
  snapshot->problems = std::make_shared<const std::vector<Problem>>(1);
  m_list.setSnapshot(snapshot);
  QCoreApplication::processEvents();
  const auto labels = m_list.findChildren<QLabel*>();
  EXPECT_TRUE(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
    return label->isVisible() && label->text().startsWith(QStringLiteral("⚠"));
  }));
  EXPECT_EQ(table->pos(), before);
}

TEST_F(EmptyConnectionList, NamesTheFilterThatHidesAll) {
  show({}, 3);
  EXPECT_TRUE(m_list.whyEmpty().contains("filter"));
}

TEST_F(EmptyConnectionList, ShowsAllWhereTheConnectionToSelectDoesNotCome) {
  const ConnectionFilter filter = *ConnectionFilter::parse("dport = :7000");
  m_list.selectFirst(filter);
  show({}, 3);
  EXPECT_TRUE(m_list.whyEmpty().contains("Waiting for a connection to select")) << m_list.whyEmpty().toStdString();
  EXPECT_EQ(m_control.value().filter.root(), filter.root());
  const auto actions = m_list.findChildren<QAction*>();
  const auto clear = std::find_if(actions.begin(), actions.end(), [](const QAction* one) {
    return one->text() == QStringLiteral("C&lear the filter");
  });
  ASSERT_NE(clear, actions.end());
  (*clear)->trigger();
  EXPECT_FALSE(m_list.awaitsFirst());
  EXPECT_EQ(m_control.value().filter.root(), nullptr);
}

class ConnectionListActions : public testing::Test {
protected:
  QAction& actionOf(const QString& text) {
    for (QAction* action : m_list.actions()) {
      if (action->text() == text) return *action;
    }
    ADD_FAILURE() << "no action " << text.toStdString();
    return *m_list.actions().constFirst();
  }
  /// The first connection of `place`, selected.
  void select(const Place& place) {
    auto snapshot = std::make_shared<SessionSnapshot>(*test::snapshotWithDetail({test::ObservationBuilder().build()}));
    snapshot->places = {place};
    const SocketObservation& socket = test::detailOf(snapshot).socket;
    m_filter = displayFilter(socket.local, socket.remote);
    m_selection.setConnection(socket.id);
    m_list.setSnapshot(snapshot);
  }

  test::RecordingPort m_port;
  Selection m_selection;
  ControlState m_control{m_port};
  ConnectionListView m_list{ViewContext{m_selection, m_control}};
  std::string m_filter;
};

TEST_F(ConnectionListActions, CopyWhatShowsThePacketsInWireshark) {
  QAction& copy = actionOf(QStringLiteral("Copy the &display filter"));
  EXPECT_FALSE(copy.isEnabled()) << "nothing is selected";
  select({});
  ASSERT_TRUE(copy.isEnabled());
  copy.trigger();
  EXPECT_EQ(QGuiApplication::clipboard()->text().toStdString(), m_filter);
}

TEST_F(ConnectionListActions, ApplyAFilterThatLetsTheSelectedConnectionThrough) {
  QAction& offers = actionOf(QStringLiteral("&Apply as filter"));
  EXPECT_FALSE(offers.isEnabled());
  select({});
  ASSERT_TRUE(offers.isEnabled());
  emit offers.menu()->aboutToShow();
  EXPECT_TRUE(offers.isEnabled());
  ASSERT_GE(offers.menu()->actions().size(), 4);
  offers.menu()->actions().constFirst()->trigger();
  EXPECT_TRUE(m_list.filterText().startsWith(QStringLiteral("dst "))) << m_list.filterText().toStdString();
}

TEST_F(ConnectionListActions, SaveThePacketsOfConnectionsOfCaptures) {
  QAction& save = actionOf(QStringLiteral("Save &its packets…"));
  select({});
  EXPECT_FALSE(save.isEnabled()) << "a live connection is in no file";
  Place capture;
  capture.recording = UntrustedText("slow.pcap");
  capture.isCapture = true;
  select(capture);
  ASSERT_TRUE(save.isEnabled());
  std::optional<ConnectionId> asked;
  QObject::connect(&m_list, &ConnectionListView::packetsRequested, &m_list, [&](ConnectionId id) { asked = id; });
  save.trigger();
  EXPECT_EQ(asked, m_selection.connection());
}

TEST_F(ConnectionListActions, ShowConnectionsOfCapturesInWireshark) {
  QAction& show = actionOf(QStringLiteral("Show in &Wireshark"));
  select({});
  EXPECT_FALSE(show.isEnabled()) << "a live connection is in no file";
  Place capture;
  capture.recording = UntrustedText("slow.pcap");
  capture.isCapture = true;
  select(capture);
  ASSERT_TRUE(show.isEnabled());
  std::vector<std::string> asked;
  QObject::connect(&m_list, &ConnectionListView::wiresharkRequested, &m_list,
                   [&](const QString& filter) { asked.push_back(filter.toStdString()); });
  show.trigger();
  EXPECT_EQ(asked, std::vector{m_filter});
}

}  // namespace
}  // namespace tcpscope

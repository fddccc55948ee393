// The check-up in its view: what failed first in words, with what to do, and nothing made up.
#include "ui/views/host_checkup/host_checkup_view.h"

#include <gtest/gtest.h>

#include <QTreeWidget>

#include "tests/ui/support/detail_drawing.h"
#include "tests/ui/support/recording_port.h"

namespace tcpscope {
namespace {

class ScriptedCheckups final : public CheckupPort {
public:
  void poll(const std::optional<CheckupSubject>& subject) override {
    ++polls;
    lastSubject = subject;
  }
  void probe(const IpAddress& remote) override { probed.push_back(remote); }
  void restart() override { ++starts; }
  std::shared_ptr<const HostCheckupState> state() override { return current; }

  std::shared_ptr<const HostCheckupState> current;
  int polls = 0;
  int starts = 0;
  std::optional<CheckupSubject> lastSubject;
  std::vector<IpAddress> probed;
};

CheckRow row(CheckId id, CheckLayer layer, CheckStatus status, const char* object) {
  CheckRow row;
  row.id = id;
  row.layer = layer;
  row.status = status;
  row.object = UntrustedText(object);
  row.during = 12;
  row.ever = 40;
  return row;
}

class HostCheckupViewTest : public testing::Test {
protected:
  HostCheckupViewTest() { m_view.resize(900, 500); }
  [[nodiscard]] Ports ports() {
    Ports ports;
    ports.checkups = &m_checkups;
    return ports;
  }
  void shows(std::vector<CheckRow> rows) {
    m_checkups.current = std::make_shared<HostCheckupState>(HostCheckupState{std::move(rows), std::chrono::seconds(7)});
    m_view.poll();
  }
  [[nodiscard]] QTreeWidget& list() const { return *m_view.findChild<QTreeWidget*>(); }

  ScriptedCheckups m_checkups;
  test::RecordingPort m_port;
  Selection m_selection;
  ControlState m_control{m_port};
  HostCheckupView m_view{ViewContext{m_selection, m_control, ports()}};
};

TEST_F(HostCheckupViewTest, ShowsWhatFailedAndWhatToDo) {
  shows({row(CheckId::cable, CheckLayer::physical, CheckStatus::fail, "eth0"),
         row(CheckId::acceptQueue, CheckLayer::transport, CheckStatus::warn, ""),
         row(CheckId::mtu, CheckLayer::network, CheckStatus::pass, "eth0")});
  EXPECT_EQ(m_view.headline(),
            QStringLiteral("Failed: 1, warnings: 1. Start with the lower layers (observed for 7 s)."));
  EXPECT_TRUE(m_view.advice().startsWith(
      QStringLiteral("eth0: Interface errors (rx_crc_errors, rx_frame_errors) (fail): Frames arrive damaged")))
      << m_view.advice().toStdString();
  EXPECT_EQ(list().topLevelItemCount(), 3);
  EXPECT_TRUE(list().topLevelItem(0)->text(3).contains(QStringLiteral("12")));
}

TEST_F(HostCheckupViewTest, SaysThatNothingWasFound) {
  shows({row(CheckId::mtu, CheckLayer::network, CheckStatus::pass, "eth0"),
         row(CheckId::duplex, CheckLayer::dataLink, CheckStatus::unknown, "eth0")});
  EXPECT_TRUE(m_view.headline().startsWith(QStringLiteral("No problems found"))) << m_view.headline().toStdString();
  EXPECT_EQ(m_view.advice(), QString());
  EXPECT_EQ(list().topLevelItem(1)->text(1), QStringLiteral("unknown")) << "which is not passed";
}

TEST_F(HostCheckupViewTest, ReadsTheHostOnlyWhileItIsVisible) {
  EXPECT_EQ(m_checkups.polls, 0);
  m_view.show();
  EXPECT_EQ(m_checkups.polls, 1);
  m_view.hide();
  EXPECT_FALSE(m_view.findChild<QTimer*>()->isActive());
}

TEST_F(HostCheckupViewTest, ShowsForeignNamesWithoutTheirControlCharacters) {
  shows({row(CheckId::mtu, CheckLayer::network, CheckStatus::pass, "e\x1b[31mth0")});
  EXPECT_FALSE(list().topLevelItem(0)->text(0).contains(QChar(0x1b)));
}

TEST_F(HostCheckupViewTest, ProbesThePathOfTheSelectedConnectionWhenAsked) {
  shows({});
  QPushButton* const probe = m_view.findChildren<QPushButton*>().front();
  EXPECT_FALSE(probe->isEnabled()) << "nothing is selected";
  m_checkups.current =
      std::make_shared<HostCheckupState>(HostCheckupState{{}, std::chrono::seconds(7), IpAddress::v4({192, 0, 2, 10})});
  m_view.poll();
  ASSERT_TRUE(probe->isEnabled());
  probe->click();
  EXPECT_EQ(m_checkups.probed, std::vector{IpAddress::v4({192, 0, 2, 10})});
}

TEST_F(HostCheckupViewTest, NamesAnotherHostThatIsChecked) {
  HostCheckupState state{{row(CheckId::cable, CheckLayer::physical, CheckStatus::fail, "eth0")},
                         std::chrono::seconds(5)};
  state.host = "db1";
  m_checkups.current = std::make_shared<HostCheckupState>(state);
  m_view.poll();
  EXPECT_EQ(m_view.headline(),
            QStringLiteral("db1: Failed: 1, warnings: 0. Start with the lower layers (observed for 5 s)."));
  QPushButton* const again = m_view.findChildren<QPushButton*>().back();
  EXPECT_EQ(again->text(), QStringLiteral("Check &again"));
  again->click();
  EXPECT_EQ(m_checkups.starts, 1);
  state.isChecking = true;
  m_checkups.current = std::make_shared<HostCheckupState>(state);
  m_view.poll();
  EXPECT_EQ(m_view.headline(), QStringLiteral("Checking db1…"));
  EXPECT_FALSE(again->isEnabled());
  state.isChecking = false;
  state.rows.clear();
  state.leftOut = 3;
  m_checkups.current = std::make_shared<HostCheckupState>(state);
  m_view.poll();
  EXPECT_FALSE(m_view.headline().contains(QStringLiteral("No problems"))) << "three are not known";
  state.notice = "cannot check db1: no";
  m_checkups.current = std::make_shared<HostCheckupState>(state);
  m_view.poll();
  EXPECT_EQ(m_view.headline(), QStringLiteral("Cannot check db1: no."));
}

TEST_F(HostCheckupViewTest, ListsTheHopsThatWereFound) {
  CheckRow hops = row(CheckId::hops, CheckLayer::network, CheckStatus::pass, "192.0.2.10");
  hops.hops = {
      {IpAddress::v4({192, 0, 2, 1}), Microseconds(300)}, {}, {IpAddress::v4({192, 0, 2, 10}), Microseconds(900)}};
  shows({hops});
  EXPECT_TRUE(m_view.advice().contains(QStringLiteral("   1  192.0.2.1        300 µs\n   2  *")))
      << m_view.advice().toStdString();
}

TEST_F(HostCheckupViewTest, PollsForTheSelectedConnectionsPathAndProgram) {
  const auto drawn = test::snapshotWithDetail({test::ObservationBuilder().build()});
  auto snapshot = std::make_shared<SessionSnapshot>(*drawn);
  const ConnectionId id = test::detailOf(drawn).row.id;
  Place place;
  place.id = id.place;
  place.bootId = "some boot";
  snapshot->places = {place};
  m_view.setSnapshot(snapshot);
  m_view.poll();
  EXPECT_FALSE(m_checkups.lastSubject) << "nothing is selected";
  m_selection.setConnection(id);
  m_view.poll();
  ASSERT_TRUE(m_checkups.lastSubject);
  EXPECT_EQ(m_checkups.lastSubject->place.bootId, "some boot");
  EXPECT_EQ(m_checkups.lastSubject->remote, test::detailOf(drawn).row.remote.address);
  EXPECT_FALSE(m_checkups.lastSubject->pid) << "its owner is not reported";
}

TEST_F(HostCheckupViewTest, SaysThatItIsAboutThisMachineWhileAFileIsShown) {
  shows({});
  auto snapshot = std::make_shared<SessionSnapshot>();
  snapshot->places.emplace_back();
  m_view.setSnapshot(snapshot);
  EXPECT_EQ(m_view.whose(), QString()) << "of a live host";
  auto ofFile = std::make_shared<SessionSnapshot>(*snapshot);
  ofFile->places.front().recording = UntrustedText("slow.tcpscope");
  m_view.setSnapshot(ofFile);
  EXPECT_EQ(m_view.whose(), "This checks the local host as it is now, not the host in the file.");
  m_view.setSnapshot(snapshot);
  EXPECT_EQ(m_view.whose(), QString());
}

TEST_F(HostCheckupViewTest, ReportsThatThisHostCannotBeChecked) {
  const HostCheckupView view({m_selection, m_control});
  EXPECT_TRUE(view.headline().contains(QStringLiteral("cannot be checked")));
}

}  // namespace
}  // namespace tcpscope

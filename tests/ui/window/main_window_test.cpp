#include "ui/window/main_window.h"

#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QMap>
#include <QMenuBar>
#include <QPushButton>
#include <QSet>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <algorithm>
#include <functional>

#include "tests/ui/support/pretended_hosts.h"
#include "tests/ui/support/recording_port.h"
#include "tests/ui/support/scripted_changes.h"
#include "tests/ui/support/snapshot_drawing.h"
#include "ui/views/advice/change_panel.h"
#include "ui/views/problems/problems_view.h"
#include "ui/window/view_catalogue.h"

namespace tcpscope {
namespace {

void collect(const QList<QAction*>& actions, QList<QAction*>& leaves) {
  for (QAction* action : actions) {
    if (action->menu() != nullptr)
      collect(action->menu()->actions(), leaves);
    else if (!action->isSeparator())
      leaves.append(action);
  }
}

/// Null for the whole window's shortcuts; a view's own work only in it, so that two views may have the same.
const QObject* ownerOfShortcut(const QAction& action) {
  return qobject_cast<View*>(action.parent()) != nullptr &&
                 qobject_cast<ConnectionListView*>(action.parent()) == nullptr
             ? action.parent()
             : nullptr;
}

class NoReports final : public ReportPort {
public:
  void write(ReportRequest /*request*/) override {}
  void forget() override {}
  ReportState state() override { return {}; }
};

class NoRecorder final : public RecordPort {
public:
  void start(const std::string& /*path*/, RecordedData /*data*/) override {}
  void startRing(const std::string& /*path*/, std::chrono::seconds /*keeps*/) override {}
  void stop() override {}
  void discard() override {}
  void forget() override {}
  RecordState state() override { return {}; }
};

class NoFiles final : public CapturePort {
public:
  bool open(const std::string& path) override { return path != "/srv/broken.pcap"; }
  bool openInNewWindow(const std::string& /*path*/) override { return false; }
  void stopReading() override {}
  void close() override {}
  bool showInWireshark(const std::string& /*displayFilter*/, std::optional<std::uint64_t> /*frame*/) override {
    return false;
  }
  void findPacket(std::uint64_t /*frame*/) override {}
  void savePackets(ConnectionId /*connection*/, const std::string& /*path*/) override {}
  CaptureState state() override { return {}; }
};

class NoReplay final : public ReplayPort {
public:
  void play() override {}
  void playBack() override {}
  void pause() override {}
  void setSpeed(std::optional<double> /*ratio*/) override {}
  void seek(Moment /*moment*/) override {}
  std::optional<ReplayState> state() override { return std::nullopt; }
};

/// A window that offers all there is.
class WholeWindow : public testing::Test {
protected:
  [[nodiscard]] Ports ports() {
    Ports ports;
    ports.captures = &m_files;
    ports.replay = &m_replay;
    ports.recordings = &m_recorder;
    ports.reports = &m_reports;
    ports.hosts = &m_hosts;
    ports.changes = &m_changes;
    ports.settings = &m_settings;
    return ports;
  }

  test::RecordingPort m_port;
  NoFiles m_files;
  NoRecorder m_recorder;
  NoReports m_reports;
  NoReplay m_replay;
  test::PretendedHosts m_hosts;
  test::ScriptedChanges m_changes;
  test::ScriptedChanges m_settings;
  MainWindow m_window{m_port, ports()};
};

/// Of this menu and those in it: letters that several of its items have.
void findMnemonicClashes(const QString& menu, const QList<QAction*>& actions, QStringList& clashes) {
  QMap<QKeySequence, QString> first;
  for (QAction* action : actions) {
    if (action->menu() != nullptr) findMnemonicClashes(action->text(), action->menu()->actions(), clashes);
    const QKeySequence mnemonic = QKeySequence::mnemonic(action->text());
    if (mnemonic.isEmpty()) continue;
    if (first.contains(mnemonic)) {
      clashes << QStringLiteral("%1: %2 and %3").arg(menu, first.value(mnemonic), action->text());
    }
    first.insert(mnemonic, action->text());
  }
}

TEST_F(WholeWindow, NoMenuHasALetterTwice) {
  QStringList clashes;
  findMnemonicClashes(QStringLiteral("menu bar"), m_window.menuBar()->actions(), clashes);
  EXPECT_TRUE(clashes.isEmpty()) << qPrintable(clashes.join(QLatin1Char('\n')));
}

/// Letters with Alt of what can be seen: a key that two of them have presses neither.
void findVisibleClashes(const QWidget& window, QMap<QKeySequence, QString> taken, QStringList& clashes) {
  const auto take = [&](const QKeySequence& key, const QString& text) {
    if (key.isEmpty()) return;
    if (taken.contains(key)) clashes << QStringLiteral("%1 and %2").arg(taken.value(key), text);
    taken.insert(key, text);
  };
  for (const QAbstractButton* button : window.findChildren<QAbstractButton*>()) {
    if (button->isVisible()) take(button->shortcut(), button->text());
  }
  for (const QLabel* label : window.findChildren<QLabel*>()) {
    if (label->isVisible() && label->buddy() != nullptr) take(QKeySequence::mnemonic(label->text()), label->text());
  }
}

TEST_F(WholeWindow, NoViewHasALetterTwiceNorThatOfAMenu) {
  QMap<QKeySequence, QString> taken;
  for (const QAction* menu : m_window.menuBar()->actions()) {
    taken.insert(QKeySequence::mnemonic(menu->text()), menu->text());
  }
  QList<QAction*> leaves;
  collect(m_window.menuBar()->actions(), leaves);
  for (const QAction* action : leaves) taken.insert(action->shortcut(), action->text());
  taken.remove(QKeySequence());
  m_window.show();
  m_window.liveCapture().show();
  const auto panels = m_window.findChildren<ChangePanel*>();
  ASSERT_EQ(panels.size(), 2);
  for (const HostChangePhase phase : {HostChangePhase::none, HostChangePhase::previewed, HostChangePhase::inForce,
                                      HostChangePhase::kept, HostChangePhase::unknown}) {
    for (ChangePanel* panel : panels) panel->preview({}, {}, {});
    for (test::ScriptedChanges* port : {&m_changes, &m_settings}) {
      port->current = {phase, PlaceId{0}, {}, {}, "An error.", "sudo true", true, true, Milliseconds(1000)};
    }
    for (ChangePanel* panel : panels) panel->poll();
    for (const ViewRow& view : viewCatalogue()) {
      m_window.views().showView(QLatin1String(view.key));
      QStringList clashes;
      findVisibleClashes(m_window, taken, clashes);
      EXPECT_TRUE(clashes.isEmpty()) << view.key << ": " << qPrintable(clashes.join(QLatin1Char('\n')));
    }
  }
}

TEST_F(WholeWindow, AssignsEachShortcutOnce) {
  QList<QAction*> leaves;
  collect(m_window.menuBar()->actions(), leaves);
  QSet<std::pair<QString, const QObject*>> seen;
  for (const bool ofViews : {false, true}) {
    for (const QAction* action : leaves) {
      const QObject* owner = ownerOfShortcut(*action);
      const QString shortcut = action->shortcut().toString();
      if (shortcut.isEmpty() || (owner != nullptr) != ofViews) continue;
      EXPECT_FALSE(seen.contains({shortcut, owner}) || seen.contains({shortcut, nullptr}))
          << qPrintable(shortcut + " again for " + action->text());
      seen.insert({shortcut, owner});
    }
  }
  EXPECT_GT(seen.size(), 15);
}

TEST_F(WholeWindow, OffersTheFilesThatWereOpenedLastAgain) {
  const QTemporaryDir folder;
  QSettings settings(folder.filePath("settings.ini"), QSettings::IniFormat);
  const auto recent = [](const MainWindow& window) {
    QStringList paths;
    for (const QMenu* menu : window.menuBar()->findChildren<QMenu*>()) {
      if (menu->title().remove(u'&') != QStringLiteral("Open recent")) continue;
      for (const QAction* action : menu->actions()) paths << action->text();
    }
    return paths;
  };
  EXPECT_TRUE(recent(m_window).isEmpty());
  for (const char* path : {"/srv/first.pcap", "/srv/second.pcap", "/srv/broken.pcap", "/srv/first.pcap"}) {
    m_window.openFile(QLatin1String(path));
  }
  m_window.saveSettings(settings);
  MainWindow again(m_port, ports());
  again.restoreSettings(settings);
  emit again.menuBar()->actions().constFirst()->menu()->aboutToShow();
  EXPECT_EQ(recent(again), QStringList({QStringLiteral("/srv/first.pcap"), QStringLiteral("/srv/second.pcap")}));
}

TEST(MainWindow, TheKeyOfAViewGivesTheKeysToIt) {
  test::RecordingPort port;
  MainWindow window(port);
  window.show();
  // Keys reach a window that is active; it ends as soon as this one is.
  ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
  window.list().setFocus();
  QTest::keyClick(&window, Qt::Key_1, Qt::AltModifier);
  EXPECT_EQ(window.views().currentKey(), QStringLiteral("scope"));
  EXPECT_TRUE(window.views().currentWidget()->hasFocus());
  QTest::keyClick(&window, Qt::Key_4, Qt::AltModifier);
  EXPECT_TRUE(window.views().currentWidget()->isAncestorOf(QApplication::focusWidget()));
}

TEST(MainWindow, ACaptureMovesNoTab) {
  test::RecordingPort port;
  MainWindow window(port);
  window.show();
  QCoreApplication::processEvents();
  const QPoint before = window.views().mapTo(&window, QPoint());
  window.liveCapture().show();
  QCoreApplication::processEvents();
  EXPECT_TRUE(window.liveCapture().isVisible());
  EXPECT_EQ(window.views().mapTo(&window, QPoint()), before);
}

TEST(MainWindow, TheLettersOfTheViewInFrontWorkInTheList) {
  test::RecordingPort port;
  MainWindow window(port);
  window.show();
  // Keys reach a window that is active; it ends as soon as this one is.
  ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
  window.views().showView(QStringLiteral("scope"));
  window.list().setFocus();
  QAction* table = nullptr;
  for (QAction* action : window.views().currentWidget()->actions()) {
    if (action->text() == QStringLiteral("Table")) table = action;
  }
  ASSERT_NE(table, nullptr);
  const bool before = table->isChecked();
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_V, Qt::ShiftModifier);
  EXPECT_NE(table->isChecked(), before);
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_F, Qt::ControlModifier);
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_V, Qt::ShiftModifier);
  EXPECT_NE(table->isChecked(), before) << "a letter typed into a field is text";
}

TEST(MainWindow, OffersReportsOfWhatIsSelected) {
  test::RecordingPort port;
  NoReports reports;
  Ports ports;
  ports.reports = &reports;
  MainWindow window(port, ports);
  QList<QAction*> leaves;
  collect(window.menuBar()->actions(), leaves);
  const auto offered = [&leaves] {
    return std::count_if(leaves.begin(), leaves.end(), [](const QAction* action) {
      return action->text().remove(u'&').endsWith(QStringLiteral("report…")) && action->isEnabled();
    });
  };
  EXPECT_EQ(offered(), 0);
  window.selection().setConnection(ConnectionId{PlaceId{0}, 7});
  EXPECT_EQ(offered(), 1);
}

TEST(MainWindow, KeysOfAViewWorkWhileItIsShownAndTheMenuBarHasTheFocus) {
  test::RecordingPort port;
  MainWindow window(port);
  window.show();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
  int runs = 0;
  for (const View* view : window.views().views()) {
    for (const QAction* action : view->actions()) {
      if (action->shortcut() != QKeySequence(Qt::Key_D)) continue;
      QObject::connect(action, &QAction::triggered, &window, [&runs, view] {
        EXPECT_TRUE(view->isVisible());
        ++runs;
      });
    }
  }
  for (const char* key : {"losses", "packets"}) {
    window.views().showView(QLatin1String(key));
    runs = 0;
    // As the Alt key does.
    window.menuBar()->setFocus();
    QTest::keyClick(window.menuBar(), Qt::Key_D);
    EXPECT_EQ(runs, 1) << key;
  }
}

TEST(MainWindow, PutsTheSelectedConnectionIntoFocus) {
  test::RecordingPort port;
  MainWindow window(port);
  window.selection().setConnection(ConnectionId{PlaceId{0}, 7});
  ASSERT_TRUE(port.wanted.focus.has_value());
  EXPECT_EQ(port.wanted.focus->cookie, 7U);
}

/// A connection attempt that is not answered, after so long.
SnapshotPointer trouble(std::chrono::seconds after) {
  auto snapshot = std::make_shared<SessionSnapshot>(*test::snapshotOf({{7}}));
  snapshot->time = Moment::fromNanoseconds(0) + after;
  Problem problem;
  problem.endpoint = {IpAddress::v4({198, 51, 100, 2}), 443};
  problem.connections = {ConnectionId{PlaceId{0}, 7}};
  problem.count = 1;
  snapshot->problems = std::make_shared<const std::vector<Problem>>(std::vector<Problem>{problem});
  return snapshot;
}

TEST(ViewStack, OpensOnTrouble) {
  test::RecordingPort port;
  MainWindow window(port);
  window.views().setSnapshot(test::snapshotOf({{7}}));
  EXPECT_EQ(window.views().currentKey(), "scope");
  window.views().setSnapshot(trouble(std::chrono::seconds(2)));
  EXPECT_EQ(window.views().currentKey(), "problems");
  EXPECT_EQ(window.views().tabText(window.views().currentIndex()), "Problems (1)");
  // As of a capture, in which none are looked for.
  window.views().setSnapshot(test::snapshotOf({{7}}));
  EXPECT_EQ(window.views().tabText(window.views().currentIndex()), "Problems");
}

TEST(ViewStack, OpensOnTroubleOfADemoThatStartsLater) {
  test::RecordingPort port;
  MainWindow window(port);
  window.views().showView("diagnosis");
  window.views().setSnapshot(test::snapshotOf({{7}}));
  window.views().startAt("scope");
  window.views().setSnapshot(trouble(std::chrono::seconds(60)));
  EXPECT_EQ(window.views().currentKey(), "problems");
}

TEST(ViewStack, StaysWhereItsUserIs) {
  test::RecordingPort port;
  MainWindow window(port);
  window.views().showView("diagnosis");
  window.views().setSnapshot(trouble(std::chrono::seconds(1)));
  EXPECT_EQ(window.views().currentKey(), "diagnosis");
}

TEST(ViewStack, TroubleThatComesLaterOpensNothing) {
  test::RecordingPort port;
  MainWindow window(port);
  window.views().setSnapshot(test::snapshotOf({{7}}));
  window.views().setSnapshot(trouble(std::chrono::seconds(60)));
  EXPECT_EQ(window.views().currentKey(), "scope");
}

TEST(ProblemsView, AClickSelectsTheConnection) {
  test::RecordingPort port;
  MainWindow window(port);
  window.show();
  window.views().setSnapshot(trouble(std::chrono::seconds(1)));
  auto* table = window.findChild<ProblemsView*>()->findChild<QTableView*>();
  ASSERT_EQ(table->model()->rowCount(), 1);
  emit table->clicked(table->model()->index(0, 0));
  ASSERT_TRUE(window.selection().connection());
  EXPECT_EQ(window.selection().connection()->cookie, 7U);
}

TEST(ProblemsView, AFullAcceptQueueLeadsToTheListeners) {
  test::RecordingPort port;
  MainWindow window(port);
  window.show();
  auto snapshot = std::make_shared<SessionSnapshot>(*trouble(std::chrono::seconds(1)));
  Problem full;
  full.kind = ProblemKind::acceptQueueOverflow;
  snapshot->problems = std::make_shared<const std::vector<Problem>>(std::vector<Problem>{full});
  window.views().setSnapshot(snapshot);
  auto* table = window.findChild<ProblemsView*>()->findChild<QTableView*>();
  emit table->clicked(table->model()->index(0, 0));
  EXPECT_EQ(window.views().currentKey(), "listeners");
}

QAction* actionCalled(MainWindow& window, const QString& text) {
  for (QAction* action : window.findChildren<QAction*>()) {
    if (action->text() == text) return action;
  }
  return nullptr;
}

/// In a dialog that opens when its caller waits for it.
void answerDialog(const std::function<void(QDialog&)>& answer) {
  QTimer::singleShot(0, qApp, [answer] {
    auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
    ASSERT_NE(dialog, nullptr);
    answer(*dialog);
  });
}

TEST(MainWindow, OffersTheHostsThatWereConnectedLast) {
  const QTemporaryDir folder;
  const QString file = folder.filePath("settings.ini");
  test::RecordingPort port;
  test::PretendedHosts hosts;
  hosts.answer = {};
  const Ports ports = test::portsWith(hosts);
  {
    MainWindow window(port, ports);
    for (const char* typed : {"db1", "db2", "db1"}) {
      answerDialog([typed](QDialog& dialog) {
        dialog.findChild<QComboBox*>()->setEditText(QString::fromLatin1(typed));
        for (QPushButton* button : dialog.findChildren<QPushButton*>()) {
          if (button->isDefault()) button->click();
        }
      });
      actionCalled(window, QStringLiteral("Connect to &host…"))->trigger();
      EXPECT_EQ(hosts.wanted, typed);
    }
    QSettings settings(file, QSettings::IniFormat);
    window.saveSettings(settings);
  }
  MainWindow window(port, ports);
  QSettings settings(file, QSettings::IniFormat);
  window.restoreSettings(settings);
  answerDialog([](QDialog& dialog) {
    const auto* box = dialog.findChild<QComboBox*>();
    EXPECT_EQ(box->count(), 2);
    EXPECT_EQ(box->itemText(0), QStringLiteral("db1")) << "the newest first, each once";
    dialog.reject();
  });
  actionCalled(window, QStringLiteral("Connect to &host…"))->trigger();
}

TEST(MainWindow, DisconnectsAHostByTheMenu) {
  test::RecordingPort port;
  test::PretendedHosts hosts;
  hosts.connected = {{3, "a&b", HostPhase::connected, {}, {}}};
  MainWindow window(port, test::portsWith(hosts));
  QAction* action = actionCalled(window, QStringLiteral("a&&b: connected"));
  ASSERT_NE(action, nullptr);
  action->trigger();
  EXPECT_TRUE(hosts.connected.empty());
}

TEST(MainWindow, KeepsThemeAndViewInTheSettingsAndStartsWithAllConnections) {
  const QTemporaryDir folder;
  const QString file = folder.filePath("settings.ini");
  test::RecordingPort port;
  {
    MainWindow window(port);
    window.list().setFilterText("limit = receiver");
    window.views().showView("variables");
    QSettings settings(file, QSettings::IniFormat);
    window.saveSettings(settings);
  }
  MainWindow window(port);
  QSettings settings(file, QSettings::IniFormat);
  window.restoreSettings(settings);
  EXPECT_EQ(window.views().currentKey(), QStringLiteral("variables"));
  EXPECT_EQ(window.list().filterText(), QString());
  EXPECT_EQ(settings.value("list/filters").toStringList(), QStringList("limit = receiver"));
}

TEST_F(WholeWindow, FitsOnASmallScreenWithEveryViewAndEveryBar) {
  // What is left of 1280 × 720 beside a panel of the desktop and the frame of the window.
  constexpr int kRoom = 640;
  m_window.show();
  for (const ViewRow& row : viewCatalogue()) {
    m_window.views().showView(QLatin1String(row.key));
    QCoreApplication::processEvents();
    const QSize least = m_window.views().currentWidget()->minimumSizeHint();
    EXPECT_LE(least.width(), 1200) << row.key;
    EXPECT_LE(least.height(), 330) << row.key;
  }
  EXPECT_LE(m_window.minimumSizeHint().height(), kRoom);
}

}  // namespace
}  // namespace tcpscope

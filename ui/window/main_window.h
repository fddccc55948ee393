// The window: the connection list above, the views of the selected connection below, menus and the status line.
//
// It ties the parts together and shows nothing itself: snapshots come from the feed, the selection and the control are
// shared by all views.
#pragma once

#include <QMainWindow>
#include <QSplitter>

#include "ui/views/connection_list/connection_list_view.h"
#include "ui/window/capture_bar.h"
#include "ui/window/demo_bar.h"
#include "ui/window/hosts_bar.h"
#include "ui/window/live_capture_bar.h"
#include "ui/window/record_bar.h"
#include "ui/window/replay_bar.h"
#include "ui/window/report_bar.h"
#include "ui/window/status_line.h"
#include "ui/window/theme_switch.h"
#include "ui/window/view_stack.h"

class QSettings;

namespace tcpscope {

class MainWindow : public QMainWindow {
  Q_OBJECT
public:
  /// `port` outlives the window.
  explicit MainWindow(SessionPort& port, QWidget* parent = nullptr);

  /// Gives the window its menu of demos; `port` outlives the window. Once, before the window is shown.
  void offerDemos(DemoPort& port);
  /// Null where no demos are offered.
  [[nodiscard]] DemoBar* demoBar() { return m_demoBar; }

  /// Gives the window the controls of recordings that are played; `port` outlives the window. Once, before the window
  /// is shown and before offerFiles(), whose line stands above.
  void offerReplay(ReplayPort& port);
  /// Null where nothing is played.
  [[nodiscard]] ReplayBar* replayBar() { return m_replayBar; }

  /// Gives the window files to open, by menu and by dropping them; `port` outlives the window. Once, before the window
  /// is shown.
  void offerFiles(CapturePort& port);
  /// Gives the window the means to record what it shows; `port` outlives the window. Once, before the window is shown
  /// and behind offerFiles(), which shows what was recorded.
  void offerRecording(RecordPort& port);
  /// Gives the window reports of the selected connection; `port` outlives the window. Once, before the window is shown.
  void offerReports(ReportPort& port);
  /// Null where nothing can be recorded.
  [[nodiscard]] RecordBar* recordBar() { return m_recordBar; }
  /// Gives the window the means to change the host, and to check it up; both outlive the window. Once, before the
  /// window is shown.
  void offerHost(ChangePort& changes, CheckupPort& checkups) { m_views->offerHost(changes, checkups); }
  /// Gives the views what paths have shown; `port` outlives the window.
  void offerPathBook(PathBookPort& port) { m_views->offerPathBook(port); }
  /// Gives the window other hosts to connect to; `port` outlives the window. Once, before the window is shown.
  void offerHosts(HostPort& port);
  /// A capture or a recording in place of what is shown.
  void openFile(const QString& path);

  [[nodiscard]] ConnectionListView& list() { return *m_list; }
  [[nodiscard]] ViewStack& views() { return *m_views; }
  [[nodiscard]] LiveCaptureBar& liveCapture() { return *m_liveCapture; }
  /// Of the selected connection, from now on.
  void capturePackets();
  [[nodiscard]] Selection& selection() { return m_selection; }
  void setNotice(const QString& notice) { m_status->setNotice(notice); }
  void setTheme(ThemeChoice choice);

  void saveSettings(QSettings& settings) const;
  void restoreSettings(QSettings& settings);

protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

private:
  void showSnapshot(const SnapshotPointer& snapshot);
  void followSelection();
  void showDemo(const ConnectionFilter& main);
  void showFile();
  void leaveFile();
  void chooseFile();
  void chooseRecording();
  void chooseReport(bool isAnonymous);
  /// Of what is selected, and of what is pinned.
  [[nodiscard]] ReportWish reportWish() const;
  void chooseHost();
  void fillDisconnectMenu(QMenu& menu);
  void saveHosts(QSettings& settings) const;
  void restoreHosts(QSettings& settings);
  void buildMenus();
  void buildThemeMenu(QMenu& menu);
  void buildViewMenu(QMenu& menu);
  void buildHelpMenu(QMenu& menu);
  void buildDemoMenu(QMenu& menu, const std::vector<DemoScenario>& scenarios);
  QAction* addShortcut(QMenu& menu, const QString& text, const QKeySequence& shortcut);

  SnapshotFeed m_feed;
  Selection m_selection;
  ControlState m_control;
  ConnectionListView* m_list;
  ViewStack* m_views;
  QSplitter* m_splitter;
  LiveCaptureBar* m_liveCapture;
  DemoBar* m_demoBar = nullptr;
  CaptureBar* m_captureBar = nullptr;
  RecordBar* m_recordBar = nullptr;
  ReportBar* m_reportBar = nullptr;
  ReplayBar* m_replayBar = nullptr;
  HostPort* m_hosts = nullptr;
  HostsBar* m_hostsBar = nullptr;
  /// As they were typed, the newest first.
  QStringList m_recentHosts;
  /// A file was opened: its first connection gets selected once there is one.
  bool m_selectsFirst = false;
  std::optional<ConnectionId> m_selectedBeforeDemo;
  QMenu* m_fileMenu = nullptr;
  QMenu* m_helpMenu = nullptr;
  StatusLine* m_status;
  std::vector<QAction*> m_themeActions;
  ThemeChoice m_theme = ThemeChoice::system;
};

}  // namespace tcpscope

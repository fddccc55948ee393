// The window: the connection list above, the views of the selected connection below, bars, menus and the status line.
//
// It makes the parts and connects them: snapshots come from the feed, and selection and control are shared by all
// views. What the parts do stands in their own files.
#pragma once

#include <QMainWindow>
#include <QSplitter>

#include "ui/window/demo_packets.h"
#include "ui/window/main_menu.h"
#include "ui/window/trigger_responder.h"

class QSettings;

namespace tcpscope {

class MainWindow : public QMainWindow {
  Q_OBJECT
public:
  /// `session` and the ports outlive the window.
  explicit MainWindow(SessionPort& session, const Ports& ports = {}, QWidget* parent = nullptr);

  /// Null where no demos are available.
  [[nodiscard]] DemoBar* demoBar() { return m_bars->demo(); }
  /// Null where no recordings can be played.
  [[nodiscard]] ReplayBar* replayBar() { return m_bars->replay(); }
  /// Null where recording is not available.
  [[nodiscard]] RecordBar* recordBar() { return m_bars->record(); }
  [[nodiscard]] LiveCaptureBar& liveCapture() { return m_bars->liveCapture(); }
  [[nodiscard]] ConnectionListView& list() { return *m_list; }
  [[nodiscard]] ViewStack& views() { return *m_views; }
  [[nodiscard]] Selection& selection() { return m_selection; }

  /// Shows the newest snapshot now, before its timer does.
  void poll() { m_feed.poll(); }
  /// Shows a capture or a recording in place of what is shown.
  void openFile(const QString& path) { m_files->open(path); }
  /// Beside this one, of a process of its own.
  void openFileInNewWindow(const QString& path) { m_files->openInNewWindow(path); }
  /// Starts to capture the packets of the selected connection.
  void capturePackets();
  void setNotice(const QString& notice) { m_status->setNotice(notice); }
  void setTheme(ThemeChoice choice) { m_theme->setTheme(choice); }

  void saveSettings(QSettings& settings) const;
  void restoreSettings(QSettings& settings);

private:
  void layOut();
  void connectParts(const Ports& ports);
  void showSnapshot(const SnapshotPointer& snapshot);
  void followSelection();
  void followSpan();
  void followFurther();
  void connectTriggers();
  [[nodiscard]] ShownSource::Parts shownParts() { return {*m_bars, m_selection, *m_list, *m_views, *m_status}; }

  SnapshotFeed m_feed;
  Selection m_selection;
  ControlState m_control;
  NoticeBars* m_bars;
  ConnectionListView* m_list;
  ViewStack* m_views;
  QSplitter* m_splitter;
  StatusLine* m_status;
  ShownSource* m_source;
  DemoPackets* m_demoPackets;
  FileActions* m_files;
  ThemeMenu* m_theme;
  TextSize* m_textSize;
  Presentation* m_presentation;
  TriggerResponder* m_triggers = nullptr;
  /// Null without their ports.
  ReportActions* m_reports = nullptr;
  HostActions* m_hosts = nullptr;
};

}  // namespace tcpscope

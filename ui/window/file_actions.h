// Files in the window: open a capture or a recording by menu or by dropping it, close it, and record what is shown.
//
// The actions exist where the port is available; their dialogs belong to the window.
#pragma once

#include <QMenu>
#include <QObject>

#include "ui/window/notice_bars.h"

class QSettings;

namespace tcpscope {

class FileActions : public QObject {
  Q_OBJECT
public:
  /// `bars` and `window` outlive this; the window is the parent and accepts dropped files.
  FileActions(const NoticeBars& bars, QWidget& window);

  void addTo(QMenu& menu);
  void saveSettings(QSettings& settings) const;
  void restoreSettings(QSettings& settings);
  /// Shows a capture or a recording in place of what is shown. Ignored where no files can be opened.
  void open(const QString& path);
  /// Shows it beside what is shown.
  void openInNewWindow(const QString& path);
  /// Of the capture that is shown, what the filter lets through.
  void showInWireshark(const QString& displayFilter);
  /// Lets the user choose a file for the packets of this connection, with comments.
  void choosePacketsFile(ConnectionId connection);

  /// Whether a recording has the captured packets beside it.
  [[nodiscard]] RecordedData recordedData() const;

signals:
  /// A recording that is to have packets begins.
  void packetsRecorded();

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  [[nodiscard]] QString chosenFile() const;
  void chooseFile();
  void chooseFileBeside();
  /// Among the recent files.
  void note(const QString& path);
  void chooseRecording();
  void fillRecentMenu(QMenu& menu);

  const NoticeBars& m_bars;
  QWidget& m_window;
  QAction* m_withPackets = nullptr;
  /// Paths, the last opened first.
  QStringList m_recent;
};

}  // namespace tcpscope

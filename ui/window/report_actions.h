// Reports of the selected and the pinned connections: the action of the menu, its dialogs, and opening what was
// written.
#pragma once

#include <QMenu>
#include <QObject>

#include "ui/feed/control_state.h"
#include "ui/feed/selection.h"
#include "ui/feed/snapshot_feed.h"
#include "ui/window/report_bar.h"
#include "ui/window/report_dialog.h"

class QSettings;

namespace tcpscope {

class ReportActions : public QObject {
  Q_OBJECT
public:
  /// All of it outlives this; the window is the parent.
  ReportActions(ReportBar& bar, const SnapshotFeed& feed, const Selection& selection, const ControlState& control,
                QWidget& window);

  void addTo(QMenu& menu);
  void saveSettings(QSettings& settings) const;
  void restoreSettings(QSettings& settings);
  /// A report of this connection, as it is now, without asking. Customer and ticket were typed for another one and are
  /// left out. False where nothing is known of it yet.
  bool write(const QString& path, ConnectionId connection);

private:
  void choose();
  void followSelection();
  [[nodiscard]] QString subject() const;
  [[nodiscard]] ReportRequest request() const;

  ReportBar& m_bar;
  const SnapshotFeed& m_feed;
  const Selection& m_selection;
  const ControlState& m_control;
  QWidget& m_window;
  QAction m_save;
  ReportChoices m_choices;
};

}  // namespace tcpscope

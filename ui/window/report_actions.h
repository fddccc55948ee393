// Reports of the selected and the pinned connections: the two actions of the menu, the file dialog, and opening what
// was written.
#pragma once

#include <QMenu>
#include <QObject>

#include "ui/feed/control_state.h"
#include "ui/feed/selection.h"
#include "ui/feed/snapshot_feed.h"
#include "ui/window/report_bar.h"

namespace tcpscope {

class ReportActions : public QObject {
  Q_OBJECT
public:
  /// All of it outlives this; the window is the parent.
  ReportActions(ReportBar& bar, const SnapshotFeed& feed, const Selection& selection, const ControlState& control,
                QWidget& window);

  void addTo(QMenu& menu);

private:
  void choose(bool isAnonymous);
  void followSelection();
  [[nodiscard]] ReportRequest request() const;

  ReportBar& m_bar;
  const SnapshotFeed& m_feed;
  const Selection& m_selection;
  const ControlState& m_control;
  QWidget& m_window;
  QAction m_save;
  QAction m_saveAnonymized;
};

}  // namespace tcpscope

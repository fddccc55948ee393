// The status bar: number of connections, sampling intervals, missed samples, missing permissions.
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QStatusBar>

#include "ui/feed/control_state.h"
#include "ui/feed/snapshot_feed.h"
#include "ui/widgets/elided_label.h"

namespace tcpscope {

class StatusLine : public QStatusBar {
  Q_OBJECT
public:
  explicit StatusLine(ControlState& control, QWidget* parent = nullptr);

  void setSnapshot(const SnapshotPointer& snapshot);
  /// What does not work because a permission or a kernel feature is missing, one line; empty for nothing.
  void setNotice(const QString& notice);
  /// The notice is about this host: it waits while other connections are shown.
  void showNotice(bool shown);
  void chooseListInterval();
  void chooseFocusInterval();

private:
  void buildIntervals(ControlState& control);

  QLabel m_counts;
  ElidedLabel m_gaps;
  ElidedLabel m_notice;
  bool m_showsNotice = true;
  QComboBox m_listInterval;
  QComboBox m_focusInterval;
};

}  // namespace tcpscope

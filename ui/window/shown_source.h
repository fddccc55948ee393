// What becomes selected when another source is shown: a demo, a file, or this host again.
//
// This host starts with its worst connection. A demo puts the selection aside and restores it; a
// capture starts with its worst connection, on its packets, a recording with its first connection. Notices about this
// host hide while another source is shown.
#pragma once

#include <QObject>
#include <optional>

#include "ui/views/connection_list/connection_list_view.h"
#include "ui/window/notice_bars.h"
#include "ui/window/status_line.h"
#include "ui/window/view_stack.h"

namespace tcpscope {

class ShownSource : public QObject {
  Q_OBJECT
public:
  struct Parts {
    NoticeBars& bars;
    Selection& selection;
    ConnectionListView& list;
    ViewStack& views;
    StatusLine& status;
  };

  /// All parts outlive this.
  explicit ShownSource(const Parts& parts, QObject* parent = nullptr);

  /// Selects the first connection of a file that was just opened, or after the start one of this host.
  void setSnapshot(const SessionSnapshot& snapshot);

private:
  void selectAtStart(const SessionSnapshot& snapshot);
  /// What belongs to the source that was shown before.
  void forgetBefore();
  void showDemo(const ConnectionFilter& main);
  void leaveDemo();
  void showFile();
  void leaveFile();
  void pollReplay();

  Parts m_parts;
  std::optional<ConnectionId> m_selectedBeforeDemo;
  /// Nothing was selected or shown since the start.
  bool m_isAtStart = true;
  /// When the first snapshot was made.
  std::optional<Moment> m_startedAt;
  bool m_selectsFirst = false;
  /// Snapshots to let pass until the order of the file is that of its list.
  int m_snapshotsUntilFirst = 0;
  /// A capture was opened, and its packets are not shown yet.
  bool m_opensPackets = false;
  QString m_viewBeforeFile;
};

}  // namespace tcpscope

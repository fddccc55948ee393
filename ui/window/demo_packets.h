// Captures the packets of the selected connection where a demo runs and a view of packets is in front: its hosts are
// the lab's own. Once for each connection, so that a capture that was closed stays closed.
#pragma once

#include <set>

#include "ui/feed/selection.h"
#include "ui/window/notice_bars.h"
#include "ui/window/view_stack.h"

namespace tcpscope {

class DemoPackets : public QObject {
public:
  /// All of it outlives this.
  DemoPackets(NoticeBars& bars, const Selection& selection, const ViewStack& views, QObject* parent = nullptr);

  void setSnapshot(const SnapshotPointer& snapshot);

private:
  LiveCaptureBar& m_capture;
  const Selection& m_selection;
  const ViewStack& m_views;
  bool m_isDemo = false;
  std::set<ConnectionId> m_captured;
};

}  // namespace tcpscope

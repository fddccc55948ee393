#include "ui/window/demo_packets.h"

namespace tcpscope {

DemoPackets::DemoPackets(NoticeBars& bars, const Selection& selection, const ViewStack& views, QObject* parent)
    : QObject(parent), m_capture(bars.liveCapture()), m_selection(selection), m_views(views) {
  if (bars.demo() == nullptr) return;
  connect(bars.demo(), &DemoBar::started, this, [this] { m_isDemo = true; });
  connect(bars.demo(), &DemoBar::ended, this, [this] {
    m_isDemo = false;
    m_captured.clear();
  });
}

void DemoPackets::setSnapshot(const SnapshotPointer& snapshot) {
  const auto id = m_selection.connection();
  if (!m_isDemo || !m_views.showsPackets() || !id || m_captured.contains(*id) || !isLivePlace(*snapshot, id->place))
    return;
  const ConnectionFacts* connection = snapshot->find(*id);
  if (connection == nullptr) return;
  m_captured.insert(*id);
  m_capture.capture(*connection);
}

}  // namespace tcpscope

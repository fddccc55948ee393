#include "ui/window/shown_source.h"

namespace tcpscope {

ShownSource::ShownSource(const Parts& parts, QObject* parent) : QObject(parent), m_parts(parts) {
  if (DemoBar* demo = parts.bars.demo()) {
    connect(demo, &DemoBar::started, this, &ShownSource::showDemo);
    connect(demo, &DemoBar::ended, this, &ShownSource::leaveDemo);
  }
  if (CaptureBar* capture = parts.bars.capture()) {
    connect(capture, &CaptureBar::opened, this, &ShownSource::showFile);
    connect(capture, &CaptureBar::closed, this, &ShownSource::leaveFile);
  }
}

void ShownSource::setSnapshot(const SessionSnapshot& snapshot) {
  if (!m_selectsFirst || shownFile(snapshot) == nullptr || !snapshot.order || snapshot.order->empty()) return;
  m_selectsFirst = false;
  m_parts.selection.setConnection(snapshot.id(snapshot.order->front()));
}

/// The demo's main connection gets selected once it appears.
void ShownSource::showDemo(const ConnectionFilter& main) {
  m_parts.bars.liveCapture().close();
  m_selectedBeforeDemo = m_parts.selection.connection();
  m_parts.selection.setConnection(std::nullopt);
  m_parts.list.selectFirst(main);
  m_parts.views.startAt(QStringLiteral("scope"));
  m_parts.status.showNotice(false);
}

void ShownSource::leaveDemo() {
  m_parts.bars.liveCapture().close();
  m_parts.list.selectFirstNoMore();
  m_parts.status.showNotice(true);
  m_parts.selection.setConnection(m_selectedBeforeDemo);
}

void ShownSource::showFile() {
  m_parts.bars.liveCapture().close();
  m_parts.selection.setConnection(std::nullopt);
  m_parts.list.selectFirstNoMore();
  m_selectsFirst = true;
  m_parts.status.showNotice(false);
  pollReplay();
}

void ShownSource::leaveFile() {
  m_selectsFirst = false;
  m_parts.selection.setConnection(std::nullopt);
  m_parts.status.showNotice(true);
  pollReplay();
}

void ShownSource::pollReplay() {
  if (ReplayBar* replay = m_parts.bars.replay()) replay->poll();
}

}  // namespace tcpscope

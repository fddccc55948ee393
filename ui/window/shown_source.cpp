#include "ui/window/shown_source.h"

#include <utility>

#include "core/session/verdict_severity.h"

namespace tcpscope {

ShownSource::ShownSource(const Parts& parts, QObject* parent) : QObject(parent), m_parts(parts) {
  if (DemoBar* demo = parts.bars.demo()) {
    connect(demo, &DemoBar::started, this, &ShownSource::showDemo);
    connect(demo, &DemoBar::ended, this, &ShownSource::leaveDemo);
    connect(demo, &DemoBar::fixRequested, &m_parts.views, &ViewStack::beginFix);
  }
  if (CaptureBar* capture = parts.bars.capture()) {
    connect(capture, &CaptureBar::opened, this, &ShownSource::showFile);
    connect(capture, &CaptureBar::closed, this, &ShownSource::leaveFile);
  }
}

void ShownSource::setSnapshot(const SessionSnapshot& snapshot) {
  const Place* const file = shownFile(snapshot);
  if (file == nullptr) return selectAtStart(snapshot);
  if (std::exchange(m_opensPackets, m_opensPackets && !file->isCapture) && file->isCapture &&
      !m_parts.views.isRequested())
    m_parts.views.startAt(QStringLiteral("packets"));
  if (!m_selectsFirst || !snapshot.order || snapshot.order->empty()) return;
  // Which connection is the worst is known at the end, and what the user selects meanwhile stays.
  if (m_parts.selection.connection()) m_selectsFirst = false;
  const bool isIncomplete = file->isCapture && (m_parts.bars.capture()->isReading() || m_snapshotsUntilFirst-- > 0);
  if (!m_selectsFirst || isIncomplete) return;
  m_selectsFirst = false;
  m_parts.selection.setConnection(snapshot.id(snapshot.order->front()));
}

void ShownSource::selectAtStart(const SessionSnapshot& snapshot) {
  if (!m_isAtStart || m_parts.list.awaitsFirst()) return;
  if (!m_startedAt) m_startedAt = snapshot.time;
  if (m_parts.selection.connection()) m_isAtStart = false;
  if (!m_isAtStart || snapshot.time < *m_startedAt + kUntilVerdicts) return;
  const auto connection = worstOf(snapshot);
  if (!connection) return;
  m_isAtStart = false;
  m_parts.selection.setConnection(connection);
}

void ShownSource::forgetBefore() {
  m_parts.selection.clearFurther();
  m_parts.views.forgetSource();
}

/// The demo's main connection gets selected once it appears.
void ShownSource::showDemo(const ConnectionFilter& main) {
  m_isAtStart = false;
  m_parts.bars.liveCapture().close();
  m_selectedBeforeDemo = m_parts.selection.connection();
  forgetBefore();
  m_parts.selection.setConnection(std::nullopt);
  m_parts.list.selectFirst(main);
  m_parts.views.startAt(QStringLiteral("scope"));
  m_parts.status.showNotice(false);
}

void ShownSource::leaveDemo() {
  m_parts.bars.liveCapture().close();
  m_parts.list.selectFirstNoMore();
  m_parts.status.showNotice(true);
  forgetBefore();
  m_parts.selection.setConnection(m_selectedBeforeDemo);
}

void ShownSource::showFile() {
  m_isAtStart = false;
  m_parts.bars.liveCapture().close();
  forgetBefore();
  m_parts.selection.setConnection(std::nullopt);
  m_parts.list.selectFirstNoMore();
  m_selectsFirst = true;
  m_snapshotsUntilFirst = 1;
  if (!std::exchange(m_opensPackets, true) && m_viewBeforeFile.isEmpty()) m_viewBeforeFile = m_parts.views.currentKey();
  m_parts.views.forgetRequest();
  m_parts.status.showNotice(false);
  pollReplay();
}

void ShownSource::leaveFile() {
  m_selectsFirst = false;
  m_opensPackets = false;
  const QString before = std::exchange(m_viewBeforeFile, QString());
  if (!m_parts.views.isRequested() && !before.isEmpty()) m_parts.views.showView(before);
  forgetBefore();
  m_parts.selection.setConnection(std::nullopt);
  m_parts.status.showNotice(true);
  pollReplay();
}

void ShownSource::pollReplay() {
  if (ReplayBar* replay = m_parts.bars.replay()) replay->poll();
}

}  // namespace tcpscope

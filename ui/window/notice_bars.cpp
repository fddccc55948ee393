#include "ui/window/notice_bars.h"

#include <QVBoxLayout>

namespace tcpscope {

namespace {

/// Null without the port.
template <class Bar, class Port>
Bar* addBar(QVBoxLayout& layout, Port* port) {
  if (port == nullptr) return nullptr;
  auto* bar = new Bar(*port);
  layout.addWidget(bar);
  return bar;
}

}  // namespace

NoticeBars::NoticeBars(const Ports& ports, ControlState& control, QWidget* parent)
    : QWidget(parent), m_liveCapture(new LiveCaptureBar(control)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  m_hosts = addBar<HostsBar>(*layout, ports.hosts);
  m_report = addBar<ReportBar>(*layout, ports.reports);
  m_record = addBar<RecordBar>(*layout, ports.recordings);
  m_capture = addBar<CaptureBar>(*layout, ports.captures);
  m_demo = addBar<DemoBar>(*layout, ports.demos);
  // Before the others that hear of a file: the demo's end selects what was selected before it.
  if (m_capture != nullptr && m_demo != nullptr) connect(m_capture, &CaptureBar::opened, m_demo, &DemoBar::stop);
  m_replay = addBar<ReplayBar>(*layout, ports.replay);
}

}  // namespace tcpscope

#include "ui/window/report_bar.h"

#include <utility>

#include "core/base/units.h"
#include "core/present/text/quantity_text.h"
#include "ui/text/plain_text.h"

namespace tcpscope {

namespace {

constexpr Milliseconds kPollReportEvery{100};

}  // namespace

ReportBar::ReportBar(ReportPort& port, QWidget* parent)
    : NoticeBar(QStringLiteral("Report"), QStringLiteral("Report error"), parent), m_port(port) {
  m_openButton.setText(QStringLiteral("Open"));
  m_closeButton.setText(QStringLiteral("Close"));
  connect(&m_openButton, &QToolButton::clicked, this, [this] {
    const QString path = toQString(m_port.state().path);
    forget();
    emit openRequested(path);
  });
  connect(&m_closeButton, &QToolButton::clicked, this, &ReportBar::forget);
  add(m_openButton);
  add(m_closeButton);
  connect(&m_timer, &QTimer::timeout, this, &ReportBar::poll);
}

void ReportBar::write(ReportRequest request) {
  m_port.write(std::move(request));
  poll();
}

void ReportBar::forget() {
  m_port.forget();
  poll();
}

void ReportBar::poll() {
  const ReportState state = m_port.state();
  if (state.phase != ReportPhase::writing) {
    m_timer.stop();
  } else if (!m_timer.isActive()) {
    m_timer.start(kPollReportEvery);
  }
  showState(state);
}

QString ReportBar::headlineOf(const ReportState& state) {
  const QString name = toQString(state.name);
  switch (state.phase) {
    case ReportPhase::writing:
      return QStringLiteral("Writing the report %1…").arg(name);
    case ReportPhase::written:
      return QStringLiteral("Report %1: %2").arg(name, toQString(formatBytes(static_cast<double>(state.bytes))));
    case ReportPhase::failed:
      return QStringLiteral("The report was not written");
    case ReportPhase::none:
      break;
  }
  return {};
}

void ReportBar::showState(const ReportState& state) {
  setVisible(state.phase != ReportPhase::none);
  setTexts(headlineOf(state), toQString(state.notice));
  m_openButton.setVisible(state.phase == ReportPhase::written);
  m_closeButton.setVisible(state.phase != ReportPhase::writing);
}

}  // namespace tcpscope

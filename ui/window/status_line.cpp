#include "ui/window/status_line.h"

#include <array>

#include "core/present/text/quantity_text.h"
#include "core/present/text/source_text.h"
#include "ui/text/plain_text.h"

namespace tcpscope {

namespace {

constexpr std::array<int, 4> kListHertz = {1, 2, 5, 10};
constexpr std::array<int, 5> kFocusHertz = {1, 10, 100, 500, 1000};

}  // namespace

StatusLine::StatusLine(ControlState& control, QWidget* parent) : QStatusBar(parent) {
  setSizeGripEnabled(false);
  m_counts.setTextFormat(Qt::PlainText);
  m_counts.setAccessibleName(QStringLiteral("Connections shown"));
  m_gaps.setAccessibleName(QStringLiteral("Missed samples"));
  m_notice.setAccessibleName(QStringLiteral("Missing permissions"));
  m_counts.setText(QStringLiteral("Waiting for the first sample…"));
  addWidget(&m_counts);
  addWidget(&m_gaps, 2);
  addWidget(&m_notice, 3);
  m_notice.hide();
  buildIntervals(control);
}

void StatusLine::buildIntervals(ControlState& control) {
  for (const int hertz : kListHertz) m_listInterval.addItem(QStringLiteral("List: %1 Hz").arg(hertz), hertz);
  m_listInterval.setAccessibleName(QStringLiteral("Sampling interval of all connections"));
  m_listInterval.setToolTip(QStringLiteral("Sampling interval of all connections (Ctrl+R)"));
  for (const int hertz : kFocusHertz) m_focusInterval.addItem(QStringLiteral("Selected: %1 Hz").arg(hertz), hertz);
  m_focusInterval.setAccessibleName(QStringLiteral("Sampling interval of the selected connection"));
  m_focusInterval.setToolTip(QStringLiteral("Sampling interval of the selected connection (Ctrl+Shift+R)"));
  connect(&m_listInterval, &QComboBox::activated, this,
          [this, &control] { control.setListInterval(Milliseconds(1000 / m_listInterval.currentData().toInt())); });
  connect(&m_focusInterval, &QComboBox::activated, this, [this, &control] {
    control.setFocusInterval(Microseconds(1'000'000 / m_focusInterval.currentData().toInt()));
  });
  const auto showControl = [this, &control] {
    const auto select = [](QComboBox& box, std::int64_t hertz) {
      const int index = box.findData(static_cast<int>(hertz));
      if (index >= 0) box.setCurrentIndex(index);
    };
    select(m_listInterval, 1000 / std::max<std::int64_t>(1, control.value().listInterval.count()));
    select(m_focusInterval, 1'000'000 / std::max<std::int64_t>(1, control.value().focusInterval.count()));
  };
  connect(&control, &ControlState::changed, this, showControl);
  showControl();
  addPermanentWidget(&m_listInterval);
  addPermanentWidget(&m_focusInterval);
}

void StatusLine::setSnapshot(const SnapshotPointer& snapshot) {
  const std::size_t shown = snapshot->order == nullptr ? 0 : snapshot->order->size();
  const QLocale locale;
  QString counts = QStringLiteral("%1 of %2 connections")
                       .arg(locale.toString(static_cast<qulonglong>(shown)),
                            locale.toString(static_cast<qulonglong>(snapshot->totalRows)));
  // What is read from a file is not sampled.
  const bool isSampled = snapshot->listInterval.count() > 0;
  m_listInterval.setVisible(isSampled);
  m_focusInterval.setVisible(isSampled);
  if (isSampled) counts += QStringLiteral(", every %1").arg(toQString(formatTime(toSeconds(snapshot->listInterval))));
  if (snapshot->cycleTime > Nanoseconds(0))
    counts += QStringLiteral(" (takes %1)").arg(toQString(formatTime(toSeconds(snapshot->cycleTime))));
  if (counts != m_counts.text()) m_counts.setText(counts);
  const QString gaps = toQString(sentence(snapshot->gaps));
  if (gaps == m_gaps.text()) return;
  m_gaps.setText(gaps);
  m_gaps.setToolTip(toolTipText(gaps));
}

void StatusLine::setNotice(const QString& notice) {
  m_notice.setText(notice);
  showNotice(m_showsNotice);
  m_notice.setToolTip(toolTipText(notice));
}

void StatusLine::showNotice(bool shown) {
  m_showsNotice = shown;
  m_notice.setVisible(shown && !m_notice.text().isEmpty());
}

void StatusLine::chooseListInterval() {
  m_listInterval.setFocus(Qt::ShortcutFocusReason);
  m_listInterval.showPopup();
}

void StatusLine::chooseFocusInterval() {
  m_focusInterval.setFocus(Qt::ShortcutFocusReason);
  m_focusInterval.showPopup();
}

}  // namespace tcpscope

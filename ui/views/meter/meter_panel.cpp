#include "ui/views/meter/meter_panel.h"

#include <QFormLayout>
#include <QToolButton>
#include <algorithm>
#include <array>
#include <cmath>

#include "core/present/text/quantity_text.h"
#include "ui/text/plain_text.h"

namespace tcpscope {

namespace {

constexpr std::array<double, 6> kFactors = {1.0, 0.5, 0.2, 0.1, 0.05, 0.01};
constexpr int kUsualFactor = 3;

QString shown(Metric metric, std::optional<double> value) {
  return value ? toQString(formatMetric(metric, *value)) : QStringLiteral("–");
}

QString shownChange(Metric metric, std::optional<double> change) {
  if (!change) return QStringLiteral("–");
  if (*change == 0.0) return QStringLiteral("0");
  return (*change > 0 ? QStringLiteral("+") : QStringLiteral("−")) + shown(metric, std::abs(*change));
}

}  // namespace

MeterPanel::MeterPanel(Metric metric, QWidget* parent) : QFrame(parent), m_reading(metric) {
  const MetricRow& row = metricRow(metric);
  const QString title = toQString(row.title);
  setFrameShape(QFrame::StyledPanel);
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  setToolTip(toolTipText(toQString(row.explanation) + u'\n' + toQString(row.reading)));
  // Room for the longest usual value, so that nothing jumps while figures change.
  setFixedWidth(fontMetrics().averageCharWidth() * 38);

  auto* heading = new QLabel(title);
  heading->setTextFormat(Qt::PlainText);
  auto* close = new QToolButton;
  close->setText(QStringLiteral("×"));
  close->setAutoRaise(true);
  close->setAccessibleName(QStringLiteral("Close the meter %1").arg(title));
  connect(close, &QToolButton::clicked, this, &MeterPanel::closeWanted);
  auto* top = new QHBoxLayout;
  top->addWidget(heading, 1);
  top->addWidget(close);

  QFont large = m_value.font();
  large.setPointSizeF(large.pointSizeF() * 2.2);
  large.setBold(true);
  m_value.setFont(large);
  for (QLabel* label : {&m_value, &m_change, &m_average}) label->setTextFormat(Qt::PlainText);
  m_value.setAccessibleName(title);
  m_change.setAccessibleName(QStringLiteral("Change of %1").arg(title));
  m_average.setAccessibleName(QStringLiteral("Average of %1").arg(title));
  for (const double factor : kFactors)
    m_smoothing.addItem(factor == 1.0 ? QStringLiteral("1 (none)") : QString::number(factor), factor);
  m_smoothing.setAccessibleName(QStringLiteral("Smoothing factor of %1").arg(title));
  m_smoothing.setToolTip(QStringLiteral("Weight of the newest sample in the average"));
  connect(&m_smoothing, &QComboBox::currentIndexChanged, this, [this] {
    m_reading.setSmoothing(m_smoothing.currentData().toDouble());
    showReading();
  });
  m_smoothing.setCurrentIndex(kUsualFactor);

  auto* form = new QFormLayout;
  form->addRow(QStringLiteral("Change"), &m_change);
  form->addRow(QStringLiteral("Average"), &m_average);
  form->addRow(QStringLiteral("Smoothing"), &m_smoothing);
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(top);
  layout->addWidget(&m_value);
  layout->addLayout(form);
  showReading();
}

void MeterPanel::setSmoothingIndex(int index) {
  m_smoothing.setCurrentIndex(std::clamp(index, 0, m_smoothing.count() - 1));
}

void MeterPanel::show(const ConnectionDetail* detail) {
  if (detail != nullptr) m_reading.update(detail->history);
  showReading();
}

void MeterPanel::restart() {
  m_reading.clear();
  showReading();
}

void MeterPanel::showReading() {
  m_value.setText(shown(m_reading.metric(), m_reading.value()));
  m_change.setText(shownChange(m_reading.metric(), m_reading.change()));
  m_average.setText(shown(m_reading.metric(), m_reading.average()));
}

}  // namespace tcpscope

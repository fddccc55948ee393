#include "ui/models/variables_model.h"

#include <cmath>

#include "core/present/text/quantity_text.h"
#include "ui/text/plain_text.h"

namespace tcpscope {

namespace {

constexpr Nanoseconds kChangeSpan = std::chrono::seconds(1);

QString signedText(Metric metric, double change) {
  if (change == 0.0) return QStringLiteral("0");
  const QString size = toQString(formatMetric(metric, std::abs(change)));
  return (change > 0 ? QStringLiteral("+") : QStringLiteral("−")) + size;
}

QString perSecondText(const MetricRow& row, double perSecond) {
  if (row.unit == MetricUnit::bytes) return toQString(formatRate(BitsPerSecond::fromBytesPerSecond(perSecond)));
  if (row.unit == MetricUnit::microseconds) return toQString(formatRatio(perSecond * 1e-6));
  return QStringLiteral("%1 /s").arg(perSecond, 0, 'g', 4);
}

/// Do differences of this metric mean anything?
bool hasChange(const MetricRow& row) {
  return row.unit != MetricUnit::name && row.unit != MetricUnit::flag && row.kind != MetricKind::age;
}

}  // namespace

void VariablesModel::setDetail(const ConnectionDetail* detail) {
  std::array<Reading, kMetricCount> readings;
  m_hasDetail = detail != nullptr;
  if (detail != nullptr) {
    const Moment now = detail->socket.takenAt;
    const std::optional<Moment> first = detail->history.firstTime();
    const bool comparable = first && *first <= now - kChangeSpan;
    for (const MetricRow& row : metricCatalogue()) {
      Reading& reading = readings[static_cast<std::size_t>(row.metric)];
      reading.now = row.read({detail->socket, &detail->interval});
      if (!reading.now || !comparable || !hasChange(row)) continue;
      const std::optional<double> before = detail->history.valueAt(row.metric, now - kChangeSpan);
      if (!before || !std::isfinite(*before) || !std::isfinite(*reading.now)) continue;
      reading.change = *reading.now - *before;
      if (row.kind == MetricKind::counter) reading.perSecond = *reading.change / toSeconds(kChangeSpan);
    }
  }
  if (readings == m_readings) return;
  m_readings = readings;
  emit dataChanged(index(0, 1), index(rowCount() - 1, static_cast<int>(VariableColumn::rate)));
}

int VariablesModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(kMetricCount);
}

int VariablesModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(VariableColumn::count);
}

QString VariablesModel::text(int row, VariableColumn column) const {
  const MetricRow& metric = metricRow(static_cast<Metric>(row));
  const Reading& reading = m_readings[static_cast<std::size_t>(row)];
  switch (column) {
    case VariableColumn::title:
      return toQString(metric.title);
    case VariableColumn::key:
      return toQString(metric.key);
    case VariableColumn::value:
      if (!m_hasDetail) return {};
      return reading.now ? toQString(formatMetric(metric.metric, *reading.now)) : QStringLiteral("not reported");
    case VariableColumn::change:
      return reading.change ? signedText(metric.metric, *reading.change) : QString();
    case VariableColumn::rate:
      return reading.perSecond ? perSecondText(metric, *reading.perSecond) : QString();
    case VariableColumn::count:
      break;
  }
  return {};
}

QVariant VariablesModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const auto column = static_cast<VariableColumn>(index.column());
  const MetricRow& metric = metricRow(static_cast<Metric>(index.row()));
  switch (role) {
    case Qt::DisplayRole:
      return text(index.row(), column);
    case Qt::ToolTipRole:
      return toolTipText(toQString(metric.explanation) + u'\n' + toQString(metric.reading));
    case Qt::TextAlignmentRole:
      if (column == VariableColumn::title || column == VariableColumn::key) return {};
      return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    case kSearchRole:
      return QString(toQString(metric.title) + u' ' + toQString(metric.key) + u' ' + toQString(metric.explanation));
    default:
      return {};
  }
}

QVariant VariablesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  const auto column = static_cast<VariableColumn>(section);
  if (role == Qt::TextAlignmentRole) {
    const bool left = column == VariableColumn::title || column == VariableColumn::key;
    return QVariant::fromValue(Qt::Alignment(left ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  }
  if (role != Qt::DisplayRole) return {};
  switch (column) {
    case VariableColumn::title:
      return QStringLiteral("Variable");
    case VariableColumn::key:
      return QStringLiteral("Key");
    case VariableColumn::value:
      return QStringLiteral("Value");
    case VariableColumn::change:
      return QStringLiteral("Change in 1 s");
    case VariableColumn::rate:
      return QStringLiteral("Rate");
    case VariableColumn::count:
      break;
  }
  return {};
}

}  // namespace tcpscope

#include "ui/views/scope/trace_table_model.h"

#include <QGuiApplication>
#include <QPainter>
#include <QPalette>
#include <QPixmap>
#include <QPixmapCache>
#include <array>

#include "core/present/text/quantity_text.h"
#include "ui/plots/axis_tickers.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"

namespace tcpscope {

namespace {

QString shown(const TraceSource& source, const std::optional<double>& value) {
  return value ? source.textOf(*value) : QStringLiteral("–");
}

std::optional<double> of(const std::optional<SpanSummary>& summary, double SpanSummary::*figure) {
  return summary ? std::optional<double>(*summary.*figure) : std::nullopt;
}

/// No slope is known better.
double withFourDigits(double value) {
  return QString::number(value, 'g', 4).toDouble();
}

QString spanText(const TraceReading& reading) {
  const auto& summary = reading.cursors.inSpan;
  if (!summary) return QStringLiteral("–");
  QStringList parts;
  parts << QStringLiteral("min %1").arg(shown(reading.source, summary->smallest))
        << QStringLiteral("mean %1").arg(shown(reading.source, summary->mean))
        << QStringLiteral("max %1").arg(shown(reading.source, summary->largest));
  const SpanMeasurement& measured = reading.cursors.measured;
  if (measured.slopePerSecond)
    parts << QStringLiteral("slope %1 per s")
                 .arg(valueLabel(reading.source.unit(), withFourDigits(*measured.slopePerSecond)));
  if (measured.frequencyHz)
    parts << QStringLiteral("frequency %1 Hz").arg(QString::number(*measured.frequencyHz, 'g', 3));
  if (measured.dutyRatio) parts << QStringLiteral("duty cycle %1").arg(toQString(formatRatio(*measured.dutyRatio)));
  parts << QStringLiteral("%1 samples").arg(summary->count);
  return parts.join(QStringLiteral(", "));
}

QString cellText(const TraceReading& reading, int column) {
  switch (column) {
    case TraceTableModel::connection:
      return reading.connection;
    case TraceTableModel::trace:
      return reading.source.title();
    case TraceTableModel::now:
      return shown(reading.source, of(reading.onScreen, &SpanSummary::last));
    case TraceTableModel::smallest:
      return shown(reading.source, of(reading.onScreen, &SpanSummary::smallest));
    case TraceTableModel::mean:
      return shown(reading.source, of(reading.onScreen, &SpanSummary::mean));
    case TraceTableModel::largest:
      return shown(reading.source, of(reading.onScreen, &SpanSummary::largest));
    case TraceTableModel::perDivision:
      return valueLabel(reading.source.unit(), reading.unitsPerDivision) +
             (reading.automaticScale ? QStringLiteral(" (auto)") : QString());
    case TraceTableModel::atA:
      return shown(reading.source, reading.cursors.atA);
    case TraceTableModel::atB:
      return shown(reading.source, reading.cursors.atB);
    case TraceTableModel::difference:
      if (!reading.cursors.difference) return QStringLiteral("–");
      return valueLabel(reading.source.unit(), *reading.cursors.difference);
    case TraceTableModel::inSpan:
      return spanText(reading);
    default:
      return {};
  }
}

}  // namespace

QString perDivisionText(const VerticalScale& scale) {
  return QStringLiteral("%1 / div").arg(valueLabel(scale.unit(), scale.unitsPerDivision())) +
         (scale.isAutomatic() ? QStringLiteral(" (auto)") : QString());
}

QIcon lineSample(int style) {
  // On its own ground: a selected row has the colour of the first trace.
  const QColor ground = QGuiApplication::palette().color(QPalette::Base);
  const QColor line = traceColor(style, appearanceOf(QGuiApplication::palette()));
  // Asked for with every repaint: icons keep scaled copies of each new pixmap in the same cache.
  const QString key = QStringLiteral("trace %1 %2 %3").arg(style).arg(ground.name(), line.name());
  QPixmap sample(28, 12);
  if (!QPixmapCache::find(key, &sample)) {
    sample.fill(ground);
    QPainter painter(&sample);
    QPen pen(line, 2);
    pen.setStyle(traceLine(style));
    painter.setPen(pen);
    painter.drawLine(1, 6, 27, 6);
    painter.end();
    QPixmapCache::insert(key, sample);
  }
  QIcon icon(sample);
  // As it is where a row is selected, too.
  icon.addPixmap(sample, QIcon::Selected);
  return icon;
}

void TraceTableModel::setReadings(std::vector<TraceReading> readings) {
  if (readings.size() != m_readings.size()) {
    beginResetModel();
    m_readings = std::move(readings);
    endResetModel();
    return;
  }
  m_readings = std::move(readings);
  if (!m_readings.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int TraceTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_readings.size());
}

int TraceTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QVariant TraceTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const TraceReading& reading = m_readings[static_cast<std::size_t>(index.row())];
  if (role == Qt::DisplayRole) return cellText(reading, index.column());
  if (role == Qt::DecorationRole && index.column() == trace && reading.style != TraceReading::kNotDrawn)
    return lineSample(reading.style);
  const bool isFigure = index.column() != connection && index.column() != trace && index.column() != inSpan;
  if (role == Qt::TextAlignmentRole && isFigure) return int{Qt::AlignRight | Qt::AlignVCenter};
  if (role == Qt::ToolTipRole && index.column() == inSpan)
    return toolTipText(spanText(reading).replace(QStringLiteral(", "), QStringLiteral("\n")));
  if (role == Qt::ToolTipRole) return reading.source.explanation();
  return {};
}

QVariant TraceTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= columnCount()) return {};
  const std::array<QString, kColumns> titles = {
      QStringLiteral("Connection"),   QStringLiteral("Trace"),          QStringLiteral("Now"),
      QStringLiteral("Min"),          QStringLiteral("Mean"),           QStringLiteral("Max"),
      QStringLiteral("Per division"), QStringLiteral("At A"),           QStringLiteral("At B"),
      QStringLiteral("B − A"),        QStringLiteral("Between A and B")};
  return titles.at(static_cast<std::size_t>(section));
}

}  // namespace tcpscope

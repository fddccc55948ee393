#include "ui/plots/axis_tickers.h"

#include <qcustomplot.h>

#include <QDateTime>
#include <QLocale>
#include <cmath>
#include <utility>

#include "core/present/text/quantity_text.h"
#include "ui/plots/time_base.h"
#include "ui/plots/vertical_scale.h"
#include "ui/text/plain_text.h"

namespace tcpscope {

namespace {

class StepTicker : public QCPAxisTicker {
public:
  StepTicker(std::function<double(const QCPRange&)> step, std::function<QString(double, double)> label)
      : m_step(std::move(step)), m_label(std::move(label)) {}

protected:
  double getTickStep(const QCPRange& range) override { return m_current = m_step(range); }
  int getSubTickCount(double) override { return 0; }
  QString getTickLabel(double tick, const QLocale&, QChar, int) override {
    // Rounding leaves a zero like 1e-17.
    return m_label(std::abs(tick) < m_current * 1e-6 ? 0.0 : tick, m_current);
  }

private:
  std::function<double(const QCPRange&)> m_step;
  std::function<QString(double, double)> m_label;
  double m_current = 1.0;
};

Milliseconds asMilliseconds(double seconds) {
  return Milliseconds(static_cast<std::int64_t>(std::llround(seconds * 1000.0)));
}

QString minutesLabel(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::llround(std::abs(seconds)));
  const QString sign = seconds < 0 && whole > 0 ? QStringLiteral("-") : QString();
  return QStringLiteral("%1%2:%3 min").arg(sign).arg(whole / 60).arg(whole % 60, 2, 10, QLatin1Char('0'));
}

}  // namespace

QString timeLabel(double seconds, Milliseconds perDivision) {
  if (perDivision < Milliseconds(100)) return QStringLiteral("%1 ms").arg(std::round(seconds * 1000.0));
  if (perDivision >= Milliseconds(20'000)) return minutesLabel(seconds);
  return QStringLiteral("%1 s").arg(std::round(seconds * 10.0) / 10.0);
}

QString valueLabel(MetricUnit unit, double value) {
  switch (unit) {
    case MetricUnit::bytes:
      return toQString(formatBytes(value));
    case MetricUnit::bitsPerSecond:
      return toQString(formatRate(BitsPerSecond(value)));
    case MetricUnit::microseconds:
      return toQString(formatTime(value / 1e6));
    case MetricUnit::ratio:
      return toQString(formatRatio(value));
    case MetricUnit::perSecond:
      return QStringLiteral("%1 /s").arg(value, 0, 'g', 4);
    default:
      return QStringLiteral("%1").arg(value, 0, 'g', 6);
  }
}

QSharedPointer<QCPAxisTicker> divisionTicker(double step, std::function<QString(double)> label) {
  return QSharedPointer<QCPAxisTicker>(
      new StepTicker([step](const QCPRange&) { return step; },
                     [label = std::move(label)](double tick, double) { return label(tick); }));
}

QSharedPointer<QCPAxisTicker> unitTicker(MetricUnit unit) {
  return QSharedPointer<QCPAxisTicker>(
      new StepTicker([unit](const QCPRange& range) { return unitsPerDivisionFor(unit, range.size() / 5.0); },
                     [unit](double tick, double) { return valueLabel(unit, tick); }));
}

QSharedPointer<QCPAxisTicker> wallClockTicker(WallTime zero, Milliseconds perDivision) {
  const bool isFine = perDivision < std::chrono::seconds(1);
  return divisionTicker(toSeconds(perDivision), [zero, isFine](double seconds) {
    constexpr double kMillisecondsASecond = 1000.0;
    constexpr std::int64_t kNanosecondsAMillisecond = 1'000'000;
    const auto milliseconds = static_cast<qint64>(std::llround(seconds * kMillisecondsASecond));
    return QDateTime::fromMSecsSinceEpoch(zero.nanoseconds() / kNanosecondsAMillisecond + milliseconds)
        .toString(isFine ? QStringLiteral("HH:mm:ss.zzz") : QStringLiteral("HH:mm:ss"));
  });
}

WallTime localMidnight(WallTime moment) {
  constexpr std::int64_t kNanosecondsAMillisecond = 1'000'000;
  const QDateTime time = QDateTime::fromMSecsSinceEpoch(moment.nanoseconds() / kNanosecondsAMillisecond);
  return WallTime::fromNanoseconds(time.date().startOfDay().toMSecsSinceEpoch() * kNanosecondsAMillisecond);
}

QSharedPointer<QCPAxisTicker> timeTicker() {
  const auto step = [](const QCPRange& range) {
    const auto base = TimeBase::holding(
        std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(range.size() * kTimeDivisions / 8.0)));
    return toSeconds(base.perDivision());
  };
  return QSharedPointer<QCPAxisTicker>(
      new StepTicker(step, [](double tick, double used) { return timeLabel(tick, asMilliseconds(used)); }));
}

QSharedPointer<QCPAxisTicker> packetTimeTicker() {
  const auto step = [](const QCPRange& range) {
    // 1-2-5, in seconds.
    const double least = std::max(range.size() / 8.0, 1e-9);
    const double decade = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (factor * decade >= least) return factor * decade;
    }
    return 10.0 * decade;
  };
  return QSharedPointer<QCPAxisTicker>(new StepTicker(step, [](double tick, double used) {
    const int digits = std::max(0, static_cast<int>(std::ceil(-std::log10(used) - 1e-9)));
    return QLocale::c().toString(tick, 'f', digits);
  }));
}

QSharedPointer<QCPAxisTicker> offsetTicker() {
  const auto label = [](double tick, double used) {
    constexpr double kKib = 1024.0;
    QLocale locale = QLocale::c();
    locale.setNumberOptions(QLocale::DefaultNumberOptions);
    const auto whole = [&locale](double value) { return locale.toString(static_cast<qlonglong>(std::llround(value))); };
    if (used >= kKib * kKib) return QStringLiteral("%1 MiB").arg(whole(tick / kKib / kKib));
    if (used >= kKib) return QStringLiteral("%1 KiB").arg(whole(tick / kKib));
    return whole(tick);
  };
  return QSharedPointer<QCPAxisTicker>(new StepTicker(
      [](const QCPRange& range) { return unitsPerDivisionFor(MetricUnit::bytes, range.size() / 6.0); }, label));
}

}  // namespace tcpscope

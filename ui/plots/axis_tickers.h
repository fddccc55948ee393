// Divisions and their labels for axes of time and of values: always 1-2-5 steps, always with the unit.
#pragma once

#include <QSharedPointer>
#include <QString>
#include <functional>

#include "core/base/moment.h"
#include "core/model/metric_catalogue.h"

class QCPAxisTicker;

namespace tcpscope {

/// "-2.5 s", "-40 ms", "-1:30 min": a time relative to the reference, as exact as the division asks for.
QString timeLabel(double seconds, Milliseconds perDivision);
/// A value of a unit, as people read it: "12.0 Mbit/s", "64.0 KiB", "5".
QString valueLabel(MetricUnit unit, double value);

/// A line at every multiple of `step`.
QSharedPointer<QCPAxisTicker> divisionTicker(double step, std::function<QString(double)> label);
/// About five lines at 1-2-5 steps of the unit, whatever the range.
QSharedPointer<QCPAxisTicker> unitTicker(MetricUnit unit);
/// A line at every multiple of the division, labelled with local wall-clock time, with milliseconds below a second per
/// division. The axis counts seconds from `zero`.
QSharedPointer<QCPAxisTicker> wallClockTicker(WallTime zero, Milliseconds perDivision);
/// Midnight, in local time, of the day of this moment: what a wall-clock axis counts from.
WallTime localMidnight(WallTime moment);
/// About eight lines at 1-2-5 steps, in seconds.
QSharedPointer<QCPAxisTicker> timeTicker();

/// About eight lines at decimal 1-2-5 steps down to nanoseconds; labels are bare seconds, with as many digits as they
/// need.
QSharedPointer<QCPAxisTicker> packetTimeTicker();
/// About six lines over bytes of a stream, in whole bytes, KiB or MiB by how far they lie apart: "12,345 KiB".
QSharedPointer<QCPAxisTicker> offsetTicker();

}  // namespace tcpscope

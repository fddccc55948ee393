// A moment of a host's monotonic clock as local wall-clock time.
#pragma once

#include <QDateTime>
#include <QString>

#include "core/base/moment.h"

namespace tcpscope {

enum class WallPrecision : std::uint8_t { seconds, milliseconds, microseconds };

/// "2026-03-01 12:00:00", in local time; with milliseconds or microseconds where asked for.
inline QString wallText(const ClockPair& clock, Moment moment, WallPrecision precision = WallPrecision::seconds) {
  const QDateTime time = QDateTime::fromMSecsSinceEpoch(clock.wallAt(moment).nanoseconds() / 1'000'000);
  QString text = time.toString(precision == WallPrecision::seconds ? QStringLiteral("yyyy-MM-dd HH:mm:ss")
                                                                   : QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz"));
  if (precision != WallPrecision::microseconds) return text;
  constexpr std::int64_t kThousand = 1000;
  return text +
         QStringLiteral("%1").arg(clock.wallAt(moment).nanoseconds() / kThousand % kThousand, 3, 10, QLatin1Char('0'));
}

}  // namespace tcpscope

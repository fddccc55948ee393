// What the connection list draws instead of writing: the bars of limits and exchanges, the trend, the verdict's dot.
//
// Plain rectangles without antialiasing: a screen full of rows is drawn many times a second.
#pragma once

#include <QPainter>

#include "core/session/session_snapshot.h"
#include "ui/theme/theme.h"

namespace tcpscope {

/// Shares of the limits from left to right in the order of the enumeration; an outline where nothing was observed.
void paintLimitsBar(QPainter& painter, const QRect& area, const LimitBar& bar, Appearance appearance);

/// Shares of the local end, the path and the remote end from left to right; nothing without exchanges.
void paintExchangesBar(QPainter& painter, const QRect& area, const ExchangeBar& bar, Appearance appearance);

/// Columns from the bottom, newest at the right, in the colour of `ink`.
void paintTrend(QPainter& painter, const QRect& area, const ConnectionRow& row, const QColor& ink);

/// A dot in the limit's colour at the left of `area`; gives the area that is left for the text.
QRect paintVerdictDot(QPainter& painter, const QRect& area, Limit limit, Appearance appearance);

}  // namespace tcpscope

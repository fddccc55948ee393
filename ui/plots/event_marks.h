// The marks of events over the traces: gathered where they stand too close, with a symbol and a colour a kind.
#pragma once

#include <QColor>
#include <QPointF>
#include <QString>
#include <span>
#include <vector>

#include "core/session/session_snapshot.h"
#include "ui/plots/plot_geometry.h"
#include "ui/theme/theme.h"

class QPainter;

namespace tcpscope {

/// Events of one kind that stand closer than one mark is wide.
struct EventMark {
  HistoryEventKind kind = HistoryEventKind::gap;
  Moment first;
  Moment last;
  /// Events; for congestionWindowDrop and others whose count is a size, the number of times.
  std::uint64_t count = 0;
};

/// Rows of marks above the traces; kinds in one row never overlap each other's meaning (loss, window, life).
inline constexpr int kMarkLanes = 3;
int markLane(HistoryEventKind kind);

QString eventTitle(HistoryEventKind kind);
QColor eventColor(HistoryEventKind kind, Appearance appearance);

/// Marks on the screen, in order of time a kind. `events` are in order of time.
std::vector<EventMark> gatherMarks(std::span<const HistoryEvent> events, TimeSpan screen, Nanoseconds markWidth);

/// Half the height and width of a symbol in pixels.
inline constexpr int kMarkRadius = 4;
void paintMark(QPainter& painter, HistoryEventKind kind, QPointF centre, Appearance appearance);

/// "12 × retransmission" for the marks within `slack` of a moment, what was changed then, and why packets were dropped;
/// empty where none is.
QString describeMarks(std::span<const EventMark> marks, std::span<const ChangeMark> changes,
                      std::span<const ReportedLoss> losses, Moment at, Nanoseconds slack);

}  // namespace tcpscope

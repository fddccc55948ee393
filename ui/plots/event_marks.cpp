#include "ui/plots/event_marks.h"

#include <QPainter>
#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "core/present/text/loss_text.h"
#include "core/session/history_events.h"
#include "ui/text/plain_text.h"

namespace tcpscope {

int markLane(HistoryEventKind kind) {
  switch (kind) {
    case HistoryEventKind::retransmission:
    case HistoryEventKind::timeout:
    case HistoryEventKind::localDrop:
      return 0;
    case HistoryEventKind::congestionWindowDrop:
      return 1;
    default:
      return 2;
  }
}

QString eventTitle(HistoryEventKind kind) {
  switch (kind) {
    case HistoryEventKind::retransmission:
      return QStringLiteral("retransmission");
    case HistoryEventKind::timeout:
      return QStringLiteral("RTO");
    case HistoryEventKind::peerWindowClosed:
      return QStringLiteral("zero window from peer");
    case HistoryEventKind::ownWindowClosed:
      return QStringLiteral("zero window advertised");
    case HistoryEventKind::congestionWindowDrop:
      return QStringLiteral("cwnd drop");
    case HistoryEventKind::recoveryStarted:
      return QStringLiteral("recovery started");
    case HistoryEventKind::stateChanged:
      return QStringLiteral("state changed");
    case HistoryEventKind::congestionControlChanged:
      return QStringLiteral("congestion control changed");
    case HistoryEventKind::settingChanged:
      return QStringLiteral("path MTU or pacing limit changed");
    case HistoryEventKind::opened:
      return QStringLiteral("opened");
    case HistoryEventKind::closed:
      return QStringLiteral("closed");
    case HistoryEventKind::gap:
      return QStringLiteral("samples missing");
    case HistoryEventKind::hostSettingChanged:
      return QStringLiteral("setting changed");
    case HistoryEventKind::localDrop:
      return QStringLiteral("packet dropped on this host");
  }
  return {};
}

QColor eventColor(HistoryEventKind kind, Appearance appearance) {
  switch (kind) {
    case HistoryEventKind::retransmission:
      return severityColor(FindingSeverity::warning, appearance);
    case HistoryEventKind::timeout:
    case HistoryEventKind::gap:
    case HistoryEventKind::localDrop:
      return severityColor(FindingSeverity::problem, appearance);
    case HistoryEventKind::peerWindowClosed:
    case HistoryEventKind::ownWindowClosed:
      return limitColor(Limit::receiver, appearance);
    case HistoryEventKind::congestionWindowDrop:
      return limitColor(Limit::network, appearance);
    case HistoryEventKind::recoveryStarted:
      return limitColor(Limit::recovery, appearance);
    case HistoryEventKind::stateChanged:
    case HistoryEventKind::congestionControlChanged:
    case HistoryEventKind::settingChanged:
    case HistoryEventKind::opened:
    case HistoryEventKind::closed:
    case HistoryEventKind::hostSettingChanged:
      break;
  }
  return axisColor(appearance);
}

std::vector<EventMark> gatherMarks(std::span<const HistoryEvent> events, TimeSpan screen, Nanoseconds markWidth) {
  std::vector<EventMark> marks;
  std::array<std::optional<std::size_t>, kHistoryEventKinds> open{};
  const auto first = std::partition_point(events.begin(), events.end(),
                                          [&](const HistoryEvent& event) { return event.time < screen.from; });
  for (auto event = first; event != events.end() && event->time <= screen.to; ++event) {
    auto& last = open.at(static_cast<std::size_t>(event->kind));
    if (last && event->time - marks[*last].first < markWidth) {
      marks[*last].last = event->time;
      marks[*last].count += timesOf(*event);
    } else {
      last = marks.size();
      marks.push_back({event->kind, event->time, event->time, timesOf(*event)});
    }
  }
  return marks;
}

void paintMark(QPainter& painter, HistoryEventKind kind, QPointF centre, Appearance appearance) {
  const QColor color = eventColor(kind, appearance);
  const double r = kMarkRadius;
  const auto at = [&](double x, double y) { return centre + QPointF(x * r, y * r); };
  painter.setPen(QPen(color, 0));
  painter.setBrush(color);
  switch (kind) {
    case HistoryEventKind::retransmission:
      painter.drawPolygon(QPolygonF({at(-1, -1), at(1, -1), at(0, 1)}));
      break;
    case HistoryEventKind::timeout:
      painter.drawPolygon(QPolygonF({at(0, -1), at(1, 0), at(0, 1), at(-1, 0)}));
      break;
    case HistoryEventKind::peerWindowClosed:
      painter.drawRect(QRectF(at(-0.9, -0.9), at(0.8, 0.8)));
      break;
    case HistoryEventKind::ownWindowClosed:
      painter.setBrush(Qt::NoBrush);
      painter.drawRect(QRectF(at(-0.9, -0.9), at(0.8, 0.8)));
      break;
    case HistoryEventKind::congestionWindowDrop:
      painter.drawPolygon(QPolygonF({at(-1, -1), at(-1, 1), at(1, 1)}));
      break;
    case HistoryEventKind::recoveryStarted:
      painter.drawPolygon(QPolygonF({at(-1, 1), at(1, 1), at(0, -1)}));
      break;
    case HistoryEventKind::stateChanged:
      painter.drawPolygon(QPolygonF({at(-1, -1), at(1, 0), at(-1, 1)}));
      break;
    case HistoryEventKind::congestionControlChanged:
      painter.drawRect(QRectF(at(-1, -0.3), at(1, 0.3)));
      painter.drawRect(QRectF(at(-0.3, -1), at(0.3, 1)));
      break;
    case HistoryEventKind::settingChanged:
      painter.setBrush(Qt::NoBrush);
      painter.drawPolygon(QPolygonF({at(0, -1), at(1, 0), at(0, 1), at(-1, 0)}));
      break;
    case HistoryEventKind::opened:
      painter.setBrush(Qt::NoBrush);
      painter.drawEllipse(centre, r, r);
      break;
    case HistoryEventKind::closed:
      painter.drawEllipse(centre, r, r);
      break;
    case HistoryEventKind::gap:
      painter.drawLine(at(-1, -1), at(1, 1));
      painter.drawLine(at(-1, 1), at(1, -1));
      break;
    case HistoryEventKind::hostSettingChanged:
      painter.drawPolygon(QPolygonF({at(-1, -1), at(1, -1), at(1, 0.2), at(0, 1), at(-1, 0.2)}));
      break;
    case HistoryEventKind::localDrop:
      painter.setBrush(Qt::NoBrush);
      painter.drawPolygon(QPolygonF({at(-1, -1), at(1, -1), at(0, 1)}));
      break;
  }
}

QString describeMarks(std::span<const EventMark> marks, std::span<const ChangeMark> changes,
                      std::span<const ReportedLoss> losses, Moment at, Nanoseconds slack) {
  QStringList lines;
  for (const EventMark& mark : marks) {
    if (mark.first - slack > at || mark.last + slack < at) continue;
    lines << QStringLiteral("%1 × %2").arg(mark.count).arg(eventTitle(mark.kind));
  }
  for (const ChangeMark& change : changes) {
    if (change.time - slack > at || change.time + slack < at) continue;
    lines
        << QStringLiteral("%1: %2 → %3").arg(plainText(change.key), plainText(change.before), plainText(change.after));
  }
  std::map<std::string, int> causes;
  const auto first = std::partition_point(losses.begin(), losses.end(),
                                          [&](const ReportedLoss& loss) { return loss.time + slack < at; });
  for (auto loss = first; loss != losses.end() && loss->time - slack <= at; ++loss) {
    if (loss->report.reason) ++causes[causeText(loss->report)];
  }
  for (const auto& [cause, times] : causes) lines << QStringLiteral("%1 × %2").arg(times).arg(toQString(cause));
  return lines.join(QLatin1Char('\n'));
}

}  // namespace tcpscope

#include "core/session/capture_list.h"

#include <algorithm>
#include <numeric>

#include "core/session/row_update.h"

namespace tcpscope {

namespace {

bool isOver(const DirectionSummary& direction) {
  return direction.sent.fins.value() + direction.sent.resets.value() > 0;
}

/// See ConnectionFigures::severity.
std::uint8_t worstSeverity(const ConnectionAnalysis& analysis) {
  std::uint8_t worst = 0;
  for (const DirectionAnalysis& direction : analysis.directions) {
    for (const Finding& finding : direction.diagnosis.findings)
      worst = std::max(worst, static_cast<std::uint8_t>(static_cast<unsigned>(finding.severity) + 1U));
  }
  return worst;
}

}  // namespace

ConnectionRow rowOf(const ConnectionAnalysis& analysis, ConnectionId id) {
  const DirectionSummary& bulk = analysis.flow.directions[analysis.bulk];
  const SideDiagnosis& diagnosis = analysis.directions[analysis.bulk].diagnosis;
  ConnectionRow row;
  row.id = id;
  row.local = analysis.flow.initiator;
  row.remote = analysis.flow.responder;
  row.firstSeen = captureMoment(analysis.flow.firstTime);
  row.closedAt = captureMoment(analysis.flow.lastTime);
  const bool ended = isOver(analysis.flow.directions[0]) || isOver(analysis.flow.directions[1]);
  row.state = ended ? TcpState::close : TcpState::established;
  row.bulk = analysis.bulk == 0 ? Side::sending : Side::receiving;
  row.limit = diagnosis.verdict.limit;
  row.cause = diagnosis.verdict.cause;
  row.confidenceRatio = static_cast<float>(diagnosis.verdict.confidenceRatio);
  row.sendRateBps = rateFigure(analysis.flow.directions[0].goodput);
  row.receiveRateBps = rateFigure(analysis.flow.directions[1].goodput);
  row.sentBytes = static_cast<float>(analysis.flow.directions[0].sent.unique.value());
  row.receivedBytes = static_cast<float>(analysis.flow.directions[1].sent.unique.value());
  row.nextLimitBps = rateFigure(diagnosis.verdict.next);
  const auto rtt = pathRtt(analysis.flow, analysis.bulk);
  row.rttUs = rtt ? static_cast<float>(toSeconds(*rtt) * 1e6) : kUnknownFigure;
  const std::uint64_t packets = bulk.sent.dataPackets.value();
  row.retransmittedRatio =
      packets == 0 ? kUnknownFigure
                   : static_cast<float>(bulk.sent.retransmittedPackets.value()) / static_cast<float>(packets);
  row.limits = limitBar(diagnosis.limits);
  row.exchanges = exchangeBar(diagnosis.verdict);
  row.severity = worstSeverity(analysis);
  return row;
}

void CaptureList::setControl(const SessionControl& control) {
  if (!listsAlike(control, m_control)) m_remakeAll = true;
  m_control = control;
}

void CaptureList::set(std::uint32_t slot, const ConnectionRow& row) {
  if (slot >= m_rows.size()) {
    m_rows.resize(std::size_t{slot} + 1);
    m_isChanged.resize(m_rows.size(), false);
    m_shown.resize(m_rows.size(), false);
  }
  m_rows[slot] = row;
  if (!m_isChanged[slot]) m_changed.push_back(slot);
  m_isChanged[slot] = true;
}

bool CaptureList::passesFilter(const ConnectionRow& row) const {
  IntervalMetrics interval;
  if (row.sendRateBps >= 0.0F) interval.sendGoodput = BitsPerSecond(static_cast<double>(row.sendRateBps));
  if (row.receiveRateBps >= 0.0F) interval.receiveGoodput = BitsPerSecond(static_cast<double>(row.receiveRateBps));
  return m_control.filter.matches({row.local, row.remote, row.state, &interval, row.limit});
}

void CaptureList::publish(SessionSnapshot& snapshot) {
  if (m_remakeAll) {
    m_changed.resize(m_rows.size());
    std::iota(m_changed.begin(), m_changed.end(), 0U);
  }
  for (const std::uint32_t slot : m_changed) {
    ConnectionRow& row = m_rows[slot];
    row.pinned = m_control.pinned.contains(row.id);
    m_pages.set(slot, row);
    m_shown[slot] = passesFilter(row);
    m_isChanged[slot] = false;
  }
  m_order.update({m_pages, [](const ConnectionFacts&) { return nullptr; }}, m_control, m_changed, m_shown, m_remakeAll,
                 m_control.keepsOrder ? RowPlaces::keptWithNewLast : RowPlaces::current);
  m_changed.clear();
  m_remakeAll = false;
  m_pages.publish(snapshot);
  snapshot.order = m_order.order();
  snapshot.groups = m_order.groups();
  snapshot.grouping = m_control.grouping;
  snapshot.totalRows = m_rows.size();
}

}  // namespace tcpscope

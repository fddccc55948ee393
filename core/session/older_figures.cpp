#include "core/session/older_figures.h"

#include <utility>

namespace tcpscope {

namespace {

constexpr std::chrono::seconds kSpan{10};
constexpr std::uint32_t kEnoughTurns = 6;
constexpr std::uint32_t kEnoughLosses = 8;

void add(ValuePointer<LossEventFigures>& sum, const ValuePointer<LossEventFigures>& later) {
  if (!later) return;
  if (!sum) sum.emplace();
  *sum += *later;
}

}  // namespace

bool OlderFigures::isIn(const WindowStatistics& part) {
  return part.losses || !part.ownTurnUs.empty() || !part.peersTurnUs.empty();
}

void OlderFigures::take(const WindowStatistics& part) {
  const Nanoseconds age = part.to - m_since;
  if (age >= kSpan) {
    m_before = std::exchange(m_latest, {});
    if (age >= 2 * kSpan) m_before = {};
    m_since = part.to;
  }
  m_latest.ownTurnUs += part.ownTurnUs;
  m_latest.peersTurnUs += part.peersTurnUs;
  // Slow start overshoots, and the windows of the first losses come down from there: they say nothing of the path.
  if (part.losses && std::exchange(m_sawLosses, true)) add(m_latest.losses, part.losses);
}

void OlderFigures::supply(WindowStatistics& window) const {
  if (window.to - m_since >= 2 * kSpan) return;
  supplyLosses(window);
  const bool hasTurns = window.ownTurnUs.count() >= kEnoughTurns && window.peersTurnUs.count() >= kEnoughTurns;
  if (hasTurns) return;
  for (const Figures* figures : {&m_latest, &m_before}) {
    window.ownTurnUs += figures->ownTurnUs;
    window.peersTurnUs += figures->peersTurnUs;
  }
}

void OlderFigures::supplyLosses(WindowStatistics& window) const {
  if (!window.losses || window.losses->thresholdsAfter.count() >= kEnoughLosses) return;
  ValuePointer<LossEventFigures> all = m_before.losses;
  add(all, m_latest.losses);
  add(all, window.losses);
  window.losses = std::move(all);
}

std::size_t OlderFigures::bytesElsewhere() const {
  return (m_latest.losses ? sizeof *m_latest.losses : 0) + (m_before.losses ? sizeof *m_before.losses : 0);
}

}  // namespace tcpscope

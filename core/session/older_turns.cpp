#include "core/session/older_turns.h"

#include <utility>

namespace tcpscope {

namespace {

constexpr std::chrono::seconds kSpan{10};
constexpr std::uint32_t kEnough = 6;

}  // namespace

void OlderTurns::take(const WindowStatistics& part) {
  const Nanoseconds age = part.to - m_since;
  if (age >= kSpan) {
    m_before = std::exchange(m_latest, {});
    if (age >= 2 * kSpan) m_before = {};
    m_since = part.to;
  }
  m_latest.own += part.ownTurnUs;
  m_latest.peers += part.peersTurnUs;
}

void OlderTurns::supply(WindowStatistics& window) const {
  const bool hasEnough = window.ownTurnUs.count() >= kEnough && window.peersTurnUs.count() >= kEnough;
  if (hasEnough || window.to - m_since >= 2 * kSpan) return;
  for (const Turns& turns : {m_latest, m_before}) {
    window.ownTurnUs += turns.own;
    window.peersTurnUs += turns.peers;
  }
}

}  // namespace tcpscope

#include "core/session/verdict_severity.h"

#include <cmath>
#include <utility>

#include "core/diagnosis/evidence/confidence.h"
#include "core/diagnosis/evidence/finding.h"

namespace tcpscope {

namespace {

constexpr std::uint8_t kNothing = 0;

constexpr std::uint8_t rankOf(FindingSeverity severity) {
  return static_cast<std::uint8_t>(static_cast<unsigned>(severity) + 1U);
}
static_assert(rankOf(FindingSeverity::problem) < kStandsStill);

/// The path as it is, against what goes wrong on it.
std::uint8_t ofNetwork(Cause cause) {
  const bool isOrderly = cause == Cause::pathFull || cause == Cause::slowStart || cause == Cause::unknown;
  return rankOf(isOrderly ? FindingSeverity::note : FindingSeverity::warning);
}

}  // namespace

std::uint8_t severityOf(const ConnectionFacts& facts, const ConnectionFigures& figures) {
  const bool isSure = static_cast<double>(figures.confidenceRatio) >= kConfident;
  // What is being closed, and attempts of peers that vanish, any server on the Internet has at all times.
  const bool mayMove = facts.state == TcpState::established || facts.state == TcpState::closeWait ||
                       facts.state == TcpState::finWait2 || facts.state == TcpState::synSent;
  if (facts.closed || facts.unheard || !isSure || !mayMove) return kNothing;
  switch (figures.limit) {
    case Limit::stalled:
    case Limit::timeout:
      return kStandsStill;
    case Limit::receiver:
    case Limit::sendBuffer:
      return rankOf(FindingSeverity::problem);
    case Limit::opening:
      return figures.cause == Cause::noResponse ? kStandsStill : kNothing;
    case Limit::recovery:
      return rankOf(FindingSeverity::warning);
    case Limit::network:
      return ofNetwork(figures.cause);
    case Limit::application:
      return figures.cause == Cause::nagle ? rankOf(FindingSeverity::warning) : kNothing;
    case Limit::idle:
    case Limit::unknown:
      break;
  }
  return kNothing;
}

std::optional<ConnectionId> worstOf(const SessionSnapshot& snapshot) {
  std::optional<ConnectionId> found;
  std::pair<std::uint8_t, float> most{0, 0.0F};
  if (!snapshot.order) return found;
  for (const std::uint32_t slot : *snapshot.order) {
    const ConnectionRow row = snapshot.row(slot);
    const float rate = std::fmax(row.sendRateBps, row.receiveRateBps);
    const std::pair<std::uint8_t, float> merit{row.severity, std::isnan(rate) ? 0.0F : rate};
    if (row.closed || row.state == TcpState::timeWait || merit <= most) continue;
    most = merit;
    found = row.id;
  }
  return found;
}

}  // namespace tcpscope

#include "core/host/path_walk.h"

#include <algorithm>
#include <array>

namespace tcpscope {

namespace {

constexpr Nanoseconds kAnswerTimeout = std::chrono::seconds(1);
constexpr Nanoseconds kHaste = Milliseconds(100);
constexpr std::uint8_t kRounds = 3;
constexpr std::uint8_t kMostSilentHops = 5;
constexpr unsigned kTriesOfASize = 3;
constexpr unsigned kHastyTriesOfASize = 2;
constexpr Bytes kSmall{60};
constexpr Bytes kLargest{65'535};
/// Usual sizes of links, tunnels and their headers (RFC 1191, section 7.1, and what came since).
constexpr std::array<std::uint64_t, 14> kUsualSizes = {9000, 8000, 4352, 1500, 1492, 1480, 1472,
                                                       1460, 1450, 1420, 1400, 1380, 1280, 576};

/// Nothing below what every path carries.
std::optional<Bytes> usualSizeBelow(Bytes size) {
  const auto* found =
      std::find_if(kUsualSizes.begin(), kUsualSizes.end(), [&](std::uint64_t usual) { return usual < size.value(); });
  return found == kUsualSizes.end() ? std::nullopt : std::optional(Bytes(*found));
}

}  // namespace

PathWalk::PathWalk(const IpAddress& target) : m_size(kLargest) {
  m_reading.target = target;
}

std::optional<PathProbe> PathWalk::next(Moment now) {
  forgetLost(now);
  if (m_sent == kMostProbes) m_stage = Stage::over;
  if (m_stage == Stage::hops) {
    if (const auto probe = nextHop(now)) return probe;
  }
  if (m_stage == Stage::hops || m_stage == Stage::over || !m_awaited.empty()) return std::nullopt;
  return send(static_cast<std::uint8_t>(m_reading.hops.size()), m_size, now);
}

std::optional<Moment> PathWalk::waitsUntil() const {
  if (m_awaited.empty()) return std::nullopt;
  return m_awaited.front().sent + answerWait();
}

void PathWalk::accept(const PathAnswer& answer, Moment now) {
  const auto found = std::find_if(m_awaited.begin(), m_awaited.end(),
                                  [&](const Awaited& one) { return one.probe.number == answer.number; });
  if (found == m_awaited.end()) return;
  const Awaited asked = *found;
  m_awaited.erase(found);
  if (m_stage == Stage::hops) {
    acceptHop(asked, answer, now);
  } else if (m_stage != Stage::over) {
    acceptSize(asked, answer);
  }
}

Nanoseconds PathWalk::answerWait() const {
  if (m_stage != Stage::sizes || !m_isHasty) return kAnswerTimeout;
  const std::optional<Microseconds>& rtt = m_reading.hops.back().rtt;
  return rtt ? std::clamp<Nanoseconds>(3 * *rtt, kHaste, kAnswerTimeout) : kAnswerTimeout;
}

std::optional<PathProbe> PathWalk::send(std::uint8_t hops, Bytes size, Moment now) {
  const PathProbe probe{m_sent++, hops, size};
  m_awaited.push_back({probe, now});
  return probe;
}

void PathWalk::forgetLost(Moment now) {
  const auto isLost = [&](const Awaited& one) { return now - one.sent >= answerWait(); };
  const auto firstAwaited = std::find_if_not(m_awaited.begin(), m_awaited.end(), isLost);
  const bool isSizeLost = firstAwaited != m_awaited.begin() && m_stage != Stage::hops && m_stage != Stage::over;
  m_awaited.erase(m_awaited.begin(), firstAwaited);
  if (isSizeLost) lost(m_size);
}

std::optional<PathProbe> PathWalk::nextHop(Moment now) {
  if (m_round == 1 && isSilentTooLong()) m_farthest = 0;
  if (m_hop > m_farthest) {
    if (!m_awaited.empty()) return std::nullopt;
    const auto isSilent = [](const PathHop& hop) { return !hop.address; };
    while (!m_reading.hops.empty() && isSilent(m_reading.hops.back())) m_reading.hops.pop_back();
    m_farthest = static_cast<std::uint8_t>(m_reading.hops.size());
    m_hop = 1;
    if (++m_round > kRounds || m_farthest == 0) {
      m_stage = m_farthest == 0 ? Stage::over : Stage::sizes;
      return std::nullopt;
    }
  }
  if (m_awaited.size() >= kAhead) return std::nullopt;
  if (m_reading.hops.size() < m_hop) m_reading.hops.resize(m_hop);
  return send(m_hop++, kSmall, now);
}

bool PathWalk::isSilentTooLong() const {
  const std::vector<PathHop>& hops = m_reading.hops;
  const std::size_t waitedFor = m_awaited.empty() ? hops.size() : m_awaited.front().probe.hops - 1U;
  const auto isAnswered = [](const PathHop& hop) { return hop.address.has_value(); };
  const auto answered = static_cast<std::size_t>(hops.rend() - std::find_if(hops.rbegin(), hops.rend(), isAnswered));
  return waitedFor >= answered + kMostSilentHops;
}

void PathWalk::acceptHop(const Awaited& asked, const PathAnswer& answer, Moment now) {
  // Probes with a higher TTL that were in flight when the end of the path was found reach the same host.
  if (!answer.from || asked.probe.hops > m_reading.hops.size()) return;
  PathHop& hop = m_reading.hops[asked.probe.hops - 1U];
  hop.address = answer.from;
  const auto rtt = std::chrono::duration_cast<Microseconds>(now - asked.sent);
  hop.rtt = std::min(hop.rtt.value_or(rtt), rtt);
  if (answer.kind == PathAnswerKind::expired) return;
  m_farthest = std::min(m_farthest, asked.probe.hops);
  m_reading.hops.resize(m_farthest);
  m_reading.isReached = answer.kind == PathAnswerKind::arrived || *answer.from == m_reading.target;
  m_reading.isRefused = answer.kind == PathAnswerKind::refused;
}

void PathWalk::acceptSize(const Awaited& asked, const PathAnswer& answer) {
  if (answer.kind != PathAnswerKind::tooLarge) {
    passed(asked.probe.size);
    return;
  }
  const bool isReported = answer.mtu && *answer.mtu < asked.probe.size && answer.mtu->value() > 0;
  const auto smaller = isReported ? answer.mtu : usualSizeBelow(asked.probe.size);
  if (!answer.from) {
    m_reading.localMtu = smaller;
  } else {
    m_reading.narrowedBy = answer.from;
  }
  m_lost = 0;
  m_vanished.reset();
  m_stage = smaller ? Stage::sizes : Stage::over;
  if (smaller) m_size = *smaller;
}

void PathWalk::passed(Bytes size) {
  m_lost = 0;
  if (m_stage == Stage::sizes && m_vanished) {
    m_reading.mtu = size;
    m_stage = Stage::larger;
    m_size = *m_vanished;
    return;
  }
  if (m_stage == Stage::larger && m_isHasty) {
    m_isHasty = false;
    m_stage = Stage::sizes;
    m_size = m_firstVanished;
    m_vanished.reset();
    return;
  }
  if (m_stage == Stage::smaller) {
    m_reading.vanishing = m_vanished;
  } else {
    m_reading.mtu = size;
  }
  m_stage = Stage::over;
}

void PathWalk::lost(Bytes size) {
  if (++m_lost < (m_stage == Stage::sizes && m_isHasty ? kHastyTriesOfASize : kTriesOfASize)) return;
  m_lost = 0;
  if (m_stage == Stage::larger) {
    m_stage = Stage::smaller;
    m_size = m_reading.mtu.value();
    return;
  }
  const auto smaller = usualSizeBelow(size);
  if (m_stage == Stage::smaller || !smaller) {
    m_reading.mtu.reset();
    m_stage = Stage::over;
    return;
  }
  if (!m_vanished) m_firstVanished = size;
  m_vanished = size;
  m_size = *smaller;
}

}  // namespace tcpscope

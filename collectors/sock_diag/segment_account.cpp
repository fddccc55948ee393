#include "collectors/sock_diag/segment_account.h"

namespace tcpscope {

namespace {

/// A socket that waits for its peer changes seldom; asking for it costs little.
constexpr std::uint64_t kActivePolls = 8;

}  // namespace

void SegmentAccount::beginPoll(std::optional<SegmentCounts> before) {
  ++m_poll;
  m_before = before;
  m_taken = {};
}

void SegmentAccount::take(const SocketObservation& socket) {
  const auto sent = socket.info.segsOut();
  const auto received = socket.info.segsIn();
  // A listener's fields mean something else, and segments of TIME-WAIT are counted for none.
  if (socket.state == TcpState::listen || !sent || !received) return;
  const auto wrapped = [](Segments count) { return static_cast<std::uint32_t>(count.value()); };
  const auto [known, isNew] = m_sockets.try_emplace(socket.id.cookie);
  Socket& entry = known->second;
  if (!isNew) {
    m_taken.sent += wrapped(*sent) - entry.sent;
    m_taken.received += wrapped(*received) - entry.received;
  }
  entry = {wrapped(*sent), wrapped(*received), m_poll};
}

bool SegmentAccount::isActive(std::uint64_t cookie) const {
  const auto known = m_sockets.find(cookie);
  return known != m_sockets.end() && m_poll - known->second.changedIn <= kActivePolls;
}

bool SegmentAccount::isWhole(std::optional<SegmentCounts> now) const {
  if (!m_last || !now || now != m_before) return false;
  return now->sent - m_last->sent == m_taken.sent && now->received - m_last->received <= m_taken.received;
}

void SegmentAccount::endPoll(std::optional<SegmentCounts> now) {
  m_last = now == m_before ? now : std::nullopt;
}

}  // namespace tcpscope
